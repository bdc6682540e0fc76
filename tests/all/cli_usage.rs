//! `usage`: what the sessions of a store cost, asked through the command line.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli_home::{Home, ran};
use crate::cli_write_home::Desk;

const PROJECTS: &str = "/home/u/.claude/projects";

fn line(session: &str, day: &str, id: &str, model: &str, output: u64) -> String {
    json!({
        "type": "assistant", "uuid": id, "sessionId": session, "timestamp": format!("{day}T10:00:00.000Z"),
        "requestId": format!("req_{id}"),
        "message": {"id": id, "role": "assistant", "model": model, "content": [], "usage": {
            "input_tokens": 10, "output_tokens": output, "cache_read_input_tokens": 60, "cache_creation_input_tokens": 30,
            "cache_creation": {"ephemeral_5m_input_tokens": 10, "ephemeral_1h_input_tokens": 20},
        }},
    })
    .to_string()
        + "\n"
}

/// Two projects, a session with a sub-agent, a fork that begins with a copy.
fn home() -> Home {
    let home = Home::new();
    let first = line("s1", "2031-03-04", "a", "big", 1) + &line("s1", "2031-03-04", "a", "big", 1);
    home.write(&format!("{PROJECTS}/-srv-proj/s1.jsonl"), &first);
    home.write(
        &format!("{PROJECTS}/-srv-proj/s1/subagents/agent-x.jsonl"),
        line("s1", "2031-03-05", "b", "small", 2),
    );
    home.write(
        &format!("{PROJECTS}/-srv-proj/s2.jsonl"),
        line("s2", "2031-03-04", "a", "big", 1) + &line("s2", "2031-03-05", "c", "big", 4),
    );
    home.write(
        &format!("{PROJECTS}/-srv-other/s3.jsonl"),
        line("s3", "2031-03-05", "d", "big", 8),
    );
    home.write(
        &format!("{PROJECTS}/-srv-other/s3/tool-results/x.jsonl"),
        line("s3", "2031-03-05", "e", "big", 99),
    );
    for (index, path) in [
        "-srv-proj/s1.jsonl",
        "-srv-proj/s1/subagents/agent-x.jsonl",
        "-srv-proj/s2.jsonl",
        "-srv-other/s3.jsonl",
    ]
    .iter()
    .enumerate()
    {
        let file = fs::File::options()
            .append(true)
            .open(home.at(&format!("{PROJECTS}/{path}")))
            .unwrap();
        let time =
            std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000 + index as u64);
        file.set_modified(time).unwrap();
    }
    home
}

fn rows<'v>(found: &'v Value, list: &str, key: &str) -> Vec<(&'v str, u64, u64)> {
    let rows = found[list].as_array().unwrap().iter();
    rows.map(|row| {
        (
            row[key].as_str().unwrap(),
            row["output"].as_u64().unwrap(),
            row["messages"].as_u64().unwrap(),
        )
    })
    .collect()
}

#[test]
fn each_message_is_counted_once_in_every_sum() {
    let found = home().json(&["usage", "--json"]);
    assert_eq!(found["complete_since"], "2026-08-22");
    let wanted = json!({
        "input": 40, "output": 15, "cache_read": 240, "cache_creation": 120, "cache_creation_5m": 40,
        "cache_creation_1h": 80, "messages": 4, "cache_hit": 240.0 / 280.0, "cache_hit_of_all": 0.6, "cost": null,
        "known_cost": 0.0, "unpriced": 4,
    });
    assert_eq!(found["totals"], wanted);
    assert_eq!(
        rows(&found, "by_day", "day"),
        [("2031-03-04", 1, 1), ("2031-03-05", 14, 3)]
    );
    assert_eq!(
        rows(&found, "by_project", "project"),
        [("-srv-other", 8, 1), ("-srv-proj", 7, 3)]
    );
    assert_eq!(
        rows(&found, "by_session", "session"),
        [("s3", 8, 1), ("s1", 3, 2), ("s2", 4, 1)]
    );
    assert_eq!(
        rows(&found, "by_model", "model"),
        [("big", 13, 3), ("small", 2, 1)]
    );
}

#[test]
fn a_person_reads_the_sums_by_day_and_model() {
    let ran = home().run(&["usage"]);
    let wanted = "\
day (UTC)   input  output  cache read  written  answers    hits  cost
2031-03-04     10       1          60       30        1  60.0 %     –
2031-03-05     30      14         180       90        3  60.0 %     –
all            40      15         240      120        4  60.0 %     –

model       input  output  cache read  written  answers    hits  cost
big            30      13         180       90        3  60.0 %     –
small          10       2          60       30        1  60.0 %     –
all            40      15         240      120        4  60.0 %     –

of 4 transcripts; hits: read from the cache, of that and what was sent anew or written
no price for big, small: set it in [prices]
complete since 2026-08-22 (UTC): what is older may have been cleaned up before it was counted
";
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str(), ran.code),
        (wanted, "", Some(0))
    );
}

#[test]
fn a_store_without_bills_says_so() {
    let home = Home::new();
    let ran = home.run(&["usage"]);
    assert_eq!(
        ran.out,
        "no transcript of this store says what a message used\n"
    );
    let found = home.json(&["usage", "--json"]);
    assert_eq!(found["totals"]["messages"], 0);
    assert_eq!(
        (&found["by_day"], &found["totals"]["cache_hit"]),
        (&json!([]), &Value::Null)
    );
    // The fixture of a failed call: no row for it.
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/TR19/session.jsonl");
    home.write(
        &format!("{PROJECTS}/-srv-proj/s.jsonl"),
        fs::read(fixture).unwrap(),
    );
    let found = home.json(&["usage", "--json"]);
    assert_eq!(rows(&found, "by_model", "model"), [("demo-1", 90, 1)]);
}

/// Prices come from the configuration alone; a sum with a message of unknown price has no cost.
#[test]
fn what_has_a_price_has_a_cost() {
    let home = home();
    home.write(
        "/home/u/.config/loci/config.toml",
        "[prices.big]\ninput = 3\noutput = 1000\n",
    );
    let found = home.json(&["usage", "--json"]);
    let cost = |row: &Value| row["cost"].as_f64();
    // 13 out; of each message 10 in, 60 read at a tenth, 10 written for five minutes and 20 for an hour.
    let wanted = (13.0 * 1000.0 + 3.0 * 3.0 * (10.0 + 6.0 + 12.5 + 40.0)) / 1e6;
    let big = cost(&found["by_model"][0]).expect("a price");
    assert!((big - wanted).abs() < 1e-12, "{big} {wanted}");
    assert_eq!(
        (cost(&found["by_model"][1]), cost(&found["totals"])),
        (None, None)
    );
    let known = found["totals"]["known_cost"].as_f64().expect("a part");
    assert!((known - wanted).abs() < 1e-12, "{known} {wanted}");
    assert_eq!(found["totals"]["unpriced"], 1);
    // A part of a cost is told as one, with the models that it lacks.
    let shown = home.run(&["usage"]).out;
    for line in [
        "big            30      13         180       90        3  60.0 %    $0.01\n",
        "small          10       2          60       30        1  60.0 %        –\n",
        "all            40      15         240      120        4  60.0 %  ≥ $0.01\n",
        "\nno price for small: set it in [prices]\n",
    ] {
        assert!(shown.contains(line), "{shown}");
    }
}

/// What was counted is kept in our state, and outlives the client's clean-up.
#[test]
fn sums_outlive_the_transcripts() {
    let desk = Desk::new();
    let projects = desk.root().join("home/.claude/projects");
    let folder = projects.join("-srv-proj");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("s1.jsonl"),
        line("s1", "2031-03-04", "a", "big", 1),
    )
    .unwrap();
    fs::write(
        folder.join("s2.jsonl"),
        line("s2", "2031-03-05", "b", "big", 2),
    )
    .unwrap();
    let before = desk.json(&["usage"]);
    assert_eq!(
        rows(&before, "by_day", "day"),
        [("2031-03-04", 1, 1), ("2031-03-05", 2, 1)]
    );
    fs::remove_file(folder.join("s1.jsonl")).unwrap();
    assert_eq!(desk.json(&["usage"]), before);
    fs::remove_dir_all(&folder).unwrap();
    assert_eq!(desk.json(&["usage"]), before);
    let shown = desk.run(&["usage"]).out;
    assert!(
        shown.contains("of 0 transcripts and 2 that are gone; hits"),
        "{shown}"
    );
}

/// A name of any length leaves the columns where they are.
#[test]
fn a_long_name_is_cut() {
    let home = Home::new();
    let model = "m".repeat(300);
    home.write(
        &format!("{PROJECTS}/-srv-proj/s1.jsonl"),
        line("s1", "2031-03-04", "a", &model, 1),
    );
    let shown = home.run(&["usage"]).out;
    let row = shown.lines().find(|row| row.starts_with("mmm"));
    let row = row.expect("the row of the model");
    assert!(row.starts_with(&format!("{}…  ", "m".repeat(39))), "{row}");
    assert_eq!(row.chars().count(), 99, "{row}");
    let found = home.json(&["usage", "--json"]);
    assert_eq!(rows(&found, "by_model", "model"), [(&*model, 1, 1)]);
}

/// Of what is called as a transcript and is none it is said that it is not counted; a session of which no
/// list knows is that of the file in which it stands.
#[test]
fn what_is_no_file_is_left_out_and_said() {
    let home = Home::new();
    let own = format!("{PROJECTS}/-srv-proj");
    home.write(
        &format!("{own}/s1.jsonl"),
        line("elsewhere", "2031-03-04", "a", "big", 1) + &line("s2", "2031-03-04", "b", "big", 2),
    );
    home.write(
        &format!("{own}/s2.jsonl"),
        line("s2", "2031-03-04", "c", "big", 4),
    );
    let (folder, link) = (
        home.at(&format!("{own}/s3.jsonl")),
        home.at(&format!("{own}/s4.jsonl")),
    );
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink("s1.jsonl", &link).unwrap();
    let ran = home.run(&["usage", "--json"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.err.starts_with("left out: ")
            && ran.err.ends_with(
                ".jsonl and 1 more: a transcript is a plain file, no link, pipe or folder\n"
            ),
        "{}",
        ran.err
    );
    assert_eq!(
        rows(&ran.json(), "by_session", "session"),
        [("s1", 1, 1), ("s2", 6, 2)]
    );
}

/// Sums that can't be kept, or read, are counted as far as they are known, and it is said.
#[test]
fn what_becomes_of_the_kept_sums_is_said() {
    let desk = Desk::new();
    let folder = desk.root().join("home/.claude/projects/-srv-proj");
    fs::create_dir_all(&folder).unwrap();
    let write = |id: &str| {
        fs::write(
            folder.join("s1.jsonl"),
            line("s1", "2031-03-04", id, "big", 7),
        )
        .unwrap();
    };
    write("a");
    let ran = desk.run(&["usage"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", Some(0)));
    let swept = desk.state().join("swept.json");
    fs::write(&swept, "half").unwrap();
    let ran = desk.run(&["usage", "--json"]);
    let aside = desk.state().join("swept-damaged-1.json");
    let today = "2026-09-21";
    let said = format!(
        "loci: {} is damaged: the sums of transcripts that are gone can't be read from it; it lies as {} now, and what \
         is kept begins anew on {today}\n",
        swept.display(),
        aside.display()
    );
    assert_eq!((ran.err.as_str(), ran.code), (said.as_str(), Some(0)));
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["complete_since"], today);
    assert_eq!(fs::read_to_string(&aside).unwrap(), "half");
    // Written anew with another message.
    write("b");
    fs::write(&swept, "{\"v\":7}").unwrap();
    let ran = desk.run(&["usage", "--json"]);
    let said = format!(
        "loci: {} was written by a newer loci (version 7): it is left as it is, and the sums of transcripts that are \
         gone are not counted; use that loci\n",
        swept.display()
    );
    assert_eq!((ran.err.as_str(), ran.code), (said.as_str(), Some(0)));
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["totals"]["output"], 14);
    assert_eq!(fs::read_to_string(&swept).unwrap(), "{\"v\":7}");
    // Something else stands there.
    fs::remove_file(&swept).unwrap();
    fs::create_dir(&swept).unwrap();
    let ran = desk.run(&["usage", "--json"]);
    assert!(ran.err.contains("can't be read"), "{}", ran.err);
    assert_eq!(ran.code, Some(0));
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["totals"]["output"], 14);
    // Nothing at all can be kept.
    let state = desk.state();
    fs::remove_dir_all(&state).unwrap();
    fs::write(&state, "no folder").unwrap();
    let ran = desk.run(&["usage", "--json"]);
    assert_eq!(ran.err.matches("can't be kept").count(), 2, "{}", ran.err);
    assert_eq!(ran.code, Some(0));
}

/// A clock that was wrong once is not believed for ever.
#[test]
fn a_clock_that_was_wrong_is_forgotten() {
    let desk = Desk::new();
    let before = desk.json(&["usage"]);
    let asked = desk.command(&[]);
    let mut wrong = Command::new(asked.get_program());
    let known = asked
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)));
    wrong.env_clear().envs(known);
    wrong.args(["--now", "4102444800", "usage", "--json"]);
    let found = ran(&mut wrong).json();
    assert_eq!(found["complete_since"], "2099-12-02");
    assert_eq!(desk.json(&["usage"]), before);
}

/// A range of days counts both its ends, says itself, and is refused where it is none.
#[test]
fn sums_are_of_the_days_that_are_asked_for() {
    let home = home();
    let found = home.json(&["usage", "--since", "2031-03-05", "--json"]);
    assert_eq!(found["since"], "2031-03-05");
    assert_eq!(found.get("until"), None);
    assert_eq!(rows(&found, "by_day", "day"), [("2031-03-05", 14, 3)]);
    assert_eq!(
        rows(&found, "by_session", "session"),
        [("s3", 8, 1), ("s1", 2, 1), ("s2", 4, 1)]
    );
    let found = home.json(&["usage", "--until", "2031-03-04", "--json"]);
    assert_eq!(rows(&found, "by_model", "model"), [("big", 1, 1)]);
    let found = home.json(&[
        "usage",
        "--since",
        "2031-03-04",
        "--until",
        "2031-03-05",
        "--json",
    ]);
    assert_eq!(found["totals"]["output"], 15);
    let shown = home.run(&["usage", "--since", "2031-03-04", "--until", "2031-03-04"]);
    assert!(
        shown
            .out
            .contains("\nfrom 2031-03-04 to 2031-03-04 (UTC), of 1 session; hits"),
        "{}",
        shown.out
    );
    let none = home.run(&["usage", "--until", "2030-12-31"]);
    assert_eq!(
        (none.out.as_str(), none.code),
        (
            "no transcript of this store says what a message used until 2030-12-31 (UTC)\n",
            Some(0)
        )
    );
    for (asked, said) in [
        (
            ["--since", "2031-02-30"],
            "it is no day of the calendar: write it as 2031-02-28",
        ),
        (
            ["--until", "yesterday"],
            "it is no day of the calendar: write it as 2031-02-28",
        ),
    ] {
        let ran = home.run(&["usage", asked[0], asked[1]]);
        assert_eq!((ran.out.as_str(), ran.code), ("", Some(2)));
        assert!(ran.err.contains(said), "{}", ran.err);
    }
    let ran = home.run(&["usage", "--since", "2031-03-05", "--until", "2031-03-04"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err
            .contains("--since 2031-03-05 is after --until 2031-03-04"),
        "{}",
        ran.err
    );
}

/// A session is listed where it was at work on any of the days.
#[test]
fn sessions_are_listed_that_were_at_work_on_the_days() {
    let home = home();
    let ids = |asked: &[&str]| -> Vec<String> {
        let found = home.json(&[&["sessions", "--all", "--json"], asked].concat());
        let sessions = found["sessions"].as_array().unwrap().iter();
        let mut ids: Vec<String> = sessions
            .map(|one| one["id"].as_str().unwrap().to_string())
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(&[]), ["s1", "s2", "s3"]);
    assert_eq!(ids(&["--until", "2031-03-04"]), ["s1", "s2"]);
    assert_eq!(ids(&["--since", "2031-03-05"]), ["s2", "s3"]);
    assert_eq!(ids(&["--since", "2031-03-06"]), [] as [&str; 0]);
    let ran = home.run(&["sessions", "--all", "--since", "2031-03-06"]);
    assert_eq!(
        (ran.out.as_str(), ran.err.as_str(), ran.code),
        (
            "",
            "no sessions since 2031-03-06 (UTC) in this store\n",
            Some(0)
        )
    );
    let ran = home.run(&["sessions", "--since", "3"]);
    assert_eq!(ran.code, Some(2));
}

/// What can't be read is not counted, and nobody claims that all is.
#[test]
fn what_can_not_be_read_is_said_and_the_sums_are_not_complete() {
    let home = home();
    let found = home.json(&["usage", "--json"]);
    assert_eq!(
        (&found["not_counted"], &found["unreadable_usage"]),
        (&0.into(), &0.into())
    );
    assert!(found["complete_since"].is_string());
    home.write(&format!("{PROJECTS}/-srv-proj/s4/subagents"), "no folder");
    home.write(
        &format!("{PROJECTS}/-srv-proj/s5.jsonl"),
        line("s5", "2031-03-05", "f", "big", 3)
            .replace("\"input_tokens\":10", "\"input_tokens\":-1"),
    );
    let found = home.json(&["usage", "--json"]);
    assert_eq!(found["not_counted"], 1);
    assert_eq!(found["unreadable_usage"], 1);
    assert_eq!(found["complete_since"], Value::Null);
    let ran = home.run(&["usage"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("subagents can't be listed"), "{}", ran.err);
    assert!(
        ran.out
            .contains("not complete: 1 folder or transcript could not be read"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("1 message says what was used in a way that can't be read whole"),
        "{}",
        ran.out
    );
    assert!(!ran.out.contains("complete since"), "{}", ran.out);
    // The folder of all of them.
    fs::remove_dir_all(home.at(PROJECTS)).unwrap();
    home.write(PROJECTS, "no folder");
    for command in ["usage", "sessions --all"] {
        let words: Vec<&str> = command.split(' ').collect();
        let ran = home.run(&words);
        assert_eq!((ran.out.as_str(), ran.code), ("", Some(3)), "{}", ran.err);
        assert!(ran.err.contains("projects can't be listed"), "{}", ran.err);
    }
}

/// Of a session and its fork one is removed: what both hold is billed as before, and the other is sent whole.
#[test]
fn tr20_of_a_session_and_its_fork_one_can_go() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/TR20");
    for (gone, left, messages) in [("s1", "s2", 4), ("s2", "s1", 2)] {
        let desk = Desk::new();
        let folder = desk.root().join("home/.claude/projects/-srv-proj");
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(format!("{name}.jsonl"));
        fs::copy(fixtures.join("session.jsonl"), file("s1")).unwrap();
        fs::copy(fixtures.join("fork.jsonl"), file("s2")).unwrap();
        let before = desk.json(&["usage"])["totals"].clone();
        assert_eq!(
            (&before["output"], &before["messages"]),
            (&6.into(), &2.into())
        );
        fs::remove_file(file(gone)).unwrap();
        assert_eq!(desk.json(&["usage"])["totals"], before, "{gone}");
        let left = file(left);
        let chain = desk.json(&["sessions", "chain", left.to_str().unwrap()]);
        assert_eq!(chain["messages"].as_array().unwrap().len(), messages);
        assert_eq!(chain["dropped"], json!([]));
    }
}

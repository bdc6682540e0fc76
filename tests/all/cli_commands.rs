//! Each subcommand, for people and for scripts.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cli_home::{Home, LOCI, MEMORY, NOW, ran, text_of};

/// A project with a memory of each kind of state that text alone can give.
fn project() -> Home {
    let home = Home::new();
    home.memory(
        "MEMORY.md",
        "# Index\n- [Plan](plan.md) — what comes next\n- [Who](team/who.md) — the people\n\
         - [Gone](gone.md) — was here\n- [Plan again](plan.md)\n- [Case](PLAN.md)\n- [Out](../../x.md)\n- [Odd](odd.md)\n",
    );
    home.memory("plan.md", text_of("plan", "What comes next", "project"));
    home.memory(
        "team/who.md",
        "---\nname: who\nmetadata:\n  type: user\n---\nThe people.\n",
    );
    home.memory(
        "ghost.md",
        text_of("ghost", "Nobody points here", "feedback"),
    );
    home.memory("odd.md", text_of("odd", "An odd type", "opinion"));
    home.memory("bare.md", "Only text.\n");
    home.memory("bytes.md", b"---\nname: bytes\ntype: user\n---\n\xff\xfe\n");
    home
}

fn keys(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

fn memory_of<'a>(list: &'a Value, path: &str) -> &'a Value {
    list["projects"][0]["memories"]
        .as_array()
        .unwrap()
        .iter()
        .find(|memory| memory["path"] == path)
        .unwrap_or_else(|| panic!("no {path} in {list}"))
}

#[test]
fn ls_json_has_the_shape_that_is_promised() {
    let home = project();
    let list = home.json(&["ls", "--json"]);
    assert_eq!(keys(&list), ["projects"].into());
    let project = &list["projects"][0];
    assert_eq!(keys(project), ["key", "memories", "path"].into());
    assert_eq!(project["key"], "-srv-proj");
    assert_eq!(project["path"], "/srv/proj");
    let plan = memory_of(&list, "plan.md");
    assert_eq!(
        keys(plan),
        [
            "bytes",
            "description",
            "modified",
            "name",
            "path",
            "state",
            "type"
        ]
        .into()
    );
    assert_eq!(plan["description"], "What comes next");
    assert_eq!(plan["type"], "project");
    assert_eq!(plan["state"], "ok");
    assert!(plan["bytes"].as_u64().unwrap() > 40);
    let modified = plan["modified"].as_str().unwrap();
    assert!(
        modified.ends_with('Z') && &modified[10..11] == "T",
        "{modified}"
    );
}

#[test]
fn ls_json_says_what_is_missing_as_null_and_what_is_unknown_as_written() {
    let home = project();
    let list = home.json(&["ls", "--json"]);
    assert_eq!(memory_of(&list, "odd.md")["type"], "opinion");
    assert_eq!(memory_of(&list, "team/who.md")["type"], "user");
    assert_eq!(memory_of(&list, "team/who.md")["description"], Value::Null);
    assert_eq!(memory_of(&list, "bare.md")["type"], Value::Null);
    assert_eq!(memory_of(&list, "bare.md")["name"], Value::Null);
    for (path, state) in [
        ("ghost.md", "ghost"),
        ("odd.md", "no-type"),
        ("bytes.md", "not-text"),
    ] {
        assert_eq!(memory_of(&list, path)["state"], state, "{path}");
    }
}

#[test]
fn ls_is_aligned_and_has_a_word_beside_each_glyph() {
    let ran = project().run(&["ls"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with("proj  /srv/proj · 6 memories"),
        "{}",
        ran.out
    );
    let column = |word: &str| {
        lines
            .iter()
            .find_map(|line| line.find(word).map(|at| line[..at].chars().count()))
    };
    assert_eq!(column("plan.md"), column("ghost.md"));
    assert_eq!(column("What comes next"), column("Nobody points here"));
    assert!(ran.out.contains("◌ ghost"), "{}", ran.out);
}

#[test]
fn a_project_without_memories_is_an_empty_list_and_no_failure() {
    let home = Home::new();
    let ran = home.run(&["ls", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.json(), json!({"projects": []}));
    let ran = home.run(&["ls"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.err.contains("no memories yet"), "{ran:?}");
    assert_eq!(
        home.json(&["ls", "--all", "--json"]),
        json!({"projects": []})
    );
    let index = home.json(&["index", "--json"]);
    assert_eq!(
        index,
        json!({
            "entries": [], "lines": 0, "bytes": 0, "units": 0, "loaded_lines": 0, "loaded_units": 0,
            "cut_at_line": null, "warning": null, "loaded_text": "", "off": null,
        })
    );
}

#[test]
fn ls_all_lists_projects_by_key_and_the_agents_apart() {
    let home = project();
    home.write(
        "/home/u/.claude/projects/-a/memory/one.md",
        text_of("one", "First", "user"),
    );
    home.write(
        "/home/u/.claude/projects/-a/11111111-1111-4111-8111-111111111111.jsonl",
        "{\"type\":\"user\",\"cwd\":\"/a\"}\n",
    );
    home.folder("/home/u/.claude/projects/-z/memory");
    home.write(
        "/home/u/.claude/agent-memory/reviewer/r.md",
        text_of("r", "Worst first", "feedback"),
    );
    let list = home.json(&["ls", "--all", "--json"]);
    let found: Vec<(&str, &Value)> = list["projects"]
        .as_array()
        .unwrap()
        .iter()
        .map(|project| (project["key"].as_str().unwrap(), &project["path"]))
        .collect();
    assert_eq!(
        found,
        [
            ("-a", &json!("/a")),
            ("-srv-proj", &json!("/srv/proj")),
            ("-z", &Value::Null),
        ]
    );
    assert_eq!(list["agents"][0]["key"], "agent-memory/reviewer");
    assert_eq!(list["agents"][0]["memories"][0]["name"], "r");
    let here = home.json(&["ls", "--json"]);
    assert!(here.get("agents").is_none(), "{here}");
    let people = home.run(&["ls", "--all"]).out;
    assert!(people.contains("agent-memory/reviewer"), "{people}");
}

#[test]
fn show_json_has_the_shape_that_is_promised() {
    let home = project();
    let page = home.json(&["show", "who", "--json"]);
    assert_eq!(
        keys(&page),
        [
            "body",
            "bytes",
            "description",
            "faults",
            "fields",
            "modified",
            "name",
            "path",
            "state",
            "type"
        ]
        .into()
    );
    assert_eq!(page["path"], "team/who.md");
    assert_eq!(page["body"], "The people.\n");
    assert_eq!(
        page["fields"],
        json!([
            {"under": null, "key": "name", "value": "who", "line": 2},
            {"under": "metadata", "key": "type", "value": "user", "line": 4},
        ])
    );
}

#[test]
fn a_memory_is_found_by_relative_path_by_any_path_and_by_name() {
    let home = project();
    let absolute = format!("{MEMORY}/team/who.md");
    for argument in ["team/who.md", "./team/who.md", &absolute, "who"] {
        let page = home.json(&["show", argument, "--json"]);
        assert_eq!(page["path"], "team/who.md", "{argument}");
    }
    home.write(
        "/home/u/.claude/projects/-other/memory/far.md",
        text_of("far", "Elsewhere", "user"),
    );
    let page = home.json(&[
        "show",
        "/home/u/.claude/projects/-other/memory/far.md",
        "--json",
    ]);
    assert_eq!(page["name"], "far");
    let people = home.run(&["show", "who"]).out;
    assert!(people.contains("metadata.type  user"), "{people}");
    assert!(people.ends_with("The people.\n"), "{people}");
}

#[test]
fn two_memories_of_one_name_are_both_told() {
    let home = project();
    home.memory("plan-b.md", text_of("plan", "The other plan", "project"));
    // A path is never ambiguous.
    assert_eq!(home.run(&["show", "plan.md"]).code, Some(0));
    let ran = home.run(&["show", "plan", "--json"]);
    assert_eq!(ran.code, Some(2));
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "ambiguous");
    for path in ["plan.md", "plan-b.md"] {
        assert!(error["message"].as_str().unwrap().contains(path), "{error}");
        assert!(ran.err.contains(path), "{ran:?}");
    }
}

#[test]
fn a_memory_that_is_not_there_says_where_it_was_looked_for() {
    let ran = project().run(&["show", "nothing-like-it", "--json"]);
    assert_eq!(ran.code, Some(2));
    let error = ran.json()["error"].clone();
    assert_eq!(error["code"], "not-found");
    assert_eq!(error["path"], MEMORY);
    assert!(ran.err.contains("loci ls"), "{ran:?}");
    let ran = project().run(&["show", "MEMORY.md"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("loci index"), "{ran:?}");
}

#[test]
fn index_json_has_the_shape_that_is_promised_and_a_state_for_each_entry() {
    let index = project().json(&["index", "--json"]);
    assert_eq!(
        keys(&index),
        [
            "bytes",
            "cut_at_line",
            "entries",
            "lines",
            "loaded_lines",
            "loaded_text",
            "loaded_units",
            "off",
            "units",
            "warning"
        ]
        .into()
    );
    let states: Vec<(u64, &str)> = index["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            (
                entry["line"].as_u64().unwrap(),
                entry["state"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        states,
        [
            (2, "ok"),
            (3, "ok"),
            (4, "dangling"),
            (5, "duplicate"),
            (6, "case"),
            (7, "unsafe"),
            (8, "ok")
        ]
    );
    assert_eq!(index["entries"][0]["hook"], "what comes next");
    assert_eq!(index["entries"][0]["title"], "Plan");
    assert_eq!(index["entries"][0]["target"], "plan.md");
}

/// IX02: the units are under the limit, the bytes are not, and both are said as what they are.
#[test]
fn an_index_over_the_limit_only_in_bytes_says_that_the_readings_disagree() {
    let home = Home::new();
    let lines: Vec<String> = (1..=150)
        .map(|n| format!("- [記{n:03}](t{n:03}.md) — {}", "鳥".repeat(137)))
        .collect();
    home.memory("MEMORY.md", lines.join("\n") + "\n");
    let index = home.json(&["index", "--json"]);
    let bytes = index["bytes"].as_u64().unwrap();
    let units = index["units"].as_u64().unwrap();
    assert!(bytes > 60_000 && units < 25_000, "{bytes} {units}");
    assert_eq!(index["warning"], Value::Null);
    let people = home.run(&["index"]).out;
    assert!(
        people.contains("over 25,000 bytes, under 25,000 UTF-16 units: readings disagree"),
        "{people}"
    );
    let grouped = |n: u64| format!("{},{:03}", n / 1000, n % 1000);
    assert!(people.contains(&format!("UTF-16 units {} of 25,000", grouped(units))));
    assert!(people.contains(&format!("bytes {}", grouped(bytes))));
    assert!(!people.contains(&format!("bytes {}", grouped(units))));
    assert!(!people.contains('✂'), "nothing is cut");
}

/// IX05: few lines, but the first alone bursts the limit; no character is parted.
#[test]
fn an_index_of_one_huge_line_is_cut_inside_it() {
    let home = Home::new();
    let long: String = (0..30_000)
        .map(|n| if n % 7 == 0 { '🪶' } else { 'x' })
        .collect();
    let rest: String = (0..11)
        .map(|n| format!("- [S{n}](s{n}.md) — y\n"))
        .collect();
    home.memory("MEMORY.md", format!("- [Big](big.md) — {long}\n{rest}"));
    let index = home.json(&["index", "--json"]);
    assert_eq!(index["lines"], 12);
    assert_eq!(index["cut_at_line"], 1);
    assert!(!index["loaded_text"].as_str().unwrap().contains('\u{FFFD}'));
    let units = index["loaded_units"].as_u64().unwrap();
    assert!((24_999..=25_000).contains(&units), "{units}");
    let people = home.run(&["index"]).out;
    let big = people.find("big.md").unwrap();
    let cut = people.find("✂ line 1 is loaded in part").unwrap();
    assert!(big < cut && cut < people.find("s0.md").unwrap(), "{people}");
    assert!(people.contains("11 entries"), "{people}");
}

/// IX07: examples and comments hold no pointers, and a comment protects no ghost.
#[test]
fn an_index_with_examples_has_only_its_real_pointers() {
    let home = Home::new();
    home.memory(
        "MEMORY.md",
        "# Index\n<!-- - [Hidden](hidden.md) — parked -->\nUse this shape:\n```\n- [Title](file.md) — hook\n```\n\
         or `- [S](sample.md) — s`.\n\n- [Real](real.md) — real one\n",
    );
    home.memory("real.md", text_of("real", "d", "user"));
    home.memory("hidden.md", text_of("hidden", "d", "user"));
    let index = home.json(&["index", "--json"]);
    assert_eq!(index["entries"].as_array().unwrap().len(), 1);
    assert_eq!(index["entries"][0]["target"], "real.md");
    let list = home.json(&["ls", "--json"]);
    assert_eq!(memory_of(&list, "real.md")["state"], "ok");
    assert_eq!(memory_of(&list, "hidden.md")["state"], "ghost");
}

#[test]
fn the_cut_stands_in_its_place_with_the_number_below_it() {
    let home = Home::new();
    let lines: String = (1..=212)
        .map(|n| format!("- [T{n}](t{n}.md) — h\n"))
        .collect();
    home.memory("MEMORY.md", lines);
    let people = home.run(&["index"]).out;
    let lines: Vec<&str> = people.lines().collect();
    let cut = lines
        .iter()
        .position(|line| *line == "✂ the model sees nothing below · 12 entries")
        .unwrap_or_else(|| panic!("{people}"));
    assert!(lines[cut - 1].contains("t200.md") && lines[cut + 1].contains("t201.md"));
    assert!(
        people.contains("> WARNING: MEMORY.md is 212 lines"),
        "{people}"
    );
}

#[test]
fn key_prints_both_keys() {
    let home = Home::new();
    home.folder("/srv/proj/.git");
    home.folder("/srv/proj/src");
    let expected = json!({
        "path": "/srv/proj/src", "key": "-srv-proj-src",
        "memory_root": "/srv/proj", "memory_key": "-srv-proj",
    });
    assert_eq!(home.json(&["key", "src", "--json"]), expected);
    assert_eq!(home.json(&["key", "/srv/proj/src", "--json"]), expected);
    let people = home.run(&["key", "src"]).out;
    assert!(people.contains("memory key   -srv-proj\n"), "{people}");
}

#[test]
fn global_flags_stand_before_and_after_the_subcommand() {
    let home = project();
    assert_eq!(
        home.run(&["--json", "ls"]).out,
        home.run(&["ls", "--json"]).out
    );
}

#[test]
fn the_config_home_comes_from_the_flag_else_from_the_variable() {
    let home = Home::new();
    home.write("/elsewhere/projects/-srv-proj/memory/a.md", "A.\n");
    home.write("/third/projects/-srv-proj/memory/b.md", "B.\n");
    let paths =
        |ran: &crate::cli_home::Ran| ran.json()["projects"][0]["memories"][0]["path"].clone();
    let mut command = home.command(&["ls", "--json"]);
    command.env("CLAUDE_CONFIG_DIR", "/elsewhere");
    assert_eq!(paths(&ran(&mut command)), "a.md");
    command.args(["--config-home", "/third"]);
    assert_eq!(paths(&ran(&mut command)), "b.md");
}

#[test]
fn completions_are_made_for_each_shell_and_bash_takes_its_own() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = ran(Command::new(LOCI).args(["completions", shell]));
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.out.contains("loci") && ran.out.contains("completions"),
            "{shell}"
        );
    }
    let script = tempfile::NamedTempFile::new().unwrap();
    let ran = ran(Command::new(LOCI).args(["completions", "bash"]));
    std::fs::write(script.path(), ran.out).unwrap();
    // A machine without bash has nothing to try it with.
    if let Ok(status) = Command::new("bash").arg("-n").arg(script.path()).status() {
        assert!(status.success());
    }
}

#[test]
fn the_manual_page_holds_every_subcommand() {
    let ran = ran(Command::new(LOCI).arg("man"));
    assert_eq!(ran.code, Some(0));
    assert!(ran.out.contains(".TH loci 1"));
    for part in ["ls", "show", "index", "key", "completions", "man"] {
        assert!(ran.out.contains(&format!(".TP\n\\fB{part}\\fR")), "{part}");
    }
    for line in ran.out.lines().filter(|line| line.starts_with('.')) {
        let known = [
            "ie", "el", "TH", "SH", "TP", "PP", "br", "nf", "fi", "RS", "RE", "IP",
        ];
        let name = line[1..].split(' ').next().unwrap();
        assert!(known.contains(&name), "{line}");
    }
}

#[test]
fn help_and_version_go_to_stdout() {
    for (arguments, expected) in [
        (["--help"].as_slice(), "Examples:"),
        (&["-h"], "Usage: loci"),
        (&["ls", "--help"], "--all"),
        (&["--version"], concat!("loci ", env!("CARGO_PKG_VERSION"))),
    ] {
        let ran = ran(Command::new(LOCI).args(arguments).stdin(Stdio::null()));
        assert_eq!(ran.code, Some(0), "{arguments:?}");
        assert!(ran.out.contains(expected), "{ran:?}");
        assert_eq!(ran.err, "");
    }
    let long = ran(Command::new(LOCI).arg("--help")).out;
    assert!(long.find("Examples:") < long.find("Usage:"), "{long}");
    assert!(
        !long.contains("--sysroot") && !long.contains("--now"),
        "{long}"
    );
}

#[test]
fn ages_are_counted_to_the_moment_given() {
    let home = project();
    let path = home.at(&format!("{MEMORY}/plan.md"));
    let then = std::time::UNIX_EPOCH + std::time::Duration::from_secs(NOW as u64 - 34 * 86_400);
    std::fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_modified(then)
        .unwrap();
    let people = home.run(&["ls"]).out;
    let line = people
        .lines()
        .find(|line| line.contains("plan.md"))
        .unwrap();
    assert!(line.contains(" 34d "), "{line}");
}

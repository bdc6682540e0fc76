//! `preview` and `show --as-read`: what the model would be sent, and what is said when it can't be told.

use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use crate::cli_home::{Home, LOCI, MEMORY, NOW, keys, project, ran};

const RULES: &str = "Be brief.\n";

fn home() -> Home {
    let home = project();
    home.write("/srv/proj/CLAUDE.md", RULES);
    home
}

fn parts<'a>(preview: &'a Value, kind: &str) -> Vec<&'a Value> {
    let parts = preview["parts"].as_array().unwrap().iter();
    parts.filter(|part| part["kind"] == kind).collect()
}

#[test]
fn preview_json_has_the_shape_that_is_promised() {
    let preview = home().json(&["preview", "--ours", "--json"]);
    for key in [
        "parts",
        "rules_block",
        "total_tokens",
        "index",
        "left_out",
        "prices",
        "notes",
    ] {
        assert!(keys(&preview).contains(key), "{key}");
    }
    for part in preview["parts"].as_array().unwrap() {
        for key in [
            "kind", "path", "label", "text", "tokens", "exact", "bytes", "units", "cached",
        ] {
            assert!(keys(part).contains(key), "{key}");
        }
        assert_eq!(part["exact"], false);
    }
    assert_eq!(preview["layout"], "ours");
    assert_eq!(preview["version"], Value::Null);
    let sum = preview["parts"].as_array().unwrap().iter();
    let sum: u64 = sum.map(|part| part["tokens"].as_u64().unwrap()).sum();
    assert_eq!(preview["total_tokens"], sum);
}

#[test]
fn the_block_that_was_observed_is_exact_in_each_version() {
    let home = home();
    let block = |flag: &str| {
        let preview = home.json(&["preview", flag, "--json"]);
        preview["rules_block"].as_str().unwrap().to_string()
    };
    let newest = block("--observed");
    assert!(
        newest.starts_with("<system-reminder>\nCodebase and user instructions are shown below.")
    );
    assert!(newest.contains(
        "(project instructions, checked into the codebase):\n\nBe brief.\n\nContents of "
    ));
    assert!(newest.ends_with("\n</system-reminder>"));
    assert_eq!(block("--observed=2.1.332"), newest);
    let older = block("--observed=2.1.220");
    assert!(
        older.contains("\n# claudeMd\n") && older.contains("\n# currentDate\nToday's date is ")
    );
}

#[test]
fn a_question_a_file_and_a_compaction_are_in_it() {
    let home = home();
    home.write("/srv/proj/sub/CLAUDE.md", "Below.\n");
    home.write("/srv/proj/sub/a.c", "int a;\n");
    home.write(
        "/srv/proj/.claude/rules/c.md",
        "---\npaths: \"*.c\"\n---\nNo goto.\n",
    );
    let asked = [
        "preview",
        "--observed",
        "--prompt",
        "why?",
        "--read",
        "sub/a.c",
        "--json",
    ];
    let preview = home.json(&asked);
    assert_eq!(parts(&preview, "prompt")[0]["text"], "why?");
    assert_eq!(parts(&preview, "prompt")[0]["cached"], false);
    assert_eq!(parts(&preview, "nested")[0]["text"], "Below.");
    assert_eq!(parts(&preview, "nested")[1]["label"], "matches *.c");
    assert_eq!(parts(&preview, "tool_result")[0]["text"], "1\tint a;\n2\t");
    let after = home.json(&[
        "preview",
        "--observed",
        "--after-compaction",
        "--read",
        "sub/a.c",
        "--json",
    ]);
    let fates = after["after_compaction"].as_array().unwrap();
    let fate = |end: &str| {
        let found = fates
            .iter()
            .find(|one| one["path"].as_str().unwrap().ends_with(end));
        found.unwrap()["fate"].as_str().unwrap().to_string()
    };
    assert_eq!(fate("proj/CLAUDE.md"), "restored");
    assert_eq!(fate("sub/CLAUDE.md"), "lost");
    assert_eq!(fate("memory/MEMORY.md"), "restored");
    assert_eq!(fate("memory/plan.md"), "summary");
}

#[test]
fn several_files_are_read_in_their_order() {
    let home = home();
    home.write("/srv/proj/sub/CLAUDE.md", "Below.\n");
    home.write("/srv/proj/sub/a.c", "int a;\n");
    home.write("/srv/proj/sub/b.c", "int b;\n");
    let preview = home.json(&[
        "preview", "--read", "sub/b.c", "--read", "sub/a.c", "--json",
    ]);
    let results = parts(&preview, "tool_result");
    let texts: Vec<_> = results.iter().map(|part| &part["text"]).collect();
    assert_eq!(texts, ["1\tint b;\n2\t", "1\tint a;\n2\t"]);
    assert_eq!(parts(&preview, "nested").len(), 1);
}

#[test]
fn a_window_that_is_not_known_is_told() {
    let home = home();
    let preview = home.json(&["preview", "--model", "my-model", "--json"]);
    assert_eq!(preview["window"], 1_000_000);
    assert_eq!(preview["window_known"], false);
    let said =
        "the window of my-model is not known: 1,000,000 tokens are taken because version 2.1.332";
    assert!(preview["notes"].to_string().contains(said));
    let ran = home.run(&["preview", "--model", "my-model"]);
    assert!(ran.err.contains(said), "{}", ran.err);
    let known = home.json(&["preview", "--model", "claude-haiku-4-5", "--json"]);
    assert_eq!(known["window"], 200_000);
    assert_eq!(known["window_known"], true);
    assert!(!known["notes"].to_string().contains("is not known"));
}

#[test]
fn a_resumed_session_begins_with_what_it_began_with_and_names_what_has_changed() {
    let home = home();
    let lines = [
        r#"{"type":"attachment","version":"2.1.332","attachment":{"type":"instructions","files":[{"type":"Project","path":"/srv/proj/CLAUDE.md","content":"Be long."}]}}"#,
        r#"{"type":"assistant","version":"2.1.332","message":{"model":"claude-opus-5-5"}}"#,
    ];
    home.write(
        "/home/u/.claude/projects/-srv-proj/s.jsonl",
        lines.join("\n"),
    );
    let preview = home.json(&["preview", "--resumed", "--json"]);
    assert_eq!(preview["moment"], "resumed");
    let rules: Vec<_> = parts(&preview, "rule")
        .iter()
        .map(|part| part["text"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["Be long.", "Be brief."]);
    let ran = home.run(&["preview", "--resumed"]);
    assert!(ran.out.contains("a resumed session"), "{}", ran.out);
}

#[test]
fn a_file_that_was_edited_while_the_session_runs_stands_as_it_was_and_is_told_of() {
    let home = home();
    let unknown = home.json(&["preview", "--edited", "CLAUDE.md", "--json"]);
    let notes = unknown["notes"].to_string();
    assert!(
        notes.contains("is not recorded: the first message shows it as it is now"),
        "{notes}"
    );
    home.write(
        "/home/u/.claude/projects/-srv-proj/s.jsonl",
        r#"{"type":"attachment","version":"2.1.332","attachment":{"type":"instructions","files":[{"type":"Project","path":"/srv/proj/CLAUDE.md","content":"Be long."}]}}"#,
    );
    let preview = home.json(&["preview", "--edited", "CLAUDE.md", "--json"]);
    assert_eq!(preview["edited"], "CLAUDE.md");
    assert_eq!(preview["moment"], "new");
    assert_eq!(parts(&preview, "rule")[0]["text"], "Be long.");
    let notes = parts(&preview, "note");
    assert_eq!(
        notes[0]["text"],
        "Note: /srv/proj/CLAUDE.md changed on disk since you last read it."
    );
    assert_eq!(notes[3]["text"], "[not recorded]");
    assert_eq!(notes[3]["tokens"], Value::Null);
    assert!(notes[3]["place"].as_str().unwrap().ends_with(" system"));
    let ours = home.json(&["preview", "--ours", "--edited", "CLAUDE.md", "--json"]);
    let lines = parts(&ours, "note")[1]["text"].as_str().unwrap();
    assert_eq!(lines, "\n-1\tBe long.\n+1\tBe brief.");
    let ran = home.run(&["preview", "--edited", "CLAUDE.md"]);
    assert!(ran.out.contains("a session that goes on"), "{}", ran.out);
}

#[test]
fn a_sub_agent_has_an_index_of_its_own_in_system() {
    let home = home();
    home.write(
        "/srv/proj/.claude/agents/tester.md",
        "---\nname: tester\nmemory: project\n---\nTest.\n",
    );
    home.write(
        "/srv/proj/.claude/agent-memory/tester/MEMORY.md",
        "- [Gone](gone.md)\n",
    );
    let preview = home.json(&["preview", "--agent", "tester", "--json"]);
    let agent = &preview["agent"];
    assert_eq!(agent["name"], "tester");
    assert_eq!(agent["scope"], "project");
    assert_eq!(agent["index"]["lines"], 1);
    assert_eq!(agent["index"]["cut_at_line"], Value::Null);
    let index = parts(&preview, "agent_index")[0];
    assert_eq!(index["text"], "- [Gone](gone.md)");
    assert_eq!(index["place"], "system");
    assert_eq!(parts(&preview, "rule")[0]["text"], "Be brief.");
    let main = home.json(&["preview", "--json"]);
    assert_eq!(main["agent"], Value::Null);
    let ran = home.run(&["preview", "--agent", "tester"]);
    assert!(ran.out.contains("the sub-agent tester"), "{}", ran.out);
    assert!(
        ran.out.contains("the sub-agent's index  lines 1 of 200"),
        "{}",
        ran.out
    );
}

#[test]
fn a_folder_that_is_added_gives_its_rules_where_the_variable_is_set() {
    let home = home();
    home.write("/srv/lib/CLAUDE.md", "Of the library.\n");
    let asked = ["preview", "--add-dir", "/srv/lib", "--json"];
    let without = home.json(&asked);
    assert_eq!(without["added"], serde_json::json!(["/srv/lib"]));
    assert_eq!(parts(&without, "rule").len(), 1);
    let mut command = home.command(&asked);
    let with = ran(command.env("CLAUDE_CODE_ADDITIONAL_DIRECTORIES_CLAUDE_MD", "1")).json();
    assert_eq!(parts(&with, "rule")[1]["text"], "Of the library.");
}

#[test]
fn memory_that_is_switched_off_is_said_once() {
    let home = home();
    let mut command = home.command(&["preview"]);
    let ran = ran(command.env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"));
    assert_eq!(ran.err.matches("switched off").count(), 1, "{}", ran.err);
    assert!(!ran.out.contains("index  lines"), "{}", ran.out);
}

#[test]
fn the_request_is_the_json_that_is_sent() {
    let ran = home().run(&["preview", "--ours", "--request", "--prompt", "why?"]);
    assert_eq!(ran.code, Some(0));
    assert!(!ran.out.ends_with('\n'));
    let request: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(request["messages"][0]["role"], "user");
    let marks = ran.out.matches("cache_control").count();
    assert!((1..=4).contains(&marks), "{marks}");
    // Nothing of it is left out.
    assert_eq!(request["tools"][0]["name"], "Read");
    assert_eq!(ran.err, "");
}

#[test]
fn a_request_as_it_was_observed_says_what_is_a_placeholder() {
    let ran = home().run(&["preview", "--observed", "--request"]);
    assert_eq!(ran.code, Some(0));
    let placeholders = ran.out.matches(" characters, not recorded]").count();
    assert_eq!(placeholders, 9);
    assert!(
        ran.err
            .contains("placeholders in brackets stand for 9 texts that are not known"),
        "{}",
        ran.err
    );
    assert!(ran.out.contains("\\n\\nBe brief.\\n\\nContents of "));
}

#[test]
fn plain_output_tells_parts_sizes_and_that_there_is_no_price() {
    let ran = home().run(&["preview"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out
            .contains("as version 2.1.332 of the client was seen to send it (guessed)")
    );
    assert!(ran.out.contains("tokens of 1,000,000"));
    assert!(ran.out.contains("compacts at 967,000"));
    assert!(ran.out.contains("messages[0] user"));
    assert!(ran.out.contains("no price for claude-opus-5-5"));
    assert!(ran.err.contains("are not recorded"));
}

#[test]
fn what_is_not_known_is_null_and_a_question_mark_and_the_total_is_at_least() {
    let home = home();
    home.write("/srv/proj/.git/HEAD", "ref: refs/heads/main\n");
    let preview = home.json(&["preview", "--observed", "--json"]);
    let git = parts(&preview, "git_status")[0];
    for number in ["tokens", "bytes", "units"] {
        assert_eq!(git[number], Value::Null, "{number}");
        assert!(parts(&preview, "rule")[0][number].is_u64());
    }
    assert_eq!(preview["at_least"], true);
    assert_eq!(preview["tools_counted"], false);
    let ran = home.run(&["preview", "--observed"]);
    let line = |word: &str| ran.out.lines().find(|line| line.contains(word)).unwrap();
    assert!(line("git status").contains("         ? tokens          ? bytes"));
    assert!(line("of 1,000,000").starts_with("at least ≈ "));
    assert!(line("system prompt").contains("≈ 7,008 bytes"));
    assert!(ran.out.contains("\ntools: not counted\n"), "{}", ran.out);
}

#[test]
fn a_price_gives_the_costs_of_turns_and_of_standing_parts() {
    let home = home();
    home.write(
        "/config/config.toml",
        "[prices.claude-opus]\ninput = 5\noutput = 25\n",
    );
    let mut command = home.command(&["preview", "--observed", "--turns", "2", "--json"]);
    let preview = ran(command.env("LOCI_CONFIG_DIR", "/config")).json();
    let prices = &preview["prices"];
    assert_eq!(prices["turns"], 2);
    let tokens = preview["total_tokens"].as_f64().unwrap();
    assert!((prices["first_turn"].as_f64().unwrap() - tokens * 6.25e-6).abs() < 1e-9);
    assert_eq!(prices["cold_turn"], prices["first_turn"]);
    // The rule: 3 tokens and 28 of the line that names it, written once and read once.
    let cost = prices["standing"][0]["cost"].as_f64().unwrap();
    assert!((cost - 31.0 * (6.25e-6 + 0.5e-6)).abs() < 1e-12, "{cost}");
}

#[test]
fn what_can_t_be_shown_is_said_with_code_2() {
    let home = home();
    for (arguments, said) in [
        (
            vec!["preview", "--observed=9.9.9"],
            "was not looked at: name one of 2.1.332",
        ),
        (vec!["preview", "--recall", "often"], "often"),
        (
            vec!["preview", "--turns", "0"],
            "a session has from 1 to 100,000 turns",
        ),
        (
            vec!["preview", "--turns", "18446744073709551615"],
            "a session has from 1 to 100,000 turns",
        ),
        (
            vec!["preview", "--request", "--json"],
            "cannot be used with",
        ),
        (
            vec!["preview", "--ours", "--observed"],
            "cannot be used with",
        ),
        (
            vec!["preview", "--resumed", "--after-compaction"],
            "cannot be used with",
        ),
        (
            vec!["preview", "--resumed", "--edited", "CLAUDE.md"],
            "cannot be used with",
        ),
        (
            vec!["preview", "--ours", "--agent", "reviewer"],
            "cannot be used with",
        ),
        (
            vec!["preview", "--agent", "reviewer"],
            "no sub-agent with a memory is called \"reviewer\" here",
        ),
        (
            vec!["preview", "--add-dir", "/nowhere"],
            "/nowhere is no folder",
        ),
        (
            vec!["preview", "--read", "CLAUDE.md", "--read", "gone.rs"],
            "/srv/proj/gone.rs is not there: name a file that is there",
        ),
        (
            vec!["preview", "--edited", "gone.rs"],
            "/srv/proj/gone.rs is not there: name a file that is there",
        ),
        (
            vec!["preview", "--read", "."],
            "/srv/proj is a folder: name a file that is there",
        ),
        (
            vec!["preview", "--model", ""],
            "no model is named: leave --model away for that of the newest transcript",
        ),
        (vec!["preview", "--model", " "], "no model is named"),
    ] {
        let ran = home.run(&arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
        assert!(ran.err.contains(said), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_folder_that_is_not_there_is_said_with_code_2() {
    let mut command = Command::new(LOCI);
    let command = command.env_clear().env("HOME", "/nowhere");
    let ran = ran(command.args(["--cwd", "/nowhere/at/all", "preview", "--json"]));
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("/nowhere/at/all is no folder"),
        "{}",
        ran.err
    );
    assert_eq!(ran.json()["error"]["code"], "not-found");
}

#[test]
fn a_memory_is_shown_as_the_model_reads_it() {
    let home = home();
    home.memory(
        "old.md",
        "---\nname: old\ndescription: d\ntype: user\n---\nText.\r\n",
    );
    let path = home.at(&format!("{MEMORY}/old.md"));
    let file = std::fs::File::options().write(true).open(path).unwrap();
    let seconds = u64::try_from(NOW).unwrap() - 47 * 86_400 - 60;
    file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
        .unwrap();
    let ran = home.run(&["show", "old", "--as-read"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out
            .starts_with("<system-reminder>This memory is 47 days old. "),
        "{}",
        ran.out
    );
    assert!(ran.out.ends_with("</system-reminder>\n1\t---\n2\tname: old\n3\tdescription: d\n4\ttype: user\n5\t---\n6\tText.\n7\t\n"), "{}", ran.out);
    assert_eq!(
        home.json(&["show", "old", "--as-read", "--json"])["version"],
        "2.1.332"
    );
}

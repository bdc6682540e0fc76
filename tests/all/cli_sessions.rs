//! `sessions`: what a transcript holds, asked through the command line.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli_home::Home;

/// A home with a fixture as `/srv/proj/s.jsonl`.
fn home_with(fixture: &str) -> Home {
    let home = Home::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    home.write("/srv/proj/s.jsonl", fs::read(path.join(fixture)).unwrap());
    home
}

#[test]
fn what_a_resume_would_send_is_told_in_a_stable_shape() {
    let home = home_with("TR13/session.jsonl");
    let id = |last: u8| format!("00000000-0000-4000-8000-00000000000{last}");
    let message =
        |role: &str, last: u8, text: &str| json!({"role": role, "uuid": id(last), "text": text});
    let wanted = json!({
        "messages": [
            message("user", 1, "go"),
            message("assistant", 2, "[tool use: Skill]"),
            message("user", 3, "[tool result] Launching skill"),
            message("assistant", 5, "counted"),
        ],
        "dropped": [{"uuid": id(4), "why": "side branch"}],
        "boundary": null,
        "notes": [],
    });
    assert_eq!(
        home.json(&["sessions", "chain", "s.jsonl", "--json"]),
        wanted
    );
}

#[test]
fn kept_messages_and_the_boundary_are_named() {
    let home = home_with("oracle/transcripts/compacted_resumed_2.1.332.jsonl");
    let found = home.json(&["sessions", "chain", "/srv/proj/s.jsonl", "--json"]);
    assert_eq!(found["boundary"], "dfa1e484-39ac-4167-af74-780bdff4790d");
    assert_eq!(found["messages"][1]["kept"], true);
    assert_eq!(found["messages"][1]["text"], "answer two");
    assert_eq!(found["messages"].as_array().map(Vec::len), Some(7));
}

#[test]
fn a_person_reads_it_too() {
    let home = home_with("TR04/session.jsonl");
    let ran = home.run(&["sessions", "chain", "s.jsonl"]);
    let wanted = "\
user  00000000-0000-4000-8000-000000000001
  a

assistant  00000000-0000-4000-8000-000000000002
  b

user  00000000-0000-4000-8000-000000000005
  e

assistant  00000000-0000-4000-8000-000000000006
  f

not sent
  00000000-0000-4000-8000-000000000003  shares its line with another object
  00000000-0000-4000-8000-000000000004  shares its line with another object
  –  unreadable line
▲ a parent is missing, or the links run in a circle: the order of the file stands in
▲ unreadable: line 5
▲ more than one object: line 3
";
    assert_eq!((ran.out.as_str(), ran.code), (wanted, Some(0)));
    let home = home_with("TR30/session.jsonl");
    let ran = home.run(&["sessions", "chain", "s.jsonl"]);
    assert!(
        ran.out
            .contains("\nuser  added by the resume\n  Continue from where you left off.\n"),
        "{}",
        ran.out
    );
}

#[test]
fn notes_say_what_is_odd_about_a_file() {
    let notes = |fixture: &str| {
        home_with(fixture).json(&["sessions", "chain", "s.jsonl", "--json"])["notes"].clone()
    };
    let torn = "the last line is incomplete (64 bytes): it may still be being written";
    assert_eq!(notes("TR03/session.jsonl"), json!([torn]));
    let elsewhere = "the part before the boundary is not in this file";
    assert_eq!(notes("TR10/session.jsonl"), json!([elsewhere]));
    let home = Home::new();
    home.write("/srv/proj/s.jsonl", "");
    let found = home.json(&["sessions", "chain", "s.jsonl", "--json"]);
    let wanted = json!({"messages": [], "dropped": [], "boundary": null, "notes": ["no conversation is in it"]});
    assert_eq!(found, wanted);
    home.write("/srv/proj/s.jsonl", "{x\n".repeat(25));
    let found = home.json(&["sessions", "chain", "s.jsonl", "--json"]);
    let numbers: Vec<String> = (1..=20).map(|number| number.to_string()).collect();
    let wanted = format!("unreadable: lines {} and 5 more", numbers.join(", "));
    assert_eq!(found["notes"][1], Value::from(wanted));
}

#[test]
fn what_is_no_transcript_is_refused_with_a_sentence() {
    let home = Home::new();
    for (path, said, code) in [
        (
            "gone.jsonl",
            "loci: /srv/proj/gone.jsonl is not there: name a transcript\n",
            "not-found",
        ),
        (
            ".",
            "loci: /srv/proj/. is no file: name a transcript\n",
            "usage",
        ),
    ] {
        let ran = home.run(&["sessions", "chain", path, "--json"]);
        assert_eq!((ran.code, ran.err.as_str()), (Some(2), said));
        assert_eq!(ran.json()["error"]["code"], code);
    }
}

/// Nothing of a transcript reaches a terminal as it stands.
#[test]
fn hostile_text_is_shown_safely() {
    let home = Home::new();
    let line = r#"{"type":"user","uuid":"\u001b[2J","message":{"content":"a\u001b]0;x\u0007b"}}"#;
    home.write("/srv/proj/s.jsonl", format!("{line}\n"));
    let ran = home.run(&["sessions", "chain", "s.jsonl"]);
    assert!(!ran.out.contains(['\u{1b}', '\u{7}']), "{:?}", ran.out);
}

#[test]
fn the_instructions_that_were_sent_are_shown() {
    let home = home_with("oracle/transcripts/instructions_changed_2.1.332.jsonl");
    let found = home.json(&["sessions", "instructions", "s.jsonl", "--json"]);
    let first = &found["instructions"][0]["files"][0];
    let wanted = json!({"path": "/srv/proj/CLAUDE.md", "layer": "Project", "text": "PROJ v1"});
    assert_eq!(*first, wanted);
    assert_eq!(found["instructions"].as_array().map(Vec::len), Some(2));
    let ran = home.run(&["sessions", "instructions", "s.jsonl"]);
    assert!(
        ran.out
            .contains("/srv/proj/CLAUDE.md · Project · 7 bytes\n  PROJ v1\n"),
        "{}",
        ran.out
    );
    let home = home_with("oracle/transcripts/compacted_resumed_2.1.63.jsonl");
    let ran = home.run(&["sessions", "instructions", "s.jsonl"]);
    let said = "no instructions are recorded in it: the client does so since 2.1.270, and not in every session\n";
    assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", said));
}

#[test]
fn requests_are_listed_and_one_is_printed_as_it_was_sent() {
    let home = home_with("oracle/transcripts/compacted_resumed_2.1.332.jsonl");
    let found = home.json(&["sessions", "requests", "s.jsonl", "--json"]);
    let counts: Vec<_> = found["requests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| (&it["messages"], &it["missing"]))
        .collect();
    let zero = json!(0);
    let wanted = [2, 4, 6, 8, 10, 6].map(|count| json!(count));
    assert_eq!(
        counts,
        wanted
            .iter()
            .map(|count| (count, &zero))
            .collect::<Vec<_>>()
    );
    let body = home.json(&["sessions", "requests", "s.jsonl", "57ad255b"]);
    assert_eq!(body["messages"][3]["content"][0]["type"], "tool_result");
    assert_eq!(body["max_tokens"], 128_000);
    let ran = home.run(&["sessions", "requests", "s.jsonl", "nope"]);
    let said = "loci: no request nope is recorded in /srv/proj/s.jsonl: `loci sessions requests` lists them\n";
    assert_eq!((ran.code, ran.err.as_str()), (Some(2), said));
    let ran = home.run(&["sessions", "requests", "s.jsonl", ""]);
    assert_eq!(ran.code, Some(2), "six of them begin so");
    let ran = home.run(&["sessions", "requests", "s.jsonl"]);
    assert_eq!(ran.out.lines().count(), 6);
    assert!(
        ran.out
            .starts_with("549f6c8b-edbf-4ded-868d-3b307ec00d98  2026-11-30T"),
        "{}",
        ran.out
    );
}

/// TR20, TR23 and TR24 as the sessions of `/srv/proj`, and one of another project.
fn home_with_sessions() -> Home {
    let home = Home::new();
    for (index, (path, fixture)) in [
        ("-srv-proj/s1.jsonl", "TR20/session.jsonl"),
        ("-srv-proj/s2.jsonl", "TR20/fork.jsonl"),
        ("-srv-proj/s3.jsonl", "TR23/sdk.jsonl"),
        ("-srv-proj/s4.jsonl", "TR23/interactive.jsonl"),
        (
            "-srv-proj/s4/subagents/agent-a1.jsonl",
            "TR23/interactive.jsonl",
        ),
        ("-srv-other/s5.jsonl", "TR24/session.jsonl"),
    ]
    .iter()
    .enumerate()
    {
        let from = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/fixtures")
            .join(fixture);
        let path = format!("/home/u/.claude/projects/{path}");
        home.write(&path, fs::read(from).unwrap());
        let file = fs::File::options()
            .write(true)
            .open(home.at(&path))
            .unwrap();
        let days = 10 - index as u64;
        let time = std::time::UNIX_EPOCH
            + std::time::Duration::from_secs(crate::cli_home::NOW.unsigned_abs() - days * 86_400);
        file.set_modified(time).unwrap();
    }
    home
}

fn kinds(found: &Value) -> Vec<(&str, &str)> {
    let sessions = found["sessions"].as_array().unwrap().iter();
    sessions
        .map(|one| (one["id"].as_str().unwrap(), one["kind"].as_str().unwrap()))
        .collect()
}

#[test]
fn sessions_are_listed_in_a_stable_shape() {
    let home = home_with_sessions();
    let found = home.json(&["sessions", "--json"]);
    assert_eq!(
        kinds(&found),
        [
            ("s2", "fork"),
            ("s4", "session"),
            ("s1", "session"),
            ("s3", "sdk")
        ]
    );
    let fork = json!({
        "id": "s2", "key": "-srv-proj", "path": "/srv/demo/heron", "title": "q", "prompt": "q",
        "bytes": fs::metadata(home.at("/home/u/.claude/projects/-srv-proj/s2.jsonl")).unwrap().len(),
        "messages": 4, "model": null, "first": "2031-03-04T05:00:01.000Z", "last": "2031-03-04T05:00:04.000Z",
        "days_left": 21, "kind": "fork", "fork_of": "s1", "branch": null, "version": null,
        "file": "/home/u/.claude/projects/-srv-proj/s2.jsonl",
    });
    assert_eq!(found["sessions"][0], fork);
    let all = home.json(&["sessions", "--all", "--every-kind", "--json"]);
    assert_eq!(all["sessions"].as_array().unwrap().len(), 6);
    let titled = all["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|one| one["id"] == "s5");
    assert_eq!(titled.unwrap()["title"], "Counting nests");
    home.write(
        "/home/u/.claude/settings.json",
        "{\"cleanupPeriodDays\": 12}",
    );
    assert_eq!(
        home.json(&["sessions", "--json"])["sessions"][0]["days_left"],
        3
    );
}

#[test]
fn a_person_reads_the_sessions_that_a_person_had() {
    let home = home_with_sessions();
    let ran = home.run(&["sessions"]);
    let wanted = "\
used  left    size  messages  session   title
 now   21d  1.3 KB         4  s2        q (fork of s1)
 now   23d   277 B         1  s4        hello
 now   20d   693 B         2  s1        q
3 sessions; left: as the client counts it, from when the file was written
";
    assert_eq!((ran.out.as_str(), ran.code), (wanted, Some(0)));
    assert_eq!(
        ran.err,
        "1 session that a program had: --every-kind lists them too\n"
    );
    let none = Home::new().run(&["sessions"]);
    assert_eq!(
        (none.out.as_str(), none.err.as_str(), none.code),
        (
            "",
            "no sessions of this folder (loci sessions --all lists every project's)\n",
            Some(0)
        )
    );
}

/// As on the screen: worktrees and folders within share the memory, and so the list.
#[test]
fn sessions_of_worktrees_and_of_folders_within_are_of_the_project() {
    let home = Home::new();
    let session = |key: &str, cwd: &str, id: &str| {
        let line = json!({
            "type": "user", "uuid": id, "sessionId": id, "cwd": cwd, "timestamp": "2026-09-20T10:00:00.000Z",
            "message": {"role": "user", "content": "hello"},
        });
        let path = format!("/home/u/.claude/projects/{key}/{id}.jsonl");
        home.write(&path, format!("{line}\n"));
    };
    home.write("/srv/proj/.git/HEAD", "ref: refs/heads/main\n");
    home.write("/srv/proj/.git/worktrees/tree/gitdir", "/srv/tree/.git\n");
    home.write("/srv/proj/.git/worktrees/tree/commondir", "../..\n");
    home.write("/srv/proj/.git/worktrees/tree/HEAD", "ref: refs/heads/t\n");
    home.write("/srv/tree/.git", "gitdir: /srv/proj/.git/worktrees/tree\n");
    home.write("/srv/proj/sub/x", "");
    home.write("/srv/proj-two/x", "");
    session("-srv-proj", "/srv/proj", "s1");
    session("-srv-proj-sub", "/srv/proj/sub", "s2");
    session("-srv-tree", "/srv/tree", "s3");
    session("-srv-proj-two", "/srv/proj-two", "s4");
    let found = home.json(&["sessions", "--json"]);
    let mut ids: Vec<&str> = kinds(&found).into_iter().map(|(id, _)| id).collect();
    ids.sort_unstable();
    assert_eq!(ids, ["s1", "s2", "s3"]);
    let ran = home.run(&["sessions"]);
    assert!(
        ran.out
            .contains("\n3 sessions of 3 folders of this project"),
        "{}",
        ran.out
    );
}

#[test]
fn a_memory_tells_the_turns_that_read_it_and_wrote_it() {
    let home = Home::new();
    let fixture = "tests/fixtures/oracle/transcripts/compacted_resumed_2.1.332.jsonl";
    let text = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(fixture)).unwrap();
    home.write("/home/u/.claude/projects/-srv-proj/s.jsonl", &text);
    home.memory("one.md", crate::cli_home::text_of("one", "d", "user"));
    home.memory("never.md", crate::cli_home::text_of("never", "d", "user"));
    let found = home.json(&["sessions", "reads", "one.md", "--json"]);
    let touches = found["touches"].as_array().unwrap();
    let told: Vec<_> = touches
        .iter()
        .map(|one| (one["how"].as_str().unwrap(), one["turn"].as_u64().unwrap()))
        .collect();
    assert_eq!(told, [("attached", 2), ("read", 1)]);
    let read = &touches[1];
    assert_eq!(
        (&read["session"], &read["key"]),
        (&json!("s"), &json!("-srv-proj"))
    );
    let at = usize::try_from(read["at"].as_u64().unwrap()).unwrap();
    let line = text[at..].split(|byte| *byte == b'\n').next().unwrap();
    let line: Value = serde_json::from_slice(line).unwrap();
    assert_eq!(line["uuid"], read["uuid"]);
    let list = home.json(&["ls", "--json"]);
    let used = |path: &str| {
        let memory = crate::cli_home::memory_of(&list, path);
        (memory["reads"].clone(), memory["last_read"].clone())
    };
    assert_eq!(used("one.md"), (json!(2), touches[0]["time"].clone()));
    assert_eq!(used("never.md"), (json!(0), Value::Null));
    assert_eq!(
        home.json(&["ls", "--all", "--json"])["projects"],
        list["projects"]
    );
    let shown = home.run(&["sessions", "reads", "one"]).out;
    assert!(
        shown.starts_with("2026-11-30 00:52  attached  s  turn 2  f0ee9f0f-"),
        "{shown}"
    );
    let none = home.run(&["sessions", "reads", "never"]);
    assert!(
        none.err
            .starts_with("no session has read or written it since "),
        "{none:?}"
    );
}

const ID: &str = "4022a905-0470-434a-80fe-ade87ad41d29";

/// A home whose client has one session, of this fixture.
fn home_with_session(fixture: &str) -> Home {
    let home = Home::new();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let bytes = fs::read(path.join(fixture)).unwrap();
    home.write(
        &format!("/home/u/.claude/projects/-srv-proj/{ID}.jsonl"),
        bytes,
    );
    home
}

const COMPACTED: &str = "oracle/transcripts/compacted_resumed_2.1.332.jsonl";

#[test]
fn a_session_is_named_by_its_id_or_the_beginning_of_it() {
    let home = home_with_session(COMPACTED);
    let by = |session: &str| home.run(&["sessions", "chain", session]);
    let whole = by(ID);
    assert_eq!(whole.code, Some(0), "{}", whole.err);
    assert_eq!(by("4022").out, whole.out);
    let ran = by("9999");
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("no session of"), "{}", ran.err);
    home.write("/home/u/.claude/projects/-srv-proj/4022bbbb.jsonl", "{}\n");
    let ran = by("4022");
    assert_eq!(ran.code, Some(2));
    let said = format!("loci: 2 sessions begin with 4022: {ID}, 4022bbbb\n");
    assert_eq!(ran.err, said);
}

#[test]
fn a_session_is_exported_as_markdown() {
    let home = home_with_session(COMPACTED);
    let ran = home.run(&["sessions", "export", "4022"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(
        ran.out.starts_with("# first prompt\n\nSession `4022a905"),
        "{}",
        ran.out
    );
    assert!(
        ran.out
            .contains("*Compacted (manual), from 15 to 2,821 tokens.*")
    );
    let ran = home.run(&["sessions", "export", "4022", "--json"]);
    assert_eq!(ran.code, Some(2));
    let ran = home.run(&["sessions", "rescue", "4022"]);
    assert_eq!(ran.code, Some(2), "nothing is written with a sysroot");
}

#[test]
fn what_was_sent_is_proven_and_compared_with_the_disk() {
    let home = home_with_session(COMPACTED);
    home.write("/srv/proj/CLAUDE.md", "PROJ rule\n");
    let memory = "/home/u/.claude/projects/-srv-proj/memory";
    home.write(
        &format!("{memory}/MEMORY.md"),
        "- [One](one.md) — first\n- [Two](two.md) — second\n",
    );
    home.write(&format!("{memory}/one.md"), "---\nname: one\n---\nx\n");
    home.write(&format!("{memory}/two.md"), "---\nname: two\n---\nx\n");
    home.write("/home/u/.claude/CLAUDE.md", "New.\n");
    let proof = home.json(&["sessions", "proof", "4022", "--json"]);
    let told: Vec<_> = proof["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let path = it["path"].as_str().unwrap();
            let name = path.rsplit('/').next().unwrap().to_string();
            json!([name, it["layer"], it["state"], it["now"]])
        })
        .collect();
    let wanted = json!([
        ["CLAUDE.md", "project", "whole", "same"],
        ["CLAUDE.md", "user", "not-loaded", "untold"],
        ["MEMORY.md", "index", "whole", "changed"],
    ]);
    assert_eq!(Value::from(told), wanted);
    assert_eq!(proof["files"][0]["sent"].as_array().map(Vec::len), Some(2));
    let two = &proof["memories"][1];
    assert_eq!(
        (&two["path"], &two["listed"], &two["writes"]),
        (&json!("two.md"), &json!(false), &json!(1))
    );
    let ran = home.run(&["sessions", "proof", "4022"]);
    assert!(ran.out.contains("whole"), "{}", ran.out);
    assert!(ran.out.contains("changed since"), "{}", ran.out);
    let home = home_with_session("oracle/transcripts/compacted_resumed_2.1.63.jsonl");
    let ran = home.run(&["sessions", "proof", "4022"]);
    assert_eq!(ran.code, Some(0));
    assert!(ran.err.contains("is not recorded in it"), "{}", ran.err);
}

/// A line that is too long to be held: what is missing of it is named, on the way of a resume and in Markdown.
#[test]
fn what_is_missing_of_a_long_line_is_named() {
    let home = Home::new();
    let block = r#"{"type":"text","text":"0123456789 0123456789 0123456789"}"#;
    let blocks = vec![block; 40_000].join(",");
    home.write(
        "/s.jsonl",
        format!(r#"{{"type":"user","uuid":"a","message":{{"role":"user","content":[{blocks}]}}}}"#),
    );
    let ran = home.run(&["sessions", "chain", "/s.jsonl"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let held = ran.out.matches("0123456789 0123456789 0123456789").count();
    let missing = format!("[{} more blocks are missing]", 40_000 - held);
    assert!(ran.out.contains(&missing), "{missing}");
    assert!(ran.out.contains("too much to be looked at whole: line 1"));
    let ran = home.run(&["sessions", "export", "/s.jsonl"]);
    assert_eq!(ran.code, Some(0));
    let wanted = format!(
        "blocks of lines that are too long to be held ({})",
        40_000 - held
    );
    assert!(ran.err.contains(&wanted), "{}", ran.err);
}

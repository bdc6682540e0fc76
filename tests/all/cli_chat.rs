//! `chat`: a turn with a model on the command line, what is kept of it, and that what is sent is what the
//! preview shows.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

use crate::cli_write_home::Desk;
use crate::model_server::{ModelServer, Reply};

/// A project with a rule and a memory, and a model that is set up.
fn set_up(server: &ModelServer, provider: &str) -> Desk {
    let desk = Desk::new();
    let config = desk.root().join("home/.config/loci");
    fs::create_dir_all(&config).unwrap();
    let url = server.url();
    let text = format!(
        "[model]\nprovider = \"{provider}\"\nmain = \"demo-1\"\nbase_url = \"{url}\"\nkey_command = \"echo key\"\n"
    );
    fs::write(config.join("config.toml"), text).unwrap();
    fs::write(desk.root().join("proj/CLAUDE.md"), "Use tabs.\n").unwrap();
    desk.put("MEMORY.md", "- [one](one.md) — First\n");
    desk.put(
        "one.md",
        "---\nname: one\ndescription: First\nmetadata:\n  type: project\n---\n\nIt is so.\n",
    );
    desk
}

/// A path in the memory folder, as the model writes it.
fn memory(desk: &Desk, name: &str) -> String {
    desk.memory().join(name).display().to_string()
}

fn chat<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&["chat"], rest].concat()
}

fn sessions(desk: &Desk) -> Vec<PathBuf> {
    let projects = fs::read_dir(desk.state().join("sessions"));
    let mut found = Vec::new();
    for project in projects.into_iter().flatten().flatten() {
        found.extend(
            fs::read_dir(project.path())
                .unwrap()
                .flatten()
                .map(|entry| entry.path()),
        );
    }
    found
}

#[test]
fn without_a_model_it_says_what_to_set() {
    let desk = Desk::new();
    let ran = desk.run(&chat(&["-p", "Hello"]));
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(
        ran.err
            .contains("no model is set up; set ANTHROPIC_API_KEY"),
        "{ran:?}"
    );
    assert_eq!(desk.run(&chat(&["-p", "  "])).code, Some(2));
    assert_eq!(desk.run(&chat(&[])).code, Some(2));
    assert!(sessions(&desk).is_empty());
}

#[test]
fn what_is_sent_is_what_the_preview_shows_byte_for_byte() {
    let server = ModelServer::start();
    let desk = set_up(&server, "anthropic");
    let shown = desk.run(&["preview", "--ours", "--prompt", "Is it so?", "--request"]);
    server.reply(Reply::text("It is."));
    let ran = desk.run(&chat(&["-p", "Is it so?"]));
    assert_eq!((ran.code, &*ran.out), (Some(0), "It is.\n"), "{ran:?}");
    let seen = server.seen();
    assert_eq!(seen.last().unwrap().body, shown.out.trim_end());
    assert!(server.refusals().is_empty());
}

#[test]
fn a_session_is_kept_closed_to_others_and_taken_up_again_with_the_same_prefix() {
    for provider in ["anthropic", "openai"] {
        let server = ModelServer::start();
        let desk = set_up(&server, provider);
        server.reply(Reply::calls(&[(
            "a",
            "Read",
            json!({"file_path": memory(&desk, "one.md")}),
        )]));
        server.reply(Reply::text("It is so."));
        let ran = desk.run(&chat(&["-p", "Is it so?"]));
        assert_eq!((ran.code, &*ran.out), (Some(0), "It is so.\n"), "{ran:?}");
        assert!(ran.err.contains("· Read one.md · 8 lines"), "{ran:?}");
        let kept = sessions(&desk);
        assert_eq!(
            fs::metadata(&kept[0]).unwrap().permissions().mode() & 0o777,
            0o600
        );
        let listed = desk.json(&chat(&["--list"]));
        let id = listed["sessions"][0]["id"].as_str().unwrap().to_string();
        assert_eq!(listed["sessions"][0]["title"], "Is it so?");
        // A file that the session holds was changed meanwhile: the turn tells it, the prefix stays.
        fs::write(desk.root().join("proj/CLAUDE.md"), "Use spaces.\n").unwrap();
        server.reply(Reply::text("Yes."));
        let ran = desk.run(&chat(&["-p", "Sure?", "--resume", &id[..8], "--json"]));
        let shape = ran.json();
        assert_eq!(
            (&shape["text"], &shape["session"], &shape["end"]),
            (&json!("Yes."), &json!(id), &json!("answered"))
        );
        assert!(
            shape["usage"]["cache_read"].as_u64().unwrap() > 100,
            "{shape}"
        );
        let last = server.seen().last().unwrap().body.clone();
        assert!(
            last.contains("-1\\tUse tabs.\\n+1\\tUse spaces.") && last.contains("\\n\\nUse tabs."),
            "{last}"
        );
        assert!(server.refusals().is_empty(), "{:?}", server.refusals());
        assert_eq!(sessions(&desk).len(), 1);
    }
}

#[test]
fn what_it_would_write_waits_for_a_review_unless_that_is_not_wanted() {
    let server = ModelServer::start();
    let desk = set_up(&server, "anthropic");
    let text =
        "---\nname: two\ndescription: Second\nmetadata:\n  type: project\n---\n\nIt is not.\n";
    let write = || {
        Reply::calls(&[(
            "a",
            "Write",
            json!({"file_path": memory(&desk, "two.md"), "content": text}),
        )])
    };
    server.reply(write());
    server.reply(Reply::text("Proposed."));
    let ran = desk.run(&chat(&["-p", "Remember: it is not.", "--json"]));
    let shape = ran.json();
    assert_eq!(shape["proposals"][0]["title"], "new two");
    assert!(
        shape["proposals"][0]["diff"]
            .as_str()
            .unwrap()
            .contains("+- [two](two.md) — Second"),
        "{shape}"
    );
    assert!(!desk.has("two.md"));
    server.reply(write());
    server.reply(Reply::text("Saved."));
    let ran = desk.run(&chat(&["-p", "Remember: it is not.", "--yes"]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let index = desk.read("MEMORY.md");
    assert_eq!(index, "- [one](one.md) — First\n- [two](two.md) — Second\n");
    assert!(desk.run(&["history"]).out.contains("new two"));
    desk.run(&["undo"]);
    assert_eq!(desk.read("MEMORY.md"), "- [one](one.md) — First\n");
}

#[test]
fn what_had_come_when_it_was_stopped_or_killed_is_there_again() {
    for (signal, code) in [(Signal::INT, Some(130)), (Signal::KILL, None)] {
        let server = ModelServer::start();
        let desk = set_up(&server, "anthropic");
        server.reply(Reply::text(&"word ".repeat(400)).silent_after(2_000));
        let mut child = desk.command(&chat(&["-p", "Tell."])).spawn().unwrap();
        server.wait_for_requests(1);
        // The question is kept before the request goes out.
        let kept = fs::read_to_string(&sessions(&desk)[0]).unwrap();
        assert!(kept.contains("\"Tell.\""), "{kept}");
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(child.wait().unwrap().code(), code);
        server.reply(Reply::text("Here."));
        let listed = desk.json(&chat(&["--list"]));
        let id = listed["sessions"][0]["id"].as_str().unwrap();
        let ran = desk.run(&chat(&["-p", "Go on.", "--resume", id]));
        assert_eq!((ran.code, &*ran.out), (Some(0), "Here.\n"), "{ran:?}");
        assert!(server.refusals().is_empty(), "{:?}", server.refusals());
        let body: Value = serde_json::from_str(&server.seen().last().unwrap().body).unwrap();
        let text = body["messages"].to_string();
        assert!(text.contains("Tell.") && text.contains("Go on."), "{text}");
    }
}

#[test]
fn a_failure_of_the_model_is_told_and_the_question_is_kept() {
    let server = ModelServer::start();
    let desk = set_up(&server, "anthropic");
    server.reply(Reply::status(400, "invalid_request_error", "no such thing"));
    let ran = desk.run(&chat(&["-p", "Hello"]));
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.err.contains("no such thing"), "{ran:?}");
    assert_eq!(sessions(&desk).len(), 1);
    let ran = desk.run(&chat(&["-p", "x", "--resume", "nothing"]));
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.err.contains("no session of yours is called nothing"),
        "{ran:?}"
    );
}

#[test]
fn memories_that_are_recalled_go_with_the_question_as_the_preview_shows_them() {
    let server = ModelServer::start();
    let desk = set_up(&server, "anthropic");
    desk.put(
        "snapshot.md",
        "---\nname: snapshot\ndescription: Take a snapshot of the database before a migration\nmetadata:\n  type: project\n---\n\nBy hand: the CI makes none.\n",
    );
    let config = desk.root().join("home/.config/loci/config.toml");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(
        &config,
        format!("recall = \"prefetch\"\nrecall_ranker_first = true\n{text}"),
    )
    .unwrap();
    let question = "How do I run the database migration?";
    let shown = desk.run(&[
        "preview",
        "--ours",
        "--recall",
        "prefetch",
        "--prompt",
        question,
        "--request",
    ]);
    let ran = desk.run(&chat(&["-p", question]));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.err.contains("↺ recalled 1 of 2 by words: snapshot.md"),
        "{ran:?}"
    );
    let seen = server.seen();
    let first = seen
        .iter()
        .find(|seen| seen.body.contains("\"name\":\"Grep\""))
        .unwrap();
    assert!(
        first.body.contains("By hand: the CI makes none."),
        "{}",
        first.body
    );
    assert!(!first.body.contains("the list of memories):"));
    assert_eq!(first.body, shown.out.trim_end());
    assert!(server.refusals().is_empty(), "{:?}", server.refusals());
}

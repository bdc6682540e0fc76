//! The commands that write, each for people and for scripts: what they change, what they print, how
//! they end, and that what one process did another takes back.

use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use crate::cli_home::keys;
use crate::cli_write_home::{Desk, NEW, small, text_of};

fn paths(written: &Value) -> Vec<(&str, String)> {
    let file = |path: &Value| {
        path.as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .to_string()
    };
    let changes = written["changes"].as_array().unwrap();
    let one = |change: &'_ Value| file(&change["path"]);
    changes
        .iter()
        .map(|change| (change["op"].as_str().unwrap(), one(change)))
        .collect()
}

#[test]
fn new_makes_the_folder_the_memory_and_the_index() {
    let desk = Desk::new();
    let written = desk.json(&[NEW.as_slice(), &["--body", "Four."]].concat());
    assert_eq!(
        keys(&written),
        ["changes", "key", "notices", "title"].into()
    );
    assert_eq!(written["title"], "new delta-one");
    let expected = [
        ("write", "delta-one.md".into()),
        ("write", "MEMORY.md".into()),
    ];
    assert_eq!(paths(&written), expected);
    let change = &written["changes"][0];
    assert_eq!(keys(change), ["diff", "op", "path", "reason"].into());
    assert!(
        change["diff"]
            .as_str()
            .unwrap()
            .starts_with("--- /dev/null\n+++ /")
    );
    assert_eq!(
        desk.read("delta-one.md"),
        "---\nname: delta-one\ndescription: \"fourth: d\"\nmetadata:\n  node_type: memory\n  type: user\n  modified: 2026-09-21T14:13:20Z\n---\n\nFour.\n"
    );
    assert_eq!(
        desk.read("MEMORY.md"),
        "- [delta-one](delta-one.md) — fourth: d\n"
    );
    desk.assert_sound("after new");
}

#[test]
fn new_for_people_says_what_was_written_and_its_key() {
    let desk = small();
    let ran = desk.done(&NEW);
    assert!(
        ran.out.starts_with("new delta-one  20260921-141320-1\n"),
        "{ran:?}"
    );
    assert!(ran.out.contains("write  ~/.claude/projects/"), "{ran:?}");
    assert_eq!(ran.err, "");
}

#[test]
fn new_refuses_a_name_that_is_taken_or_none() {
    let desk = small();
    let before = desk.whole();
    let new = |name: &'static str| ["new", name, "--type", "user", "--description", "d"];
    desk.refused(&new("alpha"), 2, "taken");
    for name in ["名前", "a/b", "..", "MEMORY"] {
        desk.refused(&new(name), 2, "usage");
    }
    for arguments in [
        ["new", "x", "--type", "opinion", "--description", "d"].as_slice(),
        &["new", "x", "--type", "user"],
        &["new", "x", "--description", "d"],
        &["edit", "alpha"],
        &["edit", "alpha", "--set", "type"],
        &["edit", "nothing", "--set", "type=user"],
        &["rm"],
        &["rm", "alpha", "nothing"],
        &["mv", "alpha", "a/b"],
        &["mv", "alpha", "beta"],
        &["undo"],
        &["undo", "20260921-141320-1"],
        &["redo"],
        &["restore", "20260921-141320-1"],
        &["--dry-run"],
        &["--yes"],
    ] {
        let ran = desk.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
    let after = desk.whole();
    assert_eq!(before, after);
}

#[test]
fn a_body_comes_from_an_argument_or_from_stdin() {
    let desk = small();
    let give = |bytes: &[u8], arguments: &[&str]| {
        let mut command = desk.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        child.wait().unwrap().code()
    };
    assert_eq!(
        give(b"From stdin.\n", &["edit", "alpha", "--body", "-"]),
        Some(0)
    );
    assert_eq!(
        desk.read("alpha.md"),
        text_of("alpha", "user", "From stdin.")
    );
    let new = [NEW.as_slice(), &["--body", "-"]].concat();
    assert_eq!(give(b"Text.", &new), Some(0));
    assert!(desk.read("delta-one.md").ends_with("---\n\nText.\n"));
    assert_eq!(
        give(b"\xff\xfe", &["edit", "alpha", "--body", "-"]),
        Some(2)
    );
    assert_eq!(
        desk.read("alpha.md"),
        text_of("alpha", "user", "From stdin.")
    );
}

#[test]
fn edit_sets_and_takes_out_fields_and_keeps_the_age_of_the_fact() {
    let desk = small();
    let before = desk.memories();
    let edit = [
        "edit",
        "alpha",
        "--set",
        "type=feedback",
        "tags=[a, b]",
        "--set",
        "x=1",
    ];
    let written = desk.json(&edit);
    assert_eq!(paths(&written), [("write", "alpha.md".into())]);
    assert_eq!(
        desk.read("alpha.md"),
        "---\nname: alpha\ndescription: About alpha\ntype: feedback\ntags: [a, b]\nx: 1\n---\nOne.\n"
    );
    let time = |picture: &crate::cli_write_home::Picture| picture["alpha.md"].2;
    assert_eq!(
        time(&desk.memories()),
        time(&before),
        "the fact is as it was"
    );
    desk.done(&["edit", "alpha", "--unset", "tags", "x"]);
    assert_eq!(desk.read("alpha.md"), text_of("alpha", "feedback", "One."));
    let ran = desk.done(&["edit", "alpha", "--body", "Uno."]);
    assert!(ran.err.contains("age 47d → 0"), "{ran:?}");
    assert!(
        time(&desk.memories()) > time(&before),
        "another fact is young"
    );
    for _ in 0..3 {
        desk.done(&["undo"]);
    }
    assert_eq!(desk.memories(), before);
}

#[test]
fn verified_makes_young_on_purpose_and_keep_age_never() {
    let desk = small();
    let before = desk.memories();
    let time = |picture: &crate::cli_write_home::Picture| picture["alpha.md"].2;
    let ran = desk.done(&["edit", "alpha", "--verified"]);
    assert!(ran.out.starts_with("verify alpha  "), "{ran:?}");
    assert!(ran.err.contains("age 47d → 0"), "{ran:?}");
    assert_eq!(desk.read("alpha.md"), text_of("alpha", "user", "One."));
    assert!(time(&desk.memories()) > time(&before));
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
    let ran = desk.done(&["edit", "alpha", "--body", "Ona.", "--keep-age"]);
    assert_eq!(ran.err, "", "{ran:?}");
    assert_eq!(desk.read("alpha.md"), text_of("alpha", "user", "Ona."));
    assert_eq!(time(&desk.memories()), time(&before));
    desk.refused(&["edit", "alpha", "--keep-age"], 2, "usage");
    desk.refused(&["edit", "alpha", "--keep-age", "--verified"], 2, "usage");
}

#[test]
fn an_edit_that_changes_nothing_writes_nothing() {
    let desk = small();
    let written = desk.json(&["edit", "alpha", "--set", "type=user"]);
    assert_eq!(written["key"], Value::Null);
    assert_eq!(written["changes"].as_array().unwrap().len(), 0);
    let ran = desk.done(&["edit", "alpha", "--set", "type=user"]);
    assert_eq!(ran.out, "nothing to change\n");
    assert_eq!(
        desk.json(&["history"])["history"].as_array().unwrap().len(),
        0
    );
}

#[test]
fn mv_takes_the_file_its_name_its_line_and_the_links_along() {
    let desk = small();
    let before = desk.memories();
    let written = desk.json(&["mv", "alpha", "omega"]);
    assert_eq!(
        paths(&written),
        [
            ("write", "alpha.md".into()),
            ("move", "alpha.md".into()),
            ("write", "MEMORY.md".into()),
            ("write", "beta.md".into()),
        ]
    );
    let to = written["changes"][1]["to"].as_str().unwrap();
    assert!(to.ends_with("/omega.md"), "{to}");
    assert!(!desk.has("alpha.md"));
    assert!(desk.read("omega.md").contains("name: omega\n"));
    assert!(
        desk.read("MEMORY.md")
            .contains("- [omega](omega.md) — first\n")
    );
    assert!(desk.read("beta.md").contains("[[omega]]"));
    let age = |picture: &crate::cli_write_home::Picture, name: &str| picture[name].2;
    let after = desk.memories();
    assert_eq!(age(&after, "omega.md"), age(&before, "alpha.md"));
    assert_eq!(age(&after, "beta.md"), age(&before, "beta.md"));
    desk.assert_sound("after mv");
    desk.done(&["undo"]);
    assert_eq!(desk.memories(), before);
}

#[test]
fn rm_is_a_change_set_a_memory_and_each_comes_back_by_itself() {
    let desk = small();
    let before = desk.memories();
    let ran = desk.done(&["rm", "alpha", "beta.md", "alpha.md", "--json"]);
    let written: Vec<Value> = ran
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(written.len(), 2, "one named twice goes once");
    assert_eq!(
        written[0]["notices"][0],
        "beta.md links to it: that will lead nowhere"
    );
    assert_eq!(written[1]["notices"], Value::Array(Vec::new()));
    assert_eq!(paths(&written[0])[1], ("trash", "alpha.md".to_string()));
    assert_eq!(
        desk.read("MEMORY.md"),
        "# Memory\n- [gamma](gamma.md) — third\n"
    );
    let trash = desk.json(&["trash"]);
    assert_eq!(keys(&trash), ["trash"].into());
    let items = trash["trash"].as_array().unwrap();
    assert_eq!(keys(&items[0]), ["items", "key", "time", "title"].into());
    assert_eq!(keys(&items[0]["items"][0]), ["name", "path"].into());
    assert_eq!(items[0]["title"], "trash beta", "the newest first");
    let people = desk.done(&["trash"]).out;
    assert!(
        people.contains("trash alpha\n  ~/.claude/projects/"),
        "{people}"
    );
    for written in [&written[1], &written[0]] {
        desk.done(&["restore", written["key"].as_str().unwrap()]);
    }
    assert_eq!(desk.memories(), before);
    assert_eq!(desk.json(&["trash"])["trash"].as_array().unwrap().len(), 0);
    desk.refused(
        &["restore", written[0]["key"].as_str().unwrap()],
        2,
        "not-found",
    );
}

/// The index has changed since: the file comes back alone, and that is said.
#[test]
fn a_restore_that_can_not_bring_the_line_back_says_so() {
    let desk = small();
    let key = desk.json(&["rm", "beta"])["key"].clone();
    desk.put("MEMORY.md", "all written anew\n");
    let written = desk.json(&["restore", key.as_str().unwrap()]);
    assert_eq!(paths(&written).len(), 1);
    assert_eq!(written["changes"][0]["op"], "move");
    assert!(
        written["notices"][0]
            .as_str()
            .unwrap()
            .contains("only the files"),
        "{written}"
    );
    assert_eq!(desk.read("MEMORY.md"), "all written anew\n");
    assert!(desk.has("beta.md"));
}

#[test]
fn a_place_that_is_taken_meanwhile_is_a_conflict() {
    let desk = small();
    let key = desk.json(&["rm", "beta"])["key"].clone();
    desk.put("beta.md", "another\n");
    let before = desk.memories();
    for command in [["restore", key.as_str().unwrap()].as_slice(), &["undo"]] {
        let sentence = desk.refused(command, 3, "conflict");
        assert!(
            sentence.contains("beta.md is already there")
                || sentence.contains("beta.md: is already there"),
            "{sentence}"
        );
    }
    assert_eq!(desk.memories(), before);
    assert_eq!(desk.trashed().len(), 1);
}

#[test]
fn the_trash_is_emptied_only_when_that_is_meant() {
    let desk = small();
    desk.done(&["rm", "alpha", "beta"]);
    let before = desk.whole();
    let ran = desk.run(&["trash", "--empty"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.out.contains("trash alpha") && ran.err.contains("--yes"),
        "{ran:?}"
    );
    let sentence = desk.refused(&["trash", "--empty"], 2, "confirm");
    assert!(sentence.contains("2 items"), "{sentence}");
    let ran = desk.done(&["trash", "--empty", "--dry-run"]);
    assert!(ran.out.contains("trash beta"), "{ran:?}");
    assert_eq!(desk.whole(), before);
    let gone = desk.json(&["trash", "--empty", "--yes"]);
    assert_eq!(keys(&gone), ["removed", "trash"].into());
    assert_eq!(gone["removed"].as_array().unwrap().len(), 2);
    assert_eq!(desk.done(&["trash"]).out, "the trash is empty\n");
    assert_eq!(desk.done(&["trash", "--empty"]).code, Some(0), "of nothing");
    let sentence = desk.refused(&["undo"], 2, "not-found");
    assert!(sentence.contains("not in the trash any more"), "{sentence}");
}

#[test]
fn undo_and_redo_go_back_and_forth_across_processes() {
    let desk = small();
    let mut pictures = vec![desk.texts()];
    for command in [
        NEW.as_slice(),
        &["edit", "alpha", "--set", "type=project"],
        &["mv", "beta", "bravo"],
        &["rm", "gamma"],
    ] {
        desk.done(command);
        pictures.push(desk.texts());
    }
    for picture in pictures.iter().rev().skip(1) {
        desk.done(&["undo"]);
        assert_eq!(desk.texts(), *picture);
    }
    desk.refused(&["undo"], 2, "not-found");
    for picture in &pictures[1..] {
        desk.done(&["redo"]);
        assert_eq!(desk.texts(), *picture);
    }
    desk.refused(&["redo"], 2, "not-found");
    desk.done(&["undo", "20260921-141320-2"]);
    assert!(desk.read("alpha.md").contains("type: user\n"));
    let sentence = desk.refused(&["undo", "20260921-141320-2"], 2, "not-found");
    assert!(sentence.contains("undone already"), "{sentence}");
}

#[test]
fn undo_names_the_later_change_that_is_in_the_way() {
    let desk = small();
    desk.done(&["edit", "alpha", "--set", "type=project"]);
    desk.done(&["edit", "alpha", "--set", "type=feedback"]);
    let first = "20260921-141320-1";
    for command in [&["undo", first][..], &["undo", first, "--dry-run"]] {
        let sentence = desk.refused(command, 3, "conflict");
        assert!(
            sentence.contains("a later change, \"edit alpha\", is in the same lines")
                && sentence.contains("`loci undo 20260921-141320-2`"),
            "{sentence}"
        );
    }
    desk.done(&["undo", "20260921-141320-2"]);
    desk.done(&["undo", first]);
    assert!(desk.read("alpha.md").contains("type: user\n"));
}

#[test]
fn history_tells_what_was_changed_and_what_is_undone() {
    let desk = small();
    assert_eq!(desk.done(&["history"]).out, "no changes yet\n");
    desk.done(&["mv", "alpha", "omega"]);
    desk.done(&["undo"]);
    let history = desk.json(&["history"]);
    let entries = history["history"].as_array().unwrap();
    assert_eq!(entries.len(), 2);
    let expected = [
        "author", "key", "steps", "time", "title", "undoes", "undone",
    ];
    assert_eq!(keys(&entries[0]), expected.into());
    assert_eq!(keys(&entries[1]["steps"][0]), ["op", "path", "to"].into());
    assert_eq!(entries[0]["undoes"], entries[1]["key"], "the newest first");
    assert_eq!(entries[0]["undone"], false);
    assert_eq!(entries[1]["undone"], true);
    assert_eq!(entries[1]["author"], "you");
    assert_eq!(entries[1]["time"], "2026-09-21T14:13:20Z");
    let people = desk.done(&["history"]).out;
    assert!(
        people.contains("rename alpha to omega  taken back\n"),
        "{people}"
    );
}

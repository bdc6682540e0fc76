//! What is said before and after a relink or a merge: that it would be a merge, where the old path was left
//! and how it is rewritten later, which memories bear one name.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::cli_project_home::{folder, key, listed, memory, orphan};
use crate::cli_write_home::{Desk, Picture, picture};

fn home(desk: &Desk) -> Picture {
    picture(&desk.root().join("home"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// Where the old path was left elsewhere, the line that is printed does rewrite it: also when its project
/// folder is gone by then.
#[test]
fn the_old_path_is_rewritten_after_the_relink_too() {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let gone = desk.root().join("old");
    let new = folder(&desk, "new");
    let history = desk.root().join("home/.claude/history.jsonl");
    fs::write(&history, json!({"project": gone}).to_string() + "\n").unwrap();
    let at = new.to_str().unwrap();
    let shown = desk.done(&["relink", &old, at]).out;
    let file = format!("~/.claude/projects/{}/1", key(&desk, &new));
    assert!(shown.contains(&file), "{shown}");
    for also in ["transcripts", "history"] {
        let line = format!(
            "`loci relink {} {at} --also {also}` rewrites it",
            gone.display()
        );
        assert!(shown.contains(&line), "{shown}");
    }
    let before = home(&desk);
    let gone = gone.to_str().unwrap();
    for also in ["transcripts", "history"] {
        let done = desk.json(&["relink", gone, at, "--also", also]);
        assert_eq!(done["change"]["changes"].as_array().unwrap().len(), 1);
    }
    assert_eq!(text(&history), json!({"project": new}).to_string() + "\n");
    let project = listed(&desk, &key(&desk, &new));
    assert_eq!(project["evidence"][0]["by"], "transcript");
    let said = desk.refused(&["relink", gone, at, "--also", "history"], 2, "not-found");
    assert!(said.contains("nothing to rewrite"), "{said}");
    desk.done(&["undo"]);
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
    let said = desk.refused(&["relink", at, at, "--also", "history"], 2, "refused");
    assert!(said.contains("nothing has moved"), "{said}");
}

/// A place with memories of its own takes others in only on a yes, and it is called a merge.
#[test]
fn a_relink_onto_memories_of_its_own_asks() {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let new = folder(&desk, "notes");
    memory(&desk, &key(&desk, &new), "own", "x");
    let at = new.to_str().unwrap();
    let before = home(&desk);
    let said = desk.refused(&["relink", &old, at], 2, "confirm");
    assert!(
        said.contains(
            "has 1 memory of its own: it would be a merge, the 2 memories of old into them"
        ),
        "{said}"
    );
    let dry = desk.done(&["relink", &old, at, "--dry-run"]);
    assert!(dry.err.contains("it would be a merge"), "{dry:?}");
    assert_eq!(home(&desk), before);
    desk.done(&["relink", &old, at, "--yes"]);
}

/// Two memories of one name keep it when they come together: that is said.
#[test]
fn memories_of_one_name_are_told() {
    let desk = Desk::new();
    let (one, other) = ("-x-one".to_string(), orphan(&desk, "other"));
    memory(&desk, &one, "beta", "Another.");
    let notes = desk.json(&["merge", &one, &other])["notes"].to_string();
    assert!(
        notes.contains("this one becomes beta-2.md, and both are called \\\"beta\\\""),
        "{notes}"
    );
}

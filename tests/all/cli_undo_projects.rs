//! Taking back a change of a whole project folder: what sessions have written there since goes only when
//! that is said.

use std::fs;
use std::path::PathBuf;

use crate::cli_project_home::{
    folder, key, last_change, memory, orphan, pictured, projects, set_age, transcript,
};
use crate::cli_write_home::Desk;

const NEWER: &str = "22222222-2222-4222-8222-222222222222";

/// A project that was relinked: the key where it was, and the one where it is.
fn relinked(desk: &Desk) -> (String, String, PathBuf) {
    let old = orphan(desk, "old");
    let path = folder(desk, "new");
    desk.done(&["relink", &old, path.to_str().unwrap()]);
    (old, key(desk, &path), path)
}

#[test]
fn a_session_that_came_since_goes_along_only_on_yes() {
    let desk = Desk::new();
    let (old, new, path) = relinked(&desk);
    // The change is as old as the clock of the tests; a session wrote at the same time.
    transcript(&desk, &new, NEWER, &[&path], 0);
    let before = pictured(&desk);
    let said = desk.refused(&["undo"], 2, "confirm");
    assert!(said.contains("may still be at work"), "{said}");
    assert!(said.contains(&new), "{said}");
    assert_eq!(pictured(&desk), before);
    let dry = desk.done(&["undo", "--dry-run"]);
    assert!(dry.err.contains("may still be at work"), "{dry:?}");
    desk.done(&["undo", "--yes"]);
    assert!(
        projects(&desk)
            .join(&old)
            .join(format!("{NEWER}.jsonl"))
            .exists()
    );
}

/// Long after the relink too: what was written since is counted.
#[test]
fn sessions_that_were_written_since_are_counted() {
    let desk = Desk::new();
    let (_, new, path) = relinked(&desk);
    let file = transcript(&desk, &new, NEWER, &[&path], 0);
    let later = crate::cli_home::NOW.unsigned_abs() + 3_600;
    let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(later);
    let open = fs::File::options().write(true).open(&file).unwrap();
    open.set_modified(time).unwrap();
    let said = desk.refused(&["undo"], 2, "confirm");
    assert!(
        said.contains(&format!(
            "a session in {new} was written since: it would go along"
        )),
        "{said}"
    );
}

/// What moved with the change is no newer than it, and a merge leaves what is new where it is.
#[test]
fn what_came_with_the_change_is_no_news() {
    let desk = Desk::new();
    let (old, _, _) = relinked(&desk);
    desk.done(&["undo"]);
    let path = folder(&desk, "other");
    let other = key(&desk, &path);
    transcript(&desk, &other, NEWER, &[&path], 3);
    memory(&desk, &other, "gamma", "Three.");
    desk.done(&["merge", &old, &other]);
    let file = projects(&desk).join(&other).join(format!("{NEWER}.jsonl"));
    set_age(&file, 0);
    desk.done(&["undo", &last_change(&desk)]);
    assert!(file.exists());
    assert!(projects(&desk).join(&old).join("memory/alpha.md").exists());
}

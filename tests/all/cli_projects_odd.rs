//! Project folders that can't be read or told whole: what is refused, what is left out, and that all of it
//! is said.

use std::fs;
use std::os::unix::fs::symlink;


use crate::cli_project_home::{key, memory, orphan, pictured, projects, transcript};
use crate::cli_write_home::Desk;

const ID: &str = "21111111-1111-4111-8111-111111111111";

/// A project whose path is gone, with a session and no memory.
fn bare(desk: &Desk, name: &str) -> String {
    let path = desk.root().join(name);
    let key = key(desk, &path);
    transcript(desk, &key, ID, &[&path], 5);
    key
}

/// A disk fault is told as such.
#[test]
fn an_index_that_can_t_be_read_is_a_disk_fault() {
    let desk = Desk::new();
    let (one, two) = (bare(&desk, "one"), orphan(&desk, "two"));
    memory(&desk, &one, "b", "It comes.");
    let index = projects(&desk).join(&two).join("memory/MEMORY.md");
    fs::remove_file(&index).unwrap();
    symlink("MEMORY.md", &index).unwrap();
    let before = pictured(&desk);
    desk.refused(&["merge", &one, &two], 3, "unreadable");
    assert_eq!(pictured(&desk), before);
}

use super::*;
use crate::health::fixture::{World, good, line};

const NONE: [&str; 0] = [];

#[test]
fn ghost() {
    let world = World::new();
    world.file("two.md", good("two"));
    assert_eq!(world.found(), ["ghost warning two.md"]);
    world.file("MEMORY.md", line("one") + &line("two"));
    assert_eq!(world.found(), NONE);
}

#[test]
fn a_ghost_that_is_seconds_old_is_maybe_being_written() {
    // IX09
    let world = World::new();
    world.aged("two.md", good("two"), 5);
    assert_eq!(world.found(), ["ghost note two.md"]);
    assert_eq!(world.the(Code::Ghost).fix, None);
    world.aged("two.md", good("two"), 60);
    assert_eq!(world.found(), ["ghost warning two.md"]);
}

#[test]
fn a_full_index_takes_no_ghost() {
    let world = World::new();
    world.file("two.md", good("two"));
    let offered = |lines: usize| {
        let web = "- [Page](https://example.org)\n".repeat(lines - 1);
        world.file("MEMORY.md", line("one") + &web);
        world.the(Code::Ghost).fix.is_some()
    };
    assert!(offered(199));
    assert!(!offered(200));
    // Of two ghosts only one has room.
    offered(199);
    world.file("three.md", good("three"));
    let fixes: Vec<bool> = world
        .findings()
        .iter()
        .filter(|one| one.code == Code::Ghost)
        .map(|one| one.fix.is_some())
        .collect();
    assert_eq!(fixes, [true, false]);
}

#[test]
fn index_buried() {
    let world = World::new();
    world.file("two.md", good("two"));
    world.file(
        "MEMORY.md",
        line("one") + "\nBefore a deploy read [this](two.md).\n",
    );
    assert_eq!(world.found(), ["index-buried note MEMORY.md:3"]);
    world.file(
        "MEMORY.md",
        line("two") + "\nBefore a deploy read [this](two.md).\n" + &line("one"),
    );
    assert_eq!(world.found(), NONE);
}

#[test]
fn index_missing() {
    let world = World::new();
    world.remove("MEMORY.md");
    assert_eq!(world.found(), ["index-missing note MEMORY.md"]);
    let dated = good("one").replace("metadata", "created: 2026-09-01\nmetadata");
    world.file("one.md", dated);
    assert_eq!(world.found(), NONE, "the tiny layout has none");
}

#[test]
fn a_new_hook_is_the_description_as_far_as_a_line_takes_it() {
    assert_eq!(
        hook_for("a", "a.md", Some("a"), Some("what it is")),
        "what it is"
    );
    assert_eq!(hook_for("a", "a.md", Some("a"), Some("A")), "");
    let long = "word ".repeat(60);
    let hook = hook_for("a", "a.md", None, Some(long.trim()));
    let line = format!("- [a](a.md) — {hook}");
    assert!(
        line.chars().count() <= 150 && hook.ends_with("word…"),
        "{line}"
    );
}

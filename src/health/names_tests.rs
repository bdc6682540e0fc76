use super::*;
use crate::health::fixture::{World, good, head, line};

const NONE: [&str; 0] = [];

/// `one.md` and `two.md`, which says it is named so.
fn two(name: &str) -> World {
    let world = World::new();
    world.file("two.md", good(name));
    world.file("MEMORY.md", line("one") + &line("two"));
    world
}

#[test]
fn name_duplicate() {
    let world = two("one");
    let mismatch = "name-file-mismatch note two.md:2";
    assert_eq!(world.found(), ["name-duplicate warning two.md:2", mismatch]);
    assert_eq!(two("two").found(), NONE);
}

#[test]
fn name_file_mismatch() {
    assert_eq!(two("three").found(), ["name-file-mismatch note two.md:2"]);
    assert_eq!(World::new().found(), NONE);
}

#[test]
fn name_not_slug() {
    let world = two("Two Things");
    assert_eq!(world.found(), ["name-not-slug note two.md:2"]);
    let fix = world.the(Code::NameNotSlug).fix;
    let name = "two-things".to_string();
    assert_eq!(fix, Some(Fix::Rename { name }));
    // What makes no slug is a guess.
    assert_eq!(two("第二").the(Code::NameNotSlug).fix, None);
    // A session that is noted keeps the name.
    let world = two("two");
    let text = good("two").replace("name: two", "name: Two").replace(
        "  type",
        "  originSessionId: 00000000-0000-4000-8000-000000000000\n  type",
    );
    world.file("two.md", text);
    assert_eq!(world.found(), NONE);
}

#[test]
fn conflict_copy() {
    let world = World::new();
    world.file("one.sync-conflict-20260101-101010-ABCDEFG.md", good("one"));
    world.file("one (Anna's conflicted copy 2026-01-01).md", good("else"));
    assert_eq!(
        world.found(),
        [
            "conflict-copy warning one (Anna's conflicted copy 2026-01-01).md",
            "conflict-copy warning one.sync-conflict-20260101-101010-ABCDEFG.md",
        ]
    );
    let fixes: Vec<bool> = world
        .findings()
        .iter()
        .map(|one| one.fix.is_some())
        .collect();
    assert_eq!(
        fixes,
        [false, true],
        "only the one that is the same to the byte"
    );
    assert_eq!(original("a (1).md"), None);
    assert_eq!(original("sync-conflict-x.md"), None);
    assert_eq!(
        original("t/a (Case Conflict).md").as_deref(),
        Some("t/a.md")
    );
}

#[test]
fn a_copy_of_another_text_is_looked_at_for_what_hides_in_it() {
    let world = World::new();
    let text = format!("{}\u{202E}\n", head("one"));
    world.file("one (conflicted copy).md", text);
    let copy = "one (conflicted copy).md";
    assert_eq!(
        world.found(),
        [
            format!("conflict-copy warning {copy}"),
            format!("invisible-text note {copy}:8"),
        ]
    );
}

#[test]
fn a_name_is_given_once() {
    let world = World::new();
    let nameless = good("x").replace("name: x\n", "");
    world.file("a/x.md", &nameless).file("b/x.md", &nameless);
    world
        .file("c.md", good("Two Words"))
        .file("d.md", good("two words"));
    let mut findings = world.findings();
    findings.retain(|one| matches!(one.code, Code::FieldMissing | Code::NameNotSlug));
    let fixes: Vec<(&str, bool)> = findings
        .iter()
        .map(|one| (one.path.as_str(), one.fix.is_some()))
        .collect();
    let expected = [
        ("a/x.md", true),
        ("b/x.md", false),
        ("c.md", true),
        ("d.md", false),
    ];
    assert_eq!(fixes, expected);
}

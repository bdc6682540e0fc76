use super::*;
use crate::health::fixture::{World, line};

const NONE: [&str; 0] = [];

#[track_caller]
fn check(index: &str, expected: &[&str]) {
    assert_eq!(World::index(index).found(), expected, "{index}");
}

#[test]
fn index_content() {
    let prose =
        |lines: usize| format!("# Index\n\n{}\n{}", "- a note\n".repeat(lines), line("one"));
    check(&prose(5), &NONE);
    check(&prose(6), &["index-content warning MEMORY.md:3"]);
    let long = format!("{}\n\n{}", "word ".repeat(121), line("one"));
    check(&long, &["index-content warning MEMORY.md:1"]);
    check(
        &format!("<!--\n{}-->\n{}", "note\n".repeat(9), line("one")),
        &NONE,
    );
}

#[test]
fn index_multiline() {
    let entry = line("one");
    check(
        &format!("{entry}  and more of it\n"),
        &["index-multiline note MEMORY.md:1"],
    );
    check(
        &format!("{entry}and more\nof it\n"),
        &["index-multiline note MEMORY.md:1"],
    );
    check(&format!("{entry}\nProse.\n"), &NONE);
    check(&format!("{entry}  - a nested note\n"), &NONE);
}

#[test]
fn index_section_empty() {
    let entry = line("one");
    check(
        &format!("# A\n## B\n{entry}\n## C\n"),
        &["index-section-empty note MEMORY.md:5"],
    );
    check(
        &format!("# A\n{entry}# B\n\n# C\nprose\n"),
        &["index-section-empty note MEMORY.md:3"],
    );
    check(&format!("# A\n\n## B\n{entry}"), &NONE);
    check(&format!("{entry}```\n# no heading\n```\n"), &NONE);
}

#[test]
fn an_entry_is_joined_as_its_script_is_written() {
    assert_eq!(
        joined("- [A](a.md) — one\n  two  \n three"),
        "- [A](a.md) — one two three"
    );
    assert_eq!(
        joined("- [A](a.md) — 一天，\n  一次"),
        "- [A](a.md) — 一天，一次"
    );
}

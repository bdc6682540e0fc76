use super::*;
use crate::health::fixture::{World, good, line};

const NONE: [&str; 0] = [];

#[track_caller]
fn check(index: &str, expected: &[&str]) {
    assert_eq!(World::index(index).found(), expected, "{index}");
}

#[test]
fn dangling() {
    check(
        &(line("one") + "- [Gone](gone.md)\n"),
        &["dangling error MEMORY.md:2"],
    );
    // IX06: a table is read as a list is.
    check(
        "| file | what |\n| --- | --- |\n| one.md | it |\n| gone.md | was |\n",
        &["dangling error MEMORY.md:4"],
    );
    // IX07: examples in code and comments are none.
    check(
        &(line("one") + "```\n- [A](file.md)\n```\n<!-- - [B](b.md) -->\n"),
        &NONE,
    );
    check(
        "- [One](one.md), [Gone](gone.md) — what is to be known\n",
        &["dangling error MEMORY.md:1"],
    );
    let shared = World::index("- [One](one.md), [Gone](gone.md)\n").the(Code::Dangling);
    assert_eq!(shared.fix, None, "the line holds more");
}

#[test]
fn duplicate_pointer_and_case_pointer() {
    let again = line("one") + "- [Again](./one.md#part)\n";
    check(&again, &["duplicate-pointer warning MEMORY.md:2"]);
    check("- [One](One.md)\n", &["case-pointer warning MEMORY.md:1"]);
    check(&(line("one") + "See [it](one.md) as well.\n"), &NONE);
}

#[test]
fn index_content_names_a_link_that_is_not_closed() {
    // IX13
    check(
        &(line("one") + "- [I](<u.md#x)\n"),
        &["index-content warning MEMORY.md:2"],
    );
}

#[test]
fn index_long_line() {
    let long = |chars: usize| {
        let start = "- [One](one.md) — known of ";
        format!("{start}{}\n", "x".repeat(chars - start.chars().count()))
    };
    check(&long(150), &NONE);
    check(&long(151), &["index-long-line note MEMORY.md:1"]);
    check(&long(200), &["index-long-line note MEMORY.md:1"]);
    check(&long(201), &["index-long-line warning MEMORY.md:1"]);
}

#[test]
fn hook_repeats() {
    check(
        "- [The One](one.md) — the one\n",
        &["hook-repeats note MEMORY.md:1"],
    );
    check(
        "- [Title](one.md) — One!\n",
        &["hook-repeats note MEMORY.md:1"],
    );
    check("- [The One](one.md)\n", &NONE);
    check("- [The One](one.md) — the one that is known\n", &NONE);
}

#[test]
fn hook_differs() {
    let hook = |hook: &str| format!("- [One](one.md) — {hook}\n");
    check(
        &hook("caches picture files forever"),
        &["hook-differs note MEMORY.md:1"],
    );
    check(&hook("caches what is known"), &NONE);
    check(&hook("two words"), &NONE);
    check(&hook("用另一种语言写的说明"), &NONE);
}

#[test]
fn a_second_index_is_read_among_its_own_files() {
    let world = World::new();
    world.file("team/two.md", good("two"));
    world.file("team/MEMORY.md", line("two") + "- [Gone](one.md)\n");
    assert_eq!(world.found(), ["dangling error team/MEMORY.md:2"]);
}

use crate::health::Code;
use crate::health::fixture::{World, good, line};

/// An index of this many entries for `one.md`, apart from being duplicates, is what counts here.
fn of_lines(lines: usize) -> World {
    World::index(line("one") + &"- [One](one.md)\n".repeat(lines - 1))
}

fn of(world: &World, code: Code) -> Vec<(String, Option<usize>)> {
    let mut findings = world.findings();
    findings.retain(|one| one.code == code);
    findings
        .into_iter()
        .map(|one| (one.path, one.line))
        .collect()
}

#[test]
fn index_lines() {
    assert_eq!(of(&of_lines(200), Code::IndexLines), []);
    let index = "MEMORY.md".to_string();
    assert_eq!(of(&of_lines(205), Code::IndexLines), [(index, Some(201))]);
}

#[test]
fn index_size() {
    // IX02: units bind, not bytes.
    let wide = World::index(line("one") + &"数".repeat(24_000) + "\n");
    assert_eq!(of(&wide, Code::IndexSize), []);
    let index = "MEMORY.md".to_string();
    let over = World::index(line("one") + &"数".repeat(25_000) + "\n");
    assert_eq!(of(&over, Code::IndexSize), [(index.clone(), Some(2))]);
    assert_eq!(of(&over, Code::IndexLines), []);
    // IX05: the first line alone is too long.
    let first = World::index(format!("- [One](one.md) — {}\n", "wordx🦀 ".repeat(5_000)));
    assert_eq!(of(&first, Code::IndexSize), [(index, Some(1))]);
}

#[test]
fn what_is_hidden_is_told_by_type_feedback_first() {
    let world = World::new();
    world.file("two.md", good("two").replace("feedback", "project"));
    let mut index = "- a line\n".repeat(200);
    index.push_str("- [Two](two.md)\n- [Rule](one.md)\n- [Gone](gone.md)\n");
    world.file("MEMORY.md", index);
    let message = world.the(Code::IndexLines).message;
    assert!(
        message.contains("from line 201 on the model does not see 3 entries: Rule (feedback), Two (project), Gone;"),
        "{message}"
    );
}

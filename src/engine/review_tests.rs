use std::fs;

use serde_json::json;

use super::*;
use crate::config::settings::Review;
use crate::context::conversation::Entry;
use crate::turn::world_for_tests::{World, memory};

const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

fn decide_on(world: &mut World, id: &str, wish: &Wish) -> Result<Decided, ReviewError> {
    decide(&mut world.toolbox, &mut world.chat, id, wish, NOW)
}

/// Two memories and an edit of the first, as proposals c1, c2 and c3.
fn proposed() -> World {
    let mut world = World::new(Review::Review);
    for name in ["one", "two"] {
        let path = world.at(&format!("{name}.md"));
        world.given(
            "Write",
            json!({"file_path": path, "content": memory(name, "Made", "So it is.")}),
        );
    }
    let path = world.at("one.md");
    world.given(
        "Edit",
        json!({"file_path": path, "old_string": "So it is.", "new_string": "So it was."}),
    );
    world
}

fn last_note(world: &World) -> String {
    match world.chat.entries.last().unwrap() {
        Entry::Attached { pieces, .. } => pieces[0].shown().into_owned(),
        other => panic!("{other:?}"),
    }
}

fn index(world: &World) -> String {
    fs::read_to_string(world.folder().join("MEMORY.md")).unwrap()
}

#[test]
fn what_is_accepted_is_written_with_its_line_in_whatever_order() {
    let mut world = proposed();
    let decided = decide_on(&mut world, "c2", &Wish::Accept).unwrap();
    assert_eq!(decided.all[0].1, Decision::Accepted);
    assert!(index(&world).ends_with("- [b](b.md) — The second thing\n- [two](two.md) — Made\n"));
    assert_eq!(
        last_note(&world),
        "The person accepted what you proposed: new two."
    );
    // The edit waits for what it edits.
    let error = decide_on(&mut world, "c3", &Wish::Accept).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("edit one builds on another proposal"),
        "{error}"
    );
    decide_on(&mut world, "c1", &Wish::Accept).unwrap();
    decide_on(&mut world, "c3", &Wish::Accept).unwrap();
    assert!(
        fs::read_to_string(world.folder().join("one.md"))
            .unwrap()
            .ends_with("So it was.\n")
    );
    assert!(index(&world).contains("(one.md)") && index(&world).contains("(two.md)"));
    assert!(matches!(
        decide_on(&mut world, "c3", &Wish::Accept),
        Err(ReviewError::Gone)
    ));
    let history = world.toolbox.writer.history();
    assert_eq!(history.len(), 3);
}

#[test]
fn what_is_rejected_takes_along_what_builds_on_it_and_the_agent_is_told() {
    let mut world = proposed();
    let before = world.picture();
    let decided = decide_on(&mut world, "c1", &Wish::Reject).unwrap();
    let all: Vec<(&str, Decision)> = decided
        .all
        .iter()
        .map(|(one, decision)| (&*one.id, *decision))
        .collect();
    assert_eq!(all, [("c1", Decision::Rejected), ("c3", Decision::Void)]);
    assert_eq!(
        last_note(&world),
        "The person rejected what you proposed: new one. With it went: edit one. Do not propose it again."
    );
    assert_eq!(world.picture(), before);
    decide_on(&mut world, "c2", &Wish::Accept).unwrap();
    assert!(!index(&world).contains("(one.md)") && index(&world).contains("(two.md)"));
}

#[test]
fn what_a_person_changed_in_it_is_what_is_written() {
    let mut world = proposed();
    let text = memory("two", "Made", "By a person.");
    let decided = decide_on(
        &mut world,
        "c2",
        &Wish::Edit(vec![Some(text.clone()), None]),
    )
    .unwrap();
    assert_eq!(decided.all[0].1, Decision::Edited);
    assert_eq!(
        fs::read_to_string(world.folder().join("two.md")).unwrap(),
        text
    );
    // It is told what differs from what it proposed.
    let note = last_note(&world);
    assert!(note.contains("with changes of their own"), "{note}");
    assert!(
        note.contains("\n-") && note.contains("\n+By a person."),
        "{note}"
    );
    assert!(!note.contains("MEMORY.md"), "{note}");
}

#[test]
fn of_many_changes_it_is_told_to_read_them() {
    let mut world = proposed();
    let text = memory("two", "Made", &"By a person.\n".repeat(500));
    decide_on(&mut world, "c2", &Wish::Edit(vec![Some(text), None])).unwrap();
    let note = last_note(&world);
    assert!(
        note.contains("read it before you build on it") && note.len() < 500,
        "{note}"
    );
}

#[test]
fn lines_that_others_changed_since_are_not_overwritten() {
    let mut world = World::new(Review::Review);
    let path = world.at("a.md");
    world.given(
        "Edit",
        json!({"file_path": path, "old_string": "Tabs, not spaces.", "new_string": "Spaces."}),
    );
    fs::write(
        world.folder().join("a.md"),
        memory("a", "The first thing", "Neither."),
    )
    .unwrap();
    assert!(matches!(
        decide_on(&mut world, "c1", &Wish::Accept),
        Err(ReviewError::Apart { .. })
    ));
    assert!(
        fs::read_to_string(world.folder().join("a.md"))
            .unwrap()
            .ends_with("Neither.\n")
    );
    assert_eq!(world.toolbox.overlay.pending.len(), 1);
}

use serde_json::json;

use crate::context::part::Kind;
use crate::context::preview::world_for_tests::{
    MEMORY, World, began_with, transcript, usual, with,
};
use crate::context::preview::{CutAtStart, Layout, Moment, Preview, Switches};
use crate::memory::load;

fn rows(many: usize) -> String {
    (1..=many)
        .map(|at| format!("- [E{at}](e{at}.md) — hook\n"))
        .collect()
}

fn resumed(world: &World) -> Preview {
    world.preview(&with(Switches {
        moment: Moment::Resumed,
        layout: Layout::Observed(None),
        ..Switches::default()
    }))
}

/// A session that began with an index of so many lines.
fn session(world: &World, lines: usize) {
    let sent = load::load(&rows(lines)).sent();
    let files = began_with(&[("AutoMem", &format!("{MEMORY}/MEMORY.md"), &sent)]);
    let answer =
        json!({"type": "assistant", "version": "2.1.332", "message": {"model": "claude-opus-5-5"}});
    transcript(world, &[files, answer]);
}

fn indexes(preview: &Preview) -> Vec<usize> {
    let parts = preview.parts.iter().enumerate();
    parts
        .filter(|(_, part)| part.kind == Kind::Index)
        .map(|(at, _)| at)
        .collect()
}

#[test]
fn a_resumed_session_is_cut_where_its_own_index_was_and_the_one_of_now_where_it_is() {
    let world = usual();
    session(&world, 210);
    world.write(&format!("{MEMORY}/MEMORY.md"), &rows(205));
    let preview = resumed(&world);
    let indexes = indexes(&preview);
    assert_eq!(indexes.len(), 2);
    let old = CutAtStart {
        part: indexes[0],
        at_line: Some(201),
        lines: Some(10),
    };
    assert_eq!(preview.cut_at_start, Some(old));
    assert_eq!(
        old.sentence(),
        "of the index as the session began the model sees nothing from line 201 on · 10 lines"
    );
    let now = preview.cut.unwrap();
    assert_eq!(
        (now.part, now.at_line, now.below.len()),
        (Some(indexes[1]), Some(201), 5)
    );
}

#[test]
fn an_index_that_was_cut_and_is_short_now_or_gone_is_told_as_it_is_sent() {
    let world = usual();
    session(&world, 210);
    let preview = resumed(&world);
    assert_eq!(preview.cut_at_start.unwrap().lines, Some(10));
    let now = preview.cut.as_ref().unwrap();
    assert_eq!((now.part, now.at_line), (Some(indexes(&preview)[1]), None));
    std::fs::remove_file(world.host(&format!("{MEMORY}/MEMORY.md"))).unwrap();
    let preview = resumed(&world);
    assert_eq!(indexes(&preview).len(), 1);
    assert_eq!(preview.cut_at_start.unwrap().part, indexes(&preview)[0]);
    assert_eq!(preview.cut, None);
}

#[test]
fn an_index_that_has_not_changed_is_one_with_one_cut() {
    let world = usual();
    session(&world, 210);
    world.write(&format!("{MEMORY}/MEMORY.md"), &rows(210));
    let preview = resumed(&world);
    assert_eq!(preview.cut_at_start, None);
    let now = preview.cut.as_ref().unwrap();
    assert_eq!(
        (now.part, now.at_line),
        (Some(indexes(&preview)[0]), Some(201))
    );
    // A session that is new begins with the index of now.
    world.write(&format!("{MEMORY}/MEMORY.md"), &rows(205));
    let preview = world.preview(&with(Switches::default()));
    assert_eq!((indexes(&preview).len(), preview.cut_at_start), (1, None));
}

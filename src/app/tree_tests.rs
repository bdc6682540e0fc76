use super::*;
use crate::app::fixture::{contents, entry, here, others};
use crate::memory::file::State;

fn tree() -> Tree {
    let mut tree = Tree::new(here(), contents());
    tree.list_shelves(&here(), others());
    tree
}

fn titles(tree: &Tree) -> Vec<String> {
    tree.shelves()
        .iter()
        .map(|state| state.shelf.title().into_owned())
        .collect()
}

#[test]
fn the_working_directory_comes_first_and_agents_last() {
    let mut tree = tree();
    assert_eq!(
        titles(&tree),
        [
            "shop-web",
            "-work-api-gateway",
            "nest\u{202E}dm.exe",
            "agent-memory/reviewer"
        ]
    );
    let mut found = others();
    found[0].path = Some("/work/zeta".into());
    tree.survey(found);
    assert_eq!(titles(&tree)[2], "zeta", "a title that is found sorts anew");
}

#[test]
fn groups_follow_the_types_and_logs_start_folded() {
    let groups: Vec<_> = tree()
        .rows()
        .iter()
        .filter_map(|row| match row {
            Row::Group {
                group, count, open, ..
            } => Some((group.clone(), *count, *open)),
            _ => None,
        })
        .collect();
    let of = |kind| Group::Type(kind);
    assert_eq!(
        groups,
        [
            (of(MemoryType::User), 1, true),
            (of(MemoryType::Feedback), 1, true),
            (of(MemoryType::Project), 2, true),
            (of(MemoryType::Reference), 2, true),
            (of(MemoryType::Unknown("howto".into())), 1, true),
            (of(MemoryType::Missing), 1, true),
            (Group::Team, 1, true),
            (Group::Learnings, 1, true),
            (Group::Logs, 1, false),
        ]
    );
}

#[test]
fn the_cursor_stays_on_its_memory_or_goes_to_its_group() {
    let mut tree = tree();
    let folder = here().folder;
    assert!(tree.reveal(&folder, "release-freeze.md"));
    tree.await_contents(&folder, 7);
    let mut more = contents();
    let new = entry("a-new-one.md", MemoryType::User, State::Ok, 0);
    more.entries.insert(0, new);
    tree.fill(&folder, 7, more.clone());
    let row = tree.row().unwrap();
    assert_eq!(&*tree.memory(row).unwrap().1.path, "release-freeze.md");
    more.entries
        .retain(|entry| &*entry.path != "release-freeze.md");
    tree.await_contents(&folder, 8);
    tree.fill(&folder, 8, more);
    assert!(matches!(
        tree.row(),
        Some(Row::Group {
            group: Group::Type(MemoryType::Project),
            ..
        })
    ));
}

#[test]
fn a_reading_that_is_not_awaited_is_dropped() {
    let mut tree = tree();
    let folder = here().folder;
    tree.await_contents(&folder, 7);
    tree.fill(&folder, 6, Contents::default());
    assert!(tree.rows().len() > 10);
}

#[test]
fn the_tiny_layout_has_no_types() {
    let tiny = Contents {
        layout: crate::agents::Layout::Tiny,
        ..contents()
    };
    let tree = Tree::new(here(), tiny);
    let memories = tree
        .rows()
        .iter()
        .filter(|row| matches!(row, Row::Memory { depth: 1, .. }));
    assert_eq!(memories.count(), 8);
}

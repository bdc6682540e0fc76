use super::*;
use crate::app::fixture::{app, press};
use crate::app::key::Key;
use crate::app::message::Message;
use crate::app::tree_rows::Row;

/// The files of the memories that are listed.
fn listed(app: &App) -> Vec<String> {
    let rows = app.tree.rows().iter();
    let memories = rows.filter(|row| matches!(row, Row::Memory { .. }));
    memories
        .filter_map(|row| app.tree.file(row))
        .map(|at| at.file)
        .collect()
}

fn under_cursor(app: &App) -> String {
    let file = app.tree.row().and_then(|row| app.tree.file(row));
    file.map(|at| at.file).unwrap_or_default()
}

#[test]
fn a_key_sorts_by_age_name_and_size_and_the_cursor_stays_on_its_memory() {
    let mut app = app(120, 40);
    press(&mut app, "j j j j j j j");
    assert_eq!(under_cursor(&app), "db-migration-needs-backup.md");
    let by_age = listed(&app);
    let place = |files: &[String], name: &str| files.iter().position(|file| file == name);
    let family = place(&by_age, "family.md");
    press(&mut app, "s");
    assert_eq!(app.tree.sort().word(), "name");
    let by_name = listed(&app);
    assert!(place(&by_name, "gone.md") < place(&by_name, "family.md"));
    assert!(family < place(&by_age, "gone.md"));
    assert_eq!(under_cursor(&app), "db-migration-needs-backup.md");
    press(&mut app, "s s");
    assert_eq!(listed(&app), by_age);
}

#[test]
fn words_narrow_the_tree_by_name_description_and_type() {
    let mut app = app(120, 40);
    press(&mut app, "& M I G R");
    assert_eq!(listed(&app), ["db-migration-needs-backup.md"]);
    assert_eq!(under_cursor(&app), "db-migration-needs-backup.md");
    assert_eq!(app.tree.shown(), Some((1, 10)));
    press(&mut app, "ctrl-u f e e d b a c k");
    assert_eq!(listed(&app), ["evil.md", "learnings/retry.md"]);
    press(&mut app, "space r e t r y");
    assert_eq!(listed(&app), ["learnings/retry.md"], "all words must hold");
    press(&mut app, "x");
    assert_eq!(listed(&app), Vec::<String>::new());
    assert!(app.tree.row().is_none());
    press(&mut app, "esc");
    assert_eq!(listed(&app).len(), 10);
    assert_eq!(app.tree.filter(), None);
}

#[test]
fn the_cursor_comes_back_to_its_row_unless_it_was_moved_or_kept() {
    let mut app = app(120, 40);
    press(&mut app, "j j j");
    assert_eq!(under_cursor(&app), "likes-short-answers.md");
    press(&mut app, "& f r e e");
    assert_eq!(under_cursor(&app), "release-freeze.md");
    press(&mut app, "backspace backspace backspace backspace");
    assert_eq!(under_cursor(&app), "likes-short-answers.md");
    press(&mut app, "f r e e esc");
    assert_eq!(under_cursor(&app), "likes-short-answers.md");
    press(&mut app, "& f r e e enter esc");
    assert_eq!(under_cursor(&app), "release-freeze.md", "it was kept");
    press(&mut app, "& e down");
    let moved = under_cursor(&app);
    press(&mut app, "esc");
    assert_eq!(under_cursor(&app), moved, "it was moved");
}

#[test]
fn marks_stay_on_their_memories_and_esc_lists_all_before_it_takes_marks_off() {
    let mut app = app(120, 40);
    press(&mut app, "j j j space");
    let marked = app.marked.clone();
    assert_eq!(marked.len(), 1);
    press(&mut app, "s & f r e e enter");
    assert_eq!(app.marked, marked);
    press(&mut app, "esc");
    assert_eq!((app.tree.filter(), &app.marked), (None, &marked));
    press(&mut app, "esc");
    assert!(app.marked.is_empty());
}

#[test]
fn a_group_of_a_narrowed_tree_is_unfolded_and_can_be_folded() {
    let mut app = app(120, 40);
    press(&mut app, "& l o g s enter");
    let is_log = |row: &Row| matches!(row, Row::Log { .. });
    assert!(app.tree.rows().iter().any(is_log), "{:?}", app.tree.rows());
    press(&mut app, "G h");
    press(&mut app, "h");
    assert!(!app.tree.rows().iter().any(is_log));
}

#[test]
fn what_is_gone_to_is_listed_again() {
    let mut app = app(120, 40);
    press(&mut app, "& f r e e enter");
    let folder = app.tree.current().map(|it| it.shelf.folder.clone());
    assert!(app.tree.reveal(&folder.unwrap_or_default(), "odd.md"));
    assert_eq!(app.tree.filter(), None);
    assert_eq!(under_cursor(&app), "odd.md");
}

/// A terminal that is slow, or a paste without its marks, hands over all at once.
#[test]
fn words_and_the_press_that_keeps_them_may_come_together() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    let keys = Key::parse_chord("& m o v e d enter").expect("keys that exist");
    app.update_all(keys.into_iter().map(Message::Key));
    assert!(app.overlay.is_none());
    assert_eq!(app.projects.filter(), "moved");
    assert_eq!(app.projects.rows().len(), 1);
}

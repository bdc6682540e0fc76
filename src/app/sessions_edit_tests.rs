use std::path::Path;

use super::*;
use crate::app::fixture::{app, here, press, session_page};
use crate::app::message::Effect;
use crate::transcript::conversation::Said;

#[test]
fn a_session_is_opened_at_its_end_and_left_layer_by_layer() {
    let mut app = app(120, 40);
    press(&mut app, "6");
    assert_eq!(app.sessions.rows().len(), 3);
    press(&mut app, "enter");
    assert!(app.session.is_some());
    press(&mut app, "w");
    assert!(
        app.proof
            .as_ref()
            .is_some_and(|proof| proof.rows().len() > 5)
    );
    press(&mut app, "esc");
    assert!(app.proof.is_none() && app.session.is_some());
    press(&mut app, "esc");
    assert!(app.session.is_none());
    assert_eq!((app.tab, app.focus), (Tab::Sessions, Pane::Main));
    press(&mut app, "esc");
    assert_eq!(app.focus, Pane::Tree);
}

#[test]
fn words_are_found_in_all_that_is_listed_and_a_hit_opens_its_session() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "6 / l o c k enter");
    let paths = effects.iter().find_map(|effect| match effect {
        Effect::SearchSessions { words, paths, .. } if words == "lock" => Some(paths.len()),
        _ => None,
    });
    assert_eq!(paths, Some(4));
    assert_eq!(app.sessions.rows().len(), 2);
    press(&mut app, "enter");
    let query = app.session.as_ref().and_then(|it| it.query.clone());
    assert_eq!(query.map(|(words, _)| words).as_deref(), Some("lock"));
    // What is folded away unfolds.
    press(&mut app, "g g n");
    let text = |app: &App| {
        let held = app.session.as_ref().unwrap();
        held.rows()[held.list.cursor].text.clone()
    };
    assert_eq!(text(&app), "A lock was held.");
    press(&mut app, "n");
    assert_eq!(text(&app), "The migration failed once; a lock was held.");
    press(&mut app, "N");
    assert_eq!(text(&app), "A lock was held.");
    press(&mut app, "esc esc");
    assert_eq!(app.sessions.rows().len(), 3);
}

#[test]
fn from_a_memory_to_the_turn_that_read_it_and_back() {
    let mut app = app(120, 40);
    let folder = here().folder;
    assert!(app.tree.reveal(&folder, "db-migration-needs-backup.md"));
    let memory = app.tree.row().and_then(|row| app.tree.file(row)).unwrap();
    press(&mut app, "o");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("no turn is offered: {:?}", app.notice);
    };
    assert!(
        choice.answers[0].0.starts_with("read     turn 1"),
        "{choice:?}"
    );
    press(&mut app, "enter");
    let reading = app.session.as_ref().unwrap();
    assert!(
        reading.rows()[reading.list.cursor]
            .text
            .starts_with("Read ")
    );
    press(&mut app, "o");
    assert_eq!(app.tab, Tab::Memory);
    press(&mut app, "6 backspace");
    assert_eq!(app.tab, Tab::Memory, "back to where the jump began");
    let now = app.tree.row().and_then(|row| app.tree.file(row)).unwrap();
    assert_eq!(now, memory);
}

#[test]
fn a_session_is_exported_to_a_new_file_and_rescued() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "6 x enter");
    assert!(effects.iter().any(|effect| matches!(
        effect,
        Effect::ExportSession { file, .. } if *file == Path::new("session-3f1c0a52-7d11.md")
    )));
    let effects = press(&mut app, "R");
    let back = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Rescue { back, .. }) => Some(*back),
        _ => None,
    });
    assert_eq!(back, Some(false));
    let effects = press(&mut app, "G R");
    let back = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Rescue { back, .. }) => Some(*back),
        _ => None,
    });
    assert_eq!(back, Some(true), "of one that only we have, back");
}

fn go_to_proof_row(app: &mut App, begins: &str) {
    let proof = app.proof.as_mut().expect("what was sent is shown");
    let at = proof
        .rows()
        .iter()
        .position(|row| row.text.trim_start().starts_with(begins));
    let length = proof.rows().len();
    proof.list.go(at.expect("there is such a row"), length);
}

#[test]
fn from_what_was_sent_to_the_memory_to_the_turn_and_to_the_list() {
    let mut app = app(120, 40);
    press(&mut app, "6 w");
    go_to_proof_row(&mut app, "✓ read 1×");
    press(&mut app, "o");
    assert_eq!(app.tab, Tab::Memory);
    let now = app.tree.row().and_then(|row| app.tree.file(row)).unwrap();
    assert_eq!(now.file, "db-migration-needs-backup.md");
    press(&mut app, "backspace");
    assert!(app.tab == Tab::Sessions && app.proof.is_some(), "and back");
    go_to_proof_row(&mut app, "turn 1");
    press(&mut app, "enter");
    let reading = app.session.as_ref().unwrap();
    let row = &reading.rows()[reading.list.cursor];
    assert!(row.text.starts_with("Read "), "{row:?}");
    press(&mut app, "esc");
    assert!(app.proof.is_some() && app.session.is_none());
    // Words are not asked for there.
    press(&mut app, "/");
    assert!(app.overlay.is_none());
    press(&mut app, "6");
    assert!(app.proof.is_none() && app.session.is_none());
    assert_eq!(app.sessions.rows().len(), 3);
}

#[test]
fn what_was_sent_of_a_file_is_unfolded_and_compared() {
    let mut app = app(120, 40);
    press(&mut app, "6 w");
    let rows = |app: &App| -> Vec<String> {
        let rows = app.proof.as_ref().unwrap().rows().iter();
        rows.map(|row| row.text.trim().to_string()).collect()
    };
    let before = rows(&app).len();
    go_to_proof_row(&mut app, "✓ whole");
    press(&mut app, "enter");
    let shown = rows(&app);
    for line in [
        "Use the shop's own words.",
        "- Never deploy on a Friday.",
        "+ Never deploy after noon.",
    ] {
        assert!(shown.contains(&line.to_string()), "{shown:#?}");
    }
    press(&mut app, "enter");
    assert_eq!(rows(&app).len(), before);
    go_to_proof_row(&mut app, "✗ not loaded");
    press(&mut app, "enter");
    let shown = rows(&app);
    assert!(shown.contains(&"Answer shortly.".to_string()), "{shown:#?}");
}

#[test]
fn from_a_session_to_a_memory_and_back_and_its_path_is_copied() {
    let mut app = app(120, 40);
    let copied = |effects: Vec<Effect>| {
        effects.into_iter().find_map(|effect| match effect {
            Effect::Copy { text, .. } => Some(text),
            _ => None,
        })
    };
    let path =
        "/home/ada/.claude/projects/-work-shop-web/3f1c0a52-7d11-4c0e-9a55-0d4c5b1e2a01.jsonl";
    let effects = press(&mut app, "6 y");
    assert_eq!(copied(effects).as_deref(), Some(path));
    let effects = press(&mut app, "enter y");
    assert_eq!(copied(effects).as_deref(), Some(path));
    let reading = app.session.as_mut().unwrap();
    let at = reading
        .rows()
        .iter()
        .position(|row| row.text.starts_with("Read "));
    let length = reading.rows().len();
    reading.list.go(at.unwrap(), length);
    assert_eq!(reading.time().as_deref(), Some("2027-01-14 08:00:11 UTC"));
    press(&mut app, "o");
    assert_eq!(app.tab, Tab::Memory);
    press(&mut app, "ctrl-o");
    assert_eq!(app.tab, Tab::Sessions);
    assert_eq!(app.session.as_ref().map(|it| it.list.cursor), at);
}

#[test]
fn reload_reads_what_is_open_of_a_session_anew_where_the_cursor_stands() {
    let mut app = app(120, 40);
    press(&mut app, "6 enter");
    let asks = |effects: &[Effect]| -> Vec<Ask> {
        let asks = effects.iter().filter_map(|effect| match effect {
            Effect::ReadSession { ask, .. } => Some(ask.clone()),
            _ => None,
        });
        asks.collect()
    };
    assert_eq!(asks(&press(&mut app, "ctrl-l")), [Ask::Last]);
    press(&mut app, "g g j j");
    let before = app.session.as_ref().unwrap().list;
    let at = app.session.as_ref().unwrap().at().unwrap();
    let asked = asks(&press(&mut app, "ctrl-l"));
    let reading = app.session.as_ref().unwrap();
    assert_eq!(asked, [Ask::Around(at)]);
    assert_eq!(
        (reading.list.cursor, reading.at()),
        (before.cursor, Some(at))
    );
    // And what was sent to it.
    press(&mut app, "w");
    let is_proof = |effect: &Effect| matches!(effect, Effect::ReadProof { .. });
    assert!(press(&mut app, "ctrl-l").iter().any(is_proof));
    assert!(app.proof.as_ref().is_some_and(|proof| !proof.is_reading()));
}

#[test]
fn a_turn_is_the_prompts_before_it_and_the_one_it_is_in() {
    let mut app = app(120, 40);
    press(&mut app, "6 enter");
    let read = app.sessions.read().unwrap();
    let one = read.sessions[0].clone();
    // The one that was taken back is a turn too.
    assert_eq!(one.turns.len(), 3);
    assert_eq!(one.turn_at(one.turns[0]), Some(1));
    assert_eq!(one.turn_at(one.turns[1] - 1), Some(1));
    assert_eq!(one.turn_at(u64::MAX), Some(3));
    let late = crate::app::sessions_view::Session {
        turns: vec![9],
        ..one
    };
    assert_eq!(late.turn_at(8), None);
    assert_eq!(app.turn_here(), Some(3));
    press(&mut app, "g g");
    assert_eq!(app.turn_here(), Some(1));
}

#[test]
fn of_several_memories_that_were_recalled_one_is_chosen() {
    let mut app = app(120, 40);
    press(&mut app, "6 enter");
    // The same session, in which a second one came along.
    let mut effects = Vec::new();
    app.ask_session(Ask::First, &mut effects);
    let Some(Effect::ReadSession { id, .. }) = effects.pop() else {
        panic!("{effects:?}");
    };
    let mut page = session_page(&Ask::First);
    let other = here().folder.join("likes-short-answers.md");
    for item in &mut page.items {
        if let Said::Files { paths, .. } = &mut item.said {
            paths.push(other.to_string_lossy().into_owned());
        }
    }
    app.take_session_page(id, Ok(Box::new(page)));
    let reading = app.session.as_mut().unwrap();
    let recalled = |row: &crate::app::session_rows::Row| row.text.starts_with("↺ recalled");
    reading.list.cursor = reading.rows().iter().position(recalled).unwrap();
    press(&mut app, "o");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("{:?}", app.notice);
    };
    let said: Vec<&str> = choice.answers.iter().map(|(said, _)| &**said).collect();
    assert_eq!(said.len(), 2);
    assert!(said[1].ends_with("likes-short-answers.md"), "{said:?}");
    press(&mut app, "j enter");
    assert_eq!(app.tab, Tab::Memory);
    let at = app.chosen_memory().unwrap();
    assert_eq!(at.file, "likes-short-answers.md");
    press(&mut app, "backspace");
    assert_eq!(app.tab, Tab::Sessions);
}

#[test]
fn what_is_shown_is_not_named_again() {
    let mut app = app(120, 40);
    press(&mut app, "6 enter");
    assert!(app.can(Action::SessionProof));
    press(&mut app, "w");
    assert!(!app.can(Action::SessionProof));
}

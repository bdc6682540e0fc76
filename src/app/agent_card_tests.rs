use std::path::PathBuf;

use super::*;
use crate::app::action::Scope;
use crate::app::fixture::{app, press};
use crate::app::key::Key;
use crate::app::message::{AgentTold, Message};
use crate::base::time::Moment;
use crate::engine::drive::Event;
use crate::store::draft::Draft;
use crate::turn::overlay::{FileChange, Proposal};

const PROPOSED: &str = "---\nname: two\n---\n\nIt is so.\n";

fn folder() -> PathBuf {
    crate::app::fixture::here().folder
}

fn proposal(id: &str, files: &[(&str, Option<&str>)]) -> Proposal {
    let file = |(name, after): &(&str, Option<&str>)| FileChange {
        path: folder().join(name),
        before: None,
        after: after.map(str::to_string),
        keeps_age: false,
    };
    Proposal {
        id: id.to_string(),
        title: format!("new {id}"),
        files: files.iter().map(file).collect(),
        by: crate::store::change::Author::Agent,
    }
}

fn told(app: &mut App, told: AgentTold) -> Vec<Effect> {
    app.update(Message::Agent(Box::new(told)))
}

/// The agent has proposed this, and the cursor is in what was said.
fn proposed(files: &[(&str, Option<&str>)]) -> App {
    let mut app = app(120, 40);
    press(&mut app, "a");
    let event = Event::Proposed(proposal("c1", files));
    told(&mut app, AgentTold::Turn(event));
    app.settle(crate::app::Measured::default());
    press(&mut app, "esc");
    assert_eq!(app.scope(), Scope::Agent);
    app
}

/// Presses keys; drafts are found as told.
fn open(app: &mut App, key: &str, drafts: Vec<Draft>) {
    let effects = app.update(Message::Key(Key::parse(key).expect("a key")));
    let open = effects.into_iter().find_map(|effect| match effect {
        Effect::Write(Order::OpenDrafts { id, at }) => Some((id, at)),
        _ => None,
    });
    let (id, at) = open.expect("its drafts are read");
    let read = Ok(Box::new(Editable {
        bytes: None,
        modified: None,
        drafts,
    }));
    app.update(Message::Editable { id, at, read });
}

fn wishes(effects: &[Effect]) -> Vec<&Wish> {
    let wish = |effect| match effect {
        &Effect::Agent(AgentWish::Decide { ref wish, .. }) => Some(wish),
        _ => None,
    };
    effects.iter().filter_map(wish).collect()
}

fn kept(effects: &[Effect]) -> Vec<&Draft> {
    let kept = effects.iter().filter_map(|effect| match effect {
        Effect::Write(Order::KeepDraft { draft, .. }) => Some(&**draft),
        _ => None,
    });
    kept.collect()
}

fn dropped(effects: &[Effect]) -> usize {
    let is_drop = |effect: &&Effect| matches!(effect, Effect::Write(Order::DropDraft(_)));
    effects.iter().filter(is_drop).count()
}

fn typed(app: &App) -> String {
    let editor = app.editor.as_ref().expect("it is edited");
    editor.edited().expect("it can be written")
}

#[test]
fn a_card_is_changed_and_what_was_typed_is_written() {
    let mut app = proposed(&[("two.md", Some(PROPOSED))]);
    open(&mut app, "e", Vec::new());
    assert_eq!((typed(&app).as_str(), app.focus), (PROPOSED, Pane::Main));
    press(&mut app, "N o : space");
    let effects = press(&mut app, "ctrl-s");
    let text = PROPOSED.replace("It is", "No: It is");
    assert_eq!(wishes(&effects), [&Wish::Edit(vec![Some(text.clone())])]);
    // Nothing else writes it.
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::Write(Order::Apply { .. })))
    );
    let draft = kept(&effects)[0].clone();
    assert_eq!((draft.text, draft.path), (text, folder().join("two.md")));
    assert_eq!((app.focus, app.scope()), (Pane::Agent, Scope::Agent));
    // The draft goes when it is written, not before.
    let effects = told(&mut app, AgentTold::Undecided("it can't be".to_string()));
    assert_eq!(dropped(&effects), 0);
    let decided = |decision| Decided {
        all: vec![(proposal("c1", &[("two.md", Some(PROPOSED))]), decision)],
        key: None,
        notices: Vec::new(),
    };
    let effects = told(&mut app, AgentTold::Decided(decided(Decision::Edited)));
    assert_eq!(dropped(&effects), 1);
}

#[test]
fn a_card_that_is_left_waits_as_it_was_and_what_was_typed_is_there_again() {
    let mut app = proposed(&[("two.md", Some(PROPOSED))]);
    open(&mut app, "e", Vec::new());
    let effects = press(&mut app, "esc");
    assert!(wishes(&effects).is_empty() && kept(&effects).is_empty() && app.editor.is_none());
    assert_eq!(app.agent.talk.waiting().count(), 1);
    open(&mut app, "e", Vec::new());
    press(&mut app, "X");
    let effects = press(&mut app, "esc");
    let draft = kept(&effects)[0].clone();
    assert!(wishes(&effects).is_empty());
    assert_eq!(
        (app.scope(), app.agent.talk.waiting().count()),
        (Scope::Agent, 1)
    );
    // A draft of the file itself is not taken for one of the card.
    let other = Draft {
        base: "another".to_string(),
        text: "of the file".to_string(),
        ..draft.clone()
    };
    open(&mut app, "e", vec![other, draft]);
    assert_eq!(typed(&app), PROPOSED.replace("It is", "XIt is"));
    press(&mut app, "ctrl-x j enter");
    assert!(app.editor.is_none() && app.scope() == Scope::Agent);
    // After a crash it is asked what becomes of it.
    let of_a_crash = Draft {
        v: 1,
        path: folder().join("two.md"),
        base: sha256(PROPOSED.as_bytes()),
        text: PROPOSED.replace("It is so", "As typed"),
        cursor: (0, 0),
        time: Moment::from_seconds(0).rfc3339(),
    };
    open(&mut app, "e", vec![of_a_crash]);
    press(&mut app, "enter");
    assert_eq!(typed(&app), PROPOSED.replace("It is so", "As typed"));
}

#[test]
fn of_many_files_one_is_chosen_and_the_others_stay_as_proposed() {
    let files = [
        ("two.md", Some(PROPOSED)),
        ("old.md", None),
        ("MEMORY.md", Some("- [two](two.md) — so\n")),
    ];
    let mut app = proposed(&files);
    press(&mut app, "e");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("{:?}", app.overlay)
    };
    let names: Vec<&str> = choice
        .answers
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["two.md", "MEMORY.md"]);
    press(&mut app, "j");
    open(&mut app, "enter", Vec::new());
    press(&mut app, "X");
    let effects = press(&mut app, "ctrl-s");
    let line = "X- [two](two.md) — so\n".to_string();
    assert_eq!(
        wishes(&effects),
        [&Wish::Edit(vec![None, None, Some(line)])]
    );
}

#[test]
fn nothing_changed_decides_nothing_and_the_change_is_shown_first_where_that_is_asked() {
    let mut app = proposed(&[("two.md", Some(PROPOSED))]);
    open(&mut app, "e", Vec::new());
    let effects = press(&mut app, "ctrl-s");
    assert!(wishes(&effects).is_empty());
    assert_eq!(app.agent.talk.waiting().count(), 1);
    open(&mut app, "e", Vec::new());
    press(&mut app, "X ctrl-g");
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    let effects = press(&mut app, "enter");
    assert_eq!(wishes(&effects).len(), 1);
}

#[test]
fn a_persons_own_editor_changes_it_as_well() {
    let mut app = proposed(&[("two.md", Some(PROPOSED))]);
    let effects = app.update(Message::Key(Key::char('E')));
    let lent = effects.into_iter().find_map(|effect| match effect {
        Effect::EditOutside { at, bytes } => Some((at, bytes)),
        _ => None,
    });
    let (at, before) = lent.expect("it is lent");
    assert_eq!(
        (at.file.as_str(), before.as_slice()),
        ("two.md", PROPOSED.as_bytes())
    );
    let left = |edited: &[u8]| Message::EditedOutside {
        at: at.clone(),
        before: before.clone(),
        edited: Ok(edited.to_vec()),
    };
    let effects = app.update(left(b"Other.\n"));
    let other = Wish::Edit(vec![Some("Other.\n".to_string())]);
    assert_eq!(wishes(&effects), [&other]);
    app.update(Message::Key(Key::char('E')));
    let effects = app.update(left(b"\xff"));
    assert!(
        effects
            .iter()
            .all(|effect| !matches!(effect, Effect::Write(Order::Apply { .. })))
    );
    assert!(wishes(&effects).is_empty());
}

#[test]
fn without_a_card_there_is_nothing_to_edit() {
    let mut app = app(120, 40);
    press(&mut app, "a W h e n ? enter esc x e");
    assert!(app.editor.is_none() && app.overlay.is_none());
}

use super::*;
use crate::app::fixture::{app, here, press};
use crate::app::key::Key;
use crate::app::message::Message;

fn kept(effects: &[Effect]) -> Vec<&Draft> {
    let kept = effects.iter().filter_map(|effect| match effect {
        Effect::Write(Order::KeepDraft { draft, .. }) => Some(&**draft),
        _ => None,
    });
    kept.collect()
}

fn dropped(effects: &[Effect]) -> Vec<&Draft> {
    let dropped = effects.iter().filter_map(|effect| match effect {
        Effect::Write(Order::DropDraft(draft)) => Some(&**draft),
        _ => None,
    });
    dropped.collect()
}

#[test]
fn what_is_typed_is_kept_and_goes_when_it_is_sent() {
    let mut app = app(120, 40);
    press(&mut app, "a W h y");
    assert!(app.wants_draft());
    let effects = app.update(Message::KeepDue);
    let draft = kept(&effects)[0].clone();
    assert_eq!(
        (draft.text.as_str(), draft.cursor, draft.path),
        ("Why", (0, 3), here().folder.join(QUESTION_FILE))
    );
    // Nothing more is to be done while nothing more is typed.
    assert!(!app.wants_draft());
    let effects = press(&mut app, "? enter");
    assert_eq!(dropped(&effects).len(), 1);
    assert!(!app.wants_draft());
}

#[test]
fn leaving_the_question_or_the_program_keeps_it_at_once() {
    let mut app = app(120, 40);
    press(&mut app, "a W h y");
    let effects = app.update(Message::Key(Key::parse("esc").expect("a key")));
    assert_eq!(kept(&effects).len(), 1);
    press(&mut app, "a N o t");
    assert_eq!(kept(&app.leave())[0].text, "WhyNot");
    // Given up, it is gone.
    let effects = press(&mut app, "ctrl-c");
    assert_eq!(dropped(&effects).len(), 1);
}

#[test]
fn a_paste_is_kept_as_well() {
    let mut app = app(120, 40);
    press(&mut app, "a");
    app.update(Message::Paste("one\ntwo".to_string()));
    assert_eq!(kept(&app.update(Message::KeepDue))[0].text, "one\ntwo");
}

#[test]
fn a_question_of_a_run_that_ended_is_back_when_the_agent_is_shown() {
    let mut app = app(120, 40);
    let path = here().folder.join(QUESTION_FILE);
    app.update(Message::Drafts(vec![path.clone()]));
    let effects = app.update(Message::Key(Key::parse("a").expect("a key")));
    let asked = effects.into_iter().find_map(|effect| match effect {
        Effect::Write(Order::OpenDrafts { id, at }) => Some((id, at)),
        _ => None,
    });
    let (id, at) = asked.expect("it is read");
    // What is pressed meanwhile goes behind it.
    app.update(Message::Key(Key::parse("?").expect("a key")));
    let draft = Draft {
        v: 1,
        path,
        base: String::new(),
        text: "Is it\nso".to_string(),
        cursor: (1, 2),
        time: String::new(),
    };
    let read = Ok(Box::new(Editable {
        bytes: None,
        modified: None,
        drafts: vec![draft],
    }));
    app.update(Message::Editable { id, at, read });
    assert_eq!(app.agent.input.text(), "Is it\nso?");
    let effects = press(&mut app, "enter");
    assert_eq!(dropped(&effects).len(), 1);
}

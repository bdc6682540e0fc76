use super::*;
use crate::app::fixture::{answer, app, press, session_list};
use crate::app::message::Message;
use crate::app::sessions_view::{Session, UnderWay};

fn reads(effects: &[Effect]) -> Vec<u64> {
    let ids = effects.iter().filter_map(|effect| match effect {
        Effect::ReadSessions { id } => Some(*id),
        _ => None,
    });
    ids.collect()
}

fn watches(effects: &[Effect]) -> Vec<bool> {
    let watches = effects.iter().filter_map(|effect| match effect {
        Effect::Watch { sessions, .. } => Some(*sessions),
        _ => None,
    });
    watches.collect()
}

fn chosen(app: &App) -> String {
    let chosen = app.sessions.chosen().map(|(one, _)| one.id.clone());
    chosen.expect("one is under the cursor")
}

#[test]
fn transcripts_are_watched_before_they_are_read_and_only_while_they_are_shown() {
    let mut app = app(120, 40);
    let effects = app.update(Message::SessionsChanged);
    assert_eq!((reads(&effects).len(), watches(&effects).len()), (0, 0));
    let effects = press(&mut app, "6");
    let kinds: Vec<&str> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Watch { sessions: true, .. } => Some("watch"),
            Effect::ReadSessions { .. } => Some("read"),
            _ => None,
        })
        .collect();
    assert_eq!(kinds, ["watch", "read"]);
    // Usage is of the same; nothing else shows them, and what changed meanwhile is not known.
    assert_eq!(watches(&press(&mut app, "7")), [] as [bool; 0]);
    assert_eq!(watches(&press(&mut app, "1")), [false]);
    assert_eq!(reads(&app.update(Message::SessionsChanged)).len(), 0);
    app.tab = Tab::Sessions;
    let effects = app.update(Message::Focused);
    assert_eq!(watches(&effects), [true]);
    assert_eq!(reads(&effects).len(), 1);
}

#[test]
fn what_changes_is_read_again_once_and_the_cursor_stays_on_its_session() {
    let mut app = app(120, 40);
    press(&mut app, "6 j");
    let before = chosen(&app);
    let effects = app.update(Message::SessionsChanged);
    let [id] = reads(&effects)[..] else {
        panic!("{effects:?}");
    };
    // While it is read nothing else is.
    assert_eq!(reads(&app.update(Message::SessionsChanged)).len(), 0);
    let mut read = session_list();
    let newest = Session {
        path: "/new.jsonl".into(),
        id: "new".to_string(),
        last: Some(app.now),
        ..read.sessions[0].clone()
    };
    read.sessions.insert(0, newest);
    let effects = app.update(Message::Sessions {
        id,
        read: Box::new(read),
    });
    assert_eq!((app.sessions.rows().len(), chosen(&app)), (4, before));
    assert_eq!(app.sessions.list.cursor, 2);
    // What changed meanwhile is read after that, and then nothing more.
    assert_eq!(reads(&effects).len(), 1);
    answer(&mut app, effects);
    assert_eq!(app.sessions.rows().len(), 3);
    assert!(!app.sessions.is_reading());
}

#[test]
fn a_session_that_is_open_is_looked_at_again() {
    let mut app = app(120, 40);
    press(&mut app, "6 enter");
    let effects = app.update(Message::SessionsChanged);
    let asks = effects.iter().filter(|effect| {
        matches!(
            effect,
            Effect::ReadSession {
                ask: Ask::Grown(_),
                ..
            }
        )
    });
    assert_eq!(asks.count(), 1);
    answer(&mut app, effects);
    assert!(app.session.as_ref().is_some_and(|it| !it.is_reading()));
    assert_eq!(app.update(Message::Focused).len(), 0, "and only once");
}

#[test]
fn a_long_reading_is_told_of_and_stopped_and_goes_on_only_when_it_is_asked_to() {
    for (show, stop) in [("6", "esc"), ("7", "ctrl-c")] {
        let mut app = app(120, 40);
        press(&mut app, show);
        let [id] = reads(&app.update(Message::SessionsChanged))[..] else {
            panic!("it is read");
        };
        let way = UnderWay {
            read: 43,
            of: 100,
            left: Some(12),
        };
        app.update(Message::SessionsUnderWay { id: id + 100, way });
        assert_eq!(app.sessions.way(), None, "another's");
        app.update(Message::SessionsUnderWay { id, way });
        assert_eq!(app.sessions.way(), Some(way));
        let key = crate::app::key::Key::parse(stop).expect("a key");
        let effects = app.update(Message::Key(key));
        assert!(effects.contains(&Effect::StopSessions), "{effects:?}");
        let mut read = session_list();
        read.unread = 2;
        let read = Box::new(read);
        let effects = app.update(Message::Sessions { id, read });
        assert_eq!((reads(&effects).len(), app.sessions.way()), (0, None));
        assert_eq!((app.sessions.unread(), app.sessions.can_stop()), (2, false));
        assert_eq!(reads(&app.update(Message::SessionsChanged)).len(), 0);
        assert_eq!(reads(&press(&mut app, show)).len(), 1);
        assert_eq!(app.sessions.unread(), 0);
    }
}

#[test]
fn what_a_reading_takes_still_is_estimated() {
    let way = |read, of, millis| UnderWay::new(read, of, std::time::Duration::from_millis(millis));
    assert_eq!(way(25, 100, 2_000).left, Some(6));
    assert_eq!(
        (way(25, 100, 2_000).percent(), way(3, 2, 1).percent()),
        (25, 100)
    );
    assert_eq!(
        (way(25, 100, 100).left, way(0, 100, 2_000).left),
        (None, None)
    );
    assert_eq!((way(0, 0, 900).left, way(0, 0, 900).percent()), (None, 0));
}

#[test]
fn of_an_open_session_that_is_gone_it_is_told() {
    let mut app = app(120, 40);
    press(&mut app, "6 enter");
    let ask = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::ReadSession { id, .. } => Some(*id),
            _ => None,
        })
    };
    let id = ask(&app.update(Message::SessionsChanged)).expect("it is looked at");
    let page = Err("/s.jsonl can't be read: it is gone".to_string());
    app.update(Message::SessionPage { id, page });
    let said = format!("{:?}", app.notice);
    assert!(said.contains("can't be read: it is gone"), "{said}");
}

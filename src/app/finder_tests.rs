use super::*;
use crate::app::action::Scope;
use crate::app::fixture::{answer, app, found, measure, press};
use crate::app::key::Key;
use crate::app::message::Message;

fn finder(app: &App) -> &Finder {
    match &app.overlay {
        Some(Overlay::Finder(finder)) => finder,
        other => panic!("no finder: {other:?}"),
    }
}

fn searches(effects: &[Effect]) -> Vec<&str> {
    let mut found = Vec::new();
    for effect in effects {
        if let Effect::Search { words, .. } = effect {
            found.push(words.as_str());
        }
    }
    found
}

/// Types without an answer.
fn type_only(app: &mut App, text: &str) -> Vec<Effect> {
    app.update_all(text.chars().map(|c| Message::Key(Key::char(c))))
}

#[test]
fn what_is_typed_at_once_is_searched_once_and_the_cursor_alone_searches_nothing() {
    let mut app = app(120, 40);
    press(&mut app, "/");
    let effects = type_only(&mut app, "snap shot");
    assert_eq!(searches(&effects), ["snap shot"]);
    let more = type_only(&mut app, " ");
    assert_eq!(searches(&more), [] as [&str; 0]);
    answer(&mut app, effects);
    assert_eq!(finder(&app).found.total(), 4);
    let effects = press(&mut app, "down");
    assert!(
        matches!(effects[..], [Effect::Preview { line: 10, .. }]),
        "{effects:?}"
    );
}

#[test]
fn old_hits_stay_until_the_new_come_and_late_answers_are_dropped() {
    let mut app = app(120, 40);
    press(&mut app, "/ s n a p");
    let effects = type_only(&mut app, "q");
    assert_eq!(
        (finder(&app).found.hits.len(), finder(&app).searching),
        (4, true)
    );
    let Effect::Search { id, .. } = effects[0] else {
        panic!("{effects:?}");
    };
    let found_of = |id, found: Hits, done| Message::Found {
        id,
        found: Box::new(found),
        done,
    };
    app.update(found_of(id - 1, Hits::default(), true));
    app.update(found_of(id, Hits::default(), false));
    assert_eq!(finder(&app).found.hits.len(), 4);
    app.update(found_of(id, Hits::default(), true));
    assert_eq!(
        (finder(&app).found.hits.len(), finder(&app).searching),
        (0, false)
    );
}

#[test]
fn the_rule_between_exact_and_similar_hits_is_stepped_over() {
    let mut app = app(120, 40);
    press(&mut app, "/ s n a p down down");
    assert_eq!(finder(&app).row(2), Row::Hit(2));
    assert_eq!(finder(&app).row(3), Row::Rule);
    press(&mut app, "down");
    assert_eq!(finder(&app).list.cursor, 4);
    assert!(!finder(&app).chosen().unwrap().hit.exact);
    press(&mut app, "ctrl-p");
    assert_eq!(finder(&app).list.cursor, 2);
    press(&mut app, "pgdn");
    assert_eq!(finder(&app).list.cursor, 4);
    press(&mut app, "pgup pgup");
    assert_eq!(finder(&app).list.cursor, 0);
}

#[test]
fn a_moved_cursor_stays_on_its_hit_while_more_come_in() {
    let mut app = app(120, 40);
    press(&mut app, "/");
    let effects = type_only(&mut app, "snap");
    let Effect::Search { id, .. } = effects[0] else {
        panic!("{effects:?}");
    };
    let mut some = found("snap");
    some.hits.remove(0);
    app.update(Message::Found {
        id,
        found: Box::new(some),
        done: false,
    });
    press(&mut app, "down");
    let chosen = finder(&app).chosen().cloned();
    app.update(Message::Found {
        id,
        found: Box::new(found("snap")),
        done: true,
    });
    assert_eq!(finder(&app).chosen().cloned(), chosen);
    assert_eq!(finder(&app).list.cursor, 2);
}

#[test]
fn enter_opens_the_hit_in_its_project_and_esc_ends_the_search() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "/ s n a p enter");
    assert!(effects.contains(&Effect::EndSearch));
    assert_eq!((app.overlay.is_none(), app.scope()), (true, Scope::Memory));
    let state = app.tree.current().unwrap();
    assert_eq!((&*state.shelf.key, state.open), ("-work-api-gateway", true));
    let file = app.tree.row().and_then(|row| app.tree.file(row)).unwrap();
    assert_eq!(file.file, "db-migration-needs-backup.md");
    let effects = press(&mut app, "/ x esc");
    assert!(app.overlay.is_none() && effects.contains(&Effect::EndSearch));
    assert_eq!(press(&mut app, "j"), []);
}

#[test]
fn enter_before_the_answer_opens_the_best_hit_when_it_comes() {
    let mut app = app(120, 40);
    press(&mut app, "/");
    let keys = "snap".chars().map(Key::char).chain(Key::parse("enter"));
    let effects = app.update_all(keys.map(Message::Key));
    assert_eq!(searches(&effects), ["snap"]);
    assert_eq!(app.scope(), Scope::Finder);
    answer(&mut app, effects);
    measure(&mut app);
    assert_eq!(app.scope(), Scope::Memory);
    assert!(app.notice.is_none(), "the wait is over");
    assert_eq!(app.tree.current().unwrap().shelf.key, "-work-api-gateway");
}

#[test]
fn n_and_shift_n_go_through_the_hits_of_the_page() {
    let mut app = app(120, 14);
    press(&mut app, "j j j enter n");
    assert!(
        format!("{:?}", app.notice).contains("nothing was searched"),
        "{:?}",
        app.notice
    );
    press(&mut app, "esc / s n a p enter");
    app.reading.hits.take(vec![2, 12, 30]);
    for (key, said, scroll) in [
        ("n", "hit 1 of 3", 0),
        ("n", "hit 2 of 3", 9),
        ("n", "hit 3 of 3", 27),
    ] {
        press(&mut app, key);
        assert!(
            format!("{:?}", app.notice).contains(said),
            "{:?}",
            app.notice
        );
        assert_eq!(app.reading.scroll, scroll, "{key}");
    }
    press(&mut app, "N");
    assert!(format!("{:?}", app.notice).contains("hit 2 of 3"));
}

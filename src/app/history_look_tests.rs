use super::*;
use crate::app::fixture::{app, press};

fn past(app: &App) -> &PastChange {
    match &app.overlay {
        Some(Overlay::Past(past)) => past,
        other => panic!("no change is shown: {other:?}"),
    }
}

fn undone(effects: &[Effect]) -> Option<String> {
    effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Undo { key, .. }) => key.clone(),
        _ => None,
    })
}

#[test]
fn enter_shows_what_a_change_did_and_u_takes_it_back_from_there() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "4 G enter");
    assert_eq!(undone(&effects), None);
    assert_eq!(past(&app).key.as_deref(), Some("k1"));
    assert_eq!(past(&app).title, "trash old-plan");
    assert!(!past(&app).undone);
    assert_eq!(undone(&press(&mut app, "U")).as_deref(), Some("k1"));
    assert!(app.overlay.is_none());
}

#[test]
fn what_is_taken_back_already_is_shown_and_not_taken_back_again() {
    let mut app = app(120, 40);
    press(&mut app, "4 G k enter");
    assert_eq!(
        (past(&app).key.as_deref(), past(&app).undone),
        (Some("k2"), true)
    );
    assert_eq!(undone(&press(&mut app, "U")), None);
    press(&mut app, "esc");
    assert!(app.overlay.is_none());
}

#[test]
fn enter_on_the_trash_brings_back() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "4 j enter");
    let restored = effects
        .iter()
        .any(|effect| matches!(effect, Effect::Write(Order::Restore { key, .. }) if key == "k1"));
    assert!(restored, "{effects:?}");
}

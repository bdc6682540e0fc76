use super::*;
use crate::app::fixture::{app, measure, press};
use crate::app::message::Message;

fn point(app: &mut App, x: u16, y: u16, did: MouseDid) -> Vec<Effect> {
    let effects = app.update(Message::Mouse(Mouse { x, y, did }));
    measure(app);
    effects
}

#[test]
fn a_click_focuses_and_selects_and_a_second_one_folds() {
    let mut app = app(120, 40);
    point(&mut app, 60, 10, MouseDid::Press);
    assert_eq!(app.focus, Pane::Main);
    point(&mut app, 5, 4, MouseDid::Press);
    assert_eq!((app.focus, app.tree.list.cursor), (Pane::Tree, 2));
    let rows = app.tree.rows().len();
    point(&mut app, 5, 4, MouseDid::Press);
    assert_eq!(app.tree.rows().len(), rows - 1);
}

#[test]
fn the_wheel_scrolls_what_is_below_it() {
    let mut app = app(120, 12);
    point(&mut app, 5, 5, MouseDid::WheelDown);
    assert_eq!(
        (app.tree.list.offset, app.focus),
        (WHEEL.unsigned_abs(), Pane::Tree)
    );
    point(&mut app, 60, 5, MouseDid::WheelDown);
    assert_eq!(app.reading.scroll, WHEEL.unsigned_abs());
    // Room for the chosen line below the list, so that it moves nothing.
    let mut app = crate::app::fixture::app(120, 17);
    press(&mut app, "2");
    point(&mut app, 60, 5, MouseDid::WheelDown);
    assert_eq!(app.index.list.offset, WHEEL.unsigned_abs());
}

#[test]
fn dragging_the_border_resizes_within_bounds() {
    let mut app = app(120, 40);
    let border = app.pane_area(Pane::Main).x;
    point(&mut app, border, 10, MouseDid::Press);
    point(&mut app, 29, 10, MouseDid::Drag);
    assert_eq!(app.pane_area(Pane::Tree).width, 30);
    point(&mut app, 119, 10, MouseDid::Drag);
    assert_eq!(app.pane_area(Pane::Tree).width, 90);
    point(&mut app, 119, 10, MouseDid::Release);
    point(&mut app, 50, 10, MouseDid::Drag);
    assert_eq!(app.pane_area(Pane::Tree).width, 90);
}

#[test]
fn no_place_is_too_far() {
    let mut app = app(120, 40);
    for did in [
        MouseDid::Press,
        MouseDid::Drag,
        MouseDid::WheelUp,
        MouseDid::Release,
    ] {
        point(&mut app, u16::MAX, u16::MAX, did);
        point(&mut app, 0, u16::MAX, did);
    }
}

#[test]
fn a_click_beside_the_box_closes_it_and_a_switched_off_mouse_does_nothing() {
    let mut app = app(120, 40);
    press(&mut app, "?");
    point(&mut app, 0, 0, MouseDid::Press);
    assert!(app.overlay.is_none());
    assert_eq!(press(&mut app, "F2"), [Effect::Mouse(false)]);
    let before = app.tree.list;
    point(&mut app, 5, 4, MouseDid::Press);
    assert_eq!(app.tree.list, before);
}

#[test]
fn a_second_click_opens_a_session_and_narrows_the_usage() {
    let mut app = app(120, 40);
    press(&mut app, "6");
    let area = app.pane_area(Pane::Main).inside();
    let (x, y) = (area.x + 3, area.y + 2);
    // The first one chooses it, below the head.
    point(&mut app, x, y, MouseDid::Press);
    assert_eq!((app.sessions.list.cursor, app.session.is_none()), (1, true));
    let effects = point(&mut app, x, y, MouseDid::Press);
    let opened = app.session.as_ref().map(|reading| reading.path.clone());
    let wanted = app.sessions.chosen().map(|(one, _)| one.path.clone());
    assert_eq!(opened, wanted);
    assert!(matches!(effects[..], [Effect::ReadSession { .. }]));
    // Below the last row there is nothing.
    press(&mut app, "esc");
    point(&mut app, x, area.y + 20, MouseDid::Press);
    point(&mut app, x, area.y + 20, MouseDid::Press);
    assert_eq!((app.sessions.list.cursor, app.session.is_none()), (1, true));
    press(&mut app, "7 t");
    let y = area.y + u16::try_from(app.usage.above()).unwrap();
    point(&mut app, x, y, MouseDid::Press);
    assert_eq!(app.usage.only().len(), 1);
}

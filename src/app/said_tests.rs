use crate::app::fixture::{app, press};
use crate::app::overlay::Overlay;

#[test]
fn what_was_said_can_be_read_again() {
    let mut app = app(120, 40);
    press(&mut app, "g l");
    assert!(format!("{:?}", app.notice).contains("nothing was said yet"));
    press(&mut app, "x x");
    app.fail("/m/a.md can't be read: gone");
    press(&mut app, "j g l");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert_eq!(choice.lines[0], " now ✗ /m/a.md can't be read: gone");
    assert!(
        choice.lines[1].contains("· x does nothing in the tree"),
        "{:?}",
        choice.lines
    );
    assert_eq!(choice.lines.len(), 3, "the same twice is told once");
    press(&mut app, "enter");
    assert!(app.overlay.is_none());
}

use super::*;
use crate::app::Notice;
use crate::app::fixture::{app, press};
use crate::app::message::Message;

#[test]
fn auto_follows_what_the_terminal_says_and_is_asked_once_a_focus() {
    let mut app = app(80, 24);
    app.look.chosen = "auto".to_string();
    assert_eq!(press(&mut app, "j"), [Effect::AskBackground]);
    assert_eq!(app.look.palette("auto"), Palette::TERMINAL);
    assert_eq!(press(&mut app, "k"), []);
    app.update(Message::Background(Background::Light));
    assert_eq!(app.look.palette("auto"), Palette::LIGHT);
    assert_eq!(app.update(Message::Focused), [Effect::AskBackground]);
    app.update(Message::Background(Background::Dark));
    assert_eq!(app.look.palette("auto"), Palette::DARK);
}

#[test]
fn a_terminal_is_asked_for_no_other_theme() {
    let mut app = app(80, 24);
    assert_eq!(app.update(Message::Focused), []);
    let effects = press(&mut app, "F3 down down");
    assert!(!effects.contains(&Effect::AskBackground));
    // The last one is auto: a look at it is enough.
    assert_eq!(press(&mut app, "down"), [Effect::AskBackground]);
    assert_eq!(press(&mut app, "esc F3 down down down"), []);
}

#[test]
fn where_the_theme_was_kept_is_said_and_why_not_too() {
    let mut app = app(80, 24);
    press(&mut app, "F3 down enter");
    app.update(Message::ThemeKept(Ok(PathBuf::from("/c/config.toml"))));
    let said = "theme dark, kept in /c/config.toml".to_string();
    assert_eq!(app.notice, Some(Notice::Word(said)));
    app.update(Message::ThemeKept(Err("it is full".to_string())));
    let said = "the theme holds until you leave: it is full".to_string();
    assert_eq!(app.notice, Some(Notice::Error(said)));
    assert_eq!(app.theme(), "dark");
}

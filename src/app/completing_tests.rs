use super::*;
use crate::app::action::Action;
use crate::app::fixture::{app, press};
use crate::app::message::Message;

fn prompt(app: &App) -> (&str, Option<&str>) {
    match &app.overlay {
        Some(Overlay::Prompt(prompt)) => (prompt.field.text(), prompt.said.as_deref()),
        other => panic!("a line is typed: {other:?}"),
    }
}

fn way(text: &str, names: &[&str]) -> Completed {
    Completed {
        text: text.to_string(),
        names: names.iter().map(|it| (*it).to_string()).collect(),
    }
}

/// The preview asks for the file that is to be read.
fn asking() -> App {
    let mut app = app(120, 40);
    press(&mut app, "p f");
    press(&mut app, "s r");
    app
}

#[test]
fn tab_asks_for_the_rest_of_a_path_and_takes_it() {
    let mut app = asking();
    assert!(app.can(Action::Complete));
    let effects = press(&mut app, "tab");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Complete { typed, base } => Some((typed.as_str(), base.clone())),
        _ => None,
    });
    // Told from the project of the preview.
    let cwd = app.preview.preview().map(|it| it.asked.cwd.clone());
    assert!(cwd.is_some());
    assert_eq!(asked, Some(("sr", cwd)));
    app.update(Message::Completed {
        typed: "sr".to_string(),
        found: Ok(way("src/", &[])),
    });
    assert_eq!(prompt(&app), ("src/", None));
}

#[test]
fn where_there_are_more_ways_they_are_told_until_something_is_typed() {
    let mut app = asking();
    let ten = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
    for (names, said) in [
        (&ten[..2], "a  b"),
        (&ten[..], "a  b  c  d  e  f  g  h  and 2 more"),
    ] {
        app.update(Message::Completed {
            typed: "sr".to_string(),
            found: Ok(way("sr", names)),
        });
        assert_eq!(prompt(&app), ("sr", Some(said)));
    }
    press(&mut app, "x");
    assert_eq!(prompt(&app), ("srx", None));
    // The answer to what was typed before comes too late.
    app.update(Message::Completed {
        typed: "sr".to_string(),
        found: Ok(way("src/", &[])),
    });
    assert_eq!(prompt(&app), ("srx", None));
    app.update(Message::Completed {
        typed: "srx".to_string(),
        found: Err("nothing begins so".to_string()),
    });
    assert_eq!(prompt(&app), ("srx", Some("nothing begins so")));
}

#[test]
fn what_is_no_path_is_not_completed() {
    let mut app = app(120, 40);
    press(&mut app, "p i");
    press(&mut app, "w h y");
    assert!(!app.can(Action::Complete));
    let effects = press(&mut app, "tab");
    assert!(
        !effects
            .iter()
            .any(|it| matches!(it, Effect::Complete { .. }))
    );
    assert_eq!(prompt(&app), ("why", None));
}

use super::*;
use crate::app::fixture::{app, press};
use crate::app::key::{Code, Key};
use crate::app::message::{Message, Order, Proposed, Unmet};

/// Presses Enter and gives back the id of what is asked to be proposed.
fn enter(app: &mut App) -> u64 {
    let effects = app.update(Message::Key(Key::plain(Code::Enter)));
    let proposed = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Propose { id, .. }) => Some(*id),
        _ => None,
    });
    proposed.expect("something is proposed")
}

fn unmet(said: &str) -> Result<Box<Proposed>, Unmet> {
    Err(Unmet {
        said: said.to_string(),
        name_of: Some(0),
    })
}

fn prompt(app: &App) -> &Prompt {
    match &app.overlay {
        Some(Overlay::Prompt(prompt)) => prompt,
        other => panic!("no line is asked for: {other:?}"),
    }
}

#[test]
fn a_name_that_does_not_do_stays_to_be_mended() {
    let mut app = app(120, 40);
    press(&mut app, "j j j r");
    let before = prompt(&app).field.text().to_string();
    press(&mut app, "X");
    let id = enter(&mut app);
    let folder = app.tree.current().map(|it| it.shelf.folder.clone());
    let taken = folder.unwrap_or_default().join("taken.md");
    app.update(Message::Proposed {
        id,
        proposed: unmet(&format!("{} is already there", taken.display())),
    });
    assert_eq!(prompt(&app).field.text(), format!("{before}X"));
    assert_eq!(
        prompt(&app).said.as_deref(),
        Some("taken.md is already there")
    );
    assert_eq!(app.notice, None, "it is said where it is typed");
    press(&mut app, "y");
    assert_eq!(prompt(&app).said, None);
    press(&mut app, "esc");
    assert!(app.overlay.is_none());
}

#[test]
fn keys_after_a_name_wait_for_its_answer_and_esc_gives_it_up() {
    let mut app = app(120, 40);
    press(&mut app, "j j j r X");
    let id = enter(&mut app);
    app.update(Message::Key(Key::char('q')));
    app.update(Message::Proposed {
        id,
        proposed: unmet("no"),
    });
    assert!(prompt(&app).field.text().ends_with("Xq"), "it was typed on");
    let id = enter(&mut app);
    press(&mut app, "esc");
    app.update(Message::Proposed {
        id,
        proposed: unmet("no"),
    });
    assert!(app.overlay.is_none());
}

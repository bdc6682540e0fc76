use super::*;
use crate::app::Notice;
use crate::app::fixture::{app, press};

fn ids(app: &App) -> Vec<&str> {
    let view = &app.ledger;
    let rows = view.rows().iter().filter_map(|at| view.entry(*at));
    rows.map(|one| &*one.id).collect()
}

fn diff(app: &App) -> String {
    match &app.overlay {
        Some(Overlay::Past(past)) => past.diff.lines().join("\n"),
        other => panic!("no diff: {other:?}"),
    }
}

#[test]
fn it_lists_what_was_sent_newest_first_and_narrows() {
    let mut app = app(120, 40);
    press(&mut app, "8");
    assert_eq!(ids(&app), ["4", "3", "2", "1"]);
    press(&mut app, "A");
    assert_eq!(ids(&app), ["4", "3", "1"]);
    press(&mut app, "A & r e c a l l enter");
    assert_eq!(ids(&app), ["2"]);
    press(&mut app, "esc");
    assert_eq!(ids(&app).len(), 4);
}

#[test]
fn a_request_opens_to_its_parts_and_every_way_leads_back() {
    let mut app = app(120, 40);
    for back in ["esc", "backspace", "ctrl-o", "h"] {
        press(&mut app, "8 enter");
        let open = app.ledger.open.as_ref().expect("it is open");
        assert_eq!((&*open.id, open.parts().len()), ("4", 7));
        press(&mut app, back);
        assert!(app.ledger.open.is_none(), "{back}");
        assert_eq!((app.tab, app.focus), (Tab::Ledger, Pane::Main), "{back}");
    }
    press(&mut app, "esc");
    assert_eq!(app.focus, Pane::Tree);
}

#[test]
fn a_part_unfolds_and_is_copied() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "8 enter j enter y");
    let open = app.ledger.open.as_ref().expect("it is open");
    let unfolded = open.rows().iter().any(|row| {
        matches!(row, PreviewRow::Text { line, .. } if line == "Ask twice before a migration.")
    });
    assert!(unfolded);
    let copied = effects.iter().find_map(|effect| match effect {
        Effect::Copy { text, .. } => Some(text.as_str()),
        _ => None,
    });
    assert_eq!(
        copied,
        Some("Never push on Fridays.\nAsk twice before a migration.\n")
    );
}

#[test]
fn a_request_is_compared_with_the_one_before_it_or_with_the_marked_one() {
    let mut app = app(120, 40);
    press(&mut app, "8 d");
    let said = diff(&app);
    assert!(
        said.contains(
            "there the cached prefix ends, at rule /work/shop-web/CLAUDE.md in messages[0]"
        ),
        "{said}"
    );
    assert!(
        said.contains("-Ask before a migration.\n+Ask twice before a migration."),
        "{said}"
    );
    assert!(!app.can(Action::UndoThis));
    press(&mut app, "esc G d");
    assert!(app.overlay.is_none());
    let said = "it is the first of its session: mark another to compare it with".to_string();
    assert_eq!(app.notice, Some(Notice::Word(said)));
    // The older one is the first of both, whichever was marked.
    press(&mut app, "space g g d");
    let older = diff(&app);
    press(&mut app, "esc space G d");
    assert_eq!(diff(&app), older);
    assert!(older.contains("came: prompt in messages[3]"), "{older}");
}

#[test]
fn what_comes_meanwhile_is_read_again_while_it_is_shown() {
    let mut app = app(120, 40);
    press(&mut app, "8");
    let lists = |effects: &[Effect]| {
        let is_list = |it: &&Effect| matches!(it, Effect::Ledger(LedgerWish::List { .. }));
        effects.iter().filter(is_list).count()
    };
    let changed = || crate::app::message::Message::Ledger(Box::new(LedgerTold::Changed));
    assert_eq!(lists(&app.update(changed())), 1);
    press(&mut app, "7");
    assert_eq!(lists(&app.update(changed())), 0);
    let effects = press(&mut app, "8");
    let watches = effects
        .iter()
        .any(|it| matches!(it, Effect::Watch { ledger: true, .. }));
    assert!(watches);
}

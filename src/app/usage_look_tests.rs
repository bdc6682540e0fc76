use super::*;
use crate::app::fixture::{app, press};
use crate::app::layout::Pane;

fn reads(effects: &[Effect]) -> usize {
    let reads = effects
        .iter()
        .filter(|it| matches!(it, Effect::ReadSessions { .. }));
    reads.count()
}

#[test]
fn it_is_read_when_it_is_shown_and_with_sessions_once() {
    let mut app = app(120, 40);
    assert_eq!(reads(&press(&mut app, "7")), 1);
    assert_eq!(app.usage.rows().len(), 7);
    assert_eq!(reads(&press(&mut app, "j t s b")), 0);
    assert_eq!(reads(&press(&mut app, "ctrl-l")), 1);
    assert_eq!(reads(&press(&mut app, "7")), 1);
}

#[test]
fn a_project_is_narrowed_to_and_a_session_opened() {
    let mut app = app(120, 40);
    press(&mut app, "7 t j enter");
    assert_eq!(app.usage.by(), By::Session);
    assert_eq!(
        app.usage.only(),
        [(By::Project, "-work-shop-web".to_string())]
    );
    press(&mut app, "enter");
    assert_eq!(app.tab, Tab::Sessions);
    let opened = app.session.as_ref().map(|reading| reading.title.clone());
    assert_eq!(opened.as_deref(), Some("Deploy the migration of the shop"));
    press(&mut app, "7 esc");
    assert_eq!((app.usage.by(), app.focus), (By::Project, Pane::Main));
    assert_eq!(app.usage.list.cursor, 1);
    press(&mut app, "esc");
    assert_eq!(app.focus, Pane::Tree);
}

#[test]
fn a_session_that_is_gone_says_so() {
    let mut app = app(120, 40);
    press(&mut app, "7 t t G enter");
    assert_eq!(app.tab, Tab::Usage);
    let said = app.notice.clone();
    let said = format!("{said:?}");
    assert!(said.contains("its transcript is gone"), "{said}");
}

#[test]
fn a_session_that_was_opened_from_the_table_leads_back_to_it_as_it_was() {
    let mut app = app(120, 40);
    press(&mut app, "7 t j enter enter");
    assert!(app.session.is_some());
    press(&mut app, "esc");
    assert_eq!((app.tab, app.usage.by()), (Tab::Usage, By::Session));
    assert_eq!(app.usage.only().len(), 1);
    press(&mut app, "6 enter esc");
    assert_eq!(app.tab, Tab::Sessions, "one of the list leads back there");
}

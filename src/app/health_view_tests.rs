use super::*;
use crate::app::fixture::{findings, here};
use crate::app::tree::Tree;

fn view() -> HealthView {
    let tree = Tree::new(here(), crate::app::fixture::contents());
    let mut view = HealthView::default();
    view.turn_to(60);
    assert!(view.wants(&tree.shelves()[0], 7));
    assert!(!view.wants(&tree.shelves()[0], 8), "it is awaited already");
    view.take(6, Vec::new());
    assert_eq!(view.rows(), [HealthRow::None("looking …")]);
    view.take(7, findings());
    view
}

#[test]
fn a_project_is_examined_again_when_the_view_is_entered() {
    let mut app = crate::app::fixture::app(120, 40);
    let examined = |effects: &[crate::app::message::Effect]| {
        let is = |effect: &&_| matches!(effect, crate::app::message::Effect::Examine { .. });
        effects.iter().filter(is).count()
    };
    assert_eq!(examined(&crate::app::fixture::press(&mut app, "3")), 1);
    assert_eq!(examined(&crate::app::fixture::press(&mut app, "j")), 0);
    assert_eq!(examined(&crate::app::fixture::press(&mut app, "3")), 1);
}

#[test]
fn findings_are_gathered_by_code_and_stepped_through() {
    let mut view = view();
    assert!(matches!(
        view.rows()[0],
        HealthRow::Code {
            code: Code::Dangling,
            count: 1,
            fixes: 1,
            ..
        }
    ));
    assert!(view.step(1));
    assert_eq!(view.finding().unwrap().code, Code::Dangling);
    assert!(view.step(1) && view.finding().is_none());
    assert_eq!(view.code(), Some(Code::Stale));
    assert!(view.step(100) && !view.step(1));
}

#[test]
fn the_cursor_stays_on_its_finding_when_others_go() {
    let mut view = view();
    view.step(100);
    let chosen = view.finding().unwrap().clone();
    let tree = Tree::new(here(), crate::app::fixture::contents());
    let mut state = tree.shelves()[0].clone();
    state.stamp = 99;
    assert!(view.wants(&state, 9));
    let left = findings()
        .into_iter()
        .filter(|one| one.code != Code::Dangling);
    view.take(9, left.collect());
    assert_eq!(view.finding(), Some(&chosen));
}

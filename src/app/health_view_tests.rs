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

fn told(project: &str, code: Code) -> Finding {
    Finding {
        code,
        severity: Severity::Note,
        project: project.to_string(),
        path: "old.md".to_string(),
        line: None,
        message: "told by sessions".to_string(),
        fix: None,
    }
}

fn by_sessions(view: &HealthView) -> Vec<Code> {
    let codes = view.findings().iter().map(|one| one.code);
    codes
        .filter(|code| Code::BY_SESSIONS.contains(code))
        .collect()
}

#[test]
fn what_sessions_tell_comes_later_and_stays_until_it_is_told_anew() {
    let mut view = view();
    let own = view.findings().len();
    view.step(1);
    let chosen = view.finding().cloned();
    view.take_told(6, vec![told("p", Code::NeverRead)]);
    assert_eq!(view.findings().len(), own, "of another look");
    view.take_told(
        7,
        vec![told("p", Code::OriginSwept), told("p", Code::NeverRead)],
    );
    assert_eq!(by_sessions(&view), [Code::NeverRead, Code::OriginSwept]);
    assert_eq!(view.finding().cloned(), chosen);
    let mut state = Tree::new(here(), crate::app::fixture::contents()).shelves()[0].clone();
    state.stamp = 99;
    assert!(view.wants(&state, 9));
    view.take(9, findings());
    assert_eq!(by_sessions(&view).len(), 2);
    view.take_told(7, Vec::new());
    assert_eq!(by_sessions(&view).len(), 2, "it is of the look before");
    view.take_told(9, vec![told("p", Code::Expiring)]);
    assert_eq!(by_sessions(&view), [Code::Expiring]);
    // Another project begins without.
    state.shelf.folder = PathBuf::from("/other/memory");
    assert!(view.wants(&state, 10));
    view.take(10, Vec::new());
    assert!(view.findings().is_empty());
}

#[test]
fn of_a_look_at_all_what_sessions_tell_is_counted_with_the_shelf() {
    let mut view = view();
    view.begin_sweep(20);
    let shelf = here();
    let part = |findings: Vec<Finding>| Swept {
        done: 1,
        of: 1,
        found: vec![(here(), findings)],
    };
    let key = shelf.key.clone();
    view.take_swept(20, part(vec![told(&key, Code::Stale)]), false);
    view.take_swept(20, part(vec![told(&key, Code::NeverRead)]), true);
    assert_eq!(view.shown(), (2, 2));
    // The shelf is looked at again: both parts of it are replaced.
    assert!(view.look_again(&shelf.folder, 21).is_some());
    view.take(21, Vec::new());
    assert_eq!(view.shown(), (0, 0));
    view.take_told(21, vec![told(&key, Code::NeverRead)]);
    assert_eq!(
        (view.shown(), by_sessions(&view)),
        ((1, 1), vec![Code::NeverRead])
    );
    view.take_told(21, vec![told(&key, Code::NeverRead)]);
    assert_eq!(view.shown(), (1, 1), "each answer once");
}

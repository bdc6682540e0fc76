use super::*;
use crate::app::fixture::{answer, app, here, others, press, swept};
use crate::app::health_sweep::Progress;
use crate::app::health_view::HealthRow;
use crate::app::key::Key;
use crate::app::message::Message;

fn findings(app: &App) -> usize {
    let rows = app.health.rows().iter();
    rows.filter(|row| matches!(row, HealthRow::Finding(_)))
        .count()
}

/// Turns to all projects and gives back the id of the answers, none of which has come.
fn begun(app: &mut App) -> u64 {
    press(app, "3");
    let effects = app.update(Message::Key(Key::char('A')));
    let id = effects.iter().find_map(|effect| match effect {
        Effect::ExamineAll { id } => Some(*id),
        _ => None,
    });
    id.expect("all are looked at")
}

fn part(app: &mut App, id: u64, number: usize, done: bool) -> Vec<Effect> {
    let swept = Box::new(swept(number));
    app.update(Message::Swept { id, swept, done })
}

fn progress(app: &App) -> (Progress, usize) {
    let sweep = app.health.sweep().expect("all are looked at");
    (sweep.progress, sweep.done)
}

#[test]
fn findings_of_all_projects_come_in_and_are_gathered_by_code() {
    let mut app = app(120, 40);
    let id = begun(&mut app);
    assert_eq!(app.health.rows(), [HealthRow::None("looking …")]);
    part(&mut app, id, 1, false);
    assert_eq!(
        (findings(&app), progress(&app)),
        (3, (Progress::Running, 1))
    );
    part(&mut app, id, 2, true);
    assert_eq!((findings(&app), progress(&app)), (6, (Progress::Done, 2)));
    let rows = app.health.rows().iter();
    let codes = rows.filter_map(|row| match row {
        HealthRow::Code { code, count, .. } => Some((*code, *count)),
        _ => None,
    });
    let codes: Vec<_> = codes.collect();
    assert_eq!(codes, [(Code::Dangling, 2), (Code::Stale, 4)]);
    press(&mut app, "A");
    assert!(app.health.sweep().is_none());
    assert_eq!(findings(&app), 3, "the current project again");
}

#[test]
fn esc_stops_the_look_and_what_came_stays() {
    let mut app = app(120, 40);
    let id = begun(&mut app);
    part(&mut app, id, 1, false);
    let effects = press(&mut app, "esc");
    assert!(effects.contains(&Effect::StopExamining), "{effects:?}");
    part(&mut app, id, 2, true);
    assert_eq!(
        (findings(&app), progress(&app)),
        (3, (Progress::Stopped, 1))
    );
    assert_eq!(app.focus, Pane::Main);
    press(&mut app, "esc");
    assert_eq!(app.focus, Pane::Tree);
}

#[test]
fn a_fix_is_made_in_its_own_project_which_alone_is_looked_at_again() {
    let mut app = app(120, 40);
    press(&mut app, "3 A j");
    let effects = press(&mut app, "F enter");
    let folders: Vec<PathBuf> = effects
        .iter()
        .find_map(|effect| match effect {
            Effect::Write(crate::app::message::Order::Carry { wishes, .. }) => {
                Some(wishes.iter().map(|(folder, _)| folder.clone()).collect())
            }
            _ => None,
        })
        .expect("carried out");
    let here = app.current_folder().expect("a project");
    assert_eq!(folders, [others()[0].folder.clone(), here]);
    assert_eq!(findings(&app), 6);
    // One of them is mended: the other stays.
    press(&mut app, "g g j");
    let effects = app.update(Message::Key(Key::char('f')));
    answer(&mut app, effects);
    let effects = app.update(Message::Key(Key::plain(crate::app::key::Code::Enter)));
    let mut again = Vec::new();
    for effect in effects {
        let Effect::Write(crate::app::message::Order::Carry { id, .. }) = effect else {
            continue;
        };
        again = app.update(Message::Applied {
            id,
            applied: Ok(crate::app::message::Done {
                title: "mended".to_string(),
                notices: Vec::new(),
                sets: 1,
                touched: Vec::new(),
            }),
        });
    }
    let examined = again.iter().filter_map(|effect| match effect {
        Effect::Examine { id, shelf } => Some((*id, shelf.key.clone())),
        Effect::ExamineAll { .. } => panic!("all are looked at again"),
        _ => None,
    });
    let examined: Vec<_> = examined.collect();
    let [(id, key)] = examined.as_slice() else {
        panic!("{examined:?}");
    };
    assert_eq!(*key, others()[0].key);
    let findings_left = Vec::new();
    app.update(Message::Examined {
        id: *id,
        findings: findings_left,
    });
    assert_eq!(findings(&app), 3);
    let effects = press(&mut app, "u");
    let whole = |effect: &Effect| matches!(effect, Effect::ExamineAll { .. });
    assert!(!effects.iter().any(whole), "only once it is done");
    assert_eq!(findings(&app), 6, "an undo may have touched anything");
}

#[test]
fn enter_goes_to_the_finding_in_its_project() {
    let mut app = app(120, 40);
    press(&mut app, "3 A G enter");
    let state = app.tree.current().expect("a project");
    let key = app.health.finding().map(|finding| finding.project.clone());
    assert_eq!(Some(state.shelf.key.clone()), key);
    let file = app.tree.row().and_then(|row| app.tree.file(row));
    assert_eq!(file.map(|at| at.file).as_deref(), Some("release-freeze.md"));
    assert_eq!(app.tab, Tab::Memory);
}

#[test]
fn words_leave_codes_and_esc_lists_all_again() {
    let mut app = app(120, 40);
    press(&mut app, "3 & S T A L");
    assert_eq!((findings(&app), app.health.shown()), (2, (2, 3)));
    press(&mut app, "enter");
    assert_eq!(app.health.filter(), "STAL");
    press(&mut app, "esc");
    assert_eq!((findings(&app), app.health.filter()), (3, ""));
    press(&mut app, "& e r r o r");
    assert_eq!(app.health.shown(), (1, 3));
    press(&mut app, "x");
    let none = HealthRow::None("No finding is of that code.");
    assert_eq!(app.health.rows(), [none]);
    press(&mut app, "esc");
    assert_eq!(findings(&app), 3);
}

#[test]
fn of_a_code_with_very_many_findings_some_are_listed() {
    let mut app = app(120, 40);
    let id = begun(&mut app);
    let mut many = swept(1);
    let stale = many.found[0].1[1].clone();
    many.found[0].1 = (0..2_500)
        .map(|at| Finding {
            path: format!("{at:04}.md"),
            ..stale.clone()
        })
        .collect();
    let swept = Box::new(many);
    app.update(Message::Swept {
        id,
        swept,
        done: true,
    });
    assert_eq!(findings(&app), 200);
    assert_eq!(
        app.health.rows().last(),
        Some(&HealthRow::More(Code::Stale, 2_300))
    );
    press(&mut app, "& s t a l e");
    assert_eq!(findings(&app), 2_000);
    assert_eq!(app.health.shown(), (2_500, 2_500));
    assert_eq!(app.health.findings().len(), 2_000, "no more are kept");
}

#[test]
fn what_is_about_the_sessions_of_a_project_leads_to_them() {
    let mut app = app(120, 40);
    let effects = press(&mut app, "3");
    let id = effects.iter().find_map(|effect| match effect {
        Effect::Examine { id, .. } => Some(*id),
        _ => None,
    });
    let finding = Finding {
        code: Code::Expiring,
        severity: Code::Expiring.severity(),
        project: here().key,
        path: String::new(),
        line: None,
        message: "its only session is cleaned up in a day".to_string(),
        fix: None,
    };
    app.update(Message::Told {
        id: id.expect("it is examined"),
        findings: vec![finding.clone()],
    });
    app.sessions.all = true;
    press(&mut app, "G");
    assert_eq!(app.health.finding(), Some(&finding));
    press(&mut app, "enter");
    assert_eq!((app.tab, app.sessions.all), (Tab::Sessions, false));
    assert!(app.sessions.read().is_some());
}

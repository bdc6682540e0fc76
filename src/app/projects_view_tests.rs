use crate::agents::claude::ProjectWish;
use crate::app::action::Action;
use crate::app::fixture::projects_view::{chosen, keys, listed_anew, wishes};
use crate::app::fixture::{app, press};
use crate::app::overlay::Overlay;
use crate::app::{App, Tab};

#[test]
fn what_wants_something_done_comes_first_and_worktrees_stand_below_their_repository() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    assert_eq!(app.tab, Tab::Projects);
    assert_eq!(keys(&app), ["-work-old", "-work-shop-web", "-work-tree"]);
    assert!(app.projects.rows()[2].is_member);
    assert!(
        app.projects
            .detail()
            .iter()
            .any(|line| line.contains("/work/new · 95%"))
    );
    press(&mut app, "G s");
    assert_eq!(
        app.projects.chosen().map(|one| &*one.key),
        Some("-work-tree")
    );
    press(&mut app, "& m o v e d enter");
    assert_eq!(keys(&app), ["-work-old"]);
    press(&mut app, "esc");
    assert_eq!(keys(&app).len(), 3);
}

#[test]
fn the_cursor_stays_on_its_project_whatever_comes_and_goes_before_it() {
    let mut app = app(120, 40);
    press(&mut app, "5 s s s s j");
    let own = chosen(&app).to_string();
    listed_anew(
        &mut app,
        &[],
        &["-a", "-b", "-work-tree", "-work-shop-web", "-work-old"],
    );
    assert_eq!(chosen(&app), own);
    listed_anew(&mut app, &[], &["-work-shop-web", "-work-old"]);
    assert_eq!(chosen(&app), own);
}

#[test]
fn the_cursor_goes_along_with_a_project_that_went_into_another() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    assert_eq!(chosen(&app), "-work-old");
    let moved = [
        "/home/ada/.claude/history.jsonl",
        "/home/ada/.claude/projects/-work-old",
        "/home/ada/.claude/projects/-work-new",
    ];
    listed_anew(
        &mut app,
        &moved,
        &["-work-tree", "-work-shop-web", "-work-new"],
    );
    assert_eq!(chosen(&app), "-work-new");
    // A read later that is not followed any more.
    listed_anew(
        &mut app,
        &[],
        &["-work-tree", "-work-shop-web", "-work-old"],
    );
    assert_ne!(chosen(&app), "-work-old");
}

#[test]
fn the_cursor_goes_to_the_neighbour_of_a_project_that_is_gone() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    let gone = ["/home/ada/.claude/projects/-work-old/memory"];
    listed_anew(&mut app, &gone, &["-work-tree", "-new", "-work-shop-web"]);
    assert_eq!(chosen(&app), "-work-shop-web");
    press(&mut app, "G");
    let last = chosen(&app).to_string();
    let keys = keys(&app);
    let before = keys[keys.len() - 2].clone();
    let rest: Vec<&str> = keys
        .iter()
        .map(|key| &**key)
        .filter(|key| *key != last)
        .collect();
    listed_anew(&mut app, &[], &rest);
    assert_eq!(chosen(&app), before);
}

#[test]
fn what_is_marked_and_not_listed_is_left_alone_and_counted() {
    let mut app = app(120, 40);
    press(&mut app, "5 space j space & m o v e d enter");
    assert_eq!(keys(&app), ["-work-old"]);
    assert_eq!(app.projects.marked_unlisted(), 1);
    let prune = |key: &str| ProjectWish::Prune {
        key: key.to_string(),
        of: Vec::new(),
        seen: None,
    };
    assert_eq!(wishes(&press(&mut app, "d")), [prune("-work-old")]);
    let title = match &app.overlay {
        Some(Overlay::Review(review)) => review.title.clone(),
        _ => String::new(),
    };
    assert!(title.contains("1 marked, not listed, stay"), "{title}");
    press(&mut app, "enter");
    press(&mut app, "p r u n e enter");
    let left: Vec<&str> = app.projects.marked.iter().map(|key| &**key).collect();
    assert_eq!(left, ["-work-shop-web"]);
}

#[test]
fn projects_of_one_name_and_place_are_told_by_their_keys() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    listed_anew(&mut app, &[], &["-work-shop-web", "-api", "-Api"]);
    press(&mut app, "G s s s s g g M");
    let Some(Overlay::Projects(projects)) = &app.overlay else {
        panic!("a project is asked for: {:?}", app.overlay);
    };
    let mut places: Vec<&str> = projects.offers().iter().map(|one| &*one.place).collect();
    places.dedup();
    assert_eq!(places.len(), 2, "{places:?}");
    assert!(
        places.iter().all(|place| place.starts_with('-')),
        "{places:?}"
    );
}

#[test]
fn the_footer_names_only_what_would_do_something_with_the_project() {
    let mut app = app(120, 40);
    let can = |app: &App| {
        let all = [
            Action::Relink,
            Action::Prune,
            Action::FoldIn,
            Action::SwitchMemory,
            Action::Split,
        ];
        all.map(|action| app.can(action))
    };
    press(&mut app, "5");
    assert_eq!(can(&app), [true, true, false, false, false]);
    // The repository of a worktree that can be folded in, and that worktree.
    press(&mut app, "j");
    assert_eq!(can(&app), [false, false, true, true, false]);
    press(&mut app, "j");
    assert_eq!(can(&app), [false, false, true, true, false]);
}

#[test]
fn enter_goes_to_the_memories_of_a_project_also_of_one_that_shares_them() {
    let mut app = app(120, 40);
    press(&mut app, "5 G enter");
    assert_eq!(
        app.current_folder(),
        Some(crate::app::fixture::here().folder)
    );
    assert_eq!(app.tab, Tab::Memory);
}

#[test]
fn what_is_wrong_stands_first_and_the_home_is_a_tilde() {
    let mut app = app(120, 40);
    app.home = "/work".into();
    press(&mut app, "5");
    let detail = app.projects.detail();
    assert_eq!(detail[0], "moved · folder missing: ~/old");
    assert_eq!(detail[1], "→ ~/new · 95% · the same first commit");
    assert!(
        detail.iter().all(|line| !line.contains("jsonl")),
        "{detail:?}"
    );
    press(&mut app, "r");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("a place is asked for: {:?}", app.overlay);
    };
    assert_eq!(choice.answers[0].0, "→ ~/new");
}

#[test]
fn an_error_is_over_when_something_else_is_looked_at() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    app.fail("it went wrong");
    press(&mut app, "d");
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    assert!(app.notice.is_none(), "{:?}", app.notice);
}

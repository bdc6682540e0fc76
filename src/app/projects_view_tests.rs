use crate::agents::claude::ProjectWish;
use crate::app::fixture::{app, press};
use crate::app::message::{Effect, Order, Wanted};
use crate::app::overlay::Overlay;
use crate::app::{App, Tab};

fn keys(app: &App) -> Vec<String> {
    let rows = app.projects.rows().iter();
    rows.filter_map(|row| Some(app.projects.project(*row)?.key.clone()))
        .collect()
}

fn wishes(effects: &[Effect]) -> Vec<ProjectWish> {
    let of = |wanted: &Wanted| match wanted {
        Wanted::Project(wish) => Some(wish.clone()),
        _ => None,
    };
    effects
        .iter()
        .flat_map(|effect| match effect {
            Effect::Write(Order::Propose { wishes, .. } | Order::Carry { wishes, .. }) => {
                wishes.iter().filter_map(|(_, wanted)| of(wanted)).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}

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
fn a_project_with_memories_is_pruned_only_when_its_name_is_typed() {
    let mut app = app(120, 40);
    let asked = press(&mut app, "5 d");
    let wish = ProjectWish::Prune {
        key: "-work-old".to_string(),
        of: Vec::new(),
    };
    assert_eq!(wishes(&asked), std::slice::from_ref(&wish));
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    assert_eq!(wishes(&press(&mut app, "enter")), []);
    assert!(matches!(app.overlay, Some(Overlay::Prompt(_))));
    assert_eq!(wishes(&press(&mut app, "n o enter")), []);
    assert!(format!("{:?}", app.notice).contains("nothing was pruned"));
    press(&mut app, "d enter");
    let done = press(&mut app, "o l d enter");
    assert_eq!(wishes(&done), [wish]);
}

#[test]
fn a_moved_project_is_relinked_to_where_it_likely_is_or_to_what_is_typed() {
    let mut app = app(120, 40);
    press(&mut app, "5 r");
    let asked = press(&mut app, "enter");
    let to = |path: &str| ProjectWish::Relink {
        key: "-work-old".to_string(),
        path: path.into(),
        also: Vec::new(),
    };
    assert_eq!(wishes(&asked), [to("/work/new")]);
    press(&mut app, "esc r down enter");
    assert!(matches!(app.overlay, Some(Overlay::Prompt(_))));
    assert_eq!(wishes(&press(&mut app, "/ x enter")), [to("/x")]);
    press(&mut app, "esc M");
    let asked = press(&mut app, "enter");
    assert!(
        matches!(&wishes(&asked)[..], [ProjectWish::Merge { into, .. }] if into == "-work-shop-web")
    );
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
fn a_look_that_was_left_asks_for_no_word_of_what_is_looked_at_next() {
    let mut app = app(120, 40);
    press(&mut app, "5 d esc");
    press(&mut app, "tab j j j d");
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    let done = press(&mut app, "enter");
    let carries = |it: &Effect| matches!(it, Effect::Write(Order::Carry { .. }));
    assert!(
        app.overlay.is_none() && done.iter().any(carries),
        "{done:?}"
    );
}

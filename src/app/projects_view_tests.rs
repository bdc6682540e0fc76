use crate::agents::claude::ProjectWish;
use crate::app::action::Action;
use crate::app::fixture::{app, press};
use crate::app::message::{Effect, Order, Wanted};
use crate::app::overlay::Overlay;
use crate::app::{App, Tab};
use crate::project::elsewhere::Kind;

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
    let wish = |seen| ProjectWish::Prune {
        key: "-work-old".to_string(),
        of: Vec::new(),
        seen,
    };
    assert_eq!(wishes(&asked), [wish(None)]);
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    assert_eq!(wishes(&press(&mut app, "enter")), []);
    assert!(matches!(app.overlay, Some(Overlay::Prompt(_))));
    assert_eq!(wishes(&press(&mut app, "n o enter")), []);
    assert!(format!("{:?}", app.notice).contains("nothing was done"));
    press(&mut app, "d enter");
    let done = press(&mut app, "o l d enter");
    assert_eq!(wishes(&done), [wish(Some(shown()))]);
}

/// What the review of a project that goes names of its memories.
fn shown() -> Vec<String> {
    vec!["a.md".to_string(), "b.md".to_string()]
}

/// What a review showed counts, not what the list knew before it.
#[test]
fn the_name_is_asked_for_by_what_the_review_names() {
    let mut app = app(120, 40);
    let mut wish = ProjectWish::Forget {
        key: "-work-old".to_string(),
        seen: None,
    };
    let word = |app: &mut App, wish: &ProjectWish| {
        let wanted = Wanted::Project(wish.clone());
        app.word_for(&[(std::path::PathBuf::new(), wanted)])
    };
    press(&mut app, "5");
    assert_eq!(word(&mut app, &wish).as_deref(), Some("old"));
    wish.was_shown(vec!["late.md".to_string()]);
    assert_eq!(word(&mut app, &wish).as_deref(), Some("old"));
    wish.was_shown(Vec::new());
    assert_eq!(word(&mut app, &wish), None);
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
fn forgetting_asks_for_the_name_too_and_for_a_word_where_several_go() {
    let mut app = app(120, 40);
    let wish = |key: &str, seen| ProjectWish::Forget {
        key: key.to_string(),
        seen,
    };
    let asked = press(&mut app, "5 j X");
    assert_eq!(wishes(&asked), [wish("-work-shop-web", None)]);
    press(&mut app, "enter");
    let done = press(&mut app, "s h o p - w e b enter");
    assert_eq!(wishes(&done), [wish("-work-shop-web", Some(shown()))]);
    press(&mut app, "g g space j space X enter");
    assert_eq!(wishes(&press(&mut app, "o l d enter")), []);
    press(&mut app, "X enter");
    let done = press(&mut app, "f o r g e t enter");
    assert_eq!(
        wishes(&done),
        [
            wish("-work-shop-web", Some(shown())),
            wish("-work-old", None)
        ]
    );
    assert!(app.projects.marked.is_empty());
}

#[test]
fn split_and_fold_in_are_looked_at_before() {
    let mut app = app(120, 40);
    let key = || "-work-tree".to_string();
    let split = press(&mut app, "5 G S");
    assert_eq!(wishes(&split), [ProjectWish::Split { key: key() }]);
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    let fold = press(&mut app, "esc F");
    assert_eq!(wishes(&fold), [ProjectWish::FoldIn { key: key() }]);
    let done = press(&mut app, "enter");
    assert_eq!(wishes(&done), [ProjectWish::FoldIn { key: key() }]);
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
fn memory_is_switched_to_what_it_is_not_and_who_decides_is_told() {
    let mut app = app(120, 40);
    let tells =
        |app: &App, said: &str| app.projects.detail().iter().any(|line| line.contains(said));
    let wish = |key: &str, on| ProjectWish::Memory {
        key: key.to_string(),
        on,
    };
    press(&mut app, "5 j");
    assert!(tells(&app, "memory on · nothing says otherwise"));
    assert_eq!(
        wishes(&press(&mut app, "m")),
        [wish("-work-shop-web", false)]
    );
    press(&mut app, "esc j");
    assert!(tells(
        &app,
        "memory off by autoMemoryEnabled in /home/ada/.claude/settings.json"
    ));
    assert!(tells(&app, "a session may be live here: it wrote 40 s ago"));
    assert!(tells(&app, "kept for 30 days more"));
    assert!(tells(&app, "a worktree of /work/shop-web"));
    assert_eq!(wishes(&press(&mut app, "m")), [wish("-work-tree", true)]);
    assert_eq!(
        wishes(&press(&mut app, "enter")),
        [wish("-work-tree", true)]
    );
}

#[test]
fn the_other_places_are_offered_in_the_review_of_a_relink() {
    let mut app = app(120, 40);
    let to = |also: &[Kind]| ProjectWish::Relink {
        key: "-work-old".to_string(),
        path: "/work/new".into(),
        also: also.to_vec(),
    };
    let offered = |app: &App| match &app.overlay {
        Some(Overlay::Review(review)) => review.warnings.last().cloned(),
        _ => None,
    };
    press(&mut app, "5 r enter");
    assert_eq!(
        offered(&app).as_deref(),
        Some(
            "the old path stands in 2 transcripts (12 places), history.jsonl (1 place) too · a rewrites it there"
        )
    );
    let both = [Kind::Transcripts, Kind::History];
    assert_eq!(wishes(&press(&mut app, "a")), [to(&both)]);
    assert!(offered(&app).is_some_and(|said| said.contains("is rewritten too in 2 transcripts")));
    assert_eq!(wishes(&press(&mut app, "a")), [to(&[])]);
    press(&mut app, "a");
    assert_eq!(wishes(&press(&mut app, "enter")), [to(&both)]);
    // What is no relink has none.
    press(&mut app, "j X");
    assert!(!app.can(Action::OldPaths));
    assert_eq!(wishes(&press(&mut app, "a")), []);
    assert!(format!("{:?}", app.notice).contains("no other place"));
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

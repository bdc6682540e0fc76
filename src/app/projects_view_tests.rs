use std::path::PathBuf;

use crate::agents::claude::ProjectWish;
use crate::app::action::Action;
use crate::app::fixture::{app, press};
use crate::app::key::Key;
use crate::app::message::{Effect, Message, Order, Proposed, Unmet, Wanted};
use crate::app::overlay::Overlay;
use crate::app::projects_view::ProjectList;
use crate::app::{App, Tab};
use crate::memory::proposal::Proposal;
use crate::project::Project;
use crate::project::elsewhere::Kind;
use crate::store::change::{Author, ChangeSet};

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

/// Has the folders read anew: those of before in this order, with these among them.
fn listed_anew(app: &mut App, touched: &[&str], keys: &[&str]) {
    let before = app.projects.read().cloned().expect("it was read");
    let known = |key: &&str| before.projects.iter().find(|one| one.key == **key);
    let projects = keys.iter().map(|key| Project {
        key: (*key).to_string(),
        memory_key: (*key).to_string(),
        ..known(key).unwrap_or(&before.projects[0]).clone()
    });
    let read = ProjectList {
        projects: projects.collect(),
        ..before.clone()
    };
    let touched = touched.iter().map(PathBuf::from);
    app.projects.follow(&touched.collect::<Vec<_>>());
    app.projects.outdate();
    assert!(app.projects.wants(99));
    app.projects.take(99, read);
}

fn chosen(app: &App) -> &str {
    let chosen = app.projects.chosen();
    chosen.map_or("", |one| &one.key)
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
fn a_project_with_memories_is_pruned_only_when_the_word_is_typed() {
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
    // A wrong answer is told, and can be mended where it stands.
    assert_eq!(wishes(&press(&mut app, "4 enter")), []);
    let asked = |app: &App| match &app.overlay {
        Some(Overlay::Prompt(prompt)) => (prompt.field.text().to_string(), prompt.said.clone()),
        _ => Default::default(),
    };
    let (typed, said) = asked(&app);
    assert_eq!(typed, "4");
    assert_eq!(said.as_deref(), Some("4 is not prune: nothing is done yet"));
    let done = press(&mut app, "backspace p r u n e enter");
    assert_eq!(wishes(&done), [wish(Some(shown()))]);
}

/// What the review of a project that goes names of its memories.
fn shown() -> Vec<String> {
    vec!["a.md".to_string(), "b.md".to_string()]
}

/// What a review showed counts, not what the list knew before it.
#[test]
fn the_word_is_asked_for_by_what_the_review_names() {
    let mut app = app(120, 40);
    let mut wish = ProjectWish::Forget {
        key: "-work-old".to_string(),
        seen: None,
    };
    let word = |app: &App, wish: &ProjectWish| {
        let wanted = Wanted::Project(wish.clone());
        app.word_for(&[(PathBuf::new(), wanted)])
    };
    press(&mut app, "5");
    assert_eq!(word(&app, &wish), Some("forget"));
    wish.was_shown(vec!["late.md".to_string()]);
    assert_eq!(word(&app, &wish), Some("forget"));
    wish.was_shown(Vec::new());
    assert_eq!(word(&app, &wish), None);
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
fn a_path_that_does_not_do_stays_where_it_was_typed() {
    let mut app = app(120, 40);
    press(&mut app, "5 r down enter");
    for key in Key::parse_chord("/ n o").expect("keys") {
        app.update(Message::Key(key));
    }
    let key = Key::parse("enter").expect("a key");
    let asked = app.update(Message::Key(key));
    let id = asked.iter().find_map(|effect| match effect {
        Effect::Write(Order::Propose { id, .. }) => Some(*id),
        _ => None,
    });
    let said = "/no is no folder: name the one where the project is now";
    let unmet = Unmet {
        said: said.to_string(),
        name_of: None,
    };
    app.update(Message::Proposed {
        id: id.expect("it was asked"),
        proposed: Err(unmet),
    });
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("the line stays open: {:?}", app.overlay);
    };
    assert_eq!(prompt.title, "where is old now?");
    assert_eq!(prompt.field.text(), "/no");
    assert_eq!(prompt.said.as_deref(), Some(said));
    let to = |path: &str| ProjectWish::Relink {
        key: "-work-old".to_string(),
        path: path.into(),
        also: Vec::new(),
    };
    assert_eq!(wishes(&press(&mut app, "w enter")), [to("/now")]);
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
}

#[test]
fn a_review_of_several_projects_says_whose_each_thing_is() {
    let mut app = app(120, 40);
    press(&mut app, "5 space j space");
    let asked = app.update(Message::Key(Key::parse("d").expect("a key")));
    let id = asked.iter().find_map(|effect| match effect {
        Effect::Write(Order::Propose { id, .. }) => Some(*id),
        _ => None,
    });
    let proposal = |said: &str| Proposal {
        there: false,
        set: ChangeSet::new("prune", Author::You),
        file: None,
        warnings: vec![said.to_string()],
    };
    app.update(Message::Proposed {
        id: id.expect("it was asked"),
        proposed: Ok(Box::new(Proposed {
            proposals: vec![
                proposal("memories that go (1): a.md"),
                proposal("none goes"),
            ],
            diff: String::new(),
            notices: Vec::new(),
            old_paths: Vec::new(),
            memories: vec![vec!["a.md".to_string()], Vec::new()],
        })),
    });
    let Some(Overlay::Review(review)) = &app.overlay else {
        panic!("it is looked at: {:?}", app.overlay);
    };
    assert_eq!(
        review.warnings,
        ["old: memories that go (1): a.md", "shop-web: none goes"]
    );
}

#[test]
fn what_a_project_likely_goes_into_is_offered_first_and_typing_narrows() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    listed_anew(
        &mut app,
        &[],
        &["-work-shop-web", "-work-old", "-Work-Old", "-work-tree"],
    );
    press(&mut app, "& - w o r k - o l d enter");
    let at = keys(&app).iter().position(|key| key == "-work-old");
    app.projects
        .list
        .go(at.expect("it is listed"), keys(&app).len());
    press(&mut app, "M");
    let offers = |app: &App| match &app.overlay {
        Some(Overlay::Projects(projects)) => {
            let offers = projects.offers().into_iter();
            offers.map(|one| one.key.clone()).collect()
        }
        _ => Vec::new(),
    };
    assert_eq!(offers(&app), ["-Work-Old", "-work-shop-web", "-work-tree"]);
    press(&mut app, "t r e e");
    assert_eq!(offers(&app), ["-work-tree"]);
    let merge = ProjectWish::Merge {
        key: "-work-old".to_string(),
        into: "-work-tree".to_string(),
    };
    assert_eq!(wishes(&press(&mut app, "enter")), [merge]);
    // What is marked is meant; nothing else is left out for that.
    press(&mut app, "esc esc G space g g M");
    assert_eq!(offers(&app).len(), 3);
    let marked: Vec<&String> = app.projects.marked.iter().collect();
    assert_eq!(offers(&app).first(), marked.first().copied());
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
fn forgetting_asks_for_its_word_too() {
    let mut app = app(120, 40);
    let wish = |key: &str, seen| ProjectWish::Forget {
        key: key.to_string(),
        seen,
    };
    let asked = press(&mut app, "5 j X");
    assert_eq!(wishes(&asked), [wish("-work-shop-web", None)]);
    press(&mut app, "enter");
    let done = press(&mut app, "f o r g e t enter");
    assert_eq!(wishes(&done), [wish("-work-shop-web", Some(shown()))]);
    press(&mut app, "g g space j space X enter");
    let done = press(&mut app, "f o r g e t enter");
    assert_eq!(
        wishes(&done),
        [
            wish("-work-old", Some(shown())),
            wish("-work-shop-web", None)
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
        "memory off by autoMemoryEnabled in ~/.claude/settings.json"
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

#[test]
fn a_project_that_is_there_is_not_asked_where_it_is_now() {
    let mut app = app(120, 40);
    press(&mut app, "5 j r");
    assert_eq!(chosen(&app), "-work-shop-web");
    assert!(app.overlay.is_none());
    assert!(format!("{:?}", app.notice).contains("shop-web has not moved"));
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

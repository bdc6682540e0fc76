use std::path::PathBuf;

use crate::agents::claude::ProjectWish;
use crate::app::App;
use crate::app::action::Action;
use crate::app::fixture::projects_view::{chosen, keys, listed_anew, wishes};
use crate::app::fixture::{app, press};
use crate::app::key::Key;
use crate::app::message::{Effect, Message, Order, Proposed, Unmet, Wanted};
use crate::app::overlay::Overlay;
use crate::memory::proposal::Proposal;
use crate::project::elsewhere::Kind;
use crate::store::change::{Author, ChangeSet};

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
        below_the_cut: None,
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

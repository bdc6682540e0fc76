use std::path::Path;

use super::*;
use crate::app::dialog::Task;
use crate::app::fixture::{answer, app, press};
use crate::app::key::{Code, Key};
use crate::app::message::{Message, Order, Unmet};

fn proposed(effects: &[Effect]) -> (u64, Vec<(PathBuf, Wanted)>) {
    let found = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Propose { id, wishes }) => Some((*id, wishes.clone())),
        _ => None,
    });
    found.expect("something is proposed")
}

fn enter(app: &mut App) -> Vec<Effect> {
    app.update(Message::Key(Key::plain(Code::Enter)))
}

fn transfers(wishes: &[(PathBuf, Wanted)]) -> Vec<(String, bool, Option<String>)> {
    let one = |(_, wanted): &(PathBuf, Wanted)| match wanted {
        Wanted::Wish(Wish::Transfer {
            path, copy, name, ..
        }) => (path.clone(), *copy, name.clone()),
        other => panic!("no transfer: {other:?}"),
    };
    wishes.iter().map(one).collect()
}

#[test]
fn marked_memories_go_to_the_project_that_is_typed_after_a_look() {
    let mut app = app(120, 40);
    press(&mut app, "j j j space j space c");
    let Some(Overlay::Projects(projects)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert_eq!(projects.title(), "copy 2 memories to");
    let titles: Vec<_> = projects
        .offers()
        .iter()
        .map(|it| it.title.clone())
        .collect();
    assert_eq!(
        titles,
        ["-work-api-gateway", "nest\u{202E}dm.exe"],
        "no agents, not itself"
    );
    press(&mut app, "A P I");
    let (_, wishes) = proposed(&press(&mut app, "enter"));
    assert_eq!(
        transfers(&wishes),
        [
            ("evil.md".to_string(), true, None),
            ("likes-short-answers.md".to_string(), true, None)
        ]
    );
    assert!(
        matches!(&app.overlay, Some(Overlay::Review(review)) if review.task == Task::Carry(wishes))
    );
    press(&mut app, "enter");
    assert!(app.marked.is_empty() && app.overlay.is_none());
    let to = "/home/ada/.claude/projects/-work-api-gateway/memory";
    let state = app.tree.shelf(Path::new(to)).expect("listed");
    assert_eq!(state.count(), Some(13), "counted anew");
}

#[test]
fn a_taken_name_asks_for_another_and_keeps_asking() {
    let mut app = app(120, 40);
    press(&mut app, "j j j m");
    let (id, wishes) = proposed(&enter(&mut app));
    assert_eq!(
        transfers(&wishes),
        [("likes-short-answers.md".to_string(), false, None)]
    );
    let there = "/home/ada/.claude/projects/-work-api-gateway/memory/x.md";
    app.update(Message::Proposed {
        id,
        proposed: Err(Unmet {
            said: format!("{there} is there"),
            name_of: Some(0),
        }),
    });
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert_eq!(prompt.field.text(), "likes-short-answers");
    assert_eq!(prompt.said.as_deref(), Some("x.md is there"));
    press(&mut app, "2");
    let effects = enter(&mut app);
    let (_, wishes) = proposed(&effects);
    let name = Some("likes-short-answers2".to_string());
    assert_eq!(
        transfers(&wishes),
        [("likes-short-answers.md".to_string(), false, name)]
    );
    answer(&mut app, effects);
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
}

#[test]
fn what_is_no_project_is_not_sent_to_and_a_draft_stays() {
    let mut app = app(120, 40);
    press(&mut app, "j j j m z z z");
    assert!(enter(&mut app).is_empty());
    assert!(
        matches!(app.overlay, Some(Overlay::Projects(_))),
        "it stays open"
    );
    press(&mut app, "esc");
    let at = app
        .tree
        .row()
        .and_then(|row| app.tree.file(row))
        .expect("a memory");
    app.drafts.insert(at.path());
    for key in ["m", "c", "T"] {
        assert!(press(&mut app, key).is_empty(), "{key}");
        assert!(app.overlay.is_none());
    }
}

#[test]
fn t_gives_to_the_team_and_takes_back() {
    let mut app = app(120, 40);
    let (_, wishes) = proposed(&press(&mut app, "j j j T"));
    let share = |path: &str| {
        Wanted::Wish(Wish::Share {
            path: path.to_string(),
            name: None,
        })
    };
    assert_eq!(wishes[0].1, share("likes-short-answers.md"));
    let Some(Overlay::Review(review)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert_eq!(
        review.title,
        "to the team: likes-short-answers.md · u undoes it"
    );
    press(&mut app, "esc");
    let folder = app.tree.current().map(|it| it.shelf.folder.clone());
    assert!(
        app.tree
            .reveal(&folder.unwrap_or_default(), "team/deploy.md")
    );
    press(&mut app, "T");
    let Some(Overlay::Review(review)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert_eq!(
        review.title,
        "out of the team's: team/deploy.md · u undoes it"
    );
}

#[test]
fn what_an_undo_touches_in_a_folded_project_is_counted_anew() {
    let mut app = app(120, 40);
    let to = "/home/ada/.claude/projects/-work-api-gateway/memory";
    let count = |app: &App| app.tree.shelf(Path::new(to)).expect("listed").count();
    assert_eq!(count(&app), Some(11));
    press(&mut app, "u");
    assert_eq!(count(&app), Some(13), "after an undo");
    press(&mut app, "ctrl-r");
    assert_eq!(count(&app), Some(15), "after a redo");
}

#[test]
fn a_page_is_asked_for_once_the_list_is_there() {
    let mut app = app(120, 40);
    press(&mut app, "j j j");
    let row = app.tree.row().expect("a row");
    let at = app.tree.file(row).expect("a memory");
    let pages = |effects: &[Effect]| {
        let pages = effects.iter().filter_map(|effect| match effect {
            Effect::ReadPage { at, .. } => Some(at.file.clone()),
            _ => None,
        });
        pages.collect::<Vec<_>>()
    };
    let asked = app.update(Message::Changed {
        folder: at.folder.clone(),
    });
    assert!(pages(&asked).is_empty(), "not before the list is there");
    let mut gone = crate::app::fixture::contents();
    gone.entries.retain(|entry| *entry.path != *at.file);
    let Some(Effect::ReadShelf { id, .. }) = asked.first() else {
        panic!("{asked:?}");
    };
    let listed = app.update(Message::Contents {
        id: *id,
        folder: at.folder.clone(),
        contents: Box::new(gone),
    });
    assert!(!pages(&listed).contains(&at.file), "{listed:?}");
    answer(&mut app, listed);
}

#[test]
fn the_page_that_is_left_is_read_again_when_a_change_came_between() {
    let mut app = app(120, 40);
    press(&mut app, "j j j");
    let shown = app.reading.shown().expect("shown").clone();
    // It stays shown from a row that is no memory.
    press(&mut app, "g g");
    assert_eq!(app.reading.shown().expect("shown").stamp, shown.stamp);
    press(&mut app, "u j j j");
    let again = app.reading.shown().expect("shown");
    assert_eq!(again.path, shown.path);
    assert!(again.stamp > shown.stamp, "it may have been gone meanwhile");
}

#[test]
fn how_several_changes_are_taken_back_is_told_as_it_is() {
    let mut app = app(120, 40);
    let title = |app: &App| match &app.overlay {
        Some(Overlay::Review(review)) => review.title.clone(),
        other => panic!("{other:?}"),
    };
    let said = |app: &App| match &app.notice {
        Some(crate::app::Notice::Word(said)) => said.clone(),
        other => panic!("{other:?}"),
    };
    press(&mut app, "j j j d");
    assert!(
        title(&app).ends_with(".md · u undoes it"),
        "{}",
        title(&app)
    );
    press(&mut app, "esc space j space d");
    let several = "u undoes the last, u again the one before";
    assert_eq!(title(&app), format!("to the trash: 2 memories · {several}"));
    press(&mut app, "enter");
    assert_eq!(said(&app), format!("2 changes · {several}"));
}

#[test]
fn esc_and_the_border_tell_of_marks_under_a_filter() {
    let mut app = app(120, 40);
    press(&mut app, "& e enter space");
    let said = |app: &App| match &app.notice {
        Some(crate::app::Notice::Word(said)) => said.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(said(&app), "1 marked · esc lists all again, then unmarks");
    press(&mut app, "esc");
    assert_eq!((app.marked.len(), app.tree.filter()), (1, None));
    press(&mut app, "j j j space");
    assert!(
        said(&app).ends_with("marked · esc unmarks"),
        "{}",
        said(&app)
    );
}

/// What was shown is a move into a project that is there: it is carried out as that or not at all.
#[test]
fn the_review_of_a_move_remembers_whether_its_project_was_there() {
    for was_there in [true, false] {
        let mut app = app(120, 40);
        press(&mut app, "j j j m");
        let (id, wishes) = proposed(&enter(&mut app));
        let shown = crate::memory::proposal::Proposal {
            below_the_cut: None,
            set: crate::store::change::ChangeSet::new("move", crate::store::change::Author::You),
            file: None,
            warnings: Vec::new(),
            there: was_there,
        };
        assert_eq!(wishes.len(), 1);
        app.update(Message::Proposed {
            id,
            proposed: Ok(Box::new(crate::app::message::Proposed {
                proposals: vec![shown],
                diff: String::new(),
                notices: Vec::new(),
                old_paths: Vec::new(),
                memories: Vec::new(),
            })),
        });
        let effects = enter(&mut app);
        let carried = effects.iter().find_map(|effect| match effect {
            Effect::Write(Order::Carry { wishes, .. }) => Some(wishes.clone()),
            _ => None,
        });
        let carried = carried.expect("carried out");
        let Wanted::Wish(Wish::Transfer { there, .. }) = &carried[0].1 else {
            panic!("{carried:?}");
        };
        assert_eq!(*there, was_there);
    }
}

use std::path::PathBuf;

use crate::app::fixture::{app, here, others, press};
use crate::app::kept::Kept;
use crate::app::message::{Effect, Message, Order};

fn kept(effects: Vec<Effect>) -> Option<Kept> {
    effects.into_iter().find_map(|effect| match effect {
        Effect::Write(Order::KeepScreen(kept)) => Some(*kept),
        _ => None,
    })
}

#[test]
fn what_changes_is_kept_once_and_read_back_the_same() {
    let mut app = app(120, 40);
    assert!(!app.wants_keeping());
    press(&mut app, "j j h s");
    assert!(app.wants_keeping());
    let first = kept(app.update(Message::KeepDue)).expect("it is kept");
    assert_eq!(first.project, Some(here().folder));
    assert_eq!(first.sort, "name");
    assert_eq!(first.folds[&here().folder], ["type user"]);
    assert!(!app.wants_keeping());
    let bytes = serde_json::to_vec(&first).expect("a document");
    assert_eq!(Kept::read(&bytes), first);
    for odd in [&b"{"[..], b"[]", b"{\"v\":2,\"sort\":7}", b""] {
        assert_eq!(Kept::read(odd), Kept::default());
    }
}

#[test]
fn the_next_run_begins_as_the_last_ended() {
    let mut app = app(120, 40);
    app.take_kept(Kept {
        tree_width: Some(50),
        sort: "size".to_string(),
        folds: [(
            here().folder,
            vec!["type project".to_string(), "odd".to_string()],
        )]
        .into(),
        scroll: [(PathBuf::from("/x.md"), 7)].into(),
        ..Kept::default()
    });
    assert_eq!(app.tree_width, Some(50));
    assert_eq!(app.tree.sort().word(), "size");
    let rows = format!("{:?}", app.tree.rows());
    assert!(
        rows.contains("group: Type(Project), count: 2, open: false"),
        "{rows}"
    );
    assert!(
        app.reading
            .places()
            .any(|place| place == (&*PathBuf::from("/x.md"), 7))
    );
    assert!(!app.wants_keeping(), "nothing is new");
    // That this project was the last is news at the end.
    assert_eq!(
        kept(app.leave()).and_then(|it| it.project),
        Some(here().folder)
    );
    assert_eq!(kept(app.leave()), None);
}

#[test]
fn the_last_project_is_gone_to_only_where_this_folder_has_nothing() {
    let last = others()[0].folder.clone();
    let mut app = app(120, 40);
    app.last_project = Some(last.clone());
    app.go_to_last();
    assert_eq!(app.current_folder(), Some(here().folder), "it has memories");
    let mut empty = crate::app::fixture::empty_app(120, 40);
    empty.last_project = Some(last.clone());
    let (mut shelves, id) = (others(), empty.survey_id);
    shelves.sort_by(|a, b| a.key.cmp(&b.key));
    let here = crate::agents::Shelf {
        memories: 0,
        ..here()
    };
    empty.update(Message::Shelves { id, here, shelves });
    assert_eq!(empty.current_folder(), Some(last));
}

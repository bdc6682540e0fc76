use std::path::{Path, PathBuf};

use crate::app::App;
use crate::app::dialog::Answer;
use crate::app::fixture::{PAGE, app, here, press};
use crate::app::message::{Editable, Effect, Message, Order};
use crate::app::overlay::Overlay;
use crate::base::time::Moment;
use crate::store::draft::Draft;
use crate::store::sha256;

const FILE: &str = "db-migration-needs-backup.md";

fn draft(path: &Path, text: &str, ago: i64) -> Draft {
    Draft {
        v: 1,
        path: path.to_path_buf(),
        base: sha256(PAGE.as_bytes()),
        text: PAGE.replace("Before", text),
        cursor: (0, 0),
        time: Moment::from_seconds(1_800_000_000 - ago).rfc3339(),
    }
}

/// Presses `e` on a memory that has these drafts.
fn opened(app: &mut App, drafts: Vec<Draft>, bytes: Option<&[u8]>) {
    assert!(app.tree.reveal(&here().folder, FILE));
    let key = crate::app::key::Key::char('e');
    let effects = app.update(Message::Key(key));
    let open = effects.into_iter().find_map(|effect| match effect {
        Effect::Write(Order::Open { id, at }) => Some((id, at)),
        _ => None,
    });
    let (id, at) = open.expect("it is read");
    let read = Ok(Box::new(Editable {
        bytes: bytes.map(<[u8]>::to_vec),
        modified: None,
        drafts,
    }));
    app.update(Message::Editable { id, at, read });
}

fn offered(app: &App) -> Vec<String> {
    match &app.overlay {
        Some(Overlay::Choice(choice)) => choice
            .answers
            .iter()
            .map(|(said, _)| said.clone())
            .collect(),
        other => panic!("{other:?}"),
    }
}

fn path() -> PathBuf {
    here().folder.join(FILE)
}

#[test]
fn the_drafts_of_two_windows_are_both_offered() {
    let mut app = app(120, 40);
    let drafts = vec![draft(&path(), "Mine", 20), draft(&path(), "Theirs", 600)];
    opened(&mut app, drafts, Some(PAGE.as_bytes()));
    assert_eq!(
        offered(&app),
        [
            "go on with what was typed, just now",
            "go on with what was typed, 10m ago",
            "discard all 2, begin from the file",
        ]
    );
    press(&mut app, "down enter");
    let text = app.editor.as_ref().expect("an edit").body.text();
    assert!(text.contains("Theirs a migration"), "{text}");
}

#[test]
fn what_was_typed_into_a_file_that_is_gone_can_be_written_anew() {
    let mut app = app(120, 40);
    let gone = draft(&path(), "Mine", 600);
    opened(&mut app, vec![gone.clone()], None);
    assert_eq!(
        offered(&app),
        ["write the file anew as typed, 10m ago", "discard it"]
    );
    press(&mut app, "enter");
    let Some(Overlay::Review(review)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert!(
        review
            .diff
            .lines()
            .iter()
            .any(|line| line == "+# Mine a migration"),
        "{:?}",
        review.diff.lines()
    );
    let effects = app.update(Message::Key(crate::app::key::Key::plain(
        crate::app::key::Code::Enter,
    )));
    let set = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Apply { set, .. }) => Some(set),
        _ => None,
    });
    let set = format!("{:?}", set.expect("it is applied"));
    assert!(set.contains("before: None") && set.contains(FILE), "{set}");
}

#[test]
fn what_was_typed_is_discarded_only_after_a_question() {
    let mut app = app(120, 40);
    opened(&mut app, Vec::new(), Some(PAGE.as_bytes()));
    press(&mut app, "ctrl-x");
    assert!(
        app.overlay.is_none() && app.editor.is_some(),
        "nothing was typed"
    );
    press(&mut app, "x");
    app.update(Message::KeepDue);
    press(&mut app, "ctrl-x enter");
    assert!(
        app.editor
            .as_ref()
            .is_some_and(|it| it.body.text().starts_with('x'))
    );
    press(&mut app, "ctrl-x down");
    let effects = app.update(Message::Key(crate::app::key::Key::plain(
        crate::app::key::Code::Enter,
    )));
    assert!(app.editor.is_none() && app.drafts.is_empty());
    assert!(
        effects
            .iter()
            .any(|it| matches!(it, Effect::Write(Order::DropDraft(_))))
    );
}

#[test]
fn drafts_are_listed_wherever_their_files_are() {
    let mut app = app(120, 40);
    press(&mut app, "g d");
    assert!(format!("{:?}", app.notice).contains("no draft is kept"));
    let elsewhere = PathBuf::from("/elsewhere/memory/x.md");
    let new = here().folder.join(crate::app::editor::NEW_FILE);
    app.update(Message::Drafts(vec![path(), elsewhere, new]));
    press(&mut app, "g d");
    assert_eq!(
        offered(&app),
        [
            "x.md · /elsewhere/memory",
            "a new memory · shop-web",
            "db-migration-needs-backup.md · shop-web",
        ]
    );
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    assert!(matches!(choice.answers[2].1, Answer::OpenDraft(_)));
    press(&mut app, "down down enter");
    assert!(app.editor.is_some(), "it is opened");
}

#[test]
fn a_draft_that_could_not_be_replaced_is_still_ours() {
    let mut app = app(120, 40);
    opened(&mut app, Vec::new(), Some(PAGE.as_bytes()));
    let kept = |app: &mut App, key: char| {
        app.update(Message::Key(crate::app::key::Key::char(key)));
        let effects = app.update(Message::KeepDue);
        effects.into_iter().find_map(|effect| match effect {
            Effect::Write(Order::KeepDraft { draft, own }) => Some((*draft, own.map(|own| *own))),
            _ => None,
        })
    };
    let (first, own) = kept(&mut app, 'a').expect("a draft");
    assert_eq!(own, None);
    let (second, own) = kept(&mut app, 'b').expect("a draft");
    assert_eq!(own.as_ref(), Some(&first));
    app.update(Message::DraftLost {
        path: second.path.clone(),
        said: "no room".to_string(),
        own: own.map(Box::new),
    });
    let (_, own) = kept(&mut app, 'c').expect("a draft");
    assert_eq!(own, Some(first), "the one that is there still is replaced");
}

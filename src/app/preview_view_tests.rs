use std::path::PathBuf;

use super::*;
use crate::app::fixture::{app, press};
use crate::app::key::Key;
use crate::app::message::{Effect, Message};
use crate::app::{App, Tab};
use crate::context::memory_prompt::Recall;
use crate::context::preview::{Asked, Layout, Moment};

fn asked(effects: &[Effect]) -> Vec<&Asked> {
    let asks = effects.iter().filter_map(|effect| match effect {
        Effect::BuildPreview { asked, .. } => Some(&**asked),
        _ => None,
    });
    asks.collect()
}

fn on(app: &mut App, group: usize) {
    let rows = app.preview.rows();
    app.preview.list.cursor = rows
        .iter()
        .position(|row| *row == PreviewRow::Part(group))
        .unwrap();
}

#[test]
fn it_is_built_when_it_is_shown_and_not_before() {
    let mut app = app(120, 40);
    assert_eq!(asked(&press(&mut app, "j k")), Vec::<&Asked>::new());
    let effects = press(&mut app, "p");
    assert_eq!(app.tab, Tab::Preview);
    assert_eq!(asked(&effects).len(), 1);
    assert_eq!(asked(&effects)[0].cwd, Path::new("/work/shop-web"));
    // Nothing has changed: nothing is asked for.
    assert_eq!(asked(&press(&mut app, "j j k")).len(), 0);
}

#[test]
fn each_switch_asks_for_another_one() {
    let mut app = app(120, 40);
    press(&mut app, "p");
    let effects = press(&mut app, "a");
    assert_eq!(asked(&effects)[0].switches.moment, Moment::Compacted);
    let effects = press(&mut app, "s");
    assert_eq!(asked(&effects)[0].switches.moment, Moment::Resumed);
    let effects = press(&mut app, "s r");
    assert_eq!(
        asked(&effects).last().unwrap().switches.recall,
        Recall::Prefetch
    );
    let effects = press(&mut app, "v");
    assert_eq!(
        asked(&effects)[0].switches.layout,
        Layout::Observed(Some("2.1.332".to_string()))
    );
    let effects = press(&mut app, "o");
    assert_eq!(asked(&effects)[0].switches.layout, Layout::Ours);
    let effects = press(&mut app, "i w h y ? enter");
    assert_eq!(asked(&effects)[0].switches.prompt.as_deref(), Some("why?"));
    let effects = press(&mut app, "f a . c : b . c enter");
    assert_eq!(
        asked(&effects)[0].switches.read,
        [Path::new("a.c"), Path::new("b.c")]
    );
    let effects = press(&mut app, "t backspace backspace 9 enter");
    assert_eq!(asked(&effects)[0].switches.turns, 9);
    // A line that is emptied takes the question away again.
    let effects = press(&mut app, "i backspace backspace backspace backspace enter");
    assert_eq!(asked(&effects)[0].switches.prompt, None);
}

#[test]
fn what_was_edited_and_what_is_added_is_typed_and_an_agent_is_chosen() {
    let mut app = app(120, 40);
    press(&mut app, "p");
    let effects = press(&mut app, "s w a . m d enter");
    let switches = &asked(&effects).last().unwrap().switches;
    assert_eq!(switches.edited.as_deref(), Some(Path::new("a.md")));
    assert_eq!(switches.moment, Moment::New);
    let effects = press(&mut app, "d . . / x : / y enter");
    let added = &asked(&effects).last().unwrap().switches.added;
    assert_eq!(*added, [PathBuf::from("../x"), PathBuf::from("/y")]);
    // The main conversation is chosen at first; below it stand the sub-agents.
    let effects = press(&mut app, "b j enter");
    let switches = &asked(&effects).last().unwrap().switches;
    assert_eq!(switches.agent.as_deref(), Some("reviewer"));
    assert_eq!((&switches.edited, added_of(switches)), (&None, 2));
    let effects = press(&mut app, "a");
    let switches = &asked(&effects).last().unwrap().switches;
    assert_eq!(
        (&switches.agent, switches.moment),
        (&None, Moment::Compacted)
    );
    let effects = press(&mut app, "o b j enter");
    let switches = &asked(&effects).last().unwrap().switches;
    assert_eq!(switches.layout, Layout::Observed(None));
    let effects = press(&mut app, "b k enter");
    assert_eq!(asked(&effects).last().unwrap().switches.agent, None);
}

fn added_of(switches: &Switches) -> usize {
    switches.added.len()
}

#[test]
fn where_there_is_no_agent_none_is_offered() {
    let mut app = app(120, 40);
    let key = |key: &str| Message::Key(Key::parse(key).unwrap());
    let effects = app.update(key("p"));
    let id = effects.iter().find_map(|effect| match effect {
        Effect::BuildPreview { id, .. } => Some(*id),
        _ => None,
    });
    let mut built = crate::app::fixture::preview(asked(&effects)[0].clone());
    built.agents.clear();
    app.update(Message::PreviewBuilt {
        id: id.unwrap(),
        preview: Ok(Box::new(built)),
    });
    let has = |app: &App, name: &str| {
        app.preview.rows().iter().any(|row| match row {
            PreviewRow::Switches(all) => all.iter().any(|one| one.name == name),
            _ => false,
        })
    };
    assert!(has(&app, "folders") && !has(&app, "agent"));
    app.update(key("b"));
    assert!(app.overlay.is_none());
}

#[test]
fn one_is_built_at_a_time_and_an_answer_that_is_late_is_dropped() {
    let mut app = app(120, 40);
    let key = |key: &str| Message::Key(Key::parse(key).unwrap());
    let first = app.update(key("p"));
    let id = first.iter().find_map(|effect| match effect {
        Effect::BuildPreview { id, .. } => Some(*id),
        _ => None,
    });
    // While it is built the switch is turned: the next is asked for when the answer is there.
    assert_eq!(asked(&app.update(key("a"))).len(), 0);
    let built = crate::app::fixture::preview(asked(&first)[0].clone());
    let late = Message::PreviewBuilt {
        id: id.unwrap() + 100,
        preview: Ok(Box::new(built.clone())),
    };
    assert_eq!(asked(&app.update(late)).len(), 0);
    assert!(app.preview.preview().is_none());
    let answer = Message::PreviewBuilt {
        id: id.unwrap(),
        preview: Ok(Box::new(built)),
    };
    let next = app.update(answer);
    assert_eq!(asked(&next)[0].switches.moment, Moment::Compacted);
}

#[test]
fn a_part_opens_to_its_text_and_is_copied_exactly() {
    let mut app = app(120, 40);
    press(&mut app, "p");
    on(&mut app, 2);
    let effects = press(&mut app, "y");
    let copied = effects.iter().find_map(|effect| match effect {
        Effect::Copy { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let copied = copied.unwrap();
    assert!(copied.contains("Never deploy on a Friday. \u{202E}hidden\u{1b}[31m"));
    press(&mut app, "enter");
    let shown: Vec<&str> = app
        .preview
        .rows()
        .iter()
        .filter_map(|row| match row {
            PreviewRow::Text { line, .. } => Some(line.as_str()),
            _ => None,
        })
        .collect();
    assert!(shown.contains(&"# House rules"));
    let hidden = |c: char| c == '\u{1b}' || c == '\u{202E}';
    assert!(!shown.iter().any(|line| line.contains(hidden)));
    press(&mut app, "enter");
    assert!(
        !app.preview
            .rows()
            .iter()
            .any(|row| matches!(row, PreviewRow::Text { .. }))
    );
}

#[test]
fn the_request_is_exported_as_it_is_and_what_is_not_exact_in_it_is_said() {
    let mut app = app(120, 40);
    press(&mut app, "p");
    let effects = press(&mut app, "x enter");
    let body = app.preview.preview().unwrap().request.body();
    let expected = Effect::ExportRequest {
        path: PathBuf::from("request.json"),
        body,
    };
    assert!(effects.contains(&expected));
    let Some(crate::app::Notice::Word(said)) = &app.notice else {
        panic!("nothing was said");
    };
    assert!(
        said.contains(
            "went to request.json; not the whole request: placeholders in brackets stand for 2 texts that are \
             not known, and the tools are left out; your own files are exact, byte for byte"
        ),
        "{said}"
    );
}

#[test]
fn what_is_exported_is_what_was_asked_for_though_it_is_not_built_yet() {
    let mut app = app(120, 40);
    press(&mut app, "p");
    let mut sent = Vec::new();
    for key in "i w h y enter x enter".split(' ') {
        sent.extend(app.update(Message::Key(Key::parse(key).unwrap())));
    }
    let exports = |sent: &[Effect]| {
        let sent = sent.iter().filter_map(|effect| match effect {
            Effect::ExportRequest { path, body } => Some((path.clone(), body.clone())),
            _ => None,
        });
        sent.collect::<Vec<_>>()
    };
    assert_eq!(exports(&sent), []);
    let asked = asked(&sent).into_iter().next_back().unwrap().clone();
    assert_eq!(asked.switches.prompt.as_deref(), Some("why"));
    let id = sent.iter().find_map(|effect| match effect {
        Effect::BuildPreview { id, .. } => Some(*id),
        _ => None,
    });
    let preview = Box::new(crate::app::fixture::preview(asked));
    let body = preview.request.body();
    let sent = app.update(Message::PreviewBuilt {
        id: id.unwrap(),
        preview: Ok(preview),
    });
    assert_eq!(exports(&sent), [(PathBuf::from("request.json"), body)]);
}

#[test]
fn while_a_memory_is_edited_its_meter_is_asked_for_once_typing_has_paused_and_one_at_a_time() {
    let mut app = app(120, 40);
    press(&mut app, "j j j j j j j enter");
    press(&mut app, "e");
    let key = |key: &str| Message::Key(Key::parse(key).unwrap());
    // While typing goes on nothing is built, and the loop is told to wait for a pause.
    for typed in ["x", "y", "z"] {
        assert_eq!(asked(&app.update(key(typed))).len(), 0);
        assert!(app.typing().is_some());
    }
    let first = app.update(Message::TypingPaused);
    let edited = asked(&first)[0].edited.clone().unwrap();
    assert!(edited.path.ends_with("db-migration-needs-backup.md"));
    assert!(String::from_utf8(edited.bytes).unwrap().contains("xyz"));
    // At rest there is nothing to wait for.
    assert_eq!(app.typing(), None);
    assert_eq!(asked(&app.update(Message::TypingPaused)).len(), 0);
    // It is still being built: the next pause asks for nothing yet.
    assert_eq!(asked(&app.update(key("a"))).len(), 0);
    assert_eq!(asked(&app.update(Message::TypingPaused)).len(), 0);
    assert_eq!(app.typing(), None);
}

#[test]
fn a_long_list_opens_and_closes_with_the_cursor_on_its_row() {
    let folder = Path::new("/memory");
    let mut view = PreviewView::default();
    let source = Source {
        folder: folder.to_path_buf(),
        stamp: 1,
        rules_stamp: 1,
        switches: Switches::default(),
        edited: None,
    };
    let mut preview = crate::app::fixture::preview(Asked {
        cwd: PathBuf::from("/work/shop-web"),
        switches: Switches::default(),
        edited: None,
    });
    let cut = preview.cut.as_mut().unwrap();
    cut.ghosts = (0..229).map(|at| format!("g{at}.md")).collect();
    assert!(view.wants(&source, 1));
    view.take(1, Ok(Box::new(preview)));
    let turn = |view: &mut PreviewView| {
        view.turn_to(Some(folder), 76, &[], Path::new("/home/ada"));
        view.rows().len()
    };
    let folded = turn(&mut view);
    let is_fold = |row: &PreviewRow| matches!(row, PreviewRow::Fold { .. });
    view.list.cursor = view.rows().iter().position(is_fold).unwrap();
    assert!(view.toggle());
    assert_eq!(turn(&mut view), folded + 229);
    assert!(view.row().is_some_and(is_fold));
    assert!(view.toggle());
    assert_eq!(turn(&mut view), folded);
    view.list.cursor = 0;
    assert!(!view.toggle());
}

#[test]
fn the_cursor_stands_on_rows_that_something_can_be_done_with() {
    let mut app = app(120, 40);
    press(&mut app, "p");
    let rows = app.preview.rows().len();
    let acts = |app: &App| app.preview.rows()[app.preview.list.cursor].acts();
    for key in ["j", "pgdn", "G", "k", "ctrl-u", "pgup", "g g"] {
        press(&mut app, key);
        assert!(acts(&app), "{key}: row {}", app.preview.list.cursor);
    }
    let first = app.preview.rows().iter().position(PreviewRow::acts);
    assert_eq!(Some(app.preview.list.cursor), first);
    assert_eq!(app.preview.list.offset, 0);
    // A click on a heading leaves the cursor where it is.
    assert!(!app.preview.go(0));
    assert_eq!(Some(app.preview.list.cursor), first);
    let last = app.preview.rows().iter().rposition(PreviewRow::acts);
    assert!(app.preview.go(last.unwrap()));
    // What stands below the last of them can be read all the same.
    app.preview.settle(8);
    for _ in 0..rows {
        app.preview.step(1);
    }
    assert_eq!(app.preview.list.offset, rows - 8);
    assert!(!app.preview.step(1));
}

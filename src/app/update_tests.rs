use super::*;
use crate::app::Notice;
use crate::app::action::{Action, Keymap, Scope};
use crate::app::fixture::{answer, app, choice, conflict, empty_app, here, measure, press};
use crate::app::key::{Code, Key};
use crate::app::layout::Size;
use crate::app::message::{Done, Order};
use crate::app::overlay::Overlay;
use crate::app::preview_rows::PreviewRow;
use crate::app::tree_rows::Row;

/// What a person could see of the state.
fn seen(app: &App) -> String {
    format!(
        "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {} {} {} {:?} {:?} {:?} {:?}",
        app.tree.list,
        app.tree.rows(),
        app.focus,
        app.tab,
        app.index.list,
        app.notice,
        app.pending,
        app.reading.raw,
        app.reading.scroll,
        app.overlay
            .as_ref()
            .map(|overlay| format!("{overlay:?}"))
            .unwrap_or_default(),
        app.editor,
        app.health.list,
        app.history.list,
        (
            &app.projects.list,
            &app.projects.marked,
            app.projects.sort(),
            &app.preview.list,
            &app.preview.switches,
            app.preview.rows(),
            (
                &app.sessions.list,
                app.sessions.rows(),
                app.session.as_ref().map(|it| (it.list, it.rows().len())),
                app.proof.as_ref().map(|it| it.list),
                (
                    (app.usage.list, app.usage.rows(), app.usage.bars()),
                    (
                        app.ledger.list,
                        app.ledger.rows(),
                        app.ledger.marked().is_some()
                    ),
                    app.ledger.open.as_ref().map(|it| (it.list, it.rows())),
                ),
                (
                    (app.agent.is_open, app.agent.width, app.agent.is_typing),
                    (app.agent.input.text(), app.agent.input.cursor()),
                    (app.agent.list, app.agent.rows()),
                    app.agent.completing().map(|it| it.list),
                ),
            ),
        ),
    )
}

fn in_scope(scope: Scope) -> App {
    let mut app = app(120, 24);
    match scope {
        Scope::Tree => {}
        Scope::Memory => {
            press(&mut app, "j j j enter");
        }
        Scope::Index => {
            press(&mut app, "2");
        }
        Scope::Preview => {
            press(&mut app, "p");
            let part = |row: &PreviewRow| row.group().is_some();
            app.preview.list.cursor = app.preview.rows().iter().position(part).unwrap();
        }
        Scope::History => {
            press(&mut app, "4 j");
        }
        Scope::Health => {
            press(&mut app, "3 j");
        }
        Scope::Projects => {
            press(&mut app, "5");
        }
        Scope::Sessions => {
            press(&mut app, "6");
        }
        Scope::Session => {
            press(&mut app, "6 enter");
        }
        Scope::Usage => {
            press(&mut app, "7 j");
        }
        Scope::Ledger => {
            press(&mut app, "8 j");
        }
        Scope::Request => {
            press(&mut app, "8 enter");
        }
        Scope::Agent => {
            press(&mut app, "a L o o k enter esc g g j j");
        }
        Scope::Question => {
            press(&mut app, "a L o o k enter x");
        }
        Scope::Completion => {
            press(&mut app, "a / r e");
        }
        Scope::Help => {
            press(&mut app, "?");
        }
        Scope::Palette => {
            press(&mut app, ":");
        }
        Scope::Finder => {
            press(&mut app, "/ s n a p");
        }
        Scope::Body => {
            press(&mut app, "j j j e");
        }
        Scope::Form => {
            press(&mut app, "j j j e shift-tab");
        }
        Scope::Review => {
            press(&mut app, "j j j d");
        }
        Scope::Prompt => {
            press(&mut app, "j j j r");
        }
        Scope::Past => {
            press(&mut app, "4 G enter");
        }
        Scope::Target => {
            press(&mut app, "j j j m");
        }
        Scope::Filter => {
            press(&mut app, "& m");
        }
        Scope::Choice => app.overlay = Some(Overlay::Choice(choice())),
        Scope::Merge => {
            press(&mut app, "j j j e");
            app.overlay = Some(Overlay::Merge(Box::new(conflict(&app))));
        }
    }
    measure(&mut app);
    assert_eq!(app.scope(), scope);
    app
}

#[test]
fn every_key_of_the_table_shows_something_everywhere() {
    for scope in Scope::ALL {
        let lines = Keymap::default().help_lines();
        for key in lines.iter().flat_map(|line| &line.keys) {
            let mut app = in_scope(scope);
            let before = seen(&app);
            let effects = press(&mut app, key);
            let goes = effects
                .iter()
                .any(|effect| matches!(effect, Effect::Quit | Effect::Suspend));
            // Where it is no key it is taken for esc and enter: there, and back again.
            let is_two = key == "alt-enter" && scope != Scope::Question;
            assert!(
                goes || is_two || seen(&app) != before,
                "{key} does nothing in {}",
                scope.name()
            );
        }
    }
}

#[test]
fn q_quits_from_a_pane_and_is_text_in_a_field() {
    assert_eq!(press(&mut app(80, 24), "q"), [Effect::Quit]);
    let mut app = in_scope(Scope::Palette);
    assert_eq!(press(&mut app, "q"), []);
    assert_eq!(app.overlay.as_mut().unwrap().field().unwrap().text(), "q");
}

#[test]
fn esc_and_a_key_in_one_breath_are_two_keys() {
    let mut app = in_scope(Scope::Help);
    assert_eq!(press(&mut app, "alt-q"), [Effect::Quit]);
    let mut app = in_scope(Scope::Palette);
    press(&mut app, "o n e alt-b");
    assert_eq!(
        app.overlay
            .as_mut()
            .unwrap()
            .field()
            .unwrap()
            .before_cursor(),
        ""
    );
}

#[test]
fn ctrl_c_cancels_then_clears_then_quits() {
    let mut app = app(80, 24);
    press(&mut app, "g ctrl-c");
    assert!(app.pending.is_empty());
    press(&mut app, ": x ctrl-c");
    assert_eq!(app.overlay.as_mut().unwrap().field().unwrap().text(), "");
    press(&mut app, "ctrl-c");
    assert!(app.overlay.is_none());
    assert_eq!(press(&mut app, "ctrl-c"), []);
    assert!(format!("{:?}", app.notice).contains("again to quit"));
    press(&mut app, "j");
    assert_eq!(press(&mut app, "ctrl-c"), [], "another key disarms it");
    assert_eq!(press(&mut app, "ctrl-c"), [Effect::Quit]);
}

#[test]
fn a_paste_is_text_in_a_field_and_nothing_in_a_list() {
    let mut app = app(80, 24);
    let before = app.tree.list;
    assert_eq!(app.update(Message::Paste("jjq\n".to_string())), []);
    assert_eq!(app.tree.list, before);
    press(&mut app, ":");
    app.update(Message::Paste("in\ndex".to_string()));
    assert_eq!(
        app.overlay.as_mut().unwrap().field().unwrap().text(),
        "in dex"
    );
}

#[test]
fn a_paste_that_is_cut_says_so() {
    let mut app = app(120, 40);
    press(&mut app, "p i");
    app.update(Message::Paste("why? ".repeat(5_000)));
    let field = app.overlay.as_mut().unwrap().field().unwrap();
    assert_eq!(field.text().chars().count(), 10_000);
    let said = format!("{:?}", app.notice);
    let cut = "what was pasted is cut: no more than 10,000 characters fit here";
    assert!(said.contains(cut), "{said}");
    press(&mut app, "x");
    let said = format!("{:?}", app.notice);
    assert!(said.contains("Word(\"no more than 10,000"), "{said}");
    let mut app = self::app(120, 40);
    press(&mut app, "n");
    assert!(app.editor.as_ref().unwrap().is_in_text_field());
    app.update(Message::Paste("a".repeat(10_001)));
    let said = format!("{:?}", app.notice);
    assert!(said.contains(cut), "{said}");
}

#[test]
fn the_palette_runs_what_is_chosen() {
    let mut app = app(120, 24);
    press(&mut app, ": i n d e x enter");
    assert_eq!((app.overlay.is_none(), app.tab), (true, Tab::Index));
    press(&mut app, ": r a w enter");
    assert!(format!("{:?}", app.notice).contains("raw works in"));
}

#[test]
fn answers_that_nobody_waits_for_are_dropped() {
    let mut app = app(80, 24);
    let first = app.update(Message::Key(Key::char('j')));
    assert_eq!(first, []);
    let path = press(&mut app, "j j");
    let Some(Effect::ReadPage { id, at }) = path.last().cloned() else {
        panic!("a page is read: {path:?}");
    };
    let stamp = app.reading.shown().unwrap().stamp;
    app.update(Message::Page {
        id,
        path: at.path(),
        page: Err("late".to_string()),
    });
    assert_eq!(app.reading.shown().unwrap().stamp, stamp);
    app.update(Message::Shelves {
        id: 0,
        here: here(),
        shelves: Vec::new(),
    });
    assert!(app.tree.shelves().len() > 1);
}

#[test]
fn a_pointer_opens_its_memory() {
    let mut app = in_scope(Scope::Index);
    let at = app
        .index
        .rows()
        .iter()
        .position(|row| matches!(row, crate::app::index_rows::IndexRow::Line { line: 4, .. }))
        .unwrap();
    app.index.list.cursor = at;
    press(&mut app, "enter");
    assert_eq!(app.scope(), Scope::Memory);
    let (_, entry) = app.tree.memory(app.tree.row().unwrap()).unwrap();
    assert_eq!(&*entry.path, "db-migration-needs-backup.md");
    let mut dangling = in_scope(Scope::Index);
    dangling.index.list.cursor = at + 1;
    press(&mut dangling, "enter");
    assert!(format!("{:?}", dangling.notice).contains("dangling"));
}

#[test]
fn a_reload_keeps_the_cursor() {
    let mut app = app(80, 24);
    press(&mut app, "j j j j j");
    let before = app.tree.row().cloned();
    let effects = press(&mut app, "ctrl-l");
    assert!(effects.contains(&Effect::Redraw));
    assert_eq!(app.tree.row().cloned(), before);
}

#[test]
fn folding_climbs_and_unfolding_reads() {
    let mut app = app(80, 24);
    press(&mut app, "j j j");
    assert!(matches!(app.tree.row(), Some(Row::Memory { .. })));
    press(&mut app, "h");
    assert!(matches!(
        app.tree.row(),
        Some(Row::Group { open: true, .. })
    ));
    press(&mut app, "h");
    assert!(matches!(
        app.tree.row(),
        Some(Row::Group { open: false, .. })
    ));
    press(&mut app, "h h");
    assert!(matches!(app.tree.row(), Some(Row::Shelf(0))));
    let effects = press(&mut app, "j enter");
    assert!(matches!(effects.last(), Some(Effect::ReadShelf { .. })));
    assert!(app.tree.current().unwrap().contents.is_some());
    press(&mut app, "h k");
    let closed = app.tree.shelves().iter().filter(|it| it.contents.is_some());
    assert_eq!(closed.count(), 0, "what is folded is forgotten");
}

#[test]
fn an_empty_folder_says_so_and_shows_the_others() {
    let mut app = empty_app(80, 24);
    assert_eq!(app.tree.rows(), [Row::Empty { shelf: 0 }]);
    press(&mut app, "enter");
    assert!(app.notice.is_some());
}

#[test]
fn any_size_is_taken() {
    let mut app = in_scope(Scope::Memory);
    for (width, height) in [(1, 1), (0, 0), (40, 10), (59, 11), (300, 100)] {
        app.update(Message::Resize(Size { width, height }));
        measure(&mut app);
        press(&mut app, "j pgdn tab 2 G");
    }
}

#[test]
fn keys_pressed_before_an_edit_comes_up_are_meant_for_it() {
    let mut app = app(80, 24);
    measure(&mut app);
    let mut effects = Vec::new();
    for key in "j j j e x y".split(' ') {
        effects.extend(app.update(Message::Key(Key::parse(key).unwrap())));
    }
    assert!(app.editor.is_none() && app.scope() == Scope::Tree);
    crate::app::fixture::answer(&mut app, effects);
    let typed = app.editor.as_ref().unwrap().body.lines()[0].clone();
    assert!(typed.starts_with("xy"), "{typed}");
    // Esc gives up what has not come up yet.
    app.update(Message::Key(Key::plain(Code::Esc)));
    let effects = app.update(Message::Key(Key::char('e')));
    app.update(Message::Key(Key::plain(Code::Esc)));
    crate::app::fixture::answer(&mut app, effects);
    assert!(app.editor.is_none());
}

#[test]
fn an_edit_without_a_draft_is_not_left_unasked() {
    let mut app = app(80, 24);
    press(&mut app, "j j j e x");
    let path = app.editor.as_ref().unwrap().at.path();
    press(&mut app, "y");
    app.update(Message::KeepDue);
    let said = "the draft could not be kept: no room".to_string();
    app.update(Message::DraftLost {
        path,
        said,
        own: None,
    });
    press(&mut app, "esc");
    assert!(app.editor.is_some(), "it says first that nothing is kept");
    assert!(format!("{:?}", app.notice).contains("no draft could be kept"));
    press(&mut app, "esc");
    assert!(app.editor.is_none());
}

/// A change that another program reports makes the shelf be read again while a reading is under way:
/// keys that wait for the index wait for the last of them.
#[test]
fn keys_for_the_index_wait_for_the_last_reading() {
    let mut app = in_scope(Scope::Index);
    let rows = app.index.rows().len();
    let entry = (0..rows).find(|at| {
        app.index.list.cursor = *at;
        app.entry_here().is_some()
    });
    assert!(entry.is_some());
    let moved = app.update(Message::Key(Key::char('J')));
    let Some(Effect::Write(Order::Carry { id, .. })) = moved.last().cloned() else {
        panic!("an entry is moved: {moved:?}");
    };
    let applied = Ok(Done {
        title: "move an entry".to_string(),
        notices: Vec::new(),
        sets: 1,
        touched: Vec::new(),
    });
    let first = app.update(Message::Applied { id, applied });
    let folder = here().folder;
    let second = app.update(Message::Changed {
        folder: folder.clone(),
    });
    let reading = |effects: &[Effect]| {
        let of = |effect: &Effect| match effect {
            Effect::ReadShelf { id, shelf } if shelf.folder == folder => Some(*id),
            _ => None,
        };
        effects.iter().find_map(of).expect("the shelf is read")
    };
    let (first, second) = (reading(&first), reading(&second));
    let contents = || Box::new(crate::app::fixture::contents());
    app.update(Message::Key(Key::char('e')));
    let read = |id| Message::Contents {
        id,
        folder: folder.clone(),
        contents: contents(),
    };
    app.update(read(first));
    assert!(app.overlay.is_none(), "that is not what is there now");
    app.update(read(second));
    assert_eq!(app.scope(), Scope::Prompt);
}

#[test]
fn a_key_that_waited_is_meant_for_the_entry_that_moved() {
    use crate::app::dialog::Purpose;
    use crate::app::fixture::{app_on, contents, index};
    let files = ["odd.md", "evil.md"];
    let (odd, evil) = ("- [Odd](odd.md) — a\n", "- [Evil](evil.md) — b\n");
    let with = |text: String| crate::agents::Contents {
        index: Some(index(&text, &files)),
        ..contents()
    };
    let mut app = app_on(120, 40, with([odd, evil].concat()));
    press(&mut app, "2");
    let rows = app.index.rows().len();
    let first = (0..rows).find(|at| {
        app.index.list.cursor = *at;
        app.entry_here().is_some()
    });
    assert!(first.is_some());
    let moved = app.update(Message::Key(Key::char('J')));
    let Some(Effect::Write(Order::Carry { id, .. })) = moved.last().cloned() else {
        panic!("an entry is moved: {moved:?}");
    };
    let applied = Ok(Done {
        title: "move Odd down".to_string(),
        notices: Vec::new(),
        sets: 1,
        touched: Vec::new(),
    });
    let effects = app.update(Message::Applied { id, applied });
    let reading = effects.iter().find_map(|effect| match effect {
        Effect::ReadShelf { id, shelf } if shelf.folder == here().folder => Some(*id),
        _ => None,
    });
    let read = Message::Contents {
        id: reading.expect("the shelf is read"),
        folder: here().folder,
        contents: Box::new(with([evil, odd].concat())),
    };
    // In one breath with the reading that it waits for.
    let effects = app.update_all([Message::Key(Key::char('e')), read]);
    answer(&mut app, effects);
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    let Purpose::Hook { entry, .. } = &prompt.purpose else {
        panic!("{:?}", prompt.purpose);
    };
    assert_eq!(entry.target, "odd.md");
}

#[test]
fn a_persons_own_keys_work_and_are_shown_and_typing_stays_typing() {
    use crate::config::file::TomlFile;
    use crate::config::keys;
    let text =
        "[everywhere]\n\"copy path\" = \"alt-c\"\nhelp = \"F1\"\nhealth = \"h\"\nundo = []\n";
    let file = TomlFile::parse(std::path::Path::new("keys.toml"), text).unwrap();
    let mut app = app(120, 40);
    app.keymap = Keymap::with(&keys::read(&file).0).0;
    press(&mut app, "j j j");
    let effects = press(&mut app, "alt-c");
    assert!(matches!(&effects[..], [Effect::Copy { .. }]), "{effects:?}");
    press(&mut app, "y");
    let said = app.notice.clone();
    let nothing = "y does nothing in the tree · F1 shows the keys".to_string();
    assert_eq!(said, Some(Notice::Word(nothing)));
    assert_eq!(app.key(Action::Undo), "unbound");
    assert_eq!(app.hint(Action::Undo, "undoes it"), "");
    press(&mut app, "h");
    assert_eq!(app.tab, Tab::Health);
    press(&mut app, "F1 h e a l t h");
    let Some(Overlay::Help(help)) = &app.overlay else {
        panic!("the help is not open");
    };
    assert_eq!(help.filter.text(), "health");
    let lines = help.lines();
    let first = lines.iter().find(|line| line.entry.name == "health");
    assert_eq!(first.map(|line| line.written_keys()), Some("h".to_string()));
    press(&mut app, "esc 1 e h");
    let editor = app.editor.as_ref().expect("an edit is open");
    assert!(editor.is_changed());
}

use super::*;
use crate::app::fixture::{self, answer, app, give_rules, here, press, ruled_app, rules};
use crate::app::message::Message;
use crate::app::reading::Subject;
use crate::app::tree::Group;
use crate::app::tree_rows::Row;

/// Puts the cursor on a rule.
fn on(app: &mut App, path: &str) {
    assert!(app.tree.reveal_rule(Path::new(path)), "{path} is listed");
    let effects = app.update(Message::Focused);
    answer(app, effects);
}

fn shown(app: &App) -> String {
    match app.subject() {
        Subject::Page(shown) => shown.path.display().to_string(),
        Subject::Shelf(_) | Subject::Waiting => String::new(),
    }
}

#[test]
fn the_rules_are_the_first_branch_and_begin_folded() {
    let mut app = ruled_app(120, 40);
    let rows = app.tree.rows();
    assert!(matches!(rows[0], Row::Shelf(0)));
    assert!(matches!(
        rows[1],
        Row::Group {
            group: Group::Rules,
            open: false,
            count: 8,
            ..
        }
    ));
    press(&mut app, "j enter j");
    assert!(
        app.rule_here()
            .is_some_and(|rule| rule.title == "/etc/claude-code/CLAUDE.md")
    );
    press(&mut app, "h");
    assert!(matches!(
        app.tree.row(),
        Some(Row::Group {
            group: Group::Rules,
            ..
        })
    ));
    press(&mut app, "h");
    assert!(matches!(app.tree.rows()[1], Row::Group { open: false, .. }));
}

#[test]
fn rules_are_asked_for_once_and_only_of_what_is_unfolded() {
    let (mut app, effects) = App::new(crate::app::Start {
        size: crate::app::layout::Size {
            width: 120,
            height: 40,
        },
        now: crate::base::time::Moment::from_seconds(0),
        home: "/home/ada".into(),
        here: here(),
        contents: fixture::contents(),
        store_notices: Vec::new(),
        mouse: true,
        demo: false,
        kept: None,
        keymap: crate::app::action::Keymap::default(),
        look: fixture::look(),
    });
    let asked = |effects: &[Effect]| {
        let of = effects.iter().filter_map(|effect| match effect {
            Effect::ReadRules { shelf, .. } => Some(shelf.key.clone()),
            _ => None,
        });
        of.collect::<Vec<_>>()
    };
    assert_eq!(asked(&effects), ["-work-shop-web"]);
    assert_eq!(asked(&app.update(Message::Focused)), Vec::<String>::new());
    answer(&mut app, effects);
    let effects = press(&mut app, "G k k");
    assert_eq!(asked(&effects), Vec::<String>::new(), "folded");
    let effects = press(&mut app, "enter");
    assert_eq!(asked(&effects), ["-work-evil"]);
}

#[test]
fn without_rules_there_is_no_branch() {
    let app = app(120, 40);
    assert!(!app.tree.rows().iter().any(|row| matches!(
        row,
        Row::Group {
            group: Group::Rules,
            ..
        }
    )));
}

#[test]
fn an_answer_that_is_not_awaited_is_dropped() {
    let mut app = ruled_app(120, 40);
    app.update(Message::Rules {
        id: 1,
        folder: here().folder,
        rules: Box::default(),
    });
    assert!(matches!(
        app.tree.rows()[1],
        Row::Group {
            group: Group::Rules,
            ..
        }
    ));
}

#[test]
fn a_change_in_a_folder_of_rules_has_them_and_the_page_read_again() {
    let mut app = ruled_app(120, 40);
    on(&mut app, "/work/shop-web/CLAUDE.md");
    let effects = app.update(Message::Changed {
        folder: "/work/shop-web/".into(),
    });
    assert!(
        effects
            .iter()
            .any(|it| matches!(it, Effect::ReadRules { .. })),
        "{effects:?}"
    );
    assert!(
        effects
            .iter()
            .any(|it| matches!(it, Effect::ReadRule { .. })),
        "{effects:?}"
    );
    let effects = app.update(Message::Changed {
        folder: "/work/other".into(),
    });
    assert!(
        !effects
            .iter()
            .any(|it| matches!(it, Effect::ReadRules { .. })),
        "{effects:?}"
    );
}

#[test]
fn their_folders_are_watched_apart_from_those_of_memories() {
    let mut app = app(120, 40);
    let folder = here().folder;
    app.tree.await_rules(&folder, 77);
    let effects = app.update(Message::Rules {
        id: 77,
        folder: folder.clone(),
        rules: Box::new(rules()),
    });
    let watched = effects.iter().find_map(|effect| match effect {
        Effect::Watch { folders, rules, .. } => Some((folders.clone(), rules.clone())),
        _ => None,
    });
    let (folders, watched) = watched.expect("other folders are watched");
    assert_eq!(folders, [folder]);
    assert_eq!(watched, rules().folders);
}

#[test]
fn a_page_of_a_rule_is_read_where_it_lies_under_its_own_name() {
    let mut app = ruled_app(120, 40);
    let mut linked = rules();
    linked.files[2].real = "/dotfiles/CLAUDE.md".into();
    give_rules(&mut app, linked);
    assert!(app.tree.reveal_rule(Path::new("/work/shop-web/CLAUDE.md")));
    let effects = app.update(Message::Focused);
    let read = effects.iter().find_map(|effect| match effect {
        Effect::ReadRule { path, real, .. } => Some((path.clone(), real.clone())),
        _ => None,
    });
    assert_eq!(
        read,
        Some((
            "/work/shop-web/CLAUDE.md".into(),
            "/dotfiles/CLAUDE.md".into()
        ))
    );
    answer(&mut app, effects);
    assert_eq!(shown(&app), "/work/shop-web/CLAUDE.md");
}

#[test]
fn enter_goes_along_imports_and_backspace_back() {
    let mut app = ruled_app(120, 40);
    on(&mut app, "/work/shop-web/CLAUDE.md");
    press(&mut app, "enter enter");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("two files are imported: {:?}", app.overlay);
    };
    let labels: Vec<&str> = choice.answers.iter().map(|(label, _)| &**label).collect();
    assert_eq!(
        labels,
        ["→ docs/releasing.md", "→ docs/gone.md · is not there"]
    );
    press(&mut app, "enter");
    assert_eq!(shown(&app), "/work/shop-web/docs/releasing.md");
    press(&mut app, "enter");
    assert_eq!(
        shown(&app),
        "/work/shop-web/CLAUDE.md",
        "its only way is to its parent"
    );
    press(&mut app, "backspace backspace");
    assert_eq!(shown(&app), "/work/shop-web/CLAUDE.md");
}

#[test]
fn the_cursor_stays_on_the_row_where_a_file_is_named_again() {
    let mut app = ruled_app(120, 40);
    let mut twice = rules();
    let mut again = twice.files[2].clone();
    again.depth = 1;
    twice.files.insert(5, again);
    give_rules(&mut app, twice.clone());
    press(&mut app, "j enter j j j j j j");
    let at = app.tree.list.cursor;
    assert_eq!(app.rule_here().map(|rule| rule.depth), Some(1));
    give_rules(&mut app, twice);
    assert_eq!(app.tree.list.cursor, at);
}

#[test]
fn the_filter_finds_rules_by_their_path() {
    let mut app = ruled_app(120, 40);
    press(&mut app, "& m i g r enter");
    let rules: Vec<_> = app
        .tree
        .rows()
        .iter()
        .filter_map(|row| app.tree.rule(row))
        .collect();
    assert_eq!(rules.len(), 1);
    assert_eq!(rules[0].1.title, ".claude/rules/migrations.md");
}

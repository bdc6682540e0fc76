use super::*;
use crate::app::Notice;
use crate::app::fixture::{app, press};
use crate::app::message::Wanted;

fn asked(effects: &[Effect]) -> Option<&Asked> {
    effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Export { asked, .. }) => Some(asked),
        _ => None,
    })
}

fn wish(effects: &[Effect]) -> Option<&ProjectWish> {
    effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Propose { wishes, .. } | Order::Carry { wishes, .. }) => {
            match &wishes[0].1 {
                Wanted::Project(wish) => Some(wish),
                Wanted::Wish(_) | Wanted::Fix(_) | Wanted::Mend(_) => None,
            }
        }
        _ => None,
    })
}

fn word(app: &App) -> &str {
    match &app.notice {
        Some(Notice::Word(said)) => said,
        other => panic!("nothing is said: {other:?}"),
    }
}

#[test]
fn a_project_is_exported_with_its_sessions_where_that_is_chosen() {
    let mut app = app(120, 40);
    press(&mut app, "5 j e");
    let done = press(&mut app, "down enter enter");
    let asked = asked(&done).expect("exported");
    assert_eq!(asked.keys, ["-work-shop-web"]);
    assert_eq!(asked.file, "shop-web.tgz");
    assert!(asked.transcripts && !asked.replace);
    assert_eq!(word(&app), "shop-web.tgz holds 1 project, 3 files");
}

#[test]
fn all_marked_ones_go_into_one_archive() {
    let mut app = app(120, 40);
    press(&mut app, "5 space j space e enter");
    let done = press(&mut app, "enter");
    let asked = asked(&done).expect("exported");
    assert_eq!(asked.keys, ["-work-old", "-work-shop-web"]);
    assert_eq!(asked.file, "projects.tgz");
    assert!(!asked.transcripts);
}

#[test]
fn a_file_that_is_there_is_written_over_only_when_that_is_chosen() {
    let mut app = app(120, 40);
    press(&mut app, "5 e enter ctrl-c");
    let first = press(&mut app, "t a k e n enter");
    assert!(asked(&first).is_some_and(|asked| !asked.replace));
    // Another file is asked for unless it is chosen otherwise.
    assert_eq!(asked(&press(&mut app, "enter")), None);
    assert!(
        matches!(&app.overlay, Some(Overlay::Prompt(prompt)) if prompt.field.text() == "taken")
    );
    press(&mut app, "enter");
    let over = press(&mut app, "down enter");
    assert!(asked(&over).is_some_and(|asked| asked.replace && asked.file == "taken"));
    assert_eq!(word(&app), "taken holds 1 project, 3 files");
}

#[test]
fn projects_of_an_archive_are_imported_all_or_one_or_into_the_one_under_the_cursor() {
    let imports = |keys: &[&str], into: Option<&str>| ProjectWish::Import {
        file: "a.tgz".into(),
        keys: keys.iter().map(|key| (*key).to_string()).collect(),
        into: into.map(str::to_string),
    };
    let after = |keys: &str| {
        let mut app = app(120, 40);
        press(&mut app, "5 j i a . t g z enter");
        let done = press(&mut app, keys);
        (wish(&done).cloned(), app)
    };
    let both = ["-work-api", "-work-old"];
    assert_eq!(after("enter").0, Some(imports(&both, None)));
    assert_eq!(after("j enter").0, Some(imports(&both[..1], None)));
    let (wished, mut app) = after("j j enter");
    let into = imports(&both[..1], Some("-work-shop-web"));
    assert_eq!(wished.as_ref(), Some(&into));
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    let carried = press(&mut app, "enter");
    assert_eq!(wish(&carried), Some(&into));
}

#[test]
fn an_archive_that_is_none_is_told_of() {
    let mut app = app(120, 40);
    press(&mut app, "5");
    app.looked_into("a.tgz", Err("a.tgz is no plain file".to_string()));
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("what was typed can be mended: {:?}", app.overlay);
    };
    assert_eq!(prompt.field.text(), "a.tgz");
    assert_eq!(prompt.said.as_deref(), Some("a.tgz is no plain file"));
}

#[test]
fn a_control_character_in_a_file_name_is_asked_again() {
    let mut app = app(120, 40);
    for keys in ["5 j e enter", "5 j i", "p x"] {
        press(&mut app, keys);
        app.update(crate::app::message::Message::Paste(
            "a\u{1b}]0;x\u{7}.tgz".to_string(),
        ));
        let done = press(&mut app, "enter");
        assert_eq!(done, [], "{keys}");
        let Some(Overlay::Prompt(prompt)) = &app.overlay else {
            panic!("{keys}: it is asked again");
        };
        assert_eq!(
            prompt.said.as_deref(),
            Some("a control character is in it: type the path without")
        );
        press(&mut app, "esc esc");
    }
}

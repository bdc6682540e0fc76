use super::*;
use crate::app::Notice;
use crate::app::editor::Editor;
use crate::app::fixture::{answer, press, ruled_app};
use crate::app::message::Message;
use crate::store::change::Op;

fn on(path: &str) -> App {
    let mut app = ruled_app(120, 40);
    assert!(app.tree.reveal_rule(Path::new(path)), "{path} is listed");
    let effects = app.update(Message::Focused);
    answer(&mut app, effects);
    app
}

fn said(app: &App) -> &str {
    match &app.notice {
        Some(Notice::Word(said) | Notice::Error(said)) => said,
        None => "",
    }
}

/// The change set that a key had applied.
fn applied(effects: &[Effect]) -> ChangeSet {
    let set = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Apply { set, .. }) => Some(set.clone()),
        _ => None,
    });
    set.expect("a change set is applied")
}

#[test]
fn a_rule_is_edited_as_plain_text_and_front_matter_stays_text() {
    let mut app = on("/work/shop-web/.claude/rules/migrations.md");
    press(&mut app, "e");
    let editor = app.editor.as_ref().expect("an edit is open");
    assert!(editor.fields.is_empty());
    assert!(editor.body.text().starts_with("---\npaths:"));
    press(&mut app, "x");
    let effects = press(&mut app, "ctrl-s");
    let set = applied(&effects);
    assert_eq!(set.title, "edit migrations.md");
    let Op::Write { after, path, .. } = &set.changes[0].op else {
        panic!("it is written");
    };
    assert_eq!(
        path,
        Path::new("/work/shop-web/.claude/rules/migrations.md")
    );
    assert!(after.starts_with(b"x---\npaths:"), "{after:?}");
}

#[test]
fn a_link_is_written_where_it_leads() {
    let mut app = ruled_app(120, 40);
    let mut rules = crate::app::fixture::rules();
    rules.files[2].real = "/dotfiles/CLAUDE.md".into();
    crate::app::fixture::give_rules(&mut app, rules);
    assert!(app.tree.reveal_rule(Path::new("/work/shop-web/CLAUDE.md")));
    let effects = press(&mut app, "e");
    let opened = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::OpenRule { at, .. }) => Some(at.path()),
        _ => None,
    });
    assert_eq!(opened, Some("/dotfiles/CLAUDE.md".into()));
}

/// The project's CLAUDE.md leads out of it, and so does its folder of rules.
fn led_out() -> App {
    let mut app = ruled_app(120, 40);
    let mut rules = crate::app::fixture::rules();
    rules.files[2].real = "/dotfiles/CLAUDE.md".into();
    rules.outside = vec![
        (
            "/work/shop-web/CLAUDE.md".into(),
            "/dotfiles/CLAUDE.md".into(),
        ),
        ("/work/shop-web/.claude/rules".into(), "/shared".into()),
    ];
    crate::app::fixture::give_rules(&mut app, rules);
    assert!(app.tree.reveal_rule(Path::new("/work/shop-web/CLAUDE.md")));
    app
}

/// What is asked of a rule that leads out, and how it is said.
fn asked(app: &App) -> (&str, &str) {
    match &app.overlay {
        Some(Overlay::Choice(choice)) => (&choice.title, &choice.lines[0]),
        other => panic!("it is asked: {other:?}"),
    }
}

#[test]
fn a_rule_that_leads_out_of_its_folder_is_edited_only_when_asked() {
    for key in ["e", "E"] {
        let mut app = led_out();
        let opens = |effects: &[Effect]| effects.iter().any(|it| matches!(it, Effect::Write(_)));
        assert!(!opens(&press(&mut app, key)), "{key}");
        assert_eq!(
            asked(&app),
            (
                "CLAUDE.md leads out of its folder",
                "what is saved goes to /dotfiles/CLAUDE.md"
            )
        );
        assert!(!opens(&press(&mut app, "j enter")), "it is left");
        assert!(app.editor.is_none() && app.overlay.is_none());
        press(&mut app, key);
        let effects = press(&mut app, "enter");
        let opened = effects.iter().find_map(|effect| match effect {
            Effect::Write(Order::OpenRule { at, .. }) => Some(at.path()),
            _ => None,
        });
        assert_eq!(opened, Some("/dotfiles/CLAUDE.md".into()), "{key}");
    }
}

#[test]
fn a_rule_that_is_begun_in_a_linked_folder_is_asked_too() {
    let mut app = led_out();
    press(&mut app, "n enter");
    press(&mut app, "s q l enter");
    assert!(app.editor.is_none());
    assert_eq!(
        asked(&app),
        (
            ".claude/rules/sql.md leads out of its folder",
            "what is saved goes to /shared/sql.md"
        )
    );
    press(&mut app, "enter");
    let editor = app.editor.as_ref().expect("an edit is open");
    assert_eq!(
        editor.at.path(),
        Path::new("/work/shop-web/.claude/rules/sql.md")
    );
    press(&mut app, "x ctrl-s");
    assert!(app.overlay.is_none(), "it was asked");
}

#[test]
fn what_goes_to_the_trash_from_a_linked_folder_is_said() {
    let mut app = led_out();
    for (path, said) in [
        (
            "/work/shop-web/CLAUDE.md",
            "it is a link: the link goes, /dotfiles/CLAUDE.md stays",
        ),
        (
            "/work/shop-web/.claude/rules/migrations.md",
            "a link takes its folder elsewhere: it goes from /shared",
        ),
    ] {
        assert!(app.tree.reveal_rule(Path::new(path)));
        press(&mut app, "d");
        let Some(Overlay::Review(review)) = &app.overlay else {
            panic!("it is shown first");
        };
        assert!(review.warnings.contains(&said.to_string()), "{review:?}");
        press(&mut app, "esc");
    }
}

#[test]
fn the_managed_layer_is_only_read() {
    for key in ["e", "E", "d", "D"] {
        let mut app = on("/etc/claude-code/CLAUDE.md");
        press(&mut app, key);
        assert!(app.editor.is_none() && app.overlay.is_none(), "{key}");
        assert!(
            said(&app).contains("is of the managed layer"),
            "{key}: {}",
            said(&app)
        );
    }
}

#[test]
fn what_is_for_memories_says_so_on_a_rule() {
    for key in ["r", "m", "c", "T", "V", "P"] {
        let mut app = on("/work/shop-web/CLAUDE.md");
        press(&mut app, key);
        assert!(app.overlay.is_none(), "{key}");
        assert_eq!(
            said(&app),
            "CLAUDE.md is a rule, no memory: e edits it, d takes it to the trash, D makes a memory of it",
            "{key}"
        );
    }
}

#[test]
fn a_rule_goes_to_the_trash_after_a_look_that_names_its_importers() {
    let mut app = on("/work/shop-web/docs/releasing.md");
    press(&mut app, "d");
    let Some(Overlay::Review(review)) = &app.overlay else {
        panic!("it is shown first");
    };
    assert_eq!(
        review.warnings,
        ["line 4 of CLAUDE.md imports it and will find nothing"]
    );
    let text = crate::app::fixture::rule_page(Path::new("/work/shop-web/docs/releasing.md")).text;
    let taken_out = text.lines().map(|line| format!("-{line}"));
    let shown: Vec<String> = std::iter::once("trash releasing.md".to_string())
        .chain(taken_out)
        .collect();
    assert!(shown.len() > 1);
    assert_eq!(review.diff.lines(), shown);
    let effects = press(&mut app, "enter");
    let set = applied(&effects);
    assert_eq!(set.title, "trash docs/releasing.md");
    assert_eq!(
        set.changes[0].op,
        Op::Trash {
            path: "/work/shop-web/docs/releasing.md".into()
        }
    );
}

#[test]
fn a_missing_import_can_be_made() {
    let mut app = on("/work/shop-web/docs/gone.md");
    press(&mut app, "d");
    assert_eq!(
        said(&app),
        "docs/gone.md is not there: nothing goes to the trash"
    );
    press(&mut app, "e");
    assert!(app.editor.as_ref().is_some_and(Editor::is_rule));
    let effects = press(&mut app, "h i ctrl-s");
    let Op::Write { before, after, .. } = &applied(&effects).changes[0].op else {
        panic!("it is written");
    };
    assert_eq!((before, &**after), (&None, &b"hi"[..]));
}

#[test]
fn a_new_rule_is_asked_for_by_its_place_and_name() {
    let mut app = on("/work/shop-web/CLAUDE.md");
    press(&mut app, "n");
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("its place is asked");
    };
    let labels: Vec<&str> = choice.answers.iter().map(|(label, _)| &**label).collect();
    assert_eq!(
        labels,
        [
            "a file in .claude/rules/ · for everybody in this project",
            "a file in ~/.claude/rules/ · yours, in every project",
        ],
        "the three CLAUDE.md are there"
    );
    press(&mut app, "enter");
    press(&mut app, "m i g r a t i o n s enter");
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("another name is asked");
    };
    assert_eq!(
        prompt.said.as_deref(),
        Some("migrations.md is already there")
    );
    press(&mut app, "2 enter");
    let editor = app.editor.as_ref().expect("an edit is open");
    assert_eq!(
        editor.at.path(),
        Path::new("/work/shop-web/.claude/rules/migrations2.md")
    );
}

#[test]
fn an_empty_file_of_the_person_begins_with_a_template_that_is_no_change() {
    let mut app = ruled_app(120, 40);
    let mut rules = crate::app::fixture::rules();
    rules.files.remove(1);
    crate::app::fixture::give_rules(&mut app, rules);
    press(&mut app, "N enter");
    let editor = app.editor.as_ref().expect("an edit is open");
    assert_eq!(editor.at.path(), Path::new("/home/ada/.claude/CLAUDE.md"));
    assert_eq!(editor.body.text(), ABOUT_ME);
    assert!(!editor.is_changed());
    press(&mut app, "esc");
    assert!(app.editor.is_none() && app.drafts.is_empty());
}

#[test]
fn the_tree_goes_to_a_rule_that_was_begun_once_it_is_saved() {
    let mut app = on("/work/shop-web/CLAUDE.md");
    let path = Path::new("/work/shop-web/.claude/rules/sql.md");
    press(&mut app, "n enter");
    press(&mut app, "s q l enter");
    press(&mut app, "x ctrl-s");
    assert_eq!(
        app.rule_here().map(|rule| rule.path.as_path()),
        Some(Path::new("/work/shop-web/CLAUDE.md")),
        "it is not listed yet"
    );
    let mut rules = crate::app::fixture::rules();
    let mut new = rules.files[2].clone();
    new.path = path.into();
    new.real = path.into();
    rules.files.push(new);
    crate::app::fixture::give_rules(&mut app, rules);
    assert_eq!(app.rule_here().map(|rule| rule.path.as_path()), Some(path));
    assert!(app.editor.is_some(), "the edit goes on");
}

#[test]
fn keep_age_is_offered_for_memories_only() {
    let mut app = on("/work/shop-web/CLAUDE.md");
    press(&mut app, "e");
    assert!(!app.can(Action::KeepAge));
    let mut app = crate::app::fixture::app(120, 40);
    assert!(
        app.tree
            .reveal(&crate::app::fixture::here().folder, "release-freeze.md")
    );
    press(&mut app, "e");
    assert!(app.editor.is_some() && app.can(Action::KeepAge));
}

/// A key whose effects are not answered yet.
fn key(app: &mut App, key: &str) -> Vec<Effect> {
    let keys = crate::app::key::Key::parse_chord(key).unwrap();
    let effects = keys.into_iter().map(|key| app.update(Message::Key(key)));
    effects.collect::<Vec<_>>().concat()
}

#[test]
fn a_secret_is_written_only_after_a_question() {
    let mut app = on("/work/shop-web/.claude/rules/migrations.md");
    press(&mut app, "e");
    press(&mut app, "x");
    let effects = key(&mut app, "ctrl-s");
    let Some(Effect::Write(Order::Apply { id, set, leaks })) = effects.last() else {
        panic!("{effects:?}");
    };
    assert!(!leaks, "nobody was asked");
    let refused = |id: u64| Message::Applied {
        id,
        applied: Err(crate::app::message::Refusal::Secret {
            said: "migrations.md:1 would hold a secret".to_string(),
            set: Box::new(set.clone()),
        }),
    };
    app.update(refused(*id));
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("it is asked");
    };
    assert_eq!(choice.lines, ["migrations.md:1 would hold a secret"]);
    // The first answer leaves all as it is.
    assert!(key(&mut app, "enter").is_empty());
    assert!(app.overlay.is_none() && app.editor.is_some());
    let effects = key(&mut app, "ctrl-s");
    let Some(Effect::Write(Order::Apply { id, .. })) = effects.last() else {
        panic!("{effects:?}");
    };
    app.update(refused(*id));
    press(&mut app, "down");
    let effects = key(&mut app, "enter");
    assert!(
        matches!(effects.last(), Some(Effect::Write(Order::Apply { set: again, leaks: true, .. })) if again == set),
        "{effects:?}"
    );
    // And it is a save like any other.
    answer(&mut app, effects.clone());
    assert!(
        app.editor.is_none() || said(&app).starts_with("saved"),
        "{}",
        said(&app)
    );
}

#[test]
fn the_footer_names_the_keys_that_do_something_with_a_rule() {
    let of = |path: &str| {
        let app = on(path);
        [
            Action::Edit,
            Action::EditOutside,
            Action::Trash,
            Action::Demote,
            Action::New,
            Action::NewRule,
            Action::Promote,
        ]
        .map(|action| app.can(action))
    };
    let own = "/work/shop-web/.claude/rules/migrations.md";
    assert_eq!(of(own), [true, true, true, true, true, false, false]);
    let managed = "/etc/claude-code/CLAUDE.md";
    assert_eq!(
        of(managed),
        [false, false, false, false, true, false, false]
    );
}

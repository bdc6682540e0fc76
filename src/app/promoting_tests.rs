use std::path::Path;

use super::*;
use crate::app::Notice;
use crate::app::fixture::{answer, press, ruled_app};
use crate::app::message::{Message, Order};

fn on_rule(path: &str) -> App {
    let mut app = ruled_app(120, 40);
    assert!(app.tree.reveal_rule(Path::new(path)), "{path} is listed");
    let effects = app.update(Message::Focused);
    answer(&mut app, effects);
    app
}

fn labels(app: &App) -> Vec<String> {
    let Some(Overlay::Choice(choice)) = &app.overlay else {
        panic!("something is asked: {:?}", app.notice);
    };
    choice
        .answers
        .iter()
        .map(|(label, _)| label.clone())
        .collect()
}

fn wished(effects: &[Effect]) -> (PathBuf, Wish) {
    let wishes = effects.iter().find_map(|effect| match effect {
        Effect::Write(Order::Propose { wishes, .. }) => Some(wishes.clone()),
        _ => None,
    });
    match wishes.expect("something is proposed").swap_remove(0) {
        (folder, Wanted::Wish(wish)) => (folder, wish),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_memory_is_promoted_to_a_file_that_is_chosen_and_reviewed() {
    let mut app = ruled_app(120, 40);
    let folder = crate::app::fixture::here().folder;
    assert!(app.tree.reveal(&folder, "likes-short-answers.md"));
    press(&mut app, "P");
    assert_eq!(
        labels(&app),
        [
            "~/.claude/CLAUDE.md · user · ≈ 41 tokens",
            "CLAUDE.md · project · ≈ 67 tokens",
            "docs/releasing.md · project · ≈ 4,167 tokens",
            "CLAUDE.local.md · local · ≈ 40 tokens",
            ".claude/rules/migrations.md · project, waits for its paths · ≈ 44 tokens",
        ],
        "not the managed file, nothing that is left out"
    );
    let effects = press(&mut app, "enter");
    assert_eq!(
        wished(&effects),
        (
            folder,
            Wish::Promote {
                path: "likes-short-answers.md".to_string(),
                cwd: "/work/shop-web".into(),
                target: Target {
                    to: "/home/ada/.claude/CLAUDE.md".into(),
                    title: "~/.claude/CLAUDE.md".to_string(),
                    every_project: true,
                    outside: None,
                    seen: None,
                },
            }
        )
    );
    assert!(matches!(app.overlay, Some(Overlay::Review(_))));
    let effects = press(&mut app, "enter");
    assert!(
        effects
            .iter()
            .any(|it| matches!(it, Effect::Write(Order::Carry { .. })))
    );
}

#[test]
fn a_section_is_demoted_by_name_and_type() {
    let mut app = on_rule("/work/shop-web/CLAUDE.md");
    press(&mut app, "D");
    assert_eq!(
        labels(&app),
        [
            "the whole file · ≈ 67 tokens",
            "shop-web (lines 1–8) · ≈ 36 tokens",
            "Tests (lines 6–8) · ≈ 14 tokens",
        ]
    );
    press(&mut app, "j j enter");
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("its name is asked");
    };
    assert_eq!(prompt.field.text(), "tests");
    press(&mut app, "enter");
    assert_eq!(labels(&app), ["user", "feedback", "project", "reference"]);
    let effects = press(&mut app, "j enter");
    let (_, wish) = wished(&effects);
    assert_eq!(
        wish,
        Wish::Demote(Demotion {
            rule: "/work/shop-web/CLAUDE.md".into(),
            title: "CLAUDE.md".to_string(),
            lines: Some((6, 8)),
            seen: "## Tests\n\n- A flickering test is a bug.\n".to_string(),
            name: "tests".to_string(),
            kind: MemoryType::Feedback,
            outside: None,
            seen_at: None,
            notes: Vec::new(),
            first: None,
            cwd: "/work/shop-web".into(),
        })
    );
}

#[test]
fn a_name_that_makes_no_slug_is_asked_again() {
    let mut app = on_rule("/work/shop-web/CLAUDE.md");
    press(&mut app, "D enter");
    press(&mut app, "/ enter");
    let Some(Overlay::Prompt(prompt)) = &app.overlay else {
        panic!("its name is asked again");
    };
    let said = prompt.said.as_deref().unwrap_or_default();
    assert!(said.contains("a name holds no slash"), "{said}");
}

#[test]
fn what_is_left_out_is_not_demoted() {
    let mut app = on_rule("/work/shop-web/docs/gone.md");
    press(&mut app, "D");
    assert_eq!(
        app.notice,
        Some(Notice::Word("docs/gone.md is not there".to_string()))
    );
}

/// An index line that the model would not see is not written without a word: it is asked where.
#[test]
fn a_line_below_the_cut_is_asked_about() {
    for (keys, first) in [("enter", true), ("j enter", false)] {
        let mut app = on_rule("/work/shop-web/CLAUDE.md");
        press(&mut app, "D enter");
        let Some(Overlay::Prompt(prompt)) = &mut app.overlay else {
            panic!("its name is asked");
        };
        prompt.field = Field::of("late");
        press(&mut app, "enter enter");
        assert_eq!(
            labels(&app),
            [
                "put its line at the head of its list, where it is seen",
                "below the cut all the same",
            ]
        );
        let Some(Overlay::Choice(choice)) = &app.overlay else {
            panic!("it is asked where");
        };
        assert_eq!(
            choice.lines,
            ["its line 1,201 would lie below the cut: the model would not see it"]
        );
        let effects = press(&mut app, keys);
        let (_, Wish::Demote(demotion)) = wished(&effects) else {
            panic!("it is demoted");
        };
        assert_eq!(demotion.first, Some(first));
        assert!(matches!(app.overlay, Some(Overlay::Review(_))), "{first}");
    }
}

use super::*;
use crate::app::Notice;
use crate::app::action::Scope;
use crate::app::agent::{Choice, Source};
use crate::app::fixture::{app, measure, press};
use crate::app::message::Message;

fn rows(app: &mut App) -> String {
    measure(app);
    let rows: Vec<&str> = app.agent.rows().iter().map(|row| &*row.text).collect();
    rows.join("\n")
}

fn said(app: &App) -> String {
    match &app.notice {
        Some(Notice::Word(said) | Notice::Error(said)) => said.clone(),
        None => String::new(),
    }
}

fn typed(text: &str) -> (App, Vec<Effect>) {
    let mut app = app(120, 40);
    press(&mut app, "a");
    let effects = app.update(Message::Paste(text.to_string()));
    (app, effects)
}

/// What enter does with a text.
fn sent(text: &str) -> (App, Vec<AgentWish>) {
    let (mut app, _) = typed(text);
    let effects = app.update(Message::Key(crate::app::key::Key::plain(
        crate::app::key::Code::Enter,
    )));
    let wishes = effects.into_iter().filter_map(|effect| match effect {
        Effect::Agent(wish) => Some(wish),
        _ => None,
    });
    let wishes = wishes.collect();
    (app, wishes)
}

#[test]
fn each_command_asks_for_what_it_says_and_help_lists_all() {
    let (_, wishes) = sent("/recall what is one");
    assert!(matches!(&wishes[..], [AgentWish::Recall { text, .. }] if text == "what is one"));
    let (_, wishes) = sent("/remember user: I like tea");
    assert!(
        matches!(&wishes[..], [AgentWish::Remember { text, .. }] if text == "user: I like tea")
    );
    let (_, wishes) = sent("/forget one");
    assert!(matches!(&wishes[..], [AgentWish::Forget { text, .. }] if text == "one"));
    let (app, wishes) = sent("/cost");
    assert_eq!(wishes, [AgentWish::Cost]);
    assert!(app.agent.talk.is_busy() && app.agent.input.text().is_empty());
    let (_, wishes) = sent("/model");
    assert!(matches!(&wishes[..], [AgentWish::Model { name: None, .. }]));
    let (_, wishes) = sent("/model demo-2");
    assert!(matches!(&wishes[..], [AgentWish::Model { name: Some(name), .. }] if name == "demo-2"));
    let (mut app, wishes) = sent("/help");
    assert_eq!(wishes, []);
    let rows = rows(&mut app).replace('\n', " ");
    for command in &COMMANDS {
        assert!(
            rows.contains(&command.usage()),
            "{} in {rows}",
            command.name
        );
    }
    for later in ["/extract", "/compact", "/dream", "/notes"] {
        assert!(!rows.contains(later), "{rows}");
    }
}

#[test]
fn what_lacks_something_or_has_too_much_is_said_and_stays_typed() {
    for (text, expected) in [
        ("/recall", "/recall TEXT: shows which memories"),
        ("/cost now", "/cost takes nothing behind it"),
        (
            "/dream",
            "there is no command /dream; there are /recall TEXT,",
        ),
    ] {
        let (app, wishes) = sent(text);
        assert_eq!(wishes, []);
        assert!(said(&app).starts_with(expected), "{}", said(&app));
        assert_eq!(app.agent.input.text(), text);
    }
}

#[test]
fn context_leads_to_the_preview_of_what_we_send() {
    let (mut app, wishes) = sent("/context");
    measure(&mut app);
    assert_eq!(wishes, []);
    assert_eq!((app.tab, app.focus), (Tab::Preview, Pane::Main));
    assert_eq!(app.preview.switches.layout, Layout::Ours);
}

#[test]
fn what_was_found_stands_with_score_and_reason_and_opens() {
    let mut app = app(120, 40);
    press(&mut app, "a");
    app.update(Message::Paste("/recall release day".to_string()));
    press(&mut app, "enter");
    let rows = rows(&mut app);
    assert!(rows.starts_with("/recall release day\n"), "{rows}");
    assert!(rows.contains("chosen by words"), "{rows}");
    assert!(
        rows.ends_with("↺ release 2.50\nit has release, mondays"),
        "{rows}"
    );
    assert!(!app.agent.talk.is_busy());
    assert!(matches!(
        app.agent.target(),
        Some(crate::app::agent::Target::Memory(path)) if path.ends_with("release.md")
    ));
}

#[test]
fn a_list_opens_with_the_slash_and_esc_closes_it_before_anything_else() {
    let mut app = app(120, 40);
    press(&mut app, "a / r e");
    assert_eq!(app.scope(), Scope::Completion);
    press(&mut app, "down tab");
    assert_eq!(app.agent.input.text(), "/remember ");
    press(&mut app, "ctrl-c / r e s esc");
    assert_eq!(app.scope(), Scope::Question);
    assert_eq!(app.agent.input.text(), "/res");
    // What is typed on does not open it again; another word does.
    press(&mut app, "u");
    assert_eq!(app.scope(), Scope::Question);
    press(&mut app, "ctrl-c / c");
    assert_eq!(app.scope(), Scope::Completion);
}

#[test]
fn files_are_asked_for_and_what_is_chosen_is_sent_as_its_path() {
    let (mut app, effects) = typed("see @bas");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::FindChoices { id, of, word, .. } => Some((*id, *of, word.clone())),
        _ => None,
    });
    let (id, of, word) = asked.unwrap();
    assert_eq!((of, &*word), (Source::Files, "bas"));
    let choice = |path: &str| Choice {
        put: path.to_string(),
        text: path.to_string(),
        about: String::new(),
    };
    let found = Ok(vec![choice("src/basket.rs"), choice("src/base.rs")]);
    app.update(Message::Choices { id, found });
    measure(&mut app);
    assert_eq!(app.scope(), Scope::Completion);
    let area = app.choices_area();
    assert_eq!(area.height, 2);
    let inside = app.pane_area(Pane::Agent).inside();
    // A click on the second row takes that.
    assert!(app.click_choice(usize::from(area.y - inside.y) + 1));
    assert_eq!(app.agent.input.text(), "see src/base.rs ");
    assert_eq!(app.scope(), Scope::Question);
}

#[test]
fn a_sentence_stands_where_nothing_can_be_offered() {
    let (mut app, effects) = typed("see @bas");
    let id = effects.iter().find_map(|effect| match effect {
        Effect::FindChoices { id, .. } => Some(*id),
        _ => None,
    });
    let found = Err("the files of /srv/p can't be listed: Permission denied".to_string());
    app.update(Message::Choices {
        id: id.unwrap(),
        found,
    });
    assert_eq!(app.choices_area().height, 1);
    // Enter sends what is typed all the same.
    press(&mut app, "enter");
    assert!(app.agent.input.text().is_empty());
}

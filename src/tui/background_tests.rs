use super::*;
use crate::app::key::Key;

fn keys(text: &str) -> Vec<Event> {
    let mut events = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        let (c, modifiers) = match c {
            '\u{1b}' => (chars.next().unwrap(), KeyModifiers::ALT),
            '\u{7}' => ('g', KeyModifiers::CONTROL),
            c => (c, KeyModifiers::NONE),
        };
        events.push(Event::Key(KeyEvent::new(KeyCode::Char(c), modifiers)));
    }
    events
}

fn asked() -> Answer {
    let mut answer = Answer::default();
    answer.await_it();
    answer
}

fn taken(answer: &mut Answer, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for event in keys(text) {
        answer.take(event, &mut out);
    }
    let told = out.iter().map(|message| match message {
        Message::Key(key) => key.to_string(),
        Message::Background(background) => format!("{background:?}"),
        other => panic!("{other:?}"),
    });
    told.collect()
}

#[test]
fn an_answer_is_picked_out_of_what_is_typed() {
    for (text, found) in [
        ("\x1b]11;rgb:1010/1010/1010\x1b\\", "Dark"),
        ("\x1b]11;rgb:ffff/fFfF/dddd\u{7}", "Light"),
        ("\x1b]11;rgb:f/f/f\x1b\\", "Light"),
        ("\x1b]11;rgba:0000/0000/0000/ffff\u{7}", "Dark"),
        // Bright blue is dark to the eye, bright green is not.
        ("\x1b]11;rgb:00/00/ff\u{7}", "Dark"),
        ("\x1b]11;rgb:00/ff/00\u{7}", "Light"),
    ] {
        let typed = format!("j{text}k");
        assert_eq!(taken(&mut asked(), &typed), ["j", found, "k"], "{text:?}");
    }
}

#[test]
fn an_answer_may_come_in_pieces_and_once() {
    let mut answer = asked();
    assert!(taken(&mut answer, "\x1b]11;rgb:10").is_empty());
    assert_eq!(taken(&mut answer, "10/1010/1010\x1b\\"), ["Dark"]);
    assert!(answer.deadline().is_none());
    // Nothing is owed any more: the same keys are keys.
    assert_eq!(taken(&mut answer, "\x1b]1"), ["alt-]", "1"]);
}

#[test]
fn what_only_looks_like_an_answer_is_typed() {
    assert_eq!(taken(&mut asked(), "\x1b]1x"), ["alt-]", "1", "x"]);
    assert_eq!(taken(&mut asked(), "\x1b]12;rgb:0/0/0\u{7}").len(), 14);
    assert_eq!(taken(&mut asked(), "\x1b]11;rgb:0/0\u{7}").len(), 12);
    assert_eq!(
        taken(&mut asked(), "]11;a\u{7}"),
        ["]", "1", "1", ";", "a", "ctrl-g"]
    );
    let endless = format!("\x1b]{}", "1".repeat(100));
    assert_eq!(taken(&mut asked(), &endless).len(), 101);
    let mut answer = asked();
    assert_eq!(
        taken(&mut answer, "\x1b]\x1b]11;rgb:0/0/0\u{7}"),
        ["alt-]", "Dark"]
    );
    assert_eq!(
        Key::parse("alt-]").map(|key| key.to_string()),
        Some("alt-]".to_string())
    );
}

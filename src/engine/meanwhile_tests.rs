use super::*;
use crate::base::time::Moment;
use crate::context::ours::tests::session;

const NOW: Moment = Moment {
    seconds: 5,
    nanos: 0,
};

fn told_of(chat: &mut Chat, fresh: &Session) -> Vec<String> {
    let notes = notes(chat, fresh);
    let texts = notes.iter().map(|pieces| {
        pieces
            .iter()
            .map(|piece| piece.shown().into_owned())
            .collect()
    });
    let texts: Vec<String> = texts.collect();
    for pieces in notes {
        chat.attach(pieces, NOW);
    }
    texts
}

#[test]
fn what_changed_is_told_once_and_again_when_it_changes_again() {
    let mut chat = Chat::new("s", session());
    let mut fresh = session();
    assert!(told_of(&mut chat, &fresh).is_empty());
    fresh.instructions[1].text = "Use spaces.".to_string();
    fresh.index = Some((
        "/m/MEMORY.md".into(),
        "- [One](one.md) — first\n- [Two](two.md) — second".to_string(),
    ));
    let said = told_of(&mut chat, &fresh);
    assert_eq!(said.len(), 2);
    assert!(
        said[0].starts_with("/m/MEMORY.md was changed")
            && said[0].ends_with("\n+2\t- [Two](two.md) — second")
    );
    assert!(
        said[1].contains("-1\tUse tabs.\n+1\tUse spaces."),
        "{}",
        said[1]
    );
    assert!(told_of(&mut chat, &fresh).is_empty());
    fresh.instructions[1].text = "Use tabs.".to_string();
    assert_eq!(
        told_of(&mut chat, &fresh),
        ["/srv/proj/CLAUDE.md is again as it was when the session began."]
    );
    assert!(told_of(&mut chat, &fresh).is_empty());
}

#[test]
fn a_file_that_is_gone_or_new_is_told_and_so_is_another_day() {
    let mut chat = Chat::new("s", session());
    let mut fresh = session();
    fresh.index = None;
    fresh.date = "2026-12-01".to_string();
    let said = told_of(&mut chat, &fresh);
    assert!(said[0].ends_with("\n-1\t- [One](one.md) — first"));
    assert_eq!(said[1], "It is another day: today is 2026-12-01.");
    assert!(told_of(&mut chat, &fresh).is_empty());
}

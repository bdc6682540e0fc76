use super::*;
use crate::context::fixture_for_tests::{answer, asked, used};
use crate::context::request::{Content, Message, Params};

fn request(messages: Vec<Message>) -> Request {
    Request {
        params: Params::default(),
        system: vec![Block::text(Piece::new(Kind::Identity, Origin::Ours, "who"))],
        messages,
    }
}

fn said(role: Role, piece: Piece) -> Message {
    Message::new(role, vec![Block::text(piece)])
}

#[test]
fn the_parts_of_a_block_are_its_text() {
    let pieces = vec![
        Piece::new(Kind::Wrapper, Origin::Client, "<r>\n"),
        Piece::new(Kind::Rule, Origin::File, "记忆 🪶")
            .of(Path::new("/p/CLAUDE.md"))
            .labelled("rules"),
        Piece::not_recorded(Kind::Skills, Some(6)),
    ];
    let mut block = Block::new(Content::Text(pieces));
    block.mark = Some(Life::FiveMinutes);
    let request = request(vec![Message::new(Role::User, vec![block.clone()])]);
    let parts = parts(&request, None);
    let texts: String = parts[1..].iter().map(|part| part.text.as_str()).collect();
    assert_eq!(texts, block.shown());
    let rule = &parts[2];
    assert_eq!(
        (rule.bytes, rule.units, rule.tokens),
        (Some(11), Some(5), Some(3))
    );
    assert_eq!(rule.path.as_deref(), Some(Path::new("/p/CLAUDE.md")));
    assert_eq!(rule.label.as_deref(), Some("rules"));
    let skills = &parts[3];
    assert_eq!(
        (skills.recorded, skills.units, skills.tokens),
        (false, Some(6), Some(2))
    );
    // The mark stands behind the last part.
    let marks: Vec<bool> = parts.iter().map(|part| part.mark.is_some()).collect();
    assert_eq!(marks, [false, false, false, true]);
    let place = Place::Message {
        message: 0,
        block: 0,
        role: Role::User,
    };
    assert_eq!(
        (parts[0].place, rule.place),
        (Place::System { block: 0 }, place)
    );
}

#[test]
fn what_both_requests_begin_with_is_cached() {
    let before = request(vec![said(Role::User, asked("one"))]);
    let mut now = before.clone();
    now.messages.push(said(Role::Assistant, answer("two")));
    now.messages.push(said(Role::User, asked("three")));
    let cached = |before: &Request, now: &Request| -> Vec<bool> {
        parts(now, Some(before))
            .iter()
            .map(|part| part.cached)
            .collect()
    };
    assert_eq!(cached(&before, &now), [true, true, false, false]);
    let mut other = before.clone();
    other.messages[0] = said(Role::User, asked("other"));
    assert_eq!(cached(&other, &now), [true, false, false, false]);
    // Another model has another cache.
    other.params.model = "another".to_string();
    assert_eq!(cached(&other, &now), [false; 4]);
    assert!(parts(&now, None).iter().all(|part| !part.cached));
}

#[test]
fn a_tool_use_is_a_part_of_its_own() {
    let request = request(vec![Message::new(Role::Assistant, vec![used("t", "Read")])]);
    let part = &parts(&request, None)[1];
    assert_eq!(part.kind, Kind::ToolUse);
    assert!(part.text.contains(r#""name":"Read""#) && part.tokens > Some(10));
}

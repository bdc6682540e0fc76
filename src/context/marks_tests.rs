use super::*;
use crate::context::fixture_for_tests::{answer, asked, result, rule, used};
use crate::context::part::{Origin, Piece};

fn rules() -> Block {
    let rule = rule("/p/CLAUDE.md", "R");
    Block::text(Piece::new(Kind::Rule, Origin::File, rule.text))
}

fn request(messages: Vec<Message>) -> Request {
    let own = |text: &str| Block::text(Piece::new(Kind::Environment, Origin::Ours, text));
    Request {
        system: vec![own("a"), own("b"), own("c")],
        messages,
        ..Request::default()
    }
}

/// Message (none: `system`) and block of each mark.
fn marks(request: &Request) -> Vec<(Option<usize>, usize)> {
    let of = |at: Option<usize>, blocks: &[Block]| -> Vec<(Option<usize>, usize)> {
        let marked = blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| block.mark.is_some());
        marked.map(|(block, _)| (at, block)).collect()
    };
    let mut marks = of(None, &request.system);
    for (at, message) in request.messages.iter().enumerate() {
        marks.extend(of(Some(at), &message.blocks));
    }
    marks
}

#[test]
fn system_rules_and_the_last_message_are_marked() {
    let first = vec![
        rules(),
        Block::text(asked("today")),
        Block::text(asked("q")),
    ];
    let mut request = request(vec![Message::new(Role::User, first)]);
    set(&mut request, 1, Life::FiveMinutes);
    assert_eq!(
        marks(&request),
        [(None, 1), (None, 2), (Some(0), 0), (Some(0), 2)]
    );
    // Set again they are where they were.
    set(&mut request, 1, Life::Hour);
    assert_eq!(request.mark_count(), MARKS);
    assert_eq!(request.system[2].mark, Some(Life::Hour));
}

#[test]
fn without_rules_there_is_one_less() {
    let mut request = request(vec![Message::new(
        Role::User,
        vec![Block::text(asked("q"))],
    )]);
    set(&mut request, 2, Life::FiveMinutes);
    assert_eq!(marks(&request), [(None, 2), (Some(0), 0)]);
}

#[test]
fn a_turn_of_many_blocks_gets_a_spare_mark_in_its_middle() {
    for (uses, spare) in [
        (10, None),
        (11, Some((Some(1), 10))),
        (30, Some((Some(1), 19))),
    ] {
        let ids: Vec<String> = (0..uses).map(|n| n.to_string()).collect();
        let calls = ids.iter().map(|id| used(id, "Read")).collect();
        let results = ids.iter().map(|id| result(id, "x")).collect();
        let mut request = request(vec![
            Message::new(Role::User, vec![rules(), Block::text(asked("q"))]),
            Message::new(Role::Assistant, calls),
            Message::new(Role::User, results),
        ]);
        set(&mut request, 1, Life::FiveMinutes);
        let last = (Some(2), uses - 1);
        let expected: Vec<(Option<usize>, usize)> = match spare {
            None => vec![(None, 1), (None, 2), (Some(0), 0), last],
            Some(spare) => vec![(None, 2), (Some(0), 0), spare, last],
        };
        assert_eq!(marks(&request), expected, "{uses}");
    }
}

#[test]
fn a_thought_bears_no_spare_mark() {
    let mut calls: Vec<Block> = (0..30).map(|n| used(&n.to_string(), "Read")).collect();
    for block in &mut calls[15..25] {
        block.content = Content::Raw(serde_json::json!({"type": "thinking"}));
    }
    let mut request = request(vec![
        Message::new(Role::User, vec![Block::text(asked("q"))]),
        Message::new(Role::Assistant, calls),
        Message::new(Role::User, vec![Block::text(answer("x"))]),
    ]);
    set(&mut request, 1, Life::FiveMinutes);
    assert_eq!(marks(&request), [(None, 2), (Some(1), 14), (Some(2), 0)]);
}

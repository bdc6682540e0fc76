use serde_json::json;

use super::*;
use crate::llm::answer::{Answer, Block, Input};
use crate::llm::sse::Parser;

/// What a stream of these bytes, in these pieces, adds up to.
fn read(pieces: &[&[u8]]) -> (Answer, Result<bool, Failure>, Vec<Event>) {
    let mut parser = Parser::default();
    let mut reader = Reader::default();
    let mut events = Vec::new();
    let mut ending = Ok(());
    for piece in pieces {
        for message in parser.push(piece).unwrap() {
            if ending.is_ok() {
                ending = reader.take(&message, &mut events);
            }
        }
    }
    let mut answer = Answer::default();
    for event in &events {
        answer.take(event);
    }
    (answer, ending.map(|()| reader.over), events)
}

fn stream(values: &[Value]) -> Vec<u8> {
    let event = |value: &Value| {
        let kind = value["type"].as_str().unwrap();
        format!("event: {kind}\ndata: {value}\n\n")
    };
    values.iter().map(event).collect::<String>().into_bytes()
}

/// LL01: cut in chunks of any size, within events and characters, the text is the same.
#[test]
fn ll01_no_character_is_lost_wherever_the_chunks_are_cut() {
    let bytes = include_bytes!("../../tests/fixtures/LL01/stream.sse");
    for size in 1..=64 {
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        let (answer, over, _) = read(&pieces);
        assert_eq!(answer.text(), "鳥🪶é done", "{size}");
        assert_eq!(over, Ok(true));
        assert_eq!(answer.stop, Some(StopReason::EndTurn));
        assert_eq!(answer.usage.unwrap().output, 9);
        assert!(!answer.is_cut());
    }
}

/// LL05: an error that comes within a stream is one, and it passes.
#[test]
fn ll05_an_error_in_the_stream_is_told_with_what_came_before() {
    let bytes = include_bytes!("../../tests/fixtures/LL05/overloaded.sse");
    let (answer, ending, _) = read(&[bytes]);
    let failure = ending.unwrap_err();
    assert!(failure.is_passing());
    assert_eq!(failure.word(), "overloaded");
    assert!(failure.to_string().contains("overloaded"));
    assert_eq!(answer.text(), "ha");
    assert_eq!(answer.stop, None);
}

/// LL11: an input that was cut within a string is never mended, whatever the stop reason says.
#[test]
fn ll11_a_cut_input_stays_cut() {
    let bytes = include_bytes!("../../tests/fixtures/LL11/cut.sse");
    let (answer, _, _) = read(&[bytes]);
    assert_eq!(answer.stop, Some(StopReason::ToolUse));
    assert!(answer.is_cut());
    let blocks = answer.blocks();
    let [Block::Call { name, input, .. }] = blocks.as_slice() else {
        panic!("one call");
    };
    assert_eq!(name, "save_memory");
    let cut = "{\"name\":\"nest\",\"body\":\"Never touch the";
    assert_eq!(input, &Input::Cut(cut.to_string()));
}

/// LL12: a call of which nothing came before the limit is none.
#[test]
fn ll12_a_call_without_input_at_the_limit_is_none() {
    let bytes = include_bytes!("../../tests/fixtures/LL12/empty.sse");
    let (answer, _, _) = read(&[bytes]);
    assert_eq!(answer.stop, Some(StopReason::MaxTokens));
    assert!(answer.blocks()[0].is_cut_call() && answer.is_cut());
}

#[test]
fn all_kinds_of_blocks_and_parts_are_read_and_unknown_ones_kept_or_named() {
    let bytes = stream(&[
        json!({"type": "message_start", "message": {"id": "m1", "model": "demo-1", "usage": {
            "input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 30,
            "cache_creation": {"ephemeral_1h_input_tokens": 20}, "output_tokens": 1}}}),
        json!({"type": "ping"}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "signature_delta", "signature": "s1"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_start", "index": 1, "content_block": {"type": "redacted_thinking", "data": "x"}}),
        json!({"type": "content_block_stop", "index": 1}),
        json!({"type": "of_next_year", "index": 1}),
        json!({"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": "A"}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "text_delta", "text": "b"}}),
        json!({"type": "content_block_delta", "index": 2, "delta": {"type": "citations_delta", "citation": {}}}),
        json!({"type": "content_block_stop", "index": 2}),
        json!({"type": "content_block_start", "index": 3, "content_block": {"type": "tool_use", "id": "t", "name": "Read", "input": {}}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": ""}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": "{\"p\":"}}),
        json!({"type": "content_block_delta", "index": 3, "delta": {"type": "input_json_delta", "partial_json": "1}"}}),
        json!({"type": "content_block_stop", "index": 3}),
        json!({"type": "content_block_start", "index": 4, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_stop", "index": 4}),
        json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}, "usage": {"output_tokens": 40}}),
        json!({"type": "message_stop"}),
    ]);
    let (answer, over, events) = read(&[&bytes]);
    assert_eq!(over, Ok(true));
    assert_eq!(
        (answer.id.as_str(), answer.model.as_str()),
        ("m1", "demo-1")
    );
    let text = |text: &str| text.to_string();
    assert_eq!(
        answer.blocks(),
        [
            Block::Thinking {
                text: text("hm"),
                signature: text("s1")
            },
            Block::Raw(json!({"type": "redacted_thinking", "data": "x"})),
            Block::Text(text("Ab")),
            Block::Call {
                id: text("t"),
                name: text("Read"),
                input: Input::Whole(json!({"p": 1})),
            },
        ]
    );
    let usage = Usage {
        input: 5,
        output: 40,
        cache_read: 90,
        cache_creation: 30,
        cache_creation_1h: 20,
    };
    assert_eq!(answer.usage, Some(usage));
    assert!(!answer.is_cut());
    for unknown in ["of_next_year", "citations_delta"] {
        assert!(events.contains(&Event::Unknown(text(unknown))), "{unknown}");
    }
    assert!(events.contains(&Event::Ping));
}

#[test]
fn an_answer_that_comes_whole_says_the_same() {
    let whole = json!({"type": "message", "id": "m", "model": "demo", "stop_reason": "tool_use", "content": [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "text", "text": "Hi"},
        {"type": "tool_use", "id": "t", "name": "Read", "input": {"p": 1}},
        {"type": "tool_use", "id": "u", "name": "List", "input": {}}],
        "usage": {"input_tokens": 3, "output_tokens": 4}});
    let mut events = Vec::new();
    Reader::default().whole(&whole, &mut events);
    let mut answer = Answer::default();
    for event in &events {
        answer.take(event);
    }
    assert_eq!(answer.text(), "Hi");
    assert!(!answer.is_cut());
    let inputs: Vec<bool> = answer.blocks().iter().map(Block::is_cut_call).collect();
    assert_eq!(inputs, [false; 4]);
    assert_eq!(answer.usage.unwrap().input, 3);
}

#[test]
fn what_is_no_json_is_told_and_shown() {
    let (_, ending, _) = read(&[b"data: <html>\n\n"]);
    let said = ending.unwrap_err().to_string();
    assert!(
        said.starts_with("what answers is no model: its event is no JSON: <html>;"),
        "{said}"
    );
}

#[test]
fn an_event_without_a_name_is_no_answer() {
    let (answer, over, events) = read(&[b"data: {\"ok\":true}\n\n"]);
    assert_eq!(over, Ok(false));
    assert_eq!(
        (answer, events),
        (
            Answer::default(),
            vec![Event::Unknown("message".to_string())]
        )
    );
    let (_, ending, _) = read(&[b"data: {\"error\":\"no memory\"}\n\n"]);
    assert!(ending.unwrap_err().to_string().contains("no memory"));
}

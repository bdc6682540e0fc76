use serde_json::json;

use super::*;
use crate::llm::answer::{Answer, Block, Input};

fn read(chunks: &[Value], done: bool) -> (Answer, Result<(), Failure>, Reader) {
    let mut reader = Reader::default();
    let mut events = Vec::new();
    let mut ending = Ok(());
    let mut data: Vec<String> = chunks.iter().map(ToString::to_string).collect();
    data.extend(done.then(|| "[DONE]".to_string()));
    for data in data {
        let event = "message".to_string();
        if ending.is_ok() {
            ending = reader.take(&Message { event, data }, &mut events);
        }
    }
    let mut answer = Answer::default();
    for event in &events {
        answer.take(event);
    }
    (answer, ending, reader)
}

fn delta(delta: &Value) -> Value {
    json!({"id": "c1", "model": "demo", "choices": [{"index": 0, "delta": delta, "finish_reason": null}]})
}

fn finish(reason: &str) -> Value {
    json!({"choices": [{"delta": {}, "finish_reason": reason}]})
}

fn call(part: &Value) -> Value {
    delta(&json!({"tool_calls": [part]}))
}

fn calls(answer: &Answer) -> Vec<(String, String, Input)> {
    let blocks = answer.blocks().into_iter();
    let call = |block| match block {
        Block::Call { id, name, input } => Some((id, name, input)),
        Block::Text(_) | Block::Thinking { .. } | Block::Raw(_) => None,
    };
    blocks.filter_map(call).collect()
}

fn named(id: &str, name: &str, input: Value) -> (String, String, Input) {
    (id.to_string(), name.to_string(), Input::Whole(input))
}

#[test]
fn text_thought_and_usage_in_the_last_chunk_are_read() {
    let chunks = [
        delta(&json!({"role": "assistant", "content": ""})),
        delta(&json!({"reasoning_content": "hm"})),
        delta(&json!({"content": "Sa"})),
        delta(&json!({"content": "lut"})),
        finish("stop"),
        json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 2,
               "prompt_tokens_details": {"cached_tokens": 8}}}),
    ];
    let (answer, ending, reader) = read(&chunks, true);
    assert_eq!(ending, Ok(()));
    assert!(reader.over);
    assert_eq!((answer.id.as_str(), answer.model.as_str()), ("c1", "demo"));
    let thinking = Block::Thinking {
        text: "hm".to_string(),
        signature: String::new(),
    };
    assert_eq!(
        answer.blocks(),
        [thinking, Block::Text("Salut".to_string())]
    );
    assert_eq!(answer.stop, Some(StopReason::EndTurn));
    let usage = answer.usage.unwrap();
    assert_eq!((usage.input, usage.cache_read, usage.output), (2, 8, 2));
    assert!(!answer.is_cut());
}

#[test]
fn fragments_of_calls_are_put_together_by_their_numbers() {
    let chunks = [
        delta(&json!({"content": "See"})),
        call(
            &json!({"index": 0, "id": "a", "type": "function", "function": {"name": "Read", "arguments": ""}}),
        ),
        call(&json!({"index": 0, "function": {"arguments": "{\"p\""}})),
        call(&json!({"index": 1, "id": "b", "function": {"name": "List", "arguments": "{"}})),
        call(&json!({"index": 0, "function": {"arguments": ":1}"}})),
        call(&json!({"index": 1, "function": {"arguments": "}"}})),
        call(&json!({"index": 2, "id": "c", "function": {"name": "Now"}})),
        finish("tool_calls"),
    ];
    let (answer, ..) = read(&chunks, true);
    let wanted = [
        named("a", "Read", json!({"p": 1})),
        named("b", "List", json!({})),
        named("c", "Now", json!({})),
    ];
    assert_eq!(calls(&answer), wanted);
    assert_eq!(answer.stop, Some(StopReason::ToolUse));
    assert!(!answer.is_cut());
}

#[test]
fn servers_that_leave_numbers_ids_or_the_right_reason_out_are_understood() {
    let without_numbers = [
        call(&json!({"id": "a", "function": {"name": "Read", "arguments": "{\"p\":"}})),
        call(&json!({"function": {"arguments": "1}"}})),
        call(&json!({"id": "b", "function": {"name": "Read", "arguments": {"p": 2}}})),
        finish("stop"),
    ];
    let (answer, ..) = read(&without_numbers, false);
    let wanted = [
        named("a", "Read", json!({"p": 1})),
        named("b", "Read", json!({"p": 2})),
    ];
    assert_eq!(calls(&answer), wanted);
    assert_eq!(answer.stop, Some(StopReason::ToolUse));
    let all_zero = [
        call(&json!({"index": 0, "id": "a", "function": {"name": "Read", "arguments": "{}"}})),
        call(&json!({"index": 0, "id": "b", "function": {"name": "Read", "arguments": "{}"}})),
        finish("tool_calls"),
    ];
    let ids: Vec<String> = calls(&read(&all_zero, true).0)
        .into_iter()
        .map(|call| call.0)
        .collect();
    assert_eq!(ids, ["a", "b"]);
    let without_ids = [
        call(&json!({"function": {"name": "Read", "arguments": "{}"}})),
        call(&json!({"function": {"name": "List", "arguments": "{}"}})),
        finish("tool_calls"),
    ];
    let ids: Vec<String> = calls(&read(&without_ids, true).0)
        .into_iter()
        .map(|call| call.0)
        .collect();
    assert_eq!(ids, ["call_0", "call_1"]);
}

/// LL12 in this protocol: at the limit the last call without input is none.
#[test]
fn ll12_a_call_that_the_limit_cuts_is_none() {
    let chunks = [
        call(&json!({"index": 0, "id": "a", "function": {"name": "Read", "arguments": "{}"}})),
        call(&json!({"index": 1, "id": "b", "function": {"name": "Read"}})),
        finish("length"),
    ];
    let (answer, ..) = read(&chunks, true);
    assert!(answer.is_cut());
    let inputs: Vec<Input> = calls(&answer).into_iter().map(|call| call.2).collect();
    assert_eq!(inputs, [Input::Whole(json!({})), Input::Cut(String::new())]);
}

#[test]
fn a_stream_that_ends_without_a_reason_is_cut() {
    let chunks = [delta(&json!({"content": "Sa"}))];
    let (answer, _, reader) = read(&chunks, false);
    assert!(!reader.stopped && !reader.over);
    assert_eq!(answer.stop, None);
    assert!(answer.is_cut());
    // Without the last word, but with a reason, it is whole.
    let (answer, _, reader) = read(&[delta(&json!({"content": "Sa"})), finish("stop")], false);
    assert!(reader.stopped && !answer.is_cut());
}

#[test]
fn errors_in_the_stream_are_told() {
    let read = |error: Value| read(&[json!({"error": error})], false).1.unwrap_err();
    let failure = read(json!({"message": "Slow down", "type": "server_error", "code": 429}));
    assert_eq!(
        (failure.word(), failure.is_passing()),
        ("rate-limited", true)
    );
    assert!(failure.to_string().contains("Slow down"));
    let failure = read(json!({"message": "No", "type": "invalid_request_error", "code": null}));
    assert!(!failure.is_passing());
    assert!(
        read(json!("out of memory"))
            .to_string()
            .contains("out of memory")
    );
}

#[test]
fn an_answer_that_comes_whole_says_the_same() {
    let whole = json!({"id": "c", "model": "demo", "choices": [{"finish_reason": "tool_calls", "message": {
        "content": "See", "tool_calls": [{"id": "a", "function": {"name": "Read", "arguments": "{\"p\":1}"}}]}}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4}});
    let mut events = Vec::new();
    Reader::default().whole(&whole, &mut events).unwrap();
    let mut answer = Answer::default();
    for event in &events {
        answer.take(event);
    }
    assert_eq!(answer.text(), "See");
    assert_eq!(calls(&answer), [named("a", "Read", json!({"p": 1}))]);
    assert_eq!(answer.usage.unwrap().input, 3);
    assert!(!answer.is_cut());
}

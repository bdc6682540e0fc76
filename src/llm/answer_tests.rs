use serde_json::json;

use super::*;

fn begun(index: usize, name: &str) -> Event {
    let start = Start::Call {
        id: format!("id{index}"),
        name: name.to_string(),
    };
    Event::Begun { index, start }
}

fn input(index: usize, json: &str) -> Event {
    let json = json.to_string();
    Event::Input { index, json }
}

fn inputs(events: &[Event]) -> (Vec<Input>, bool) {
    let mut answer = Answer::default();
    for event in events {
        answer.take(event);
    }
    let input = |block| match block {
        Block::Call { input, .. } => Some(input),
        Block::Text(_) | Block::Thinking { .. } | Block::Raw(_) => None,
    };
    let inputs = answer.blocks().into_iter().filter_map(input).collect();
    (inputs, answer.is_cut())
}

/// LL12: a call without a word at a limit is none; `{}` at an ordinary end is an empty input.
#[test]
fn ll12_an_input_of_nothing_is_empty_only_where_nothing_was_cut() {
    let ended = Event::Ended { index: 0 };
    let stop = |reason| [begun(0, "a"), ended.clone(), Event::Stopped(reason)];
    let cut = vec![Input::Cut(String::new())];
    assert_eq!(inputs(&stop(StopReason::MaxTokens)), (cut.clone(), true));
    assert_eq!(
        inputs(&stop(StopReason::ContextWindow)),
        (cut.clone(), true)
    );
    assert_eq!(
        inputs(&stop(StopReason::ToolUse)),
        (vec![Input::Whole(json!({}))], false)
    );
    assert_eq!(inputs(&[begun(0, "a"), ended]), (cut, true));
}

/// LL12: a complete call that a cut one follows is shown, and the whole is marked as cut.
#[test]
fn ll12_a_complete_call_before_a_cut_one_stays() {
    let events = [
        begun(0, "a"),
        input(0, "{\"x\":"),
        input(0, "1}"),
        Event::Ended { index: 0 },
        begun(1, "b"),
        Event::Ended { index: 1 },
        begun(2, "c"),
        input(2, "{\"y\":\"ha"),
        Event::Ended { index: 2 },
        Event::Stopped(StopReason::MaxTokens),
    ];
    let cut = Input::Cut("{\"y\":\"ha".to_string());
    let whole = |value| Input::Whole(value);
    assert_eq!(
        inputs(&events),
        (vec![whole(json!({"x": 1})), whole(json!({})), cut], true)
    );
}

#[test]
fn an_input_that_is_no_object_is_not_run() {
    for text in ["12", "null", "\"x\"", "[1]", "{}}", "{\"a\":1} x"] {
        let events = [
            begun(0, "a"),
            input(0, text),
            Event::Ended { index: 0 },
            Event::Stopped(StopReason::ToolUse),
        ];
        let cut = vec![Input::Cut(text.to_string())];
        assert_eq!(inputs(&events), (cut, true), "{text}");
    }
}

#[test]
fn another_try_voids_what_came() {
    let mut answer = Answer::default();
    let text = "ha".to_string();
    answer.take(&Event::Text { index: 0, text });
    assert!(!answer.is_empty() && answer.is_cut());
    answer.take(&Event::Again {
        why: Failure::new(crate::llm::failure::What::Cut, "POST http://h"),
        wait: Duration::from_secs(1),
        attempt: 2,
    });
    assert_eq!(answer, Answer::default());
}

#[test]
fn every_stop_reason_keeps_its_name() {
    for word in [
        "end_turn",
        "max_tokens",
        "stop_sequence",
        "tool_use",
        "pause_turn",
        "refusal",
        "model_context_window_exceeded",
        "of_next_year",
    ] {
        let reason = StopReason::read(word);
        assert_eq!(reason.word(), word);
        assert_eq!(
            matches!(reason, StopReason::Other(_)),
            word == "of_next_year"
        );
    }
}

use serde_json::json;

use super::*;
use crate::llm::answer::{Event, StopReason};

#[test]
fn json_is_found_as_it_is_and_within_words_and_fences() {
    let value = json!({"picked": ["a.md", "b.md"]});
    for text in [
        value.to_string(),
        format!("```json\n{value}\n```"),
        format!("Here {{it}} is [sic]:\n{value} I hope {{this}} helps"),
    ] {
        assert_eq!(find(&text), Structured::Whole(value.clone()), "{text}");
    }
    assert_eq!(find("[1]"), Structured::Whole(json!([1])));
    let said = " I can't. ";
    assert_eq!(find(said), Structured::Missing("I can't.".to_string()));
    assert_eq!(
        find("So: {\"a\": [{\"b\": 1}, {\"c"),
        Structured::Cut("{\"a\": [{\"b\": 1}, {\"c".to_string())
    );
}

/// LL10: of a list that was cut within its fourth item three are whole; nothing of the fourth is kept.
#[test]
fn ll10_what_was_complete_before_the_cut_is_kept() {
    let text = include_str!("../../tests/fixtures/LL10/reply.txt");
    let mut answer = Answer::default();
    let text = text.trim_end_matches('\n').to_string();
    answer.take(&Event::Text { index: 0, text });
    answer.take(&Event::Stopped(StopReason::MaxTokens));
    assert!(answer.is_cut());
    let Structured::Cut(text) = read(&answer) else {
        panic!("{:?}", read(&answer));
    };
    let names: Vec<Value> = whole_items(&text, "memories")
        .iter()
        .map(|item| item["name"].clone())
        .collect();
    assert_eq!(names, ["m1", "m2", "m3"]);
}

#[test]
fn whole_items_are_those_of_the_list_that_is_meant() {
    let items = |text, key| Value::from(whole_items(text, key));
    let text = r#"{"why": {"a": [9]}, "a": [1, {"b": ["]"]}, "x"], "c": "y"#;
    assert_eq!(items(text, "a"), json!([1, {"b": ["]"]}, "x"]));
    assert_eq!(items(text, "c"), json!([]));
    assert_eq!(items(text, "d"), json!([]));
    assert_eq!(items(r#"{"a": [12, 3"#, "a"), json!([12]));
    assert_eq!(items(r#"{"a": [12, "3""#, "a"), json!([12, "3"]));
    assert_eq!(items(r#"{"a": ["#, "a"), json!([]));
    assert_eq!(items("[1]", "a"), json!([]));
}

use serde_json::json;

use super::*;
use crate::context::fixture_for_tests::{answer, asked, result, used};
use crate::context::part::Origin;

fn small() -> Request {
    let mut first = Block::text(asked("hi \"you\""));
    first.mark = Some(Life::Hour);
    Request {
        params: Params {
            model: "claude-opus-5-5".to_string(),
            max_tokens: Some(32_000),
            tools: vec![json!({"name": "Read", "input_schema": {"type": "object"}})],
            ..Params::default()
        },
        system: vec![Block {
            mark: Some(Life::FiveMinutes),
            ..Block::text(Piece::new(Kind::Identity, Origin::Ours, "who"))
        }],
        messages: vec![
            Message::new(Role::User, vec![first]),
            Message::new(
                Role::Assistant,
                vec![Block::text(answer("a")), used("t1", "Read")],
            ),
            Message::new(Role::User, vec![result("t1", "1\talpha")]),
        ],
    }
}

#[test]
fn the_body_is_the_one_that_is_sent() {
    assert_eq!(
        small().body(),
        concat!(
            r#"{"model":"claude-opus-5-5","max_tokens":32000,"#,
            r#""tools":[{"input_schema":{"type":"object"},"name":"Read"}],"#,
            r#""system":[{"type":"text","text":"who","cache_control":{"type":"ephemeral"}}],"#,
            r#""messages":[{"role":"user","content":[{"type":"text","text":"hi \"you\"","#,
            r#""cache_control":{"type":"ephemeral","ttl":"1h"}}]},"#,
            r#"{"role":"assistant","content":[{"type":"text","text":"a"},"#,
            r#"{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/srv/proj/a.txt"}}]},"#,
            r#"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1\talpha"}]}]}"#,
        )
    );
}

#[test]
fn what_a_model_is_asked_is_the_body_with_what_was_asked_for() {
    let mut request = small();
    request.params.tools.clear();
    request.system.clear();
    request.messages.truncate(1);
    request.messages[0].blocks[0].mark = None;
    request.params.betas = vec!["b".to_string()];
    request.params.stream = true;
    request.params.schema = Some(json!({"type": "object"}));
    let ask = request.ask();
    assert_eq!(ask.betas, ["b"]);
    assert_eq!(
        ask.body,
        concat!(
            r#"{"model":"claude-opus-5-5","max_tokens":32000,"#,
            r#""output_config":{"format":{"schema":{"type":"object"},"type":"json_schema"}},"stream":true,"#,
            r#""messages":[{"role":"user","content":[{"type":"text","text":"hi \"you\""}]}]}"#,
        )
    );
}

#[test]
fn what_the_cache_compares_has_no_marks() {
    let mut other = small();
    other.messages[0].blocks[0].mark = None;
    other.messages[2].blocks[0].mark = Some(Life::FiveMinutes);
    assert_eq!(other.cache_items(), small().cache_items());
    assert_eq!(small().cache_items().len(), 6);
    assert_eq!((small().mark_count(), other.mark_count()), (2, 2));
    other.messages[0].blocks[0] = Block::text(asked("hi"));
    assert_ne!(other.cache_items(), small().cache_items());
}

#[test]
fn an_error_and_a_block_that_is_passed_on_stay_what_they_are() {
    let raw = Block {
        mark: Some(Life::FiveMinutes),
        ..Block::new(Content::Raw(
            json!({"type": "image", "source": {"data": "x"}}),
        ))
    };
    assert_eq!(
        written(&raw),
        r#"{"source":{"data":"x"},"type":"image","cache_control":{"type":"ephemeral"}}"#
    );
    let failed = Block::new(Content::ToolResult {
        id: "t".to_string(),
        result: Piece::new(Kind::ToolResult, Origin::Conversation, "no"),
        is_error: true,
    });
    assert!(
        failed
            .unmarked()
            .ends_with(r#""content":"no","is_error":true}"#)
    );
}

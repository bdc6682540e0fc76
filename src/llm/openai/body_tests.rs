use super::*;

fn translated(value: &Value) -> Value {
    serde_json::from_str(&body(&value.to_string(), false).unwrap()).unwrap()
}

#[test]
fn a_whole_conversation_is_translated() {
    let from = json!({
        "model": "m", "max_tokens": 9, "stream": true, "thinking": {"type": "adaptive"},
        "tools": [{"name": "Read", "description": "Reads", "input_schema": {"type": "object"}}],
        "system": [{"type": "text", "text": "One", "cache_control": {"type": "ephemeral"}}, {"type": "text", "text": "Two"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}]},
            {"role": "assistant", "content": [
                {"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "text", "text": "Let me see"},
                {"type": "tool_use", "id": "t1", "name": "Read", "input": {"p": 1}},
                {"type": "tool_use", "id": "t2", "name": "Read", "input": {}}]},
            {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": "t1", "content": "text"},
                {"type": "tool_result", "tool_use_id": "t2", "content": [{"type": "text", "text": "no"}], "is_error": true},
                {"type": "text", "text": "and?"}]},
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t3", "name": "Read", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t3", "content": ""}]},
        ],
    });
    let call = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "Read", "arguments": arguments}});
    assert_eq!(
        translated(&from),
        json!({
            "model": "m", "max_tokens": 9, "stream": true, "stream_options": {"include_usage": true},
            "tools": [{"type": "function", "function": {"name": "Read", "description": "Reads", "parameters": {"type": "object"}}}],
            "messages": [
                {"role": "system", "content": "One\n\nTwo"},
                {"role": "user", "content": "a\n\nb"},
                {"role": "assistant", "content": "Let me see", "tool_calls": [call("t1", "{\"p\":1}"), call("t2", "{}")]},
                {"role": "tool", "content": "text", "tool_call_id": "t1"},
                {"role": "tool", "content": "Error: no", "tool_call_id": "t2"},
                {"role": "user", "content": "and?"},
                {"role": "assistant", "content": null, "tool_calls": [call("t3", "{}")]},
                {"role": "tool", "content": "", "tool_call_id": "t3"},
            ],
        })
    );
}

#[test]
fn an_answer_of_thought_only_leaves_one_message_of_the_person_s() {
    let from = json!({"model": "m", "messages": [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": [{"type": "redacted_thinking", "data": "x"}]},
        {"role": "user", "content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AA"}}]},
    ]});
    assert_eq!(
        translated(&from)["messages"],
        json!([{"role": "user", "content": [
            {"type": "text", "text": "a"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}]}])
    );
}

#[test]
fn a_schema_becomes_a_response_format_and_the_newest_name_is_used_where_it_is_known() {
    let schema = json!({"type": "object"});
    let from = json!({"model": "m", "max_tokens": 5, "messages": [{"role": "user", "content": "a"}],
                      "output_config": {"format": {"type": "json_schema", "schema": schema}}});
    let text = body(&from.to_string(), true).unwrap();
    assert_eq!(
        text,
        "{\"model\":\"m\",\"max_completion_tokens\":5,\"response_format\":{\"json_schema\":{\"name\":\"answer\",\
         \"schema\":{\"type\":\"object\"},\"strict\":true},\"type\":\"json_schema\"},\
         \"messages\":[{\"role\":\"user\",\"content\":\"a\"}]}"
    );
}

#[test]
fn what_can_t_be_said_is_told() {
    let said = |value: Value| body(&value.to_string(), false).unwrap_err().to_string();
    let user = |block: Value| json!({"messages": [{"role": "user", "content": [block]}]});
    assert!(said(user(json!({"type": "document"}))).contains("\"document\" can't be said"));
    assert!(
        said(json!({"tools": [{"type": "web_search", "name": "web"}]}))
            .contains("the tool \"web\"")
    );
    assert!(said(json!({"messages": [{"role": "critic"}]})).contains("\"critic\""));
    assert!(body("{", false).is_err());
}

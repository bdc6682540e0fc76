//! A request in the shape of chat completions: `system` as the first message, tool calls and results as
//! these have them. Thought is left out, as are cache marks: those servers know neither. Texts of one
//! message are put one below the other, because many of them take a text only.

use serde::Serialize;
use serde_json::{Value, json};

use crate::llm::failure::{Failure, What};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Value>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    messages: Vec<Message>,
}

#[derive(Debug, Serialize, Default)]
struct Message {
    role: &'static str,
    /// A text, parts where an image is among them, or nothing beside tool calls.
    content: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<String>,
}

/// Translates the body of a Messages API request. `newest`: the server is `OpenAI`'s own, which has
/// another name for the longest answer.
///
/// # Errors
/// What of it can't be said.
pub fn body(messages_api: &str, newest: bool) -> Result<String, Failure> {
    let unsaid = |why: String| Failure::new(What::Unsaid(why), "");
    let from: Value = serde_json::from_str(messages_api)
        .map_err(|error| unsaid(format!("it is no JSON ({error})")))?;
    let stream = from["stream"] == true;
    let most = from["max_tokens"].as_u64();
    let tools = from["tools"].as_array().into_iter().flatten();
    let schema = &from["output_config"]["format"]["schema"];
    let body = Body {
        model: from["model"].as_str().unwrap_or_default(),
        max_tokens: most.filter(|_| !newest),
        max_completion_tokens: most.filter(|_| newest),
        response_format: schema.is_object().then(|| {
            json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": schema}})
        }),
        stream,
        stream_options: stream.then(|| json!({"include_usage": true})),
        tools: tools.map(tool).collect::<Result<_, _>>().map_err(unsaid)?,
        messages: messages(&from).map_err(unsaid)?,
    };
    Ok(serde_json::to_string(&body).expect("a request holds nothing that JSON can't"))
}

fn tool(tool: &Value) -> Result<Value, String> {
    let name = tool["name"].as_str().unwrap_or_default();
    let schema = &tool["input_schema"];
    if !schema.is_object() {
        return Err(format!("the tool {name:?} has no schema of its input"));
    }
    let mut function = json!({"name": name, "parameters": schema});
    if let Some(description) = tool["description"].as_str() {
        function["description"] = description.into();
    }
    Ok(json!({"type": "function", "function": function}))
}

fn messages(from: &Value) -> Result<Vec<Message>, String> {
    let mut out = Vec::new();
    push(&mut out, "system", texts(&from["system"])?);
    for message in from["messages"].as_array().into_iter().flatten() {
        match message["role"].as_str().unwrap_or_default() {
            "assistant" => assistant(&message["content"], &mut out)?,
            "user" => user(&message["content"], &mut out)?,
            "system" => push(&mut out, "system", texts(&message["content"])?),
            other => return Err(format!("nobody speaks as {other:?}")),
        }
    }
    Ok(out)
}

/// The parts of a content: itself where it is a text.
fn parts(content: &Value) -> Vec<Value> {
    match content {
        Value::String(text) => vec![json!({"type": "text", "text": text})],
        Value::Array(blocks) => blocks.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    }
}

fn texts(content: &Value) -> Result<Vec<Value>, String> {
    parts(content).iter().map(part).collect()
}

/// A text or an image.
fn part(block: &Value) -> Result<Value, String> {
    match block["type"].as_str().unwrap_or_default() {
        "text" => Ok(json!({"type": "text", "text": block["text"]})),
        "image" => {
            let source = &block["source"];
            let word = |key: &str| source[key].as_str().unwrap_or_default();
            let url = match word("type") {
                "base64" => format!("data:{};base64,{}", word("media_type"), word("data")),
                _ => word("url").to_string(),
            };
            Ok(json!({"type": "image_url", "image_url": {"url": url}}))
        }
        other => Err(format!("a block of the kind {other:?} can't be said")),
    }
}

fn user(content: &Value, out: &mut Vec<Message>) -> Result<(), String> {
    let mut said = Vec::new();
    for block in parts(content) {
        if block["type"] != "tool_result" {
            said.push(part(&block)?);
            continue;
        }
        let mut text = content_of(texts(&block["content"])?);
        if block["is_error"] == true
            && let Value::String(text) = &mut text
        {
            text.insert_str(0, "Error: ");
        }
        let id = block["tool_use_id"].as_str().unwrap_or_default();
        out.push(Message {
            role: "tool",
            content: text,
            tool_call_id: Some(id.to_string()),
            ..Message::default()
        });
    }
    push(out, "user", said);
    Ok(())
}

fn assistant(content: &Value, out: &mut Vec<Message>) -> Result<(), String> {
    let mut said = Vec::new();
    let mut tool_calls = Vec::new();
    for block in parts(content) {
        match block["type"].as_str().unwrap_or_default() {
            "thinking" | "redacted_thinking" => {}
            "tool_use" => {
                let arguments = block["input"].to_string();
                tool_calls.push(json!({"id": block["id"], "type": "function",
                                       "function": {"name": block["name"], "arguments": arguments}}));
            }
            _ => said.push(part(&block)?),
        }
    }
    if tool_calls.is_empty() {
        push(out, "assistant", said);
    } else {
        out.push(Message {
            role: "assistant",
            content: match said.is_empty() {
                true => Value::Null,
                false => content_of(said),
            },
            tool_calls,
            ..Message::default()
        });
    }
    Ok(())
}

/// Adds a message, to the one before where the same speaks: an answer that was thought only leaves two of
/// the person's side by side, which many templates refuse.
fn push(out: &mut Vec<Message>, role: &'static str, said: Vec<Value>) {
    if said.is_empty() {
        return;
    }
    let same = |last: &&mut Message| last.role == role && last.tool_calls.is_empty();
    match out.last_mut().filter(same) {
        Some(last) => {
            let mut all = match last.content.take() {
                Value::Array(parts) => parts,
                text => vec![json!({"type": "text", "text": text})],
            };
            all.extend(said);
            last.content = content_of(all);
        }
        None => out.push(Message {
            role,
            content: content_of(said),
            ..Message::default()
        }),
    }
}

/// One text where there are texts only.
fn content_of(said: Vec<Value>) -> Value {
    if said.iter().any(|part| part["type"] != "text") {
        return Value::Array(said);
    }
    let texts = said.iter().filter_map(|part| part["text"].as_str());
    Value::String(texts.collect::<Vec<_>>().join("\n\n"))
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;

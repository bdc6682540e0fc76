//! What is refused, and why: what the real servers refuse, and what must not change within a session.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::wire::Seen;

type Checked = Result<Value, String>;

const MARKS: usize = 4;

fn ensure(holds: bool, why: impl Into<String>) -> Result<(), String> {
    match holds {
        true => Ok(()),
        false => Err(why.into()),
    }
}

fn parsed(seen: &Seen, known: &[&str]) -> Checked {
    let kind = seen.header("content-type").unwrap_or_default();
    ensure(
        kind.starts_with("application/json"),
        "content-type: application/json is missing",
    )?;
    let body: Value = serde_json::from_str(&seen.body)
        .map_err(|error| format!("the body is no JSON: {error}"))?;
    let fields = body.as_object().ok_or("the body is no object")?;
    for key in fields.keys() {
        ensure(
            known.contains(&key.as_str()),
            format!("{key}: extra inputs are not permitted"),
        )?;
    }
    ensure(
        body["model"].as_str().is_some_and(|name| !name.is_empty()),
        "model: field required",
    )?;
    Ok(body)
}

/// A request for an answer, in the Messages API.
pub fn messages(seen: &Seen) -> Checked {
    let body = parsed(
        seen,
        &[
            "model",
            "max_tokens",
            "thinking",
            "tools",
            "system",
            "messages",
            "stream",
            "output_config",
        ],
    )?;
    let most = body["max_tokens"].as_u64();
    ensure(
        most.is_some_and(|most| most > 0),
        "max_tokens: field required",
    )?;
    let budget = body["thinking"]["budget_tokens"].as_u64();
    ensure(
        budget.is_none_or(|budget| Some(budget) < most),
        "max_tokens must be greater than thinking.budget_tokens",
    )?;
    conversation(seen, &body)?;
    Ok(body)
}

/// A request to be counted.
pub fn count(seen: &Seen) -> Checked {
    let body = parsed(
        seen,
        &[
            "model",
            "thinking",
            "tools",
            "system",
            "messages",
            "output_config",
        ],
    )?;
    conversation(seen, &body)?;
    Ok(body)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn conversation(seen: &Seen, body: &Value) -> Result<(), String> {
    ensure(
        seen.header("anthropic-version").is_some(),
        "anthropic-version: header is required",
    )?;
    let mut names = HashSet::new();
    for tool in list(&body["tools"]) {
        ensure(
            tool["input_schema"].is_object(),
            "tools: input_schema: field required",
        )?;
        ensure(
            names.insert(tool["name"].to_string()),
            "tools: tool names must be unique",
        )?;
    }
    for block in list(&body["system"]) {
        text(block, "system")?;
    }
    let messages = list(&body["messages"]);
    ensure(
        !messages.is_empty(),
        "messages: at least one message is required",
    )?;
    let mut before = "assistant";
    let mut open: Vec<String> = Vec::new();
    let mut ids = HashSet::new();
    for (at, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        let place = format!("messages.{at}");
        ensure(
            matches!(role, "user" | "assistant" | "system"),
            format!("{place}: role {role:?}"),
        )?;
        ensure(
            at > 0 || role == "user",
            format!("{place}: first message must use the user role"),
        )?;
        ensure(
            role == "system" || role != before,
            format!("{place}: roles must alternate, two of {role}"),
        )?;
        if role == "user" {
            results(message, &place, &mut open)?;
        }
        ensure(
            open.is_empty(),
            format!(
                "{place}: tool_use ids without tool_result: {}",
                open.join(", ")
            ),
        )?;
        ensure(
            !list(&message["content"]).is_empty(),
            format!("{place}: content is empty"),
        )?;
        for block in list(&message["content"]) {
            let kind = block["type"].as_str().unwrap_or_default();
            let of_assistant = matches!(kind, "thinking" | "redacted_thinking" | "tool_use");
            ensure(
                !of_assistant || role == "assistant",
                format!("{place}: {kind} of {role}"),
            )?;
            match kind {
                "text" => text(block, &place)?,
                "tool_use" => {
                    let id = block["id"].as_str().unwrap_or_default().to_string();
                    ensure(
                        block["input"].is_object(),
                        format!("{place}: tool_use.input: must be an object"),
                    )?;
                    ensure(
                        ids.insert(id.clone()),
                        format!("{place}: tool_use ids must be unique: {id}"),
                    )?;
                    open.push(id);
                }
                "thinking" => ensure(
                    block["signature"]
                        .as_str()
                        .is_some_and(|text| !text.is_empty())
                        && block["cache_control"].is_null(),
                    format!("{place}: thinking without a signature, or with a mark"),
                )?,
                "tool_result" | "redacted_thinking" | "image" => {}
                other => return Err(format!("{place}: block of the kind {other:?}")),
            }
        }
        before = if role == "system" { before } else { role };
    }
    ensure(
        before == "user",
        "the conversation must end with a user message",
    )?;
    marks(body)
}

/// A text that says something.
fn text(block: &Value, place: &str) -> Result<(), String> {
    let text = block["text"].as_str().unwrap_or_default();
    ensure(
        !text.trim().is_empty(),
        format!("{place}: text content blocks must be non-empty"),
    )
}

/// The results at the beginning of a user message answer the calls before it, each one.
fn results(message: &Value, place: &str, open: &mut Vec<String>) -> Result<(), String> {
    let mut begun = false;
    for block in list(&message["content"]) {
        if block["type"] != "tool_result" {
            begun = true;
            continue;
        }
        ensure(!begun, format!("{place}: tool_result after other content"))?;
        let id = block["tool_use_id"].as_str().unwrap_or_default();
        let at = open.iter().position(|open| open == id);
        let at = at.ok_or(format!("{place}: unexpected tool_use_id {id:?}"))?;
        open.remove(at);
    }
    Ok(())
}

fn marks(body: &Value) -> Result<(), String> {
    let messages = list(&body["messages"]).iter();
    let blocks = messages.flat_map(|message| list(&message["content"]));
    let all = list(&body["tools"])
        .iter()
        .chain(list(&body["system"]))
        .chain(blocks);
    let marks: Vec<&Value> = all
        .map(|block| &block["cache_control"])
        .filter(|mark| !mark.is_null())
        .collect();
    ensure(
        marks.len() <= MARKS,
        format!(
            "a maximum of {MARKS} blocks with cache_control, found {}",
            marks.len()
        ),
    )?;
    let is_hour = |mark: &&Value| mark["ttl"] == "1h";
    ensure(
        marks.is_sorted_by_key(|mark| !is_hour(mark)),
        "a ttl of 1h must not come after one of 5m",
    )?;
    let known = |mark: &&Value| {
        mark["type"] == "ephemeral"
            && (mark["ttl"].is_null() || mark["ttl"] == "1h" || mark["ttl"] == "5m")
    };
    ensure(marks.iter().all(known), "cache_control: unknown")
}

/// A request in chat completions.
pub fn chat(seen: &Seen) -> Checked {
    let body = parsed(
        seen,
        &[
            "model",
            "max_tokens",
            "max_completion_tokens",
            "response_format",
            "stream",
            "stream_options",
            "tools",
            "messages",
        ],
    )?;
    let messages = list(&body["messages"]);
    ensure(!messages.is_empty(), "messages is empty")?;
    let mut open: Vec<String> = Vec::new();
    let mut before = "";
    for (at, message) in messages.iter().enumerate() {
        let role = message["role"].as_str().unwrap_or_default();
        let place = format!("messages.{at}");
        let content = &message["content"];
        let says = content.as_str().is_some_and(|text| !text.trim().is_empty())
            || !list(content).is_empty();
        ensure(
            matches!(role, "system" | "user" | "assistant" | "tool"),
            format!("{place}: role {role:?}"),
        )?;
        ensure(
            role == "tool" || role != before,
            format!("{place}: roles must alternate, two of {role}"),
        )?;
        if role == "tool" {
            let id = message["tool_call_id"].as_str().unwrap_or_default();
            let found = open.iter().position(|open| open == id);
            open.remove(found.ok_or(format!("{place}: unexpected tool_call_id {id:?}"))?);
            ensure(
                content.is_string(),
                format!("{place}: a tool's content is a text"),
            )?;
        } else {
            ensure(
                open.is_empty(),
                format!("{place}: tool calls without a result: {}", open.join(", ")),
            )?;
            let calls = list(&message["tool_calls"]);
            ensure(
                says || !calls.is_empty(),
                format!("{place}: content is empty"),
            )?;
            for call in calls {
                ensure(
                    call["function"]["arguments"].is_string(),
                    format!("{place}: arguments must be a text"),
                )?;
                open.push(call["id"].as_str().unwrap_or_default().to_string());
            }
        }
        before = role;
    }
    ensure(
        open.is_empty() && before != "assistant",
        "the conversation must end with a user or tool message",
    )?;
    Ok(body)
}

/// What each session began with: known by its first message.
#[derive(Default)]
pub struct Sessions {
    latched: HashMap<String, Vec<(&'static str, String)>>,
}

impl Sessions {
    /// What enters the cache's key stays as it was when the session began.
    pub fn check(&mut self, seen: &Seen, body: Value) -> Checked {
        let system = |message: &&Value| message["role"] == "system";
        let messages = list(&body["messages"]);
        let first: Vec<Value> = match messages.first() {
            Some(first) if system(&first) => messages.iter().take(2).map(unmarked).collect(),
            first => first.into_iter().map(unmarked).collect(),
        };
        let betas = seen.header("anthropic-beta").unwrap_or_default();
        let system = list(&body["system"]).iter().map(unmarked).collect();
        let now = vec![
            ("model", body["model"].to_string()),
            ("tools", body["tools"].to_string()),
            ("system", Value::Array(system).to_string()),
            ("thinking", body["thinking"].to_string()),
            ("output_config", body["output_config"].to_string()),
            ("beta headers", betas.to_string()),
        ];
        let session = Value::Array(first).to_string();
        let begun = self.latched.entry(session).or_insert_with(|| now.clone());
        for (was, is) in begun.iter().zip(&now) {
            ensure(
                was == is,
                format!("{} changed within the session: {} to {}", is.0, was.1, is.1),
            )?;
        }
        Ok(body)
    }
}

/// A value without marks, wherever they stand.
fn unmarked(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(key, _)| *key != "cache_control");
            Value::Object(
                kept.map(|(key, value)| (key.clone(), unmarked(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.iter().map(unmarked).collect()),
        plain => plain.clone(),
    }
}

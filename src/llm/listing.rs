//! The models that a provider lists: which is the newest, how large its window is. Knows no network.

use serde_json::Value;

/// One model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: String,
    /// What people call it.
    pub name: Option<String>,
    /// When it was made, seconds since 1970.
    pub created: Option<i64>,
    /// Tokens of its window.
    pub window: Option<u64>,
}

/// What a list of models says, in its order. Both protocols have the same shape; servers say a window
/// under many names.
#[must_use]
pub fn read(list: &Value) -> Vec<Listed> {
    let rows = list["data"].as_array().or(list["models"].as_array());
    rows.into_iter().flatten().filter_map(row).collect()
}

fn row(row: &Value) -> Option<Listed> {
    let id = row["id"].as_str().or(row["name"].as_str())?;
    let number = |key: &str| row[key].as_u64().filter(|tokens| *tokens > 0);
    let windows = [
        "max_input_tokens",
        "max_model_len",
        "loaded_context_length",
        "context_length",
        "context_window",
        "max_context_length",
    ];
    let window = windows.into_iter().find_map(number);
    let window = window.or_else(|| row["meta"]["n_ctx"].as_u64());
    let date = row["created_at"].as_str().and_then(|date| {
        let date: jiff::Timestamp = date.parse().ok()?;
        Some(date.as_second())
    });
    Some(Listed {
        id: id.to_string(),
        name: row["display_name"].as_str().map(ToString::to_string),
        created: date.or_else(|| row["created"].as_i64()),
        window,
    })
}

/// The window that a llama.cpp server says it runs with.
#[must_use]
pub fn window_of_props(props: &Value) -> Option<u64> {
    let settings = &props["default_generation_settings"];
    let window = settings["n_ctx"]
        .as_u64()
        .or_else(|| props["n_ctx"].as_u64());
    window.filter(|tokens| *tokens > 0)
}

/// What in a name tells that a model does not talk.
const NO_CHAT: [&str; 10] = [
    "embed",
    "whisper",
    "tts",
    "dall-e",
    "image",
    "audio",
    "realtime",
    "moderation",
    "rerank",
    "transcribe",
];

/// The newest model that can talk: the latest by date, among equals the first of the list.
#[must_use]
pub fn newest(models: &[Listed]) -> Option<&Listed> {
    let talks = |model: &&Listed| {
        let id = model.id.to_ascii_lowercase();
        !NO_CHAT.iter().any(|word| id.contains(word))
    };
    models
        .iter()
        .filter(talks)
        .rev()
        .max_by_key(|model| model.created)
}

#[cfg(test)]
#[path = "listing_tests.rs"]
mod tests;

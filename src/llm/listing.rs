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
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_newest_is_the_latest_by_date_that_can_talk() {
        let list = read(&json!({"data": [
            {"type": "model", "id": "old", "display_name": "Old", "created_at": "2025-01-01T00:00:00Z"},
            {"type": "model", "id": "new", "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": 1_000_000},
            {"type": "model", "id": "twin", "created_at": "2026-01-01T00:00:00Z"},
            {"id": "text-embedding-9", "created": 1_900_000_000},
        ], "has_more": false}));
        assert_eq!(list.len(), 4);
        assert_eq!(list[0].name.as_deref(), Some("Old"));
        assert_eq!(list[0].created, Some(1_735_689_600));
        let newest = newest(&list).unwrap();
        assert_eq!(
            (newest.id.as_str(), newest.window),
            ("new", Some(1_000_000))
        );
        assert_eq!(super::newest(&[]), None);
        let bare = read(&json!({"data": [{"id": "a"}, {"id": "b"}]}));
        assert_eq!(super::newest(&bare).unwrap().id, "a");
    }

    #[test]
    fn windows_are_found_under_the_names_that_servers_have_for_them() {
        let window = |row: Value| read(&json!({"data": [row]}))[0].window;
        assert_eq!(
            window(json!({"id": "a", "max_model_len": 8192})),
            Some(8192)
        );
        assert_eq!(
            window(json!({"id": "a", "context_length": 4096})),
            Some(4096)
        );
        assert_eq!(
            window(
                json!({"id": "a", "loaded_context_length": 4096, "max_context_length": 131_072})
            ),
            Some(4096)
        );
        assert_eq!(
            window(json!({"id": "a", "meta": {"n_ctx": 512, "n_ctx_train": 2048}})),
            Some(512)
        );
        assert_eq!(window(json!({"id": "a", "context_length": 0})), None);
        let props = json!({"default_generation_settings": {"n_ctx": 2048}});
        assert_eq!(window_of_props(&props), Some(2048));
        assert_eq!(window_of_props(&json!({})), None);
        assert_eq!(read(&json!({"models": [{"name": "a"}]}))[0].id, "a");
        assert_eq!(read(&json!([])), []);
    }
}

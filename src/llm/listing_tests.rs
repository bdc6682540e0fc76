//! What is taken of a list of models.

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
        window(json!({"id": "a", "loaded_context_length": 4096, "max_context_length": 131_072})),
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

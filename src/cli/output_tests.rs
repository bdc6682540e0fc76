use super::escaped;

#[test]
fn what_a_terminal_would_hide_or_obey_is_escaped_and_means_the_same() {
    let text = "a\u{202E}b\u{E0041}c ü 数";
    let json = serde_json::to_string(text).unwrap();
    let safe = escaped(&json);
    assert_eq!(safe, r#""a\u202eb\udb40\udc41c ü 数""#);
    assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), text);
}

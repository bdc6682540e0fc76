use super::*;

#[test]
fn keys_are_read_as_they_are_written() {
    for text in [
        "q",
        "G",
        "?",
        ":",
        "-",
        "ctrl-d",
        "alt-x",
        "shift-tab",
        "F2",
        "pgdn",
        "space",
        "enter",
    ] {
        let key = Key::parse(text).unwrap();
        assert_eq!(key.to_string(), text);
    }
    assert_eq!(Key::parse("nonsense"), None);
    assert_eq!(Key::parse(""), None);
}

#[test]
fn a_chord_is_presses_parted_by_spaces() {
    assert_eq!(
        Key::parse_chord("g g"),
        Some(vec![Key::char('g'), Key::char('g')])
    );
}

#[test]
fn only_plain_characters_are_typing() {
    assert!(Key::char('q').is_typing());
    assert!(!Key::ctrl('c').is_typing());
    assert!(!Key::plain(Code::Enter).is_typing());
}

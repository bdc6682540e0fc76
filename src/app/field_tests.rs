use super::*;

fn typed(text: &str) -> Field {
    let mut field = Field::default();
    for c in text.chars() {
        assert!(field.press(Key::char(c)));
    }
    field
}

#[test]
fn typing_and_editing() {
    let mut field = typed("one two");
    assert_eq!(field.text(), "one two");
    assert!(field.press(Key::ctrl('w')));
    assert_eq!(field.text(), "one ");
    assert!(field.press(Key::ctrl('a')));
    assert_eq!(field.before_cursor(), "");
    field.press(Key::char('é'));
    assert_eq!((field.text(), field.before_cursor()), ("éone ", "é"));
    assert!(field.clear());
    assert!(!field.clear());
}

#[test]
fn a_paste_is_one_line() {
    let mut field = typed("a");
    field.paste("b\r\nc\nd\re");
    assert_eq!(field.text(), "ab c d e");
}

#[test]
fn it_takes_only_so_much() {
    let mut field = Field::default();
    assert_eq!(field.paste(&"é".repeat(999)), None);
    assert_eq!(field.full(), None);
    assert_eq!(
        field.paste(&"é".repeat(5_000)).as_deref(),
        Some("what was pasted is cut: no more than 1,000 characters fit here")
    );
    assert_eq!(field.text().chars().count(), 1_000);
    assert!(!field.press(Key::char('x')));
    assert_eq!(
        field.full().as_deref(),
        Some("no more than 1,000 characters fit here")
    );
}

#[test]
fn keys_that_mean_nothing_here_say_so() {
    let mut field = typed("");
    assert!(!field.press(Key::plain(Code::Enter)));
    assert!(
        !field.press(Key::plain(Code::Backspace)),
        "nothing to delete"
    );
    assert!(!field.press(Key::plain(Code::F(5))));
}

#[test]
fn what_is_typed_takes_the_place_of_a_marked_value_and_any_other_key_keeps_it() {
    let mut field = Field::marked("lock");
    assert!(field.is_marked());
    field.press(Key::char('x'));
    field.press(Key::char('y'));
    assert_eq!(field.text(), "xy");
    let mut field = Field::marked("lock");
    field.press(Key::plain(Code::Left));
    field.press(Key::char('x'));
    assert_eq!(field.text(), "locxk");
}

use super::*;

fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Option<Key> {
    key(KeyEvent::new(code, modifiers))
}

#[test]
fn presses_become_keys() {
    assert_eq!(
        pressed(KeyCode::Char('d'), KeyModifiers::CONTROL),
        Some(Key::ctrl('d'))
    );
    assert_eq!(
        pressed(KeyCode::Char('G'), KeyModifiers::SHIFT),
        Some(Key::char('G'))
    );
    assert_eq!(
        pressed(KeyCode::Tab, KeyModifiers::SHIFT),
        Some(Key::plain(Code::BackTab))
    );
    assert_eq!(pressed(KeyCode::Menu, KeyModifiers::NONE), None);
}

#[test]
fn a_release_is_no_press() {
    let mut event = KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE);
    event.kind = KeyEventKind::Release;
    assert_eq!(key(event), None);
}

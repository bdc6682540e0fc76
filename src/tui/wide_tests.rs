use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::*;

fn drawn(doubtful: bool) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 6, 1));
    buffer.set_string(0, 0, "a①b漢c", Style::new());
    let mut bytes = Vec::new();
    let cells = [0, 1, 2, 3, 5].map(|x| (x, 0, &buffer[(x, 0)]));
    let mut backend = Ordered::new(CrosstermBackend::new(&mut bytes), doubtful);
    backend.draw(cells.into_iter()).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn what_stands_behind_an_ambiguous_character_is_placed_anew() {
    assert!(drawn(false).contains("a①b漢"), "{:?}", drawn(false));
    let wide = drawn(true);
    let (before, after) = wide.split_once("a①").unwrap();
    assert!(before.ends_with("\u{1b}[1;1H"), "{wide:?}");
    assert!(after.contains("\u{1b}[1;3Hb漢"), "{wide:?}");
}

use proptest::prelude::*;

use super::*;
use crate::base::text;

fn press(body: &mut Body, keys: &str) {
    for key in keys.split(' ') {
        let key = Key::parse(key).unwrap();
        body.press(key);
    }
}

fn body(text: &str, cells: usize, height: usize) -> Body {
    let mut body = Body::new(text);
    body.settle(cells, height);
    body
}

#[test]
fn up_and_down_go_by_rows_and_keep_their_column() {
    let mut body = body("one two three four\nx\nfive six seven", 8, 10);
    press(&mut body, "end");
    assert_eq!(body.place(), (Row { line: 0, part: 2 }, 4));
    press(&mut body, "down");
    assert_eq!(body.cursor(), (1, 1));
    press(&mut body, "down");
    assert_eq!(body.place(), (Row { line: 2, part: 0 }, 4));
    press(&mut body, "up up");
    assert_eq!(body.place(), (Row { line: 0, part: 2 }, 4));
    assert_eq!(body.step(-10), Pressed::Moved);
    assert_eq!(body.step(-1), Pressed::Start);
}

#[test]
fn wide_and_hidden_characters_are_counted_in_cells() {
    let mut body = body("数据库 \u{202E}x\tb", 40, 10);
    press(&mut body, "right right");
    assert_eq!(body.place().1, 4);
    press(&mut body, "end");
    let line = shown("数据库 \u{202E}x\tb").into_owned();
    assert_eq!(body.place().1, text::width(&line));
    body.point(0, 4);
    assert_eq!(body.cursor(), (0, 2));
}

#[test]
fn the_view_follows_the_cursor_and_no_further() {
    let text: Vec<String> = (0..100).map(|at| format!("line {at}")).collect();
    let mut body = body(&text.join("\n"), 20, 10);
    press(&mut body, "ctrl-end");
    body.settle(20, 10);
    assert_eq!(body.top(), Row { line: 90, part: 0 });
    press(&mut body, "up");
    body.settle(20, 10);
    assert_eq!(body.top(), Row { line: 90, part: 0 });
    press(&mut body, "ctrl-home");
    body.settle(20, 10);
    assert_eq!(body.top(), Row::default());
}

#[test]
fn a_paste_is_one_step_back() {
    let mut body = body("a", 20, 10);
    press(&mut body, "end");
    body.paste("b\r\nc\rd");
    assert_eq!(body.text(), "ab\nc\nd");
    assert!(body.undo());
    assert_eq!(body.text(), "a");
    assert!(body.redo());
    assert_eq!(body.text(), "ab\nc\nd");
}

#[test]
fn a_line_longer_than_a_jump_is_moved_through_by_rows() {
    let mut body = body(&"word ".repeat(15_000), 50, 10);
    press(&mut body, "end");
    let (end, _) = body.place();
    press(&mut body, "up up");
    assert_eq!(body.place().0.part, end.part - 2);
    press(&mut body, "down");
    assert_eq!(body.place().0.part, end.part - 1);
    press(&mut body, "home");
    body.go(0, 65_600);
    assert_eq!(body.cursor(), (0, 65_600));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// What is not changed comes out as it went in, whatever its line breaks.
    #[test]
    fn untouched_text_is_the_same(text in "([a-c数\t ]{0,4}(\r\n|\n|\r)?){0,8}") {
        prop_assert_eq!(Body::new(&text).text(), text);
    }

    /// Every character can be reached and comes back from its place on the screen.
    #[test]
    fn the_cursor_is_where_it_is_drawn(
        text in "([a-e数👍🏽\t\u{202E} ]{0,12}\n?){1,5}", cells in 2_usize..12,
    ) {
        let mut body = body(&text, cells, 5);
        let mut seen = 0;
        loop {
            let cursor = body.cursor();
            let (row, x) = body.place();
            body.settle(cells, 5);
            prop_assert!(body.top() <= row && x <= cells);
            seen += 1;
            prop_assert!(seen < 200);
            if !body.moves(CursorMove::Forward) {
                break;
            }
            prop_assert!(body.cursor() > cursor);
        }
    }

    /// Rows down and the same rows up end where they began, or at an end.
    #[test]
    fn down_and_up_meet(text in "([a-e ]{0,12}\n?){1,6}", cells in 3_usize..12, steps in 1_isize..6) {
        let mut body = body(&text, cells, 5);
        let start = body.place().0;
        body.step(steps);
        body.step(-steps);
        prop_assert_eq!(body.place().0, start);
    }
}

//! The mouse: click, wheel, and F2, which gives it back to the terminal.

use super::bytes::left_behind;
use super::store::{Place, memory};
use super::terminal::{Exit, Terminal};

fn opened(place: &Place) -> Terminal {
    let body: String = (0..200).fold(String::new(), |body, line| {
        body + &format!("Line {line:03}.\n\n")
    });
    place.memory("shop", "long.md", memory("long-one", "project", &body));
    place.memory(
        "shop",
        "other.md",
        memory("other-one", "project", "Another body."),
    );
    let terminal = place.open("shop").start();
    terminal.wait_ready("long-one");
    terminal.wait_ready("other-one");
    terminal
}

#[test]
fn a_click_selects_and_the_wheel_scrolls_what_is_below_it() {
    let place = Place::new();
    let mut terminal = opened(&place);
    let row = terminal.find("other-one").expect("it is in the tree");
    terminal.click(row);
    terminal.wait_for("Another body.");
    assert!(terminal.screen(|screen| screen.cell(row.0, row.1).is_some_and(vt100::Cell::inverse)));
    terminal.click(terminal.find("long-one").expect("it is in the tree"));
    terminal.wait_for("Line 000.");
    let body = terminal.find("Line 005.").expect("it is in the main pane");
    for _ in 0..10 {
        terminal.wheel(true, body);
    }
    terminal.wait_gone("Line 000.");
    for _ in 0..10 {
        terminal.wheel(false, body);
    }
    terminal.wait_for("Line 000.");
    // Nowhere in particular, and far outside: nothing breaks.
    for cell in [(0, 0), (39, 119), (39, 0), (500, 500)] {
        terminal.click(cell);
        terminal.wheel(true, cell);
    }
    terminal.send("\x1b[<32;1;1M\x1b[<99;1;1m");
    terminal.settle();
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

/// Case TU22: whoever wants to select with the terminal can have the mouse back, sees that it is so,
/// and can copy by key instead, which says how it went.
#[test]
fn tu22_f2_gives_the_mouse_back_and_y_copies() {
    let place = Place::new();
    let mut terminal = opened(&place);
    let mouse = |raw: &[u8]| {
        left_behind(raw)
            .iter()
            .any(|mode| mode.starts_with("mouse"))
    };
    assert!(mouse(&terminal.raw()));
    terminal.send("\x1bOQ");
    terminal.wait_raw("the mouse given back", |raw| !mouse(raw));
    let off = "\x1b[?1006l\x1b[?1002l\x1b[?1000l";
    assert!(String::from_utf8_lossy(&terminal.raw()).contains(off));
    terminal.wait_for("mouse off");
    terminal.send("jj");
    terminal.wait_for("just written");
    terminal.send("y");
    terminal.wait_for("the path went to the terminal's clipboard (OSC 52)");
    assert!(String::from_utf8_lossy(&terminal.raw()).contains("\x1b]52;c;"));
    terminal.send("\x1bOQ");
    terminal.wait_raw("the mouse taken again", mouse);
    terminal.wait_gone("mouse off");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

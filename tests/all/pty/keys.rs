//! Keys that people try first, and pasted text, which is none.

use std::fmt::Write as _;

use super::seen;
use super::store::{Place, memory};
use super::terminal::{ESC, Exit, Terminal};

/// An age that stays the same word while a test runs.
const DAYS: u64 = 100 * 86_400 + 43_200;

/// Memories, the first of them the newest.
fn numbered(count: u64) -> Place {
    let place = Place::new();
    let mut index = String::new();
    for number in 0..count {
        let name = format!("fact-{number:02}");
        let body = format!("The body of number {number:02}.");
        let file = format!("{name}.md");
        place.memory("shop", &file, memory(&name, "project", &body));
        place.set_age("shop", &file, DAYS + number);
        writeln!(index, "- [{name}]({file}) — hook {number:02}")
            .expect("a string takes every write");
    }
    place.memory("shop", "MEMORY.md", index);
    place
}

fn opened(place: &Place) -> Terminal {
    let terminal = place.open("shop").start();
    terminal.wait_ready("fact-");
    terminal
}

/// Rows that are drawn in reverse from side to side of the tree: the selection.
fn selected(screen: &vt100::Screen) -> Vec<u16> {
    let reverse = |row: u16| (2..12).all(|x| screen.cell(row, x).is_some_and(vt100::Cell::inverse));
    (0..screen.size().0).filter(|row| reverse(*row)).collect()
}

#[test]
fn j_and_k_and_the_ends_move_the_selection() {
    let place = numbered(60);
    let mut terminal = opened(&place);
    let first = terminal.screen(selected);
    assert_eq!(first.len(), 1, "one row is selected:\n{}", terminal.text());
    let before = terminal.text();
    terminal.send("j");
    terminal.wait_until("the next row", |screen| selected(screen) == [first[0] + 1]);
    terminal.send("k");
    terminal.wait_until("the row before", |screen| selected(screen) == first);
    terminal.send("\x1b[B");
    terminal.wait_until("the next row", |screen| selected(screen) == [first[0] + 1]);
    terminal.send("\x1b[A");
    terminal.wait_until("the row before", |screen| selected(screen) == first);
    for (to_last, to_first) in [("G", "gg"), ("\x1b[F", "\x1b[H")] {
        terminal.send(to_last);
        terminal.wait_until("the last row", |screen| {
            selected(screen).first().is_some_and(|row| *row > 30)
        });
        terminal.wait_for("The body of number 59.");
        let last = terminal.text();
        terminal.send("j"); // nothing is below
        terminal.send("k");
        terminal.wait_for("The body of number 58.");
        terminal.send("j");
        terminal.wait_same(&last);
        terminal.send(to_first);
        terminal.wait_until("the first row", |screen| selected(screen) == first);
        terminal.wait_same(&before);
    }
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn help_lists_the_keys_and_filters() {
    let place = numbered(3);
    let mut terminal = opened(&place);
    let before = terminal.text();
    terminal.send("?");
    terminal.wait_for("Half a page");
    terminal.send("ctrl-z");
    terminal.wait_gone("Half a page");
    terminal.wait_for("Back to the shell");
    terminal.send("\x1b");
    terminal.wait_same(&before);
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn the_palette_runs_an_action() {
    let place = numbered(3);
    let mut terminal = opened(&place);
    for open in [":", "\x10"] {
        let before = terminal.text();
        terminal.send(open);
        terminal.wait_until("the palette", |screen| seen::text(screen) != before);
        terminal.send("help");
        terminal.settle();
        terminal.send("\r");
        terminal.wait_for("Half a page");
        terminal.send("\x1b");
        terminal.wait_same(&before);
    }
    terminal.send(":");
    terminal.send("quit\r");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn tab_moves_the_focus_and_back() {
    let place = numbered(3);
    let mut terminal = opened(&place);
    // A cell that was never written looks like one that was cleared.
    let look = |screen: &vt100::Screen| {
        let cell = |row, column| {
            let cell = screen.cell(row, column).expect("it is on the screen");
            let text = cell.contents().trim().to_string();
            (
                text,
                cell.fgcolor(),
                cell.bold(),
                cell.dim(),
                cell.inverse(),
            )
        };
        let (rows, columns) = screen.size();
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        all.map(|(row, column)| cell(row, column))
            .collect::<Vec<_>>()
    };
    let before = terminal.screen(look);
    terminal.send("\t");
    terminal.wait_until("another focus", |screen| look(screen) != before);
    terminal.send("\x1b[Z");
    terminal.wait_until("the focus as it was", |screen| look(screen) == before);
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn tu17_pasted_text_runs_no_keys_in_a_list() {
    let place = numbered(10);
    let mut terminal = opened(&place);
    let before = terminal.text();
    terminal.send("j");
    terminal.wait_until("the next row", |screen| seen::text(screen) != before);
    terminal.settle();
    let next = terminal.text();
    terminal.send("k");
    terminal.wait_same(&before);
    terminal.send("\x1b[200~title\nq d y\nD jG\r?2\x03\x1b[201~");
    terminal.send("j");
    terminal.wait_same(&next); // only the key after the paste counts
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn tu17_pasted_text_stays_one_line_in_a_field() {
    let place = numbered(3);
    let mut terminal = opened(&place);
    terminal.send(":");
    terminal.settle();
    terminal.send("\x1b[200~zzq\nqzz\x1b[2J\x1b[201~");
    terminal.wait_until("the text in one line", |screen| {
        let text = screen.contents();
        text.lines()
            .any(|line| line.contains("zzq") && line.contains("qzz"))
    });
    terminal.send("\x1b");
    terminal.wait_gone("zzq");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn tu18_a_megabyte_at_once_settles_and_can_be_left() {
    let flood = "鳥 nest 12345 ".repeat(60_000);
    for field in [false, true] {
        let place = numbered(10);
        let mut terminal = opened(&place);
        if field {
            terminal.send(":");
            terminal.settle();
        }
        terminal.send(&flood);
        terminal.send(ESC);
        terminal.send("?");
        terminal.wait_for("╭ keys");
        terminal.wait_gone("鳥");
        terminal.send(ESC);
        terminal.send("q");
        assert_eq!(terminal.wait_exit(), Exit::Code(0));
        assert_eq!(terminal.left_behind(), Vec::<String>::new());
    }
}

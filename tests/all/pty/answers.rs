//! What comes in where keys are awaited and is none: answers of the terminal, and a paste that has no
//! end.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::store::{Place, memory, write};
use super::terminal::{Exit, Terminal};

fn place(config: &str) -> Place {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "project", "body"));
    write(&place.config().join("config.toml"), config);
    place
}

/// The memory is open and its text is edited; the terminal is asked at each focus.
fn editing(place: &Place) -> Terminal {
    let terminal = place
        .open("shop")
        .env("COLORTERM", "truecolor")
        .mute()
        .start();
    terminal.wait_ready("one");
    terminal.send("jj\r");
    terminal.wait_for("body");
    terminal.send("e");
    terminal.wait_for("as saved");
    terminal
}

fn saved(terminal: &Terminal, place: &Place, body: &str) {
    terminal.send("\x13");
    terminal.wait_for("saved: edit one");
    let text = fs::read_to_string(place.kept("shop").join("memory/one.md")).unwrap();
    assert!(text.trim_end().ends_with(body), "{text}");
}

fn quit(mut terminal: Terminal) {
    terminal.send("\x1b");
    terminal.wait_gone("as saved");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn an_answer_that_is_not_understood_is_no_keys() {
    let place = place("theme = \"auto\"\n");
    let terminal = editing(&place);
    for held in [
        "11;#ffffff",
        "11;",
        "",
        "11;rgb:zz/zz/zz",
        "11;rgbi:1.0/1.0/1.0",
        "11;white",
    ] {
        for end in ["\x07", "\x1b\\"] {
            terminal.send(format!("\x1b[I\x1b]{held}{end}"));
        }
    }
    terminal.send("\x1b[I");
    terminal.send("\x1b]11;qE\x07".repeat(200));
    terminal.send("X");
    terminal.wait_for("X");
    saved(&terminal, &place, "Xbody");
    quit(terminal);
}

#[test]
fn an_answer_in_pieces_or_without_an_end_is_no_keys() {
    let place = place("theme = \"auto\"\n");
    let terminal = editing(&place);
    terminal.send("\x1b[I");
    terminal.settle();
    for piece in ["\x1b]11;rgb:ff", "ff/ffff", "/ffff\x1b", "\\"] {
        terminal.send(piece);
        sleep(Duration::from_millis(150));
    }
    // The light theme's.
    terminal.wait_raw("light colours", |raw| {
        raw.windows(16).any(|part| part == b"48;2;251;250;247")
    });
    terminal.send("\x1b[I");
    terminal.settle();
    terminal.send("\x1b]11;rgb:");
    terminal.send("q".repeat(100_000));
    // Silence ends it.
    sleep(Duration::from_millis(1_100));
    terminal.send("X");
    terminal.wait_for("X");
    saved(&terminal, &place, "Xbody");
    quit(terminal);
}

#[test]
fn a_paste_without_an_end_is_told_of_and_ends_by_hand() {
    let place = place("");
    let terminal = editing(&place);
    terminal.send("\x1b[200~pasted ");
    terminal.wait_for("ctrl-c three times");
    terminal.send("more ");
    terminal.send("\x03\x03\x03");
    terminal.wait_for("pasted more body");
    saved(&terminal, &place, "pasted more body");
    quit(terminal);
}

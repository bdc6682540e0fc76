//! `NO_COLOR`, `--color`: colours go, the selection stays.

use super::bytes::{Token, sets_colour, tokens};
use super::store::Place;
use super::terminal::{ESC, Exit, Setup};

/// Walks through every view; returns whether a colour was set and whether anything was in reverse.
#[track_caller]
fn walk(setup: Setup) -> (bool, bool) {
    let mut terminal = setup.start();
    terminal.wait_ready("数据平台");
    let reversed = terminal.screen(|screen| {
        let (rows, columns) = screen.size();
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells
            .filter_map(|(row, column)| screen.cell(row, column))
            .any(vt100::Cell::inverse)
    });
    for keys in ["jjjj\r", "v", "2", "?", ESC, ":", ESC, "\t", "q"] {
        terminal.send(keys);
        if keys != "q" {
            terminal.settle();
        }
    }
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    let coloured = tokens(&terminal.raw())
        .0
        .iter()
        .any(|token| matches!(token, Token::Csi { params, end: 'm', .. } if sets_colour(params)));
    (coloured, reversed)
}

#[test]
fn no_color_means_none_and_the_selection_stays() {
    let place = Place::new();
    assert_eq!(walk(place.demo().env("NO_COLOR", "1")), (false, true));
    assert_eq!(walk(place.demo().args(["--color", "never"])), (false, true));
}

#[test]
fn an_empty_no_color_means_nothing() {
    let place = Place::new();
    assert_eq!(walk(place.demo()), (true, true));
    assert_eq!(walk(place.demo().env("NO_COLOR", "")), (true, true));
    let always = place.demo().args(["--color", "always"]);
    assert_eq!(walk(always.env("NO_COLOR", "1")), (true, true));
}

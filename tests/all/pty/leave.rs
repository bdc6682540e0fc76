//! Leaving: by key, by signal, with the window, by panic. The terminal is as it was before.

use std::fs;
use std::path::Path;

use rustix::process::Signal;

use super::store::Place;
use super::terminal::{Exit, Terminal};

fn started(place: &Place) -> Terminal {
    let terminal = place.demo().start();
    terminal.wait_for("shop-web");
    terminal
}

#[track_caller]
fn tidy(place: &Place, terminal: &Terminal) {
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
    let left: Vec<_> = fs::read_dir(place.tmp()).expect("it is there").collect();
    assert!(left.is_empty(), "the demo's store is gone: {left:?}");
}

#[test]
fn q_leaves_from_the_base() {
    let place = Place::new();
    let mut terminal = started(&place);
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    tidy(&place, &terminal);
}

#[test]
fn ctrl_c_quits_when_pressed_again() {
    let place = Place::new();
    let mut terminal = started(&place);
    terminal.send("\x03");
    terminal.wait_for("again");
    terminal.send("\x03");
    assert!(matches!(terminal.wait_exit(), Exit::Code(0 | 130)));
    tidy(&place, &terminal);
}

#[track_caller]
fn dies_tidily_by(signal: Signal) {
    let place = Place::new();
    let mut terminal = started(&place);
    terminal.signal(signal);
    assert_eq!(terminal.wait_exit(), Exit::Signal(signal.as_raw()));
    tidy(&place, &terminal);
}

#[test]
fn tu16_term_is_died_by_tidily() {
    dies_tidily_by(Signal::TERM);
}

#[test]
fn tu16_hup_is_died_by_tidily() {
    dies_tidily_by(Signal::HUP);
}

#[test]
fn tu16_int_is_died_by_tidily() {
    dies_tidily_by(Signal::INT);
}

#[test]
fn tu16_quit_is_died_by_tidily() {
    dies_tidily_by(Signal::QUIT);
}

#[test]
fn a_signal_before_the_first_frame_leaves_nothing_either() {
    let place = Place::new();
    for wait in 0..12 {
        let mut terminal = place.demo().start();
        std::thread::sleep(std::time::Duration::from_millis(wait));
        terminal.signal(Signal::TERM);
        assert_eq!(terminal.wait_exit(), Exit::Signal(15));
        tidy(&place, &terminal);
    }
}

#[test]
fn tu16_a_window_that_is_closed_ends_it() {
    let place = Place::new();
    let mut terminal = started(&place);
    assert_eq!(terminal.hang_up(), Exit::Signal(Signal::HUP.as_raw()));
    let left: Vec<_> = fs::read_dir(place.tmp()).expect("it is there").collect();
    assert!(left.is_empty(), "the demo's store is gone: {left:?}");
}

/// Runs into the fault that `kind` asks for; returns what stands on the main screen at the end.
#[track_caller]
fn fault(kind: &str) -> (Exit, String) {
    let place = Place::new();
    let setup = place.demo().env("LOCI_TEST_PANIC", kind).size(200, 40);
    let mut terminal = setup.start();
    let exit = terminal.wait_exit();
    tidy(&place, &terminal);
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    let text = terminal.text();
    if let Some((_, after)) = raw.rsplit_once("\x1b[?1049l") {
        let first = text.lines().find(|line| !line.is_empty());
        let first = first.expect("something is said");
        assert!(after.contains(first), "said after the restoring: {raw:?}");
    }
    let report = text
        .split_whitespace()
        .find(|word| word.contains("/reports/"));
    if let Some(report) = report {
        let report = report.trim_end_matches(['.', ',', ')', ':']);
        let said = fs::read_to_string(Path::new(report)).expect("the report can be read");
        assert!(said.contains("panic"), "{said}");
    }
    (exit, text)
}

#[test]
fn tu15_a_panic_restores_the_terminal_first() {
    for kind in ["ui", "worker"] {
        let (exit, text) = fault(kind);
        assert_eq!(exit, Exit::Code(101), "{kind}: {text}");
        assert!(text.contains("/reports/"), "{kind}: {text}");
        assert!(
            text.lines().filter(|line| !line.is_empty()).count() < 5,
            "{text}"
        );
    }
}

#[test]
fn an_error_at_the_start_restores_the_terminal_first() {
    let (exit, text) = fault("startup-error");
    assert!(
        matches!(exit, Exit::Code(code) if code > 0),
        "{exit:?}: {text}"
    );
    assert!(!text.trim().is_empty(), "something is said");
}

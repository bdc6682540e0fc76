//! The harness proved on programs whose behaviour is known: a shell and its tools.

use rustix::process::Signal;
use tempfile::TempDir;

use super::terminal::{Exit, Setup, Terminal};

fn shell(script: &str) -> (TempDir, Terminal) {
    let home = TempDir::new().expect("a temporary folder");
    let terminal = Setup::new("/bin/sh", home.path())
        .args(["-c", script])
        .start();
    (home, terminal)
}

#[test]
fn a_program_is_seen_and_its_code_told() {
    let (_home, mut terminal) = shell("printf 'hello \\033[7mthere\\033[0m'; read x; exit 7");
    terminal.wait_for("hello there");
    let at = terminal.find("there").expect("it is on the screen");
    assert_eq!(at, (0, 6));
    assert!(terminal.screen(|screen| screen.cell(at.0, at.1).is_some_and(vt100::Cell::inverse)));
    terminal.send("\n");
    assert_eq!(terminal.wait_exit(), Exit::Code(7));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn what_is_left_behind_is_found() {
    let (_home, mut terminal) =
        shell("stty raw -echo; printf '\\033[?1049h\\033[?1006h\\033[?25l\\033[1m'");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    let want = [
        "cursor off",
        "mouse (1006) on",
        "alternate screen on",
        "text attributes on",
        "terminal settings changed",
    ];
    assert_eq!(terminal.left_behind(), want);
}

#[test]
fn a_death_by_signal_is_told_from_a_code() {
    let (_home, mut terminal) = shell("echo ready; exec cat");
    terminal.wait_for("ready");
    terminal.signal(Signal::TERM);
    assert_eq!(terminal.wait_exit(), Exit::Signal(15));
}

#[test]
fn the_size_reaches_the_program() {
    let (_home, mut terminal) =
        shell("trap 'stty size' WINCH; echo ready; while :; do read x && exit 0; done");
    terminal.wait_for("ready");
    terminal.resize(33, 11);
    terminal.wait_for("11 33");
    terminal.send("\n");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn a_closed_terminal_hangs_the_program_up() {
    let (_home, mut terminal) =
        shell("trap 'echo resized' WINCH; echo ready; while :; do sleep 0.01; done");
    terminal.wait_for("ready");
    assert_eq!(terminal.hang_up(), Exit::Signal(1));
}

#[test]
fn a_job_is_stopped_and_brought_back() {
    let (_home, mut terminal) = shell(
        "set -m; sh -c 'echo here; read x; echo again; read x'; echo \"stopped $?\"; read x; \
         fg >/dev/null; echo \"ended $?\"",
    );
    terminal.wait_for("here");
    terminal.send("\x1a");
    terminal.wait_for("stopped 148");
    terminal.send("\n");
    terminal.send("\n");
    terminal.wait_for("again");
    terminal.send("\n");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn questions_are_answered_unless_the_terminal_is_mute() {
    let ask = |wait: &str| {
        format!("stty raw -echo min 0 time {wait}; printf '\\033[6n'; head -c 6 | od -An -c")
    };
    let (_home, mut terminal) = shell(&ask("200"));
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    let answer = "033   [   1   ;   1   R";
    assert!(terminal.text().contains(answer), "{}", terminal.text());

    let home = TempDir::new().expect("a temporary folder");
    let setup = Setup::new("/bin/sh", home.path()).args(["-c", &ask("1")]);
    let mut terminal = setup.mute().start();
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.text().trim(), "");
}

#[test]
fn silence_ends_the_wait_for_more() {
    let (_home, mut terminal) = shell("echo one; sleep 0.05; echo two; read x");
    terminal.wait_output();
    terminal.settle();
    assert_eq!(terminal.text(), "one\ntwo");
    terminal.send("\n");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

//! ctrl-z and `fg`, and a shell that has the terminal in between.

use rustix::process::Signal;

use super::store::Place;
use super::terminal::{ESC, Exit};

#[test]
fn suspending_is_tidy_and_the_screen_comes_back() {
    let place = Place::new();
    let script = "set -m; \"$LOCI\" --demo; echo \"once $?\"; read x; fg >/dev/null; \
                  echo \"twice $?\"; read x; fg >/dev/null; echo \"ended $?\"";
    let mut terminal = place.shell(script).start();
    terminal.wait_ready("数据平台");
    // 128 and the signal: STOP (19) or TSTP (20).
    for stopped in ["once 14", "twice 14"] {
        terminal.send("jj");
        terminal.send("?");
        terminal.wait_for("Unfold the row");
        terminal.send(ESC);
        terminal.wait_gone("Unfold the row");
        terminal.settle();
        let before = terminal.text();
        terminal.send("\x1a");
        terminal.wait_for(stopped);
        assert_eq!(terminal.left_behind(), Vec::<String>::new());
        terminal.send("\n");
        terminal.wait_same(&before);
    }
    terminal.send("q");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn what_it_was_started_by_is_stopped_with_it() {
    // As under `cargo run`: a parent in the same job that knows nothing of stopping.
    let place = Place::new();
    let script = "set -m; sh -c '\"$LOCI\" --demo; exit 5'; echo \"stopped $?\"; read x; \
                  fg >/dev/null; echo \"ended $?\"";
    let mut terminal = place.shell(script).start();
    terminal.wait_ready("数据平台");
    let before = terminal.text();
    terminal.send("\x1a");
    terminal.wait_for("stopped 14");
    terminal.send("\n");
    terminal.wait_same(&before);
    terminal.send("q");
    terminal.wait_for("ended 5");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn stopped_from_outside_it_comes_back_too() {
    let place = Place::new();
    let mut terminal = place.demo().start();
    terminal.wait_ready("数据平台");
    let before = terminal.text();
    terminal.signal(Signal::STOP);
    terminal.signal(Signal::CONT);
    terminal.wait_same(&before);
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

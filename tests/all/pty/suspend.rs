//! ctrl-z and `fg`, and a shell that has the terminal in between.

use super::store::Place;
use super::terminal::Exit;

#[test]
fn suspending_is_tidy_and_the_screen_comes_back() {
    let place = Place::new();
    let script = "set -m; \"$LOCI\" --demo; echo \"stopped $?\"; read x; fg >/dev/null; \
                  echo \"stopped $?\"; read x; fg >/dev/null; echo \"ended $?\"";
    let mut terminal = place.shell(script).start();
    terminal.wait_for("数据平台");
    for _ in 0..2 {
        terminal.send("jj");
        terminal.send("?");
        terminal.wait_for("suspend");
        terminal.send("\x1b");
        terminal.wait_gone("suspend");
        let before = terminal.text();
        terminal.send("\x1a");
        terminal.wait_for("stopped 148");
        assert_eq!(terminal.left_behind(), Vec::<String>::new());
        terminal.send("\n");
        terminal.wait_until("the screen as it was", |screen| screen.contents() == before);
    }
    terminal.send("q");
    terminal.wait_for("ended 0");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

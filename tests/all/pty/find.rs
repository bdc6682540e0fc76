//! The finder on a real terminal: hits of all projects, a look at them, the way to one.

use super::store::{Place, memory};
use super::terminal::Exit;

#[test]
fn words_find_a_memory_of_another_project_and_enter_opens_it() {
    let place = Place::new();
    place.memory("shop", "plain.md", memory("plain", "user", "Nothing here."));
    let filler = "Filler.\n\n".repeat(60);
    let body = format!("{filler}The Quokka sleeps by day.\n\n{filler}And a quokka eats leaves.");
    place.memory("zoo", "animals.md", memory("animals", "project", &body));
    let mut terminal = place.open("shop").start();
    terminal.wait_ready("plain");
    let before = terminal.text();
    terminal.send("/");
    terminal.wait_for("type to find in all projects");
    terminal.send("quok");
    terminal.wait_for("animals");
    terminal.wait_for("The Quokka sleeps by day.");
    // The preview numbers the lines.
    terminal.wait_until("the preview", |screen| {
        let text = screen.contents();
        text.lines().any(|line| line.contains("129 The Quokka"))
    });
    terminal.send("\x1b");
    terminal.wait_same(&before);
    terminal.send("/");
    terminal.send("QUOKKA\r");
    terminal.wait_gone("find ·");
    terminal.wait_for("The Quokka sleeps by day.");
    terminal.send("n");
    terminal.wait_for("And a quokka eats leaves.");
    terminal.send("N");
    terminal.wait_for("The Quokka sleeps by day.");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

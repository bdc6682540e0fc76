//! The preview on a real terminal: it follows the files and its switches, and a request is exported to a
//! new file only.

use std::fs;

use super::edit::until;
use super::store::{Place, memory, write};
use super::terminal::Exit;

#[test]
fn the_preview_follows_files_and_switches_and_its_request_is_exported_once() {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    place.memory("shop", "MEMORY.md", "- [One](one.md) - first\n");
    let cwd = place.work("shop");
    write(&cwd.join("CLAUDE.md"), "Be brief.\n");
    let mut terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("p");
    terminal.wait_for("observed 2.1.332");
    terminal.wait_for("rule CLAUDE.md");
    terminal.wait_for("index MEMORY.md");
    // Another program writes a memory that no line points at.
    place.memory("shop", "two.md", memory("two", "user", "Text of two."));
    terminal.wait_for("no line points at two.md");
    terminal.send("o");
    terminal.wait_for("our own chat");
    terminal.send("iwhy?\r");
    terminal.wait_for("prompt");
    terminal.send("x\r");
    let file = cwd.join("request.json");
    until("it is exported", || file.is_file());
    terminal.wait_for("bytes went to");
    let body = fs::read_to_string(&file).unwrap();
    let request: serde_json::Value = serde_json::from_str(&body).unwrap();
    assert!(request["messages"].to_string().contains("why?"));
    terminal.send("x\r");
    terminal.wait_for("is there already");
    assert_eq!(fs::read_to_string(&file).unwrap(), body);
    // As a shell would take it.
    terminal.send("x\x15~/mine.json\r");
    let mine = place.home().join("mine.json");
    until("it is exported", || mine.is_file());
    terminal.wait_for("mine.json");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

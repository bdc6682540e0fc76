//! Sessions on a real terminal: listed, read, searched, exported and rescued.

use std::fs;

use super::edit::until;
use super::projects::quit;
use super::store::{Place, memory, write};
use super::terminal::ESC;

const ID: &str = "11111111-1111-4111-8111-111111111111";

fn line(kind: &str, uuid: &str, parent: Option<&str>, cwd: &str, content: &str) -> String {
    let parent = parent.map_or("null".to_string(), |parent| format!("\"{parent}\""));
    format!(
        "{{\"type\":\"{kind}\",\"uuid\":\"{uuid}\",\"parentUuid\":{parent},\"cwd\":\"{cwd}\",\"version\":\"2.1.332\",\
         \"timestamp\":\"2031-01-01T00:00:00Z\",\"message\":{{\"id\":\"m-{uuid}\",\"role\":\"{kind}\",\"content\":{content}}}}}\n"
    )
}

/// A project with a memory and a session that read it; of many turns, so that it is longer than a page.
fn place() -> (Place, std::path::PathBuf) {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    let cwd = place.work("shop").display().to_string();
    let read = place.kept("shop").join("memory/one.md");
    let read = read.display();
    let mut text = line("user", "u0", None, &cwd, "\"Where is the needle?\"");
    let tool = format!(
        "[{{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"Read\",\"input\":{{\"file_path\":\"{read}\"}}}}]"
    );
    text += &line("assistant", "a0", Some("u0"), &cwd, &tool);
    let result =
        "[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"what the file says\"}]";
    text += &line("user", "r0", Some("a0"), &cwd, result);
    let mut last = "r0".to_string();
    for turn in 1..=300 {
        let (asked, said) = (format!("u{turn}"), format!("a{turn}"));
        text += &line(
            "user",
            &asked,
            Some(&last),
            &cwd,
            &format!("\"turn {turn} asks\""),
        );
        let filler = "words and words ".repeat(80);
        let answer = format!("[{{\"type\":\"text\",\"text\":\"answer {turn} {filler}\"}}]");
        text += &line("assistant", &said, Some(&asked), &cwd, &answer);
        last = said;
    }
    let file = place.kept("shop").join(format!("{ID}.jsonl"));
    write(&file, text);
    (place, file)
}

#[test]
fn a_session_is_read_from_its_end_to_its_beginning_searched_and_left() {
    let (place, _) = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("6");
    terminal.wait_for("Where is the needle?");
    terminal.send("\r");
    terminal.wait_for("answer 300");
    // A jump to the beginning reads the first page, and one to the end the last.
    terminal.send("gg");
    terminal.wait_for("Read ");
    terminal.send("G");
    terminal.wait_for("answer 300");
    // What is not held is looked for in the file.
    terminal.send("/turn 150 asks\r");
    terminal.wait_for("answer 150");
    // Pages come as the cursor goes there.
    terminal.send("k".repeat(200));
    terminal.wait_for("answer 1");
    terminal.send(ESC);
    terminal.wait_for("by last used");
    terminal.send("/needle\r");
    terminal.wait_for("1 hit");
    terminal.send("\r");
    terminal.wait_for("Read ");
    // Unfolded, it shows what was read.
    terminal.send("jz");
    terminal.wait_for("what the file says");
    terminal.send("w");
    terminal.wait_for("read 1×");
    quit(terminal);
}

#[test]
fn from_the_memory_to_the_turn_that_read_it_and_back() {
    let (place, _) = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("/one");
    terminal.wait_for("Text of one.");
    terminal.send("\r");
    // The line of keys is the memory's.
    terminal.wait_for("next hit");
    terminal.send("o");
    terminal.wait_for("turns that read or wrote one.md");
    terminal.send("\r");
    terminal.wait_for("Where is the needle?");
    terminal.send("\x7f");
    terminal.wait_for("Text of one.");
    quit(terminal);
}

#[test]
fn a_session_is_exported_rescued_and_the_rescue_taken_back() {
    let (place, file) = place();
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("6");
    terminal.wait_for("Where is the needle?");
    terminal.send("x\x15out.md\r");
    let out = place.work("shop").join("out.md");
    until("it is exported", || out.is_file());
    terminal.wait_for("bytes went to");
    let text = fs::read_to_string(&out).unwrap();
    assert!(text.contains("answer 300"), "{}", text.len());
    terminal.send("x\x15out.md\r");
    terminal.wait_for("is there already");
    terminal.send(ESC);
    terminal.send("R");
    terminal.wait_for("the original stays");
    terminal.wait_for("kept");
    assert!(file.is_file());
    terminal.send("u");
    terminal.wait_for("taken back");
    terminal.wait_gone(" · kept");
    // What only we have is brought back.
    terminal.send("R");
    terminal.wait_for(" · kept");
    fs::remove_file(&file).unwrap();
    terminal.send("6");
    terminal.wait_for("kept │");
    terminal.send("R");
    until("it is back", || file.is_file());
    quit(terminal);
}

#[test]
fn health_tells_what_only_sessions_tell_after_the_rest() {
    let (place, _) = place();
    let made = memory("two", "user", "Text of two.");
    let made = made.replace(
        "  type:",
        "  originSessionId: 22222222-2222-4222-8222-222222222222\n  type:",
    );
    assert!(made.contains("originSessionId"), "{made}");
    place.memory("shop", "two.md", made);
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("3");
    terminal.wait_for("origin-swept");
    // All projects too.
    terminal.send("A");
    terminal.wait_for("all projects");
    terminal.wait_for("origin-swept");
    quit(terminal);
}

#[test]
fn sessions_that_come_grow_and_go_are_seen_by_themselves() {
    let (place, file) = place();
    let cwd = place.work("shop").display().to_string();
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("6");
    terminal.wait_for("1 session ");
    let id = ID.replace('1', "2");
    let other = place.kept("shop").join(format!("{id}.jsonl"));
    write(
        &other,
        line("user", "v0", None, &cwd, "\"The second session\""),
    );
    terminal.wait_for("The second session");
    terminal.wait_for("2 sessions");
    fs::remove_file(&other).unwrap();
    terminal.wait_gone("The second session");
    // What is appended to the one that is open stands below what was its end.
    terminal.send("\r");
    terminal.wait_for("answer 300");
    let more = line("user", "u301", Some("a300"), &cwd, "\"one more question\"");
    let text = fs::read_to_string(&file).unwrap() + &more;
    write(&file, text);
    terminal.wait_gone("100%");
    terminal.send("G");
    terminal.wait_for("one more question");
    quit(terminal);
}

//! What sessions cost, on a real terminal: read when it is shown, narrowed, and to the session.

use std::fs::{self, OpenOptions};
use std::io::Write;

use super::projects::quit;
use super::store::{Place, memory, write};
use super::terminal::ESC;

const ID: &str = "11111111-1111-4111-8111-111111111111";

fn bill(cwd: &str, number: u32, model: &str) -> String {
    format!(
        "{{\"type\":\"assistant\",\"uuid\":\"a{number}\",\"sessionId\":\"{ID}\",\"cwd\":\"{cwd}\",\"version\":\"2.1.332\",\
         \"timestamp\":\"2026-01-02T00:00:0{number}Z\",\"message\":{{\"id\":\"m{number}\",\"role\":\"assistant\",\"model\":\"{model}\",\
         \"content\":[{{\"type\":\"text\",\"text\":\"answer {number}\"}}],\
         \"usage\":{{\"input_tokens\":1000000,\"output_tokens\":100000}}}}}}\n"
    )
}

#[test]
fn usage_is_read_when_it_is_shown_narrowed_and_leads_to_the_session() {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    write(
        &place.config().join("config.toml"),
        "[prices.dear]\ninput = 1\noutput = 5\n",
    );
    let cwd = place.work("shop").display().to_string();
    let file = place.kept("shop").join(format!("{ID}.jsonl"));
    write(&file, bill(&cwd, 1, "dear-1") + &bill(&cwd, 2, "dear-1"));
    let terminal = place.open("shop").start();
    terminal.wait_ready("one");
    terminal.send("7");
    terminal.wait_for("$3.00 · 2.20M tokens · 2 answers");
    terminal.wait_for("2026-01-02");
    // By project, and of the project its sessions; of the session what was said.
    terminal.send("t\r");
    terminal.wait_for("session · by cost");
    terminal.wait_for("only ");
    terminal.send("\r");
    terminal.wait_for("answer 2");
    terminal.send("7");
    // What is written meanwhile comes by itself; a model without a price has no cost.
    let mut open = OpenOptions::new().append(true).open(&file).unwrap();
    open.write_all(bill(&cwd, 3, "other").as_bytes()).unwrap();
    terminal.wait_for("≥ $3.00 · 3.30M tokens · 3 answers");
    terminal.wait_for("no price for other: [prices]");
    terminal.send(ESC);
    terminal.wait_for("project · by cost");
    terminal.send("tt");
    terminal.wait_for("dear-1");
    terminal.wait_for("other");
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), 3);
    quit(terminal);
}

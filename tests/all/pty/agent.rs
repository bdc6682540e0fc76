//! The agent at the side, on a real terminal, with a model's server on the loopback.

use std::fs;

use serde_json::json;

use super::edit::until;
use super::projects::quit;
use super::store::{Place, memory, write};
use super::terminal::{ESC, Terminal};
use crate::model_server::{ModelServer, Reply};

fn set_up(server: &ModelServer) -> Place {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    place.memory("shop", "MEMORY.md", "- [one](one.md) — First\n");
    let url = server.url();
    write(
        &place.config().join("config.toml"),
        format!(
            "[model]\nbase_url = \"{url}\"\nmain = \"demo-1\"\nwindow = 200000\nkey_command = \"echo key\"\n"
        ),
    );
    place
}

/// Waits until the agent is at rest: until then esc stops it.
fn rests(terminal: &Terminal) {
    let busy = ["asking …", "thinking …", "answering …"];
    until("the agent is at rest", || {
        let text = terminal.text();
        !busy.iter().any(|busy| text.contains(busy))
    });
}

#[test]
fn it_is_asked_proposes_and_a_person_decides() {
    let server = ModelServer::start();
    let place = set_up(&server);
    let folder = place.kept("shop").join("memory");
    let path = folder.join("two.md");
    let text =
        "---\nname: two\ndescription: Second\nmetadata:\n  type: project\n---\n\nIt is not.\n";
    let write = || {
        Reply::calls(&[(
            "a",
            "Write",
            json!({"file_path": path.display().to_string(), "content": text}),
        )])
    };
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a");
    terminal.wait_for("Ask about this project");
    server.reply(write());
    server.reply(Reply::text("I proposed it."));
    terminal.send("Remember it.\r");
    terminal.wait_for("I proposed it.");
    terminal.wait_for("/ 200,000 tokens");
    // The card shows both files; nothing is written yet.
    terminal.wait_for("for review");
    assert!(!path.exists());
    rests(&terminal);
    terminal.send(ESC);
    terminal.send("x");
    terminal.wait_for("rejected");
    assert!(!path.exists());
    // Asked again, it is told of the decision; this time it is taken.
    server.reply(write());
    server.reply(Reply::text("Proposed once more."));
    terminal.send("aAgain.\r");
    terminal.wait_for("Proposed once more.");
    let bodies: Vec<String> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert!(
        bodies[2].contains("The person rejected what you proposed: new two."),
        "{}",
        bodies[2]
    );
    rests(&terminal);
    terminal.send(ESC);
    terminal.send("y");
    terminal.wait_for("written");
    until("the memory is written", || path.exists());
    assert_eq!(
        fs::read_to_string(folder.join("MEMORY.md")).unwrap(),
        "- [one](one.md) — First\n- [two](two.md) — Second\n"
    );
    assert_eq!(server.refusals(), Vec::<String>::new());
    quit(terminal);
}

#[test]
fn an_answer_is_stopped_and_the_conversation_taken_up_again_after_a_kill() {
    let server = ModelServer::start();
    let place = set_up(&server);
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    server.reply(Reply::text(&"word ".repeat(400)).silent_after(2_500));
    terminal.send("aTell.\r");
    terminal.wait_for("word word");
    terminal.send(ESC);
    terminal.wait_for("interrupted");
    server.wait_for_leavers(1);
    server.reply(Reply::text(&"later ".repeat(400)).silent_after(2_500));
    terminal.send("More.\r");
    terminal.wait_for("later later");
    drop(terminal);
    // Another process: what was asked is there, and goes on.
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a/resume\r");
    terminal.wait_for("taken up again");
    terminal.wait_for("More.");
    server.reply(Reply::text("Here I am."));
    terminal.send("Well?\r");
    terminal.wait_for("Here I am.");
    rests(&terminal);
    assert_eq!(server.refusals(), Vec::<String>::new());
    terminal.send(ESC);
    quit(terminal);
}

/// Waits until this stands in the agent's pane, over the ends of its rows.
fn told(terminal: &Terminal, text: &str) {
    until(text, || {
        let screen = terminal.text();
        let rows = screen.lines().map(|row| {
            let row = row.trim_end_matches('│');
            row.rsplit("││").next().unwrap_or(row)
        });
        let words: Vec<&str> = rows
            .flat_map(|row| row.trim_start_matches('▌').split_whitespace())
            .collect();
        words.join(" ").contains(text)
    });
}

/// A project whose agent has nobody to ask.
fn without_a_model() -> Place {
    let place = Place::new();
    place.memory(
        "shop",
        "freeze.md",
        memory("freeze", "project", "Nothing is released in December."),
    );
    place.memory(
        "shop",
        "MEMORY.md",
        "- [freeze](freeze.md) — Release freeze\n",
    );
    place
}

#[test]
fn without_a_model_it_says_what_to_set_and_finds_by_words() {
    let place = without_a_model();
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("freeze");
    terminal.send("aWhy released december\r");
    told(&terminal, "no model is set up");
    told(&terminal, "Looked for by words");
    terminal.wait_for("↺ freeze");
    terminal.send("/nothing\r");
    terminal.wait_for("there is no command /nothing");
    // A row of an answer opens its memory.
    terminal.send(ESC);
    terminal.send("\r");
    terminal.wait_for("Nothing is released in December.");
    quit(terminal);
}

#[test]
fn without_a_model_it_remembers_forgets_and_recalls_by_form() {
    let place = without_a_model();
    for (name, body) in [
        ("tabs", "Never spaces."),
        ("tea", "Not coffee."),
        ("logs", "By day."),
    ] {
        place.memory("shop", &format!("{name}.md"), memory(name, "user", body));
    }
    let folder = place.kept("shop").join("memory");
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("freeze");
    terminal.send("a/recall release freeze december\r");
    told(
        &terminal,
        "recall gives 1 of 4 memories, chosen by words: no model is set up",
    );
    terminal.wait_for("↺ freeze");
    terminal.wait_for("it has ");
    terminal.send("/remember feedback: Snapshots\r");
    terminal.wait_for("for review · new snapshots");
    let made = folder.join("snapshots.md");
    assert!(!made.exists());
    terminal.send(ESC);
    terminal.send("y");
    terminal.wait_for("written · new snapshots");
    until("the memory is written", || made.exists());
    assert!(
        fs::read_to_string(&made)
            .unwrap()
            .contains("type: feedback")
    );
    terminal.send("a/forget freeze\r");
    terminal.wait_for("for review · forget freeze");
    assert!(folder.join("freeze.md").exists());
    terminal.send(ESC);
    terminal.send("y");
    terminal.wait_for("written · forget freeze");
    until("the memory is gone", || !folder.join("freeze.md").exists());
    assert_eq!(
        fs::read_to_string(folder.join("MEMORY.md")).unwrap(),
        "- [snapshots](snapshots.md) — Snapshots\n"
    );
    quit(terminal);
}

#[test]
fn commands_and_files_are_offered_while_they_are_typed() {
    let place = without_a_model();
    let project = place.work("shop");
    fs::create_dir_all(project.join("src")).unwrap();
    fs::write(project.join("src/basket.rs"), "").unwrap();
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("freeze");
    terminal.send("a/re");
    terminal.wait_for("/remember TEXT");
    terminal.send(ESC);
    terminal.wait_gone("/remember TEXT");
    terminal.send("\x03see @bask");
    terminal.wait_for("src/basket.rs");
    terminal.send("\t");
    terminal.wait_for("> see src/basket.rs");
    terminal.send("\x03/for");
    terminal.wait_for("/forget TEXT");
    terminal.send("\t");
    terminal.send("fre");
    terminal.wait_for("> /forget fre");
    terminal.settle();
    terminal.send("\t");
    terminal.wait_for("> /forget freeze");
    terminal.send("\r");
    terminal.wait_for("for review · forget freeze");
    terminal.send(ESC);
    quit(terminal);
}

#[test]
fn a_conversation_tells_its_cost_and_goes_on_with_another_model() {
    let server = ModelServer::start();
    server.list(json!({"data": [{"id": "demo-1"}, {"id": "demo-2"}], "has_more": false}));
    let place = set_up(&server);
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a/cost\r");
    told(&terminal, "nothing was asked yet");
    server.reply(Reply::text("It is."));
    terminal.send("Is it?\r");
    terminal.wait_for("It is.");
    rests(&terminal);
    terminal.send("/cost\r");
    told(&terminal, "1 request ·");
    told(&terminal, "has no row for");
    terminal.send("/model no-such\r");
    told(&terminal, "lists no model no-such");
    terminal.send("/model demo-2\r");
    told(&terminal, "demo-2 is asked from now on");
    // Another model has another cache.
    server.new_session();
    server.reply(Reply::text("As I said."));
    terminal.send("Again?\r");
    terminal.wait_for("As I said.");
    rests(&terminal);
    let bodies: Vec<String> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert!(bodies.last().unwrap().contains("\"demo-2\""));
    // The model stays with the conversation when it is taken up again.
    terminal.send("/clear\r");
    terminal.wait_for("the next question begins a new");
    terminal.send("/resume\r");
    terminal.wait_for("taken up again");
    terminal.wait_for("· demo-2");
    terminal.send("/context\r");
    terminal.wait_for("ours");
    quit(terminal);
}

#[test]
fn recall_is_shown_as_the_model_chose_it_and_remember_is_a_turn() {
    let server = ModelServer::start();
    let place = set_up(&server);
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    server.reply(Reply::text("{\"selected_memories\": [\"one.md\"]}"));
    terminal.send("a/recall what is one\r");
    told(&terminal, "chosen by model");
    terminal.wait_for("↺ one");
    server.new_session();
    server.reply(Reply::text("What surprised you?"));
    terminal.send("/remember Cats are liquid\r");
    terminal.wait_for("What surprised you?");
    let bodies: Vec<String> = server.seen().into_iter().map(|seen| seen.body).collect();
    assert!(
        bodies
            .last()
            .unwrap()
            .contains("Remember this, as a memory: Cats are liquid")
    );
    rests(&terminal);
    assert_eq!(server.refusals(), Vec::<String>::new());
    terminal.send(ESC);
    quit(terminal);
}

#[test]
fn a_card_is_changed_before_it_is_written_and_the_agent_is_told_what_differs() {
    let server = ModelServer::start();
    let place = set_up(&server);
    let path = place.kept("shop").join("memory").join("two.md");
    let text =
        "---\nname: two\ndescription: Second\nmetadata:\n  type: project\n---\n\nIt is so.\n";
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a");
    terminal.wait_for("Ask about this project");
    let input = json!({"file_path": path.display().to_string(), "content": text});
    server.reply(Reply::calls(&[("a", "Write", input)]));
    server.reply(Reply::text("# Done\n\nI proposed **it**.\n"));
    terminal.send("Remember it.\r");
    terminal.wait_for("I proposed it.");
    rests(&terminal);
    terminal.send(ESC);
    terminal.send("e");
    terminal.wait_for("saving it writes all of the card");
    terminal.send("\r");
    terminal.wait_for("as the agent proposes it");
    terminal.send("No: ");
    terminal.wait_for("changed by you");
    assert!(!path.exists());
    terminal.send("\x13");
    terminal.wait_for("written with your changes");
    until("the memory is written", || path.exists());
    let written = fs::read_to_string(&path).unwrap();
    assert!(written.ends_with("---\n\nNo: It is so.\n"), "{written}");
    server.reply(Reply::text("I see."));
    terminal.send("aWell?\r");
    terminal.wait_for("I see.");
    let body = server.seen().pop().unwrap().body;
    assert!(body.contains("+No: It is so."), "{body}");
    rests(&terminal);
    terminal.send(ESC);
    quit(terminal);
}

#[test]
fn a_question_that_was_typed_is_there_after_a_kill() {
    let server = ModelServer::start();
    let place = set_up(&server);
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a");
    terminal.wait_for("Ask about this project");
    terminal.send("\x1b[200~One line,\nand another\x1b[201~");
    terminal.wait_for("and another");
    let drafts = || {
        let homes = place.root_of("state").join("homes");
        let homes = fs::read_dir(homes).into_iter().flatten().flatten();
        let drafts = homes.flat_map(|home| fs::read_dir(home.path().join("drafts")));
        let files = drafts.flatten().flatten().map(|file| file.path());
        files
            .filter(|file| file.extension().is_some_and(|end| end == "json"))
            .count()
    };
    until("the draft is kept", || drafts() == 1);
    drop(terminal);
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a");
    terminal.wait_for("and another");
    server.reply(Reply::text("Both."));
    terminal.send("\r");
    terminal.wait_for("Both.");
    until("the draft is gone", || drafts() == 0);
    rests(&terminal);
    terminal.send(ESC);
    quit(terminal);
}

#[test]
fn recall_that_stopped_is_told_and_reset() {
    let server = ModelServer::start();
    let place = set_up(&server);
    let config = place.config().join("config.toml");
    let text = fs::read_to_string(&config).unwrap();
    // The answer about the memories is waited for, so that it is asked first.
    let recall = "recall = \"prefetch\"\nrecall_ranker_first = false\nrecall_wait_ms = 10000\n";
    fs::write(&config, format!("{recall}{text}")).unwrap();
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("a");
    terminal.wait_for("Ask about this project");
    for turn in 1..=3 {
        server.reply(Reply::status(
            400,
            "invalid_request_error",
            "no recall today",
        ));
        server.reply(Reply::text(&format!("Answer {turn}.")));
        terminal.send(format!("Where does one lie, {turn}?\r"));
        terminal.wait_for(&format!("Answer {turn}."));
        rests(&terminal);
    }
    terminal.wait_for("recall stopped · R resets it");
    terminal.send(ESC);
    terminal.send("R");
    terminal.wait_for("recall asks the model again");
    terminal.wait_gone("recall stopped ·");
    quit(terminal);
}

//! What we have sent, on a real terminal: empty at first, then as another process of ours sends it.

use super::projects::quit;
use super::store::{Place, memory, write};
use super::terminal::ESC;
use crate::model_server::{ModelServer, Reply};

#[test]
fn what_another_loci_sends_comes_by_itself_opens_and_is_compared() {
    let server = ModelServer::start();
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    let url = server.url();
    write(
        &place.config().join("config.toml"),
        format!("[model]\nbase_url = \"{url}\"\nmain = \"demo-1\"\nkey_command = \"echo key\"\n"),
    );
    let cwd = place.work("shop").display().to_string();
    let terminal = place.open("shop").size(120, 40).start();
    terminal.wait_ready("one");
    terminal.send("8");
    terminal.wait_for("Nothing was sent to a model yet.");
    server.reply(Reply::text("It is so."));
    let other = place
        .loci(["--cwd", &cwd, "chat", "-p", "Is it so?"])
        .start();
    other.wait_for("It is so.");
    terminal.wait_for("1 request");
    terminal.wait_for("chat    demo-1 · shop");
    terminal.send("\r");
    terminal.wait_for("what came back");
    terminal.wait_for("nothing of it was cached");
    // The last part is what came back.
    terminal.send("G\r");
    terminal.wait_for("│ It is so.");
    terminal.send("d");
    terminal.wait_for("it is the first of its session");
    terminal.send(ESC);
    terminal.wait_for("all projects · newest first");
    quit(terminal);
}

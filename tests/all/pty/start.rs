//! Starting: what is on the screen first, and where the program will not start.

use super::bytes::{Token, tokens};
use super::store::{Place, memory};
use super::terminal::{ESC, Exit};

#[test]
fn the_demo_fills_the_screen() {
    let place = Place::new();
    let mut terminal = place.demo().start();
    for shown in ["shop-web", "pi-gateway", "数据平台"] {
        terminal.wait_for(shown);
    }
    assert!(terminal.screen(vt100::Screen::alternate_screen));
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

#[test]
fn a_project_opens_on_its_memories() {
    let place = Place::new();
    let body = "The steps are kept beside the script.";
    place.memory("shop", "deploy.md", memory("deploy-steps", "project", body));
    place.memory("shop", "MEMORY.md", "- [deploy](deploy.md) — steps\n");
    let mut terminal = place.open("shop").start();
    terminal.wait_for("deploy-steps");
    terminal.send("G\r");
    terminal.wait_for(body);
    terminal.send("2");
    terminal.wait_for("deploy.md");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

/// A rename that died between its steps: the screen finishes it before it shows anything, and says so.
#[test]
fn what_a_crash_left_unfinished_is_finished_and_said() {
    let place = Place::new();
    place.memory("shop", "alpha.md", memory("alpha", "project", "One."));
    place.memory("shop", "MEMORY.md", "- [alpha](alpha.md) — first\n");
    let script = "LOCI_TEST_KILL_AT=28 \"$LOCI\" mv alpha omega; exec \"$LOCI\"";
    let mut terminal = place.shell(script).cwd(&place.work("shop")).start();
    terminal.wait_for("the write of");
    terminal.wait_for("omega");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert!(!place.kept("shop").join("memory/alpha.md").exists());
}

#[test]
fn an_empty_home_is_no_fault() {
    let place = Place::new();
    let mut terminal = place.open("nothing-yet").start();
    terminal.wait_for("nothing-yet");
    terminal.send("jG\r12?");
    terminal.send(ESC);
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

#[test]
fn a_terminal_that_answers_nothing_is_enough() {
    let place = Place::new();
    let mut terminal = place.demo().mute().start();
    terminal.wait_for("shop-web");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

/// Runs a script that ends with `echo "code $?"` and checks the refusal.
#[track_caller]
fn refused(script: &str, term: Option<&str>) {
    let place = Place::new();
    let setup = place.shell(&format!("{script}; echo \"code $?\""));
    let setup = match term {
        Some(term) => setup.env("TERM", term),
        None => setup.without_env("TERM"),
    };
    let mut terminal = setup.size(250, 20).start();
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    let text = terminal.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "one sentence, then the code: {text}");
    assert!(lines[0].contains("loci ls"), "{text}");
    assert_eq!(lines[1], "code 2");
    let (all, rest) = tokens(&terminal.raw());
    let plain = |token: &Token| matches!(token, Token::Text(_) | Token::Control(b'\r' | b'\n'));
    assert!(rest == 0 && all.iter().all(plain), "no escapes: {all:?}");
}

#[test]
fn without_a_terminal_it_says_what_to_use() {
    let term = Some("xterm-256color");
    refused("\"$LOCI\" </dev/null", term);
    refused("\"$LOCI\" --demo >out", term);
    refused("\"$LOCI\" --demo </dev/null >out", term);
}

#[test]
fn a_dumb_terminal_is_refused() {
    refused("\"$LOCI\" --demo", Some("dumb"));
    refused("\"$LOCI\" --demo", None);
    refused("\"$LOCI\" --demo", Some(""));
}

#[test]
fn old_terminals_are_enough() {
    for term in ["linux", "screen", "vt100"] {
        let place = Place::new();
        let mut terminal = place.demo().env("TERM", term).start();
        terminal.wait_for("shop-web");
        terminal.send("q");
        assert_eq!(terminal.wait_exit(), Exit::Code(0));
    }
}

#[test]
fn the_last_project_is_gone_to_where_this_folder_has_no_memories() {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "user", "Text of one."));
    place.memory("zoo", "lion.md", memory("lion", "user", "Text of lion."));
    let kept = || {
        let home = place.root_of("state").join("homes");
        let homes = std::fs::read_dir(home).ok()?;
        let home = homes.flatten().next()?.path();
        std::fs::read_to_string(home.join("screen.json")).ok()
    };
    let mut terminal = place.open("zoo").start();
    terminal.wait_ready("lion");
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    let first = kept().expect("it is kept");
    assert!(first.contains("zoo"), "{first}");
    for (more, there) in [(&[][..], true), (&["--fresh"], false)] {
        let mut terminal = place
            .loci(more.iter().copied())
            .cwd(&place.work("new"))
            .start();
        terminal.wait_ready("no memories yet");
        if there {
            terminal.wait_for("lion");
        } else {
            terminal.wait_for("zoo");
            terminal.settle();
            assert_eq!(terminal.find("lion"), None, "{}", terminal.text());
        }
        terminal.send("q");
        assert_eq!(terminal.wait_exit(), Exit::Code(0));
    }
}

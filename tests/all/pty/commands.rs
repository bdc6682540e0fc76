//! The commands' output on a terminal and in a pipe: each stream is judged by itself.

use super::bytes::{Token, sets_colour, tokens};
use super::hostile::{hostile, only_own};
use super::store::{Place, memory};
use super::terminal::{Exit, Setup};

fn place() -> Place {
    let place = Place::new();
    for (name, kind) in [("one", "user"), ("two", "project"), ("three", "odd")] {
        let text = memory(name, kind, "# Head\n\nA **strong** body.");
        place.memory("shop", &format!("{name}.md"), text);
    }
    place.memory(
        "shop",
        "MEMORY.md",
        "- [one](one.md) — x\n- [gone](gone.md)\n",
    );
    place
}

/// Runs a script and returns the escape sequences of its output.
#[track_caller]
fn escapes(setup: Setup) -> Vec<Token> {
    let mut terminal = setup.start();
    assert_eq!(terminal.wait_exit(), Exit::Code(0), "{}", terminal.text());
    assert!(!terminal.text().is_empty());
    let (all, rest) = tokens(&terminal.raw());
    assert_eq!(rest, 0);
    let plain = |token: &Token| matches!(token, Token::Text(_) | Token::Control(b'\r' | b'\n'));
    all.into_iter().filter(|token| !plain(token)).collect()
}

fn coloured(escapes: &[Token]) -> bool {
    escapes
        .iter()
        .any(|token| matches!(token, Token::Csi { params, end: 'm', .. } if sets_colour(params)))
}

#[test]
fn a_terminal_gets_colours_and_a_pipe_no_escapes() {
    let place = place();
    let shop = place.work("shop");
    let run = |script: &str| place.shell(script).cwd(&shop);
    for command in ["ls", "ls --all", "show one", "index"] {
        let to_terminal = format!("\"$LOCI\" {command}");
        assert!(coloured(&escapes(run(&to_terminal))), "{command}");
        let piped = format!("{to_terminal} | cat");
        assert_eq!(escapes(run(&piped)), [], "{command}");
        let plain = run(&to_terminal).env("NO_COLOR", "1");
        assert!(!coloured(&escapes(plain)), "{command}");
        assert_eq!(
            escapes(run(&to_terminal).env("TERM", "dumb")),
            [],
            "{command}"
        );
        let forced = format!("\"$LOCI\" --color always {command} | cat");
        assert!(coloured(&escapes(run(&forced))), "{command}");
        let never = format!("\"$LOCI\" --color never {command}");
        assert!(!coloured(&escapes(run(&never))), "{command}");
        let json = format!("\"$LOCI\" {command} --json");
        assert_eq!(escapes(run(&json)), [], "{command}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let place = place();
    for command in [
        "ls",
        "ls --all --json",
        "show one",
        "index",
        "man",
        "completions bash",
    ] {
        let script = format!("\"$LOCI\" {command} | true; echo done");
        let mut terminal = place.shell(&script).cwd(&place.work("shop")).start();
        assert_eq!(terminal.wait_exit(), Exit::Code(0));
        assert_eq!(terminal.text(), "done", "{command}");
    }
}

#[test]
fn a_hostile_store_is_listed_as_symbols_only() {
    let place = hostile();
    let shop = place.work("shop");
    for command in [
        "ls",
        "ls --all",
        "show attack.md",
        "show raw.md",
        "show bytes.md",
        "index",
    ] {
        let script = format!("\"$LOCI\" {command}");
        let mut terminal = place.shell(&script).cwd(&shop).start();
        assert_eq!(terminal.wait_exit(), Exit::Code(0));
        only_own(&terminal);
    }
}

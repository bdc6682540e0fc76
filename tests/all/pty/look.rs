//! Keys, colours and glyphs that a person has set: what of it reaches the terminal.

use std::fs;

use super::bytes::{Token, tokens};
use super::store::{Place, memory, write};
use super::terminal::{Exit, Setup, Terminal};

fn place(config: &[(&str, &str)]) -> Place {
    let place = Place::new();
    place.memory("shop", "one.md", memory("one", "project", "① … body"));
    for (name, text) in config {
        write(&place.config().join(name), text);
    }
    place
}

fn open(place: &Place) -> Setup {
    place.open("shop").env("COLORTERM", "truecolor")
}

fn quit(mut terminal: Terminal) {
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    assert_eq!(terminal.left_behind(), Vec::<String>::new());
}

const DARK: &str = "48;2;23;26;31";
const LIGHT: &str = "48;2;251;250;247";

fn has(raw: &[u8], sequence: &str) -> bool {
    raw.windows(sequence.len())
        .any(|part| part == sequence.as_bytes())
}

#[test]
fn own_keys_work_and_a_fault_is_shown() {
    let place = place(&[
        ("keys.toml", "[tree]\nquit = \"Q\"\nhealth = \"h\"\n"),
        ("config.toml", "mouse = false\nthem = \"x\"\n"),
    ]);
    let mut terminal = open(&place).start();
    terminal.wait_ready("one");
    terminal.wait_for("config.toml:2: them is no key of ours");
    assert!(!has(&terminal.raw(), "\x1b[?1000h"));
    terminal.wait_for("Q quit");
    terminal.send("q");
    terminal.wait_for("q does nothing in the tree");
    terminal.send("Q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
}

/// The harness answers as a dark terminal does.
#[test]
fn auto_asks_for_the_background_and_adapts_when_the_answer_comes() {
    let place = place(&[("config.toml", "theme = \"auto\"\n")]);
    let terminal = open(&place).start();
    terminal.wait_ready("one");
    terminal.wait_raw("dark colours", |raw| has(raw, DARK));
    let asked = |raw: &[u8]| {
        let (tokens, _) = tokens(raw);
        let question = Token::Osc("11;?".to_string());
        tokens
            .into_iter()
            .filter(|token| *token == question)
            .count()
    };
    assert_eq!(asked(&terminal.raw()), 1);
    // None of the answer was taken for keys.
    assert!(
        !terminal.text().contains("does nothing"),
        "{}",
        terminal.text()
    );
    // At the next focus it is asked again.
    terminal.send("\x1b[I");
    terminal.wait_raw("the question again", |raw| asked(raw) == 2);
    terminal.settle();
    quit(terminal);
}

#[test]
fn a_mute_terminal_has_its_own_colours_and_loses_no_key() {
    let place = place(&[("config.toml", "theme = \"auto\"\n")]);
    let terminal = open(&place).mute().start();
    terminal.wait_ready("one");
    terminal.send("?");
    terminal.wait_for("type to filter");
    terminal.send("mouse");
    terminal.wait_for("mouse on/off");
    terminal.send("\x1b");
    terminal.wait_gone("mouse on/off");
    assert!(!has(&terminal.raw(), DARK) && !has(&terminal.raw(), LIGHT));
    // The answer of a slow one still counts.
    terminal.send("\x1b]11;rgb:ffff/ffff/ffff\x07");
    terminal.wait_raw("light colours", |raw| has(raw, LIGHT));
    quit(terminal);
}

#[test]
fn a_theme_that_is_not_auto_asks_nothing() {
    let place = place(&[("config.toml", "theme = \"dark\"\n")]);
    let terminal = open(&place).start();
    terminal.wait_ready("one");
    assert!(has(&terminal.raw(), DARK));
    assert!(!has(&terminal.raw(), "\x1b]11;"));
    quit(terminal);
}

#[test]
fn a_theme_is_looked_at_and_kept_without_touching_the_rest_of_the_file() {
    let own = "# mine\nmouse = true   # yes\n\n[keep]\ntrash_days = 9\n";
    let place = place(&[
        ("config.toml", own),
        ("themes/zz.toml", "base = \"light\"\n"),
    ]);
    let terminal = open(&place).start();
    terminal.wait_ready("one");
    terminal.send("\x1bOR");
    terminal.wait_for("keeps it");
    terminal.send("jj");
    terminal.wait_raw("the light theme", |raw| has(raw, LIGHT));
    terminal.send("\x1b");
    terminal.wait_gone("keeps it");
    let file = place.config().join("config.toml");
    assert_eq!(fs::read_to_string(&file).unwrap(), own);
    terminal.send("\x1bORj\r");
    terminal.wait_for("theme dark, kept in");
    let kept = fs::read_to_string(&file).unwrap();
    assert_eq!(kept, own.replace("# yes\n", "# yes\ntheme = \"dark\"\n"));
    quit(terminal);
}

/// Case TU05, on a terminal: our own marks are ASCII, and what stands behind a content's mark of
/// ambiguous width gets its place anew.
#[test]
fn tu05_with_ascii_glyphs_only_content_holds_other_characters() {
    let place = place(&[("config.toml", "glyphs = \"ascii\"\n")]);
    let terminal = open(&place).start();
    terminal.wait_ready("one");
    terminal.send("jj\r");
    terminal.wait_for("① … body");
    let text = terminal.text();
    let odd: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(odd, "①…", "{text}");
    let (tokens, _) = tokens(&terminal.raw());
    let place = tokens
        .iter()
        .position(|token| matches!(token, Token::Text(text) if text.ends_with('①')));
    let after = &tokens[place.expect("it is drawn") + 1..];
    let next: Vec<_> = after
        .iter()
        .take_while(|token| !matches!(token, Token::Text(_)))
        .collect();
    assert!(
        next.iter()
            .any(|token| matches!(token, Token::Csi { end: 'H', .. })),
        "{next:?}"
    );
    quit(terminal);
}

/// A program of this name that does what the script says, found before any other.
fn program(place: &Place, name: &str, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = place.tmp().join("bin");
    let path = folder.join(name);
    write(&path, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    format!(
        "{}:{}",
        folder.display(),
        std::env::var("PATH").unwrap_or_default()
    )
}

#[test]
fn with_a_display_a_copy_goes_to_the_systems_clipboard_too() {
    let place = place(&[]);
    let copied = place.tmp().join("copied");
    // It goes on in the background, as the real one does, and holds what it was given open.
    let script = format!("cat > '{}'; sleep 60 &", copied.display());
    let path = program(&place, "wl-copy", &script);
    let wayland = || {
        open(&place)
            .env("PATH", &path)
            .env("WAYLAND_DISPLAY", "wayland-0")
    };
    let terminal = wayland().start();
    terminal.wait_ready("one");
    terminal.send("jj\r");
    terminal.wait_for("① … body");
    terminal.send("Y");
    terminal.wait_for("and, by wl-copy, to the system's");
    assert_eq!(fs::read_to_string(&copied).unwrap(), "① … body");
    assert!(has(&terminal.raw(), "\x1b]52;c;"));
    quit(terminal);
    // Over ssh the display is another's.
    fs::remove_file(&copied).unwrap();
    let terminal = wayland().env("SSH_CONNECTION", "::1 1 ::1 22").start();
    terminal.wait_ready("one");
    terminal.send("jjy");
    terminal.wait_for("the path went to the terminal's clipboard (OSC 52)");
    terminal.settle();
    assert!(!copied.exists());
    quit(terminal);
}

#[test]
fn a_clipboard_program_that_fails_is_a_notice() {
    let place = place(&[]);
    let path = program(&place, "xclip", "exit 4");
    let terminal = open(&place).env("PATH", path).env("DISPLAY", ":99").start();
    terminal.wait_ready("one");
    terminal.send("jjy");
    terminal.wait_for("xclip ended with exit status: 4: the path went to");
    terminal.send("\x1b");
    quit(terminal);
}

#[test]
fn the_editor_of_the_settings_comes_before_that_of_the_environment() {
    let place = place(&[("config.toml", "editor = \"printf 'mine\\n' >>\"\n")]);
    let terminal = open(&place)
        .env("VISUAL", "false")
        .env("EDITOR", "false")
        .start();
    terminal.wait_ready("one");
    terminal.send("jj\r");
    terminal.wait_for("① … body");
    terminal.send("E");
    terminal.wait_for("mine");
    terminal.wait_for("undoes it");
    quit(terminal);
}

/// Another loci holds the lock for a while: what is asked for meanwhile is shown as going on.
#[test]
fn work_that_lasts_is_shown_and_without_motion_by_words() {
    for (motion, sign) in [("true", "⠙ working"), ("false", "… working")] {
        let place = place(&[("config.toml", &format!("motion = {motion}\n"))]);
        place.memory("shop", "two.md", memory("two", "project", "more"));
        let terminal = open(&place).start();
        terminal.wait_ready("two");
        // The first change makes our folders.
        terminal.send("jjd");
        terminal.wait_for("does it");
        terminal.send("\r");
        terminal.wait_for("undoes it");
        terminal.wait_for("1 memory");
        terminal.send("ggjjd");
        terminal.wait_for("does it");
        let lock = place.lock();
        lock.lock().unwrap();
        terminal.send("\r");
        terminal.wait_for(sign);
        lock.unlock().unwrap();
        terminal.wait_for("undoes it");
        terminal.wait_gone("working");
        quit(terminal);
    }
}

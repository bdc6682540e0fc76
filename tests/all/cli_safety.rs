//! Nothing from a file gets to the terminal as it is: hostile names, fields, bodies, file names and
//! index lines, through every subcommand that prints for people.

use crate::cli_home::{Home, MEMORY, Ran};

/// An escape sequence, C0 and C1 controls, bidirectional, zero-width, tag and private characters.
const HOSTILE: &str = "\u{1b}[31m\u{1b}]0;t\u{7}\u{8}\u{9b}2J\u{85}\u{7f}\u{202e}\u{2066}\u{200b}\u{2028}\u{e0041}\u{e000}\u{feff}";

fn is_hostile(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(
            c,
            '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{feff}'
                | '\u{e000}'..='\u{f8ff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

fn assert_safe(arguments: &[&str], ran: &Ran) {
    for (stream, text) in [("stdout", &ran.out), ("stderr", &ran.err)] {
        let found = text.chars().find(|c| is_hostile(*c));
        assert_eq!(found, None, "{arguments:?}: {stream}: {text:?}");
    }
}

/// A home that is hostile wherever a file can be. Its own file name lacks only what the system
/// forbids.
fn hostile() -> Home {
    let home = Home::new();
    let quoted: String = HOSTILE
        .chars()
        .map(|c| match c {
            c if (c as u32) < 0x100 => format!("\\x{:02x}", c as u32),
            c => format!("\\U{:08x}", c as u32),
        })
        .collect();
    home.memory(
        "plain.md",
        format!(
            "---\nname: \"n{quoted}n\"\ndescription: \"d{quoted}d\"\ntype: \"t{quoted}t\"\nodd{HOSTILE}: v{HOSTILE}\n---\n\
             body {HOSTILE} end\r\n\tindented\n"
        ),
    );
    home.memory(
        "raw.md",
        format!("---\nname: raw {HOSTILE}\ndescription: raw {HOSTILE}\ntype: user\n\tx: {HOSTILE}\n---\n{HOSTILE}\n"),
    );
    home.memory(
        "MEMORY.md",
        format!(
            "# {HOSTILE}\n- [T{HOSTILE}](plain.md) — h{HOSTILE}\n- [U](x{HOSTILE}.md) — u\n{}",
            format!("- [fill {HOSTILE}](f.md) — f\n").repeat(210)
        ),
    );
    #[cfg(unix)]
    home.memory(&format!("f{HOSTILE}.md"), "---\nname: f\n---\nx\n");
    #[cfg(unix)]
    home.write(
        &format!("/home/u/.claude/projects/-p{HOSTILE}/memory/{HOSTILE}.md"),
        "x\n",
    );
    #[cfg(unix)]
    home.write(
        &format!("/home/u/.claude/agent-memory/a{HOSTILE}/{HOSTILE}.md"),
        "x\n",
    );
    home.write(
        "/home/u/.claude/projects/-q/11111111-1111-4111-8111-111111111111.jsonl",
        "{\"cwd\":\"/q\\u001b[31m\\u202e\"}\n",
    );
    home.write("/home/u/.claude/projects/-q/memory/q.md", "x\n");
    home
}

#[test]
fn no_hostile_character_gets_out_of_any_subcommand() {
    let home = hostile();
    let odd = format!("f{HOSTILE}.md");
    let name = format!("nothing{HOSTILE}");
    for arguments in [
        ["ls"].as_slice(),
        &["ls", "--all"],
        &["index"],
        &["show", "plain.md"],
        &["show", "raw.md"],
        &["show", &odd],
        &["show", &name],
        &["key", &name],
        &["key"],
        &[&name],
        &["--color", &name],
    ] {
        let ran = home.run(arguments);
        assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{arguments:?}");
        assert_safe(arguments, &ran);
    }
}

/// What is hidden must not be lost: it is shown as a symbol.
#[test]
fn hostile_characters_are_shown_as_symbols() {
    let home = hostile();
    let ran = home.run(&["show", "plain.md"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let body = ran
        .out
        .lines()
        .find(|line| line.starts_with("body"))
        .unwrap();
    assert!(
        body.contains("␛[31m") && body.contains("<U+202E>"),
        "{body}"
    );
}

#[test]
fn json_keeps_the_text_and_escapes_control_characters() {
    let home = hostile();
    let ran = home.run(&["show", "plain.md", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains('\u{1b}'), "{:?}", ran.out);
    assert!(ran.json()["body"].as_str().unwrap().contains(HOSTILE));
}

#[test]
#[cfg(unix)]
fn a_working_directory_with_a_hostile_name_is_shown_safely() {
    let home = Home::new();
    let cwd = format!("/srv/proj/c{HOSTILE}");
    home.folder(&cwd);
    for arguments in [["ls"].as_slice(), &["index"], &["key"], &["show", "x"]] {
        let ran = crate::cli_home::ran(
            std::process::Command::new(crate::cli_home::LOCI)
                .env_clear()
                .env("HOME", "/home/u")
                .arg("--sysroot")
                .arg(home.root())
                .args(["--cwd", &cwd])
                .args(arguments),
        );
        assert_safe(arguments, &ran);
    }
    assert!(!home.at(MEMORY).exists(), "reading makes no folder");
}

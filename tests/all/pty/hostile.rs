//! A store made to attack the terminal: whatever its files and names hold, the terminal gets only
//! what the program itself says.

use std::fmt::Write as _;
use std::time::Duration;

use super::bytes::{Token, left_behind, numbers, tokens};
use super::store::{Place, write};
use super::terminal::{ESC, Exit, Terminal};

/// Sequences and characters that a terminal acts on or hides, none of which the program uses.
const ATTACKS: [&str; 19] = [
    "\u{1b}[8m",                       // conceal
    "\u{1b}[6n",                       // makes the terminal type
    "\u{1b}]52;c;aGFja2Vk\u{7}",       // writes the clipboard
    "\u{1b}]2;hacked\u{7}",            // the window's title
    "\u{1b}]8;;http://hacked\u{1b}\\", // a link
    "\u{1b}P$qm\u{1b}\\",              // asks for settings
    "\u{1b}c",                         // resets the terminal
    "\u{1b}[?1337h",
    "\u{9b}8m", // the same with C1
    "\u{9d}2;hacked\u{9c}",
    "\u{202e}gnp.exe\u{202c}", // right to left
    "\u{2066}\u{2067}\u{2068}\u{2069}",
    "\u{200b}\u{200d}\u{2060}\u{feff}",
    "\u{e0041}\u{e007f}", // tags
    "\u{85}",
    "\u{2028}\u{2029}",
    "\u{7}\u{8}\u{7f}",
    "\u{ad}\u{61c}\u{180e}",
    "\u{fff9}\u{fffb}",
];

/// As a YAML string in double quotes.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' => out.push(c),
            c => write!(out, "\\U{:08x}", c as u32).expect("a string takes every write"),
        }
    }
    out + "\""
}

/// Whether a character must not reach a terminal.
fn forbidden(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{61c}' | '\u{180e}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// Modes that the program itself switches.
const MODES: [u32; 12] = [
    7, 12, 25, 1000, 1002, 1003, 1004, 1006, 1015, 1049, 2004, 2026,
];

/// Whether a piece of output is of the program's own making.
fn own(token: &Token) -> bool {
    match token {
        Token::Text(text) => !text.chars().any(forbidden),
        Token::Control(control) => matches!(control, b'\r' | b'\n'),
        Token::Csi {
            params,
            between,
            end,
        } => own_csi(params, between, *end),
        Token::Osc(body) => {
            let title = body.strip_prefix("0;").or(body.strip_prefix("2;"));
            title.is_some_and(|title| title != "hacked" && !title.chars().any(forbidden))
        }
        Token::Escape(body) => matches!(body.as_str(), "7" | "8"),
        Token::Long(..) | Token::Bad(_) => false,
    }
}

fn own_csi(params: &str, between: &str, end: char) -> bool {
    let plain = params
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b';');
    match (end, between) {
        ('h' | 'l', "") => params
            .strip_prefix('?')
            .is_some_and(|modes| numbers(modes).iter().all(|mode| MODES.contains(mode))),
        ('m', "") => plain && !numbers(params).contains(&8),
        ('H' | 'K' | 'J' | 'A' | 'B' | 'C' | 'D' | 'G' | 'd' | 'X', "") | ('q', " ") => plain,
        ('c', "") => params.is_empty(),
        ('u', "") => params.starts_with(['?', '>', '<']),
        ('t', "") => matches!(params, "22;0" | "22;2" | "23;0" | "23;2"),
        _ => false,
    }
}

#[track_caller]
pub fn only_own(terminal: &Terminal) {
    let (all, rest) = tokens(&terminal.raw());
    let foreign: Vec<&Token> = all.iter().filter(|token| !own(token)).collect();
    assert!(foreign.is_empty(), "{foreign:?}");
    assert_eq!(rest, 0, "half a sequence at the end");
}

/// A memory with every attack in every part of it.
fn memory() -> String {
    let attacks = ATTACKS.concat();
    let bare = attacks.replace(['\u{85}', '\u{2028}', '\u{2029}'], "");
    format!(
        "---\nname: {name}\ndescription: {about}\nmetadata:\n  type: {kind}\n  extra: {extra}\n{key}: odd\n---\n\n\
         # HEAD {attacks} END\n\nBODY {attacks} END \0\n\n- item {attacks}\n\n> quote {attacks}\n\n\
         `code {attacks}` **bold {attacks}** [link {attacks}](https://x/{bare})\n\n```{bare}\nfence {attacks}\n```\n\n\
         | cell{attacks} | b |\n| --- | --- |\n| c{attacks} | d |\n\n<b {bare}>html {attacks}</b>\n\n![image {attacks}](i)\n",
        name = quoted(&format!("NAME{attacks}END")),
        about = quoted(&format!("ABOUT{attacks}END")),
        kind = quoted(&format!("KIND{attacks}")),
        extra = quoted(&format!("EXTRA{attacks}")),
        key = quoted(&format!("KEY{attacks}")),
    )
}

/// Three memories full of attacks: quoted as YAML wants it, not quoted, and with bytes that are no UTF-8.
fn add_memories(place: &Place) {
    let attacks = ATTACKS.concat();
    place.memory("shop", "attack.md", memory());
    let broken = format!(
        "---\nname: RAW{attacks}END\ndescription: {attacks}\ntype: user{attacks}\n---\n{attacks}\n"
    );
    place.memory("shop", "raw.md", &broken);
    let mut bytes =
        b"---\nname: BYTES\xff\x9b8mEND\ntype: user\n---\n\x9b8m\x9d2;hacked\x9c \0\x01 ".to_vec();
    bytes.extend_from_slice(attacks.as_bytes());
    place.memory("shop", "bytes.md", &bytes);
}

/// A store in which every place that a name or text can stand in holds the attacks.
pub fn hostile() -> Place {
    let place = Place::new();
    add_memories(&place);
    let memory = memory();
    let mut index = String::from("# Index\n");
    for (at, attack) in ATTACKS.iter().enumerate() {
        // One attack a name: all together would be too long for a file's name.
        let safe = attack.replace('/', "");
        let day = at % 9 + 1;
        let files = [
            (
                format!("file{at:02}{safe}.md"),
                format!("---\nname: of{at:02}\ntype: user\n---\nx\n"),
            ),
            (
                format!("sub{at:02}{safe}/in.md"),
                format!("---\ntype: {safe}\n---\n"),
            ),
            (
                format!("team/t{at:02}{safe}.md"),
                "no front matter\n".to_owned(),
            ),
            (
                format!("logs/2026/11/2026-11-0{day}{safe}.md"),
                "log\n".to_owned(),
            ),
        ];
        for (file, text) in files {
            place.memory("shop", &file, text);
        }
        let lines = format!(
            "- [LINE{at:02}{attack}](file{at:02}{safe}.md) — hook {attack} END\n\
             - [gone {attack}](gone{safe}.md) {attack}\n"
        );
        index += &lines;
        let home = place.home().join(".claude");
        let agent = home.join(format!("agent-memory/agent{at:02}{safe}"));
        write(&agent.join("MEMORY.md"), format!("- [x{attack}](x.md)\n"));
        write(&agent.join("x.md"), &memory);
        let odd = format!("work{at:02}");
        place.memory(&odd, "one.md", &memory);
        place.transcript(&odd, &format!("/srv/{odd}{attack}"));
        let kept = home.join(format!("projects/-srv-{at:02}{safe}/memory"));
        write(&kept.join("m.md"), &memory);
    }
    place.memory("shop", "MEMORY.md", index);
    place
}

/// Presses keys one after the other, each seen through to its frame.
fn press(terminal: &Terminal, keys: &[&str]) {
    for key in keys {
        terminal.send(key);
        terminal.settle_for(Duration::from_millis(20));
    }
}

/// Leaves, and checks all that was written; the walk must have seen `words`.
#[track_caller]
fn leave(mut terminal: Terminal, words: &[&str]) {
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    for word in words {
        assert!(raw.contains(word), "{word} was never on the screen");
    }
    terminal.send("q");
    assert_eq!(terminal.wait_exit(), Exit::Code(0));
    only_own(&terminal);
    assert_eq!(left_behind(&terminal.raw()), Vec::<String>::new());
}

#[test]
fn hostile_names_reach_the_terminal_as_symbols_only() {
    let place = hostile();
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    press(&terminal, &["\r", "v", "2", "\x04", "\x04", "1", ESC]);
    // All rows of the tree from the last upwards: what is folded is opened.
    press(&terminal, &["G"]);
    for _ in 0..60 {
        press(&terminal, &["k", "\r", ESC]);
    }
    press(&terminal, &["gg"]);
    for _ in 0..60 {
        press(&terminal, &["j", "2", "1", ESC]);
    }
    press(&terminal, &["?", ESC, ":", "shop", ESC]);
    let words = [
        "file", "of00", "LINE", "hook", "gone", "agent", "-srv-", "work", "2026-11",
    ];
    leave(terminal, &words);
}

#[test]
fn hostile_memories_reach_the_terminal_as_symbols_only() {
    let place = Place::new();
    add_memories(&place);
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    for _ in 0..7 {
        press(&terminal, &["j", "\t"]);
        for _ in 0..2 {
            press(&terminal, &["gg"]);
            press(&terminal, &["\x04"; 10]);
            press(&terminal, &["v"]);
        }
        press(&terminal, &["\x1b[Z"]);
    }
    let words = [
        "NAME", "ABOUT", "KIND", "EXTRA", "KEY", "HEAD", "BODY", "item", "quote", "code", "bold",
        "link", "fence", "cell", "html", "image", "RAW", "BYTES",
    ];
    leave(terminal, &words);
}

/// Form and text of an edit, its diff, health, the index's hooks, the finder and the history.
#[test]
fn hostile_memories_reach_the_views_that_change_things_as_symbols_only() {
    let place = Place::new();
    add_memories(&place);
    let terminal = place.open("shop").start();
    terminal.wait_ready("shop");
    for _ in 0..12 {
        let edit = ["j", "e", "x", "\x07", ESC, "\x1b[Z", "\x1b[Z", ESC, ESC];
        press(&terminal, &edit);
        press(&terminal, &["r", ESC, "d", ESC]);
    }
    press(
        &terminal,
        &["3", "\x04", "\x04", "\x04", "f", ESC, "F", ESC, "4", ESC],
    );
    press(&terminal, &["/NAME", "\x1b[B", "\x1b[B", ESC, ESC]);
    press(&terminal, &["2", "\x04", "e", ESC, "J", "K", ESC]);
    leave(terminal, &["NAME", "ABOUT", "BODY", "EXTRA"]);
}

#[test]
fn what_the_check_lets_pass_and_what_not() {
    for attack in ATTACKS {
        let (all, _) = tokens(format!("a{attack}b").as_bytes());
        assert!(all.iter().any(|token| !own(token)), "{attack:?}");
    }
    let fine = "\x1b[?2026h\x1b[1;1H\x1b[0;38;5;4mtext 鳥 👩‍🚀\x1b[?2026l\x1b]2;loci\x1b\\";
    let foreign: Vec<Token> = tokens(fine.as_bytes()).0;
    assert!(foreign.iter().filter(|token| !own(token)).count() <= 1);
}

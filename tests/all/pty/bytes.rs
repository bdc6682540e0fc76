//! What a program wrote to its terminal, taken apart: text, controls and escape sequences, and the
//! modes that it leaves switched on.

use std::collections::BTreeMap;

/// One piece of a terminal's input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Token {
    Text(String),
    /// A control character that begins no sequence.
    Control(u8),
    /// `ESC [ … final`: parameter bytes (with a private mark such as `?`), intermediates, final.
    Csi {
        params: String,
        between: String,
        end: char,
    },
    /// `ESC ] …`, without its end.
    Osc(String),
    /// `ESC` with `P`, `X`, `^` or `_`, and what follows up to `ESC \`.
    Long(char, String),
    /// Any other escape sequence, without `ESC`.
    Escape(String),
    /// Bytes that are neither UTF-8 nor a whole sequence.
    Bad(Vec<u8>),
}

/// Takes `raw` apart. What is left over is the number of bytes at its end that begin something
/// which is not whole yet.
pub fn tokens(raw: &[u8]) -> (Vec<Token>, usize) {
    let mut found = Vec::new();
    let mut at = 0;
    while at < raw.len() {
        let Some((token, length)) = next(&raw[at..]) else {
            break;
        };
        found.push(token);
        at += length;
    }
    (found, raw.len() - at)
}

fn next(raw: &[u8]) -> Option<(Token, usize)> {
    match raw[0] {
        0x1b => escape(raw),
        control @ (0..=0x1f | 0x7f) => Some((Token::Control(control), 1)),
        _ => text(raw),
    }
}

fn text(raw: &[u8]) -> Option<(Token, usize)> {
    let end = raw
        .iter()
        .position(|byte| *byte < 0x20 || *byte == 0x7f)
        .unwrap_or(raw.len());
    match std::str::from_utf8(&raw[..end]) {
        Ok(text) => Some((Token::Text(text.to_owned()), end)),
        Err(error) if error.valid_up_to() > 0 => {
            let whole = error.valid_up_to();
            let text = String::from_utf8_lossy(&raw[..whole]).into_owned();
            Some((Token::Text(text), whole))
        }
        Err(error) => match error.error_len() {
            Some(bad) => Some((Token::Bad(raw[..bad].to_vec()), bad)),
            None if end == raw.len() => None,
            None => Some((Token::Bad(raw[..end].to_vec()), end)),
        },
    }
}

fn escape(raw: &[u8]) -> Option<(Token, usize)> {
    match *raw.get(1)? {
        b'[' => csi(raw),
        b']' => {
            let (body, taken) = up_to_end(raw, true)?;
            Some((Token::Osc(body), taken))
        }
        kind @ (b'P' | b'X' | b'^' | b'_') => {
            let (body, taken) = up_to_end(raw, false)?;
            Some((Token::Long(char::from(kind), body), taken))
        }
        _ => {
            let mut end = 1;
            while matches!(*raw.get(end)?, 0x20..=0x2f) {
                end += 1;
            }
            let body = String::from_utf8_lossy(&raw[1..=end]).into_owned();
            Some((Token::Escape(body), end + 1))
        }
    }
}

fn csi(raw: &[u8]) -> Option<(Token, usize)> {
    let mut at = 2;
    while matches!(*raw.get(at)?, 0x30..=0x3f) {
        at += 1;
    }
    let params = String::from_utf8_lossy(&raw[2..at]).into_owned();
    let start = at;
    while matches!(*raw.get(at)?, 0x20..=0x2f) {
        at += 1;
    }
    let between = String::from_utf8_lossy(&raw[start..at]).into_owned();
    match raw[at] {
        end @ 0x40..=0x7e => {
            let end = char::from(end);
            let token = Token::Csi {
                params,
                between,
                end,
            };
            Some((token, at + 1))
        }
        _ => Some((Token::Bad(raw[..at].to_vec()), at)),
    }
}

/// The body of a long sequence, which ends with `ESC \` (or with BEL where that is allowed).
fn up_to_end(raw: &[u8], bell: bool) -> Option<(String, usize)> {
    let body = |end: usize| String::from_utf8_lossy(&raw[2..end]).into_owned();
    for at in 2..raw.len() {
        match raw[at] {
            7 if bell => return Some((body(at), at + 1)),
            0x1b if *raw.get(at + 1)? == b'\\' => return Some((body(at), at + 2)),
            0x1b => return Some((body(at), at)),
            _ => {}
        }
    }
    None
}

/// The numbers of an SGR sequence's parameters; an empty one is 0.
pub fn numbers(params: &str) -> Vec<u32> {
    params
        .split([';', ':'])
        .map(|number| number.parse().unwrap_or(0))
        .collect()
}

/// Whether SGR parameters set a colour of text, background or underline.
pub fn sets_colour(params: &str) -> bool {
    numbers(params)
        .iter()
        .any(|number| matches!(number, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107))
}

/// Modes that a shell's prompt would inherit if the program ended after `raw`, in words.
pub fn left_behind(raw: &[u8]) -> Vec<String> {
    let mut modes = BTreeMap::new();
    let mut kitty = 0_i32;
    let mut shape = 0;
    let (all, rest) = tokens(raw);
    for token in all {
        let Token::Csi {
            params,
            between,
            end,
        } = token
        else {
            continue;
        };
        match (end, between.as_str(), params.chars().next()) {
            ('h' | 'l', "", Some('?')) => {
                for mode in numbers(&params[1..]) {
                    modes.insert(mode, end == 'h');
                }
            }
            ('u', "", Some('>')) => kitty += 1,
            ('u', "", Some('<')) => {
                let popped = params[1..].parse().unwrap_or(1);
                kitty = (kitty - popped).max(0);
            }
            ('q', " ", _) => shape = numbers(&params)[0],
            _ => {}
        }
    }
    let mut left: Vec<String> = modes
        .into_iter()
        .filter(|(mode, on)| *on != matches!(mode, 7 | 25))
        .map(|(mode, on)| format!("{} {}", name(mode), if on { "on" } else { "off" }))
        .collect();
    if kitty > 0 {
        left.push("kitty keyboard on".to_owned());
    }
    if shape != 0 {
        left.push("cursor shape changed".to_owned());
    }
    if rest > 0 {
        left.push("half an escape sequence".to_owned());
    }
    left
}

fn name(mode: u32) -> String {
    match mode {
        7 => "wrapping".to_owned(),
        25 => "cursor".to_owned(),
        1000 | 1002 | 1003 | 1006 | 1015 => format!("mouse ({mode})"),
        1004 => "focus events".to_owned(),
        1049 => "alternate screen".to_owned(),
        2004 => "bracketed paste".to_owned(),
        2026 => "synchronized update".to_owned(),
        other => format!("mode {other}"),
    }
}

#[test]
fn output_is_taken_apart() {
    let (found, rest) = tokens("ab\x1b[1;31mé\x1b]2;title\x1b\\\x07\x1b(B\x1b[?25".as_bytes());
    let csi = Token::Csi {
        params: "1;31".into(),
        between: String::new(),
        end: 'm',
    };
    let want = [
        Token::Text("ab".into()),
        csi,
        Token::Text("é".into()),
        Token::Osc("2;title".into()),
        Token::Control(7),
        Token::Escape("(B".into()),
    ];
    assert_eq!(found, want);
    assert_eq!(rest, 5, "half a sequence is left for the next read");
}

#[test]
fn bad_bytes_are_told_from_half_characters() {
    assert_eq!(tokens(b"\xe6\x95"), (vec![], 2));
    let (found, rest) = tokens(b"a\x9b1m");
    assert_eq!(rest, 0);
    assert_eq!(found[1], Token::Bad(vec![0x9b]));
}

#[test]
fn modes_left_on_are_named() {
    let tidy = b"\x1b[?1049h\x1b[?25l\x1b[>1u\x1b[<1u\x1b[?25h\x1b[?1049l";
    assert_eq!(left_behind(tidy), Vec::<String>::new());
    let dirty = b"\x1b[?1049h\x1b[?1000;1006h\x1b[?25l\x1b[>1u\x1b[?1049l";
    let want = [
        "cursor off",
        "mouse (1000) on",
        "mouse (1006) on",
        "kitty keyboard on",
    ];
    assert_eq!(left_behind(dirty), want);
}

#[test]
fn colours_are_told_from_attributes() {
    for colour in ["31", "1;38;5;4", "48;2;1;2;3", "97", "103"] {
        assert!(sets_colour(colour), "{colour}");
    }
    for none in ["", "0", "1", "2;7", "39", "49", "39;49", "59", "27"] {
        assert!(!sets_colour(none), "{none}");
    }
}

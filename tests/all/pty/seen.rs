//! What a terminal has seen: every byte, the screen that they make, and the answers that a terminal
//! gives to questions.

use std::fmt::Write as _;
use std::io::Read;
use std::sync::mpsc::Sender;
use std::sync::{Condvar, Mutex, MutexGuard};

use super::bytes::{self, Token};

pub struct Seen {
    pub state: Mutex<State>,
    pub changed: Condvar,
}

pub struct State {
    pub raw: Vec<u8>,
    pub parser: vt100::Parser,
    /// Bytes of `raw` that have been looked at for questions.
    asked: usize,
    /// Bytes of `raw` at the last change of size.
    pub mark: usize,
    /// No more output will come: nobody holds the terminal any more.
    pub ended: bool,
    /// The reader is to let go of the terminal at the next byte.
    pub let_go: bool,
}

impl Seen {
    pub fn new(columns: u16, rows: u16) -> Self {
        Self {
            state: Mutex::new(State::new(columns, rows)),
            changed: Condvar::new(),
        }
    }

    pub fn lock(&self) -> MutexGuard<'_, State> {
        let state = self.state.lock();
        state.expect("nobody panics holding the state")
    }
}

impl State {
    fn new(columns: u16, rows: u16) -> Self {
        Self {
            raw: Vec::new(),
            parser: parser(columns, rows),
            asked: 0,
            mark: 0,
            ended: false,
            let_go: false,
        }
    }

    /// Another size. The screen begins anew: what the program does not draw again is blank.
    pub fn resize(&mut self, columns: u16, rows: u16) {
        let alternate = self.parser.screen().alternate_screen();
        self.parser = parser(columns, rows);
        self.mark = self.raw.len();
        if alternate {
            self.parser.process(b"\x1b[?1049h");
        }
    }

    pub fn text(&self) -> String {
        text(self.parser.screen())
    }
}

/// Reads until nobody holds the terminal any more, or until told to let go of it.
pub fn read_all(mut reader: Box<dyn Read + Send>, seen: &Seen, answers: Option<&Sender<Vec<u8>>>) {
    let mut chunk = vec![0; 1 << 16];
    loop {
        let taken = reader.read(&mut chunk).unwrap_or(0);
        let mut state = seen.lock();
        if taken == 0 || state.let_go {
            state.ended = true;
            break;
        }
        state.raw.extend_from_slice(&chunk[..taken]);
        state.parser.process(&chunk[..taken]);
        for answer in questions(&mut state) {
            if let Some(answers) = answers {
                let _ = answers.send(answer);
            }
        }
        drop(state);
        seen.changed.notify_all();
    }
    drop(reader);
    seen.changed.notify_all();
}

/// What a terminal answers to the questions that are new in the output.
fn questions(state: &mut State) -> Vec<Vec<u8>> {
    let (new, rest) = bytes::tokens(&state.raw[state.asked..]);
    state.asked = state.raw.len() - rest;
    let (row, column) = state.parser.screen().cursor_position();
    let answer = |token: &Token| match token {
        Token::Csi { params, end, .. } => match (params.as_str(), *end) {
            ("" | "0", 'c') => Some("\x1b[?62;22c".to_owned()),
            ("?", 'u') => Some("\x1b[?0u".to_owned()),
            ("6", 'n') => Some(format!("\x1b[{};{}R", row + 1, column + 1)),
            _ => None,
        },
        Token::Osc(body) if body == "11;?" => Some("\x1b]11;rgb:1010/1010/1010\x1b\\".to_owned()),
        _ => None,
    };
    new.iter()
        .filter_map(answer)
        .map(String::into_bytes)
        .collect()
}

/// Never smaller than a wide character, which the screen model needs; the program sees the true size.
fn parser(columns: u16, rows: u16) -> vt100::Parser {
    vt100::Parser::new(rows.max(2), columns.max(4), 0)
}

/// A screen's text, without spaces at the ends of lines: a blank may be written or erased.
pub fn text(screen: &vt100::Screen) -> String {
    let contents = screen.contents();
    let lines: Vec<&str> = contents.lines().map(str::trim_end).collect();
    lines.join("\n")
}

/// The first cell of `text`: row and column from 0.
pub fn find(screen: &vt100::Screen, text: &str) -> Option<(u16, u16)> {
    let (rows, columns) = screen.size();
    for row in 0..rows {
        let mut line = String::new();
        let mut starts = Vec::new();
        for column in 0..columns {
            let cell = screen.cell(row, column)?;
            if cell.is_wide_continuation() {
                continue;
            }
            starts.push((line.len(), column));
            line.push_str(if cell.has_contents() {
                cell.contents()
            } else {
                " "
            });
        }
        if let Some(at) = line.find(text) {
            let cell = starts.iter().rev().find(|(start, _)| *start <= at);
            return cell.map(|(_, column)| (row, *column));
        }
    }
    None
}

/// A screen's text for a message.
pub fn framed(text: &str) -> String {
    text.lines().fold(String::new(), |mut out, line| {
        let _ = writeln!(out, "| {line}");
        out
    })
}

//! Where results go: stdout through one buffer, with or without colour. Each stream is judged by
//! itself, so that a result in a pipe stays plain though stderr is a terminal.

use std::env;
use std::fmt::Write as _;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use serde::Serialize;

use crate::base::display;
use crate::cli::args::When;

/// Bytes gathered before a write: a long list should not cost a system call a line.
const BUFFER: usize = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stream {
    Out,
    Err,
}

/// Whether one stream is coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(bool);

impl Colour {
    /// As asked for; by itself only on a terminal that knows colours, unless `NO_COLOR` is set and
    /// not empty.
    pub fn of(stream: Stream, when: When) -> Self {
        Self(match when {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal(stream) && wants_colour(),
        })
    }

    pub fn is_on(self) -> bool {
        self.0
    }

    /// `text` in a style, if there is colour. `text` is safe for a terminal already.
    pub fn paint(self, style: Style, text: &str) -> String {
        match style.sequence().filter(|_| self.0 && !text.is_empty()) {
            Some(sequence) => format!("\x1b[{sequence}m{text}\x1b[0m"),
            None => text.to_string(),
        }
    }
}

fn is_terminal(stream: Stream) -> bool {
    match stream {
        Stream::Out => io::stdout().is_terminal(),
        Stream::Err => io::stderr().is_terminal(),
    }
}

fn wants_colour() -> bool {
    let set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let terminal = env::var_os("TERM").unwrap_or_default();
    !set("NO_COLOR") && !terminal.is_empty() && terminal != "dumb"
}

/// What a piece of text is, by role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    Text,
    Dim,
    Bold,
    /// The characters that a search hit.
    Match,
    Ok,
    Warning,
    Error,
    User,
    Feedback,
    Project,
    Reference,
}

impl Style {
    /// One of the terminal's own colours, or none.
    fn sequence(self) -> Option<&'static str> {
        match self {
            Self::Text => None,
            Self::Dim => Some("2"),
            Self::Bold => Some("1"),
            Self::Match => Some("1;4"),
            Self::Ok => Some("32"),
            Self::Warning | Self::Project => Some("33"),
            Self::Error => Some("31"),
            Self::User => Some("35"),
            Self::Feedback => Some("36"),
            Self::Reference => Some("34"),
        }
    }
}

/// How lines for people are made.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    pub colour: Colour,
    /// Cells of a line; `None` when no terminal reads along and nothing is cut.
    pub cells: Option<usize>,
}

/// Stdout, buffered.
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    pub look: Look,
}

impl Output {
    pub fn new(when: When) -> Self {
        let terminal = is_terminal(Stream::Out);
        Self {
            out: BufWriter::with_capacity(BUFFER, io::stdout().lock()),
            look: Look {
                colour: Colour::of(Stream::Out, when),
                cells: terminal
                    .then(|| crossterm::terminal::size().ok())
                    .flatten()
                    .map(|(columns, _)| usize::from(columns))
                    .filter(|columns| *columns > 0),
            },
        }
    }

    /// One line of text that is safe already.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.trim_end_matches(' ').as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// One JSON document on a line of its own.
    pub fn json(&mut self, document: &impl Serialize) -> io::Result<()> {
        if self.look.cells.is_some() {
            self.json_part(&serde_json::to_vec(document)?)?;
        } else {
            serde_json::to_writer(&mut self.out, document)?;
        }
        self.out.write_all(b"\n")
    }

    /// A part of a JSON document. A terminal gets what it would hide or obey as `\u` escapes, which
    /// mean the same.
    pub fn json_part(&mut self, json: &[u8]) -> io::Result<()> {
        let text = match self.look.cells {
            Some(_) => std::str::from_utf8(json).unwrap_or_default(),
            None => "",
        };
        if !text.chars().any(display::is_hidden) {
            return self.out.write_all(json);
        }
        self.out.write_all(escaped(text).as_bytes())
    }

    /// Writes out what is gathered. To be called at the end of every result: a drop would hide an
    /// error.
    pub fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// JSON with every hidden character as an escape. They only stand within its strings.
fn escaped(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if display::is_hidden(c) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
#[path = "output_tests.rs"]
mod tests;

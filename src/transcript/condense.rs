//! A line that is too long to be held, made short while it streams by: of each long text its beginning
//! stays, with the place in the file of the whole; once there is no room, the rest of every inner list is
//! left out. What comes out is JSON if what went in was.

use std::ops::Range;

use memchr::memchr2;

use crate::config::limits::{LINE_BYTES, TEXT_HEAD_BYTES};

/// A text of which only the beginning is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Where it begins in the short line.
    pub at: usize,
    /// Where its closing quote stands in the short line.
    pub end: usize,
    /// Where the whole of it stands in the file, without its quotes.
    pub range: Range<u64>,
}

/// A list, or an object, of which the rest is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// Where its closing bracket stands in the short line, and in the file.
    pub at: usize,
    pub place: u64,
    /// How many items or members are missing.
    pub items: u64,
}

/// What is open at most. Nothing real nests so deep.
const DEPTH: usize = 1_024;

#[derive(Debug, Default)]
pub struct Condenser {
    pub out: Vec<u8>,
    pub cuts: Vec<Cut>,
    /// Where items of lists were left out, in their order.
    pub gaps: Vec<Gap>,
    /// Of each bracket that is open, whether it is a list's.
    open: Vec<bool>,
    /// Items that were left out of the list whose rest is.
    missing: u64,
    text: Option<InText>,
    /// As many brackets were open where the rest of a list began to be left out.
    leaving_out: Option<usize>,
    is_hopeless: bool,
}

#[derive(Debug)]
struct InText {
    begin: u64,
    at: usize,
    is_full: bool,
    is_escaped: bool,
}

impl Condenser {
    pub fn clear(&mut self) {
        self.out.clear();
        self.cuts.clear();
        self.gaps.clear();
        self.open.clear();
        *self = Self {
            out: std::mem::take(&mut self.out),
            cuts: std::mem::take(&mut self.cuts),
            gaps: std::mem::take(&mut self.gaps),
            open: std::mem::take(&mut self.open),
            ..Self::default()
        };
    }

    /// Takes the next piece of the line, which stands at `from` in the file.
    pub fn feed(&mut self, piece: &[u8], from: u64) {
        let mut at = 0;
        while at < piece.len() && !self.is_hopeless {
            at += match self.text.take() {
                Some(text) => self.in_text(text, &piece[at..], from + at as u64),
                None => self.between(piece[at], from + at as u64),
            };
        }
    }

    /// Within a text: how many bytes were taken.
    fn in_text(&mut self, mut text: InText, rest: &[u8], from: u64) -> usize {
        if text.is_escaped {
            text.is_escaped = false;
            self.keep(&mut text, &rest[..1]);
            self.text = Some(text);
            return 1;
        }
        let found = memchr2(b'"', b'\\', rest);
        self.keep(&mut text, &rest[..found.unwrap_or(rest.len())]);
        let Some(found) = found else {
            self.text = Some(text);
            return rest.len();
        };
        if rest[found] == b'"' {
            self.end_text(&text, from + found as u64);
        } else {
            // An escape is kept whole or not at all: there has to be room for the longest.
            text.is_full |= self.out.len() - text.at + 6 > TEXT_HEAD_BYTES;
            text.is_escaped = true;
            self.keep(&mut text, b"\\");
            self.text = Some(text);
        }
        found + 1
    }

    fn keep(&mut self, text: &mut InText, bytes: &[u8]) {
        if text.is_full || self.leaving_out.is_some() {
            return;
        }
        let room = TEXT_HEAD_BYTES - (self.out.len() - text.at);
        text.is_full = bytes.len() > room;
        self.put(&bytes[..bytes.len().min(room)]);
    }

    fn end_text(&mut self, text: &InText, end: u64) {
        if self.leaving_out.is_some() {
            return;
        }
        if text.is_full {
            let head = &self.out[text.at..];
            if let Err(error) = std::str::from_utf8(head)
                && error.error_len().is_none()
            {
                // A character that was cut.
                self.out.truncate(text.at + error.valid_up_to());
            }
            self.cuts.push(Cut {
                at: text.at,
                end: self.out.len(),
                range: text.begin..end,
            });
        }
        self.put(b"\"");
    }

    fn between(&mut self, byte: u8, from: u64) -> usize {
        match byte {
            b'"' => {
                if self.leaving_out.is_none() {
                    self.put(b"\"");
                }
                self.text = Some(InText {
                    begin: from + 1,
                    at: self.out.len(),
                    is_full: false,
                    is_escaped: false,
                });
                return 1;
            }
            b'{' | b'[' => {
                self.open.push(byte == b'[');
                self.is_hopeless |= self.open.len() > DEPTH;
            }
            b'}' | b']' => {
                if self.leaving_out == Some(self.open.len()) {
                    self.leaving_out = None;
                    self.gaps.push(Gap {
                        at: self.out.len(),
                        place: from,
                        items: self.missing,
                    });
                }
                self.open.pop();
            }
            b',' if self.leaving_out.is_some() => {
                self.missing += u64::from(self.leaving_out == Some(self.open.len()));
            }
            // An item stays whole as long as there is room for the rest of it.
            b',' if self.open.len() > 1 => {
                let is_list = self.open.last() == Some(&true);
                let room = if is_list {
                    LINE_BYTES / 2
                } else {
                    LINE_BYTES / 4 * 3
                };
                if self.out.len() > room {
                    self.leaving_out = Some(self.open.len());
                    self.missing = 1;
                }
            }
            _ => {}
        }
        if self.leaving_out.is_none() {
            self.put(&[byte]);
        }
        1
    }

    fn put(&mut self, bytes: &[u8]) {
        self.is_hopeless |= self.out.len() + bytes.len() > LINE_BYTES;
        if !self.is_hopeless {
            self.out.extend_from_slice(bytes);
        }
    }
}

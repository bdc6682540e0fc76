//! A text as the reference client tidies it before it sends it: front matter off, block comments off,
//! the rest trimmed; and back from a byte of what is left to the line of the file. Knows nothing of
//! what the text is about.

use std::ops::Range;

use crate::base::{front_matter, markdown};

/// The bytes that stay: without front matter and block comments.
#[must_use]
pub fn kept_pieces(text: &str) -> Vec<Range<usize>> {
    let body = front_matter::read(text).block.map_or(0, |block| block.end);
    let mut pieces = Vec::new();
    let mut at = body;
    for comment in markdown::marks(&text[body..]).comments {
        pieces.push(at..body + comment.start);
        at = body + comment.end;
    }
    pieces.push(at..text.len());
    pieces
}

/// Trims what the client's language calls white space: U+FEFF too, U+0085 not.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(|c: char| c == '\u{FEFF}' || (c.is_whitespace() && c != '\u{85}'))
}

/// The byte of the file that a byte of the joined pieces came from.
#[must_use]
pub fn origin(pieces: &[Range<usize>], mut at: usize) -> usize {
    for piece in pieces {
        if at < piece.len() {
            return piece.start + at;
        }
        at -= piece.len();
    }
    pieces.last().map_or(0, |piece| piece.end)
}

/// The line of the file, from 1, that a byte stands on.
#[must_use]
pub fn line_of(text: &str, at: usize) -> usize {
    memchr::memchr_iter(b'\n', &text.as_bytes()[..at]).count() + 1
}

//! A text of a transcript, of which no more is held than a person reads at once; the rest is read from
//! the file when it is asked for.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;

use crate::base::json::reader::{Text, unescaped};
use crate::config::limits::{PIECE_BYTES, TEXT_BYTES};
use crate::transcript::lines::Line;
use crate::transcript::source::Source;

/// A text, or its beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Piece {
    /// What is held of it.
    pub text: String,
    /// Its bytes as it stands in the file.
    pub bytes: u64,
    /// Where the whole of it stands in the file, if that is more than `text`.
    pub whole: Option<Range<u64>>,
    /// The same for a part of a line that is shown as it stands there.
    pub raw: Option<Range<u64>>,
}

impl Piece {
    /// A text of a line.
    #[must_use]
    pub fn of(line: &Line<'_>, text: Text<'_>) -> Self {
        let bytes = line.length(text);
        let cut = line.cut(text);
        if cut.is_none() && text.raw.len() <= PIECE_BYTES {
            return Self {
                text: text.read().into_owned(),
                bytes,
                ..Self::default()
            };
        }
        // Only a text that is longer than what a long line holds of it comes here uncut: its line is whole.
        let begin = line.range.start + text.at as u64;
        let range = cut.unwrap_or(begin..begin + text.raw.len() as u64);
        let head = &text.raw[..text.raw.len().min(PIECE_BYTES)];
        Self {
            text: beginning(head),
            bytes,
            whole: Some(range),
            raw: None,
        }
    }

    /// Part of a line as it stands there.
    #[must_use]
    pub fn raw(line: &Line<'_>, range: Range<usize>) -> Self {
        let place = line.place(range.start)..line.place(range.end);
        let all = line.bytes.get(range).unwrap_or_default();
        let head = &all[..all.len().min(PIECE_BYTES)];
        let mut text = String::from_utf8_lossy(head).trim_start().to_string();
        let is_cut = head.len() < all.len() || place.end - place.start > all.len() as u64;
        if is_cut {
            text.push('…');
        }
        Self {
            text,
            bytes: place.end - place.start,
            whole: None,
            raw: is_cut.then_some(place),
        }
    }

    /// All of it, as far as [`TEXT_BYTES`] go; a longer one ends with the bytes that are missing.
    ///
    /// # Errors
    /// As the system says.
    pub fn read(&self, source: &(impl Source + ?Sized)) -> io::Result<String> {
        let Some(range) = self.whole.as_ref().or(self.raw.as_ref()) else {
            return Ok(self.text.clone());
        };
        let said = |bytes: &[u8]| match self.raw {
            Some(_) => String::from_utf8_lossy(bytes).trim_start().to_string(),
            None => unescaped(bytes).into_owned(),
        };
        let length = range.end - range.start;
        let count = usize::try_from(length).unwrap_or(usize::MAX);
        let mut bytes = vec![0; count.min(TEXT_BYTES)];
        let filled = source.fill_at(&mut bytes, range.start)?;
        bytes.truncate(filled);
        if length <= filled as u64 {
            return Ok(said(&bytes));
        }
        let mut text = whole_beginning(said(&bytes));
        let _ = write!(text, "… [{} bytes more]", length - filled as u64);
        Ok(text)
    }
}

/// The beginning of a text that is cut off, without a character or an escape of which a part is missing.
fn beginning(raw: &[u8]) -> String {
    whole_beginning(unescaped(raw).into_owned())
}

fn whole_beginning(mut text: String) -> String {
    text.truncate(text.trim_end_matches(char::REPLACEMENT_CHARACTER).len());
    text
}

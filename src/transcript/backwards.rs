//! The end of a transcript, read from the end: where its last boundary stands, and the lines before a
//! place, the nearest first. So much is read as lies between, however large the file.

use std::io;
use std::ops::Range;

use memchr::memmem;

use super::entry::Entry;
use super::lines::Lines;
use super::source::Source;
use crate::config::limits::READ_BYTES;

/// The word that every boundary holds, and lines that speak of one.
const BOUNDARY: &[u8] = b"compact_boundary";

/// The line of the last boundary that begins before `end`.
///
/// # Errors
/// As the system says.
pub fn last_boundary<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Option<Range<u64>>> {
    let mut to = end;
    let mut piece = Vec::new();
    while to > 0 {
        // Two pieces overlap, so that no word is parted.
        let from = to.saturating_sub(READ_BYTES as u64);
        let until = end.min(to + BOUNDARY.len() as u64 - 1);
        fill(&mut piece, source, from..until)?;
        to = match memmem::rfind(&piece, BOUNDARY) {
            None => from,
            Some(found) => {
                let line = line_around(source, from + found as u64)?;
                let mut lines = Lines::new(source, line..end);
                if let Some(line) = lines.next_line()?
                    && Entry::of_line(line.bytes).is_ok_and(|entry| entry.is_boundary())
                {
                    return Ok(Some(line.range));
                }
                // However often the line says the word: it is none.
                line
            }
        };
    }
    Ok(None)
}

/// Where the line begins that this byte belongs to.
fn line_around<S: Source + ?Sized>(source: &S, at: u64) -> io::Result<u64> {
    let mut to = at;
    let mut piece = Vec::new();
    while to > 0 {
        let from = to.saturating_sub(READ_BYTES as u64 / 4);
        fill(&mut piece, source, from..to)?;
        if let Some(found) = memchr::memrchr(b'\n', &piece) {
            return Ok(from + found as u64 + 1);
        }
        to = from;
    }
    Ok(0)
}

fn fill<S: Source + ?Sized>(piece: &mut Vec<u8>, source: &S, range: Range<u64>) -> io::Result<()> {
    let count = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
    piece.resize(count, 0);
    let filled = source.fill_at(piece, range.start)?;
    piece.truncate(filled);
    Ok(())
}

/// The lines before a place, the nearest first.
pub struct Backwards<'s, S: Source + ?Sized> {
    source: &'s S,
    /// Where the line begins that was handed out last.
    at: u64,
    piece: Vec<u8>,
    /// Where the piece stands in the file.
    from: u64,
}

impl<'s, S: Source + ?Sized> Backwards<'s, S> {
    /// `at` is the beginning of a line.
    pub fn new(source: &'s S, at: u64) -> Self {
        Self {
            source,
            at,
            piece: Vec::new(),
            from: at.saturating_sub(1),
        }
    }

    /// Where the line before stands, without its line feed; `None` at the beginning of the file.
    ///
    /// # Errors
    /// As the system says.
    pub fn line_before(&mut self) -> io::Result<Option<Range<u64>>> {
        let Some(end) = self.at.checked_sub(1) else {
            return Ok(None);
        };
        let mut to = end;
        loop {
            let held = usize::try_from(to.saturating_sub(self.from)).unwrap_or(usize::MAX);
            let held = &self.piece[..held.min(self.piece.len())];
            if let Some(found) = memchr::memrchr(b'\n', held) {
                self.at = self.from + found as u64 + 1;
                return Ok(Some(self.at..end));
            }
            if self.from == 0 {
                self.at = 0;
                return Ok(Some(0..end));
            }
            to = self.from;
            self.from = to.saturating_sub(READ_BYTES as u64);
            fill(&mut self.piece, self.source, self.from..to)?;
        }
    }
}

/// The numbers of the lines that begin at these places, counted from 1. The places are in order.
///
/// # Errors
/// As the system says.
pub fn line_numbers<S: Source + ?Sized>(source: &S, places: &[u64]) -> io::Result<Vec<u64>> {
    let (mut number, mut from, mut piece) = (1, 0, Vec::new());
    let mut numbers = Vec::with_capacity(places.len());
    for at in places.iter().copied() {
        while from < at {
            let to = at.min(from + READ_BYTES as u64);
            fill(&mut piece, source, from..to)?;
            number += memchr::memchr_iter(b'\n', &piece).count() as u64;
            from = to;
        }
        numbers.push(number);
    }
    Ok(numbers)
}

#[cfg(test)]
#[path = "backwards_tests.rs"]
mod tests;

//! The lines of a transcript, one after the other, in memory that does not grow with them: a line that
//! is too long is handed out with its long texts cut, each with the place of the whole. Lines end at a
//! line feed and nothing else; a line's byte range is its identity.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;
use std::ops::Range;

use memchr::memchr;

use super::condense::{Condenser, Cut, Gap};
use super::source::Source;
use crate::base::json::reader::{Text, unescaped};
use crate::config::limits::{LINE_BYTES, READ_BYTES, TEXT_BYTES};

const BOM: &[u8] = b"\xEF\xBB\xBF";

/// One line, without its line feed.
#[derive(Debug, Clone)]
pub struct Line<'a> {
    /// Where it stands in the file, in bytes.
    pub range: Range<u64>,
    /// The line itself, or what is held of it.
    pub bytes: &'a [u8],
    /// The texts in it that are cut, in their order.
    pub cuts: &'a [Cut],
    /// Where items of inner lists were left out, in their order.
    pub gaps: &'a [Gap],
    /// Whether a line feed ends it. The last line of a file that is being written may have none.
    pub is_ended: bool,
}

impl Line<'_> {
    /// Whether items of inner lists were left out.
    #[must_use]
    pub fn is_thinned(&self) -> bool {
        !self.gaps.is_empty()
    }

    /// How many items are missing of the list whose closing bracket stands there.
    #[must_use]
    pub fn missing(&self, end: usize) -> u64 {
        let found = self.gaps.binary_search_by_key(&end, |gap| gap.at);
        found.map_or(0, |found| self.gaps[found].items)
    }

    /// Where a place of what is held stands in the file; it is not within a text that is cut.
    #[must_use]
    pub fn place(&self, at: usize) -> u64 {
        let cut = self.cuts.partition_point(|cut| cut.end <= at);
        let gap = self.gaps.partition_point(|gap| gap.at <= at);
        let cut = cut.checked_sub(1).map(|found| &self.cuts[found]);
        let gap = gap.checked_sub(1).map(|found| &self.gaps[found]);
        let anchors = [
            Some((0, self.range.start)),
            cut.map(|cut| (cut.end, cut.range.end)),
            gap.map(|gap| (gap.at, gap.place)),
        ];
        let nearest = anchors.into_iter().flatten().max();
        nearest.map_or(self.range.start, |(held, place)| place + (at - held) as u64)
    }

    /// Where the whole of a text stands in the file, if it is cut here.
    #[must_use]
    pub fn cut(&self, text: Text<'_>) -> Option<Range<u64>> {
        let found = self
            .cuts
            .binary_search_by_key(&text.at, |cut| cut.at)
            .ok()?;
        Some(self.cuts[found].range.clone())
    }

    /// The bytes of a text as it stands in the file.
    #[must_use]
    pub fn length(&self, text: Text<'_>) -> u64 {
        self.cut(text)
            .map_or(text.raw.len() as u64, |range| range.end - range.start)
    }

    /// What a text says, as far as [`TEXT_BYTES`] go; a longer one ends with the bytes that are missing.
    ///
    /// # Errors
    /// As the system says.
    pub fn read<'t>(
        &self,
        text: Text<'t>,
        source: &(impl Source + ?Sized),
    ) -> io::Result<Cow<'t, str>> {
        let Some(range) = self.cut(text) else {
            return Ok(text.read());
        };
        let length = range.end - range.start;
        let count = usize::try_from(length)
            .unwrap_or(usize::MAX)
            .min(TEXT_BYTES);
        let mut bytes = vec![0; count];
        let filled = source.fill_at(&mut bytes, range.start)?;
        bytes.truncate(filled);
        let mut whole = unescaped(&bytes).into_owned();
        if length > filled as u64 {
            // The last character may be cut.
            whole.truncate(whole.trim_end_matches(char::REPLACEMENT_CHARACTER).len());
            let _ = write!(whole, "… [{} bytes more]", length - filled as u64);
        }
        Ok(Cow::Owned(whole))
    }
}

/// Reads the lines between two places of a source. The first has to be the beginning of a line.
pub struct Lines<'s, S: Source + ?Sized> {
    source: &'s S,
    /// Where the next bytes are read from, and where reading ends.
    next: u64,
    end: u64,
    buffer: Vec<u8>,
    /// What of the buffer has not been handed out.
    rest: Range<usize>,
    short: Condenser,
}

impl<'s, S: Source + ?Sized> Lines<'s, S> {
    #[must_use]
    pub fn new(source: &'s S, range: Range<u64>) -> Self {
        Self {
            source,
            next: range.start,
            end: range.end,
            buffer: Vec::new(),
            rest: 0..0,
            short: Condenser::default(),
        }
    }

    /// Where the next line begins.
    #[must_use]
    pub fn at(&self) -> u64 {
        self.next - self.rest.len() as u64
    }

    /// Bytes of memory that it holds.
    #[must_use]
    pub fn held(&self) -> usize {
        self.buffer.capacity()
            + self.short.out.capacity()
            + self.short.cuts.capacity() * size_of::<Cut>()
            + self.short.gaps.capacity() * size_of::<Gap>()
    }

    /// The next line; `None` at the end. A byte order mark at the beginning of the file belongs to no line.
    ///
    /// # Errors
    /// As the system says.
    pub fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        let mut seen = 0;
        loop {
            if let Some(found) = memchr(b'\n', &self.buffer[self.rest.start + seen..self.rest.end])
            {
                return Ok(Some(self.hand_out(seen + found, true)));
            }
            seen = self.rest.len();
            if seen > LINE_BYTES {
                return self.hand_out_short().map(Some);
            }
            if !self.more()? {
                return Ok((seen > 0).then(|| self.hand_out(seen, false)));
            }
        }
    }

    /// Reads on behind what is left. `false`: there is no more.
    fn more(&mut self) -> io::Result<bool> {
        if self.rest.start > 0 {
            self.buffer.copy_within(self.rest.clone(), 0);
            self.rest = 0..self.rest.len();
        }
        let left = usize::try_from(self.end - self.next).unwrap_or(usize::MAX);
        let count = left.min(READ_BYTES);
        let to = self.rest.end + count;
        if self.buffer.len() < to {
            self.buffer.reserve_exact(to - self.buffer.len());
            self.buffer.resize(to, 0);
        }
        let read = self
            .source
            .fill_at(&mut self.buffer[self.rest.end..to], self.next)?;
        if read < count {
            // It has become shorter: what is there now is all there is.
            self.end = self.next + read as u64;
        }
        let is_first = self.next == 0;
        self.next += read as u64;
        self.rest.end += read;
        if is_first && self.buffer[self.rest.clone()].starts_with(BOM) {
            self.rest.start += BOM.len();
        }
        Ok(read > 0)
    }

    fn hand_out(&mut self, length: usize, is_ended: bool) -> Line<'_> {
        let begin = self.at();
        let held = self.rest.start..self.rest.start + length;
        self.rest.start = held.end + usize::from(is_ended);
        Line {
            range: begin..begin + length as u64,
            bytes: &self.buffer[held],
            cuts: &[],
            gaps: &[],
            is_ended,
        }
    }

    /// A line of which more than can be held is read already.
    fn hand_out_short(&mut self) -> io::Result<Line<'_>> {
        let begin = self.at();
        self.short.clear();
        let is_ended = loop {
            let at = self.at();
            let held = &self.buffer[self.rest.clone()];
            let found = memchr(b'\n', held);
            self.short.feed(&held[..found.unwrap_or(held.len())], at);
            match found {
                Some(found) => {
                    self.rest.start += found + 1;
                    break true;
                }
                None => self.rest.start = self.rest.end,
            }
            if !self.more()? {
                break false;
            }
        };
        Ok(Line {
            range: begin..self.at() - u64::from(is_ended),
            bytes: &self.short.out,
            cuts: &self.short.cuts,
            gaps: &self.short.gaps,
            is_ended,
        })
    }
}

#[cfg(test)]
#[path = "lines_tests.rs"]
mod tests;

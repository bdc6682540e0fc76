//! Where a page begins and ends: a screen or some of whole turns, or what lies between two boundaries.

use std::io;
use std::ops::Range;

use crate::config::limits::{SESSION_PAGE_BYTES, SESSION_PAGE_MESSAGES};
use crate::transcript::backwards::Backwards;
use crate::transcript::entry::{Entry, Kind};
use crate::transcript::lines::{Line, Lines};
use crate::transcript::message::Block;
use crate::transcript::source::Source;

/// As many times the bytes of a page: then it ends in the middle of a turn; and then with few messages.
const TURN_TIMES: u64 = 8;
const FEW_TIMES: u64 = 64;

/// What a line is for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    Boundary,
    Prompt,
    Message,
    Other,
}

fn mark(line: &Line<'_>) -> Mark {
    let Ok(entry) = Entry::of_line(line.bytes) else {
        return Mark::Other;
    };
    let is_text = |block: &Block<'_>| block.is_text();
    match entry.kind {
        _ if entry.is_boundary() => Mark::Boundary,
        Kind::User if !entry.is_meta && entry.message.blocks.iter().any(is_text) => Mark::Prompt,
        Kind::User | Kind::Assistant => Mark::Message,
        Kind::System | Kind::Attachment | Kind::Other => Mark::Other,
    }
}

/// How much of a page there is.
#[derive(Default)]
struct Size {
    bytes: u64,
    messages: usize,
}

impl Size {
    fn add(&mut self, range: &Range<u64>, mark: Mark) {
        self.bytes += range.end - range.start + 1;
        self.messages += usize::from(mark != Mark::Other);
    }

    /// Whether a page of that size ends at a line of that kind.
    fn ends(&self, at: Mark) -> bool {
        let is_full = self.bytes >= SESSION_PAGE_BYTES && self.messages >= SESSION_PAGE_MESSAGES;
        (is_full && (at == Mark::Prompt || self.bytes >= SESSION_PAGE_BYTES * TURN_TIMES))
            || self.bytes >= SESSION_PAGE_BYTES * FEW_TIMES
    }
}

/// Where the page begins that ends at `to`, which is the end of a line or of the file.
pub fn begin<S: Source + ?Sized>(source: &S, to: u64) -> io::Result<u64> {
    let mut size = Size::default();
    let mut from = to;
    let mut before = Backwards::new(source, line_end(source, to)?);
    while let Some(range) = before.line_before()? {
        from = range.start;
        let mut lines = Lines::new(source, range.clone());
        let Some(line) = lines.next_line()? else {
            continue;
        };
        let mark = mark(&line);
        size.add(&range, mark);
        if mark == Mark::Boundary || size.ends(mark) {
            break;
        }
    }
    Ok(from)
}

/// The place behind the line feed of what ends at `to`; behind a line that has none it would stand there.
fn line_end<S: Source + ?Sized>(source: &S, to: u64) -> io::Result<u64> {
    let Some(last) = to.checked_sub(1) else {
        return Ok(0);
    };
    let mut byte = [0];
    let filled = source.fill_at(&mut byte, last)?;
    Ok(match filled == 1 && byte[0] != b'\n' {
        true => to + 1,
        false => to,
    })
}

/// Where the page ends that begins at `from`, before the end of the file.
pub fn end<S: Source + ?Sized>(source: &S, from: u64, end: u64) -> io::Result<u64> {
    let mut size = Size::default();
    let mut lines = Lines::new(source, from..end);
    loop {
        let at = lines.at();
        let Some(line) = lines.next_line()? else {
            return Ok(end);
        };
        let mark = mark(&line);
        if at > from && (mark == Mark::Boundary || size.ends(mark)) {
            return Ok(at);
        }
        size.add(&line.range, mark);
    }
}

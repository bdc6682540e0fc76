//! A text that grows at its end, laid out block by block: what stands before its last block can no longer
//! change and is not laid out again.

use pulldown_cmark::{Event, Parser};

use super::{Runs, lay_out, width};
use crate::base::markdown::options;

/// How far a growing text is laid out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Growing {
    /// Bytes before the last block of its whole lines, and the lines on the screen that they take.
    bytes: usize,
    lines: usize,
    /// The last of those lines is empty, or there is none.
    is_parted: bool,
}

/// What came to be of a text that grew.
#[derive(Debug, PartialEq, Eq)]
pub struct Grown {
    /// Lines from before that stay.
    pub keep: usize,
    /// Those behind them.
    pub lines: Vec<Runs>,
    /// Blocks that were laid out for it.
    pub blocks: usize,
}

impl Growing {
    /// Lays out what may differ from the last time: `text` is the one of then, longer by some.
    #[must_use]
    pub fn grow(&mut self, text: &str, cells: usize) -> Grown {
        let rest = text.get(self.bytes..).unwrap_or_default();
        let begins = blocks(rest);
        // What the last line is shows when it is whole: until then it may end a block, or not.
        let whole = match begins.len() {
            0 | 1 => None,
            _ => blocks(&rest[..rest.rfind('\n').map_or(0, |at| at + 1)]).pop(),
        };
        let keep = self.lines;
        let mut lines: Vec<Runs> = Vec::new();
        let (first, mut is_parted) = (self.bytes, keep == 0 || self.is_parted);
        for (at, begin) in begins.iter().enumerate() {
            if Some(*begin) == whole {
                self.bytes = first + begin;
                self.lines = keep + lines.len();
                self.is_parted = is_parted;
            }
            let end = begins.get(at + 1).copied().unwrap_or(rest.len());
            let laid = lay_out(&rest[*begin..end], None, cells);
            if laid.is_empty() {
                continue;
            }
            if !is_parted {
                lines.push(Runs::new());
            }
            lines.extend(laid);
            is_parted = lines.last().is_none_or(|line| width(line) == 0);
        }
        Grown {
            keep,
            lines,
            blocks: begins.len(),
        }
    }
}

/// Where the blocks of a text begin that stand in no other: bytes, each at the start of a line.
fn blocks(text: &str) -> Vec<usize> {
    let mut begins = Vec::new();
    let mut depth = 0_usize;
    for (event, range) in Parser::new_ext(text, options()).into_offset_iter() {
        if depth == 0 && !matches!(event, Event::End(_)) {
            let line = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
            if begins.last() != Some(&line) {
                begins.push(line);
            }
        }
        match event {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    // What stands before the first of them makes no line, but may be about to.
    if let Some(first) = begins.first_mut() {
        *first = 0;
    }
    begins
}

#[cfg(test)]
#[path = "growing_tests.rs"]
mod tests;

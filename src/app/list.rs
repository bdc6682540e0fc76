//! A cursor in a list and the part of it that is in view. Counts rows; knows nothing of what they are.

use std::ops::Range;

/// Rows of context kept above and below the cursor.
const CONTEXT: usize = 3;

/// Which row is chosen and which is the first in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct List {
    pub cursor: usize,
    pub offset: usize,
}

impl List {
    /// Moves the cursor by so many rows; `false` if it was at that end already.
    pub fn step(&mut self, rows: isize, length: usize) -> bool {
        let last = length.saturating_sub(1);
        let to = self.cursor.saturating_add_signed(rows).min(last);
        let moved = to != self.cursor;
        self.cursor = to;
        moved
    }

    /// Puts the cursor on the row or the last one.
    pub fn go(&mut self, row: usize, length: usize) -> bool {
        let to = row.min(length.saturating_sub(1));
        let moved = to != self.cursor;
        self.cursor = to;
        moved
    }

    /// Scrolls the view by so many rows and takes the cursor along where it would leave it.
    pub fn scroll(&mut self, rows: isize, length: usize, height: usize) -> bool {
        let most = length.saturating_sub(height);
        let offset = self.offset.saturating_add_signed(rows).min(most);
        let moved = offset != self.offset;
        self.offset = offset;
        let steady = self.steady(length, height);
        self.cursor = self.cursor.clamp(steady.start, steady.end - 1);
        moved
    }

    /// The rows on which the cursor can stand while the view stays as it is; never none.
    #[must_use]
    pub fn steady(&self, length: usize, height: usize) -> Range<usize> {
        let context = CONTEXT.min(height.saturating_sub(1) / 2);
        let first = match self.offset {
            0 => 0,
            offset => offset + context,
        };
        let last = match self.offset >= length.saturating_sub(height) {
            true => length.saturating_sub(1),
            false => (self.offset + height).saturating_sub(1 + context),
        };
        first..last.max(first) + 1
    }

    /// Brings cursor and view into bounds, with context round the cursor.
    pub fn settle(&mut self, length: usize, height: usize) {
        self.cursor = self.cursor.min(length.saturating_sub(1));
        let context = CONTEXT.min(height.saturating_sub(1) / 2);
        let lowest = (self.cursor + context + 1).saturating_sub(height);
        let highest = self.cursor.saturating_sub(context);
        self.offset = self
            .offset
            .max(lowest)
            .min(highest)
            .min(length.saturating_sub(height));
    }
}

#[cfg(test)]
#[path = "list_tests.rs"]
mod tests;

//! Where the text lies on the screen: the rows that lines are wrapped into, and the way between a
//! character and its place.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::{Body, Row, shown};
use crate::base::text;

/// The rows of a line, and what they were made from.
#[derive(Debug, Clone)]
pub(super) struct Wrapped {
    line: usize,
    revision: u64,
    cells: usize,
    parts: Rc<[Range<usize>]>,
}

impl Body {
    /// The row of the cursor and its cells from the left.
    #[must_use]
    pub fn place(&self) -> (Row, usize) {
        let (line, column) = self.cursor();
        let raw = &self.lines()[line];
        let upto = raw
            .char_indices()
            .nth(column)
            .map_or(raw.len(), |(at, _)| at);
        let shown = shown(raw);
        let at = match &shown {
            Cow::Borrowed(_) => upto,
            Cow::Owned(_) => self::shown(&raw[..upto]).len(),
        };
        let parts = self.parts(line);
        let part = parts.partition_point(|part| part.start <= at).max(1) - 1;
        let range = &parts[part];
        let end = shown.floor_char_boundary(at.min(range.end));
        let x = text::width(&shown[range.start..end.max(range.start)]);
        (Row { line, part }, x)
    }

    /// A click: puts the cursor on the row of the view, at so many cells.
    pub fn point(&mut self, down: usize, x: usize) {
        let mut row = self.top;
        for _ in 0..down {
            match self.after(row) {
                Some(next) => row = next,
                None => break,
            }
        }
        let column = self.column_at(row, x);
        self.go(row.line, column);
        self.goal = None;
    }

    /// The character of a line that stands at so many cells of a row of it.
    pub(super) fn column_at(&self, row: Row, cells: usize) -> usize {
        let raw = &self.lines()[row.line];
        let shown = shown(raw);
        let parts = self.parts(row.line);
        let range = parts.get(row.part).cloned().unwrap_or(0..0);
        let at = range.start + text::head(&shown[range.clone()], cells).len();
        // The end of a row that goes on is the start of the next: one before it is on this one.
        let goes_on = row.part + 1 < parts.len();
        let at = if goes_on && at >= range.end && parts[row.part + 1].start == at {
            shown[..at]
                .char_indices()
                .next_back()
                .map_or(at, |(at, _)| at)
        } else {
            at
        };
        match &shown {
            Cow::Borrowed(_) => raw[..raw.floor_char_boundary(at)].chars().count(),
            Cow::Owned(_) => {
                let ends: Vec<usize> = raw.char_indices().map(|(at, _)| at).collect();
                ends.partition_point(|end| self::shown(&raw[..*end]).len() <= at)
                    .saturating_sub(1)
                    + usize::from(self::shown(raw).len() <= at)
            }
        }
    }

    /// The rows that a line is wrapped into, as bytes of how it is shown.
    #[must_use]
    pub fn parts(&self, line: usize) -> Rc<[Range<usize>]> {
        let (revision, cells) = (self.revision, self.cells);
        let mut wrapped = self.wrapped.borrow_mut();
        match &*wrapped {
            Some(it) if (it.line, it.revision, it.cells) == (line, revision, cells) => {
                Rc::clone(&it.parts)
            }
            Some(_) | None => {
                let raw = self.lines().get(line).map_or("", String::as_str);
                let parts: Rc<[Range<usize>]> = text::wrap(&shown(raw), cells).into();
                *wrapped = Some(Wrapped {
                    line,
                    revision,
                    cells,
                    parts: Rc::clone(&parts),
                });
                parts
            }
        }
    }

    pub(super) fn after(&self, row: Row) -> Option<Row> {
        if row.part + 1 < self.parts(row.line).len() {
            return Some(Row {
                part: row.part + 1,
                ..row
            });
        }
        (row.line + 1 < self.lines().len()).then_some(Row {
            line: row.line + 1,
            part: 0,
        })
    }

    pub(super) fn before(&self, row: Row) -> Option<Row> {
        if row.part > 0 {
            return Some(Row {
                part: row.part - 1,
                ..row
            });
        }
        let line = row.line.checked_sub(1)?;
        Some(Row {
            line,
            part: self.parts(line).len() - 1,
        })
    }
}

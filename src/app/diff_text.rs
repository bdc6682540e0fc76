//! The text of a diff as a box shows it: each line wrapped to the box, so that all of it can be read. It is
//! wrapped once for a width; what is drawn of it is what is in view.

use crate::app::list::List;
use crate::base::{display, text};

/// A diff and its rows.
#[derive(Debug, Clone, Default)]
pub struct DiffText {
    /// Foreign text as it is.
    lines: Vec<String>,
    /// What the rows were made for; 0: they were not made yet.
    cells: usize,
    rows: Vec<DiffRow>,
}

/// A row of a line, safe for display.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffRow {
    /// The line that it is of.
    pub line: usize,
    pub text: String,
}

impl DiffText {
    #[must_use]
    pub fn new(lines: Vec<String>) -> Self {
        Self {
            lines,
            ..Self::default()
        }
    }

    #[must_use]
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    #[must_use]
    pub fn rows(&self) -> &[DiffRow] {
        &self.rows
    }

    /// How many rows it has; as long as nobody knows how wide they are, how many lines.
    #[must_use]
    pub fn length(&self) -> usize {
        match self.cells {
            0 => self.lines.len(),
            _ => self.rows.len(),
        }
    }

    /// Wraps it to so many cells. The line that was the first in view stays that.
    pub fn fit(&mut self, cells: usize, list: &mut List) {
        let cells = cells.max(1);
        if cells == self.cells {
            return;
        }
        let first = self.rows.get(list.offset).map(|row| row.line);
        let lines = self.lines.iter().enumerate();
        self.rows = lines
            .flat_map(|(line, raw)| {
                let rows = wrapped(raw, cells).into_iter();
                rows.map(move |text| DiffRow { line, text })
            })
            .collect();
        self.cells = cells;
        if let Some(first) = first {
            list.offset = self.rows.partition_point(|row| row.line < first);
            list.cursor = list.offset;
        }
    }
}

/// The rows of one line: those that go on stand below its text, not below its sign.
fn wrapped(raw: &str, cells: usize) -> Vec<String> {
    let safe = display::line(&display::untab(raw)).into_owned();
    if text::width(&safe) <= cells {
        return vec![safe];
    }
    let sign = usize::from(safe.starts_with(['+', '-', ' ']));
    let (sign, said) = safe.split_at(sign);
    let rows = text::wrap(said, cells.saturating_sub(1));
    let rows = rows.into_iter().enumerate().map(|(at, range)| {
        let before = if at == 0 { sign } else { " " };
        format!("{before}{}", &said[range])
    });
    rows.collect()
}

#[cfg(test)]
#[path = "diff_text_tests.rs"]
mod tests;

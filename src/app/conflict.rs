//! A conflict that a person settles: mine and theirs of a file that both changed in the same lines,
//! hunk by hunk, as lines that are moved through.

use crate::app::diff_text::DiffText;
use crate::app::list::List;
use crate::app::tree::FileAt;
use crate::store::merge::{Hunk, ThreeWay};

#[derive(Debug, Clone)]
pub struct Merge {
    pub at: FileAt,
    pub three_way: ThreeWay,
    /// For each open hunk in order, what was chosen.
    pub sides: Vec<Option<Side>>,
    /// The rows of `text`.
    pub list: List,
    text: DiffText,
    /// What the lines of `text` are, in their order.
    lines: Vec<MergeLine>,
}

/// Whose lines of a hunk are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Mine,
    Theirs,
    /// Theirs, then mine.
    Both,
    Base,
}

/// What a line of a conflict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MergeLine {
    /// So many lines that both agree on.
    Agreed,
    /// Whose lines come next: its text is made where the keys are known.
    Head { hunk: usize, side: Side },
    /// A line of a side.
    Line { hunk: usize, side: Side },
}

impl MergeLine {
    /// The open hunk that it belongs to.
    #[must_use]
    pub fn hunk(self) -> Option<usize> {
        match self {
            Self::Agreed => None,
            Self::Head { hunk, .. } | Self::Line { hunk, .. } => Some(hunk),
        }
    }
}

impl Merge {
    #[must_use]
    pub fn new(at: FileAt, three_way: ThreeWay) -> Self {
        let (lines, texts): (Vec<_>, Vec<_>) = lines_of(&three_way).into_iter().unzip();
        let open = lines.iter().filter_map(|line| line.hunk()).max();
        let mut merge = Self {
            at,
            sides: vec![None; open.map_or(0, |last| last + 1)],
            three_way,
            list: List::default(),
            text: DiffText::new(texts),
            lines,
        };
        merge.go_to_hunk(0);
        merge
    }

    #[must_use]
    pub fn length(&self) -> usize {
        self.text.length()
    }

    /// A row that was wrapped, with what its line is.
    #[must_use]
    pub fn row(&self, at: usize) -> Option<(&str, MergeLine)> {
        let row = self.text.rows().get(at)?;
        Some((row.text.as_str(), self.lines[row.line]))
    }

    /// Wraps it to so many cells. The line under the cursor stays that.
    pub fn fit(&mut self, cells: usize) {
        let (line, was) = (self.line_at(self.list.cursor), self.text.rows().len());
        self.text.fit(cells, &mut self.list);
        if was != self.text.rows().len() {
            self.list.cursor = self.row_of(line);
        }
    }

    /// The open hunk under the cursor; between two it is the next one, after the last that one.
    #[must_use]
    pub fn chosen(&self) -> Option<usize> {
        let under = self.line_at(self.list.cursor).min(self.lines.len());
        let after = self.lines[under..].iter().find_map(|line| line.hunk());
        after.or(self.sides.len().checked_sub(1))
    }

    /// Chooses for the hunk under the cursor and goes on to the next that is undecided.
    pub fn choose(&mut self, side: Side) {
        let Some(chosen) = self.chosen() else { return };
        self.sides[chosen] = Some(side);
        let undecided = |hunk: &usize| self.sides[*hunk].is_none();
        let next = (chosen..self.sides.len()).find(undecided);
        if let Some(next) = next.or_else(|| (0..chosen).find(undecided)) {
            self.go_to_hunk(next);
        }
    }

    fn go_to_hunk(&mut self, hunk: usize) {
        let line = self.lines.iter().position(|line| line.hunk() == Some(hunk));
        self.list.cursor = self.row_of(line.unwrap_or(0));
    }

    /// As long as nobody knows how wide it is, a line is a row.
    fn line_at(&self, row: usize) -> usize {
        self.text.rows().get(row).map_or(row, |row| row.line)
    }

    fn row_of(&self, line: usize) -> usize {
        match self.text.rows() {
            [] => line,
            rows => rows.partition_point(|row| row.line < line),
        }
    }

    /// The merged bytes; `None` while a hunk is undecided.
    #[must_use]
    pub fn result(&self) -> Option<Vec<u8>> {
        let mut merged = Vec::new();
        let mut sides = self.sides.iter();
        for hunk in &self.three_way.hunks {
            match hunk {
                Hunk::Settled(bytes) => merged.extend_from_slice(bytes),
                Hunk::Open { base, mine, theirs } => match (*sides.next()?)? {
                    Side::Mine => merged.extend_from_slice(mine),
                    Side::Theirs => merged.extend_from_slice(theirs),
                    Side::Base => merged.extend_from_slice(base),
                    Side::Both => {
                        merged.extend_from_slice(theirs);
                        merged.extend_from_slice(mine);
                    }
                },
            }
        }
        Some(merged)
    }
}

/// What is settled is told by its number of lines, each open hunk is there whole.
fn lines_of(three_way: &ThreeWay) -> Vec<(MergeLine, String)> {
    let mut lines = Vec::new();
    let mut open = 0;
    for hunk in &three_way.hunks {
        match hunk {
            Hunk::Settled(bytes) => {
                let said = match String::from_utf8_lossy(bytes).lines().count() {
                    1 => "  … 1 line that both agree on".to_string(),
                    count => format!("  … {count} lines that both agree on"),
                };
                lines.push((MergeLine::Agreed, said));
            }
            Hunk::Open { base, mine, theirs } => {
                let hunk = open;
                open += 1;
                for (side, bytes) in [
                    (Side::Mine, mine),
                    (Side::Theirs, theirs),
                    (Side::Base, base),
                ] {
                    lines.push((MergeLine::Head { hunk, side }, String::new()));
                    let text = String::from_utf8_lossy(bytes);
                    let of_side = text
                        .lines()
                        .map(|line| (MergeLine::Line { hunk, side }, format!(" {line}")));
                    lines.extend(of_side);
                }
            }
        }
    }
    lines
}

#[cfg(test)]
#[path = "conflict_tests.rs"]
mod tests;

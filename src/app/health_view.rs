//! The Health view as a model: the findings of the current project, gathered by code, and what mends
//! them. Knows nothing of how they are found.

use std::path::{Path, PathBuf};

use crate::app::list::List;
use crate::app::tree::ShelfState;
use crate::base::{display, text};
use crate::health::{Code, Counts, Finding, Severity};

/// A row of the view. Numbers are positions in the findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthRow {
    /// Nothing to list: a sentence.
    None(&'static str),
    /// The findings of a code follow.
    Code {
        code: Code,
        severity: Severity,
        count: usize,
        fixes: usize,
    },
    Finding(usize),
    /// A part of the sentence of the finding above.
    Sentence(usize, String),
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct HealthView {
    rows: Vec<HealthRow>,
    findings: Vec<Finding>,
    /// The folder and the reading of it that the findings are of.
    source: Option<(PathBuf, u64)>,
    /// What is being examined: the id of the answer, and its source.
    awaited: Option<(u64, (PathBuf, u64))>,
    cells: usize,
    height: usize,
    pub list: List,
}

impl HealthView {
    #[must_use]
    pub fn rows(&self) -> &[HealthRow] {
        &self.rows
    }

    #[must_use]
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// How many there are of a folder, if it was examined.
    #[must_use]
    pub fn counts(&self, folder: &Path) -> Option<Counts> {
        let (of, _) = self.source.as_ref()?;
        (of == folder).then(|| Counts::of(&self.findings))
    }

    /// The finding under the cursor.
    #[must_use]
    pub fn finding(&self) -> Option<&Finding> {
        match self.rows.get(self.list.cursor)? {
            HealthRow::Finding(at) | HealthRow::Sentence(at, _) => self.findings.get(*at),
            HealthRow::None(_) | HealthRow::Code { .. } => None,
        }
    }

    /// The code under the cursor.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        match self.rows.get(self.list.cursor)? {
            HealthRow::Code { code, .. } => Some(*code),
            HealthRow::Finding(_) | HealthRow::Sentence(..) => self.finding().map(|it| it.code),
            HealthRow::None(_) => None,
        }
    }

    /// Whether a shelf must be examined for the view to be true; notes that it will be, as `id`.
    pub fn wants(&mut self, state: &ShelfState, id: u64) -> bool {
        let source = (state.shelf.folder.clone(), state.stamp);
        let awaited = self.awaited.as_ref().map(|(_, source)| source);
        if self.source.as_ref() == Some(&source) || awaited == Some(&source) {
            return false;
        }
        let is_other = self.source.as_ref().is_none_or(|(of, _)| *of != source.0);
        if is_other {
            self.source = None;
            self.findings.clear();
            self.list = List::default();
            self.rows = vec![HealthRow::None("looking …")];
        }
        self.awaited = Some((id, source));
        true
    }

    /// Takes what was found; an answer that is not awaited is dropped.
    pub fn take(&mut self, id: u64, findings: Vec<Finding>) {
        let Some((_, source)) = self.awaited.take_if(|(awaited, _)| *awaited == id) else {
            return;
        };
        let chosen = self.finding().cloned();
        self.source = Some(source);
        self.findings = findings;
        self.build();
        // The cursor stays on its finding, else near where it was.
        let at = chosen.and_then(|chosen| {
            self.rows.iter().position(|row| {
                matches!(row, HealthRow::Finding(at) if self.findings[*at].code == chosen.code
                    && self.findings[*at].path == chosen.path && self.findings[*at].line == chosen.line)
            })
        });
        let to = at.unwrap_or(self.list.cursor);
        self.list.go(to, self.rows.len());
        self.step(0);
    }

    /// Wraps sentences anew at another width.
    pub fn turn_to(&mut self, cells: usize) {
        if self.cells != cells {
            self.cells = cells;
            if self.source.is_some() {
                self.build();
            }
        }
    }

    fn build(&mut self) {
        self.rows.clear();
        if self.findings.is_empty() {
            let well = "Nothing found: all is well here.";
            self.rows.push(HealthRow::None(well));
        }
        let mut at = 0;
        let same = |a: &Finding, b: &Finding| (a.code, a.severity) == (b.code, b.severity);
        for group in self.findings.chunk_by(same) {
            self.rows.push(HealthRow::Code {
                code: group[0].code,
                severity: group[0].severity,
                count: group.len(),
                fixes: group.iter().filter(|one| one.fix.is_some()).count(),
            });
            for finding in group {
                self.rows.push(HealthRow::Finding(at));
                let safe = display::line(&finding.message).into_owned();
                let pieces = text::wrap(&safe, self.cells.saturating_sub(6).max(10));
                let pieces = pieces.into_iter().map(|piece| safe[piece].to_string());
                self.rows
                    .extend(pieces.map(|piece| HealthRow::Sentence(at, piece)));
                at += 1;
            }
        }
    }

    /// Moves by so many findings and codes; `false` if it was at that end.
    pub fn step(&mut self, by: isize) -> bool {
        let is_stop = |row: &HealthRow| !matches!(row, HealthRow::Sentence(..));
        let stops: Vec<usize> = (0..self.rows.len())
            .filter(|at| is_stop(&self.rows[*at]))
            .collect();
        let here = stops
            .partition_point(|at| *at <= self.list.cursor)
            .saturating_sub(1);
        let to = here
            .saturating_add_signed(by)
            .min(stops.len().saturating_sub(1));
        let Some(row) = stops.get(to) else {
            return false;
        };
        let moved = *row != self.list.cursor;
        self.list.cursor = *row;
        moved
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height;
        self.list.settle(self.rows.len(), height);
    }
}

#[cfg(test)]
#[path = "health_view_tests.rs"]
mod tests;

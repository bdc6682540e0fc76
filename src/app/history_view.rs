//! Trash and history as a model: what was removed and can come back, and every change with what it
//! touched, the newest first.

use std::collections::HashSet;

use crate::app::list::List;
use crate::store::history;
use crate::store::journal::Entry;
use crate::store::trash::Manifest;

/// What was changed and removed, as it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Past {
    /// Oldest first.
    pub changes: Vec<Entry>,
    /// Oldest first.
    pub trash: Vec<Manifest>,
}

/// A row of the view. Numbers are positions in what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HistoryRow {
    /// How many changes are in the trash.
    Trash(usize),
    Trashed(usize),
    /// How many changes there were.
    Changes(usize),
    Change {
        at: usize,
        undone: bool,
    },
    None(&'static str),
}

/// The state of the view.
#[derive(Debug, Clone)]
pub struct HistoryView {
    past: Past,
    rows: Vec<HistoryRow>,
    height: usize,
    /// It must be read again.
    stale: bool,
    awaited: Option<u64>,
    pub list: List,
}

impl Default for HistoryView {
    fn default() -> Self {
        Self {
            past: Past::default(),
            rows: vec![HistoryRow::None("reading …")],
            height: 0,
            stale: true,
            awaited: None,
            list: List::default(),
        }
    }
}

impl HistoryView {
    #[must_use]
    pub fn rows(&self) -> &[HistoryRow] {
        &self.rows
    }

    #[must_use]
    pub fn past(&self) -> &Past {
        &self.past
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// What lies in the trash under the cursor.
    #[must_use]
    pub fn trashed(&self) -> Option<&Manifest> {
        match self.rows.get(self.list.cursor)? {
            HistoryRow::Trashed(at) => self.past.trash.get(*at),
            HistoryRow::Trash(_)
            | HistoryRow::Changes(_)
            | HistoryRow::Change { .. }
            | HistoryRow::None(_) => None,
        }
    }

    /// The change under the cursor, and whether it is undone.
    #[must_use]
    pub fn entry(&self) -> Option<(&Entry, bool)> {
        match self.rows.get(self.list.cursor)? {
            HistoryRow::Change { at, undone } => Some((self.past.changes.get(*at)?, *undone)),
            HistoryRow::Trash(_)
            | HistoryRow::Trashed(_)
            | HistoryRow::Changes(_)
            | HistoryRow::None(_) => None,
        }
    }

    /// The change under the cursor, if it is not undone.
    #[must_use]
    pub fn change(&self) -> Option<&Entry> {
        self.entry().filter(|(_, undone)| !undone).map(|(it, _)| it)
    }

    /// Has it read again when it is shown the next time.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// Whether it must be read; notes that it will be, as `id`.
    pub fn wants(&mut self, id: u64) -> bool {
        let wants = std::mem::take(&mut self.stale);
        if wants {
            self.awaited = Some(id);
        }
        wants
    }

    /// Takes what was read; an answer that is not awaited is dropped.
    pub fn take(&mut self, id: u64, past: Past) {
        if self.awaited.take_if(|awaited| *awaited == id).is_none() {
            return;
        }
        self.rows = rows(&past);
        self.past = past;
        self.list.go(self.list.cursor, self.rows.len());
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height;
        self.list.settle(self.rows.len(), height);
    }
}

fn rows(past: &Past) -> Vec<HistoryRow> {
    let mut rows = Vec::new();
    if !past.trash.is_empty() {
        rows.push(HistoryRow::Trash(past.trash.len()));
        rows.extend((0..past.trash.len()).rev().map(HistoryRow::Trashed));
    }
    if past.changes.is_empty() {
        rows.push(HistoryRow::None("Nothing was changed here yet."));
        rows.push(HistoryRow::None("Each change will stand here,"));
        rows.push(HistoryRow::None("to be looked at and taken back."));
        return rows;
    }
    rows.push(HistoryRow::Changes(past.changes.len()));
    let undone: HashSet<&str> = history::undone(&past.changes);
    rows.extend((0..past.changes.len()).rev().map(|at| HistoryRow::Change {
        at,
        undone: undone.contains(past.changes[at].key.as_str()),
    }));
    rows
}

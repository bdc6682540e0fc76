//! What the tree is sorted by, the words that narrow it while they are typed, and how the cursor finds
//! back to its row.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::agents::order::Sort;
use crate::agents::{Entry, order};
use crate::app::tree::{Group, Tree};
use crate::app::tree_rows::{Row, RowId};
use crate::memory::search::Query;

/// Words that narrow the tree.
#[derive(Debug, Clone)]
pub(super) struct Narrowed {
    /// As they were typed.
    pub text: String,
    query: Query,
    /// Groups that a person folded since the words are these.
    pub folded: HashSet<(PathBuf, Group)>,
    /// Where a person had the cursor: it goes back there as soon as the row is shown.
    pub anchor: Option<RowId>,
    /// Where narrowing has put it since.
    pub placed: Option<RowId>,
}

impl Narrowed {
    pub fn new(text: &str, anchor: Option<RowId>) -> Self {
        Self {
            text: text.to_string(),
            query: Query::new(text),
            folded: HashSet::new(),
            anchor,
            placed: None,
        }
    }

    /// Whether a memory holds all words in its name, path, description or type.
    pub fn holds(&self, entry: &Entry) -> bool {
        order::holds(&self.query, entry)
    }

    /// Whether a title or a path holds all words.
    pub fn holds_text(&self, text: &str) -> bool {
        self.query.stands_in([text].into_iter())
    }
}

impl Tree {
    /// What memories are sorted by.
    #[must_use]
    pub fn sort(&self) -> Sort {
        self.sort
    }

    /// Sorts memories by something else; the cursor stays on its own.
    pub fn sort_by(&mut self, sort: Sort) {
        self.change(|tree| tree.sort = sort);
    }

    pub(super) fn narrowed(&self) -> Option<&Narrowed> {
        self.narrowed.as_ref()
    }

    /// The words that narrow it, as they were typed.
    #[must_use]
    pub fn filter(&self) -> Option<&str> {
        self.narrowed.as_ref().map(|it| it.text.as_str())
    }

    /// Lists only what holds all of some words; without any, all again. The cursor stays on its row,
    /// goes to the first memory where that is hidden, and back when it is shown again.
    pub fn narrow(&mut self, text: &str) {
        if self.filter().unwrap_or_default() == text {
            return;
        }
        let here = self.row().map(|row| RowId::of(self, row));
        let last = self.narrowed.take();
        let anchor = match last {
            Some(last) if last.placed == here => last.anchor,
            Some(_) | None => here,
        };
        let words = !text.trim().is_empty();
        self.narrowed = words.then(|| Narrowed::new(text, anchor.clone()));
        self.change(|_| {});
        let back = anchor.filter(|anchor| !words || anchor.is_file());
        let found = back.is_some_and(|anchor| self.put_on(&anchor));
        if !found && words {
            let is_memory = |row: &Row| matches!(row, Row::Memory { .. });
            self.list.cursor = self.rows.iter().position(is_memory).unwrap_or(0);
        }
        let placed = self.row().map(|row| RowId::of(self, row));
        if let Some(narrowed) = &mut self.narrowed {
            narrowed.placed = placed;
        }
    }

    /// The cursor is where a person wants it: it stays there when all is listed again.
    pub fn stay(&mut self) {
        let here = self.row().map(|row| RowId::of(self, row));
        if let Some(narrowed) = &mut self.narrowed {
            narrowed.anchor = here;
        }
    }

    /// Memories that are listed and memories of the unfolded shelves, where it is narrowed.
    #[must_use]
    pub fn shown(&self) -> Option<(usize, usize)> {
        let narrowed = self.narrowed.as_ref()?;
        let open = self.shelves().iter().filter(|state| state.open);
        let entries = open.flat_map(|state| state.contents.iter().flat_map(|it| &it.entries));
        let (mut shown, mut all) = (0, 0);
        for entry in entries {
            all += 1;
            shown += usize::from(narrowed.holds(entry));
        }
        Some((shown, all))
    }

    /// Puts the cursor on a row; what narrows the tree goes where it hides the row.
    pub(super) fn show(&mut self, wanted: &RowId) -> bool {
        if self.put_on(wanted) {
            return true;
        }
        self.narrow("");
        self.put_on(wanted)
    }
}

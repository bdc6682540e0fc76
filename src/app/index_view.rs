//! The Index view as a model: the rows of the current shelf's index and the cursor in them.

use std::path::PathBuf;

use crate::agents::Contents;
use crate::app::index_rows::{self, IndexRow, Which};
use crate::app::list::List;
use crate::app::tree::ShelfState;

/// What the rows were built from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Source {
    folder: PathBuf,
    stamp: Option<u64>,
    cells: usize,
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct IndexView {
    rows: Vec<IndexRow>,
    source: Option<Source>,
    height: usize,
    pub list: List,
    /// An entry that is moving, by its target, and the line that it leaves: the cursor goes along.
    following: Option<(Which, String, usize)>,
}

impl IndexView {
    #[must_use]
    pub fn rows(&self) -> &[IndexRow] {
        &self.rows
    }

    #[must_use]
    pub fn row(&self) -> Option<&IndexRow> {
        self.rows.get(self.list.cursor)
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Builds the rows for a shelf where they are not those already; text wraps at `cells`.
    pub fn turn_to(&mut self, state: Option<&ShelfState>, cells: usize) {
        let source = state.map(|state| Source {
            folder: state.shelf.folder.clone(),
            stamp: state.contents.as_ref().map(|_| state.stamp),
            cells,
        });
        if source == self.source {
            return;
        }
        let folder = |source: &Option<Source>| source.as_ref().map(|it| it.folder.clone());
        let is_other = folder(&source) != folder(&self.source);
        self.source = source;
        self.rows = match state.map(|state| &state.contents) {
            Some(Some(contents)) => index_rows::build(contents, cells),
            Some(None) => vec![IndexRow::None("reading …".to_string())],
            None => Vec::new(),
        };
        if is_other {
            self.list = List::default();
        }
        self.list.go(self.list.cursor, self.rows.len());
        if let (Some((which, target, left)), Some(contents)) = (
            self.following.take(),
            state.and_then(|it| it.contents.as_ref()),
        ) {
            self.go_to_entry(contents, which, target, left);
        }
    }

    /// Has the cursor go along with an entry that leaves a line.
    pub fn follow(&mut self, which: Which, target: String, left: usize) {
        self.following = Some((which, target, left));
    }

    fn go_to_entry(&mut self, contents: &Contents, which: Which, target: String, left: usize) {
        let index = index_rows::index(contents, which);
        let line = index.and_then(|index| {
            let mut entries = index.pointers.iter().filter(|it| it.place.is_entry());
            entries.find(|it| it.target == target).map(|it| it.line)
        });
        if line == Some(left) {
            // What was read is from before the move.
            self.following = Some((which, target, left));
            return;
        }
        let row = self.rows.iter().position(|row| {
            matches!(row, IndexRow::Line { which: of, line: at, .. } if *of == which && Some(*at) == line)
        });
        if let Some(row) = row {
            self.list.go(row, self.rows.len());
        }
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height;
        self.list.settle(self.rows.len(), height);
    }
}

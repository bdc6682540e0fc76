//! The Index view as a model: the rows of the current shelf's index and the cursor in them.

use std::path::PathBuf;

use crate::agents::Contents;
use crate::app::index_rows::{self, IndexRow, Which};
use crate::app::list::List;
use crate::app::tree::ShelfState;
use crate::base::{display, text};

/// Cells of a row beside the text of its line: its number, its mark, and the word of a state.
const BESIDE: usize = 3 + 1 + 2 + 14;

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
    /// The chosen line whole, wrapped, if it does not fit its row.
    detail: Vec<String>,
    /// Rows of it that are shown.
    detail_rows: usize,
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

    /// The rows of the chosen line that are shown below the list; none if it fits its own.
    #[must_use]
    pub fn detail(&self) -> &[String] {
        &self.detail[..self.detail_rows.min(self.detail.len())]
    }

    /// Whether more of the chosen line is there than is shown.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.detail_rows < self.detail.len()
    }

    /// Wraps the chosen line where it does not fit its row of so many cells.
    pub fn look(&mut self, state: Option<&ShelfState>, cells: usize) {
        let contents = state.and_then(|state| state.contents.as_ref());
        let line = contents.and_then(|contents| self.line(contents, cells));
        self.detail = line.unwrap_or_default();
    }

    fn line(&self, contents: &Contents, cells: usize) -> Option<Vec<String>> {
        let IndexRow::Line { which, line, .. } = self.row()? else {
            return None;
        };
        let raw = index_rows::index(contents, *which)?
            .text
            .lines()
            .nth(line.checked_sub(1)?)?;
        let safe = display::line(&display::untab(raw)).into_owned();
        if text::width(&safe) + BESIDE <= cells {
            return None;
        }
        let pieces = text::wrap(&safe, cells).into_iter();
        Some(pieces.map(|piece| safe[piece].to_string()).collect())
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
        // Below the list, a rule between them; the list keeps a third.
        let most = (height * 2 / 3).saturating_sub(1);
        self.detail_rows = self.detail.len().min(most);
        let rule = usize::from(self.detail_rows > 0);
        self.height = height - self.detail_rows - rule;
        self.list.settle(self.rows.len(), self.height);
    }
}

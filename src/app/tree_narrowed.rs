//! The words that narrow the tree while they are typed, and how the cursor finds back to its row.

use std::collections::HashSet;
use std::path::PathBuf;

use crate::agents::{Entry, order};
use crate::app::tree::Group;
use crate::app::tree_rows::RowId;
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

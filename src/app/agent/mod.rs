//! The agent at the side: what was said and done in the conversation, what is typed, how wide the pane is.
//! Knows nothing of how a model is asked.

pub mod commands;
pub mod completing;
mod rows;
mod talk;
mod warmth;

pub use completing::{Choice, Completing, Source};
pub use rows::{AgentRow, Target};
pub use talk::{Card, Item, State, Talk};

use std::collections::{BTreeSet, HashMap};

use crate::app::editor::body::Body;
use crate::app::list::List;
use crate::app::painted::{Painted, may_be_painted};
use crate::app::tree::FileAt;

/// How much of the screen the pane takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Width {
    #[default]
    Side,
    Full,
}

/// The pane.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on one another, no states of one machine"
)]
pub struct AgentPane {
    /// It is shown.
    pub is_open: bool,
    pub width: Width,
    /// What is typed goes into the question; else the keys move through what was said.
    pub is_typing: bool,
    pub input: Body,
    pub talk: Talk,
    pub list: List,
    /// Items that are unfolded.
    open: BTreeSet<usize>,
    /// What was asked before, the newest last, and which of it stands in the input.
    asked: Vec<String>,
    recalled: Option<usize>,
    rows: rows::Rows,
    /// The code of answers that is painted, by their items; answers up to which that was asked for; and by
    /// which id.
    painted: HashMap<usize, Painted>,
    considered: usize,
    painting: HashMap<u64, usize>,
    /// Conversations that were begun or taken up in this run.
    begun: usize,
    /// What was typed into the question since a draft was kept of it, and where that draft is.
    pub(super) is_undrafted: bool,
    pub(super) draft_at: Option<FileAt>,
    /// The card whose text a person's own editor has: its proposal and the file of it.
    pub(super) lent: Option<(String, usize)>,
    /// The last row stays in view while more comes.
    follows: bool,
    height: usize,
    /// What is offered, shown or not.
    pub(super) completing: Option<Completing>,
    /// The models that the provider listed, once it was asked.
    pub(super) models: Vec<String>,
}

impl Default for AgentPane {
    fn default() -> Self {
        Self {
            is_open: false,
            width: Width::default(),
            is_typing: true,
            input: Body::new(""),
            talk: Talk::default(),
            list: List::default(),
            open: BTreeSet::new(),
            asked: Vec::new(),
            recalled: None,
            rows: rows::Rows::default(),
            painted: HashMap::new(),
            considered: 0,
            painting: HashMap::new(),
            begun: 0,
            is_undrafted: false,
            draft_at: None,
            lent: None,
            follows: true,
            height: 0,
            completing: None,
            models: Vec::new(),
        }
    }
}

impl AgentPane {
    /// The rows of what was said, as they were laid out last.
    #[must_use]
    pub fn rows(&self) -> &[AgentRow] {
        self.rows.all()
    }

    /// What the row under the cursor is about.
    #[must_use]
    pub fn target(&self) -> Option<&Target> {
        self.rows().get(self.list.cursor).map(|row| &row.target)
    }

    /// What may stand where something is typed; `None`: nothing is offered.
    #[must_use]
    pub fn completing(&self) -> Option<&Completing> {
        self.completing.as_ref().filter(|it| it.is_shown())
    }

    /// Rows that fit.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Lays out what changed for so many cells, and brings the list into bounds.
    pub fn settle(&mut self, cells: usize, height: usize) {
        self.height = height;
        let changed = self.talk.take_changed();
        let shown = rows::Shown {
            open: &self.open,
            painted: &self.painted,
            cells,
        };
        self.rows.lay_out(&self.talk, changed, shown);
        let length = self.rows().len();
        if self.follows && length > 0 {
            self.list.go(length - 1, length);
        }
        self.list.settle(length, height);
    }

    /// The whole answers from an item on, with which conversation they belong to.
    pub fn answers(&self, from: usize) -> impl Iterator<Item = (usize, &str)> {
        let whole = self.talk.live().unwrap_or(self.talk.items.len());
        let items = self.talk.items.iter().enumerate().take(whole).skip(from);
        items.filter_map(|(at, item)| match item {
            Item::Agent(said) => Some((at, said.as_str())),
            _ => None,
        })
    }

    /// A number for each conversation of this run.
    #[must_use]
    pub fn begun(&self) -> usize {
        self.begun
    }

    /// Answers that came whole since this was asked last and hold code, by their items.
    pub fn to_paint(&mut self) -> Vec<(usize, String)> {
        let answers = self.answers(self.considered);
        let found = answers.filter(|(_, said)| may_be_painted(said));
        let found = found.map(|(at, said)| (at, said.to_string())).collect();
        self.considered = self.talk.live().unwrap_or(self.talk.items.len());
        found
    }

    /// The code of an item is painted; the answer comes by this id.
    pub fn is_painting(&mut self, id: u64, item: usize) {
        self.painting.insert(id, item);
    }

    /// Takes what was painted; gives it back if it is none of ours.
    pub fn take_painted(&mut self, id: u64, painted: Painted) -> Option<Painted> {
        let Some(item) = self.painting.remove(&id) else {
            return Some(painted);
        };
        self.painted.insert(item, painted);
        self.rows.forget(item);
        None
    }

    /// Moves the cursor by so many rows; at the end it follows what comes.
    pub fn step(&mut self, rows: isize) -> bool {
        let length = self.rows().len();
        let moved = self.list.step(rows, length);
        self.follows = self.list.cursor + 1 >= length;
        moved
    }

    pub fn scroll(&mut self, rows: isize) -> bool {
        let length = self.rows().len();
        let moved = self.list.scroll(rows, length, self.height);
        self.follows = self.list.cursor + 1 >= length;
        moved
    }

    pub fn go(&mut self, row: usize) -> bool {
        let length = self.rows().len();
        let moved = self.list.go(row, length);
        self.follows = self.list.cursor + 1 >= length;
        moved
    }

    /// Unfolds an item, or folds it again.
    pub fn toggle(&mut self, item: usize) {
        if !self.open.remove(&item) {
            self.open.insert(item);
        }
        self.follows = false;
        self.rows.forget(item);
    }

    /// Takes the question out of the input.
    pub fn take_question(&mut self) -> String {
        let text = self.input.text();
        self.input = Body::new("");
        self.is_undrafted = true;
        self.completing = None;
        self.recalled = None;
        self.follows = true;
        if self.asked.last() != Some(&text) {
            self.asked.push(text.clone());
        }
        text
    }

    /// Puts an earlier question into the input, or the next one; whether there is one.
    pub fn recall_question(&mut self, back: bool) -> bool {
        let next = match (self.recalled, back) {
            (None, true) => self.asked.len().checked_sub(1),
            (Some(at), true) => at.checked_sub(1),
            (None, false) => return false,
            (Some(at), false) => Some(at + 1),
        };
        let Some(at) = next else { return false };
        self.recalled = (at < self.asked.len()).then_some(at);
        let text = self.asked.get(at).map_or("", String::as_str);
        self.input = Body::new(text);
        let last = self.input.lines().len().saturating_sub(1);
        self.input.go(last, usize::MAX);
        true
    }

    /// A conversation from the beginning.
    pub fn clear(&mut self) {
        self.talk = Talk::default();
        self.open.clear();
        self.rows = rows::Rows::default();
        self.painted.clear();
        self.painting.clear();
        self.considered = 0;
        self.begun += 1;
        self.list = List::default();
        self.follows = true;
    }
}

#[cfg(test)]
mod tests;

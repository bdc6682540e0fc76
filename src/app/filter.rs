//! Sorting and narrowing what a pane lists: the words are typed into its border and narrow it with each
//! press; Enter keeps them, Esc lists all again.

use crate::app::field::Field;
use crate::app::layout::Pane;
use crate::app::overlay::{Filter, Filtered, Overlay};
use crate::app::{App, Tab};

impl App {
    /// Sorts the memories of the tree by the next thing.
    pub(super) fn sort(&mut self) {
        self.tree.sort_by(self.tree.sort().next());
        self.say(format!("memories by {}", self.tree.sort().word()));
    }

    /// Begins to narrow what has the focus, from the words that narrow it already.
    pub(super) fn filter(&mut self) {
        let Some(of) = self.filtered() else {
            return;
        };
        let words = match of {
            Filtered::Tree => self.tree.filter(),
            Filtered::Health => Some(self.health.filter()),
            Filtered::Projects => Some(self.projects.filter()),
            Filtered::Sessions => Some(self.sessions.filter()),
            Filtered::Ledger => Some(self.ledger.filter()),
        };
        let field = Field::of(words.unwrap_or_default());
        self.overlay = Some(Overlay::Filter(Filter { of, field }));
    }

    fn filtered(&self) -> Option<Filtered> {
        match (self.focus, self.tab) {
            (Pane::Tree, _) => Some(Filtered::Tree),
            (Pane::Main, Tab::Health) => Some(Filtered::Health),
            (Pane::Main, Tab::Projects) => Some(Filtered::Projects),
            (Pane::Main, Tab::Sessions) => Some(Filtered::Sessions),
            (Pane::Main, Tab::Ledger) => Some(Filtered::Ledger),
            (Pane::Main, Tab::Memory | Tab::Index | Tab::Preview | Tab::History | Tab::Usage)
            | (Pane::Agent, _) => None,
        }
    }

    /// Has a list follow what is typed.
    pub(super) fn follow_filter(&mut self) {
        if let Some(Overlay::Filter(filter)) = &self.overlay {
            let (of, text) = (filter.of, filter.field.text().to_string());
            self.narrow(of, &text);
        }
    }

    pub(super) fn narrow(&mut self, of: Filtered, text: &str) {
        match of {
            Filtered::Tree => self.tree.narrow(text),
            Filtered::Health => self.health.narrow(text),
            Filtered::Projects => self.projects.narrow(text),
            Filtered::Sessions => self.sessions.narrow(text),
            Filtered::Ledger => self.ledger.narrow(text),
        }
    }

    /// What was typed goes on to narrow the list: also what came together with the press that keeps it.
    pub(super) fn keep_filter(&mut self, filter: &Filter) {
        self.narrow(filter.of, filter.field.text());
        match filter.of {
            Filtered::Tree => self.tree.stay(),
            Filtered::Health | Filtered::Projects | Filtered::Sessions | Filtered::Ledger => {}
        }
    }

    /// Lists all again in what has the focus; `false` if nothing was hidden.
    pub(super) fn widen(&mut self) -> bool {
        let Some(of) = self.filtered() else {
            return false;
        };
        let was = match of {
            Filtered::Tree => self.tree.filter().is_some(),
            Filtered::Health => !self.health.filter().is_empty(),
            Filtered::Projects => !self.projects.filter().is_empty(),
            Filtered::Sessions => !self.sessions.filter().is_empty(),
            Filtered::Ledger => !self.ledger.filter().is_empty(),
        };
        if was {
            self.narrow(of, "");
        }
        was
    }

    /// Whether a pane has the focus: also while its filter is typed.
    #[must_use]
    pub fn is_focused(&self, pane: Pane) -> bool {
        let below = match &self.overlay {
            None | Some(Overlay::Filter(_)) => true,
            Some(_) => false,
        };
        self.focus == pane && below
    }

    /// What is typed to narrow a list.
    #[must_use]
    pub fn typed_filter(&self, of: Filtered) -> Option<&Field> {
        match &self.overlay {
            Some(Overlay::Filter(filter)) if filter.of == of => Some(&filter.field),
            Some(_) | None => None,
        }
    }
}

#[cfg(test)]
#[path = "filter_tests.rs"]
mod tests;

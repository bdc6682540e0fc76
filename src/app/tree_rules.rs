//! The standing rules in the tree: which shelves' are read, and where each stands.

use std::path::Path;

use crate::agents::rules::{RuleFile, RuleList};
use crate::agents::{Shelf, ShelfKind};
use crate::app::tree::{Group, ShelfState, Tree};
use crate::app::tree_rows::{Row, RowId};

impl Tree {
    /// The shelf and the rule of a row that shows one.
    #[must_use]
    pub fn rule(&self, row: &Row) -> Option<(&ShelfState, &RuleFile)> {
        let Row::Rule { shelf, rule } = row else {
            return None;
        };
        let state = self.shelves().get(*shelf)?;
        Some((state, state.rules.as_ref()?.files.get(*rule)?))
    }

    /// A rule by its path or its real place, on whatever shelf.
    #[must_use]
    pub fn rule_at(&self, path: &Path) -> Option<&RuleFile> {
        let lists = self.shelves().iter().filter_map(|it| it.rules.as_ref());
        let mut files = lists.flat_map(|rules| &rules.files);
        files.find(|file| file.path == path || file.real == path)
    }

    /// Whether the cursor is on the rules of a project, or on one of them.
    #[must_use]
    pub fn is_in_rules(&self) -> bool {
        match self.row() {
            Some(Row::Rule { .. }) => true,
            Some(Row::Group { group, .. }) => *group == Group::Rules,
            Some(
                Row::Empty { .. }
                | Row::Heading
                | Row::Shelf(_)
                | Row::Memory { .. }
                | Row::Log { .. }
                | Row::Fault { .. }
                | Row::Waiting { .. },
            )
            | None => false,
        }
    }

    /// Shelves whose rules are shown, or would be if there were any, and have not been read: those
    /// that are unfolded, and always that of the working directory.
    #[must_use]
    pub fn lacking_rules(&self) -> Vec<Shelf> {
        self.shelves()
            .iter()
            .filter(|state| state.rules.is_none() && state.rules_reading.is_none())
            .filter(|state| state.open || self.is_here(state))
            .filter(|state| state.shelf.path.is_some())
            .filter(|state| match state.shelf.kind {
                ShelfKind::Project => true,
                ShelfKind::Agent | ShelfKind::AgentProject | ShelfKind::AgentLocal => false,
            })
            .map(|state| state.shelf.clone())
            .collect()
    }

    /// Notes that the rules of a shelf are being read.
    pub fn await_rules(&mut self, folder: &Path, id: u64) {
        if let Some(state) = self.shelf_mut(folder) {
            state.rules_reading = Some(id);
        }
    }

    /// Takes the rules of a shelf; a reading that is no longer awaited is dropped.
    pub fn fill_rules(&mut self, folder: &Path, id: u64, rules: RuleList) {
        let awaited = self
            .shelf(folder)
            .is_some_and(|state| state.rules_reading == Some(id));
        if awaited {
            self.change(|tree| {
                if let Some(state) = tree.shelf_mut(folder) {
                    state.rules_reading = None;
                    state.rules_stamp = id;
                    state.rules = Some(rules);
                }
            });
        }
    }

    /// Shelves whose rules are held and may be otherwise by a change in this folder; of all folders
    /// without one.
    #[must_use]
    pub fn holding_rules(&self, changed: Option<&Path>) -> Vec<Shelf> {
        let concerns = |rules: &RuleList| {
            changed.is_none_or(|changed| rules.folders.iter().any(|one| one == changed))
        };
        let held = |state: &&ShelfState| {
            state.rules_reading.is_some() && changed.is_none()
                || state.rules.as_ref().is_some_and(concerns)
        };
        let states = self.shelves().iter().filter(held);
        states.map(|state| state.shelf.clone()).collect()
    }

    /// Puts the cursor on a rule, that of the current shelf first, unfolding what hides it; `false`
    /// if there is none.
    pub fn reveal_rule(&mut self, path: &Path) -> bool {
        let holds = |state: &ShelfState| {
            let mut files = state.rules.iter().flat_map(|rules| &rules.files);
            files.any(|file| file.path == path || file.real == path)
        };
        let current = self.current().filter(|state| holds(state));
        let state = current.or_else(|| self.shelves().iter().find(|state| holds(state)));
        let Some(folder) = state.map(|state| state.shelf.folder.clone()) else {
            return false;
        };
        let Some(at) = self
            .shelves()
            .iter()
            .position(|it| it.shelf.folder == folder)
        else {
            return false;
        };
        let shown = self.shelves()[at].rules.iter().flat_map(|it| &it.files);
        let mut shown = shown.filter(|file| file.path == path || file.real == path);
        let Some(shown) = shown.next().map(|file| file.path.clone()) else {
            return false;
        };
        self.set_open(at, true);
        self.set_group_open(at, &Group::Rules, true);
        self.show(&RowId::Rule(folder, shown, 0))
    }
}

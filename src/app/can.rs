//! What would do something where the cursor stands.

use crate::app::App;
use crate::app::action::{self, Action, Scope};
use crate::app::follow::LinksHere;
use crate::app::index_rows::IndexRow;
use crate::app::overlay::Overlay;
use crate::app::reading::Subject;
use crate::app::sessions_view::Rescued;
use crate::app::tree_rows::Row;

impl App {
    /// Whether there is something to complete: a path that is typed, or what the agent is told.
    fn can_complete(&self) -> bool {
        let completing = self.agent.completing();
        match self.overlay {
            Some(_) => self.types_a_path(),
            None => completing.is_some_and(|it| !it.choices.is_empty()),
        }
    }

    /// Whether an action would do something where the cursor stands: the footer names no other.
    #[must_use]
    pub fn can(&self, action: Action) -> bool {
        if let Some(can) = self.can_in_finder(action).or(self.can_with_rule(action)) {
            return can;
        }
        match (action, self.pane_scope()) {
            (Action::Reload, _) if self.overlay.is_some() => false,
            (Action::Complete, _) => self.can_complete(),
            // A rule has no age that could be kept.
            (Action::KeepAge, _) => self.editor.as_ref().is_some_and(|it| !it.is_rule()),
            (Action::OldPaths, _) => {
                matches!(&self.overlay, Some(Overlay::Review(it)) if !it.old_paths.is_empty())
            }
            (Action::Open, Scope::Tree) => match self.tree.row() {
                None | Some(Row::Empty { .. } | Row::Heading | Row::Fault { .. }) => false,
                Some(_) => true,
            },
            (Action::Open, Scope::Index) => {
                matches!(self.index.row(), Some(IndexRow::Ghost(_)))
                    || self
                        .pointed_at()
                        .is_some_and(|(pointer, _)| pointer.resolved.is_some())
            }
            (Action::Fold, Scope::Tree) => match self.tree.row() {
                None | Some(Row::Empty { .. } | Row::Heading) => false,
                Some(Row::Shelf(at)) => self.tree.shelves().get(*at).is_some_and(|it| it.open),
                Some(_) => true,
            },
            (Action::CopyPath, Scope::Sessions | Scope::Session) => self.can_in_sessions(action),
            (action, Scope::Agent) if is_of_a_card(action) => self.card_here().is_some(),
            (Action::ResetRecall, _) => self.agent.talk.stopped.is_some(),
            (
                Action::Raw
                | Action::Edit
                | Action::EditOutside
                | Action::CopyPath
                | Action::CopyBody,
                _,
            ) => {
                matches!(self.subject(), Subject::Page(_))
            }
            (
                Action::Trash | Action::Verify | Action::MoveTo | Action::CopyTo | Action::Share,
                _,
            ) if !self.marked.is_empty() => true,
            (
                Action::Rename
                | Action::Trash
                | Action::Verify
                | Action::MoveTo
                | Action::CopyTo
                | Action::Share,
                _,
            ) => self.is_on_memory(),
            (Action::PreviousField, Scope::Form) | (Action::AddEntry, Scope::Usage) => false,
            (Action::EditHook | Action::RemoveEntry | Action::MoveDown | Action::MoveUp, _) => {
                self.entry_here().is_some()
            }
            (
                Action::Open
                | Action::Prune
                | Action::Relink
                | Action::MergeProjects
                | Action::Forget
                | Action::Split
                | Action::FoldIn
                | Action::SwitchMemory
                | Action::Export
                | Action::Mark,
                Scope::Projects,
            ) => self.can_with_project(action),
            (_, Scope::Preview) => self.can_with_preview(action),
            (action, Scope::Sessions | Scope::Session) => self.can_in_sessions(action),
            (action, Scope::Ledger | Scope::Request) => self.can_in_ledger(action),
            (Action::Open, Scope::Usage) => self.usage.chosen().is_some(),
            (Action::Open, Scope::Health) => self.health.finding().is_some(),
            (Action::LookBack, _) => {
                self.history.trashed().is_some() || self.history.entry().is_some()
            }
            (Action::UndoThis, _) => match &self.overlay {
                Some(Overlay::Past(past)) => past.key.is_some() && !past.undone,
                Some(_) | None => self.history.change().is_some(),
            },
            (Action::Fix, Scope::Memory) => self.may_be_mended(),
            (Action::Fix, _) => !self.fixes_here().is_empty(),
            (Action::FixAll, _) => self.health.code().is_some_and(|code| {
                let mut all = self.health.findings().iter();
                all.any(|one| one.code == code && one.fix.is_some())
            }),
            (Action::AddEntry, _) => self.ghost_here().is_some(),
            (Action::Mark | Action::Turns, _) => self.is_on_memory(),
            (Action::Follow, _) => {
                self.links_here() != LinksHere::default() || !self.imports_here().is_empty()
            }
            (Action::Promote, _) => self.memory_here().is_some(),
            (Action::Demote, _) => false,
            (Action::GoBack, _) => !self.trail.is_empty() || self.way_to_session.is_some(),
            (Action::NextHit, _) => {
                self.reading.hits.are_there() && matches!(self.subject(), Subject::Page(_))
            }
            _ => true,
        }
    }

    /// What the footer calls an action as things stand.
    #[must_use]
    pub fn name_now(&self, entry: &action::Entry) -> &'static str {
        let is_kept = || {
            let here = self.session_here();
            here.is_some_and(|one| one.rescued == Rescued::Only)
        };
        match entry.action {
            Action::SessionRescue if is_kept() => "bring back",
            _ => entry.name,
        }
    }

    fn can_in_finder(&self, action: Action) -> Option<bool> {
        match (action, &self.overlay) {
            (Action::Open, Some(Overlay::Finder(finder))) => Some(finder.chosen().is_some()),
            _ => None,
        }
    }

    /// Whether an action would do something with the rule under the cursor: the managed layer is only read, one that
    /// is not there can only be made, and among rules what is new is one. `None`: that depends on something else.
    fn can_with_rule(&self, action: Action) -> Option<bool> {
        match (action, self.pane_scope(), self.rule_here()) {
            (Action::NewRule, Scope::Tree, _) => Some(!self.tree.is_in_rules()),
            (Action::Edit | Action::EditOutside, Scope::Tree | Scope::Memory, Some(rule)) => {
                Some(rule.is_ours())
            }
            (Action::Trash | Action::Demote, Scope::Tree | Scope::Memory, Some(rule)) => {
                Some(rule.is_ours() && !rule.is_missing())
            }
            _ => None,
        }
    }

    /// Whether the cursor of the tree stands on a memory.
    fn is_on_memory(&self) -> bool {
        let row = self.tree.row();
        row.is_some_and(|row| self.tree.memory(row).is_some())
    }
}

/// Whether it does something with what the agent proposes.
fn is_of_a_card(action: Action) -> bool {
    matches!(
        action,
        Action::Edit | Action::EditOutside | Action::Accept | Action::Reject
    )
}

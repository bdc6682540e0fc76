//! The standing rules of the projects that are shown: when they are read, what is known of the one
//! under the cursor, and the way along its imports.

use std::path::{Path, PathBuf};

use crate::agents::rules::{RuleFile, RuleList};
use crate::app::App;
use crate::app::dialog::{Answer, Choice};
use crate::app::list::List;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::instructions::EdgeState;

/// Folders of rules that are watched at once at most.
const WATCHED_RULES: usize = 128;

/// A file that a rule names, or that names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// The rule names it; else it is named by it.
    pub inward: bool,
    pub path: PathBuf,
    /// What a list shows for it.
    pub title: String,
    /// Line of the file that names, from 1.
    pub line: usize,
    /// Why it gives nothing: a sentence's end.
    pub lost: Option<String>,
}

impl App {
    /// Has the rules read that are shown and lacking.
    pub(super) fn read_rules(&mut self, effects: &mut Vec<Effect>) {
        for shelf in self.tree.lacking_rules() {
            let id = self.next_id();
            self.tree.await_rules(&shelf.folder, id);
            effects.push(Effect::ReadRules { id, shelf });
        }
    }

    /// Has the rules read again that a change in a folder may have made otherwise; without one, all
    /// that are held.
    pub(super) fn read_rules_again(&mut self, changed: Option<&Path>, effects: &mut Vec<Effect>) {
        let shelves = self.tree.holding_rules(changed);
        if let (Some(changed), false) = (changed, shelves.is_empty())
            && let Some(shown) = self.reading.shown()
            && let Some(rule) = self.tree.rule_at(&shown.path)
            && [&rule.path, &rule.real]
                .iter()
                .any(|it| it.starts_with(changed))
        {
            self.reading.outdate();
        }
        for shelf in shelves {
            let id = self.next_id();
            self.tree.await_rules(&shelf.folder, id);
            effects.push(Effect::ReadRules { id, shelf });
        }
    }

    /// Whether rows of the tree are still to come: shelves, or the rules of the working directory.
    #[must_use]
    pub fn is_counting(&self) -> bool {
        let mut shelves = self.tree.shelves().iter();
        let here = shelves.find(|state| self.tree.is_here(state));
        let lacks = here.is_some_and(|it| it.rules.is_none() && it.rules_reading.is_some());
        self.surveying || lacks
    }

    /// Takes the rules of a shelf; the cursor goes to the one that was just made.
    pub(super) fn take_rules(&mut self, folder: &Path, id: u64, rules: RuleList) {
        self.tree.fill_rules(folder, id, rules);
        if let Some(at) = self.reveal.take_if(|at| {
            let path = at.path();
            self.tree.rule_at(&path).is_some()
        }) {
            self.tree.reveal_rule(&at.path());
        }
    }

    /// The folders that rules are watched in, those of the current shelf first.
    pub(super) fn rule_folders(&self) -> Vec<PathBuf> {
        let current = self.tree.current().into_iter();
        let all = current.chain(self.tree.shelves());
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in all.flat_map(|state| state.rules.iter().flat_map(|it| &it.folders)) {
            if !folders.contains(folder) && folders.len() < WATCHED_RULES {
                folders.push(folder.clone());
            }
        }
        folders
    }

    /// The rule under the cursor.
    #[must_use]
    pub fn rule_here(&self) -> Option<&RuleFile> {
        let row = self.tree.row()?;
        self.tree.rule(row).map(|(_, rule)| rule)
    }

    /// The rules of the shelf that the cursor is in.
    pub(super) fn rules_here(&self) -> Option<&RuleList> {
        self.tree.current()?.rules.as_ref()
    }

    /// Which reading of the rules is shown: what was drawn of another is drawn anew.
    #[must_use]
    pub fn rules_stamp(&self) -> u64 {
        self.tree.current().map_or(0, |state| state.rules_stamp)
    }

    /// What the rule under the cursor names, and what names it.
    #[must_use]
    pub fn imports_here(&self) -> Vec<Import> {
        let (Some(rule), Some(rules)) = (self.rule_here(), self.rules_here()) else {
            return Vec::new();
        };
        let outward = rules.imports_of(&rule.path).map(|edge| Import {
            inward: false,
            path: edge.to.clone(),
            title: rules.places.title(&edge.to),
            line: edge.line,
            lost: match &edge.state {
                EdgeState::LeftOut(why) => Some(why.sentence()),
                EdgeState::Loaded | EdgeState::Already | EdgeState::NoImport(_) => None,
            },
        });
        let inward = rules.importers_of(&rule.path).map(|edge| Import {
            inward: true,
            path: edge.from.clone(),
            title: rules.places.title(&edge.from),
            line: edge.line,
            lost: None,
        });
        outward.chain(inward).collect()
    }

    /// Goes to a file that the rule names or that names it; asks which, if there are several.
    pub(super) fn follow_import(&mut self) {
        let rules = self.rules_here();
        let is_listed = |import: &Import| rules.is_some_and(|it| it.at(&import.path).is_some());
        let mut ways: Vec<Import> = self.imports_here();
        ways.retain(is_listed);
        ways.dedup_by(|a, b| a.path == b.path && a.inward == b.inward);
        let mut answers: Vec<_> = ways
            .into_iter()
            .filter_map(|import| {
                let mark = if import.inward { "←" } else { "→" };
                let lost = import.lost.map_or(String::new(), |why| format!(" · {why}"));
                let to = FileAt::of(&import.path)?;
                Some((format!("{mark} {}{lost}", import.title), Answer::Go(to)))
            })
            .collect();
        match answers.len() {
            0 => self.say("it imports no file and none imports it"),
            1 => {
                if let Some((_, Answer::Go(to))) = answers.pop() {
                    self.go_along(&to);
                }
            }
            _ => {
                self.overlay = Some(Overlay::Choice(Choice {
                    title: "go along an import".to_string(),
                    lines: vec!["→ it is imported here · ← it imports this file".to_string()],
                    answers,
                    list: List::default(),
                }));
            }
        }
    }

    /// Whether a file is none of a memory folder: a rule, which is edited as plain text.
    pub(super) fn is_rule(&self, at: &FileAt) -> bool {
        self.tree.shelf(&at.folder).is_none()
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;

//! What the screen keeps from one run to the next (spec 11.3): the last project, where the border
//! stands, folded groups, the order of the tree, how far what was read is scrolled. Never a memory's
//! text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::agents::order::Sort;
use crate::app::App;
use crate::app::message::{Effect, Order};
use crate::app::tree::Group;
use crate::memory::file::MemoryType;

/// Its file among ours.
pub const FILE: &str = "screen.json";

/// Files whose place is kept at most.
const MOST_PLACES: usize = 200;

/// The document. What is missing or not understood is as at the first run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Kept {
    pub v: u8,
    /// The memory folder of the project that was looked at last.
    pub project: Option<PathBuf>,
    /// Cells of the tree, where a person dragged the border.
    pub tree_width: Option<u16>,
    pub sort: String,
    /// Groups that are folded, or unfolded against their beginning, by memory folder.
    pub folds: BTreeMap<PathBuf, Vec<String>>,
    /// First line in view, by file.
    pub scroll: BTreeMap<PathBuf, usize>,
}

impl Kept {
    /// Reads the document; what is no such document is as none.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }
}

/// What of it is kept again as soon as it is another.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Mark {
    project: Option<PathBuf>,
    tree_width: Option<u16>,
    sort: Sort,
    folds: usize,
}

impl App {
    /// Begins as the last run ended.
    pub(super) fn take_kept(&mut self, kept: Kept) {
        self.tree_width = kept.tree_width;
        let sort = Sort::ALL.into_iter().find(|sort| sort.word() == kept.sort);
        self.tree.sort_by(sort.unwrap_or_default());
        let folds = kept.folds.into_iter().flat_map(|(folder, groups)| {
            let group = |word: String| Some((folder.clone(), group(&word)?));
            groups.into_iter().filter_map(group).collect::<Vec<_>>()
        });
        self.tree.toggle(folds);
        self.reading.left_at(kept.scroll);
        self.last_project.clone_from(&kept.project);
        self.kept = self.keeping();
        self.left_in = kept.project;
    }

    /// Goes to the project of the last run, where this folder has no memories and nothing was chosen.
    pub(super) fn go_to_last(&mut self) {
        let Some(last) = self.last_project.take() else {
            return;
        };
        let here = self.tree.shelves().iter().find(|it| self.tree.is_here(it));
        let is_free = here.is_none_or(|here| self.tree.is_empty_here(here));
        if is_free && self.tree.list.cursor == 0 {
            self.tree.go_to_shelf(&last);
        }
    }

    fn keeping(&self) -> Mark {
        Mark {
            project: self.current_folder(),
            tree_width: self.tree_width,
            sort: self.tree.sort(),
            folds: self.tree.toggled().len(),
        }
    }

    /// Whether something is to be kept that is not: the loop then sends a message in time.
    #[must_use]
    pub fn wants_keeping(&self) -> bool {
        self.keeps && self.kept != self.keeping()
    }

    /// Keeps what the next run begins with.
    pub(super) fn keep(&mut self, effects: &mut Vec<Effect>) {
        if self.wants_keeping() {
            self.kept = self.keeping();
            self.left_in.clone_from(&self.kept.project);
            effects.push(Effect::Write(Order::KeepScreen(Box::new(self.to_keep()))));
        }
    }

    /// Keeps it at the end, also that this project was the last.
    pub(super) fn keep_at_end(&mut self, effects: &mut Vec<Effect>) {
        if self.left_in != self.kept.project {
            self.kept = Mark::default();
        }
        self.keep(effects);
    }

    fn to_keep(&self) -> Kept {
        let mut folds: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
        for (folder, group) in self.tree.toggled() {
            folds.entry(folder.clone()).or_default().push(word(group));
        }
        for groups in folds.values_mut() {
            groups.sort();
        }
        let places = self.reading.places();
        Kept {
            v: 1,
            project: self.current_folder(),
            tree_width: self.tree_width,
            sort: self.tree.sort().word().to_string(),
            folds,
            scroll: places
                .filter(|(path, line)| *line > 0 && *path != Path::new(""))
                .take(MOST_PLACES)
                .map(|(path, line)| (path.to_path_buf(), line))
                .collect(),
        }
    }
}

fn word(group: &Group) -> String {
    match group {
        Group::Team => "team".to_string(),
        Group::Learnings => "learnings".to_string(),
        Group::Logs => "logs".to_string(),
        Group::Rules => "rules".to_string(),
        Group::Type(kind) => format!("type {}", kind.word().unwrap_or_default()),
    }
}

fn group(word: &str) -> Option<Group> {
    match word {
        "team" => Some(Group::Team),
        "learnings" => Some(Group::Learnings),
        "logs" => Some(Group::Logs),
        "rules" => Some(Group::Rules),
        word => Some(Group::Type(MemoryType::of_word(
            word.strip_prefix("type ")?,
        ))),
    }
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;

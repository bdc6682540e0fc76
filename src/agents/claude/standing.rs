//! The standing rules of the working directory: where they come from, and what is found of them.

use super::Claude;
use crate::agents::{Shelf, ShelfKind};
use crate::health::{self, Finding, Rules};
use crate::instructions::{self, Manner, Place};

impl Claude {
    /// Where the instructions of the working directory come from.
    #[must_use]
    pub fn instructions_place(&self) -> Place {
        let inner = &self.inner;
        let claude_json = self.claude_json();
        Place::new(
            &inner.disk,
            &inner.client,
            &claude_json,
            &inner.config_home,
            &inner.cwd,
        )
    }

    /// What is found of the standing rules of the working directory, where a shelf is that of its
    /// project. Other projects' sessions begin in other folders.
    pub(super) fn standing(&self, shelf: &Shelf, rules: &Rules) -> Vec<Finding> {
        let here = &self.inner.here;
        if shelf.kind != ShelfKind::Project || shelf.key != here.memory_key {
            return Vec::new();
        }
        let disk = &self.inner.disk;
        let survey = instructions::survey(disk, &self.instructions_place(), &Manner::default());
        // The files of a worktree lie in it, not in the folder whose memory it shares.
        let root = crate::memory::git::work_root(disk, &here.path);
        let root = root.as_deref().unwrap_or(&here.path);
        health::standing(&survey, &shelf.key, root, rules)
    }
}

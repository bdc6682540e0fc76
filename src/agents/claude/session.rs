//! What decides the request of a working directory: where its standing rules come from, what switches
//! them, the index and compaction off, and the transcripts of its sessions.

use std::collections::BTreeMap;
use std::path::Path;

use super::Claude;
use crate::base::disk::Kind;
use crate::instructions::Place;
use crate::transcript::ends::ends;
use crate::transcript::found::{self, Found};

/// The circumstances of a session in one working directory.
#[derive(Debug, Clone)]
pub struct Surroundings {
    pub place: Place,
    /// Why nothing of the index is loaded: a sentence.
    pub index_off: Option<String>,
    /// Why there is no memory at all, so neither the rules for it: a sentence.
    pub memory_off: Option<String>,
    /// The `CLAUDE.md` of folders that are added to a session is read.
    pub reads_added: bool,
    /// The setting that keeps the client from compacting of itself: words.
    pub compact_off: Option<String>,
    /// The variables of the environment.
    pub vars: BTreeMap<String, String>,
}

impl Claude {
    /// What decides the request of a session in this folder (absolute).
    #[must_use]
    pub fn surroundings(&self, cwd: &Path) -> Surroundings {
        let inner = &self.inner;
        let cwd = inner.disk.resolve_existing(cwd);
        let client = inner
            .client
            .of_folder(&inner.disk, &inner.config_home, &cwd);
        let home = &inner.config_home;
        Surroundings {
            place: Place::new(&inner.disk, &client, &self.claude_json(), home, &cwd),
            index_off: client.index_off(),
            memory_off: client.index_off().filter(|_| !client.memory_switch().on),
            reads_added: client.reads_added(),
            compact_off: client.compact_off(),
            vars: client.vars().clone(),
        }
    }

    /// The keys of the project folders in which the sessions of this folder's project lie: its own, that of
    /// its memory, and those of worktrees and of folders within that share this memory.
    #[must_use]
    pub fn session_keys(&self, cwd: &Path) -> Vec<String> {
        let place = self.place(cwd);
        let worktrees = self.worktrees(&place.memory_root).into_iter();
        let roots: Vec<String> = worktrees
            .map(|path| self.place(&path).key)
            .chain([place.memory_key.clone()])
            .collect();
        // So a key begins where its folder lies within; another folder's may too.
        let is_below = |key: &str| {
            let rest = |root: &String| key.strip_prefix(root.as_str());
            roots
                .iter()
                .filter_map(rest)
                .any(|rest| rest.is_empty() || rest.starts_with('-'))
        };
        let projects = self.inner.config_home.join("projects");
        let items = self.inner.disk.list(&projects).unwrap_or_default();
        let folders = items.into_iter().filter(|item| item.kind == Kind::Folder);
        let near = folders
            .filter_map(|folder| folder.name.into_string().ok())
            .filter(|key| is_below(key) && *key != place.key && *key != place.memory_key)
            .filter(|key| self.memory_key_of(key).as_ref() == Some(&place.memory_key));
        let mut keys = vec![place.key.clone(), place.memory_key.clone()];
        keys.dedup();
        keys.extend(near);
        keys
    }

    /// The memory that the newest session of a project folder had, by where it began.
    fn memory_key_of(&self, key: &str) -> Option<String> {
        let projects = self.inner.config_home.join("projects");
        let disk = &self.inner.disk;
        let all = found::sessions_of(disk, &projects, key).found;
        let cwd = all.iter().rev().find_map(|one| {
            let file = disk.open(&one.path).ok()?;
            ends(&file).first
        })?;
        Some(self.place(Path::new(&cwd)).memory_key)
    }

    /// The transcripts of the sessions in this folder (absolute).
    #[must_use]
    pub fn transcripts_here(&self, cwd: &Path) -> Vec<Found> {
        let key = self.place(cwd).key;
        let projects = self.inner.config_home.join("projects");
        found::sessions_of(&self.inner.disk, &projects, &key).found
    }
}

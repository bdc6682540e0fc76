//! What decides the request of a working directory: where its standing rules come from, what switches
//! them, the index and compaction off, and the transcripts of its sessions.

use std::collections::BTreeMap;
use std::path::Path;

use super::Claude;
use crate::instructions::Place;
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

    /// The transcripts of the sessions in this folder (absolute).
    #[must_use]
    pub fn transcripts_here(&self, cwd: &Path) -> Vec<Found> {
        let key = self.place(cwd).key;
        let projects = self.inner.config_home.join("projects");
        found::sessions_of(&self.inner.disk, &projects, &key).found
    }
}

//! The read model that screen and command line show, whatever agent wrote the store. Adapters fill
//! it; so far there is one, [`claude`]. Knows nothing of the screen.

pub mod claude;
pub mod order;
pub mod room;
pub mod rules;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::base::time::Moment;
use crate::memory::file::{Memory, MemoryType};
use crate::memory::index::Index;
use crate::memory::search::Hit;

/// What the screen lists under a shelf is a memory as the scan knows it.
pub type Entry = Memory;

/// Whose memories a shelf holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ShelfKind {
    /// A project's folder.
    Project,
    /// A kind of sub-agent: `agent-memory/<type>` of the config home.
    Agent,
    /// A kind of sub-agent in this project: `.claude/agent-memory/<type>`, shared by version control.
    AgentProject,
    /// The same, ignored by version control: `.claude/agent-memory-local/<type>`.
    AgentLocal,
}

/// One folder of memories.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shelf {
    /// The name of its folder: the project key, or the path of an agent's folder (`agent-memory/reviewer`).
    pub key: String,
    pub kind: ShelfKind,
    /// The folder that the memories are about, where there is evidence for it.
    pub path: Option<PathBuf>,
    /// The memory folder, as seen. It need not exist yet.
    pub folder: PathBuf,
    /// Memories in it, by their file names alone.
    pub memories: usize,
    /// Transcripts beside it.
    pub transcripts: usize,
}

/// A sub-agent that has a memory of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentFile {
    pub name: String,
    /// Where its memory is kept: [`ShelfKind::Agent`], `AgentProject` or `AgentLocal`.
    pub kind: ShelfKind,
    /// The file that describes it.
    pub path: PathBuf,
    /// Its memory folder. It need not exist yet.
    pub folder: PathBuf,
}

impl AgentFile {
    /// The word for its scope, as its file has it.
    #[must_use]
    pub fn scope(&self) -> &'static str {
        match self.kind {
            ShelfKind::Agent => "user",
            ShelfKind::AgentProject | ShelfKind::Project => "project",
            ShelfKind::AgentLocal => "local",
        }
    }
}

/// What a shelf holds, read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Contents {
    /// Newest first; in the tiny layout by `created`, newest first.
    pub entries: Vec<Entry>,
    pub layout: Layout,
    /// Day logs, newest first: paths relative to the memory folder.
    pub logs: Vec<String>,
    /// Memories that only lines below the cut of the index name, by their paths, each with the first.
    pub below_cut: HashMap<Box<str>, usize>,
    pub index: Option<Index>,
    /// `team/MEMORY.md`, a second index.
    pub team_index: Option<Index>,
    /// Why the index that is there can't be read: a sentence, which is among the faults too.
    pub index_fault: Option<String>,
    /// What could not be read: a sentence each.
    pub faults: Vec<String>,
}

/// How the memories of a folder are kept (spec 1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// An index and bodies read on demand.
    #[default]
    Classic,
    /// One fact a file, ordered by `created`, no index.
    Tiny,
}

/// A memory that answers a query, and the shelf that it is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShelfHit {
    pub shelf: Arc<Shelf>,
    /// The shelf's place among those searched: equal hits come in this order.
    order: usize,
    pub hit: Hit,
}

/// The best hits of a search, and how many there are in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// Exact ones first, the best first.
    pub hits: Vec<ShelfHit>,
    pub exact: usize,
    pub fuzzy: usize,
    /// What could not be looked through: a sentence each.
    pub faults: Vec<String>,
}

impl ShelfHit {
    /// A hit on a shelf.
    #[must_use]
    pub fn new(shelf: Arc<Shelf>, hit: Hit) -> Self {
        Self {
            shelf,
            order: 0,
            hit,
        }
    }
}

impl Hits {
    /// Hits in all, also those that are not listed.
    #[must_use]
    pub fn total(&self) -> usize {
        self.exact + self.fuzzy
    }
}

impl Shelf {
    /// What a person calls it: the last part of its path, else its key.
    #[must_use]
    pub fn title(&self) -> Cow<'_, str> {
        match self.path.as_deref().and_then(Path::file_name) {
            Some(name) => name.to_string_lossy(),
            None => Cow::Borrowed(&self.key),
        }
    }
}

/// The name that a list shows for a memory: its own, else its file's.
#[must_use]
pub fn entry_title(entry: &Entry) -> &str {
    match entry.name.as_deref() {
        Some(name) if !name.trim().is_empty() => name,
        Some(_) | None => {
            let file = entry.path.rsplit('/').next().unwrap_or(&entry.path);
            file.strip_suffix(".md").unwrap_or(file)
        }
    }
}

impl Contents {
    /// The newest modification of all entries.
    #[must_use]
    pub fn newest(&self) -> Option<Moment> {
        self.entries.iter().filter_map(|entry| entry.modified).max()
    }

    /// The line of the index that points at a memory (by its path) where all that do stand below the cut, so
    /// that the model is not told of it.
    #[must_use]
    pub fn below_cut(&self, path: &str) -> Option<usize> {
        self.below_cut.get(path).copied()
    }

    /// The types met, in their order, each with its entries' positions. Team and learnings apart.
    #[must_use]
    pub fn of_type(&self, kind: &MemoryType) -> Vec<usize> {
        (0..self.entries.len())
            .filter(|&at| self.entries[at].kind == *kind)
            .collect()
    }
}

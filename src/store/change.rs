//! A change as data: what shall become of which files, and why. Nothing here touches the disk.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::swap::Stamp;

/// Who proposes a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Author {
    You,
    Fix,
    Agent,
    Extract,
    Dream,
    Import,
}

/// Operations that are applied together or not at all, and undone together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangeSet {
    /// What a person reads in the history: "edit db-migration-needs-backup".
    pub title: String,
    pub author: Author,
    pub session: Option<String>,
    pub changes: Vec<Change>,
    /// Files that are written where they were looked at: that no link takes them elsewhere was made sure of
    /// or asked before, so what has become a link since is a conflict.
    pub settled: Vec<PathBuf>,
}

/// One operation and its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub op: Op,
    pub reason: String,
}

/// What shall become of a file. Paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Op {
    /// The file shall hold these bytes. `before` is what the change was made from; `None`: the file
    /// is not there yet.
    Write {
        path: PathBuf,
        before: Option<Vec<u8>>,
        after: Vec<u8>,
        age: Age,
    },
    /// The file or folder gets another path; its bytes, mode and time stay.
    Move { from: PathBuf, to: PathBuf },
    /// The file, folder or link goes to the trash.
    Trash { path: PathBuf },
}

/// What becomes of a file's time, which the model is told as its age.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Age {
    /// The fact is as it was: the time stays.
    Keep,
    /// The fact is new: the time is now.
    Set,
    /// An undo: mode and time are those of then.
    At(Stamp),
}

impl ChangeSet {
    #[must_use]
    pub fn new(title: impl Into<String>, author: Author) -> Self {
        Self {
            title: title.into(),
            author,
            session: None,
            changes: Vec::new(),
            settled: Vec::new(),
        }
    }

    /// Has a file written where it was looked at, or not at all. `path`: as resolved.
    #[must_use]
    pub fn settled_at(mut self, path: PathBuf) -> Self {
        self.settled.push(path);
        self
    }

    /// Adds an operation.
    #[must_use]
    pub fn with(mut self, op: Op, reason: impl Into<String>) -> Self {
        self.changes.push(Change {
            op,
            reason: reason.into(),
        });
        self
    }
}

impl Op {
    /// The file that the operation starts from.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Write { path, .. } | Self::Trash { path } => path,
            Self::Move { from, .. } => from,
        }
    }
}

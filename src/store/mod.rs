//! The only writer of other people's files: change sets, checked, journalled, applied in one step,
//! undone; the trash, the history, drafts. Paths and bytes: it does not know what a memory is.
//!
//! How a change set is applied and what a crash leaves is told in [`apply`]; the places are those of
//! spec 11.1 below `homes/<id>/`.

pub mod apply;
mod blobs;
pub mod change;
pub mod diff;
pub mod draft;
mod folders;
pub mod history;
mod in_the_way;
pub mod journal;
mod keep;
mod leftovers;
mod lock;
pub mod merge;
mod outside;
pub mod own;
mod path_text;
mod perform;
pub mod plan;
pub mod recover;
mod relocate;
pub mod rescued;
mod theirs;
pub mod trash;
pub mod undo;
mod window;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::base::fault::Faults;
use crate::base::swap;
use crate::config::settings::Keep;
use crate::store::window::Window;

/// Our own folders for one config home, and the faults that a test injects.
#[derive(Debug)]
pub struct Store {
    home: PathBuf,
    trash: PathBuf,
    keep: Keep,
    faults: Faults,
    /// Tells other windows that this one is open, once it keeps a draft.
    window: OnceLock<Option<Window>>,
}

/// What went wrong with a change, as a sentence for a person: which path, what, what to do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Something else stands where the change was to go, or the file has changed since it was read.
    #[error("{path}: {what}; nothing was written: read it again and repeat the change", path = path.display())]
    Conflict { path: PathBuf, what: String },
    /// Mine and theirs touch the same lines.
    #[error("{path} was changed by somebody else in the same lines; nothing was written", path = path.display())]
    Overlap {
        path: PathBuf,
        three_way: Box<merge::ThreeWay>,
    },
    /// What is to be taken back was changed further by a later change that stands.
    #[error("{path}: a later change, \"{title}\", is {place}; nothing was written: take that back first", path = path.display())]
    Later {
        path: PathBuf,
        title: String,
        /// Of the later change.
        key: String,
        /// Where it is: `in the same lines`.
        place: &'static str,
    },
    /// Another program wrote it twice while it was to be swapped, as a whole: one of both is put aside.
    #[error("{path} was written by another program at the same moment, more than once: what it wrote last stands there, what came before that is kept in {kept}; look whether something of it is missing", path = path.display(), kept = kept.display())]
    Twice { path: PathBuf, kept: PathBuf },
    /// The system refused.
    #[error("{path}: {error}; {remedy}", path = path.display())]
    Disk {
        path: PathBuf,
        error: io::Error,
        remedy: &'static str,
    },
    /// Another loci writes right now.
    #[error("another loci is writing (its lock is {path}): wait for it and try again", path = path.display())]
    Busy { path: PathBuf },
    /// No such change or trashed item.
    #[error("{what}")]
    Unknown { what: String },
}

impl StoreError {
    /// Whether somebody else stands in the way, rather than the system.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Conflict { .. } | Self::Overlap { .. } | Self::Later { .. } => true,
            // Doing it again would hide it.
            Self::Twice { .. } | Self::Disk { .. } | Self::Busy { .. } | Self::Unknown { .. } => {
                false
            }
        }
    }
}

pub type Result<T> = std::result::Result<T, StoreError>;

impl Store {
    /// The folders of one config home below our state directory. `trash` moves the trash elsewhere.
    #[must_use]
    pub fn new(state: &Path, config_home: &Path, trash: Option<PathBuf>, faults: Faults) -> Self {
        let id = &sha256(config_home.as_os_str().as_encoded_bytes())[..16];
        let home = state.join("homes").join(id);
        Self {
            trash: trash.unwrap_or_else(|| home.join("trash")),
            home,
            keep: Keep::default(),
            faults,
            window: OnceLock::new(),
        }
    }

    /// The same, with what a person says about how long the trash and the history are kept.
    #[must_use]
    pub fn keeping(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }

    /// Where the trash lies.
    #[must_use]
    pub fn trash_folder(&self) -> &Path {
        &self.trash
    }

    /// One of our folders for this config home, made if need be; `None`: the one that holds them.
    fn folder(&self, name: Option<&str>) -> Result<PathBuf> {
        let folder = name.map_or(self.home.clone(), |name| self.home.join(name));
        swap::make_folder(&self.faults, &folder).map_err(|error| disk(&folder, error))?;
        Ok(folder)
    }
}

/// SHA-256 in hexadecimal.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A refusal of the system with what a person can do about it.
pub(crate) fn disk(path: &Path, error: io::Error) -> StoreError {
    let remedy = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "make room on the disk and try again"
        }
        io::ErrorKind::PermissionDenied => "give yourself the right to write there and try again",
        io::ErrorKind::ReadOnlyFilesystem => "make the file system writable and try again",
        io::ErrorKind::NotFound => "look whether it was moved or removed, then read again",
        io::ErrorKind::NotADirectory
        | io::ErrorKind::IsADirectory
        | io::ErrorKind::AlreadyExists => {
            "something else stands there or above it: move it away and try again"
        }
        _ => "nothing was changed; try again",
    };
    StoreError::Disk {
        path: path.to_path_buf(),
        error,
        remedy,
    }
}

#[cfg(test)]
mod tests;

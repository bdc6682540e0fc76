//! Intents: what a change set is about to do, on disk before its first step and gone after its last.
//! An intent is locked by its writer for its life, so that no other process takes unfinished work
//! for abandoned.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::fault::Point;
use crate::base::swap;
use crate::base::time::Moment;
use crate::store::change::Author;
use crate::store::{Result, Store, disk};

/// A change set as the journal and the history keep it (spec 11.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub v: u8,
    pub key: String,
    /// RFC 3339.
    pub time: String,
    pub author: Author,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    pub steps: Vec<Step>,
    /// The key of the change that this one undoes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub undoes: Option<String>,
    /// A step could not be done: what was done is being taken back.
    #[serde(skip_serializing_if = "is_false", default)]
    pub back: bool,
}

/// One step of a change set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub op: StepOp,
    pub path: PathBuf,
    /// Where a move or the trash takes it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub to: Option<PathBuf>,
    /// SHA-256 of the file before and after; none where there is no file, or for a folder or link.
    pub before: Option<String>,
    pub after: Option<String>,
    /// Permission bits that the file has after the step.
    pub mode: u32,
    /// Modification before the step, RFC 3339; none for a file that was not there.
    pub mtime: Option<String>,
    /// Modification after a write, RFC 3339; none: the moment of the write.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mtime_after: Option<String>,
    /// Permission bits before the step, where a write changes them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode_before: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepOp {
    Write,
    Move,
    Trash,
}

impl Step {
    /// Where a move or the trash takes the path.
    pub(super) fn destination(&self) -> &Path {
        self.to.as_deref().unwrap_or(&self.path)
    }

    pub(super) fn time_after(&self) -> Option<swap::Stamp> {
        let moment = Moment::parse(self.mtime_after.as_deref()?)?;
        Some(swap::Stamp {
            mode: self.mode,
            seconds: moment.seconds,
            nanos: moment.nanos,
        })
    }

    pub(super) fn stamp_before(&self) -> Option<swap::Stamp> {
        let moment = Moment::parse(self.mtime.as_deref()?)?;
        let mode = self.mode_before.unwrap_or(self.mode);
        Some(swap::Stamp {
            mode,
            seconds: moment.seconds,
            nanos: moment.nanos,
        })
    }
}

// serde hands the field by reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_false(value: &bool) -> bool {
    !value
}

/// An intent on disk, locked.
pub(super) struct Intent {
    path: PathBuf,
    _file: File,
}

impl Store {
    /// Writes an intent, flushed and locked. An older one of the same key is replaced.
    pub(super) fn declare(&self, entry: &Entry) -> Result<Intent> {
        let folder = self.folder(Some("journal"))?;
        let path = folder.join(format!("{}.json", entry.key));
        let temporary = folder.join(format!("{}{}.tmp", swap::TEMPORARY, entry.key));
        let text = serde_json::to_vec(entry).expect("an entry holds nothing that JSON can't");
        let written = (|| {
            self.faults.pass(Point::Create)?;
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&temporary)?;
            file.lock()?;
            file.write_all(&text)?;
            self.faults.pass(Point::Flush)?;
            file.sync_all()?;
            swap::rename_over(&self.faults, &temporary, &path)?;
            swap::flush_folder(&self.faults, &folder)?;
            Ok(file)
        })();
        match written {
            Ok(file) => Ok(Intent { path, _file: file }),
            Err(error) => Err(disk(&path, error)),
        }
    }

    /// Takes an intent away: its work is done or taken back.
    pub(super) fn clear(&self, intent: &Intent) -> Result<()> {
        let removed = self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&intent.path));
        removed.map_err(|error| disk(&intent.path, error))
    }

    /// Intents that nobody holds any more, oldest first, locked for us.
    pub(super) fn abandoned(&self) -> Vec<(Intent, Entry)> {
        let folder = self.home.join("journal");
        let Ok(listing) = fs::read_dir(&folder) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = listing
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                path.extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect();
        paths.sort();
        paths.into_iter().filter_map(open_free).collect()
    }
}

fn open_free(path: PathBuf) -> Option<(Intent, Entry)> {
    let file = File::open(&path).ok()?;
    file.try_lock().ok()?;
    // Whoever held it may have finished between the look and the lock.
    let entry = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
    Some((Intent { path, _file: file }, entry))
}

impl Intent {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

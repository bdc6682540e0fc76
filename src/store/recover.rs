//! After a crash: intents whose writer is gone are finished forwards, or taken back where that had
//! begun. What somebody else has changed meanwhile is left alone and said.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::base::fault::Point;
use crate::base::swap::{self, TEMPORARY};
use crate::store::apply::{tag, temporary_of};
use crate::store::journal::{Entry, Step, StepOp};
use crate::store::perform::file_sha;
use crate::store::{Result, Store, disk};

/// What a recovery did: a sentence an unfinished change set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    pub notices: Vec<String>,
}

/// Where a step stands after a crash.
enum Standing {
    ToDo,
    Done,
    /// Neither what it was nor what it shall be.
    Other,
}

impl Store {
    /// Whether somebody's write was left unfinished, for commands that only read: the time of each.
    #[must_use]
    pub fn unfinished(&self) -> Vec<String> {
        self.abandoned()
            .into_iter()
            .map(|(_, entry)| entry.time)
            .collect()
    }

    /// Finishes what a crash left. Work that a living process holds is not touched.
    ///
    /// # Errors
    /// As the system says; the intents stay then.
    pub fn recover(&self) -> Result<Recovered> {
        let mut recovered = Recovered::default();
        if self.abandoned().is_empty() {
            // Whoever holds the lock is at work on them, or will sweep them next time.
            if !self.leftovers().is_empty()
                && let Some(_lock) = self.lock_if_free()?
            {
                self.sweep_own();
            }
            return Ok(recovered);
        }
        let _lock = self.lock()?;
        self.sweep_own();
        for (intent, entry) in self.abandoned() {
            let stuck = if entry.back {
                self.go_back(&entry)?
            } else {
                self.go_on(&entry)?
            };
            let what = if entry.back { "taken back" } else { "finished" };
            if stuck.is_empty() {
                if !entry.back && !self.is_recorded(&entry.key) {
                    self.record(&entry)?;
                }
                recovered.notices.push(format!(
                    "{}: the write of {} was {what}",
                    entry.title, entry.time
                ));
                self.clear(&intent)?;
                continue;
            }
            let folder = self.folder(Some("journal/conflicts"))?;
            let kept = folder.join(intent.path().file_name().unwrap_or_default());
            swap::rename_over(&self.faults, intent.path(), &kept)
                .map_err(|error| disk(&kept, error))?;
            let names: Vec<String> = stuck
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            recovered.notices.push(format!(
                "{}: the write of {} could not be {what}: {} changed meanwhile and was left as it is; see {}",
                entry.title,
                entry.time,
                names.join(", "),
                kept.display()
            ));
        }
        Ok(recovered)
    }

    /// Finishes an entry forwards; returns the paths that somebody else has changed.
    fn go_on(&self, entry: &Entry) -> Result<Vec<PathBuf>> {
        let mut stuck = Vec::new();
        for (number, step) in entry.steps.iter().enumerate() {
            let tag = tag(&entry.key, number);
            let theirs = self.sweep(step, &tag)?;
            match standing(step, later(entry, number)) {
                Standing::Done if !theirs => {}
                Standing::ToDo => {
                    if let Err(error) = self.perform(step, &tag) {
                        if !error.is_conflict() {
                            return Err(error);
                        }
                        stuck.push(step.path.clone());
                    }
                }
                Standing::Done | Standing::Other => stuck.push(step.path.clone()),
            }
        }
        Ok(stuck)
    }

    /// Takes an entry back as far as it was done.
    fn go_back(&self, entry: &Entry) -> Result<Vec<PathBuf>> {
        let mut stuck = Vec::new();
        for (number, step) in entry.steps.iter().enumerate().rev() {
            let tag = tag(&entry.key, number);
            let theirs = self.sweep(step, &tag)?;
            match standing(step, false) {
                Standing::ToDo => {}
                Standing::Done if !theirs => {
                    if let Err(error) = self.take_back(step, &tag) {
                        if !error.is_conflict() {
                            return Err(error);
                        }
                        stuck.push(step.path.clone());
                    }
                }
                Standing::Done | Standing::Other => stuck.push(step.path.clone()),
            }
        }
        self.forget_manifest(&entry.key);
        Ok(stuck)
    }

    /// Temporary files that a crash left in our own folders: an intent that was not declared yet, a
    /// blob that was not whole. Only who holds the lock makes and uses them.
    fn leftovers(&self) -> Vec<PathBuf> {
        let folders = [
            self.home.clone(),
            self.home.join("journal"),
            self.home.join("blobs"),
        ];
        let entries = folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flatten()
            .flatten();
        let ours = |name: &OsStr| name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        entries
            .filter(|entry| ours(&entry.file_name()))
            .map(|entry| entry.path())
            .collect()
    }

    /// Removes the leftovers. One that can't be removed now is tried again at the next start.
    fn sweep_own(&self) {
        for path in self.leftovers() {
            let removed = self.faults.pass(Point::Remove);
            let _ = removed.and_then(|()| fs::remove_file(path));
        }
    }

    /// Sweeps the temporary file that a crash left beside a target. If it holds what somebody else
    /// wrote and our swap took out, that goes back first; says whether it did.
    fn sweep(&self, step: &Step, tag: &str) -> Result<bool> {
        let temporary = temporary_of(step, tag);
        if fs::symlink_metadata(&temporary).is_err() {
            return Ok(false);
        }
        let left = file_sha(&temporary);
        let swapped_out = step.op == StepOp::Write
            && step.before.is_some()
            && left.is_some()
            && left != step.before
            && left != step.after
            && file_sha(&step.path) == step.after
            && is_whole(&temporary);
        if swapped_out {
            swap::swap(&self.faults, &temporary, &step.path)
                .map_err(|error| disk(&step.path, error))?;
        }
        let removed = self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&temporary));
        removed.map_err(|error| disk(&temporary, error))?;
        Ok(swapped_out)
    }
}

/// Whether a later step of the entry works on what this one made.
fn later(entry: &Entry, number: usize) -> bool {
    let path = &entry.steps[number].path;
    let made = entry.steps[number].destination();
    entry.steps[number + 1..]
        .iter()
        .any(|step| step.path == *path || step.path == made)
}

/// `moved_on`: a later step has the path in hand, so that what this one made may be elsewhere by now.
fn standing(step: &Step, moved_on: bool) -> Standing {
    match step.op {
        StepOp::Write => {
            let now = file_sha(&step.path);
            if now == step.after {
                Standing::Done
            } else if now == step.before && (now.is_some() || !exists(&step.path)) {
                if now.is_none() && moved_on {
                    Standing::Done
                } else {
                    Standing::ToDo
                }
            } else if moved_on {
                Standing::Done
            } else {
                Standing::Other
            }
        }
        StepOp::Move | StepOp::Trash => match (exists(&step.path), exists(step.destination())) {
            (true, false) => Standing::ToDo,
            (false, true) => Standing::Done,
            // A verified copy whose source was not removed yet counts as to be done again.
            (true, true) => Standing::Other,
            (false, false) => {
                if moved_on {
                    Standing::Done
                } else {
                    Standing::Other
                }
            }
        },
    }
}

fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// A temporary file of ours that a crash cut off while it was written is shorter than what it should
/// hold; what a swap took out is another's file, whole.
fn is_whole(temporary: &Path) -> bool {
    fs::metadata(temporary).is_ok_and(|data| data.len() > 0)
}

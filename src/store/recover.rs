//! After a crash: intents whose writer is gone are finished forwards, or taken back where that had
//! begun. What somebody else has changed meanwhile is left alone and said.

use std::fs;
use std::path::{Path, PathBuf};

use crate::base::fault::Point;
use crate::base::swap::Stamp;
use crate::store::apply::tag;
use crate::store::journal::{Course, Entry, Intent, Left, Step, StepOp};
use crate::store::perform::file_sha;
use crate::store::plan::conflict;
use crate::store::relocate::{Beside, same_tree};
use crate::store::{Result, Store, StoreError, disk};

/// What a recovery did: a sentence an unfinished change set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Recovered {
    pub notices: Vec<String>,
}

/// What a recovery under the lock did, and what it could not do yet.
#[derive(Debug, Default)]
pub(super) struct Unfinished {
    pub notices: Vec<String>,
    pub refused: Refused,
}

/// Change sets that the system keeps from being finished for now: their intents stay.
#[derive(Debug, Default)]
pub(super) struct Refused(Vec<(Entry, StoreError)>);

/// A path that a recovery had to leave as it is, and why.
#[derive(Debug)]
pub(super) struct Stuck {
    pub path: PathBuf,
    pub why: &'static str,
}

/// Where a step stands after a crash.
enum Standing {
    ToDo,
    Done,
    /// A copy between file systems is made, its source is still there.
    Copied,
    /// Neither what it was nor what it shall be.
    Other,
}

impl Refused {
    /// Refuses steps that touch what is still to be finished: the two would be mixed.
    pub(super) fn stand_off(self, steps: &[Step]) -> Result<()> {
        let touched = |step: &Step| [step.path.clone(), step.destination().to_path_buf()];
        let ours: Vec<PathBuf> = steps.iter().flat_map(touched).collect();
        let in_the_way = self.0.into_iter().find(|(entry, _)| {
            entry
                .steps
                .iter()
                .flat_map(touched)
                .any(|path| ours.contains(&path))
        });
        in_the_way.map_or(Ok(()), |(_, error)| Err(error))
    }
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
        if self.left_free().is_empty() {
            // Whoever holds the lock is at work on them, or will sweep them next time.
            if !self.leftovers().is_empty()
                && let Some(_lock) = self.lock_if_free()?
            {
                self.sweep_own();
            }
            return Ok(recovered);
        }
        let _lock = self.lock()?;
        let Unfinished { notices, refused } = self.recover_locked()?;
        recovered.notices = notices;
        for (entry, error) in refused.0 {
            recovered.notices.push(format!(
                "{}: the write of {} can't be finished yet: {error}",
                entry.title, entry.time
            ));
        }
        Ok(recovered)
    }

    /// [`Store::recover`] for whoever holds the lock.
    pub(super) fn recover_locked(&self) -> Result<Unfinished> {
        self.sweep_own();
        let mut unfinished = Unfinished::default();
        for left in self.left_behind() {
            match left {
                Left::Work(intent, entry) => self.settle(&intent, *entry, &mut unfinished)?,
                Left::Unreadable(path) => {
                    let kept = self.put_aside(&path)?;
                    unfinished.notices.push(format!(
                        "{} can't be read as an unfinished write: nothing was done with it; see {}",
                        path.display(),
                        kept.display()
                    ));
                }
            }
        }
        Ok(unfinished)
    }

    fn settle(&self, intent: &Intent, entry: Entry, unfinished: &mut Unfinished) -> Result<()> {
        let (settled, what) = match intent.course() {
            Course::Forwards => (self.go_on(&entry), "finished"),
            Course::Back { begun } => (self.go_back(&entry, begun), "taken back"),
        };
        let stuck = match settled {
            Ok(stuck) => stuck,
            Err(error) => {
                unfinished.refused.0.push((entry, error));
                return Ok(());
            }
        };
        if stuck.is_empty() {
            match intent.course() {
                Course::Forwards if !self.is_recorded(&entry.key) => self.record(&entry)?,
                Course::Forwards => {}
                Course::Back { .. } => self.forget_manifest(&entry.key),
            }
            unfinished.notices.push(format!(
                "{}: the write of {} was {what}",
                entry.title, entry.time
            ));
            return self.clear(intent);
        }
        let kept = self.put_aside(intent.path())?;
        let reasons: Vec<String> = stuck
            .iter()
            .map(|stuck| format!("{} {}", stuck.path.display(), stuck.why))
            .collect();
        unfinished.notices.push(format!(
            "{}: the write of {} could not be {what}: {}, and was left as it is; see {}",
            entry.title,
            entry.time,
            reasons.join(", "),
            kept.display()
        ));
        Ok(())
    }

    /// Finishes an entry forwards; returns the paths that could not be.
    fn go_on(&self, entry: &Entry) -> Result<Vec<Stuck>> {
        // Then all is done, and what is there now was made later.
        let recorded = self.is_recorded(&entry.key);
        let mut stuck = Vec::new();
        for (number, step) in entry.steps.iter().enumerate() {
            let tag = tag(&entry.key, number);
            let theirs = self.sweep(step, &tag)?;
            if recorded && !theirs {
                continue;
            }
            let standing = match gone_along(&entry.steps, number) {
                true => Standing::Done,
                false => standing(step, later(&entry.steps, number)),
            };
            let done = match standing {
                Standing::Done if !theirs => Ok(()),
                Standing::ToDo => self.perform(step, &tag),
                Standing::Copied => self.drop_source(&step.path, step.destination(), &tag),
                Standing::Done | Standing::Other => Err(conflict(&step.path, "")),
            };
            stuck.extend(left_alone(done, step)?);
        }
        if !recorded && stuck.is_empty() {
            warn_of(&self.remove_empty(&entry.unmakes));
        }
        Ok(stuck)
    }

    /// Takes back the first `begun` steps of an entry, as far as they were done, the last one first;
    /// returns the paths that could not be. What stands in the way of the last one was there before it.
    pub(super) fn go_back(&self, entry: &Entry, begun: usize) -> Result<Vec<Stuck>> {
        let mut stuck = Vec::new();
        let steps = &entry.steps[..begun.min(entry.steps.len())];
        for (number, step) in steps.iter().enumerate().rev() {
            let tag = tag(&entry.key, number);
            let theirs = self.sweep(step, &tag)?;
            let done = match standing(step, false) {
                Standing::ToDo => Ok(()),
                Standing::Done if !theirs => self.take_back(step, &tag),
                Standing::Copied => self.drop_source(step.destination(), &step.path, &tag),
                Standing::Done | Standing::Other if number + 1 == begun => Ok(()),
                Standing::Done | Standing::Other => Err(conflict(&step.path, "")),
            };
            stuck.extend(left_alone(done, step)?);
        }
        warn_of(&self.remove_empty(&entry.makes));
        Ok(stuck)
    }

    /// Sweeps what a crash left beside the paths of a step. If it is what somebody else wrote and we
    /// took out of its place, that goes back first; says whether it did.
    fn sweep(&self, step: &Step, tag: &str) -> Result<bool> {
        if step.op != StepOp::Write {
            return self.sweep_relocation(&step.path, step.destination(), tag);
        }
        let forth = self.sweep_swap(
            step,
            &Beside::Forth.of(&step.path, tag),
            step.after.as_deref(),
        )?;
        let back = self.sweep_swap(
            step,
            &Beside::Back.of(&step.path, tag),
            step.before.as_deref(),
        )?;
        let out = Beside::Out.of(&step.path, tag);
        let unmade = match fs::symlink_metadata(&out) {
            Err(_) => false,
            Ok(_) if file_sha(&out) == step.after => {
                self.remove_temporary(&out)?;
                false
            }
            Ok(_) => {
                self.put_back(&out, &step.path)?;
                true
            }
        };
        Ok(forth || back || unmade)
    }

    /// `put`: what the file of ours held before it was swapped with the target. If somebody else's bytes
    /// are in it now they go back; says whether there were any.
    fn sweep_swap(&self, step: &Step, temporary: &Path, put: Option<&str>) -> Result<bool> {
        if fs::symlink_metadata(temporary).is_err() {
            return Ok(false);
        }
        let left = file_sha(temporary);
        let mut theirs = false;
        if let (Some(put), true) = (put, step.before.is_some())
            && left != step.before
            && left != step.after
        {
            let ours = self.blob(put)?;
            theirs =
                file_sha(&step.path).as_deref() == Some(put) || !is_unfinished(temporary, &ours);
            if theirs {
                let given = self.give_back(temporary, &step.path, &ours);
                match given.and_then(|seen| self.look_again(temporary, &step.path, &seen)) {
                    Err(StoreError::Twice { path, kept }) => {
                        tracing::warn!("{}", StoreError::Twice { path, kept });
                        return Ok(true);
                    }
                    given => given?,
                }
            }
        }
        self.remove_temporary(temporary)?;
        Ok(theirs)
    }

    fn remove_temporary(&self, temporary: &Path) -> Result<()> {
        self.faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(temporary))
            .map_err(|error| disk(temporary, error))
    }
}

/// Whether a file is ours, as far as it was written before a death.
fn is_unfinished(temporary: &Path, ours: &[u8]) -> bool {
    let is_file = fs::symlink_metadata(temporary).is_ok_and(|data| data.is_file());
    is_file && fs::read(temporary).is_ok_and(|held| ours.starts_with(&held))
}

/// An empty folder that stays is no reason to leave a change unfinished.
fn warn_of(stay: &[String]) {
    for said in stay {
        tracing::warn!("{said}");
    }
}

/// What somebody else has changed, or what has lost its bytes, is left alone; what the system refuses
/// is an error.
fn left_alone(done: Result<()>, step: &Step) -> Result<Option<Stuck>> {
    let why = match done {
        Ok(()) => return Ok(None),
        Err(error) if error.is_conflict() => "changed meanwhile",
        Err(StoreError::Unknown { .. }) => "has lost the bytes that it should get",
        Err(error) => return Err(error),
    };
    Ok(Some(Stuck {
        path: step.path.clone(),
        why,
    }))
}

/// Whether a later step of the entry works on what this one made.
pub(super) fn later(steps: &[Step], number: usize) -> bool {
    let path = &steps[number].path;
    let made = steps[number].destination();
    steps[number + 1..]
        .iter()
        .any(|step| step.path == *path || step.path == made)
}

/// Whether a later step has taken the folder elsewhere in which this one made something.
fn gone_along(steps: &[Step], number: usize) -> bool {
    let made = steps[number].destination();
    (number + 1..steps.len()).any(|later| {
        let folder = &steps[later].path;
        made != folder && made.starts_with(folder) && is_away(steps, later)
    })
}

/// Whether a step has taken its path elsewhere, from where a later one may have taken it on.
fn is_away(steps: &[Step], number: usize) -> bool {
    let step = &steps[number];
    let to = step.destination();
    let on = |later: usize| to.starts_with(&steps[later].path) && is_away(steps, later);
    step.op != StepOp::Write
        && !exists(&step.path)
        && (exists(to) || (number + 1..steps.len()).any(on))
}

/// `moved_on`: a later step has the path in hand, so that what this one made may be elsewhere by now.
fn standing(step: &Step, moved_on: bool) -> Standing {
    match step.op {
        StepOp::Write => {
            let now = file_sha(&step.path);
            if now == step.after {
                // A write that changes nothing but the time is done when the time is another.
                let timed = step.before == step.after && !moved_on;
                let same = || {
                    fs::symlink_metadata(&step.path)
                        .map(|data| Stamp::of(&data))
                        .ok()
                };
                if timed && step.stamp_before().is_some() && same() == step.stamp_before() {
                    return Standing::ToDo;
                }
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
            (true, true) => match same_tree(&step.path, step.destination()) {
                Ok(true) => Standing::Copied,
                Ok(false) | Err(_) => Standing::Other,
            },
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

#[cfg(test)]
#[path = "recover_tests.rs"]
mod tests;

//! Undo and redo: a change set of its own, made from the history, that needs what the first one left
//! to be there still.

use std::fs;

use crate::base::swap::Stamp;
use crate::base::time::Moment;
use crate::store::apply::Applied;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::history::{to_redo, to_undo, undone};
use crate::store::journal::{Entry, Step, StepOp};
use crate::store::perform::file_sha;
use crate::store::plan::conflict;
use crate::store::recover::later;
use crate::store::{Result, Store, StoreError};

/// What the title of an undo, and of a redo, begins with.
const UNDO: &str = "undo ";
const REDO: &str = "redo ";
/// And that of a restore, which is an undo of what went to the trash.
pub(super) const RESTORE: &str = "restore ";

impl Store {
    /// Takes back a change set: the one of this key, else the last one. A later change of the same
    /// files is merged with if it touches other lines.
    ///
    /// # Errors
    /// As [`Store::apply`]; `Unknown` where there is nothing to undo.
    pub fn undo(&self, key: Option<&str>, now: Moment) -> Result<(Entry, Applied)> {
        let history = self.history();
        let entry = match key {
            None => to_undo(&history).cloned(),
            Some(key) => history.iter().find(|entry| entry.key == key).cloned(),
        };
        self.reverse(
            entry,
            key.map_or("nothing to undo".to_string(), |key| {
                format!("no change has the key {key}")
            }),
            now,
        )
    }

    /// Does again what the last undo took back.
    ///
    /// # Errors
    /// As [`Store::undo`].
    pub fn redo(&self, now: Moment) -> Result<(Entry, Applied)> {
        let history = self.history();
        self.reverse(
            to_redo(&history).cloned(),
            "nothing to redo".to_string(),
            now,
        )
    }

    fn reverse(
        &self,
        entry: Option<Entry>,
        missing: String,
        now: Moment,
    ) -> Result<(Entry, Applied)> {
        let entry = entry.ok_or(StoreError::Unknown { what: missing })?;
        let set = self.reversed(&entry)?;
        let applied = self
            .apply_as(&set, Some(&entry), now)
            .map_err(|error| self.explained(&entry, error))?;
        Ok((entry, applied))
    }

    /// Refuses to undo what is undone already: its bytes may stand there again, and a merge with them
    /// would look like a change.
    pub(super) fn stands(&self, key: &str) -> Result<()> {
        let history = self.history();
        if !undone(&history).contains(key) {
            return Ok(());
        }
        let title = history
            .iter()
            .find(|entry| entry.key == key)
            .map_or("", |entry| &entry.title);
        Err(StoreError::Unknown {
            what: format!("{key} is undone already: `{title}`"),
        })
    }

    /// The change set that takes an entry back.
    ///
    /// # Errors
    /// `Unknown` when it is undone already, or what it needs has been purged; a conflict where
    /// somebody has changed a file that it made, `Later` where a later change has.
    pub fn reversed(&self, entry: &Entry) -> Result<ChangeSet> {
        self.reversal(entry)
            .map_err(|error| self.explained(entry, error))
    }

    fn reversal(&self, entry: &Entry) -> Result<ChangeSet> {
        self.stands(&entry.key)?;
        let undone = entry.undoes.as_ref();
        let of = |word| entry.title.strip_prefix(word);
        let undone = undone.and_then(|_| of(UNDO).or_else(|| of(RESTORE)));
        let title = match (undone, &entry.undoes) {
            (Some(change), _) => format!("{REDO}{change}"),
            // A redo is undone as the change itself is.
            (None, Some(_)) => format!("{UNDO}{}", entry.title.trim_start_matches(REDO)),
            (None, None) => format!("{UNDO}{}", entry.title),
        };
        let mut set = ChangeSet::new(title, Author::You);
        for (number, step) in entry.steps.iter().enumerate().rev() {
            let reversed = self.reversed_step(step, later(&entry.steps, number))?;
            set = set.with(reversed, format!("takes back {}", entry.key));
        }
        Ok(set)
    }

    /// Whether a step took its file to the trash, and it is not there any more.
    fn is_purged(&self, step: &Step) -> bool {
        let trashed = step.op == StepOp::Trash || step.destination().starts_with(&self.trash);
        trashed && fs::symlink_metadata(step.destination()).is_err()
    }

    /// `moved_on`: a later step of the same entry has the path in hand, and is reversed before.
    fn reversed_step(&self, step: &Step, moved_on: bool) -> Result<Op> {
        let path = step.path.clone();
        Ok(match (step.op, &step.before, &step.after) {
            (StepOp::Write, Some(before), Some(after)) => Op::Write {
                path,
                before: Some(self.blob(after)?),
                after: self.blob(before)?,
                age: then(step, moved_on).map_or(Age::Keep, Age::At),
            },
            // What somebody else has made of a new file does not go with it.
            (StepOp::Write, _, after) => match file_sha(&path) {
                Some(now) if !moved_on && Some(&now) != after.as_ref() => {
                    return Err(conflict(&path, "has been changed since"));
                }
                Some(_) | None => Op::Trash { path },
            },
            (StepOp::Move | StepOp::Trash, _, _) if self.is_purged(step) => {
                return Err(StoreError::Unknown {
                    what: format!(
                        "{} can't come back: it is not in the trash any more; `loci history` lists the changes, `loci undo KEY` takes another one back",
                        path.display()
                    ),
                });
            }
            (StepOp::Move | StepOp::Trash, _, _) => Op::Move {
                from: step.destination().to_path_buf(),
                to: path,
            },
        })
    }
}

/// Time and mode of a file before a step. A mode that the step did not change is as it is now:
/// somebody may have closed the file since.
fn then(step: &Step, moved_on: bool) -> Option<Stamp> {
    let then = step.stamp_before()?;
    let now = fs::metadata(&step.path).ok().map(|data| Stamp::of(&data));
    Some(match now {
        Some(now) if step.mode_before.is_none() && !moved_on => Stamp {
            mode: now.mode,
            ..then
        },
        Some(_) | None => then,
    })
}

#[cfg(test)]
#[path = "undo_tests.rs"]
mod tests;

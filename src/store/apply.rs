//! How a change set is applied: all of it or nothing, in one journalled step (spec 11.2).
//!
//! Take the lock; check, and keep the bytes before and after as blobs, flushed; declare the intent,
//! flushed and locked; do the steps; write a line in the history; take the intent away. A crash
//! before the intent leaves everything as it was; one after it is finished forwards by [`crate::store::recover`].
//! A step that somebody else's write forbids has the steps before it taken back.

use std::path::{Path, PathBuf};

use crate::base::time::Moment;
use crate::store::change::{ChangeSet, Op};
use crate::store::journal::{Entry, Step};
use crate::store::plan::{self, Plan};
use crate::store::{Result, Store};

/// A change set that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Names it in the history and the trash.
    pub key: String,
    /// What a person should know: merges, nothing else so far.
    pub notices: Vec<String>,
}

impl Store {
    /// Applies a change set.
    ///
    /// # Errors
    /// A conflict, a lock held by another process, or what the system refuses; nothing is changed then.
    pub fn apply(&self, set: &ChangeSet, now: Moment) -> Result<Applied> {
        self.apply_as(set, None, now)
    }

    /// What applying would do, without doing it.
    ///
    /// # Errors
    /// As [`Store::apply`].
    pub fn check(&self, set: &ChangeSet) -> Result<Plan> {
        plan::check(set, |number| self.trash.join("-").join(number.to_string()))
    }

    pub(super) fn apply_as(
        &self,
        set: &ChangeSet,
        undoes: Option<String>,
        now: Moment,
    ) -> Result<Applied> {
        let _lock = self.lock()?;
        let key = self.new_key(now);
        let place = self.trash.join(&key);
        let plan = plan::check(set, |number| place.join(number.to_string()))?;
        if plan.steps.is_empty() {
            return Ok(Applied {
                key,
                notices: plan.notices,
            });
        }
        for bytes in &plan.blobs {
            self.keep_blob(bytes)?;
        }
        let entry = Entry {
            v: 1,
            key: key.clone(),
            time: now.rfc3339(),
            author: set.author,
            title: set.title.clone(),
            session: set.session.clone(),
            steps: plan.steps,
            undoes,
            back: false,
        };
        if set
            .changes
            .iter()
            .any(|change| matches!(change.op, Op::Trash { .. }))
        {
            self.write_manifest(&entry)?;
        }
        let intent = self.declare(&entry)?;
        for (number, step) in entry.steps.iter().enumerate() {
            let Err(error) = self.perform(step, &tag(&key, number)) else {
                continue;
            };
            let intent = self.declare(&Entry {
                back: true,
                ..entry.clone()
            })?;
            self.take_all_back(&entry, number)?;
            self.forget_manifest(&key);
            self.clear(&intent)?;
            return Err(error);
        }
        self.record(&entry)?;
        self.clear(&intent)?;
        self.keep_within_limits(now);
        Ok(Applied {
            key,
            notices: plan.notices,
        })
    }

    /// Takes back the first `done` steps of an entry, the last one first.
    pub(super) fn take_all_back(&self, entry: &Entry, done: usize) -> Result<()> {
        for (number, step) in entry.steps[..done].iter().enumerate().rev() {
            self.take_back(step, &tag(&entry.key, number))?;
        }
        Ok(())
    }

    /// A key that sorts by time and is not taken: `20261130-031854-1`.
    fn new_key(&self, now: Moment) -> String {
        let stamp = now.rfc3339();
        let digits: String = stamp
            .chars()
            .take(19)
            .filter(char::is_ascii_digit)
            .collect();
        let base = match digits.len() == 14 {
            true => format!("{}-{}", &digits[..8], &digits[8..]),
            false => now.seconds.to_string(),
        };
        let taken = |key: &str| {
            self.trash.join(key).exists()
                || self
                    .home
                    .join("journal")
                    .join(format!("{key}.json"))
                    .exists()
        };
        let used = self.keys_of_history(&base);
        let mut number = 1;
        loop {
            let key = format!("{base}-{number}");
            if !used.contains(&key) && !taken(&key) {
                return key;
            }
            number += 1;
        }
    }
}

/// Names the temporary file of a step.
pub(super) fn tag(key: &str, step: usize) -> String {
    format!("{key}-{step}")
}

/// The temporary file of a step, where a crash may have left it.
pub(super) fn temporary_of(step: &Step, tag: &str) -> PathBuf {
    let folder = step.path.parent().unwrap_or(Path::new("/"));
    folder.join(format!("{}{tag}.tmp", crate::base::swap::TEMPORARY))
}

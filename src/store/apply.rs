//! How a change set is applied: all of it or nothing, in one journalled step (spec 11.2).
//!
//! Take the lock; check, and keep the bytes before and after as blobs, flushed; declare the intent,
//! flushed and locked; do the steps; write a line in the history; take the intent away. A crash
//! before the intent leaves everything as it was; one after it is finished forwards by [`crate::store::recover`].
//! A step that somebody else's write or the system forbids has the steps before it taken back: what
//! was said to have failed is not done later.

use std::path::{Path, PathBuf};

use crate::base::time::Moment;
use crate::store::change::{Change, ChangeSet, Op};
use crate::store::folders;
use crate::store::journal::{Entry, Intent, Step};
use crate::store::plan::{self, Plan};
use crate::store::{Result, Store};

/// A change set that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// Names it in the history and the trash.
    pub key: String,
    /// What a person should know: merges, nothing else so far.
    pub notices: Vec<String>,
    /// What its steps wrote, moved or removed, and where they moved it.
    pub touched: Vec<PathBuf>,
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
        undoes: Option<&Entry>,
        now: Moment,
    ) -> Result<Applied> {
        let _lock = self.lock()?;
        // Another process may have died since this one began.
        let unfinished = self.recover_locked()?;
        if let Some(of) = undoes {
            self.stands(&of.key)?;
        }
        let key = self.new_key(now);
        let place = self.trash.join(&key);
        let mut plan = plan::check(set, |number| place.join(number.to_string()))?;
        plan.notices.splice(0..0, unfinished.notices);
        if plan.steps.is_empty() {
            return Ok(Applied {
                key,
                notices: plan.notices,
                touched: Vec::new(),
            });
        }
        unfinished.refused.stand_off(&plan.steps)?;
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
            makes: folders::to_make(&plan.steps, &self.trash),
            unmakes: undoes.map_or_else(Vec::new, |of| of.makes.clone()),
            steps: plan.steps,
            undoes: undoes.map(|of| of.key.clone()),
        };
        let trashes = |change: &Change| matches!(change.op, Op::Trash { .. });
        let manifest = match set.changes.iter().any(trashes) {
            true => self.write_manifest(&entry),
            false => Ok(()),
        };
        let intent = match manifest.and_then(|()| self.declare(&entry)) {
            Ok(intent) => intent,
            Err(error) => {
                self.forget_manifest(&key);
                return Err(error);
            }
        };
        for (number, step) in entry.steps.iter().enumerate() {
            if let Err(error) = self.perform(step, &tag(&key, number)) {
                self.call_off(intent, &entry, number + 1)?;
                return Err(error);
            }
        }
        plan.notices.extend(self.remove_empty(&entry.unmakes));
        if let Err(error) = self.record(&entry) {
            self.call_off(intent, &entry, entry.steps.len())?;
            return Err(error);
        }
        // All is done and stands in the history; an intent that stays is seen to be done next time.
        let _ = self.clear(&intent);
        self.keep_within_limits(&key, now);
        let touched = entry.steps.iter().flat_map(Step::places);
        Ok(Applied {
            key,
            notices: plan.notices,
            touched: touched.map(Path::to_path_buf).collect(),
        })
    }

    /// Leaves nothing of a change set whose first `begun` steps were begun. What can't be taken back
    /// now is taken back by the next recovery, as the intent says.
    fn call_off(&self, mut intent: Intent, entry: &Entry, begun: usize) -> Result<()> {
        self.turn_back(&mut intent, &entry.key, begun);
        let stuck = self.go_back(entry, begun)?;
        if let Some(stuck) = stuck.first() {
            // The recovery puts the intent aside and says so.
            return Err(plan::conflict(&stuck.path, stuck.why));
        }
        self.forget_manifest(&entry.key);
        // What stays here has nothing left to take back.
        let _ = self.clear(&intent);
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
        let taken = |key: &str| self.trash.join(key).exists() || self.is_intended(key);
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

/// Names the temporary files of a step.
pub(super) fn tag(key: &str, step: usize) -> String {
    format!("{key}-{step}")
}

#[cfg(test)]
#[path = "apply_tests.rs"]
mod tests;

//! What stands in the way of taking a change back: a later change of the history to the same file.

use std::path::Path;

use crate::store::history::{is_change, undone};
use crate::store::journal::{Entry, Step, StepOp};
use crate::store::merge::three_way;
use crate::store::perform::file_sha;
use crate::store::{Store, StoreError};

impl Store {
    /// Why an entry can't be taken back: where a later change that stands made the conflict, by its
    /// title; else the error as it is.
    #[must_use]
    pub fn explained(&self, entry: &Entry, error: StoreError) -> StoreError {
        let (path, in_lines) = match &error {
            StoreError::Overlap { path, .. } => (path.clone(), true),
            StoreError::Conflict { path, .. } => (path.clone(), false),
            StoreError::Later { .. }
            | StoreError::Twice { .. }
            | StoreError::Disk { .. }
            | StoreError::Busy { .. }
            | StoreError::Unknown { .. } => return error,
        };
        let history = self.history();
        let undone = undone(&history);
        let after = history.iter().skip_while(|other| other.key != entry.key);
        let mut later = after.skip(1).filter(|other| {
            !undone.contains(other.key.as_str())
                && is_change(other, &history)
                && step_of(other, &path).is_some()
        });
        let found = match in_lines {
            true => later.find(|other| self.overlaps(entry, other, &path)),
            false => later.last().filter(|other| left_it_so(other, &path)),
        };
        match found {
            Some(other) => StoreError::Later {
                path,
                title: other.title.clone(),
                key: other.key.clone(),
                place: if in_lines {
                    "in the same lines"
                } else {
                    "of the same file"
                },
            },
            None => error,
        }
    }

    /// Whether what a later change made of a file is in the lines that taking an entry back changes.
    fn overlaps(&self, entry: &Entry, later: &Entry, path: &Path) -> bool {
        let (Some(own), Some(other)) = (step_of(entry, path), step_of(later, path)) else {
            return false;
        };
        let bytes = |name: &Option<String>| name.as_deref().and_then(|it| self.blob(it).ok());
        let (Some(base), Some(mine)) = (bytes(&own.after), bytes(&own.before)) else {
            return false;
        };
        let theirs = bytes(&other.after);
        theirs.is_some_and(|theirs| three_way(&base, &mine, &theirs).clean().is_none())
    }
}

/// The last step of a change that has a path in hand.
fn step_of<'a>(entry: &'a Entry, path: &Path) -> Option<&'a Step> {
    let mut steps = entry.steps.iter();
    steps.rfind(|step| step.places().any(|place| place == path))
}

/// Whether a file is as a change left it: nobody else has written to it since.
fn left_it_so(entry: &Entry, path: &Path) -> bool {
    step_of(entry, path).is_some_and(|step| match step.op {
        StepOp::Write => file_sha(path) == step.after,
        StepOp::Move | StepOp::Trash => true,
    })
}

//! The folders that a change set makes on its way: told before its first step, and taken away again,
//! if they are empty then, by whatever takes the change back. One that was there before stays, empty
//! or not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::base::fault::Point;
use crate::store::Store;
use crate::store::journal::{Step, StepOp};

/// The folders that the steps will have to make, each after the one that it lies in. Our own, of the
/// trash, are none of them.
pub(super) fn to_make(steps: &[Step], trash: &Path) -> Vec<PathBuf> {
    let mut made: Vec<PathBuf> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let place = step.destination();
        if place.starts_with(trash) {
            continue;
        }
        // What an earlier step brings along is not made.
        let brought = |folder: &Path| {
            let mut earlier = steps[..number].iter();
            earlier.any(|step| step.op == StepOp::Move && folder.starts_with(step.destination()))
        };
        let stands = |folder: &Path| {
            fs::symlink_metadata(folder).is_ok()
                || made.iter().any(|made| made == folder)
                || brought(folder)
        };
        let missing: Vec<PathBuf> = place
            .ancestors()
            .skip(1)
            .take_while(|folder| !stands(folder))
            .map(Path::to_path_buf)
            .collect();
        made.extend(missing.into_iter().rev());
    }
    made
}

impl Store {
    /// Removes folders that are empty, the last one first; says which could not be.
    pub(super) fn remove_empty(&self, folders: &[PathBuf]) -> Vec<String> {
        let mut stay = Vec::new();
        for folder in folders.iter().rev() {
            let removed = self
                .faults
                .pass(Point::Remove)
                .and_then(|()| fs::remove_dir(folder));
            match removed {
                Ok(()) => {}
                Err(error) if is_in_use(&error) => {}
                Err(error) => stay.push(format!(
                    "{} is empty and could not be removed: {error}",
                    folder.display()
                )),
            }
        }
        stay
    }
}

/// Gone already, not empty, or no folder any more: another has it in hand.
fn is_in_use(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::DirectoryNotEmpty
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::AlreadyExists
    )
}

#[cfg(test)]
#[path = "folders_tests.rs"]
mod tests;

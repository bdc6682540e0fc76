//! One step of a change set on the disk, forwards or back. What comes out of a swap is looked at, so
//! that an update made between the look and the swap is never lost.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::base::fault::Point;
use crate::base::swap::{self, Stamp};
use crate::store::journal::{Step, StepOp};
use crate::store::plan::conflict;
use crate::store::relocate::Beside;
use crate::store::theirs::Seen;
use crate::store::{Result, Store, disk, hex};

/// What became of a file of ours beside its place.
enum Swapped {
    /// It took the place.
    Gone,
    /// Its bytes stand in the place; it holds what stood there.
    In(Seen),
    /// Somebody else's stand there; it holds ours.
    Back(Seen),
}

impl Store {
    /// Does a step. `tag` names its temporary files.
    pub(super) fn perform(&self, step: &Step, tag: &str) -> Result<()> {
        match step.op {
            StepOp::Write => {
                let after = step.after.as_deref().unwrap_or_default();
                let bytes = self.blob(after)?;
                self.write(
                    &step.path,
                    step.before.as_deref(),
                    &bytes,
                    step.mode,
                    step.time_after(),
                    &Beside::Forth.tag(tag),
                )
            }
            StepOp::Move | StepOp::Trash => self.relocate(&step.path, step.destination(), tag),
        }
    }

    /// Takes a step back that was done; what is there must still be what the step made.
    pub(super) fn take_back(&self, step: &Step, tag: &str) -> Result<()> {
        match (step.op, &step.before) {
            (StepOp::Write, Some(before)) => {
                let bytes = self.blob(before)?;
                let stamp = step.stamp_before();
                let mode = stamp.map_or(step.mode, |stamp| stamp.mode);
                let tag = Beside::Back.tag(tag);
                self.write(&step.path, step.after.as_deref(), &bytes, mode, stamp, &tag)
            }
            (StepOp::Write, None) => self.unmake(step, tag),
            (StepOp::Move | StepOp::Trash, _) => self.relocate(step.destination(), &step.path, tag),
        }
    }

    /// Takes away a file that a step made: its bytes stay in the blobs. It is taken out of its place
    /// first, so that what another writes there at this moment is looked at, not removed.
    fn unmake(&self, step: &Step, tag: &str) -> Result<()> {
        let out = Beside::Out.of(&step.path, tag);
        match swap::rename_over(&self.faults, &step.path, &out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            taken => taken.map_err(|error| disk(&step.path, error))?,
        }
        if file_sha(&out) != step.after {
            self.put_back(&out, &step.path)?;
            return Err(conflict(&step.path, "has been changed since"));
        }
        self.faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&out))
            .map_err(|error| disk(&step.path, error))
    }

    /// Writes a file in one step. `before`: the SHA-256 that must come out; none: nothing must be there.
    fn write(
        &self,
        path: &Path,
        before: Option<&str>,
        bytes: &[u8],
        mode: u32,
        time: Option<Stamp>,
        tag: &str,
    ) -> Result<()> {
        let folder = path.parent().unwrap_or(Path::new("/"));
        let refused = |error: io::Error| disk(path, error);
        if before.is_none() {
            swap::make_store_folder(&self.faults, folder).map_err(refused)?;
        }
        let temporary =
            swap::temporary(&self.faults, path, tag, bytes, mode, time).map_err(refused)?;
        let done = match before {
            None => match swap::rename_new(&self.faults, &temporary, path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    Err(conflict(path, "is already there"))
                }
                done => done.map(|()| Swapped::Gone).map_err(refused),
            },
            Some(before) => self.exchange(&temporary, path, before, bytes),
        };
        let flushed = swap::flush_folder(&self.faults, folder).map_err(refused);
        let done = match done {
            Ok(Swapped::Gone) => Ok(()),
            Ok(Swapped::In(seen)) => self.look_again(&temporary, path, &seen),
            Ok(Swapped::Back(seen)) => self
                .look_again(&temporary, path, &seen)
                .and(Err(conflict(path, "has been changed meanwhile"))),
            Err(error) => Err(error),
        };
        // After a rename it is gone already; after a swap it holds what was there before.
        let _ = self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&temporary));
        done.and(flushed)
    }

    /// Swaps the new file in and looks at what came out; if it is not `before`, that goes back.
    fn exchange(
        &self,
        temporary: &Path,
        path: &Path,
        before: &str,
        bytes: &[u8],
    ) -> Result<Swapped> {
        match swap::swap(&self.faults, temporary, path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return match file_sha(path).as_deref() == Some(before) {
                    true => swap::rename_over(&self.faults, temporary, path)
                        .map(|()| Swapped::Gone)
                        .map_err(|error| disk(path, error)),
                    false => Err(conflict(path, "has been changed")),
                };
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(conflict(path, "is gone"));
            }
            Err(error) => return Err(disk(path, error)),
        }
        let seen = Seen::of(temporary);
        match seen.sha.as_deref() == Some(before) {
            true => Ok(Swapped::In(seen)),
            false => self.give_back(temporary, path, bytes).map(Swapped::Back),
        }
    }
}

/// SHA-256 of a regular file, read piece by piece; none for anything else.
pub(super) fn file_sha(path: &Path) -> Option<String> {
    let data = fs::symlink_metadata(path).ok()?;
    data.is_file().then(|| sha256_of(path).ok()).flatten()
}

/// SHA-256 of what a file holds, however large it is.
pub(super) fn sha256_of(path: &Path) -> io::Result<String> {
    let mut file = fs::File::open(path)?;
    let mut digest = Sha256::new();
    let mut piece = vec![0; 64 * 1024];
    loop {
        match file.read(&mut piece)? {
            0 => return Ok(hex(&digest.finalize())),
            read => digest.update(&piece[..read]),
        }
    }
}

//! One step of a change set on the disk, forwards or back. What comes out of a swap is looked at, so
//! that an update made between the look and the swap is never lost.

use std::fs;
use std::io;
use std::path::Path;

use crate::base::fault::Point;
use crate::base::swap::{self, Stamp};
use crate::store::journal::{Step, StepOp};
use crate::store::plan::conflict;
use crate::store::{Result, Store, StoreError, disk, sha256};

/// Swaps back and forth before a file that changes all the time is given up.
const MAX_SWAPS: usize = 8;

impl Store {
    /// Does a step. `tag` names its temporary file.
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
                    tag,
                )
            }
            StepOp::Move | StepOp::Trash => self.relocate(&step.path, step.destination()),
        }
    }

    /// Takes a step back that was done; what is there must still be what the step made.
    pub(super) fn take_back(&self, step: &Step, tag: &str) -> Result<()> {
        match (step.op, &step.before) {
            (StepOp::Write, Some(before)) => {
                let bytes = self.blob(before)?;
                let stamp = step.stamp_before();
                let mode = stamp.map_or(step.mode, |stamp| stamp.mode);
                self.write(&step.path, step.after.as_deref(), &bytes, mode, stamp, tag)
            }
            // A file that the step created: its bytes stay in the blobs.
            (StepOp::Write, None) => match fs::read(&step.path) {
                Ok(bytes) if Some(sha256(&bytes)) == step.after => self
                    .faults
                    .pass(Point::Remove)
                    .and_then(|()| fs::remove_file(&step.path))
                    .map_err(|error| disk(&step.path, error)),
                Ok(_) => Err(conflict(&step.path, "has been changed since")),
                Err(_) => Ok(()),
            },
            (StepOp::Move | StepOp::Trash, _) => self.relocate(step.destination(), &step.path),
        }
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
                done => done.map_err(refused),
            },
            Some(before) => self.exchange(&temporary, path, before, &sha256(bytes)),
        };
        // After a rename it is gone already; after a swap it holds what was there before.
        let _ = self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&temporary));
        done?;
        swap::flush_folder(&self.faults, folder).map_err(refused)
    }

    /// Swaps the new file in and looks at what came out; if it is not `before`, swaps back.
    fn exchange(&self, temporary: &Path, path: &Path, before: &str, after: &str) -> Result<()> {
        match swap::swap(&self.faults, temporary, path) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                return match file_sha(path).as_deref() == Some(before) {
                    true => swap::rename_over(&self.faults, temporary, path)
                        .map_err(|error| disk(path, error)),
                    false => Err(conflict(path, "has been changed")),
                };
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(conflict(path, "is gone"));
            }
            Err(error) => return Err(disk(path, error)),
        }
        if file_sha(temporary).as_deref() == Some(before) {
            return Ok(());
        }
        // Somebody wrote in between: theirs goes back. If they write again meanwhile, something else
        // than what was put there last comes out: it is newer, and goes back in its turn.
        let mut put = Some(after.to_string());
        for _ in 0..MAX_SWAPS {
            let theirs = file_sha(temporary);
            swap::swap(&self.faults, temporary, path).map_err(|error| disk(path, error))?;
            let out = file_sha(temporary);
            if out.as_deref() == Some(after) {
                return Err(conflict(path, "has been changed meanwhile"));
            }
            if out == put {
                break;
            }
            put = theirs;
        }
        // What is left here was written over by its own writer.
        if let Ok(bytes) = fs::read(temporary) {
            self.keep_blob(&bytes)?;
        }
        Err(conflict(path, "is being changed all the time"))
    }

    /// Gives a file, folder or link another path; between file systems by a verified copy.
    pub(super) fn relocate(&self, from: &Path, to: &Path) -> Result<()> {
        let folder = to.parent().unwrap_or(Path::new("/"));
        let made = match to.starts_with(&self.trash) {
            true => swap::make_folder(&self.faults, folder),
            false => swap::make_store_folder(&self.faults, folder),
        };
        made.map_err(|error| disk(folder, error))?;
        match swap::rename_new(&self.faults, from, to) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.copy_over(from, to)
                    .map_err(|error| disk(from, error))?;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(conflict(to, "is already there"));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(conflict(from, "is gone"));
            }
            Err(error) => return Err(disk(from, error)),
        }
        for touched in [folder, from.parent().unwrap_or(folder)] {
            swap::flush_folder(&self.faults, touched).map_err(|error| disk(touched, error))?;
        }
        Ok(())
    }

    /// Copies, flushes, verifies, then removes the source (case DE03). Whatever fails leaves the source.
    fn copy_over(&self, from: &Path, to: &Path) -> io::Result<()> {
        let name = to.file_name().unwrap_or_default().to_string_lossy();
        let partial = to.with_file_name(format!("{}{name}.tmp", swap::TEMPORARY));
        remove_copy(&partial)?;
        copy_tree(from, &partial)?;
        if !same_tree(from, &partial)? {
            return Err(io::Error::other("the copy is not what was copied"));
        }
        fs::rename(&partial, to)?;
        self.faults.pass(Point::Remove)?;
        remove_copy(from)
    }
}

/// SHA-256 of a regular file; none for anything else.
pub(super) fn file_sha(path: &Path) -> Option<String> {
    let data = fs::symlink_metadata(path).ok()?;
    data.is_file()
        .then(|| fs::read(path).ok())
        .flatten()
        .map(|bytes| sha256(&bytes))
}

fn copy_tree(from: &Path, to: &Path) -> io::Result<()> {
    let data = fs::symlink_metadata(from)?;
    if data.file_type().is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    if data.is_dir() {
        fs::create_dir(to)?;
        for entry in fs::read_dir(from)? {
            let name = entry?.file_name();
            copy_tree(&from.join(&name), &to.join(&name))?;
        }
        fs::set_permissions(to, data.permissions())?;
        return fs::File::open(to)?.sync_all();
    }
    if !data.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "is a device or a pipe",
        ));
    }
    fs::copy(from, to)?;
    let copy = fs::File::options().write(true).open(to)?;
    copy.set_modified(data.modified()?)?;
    copy.sync_all()
}

fn same_tree(one: &Path, other: &Path) -> io::Result<bool> {
    let (left, right) = (fs::symlink_metadata(one)?, fs::symlink_metadata(other)?);
    if left.file_type() != right.file_type() {
        return Ok(false);
    }
    if left.file_type().is_symlink() {
        return Ok(fs::read_link(one)? == fs::read_link(other)?);
    }
    if left.is_dir() {
        for entry in fs::read_dir(one)? {
            let name = entry?.file_name();
            if !same_tree(&one.join(&name), &other.join(&name))? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    Ok(file_sha(one) == file_sha(other))
}

/// Removes the source of a verified copy, or what an earlier copy left half done.
fn remove_copy(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
        Ok(data) if data.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
    }
}

impl StoreError {
    /// Whether somebody else stands in the way, rather than the system.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        match self {
            Self::Conflict { .. } | Self::Overlap { .. } => true,
            Self::Disk { .. } | Self::Busy { .. } | Self::Unknown { .. } => false,
        }
    }
}

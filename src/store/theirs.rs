//! What another program writes while a file is swapped: put back where it belongs, so that neither its
//! bytes nor ours are lost or mixed without a word. A client appends to its logs by opening them anew
//! each time, and writes its settings whole; either can come to lie on the wrong side of a swap.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use crate::base::swap::{self, NONBLOCK};
use crate::store::{Result, Store, StoreError, disk, sha256};

/// Follows no link.
#[allow(clippy::cast_possible_wrap, reason = "flags are bits")]
const NOFOLLOW: i32 = OFlags::NOFOLLOW.bits() as i32;

/// How a file looked: another length, time or file means that somebody has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    inode: u64,
    bytes: u64,
    seconds: i64,
    nanos: i64,
}

impl Seen {
    pub(super) fn of(path: &Path) -> Option<Self> {
        let seen = |data: Metadata| Self {
            inode: data.ino(),
            bytes: data.len(),
            seconds: data.mtime(),
            nanos: data.mtime_nsec(),
        };
        fs::symlink_metadata(path).ok().map(seen)
    }
}

impl Store {
    /// After a swap that did not bring out what it should: `out` is what came out, at `path` stood
    /// `ours` then. Theirs goes back, and what was appended to ours meanwhile goes behind it, so that
    /// nothing of ours is left. Done again it changes nothing more.
    ///
    /// # Errors
    /// [`StoreError::Twice`] where both were written as a whole: the newer one stands, the other one is
    /// kept; or what the system refuses.
    pub(super) fn give_back(&self, out: &Path, path: &Path, ours: &[u8]) -> Result<()> {
        if is_settled(out, path, ours)? {
            return Ok(());
        }
        if is_begun_by(path, ours) {
            self.swap_back(out, path)?;
            if is_settled(out, path, ours)? {
                return Ok(());
            }
            // Written as a whole after ours was put there: it is the newest.
            self.swap_back(out, path)?;
        }
        let kept = self.keep_theirs(out, path)?;
        Err(StoreError::Twice {
            path: path.to_path_buf(),
            kept,
        })
    }

    fn swap_back(&self, out: &Path, path: &Path) -> Result<()> {
        swap::swap(&self.faults, out, path).map_err(|error| disk(path, error))
    }

    /// Puts aside what can't go back; gives its new path.
    fn keep_theirs(&self, out: &Path, path: &Path) -> Result<PathBuf> {
        let folder = self.folder(Some("journal/conflicts"))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut number = 1;
        loop {
            let kept = folder.join(format!("{number}-{name}"));
            match self.relocate(out, &kept, "theirs") {
                Err(StoreError::Conflict { .. }) => number += 1,
                done => return done.map(|()| kept),
            }
        }
    }
}

/// What was appended to an old file after the look at it, `seen` bytes of it, goes behind the new
/// one; says whether that is all that was done to it.
pub(super) fn carry_late(old: &Path, path: &Path, seen: Seen, before: &str) -> Result<bool> {
    let bytes = fs::read(old).map_err(|error| disk(path, error))?;
    let (head, tail) = bytes.split_at(bytes.len().min(seen.bytes.try_into().unwrap_or(0)));
    if sha256(head) != before {
        return Ok(false);
    }
    append(path, tail).map_err(|error| disk(path, error))?;
    Ok(true)
}

/// Whether what is out of place is ours alone; what was appended to it goes where it belongs first.
fn is_settled(out: &Path, path: &Path, ours: &[u8]) -> Result<bool> {
    // Ours is a regular file: anything else is theirs.
    let is_file = fs::symlink_metadata(out).is_ok_and(|data| data.is_file());
    let held = is_file.then(|| fs::read(out)).transpose();
    let Some(held) = held.map_err(|error| disk(path, error))? else {
        return Ok(false);
    };
    if held == ours {
        return Ok(true);
    }
    // All begins with nothing.
    let tail = held.strip_prefix(ours).filter(|_| !ours.is_empty());
    let Some(tail) = tail else {
        return Ok(false);
    };
    // A recovery may come by a second time.
    let there = fs::read(path).map_err(|error| disk(path, error))?;
    if !there.ends_with(tail) {
        append(path, tail).map_err(|error| disk(path, error))?;
    }
    Ok(true)
}

/// Whether a file begins with these bytes, which are ours, and so may be ours.
fn is_begun_by(path: &Path, ours: &[u8]) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    is_file
        && fs::read(path).is_ok_and(|there| match ours.is_empty() {
            true => there.is_empty(),
            false => there.starts_with(ours),
        })
}

/// Appends as the client does, so that neither writes over the other.
fn append(path: &Path, tail: &[u8]) -> io::Result<()> {
    if tail.is_empty() {
        return Ok(());
    }
    let mut file = OpenOptions::new()
        .append(true)
        .custom_flags(NOFOLLOW | NONBLOCK)
        .open(path)?;
    file.write_all(tail)?;
    file.sync_all()
}

#[cfg(test)]
#[path = "theirs_tests.rs"]
mod tests;

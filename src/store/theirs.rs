//! What another program writes while a file is swapped: put back where it belongs, so that neither its
//! bytes nor ours are lost or mixed without a word. A client appends to its logs by opening them anew
//! each time, and writes its settings whole; either can come to lie on the wrong side of a swap.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use rustix::fs::OFlags;

use crate::base::swap::{self, NONBLOCK};
use crate::store::perform::file_sha;
use crate::store::{Result, Store, StoreError, disk, sha256};

/// Follows no link.
#[allow(clippy::cast_possible_wrap, reason = "flags are bits")]
const NOFOLLOW: i32 = OFlags::NOFOLLOW.bits() as i32;

/// How a file looked: another length, time or file means that somebody has written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Look {
    inode: u64,
    bytes: u64,
    seconds: i64,
    nanos: i64,
}

impl Look {
    fn at(path: &Path) -> Option<Self> {
        let look = |data: Metadata| Self {
            inode: data.ino(),
            bytes: data.len(),
            seconds: data.mtime(),
            nanos: data.mtime_nsec(),
        };
        fs::symlink_metadata(path).ok().map(look)
    }
}

/// What a file that is out of its place held, of which nothing is missing there any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Seen {
    /// Before it was read.
    look: Option<Look>,
    /// SHA-256 of it; none: no regular file.
    pub(super) sha: Option<String>,
}

impl Seen {
    pub(super) fn of(path: &Path) -> Self {
        let look = Look::at(path);
        let sha = file_sha(path);
        Self { look, sha }
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
    pub(super) fn give_back(&self, out: &Path, path: &Path, ours: &[u8]) -> Result<Seen> {
        if let Some(seen) = settled(out, path, ours)? {
            return Ok(seen);
        }
        if is_begun_by(path, ours) {
            self.swap_back(out, path)?;
            if let Some(seen) = settled(out, path, ours)? {
                return Ok(seen);
            }
            // Written as a whole after ours was put there: it is the newest.
            self.swap_back(out, path)?;
        }
        Err(self.keep_theirs(out, path)?)
    }

    /// The last look at a file that is out of its place, before it goes: who had opened it before the
    /// swap may have written since. What was appended goes behind what stands at `path`.
    ///
    /// # Errors
    /// [`StoreError::Twice`] where it was written anew: it is kept; or what the system refuses.
    pub(super) fn look_again(&self, out: &Path, path: &Path, seen: &Seen) -> Result<()> {
        let look = Look::at(out);
        if look.is_none() || look == seen.look {
            return Ok(());
        }
        let bytes = fs::read(out).map_err(|error| disk(path, error))?;
        let known = seen.look.map_or(0, |look| look.bytes);
        let known = usize::try_from(known).unwrap_or(usize::MAX);
        match bytes.split_at_checked(known) {
            Some((head, tail)) if seen.sha.as_deref() == Some(&sha256(head)) => {
                append(path, tail).map_err(|error| disk(path, error))
            }
            Some(_) | None => Err(self.keep_theirs(out, path)?),
        }
    }

    fn swap_back(&self, out: &Path, path: &Path) -> Result<()> {
        swap::swap(&self.faults, out, path).map_err(|error| disk(path, error))
    }

    /// Puts aside what can't go back; gives what is to be told of it.
    fn keep_theirs(&self, out: &Path, path: &Path) -> Result<StoreError> {
        let folder = self.folder(Some("journal/conflicts"))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let mut number = 1;
        loop {
            let kept = folder.join(format!("{number}-{name}"));
            match self.relocate(out, &kept, "theirs") {
                Err(StoreError::Conflict { .. }) => number += 1,
                done => {
                    return done.map(|()| StoreError::Twice {
                        path: path.to_path_buf(),
                        kept,
                    });
                }
            }
        }
    }
}

/// What is out of place, if it is ours alone; what was appended to it goes where it belongs first.
fn settled(out: &Path, path: &Path, ours: &[u8]) -> Result<Option<Seen>> {
    let look = Look::at(out);
    // Ours is a regular file: anything else is theirs.
    if !fs::symlink_metadata(out).is_ok_and(|data| data.is_file()) {
        return Ok(None);
    }
    let held = fs::read(out).map_err(|error| disk(path, error))?;
    let seen = Seen {
        look,
        sha: Some(sha256(&held)),
    };
    if held == ours {
        return Ok(Some(seen));
    }
    // All begins with nothing.
    let tail = held.strip_prefix(ours).filter(|_| !ours.is_empty());
    let Some(tail) = tail else {
        return Ok(None);
    };
    // A recovery may come by a second time.
    let there = fs::read(path).map_err(|error| disk(path, error))?;
    if !there.ends_with(tail) {
        append(path, tail).map_err(|error| disk(path, error))?;
    }
    Ok(Some(seen))
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

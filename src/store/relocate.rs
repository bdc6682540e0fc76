//! A file, folder or link gets another path. Between file systems that is a copy: made beside its
//! place, verified, put there, and only then the source is taken out of its place, compared once more
//! and removed. At every instant the old or the new one is there, whole; what a crash leaves beside
//! them is told by its name.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::base::fault::Point;
use crate::base::swap::{self, TEMPORARY};
use crate::store::perform::file_sha;
use crate::store::plan::conflict;
use crate::store::{Result, Store, disk};

/// What a file of ours beside another one is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beside {
    /// New bytes on their way in; after a swap, old ones on their way out.
    Forth,
    /// The same while a step is taken back: which of both a crash left must be known.
    Back,
    /// A copy that is not whole yet.
    Part,
    /// What was taken out of its place, to be looked at once more before it goes.
    Out,
}

impl Beside {
    /// The path of such a file beside `path`.
    pub(super) fn of(self, path: &Path, tag: &str) -> PathBuf {
        let folder = path.parent().unwrap_or(Path::new("/"));
        folder.join(format!("{TEMPORARY}{}.tmp", self.tag(tag)))
    }

    pub(super) fn tag(self, tag: &str) -> String {
        match self {
            Self::Forth => tag.to_string(),
            Self::Back => format!("{tag}-back"),
            Self::Part => format!("{tag}-part"),
            Self::Out => format!("{tag}-out"),
        }
    }
}

impl Store {
    /// Gives a file, folder or link another path; between file systems by a verified copy.
    pub(super) fn relocate(&self, from: &Path, to: &Path, tag: &str) -> Result<()> {
        let folder = to.parent().unwrap_or(Path::new("/"));
        let is_ours = to.starts_with(&self.trash) || to.starts_with(&self.home);
        let made = match is_ours {
            true => swap::make_folder(&self.faults, folder),
            false => swap::make_store_folder(&self.faults, folder),
        };
        made.map_err(|error| disk(folder, error))?;
        match swap::rename_new(&self.faults, from, to) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                self.copy_over(from, to, tag)?;
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
    fn copy_over(&self, from: &Path, to: &Path, tag: &str) -> Result<()> {
        let part = Beside::Part.of(to, tag);
        let copied = self
            .copy_tree(from, &part)
            .and_then(|()| match same_tree(from, &part)? {
                true => swap::rename_own(&self.faults, &part, to),
                false => Err(io::Error::other("the copy is not what was copied")),
            });
        if let Err(error) = copied {
            // What can't be removed now is swept by the next recovery.
            let _ = self.remove_whole(&part);
            return Err(match error.kind() {
                io::ErrorKind::AlreadyExists => conflict(to, "is already there"),
                io::ErrorKind::StorageFull
                | io::ErrorKind::QuotaExceeded
                | io::ErrorKind::ReadOnlyFilesystem => disk(to, error),
                _ => disk(from, error),
            });
        }
        let folder = to.parent().unwrap_or(Path::new("/"));
        swap::flush_folder(&self.faults, folder).map_err(|error| disk(folder, error))?;
        self.drop_source(from, to, tag)
    }

    /// Removes the source of a verified copy, unless somebody has changed it since: then the copy goes.
    pub(super) fn drop_source(&self, from: &Path, copy: &Path, tag: &str) -> Result<()> {
        let out = Beside::Out.of(from, tag);
        swap::rename_over(&self.faults, from, &out).map_err(|error| disk(from, error))?;
        let same = same_tree(&out, copy).map_err(|error| disk(from, error))?;
        let refused = match same {
            true => match self.remove_whole(&out) {
                Ok(()) => return Ok(()),
                // Half removed it can't go back: the copy is the one that is whole.
                Err(error) if !same_tree(copy, &out).unwrap_or(false) => {
                    return Err(disk(from, error));
                }
                Err(error) => disk(from, error),
            },
            false => conflict(from, "has been changed meanwhile"),
        };
        swap::rename_own(&self.faults, &out, from).map_err(|error| disk(from, error))?;
        self.remove_whole(copy)
            .map_err(|error| disk(copy, error))
            .and(Err(refused))
    }

    /// Sees to what a crash left of a relocation beside both of its paths: the copy that is not whole
    /// goes, what was taken out goes back unless its copy stands. Says whether something of
    /// another's stays that can't go back.
    pub(super) fn sweep_relocation(&self, from: &Path, to: &Path, tag: &str) -> Result<bool> {
        for path in [from, to] {
            let part = Beside::Part.of(path, tag);
            self.remove_whole(&part)
                .map_err(|error| disk(&part, error))?;
        }
        let mut stays = false;
        for (path, copy) in [(from, to), (to, from)] {
            let out = Beside::Out.of(path, tag);
            if fs::symlink_metadata(&out).is_err() {
                continue;
            }
            if same_tree(&out, copy).unwrap_or(false) {
                self.remove_whole(&out).map_err(|error| disk(&out, error))?;
            } else {
                stays |= !self.put_back(&out, path)?;
            }
        }
        Ok(stays)
    }

    /// Puts what was taken out of its place back there, if nothing else stands there by now.
    pub(super) fn put_back(&self, out: &Path, path: &Path) -> Result<bool> {
        match swap::rename_own(&self.faults, out, path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(disk(path, error)),
        }
    }

    /// Removes the source of a verified copy, or what an earlier copy left half done.
    fn remove_whole(&self, path: &Path) -> io::Result<()> {
        let data = match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            found => found?,
        };
        self.faults.pass(Point::Remove)?;
        match data.is_dir() {
            true => fs::remove_dir_all(path),
            false => fs::remove_file(path),
        }
    }

    fn copy_tree(&self, from: &Path, to: &Path) -> io::Result<()> {
        let data = fs::symlink_metadata(from)?;
        self.faults.pass(Point::Create)?;
        if data.file_type().is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(from)?, to)?;
            return keep_time(to, &data);
        }
        if data.is_dir() {
            fs::create_dir(to)?;
            for entry in fs::read_dir(from)? {
                let name = entry?.file_name();
                self.copy_tree(&from.join(&name), &to.join(&name))?;
            }
            fs::set_permissions(to, data.permissions())?;
            keep_time(to, &data)?;
            return swap::flush_folder(&self.faults, to);
        }
        if !data.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "is a device or a pipe",
            ));
        }
        fs::copy(from, to)?;
        // A file that is closed to its owner can't be opened to be flushed: its mode comes last.
        fs::set_permissions(to, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
        let copy = fs::File::options().write(true).open(to)?;
        copy.set_modified(data.modified()?)?;
        copy.set_permissions(data.permissions())?;
        self.faults.pass(Point::Flush)?;
        copy.sync_all()
    }
}

/// Gives a copy the time of what it was made of; of a link its own, not that of what it leads to.
fn keep_time(copy: &Path, data: &Metadata) -> io::Result<()> {
    let time = rustix::fs::Timespec {
        tv_sec: data.mtime(),
        tv_nsec: data.mtime_nsec(),
    };
    let times = rustix::fs::Timestamps {
        last_access: time,
        last_modification: time,
    };
    let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
    Ok(rustix::fs::utimensat(rustix::fs::CWD, copy, &times, flags)?)
}

/// Whether all of `one` is in `other`, by its bytes: so the rest of a tree that was half removed is
/// still the same as its copy. Times and modes are no measure: not every file system can keep them.
pub(super) fn same_tree(one: &Path, other: &Path) -> io::Result<bool> {
    let (left, right) = match (fs::symlink_metadata(one), fs::symlink_metadata(other)) {
        (Ok(left), Ok(right)) => (left, right),
        (Err(error), _) | (_, Err(error)) => {
            return match error.kind() {
                io::ErrorKind::NotFound => Ok(false),
                _ => Err(error),
            };
        }
    };
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
    let sha = file_sha(one);
    Ok(sha.is_some() && sha == file_sha(other))
}

#[cfg(test)]
#[path = "relocate_tests.rs"]
mod tests;

//! What writers that died left half written in our own folders: temporary files, and what windows held.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::base::fault::Point;
use crate::base::swap::TEMPORARY;
use crate::store::Store;
use crate::store::own::DERIVED;
use crate::store::window::{self, Window};

/// Longer than the writing of a draft can take.
const DRAFT_WRITTEN: Duration = Duration::from_mins(1);

impl Store {
    /// Temporary files that a crash left in our own folders: an intent that was not declared yet, a
    /// blob that was not whole. Only who holds the lock makes and uses them.
    pub(super) fn leftovers(&self) -> Vec<PathBuf> {
        let folders = [
            self.home.clone(),
            self.home.join("journal"),
            self.home.join("blobs"),
        ];
        let entries = folders
            .iter()
            .filter_map(|folder| fs::read_dir(folder).ok())
            .flatten()
            .flatten();
        let ours = |name: &OsStr| name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        entries
            .filter(|entry| ours(&entry.file_name()))
            .map(|entry| entry.path())
            .chain(self.left_aside("drafts"))
            .chain(self.left_aside(DERIVED))
            .collect()
    }

    /// Temporary files of drafts and of what is derived. They are made without the lock, so that one may
    /// be another window's that is being written right now: only what has lain there a while is a crash's.
    fn left_aside(&self, folder: &str) -> Vec<PathBuf> {
        let folder = self.home.join(folder);
        let entries = fs::read_dir(&folder).into_iter();
        let is_old = |entry: &fs::DirEntry| {
            let modified = entry.metadata().and_then(|data| data.modified());
            modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > DRAFT_WRITTEN))
        };
        let ours = |name: &OsStr| name.as_encoded_bytes().starts_with(TEMPORARY.as_bytes());
        // A window's file that nobody holds.
        let closed = |entry: &fs::DirEntry| {
            let name = entry.file_name();
            let name = name
                .to_str()
                .filter(|name| name.starts_with(window::PREFIX));
            name.is_some_and(|name| !Window::is_open(&folder, name))
        };
        entries
            .flatten()
            .flatten()
            .filter(|entry| is_old(entry) && (ours(&entry.file_name()) || closed(entry)))
            .map(|entry| entry.path())
            .collect()
    }

    /// Removes the leftovers. One that can't be removed now is tried again at the next start.
    pub(super) fn sweep_own(&self) {
        self.remove_left(self.leftovers());
    }

    /// Removes what writers that died left half written of one of our files, for whoever holds the lock.
    pub(super) fn sweep_left_of(&self, folder: &Path, name: &str) {
        let begin = format!("{TEMPORARY}{name}-");
        let is_left = |name: &OsStr| {
            let name = name.as_encoded_bytes();
            name.starts_with(begin.as_bytes()) && name.ends_with(b".tmp")
        };
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let left = entries.filter(|entry| is_left(&entry.file_name()));
        self.remove_left(left.map(|entry| entry.path()).collect());
    }

    /// The same of all that is derived, for which no lock is needed: what has lain there a while.
    pub fn sweep_derived(&self) {
        self.remove_left(self.left_aside(DERIVED));
    }

    fn remove_left(&self, left: Vec<PathBuf>) {
        for path in left {
            let removed = self.faults.pass(Point::Remove);
            let _ = removed.and_then(|()| fs::remove_file(path));
        }
    }
}

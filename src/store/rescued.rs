//! Files of other programs that are kept beside our own: copied bit by bit into a place where nothing
//! sweeps them, then put there by a change set, so that it is undone as any other. A copy that its change
//! set has not taken, or has given back, goes once the history no longer names it.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::base::fault::Point;
use crate::base::swap::{self, Stamp};
use crate::base::time::Moment;
use crate::store::journal::Step;
use crate::store::{Result, Store, disk};

/// The folder of what is kept, and in it that of copies on their way.
const RESCUED: &str = "rescued";
const STAGED: &str = "staged";
const MODE: u32 = 0o600;
/// A younger copy may be another window's that is about to be moved on.
const YOUNG_SECONDS: i64 = 24 * 60 * 60;

/// A file to be copied.
#[derive(Debug, Clone)]
pub struct Original {
    pub path: PathBuf,
    /// Its place below the copy's folder.
    pub to: PathBuf,
    /// What the copy's time is; none: that of the original.
    pub time: Option<Stamp>,
}

impl Store {
    /// Where what was rescued lies, laid out as the client's own projects are.
    #[must_use]
    pub fn rescued_folder(&self) -> PathBuf {
        self.home.join(RESCUED).join("projects")
    }

    /// Copies files into a new folder of ours, from which a change set moves them on. The folder is given
    /// back; its name begins with `name`.
    ///
    /// # Errors
    /// `Busy`, or what the system refuses; nothing is left then.
    pub fn stage(
        &self,
        from: &Disk,
        name: &str,
        originals: &[Original],
        now: Moment,
    ) -> Result<PathBuf> {
        let _lock = self.lock()?;
        let all = self.home.join(RESCUED).join(STAGED);
        self.sweep_staged(now, false)?;
        let mut number = 1;
        let folder = loop {
            let folder = all.join(format!("{name}-{number}"));
            if fs::symlink_metadata(&folder).is_err() {
                break folder;
            }
            number += 1;
        };
        for one in originals {
            if let Err(error) = self.copy_in(from, one, &folder.join(&one.to)) {
                let _ = fs::remove_dir_all(&folder);
                return Err(error);
            }
        }
        Ok(folder)
    }

    fn copy_in(&self, from: &Disk, one: &Original, to: &Path) -> Result<()> {
        let unread = |error| disk(&one.path, error);
        let mut source = from.open(&one.path).map_err(unread)?;
        let stamp = Stamp::of(&source.metadata().map_err(unread)?);
        let stamp = one.time.unwrap_or(stamp);
        let folder = to.parent().unwrap_or(&self.home);
        swap::make_folder(&self.faults, folder).map_err(|error| disk(folder, error))?;
        let copied = swap::write_new_by(&self.faults, to, MODE, Some(stamp), |file| {
            io::copy(&mut source, file).map(|_| ())
        });
        copied.map_err(|error| disk(to, error))
    }

    /// Removes the copies that no change of the history could still take, with `given_back` also those that one
    /// has given back and could take again; a young one may be on its way into one.
    pub(super) fn sweep_staged(&self, now: Moment, given_back: bool) -> Result<()> {
        let Ok(listing) = fs::read_dir(self.home.join(RESCUED).join(STAGED)) else {
            return Ok(());
        };
        let history = self.history();
        let steps = history.iter().flat_map(|entry| &entry.steps);
        let named: HashSet<&Path> = steps.flat_map(Step::places).collect();
        for entry in listing.flatten() {
            let folder = entry.path();
            let is_young = entry
                .metadata()
                .is_ok_and(|data| now.seconds - data.ctime() < YOUNG_SECONDS);
            let is_named = named.iter().any(|path| path.starts_with(&folder));
            if is_named && !given_back || is_young && !is_named {
                continue;
            }
            let removed = self.faults.pass(Point::Remove);
            removed
                .and_then(|()| fs::remove_dir_all(&folder))
                .map_err(|error| disk(&folder, error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "rescued_tests.rs"]
mod tests;

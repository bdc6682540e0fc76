//! Files of our own beside the history, each one JSON document: read under the lock and put in the
//! place of the older one in one step, so that no other loci's news are lost.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::base::disk::Disk;
use crate::base::swap;
use crate::store::{Result, Store, disk};

/// The folder, below the others of ours, of what is derived from transcripts.
pub const DERIVED: &str = "digests";

/// What becomes of a file of our own.
#[derive(Debug)]
pub enum Revision {
    /// It stays as it is.
    None,
    /// These bytes take its place.
    To(Vec<u8>),
    /// So do these, and what is there is put aside before.
    Anew(Vec<u8>),
}

/// Files of one name that are put aside at most.
const ASIDE: usize = 1_000;

impl Store {
    /// Where a file of our own lies. It need not exist.
    #[must_use]
    pub fn own_file(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    /// Revises a file of our own. `revise` gets its bytes (none: an empty slice) and gives new ones, or
    /// `None` where it shall stay as it is.
    ///
    /// # Errors
    /// `Busy`, or what the system refuses; the file is as it was then.
    pub fn revise_own(
        &self,
        name: &str,
        revise: impl FnOnce(&[u8]) -> Option<Vec<u8>>,
    ) -> Result<()> {
        let revise = |bytes: &[u8]| revise(bytes).map_or(Revision::None, Revision::To);
        self.revise_own_file(name, revise).map(drop)
    }

    /// The same; it also may put aside what is there: the place is given then, `NAME-damaged-1.json` beside
    /// it or the next number that is free.
    ///
    /// # Errors
    /// `Busy`, or what the system refuses; the file is as it was then, or put aside.
    pub fn revise_own_file(
        &self,
        name: &str,
        revise: impl FnOnce(&[u8]) -> Revision,
    ) -> Result<Option<PathBuf>> {
        let _lock = self.lock()?;
        let folder = self.folder(None)?;
        let path = folder.join(name);
        let before = match Disk::system().read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(disk(&path, error)),
        };
        let (after, aside) = match revise(&before) {
            Revision::None => return Ok(None),
            Revision::To(after) => (after, None),
            Revision::Anew(after) => (after, Some(self.put_own_aside(&path)?)),
        };
        self.sweep_left_of(&folder, name);
        if let Err(refused) = self.put_own(&path, name, &after) {
            // Nothing new stands there: what was there goes back, and is put aside another time.
            if let Some(aside) = aside {
                let _ = swap::rename_own(&self.faults, &aside, &path);
            }
            return Err(refused);
        }
        swap::flush_folder(&self.faults, &folder).map_err(|error| disk(&path, error))?;
        Ok(aside)
    }

    fn put_own_aside(&self, path: &Path) -> Result<PathBuf> {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        for number in 1..=ASIDE {
            let aside = path.with_file_name(format!("{stem}-damaged-{number}.json"));
            match swap::rename_own(&self.faults, path, &aside) {
                Ok(()) => return Ok(aside),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(disk(path, error)),
            }
        }
        Err(disk(path, io::ErrorKind::AlreadyExists.into()))
    }

    /// Puts a file that can be made anew at any time into [`DERIVED`]: whole, in one step, without the
    /// lock. Of two who do it at once, one stands in the end.
    ///
    /// # Errors
    /// What the system refuses; the file is as it was then.
    pub fn put_derived(&self, name: &str, bytes: &[u8]) -> Result<()> {
        let folder = self.folder(Some(DERIVED))?;
        self.put_own(&folder.join(name), name, bytes)
    }

    fn put_own(&self, path: &Path, name: &str, bytes: &[u8]) -> Result<()> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let tag = format!("{name}-{}-{count}", std::process::id());
        let refused = |error| disk(path, error);
        let temporary = swap::temporary(&self.faults, path, &tag, bytes, 0o600, None);
        let temporary = temporary.map_err(refused)?;
        // What could not be put in place is swept at the next start.
        swap::rename_over(&self.faults, &temporary, path).map_err(refused)
    }
}

#[cfg(test)]
#[path = "own_tests.rs"]
mod tests;

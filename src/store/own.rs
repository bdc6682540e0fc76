//! Files of our own beside the history, each one JSON document: read under the lock and put in the
//! place of the older one in one step, so that no other loci's news are lost.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::base::disk::Disk;
use crate::base::swap;
use crate::store::{Result, Store, disk};

/// The folder, below the others of ours, of what is derived from transcripts.
pub const DERIVED: &str = "digests";

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
        let _lock = self.lock()?;
        let folder = self.folder(None)?;
        let path = folder.join(name);
        let before = Disk::system().read(&path).unwrap_or_default();
        let Some(after) = revise(&before) else {
            return Ok(());
        };
        self.put_own(&path, name, &after)?;
        swap::flush_folder(&self.faults, &folder).map_err(|error| disk(&path, error))
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

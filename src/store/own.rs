//! Files of our own beside the history, each one JSON document: read under the lock and put in the
//! place of the older one in one step, so that no other loci's news are lost.

use crate::base::disk::Disk;
use crate::base::swap;
use crate::store::{Result, Store, disk};

impl Store {
    /// Where a file of our own lies. It need not exist.
    #[must_use]
    pub fn own_file(&self, name: &str) -> std::path::PathBuf {
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
        let tag = format!("{name}-{}", std::process::id());
        let refused = |error| disk(&path, error);
        let temporary = swap::temporary(&self.faults, &path, &tag, &after, 0o600, None);
        let temporary = temporary.map_err(refused)?;
        swap::rename_over(&self.faults, &temporary, &path).map_err(refused)?;
        swap::flush_folder(&self.faults, &folder).map_err(refused)
    }
}

#[cfg(test)]
#[path = "own_tests.rs"]
mod tests;

//! Bytes by their SHA-256: what files were before a change and what they shall be. A blob is whole
//! or not there.

use std::fs;

use crate::base::swap;
use crate::store::{Result, Store, StoreError, disk, sha256};

impl Store {
    /// Keeps bytes and flushes them; returns their SHA-256.
    pub(super) fn keep_blob(&self, bytes: &[u8]) -> Result<String> {
        let name = sha256(bytes);
        let folder = self.folder(Some("blobs"))?;
        let path = folder.join(&name);
        if fs::metadata(&path).is_ok_and(|data| data.len() == bytes.len() as u64) {
            return Ok(name);
        }
        let tag = format!("{}-{}", &name[..16], std::process::id());
        let temporary = swap::temporary(&self.faults, &path, &tag, bytes, 0o600, None)
            .map_err(|error| disk(&path, error))?;
        swap::rename_over(&self.faults, &temporary, &path).map_err(|error| disk(&path, error))?;
        swap::flush_folder(&self.faults, &folder).map_err(|error| disk(&folder, error))?;
        Ok(name)
    }

    /// The bytes of a blob.
    pub(super) fn blob(&self, name: &str) -> Result<Vec<u8>> {
        let path = self.home.join("blobs").join(name);
        let bytes = fs::read(&path).map_err(|error| disk(&path, error))?;
        match sha256(&bytes) == name {
            true => Ok(bytes),
            false => Err(StoreError::Unknown {
                what: format!("{} is damaged: its change can't be undone", path.display()),
            }),
        }
    }
}

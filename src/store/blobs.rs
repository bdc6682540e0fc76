//! Bytes by their SHA-256: what files were before a change and what they shall be. A blob is whole
//! or not there.

use std::fs;
use std::io;

use crate::base::swap;
use crate::store::{Result, Store, StoreError, disk, sha256};

impl Store {
    /// Keeps bytes and flushes them; returns their SHA-256.
    pub(super) fn keep_blob(&self, bytes: &[u8]) -> Result<String> {
        let name = sha256(bytes);
        let folder = self.folder(Some("blobs"))?;
        let path = folder.join(&name);
        // One that was damaged since it was written is written anew.
        if fs::read(&path).is_ok_and(|there| there == bytes) {
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
        let lost = |how: &str| StoreError::Unknown {
            what: format!(
                "{} {how}: the bytes that this change needs are lost",
                path.display()
            ),
        };
        match fs::read(&path) {
            Ok(bytes) if sha256(&bytes) == name => Ok(bytes),
            Ok(_) => Err(lost("is damaged")),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(lost("is gone")),
            Err(error) => Err(disk(&path, error)),
        }
    }
}

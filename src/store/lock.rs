//! One writer at a time: a lock on a file, which the system lets go when its holder dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::os::unix::fs::OpenOptionsExt;
use std::thread;
use std::time::Duration;

use crate::base::swap::NONBLOCK;
use crate::store::{Result, Store, StoreError, disk};

/// How long a writer waits for another one, which holds the lock for some milliseconds only.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

const LOCK: &str = "lock";

/// Held while a change set is applied or recovered.
pub(super) struct Lock {
    _file: File,
}

impl Store {
    /// Takes the lock, waiting for another writer.
    pub(super) fn lock(&self) -> Result<Lock> {
        let mut waited = Duration::ZERO;
        loop {
            if let Some(lock) = self.lock_if_free()? {
                return Ok(lock);
            }
            if waited >= PATIENCE {
                let path = self.folder(None)?.join(LOCK);
                return Err(StoreError::Busy { path });
            }
            thread::sleep(PAUSE);
            waited += PAUSE;
        }
    }

    /// Takes the lock, if no other process holds it.
    pub(super) fn lock_if_free(&self) -> Result<Option<Lock>> {
        let path = self.folder(None)?.join(LOCK);
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .mode(0o600)
            .custom_flags(NONBLOCK)
            .open(&path)
            .map_err(|error| disk(&path, error))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(disk(&path, error)),
        }
    }
}

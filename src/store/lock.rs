//! One writer at a time: a lock on a file, which the system lets go when its holder dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::thread;
use std::time::Duration;

use crate::store::{Result, Store, StoreError, disk};

/// How long a writer waits for another one, which holds the lock for some milliseconds only.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

/// Held while a change set is applied or recovered.
pub(super) struct Lock {
    _file: File,
}

impl Store {
    pub(super) fn lock(&self) -> Result<Lock> {
        let path = self.folder(None)?.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(|error| disk(&path, error))?;
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(Lock { _file: file }),
                Err(TryLockError::WouldBlock) if waited < PATIENCE => {
                    thread::sleep(PAUSE);
                    waited += PAUSE;
                }
                Err(TryLockError::WouldBlock) => return Err(StoreError::Busy { path }),
                Err(TryLockError::Error(error)) => return Err(disk(&path, error)),
            }
        }
    }
}

//! A window that is open and keeps drafts: a file beside them, locked for as long as its process lives,
//! whatever way that ends.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// How the name of a window's file begins.
pub(super) const PREFIX: &str = "window-";

/// This process, made known.
#[derive(Debug)]
pub(super) struct Window {
    pub name: String,
    _held: File,
}

impl Window {
    /// Makes the file and holds it locked.
    pub(super) fn open(folder: &Path) -> io::Result<Self> {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let nanos = now.unwrap_or_default().as_nanos();
        let name = format!("{PREFIX}{}-{nanos}", std::process::id());
        let mut options = File::options();
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let held = options
            .write(true)
            .create_new(true)
            .open(folder.join(&name))?;
        held.try_lock()?;
        Ok(Self { name, _held: held })
    }

    /// Whether the window of this name is open.
    pub(super) fn is_open(folder: &Path, name: &str) -> bool {
        let is_name = name.starts_with(PREFIX) && !name.contains(['/', '\\']);
        let file = is_name
            .then(|| File::open(folder.join(name)).ok())
            .flatten();
        file.is_some_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
    }
}

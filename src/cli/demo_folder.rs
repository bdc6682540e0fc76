//! The folder that a demo lives in: made, and gone at the end however that comes. A signal before the
//! screen answers signals is remembered; what a kill left is swept by the next demo.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::base::signalled;

const PREFIX: &str = "loci-demo-";

/// Held by the demo that lives in the folder.
const LOCK: &str = "lock";

/// A younger folder may be one whose lock is still being made.
const MAKING: Duration = Duration::from_mins(1);

/// The folder; it goes with this value.
#[derive(Debug)]
pub struct DemoFolder {
    folder: TempDir,
    _lock: File,
}

impl DemoFolder {
    /// Makes the folder among those for temporary files. From here on TERM, HUP, INT and QUIT no
    /// longer end the program by themselves: who holds the folder asks [`signalled::caught`].
    ///
    /// # Errors
    /// As the disk says.
    pub fn make() -> io::Result<Self> {
        let among = std::env::temp_dir();
        sweep(&among);
        signalled::catch()?;
        let folder = tempfile::Builder::new().prefix(PREFIX).tempdir_in(among)?;
        let lock = File::create_new(folder.path().join(LOCK))?;
        lock.lock()?;
        Ok(Self {
            folder,
            _lock: lock,
        })
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Removes the folders of demos that were killed: ours, not young, and nobody holds their lock.
fn sweep(among: &Path) {
    let entries = fs::read_dir(among).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        if let Some(folder) = abandoned(&entry) {
            // What can't be removed lies where the system sweeps in its own time.
            let _ = fs::remove_dir_all(folder);
        }
    }
}

fn abandoned(entry: &fs::DirEntry) -> Option<PathBuf> {
    let data = entry.metadata().ok().filter(fs::Metadata::is_dir)?;
    let age = SystemTime::now()
        .duration_since(data.modified().ok()?)
        .ok()?;
    let lock = File::open(entry.path().join(LOCK)).ok()?;
    (age > MAKING && lock.try_lock().is_ok()).then(|| entry.path())
}

#[cfg(test)]
#[path = "demo_folder_tests.rs"]
mod tests;

//! Folders as they were listed for walks along keys: many projects lie in the same few, and each is listed
//! anew only once it has changed.

use std::collections::HashMap;
use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::base::disk::{Disk, Kind};

/// A folder that changed so lately may change once more within the same tick of its file system's clock:
/// what was listed of it holds for nobody else.
const SETTLED: Duration = Duration::from_secs(2);

/// The folders in a folder: their names by how these stand in a key.
pub type Names = HashMap<String, Vec<String>>;

/// What was listed.
#[derive(Debug, Default)]
pub struct Listings {
    kept: Mutex<HashMap<PathBuf, (Stamp, Arc<Names>)>>,
}

/// What changes when something comes to a folder or goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    device: u64,
    inode: u64,
    modified: (i64, i64),
}

impl Stamp {
    /// Of a folder that has not changed for a while.
    fn of(data: &Metadata) -> Option<Self> {
        let age = SystemTime::now().duration_since(data.modified().ok()?);
        age.is_ok_and(|age| age > SETTLED).then(|| Self {
            device: data.dev(),
            inode: data.ino(),
            modified: (data.mtime(), data.mtime_nsec()),
        })
    }
}

impl Listings {
    /// The folders in a folder. A link is none, nor is what has a name that is no UTF-8.
    ///
    /// # Errors
    /// As the system says.
    pub fn names(&self, disk: &Disk, folder: &Path) -> io::Result<Arc<Names>> {
        let stamp = Stamp::of(&disk.metadata(folder)?);
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(stamp), Some((then, names))) = (stamp, kept().get(folder))
            && stamp == *then
        {
            return Ok(Arc::clone(names));
        }
        let mut names = Names::new();
        for item in disk.list(folder)? {
            if let Some(name) = item.name.to_str().filter(|_| item.kind == Kind::Folder) {
                names.entry(plain(name)).or_default().push(name.to_string());
            }
        }
        let names = Arc::new(names);
        if let Some(stamp) = stamp {
            kept().insert(folder.to_path_buf(), (stamp, Arc::clone(&names)));
        }
        Ok(names)
    }
}

/// The encoded form of a name, however long it is.
fn plain(name: &str) -> String {
    let unit = |unit: u16| {
        u8::try_from(unit)
            .ok()
            .filter(u8::is_ascii_alphanumeric)
            .map_or('-', char::from)
    };
    name.encode_utf16().map(unit).collect()
}

#[cfg(test)]
#[path = "listings_tests.rs"]
mod tests;

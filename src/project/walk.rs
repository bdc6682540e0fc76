//! The guided walk: down the file system from its root, entering only folders whose encoded name
//! goes on along the key. What it finds has this key; there may be more than one.

use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, Kind};
use crate::config::limits::WALK_FOLDERS;
use crate::memory::key;

/// The folders that have a key, and whether the walk was ended before its end by its limit.
#[must_use]
pub(super) fn walk(disk: &Disk, key: &str) -> (Vec<PathBuf>, bool) {
    let mut walk = Walk {
        disk,
        key,
        found: Vec::new(),
        left: WALK_FOLDERS,
    };
    // A path that began with a drive has no `-` first.
    if key.starts_with('-') {
        walk.enter(Path::new("/"), "-");
    }
    walk.found.sort();
    (walk.found, walk.left == 0)
}

struct Walk<'a> {
    disk: &'a Disk,
    key: &'a str,
    found: Vec<PathBuf>,
    /// Folders that may still be listed.
    left: usize,
}

impl Walk<'_> {
    /// `encoded` is that of the folder with a `-` for the slash behind it, which begins the key.
    fn enter(&mut self, folder: &Path, encoded: &str) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        let Ok(items) = self.disk.list(folder) else {
            return;
        };
        for item in items {
            // A working directory has its links resolved, so a link is on no such path.
            let Some(name) = item.name.to_str().filter(|_| item.kind == Kind::Folder) else {
                continue;
            };
            let whole = format!("{encoded}{}", plain(name));
            let path = folder.join(name);
            if key::encode(&path.to_string_lossy()) == self.key {
                self.found.push(path.clone());
            }
            let next = format!("{whole}-");
            if self.goes_on(&next) {
                self.enter(&path, &next);
            }
        }
    }

    /// Whether the key may begin like this. Of a long path it holds only the first part.
    fn goes_on(&self, encoded: &str) -> bool {
        let is_cut = self.key.len() > key::MAX_PLAIN_UNITS;
        match self.key.get(..key::MAX_PLAIN_UNITS).filter(|_| is_cut) {
            Some(front) => front.starts_with(encoded) || encoded.starts_with(front),
            None => self.key.starts_with(encoded),
        }
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
#[path = "walk_tests.rs"]
mod tests;

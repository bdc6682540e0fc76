//! The guided walk: down the file system from its root, entering only folders whose encoded name
//! goes on along the key. What it finds has this key; there may be more than one.

use std::path::{Path, PathBuf};

use super::listings::{Listings, Names};
use crate::base::disk::Disk;
use crate::config::limits::WALK_FOLDERS;
use crate::memory::key;

/// The folders that have a key, and whether the walk was ended before its end by its limit.
#[must_use]
pub(super) fn walk(disk: &Disk, listings: &Listings, key: &str) -> (Vec<PathBuf>, bool) {
    let mut walk = Walk {
        disk,
        listings,
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
    listings: &'a Listings,
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
        let Ok(names) = self.listings.names(self.disk, folder) else {
            return;
        };
        // A working directory has its links resolved, so a link is on no such path.
        for plain in self.that_go_on(encoded, &names) {
            let next = format!("{encoded}{plain}-");
            for name in names.get(plain).into_iter().flatten() {
                let path = folder.join(name);
                if key::encode(&path.to_string_lossy()) == self.key {
                    self.found.push(path.clone());
                }
                if self.goes_on(&next) {
                    self.enter(&path, &next);
                }
            }
        }
    }

    /// Those of the names, as they stand in a key, with which the key may go on. Of a plain key each is
    /// looked up, so that a folder of many projects is not gone through for each of them.
    fn that_go_on<'n>(&self, encoded: &str, names: &'n Names) -> Vec<&'n str> {
        let known = |name: &str| names.get_key_value(name).map(|(name, _)| name.as_str());
        match self.key.strip_prefix(encoded) {
            Some(rest) if self.key.len() <= key::MAX_PLAIN_UNITS => {
                let ends = rest.match_indices('-').map(|(end, _)| end);
                let ends = ends.chain([rest.len()]);
                ends.filter_map(|end| known(&rest[..end])).collect()
            }
            Some(_) | None => {
                let mut all: Vec<&str> = names.keys().map(String::as_str).collect();
                all.sort_unstable();
                all
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

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;

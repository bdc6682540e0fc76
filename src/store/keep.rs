//! How long the trash and the history are kept: 90 days and 1 GiB, or what the settings say, then
//! purged oldest first. Nothing else removes (spec 11.2).

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::base::fault::Point;
use crate::base::swap;
use crate::base::time::Moment;
use crate::store::journal::Entry;
use crate::store::{Result, Store, disk};

/// The history is purged once this many lines have gone stale, not a line at a time.
const PURGE_EVERY: usize = 64;

impl Store {
    /// Purges what is older or larger than is kept, but never what the change set of `key` has just
    /// put there. What can't be purged now is tried again later.
    pub(super) fn keep_within_limits(&self, key: &str, now: Moment) {
        let bytes = self.keep.trash_bytes;
        let days = i64::from(self.keep.trash_days);
        let is_old =
            |time: &str| Moment::parse(time).is_some_and(|then| then.days_before(now) > days);
        let trashed = self.manifests();
        let sizes: Vec<u64> = trashed
            .iter()
            .map(|manifest| size(&self.trash.join(&manifest.key)))
            .collect();
        let mut total: u64 = sizes.iter().sum();
        for (manifest, size) in trashed.iter().zip(sizes) {
            let goes = is_old(&manifest.time) || (total > bytes && !manifest.items.is_empty());
            if goes && manifest.key != key {
                total -= size;
                let _ = self.purge_trash(manifest);
            }
        }
        let history = self.history();
        let stale = history.iter().filter(|entry| is_old(&entry.time)).count();
        let heavy = size(&self.home.join("blobs")) > bytes;
        if stale >= PURGE_EVERY || heavy {
            let from = if heavy {
                stale.max(history.len() / 2)
            } else {
                stale
            };
            let _ = self.purge_history(&history[from..]);
        }
    }

    /// Keeps these lines of the history and the blobs that they need.
    fn purge_history(&self, kept: &[Entry]) -> Result<()> {
        let path = self.home.join("history.jsonl");
        let mut text = Vec::new();
        for entry in kept {
            text.extend(serde_json::to_vec(entry).expect("an entry holds nothing that JSON can't"));
            text.push(b'\n');
        }
        let temporary = swap::temporary(&self.faults, &path, "history", &text, 0o600, None);
        let temporary = temporary.map_err(|error| disk(&path, error))?;
        swap::rename_over(&self.faults, &temporary, &path).map_err(|error| disk(&path, error))?;
        // What was put aside may still be finished by hand.
        let aside = self.put_aside_entries();
        let needed: HashSet<&str> = kept
            .iter()
            .chain(&aside)
            .flat_map(|entry| &entry.steps)
            .flat_map(|step| [step.before.as_deref(), step.after.as_deref()])
            .flatten()
            .collect();
        let folder = self.home.join("blobs");
        for entry in fs::read_dir(&folder)
            .map_err(|error| disk(&folder, error))?
            .flatten()
        {
            if !needed.contains(&*entry.file_name().to_string_lossy()) {
                let removed = self
                    .faults
                    .pass(Point::Remove)
                    .and_then(|()| fs::remove_file(entry.path()));
                removed.map_err(|error| disk(&entry.path(), error))?;
            }
        }
        Ok(())
    }
}

/// Bytes below a folder.
fn size(folder: &Path) -> u64 {
    let Ok(listing) = fs::read_dir(folder) else {
        return 0;
    };
    listing
        .flatten()
        .map(|entry| match entry.file_type() {
            Ok(kind) if kind.is_dir() => size(&entry.path()),
            Ok(_) => entry.metadata().map_or(0, |data| data.len()),
            Err(_) => 0,
        })
        .sum()
}

#[cfg(test)]
#[path = "keep_tests.rs"]
mod tests;

//! The trash: a folder a change set, with a manifest that says what was where. Nothing is removed
//! but by [`Store::empty_trash`] and by the limits of [`crate::store::keep`].

use std::fs::{self, Metadata};
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::fault::Point;
use crate::base::swap;
use crate::base::time::Moment;
use crate::store::apply::Applied;
use crate::store::change::{Author, ChangeSet, Op};
use crate::store::history::undone;
use crate::store::journal::{Entry, StepOp, order};
use crate::store::undo::RESTORE;
use crate::store::{Result, Store, StoreError, disk, path_text};

const MANIFEST: &str = "manifest.json";

/// The reversal of an entry under the name that a person called it by.
fn titled(set: ChangeSet, entry: &Entry) -> ChangeSet {
    ChangeSet {
        title: format!("{RESTORE}{}", entry.title),
        ..set
    }
}

/// Said when a restore could not take back all of a change.
const FILES_ALONE: &str =
    "only the files came back: what else was changed with them has changed since";

/// What one change set put into the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub v: u8,
    pub key: String,
    /// RFC 3339.
    pub time: String,
    pub title: String,
    pub items: Vec<Item>,
}

/// One file, folder or link in the trash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// Its name in the folder of the change set.
    pub name: String,
    /// Where it was.
    #[serde(with = "path_text")]
    pub path: PathBuf,
}

impl Store {
    /// What lies in the trash, oldest first; what was restored is not listed.
    #[must_use]
    pub fn trashed(&self) -> Vec<Manifest> {
        let mut found = self.manifests();
        found.retain(|manifest| !manifest.items.is_empty());
        found
    }

    /// The manifests in the trash, oldest first, with what is still there. A folder that is not named
    /// by its key, or whose items would lead out of it, is none of ours: nothing is restored from it
    /// and nothing in it removed.
    pub(super) fn manifests(&self) -> Vec<Manifest> {
        let listing = fs::read_dir(&self.trash);
        let folders = listing.into_iter().flatten().flatten();
        let mut found: Vec<Manifest> = folders
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
            .filter_map(|entry| {
                let folder = entry.path();
                let path = folder.join(MANIFEST);
                // A pipe would be waited for.
                fs::symlink_metadata(&path).ok().filter(Metadata::is_file)?;
                let mut manifest: Manifest = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
                let ours = entry.file_name() == *manifest.key
                    && manifest.items.iter().all(|item| is_one_name(&item.name));
                manifest
                    .items
                    .retain(|item| fs::symlink_metadata(folder.join(&item.name)).is_ok());
                ours.then_some(manifest)
            })
            .collect();
        found.sort_by(|a, b| order(&a.key).cmp(&order(&b.key)));
        found
    }

    /// Brings back what a change set put into the trash, with all else that it changed (the index
    /// line), if that still can be taken back; else the files alone.
    ///
    /// # Errors
    /// As [`Store::apply`]; `Unknown` where nothing of this key is in the trash.
    pub fn restore(&self, key: &str, now: Moment) -> Result<Applied> {
        let manifest = self.trashed_as(key)?;
        let whole = self.trashing(key);
        if let Some(entry) = &whole {
            let set = self.reversed(entry).map(|set| titled(set, entry));
            let done = set.and_then(|set| self.apply_as(&set, Some(entry), now));
            match done.map_err(|error| self.explained(entry, error)) {
                Err(error) if only_files(&error) => {}
                done => return done,
            }
        }
        let mut applied = self.apply(&self.files_back(manifest), now)?;
        if whole.is_some() {
            applied.notices.push(FILES_ALONE.to_string());
        }
        Ok(applied)
    }

    /// The change set that [`Store::restore`] would apply now.
    ///
    /// # Errors
    /// `Unknown` where nothing of this key is in the trash; what the system refuses.
    pub fn restored(&self, key: &str) -> Result<ChangeSet> {
        let manifest = self.trashed_as(key)?;
        if let Some(entry) = self.trashing(key) {
            let whole = self.reversed(&entry);
            match whole.and_then(|set| self.check(&set).map(|_| set)) {
                Err(error) if only_files(&error) => {}
                checked => return checked.map(|set| titled(set, &entry)),
            }
        }
        Ok(self.files_back(manifest))
    }

    fn trashed_as(&self, key: &str) -> Result<Manifest> {
        self.trashed()
            .into_iter()
            .find(|manifest| manifest.key == key)
            .ok_or_else(|| StoreError::Unknown {
                what: format!("nothing in the trash has the key {key}: see `loci trash`"),
            })
    }

    /// The change that put something into the trash, if the history still has it and it stands.
    fn trashing(&self, key: &str) -> Option<Entry> {
        let history = self.history();
        let stands = !undone(&history).contains(key);
        history
            .into_iter()
            .find(|entry| stands && entry.key == key && entry.undoes.is_none())
    }

    fn files_back(&self, manifest: Manifest) -> ChangeSet {
        let folder = self.trash.join(&manifest.key);
        let mut set = ChangeSet::new(format!("{RESTORE}{}", manifest.title), Author::You);
        for item in manifest.items {
            let from = folder.join(&item.name);
            set = set.with(
                Op::Move {
                    from,
                    to: item.path,
                },
                "restored from the trash",
            );
        }
        set
    }

    /// Removes everything in the trash for good.
    ///
    /// # Errors
    /// As the system says.
    pub fn empty_trash(&self, now: Moment) -> Result<usize> {
        let _lock = self.lock()?;
        // What a change has given back lies there for a redo alone.
        self.sweep_staged(now, true)?;
        let manifests = self.trashed();
        for manifest in &manifests {
            self.purge_trash(manifest)?;
        }
        Ok(manifests.len())
    }

    /// Removes what one change set put into the trash for good; what somebody else has put beside it
    /// stays.
    pub(super) fn purge_trash(&self, manifest: &Manifest) -> Result<()> {
        let folder = self.trash.join(&manifest.key);
        let removed = (|| {
            self.faults.pass(Point::Remove)?;
            for item in &manifest.items {
                let path = folder.join(&item.name);
                match fs::symlink_metadata(&path)?.is_dir() {
                    true => fs::remove_dir_all(path)?,
                    false => fs::remove_file(path)?,
                }
            }
            fs::remove_file(folder.join(MANIFEST))
        })();
        removed.map_err(|error| disk(&folder, error))?;
        // It stays where it is not empty.
        let _ = fs::remove_dir(&folder);
        Ok(())
    }

    /// Says what will lie in the trash, before it does.
    pub(super) fn write_manifest(&self, entry: &Entry) -> Result<()> {
        let folder = self.trash.join(&entry.key);
        swap::make_folder(&self.faults, &folder).map_err(|error| disk(&folder, error))?;
        let items = entry
            .steps
            .iter()
            .filter(|step| step.op == StepOp::Trash)
            .map(|step| Item {
                name: step
                    .destination()
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned(),
                path: step.path.clone(),
            });
        let manifest = Manifest {
            v: 1,
            key: entry.key.clone(),
            time: entry.time.clone(),
            title: entry.title.clone(),
            items: items.collect(),
        };
        let text = serde_json::to_vec(&manifest).expect("a manifest holds nothing that JSON can't");
        let path = folder.join(MANIFEST);
        swap::write_new(&self.faults, &path, &text, 0o600, None)
            .map_err(|error| disk(&path, error))?;
        swap::flush_folder(&self.faults, &folder).map_err(|error| disk(&folder, error))
    }

    /// Takes away the manifest of a change set that came to nothing.
    pub(super) fn forget_manifest(&self, key: &str) {
        let folder = self.trash.join(key);
        let empty = fs::read_dir(&folder).is_ok_and(|listing| listing.count() <= 1);
        if empty {
            // What stays is an empty folder of ours, which lists nothing.
            let _ = fs::remove_file(folder.join(MANIFEST)).and_then(|()| fs::remove_dir(&folder));
        }
    }
}

/// Whether a change can't be taken back as a whole, because of others or because what it needs has
/// been purged, so that its files come back alone.
fn only_files(error: &StoreError) -> bool {
    match error {
        StoreError::Conflict { .. }
        | StoreError::Overlap { .. }
        | StoreError::Later { .. }
        | StoreError::Unknown { .. } => true,
        StoreError::Twice { .. } | StoreError::Disk { .. } | StoreError::Busy { .. } => false,
    }
}

/// Whether a name is that of something in a folder, and leads nowhere else.
fn is_one_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

#[cfg(test)]
#[path = "trash_tests.rs"]
mod tests;

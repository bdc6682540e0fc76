//! Reading what a shelf holds: heads, indexes, whole files.

use std::collections::HashSet;
use std::path::Path;

use super::Claude;
use crate::agents::{Contents, Layout, Shelf};
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::config::limits::PAGE_BYTES;
use crate::memory::file::{Memory, Page};
use crate::memory::index::{self, Index};
use crate::memory::pointer::Targets;
use crate::memory::scan::{self, INDEX_FILE};

impl Claude {
    /// Reads a shelf: the head of each memory, the index, the logs' names.
    #[must_use]
    pub fn contents(&self, shelf: &Shelf) -> Contents {
        let inner = &self.inner;
        let listing = scan::list(&inner.disk, &shelf.folder);
        let mut faults = listing.faults;
        let mut entries = scan::heads(&inner.disk, &shelf.folder, listing.memories);
        let index = listing
            .index
            .then(|| self.index(&shelf.folder, "", &entries, &mut faults))
            .flatten();
        let team_index = listing
            .team_index
            .then(|| self.index(&shelf.folder, "team/", &entries, &mut faults))
            .flatten();
        if index.is_some() || team_index.is_some() {
            let pointed_at: HashSet<String> = pointed_at(index.as_ref(), "")
                .chain(pointed_at(team_index.as_ref(), "team/"))
                .collect();
            let pointed_at = pointed_at.iter().map(String::as_str).collect();
            scan::mark_ghosts(&mut entries, &pointed_at);
        }
        let layout = put_in_order(&mut entries, index.is_some());
        Contents {
            entries,
            layout,
            logs: listing.logs,
            index,
            team_index,
            faults,
        }
    }

    /// The entries of a shelf as [`Claude::contents`] has them, and what could not be read; of its
    /// indexes only where they point, which is several times as fast.
    #[must_use]
    pub fn entries(&self, shelf: &Shelf) -> (Vec<Memory>, Vec<String>) {
        let disk = &self.inner.disk;
        let listing = scan::list(disk, &shelf.folder);
        let mut faults = listing.faults;
        let mut entries = scan::heads(disk, &shelf.folder, listing.memories);
        let mut pointed_at: HashSet<String> = HashSet::new();
        let mut has_index = [false, false];
        for (at, there, prefix) in [(0, listing.index, ""), (1, listing.team_index, "team/")] {
            if !there {
                continue;
            }
            let path = shelf.folder.join(prefix).join(INDEX_FILE);
            match index::pointed_at(disk, &path, &targets(&entries, prefix)) {
                Ok(files) => {
                    has_index[at] = true;
                    pointed_at.extend(files.into_iter().map(|file| match prefix {
                        "" => file,
                        prefix => format!("{prefix}{file}"),
                    }));
                }
                Err(error) => faults.push(format!("{} can't be read: {error}", path.display())),
            }
        }
        if has_index != [false, false] {
            let pointed_at = pointed_at.iter().map(String::as_str).collect();
            scan::mark_ghosts(&mut entries, &pointed_at);
        }
        put_in_order(&mut entries, has_index[0]);
        (entries, faults)
    }

    /// Reads one file whole. `path` is absolute, as seen.
    ///
    /// # Errors
    /// A sentence: which file, what is wrong, what to do.
    pub fn page(&self, path: &Path) -> Result<Page, String> {
        let disk = &self.inner.disk;
        let cannot = |error: std::io::Error| format!("{} can't be read: {error}", path.display());
        let data = disk.metadata(path).map_err(cannot)?;
        if data.len() > PAGE_BYTES {
            let size = data.len() / 1024 / 1024;
            return Err(format!(
                "{} is {size} MiB large: open it with a pager or an editor",
                path.display()
            ));
        }
        let bytes = disk.read(path).map_err(cannot)?;
        let text = index::decode(&bytes);
        let front = front_matter::read(&text);
        Ok(Page {
            path: path.to_path_buf(),
            lossy: std::str::from_utf8(&bytes).is_err(),
            front,
            text,
            modified: data.modified().map(Moment::from).unwrap_or_default(),
            bytes: data.len(),
        })
    }

    /// The index of a folder, or of its `team/` folder.
    fn index(
        &self,
        folder: &Path,
        prefix: &str,
        entries: &[Memory],
        faults: &mut Vec<String>,
    ) -> Option<Index> {
        let inner = &self.inner;
        let targets = targets(entries, prefix);
        let path = folder.join(prefix).join(INDEX_FILE);
        let off = inner.client.index_off();
        match index::read(&inner.disk, &path, &targets, off.as_deref()) {
            Ok(index) => Some(index),
            Err(error) => {
                faults.push(format!("{} can't be read: {error}", path.display()));
                None
            }
        }
    }
}

/// The files that an index can point at: those below its own folder, relative to it.
fn targets<'a>(entries: &'a [Memory], prefix: &str) -> Targets<'a> {
    let own = || {
        entries
            .iter()
            .filter_map(|entry| Some((entry, entry.path.strip_prefix(prefix)?)))
    };
    let mut targets = Targets::new(own().map(|(_, path)| path));
    for (entry, path) in own() {
        if let Some(name) = &entry.name {
            targets.name(name, path);
        }
    }
    targets
}

/// Sorts entries, the newest first, and says by which layout.
fn put_in_order(entries: &mut [Memory], has_index: bool) -> Layout {
    let layout = match !has_index
        && !entries.is_empty()
        && entries.iter().all(|entry| entry.created.is_some())
    {
        true => Layout::Tiny,
        false => Layout::Classic,
    };
    entries.sort_by(|a, b| {
        let by_age = match layout {
            Layout::Classic => b.modified.cmp(&a.modified),
            Layout::Tiny => b.created.cmp(&a.created),
        };
        by_age.then_with(|| a.path.cmp(&b.path))
    });
    layout
}

fn pointed_at<'a>(index: Option<&'a Index>, prefix: &'a str) -> impl Iterator<Item = String> + 'a {
    let pointers = index
        .map(|index| index.pointers.as_slice())
        .unwrap_or_default();
    pointers
        .iter()
        .filter_map(move |pointer| Some(format!("{prefix}{}", pointer.resolved.as_ref()?)))
}

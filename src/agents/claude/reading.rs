//! Reading what a shelf holds: heads, indexes, whole files.

use std::collections::HashSet;
use std::path::Path;

use super::Claude;
use crate::agents::{Contents, Layout, Shelf};
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::config::limits::PAGE_BYTES;
use crate::health::{self, Examined, Rules};
use crate::memory::file::{Memory, Page, Unread};
use crate::memory::index::{self, Index};
use crate::memory::pointer::Targets;
use crate::memory::scan::{self, INDEX_FILE};

/// Where the second index of a folder lies.
const TEAM: &str = "team/";

impl Claude {
    /// Reads a shelf: the head of each memory, the indexes, the logs' names.
    #[must_use]
    pub fn contents(&self, shelf: &Shelf) -> Contents {
        let mut read = self.entries(shelf);
        read.index = self.index(&shelf.folder, "", &read.entries);
        read.team_index = self.index(&shelf.folder, TEAM, &read.entries);
        read
    }

    /// As [`Claude::contents`], but of the indexes only where they point: several times as fast, and
    /// all that a list needs.
    #[must_use]
    pub fn entries(&self, shelf: &Shelf) -> Contents {
        let disk = &self.inner.disk;
        let listing = scan::list(disk, &shelf.folder);
        let not_entered = listing.faults.into_iter();
        let mut faults: Vec<String> = not_entered.map(|fault| fault.sentence).collect();
        let mut entries = scan::heads(disk, &shelf.folder, listing.memories);
        let mut led_to = vec![false; entries.len()];
        // Of each memory the first line that names it below a cut, and whether one above does.
        let mut below_cut = vec![None; entries.len()];
        let mut above_cut = vec![false; entries.len()];
        let is_off = self.inner.client.index_off().is_some();
        let mut has_index = false;
        let mut index_fault = None;
        for prefix in [("", listing.index), (TEAM, listing.team_index)]
            .into_iter()
            .filter_map(|(prefix, there)| there.then_some(prefix))
        {
            let path = shelf.folder.join(prefix).join(INDEX_FILE);
            match index::pointed_at(disk, &path, &targets(&entries, prefix)) {
                Ok(pointed) => {
                    has_index = true;
                    let files: HashSet<&str> = pointed.files.into_iter().collect();
                    for (at, entry) in entries.iter().enumerate() {
                        let Some(file) = below(entry, prefix).filter(|file| files.contains(file))
                        else {
                            continue;
                        };
                        led_to[at] = true;
                        match pointed.below_cut.get(file) {
                            Some(line) => below_cut[at] = below_cut[at].or(Some(*line)),
                            None => above_cut[at] = true,
                        }
                    }
                }
                Err(error) => {
                    let fault = format!("{} can't be read: {error}", path.display());
                    if prefix.is_empty() {
                        index_fault = Some(fault.clone());
                    }
                    faults.push(fault);
                }
            }
        }
        if has_index {
            scan::mark_ghosts(&mut entries, &led_to);
        }
        let unseen = entries.iter().zip(below_cut).zip(above_cut);
        let unseen = unseen.filter_map(|((entry, line), is_seen)| {
            let line = line.filter(|_| !is_seen && !is_off)?;
            Some((entry.path.clone(), line))
        });
        let below_cut = unseen.collect();
        let layout = put_in_order(&mut entries, listing.index);
        Contents {
            entries,
            layout,
            logs: listing.logs,
            below_cut,
            index: None,
            team_index: None,
            index_fault,
            faults,
        }
    }

    /// The heads of a folder's memories, as proposals want them.
    #[must_use]
    pub fn memories(&self, folder: &Path) -> Vec<Memory> {
        let disk = &self.inner.disk;
        scan::heads(disk, folder, scan::list(disk, folder).memories)
    }

    /// Examines a shelf: each of its files is read once and whole. With that of the working
    /// directory's project come the findings of its standing rules.
    #[must_use]
    pub fn examine(&self, shelf: &Shelf, rules: &Rules) -> Examined {
        let inner = &self.inner;
        let mut examined = health::examine(&inner.disk, &shelf.key, &shelf.folder, rules, self.now);
        let standing = self.standing(shelf, rules);
        if !standing.is_empty() {
            examined.findings.extend(standing);
            health::in_order(&mut examined.findings);
        }
        examined
    }

    /// Reads one file of a memory folder whole. `path` is relative to the folder.
    ///
    /// # Errors
    /// A sentence: which file, what is wrong, what to do.
    pub fn page(&self, folder: &Path, path: &str) -> Result<Page, String> {
        let (bytes, modified) = self.bytes(folder, path)?;
        let text = index::decode(&bytes);
        Ok(Page {
            path: folder.join(path),
            lossy: std::str::from_utf8(&bytes).is_err(),
            front: front_matter::read(&text).into_owned(),
            text,
            modified,
            bytes: bytes.len() as u64,
        })
    }

    /// Whether nothing is at a path, not even a link.
    #[must_use]
    pub fn is_gone(&self, path: &Path) -> bool {
        let link = self.inner.disk.link(path);
        link.is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    }

    /// All bytes of one file of a memory folder, and its time. `path` is relative to the folder.
    ///
    /// # Errors
    /// A sentence: which file, what is wrong, what to do.
    pub fn bytes(&self, folder: &Path, path: &str) -> Result<(Vec<u8>, Moment), String> {
        let disk = &self.inner.disk;
        let shown = folder.join(path);
        let inner =
            scan::inside(disk, folder, path).map_err(|why| format!("{} {why}", shown.display()))?;
        // From here on by its real place, so that a link which comes up now leads nowhere.
        let path = &disk
            .resolve(folder)
            .map_err(|error| format!("{} can't be read: {error}", folder.display()))?
            .join(inner);
        let cannot = |error: std::io::Error| format!("{} can't be read: {error}", shown.display());
        let data = disk.metadata(path).map_err(cannot)?;
        if data.len() > PAGE_BYTES {
            let size = data.len() / 1024 / 1024;
            return Err(format!(
                "{} is {size} MiB large: open it with a pager or an editor",
                shown.display()
            ));
        }
        let bytes = disk.read(path).map_err(cannot)?;
        let modified = data.modified().map(Moment::from).unwrap_or_default();
        Ok((bytes, modified))
    }

    /// The index of a folder, or of its `team/` folder; `None` where there is none to read.
    fn index(&self, folder: &Path, prefix: &str, entries: &[Memory]) -> Option<Index> {
        let inner = &self.inner;
        let path = folder.join(prefix).join(INDEX_FILE);
        let off = inner.client.index_off();
        let read = index::read(
            &inner.disk,
            &path,
            &targets(entries, prefix),
            off.as_deref(),
        );
        let file = [prefix, INDEX_FILE].concat();
        let leads_out = match scan::inside(&inner.disk, folder, &file) {
            Err(Unread::LeadsOut(to)) => Some(to),
            Ok(_) | Err(_) => None,
        };
        read.ok().map(|index| Index { leads_out, ..index })
    }
}

/// The files that an index can point at: those below its own folder, relative to it.
fn targets<'a>(entries: &'a [Memory], prefix: &str) -> Targets<'a> {
    let own = || {
        entries
            .iter()
            .filter_map(|entry| Some((entry, below(entry, prefix)?)))
    };
    let mut targets = Targets::new(own().map(|(_, path)| path));
    for (entry, path) in own() {
        if let Some(name) = &entry.name {
            targets.name(name, path);
        }
    }
    targets
}

/// The path of a memory below a folder of its memory folder.
fn below<'a>(entry: &'a Memory, prefix: &str) -> Option<&'a str> {
    entry.path.strip_prefix(prefix)
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

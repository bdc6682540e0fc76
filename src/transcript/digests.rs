//! The digests of all transcripts of a store, or of some projects: what is kept in our state is taken from
//! there, and of each transcript only what has grown is read.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::digest::Digest;
use super::found::{Found, Listing, transcripts, transcripts_of};
use super::kept::{self, Failed, KeptFile, Looked, Shelf};
use super::swept::{Gone, Living, Swept};
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::store::Store;

/// What is asked for.
pub struct Asked<'a> {
    pub disk: &'a Disk,
    /// The folder of the projects.
    pub projects: &'a Path,
    /// Where digests are kept; `None`: nowhere.
    pub keep: Option<&'a Store>,
    /// What is kept is only looked at.
    pub is_dry: bool,
    /// The projects; `None`: all. Only who looks at all can tell what is gone.
    pub keys: Option<&'a [String]>,
    /// Days that the client keeps a transcript.
    pub keep_days: i64,
    pub now: Moment,
}

/// One transcript.
#[derive(Debug)]
pub struct Digested {
    pub found: Found,
    pub digest: Digest,
}

/// The digests of many transcripts.
#[derive(Debug)]
pub struct Digests {
    /// The oldest first.
    pub all: Vec<Digested>,
    /// What could not be listed or read: a sentence each.
    pub faults: Vec<String>,
    /// Bytes of transcripts that were read for it.
    pub read: u64,
    /// What is kept of those that are gone.
    pub swept: Swept,
}

/// The digests of the transcripts that are asked for.
#[must_use]
pub fn digests(asked: &Asked<'_>) -> Digests {
    let Listing { found, mut faults } = match asked.keys {
        None => transcripts(asked.disk, asked.projects),
        Some(keys) => transcripts_of(asked.disk, asked.projects, keys),
    };
    let is_listed = asked.keys.is_none() && faults.is_empty();
    let mut shelves = kept(asked, &found);
    let (mut all, is_all) = looked_at(asked, &found, &mut shelves, &mut faults);
    let is_whole = is_listed && is_all;
    let swept = settle(asked, is_whole, &mut shelves, &all);
    if let Some(store) = asked.keep.filter(|_| !asked.is_dry) {
        keep(store, &mut shelves, &all);
    }
    all.sort_by(|a, b| (a.found.modified, &a.found.path).cmp(&(b.found.modified, &b.found.path)));
    let read = all.iter().map(|one| one.looked.read).sum();
    let all = all.into_iter().map(|one| Digested {
        found: one.found,
        digest: one.looked.kept.digest,
    });
    Digests {
        all: all.collect(),
        faults,
        read,
        swept,
    }
}

/// What was kept of one project, without what was taken out of it.
#[derive(Default)]
struct Open {
    files: HashMap<String, KeptFile>,
    is_changed: bool,
}

type Shelves = BTreeMap<String, Open>;

struct One {
    found: Found,
    looked: Looked,
}

/// What is kept of the projects of these transcripts; of all projects where all are asked for.
fn kept(asked: &Asked<'_>, found: &[Found]) -> Shelves {
    let Some(store) = asked.keep else {
        return Shelves::new();
    };
    let paths: Vec<PathBuf> = match asked.keys {
        None => Shelf::files(store),
        Some(keys) => keys.iter().map(|key| Shelf::file(store, key)).collect(),
    };
    let read: Vec<Shelf> = paths
        .par_iter()
        .filter_map(|path| Shelf::read(path))
        .collect();
    let mut shelves = Shelves::new();
    for shelf in read {
        let files = shelf
            .files
            .into_iter()
            .map(|file| (file.name.clone(), file));
        shelves.entry(shelf.key).or_default().files.extend(files);
    }
    for one in found {
        if !shelves.contains_key(&one.project) {
            shelves.insert(one.project.clone(), Open::default());
        }
    }
    shelves
}

/// The name of a transcript in what is kept: its path below the project's folder.
fn name(projects: &Path, found: &Found) -> String {
    let below = found.path.strip_prefix(projects).unwrap_or(&found.path);
    let parts = below.components().skip(1);
    let parts: Vec<_> = parts
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// Looks at all transcripts, the largest first, so that no processor waits for one of them at the end.
/// Whether all could be looked at.
fn looked_at(
    asked: &Asked<'_>,
    found: &[Found],
    shelves: &mut Shelves,
    faults: &mut Vec<String>,
) -> (Vec<One>, bool) {
    let mut is_all = true;
    let mut jobs: Vec<(&Found, String, Option<KeptFile>)> = Vec::with_capacity(found.len());
    for one in found {
        let name = name(asked.projects, one);
        let shelf = shelves.get_mut(&one.project);
        let before = shelf.and_then(|shelf| shelf.files.remove(&name));
        jobs.push((one, name, before));
    }
    jobs.sort_by_key(|(found, _, _)| std::cmp::Reverse(found.bytes));
    let looked: Vec<(&Found, Result<Looked, Failed>)> = jobs
        .into_par_iter()
        .map(|(found, name, before)| (found, KeptFile::look(asked.disk, &found.path, name, before)))
        .collect();
    let mut all = Vec::with_capacity(looked.len());
    for (found, looked) in looked {
        match looked {
            Ok(looked) => all.push(One {
                found: found.clone(),
                looked,
            }),
            Err(Failed { error, before }) => {
                if let (Some(before), Some(shelf)) = (before, shelves.get_mut(&found.project)) {
                    shelf.files.insert(before.name.clone(), *before);
                }
                // What has gone meanwhile is gone at the next look.
                if error.kind() != io::ErrorKind::NotFound {
                    let path = found.path.display();
                    faults.push(format!("{path} is not counted, it can't be read: {error}"));
                }
                is_all = false;
            }
        }
    }
    (all, is_all)
}

/// What is kept of transcripts that are gone, with those that have gone since the last look.
fn settle(asked: &Asked<'_>, is_whole: bool, shelves: &mut Shelves, all: &[One]) -> Swept {
    let Some(store) = asked.keep else {
        return Swept::nothing(asked.keep_days, asked.now);
    };
    let mut swept = Swept::kept(store);
    if !is_whole {
        return swept;
    }
    let mut gone: Vec<Gone> = Vec::new();
    for (key, shelf) in shelves.iter_mut() {
        let files = std::mem::take(&mut shelf.files).into_values();
        gone.extend(files.map(|kept| Gone {
            project: key.clone(),
            kept,
        }));
    }
    gone.sort_by(|a, b| {
        (&a.kept.digest.last, &a.kept.name).cmp(&(&b.kept.digest.last, &b.kept.name))
    });
    let digests = all.iter().map(|one| &one.looked.kept);
    let bills = |kept: &KeptFile| -> Vec<u64> {
        kept.digest
            .bills
            .all()
            .iter()
            .map(|bill| bill.key)
            .collect()
    };
    let living = Living {
        files: digests.clone().map(|kept| kept.name.as_str()).collect(),
        bills: match gone.is_empty() {
            true => HashSet::new(),
            false => digests.flat_map(bills).collect(),
        },
        keep_days: asked.keep_days,
        now: asked.now,
    };
    let before = swept.clone();
    swept.take(&gone, &living);
    if swept == before || asked.is_dry {
        return swept;
    }
    let kept = Swept::keep(store, &gone, &living);
    if let Err(error) = &kept {
        tracing::warn!(%error, "sums of transcripts that are gone not kept");
    }
    for Gone {
        project,
        kept: file,
    } in gone
    {
        let shelf = shelves.entry(project).or_default();
        match kept {
            // What is kept there need not be kept here.
            Ok(()) => shelf.is_changed = true,
            Err(_) => drop(shelf.files.insert(file.name.clone(), file)),
        }
    }
    swept
}

/// Keeps the digests of the projects in which anything is new.
fn keep(store: &Store, shelves: &mut Shelves, all: &[One]) {
    let mut files: BTreeMap<&str, Vec<&One>> = BTreeMap::new();
    for one in all {
        files.entry(&one.found.project).or_default().push(one);
    }
    let changed: Vec<(String, Open)> = std::mem::take(shelves)
        .into_iter()
        .filter(|(key, shelf)| {
            let ones = files.get(key.as_str()).map_or(&[][..], |ones| &ones[..]);
            shelf.is_changed || ones.iter().any(|one| !one.looked.is_known)
        })
        .collect();
    changed.par_iter().for_each(|(key, shelf)| {
        let ones = files.get(key.as_str()).map_or(&[][..], |ones| &ones[..]);
        let own = ones.iter().map(|one| &one.looked.kept);
        kept::keep(
            store,
            key,
            &own.chain(shelf.files.values()).collect::<Vec<_>>(),
        );
    });
}

#[cfg(test)]
#[path = "digests_tests.rs"]
mod tests;

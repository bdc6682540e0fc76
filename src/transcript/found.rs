//! The transcripts of a store: those of its sessions, and those of their sub-agents.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, Kind, Weighed};
use crate::base::time::Moment;

/// What the name of a transcript ends in.
const ENDING: &str = ".jsonl";

/// One transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The key of its project.
    pub project: String,
    /// Its session: the name of the file, or of the folder that a sub-agent's transcript lies in.
    pub session: String,
    pub path: PathBuf,
    /// Whether a sub-agent of the session wrote it.
    pub is_agent: bool,
    pub bytes: u64,
    pub modified: Option<Moment>,
}

/// Transcripts below a folder of projects, the oldest first, and what could not be listed: a sentence
/// each.
#[derive(Debug, Default)]
pub struct Listing {
    pub found: Vec<Found>,
    pub faults: Vec<String>,
    /// What is called as a transcript and is no plain file: links, pipes, folders.
    pub left_out: Vec<PathBuf>,
    /// Whether a folder could not be listed that was asked for itself: nothing is known of what is in it.
    pub is_blind: bool,
}

/// All transcripts below a folder of projects.
#[must_use]
pub fn transcripts(disk: &Disk, projects: &Path) -> Listing {
    let mut listing = Listing::default();
    let all = listed(disk, projects, &mut listing.faults);
    listing.is_blind = !listing.faults.is_empty();
    for project in all {
        if project.item.kind == Kind::Folder {
            of_project(disk, projects, &project.item.name, &mut listing);
        }
    }
    listing.in_order()
}

/// The ids of the sessions below some folders of projects; what can't be listed has none.
#[must_use]
pub fn sessions_in(disk: &Disk, folders: &[PathBuf]) -> Vec<String> {
    let found = folders
        .iter()
        .flat_map(|folder| transcripts(disk, folder).found);
    found.map(|one| one.session).collect()
}

/// Those of some projects.
#[must_use]
pub fn transcripts_of(disk: &Disk, projects: &Path, keys: &[String]) -> Listing {
    let mut listing = Listing::default();
    for key in keys {
        let is_listed = of_project(disk, projects, OsStr::new(key), &mut listing);
        listing.is_blind |= !is_listed;
    }
    listing.in_order()
}

/// The sessions of one project, without those of their sub-agents.
#[must_use]
pub fn sessions_of(disk: &Disk, projects: &Path, key: &str) -> Listing {
    let mut listing = Listing::default();
    let folder = projects.join(key);
    for entry in listed(disk, &folder, &mut listing.faults) {
        take(&mut listing, key, None, &folder, &entry);
    }
    listing.in_order()
}

impl Listing {
    fn in_order(mut self) -> Self {
        let order = |a: &Found, b: &Found| (a.modified, &a.path).cmp(&(b.modified, &b.path));
        self.found.sort_by(order);
        self
    }
}

/// Whether its folder could be listed.
fn of_project(disk: &Disk, projects: &Path, name: &OsStr, listing: &mut Listing) -> bool {
    let key = name.to_string_lossy().into_owned();
    let folder = projects.join(name);
    let before = listing.faults.len();
    let entries = listed(disk, &folder, &mut listing.faults);
    let is_listed = listing.faults.len() == before;
    for entry in entries {
        let name = entry.item.name.to_string_lossy().into_owned();
        let path = folder.join(&entry.item.name);
        match entry.item.kind {
            Kind::Folder if name != "memory" && !name.ends_with(ENDING) => {
                let agents = path.join("subagents");
                for entry in listed(disk, &agents, &mut listing.faults) {
                    take(listing, &key, Some(&name), &agents, &entry);
                }
            }
            Kind::File | Kind::Folder | Kind::Link | Kind::Other => {
                take(listing, &key, None, &folder, &entry);
            }
        }
    }
    is_listed
}

fn take(listing: &mut Listing, key: &str, session: Option<&str>, folder: &Path, entry: &Weighed) {
    let name = entry.item.name.to_string_lossy();
    let Some(id) = name.strip_suffix(ENDING) else {
        return;
    };
    let path = folder.join(&entry.item.name);
    match entry.item.kind {
        Kind::File => listing.found.push(Found {
            project: key.to_string(),
            session: session.unwrap_or(id).to_string(),
            path,
            is_agent: session.is_some(),
            bytes: entry.bytes,
            modified: entry.modified,
        }),
        Kind::Folder | Kind::Link | Kind::Other => listing.left_out.push(path),
    }
}

fn listed(disk: &Disk, folder: &Path, faults: &mut Vec<String>) -> Vec<Weighed> {
    match disk.list_weighed(folder) {
        Ok(items) => items,
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                faults.push(format!("{} can't be listed: {error}", folder.display()));
            }
            Vec::new()
        }
    }
}

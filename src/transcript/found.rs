//! The transcripts of a store: those of its sessions, and those of their sub-agents.

use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, Kind, Weighed};
use crate::base::time::Moment;

/// One transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The key of its project.
    pub project: String,
    /// Its session: the name of the file, or of the folder that a sub-agent's transcript lies in.
    pub session: String,
    pub path: PathBuf,
    pub bytes: u64,
    pub modified: Option<Moment>,
}

/// All transcripts below a folder of projects, the oldest first, and what could not be listed: a sentence
/// each.
#[must_use]
pub fn transcripts(disk: &Disk, projects: &Path) -> (Vec<Found>, Vec<String>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    for project in listed(disk, projects, &mut faults) {
        if project.item.kind != Kind::Folder {
            continue;
        }
        let key = project.item.name.to_string_lossy().into_owned();
        let folder = projects.join(&project.item.name);
        for entry in listed(disk, &folder, &mut faults) {
            let name = entry.item.name.to_string_lossy().into_owned();
            let path = folder.join(&entry.item.name);
            match entry.item.kind {
                Kind::File => take(&mut found, &key, None, &folder, &entry),
                Kind::Folder if name != "memory" => {
                    let agents = path.join("subagents");
                    for entry in listed(disk, &agents, &mut faults) {
                        take(&mut found, &key, Some(&name), &agents, &entry);
                    }
                }
                Kind::Folder | Kind::Link | Kind::Other => {}
            }
        }
    }
    found.sort_by(|a, b| (a.modified, &a.path).cmp(&(b.modified, &b.path)));
    (found, faults)
}

fn take(found: &mut Vec<Found>, key: &str, session: Option<&str>, folder: &Path, entry: &Weighed) {
    let name = entry.item.name.to_string_lossy();
    if let Some(id) = name.strip_suffix(".jsonl")
        && entry.item.kind == Kind::File
    {
        found.push(Found {
            project: key.to_string(),
            session: session.unwrap_or(id).to_string(),
            path: folder.join(&entry.item.name),
            bytes: entry.bytes,
            modified: entry.modified,
        });
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

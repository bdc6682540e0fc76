//! What lies in a project folder, by names, sizes and times: transcripts, sub-agents' transcripts,
//! memories, a project folder that lies inside by mistake. Nothing is opened.

use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, Kind, Weighed};
use crate::base::time::Moment;
use crate::config::limits::FOLDER_DEPTH;
use crate::memory::scan;

/// What a project folder holds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Census {
    /// Its sessions, by their transcripts' names.
    pub sessions: Vec<Session>,
    /// Sessions' folders without a transcript, which the clean-up may have left: their names.
    pub left_over: Vec<String>,
    /// Memories, by their paths below the memory folder.
    pub memories: Vec<String>,
    pub newest_memory: Option<Moment>,
    /// Bytes of all files below, links not followed.
    pub bytes: u64,
    /// Names of folders in it that are project folders themselves: a tool nested them.
    pub nested: Vec<String>,
    /// What else lies in it, by name.
    pub others: Vec<String>,
    /// What could not be listed or entered, so that what lies there can't be told: a sentence each.
    pub faults: Vec<String>,
    /// The folder's own name is no UTF-8: its key is only like it, and does not lead there.
    pub odd_name: bool,
}

/// One session: its transcript and what lies beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The name of the transcript without its end.
    pub id: String,
    pub transcript: PathBuf,
    pub bytes: u64,
    pub modified: Option<Moment>,
    /// Its folder: sub-agents, large results, notes.
    pub folder: Option<PathBuf>,
    /// The transcripts of its sub-agents.
    pub subagents: Vec<PathBuf>,
}

impl Census {
    /// When a session wrote last.
    #[must_use]
    pub fn last_session(&self) -> Option<Moment> {
        self.sessions
            .iter()
            .filter_map(|session| session.modified)
            .max()
    }
}

/// Takes the census of a project folder. Its memory folder may lie elsewhere.
#[must_use]
pub fn census(disk: &Disk, folder: &Path, memory: &Path) -> Census {
    let mut census = Census::default();
    let mut folders: Vec<String> = Vec::new();
    let mut is_apart = memory != folder.join("memory");
    for Weighed {
        item,
        bytes,
        modified,
    } in listed(disk, folder, &mut census)
    {
        let name = item.name.to_string_lossy().into_owned();
        match item.kind {
            Kind::Folder => folders.push(name),
            Kind::File => {
                census.bytes += bytes;
                match name.strip_suffix(".jsonl") {
                    Some(id) => census.sessions.push(Session {
                        id: id.to_string(),
                        transcript: folder.join(&item.name),
                        bytes,
                        modified,
                        folder: None,
                        subagents: Vec::new(),
                    }),
                    None => census.others.push(name),
                }
            }
            Kind::Link | Kind::Other => {
                is_apart |= item.kind == Kind::Link && name == "memory";
                census.others.push(name);
            }
        }
    }
    census.sessions.sort_by(|a, b| a.id.cmp(&b.id));
    folders.sort();
    for name in folders {
        let inner = folder.join(&name);
        let session = census
            .sessions
            .iter_mut()
            .find(|session| session.id == name);
        if let Some(session) = session {
            session.folder = Some(inner.clone());
        }
        let mut below = Below::default();
        descend(disk, &inner, "", 0, &mut below);
        census.bytes += below.bytes;
        census.faults.append(&mut below.faults);
        let session = census
            .sessions
            .iter_mut()
            .find(|session| session.id == name);
        match session {
            Some(session) => session.subagents = below.subagents,
            None if name == "memory" => {
                census.newest_memory = below.newest_markdown;
                census.memories = below.memories;
            }
            None if below.is_project => census.nested.push(name),
            None if is_session_id(&name) => census.left_over.push(name),
            None => census.others.push(name),
        }
    }
    if is_apart {
        let elsewhere = scan::list(disk, memory);
        let files = elsewhere.memories.into_iter();
        census.memories = files.map(|file| file.path).collect();
        let faults = elsewhere.faults.into_iter();
        census.faults.extend(faults.map(|fault| fault.sentence));
    }
    census.memories.sort();
    census
}

/// What lies below one folder of a project folder.
#[derive(Default)]
struct Below {
    bytes: u64,
    subagents: Vec<PathBuf>,
    /// What counts as a memory if this is a memory folder: paths below it.
    memories: Vec<String>,
    newest_markdown: Option<Moment>,
    /// It looks like a project folder: a transcript or a memory folder stands right in it.
    is_project: bool,
    faults: Vec<String>,
}

fn descend(disk: &Disk, folder: &Path, prefix: &str, depth: usize, below: &mut Below) {
    let items = match disk.list_weighed(folder) {
        Ok(items) => items,
        Err(error) => {
            let fault = format!("{} can't be listed: {error}", folder.display());
            below.faults.push(fault);
            return;
        }
    };
    let agents = folder.file_name().is_some_and(|name| name == "subagents");
    for entry in items {
        let path = folder.join(&entry.item.name);
        let inner = [prefix, &entry.item.name.to_string_lossy()].concat();
        if entry.item.kind != Kind::Folder && scan::is_memory(&inner) {
            below.memories.push(inner.clone());
        }
        let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
        match entry.item.kind {
            Kind::Folder => {
                below.is_project |= depth == 0 && entry.item.name == "memory";
                if depth < FOLDER_DEPTH {
                    descend(disk, &path, &format!("{inner}/"), depth + 1, below);
                }
            }
            Kind::File => {
                below.bytes += entry.bytes;
                below.is_project |= depth == 0 && ends("jsonl");
                if ends("md") {
                    below.newest_markdown = below.newest_markdown.max(entry.modified);
                }
                if agents && ends("jsonl") {
                    below.subagents.push(path);
                }
            }
            Kind::Link | Kind::Other => {}
        }
    }
    below.subagents.sort();
}

fn listed(disk: &Disk, folder: &Path, census: &mut Census) -> Vec<Weighed> {
    match disk.list_weighed(folder) {
        Ok(items) => items,
        // Only its memory is there, elsewhere.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            census.odd_name = name.contains(char::REPLACEMENT_CHARACTER);
            Vec::new()
        }
        Err(error) => {
            let fault = format!("{} can't be listed: {error}", folder.display());
            census.faults.push(fault);
            Vec::new()
        }
    }
}

/// Whether a name is that of a session: a UUID.
pub(super) fn is_session_id(name: &str) -> bool {
    let dashes = [8, 13, 18, 23];
    name.len() == 36
        && name.bytes().enumerate().all(|(at, byte)| {
            if dashes.contains(&at) {
                byte == b'-'
            } else {
                byte.is_ascii_hexdigit()
            }
        })
}

#[cfg(test)]
#[path = "census_tests.rs"]
mod tests;

//! Splitting: a project folder holds sessions of more than one path. Each session goes to the folder of
//! its own path; a memory goes with the session that made it, its index line too; what is known of
//! none stays.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::fold::{Fold, FoldError};
use super::{Listed, Project};
use crate::base::disk::Disk;
use crate::base::front_matter;
use crate::memory::proposal::{self, Folder};
use crate::memory::scan;
use crate::store::change::{Author, ChangeSet};

/// The sessions of one path, and where they go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub path: PathBuf,
    /// The folder below `projects/` of its sessions. It need not exist.
    pub folder: PathBuf,
    /// Its memory folder, which may lie under another key. It need not exist.
    pub memory: PathBuf,
    /// By their ids.
    pub sessions: Vec<String>,
}

/// The change set that splits a project folder, what goes by it, and what a person should know.
///
/// # Errors
/// Why it can't be done; nothing is changed by asking.
pub fn split(
    disk: &Disk,
    project: &Project,
    parts: &[Part],
) -> Result<(ChangeSet, Listed, Vec<String>), FoldError> {
    let set = ChangeSet::new(format!("split {}", project.key), Author::You);
    let mut fold = Fold::new(disk, set, "to the key of its path");
    let mut listed = Listed::default();
    let made_by = made_by(disk, &project.memory);
    for part in parts {
        let is_its = |id: &String| part.sessions.contains(id);
        for session in project.census.sessions.iter().filter(|one| is_its(&one.id)) {
            for path in std::iter::once(&session.transcript).chain(&session.folder) {
                fold.session(path, &part.folder)?;
                fold.drop_same(path);
            }
            listed.sessions.push(session.id.clone());
        }
        if part.memory == project.memory {
            continue;
        }
        let goes = |memory: &&String| made_by.get(*memory).is_some_and(&is_its);
        let some: Vec<&str> = project
            .census
            .memories
            .iter()
            .filter(goes)
            .map(String::as_str)
            .collect();
        if !some.is_empty() {
            fold.some(&project.memory, &part.memory, &some)?;
            for one in &some {
                fold.drop_same(&project.memory.join(one));
            }
        }
        listed
            .memories
            .extend(some.iter().map(|one| (*one).to_string()));
        fold.notes.push(format!(
            "the sessions of {} move to {}",
            part.path.display(),
            part.folder.display()
        ));
    }
    let gone: Vec<&str> = listed.memories.iter().map(String::as_str).collect();
    let memories = scan::heads(
        disk,
        &project.memory,
        scan::list(disk, &project.memory).memories,
    );
    let folder = Folder {
        disk,
        path: &project.memory,
        memories: &memories,
    };
    for write in proposal::unlisted(&folder, &gone)? {
        fold.add(write, "the index lines of what moves");
    }
    let memories = project.census.memories.iter().map(String::as_str);
    let stay: Vec<&str> = memories.filter(|one| !gone.contains(one)).collect();
    if !stay.is_empty() {
        fold.notes.push(format!(
            "stays, because no session that moves made it: {}",
            stay.join(", ")
        ));
    }
    let (set, notes) = fold.done();
    Ok((set, listed, notes))
}

/// The session that made each memory, where it says so.
fn made_by(disk: &Disk, folder: &Path) -> HashMap<String, String> {
    let mut made_by = HashMap::new();
    scan::pages(
        disk,
        folder,
        scan::list(disk, folder).memories,
        |memory, bytes| {
            let text = String::from_utf8_lossy(bytes.unwrap_or_default());
            let front = front_matter::read(text.trim_start_matches('\u{FEFF}'));
            if let Some(session) = front.get("originSessionId") {
                made_by.insert(memory.path.to_string(), session.to_string());
            }
        },
    );
    made_by
}

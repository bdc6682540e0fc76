//! Forgetting: all that the client holds of a project goes, wherever it lies: its folder and memory
//! folder, what its sessions left beside `projects/`, its lines of the input history, its entry in
//! `.claude.json`. Folders and files go to the trash; one undo brings all of it back.

use std::path::{Path, PathBuf};

use super::census::is_session_id;
use super::elsewhere::{self, Held};
use super::prune::{all_of, of_a_link, places};
use super::{Listed, Project};
use crate::base::disk::Disk;
use crate::memory::key::{self, MAX_PLAIN_UNITS};
use crate::store::change::{Age, Author, ChangeSet, Op};

/// Folders of the config home in which the client keeps files and folders by the ids of sessions.
const BY_SESSION: [&str; 5] = ["debug", "file-history", "session-env", "tasks", "todos"];

/// Where the client keeps what it knows.
#[derive(Debug, Clone, Copy)]
pub struct Client<'a> {
    /// The config home.
    pub home: &'a Path,
    pub history: &'a Path,
    pub claude_json: &'a Path,
}

/// What forgetting a project takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forgotten {
    pub set: ChangeSet,
    pub listed: Listed,
    /// The files that lose lines or entries by it.
    pub elsewhere: Vec<Held>,
    /// What stays, and why: sentences.
    pub notes: Vec<String>,
    /// What can't be done of it: sentences.
    pub undone: Vec<String>,
}

/// What of ours is no part of it.
const COUNTED: &str = "what loci counted of its sessions stays in loci's own state (swept.json): tokens by day and \
     model, and the paths of the Markdown files that they touched";

/// What forgetting a project would take.
#[must_use]
pub fn forget(disk: &Disk, project: &Project, client: Client<'_>) -> Forgotten {
    let paths = project.paths();
    // Of a long path the key holds only the beginning: what else begins so is another's.
    let is_its = |path: &str| {
        let whole = project.key.len() <= MAX_PLAIN_UNITS || key::encode(path) == project.key;
        key::is_of(&project.key, path) && (whole || paths.contains(&Path::new(path)))
    };
    let (held, faults) = elsewhere::without(disk, client.history, client.claude_json, is_its);
    let mut notes: Vec<String> = of_a_link(disk, project).into_iter().collect();
    notes.push(COUNTED.to_string());
    let mut listed = all_of(disk, project, Vec::new());
    let mut set = ChangeSet::new(format!("forget {}", project.key), Author::You);
    for one in &held {
        let op = Op::Write {
            path: one.file.clone(),
            before: Some(one.before.clone()),
            after: one.after.clone(),
            age: Age::Keep,
        };
        set = set.with(op, "without the project");
    }
    for path in left_beside(disk, project, client.home) {
        let shown = path.strip_prefix(client.home).unwrap_or(&path);
        listed.others.push(shown.to_string_lossy().into_owned());
        set = set.with(Op::Trash { path }, "what its sessions left");
    }
    for path in places(disk, project) {
        set = set.with(Op::Trash { path }, "the project's own");
    }
    for file in held.iter().map(|one| (&one.file, &one.after)) {
        let (file, after) = file;
        let named = paths
            .iter()
            .filter_map(|path| path.to_str())
            .filter(|path| {
                let quoted = serde_json::Value::from(*path).to_string();
                memchr::memmem::find(after, quoted.as_bytes()).is_some()
            });
        notes.extend(named.map(|path| {
            format!(
                "{} names {path} in other places too: they stay",
                file.display()
            )
        }));
    }
    Forgotten {
        set,
        listed,
        elsewhere: held,
        notes,
        undone: faults.into_iter().map(|fault| fault.said).collect(),
    }
}

/// What lies in the client's other folders under the ids of the project's sessions.
fn left_beside(disk: &Disk, project: &Project, home: &Path) -> Vec<PathBuf> {
    let census = &project.census;
    let sessions = census.sessions.iter().map(|session| &session.id);
    let ids: Vec<&String> = sessions
        .chain(&census.left_over)
        .filter(|id| is_session_id(id))
        .collect();
    let is_its = |name: &str| {
        ids.iter().any(|id| {
            let rest = name.strip_prefix(id.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '.']))
        })
    };
    let mut found = Vec::new();
    for folder in BY_SESSION.map(|name| home.join(name)) {
        // One that is not there holds nothing; one that can't be listed is none of the client's.
        let items = disk.list(&folder).unwrap_or_default();
        let names = items.into_iter().map(|item| item.name);
        found.extend(
            names
                .filter(|name| name.to_str().is_some_and(is_its))
                .map(|name| folder.join(name)),
        );
    }
    found.sort();
    found
}

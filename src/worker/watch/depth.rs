//! How much of a folder is watched: which paths the system watches for it, which events concern it, and how
//! it looks where it can't be watched.

use std::cmp::Reverse;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use notify::event::ModifyKind;
use notify::{Event, EventKind, RecursiveMode};

/// Folders of sessions that are watched at most, those that changed last: each costs the system two watches.
/// One that is older has its next sub-agent told of by its own transcript.
const SESSIONS: usize = 64;

/// How much of a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Depth {
    /// All that is below it: a memory folder.
    All,
    /// The files in it that may be rules: a project folder, below which may lie anything.
    Rules,
    /// The names of the folders in it: the place of all projects.
    Names,
    /// The transcripts below it, those of sub-agents too: the place of all projects.
    Sessions,
    /// The days of the ledger in it.
    Ledger,
}

/// Names, times and sizes below a folder.
pub(super) type Picture = Vec<(OsString, Option<SystemTime>, u64)>;

impl Depth {
    /// The paths that the system is to watch for a folder as it is now.
    pub(super) fn paths(self, folder: &Path) -> Vec<(PathBuf, RecursiveMode)> {
        let mode = match self {
            Self::All => RecursiveMode::Recursive,
            Self::Rules | Self::Names | Self::Sessions | Self::Ledger => {
                RecursiveMode::NonRecursive
            }
        };
        let mut paths = Vec::new();
        if folder.is_dir() {
            paths.push((folder.to_path_buf(), mode));
        }
        match self {
            // One that comes up is told by the folder above, which is watched for rules itself.
            Self::Rules => return paths,
            Self::Sessions => paths.extend(of_sessions(folder).into_iter().map(|it| (it, mode))),
            Self::All | Self::Names | Self::Ledger => {}
        }
        let mut above = folder.ancestors().skip(1);
        let above = above.find(|above| above.is_dir());
        paths.extend(above.map(|above| (above.to_path_buf(), RecursiveMode::NonRecursive)));
        paths
    }

    /// Whether an event has to do with a folder.
    pub(super) fn concerns(self, folder: &Path, event: &Event) -> bool {
        let of_names = is_of_names(event.kind);
        let touches = |path: &PathBuf| match self {
            Self::All => path.starts_with(folder) || folder.starts_with(path),
            Self::Names => folder.starts_with(path) || path.parent() == Some(folder) && of_names,
            Self::Rules => *path == folder || path.parent() == Some(folder) && may_be_rules(path),
            Self::Ledger => {
                folder.starts_with(path) && of_names
                    || path.parent() == Some(folder) && is_day(path)
            }
            Self::Sessions => match path.strip_prefix(folder) {
                Err(_) => folder.starts_with(path),
                Ok(below) => is_of_sessions(below, of_names),
            },
        };
        event.paths.iter().any(touches)
    }

    /// How a folder looks.
    pub(super) fn picture(self, folder: &Path) -> Picture {
        let mut found = Vec::new();
        let mut folders = vec![folder.to_path_buf()];
        while let Some(folder_here) = folders.pop() {
            for entry in fs::read_dir(&folder_here).into_iter().flatten().flatten() {
                let path = entry.path();
                if self == Self::Names {
                    found.push((entry.file_name(), None, 0));
                    continue;
                }
                let Ok(data) = entry.metadata() else { continue };
                match self {
                    Self::All if data.is_dir() => folders.push(path.clone()),
                    Self::Rules if !may_be_rules(&path) => continue,
                    Self::Ledger if !is_day(&path) => continue,
                    Self::Sessions => {
                        let below = path.strip_prefix(folder).unwrap_or(&path);
                        match data.is_dir() {
                            true if is_of_sessions(below, true) => folders.push(path),
                            false if is_transcript(below) => {
                                found.push((
                                    path.into_os_string(),
                                    data.modified().ok(),
                                    data.len(),
                                ));
                            }
                            true | false => {}
                        }
                        continue;
                    }
                    Self::All | Self::Rules | Self::Names | Self::Ledger => {}
                }
                found.push((path.into_os_string(), data.modified().ok(), data.len()));
            }
        }
        found.sort();
        found
    }
}

/// The folders in which transcripts come and grow: those of the projects, and of the newest sessions.
fn of_sessions(folder: &Path) -> Vec<PathBuf> {
    let mut projects = Vec::new();
    let mut sessions = Vec::new();
    for project in folders_in(folder) {
        for session in folders_in(&project) {
            if session.file_name() != Some(OsStr::new("memory")) {
                let agents = session.join("subagents");
                let modified = |path: &Path| fs::metadata(path).and_then(|it| it.modified()).ok();
                let last = modified(&agents).or_else(|| modified(&session));
                sessions.push((Reverse(last), session, agents));
            }
        }
        projects.push(project);
    }
    sessions.sort();
    sessions.truncate(SESSIONS);
    let own = sessions.into_iter().flat_map(|(_, session, agents)| {
        let agents = Some(agents).filter(|agents| agents.is_dir());
        std::iter::once(session).chain(agents)
    });
    projects.extend(own);
    projects
}

/// The folders in a folder; links lead to none.
fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|it| it.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

/// Whether a path below the place of all projects is a transcript, or a folder that one can come up in.
fn is_of_sessions(below: &Path, of_names: bool) -> bool {
    let parts: Vec<&OsStr> = below.iter().collect();
    let may_hold = match parts[..] {
        [] | [_] => true,
        [_, session] => session != "memory",
        [_, session, agents] => session != "memory" && agents == "subagents",
        _ => false,
    };
    // What else lies beside transcripts bears an ending.
    let is_folder = parts.len() < 2 || below.extension().is_none();
    is_transcript(below) || may_hold && of_names && is_folder
}

/// Whether a path below the place of all projects is that of a transcript.
fn is_transcript(below: &Path) -> bool {
    let parts: Vec<&OsStr> = below.iter().collect();
    let is_place = match parts[..] {
        [_, _] => true,
        [_, session, agents, _] => session != "memory" && agents == "subagents",
        _ => false,
    };
    is_place && below.extension() == Some(OsStr::new("jsonl"))
}

/// Whether a path is that of a day of the ledger.
fn is_day(path: &Path) -> bool {
    path.extension() == Some(OsStr::new("jsonl"))
}

/// Whether names come or go by it.
pub(super) fn is_of_names(kind: EventKind) -> bool {
    match kind {
        EventKind::Any | EventKind::Create(_) | EventKind::Remove(_) | EventKind::Other => true,
        EventKind::Modify(what) => matches!(what, ModifyKind::Name(_) | ModifyKind::Any),
        EventKind::Access(_) => false,
    }
}

/// Whether a file may be one that rules are made of: the client's own logs and locks are none.
fn may_be_rules(path: &Path) -> bool {
    const NONE: [&str; 5] = ["jsonl", "lock", "log", "swp", "tmp"];
    let ending = path.extension().and_then(|ending| ending.to_str());
    !ending.is_some_and(|ending| NONE.contains(&ending))
}

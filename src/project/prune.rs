//! Pruning: a project folder whose path is gone goes to the trash, whole; of one that a folder which
//! is still there shares, only the sessions of the path that is gone. All that goes is listed, the
//! memories by name.

use std::path::{Path, PathBuf};

use super::{Listed, Project, Source, Standing, by_walk};
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::limits::SESSION_SECONDS;
use crate::memory::scan;
use crate::store::change::{Author, ChangeSet, Op};

/// What goes when a project is pruned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removal {
    pub key: String,
    /// What goes to the trash: files and folders.
    pub places: Vec<PathBuf>,
    /// The same as a person reads it.
    pub listed: Listed,
    /// What a person should know before: sentences.
    pub notes: Vec<String>,
}

/// Why a project folder is not pruned: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum PruneError {
    #[error("{key} is about {path}, which is there: it is not pruned", path = path.display())]
    There { key: String, path: PathBuf },
    #[error("{key} is about {path}, and whether that is there can't be told here: it is not pruned", path = path.display())]
    Untold { key: String, path: PathBuf },
    #[error(
        "too many folders could have the key {key} for all of them to be looked at: it is not pruned"
    )]
    Unwalked { key: String },
    #[error("{key} has no evidence, and may be about {paths}, which is there: it is not pruned", paths = listed(paths))]
    Maybe { key: String, paths: Vec<PathBuf> },
    #[error("{key} is shared by folders that are gone ({paths}): name those whose sessions go, each with --of", paths = listed(paths))]
    Shared { key: String, paths: Vec<PathBuf> },
    #[error("{key} is not about {path}, or that is there: its folders that are gone are {paths}", path = path.display(), paths = listed(paths))]
    NotOf {
        key: String,
        path: PathBuf,
        paths: Vec<PathBuf>,
    },
    #[error("{key} is shared with {path}, which is there, and has no session that ran in {gone}: nothing of it can go", path = path.display(), gone = listed(gone))]
    NothingOf {
        key: String,
        path: PathBuf,
        gone: Vec<PathBuf>,
    },
    #[error(
        "a session in {key} wrote {seconds} s ago and may still be at work: end it, or try again in 5 minutes"
    )]
    AtWork { key: String, seconds: i64 },
}

fn listed(paths: &[PathBuf]) -> String {
    let shown: Vec<String> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    shown.join(", ")
}

/// What pruning a project would take. `of`: only the sessions that ran in these paths.
///
/// # Errors
/// Why it is not pruned.
pub fn prune(
    disk: &Disk,
    project: &Project,
    of: &[PathBuf],
    now: Moment,
) -> Result<Removal, PruneError> {
    let key = || project.key.clone();
    if let Some(seconds) = project.at_work(SESSION_SECONDS, now) {
        return Err(PruneError::AtWork {
            key: key(),
            seconds,
        });
    }
    let (walked, cut) = by_walk(disk, &project.key);
    if cut {
        return Err(PruneError::Unwalked { key: key() });
    }
    let gone = standing(project, |standing| *standing == Standing::Gone);
    let untold = standing(project, |standing| {
        matches!(standing, Standing::Foreign | Standing::Unseen(_))
    });
    if let Some(path) = untold.into_iter().next() {
        return Err(PruneError::Untold { key: key(), path });
    }
    let mut there = standing(project, |standing| *standing == Standing::There);
    if gone.is_empty() {
        let maybe: Vec<PathBuf> = project
            .candidates
            .iter()
            .map(|one| one.path.clone())
            .collect();
        return match there.into_iter().next() {
            Some(path) => Err(PruneError::There { key: key(), path }),
            None if maybe.is_empty() => Ok(whole(disk, project, gone)),
            None => Err(PruneError::Maybe {
                key: key(),
                paths: maybe,
            }),
        };
    }
    // A folder that no evidence names would share this memory all the same.
    there.extend(walked.into_iter().map(|claim| claim.path));
    let chosen = chosen(project, of, &gone)?;
    match there.first() {
        None if chosen.len() == gone.len() => Ok(whole(disk, project, gone)),
        path => part(project, chosen, path),
    }
}

/// The paths whose sessions go, each of them gone.
fn chosen(project: &Project, of: &[PathBuf], gone: &[PathBuf]) -> Result<Vec<PathBuf>, PruneError> {
    if of.is_empty() {
        return match gone {
            [_] => Ok(gone.to_vec()),
            _ => Err(PruneError::Shared {
                key: project.key.clone(),
                paths: gone.to_vec(),
            }),
        };
    }
    match of.iter().find(|path| !gone.contains(path)) {
        Some(path) => Err(PruneError::NotOf {
            key: project.key.clone(),
            path: path.clone(),
            paths: gone.to_vec(),
        }),
        None => Ok(gone
            .iter()
            .filter(|path| of.contains(path))
            .cloned()
            .collect()),
    }
}

fn standing(project: &Project, is: impl Fn(&Standing) -> bool) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for claim in &project.evidence {
        if is(&claim.standing) && !paths.contains(&claim.path) {
            paths.push(claim.path.clone());
        }
    }
    paths
}

fn whole(disk: &Disk, project: &Project, gone: Vec<PathBuf>) -> Removal {
    Removal {
        key: project.key.clone(),
        places: places(disk, project),
        listed: all_of(disk, project, gone),
        notes: of_a_link(disk, project).into_iter().collect(),
    }
}

/// What becomes of memories behind a link: a sentence.
pub(super) fn of_a_link(disk: &Disk, project: &Project) -> Option<String> {
    let to = disk.link(&project.memory).ok()?;
    Some(format!(
        "its memory folder is a link to {}: the link goes, what it leads to stays",
        to.display()
    ))
}

/// Where all of a project folder lies: it, and its memory folder where that lies elsewhere.
pub(super) fn places(disk: &Disk, project: &Project) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let is_there = |path: &Path| disk.metadata(path).is_ok() || disk.link(path).is_ok();
    if is_there(&project.folder) {
        places.push(project.folder.clone());
    }
    if !project.memory.starts_with(&project.folder) && is_there(&project.memory) {
        places.push(project.memory.clone());
    }
    places
}

/// All that lies in a project folder, as a person reads it.
pub(super) fn all_of(disk: &Disk, project: &Project, gone: Vec<PathBuf>) -> Listed {
    let census = &project.census;
    let mut memories = census.memories.clone();
    let mut untold = census.faults.clone();
    for nested in &census.nested {
        let folder = project.folder.join(nested).join("memory");
        let inner = scan::list(disk, &folder);
        let files = inner.memories.into_iter();
        memories.extend(files.map(|file| format!("{nested}/memory/{}", file.path)));
        untold.extend(inner.faults.into_iter().map(|fault| fault.sentence));
    }
    untold.sort();
    untold.dedup();
    let others = [&census.left_over, &census.nested, &census.others];
    Listed {
        whole: true,
        gone,
        memories,
        untold,
        sessions: census.sessions.iter().map(|one| one.id.clone()).collect(),
        others: others.into_iter().flatten().cloned().collect(),
    }
}

/// Only the sessions of some paths: memories and all else stay.
fn part(
    project: &Project,
    chosen: Vec<PathBuf>,
    there: Option<&PathBuf>,
) -> Result<Removal, PruneError> {
    let ran: Vec<&String> = project
        .evidence
        .iter()
        .filter(|claim| matches!(claim.source, Source::Transcript | Source::Subagent))
        .filter(|claim| chosen.contains(&claim.path))
        .flat_map(|claim| &claim.sessions)
        .collect();
    let mut places = Vec::new();
    let mut sessions = Vec::new();
    for session in &project.census.sessions {
        if ran.contains(&&session.id) {
            places.push(session.transcript.clone());
            places.extend(session.folder.clone());
            sessions.push(session.id.clone());
        }
    }
    let shared = there.cloned().or_else(|| {
        let others = project.evidence.iter().map(|claim| &claim.path);
        others
            .into_iter()
            .find(|path| !chosen.contains(path))
            .cloned()
    });
    let shared = shared.unwrap_or_else(|| project.folder.clone());
    if sessions.is_empty() {
        return Err(PruneError::NothingOf {
            key: project.key.clone(),
            path: shared,
            gone: chosen,
        });
    }
    let note = format!("its memories stay: it is shared with {}", shared.display());
    Ok(Removal {
        key: project.key.clone(),
        places,
        listed: Listed {
            gone: chosen,
            sessions,
            ..Listed::default()
        },
        notes: vec![note],
    })
}

impl Removal {
    /// The change set that does it: one undo brings all of it back.
    #[must_use]
    pub fn change_set(&self) -> ChangeSet {
        let reason = match self.listed.gone.as_slice() {
            [] => "no folder is known for it".to_string(),
            gone => format!("{} is gone", listed(gone)),
        };
        let title = match self.listed.whole {
            true => format!("prune {}", self.key),
            false => format!("prune sessions of {}", self.key),
        };
        let set = ChangeSet::new(title, Author::You);
        self.places.iter().fold(set, |set, path| {
            set.with(Op::Trash { path: path.clone() }, reason.clone())
        })
    }
}

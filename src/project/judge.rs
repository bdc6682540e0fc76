//! From claims to an origin. The strongest kind of evidence that says anything decides; a folder that
//! is told by more than one path of the same kind is shared, and that is said.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::known::Known;
use super::listings::Listings;
use super::walk::walk;
use super::{Candidate, Claim, Origin, Source, Standing};
use crate::base::disk::Disk;
use crate::memory::{git, key};

/// What the evidence comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub origin: Origin,
    pub path: Option<PathBuf>,
    /// The claims that it rests on.
    pub evidence: Vec<Claim>,
    /// Of an unknown one: what a walk found.
    pub candidates: Vec<Candidate>,
    /// The canonical git root of the path that is there, or that path.
    pub memory_root: Option<PathBuf>,
    /// The walk was ended by its limit: there may be more to find.
    pub cut: bool,
}

/// Where a claimed path really is: links resolved, and the canonical git root above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub real: PathBuf,
    pub root: PathBuf,
}

impl Place {
    /// Looks a path up; `None` where it is not there.
    #[must_use]
    pub fn look(disk: &Disk, path: &Path) -> Option<Self> {
        let real = disk.resolve(path).ok()?;
        let root = git::memory_root(disk, &real);
        Some(Self { real, root })
    }
}

/// Places that were looked up already, by the paths as claimed.
pub type Places = HashMap<PathBuf, Place>;

/// Whether a path is there, and if that can't be told, why.
#[must_use]
pub fn lookup(disk: &Disk, path: &Path) -> Standing {
    if path.to_str().is_some_and(key::is_windows_path) {
        return Standing::Foreign;
    }
    if !path.is_absolute() {
        return Standing::Unseen("it is no absolute path".to_string());
    }
    match disk.metadata(path) {
        Ok(data) if data.is_dir() => Standing::There,
        Ok(_) => Standing::Gone,
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Standing::Gone,
            _ => Standing::Unseen(error.to_string()),
        },
    }
}

/// Judges a project folder. `claims` are those of its own transcripts, `places` what is looked up of
/// them already.
#[must_use]
pub fn judge(
    disk: &Disk,
    key: &str,
    claims: Vec<Claim>,
    known: &Known,
    places: &Places,
) -> Verdict {
    let (mut exact, others): (Vec<Claim>, Vec<Claim>) =
        claims.into_iter().partition(|claim| claim.exact);
    // What is told elsewhere counts where the transcripts name nothing that is there: the key may be
    // shared with a folder that is.
    let is_there = |claim: &Claim| claim.standing == Standing::There;
    if !exact.iter().any(is_there) {
        let told = known.of(disk, key);
        let told_there = told.iter().any(is_there);
        let news = |claim: &Claim| !exact.iter().any(|other| other.path == claim.path);
        let more: Vec<Claim> = match exact.is_empty() {
            true => told,
            false => told
                .into_iter()
                .filter(|claim| told_there && is_there(claim) && news(claim))
                .collect(),
        };
        exact.extend(more);
    }
    if !exact.is_empty() {
        return of_claims(disk, key, exact, places);
    }
    let (walked, cut) = by_walk(disk, key);
    match (walked.len(), others.is_empty()) {
        (1, _) if !cut => of_claims(disk, key, walked, places),
        (0, false) if !cut => of_claims(disk, key, others, places),
        (_, _) => Verdict {
            cut,
            origin: Origin::Unknown,
            path: None,
            evidence: Vec::new(),
            candidates: walked.into_iter().map(walked_to).collect(),
            memory_root: None,
        },
    }
}

/// Folders that are there and have this key, by a walk along it; and whether that was ended by its
/// limit.
#[must_use]
pub fn by_walk(disk: &Disk, key: &str) -> (Vec<Claim>, bool) {
    by_walk_in(disk, &Listings::default(), key)
}

/// The same in folders some of which may have been listed for others.
#[must_use]
pub fn by_walk_in(disk: &Disk, listings: &Listings, key: &str) -> (Vec<Claim>, bool) {
    let (found, cut) = walk(disk, listings, key);
    let claim = |path| Claim {
        path,
        source: Source::Walk,
        standing: Standing::There,
        sessions: Vec::new(),
        file: None,
        exact: true,
    };
    (found.into_iter().map(claim).collect(), cut)
}

fn walked_to(claim: Claim) -> Candidate {
    Candidate {
        path: claim.path,
        score: 50,
        why: "it has this key, and so has another folder".to_string(),
        likely: false,
    }
}

fn of_claims(disk: &Disk, key: &str, evidence: Vec<Claim>, places: &Places) -> Verdict {
    let look = |path: &PathBuf| match places.get(path) {
        Some(place) => Some(place.clone()),
        None => Place::look(disk, path),
    };
    let mut there: Vec<(Place, &Path)> = Vec::new();
    for claim in &evidence {
        if claim.standing == Standing::There
            && let Some(place) = look(&claim.path)
            && !there.iter().any(|(other, _)| other.real == place.real)
        {
            there.push((place, &claim.path));
        }
    }
    let first = |standing: &Standing| {
        let found = evidence.iter().find(|claim| claim.standing == *standing);
        found.map(|claim| claim.path.clone())
    };
    let mut memory_root = None;
    let (origin, path) = match there.as_slice() {
        [] => {
            let unsure = evidence
                .iter()
                .any(|claim| !matches!(claim.standing, Standing::Gone));
            match (unsure, first(&Standing::Gone)) {
                (false, gone) => (Origin::Orphaned, gone),
                (true, _) => (
                    Origin::Unknown,
                    evidence.first().map(|claim| claim.path.clone()),
                ),
            }
        }
        [(Place { real, root }, path)] => {
            let own = key::is_of(key, &root.to_string_lossy()) || root == real;
            memory_root = Some(root.clone());
            let origin = if own { Origin::Live } else { Origin::Worktree };
            (origin, Some(path.to_path_buf()))
        }
        _ => (Origin::Ambiguous, None),
    };
    Verdict {
        origin,
        path,
        evidence,
        candidates: Vec::new(),
        memory_root,
        cut: false,
    }
}

#[cfg(test)]
#[path = "judge_tests.rs"]
mod tests;

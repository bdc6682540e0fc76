//! What a live project can be known by when it is somewhere else one day: its git remote, its first
//! commit, the names in its folder. Kept in our `identity.json` (spec 11.3), by what writes only.
//! Git is never called: its files are read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::disk::Disk;
use crate::config::limits::{IDENTITY_BYTES, IDENTITY_NAMES};
use crate::memory::git;
use crate::store::{self, Store};

/// The file, in our folder for the config home.
pub const FILE: &str = "identity.json";

/// What one project is known by.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Identity {
    pub path: PathBuf,
    /// Host and path of the remote, without user, password and scheme: `example.org/team/shop`.
    pub remote: Option<String>,
    /// The oldest commit that the repository's own log of its head still has.
    pub first_commit: Option<String>,
    /// Names in its folder, sorted, hidden ones left out.
    pub names: Vec<String>,
    /// A linked worktree: remote and first commit are those of its repository, and of all worktrees of
    /// that.
    #[serde(default)]
    pub worktree: bool,
}

/// What was kept for a config home.
#[must_use]
pub fn kept(store: &Store) -> Identities {
    Identities::read(&Disk::system(), &store.own_file(FILE))
}

/// Keeps what was seen, for the day when it is gone.
///
/// # Errors
/// `Busy`, or what the system refuses: no reason to stop, it is kept another time.
pub fn keep(store: &Store, seen: Vec<Identity>) -> store::Result<()> {
    store.revise_own(FILE, |before| Identities::from_bytes(before).with(seen))
}

/// All that was kept.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Identities {
    v: u8,
    projects: Vec<Identity>,
}

impl Identities {
    /// Reads the file; what is none of ours is empty.
    #[must_use]
    pub fn read(disk: &Disk, file: &Path) -> Self {
        let small = disk
            .metadata(file)
            .is_ok_and(|data| data.len() <= IDENTITY_BYTES);
        let bytes = disk.read(file).ok().filter(|_| small);
        bytes.map_or_else(Self::default, |bytes| Self::from_bytes(&bytes))
    }

    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or_default()
    }

    /// What was kept of a path.
    #[must_use]
    pub fn of(&self, path: &Path) -> Option<&Identity> {
        self.projects.iter().find(|kept| kept.path == path)
    }

    /// The file's bytes with what was seen now; `None` where nothing is new. What was kept of others
    /// stays: it is for when they are gone.
    #[must_use]
    pub fn with(mut self, seen: Vec<Identity>) -> Option<Vec<u8>> {
        let before = self.projects.clone();
        let paths: HashSet<PathBuf> = seen.iter().map(|new| new.path.clone()).collect();
        self.projects.retain(|kept| !paths.contains(&kept.path));
        self.projects.extend(seen);
        self.projects.sort_by(|a, b| a.path.cmp(&b.path));
        self.v = 1;
        (self.projects != before).then(|| {
            serde_json::to_vec(&self).expect("paths of text and text are all that JSON needs")
        })
    }
}

impl Identity {
    /// Looks at a folder. A path that is no UTF-8 can't be kept.
    #[must_use]
    pub fn look(disk: &Disk, path: &Path) -> Option<Self> {
        path.to_str()?;
        let mut names: Vec<String> = disk
            .list(path)
            .ok()?
            .into_iter()
            .filter_map(|item| item.name.into_string().ok())
            .filter(|name| !name.starts_with('.'))
            .collect();
        names.sort();
        names.truncate(IDENTITY_NAMES);
        let (remote, first_commit) = repository(disk, path);
        Some(Self {
            path: path.to_path_buf(),
            remote,
            first_commit,
            names,
            worktree: git::is_worktree(disk, path),
        })
    }
}

/// Remote and first commit of the repository whose work tree, or bare folder, a folder is.
#[must_use]
pub fn repository(disk: &Disk, root: &Path) -> (Option<String>, Option<String>) {
    let Some(common) = git::common_dir(disk, root) else {
        return (None, None);
    };
    let config = disk.text(&common.join("config")).unwrap_or_default();
    let log = disk.text(&common.join("logs/HEAD")).unwrap_or_default();
    (remote(&config), first_commit(&log))
}

/// The URL of `origin`, else of the first remote, in one spelling.
fn remote(config: &str) -> Option<String> {
    let mut section = None;
    let mut found: Option<String> = None;
    for line in config.lines().map(str::trim) {
        if let Some(head) = line.strip_prefix('[') {
            section = head
                .split_once(']')
                .and_then(|(head, _)| head.trim().strip_prefix("remote"))
                .map(|name| name.trim().trim_matches('"').to_string());
            continue;
        }
        let (Some(name), Some((key, value))) = (&section, line.split_once('=')) else {
            continue;
        };
        if key.trim().eq_ignore_ascii_case("url") && (found.is_none() || name == "origin") {
            found = Some(spelled(value.trim().trim_matches('"')));
        }
    }
    found.filter(|url| !url.is_empty())
}

/// `git@host:team/shop.git`, `https://user:password@host/team/shop/` and `ssh://host/team/shop` alike:
/// `host/team/shop`.
fn spelled(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (Some(scheme), rest),
        None => (None, url),
    };
    let (host, path) = match (scheme, rest.split_once(':'), rest.split_once('/')) {
        // A path on this machine.
        (None, None, _) => ("", rest),
        (None, Some((host, _)), _) if host.contains('/') => ("", rest),
        (None, Some((host, path)), _) | (Some(_), _, Some((host, path))) => (host, path),
        (Some(_), _, None) => (rest, ""),
    };
    let host = host
        .rsplit('@')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    match host.is_empty() {
        true => path.to_string(),
        false => format!("{host}/{}", path.trim_start_matches('/')),
    }
}

/// The commit that the first line of a log of the head made.
fn first_commit(log: &str) -> Option<String> {
    let commit = log.lines().next()?.split(' ').nth(1)?;
    let is_hash = commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then(|| commit.to_string())
}

#[cfg(test)]
#[path = "identity_tests.rs"]
mod tests;

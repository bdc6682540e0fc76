//! The search for projects that are gone: folders near where they were and near where work goes on,
//! looked through once for all of them, within limits. What speaks for a folder is its git remote and
//! first commit, as kept while the project was live; else its name and the files that the memories
//! cite.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::Candidate;
use super::identity::{self, Identity};
use crate::base::disk::{Disk, Item, Kind};
use crate::config::limits::{SEEK_DEPTH, SEEK_FOLDERS};
use crate::memory::git;

/// Says whether the search shall end now: cancelled, or out of time.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// Candidates that are kept of each project.
const CANDIDATES: usize = 5;

/// Names that are enough to know a folder by, and the share of them that must be there.
const NAMES_ENOUGH: usize = 5;
const SHARE: (usize, usize) = (4, 5);

/// Folders that hold no projects of a person's.
const BARREN: [&str; 3] = ["node_modules", "target", "vendor"];

/// A project that is gone.
pub struct Lost<'a> {
    /// Where it was.
    pub path: &'a Path,
    pub identity: Option<&'a Identity>,
    /// The files that its memories cite, relative to it. Asked for only where a name fits.
    pub cited: Box<dyn Fn() -> Vec<String> + 'a>,
}

/// Where is looked.
pub struct Field<'a> {
    pub disk: &'a Disk,
    /// Ancestors of a lost path are looked through up to here.
    pub home: &'a Path,
    /// Working directories that are there.
    pub known: &'a [PathBuf],
    /// Those of them that are another project's own.
    pub taken: &'a HashSet<PathBuf>,
    /// The config home: no project lies in it.
    pub barred: &'a Path,
}

/// What the search came to.
#[derive(Debug, Default)]
pub struct Sought {
    /// For each lost project, in their order: the best first.
    pub candidates: Vec<Vec<Candidate>>,
    /// Folders that were listed.
    pub listed: usize,
    /// It was ended before its end.
    pub cut: bool,
}

/// Looks for all lost projects at once.
#[must_use]
pub fn seek(field: &Field<'_>, lost: &[Lost<'_>], stop: Stop<'_>) -> Sought {
    let mut search = Search::new(field, lost);
    search.run(stop);
    let mut sought = search.sought;
    for found in &mut sought.candidates {
        found.sort_by(|a, b| (b.likely, b.score, &a.path).cmp(&(a.likely, a.score, &b.path)));
        found.truncate(CANDIDATES);
    }
    sought
}

struct Search<'a> {
    field: &'a Field<'a>,
    lost: &'a [Lost<'a>],
    by_name: HashMap<&'a OsStr, Vec<usize>>,
    /// Which lost projects had a file of this name.
    by_file: HashMap<&'a str, Vec<usize>>,
    /// What the memories of each cite, once it is asked for.
    cited: Vec<OnceCell<Vec<String>>>,
    asks_git: bool,
    queue: VecDeque<(PathBuf, usize)>,
    seen: HashSet<PathBuf>,
    sought: Sought,
}

impl<'a> Search<'a> {
    fn new(field: &'a Field<'a>, lost: &'a [Lost<'a>]) -> Self {
        let mut by_name: HashMap<&OsStr, Vec<usize>> = HashMap::new();
        let mut by_file: HashMap<&str, Vec<usize>> = HashMap::new();
        for (at, one) in lost.iter().enumerate() {
            if let Some(name) = one.path.file_name() {
                by_name.entry(name).or_default().push(at);
            }
            let names = one.identity.map(|kept| kept.names.as_slice());
            for name in names
                .filter(|names| names.len() >= NAMES_ENOUGH)
                .into_iter()
                .flatten()
            {
                by_file.entry(name).or_default().push(at);
            }
        }
        let asks_git = lost
            .iter()
            .filter_map(|one| one.identity)
            .any(|kept| kept.remote.is_some() || kept.first_commit.is_some());
        let mut search = Self {
            field,
            lost,
            by_name,
            by_file,
            cited: vec![OnceCell::new(); lost.len()],
            asks_git,
            queue: VecDeque::new(),
            seen: HashSet::new(),
            sought: Sought {
                candidates: vec![Vec::new(); lost.len()],
                ..Sought::default()
            },
        };
        search.begin();
        search
    }

    /// The folders to begin from: the ancestors of what is lost, the nearest first, and what the
    /// working directories that are there lie in.
    fn begin(&mut self) {
        if self.lost.is_empty() {
            return;
        }
        let above = |path: &'a Path| {
            let home = self.field.home;
            let inside = path.starts_with(home);
            path.ancestors()
                .skip(1)
                .take_while(move |folder| match inside {
                    true => folder.starts_with(home),
                    false => folder.parent().is_some(),
                })
        };
        let mut rings: Vec<(usize, PathBuf)> = Vec::new();
        for one in self.lost {
            rings.extend(
                above(one.path)
                    .enumerate()
                    .map(|(ring, folder)| (ring, folder.to_path_buf())),
            );
        }
        for path in self.field.known {
            rings.extend(above(path).take(1).map(|folder| (1, folder.to_path_buf())));
        }
        rings.sort_by_key(|(ring, _)| *ring);
        for (_, folder) in rings {
            if self.seen.insert(folder.clone()) {
                self.queue.push_back((folder, 0));
            }
        }
    }

    fn run(&mut self, stop: Stop<'_>) {
        while let Some((folder, depth)) = self.queue.pop_front() {
            if stop() || self.sought.listed >= SEEK_FOLDERS {
                self.sought.cut = true;
                return;
            }
            // A folder that is gone or closed has nothing to show.
            let Ok(items) = self.field.disk.list(&folder) else {
                continue;
            };
            self.sought.listed += 1;
            self.weigh(&folder, &items);
            // What lies in a repository is part of it.
            if depth < SEEK_DEPTH && (depth == 0 || !items.iter().any(|item| item.name == ".git")) {
                self.descend(&folder, items, depth);
            }
        }
    }

    fn descend(&mut self, folder: &Path, items: Vec<Item>, depth: usize) {
        for item in items {
            let hidden = item.name.as_encoded_bytes().starts_with(b".");
            let barren = BARREN.iter().any(|name| item.name == *name);
            if item.kind != Kind::Folder || hidden || barren {
                continue;
            }
            let path = folder.join(&item.name);
            if path != self.field.barred && self.seen.insert(path.clone()) {
                self.queue.push_back((path, depth + 1));
            }
        }
    }

    /// What speaks for a folder, for each lost project.
    fn weigh(&mut self, folder: &Path, items: &[Item]) {
        let mut hits: HashMap<usize, usize> = HashMap::new();
        for item in items {
            let Some(name) = item.name.to_str() else {
                continue;
            };
            for at in self.by_file.get(name).into_iter().flatten() {
                *hits.entry(*at).or_default() += 1;
            }
        }
        let mut asked: HashSet<usize> = hits.keys().copied().collect();
        asked.extend(
            folder
                .file_name()
                .and_then(|name| self.by_name.get(name))
                .into_iter()
                .flatten(),
        );
        let has_git = items.iter().any(|item| item.name == ".git");
        let repository = match self.asks_git && has_git {
            true => identity::repository(self.field.disk, folder),
            false => (None, None),
        };
        if repository != (None, None) {
            asked.extend(0..self.lost.len());
        }
        for at in asked {
            let names = hits.get(&at).copied().unwrap_or(0);
            if let Some(candidate) = self.candidate(at, folder, &repository, names) {
                self.sought.candidates[at].push(candidate);
            }
        }
    }

    fn candidate(
        &self,
        at: usize,
        folder: &Path,
        (remote, first_commit): &(Option<String>, Option<String>),
        names: usize,
    ) -> Option<Candidate> {
        let one = &self.lost[at];
        let kept = one.identity;
        let same =
            |kept: Option<&String>, now: &Option<String>| kept.is_some() && kept == now.as_ref();
        let remote = same(kept.and_then(|kept| kept.remote.as_ref()), remote);
        let first = same(
            kept.and_then(|kept| kept.first_commit.as_ref()),
            first_commit,
        );
        let name = folder.file_name() == one.path.file_name();
        let all_names = kept.map_or(0, |kept| kept.names.len());
        let (part, whole) = SHARE;
        let known = all_names >= NAMES_ENOUGH && names * whole >= all_names * part;
        if !(remote || first || name || known) {
            return None;
        }
        // A repository and its worktrees are alike in all of this, and are not one another.
        let both_worktrees = match kept {
            Some(kept) => {
                let is_worktree = git::is_worktree(self.field.disk, folder);
                if kept.worktree != is_worktree {
                    return None;
                }
                is_worktree
            }
            None => false,
        };
        let cited = self.cited[at].get_or_init(|| (one.cited)());
        let there = |path: &&String| self.field.disk.metadata(&folder.join(path)).is_ok();
        let found = cited.iter().filter(there).count();
        let taken = self.field.taken.contains(folder);
        let by_cited = name && found >= 2 && found * 2 >= cited.len();
        // Two clones of one remote are not one another.
        let likely = match both_worktrees {
            true => first && name && !taken,
            false => first || known || by_cited || (remote && !taken),
        };
        let share =
            |part: usize, whole: usize, most: usize| (part * most).checked_div(whole).unwrap_or(0);
        let mut score = share(names, all_names, 15) + share(found, cited.len(), 15);
        let mut why = Vec::new();
        for (speaks, weight, word) in [
            (first, 40, "the same first commit"),
            (remote, 30, "the same git remote"),
            (name, 20, "the same name"),
        ] {
            if speaks {
                score += weight;
                why.push(word.to_string());
            }
        }
        if all_names > 0 && names > 0 {
            why.push(format!("{names} of {all_names} names that were in it"));
        }
        if !cited.is_empty() {
            let files = cited.len();
            why.push(format!("{found} of {files} files that its memories cite"));
        }
        if taken {
            score = score.saturating_sub(20);
            why.push("it has a project folder of its own".to_string());
        }
        Some(Candidate {
            path: folder.to_path_buf(),
            score: u32::try_from(score.min(100)).unwrap_or(100),
            why: why.join(", "),
            likely,
        })
    }
}

#[cfg(test)]
#[path = "seek_tests.rs"]
mod tests;

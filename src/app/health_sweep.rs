//! All projects looked at for the Health view: how far that is, which shelves there were, and which of
//! them must be looked at again. Knows nothing of how they are examined.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::agents::Shelf;
use crate::health::{Code, Finding, Severity};

/// Findings of a kind that are kept: a thousand projects have some hundred thousand, and a person looks
/// at a page of them.
pub const KEPT: usize = 2_000;

/// What findings are counted by.
pub type Kind = (Severity, Code);

/// How many findings there are of a kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub count: usize,
    pub fixes: usize,
}

/// A part of what a sweep found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    /// Shelves that are done, and all there are.
    pub done: usize,
    pub of: usize,
    /// Those with findings.
    pub found: Vec<(Shelf, Vec<Finding>)>,
}

/// How far a sweep is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    Running,
    Stopped,
    Done,
}

/// A look at all projects.
#[derive(Debug, Clone)]
pub struct Sweep {
    /// The id of its answers.
    pub id: u64,
    pub progress: Progress,
    pub done: usize,
    pub of: usize,
    /// Shelves with findings, by their key, and how many of each kind they have.
    shelves: HashMap<String, (Shelf, HashMap<Kind, Tally>)>,
    /// How many of each kind there are in all.
    tallies: HashMap<Kind, Tally>,
    /// Shelves that are being looked at again, by the id of the answer.
    pub again: HashMap<u64, String>,
    /// Those of which what sessions tell is to come, by the same id.
    pub untold: HashMap<u64, String>,
}

impl Sweep {
    #[must_use]
    pub fn new(id: u64) -> Self {
        Self {
            id,
            progress: Progress::Running,
            done: 0,
            of: 0,
            shelves: HashMap::new(),
            tallies: HashMap::new(),
            again: HashMap::new(),
            untold: HashMap::new(),
        }
    }

    /// Takes a part; gives back its findings.
    pub fn take(&mut self, swept: Swept) -> Vec<Finding> {
        // Parts can overtake each other.
        self.done = self.done.max(swept.done);
        self.of = swept.of;
        let mut kept = Vec::new();
        for (shelf, found) in swept.found {
            kept.extend(self.add(shelf, found));
        }
        kept
    }

    /// Counts what sessions tell of a shelf that was looked at again.
    pub fn tell(&mut self, key: &str, found: Vec<Finding>) -> Vec<Finding> {
        match self.shelves.get(key) {
            Some((shelf, _)) => self.add(shelf.clone(), found),
            None => Vec::new(),
        }
    }

    /// Counts what a shelf has more; gives back the findings that are kept: some of each kind.
    fn add(&mut self, shelf: Shelf, found: Vec<Finding>) -> Vec<Finding> {
        let mut own: HashMap<Kind, Tally> = HashMap::new();
        let mut kept = Vec::new();
        for finding in found {
            let kind = (finding.severity, finding.code);
            let fixes = usize::from(finding.fix.is_some());
            let all = self.tallies.entry(kind).or_default();
            for tally in [&mut *all, own.entry(kind).or_default()] {
                tally.count += 1;
                tally.fixes += fixes;
            }
            if all.count <= KEPT {
                kept.push(finding);
            }
        }
        let key = shelf.key.clone();
        let (_, tallies) = self.shelves.entry(key).or_insert((shelf, HashMap::new()));
        for (kind, tally) in own {
            let all = tallies.entry(kind).or_default();
            all.count += tally.count;
            all.fixes += tally.fixes;
        }
        kept
    }

    /// Counts a shelf that was looked at again.
    pub fn replace(&mut self, key: &str, found: Vec<Finding>) -> Vec<Finding> {
        let Some((shelf, own)) = self.shelves.remove(key) else {
            return Vec::new();
        };
        for (kind, tally) in own {
            let all = self.tallies.entry(kind).or_default();
            all.count -= tally.count.min(all.count);
            all.fixes -= tally.fixes.min(all.fixes);
        }
        self.add(shelf, found)
    }

    /// How many there are of a kind.
    #[must_use]
    pub fn tally(&self, kind: Kind) -> Tally {
        self.tallies.get(&kind).copied().unwrap_or_default()
    }

    /// How many findings there are in all.
    #[must_use]
    pub fn count(&self) -> usize {
        self.tallies.values().map(|tally| tally.count).sum()
    }

    /// The shelf of a finding.
    #[must_use]
    pub fn shelf(&self, finding: &Finding) -> Option<&Shelf> {
        self.shelves.get(&finding.project).map(|(shelf, _)| shelf)
    }

    /// A shelf by its folder.
    #[must_use]
    pub fn shelf_at(&self, folder: &Path) -> Option<&Shelf> {
        let mut shelves = self.shelves.values().map(|(shelf, _)| shelf);
        shelves.find(|shelf| shelf.folder == folder)
    }
}

/// What a change may have touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Touched {
    /// These memory folders.
    Folders(BTreeSet<PathBuf>),
    Anything,
}

impl Touched {
    /// Both.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        match (self, more) {
            (Self::Folders(mut one), Self::Folders(other)) => {
                one.extend(other);
                Self::Folders(one)
            }
            (Self::Anything, _) | (_, Self::Anything) => Self::Anything,
        }
    }
}

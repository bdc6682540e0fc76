//! The tree as a model: shelves, what is unfolded, the rows that follow from both, and the cursor,
//! which stays on its row whatever arrives. Knows nothing of reading: it says what it lacks.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::agents::order::Sort;
use crate::agents::rules::RuleList;
use crate::agents::{Contents, Entry, Shelf, ShelfKind};
use crate::app::list::List;
use crate::app::tree_narrowed::Narrowed;
use crate::app::tree_rows::{self, Row, RowId};
use crate::memory::file::MemoryType;

/// What memories are gathered under below their shelf.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Group {
    /// The standing rules of the project.
    Rules,
    Type(MemoryType),
    Team,
    Learnings,
    Logs,
}

impl Group {
    /// Whether it is unfolded until a person folds it: day logs are many and seldom read, rules are
    /// written once.
    fn starts_open(&self) -> bool {
        match self {
            Self::Type(_) | Self::Team | Self::Learnings => true,
            Self::Rules | Self::Logs => false,
        }
    }
}

/// A shelf and what is known of it.
#[derive(Debug, Clone)]
pub struct ShelfState {
    pub shelf: Shelf,
    /// Its counts and its path are known.
    pub surveyed: bool,
    pub open: bool,
    /// What it holds, once read.
    pub contents: Option<Contents>,
    /// The reading under way.
    pub reading: Option<u64>,
    /// Which reading `contents` are of.
    pub stamp: u64,
    /// The standing rules of its project, once read.
    pub rules: Option<RuleList>,
    pub(super) rules_reading: Option<u64>,
    pub(super) rules_stamp: u64,
    /// It is that of the working directory.
    here: bool,
    /// Title in lower case, what shelves are sorted by.
    order: String,
}

impl ShelfState {
    fn new(shelf: Shelf) -> Self {
        let order = shelf.title().to_lowercase();
        Self {
            shelf,
            surveyed: false,
            open: false,
            contents: None,
            reading: None,
            stamp: 0,
            rules: None,
            rules_reading: None,
            rules_stamp: 0,
            here: false,
            order,
        }
    }

    fn survey(&mut self, shelf: Shelf) {
        self.order = shelf.title().to_lowercase();
        self.shelf = shelf;
        self.surveyed = true;
    }

    fn is_agent(&self) -> bool {
        match self.shelf.kind {
            ShelfKind::Project => false,
            ShelfKind::Agent | ShelfKind::AgentProject | ShelfKind::AgentLocal => true,
        }
    }

    /// Memories on it: what was read, else what was counted, else unknown.
    #[must_use]
    pub fn count(&self) -> Option<usize> {
        match &self.contents {
            Some(contents) => Some(contents.entries.len()),
            None => self.surveyed.then_some(self.shelf.memories),
        }
    }
}

/// A file of a memory folder; of a rule its folder and its name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileAt {
    pub folder: PathBuf,
    /// Relative to the folder.
    pub file: String,
}

impl FileAt {
    /// A file by its path; `None` where it names none.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        Some(Self {
            folder: path.parent()?.to_path_buf(),
            file: path.file_name()?.to_str()?.to_string(),
        })
    }

    /// Its whole path, as seen.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.file)
    }
}

/// The tree.
#[derive(Debug, Clone)]
pub struct Tree {
    shelves: Vec<ShelfState>,
    /// Groups that a person folded or unfolded against their beginning.
    toggled: HashSet<(PathBuf, Group)>,
    pub(super) rows: Vec<Row>,
    pub(super) sort: Sort,
    pub(super) narrowed: Option<Narrowed>,
    pub list: List,
}

impl Tree {
    /// The tree of one shelf, that of the working directory, read and open.
    #[must_use]
    pub fn new(here: Shelf, contents: Contents) -> Self {
        let mut state = ShelfState::new(here);
        state.surveyed = true;
        state.open = true;
        state.here = true;
        state.contents = Some(contents);
        let mut tree = Self {
            shelves: vec![state],
            toggled: HashSet::new(),
            rows: Vec::new(),
            sort: Sort::default(),
            narrowed: None,
            list: List::default(),
        };
        tree.change(|_| {});
        tree
    }

    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    #[must_use]
    pub fn shelves(&self) -> &[ShelfState] {
        &self.shelves
    }

    /// Folders of projects that are listed.
    #[must_use]
    pub fn projects(&self) -> usize {
        let here_empty = self.shelves.iter().any(|state| self.is_empty_here(state));
        self.shelves
            .iter()
            .filter(|state| !state.is_agent())
            .count()
            - usize::from(here_empty)
    }

    /// The row under the cursor.
    #[must_use]
    pub fn row(&self) -> Option<&Row> {
        self.rows.get(self.list.cursor)
    }

    /// The shelf that the cursor is in; on a heading, that of the working directory.
    #[must_use]
    pub fn current(&self) -> Option<&ShelfState> {
        self.row()
            .and_then(Row::shelf)
            .and_then(|at| self.shelves.get(at))
            .or_else(|| self.shelves.iter().find(|state| state.here))
    }

    /// A shelf by its folder.
    #[must_use]
    pub fn shelf(&self, folder: &Path) -> Option<&ShelfState> {
        self.shelves
            .iter()
            .find(|state| state.shelf.folder == folder)
    }

    pub(super) fn shelf_mut(&mut self, folder: &Path) -> Option<&mut ShelfState> {
        let mut shelves = self.shelves.iter_mut();
        shelves.find(|state| state.shelf.folder == folder)
    }

    /// The shelf and the memory of a row that shows one.
    #[must_use]
    pub fn memory(&self, row: &Row) -> Option<(&ShelfState, &Entry)> {
        let Row::Memory { shelf, entry, .. } = row else {
            return None;
        };
        let state = self.shelves.get(*shelf)?;
        Some((state, state.contents.as_ref()?.entries.get(*entry)?))
    }

    /// The file that a row shows: a memory, a day log or a rule.
    #[must_use]
    pub fn file(&self, row: &Row) -> Option<FileAt> {
        match row {
            Row::Memory { .. } => {
                let (state, entry) = self.memory(row)?;
                Some(FileAt {
                    folder: state.shelf.folder.clone(),
                    file: entry.path.to_string(),
                })
            }
            Row::Log { shelf, log } => {
                let state = self.shelves.get(*shelf)?;
                let log = state.contents.as_ref()?.logs.get(*log)?;
                Some(FileAt {
                    folder: state.shelf.folder.clone(),
                    file: log.clone(),
                })
            }
            Row::Rule { .. } => {
                let (_, rule) = self.rule(row)?;
                FileAt::of(&rule.path)
            }
            Row::Empty { .. }
            | Row::Heading
            | Row::Shelf(_)
            | Row::Group { .. }
            | Row::Fault { .. }
            | Row::Waiting { .. } => None,
        }
    }

    /// Whether the shelf is that of the working directory.
    #[must_use]
    pub fn is_here(&self, state: &ShelfState) -> bool {
        state.here
    }

    /// Whether the shelf is that of the working directory and has nothing on it.
    #[must_use]
    pub fn is_empty_here(&self, state: &ShelfState) -> bool {
        self.is_here(state)
            && state.shelf.memories == 0
            && state.contents.as_ref().is_none_or(|contents| {
                contents.entries.is_empty()
                    && contents.index.is_none()
                    && contents.team_index.is_none()
                    && contents.logs.is_empty()
                    && contents.faults.is_empty()
            })
    }

    /// Whether a group of a shelf is unfolded; of a narrowed tree all are until they are folded.
    #[must_use]
    pub fn is_group_open(&self, folder: &Path, group: &Group) -> bool {
        let key = (folder.to_path_buf(), group.clone());
        match &self.narrowed {
            Some(narrowed) => !narrowed.folded.contains(&key),
            None => group.starts_open() != self.toggled.contains(&key),
        }
    }

    /// Takes a new listing: shelves that were known keep what is known of them.
    pub fn list_shelves(&mut self, here: &Shelf, listed: Vec<Shelf>) {
        self.change(|tree| {
            let mut known: HashMap<PathBuf, ShelfState> = std::mem::take(&mut tree.shelves)
                .into_iter()
                .map(|state| (state.shelf.folder.clone(), state))
                .collect();
            let is_listed = listed.iter().any(|shelf| shelf.folder == here.folder);
            let unlisted = (!is_listed).then(|| here.clone());
            for shelf in listed.into_iter().chain(unlisted) {
                let mut state = known
                    .remove(&shelf.folder)
                    .unwrap_or_else(|| ShelfState::new(shelf));
                state.here = state.shelf.folder == here.folder;
                if state.here {
                    state.survey(here.clone());
                }
                tree.shelves.push(state);
            }
        });
    }

    /// Takes counts and paths as they come in.
    pub fn survey(&mut self, shelves: Vec<Shelf>) {
        let mut counted: HashMap<PathBuf, Shelf> = shelves
            .into_iter()
            .map(|shelf| (shelf.folder.clone(), shelf))
            .collect();
        self.change(|tree| {
            for state in &mut tree.shelves {
                if let Some(shelf) = counted.remove(&state.shelf.folder) {
                    state.survey(shelf);
                }
            }
        });
    }

    /// Takes what a shelf holds; a reading that is no longer awaited is dropped. Gives back the id of
    /// the one that is awaited in its place.
    pub fn fill(&mut self, folder: &Path, id: u64, contents: Contents) -> Option<u64> {
        let awaited = self
            .shelves
            .iter()
            .position(|state| state.shelf.folder == folder && state.reading == Some(id));
        if let Some(at) = awaited {
            self.change(|tree| {
                tree.shelves[at].reading = None;
                tree.shelves[at].stamp = id;
                // Once it is folded this is what is known of it.
                tree.shelves[at].shelf.memories = contents.entries.len();
                tree.shelves[at].contents = Some(contents);
            });
        }
        self.shelf(folder).and_then(|state| state.reading)
    }

    /// Notes that a shelf is being read.
    pub fn await_contents(&mut self, folder: &Path, id: u64) {
        if let Some(state) = self.shelf_mut(folder) {
            state.reading = Some(id);
        }
    }

    /// Shelves that are shown unfolded, or whose index is shown, and have not been read.
    #[must_use]
    pub fn lacking(&self, current_too: bool) -> Vec<Shelf> {
        let current = self.current().map(|state| &state.shelf.folder);
        self.shelves
            .iter()
            .filter(|state| state.contents.is_none() && state.reading.is_none())
            .filter(|state| state.open || (current_too && current == Some(&state.shelf.folder)))
            .map(|state| state.shelf.clone())
            .collect()
    }

    /// Forgets what is on shelves that are folded and not the current one, so that memory follows
    /// what is shown.
    pub fn forget_hidden(&mut self) {
        let current = self.current().map(|state| state.shelf.folder.clone());
        for state in &mut self.shelves {
            let held = state.contents.is_some() || state.reading.is_some();
            if held && !state.open && current.as_ref() != Some(&state.shelf.folder) {
                state.contents = None;
                state.reading = None;
            }
            if !state.open && !state.here && current.as_ref() != Some(&state.shelf.folder) {
                state.rules = None;
                state.rules_reading = None;
            }
        }
    }

    /// Groups that are folded or unfolded against their beginning, with the folders of their shelves.
    #[must_use]
    pub fn toggled(&self) -> &HashSet<(PathBuf, Group)> {
        &self.toggled
    }

    /// Folds and unfolds groups against their beginning.
    pub fn toggle(&mut self, groups: impl Iterator<Item = (PathBuf, Group)>) {
        self.change(|tree| tree.toggled.extend(groups));
    }

    /// Folds or unfolds a shelf.
    pub fn set_open(&mut self, shelf: usize, open: bool) {
        self.change(|tree| {
            if let Some(state) = tree.shelves.get_mut(shelf) {
                state.open = open;
            }
        });
    }

    /// Folds or unfolds a group.
    pub fn set_group_open(&mut self, shelf: usize, group: &Group, open: bool) {
        let Some(state) = self.shelves.get(shelf) else {
            return;
        };
        let key = (state.shelf.folder.clone(), group.clone());
        self.change(|tree| match &mut tree.narrowed {
            Some(narrowed) if open => drop(narrowed.folded.remove(&key)),
            Some(narrowed) => drop(narrowed.folded.insert(key)),
            None if open == group.starts_open() => drop(tree.toggled.remove(&key)),
            None => drop(tree.toggled.insert(key)),
        });
    }

    /// Puts the cursor on a memory of a shelf, unfolding what hides it; `false` if there is none.
    pub fn reveal(&mut self, folder: &Path, path: &str) -> bool {
        let Some(at) = self
            .shelves
            .iter()
            .position(|state| state.shelf.folder == folder)
        else {
            return false;
        };
        let group = self.shelves[at].contents.as_ref().and_then(|contents| {
            let entry = contents.entries.iter().find(|entry| &*entry.path == path)?;
            Some(tree_rows::group_of(entry))
        });
        let Some(group) = group else {
            return false;
        };
        self.set_open(at, true);
        self.set_group_open(at, &group, true);
        self.show(&RowId::Memory(folder.to_path_buf(), path.into()))
    }

    /// Puts the cursor on a shelf and unfolds it; `false` if it is not listed.
    pub fn go_to_shelf(&mut self, folder: &Path) -> bool {
        let at = self.shelves.iter().position(|it| it.shelf.folder == folder);
        at.is_some_and(|at| {
            self.set_open(at, true);
            self.show(&RowId::Shelf(folder.to_path_buf()))
        })
    }

    /// Shelves whose contents are held: what a reload reads again.
    #[must_use]
    pub fn held(&self) -> Vec<Shelf> {
        self.shelves
            .iter()
            .filter(|state| state.contents.is_some() || state.reading.is_some())
            .map(|state| state.shelf.clone())
            .collect()
    }

    /// Changes the shelves, sorts them, builds the rows and puts the cursor back on its row.
    pub(super) fn change(&mut self, apply: impl FnOnce(&mut Self)) {
        let kept = self.row().map(|row| RowId::of(self, row));
        let parents = self.row().map(|row| RowId::parents(self, row));
        apply(self);
        self.shelves.sort_by(|a, b| {
            let rank = |state: &ShelfState| (state.is_agent(), !state.here);
            rank(a)
                .cmp(&rank(b))
                .then_with(|| a.order.cmp(&b.order))
                .then_with(|| a.shelf.folder.cmp(&b.shelf.folder))
        });
        self.rows = tree_rows::build(self);
        let wanted = kept.into_iter().chain(parents.into_iter().flatten());
        for id in wanted {
            if self.put_on(&id) {
                return;
            }
        }
        self.list.go(self.list.cursor, self.rows.len());
    }

    pub(super) fn put_on(&mut self, wanted: &RowId) -> bool {
        match self
            .rows
            .iter()
            .position(|row| RowId::of(self, row) == *wanted)
        {
            Some(at) => {
                self.list.cursor = at;
                true
            }
            None => false,
        }
    }
}

#[cfg(test)]
#[path = "tree_tests.rs"]
mod tests;

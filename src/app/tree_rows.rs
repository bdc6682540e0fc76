//! The rows of the tree: which there are, in which order, and how one is known again after a change.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::agents::{Contents, Entry, Layout, ShelfKind};
use crate::app::tree::{Group, ShelfState, Tree};
use crate::memory::file::{Drawer, MemoryType};

/// A line of the tree. Numbers are positions in the shelves and in their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Row {
    /// The working directory has no memories.
    Empty {
        shelf: usize,
    },
    /// Agents' shelves follow.
    Heading,
    Shelf(usize),
    Group {
        shelf: usize,
        group: Group,
        count: usize,
        open: bool,
    },
    Memory {
        shelf: usize,
        entry: usize,
        /// Levels below the shelf: 1 without groups.
        depth: u16,
    },
    Log {
        shelf: usize,
        log: usize,
    },
    /// A file of the standing rules.
    Rule {
        shelf: usize,
        rule: usize,
    },
    /// Something on the shelf could not be read.
    Fault {
        shelf: usize,
        fault: usize,
    },
    /// The shelf is being read.
    Waiting {
        shelf: usize,
    },
}

impl Row {
    /// The shelf it belongs to.
    #[must_use]
    pub fn shelf(&self) -> Option<usize> {
        match self {
            Self::Heading => None,
            Self::Shelf(shelf)
            | Self::Empty { shelf }
            | Self::Group { shelf, .. }
            | Self::Memory { shelf, .. }
            | Self::Log { shelf, .. }
            | Self::Rule { shelf, .. }
            | Self::Fault { shelf, .. }
            | Self::Waiting { shelf } => Some(*shelf),
        }
    }
}

/// What a row is, apart from where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RowId {
    Empty,
    Heading,
    Shelf(PathBuf),
    Group(PathBuf, Group),
    Memory(PathBuf, Box<str>),
    Log(PathBuf, Box<str>),
    /// A file may be named again where it is not loaded again: the how manieth of its rows.
    Rule(PathBuf, PathBuf, usize),
    Other(PathBuf),
}

impl RowId {
    /// Whether it shows a file.
    pub(super) fn is_file(&self) -> bool {
        match self {
            Self::Memory(..) | Self::Log(..) | Self::Rule(..) => true,
            Self::Empty | Self::Heading | Self::Shelf(_) | Self::Group(..) | Self::Other(_) => {
                false
            }
        }
    }

    pub(super) fn of(tree: &Tree, row: &Row) -> Self {
        let folder = row
            .shelf()
            .and_then(|at| tree.shelves().get(at))
            .map(|state| state.shelf.folder.clone())
            .unwrap_or_default();
        match row {
            Row::Empty { .. } => Self::Empty,
            Row::Heading => Self::Heading,
            Row::Shelf(_) => Self::Shelf(folder),
            Row::Group { group, .. } => Self::Group(folder, group.clone()),
            Row::Memory { .. } => match tree.memory(row) {
                Some((_, entry)) => Self::Memory(folder, entry.path.clone()),
                None => Self::Other(folder),
            },
            Row::Rule { .. } => match tree.rule(row) {
                Some((state, rule)) => {
                    let files = state.rules.iter().flat_map(|rules| &rules.files);
                    let before = files.take_while(|file| !std::ptr::eq(*file, rule));
                    let same = before.filter(|file| file.path == rule.path).count();
                    Self::Rule(folder, rule.path.clone(), same)
                }
                None => Self::Other(folder),
            },
            Row::Log { shelf, log } => tree
                .shelves()
                .get(*shelf)
                .and_then(|state| state.contents.as_ref()?.logs.get(*log))
                .map_or_else(
                    || Self::Other(folder.clone()),
                    |log| Self::Log(folder.clone(), log.as_str().into()),
                ),
            Row::Fault { .. } | Row::Waiting { .. } => Self::Other(folder),
        }
    }

    /// Where the cursor goes when the row is gone: its group, then its shelf.
    pub(super) fn parents(tree: &Tree, row: &Row) -> Vec<Self> {
        let Some(state) = row.shelf().and_then(|at| tree.shelves().get(at)) else {
            return Vec::new();
        };
        let folder = state.shelf.folder.clone();
        let mut parents = Vec::new();
        if let Some(group) = parent_group(tree, row) {
            parents.push(Self::Group(folder.clone(), group));
        }
        parents.push(Self::Shelf(folder));
        parents
    }
}

/// The group that a row stands under.
pub(super) fn parent_group(tree: &Tree, row: &Row) -> Option<Group> {
    match row {
        Row::Memory { .. } => tree.memory(row).map(|(_, entry)| group_of(entry)),
        Row::Log { .. } => Some(Group::Logs),
        Row::Rule { .. } => Some(Group::Rules),
        Row::Empty { .. }
        | Row::Heading
        | Row::Shelf(_)
        | Row::Group { .. }
        | Row::Fault { .. }
        | Row::Waiting { .. } => None,
    }
}

/// The group of a memory.
pub(super) fn group_of(entry: &Entry) -> Group {
    match entry.drawer {
        Drawer::Private => Group::Type(entry.kind.clone()),
        Drawer::Team => Group::Team,
        Drawer::Learnings => Group::Learnings,
    }
}

/// All rows of a tree whose shelves are in order.
pub(super) fn build(tree: &Tree) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut headed = false;
    for (shelf, state) in tree.shelves().iter().enumerate() {
        if !is_listed(tree, state) {
            continue;
        }
        match state.shelf.kind {
            ShelfKind::Project => {}
            ShelfKind::Agent | ShelfKind::AgentProject | ShelfKind::AgentLocal => {
                if !headed {
                    rows.push(Row::Heading);
                    headed = true;
                }
            }
        }
        if tree.is_empty_here(state) {
            rows.push(Row::Empty { shelf });
            push_rules(&mut rows, tree, shelf, state);
            continue;
        }
        rows.push(Row::Shelf(shelf));
        if state.open {
            push_rules(&mut rows, tree, shelf, state);
            match &state.contents {
                Some(contents) => push_contents(&mut rows, tree, shelf, contents),
                None => rows.push(Row::Waiting { shelf }),
            }
        }
    }
    rows
}

/// Whether a shelf is listed: of a narrowed tree, if its title holds the words or a memory on it does,
/// as far as it is unfolded and read.
fn is_listed(tree: &Tree, state: &ShelfState) -> bool {
    let Some(narrowed) = tree.narrowed() else {
        return true;
    };
    let holds_one = |contents: &Contents| {
        let mut logs = contents.logs.iter();
        contents.entries.iter().any(|it| narrowed.holds(it))
            || logs.any(|log| narrowed.holds_text(log))
    };
    let mut rules = state.rules.iter().flat_map(|rules| &rules.files);
    let inside = match (&state.contents, state.open) {
        (_, true) if rules.any(|rule| narrowed.holds_text(&rule.title)) => true,
        (Some(contents), true) => holds_one(contents),
        (None, true) => true,
        (_, false) => false,
    };
    inside || narrowed.holds_text(&state.shelf.title())
}

/// The standing rules, first of all: they are sent before any memory.
fn push_rules(rows: &mut Vec<Row>, tree: &Tree, shelf: usize, state: &ShelfState) {
    let files = state.rules.as_ref().map_or(&[][..], |rules| &rules.files);
    let narrowed = tree.narrowed();
    let holds = |at: &usize| narrowed.is_none_or(|it| it.holds_text(&files[*at].title));
    let shown: Vec<usize> = (0..files.len()).filter(holds).collect();
    if !shown.is_empty() && push_group(rows, tree, shelf, Group::Rules, shown.len()) {
        rows.extend(shown.into_iter().map(|rule| Row::Rule { shelf, rule }));
    }
}

fn push_contents(rows: &mut Vec<Row>, tree: &Tree, shelf: usize, contents: &Contents) {
    let narrowed = tree.narrowed();
    if narrowed.is_none() {
        rows.extend((0..contents.faults.len()).map(|fault| Row::Fault { shelf, fault }));
    }
    let mut types: BTreeMap<&MemoryType, Vec<usize>> = BTreeMap::new();
    let (mut team, mut learnings) = (Vec::new(), Vec::new());
    let is_shown = |at: &usize| narrowed.is_none_or(|it| it.holds(&contents.entries[*at]));
    let mut entries: Vec<usize> = (0..contents.entries.len()).filter(is_shown).collect();
    let sort = tree.sort();
    entries.sort_by_cached_key(|at| sort.key(&contents.entries[*at]));
    for at in entries {
        let entry = &contents.entries[at];
        match (entry.drawer, contents.layout) {
            (Drawer::Private, Layout::Classic) => types.entry(&entry.kind).or_default().push(at),
            (Drawer::Private, Layout::Tiny) => rows.push(Row::Memory {
                shelf,
                entry: at,
                depth: 1,
            }),
            (Drawer::Team, _) => team.push(at),
            (Drawer::Learnings, _) => learnings.push(at),
        }
    }
    let groups = types
        .into_iter()
        .map(|(kind, entries)| (Group::Type(kind.clone()), entries))
        .chain([(Group::Team, team), (Group::Learnings, learnings)])
        .filter(|(_, entries)| !entries.is_empty());
    for (group, entries) in groups {
        if push_group(rows, tree, shelf, group, entries.len()) {
            rows.extend(entries.into_iter().map(|entry| Row::Memory {
                shelf,
                entry,
                depth: 2,
            }));
        }
    }
    let holds = |log: &usize| narrowed.is_none_or(|it| it.holds_text(&contents.logs[*log]));
    let logs: Vec<usize> = (0..contents.logs.len()).filter(holds).collect();
    if !logs.is_empty() && push_group(rows, tree, shelf, Group::Logs, logs.len()) {
        rows.extend(logs.into_iter().map(|log| Row::Log { shelf, log }));
    }
}

/// Pushes the row of a group and says whether it is open.
fn push_group(rows: &mut Vec<Row>, tree: &Tree, shelf: usize, group: Group, count: usize) -> bool {
    let open = tree.is_group_open(&tree.shelves()[shelf].shelf.folder, &group);
    rows.push(Row::Group {
        shelf,
        group,
        count,
        open,
    });
    open
}

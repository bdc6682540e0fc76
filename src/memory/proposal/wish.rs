//! What a person wishes of a memory folder, as a value that can be handed to whoever reads the disk.

use std::path::{Path, PathBuf};

use super::links::left_dangling;
use super::transfer::Moved;
use super::{
    AgeWish, Demotion, Edit, Folder, NewMemory, ProposalError, Result, Target, Transfer, create,
    edit, promote, remove, rename, share, transfer,
};
use crate::base::text;
use crate::base::time::Moment;
use crate::config::limits::INDEX_LINES;
use crate::memory::file::MemoryType;
use crate::memory::index_edit::{self, IndexEditError, NewEntry};
use crate::memory::load;
use crate::memory::pointer::Pointer;
use crate::memory::scan::{self, INDEX_FILE};
use crate::store::change::{Age, Author, Change, ChangeSet, Op};

/// Cells that an entry's name takes at most in the title of a change.
const NAME_CELLS: usize = 48;

/// A wish. Paths are relative to the memory folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    Create {
        name: String,
        kind: MemoryType,
        description: String,
        body: String,
        /// Its index line goes to the head of its list.
        first: bool,
    },
    Rename {
        path: String,
        name: String,
    },
    Remove {
        paths: Vec<String>,
    },
    /// It was checked and is true: it becomes young, nothing else changes.
    Verify {
        path: String,
    },
    /// Into another project's folder.
    Transfer {
        path: String,
        /// The memory folder that it goes to, and what a person calls its project.
        to: PathBuf,
        project: String,
        /// It stays where it is too.
        copy: bool,
        /// Another name for it there.
        name: Option<String>,
        /// The folder was there when a person was shown what it comes to: it must be there still.
        there: bool,
    },
    /// To the team's folder, or out of it.
    Share {
        path: String,
        /// Another name for it there.
        name: Option<String>,
    },
    /// Into a line or a section of a rules file.
    Promote {
        path: String,
        target: Target,
        /// The working directory for which it is told what it costs.
        cwd: PathBuf,
    },
    /// A rules file, or some lines of it, into a memory.
    Demote(Demotion),
    /// A change of the index alone; `prefix` is `team/` for the second one.
    Index {
        prefix: String,
        edit: IndexEdit,
    },
}

/// An entry of an index: its line in the file, from 1, and the target that it was seen with. If the
/// line leads elsewhere by now, it is another entry and nothing is changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryAt {
    pub line: usize,
    pub target: String,
}

/// A change of one entry of an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexEdit {
    /// To the place of the entry in another line.
    Move {
        entry: EntryAt,
        to: usize,
    },
    Hook {
        entry: EntryAt,
        hook: String,
    },
    Remove {
        entry: EntryAt,
    },
    /// A line for a memory that has none, its path relative to the index.
    Add {
        path: String,
    },
}

impl IndexEdit {
    fn entry(&self) -> Option<&EntryAt> {
        match self {
            Self::Move { entry, .. } | Self::Hook { entry, .. } | Self::Remove { entry } => {
                Some(entry)
            }
            Self::Add { .. } => None,
        }
    }
}

/// The change set that a wish comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub set: ChangeSet,
    /// The file that it makes or renames to.
    pub file: Option<String>,
    /// What a person should know before it is done: a sentence each.
    pub warnings: Vec<String>,
    /// Whether the other project's folder that it goes to is there.
    pub there: bool,
    /// The line of its entry in the index, if the model would not see it there.
    pub below_the_cut: Option<usize>,
}

impl Wish {
    /// The same with another name for what it makes or moves.
    #[must_use]
    pub fn named(mut self, new: &str) -> Self {
        match &mut self {
            Self::Create { name, .. }
            | Self::Rename { name, .. }
            | Self::Demote(Demotion { name, .. }) => *name = new.to_string(),
            Self::Transfer { name, .. } | Self::Share { name, .. } => *name = Some(new.to_string()),
            Self::Remove { .. }
            | Self::Verify { .. }
            | Self::Promote { .. }
            | Self::Index { .. } => {}
        }
        self
    }
}

impl Wish {
    /// Notes what was shown of it: it is carried out only where it still comes to that.
    pub fn was_shown(&mut self, shown: &Proposal) {
        let written = |change: Option<&Change>| match &change?.op {
            Op::Write { path, .. } => Some(path.clone()),
            Op::Move { .. } | Op::Trash { .. } => None,
        };
        let changes = &shown.set.changes;
        match self {
            Self::Transfer { there, .. } => *there = shown.there,
            Self::Promote { target, .. } => target.seen = written(changes.first()),
            Self::Demote(demotion) => demotion.seen_at = written(changes.last()),
            Self::Create { .. }
            | Self::Rename { .. }
            | Self::Remove { .. }
            | Self::Verify { .. }
            | Self::Share { .. }
            | Self::Index { .. } => {}
        }
    }
}

/// The proposal for a wish.
///
/// # Errors
/// Why there is none.
pub fn wished(folder: &Folder<'_>, wish: &Wish, now: Moment) -> Result<Proposal> {
    let plain = |set| Proposal {
        set,
        file: None,
        warnings: Vec::new(),
        there: false,
        below_the_cut: None,
    };
    match wish {
        Wish::Create {
            name,
            kind,
            description,
            body,
            first,
        } => {
            let new = NewMemory {
                name,
                kind: kind.clone(),
                description,
                body,
                session: None,
                first: *first,
            };
            let created = create(folder, &new, now)?;
            Ok(Proposal {
                set: created.set,
                file: Some(created.file),
                warnings: below_the_cut(created.below_the_cut).into_iter().collect(),
                there: false,
                below_the_cut: created.below_the_cut,
            })
        }
        Wish::Rename { path, name } => {
            let set = rename(folder, path, name)?;
            let file = set.changes.iter().find_map(|change| match &change.op {
                Op::Move { to, .. } => {
                    let inner = to.strip_prefix(folder.path).ok()?;
                    Some(inner.to_string_lossy().into_owned())
                }
                Op::Write { .. } | Op::Trash { .. } => None,
            });
            Ok(Proposal { file, ..plain(set) })
        }
        Wish::Remove { paths } => {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            Ok(Proposal {
                warnings: left_dangling(folder, &paths).into_iter().collect(),
                ..plain(remove(folder, &paths)?)
            })
        }
        Wish::Verify { path } => {
            let wish = Edit {
                age: Some(AgeWish::Verified),
                ..Edit::default()
            };
            Ok(plain(edit(folder, path, &wish)?))
        }
        Wish::Transfer {
            path,
            to,
            project,
            copy,
            name,
            there,
        } => {
            let is_there = folder.disk.is_folder(to);
            if *there && !is_there {
                let project = project.clone();
                return Err(ProposalError::Gone { project });
            }
            let memories = scan::heads(folder.disk, to, scan::list(folder.disk, to).memories);
            let to = Folder {
                disk: folder.disk,
                path: to,
                memories: &memories,
            };
            let asked = Transfer {
                path,
                project,
                copy: *copy,
                name: name.as_deref(),
                first: false,
            };
            Ok(Proposal {
                there: is_there,
                ..moved(transfer(folder, &to, &asked)?)
            })
        }
        Wish::Share { path, name } => Ok(moved(share(folder, path, name.as_deref())?)),
        Wish::Promote { path, target, .. } => promote(folder, path, target),
        Wish::Demote(demotion) => demotion.proposed(folder, now),
        Wish::Index { prefix, edit } => edit_index(folder, prefix, edit),
    }
}

fn moved(moved: Moved) -> Proposal {
    let mut warnings = moved.warnings;
    warnings.extend(below_the_cut(moved.below_the_cut));
    Proposal {
        set: moved.set,
        file: Some(moved.file),
        warnings,
        there: false,
        below_the_cut: moved.below_the_cut,
    }
}

fn edit_index(folder: &Folder<'_>, prefix: &str, edit: &IndexEdit) -> Result<Proposal> {
    let path = folder.path.join(prefix).join(INDEX_FILE);
    let index = folder.index(prefix)?;
    let before = index.as_ref().map_or("", |index| index.text.as_str());
    let refused = |error| ProposalError::Index {
        path: path.clone(),
        error,
    };
    let mut name = String::new();
    if let Some(entry) = edit.entry() {
        let pointers = folder.pointers(before, prefix);
        let is_it = |it: &Pointer| it.line == entry.line && it.target == entry.target;
        let Some(pointer) = pointers.iter().find(|it| is_it(it)) else {
            let line = entry.line;
            return Err(refused(IndexEditError::NoEntry { line }));
        };
        name = name_of(&pointer.title, &pointer.target);
    }
    let mut warning = None;
    let (title, after) = match edit {
        IndexEdit::Move { entry, to } => (
            match *to > entry.line {
                true => format!("move {name} down"),
                false => format!("move {name} up"),
            },
            index_edit::move_to(before, entry.line, *to),
        ),
        IndexEdit::Hook { entry, hook } => (
            format!("edit the hook of {name}"),
            index_edit::set_hook(before, entry.line, hook),
        ),
        IndexEdit::Remove { entry } => (
            format!("take {name} out of the index"),
            index_edit::remove(before, entry.line),
        ),
        IndexEdit::Add { path } => {
            let whole = format!("{prefix}{path}");
            let memory = folder.memories.iter().find(|memory| *memory.path == *whole);
            let kind = memory.map_or(MemoryType::Missing, |memory| memory.kind.clone());
            let stem = path.trim_end_matches(".md");
            let entry = NewEntry {
                title: memory.and_then(|it| it.name.as_deref()).unwrap_or(stem),
                target: path,
                hook: memory
                    .and_then(|it| it.description.as_deref())
                    .unwrap_or_default(),
                kind: &kind,
            };
            let line = index_edit::line_for(before, &kind);
            let after = index_edit::add(before, &entry);
            let cut = after
                .as_ref()
                .ok()
                .and_then(|after| load::load(after).cut_at_line);
            warning = below_the_cut(cut.filter(|cut| line >= *cut).map(|_| line));
            let name = name_of(entry.title, path);
            (format!("add {name} to the index"), after)
        }
    };
    let after = after.map_err(refused)?;
    let mut set = ChangeSet::new(title.clone(), Author::You);
    if after != before {
        let (before, after) = match &index {
            Some(index) => (Some(index.bytes.clone()), index.bytes_of(&after)),
            None => (None, after.into_bytes()),
        };
        let op = Op::Write {
            path: path.clone(),
            before,
            after,
            age: Age::Keep,
        };
        set = set.with(op, title);
    }
    Ok(Proposal {
        set,
        file: None,
        warnings: warning.into_iter().collect(),
        there: false,
        below_the_cut: None,
    })
}

/// What an entry is called in the title of a change.
fn name_of(title: &str, target: &str) -> String {
    let name = match title.trim() {
        "" => target,
        title => title,
    };
    text::cut_end(name, NAME_CELLS).into_owned()
}

/// What is to be known of a rules file that a link takes out of its folder: a sentence.
pub(super) fn leads_out(title: &str, real: &Path) -> String {
    format!(
        "{title} leads out of its folder: it is {} that changes",
        real.display()
    )
}

pub(super) fn below_the_cut(line: Option<usize>) -> Option<String> {
    line.map(|line| {
        format!("its line {line} would lie below the cut of the index ({INDEX_LINES} lines, 25,000 units): the model would not see it")
    })
}

//! One project folder into another: its sessions, its memories with their index lines, what else lies
//! in it. Where the other is not there yet the folder is moved as it is; nothing is overwritten, and
//! what is left of the first, its index above all, goes to the trash. One change set, one undo.

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use super::Project;
use super::archive::folded;
use super::fold_index::Lined;
use crate::base::disk::{Disk, Kind};
use crate::base::front_matter;
use crate::config::limits::FOLDER_DEPTH;
use crate::memory::proposal::{Folder, ProposalError};
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{Change, ChangeSet, Op};

/// Where a project folder goes.
#[derive(Debug, Clone, Copy)]
pub struct Target<'a> {
    /// The folder below `projects/` of its sessions. It need not exist.
    pub folder: &'a Path,
    /// The memory folder, which may lie under another key. It need not exist.
    pub memory: &'a Path,
}

/// Why a folder can't go into another: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum FoldError {
    #[error("{path} is where it lies already", path = path.display())]
    Same { path: PathBuf },
    #[error("{path} lies in {source_path}, and would go with it: {remedy}", path = path.display(), source_path = inside.display(), remedy = remedy(link.as_deref()))]
    OneFolder {
        path: PathBuf,
        /// What shall be moved.
        inside: PathBuf,
        /// The link that makes it one.
        link: Option<PathBuf>,
    },
    #[error("{path} is already there and is another: move one of them away first", path = path.display())]
    Taken { path: PathBuf },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Index(#[from] ProposalError),
}

/// What to do where both are one folder.
fn remedy(link: Option<&Path>) -> String {
    match link {
        Some(link) => format!("remove the link {} first, then ask again", link.display()),
        None => "both are one folder, so there is nothing to move".to_string(),
    }
}

/// A change set in the making.
pub(super) struct Fold<'a> {
    pub(super) disk: &'a Disk,
    pub(super) set: ChangeSet,
    /// Why a session goes.
    reason: &'static str,
    /// The folders that are emptied: nothing that stays may lie in them.
    emptied: Vec<PathBuf>,
    /// Memories of the folder at hand that got another name, by their paths below it.
    pub(super) renamed: HashMap<String, String>,
    /// What lay below the memory folder that they go to, or came from another one, without case.
    there: HashSet<String>,
    /// What comes to a path, by that path.
    coming: HashMap<PathBuf, PathBuf>,
    /// Indexes that get lines, in the order in which they came up.
    pub(super) indexes: Vec<Lined>,
    /// More than one folder goes into the same one: no index may be moved there as it is.
    pub(super) several: bool,
    pub(super) notes: Vec<String>,
}

/// What is done to a project folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    /// It has moved. Where nothing is there yet it goes whole, unless some of it is rewritten too.
    Relink {
        whole: bool,
    },
    Merge,
}

/// Adds the operations to a change set; gives it back with what a person should know.
///
/// # Errors
/// Why it can't be done; nothing is changed by asking.
pub fn fold(
    disk: &Disk,
    project: &Project,
    target: Target<'_>,
    set: ChangeSet,
    why: Why,
) -> Result<(ChangeSet, Vec<String>), FoldError> {
    let own = |folder: &Path, memory: &Path| memory == folder.join("memory");
    let plain = own(&project.folder, &project.memory) && own(target.folder, target.memory);
    let (reason, whole) = match why {
        Why::Relink { whole } => ("to the key of its place", whole),
        Why::Merge => ("to the sessions of the other", false),
    };
    let mut fold = Fold::new(disk, set, reason);
    if whole && plain && !is_there(disk, target.folder) {
        fold.go(&project.folder, target.folder, reason);
        return Ok((fold.set, fold.notes));
    }
    into(&mut fold, project, target)?;
    Ok(fold.done())
}

/// [`fold`] of several folders, each with where it goes, into one change set.
///
/// # Errors
/// Why it can't be done; nothing is changed by asking.
pub fn fold_all(
    disk: &Disk,
    all: &[(&Project, Target<'_>)],
    set: ChangeSet,
) -> Result<(ChangeSet, Vec<String>), FoldError> {
    let mut fold = Fold::new(disk, set, "to the sessions of its repository");
    fold.several = all.len() > 1;
    for (project, target) in all {
        into(&mut fold, project, *target)?;
    }
    Ok(fold.done())
}

fn into(fold: &mut Fold<'_>, project: &Project, target: Target<'_>) -> Result<(), FoldError> {
    let disk = fold.disk;
    let moves_memory = project.memory != target.memory;
    if project.folder == target.folder && !moves_memory {
        let path = project.folder.clone();
        return Err(FoldError::Same { path });
    }
    if project.folder != target.folder {
        fold.emptied.push(project.folder.clone());
    }
    if moves_memory {
        fold.emptied.push(project.memory.clone());
    }
    if project.folder != target.folder {
        fold.is_apart(target.folder)?;
    }
    if moves_memory {
        fold.is_apart(target.memory)?;
    }
    if project.folder != target.folder {
        fold.sessions(&project.folder, target.folder)?;
    }
    if moves_memory && is_there(disk, &project.memory) {
        fold.memories(&project.memory, target.memory)?;
    }
    let inside = project.memory.starts_with(&project.folder);
    let mut left: Vec<&Path> = Vec::new();
    if project.folder != target.folder && (moves_memory || !inside) {
        left.push(&project.folder);
    }
    if moves_memory && (project.folder == target.folder || !inside) {
        left.push(&project.memory);
    }
    for path in left.into_iter().filter(|path| is_there(disk, path)) {
        let path = path.to_path_buf();
        fold.add(Op::Trash { path }, "what is left of it");
    }
    Ok(())
}

fn is_there(disk: &Disk, path: &Path) -> bool {
    disk.metadata(path).is_ok() || disk.link(path).is_ok()
}

impl<'a> Fold<'a> {
    pub(super) fn new(disk: &'a Disk, set: ChangeSet, reason: &'static str) -> Self {
        Self {
            disk,
            set,
            reason,
            emptied: Vec::new(),
            renamed: HashMap::new(),
            there: HashSet::new(),
            coming: HashMap::new(),
            indexes: Vec::new(),
            several: false,
            notes: Vec::new(),
        }
    }

    pub(super) fn add(&mut self, op: Op, reason: &str) {
        let reason = reason.to_string();
        self.set.changes.push(Change { op, reason });
    }

    pub(super) fn go(&mut self, from: &Path, to: &Path, reason: &str) {
        self.coming.insert(to.to_path_buf(), from.to_path_buf());
        let op = Op::Move {
            from: from.to_path_buf(),
            to: to.to_path_buf(),
        };
        self.add(op, reason);
    }

    fn list(&self, folder: &Path) -> Result<Vec<(PathBuf, String, Kind)>, FoldError> {
        let items = match self.disk.list(folder) {
            Ok(items) => items,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => {
                let path = folder.to_path_buf();
                return Err(FoldError::Unreadable { path, error });
            }
        };
        let mut items: Vec<(PathBuf, String, Kind)> = items
            .into_iter()
            .map(|item| {
                let name = item.name.to_string_lossy().into_owned();
                (folder.join(item.name), name, item.kind)
            })
            .collect();
        items.sort();
        Ok(items)
    }

    /// Refuses what leads into a folder that is emptied: it is no second copy, and would go to the trash
    /// with it.
    fn is_apart(&self, path: &Path) -> Result<(), FoldError> {
        let mut emptied = self.emptied.iter();
        let Some(inside) = emptied.find(|from| self.disk.lies_within(path, from)) else {
            return Ok(());
        };
        let is_link = |at: &&Path| self.disk.link(at).is_ok();
        let own = |at: &&Path| !inside.starts_with(at);
        let link = path.ancestors().filter(own).find(is_link);
        let other = |at: &&Path| !path.starts_with(at);
        let link = link.or_else(|| inside.ancestors().filter(other).find(is_link));
        Err(FoldError::OneFolder {
            path: path.to_path_buf(),
            inside: inside.clone(),
            link: link.map(Path::to_path_buf),
        })
    }

    /// Refuses a place behind a linked folder.
    fn place(&self, to: &Path, inner: &str) -> Result<(), FoldError> {
        let there = Folder {
            disk: self.disk,
            path: to,
            memories: &[],
        };
        there.place(inner)?;
        Ok(())
    }

    /// Whether what is there already is the same file; the one that goes is left for the trash then.
    fn is_same(&self, from: &Path, to: &Path) -> bool {
        let to = self.coming.get(to).map_or(to, |coming| coming);
        let bytes = |path| self.disk.read(path).ok();
        let from = bytes(from);
        from.is_some() && from == bytes(to)
    }

    /// What did not go, because it is there already, goes to the trash.
    pub(super) fn drop_same(&mut self, path: &Path) {
        if !self.coming.values().any(|from| from == path) {
            let path = path.to_path_buf();
            self.add(Op::Trash { path }, "it is there already");
        }
    }

    /// Whether something is at a path, or comes there.
    fn is_taken(&self, path: &Path) -> bool {
        self.coming.contains_key(path) || is_there(self.disk, path)
    }

    fn sessions(&mut self, from: &Path, to: &Path) -> Result<(), FoldError> {
        for (path, name, _) in self.list(from)? {
            if name == "memory" {
                continue;
            }
            self.session(&path, to)?;
        }
        Ok(())
    }

    /// A file or folder of a session to those of another project folder.
    pub(super) fn session(&mut self, path: &Path, to: &Path) -> Result<(), FoldError> {
        let target = to.join(path.file_name().unwrap_or_default());
        self.is_apart(&target)?;
        if !self.is_taken(&target) {
            self.go(path, &target, self.reason);
        } else if !self.is_same(path, &target) {
            return Err(FoldError::Taken { path: target });
        }
        Ok(())
    }

    /// Begins with another folder of memories that go to `to`.
    fn turn_to(&mut self, to: &Path) {
        self.renamed.clear();
        let mut there = HashSet::new();
        self.names(to, "", 0, &mut there);
        let coming = self.coming.keys();
        let coming = coming.filter_map(|path| path.strip_prefix(to).ok());
        there.extend(coming.map(|inner| folded(&inner.to_string_lossy())));
        self.there = there;
    }

    fn names(&self, folder: &Path, prefix: &str, depth: usize, found: &mut HashSet<String>) {
        // What can't be listed is told when something goes there.
        for item in self.disk.list(folder).unwrap_or_default() {
            let inner = format!("{prefix}{}", item.name.to_string_lossy());
            if item.kind == Kind::Folder && depth < FOLDER_DEPTH {
                let below = folder.join(&item.name);
                self.names(&below, &format!("{inner}/"), depth + 1, found);
            }
            found.insert(folded(&inner));
        }
    }

    fn memories(&mut self, from: &Path, to: &Path) -> Result<(), FoldError> {
        self.turn_to(to);
        self.files(from, to, "")?;
        self.index_lines(from, to, None)
    }

    /// Some memories, by their paths below their folder, with their index lines.
    pub(super) fn some(&mut self, from: &Path, to: &Path, some: &[&str]) -> Result<(), FoldError> {
        self.turn_to(to);
        for inner in some {
            self.place(to, inner)?;
            self.file(from, to, inner);
        }
        self.index_lines(from, to, Some(some))
    }

    /// What a memory calls itself, also one that only comes to its place.
    fn name_of(&self, path: &Path) -> Option<String> {
        let path = self.coming.get(path).map_or(path, |coming| coming);
        let bytes = self.disk.read(path).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let front = front_matter::read(text.trim_start_matches('\u{FEFF}'));
        front.get("name").map(str::to_string)
    }

    fn file(&mut self, from: &Path, to: &Path, inner: &str) {
        let (path, target) = (from.join(inner), to.join(inner));
        if !self.is_taken(&target) && self.there.contains(&folded(inner)) {
            let other = self.free_name(to, inner);
            self.go(
                &path,
                &to.join(&other),
                "its name differs only in case from another",
            );
            self.notes.push(format!(
                "{inner} differs only in case from one that is there: this one becomes {other}"
            ));
            self.renamed.insert(inner.to_string(), other);
        } else if !self.is_taken(&target) {
            self.go(&path, &target, "a memory to the others");
        } else if !self.is_same(&path, &target) {
            let other = self.free_name(to, inner);
            self.go(&path, &to.join(&other), "its name is taken by another");
            let same = self.name_of(&path);
            let same = same.filter(|name| self.name_of(&target).as_ref() == Some(name));
            let same = same.map_or(String::new(), |name| {
                format!(
                    ", and both are called \"{name}\": change the name and the index line of one"
                )
            });
            self.notes.push(format!(
                "{inner} is there already and says something else: this one becomes {other}{same}"
            ));
            self.renamed.insert(inner.to_string(), other);
        }
    }

    /// The files of a memory folder but its indexes.
    fn files(&mut self, from: &Path, to: &Path, prefix: &str) -> Result<(), FoldError> {
        for (_, name, kind) in self.list(&from.join(prefix))? {
            let inner = format!("{prefix}{name}");
            if name == INDEX_FILE && matches!(prefix, "" | "team/") {
                continue;
            }
            self.is_apart(&to.join(&inner))?;
            self.place(to, &inner)?;
            match kind {
                Kind::Folder => self.files(from, to, &format!("{inner}/"))?,
                Kind::File | Kind::Link | Kind::Other => self.file(from, to, &inner),
            }
        }
        Ok(())
    }

    /// `a.md` becomes `a-2.md`, or what is free.
    fn free_name(&self, to: &Path, inner: &str) -> String {
        let (stem, end) = match inner.rsplit_once('.') {
            Some((stem, end)) if !stem.is_empty() && !stem.ends_with('/') => {
                (stem, format!(".{end}"))
            }
            Some(_) | None => (inner, String::new()),
        };
        let mut number = 2;
        loop {
            let name = format!("{stem}-{number}{end}");
            if !self.is_taken(&to.join(&name)) && !self.there.contains(&folded(&name)) {
                return name;
            }
            number += 1;
        }
    }
}

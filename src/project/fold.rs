//! One project folder into another: its sessions, its memories with their index lines, what else lies
//! in it. Where the other is not there yet the folder is moved as it is; nothing is overwritten, and
//! what is left of the first, its index above all, goes to the trash. One change set, one undo.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::Project;
use crate::base::disk::{Disk, Kind};
use crate::memory::file::{Memory, MemoryType};
use crate::memory::index_edit::{self, NewEntry};
use crate::memory::proposal::{Folder, ProposalError, Source};
use crate::memory::scan::{self, INDEX_FILE};
use crate::store::change::{Age, Change, ChangeSet, Op};

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
    #[error("{path} is already there and is another: move one of them away first", path = path.display())]
    Taken { path: PathBuf },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Index(#[from] ProposalError),
}

/// A change set in the making.
struct Fold<'a> {
    disk: &'a Disk,
    set: ChangeSet,
    /// Memories that got another name, by their paths below the memory folders.
    renamed: HashMap<String, String>,
    notes: Vec<String>,
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
    whole: bool,
) -> Result<(ChangeSet, Vec<String>), FoldError> {
    let moves_memory = project.memory != target.memory;
    if project.folder == target.folder && !moves_memory {
        let path = project.folder.clone();
        return Err(FoldError::Same { path });
    }
    let own = |folder: &Path, memory: &Path| memory == folder.join("memory");
    let mut fold = Fold {
        disk,
        set,
        renamed: HashMap::new(),
        notes: Vec::new(),
    };
    let plain = own(&project.folder, &project.memory) && own(target.folder, target.memory);
    if whole && plain && !is_there(disk, target.folder) {
        fold.go(&project.folder, target.folder, "to the key of its place");
        return Ok((fold.set, fold.notes));
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
    Ok((fold.set, fold.notes))
}

fn is_there(disk: &Disk, path: &Path) -> bool {
    disk.metadata(path).is_ok() || disk.link(path).is_ok()
}

impl Fold<'_> {
    fn add(&mut self, op: Op, reason: &str) {
        let reason = reason.to_string();
        self.set.changes.push(Change { op, reason });
    }

    fn go(&mut self, from: &Path, to: &Path, reason: &str) {
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

    /// Whether what is there already is the same file; the one that goes is left for the trash then.
    fn is_same(&self, from: &Path, to: &Path) -> bool {
        let bytes = |path| self.disk.read(path).ok();
        let from = bytes(from);
        from.is_some() && from == bytes(to)
    }

    fn sessions(&mut self, from: &Path, to: &Path) -> Result<(), FoldError> {
        for (path, name, _) in self.list(from)? {
            if name == "memory" {
                continue;
            }
            let target = to.join(path.file_name().unwrap_or_default());
            if !is_there(self.disk, &target) {
                self.go(&path, &target, "to the key of its place");
            } else if !self.is_same(&path, &target) {
                return Err(FoldError::Taken { path: target });
            }
        }
        Ok(())
    }

    fn memories(&mut self, from: &Path, to: &Path) -> Result<(), FoldError> {
        self.files(from, to, "")?;
        for prefix in ["", "team/"] {
            self.index(from, to, prefix)?;
        }
        Ok(())
    }

    /// The files of a memory folder but its indexes.
    fn files(&mut self, from: &Path, to: &Path, prefix: &str) -> Result<(), FoldError> {
        for (path, name, kind) in self.list(&from.join(prefix))? {
            let inner = format!("{prefix}{name}");
            if name == INDEX_FILE && matches!(prefix, "" | "team/") {
                continue;
            }
            let target = to.join(&inner);
            if !is_there(self.disk, &target) && kind != Kind::Folder {
                self.go(&path, &target, "a memory to the others");
            } else if kind == Kind::Folder {
                self.files(from, to, &format!("{inner}/"))?;
            } else if !self.is_same(&path, &target) {
                let other = self.free_name(to, &inner);
                self.go(&path, &to.join(&other), "its name is taken by another");
                self.notes.push(format!(
                    "{inner} is there already and says something else: this one becomes {other}"
                ));
                self.renamed.insert(inner, other);
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
            if !is_there(self.disk, &to.join(&name)) {
                return name;
            }
            number += 1;
        }
    }

    /// The lines of one index to those of the other.
    fn index(&mut self, from: &Path, to: &Path, prefix: &str) -> Result<(), FoldError> {
        let memories = |folder: &Path| {
            let listed = scan::list(self.disk, folder).memories;
            scan::heads(self.disk, folder, listed)
        };
        let (ours, theirs) = (memories(from), memories(to));
        let folder = |path, memories| Folder {
            disk: self.disk,
            path,
            memories,
        };
        let (old, new) = (folder(from, &ours), folder(to, &theirs));
        let Some(source) = old.index(prefix)? else {
            return Ok(());
        };
        let place = from.join(prefix).join(INDEX_FILE);
        let target = to.join(prefix).join(INDEX_FILE);
        let Some(kept) = new.index(prefix)? else {
            if self.renamed.is_empty() {
                self.go(&place, &target, "its index");
                return Ok(());
            }
            let text = self.entries(&old, &source, prefix, &ours, "", &[])?;
            let after = text.into_bytes();
            self.write(target, None, after, "the index lines of what came");
            return Ok(());
        };
        let pointed: Vec<String> = new
            .pointers(&kept.text, prefix)
            .into_iter()
            .filter_map(|pointer| pointer.resolved)
            .collect();
        let text = self.entries(&old, &source, prefix, &ours, &kept.text, &pointed)?;
        if text != kept.text {
            let after = kept.bytes_of(&text);
            self.write(
                kept.path,
                Some(kept.bytes),
                after,
                "the index lines of what came",
            );
        }
        Ok(())
    }

    fn write(&mut self, path: PathBuf, before: Option<Vec<u8>>, after: Vec<u8>, reason: &str) {
        let op = Op::Write {
            path,
            before,
            after,
            age: Age::Keep,
        };
        self.add(op, reason);
    }

    /// `text` with the entries of an index that it has not yet, at the ends of the lists they belong to.
    fn entries(
        &self,
        old: &Folder<'_>,
        source: &Source,
        prefix: &str,
        ours: &[Memory],
        text: &str,
        pointed: &[String],
    ) -> Result<String, FoldError> {
        let mut text = text.to_string();
        let mut added: Vec<String> = Vec::new();
        for pointer in old.pointers(&source.text, prefix) {
            let Some(resolved) = pointer.resolved.filter(|_| pointer.place.is_entry()) else {
                continue;
            };
            let inner = format!("{prefix}{resolved}");
            let goes = self.renamed.get(&inner).unwrap_or(&inner);
            let goes = goes.strip_prefix(prefix).unwrap_or(goes).to_string();
            if pointed.contains(&goes) || added.contains(&goes) {
                continue;
            }
            let memory = ours.iter().find(|memory| *memory.path == *inner);
            let kind = memory.map_or(MemoryType::Missing, |memory| memory.kind.clone());
            let entry = NewEntry {
                title: &pointer.title,
                target: &goes,
                hook: &pointer.hook,
                kind: &kind,
            };
            text = index_edit::add(&text, &entry).map_err(|error| ProposalError::Index {
                path: source.path.clone(),
                error,
            })?;
            added.push(goes);
        }
        Ok(text)
    }
}

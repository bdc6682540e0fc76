//! The index line of one memory on its way: out of the index that has it, into the one that shall,
//! byte by byte but for the target that it leads to.

use super::{Folder, ProposalError, Result, Source};
use crate::memory::file::{Memory, MemoryType};
use crate::memory::index_edit::{self, NewEntry};
use crate::memory::load;
use crate::memory::pointer::{Place, Pointer};
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{Age, Op};

/// The folders that have an index of their own, below the memory folder.
pub(super) const INDEXES: [&str; 2] = ["", "team/"];

/// An index line as it stands, or what stands in for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The text of the entry, without indent and without its last line break.
    raw: String,
    /// The target in it, as written.
    target: String,
}

/// An index with an entry more.
#[derive(Debug)]
pub(super) struct Added {
    /// The write, if it is not there already.
    pub op: Option<Op>,
    /// Its line, if the model would not see it there.
    pub below_the_cut: Option<usize>,
}

impl Entry {
    /// The entry of a memory: the first line that points at it and at nothing else, in whichever
    /// index; of a line that holds more, or a row of a table, an entry of its own.
    pub fn of(folder: &Folder<'_>, path: &str) -> Result<Option<Self>> {
        for prefix in INDEXES {
            let (Some(file), Some(index)) = (path.strip_prefix(prefix), folder.index(prefix)?)
            else {
                continue;
            };
            let pointers = folder.pointers(&index.text, prefix);
            let mut own = pointers.iter().filter(|it| leads_to(it, file));
            let Some(first) = own.next() else {
                continue;
            };
            let alone = pointers.iter().filter(|it| it.line == first.line).count() == 1;
            let entry = match index_edit::entry(&index.text, first.line) {
                Ok(raw) if alone && first.place == Place::Item => Self {
                    raw: raw.to_string(),
                    target: first.target.clone(),
                },
                Ok(_) | Err(_) => Self::new(&first.title, file, &first.hook),
            };
            return Ok(Some(entry));
        }
        Ok(None)
    }

    /// The entry that a memory without one would get.
    pub fn for_memory(memory: &Memory, file: &str) -> Self {
        let is_line = |text: &&str| !text.trim().is_empty() && !text.contains(['\n', '\r']);
        let name = memory.name.as_deref().filter(is_line);
        let stem = file.rsplit('/').next().unwrap_or(file);
        let title = name.unwrap_or(stem.trim_end_matches(".md"));
        let hook = memory.description.as_deref().filter(is_line);
        Self::new(title, file, hook.unwrap_or_default())
    }

    fn new(title: &str, target: &str, hook: &str) -> Self {
        let entry = NewEntry {
            title,
            target,
            hook,
            kind: &MemoryType::Missing,
        };
        Self {
            raw: index_edit::entry_line(&entry),
            target: target.to_string(),
        }
    }

    /// Puts it into the index below `prefix`, leading to `file` there; `names` are the memory's name
    /// until now and from now on.
    pub fn put(
        &self,
        folder: &Folder<'_>,
        (prefix, file): (&str, &str),
        names: (&str, &str),
        kind: &MemoryType,
        first: bool,
    ) -> Result<Added> {
        let index = folder.index(prefix)?;
        let before = index.as_ref().map_or("", |index| index.text.as_str());
        let pointers = folder.pointers(before, prefix);
        let is_there = |it: &Pointer| it.place.is_entry() && it.target == file;
        if pointers.iter().any(is_there) {
            return Ok(Added {
                op: None,
                below_the_cut: None,
            });
        }
        let is_it = |_, target: &str| target == self.target;
        let raw = index_edit::retarget(&self.raw, is_it, file, names);
        let (after, line) = index_edit::add_entry(before, &raw, kind, first);
        let cut = load::load(&after).cut_at_line;
        let (path, old, new) = match index {
            Some(index) => {
                let new = index.bytes_of(&after);
                (index.path, Some(index.bytes), new)
            }
            None => {
                let path = folder.path.join(prefix).join(INDEX_FILE);
                (path, None, after.into_bytes())
            }
        };
        Ok(Added {
            op: Some(Op::Write {
                path,
                before: old,
                after: new,
                age: Age::Keep,
            }),
            below_the_cut: cut.filter(|cut| line >= *cut).map(|_| line),
        })
    }
}

/// The writes that take the lines of these memories out of both indexes. A line with other pointers
/// on it stays: they are still good. The paths are relative to the folder.
///
/// # Errors
/// An index that can't be read or edited.
pub fn without(folder: &Folder<'_>, paths: &[&str]) -> Result<Vec<Op>> {
    let mut ops = Vec::new();
    for prefix in INDEXES {
        if let Some(index) = folder.index(prefix)? {
            let text = text_without(folder, &index, prefix, paths)?;
            ops.extend(index.rewritten(&text, Age::Keep));
        }
    }
    Ok(ops)
}

/// Whether an index names a memory still when its own lines are out of it: in a sentence, or on a
/// line with others.
pub(super) fn stays_named(folder: &Folder<'_>, path: &str) -> Result<bool> {
    for prefix in INDEXES {
        let (Some(file), Some(index)) = (path.strip_prefix(prefix), folder.index(prefix)?) else {
            continue;
        };
        let text = text_without(folder, &index, prefix, &[path])?;
        let mut left = folder.pointers(&text, prefix).into_iter();
        if left.any(|pointer| pointer.resolved.as_deref() == Some(file)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The text of an index without the lines of these memories.
pub(super) fn text_without(
    folder: &Folder<'_>,
    index: &Source,
    prefix: &str,
    paths: &[&str],
) -> Result<String> {
    let mut text = index.text.clone();
    let pointers = folder.pointers(&text, prefix);
    let leads = |resolved: &str| {
        paths
            .iter()
            .any(|path| path.strip_prefix(prefix) == Some(resolved))
    };
    let mut lines: Vec<usize> = pointers
        .iter()
        .filter(|pointer| pointer.resolved.as_deref().is_some_and(leads))
        .filter(|pointer| pointer.place.is_entry())
        .map(|pointer| pointer.line)
        .collect();
    lines.dedup();
    // From the bottom up, so that the lines above keep their numbers.
    for line in lines.into_iter().rev() {
        let shared = pointers
            .iter()
            .any(|other| other.line == line && !other.resolved.as_deref().is_some_and(leads));
        if !shared {
            text = index_edit::remove(&text, line).map_err(|error| ProposalError::Index {
                path: index.path.clone(),
                error,
            })?;
        }
    }
    Ok(text)
}

fn leads_to(pointer: &Pointer, file: &str) -> bool {
    pointer.place.is_entry() && pointer.resolved.as_deref() == Some(file)
}

/// Whether an index has an entry of a file below it.
pub(super) fn has_entry(folder: &Folder<'_>, index: &Source, prefix: &str, file: &str) -> bool {
    let pointers = folder.pointers(&index.text, prefix);
    pointers.iter().any(|pointer| leads_to(pointer, file))
}

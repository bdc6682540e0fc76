//! The index lines of memories that arrive: those of the archive's index that lead to them, put into the
//! index that is there, each at the end of the list that it belongs to. Nothing else of an index that
//! is there changes.

use std::collections::{BTreeMap, HashSet};

use crate::base::front_matter;
use crate::base::markdown;
use crate::config::limits::FRONT_MATTER_LINES;
use crate::memory::file::{Memory, MemoryType};
use crate::memory::index_edit::{self, IndexEditError, NewEntry};
use crate::memory::load;
use crate::memory::pointer::{self, Pointer, Targets};

/// A memory in an archive, as its index wants it.
pub(super) struct Head {
    pub name: Option<String>,
    pub kind: MemoryType,
}

impl Head {
    pub fn new(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        let front = front_matter::read_lines(&text, FRONT_MATTER_LINES);
        Self {
            name: front.get("name").map(str::to_string),
            kind: MemoryType::read(&front),
        }
    }
}

impl Head {
    /// The type whose list it belongs to: one that is none of the four has none of its own.
    fn list(&self) -> &MemoryType {
        match &self.kind {
            MemoryType::Unknown(_) => &MemoryType::Missing,
            kind => kind,
        }
    }
}

/// What an index becomes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Merged {
    pub text: String,
    /// How many lines were added, and how many of them lie below the cut.
    pub added: usize,
    pub below_the_cut: usize,
    /// Memories that it points at, by their paths below the memory folder.
    pub pointed: HashSet<String>,
}

/// The memories around an index: those of the archive by their paths in it, those that are there, and what those that arrive
/// are called here, by their paths in the archive.
pub(super) struct Around<'a> {
    pub heads: &'a BTreeMap<String, Head>,
    pub there: &'a [Memory],
    pub arriving: &'a BTreeMap<String, String>,
}

impl Around<'_> {
    /// `text` with what it lacks of the entries of `theirs` that lead to arriving memories. `prefix` is
    /// the folder of both indexes: empty, or `team/`.
    ///
    /// # Errors
    /// A title or a hook that can't stand in a line.
    pub fn merged(&self, text: &str, theirs: &str, prefix: &str) -> Result<Merged, IndexEditError> {
        let after = self.pointers(text, prefix, true);
        let mut pointed: HashSet<String> = resolved(&after);
        let mut new: HashSet<String> = HashSet::new();
        let theirs = self.pointers(theirs, prefix, false);
        let mut entries: Vec<NewEntry<'_>> = Vec::new();
        for pointer in &theirs {
            let Some(target) = pointer.resolved.as_ref() else {
                continue;
            };
            let inner = format!("{prefix}{target}");
            let goes = self.arriving.get(&inner);
            let Some(goes) = goes.and_then(|goes| goes.strip_prefix(prefix)) else {
                continue;
            };
            if !pointer.place.is_entry() || !pointed.insert(goes.to_string()) {
                continue;
            }
            entries.push(NewEntry {
                title: &pointer.title,
                target: goes,
                hook: &pointer.hook,
                kind: self
                    .heads
                    .get(&inner)
                    .map_or(&MemoryType::Missing, Head::list),
            });
            new.insert(goes.to_string());
        }
        let merged = index_edit::add_all(text, &entries)?;
        let cut = load::load(&merged).cut_at_line;
        let lines = self.pointers(&merged, prefix, true);
        let is_below = |pointer: &&Pointer| {
            let is_new = pointer
                .resolved
                .as_ref()
                .is_some_and(|path| new.contains(path));
            is_new && cut.is_some_and(|cut| pointer.line >= cut)
        };
        Ok(Merged {
            added: new.len(),
            below_the_cut: lines.iter().filter(is_below).count(),
            pointed: resolved(&lines)
                .into_iter()
                .map(|path| format!("{prefix}{path}"))
                .collect(),
            text: merged,
        })
    }

    /// The pointers of an index, `here` among the files that will be there, else among those of the
    /// archive.
    fn pointers(&self, text: &str, prefix: &str, here: bool) -> Vec<Pointer> {
        let mut files: Vec<(&str, Option<&str>)> = Vec::new();
        if here {
            let there = self.there.iter();
            files.extend(there.map(|one| (&*one.path, one.name.as_deref())));
            let named = |path: &String| self.heads.get(path)?.name.as_deref();
            let arriving = self.arriving.iter();
            files.extend(arriving.map(|(path, goes)| (goes.as_str(), named(path))));
        } else {
            let heads = self.heads.iter();
            files.extend(heads.map(|(path, head)| (path.as_str(), head.name.as_deref())));
        }
        let files: Vec<(&str, Option<&str>)> = files
            .into_iter()
            .filter_map(|(path, name)| Some((path.strip_prefix(prefix)?, name)))
            .collect();
        let mut targets = Targets::new(files.iter().map(|(path, _)| *path));
        for (path, name) in &files {
            if let Some(name) = name {
                targets.name(name, path);
            }
        }
        pointer::read(text, &markdown::marks(text), &targets)
    }
}

fn resolved(pointers: &[Pointer]) -> HashSet<String> {
    let entries = pointers
        .iter()
        .filter_map(|pointer| pointer.resolved.clone());
    entries.collect()
}

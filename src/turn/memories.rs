//! The memory folder as the model finds it: what is on the disk with what it proposed, and what a write
//! there has to be: a memory that can be found and told apart, an index that leaves none without a line.
//! Reads files, writes none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::base::front_matter;
use crate::base::markdown;
use crate::memory::file::MemoryType;
use crate::memory::index_edit::{self, NewEntry};
use crate::memory::load;
use crate::memory::pointer::{self, Pointer, Targets};
use crate::memory::proposal::slug;
use crate::memory::scan::{self, INDEX_FILE};
use crate::turn::overlay::{FileChange, Overlay};

/// The folder with what is proposed.
#[derive(Debug, Clone, Copy)]
pub struct Memories<'a> {
    pub disk: &'a Disk,
    /// Resolved.
    pub folder: &'a Path,
    pub overlay: &'a Overlay,
}

impl Memories<'_> {
    /// The paths of all memories, relative to the folder, in their order.
    #[must_use]
    pub fn paths(&self) -> Vec<String> {
        let listed = scan::list(self.disk, self.folder).memories;
        let mut paths: BTreeSet<String> = listed.into_iter().map(|one| one.path).collect();
        for path in self.overlay.below(self.folder) {
            let Some(inner) = path.strip_prefix(self.folder).ok().and_then(Path::to_str) else {
                continue;
            };
            match self.text(inner) {
                Ok(Some(_)) if scan::is_memory(inner) => {
                    paths.insert(inner.to_string());
                }
                Ok(Some(_)) | Err(_) => {}
                Ok(None) => {
                    paths.remove(inner);
                }
            }
        }
        paths.into_iter().collect()
    }

    /// The text of a file of the folder.
    ///
    /// # Errors
    /// A sentence.
    pub fn text(&self, path: &str) -> Result<Option<String>, String> {
        let text = self.overlay.text(self.disk, &self.folder.join(path));
        text.map_err(|error| format!("{path} can't be read: {error}"))
    }

    /// The index that a memory belongs to: its path relative to the folder, and what its targets are
    /// relative to.
    fn index_of(&self, path: &str) -> (String, &'static str) {
        let has_own = path.starts_with("team/")
            && matches!(self.text(&format!("team/{INDEX_FILE}")), Ok(Some(_)));
        match has_own {
            true => (format!("team/{INDEX_FILE}"), "team/"),
            false => (INDEX_FILE.to_string(), ""),
        }
    }

    /// The change of the index that gives a memory its line; `None`: it has one.
    ///
    /// # Errors
    /// A sentence.
    pub fn listed(&self, path: &str, text: &str) -> Result<Option<FileChange>, String> {
        let (index, prefix) = self.index_of(path);
        let before = self.text(&index)?;
        let paths = self.paths();
        let all = paths.iter().map(String::as_str).chain([path]);
        let old = before.as_deref().unwrap_or_default();
        let pointers = pointers(old, prefix, all);
        let target = path.strip_prefix(prefix).unwrap_or(path);
        let leads = |it: &Pointer| it.place.is_entry() && it.resolved.as_deref() == Some(target);
        if pointers.iter().any(leads) {
            return Ok(None);
        }
        let front = front_matter::read(text);
        let description = front.get("description").unwrap_or_default();
        let stem = target
            .rsplit('/')
            .next()
            .unwrap_or(target)
            .trim_end_matches(".md");
        let entry = NewEntry {
            title: stem,
            target,
            hook: description,
            kind: &MemoryType::read(&front),
        };
        let after = index_edit::add(old, &entry).map_err(|error| format!("{index}: {error}"))?;
        Ok(Some(self.change(&index, before, Some(after), true)))
    }

    /// The changes of the indexes that take a memory's lines away.
    ///
    /// # Errors
    /// A sentence.
    pub fn unlisted(&self, path: &str) -> Result<Vec<FileChange>, String> {
        let paths = self.paths();
        let mut changes = Vec::new();
        for (index, prefix) in [
            (INDEX_FILE.to_string(), ""),
            (format!("team/{INDEX_FILE}"), "team/"),
        ] {
            let (Some(target), Some(before)) = (path.strip_prefix(prefix), self.text(&index)?)
            else {
                continue;
            };
            let pointers = pointers(&before, prefix, paths.iter().map(String::as_str));
            let leads =
                |it: &&Pointer| it.place.is_entry() && it.resolved.as_deref() == Some(target);
            let mut lines: Vec<usize> = pointers.iter().filter(leads).map(|it| it.line).collect();
            lines.dedup();
            let mut after = before.clone();
            for line in lines.into_iter().rev() {
                let shared = pointers.iter().any(|it| it.line == line && !leads(&it));
                if !shared {
                    after = index_edit::remove(&after, line)
                        .map_err(|error| format!("{index}: {error}"))?;
                }
            }
            if after != before {
                changes.push(self.change(&index, Some(before), Some(after), true));
            }
        }
        Ok(changes)
    }

    /// The changes by which a memory goes, with its lines. `before`: its text.
    ///
    /// # Errors
    /// A sentence.
    pub fn without(&self, path: &str, before: String) -> Result<Vec<FileChange>, String> {
        let mut files = self.unlisted(path)?;
        files.push(self.change(path, Some(before), None, true));
        Ok(files)
    }

    /// Why an index may not become this text; `None`: it may.
    ///
    /// # Errors
    /// A sentence of the disk's.
    pub fn index_fault(&self, index: &str, after: &str) -> Result<Option<String>, String> {
        let prefix = index.strip_suffix(INDEX_FILE).unwrap_or_default();
        let before = self.text(index)?.unwrap_or_default();
        let paths = self.paths();
        let read = |text: &str| pointers(text, prefix, paths.iter().map(String::as_str));
        let (old, new) = (read(&before), read(after));
        let entries = |all: &[Pointer]| -> Vec<String> {
            let all = all.iter().filter(|it| it.place.is_entry());
            all.filter_map(|it| it.resolved.clone()).collect()
        };
        let (was, is) = (entries(&old), entries(&new));
        if let Some(lost) = was.iter().find(|path| !is.contains(path)) {
            return Ok(Some(format!(
                "{prefix}{lost} would be left without a line, so that nothing finds it any more: to remove a memory \
                 use Forget; to change its line keep the link to it"
            )));
        }
        let dangling = |it: &&Pointer| it.place.is_entry() && it.resolved.is_none();
        let held = |target: &str| {
            old.iter()
                .any(|it| it.target == target && it.resolved.is_none())
        };
        if let Some(new) = new.iter().filter(dangling).find(|it| !held(&it.target)) {
            return Ok(Some(format!(
                "line {} would lead to {}, which is not there: write the memory first",
                new.line, new.target
            )));
        }
        let cut = |text: &str| load::load(text).cut_at_line;
        Ok(match (cut(&before), cut(after)) {
            (None, Some(line)) => Some(format!(
                "the list would be cut at line {line}: make its lines shorter, or put two memories together"
            )),
            _ => None,
        })
    }

    /// Why a file may not become a memory of this text; `None`: it may.
    #[must_use]
    pub fn memory_fault(&self, path: &str, text: &str, is_new: bool) -> Option<String> {
        if !scan::is_memory(path) {
            return Some(format!(
                "{path} would be no memory: a memory is a file NAME.md in this folder, outside logs/ and hidden \
                 folders"
            ));
        }
        let stem = path
            .rsplit('/')
            .next()
            .unwrap_or(path)
            .trim_end_matches(".md");
        if is_new && slug(stem).ok().as_deref() != Some(stem) {
            return Some(format!(
                "{path}: a new memory's name is a lower-case slug of Latin letters, digits and dashes"
            ));
        }
        if is_new
            && path.contains('/')
            && !self
                .folder
                .join(path)
                .parent()
                .is_some_and(|it| self.disk.is_folder(it))
        {
            return Some(format!(
                "{path}: there is no such folder; write the memory into the memory folder itself"
            ));
        }
        let front = front_matter::read(text);
        if front.block.is_none() || front.is_broken() {
            return Some(format!(
                "{path}: a memory begins with front matter between two lines of ---: {}",
                match front.block {
                    None => "there is none".to_string(),
                    Some(_) => front
                        .faults
                        .first()
                        .map_or_else(String::new, front_matter::Fault::sentence),
                }
            ));
        }
        if front
            .get("description")
            .is_none_or(|it| it.trim().is_empty())
        {
            return Some(format!(
                "{path}: its front matter lacks a description, by which it is found"
            ));
        }
        if front.get("name").is_none_or(|it| it.trim().is_empty()) {
            return Some(format!("{path}: its front matter lacks a name"));
        }
        if matches!(
            MemoryType::read(&front),
            MemoryType::Missing | MemoryType::Unknown(_)
        ) {
            return Some(format!(
                "{path}: its type is none of user, feedback, project and reference"
            ));
        }
        text[front.body..]
            .trim()
            .is_empty()
            .then(|| format!("{path}: it says nothing below its front matter"))
    }

    /// A change of a file of the folder.
    #[must_use]
    pub fn change(
        &self,
        path: &str,
        before: Option<String>,
        after: Option<String>,
        keeps_age: bool,
    ) -> FileChange {
        FileChange {
            path: self.place(path),
            before,
            after,
            keeps_age,
        }
    }

    fn place(&self, path: &str) -> PathBuf {
        self.disk.resolve_existing(&self.folder.join(path))
    }
}

/// A text without a passage; a line of which nothing is left goes as a whole.
#[must_use]
pub fn without(text: &str, passage: &str) -> String {
    let Some(at) = text.find(passage) else {
        return text.to_string();
    };
    let (mut start, mut end) = (at, at + passage.len());
    let line = text[..start].rfind('\n').map_or(0, |it| it + 1);
    let rest = text[end..].find('\n').map_or(text.len(), |it| end + it + 1);
    if text[line..start].trim().is_empty() && text[end..rest].trim().is_empty() {
        (start, end) = (line, rest);
    }
    format!("{}{}", &text[..start], &text[end..])
}

/// The pointers of an index text among these memories, which are relative to the memory folder.
fn pointers<'a>(text: &str, prefix: &str, paths: impl Iterator<Item = &'a str>) -> Vec<Pointer> {
    let own: Vec<&str> = paths.filter_map(|path| path.strip_prefix(prefix)).collect();
    let targets = Targets::new(own.into_iter());
    pointer::read(text, &markdown::marks(text), &targets)
}

#[cfg(test)]
#[path = "memories_tests.rs"]
mod tests;

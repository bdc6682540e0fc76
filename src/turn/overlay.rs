//! What the model proposes to write and a person has not decided on yet. Whoever reads through it reads as
//! if all of it were on the disk. Each proposal is the change of some files from one text to another; it
//! goes together with what others have written since, or is given up. Writes nothing.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use similar::{ChangeTag, TextDiff};

use crate::base::disk::Disk;
use crate::memory::file::MemoryType;
use crate::memory::index_edit;
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::merge;

/// One proposal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// Of the call that made it.
    pub id: String,
    /// What a person reads in the history: "edit deploy-checklist".
    pub title: String,
    pub files: Vec<FileChange>,
    /// The agent, or the person.
    #[serde(default = "agent")]
    pub by: Author,
}

/// Who proposed what was kept before that was.
fn agent() -> Author {
    Author::Agent
}

/// What shall become of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileChange {
    /// Links resolved.
    pub path: PathBuf,
    /// What it was made from; `None`: the file was not there.
    pub before: Option<String>,
    /// `None`: it goes to the trash.
    pub after: Option<String>,
    /// The fact in it is as it was: its age stays.
    pub keeps_age: bool,
}

/// The proposals that wait, in the order in which they were made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    pub pending: Vec<Proposal>,
}

impl Proposal {
    /// The person asked for it, not the agent.
    #[must_use]
    pub fn is_own(&self) -> bool {
        self.by == Author::You
    }

    /// As a change set; the store merges it with what was written since.
    #[must_use]
    pub fn change_set(&self, session: &str) -> ChangeSet {
        let mut set = ChangeSet::new(&*self.title, self.by);
        set.session = Some(session.to_string());
        for file in &self.files {
            let path = file.path.clone();
            let op = match &file.after {
                Some(after) => Op::Write {
                    path,
                    before: file.before.clone().map(String::into_bytes),
                    after: after.clone().into_bytes(),
                    age: if file.keeps_age { Age::Keep } else { Age::Set },
                },
                None => Op::Trash { path },
            };
            let why = match self.is_own() {
                true => "asked for in the agent's pane",
                false => "proposed by the agent",
            };
            set = set.with(op, why);
        }
        set
    }
}

impl Overlay {
    /// The text of a file with all that is proposed; `None`: there is none.
    ///
    /// # Errors
    /// As the system says; `InvalidData` for bytes that are no UTF-8.
    pub fn text(&self, disk: &Disk, path: &Path) -> io::Result<Option<String>> {
        let on_disk = match disk.read(path) {
            Ok(bytes) => Some(String::from_utf8(bytes).map_err(|_| {
                io::Error::new(
                    io::ErrorKind::InvalidData,
                    "it holds bytes that are no UTF-8",
                )
            })?),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(self.over(path, on_disk))
    }

    /// What proposals make of a file whose text is this.
    #[must_use]
    pub fn over(&self, path: &Path, text: Option<String>) -> Option<String> {
        let mut text = text;
        for change in self.changes(path) {
            // Where it does not go together, what the model wrote is what it reads back.
            text = put(change, text.as_deref()).unwrap_or_else(|Apart| change.after.clone());
        }
        text
    }

    /// Whether anything is proposed of a file.
    #[must_use]
    pub fn touches(&self, path: &Path) -> bool {
        self.changes(path).next().is_some()
    }

    /// The files below a folder that something is proposed of.
    #[must_use]
    pub fn below(&self, folder: &Path) -> BTreeSet<&Path> {
        let files = self.pending.iter().flat_map(|proposal| &proposal.files);
        files
            .map(|file| &*file.path)
            .filter(|path| path.starts_with(folder))
            .collect()
    }

    /// Takes a proposal out that was accepted and is on the disk now, or that is decided on otherwise.
    pub fn take(&mut self, id: &str) -> Option<Proposal> {
        let at = self.pending.iter().position(|proposal| proposal.id == id)?;
        Some(self.pending.remove(at))
    }

    /// Takes out a proposal that was rejected, and gives back those that were built on it and go with it.
    /// What does not depend on it stays, made anew from what it finds without it.
    pub fn reject(&mut self, id: &str, disk: &Disk) -> Vec<Proposal> {
        let Some(rejected) = self.take(id) else {
            return Vec::new();
        };
        let waiting = std::mem::take(&mut self.pending);
        let mut gone = Vec::new();
        for mut proposal in waiting {
            let touched = proposal
                .files
                .iter()
                .any(|file| rejected.files.iter().any(|other| other.path == file.path));
            match touched {
                false => self.pending.push(proposal),
                true => match self.rebased(&proposal, disk) {
                    Some(files) => {
                        proposal.files = files;
                        self.pending.push(proposal);
                    }
                    None => gone.push(proposal),
                },
            }
        }
        gone
    }

    /// A proposal as it is without the others that wait: from what is on the disk. `None`: it is built on
    /// another one, or does not go together with what was written since.
    #[must_use]
    pub fn alone(&self, id: &str, disk: &Disk) -> Option<Proposal> {
        let proposal = self.pending.iter().find(|proposal| proposal.id == id)?;
        let files = Self::default().rebased(proposal, disk)?;
        Some(Proposal {
            files,
            ..proposal.clone()
        })
    }

    /// The changes of a proposal, from what stands without others that it was made on.
    fn rebased(&self, proposal: &Proposal, disk: &Disk) -> Option<Vec<FileChange>> {
        let files = proposal.files.iter().map(|file| {
            let before = self.text(disk, &file.path).ok()?;
            let after = put(file, before.as_deref()).ok()?;
            Some(FileChange {
                before,
                after,
                ..file.clone()
            })
        });
        files.collect()
    }

    fn changes<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a FileChange> {
        let files = self.pending.iter().flat_map(|proposal| &proposal.files);
        files.filter(move |file| file.path == path)
    }
}

/// A change and a text that do not go together.
#[derive(Debug)]
struct Apart;

/// What a change makes of a text.
fn put(change: &FileChange, text: Option<&str>) -> Result<Option<String>, Apart> {
    if text == change.before.as_deref() {
        return Ok(change.after.clone());
    }
    let is_index = change
        .path
        .file_name()
        .is_some_and(|name| name == INDEX_FILE);
    let (before, after) = (change.before.as_deref(), change.after.as_deref());
    let (text, before, after) = match (text, before, after) {
        // The index that another proposal would have begun is begun by this one.
        (None, Some(before), Some(after)) if is_index => ("", before, after),
        (Some(text), None, Some(after)) if is_index => (text, "", after),
        (Some(text), Some(before), Some(after)) => (text, before, after),
        _ => return Err(Apart),
    };
    let merged = merge::three_way(before.as_bytes(), after.as_bytes(), text.as_bytes()).clean();
    match merged {
        Some(merged) => String::from_utf8(merged).map(Some).map_err(|_| Apart),
        None if is_index => Ok(Some(relisted(text, before, after))),
        None => Err(Apart),
    }
}

/// An index whose entries are put and taken as a change does with another text of it, wherever they stand
/// there: the entries of an index do not depend on their neighbours.
fn relisted(text: &str, before: &str, after: &str) -> String {
    let mut out = text.to_string();
    for change in TextDiff::from_lines(before, after).iter_all_changes() {
        let line = change.value().trim_end_matches(['\n', '\r']);
        let stands = out.lines().position(|other| other == line);
        match (change.tag(), stands) {
            (ChangeTag::Delete, Some(at)) => {
                let kept = out.split_inclusive('\n').enumerate();
                out = kept
                    .filter(|(number, _)| *number != at)
                    .map(|(_, line)| line)
                    .collect();
            }
            (ChangeTag::Insert, None) => {
                out = index_edit::add_entry(&out, line, &MemoryType::Missing, false).0;
            }
            (ChangeTag::Equal | ChangeTag::Insert | ChangeTag::Delete, _) => {}
        }
    }
    out
}

#[cfg(test)]
#[path = "overlay_tests.rs"]
mod tests;

//! A file that was changed after the session began: what the session was sent of it then, what it says
//! now, and what the next turn is told.

use std::path::{Path, PathBuf};

use super::gather::{self, Source};
use super::read_file::{Unread, bytes};
use super::{Asked, Layout};
use crate::agents::claude::Claude;
use crate::base::disk::normalize;
use crate::context::observed::{Sent, block, newest};
use crate::context::ours;
use crate::context::part::{Kind, Origin, Piece};
use crate::instructions;
use crate::memory::index::decode;
use crate::memory::load;
use crate::memory::scan::INDEX_FILE;

/// What the file is to a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// It stands in the block that a session begins with.
    Rule,
    Index,
    /// A memory, which a session holds only if it was read.
    Memory,
    /// A session begins without it.
    Other,
}

/// What a session was sent of a file when it began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Began {
    /// As the newest transcript holds it.
    Recorded(String),
    /// An edit that is not saved yet changes it: as it is on disk.
    OnDisk(String),
    /// It began without it.
    Absent,
    NotRecorded,
}

/// The file and its two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    pub path: PathBuf,
    pub what: What,
    pub began: Began,
    /// As a session that begins now is sent it; empty where it is sent nothing.
    pub now: String,
    /// Why there is no text, where it isn't known to have gone since the session began.
    pub unread: Option<Unread>,
}

impl Running {
    pub fn find(store: &Claude, source: &Source, asked: &Asked, path: &Path) -> Self {
        let path = place(store, source, asked, path);
        let index = source.memory_folder.join(INDEX_FILE);
        let is_rule = |files: &[Sent]| files.iter().any(|file| file.path == path);
        let entries = &source.instructions.entries;
        let what = if path == index {
            What::Index
        } else if path.starts_with(&source.memory_folder) {
            What::Memory
        } else if entries.iter().any(|one| one.path == path) || is_rule(&source.recorded.files) {
            What::Rule
        } else {
            What::Other
        };
        let edited = asked.edited.as_ref().filter(|edited| edited.path == path);
        let read = bytes(store.disk(), &path).map(|(bytes, _)| decode(&bytes));
        let now = match (what, edited) {
            (What::Index, _) => {
                let index = source.index.as_ref();
                index.map(|(_, loaded)| loaded.sent()).unwrap_or_default()
            }
            (What::Rule, _) => text_of(entries, &path).unwrap_or_default(),
            (What::Memory | What::Other, Some(edited)) => decode(&edited.bytes),
            (What::Memory | What::Other, None) => read.clone().unwrap_or_default(),
        };
        let recorded = source.recorded.files.iter();
        let recorded = recorded
            .clone()
            .find(|file| file.path == path)
            .map(|file| Began::Recorded(file.text.clone()));
        let is_held = matches!(what, What::Rule | What::Index);
        let began = match (recorded, edited) {
            (Some(recorded), _) => recorded,
            (None, _) if is_held && !source.recorded.files.is_empty() => Began::Absent,
            (None, Some(_)) => {
                on_disk(store, source, asked, &path, what).map_or(Began::Absent, Began::OnDisk)
            }
            (None, None) => Began::NotRecorded,
        };
        let is_given = edited.is_some() || matches!(began, Began::Recorded(_));
        Self {
            path,
            what,
            began,
            now,
            unread: read.err().filter(|_| !is_given),
        }
    }

    /// The text that the session began with, if that is known.
    pub fn before(&self) -> Option<&str> {
        match &self.began {
            Began::Recorded(text) | Began::OnDisk(text) => Some(text),
            Began::Absent | Began::NotRecorded => None,
        }
    }

    /// Whether the session holds another text than it says now, as far as that is known.
    pub fn is_changed(&self) -> bool {
        match &self.began {
            Began::Absent => false,
            Began::NotRecorded => true,
            Began::Recorded(text) | Began::OnDisk(text) => *text != self.now,
        }
    }

    /// The files that the session began with, where another text than now's stood among them.
    pub fn at_start(&self, source: &Source, now: Vec<Sent>) -> Vec<Sent> {
        if !source.recorded.files.is_empty() {
            return source.recorded.files.clone();
        }
        let mut files = now;
        match (
            &self.began,
            files.iter_mut().find(|file| file.path == self.path),
        ) {
            (Began::OnDisk(text), Some(file)) => file.text.clone_from(text),
            (Began::Absent, Some(_)) => files.retain(|file| file.path != self.path),
            (Began::Recorded(_) | Began::NotRecorded, _) | (_, None) => {}
        }
        files
    }

    /// Whether the reference client was seen to say something of such a file.
    pub fn was_seen(&self) -> bool {
        match self.what {
            What::Index => true,
            What::Rule => self.path.ends_with("CLAUDE.md"),
            What::Memory | What::Other => false,
        }
    }

    /// Our own note, with which the next turn ends; `None`: there is nothing to say.
    pub fn note_of_ours(&self) -> Option<Vec<Piece>> {
        if self.what == What::Other {
            return None;
        }
        match &self.began {
            Began::Absent => None,
            Began::Recorded(before) | Began::OnDisk(before) => {
                ours::note_of_change(&self.path, before, &self.now)
            }
            Began::NotRecorded => {
                let piece = Piece {
                    origin: Origin::Ours,
                    ..Piece::not_recorded(Kind::Note, None)
                };
                Some(vec![piece.of(&self.path)])
            }
        }
    }

    /// What one has to know of it: sentences.
    pub fn notes(&self, source: &Source, asked: &Asked, model: &str) -> Vec<String> {
        let path = self.path.display();
        let is_ours = asked.switches.layout == Layout::Ours;
        let mut notes = Vec::new();
        match (self.what, &self.began) {
            (What::Other, _) => {
                notes.push(format!("{path} is no file that a session begins with: that it was edited is not told"));
                return notes;
            }
            (_, Began::Absent) => {
                notes.push(format!("the session began without {path}: what is new reaches the next session"));
                return notes;
            }
            (_, Began::Recorded(text) | Began::OnDisk(text)) if *text == self.now => {
                notes.push(format!("{path} says what the session began with: there is nothing to tell"));
                return notes;
            }
            (What::Memory, Began::NotRecorded) => notes.push(format!(
                "what a session has read of {path} is not recorded"
            )),
            (_, Began::NotRecorded) => notes.push(format!(
                "what the session began with of {path} is not recorded: the first message shows it as it is now"
            )),
            (_, Began::Recorded(_)) => notes.push(format!(
                "{path} stands as the newest session was sent it; what it says now comes with a new session, /clear or a compaction"
            )),
            (_, Began::OnDisk(_)) => notes.push(format!(
                "{path} stands as it is on disk, which the edit is not yet; a new session, /clear or a compaction reads it anew"
            )),
        }
        if self.what == What::Memory && is_ours {
            notes.push(format!(
                "the note comes only where the session has read {path}"
            ));
        }
        if is_ours {
            return notes;
        }
        let version = &source.version.name;
        notes.push(match (&source.version.edited, self.was_seen()) {
            (None, _) => format!("whether and how version {version} tells of a file that is edited while it runs was not looked at"),
            (Some(_), false) => format!("whether the client tells of {path} was not recorded: seen were CLAUDE.md and MEMORY.md"),
            (Some(_), true) if crate::context::observed::models::is_old(model) => {
                format!("how the client tells {model} of a file that is edited while it runs was not recorded")
            }
            (Some(_), true) => "the note was seen on the client's screen; with -p only of a MEMORY.md that was read before. It shows the changed lines with their numbers, in a form that was not recorded".to_string(),
        });
        notes
    }
}

/// The file that is meant: below the working directory, or where there is none, below the memory folder.
fn place(store: &Claude, source: &Source, asked: &Asked, path: &Path) -> PathBuf {
    let here = gather::place(store, asked, path);
    let memory = normalize(&source.memory_folder.join(path));
    let disk = store.disk();
    match !disk.is_file(&here) && disk.is_file(&memory) {
        true => memory,
        false => here,
    }
}

fn text_of(entries: &[instructions::Instruction], path: &Path) -> Option<String> {
    let found = entries.iter().find(|one| one.path == path);
    found.map(|one| one.text.clone())
}

/// What a session is sent of a file as it is on disk; `None`: nothing.
fn on_disk(
    store: &Claude,
    source: &Source,
    asked: &Asked,
    path: &Path,
    what: What,
) -> Option<String> {
    let is_ours = asked.switches.layout == Layout::Ours;
    match what {
        What::Index => {
            let manner = match is_ours {
                true => newest().index,
                false => source.version.index,
            };
            let index = source.contents.index.as_ref()?;
            Some(load::load_as(&index.text, manner?).sent())
        }
        What::Rule => {
            let mut place = source.standing.place.clone();
            place.edited = None;
            let manner = match is_ours {
                true => &newest().instructions,
                false => &source.version.instructions,
            };
            let all = instructions::read(store.disk(), &place, manner);
            text_of(&all.entries, path)
        }
        What::Memory | What::Other => {
            let (bytes, _) = bytes(store.disk(), path).ok()?;
            Some(decode(&bytes))
        }
    }
}

/// The files that a session which begins now is sent, by the client that was observed.
pub fn sent_now(source: &Source) -> Vec<Sent> {
    let wrapper = source.recorded.wrapper.as_ref();
    let labels = &wrapper.unwrap_or(&source.version.wrapper).labels;
    let index = source.index.as_ref();
    let index = index.map(|(path, loaded)| (path.as_path(), loaded.sent()));
    let index = index.as_ref().map(|(path, text)| (*path, text.as_str()));
    block::sent(labels, &source.instructions.entries, index)
}

#[cfg(test)]
#[path = "running_tests.rs"]
mod tests;

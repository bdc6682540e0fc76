//! What a selector is told of a folder: its newest memories, a line each; and their texts, to be ranked and
//! recalled. Reads files; decides nothing.

use std::path::Path;

use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::limits::MANIFEST_MEMORIES;
use crate::memory::file::Memory;
use crate::memory::ranker::{Builder, Document, Index, Wanted};
use crate::memory::scan;

/// A memory that can be recalled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub memory: Memory,
    /// Of its file.
    pub bytes: Vec<u8>,
    /// `created` in the tiny layout, else when the file was modified.
    pub saved: Option<Moment>,
}

/// The candidates of a folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The newest first, at most [`MANIFEST_MEMORIES`].
    pub candidates: Vec<Candidate>,
    /// Files that could not be read, or must not be.
    pub unread: usize,
    /// Memories beyond the newest so many.
    pub beyond: usize,
    /// Parts of the folder that could not be entered: a sentence each.
    pub faults: Vec<String>,
}

impl Candidate {
    /// Its line: `- [type] file.md (saved 2026-08-14): description`.
    #[must_use]
    pub fn line(&self) -> String {
        let memory = &self.memory;
        let kind = memory.kind.word().unwrap_or("no type");
        let saved = match self.saved {
            Some(saved) => format!(" (saved {})", saved.date()),
            None => String::new(),
        };
        let said = memory.description.as_deref().or(memory.name.as_deref());
        let said = said.unwrap_or("no description");
        let said: Vec<&str> = said.split_whitespace().collect();
        format!("- [{kind}] {}{saved}: {}", memory.path, said.join(" "))
    }
}

/// A memory that has something of a query, for a tool or a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Relative to the memory folder.
    pub path: String,
    pub name: Option<String>,
    pub description: Option<String>,
    /// As written.
    pub kind: Option<String>,
    pub saved: Option<Moment>,
    pub score: f32,
    /// The words of the query that it has.
    pub words: Vec<String>,
}

/// Scans a folder. One that is not there has no memory.
#[must_use]
pub fn scan(disk: &Disk, folder: &Path) -> Manifest {
    scan_newest(disk, folder, MANIFEST_MEMORIES)
}

/// Scans a folder for all its memories: a search, unlike a selector, has no need to leave any out.
#[must_use]
pub fn scan_all(disk: &Disk, folder: &Path) -> Manifest {
    scan_newest(disk, folder, usize::MAX)
}

fn scan_newest(disk: &Disk, folder: &Path, most: usize) -> Manifest {
    let listing = scan::list(disk, folder);
    let faults = listing.faults.into_iter().map(|fault| fault.sentence);
    let mut found = Manifest {
        faults: faults.collect(),
        ..Manifest::default()
    };
    scan::pages(disk, folder, listing.memories, |memory, bytes| {
        let Some(bytes) = bytes else {
            found.unread += 1;
            return;
        };
        found.candidates.push(Candidate {
            saved: memory.modified,
            memory,
            bytes: bytes.to_vec(),
        });
    });
    let created = |one: &Candidate| Moment::of_date(one.memory.created.as_deref()?);
    let is_tiny = !listing.index && found.candidates.iter().all(|one| created(one).is_some());
    if is_tiny {
        for one in &mut found.candidates {
            one.saved = created(one);
        }
    }
    let rank = |one: &Candidate| (one.saved, one.memory.modified);
    found.candidates.sort_by(|a, b| {
        let by_age = rank(b).cmp(&rank(a));
        by_age.then_with(|| a.memory.path.cmp(&b.memory.path))
    });
    found.beyond = found.candidates.len().saturating_sub(most);
    found.candidates.truncate(most);
    found
}

impl Manifest {
    /// The candidate of a path.
    #[must_use]
    pub fn find(&self, path: &str) -> Option<&Candidate> {
        let mut all = self.candidates.iter();
        all.find(|one| &*one.memory.path == path)
    }

    /// Their lines.
    #[must_use]
    pub fn text(&self) -> String {
        let lines: Vec<String> = self.candidates.iter().map(Candidate::line).collect();
        lines.join("\n")
    }

    /// What has something of a query, by words, the best first: what the tool `memory_search` gives.
    #[must_use]
    pub fn related(&self, query: &str, most: usize, now: Moment) -> Vec<Related> {
        let wanted = Wanted {
            most,
            sure: false,
            now,
        };
        let hits = self.index().rank(query, &wanted).into_iter();
        let related = hits.map(|hit| {
            let Candidate { memory, saved, .. } = &self.candidates[hit.at];
            Related {
                path: memory.path.to_string(),
                name: memory.name.as_deref().map(str::to_string),
                description: memory.description.as_deref().map(str::to_string),
                kind: memory.kind.word().map(str::to_string),
                saved: *saved,
                score: hit.score,
                words: hit.words,
            }
        });
        related.collect()
    }

    /// The candidates, ready to be ranked; a hit's number is a candidate's place.
    #[must_use]
    pub fn index(&self) -> Index {
        let mut builder = Builder::default();
        for one in &self.candidates {
            builder.add(&Document::of(&one.memory, &one.bytes, one.saved));
        }
        builder.finish()
    }
}

#[cfg(test)]
#[path = "manifest_tests.rs"]
mod tests;

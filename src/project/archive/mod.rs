//! Projects in one file, to be kept or taken elsewhere: a plain tar, gzipped or not, that any tool
//! unpacks. Knows neither the command line nor where the file lies.
//!
//! It holds `loci-archive.json`, the [`Manifest`], first; then the files of each project below
//! `projects/KEY/`, sorted by name: `memory/…` is its memory folder wherever that lay; where they were
//! asked for, `SESSION.jsonl` is a transcript and `SESSION/…` what lies beside it. Nothing else may be in
//! it: no link, no device, no hidden name, no two names that one disk takes for one. The same files give
//! the same bytes: owner and moment of the export are not told.

mod import;
mod lines;
mod pack;
mod read;

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

pub use import::{Clash, Conflict, Import, ImportError, import};
pub use pack::{LeftOut, PackError, Packed, is_gzip, pack};
pub use read::{Archive, Arrived, Bounds, ReadError, Unpacked, read};

/// The name of the manifest.
pub const MANIFEST: &str = "loci-archive.json";

/// What `format` says.
const FORMAT: &str = "loci-archive";

/// The version of the format that is written, and the newest that is read.
const VERSION: u32 = 1;

/// The folder that all but the manifest lies in, and that of a project's memories.
const PROJECTS: &str = "projects/";
const MEMORY: &str = "memory/";

/// What an archive says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    pub format: String,
    pub version: u32,
    /// By key.
    pub projects: Vec<Listed>,
}

/// One project of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed {
    pub key: String,
    /// The path that it was about where it came from.
    pub path: Option<String>,
    /// How many of the files are memories, and how many are transcripts of sessions.
    pub memories: usize,
    pub transcripts: usize,
    /// By path.
    pub files: Vec<ListedFile>,
}

/// One file of a project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListedFile {
    /// Below `projects/KEY/`.
    pub path: String,
    pub bytes: u64,
    /// RFC 3339. The time in the tar itself has whole seconds only.
    pub modified: String,
    pub sha256: String,
}

impl Listed {
    /// Counts what a list of files holds.
    fn new(key: &str, path: Option<String>, files: Vec<ListedFile>) -> Self {
        let count = |is_it: fn(&str) -> bool| files.iter().filter(|file| is_it(&file.path)).count();
        Self {
            key: key.to_string(),
            path,
            memories: count(is_memory),
            transcripts: count(is_transcript),
            files,
        }
    }

    /// Bytes of its files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

/// Whether a path below `projects/KEY/` is that of a memory: no index, no day log.
#[must_use]
pub fn is_memory(path: &str) -> bool {
    path.strip_prefix(MEMORY).is_some_and(|inner| {
        let name = inner.rsplit('/').next().unwrap_or(inner);
        inner.ends_with(".md")
            && name != crate::memory::scan::INDEX_FILE
            && !inner.starts_with("logs/")
    })
}

/// Whether it is that of a session's transcript.
#[must_use]
pub fn is_transcript(path: &str) -> bool {
    !path.contains('/') && path.ends_with(".jsonl")
}

/// Whether a file of a project folder belongs into an archive by its name: in its memory folder, or a
/// session's. What is hidden never does: those are locks and temporary files.
fn belongs(path: &str) -> bool {
    let is_hidden = |part: &str| part.is_empty() || part.starts_with('.');
    if path.split('/').any(is_hidden) {
        return false;
    }
    match path.split_once('/') {
        None => is_transcript(path),
        Some(("memory", _)) => true,
        Some((session, _)) => super::census::is_session_id(session),
    }
}

/// The mode that a file has in an archive, and gets from one: closed to others if it was so to all of
/// them, else as the client makes its files.
fn mode_of(mode: u32) -> u32 {
    match mode & 0o077 {
        0 => 0o600,
        _ => 0o644,
    }
}

/// A name as a disk sees it that knows neither case nor forms of one letter.
pub(super) fn folded(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).nfkc().collect()
}

/// Two of some paths that can't both be there: they are one on a disk that ignores case, or one is a
/// folder of the other.
fn collision<'a>(paths: impl Iterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let mut seen: HashMap<String, &'a str> = HashMap::new();
    let mut all = Vec::new();
    for path in paths {
        let name = folded(path);
        if let Some(other) = seen.insert(name.clone(), path) {
            return Some((other, path));
        }
        all.push((name, path));
    }
    for (name, path) in &all {
        let above = name.match_indices('/').map(|(at, _)| &name[..at]);
        if let Some(other) = above.into_iter().find_map(|above| seen.get(above)) {
            return Some((other, path));
        }
    }
    None
}

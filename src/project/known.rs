//! Paths that are told elsewhere than in a project's own folder: the client's input history, which
//! outlives the transcripts, the projects of its `.claude.json`, and the git roots of folders in which
//! other sessions ran.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::claims::spelled;
use super::judge::lookup;
use super::{Claim, Source};
use crate::base::disk::Disk;
use crate::config::limits::{CLAUDE_JSON_BYTES, HISTORY_BYTES};
use crate::memory::key::{self, MAX_PLAIN_UNITS};
use crate::transcript::cwd;

/// Paths by the beginning of their keys.
#[derive(Debug, Default)]
pub struct Known {
    by_front: HashMap<String, Vec<Said>>,
    /// What could not be used: a sentence each.
    pub faults: Vec<String>,
}

#[derive(Debug, Clone)]
struct Said {
    path: String,
    source: Source,
    file: PathBuf,
}

/// What of `.claude.json` is asked.
#[derive(Deserialize)]
struct ClaudeJson {
    #[serde(default)]
    #[allow(
        clippy::zero_sized_map_values,
        reason = "what stands under a path is skipped"
    )]
    projects: HashMap<String, IgnoredAny>,
}

impl Known {
    /// Reads the input history and `.claude.json`. Neither need exist.
    #[must_use]
    pub fn read(disk: &Disk, history: &Path, claude_json: &Path) -> Self {
        let mut known = Self::default();
        known.read_history(disk, history);
        known.read_claude_json(disk, claude_json);
        known
    }

    fn read_history(&mut self, disk: &Disk, file: &Path) {
        let text = match end_of(disk, file, HISTORY_BYTES) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(error) => {
                let file = file.display();
                self.faults.push(format!("{file} can't be read: {error}"));
                return;
            }
        };
        let paths: HashSet<String> = text
            .split(|byte| *byte == b'\n')
            .filter_map(|line| cwd::field(line, b"\"project\""))
            .collect();
        for path in paths {
            self.add(&path, Source::History, file);
        }
    }

    fn read_claude_json(&mut self, disk: &Disk, file: &Path) {
        let length = disk.metadata(file).map_or(0, |data| data.len());
        if length > CLAUDE_JSON_BYTES {
            let size = length / 1024 / 1024;
            let file = file.display();
            let fault = format!("{file} is {size} MiB large: the projects in it are not looked at");
            self.faults.push(fault);
            return;
        }
        let Some(text) = disk.text(file) else { return };
        match serde_json::from_str::<ClaudeJson>(text.trim_start_matches('\u{FEFF}')) {
            Ok(read) => {
                for path in read.projects.into_keys() {
                    self.add(&path, Source::ClaudeJson, file);
                }
            }
            Err(error) => {
                let file = file.display();
                let fault = format!(
                    "{file} is no JSON as the client writes it ({error}): the projects in it are not looked at"
                );
                self.faults.push(fault);
            }
        }
    }

    /// Adds a path, unless the same source has told it already.
    pub fn add(&mut self, path: &str, source: Source, file: &Path) {
        let path = spelled(path);
        let said = self.by_front.entry(front(&key::encode(&path))).or_default();
        if !said
            .iter()
            .any(|other| other.path == path && other.source == source)
        {
            said.push(Said {
                path,
                source,
                file: file.to_path_buf(),
            });
        }
    }

    /// What is said of a key, the strongest source first.
    #[must_use]
    pub fn of(&self, disk: &Disk, key: &str) -> Vec<Claim> {
        let said = self.by_front.get(&front(key)).into_iter().flatten();
        let mut claims: Vec<Claim> = said
            .filter(|said| key::is_of(key, &said.path))
            .map(|said| Claim {
                path: PathBuf::from(&said.path),
                source: said.source,
                standing: lookup(disk, Path::new(&said.path)),
                sessions: Vec::new(),
                file: Some(said.file.clone()),
                exact: true,
            })
            .collect();
        claims.sort_by(|a, b| (a.source, &a.path).cmp(&(b.source, &b.path)));
        claims
    }

    /// The paths that the client's own files tell. They need not be there.
    pub fn told(&self) -> impl Iterator<Item = &Path> {
        let all = self.by_front.values().flatten();
        all.filter(|said| said.source != Source::Repository)
            .map(|said| Path::new(&said.path))
    }
}

/// What all keys of one path have in common.
fn front(key: &str) -> String {
    key.get(..MAX_PLAIN_UNITS)
        .unwrap_or(key)
        .to_ascii_lowercase()
}

/// The last bytes of a file; a line that they cut is no JSON any more and tells nothing.
fn end_of(disk: &Disk, file: &Path, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut file = disk.open(file)?;
    let data = file.metadata()?;
    if !data.is_file() {
        return Err(std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "is not a regular file",
        ));
    }
    file.seek(SeekFrom::Start(data.len().saturating_sub(bytes)))?;
    let mut text = Vec::new();
    file.take(bytes).read_to_end(&mut text)?;
    Ok(text)
}

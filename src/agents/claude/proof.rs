//! Proof of what a past session was sent: each standing rule and each index, whole, cut or not at all, and
//! which memories were read. What was sent is compared with what lies on the disk now. Evidence is the kind
//! of a line: an attachment, a tool's use; never a text in it.

use std::collections::{BTreeMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::agents::rules::layer_word;
use crate::base::markdown;
use crate::instructions::{self, Manner, Place};
use crate::memory::pointer::{self, Targets};
use crate::memory::scan::INDEX_FILE;
use crate::memory::{index, load};
use crate::transcript::digest::Digest;
use crate::transcript::recorded;
use crate::transcript::source::Source;
use crate::transcript::touch::How;
use crate::transcript::uses::Roots;

/// The layer of an index.
const INDEX_LAYER: &str = "AutoMem";

/// What a past session was sent and did, as far as its transcript proves it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// Whether it records what was sent.
    pub is_recorded: bool,
    /// Whether all that it records can be read: else nobody knows what was not sent.
    pub is_all_read: bool,
    /// The client's version.
    pub version: Option<String>,
    /// Where it ran, if that is there.
    pub cwd: Option<PathBuf>,
    /// Rules in their order, then indexes.
    pub files: Vec<Sent>,
    /// The memories of its project that are there or were touched, by path.
    pub memories: Vec<Used>,
    /// Files of the memory folder are told from here.
    pub memory_folder: Option<PathBuf>,
}

/// A rule or an index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub path: PathBuf,
    /// `user`, `project`, `local`, `managed`; `index`.
    pub layer: String,
    pub fate: Fate,
    /// When it was sent: RFC 3339, in UTC.
    pub times: Vec<String>,
    pub now: Now,
    /// What was sent of it last.
    pub text: Option<String>,
    /// What would be sent of it now, where that is another text or nothing was sent.
    pub here: Option<String>,
}

/// What became of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Whole,
    /// From this line on nothing was sent: of the file where that is what was sent, else of what was sent.
    Cut {
        line: usize,
        of_file: bool,
    },
    NotLoaded,
    /// It waits for a file that matches its patterns: the transcript does not say whether one was read.
    Waited,
    /// The transcript records nothing, or what can't be read.
    Unknown,
}

impl Fate {
    /// A word, and where it was cut.
    #[must_use]
    pub fn said(self) -> String {
        match self {
            Self::Whole => "whole".to_string(),
            Self::Cut { line, .. } => format!("cut from line {line}"),
            Self::NotLoaded => "not loaded".to_string(),
            Self::Waited => "waits for files".to_string(),
            Self::Unknown => "unknown".to_string(),
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Cut { .. } => "cut",
            Self::NotLoaded => "not-loaded",
            Self::Waited => "waits",
            Self::Unknown => "unknown",
        }
    }
}

/// What lies on the disk now, against what was sent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Now {
    Same,
    Changed,
    Gone,
    /// Nothing was sent that it could be compared with.
    Untold,
}

impl Now {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Same => "same",
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Untold => "untold",
        }
    }
}

/// A memory, and what the session did with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Used {
    /// Relative to the memory folder, or whole where it lies elsewhere.
    pub path: String,
    /// Whether its line stood in the index that was sent; none where that is not known.
    pub listed: Option<bool>,
    pub uses: Vec<Use>,
}

impl Used {
    /// How often its text came into the conversation.
    #[must_use]
    pub fn reads(&self) -> usize {
        self.uses.iter().filter(|it| it.how.is_reading()).count()
    }

    /// How often it was written.
    #[must_use]
    pub fn writes(&self) -> usize {
        self.uses.len() - self.reads()
    }
}

/// Once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Use {
    pub how: How,
    /// RFC 3339, in UTC.
    pub time: String,
    /// The number of the prompt, from 1.
    pub turn: u32,
    /// Where the line begins in the transcript, in bytes.
    pub at: u64,
}

/// What was sent of a file, over the session.
#[derive(Default)]
struct Recorded {
    layer: String,
    text: String,
    times: Vec<String>,
}

impl Claude {
    /// The proof of a session from its transcript of `end` bytes, whose digest is known.
    ///
    /// # Errors
    /// As the system says.
    pub fn proof<S: Source + ?Sized>(
        &self,
        source: &S,
        end: u64,
        digest: &Digest,
    ) -> io::Result<Proof> {
        let mut order: Vec<PathBuf> = Vec::new();
        let mut sent: BTreeMap<PathBuf, Recorded> = BTreeMap::new();
        let mut is_all_read = true;
        for loaded in &digest.loaded {
            let Some(told) = recorded::instructions_at(source, loaded.at, end)? else {
                is_all_read = false;
                continue;
            };
            is_all_read &= !told.is_partly_unread;
            for file in told.files {
                let path = PathBuf::from(&file.path);
                let own = sent.entry(path.clone()).or_insert_with(|| {
                    order.push(path);
                    Recorded::default()
                });
                own.times.push(told.time.clone());
                (own.layer, own.text) = (file.layer, file.content);
            }
        }
        // Where a session wrote down what it sent, what is missing was not sent. Where it wrote down nothing,
        // whatever its version, that is no evidence; nor is what nobody can read.
        let is_recorded = !digest.loaded.is_empty();
        let none = match is_recorded && is_all_read {
            true => Fate::NotLoaded,
            false => Fate::Unknown,
        };
        let cwd = digest.cwd.as_ref().map(PathBuf::from);
        let cwd = cwd.filter(|cwd| self.inner.disk.is_folder(cwd));
        let memory_folder = cwd.as_ref().map(|cwd| self.shelf_of(cwd).folder);
        let there = self.there(cwd.as_deref(), memory_folder.as_deref());
        let mut files: Vec<Sent> = Vec::new();
        let is_index = |layer: &str| layer == INDEX_LAYER;
        for path in &order {
            let own = &sent[path];
            let known = there.iter().find(|one| one.path == *path);
            let now = match known {
                Some(one) if one.text == own.text => Now::Same,
                None if self.is_gone(path) => Now::Gone,
                // Or it is there and would not be sent any more.
                Some(_) | None => Now::Changed,
            };
            let cut_in_file = known
                .filter(|_| now == Now::Same)
                .and_then(|one| one.cut_at_line);
            let fate = match (cut_in_file, cut_of(&own.layer, &own.text)) {
                (Some(line), _) => Fate::Cut {
                    line,
                    of_file: true,
                },
                (None, Some(line)) => Fate::Cut {
                    line,
                    of_file: false,
                },
                (None, None) => Fate::Whole,
            };
            files.push(Sent {
                path: path.clone(),
                layer: match is_index(&own.layer) {
                    true => "index".to_string(),
                    false => own.layer.to_lowercase(),
                },
                fate,
                times: own.times.clone(),
                now,
                text: Some(own.text.clone()),
                here: known
                    .filter(|_| now == Now::Changed)
                    .map(|one| one.text.clone()),
            });
        }
        for one in &there {
            if !sent.contains_key(&one.path) {
                files.push(Sent {
                    path: one.path.clone(),
                    layer: one.layer.to_string(),
                    fate: if one.waits { Fate::Waited } else { none },
                    times: Vec::new(),
                    now: Now::Untold,
                    text: None,
                    here: Some(one.text.clone()),
                });
            }
        }
        files.sort_by_key(|one| one.layer == "index");
        let memories = self.used(digest, memory_folder.as_deref(), &sent);
        Ok(Proof {
            is_recorded,
            is_all_read,
            version: digest.version.clone(),
            cwd,
            files,
            memories,
            memory_folder,
        })
    }

    /// What would be sent of a folder now.
    fn there(&self, cwd: Option<&Path>, memory_folder: Option<&Path>) -> Vec<There> {
        let Some(cwd) = cwd else {
            return Vec::new();
        };
        let inner = &self.inner;
        let disk = &inner.disk;
        let client = inner.client.of_folder(disk, &inner.config_home, cwd);
        let place = Place::new(disk, &client, &self.claude_json(), &inner.config_home, cwd);
        let read = instructions::read(disk, &place, &Manner::default());
        let sent = read.entries.into_iter().map(|one| There {
            path: one.path,
            layer: layer_word(one.layer),
            text: one.text,
            waits: false,
            cut_at_line: None,
        });
        let waits = read.conditional.into_iter().map(|one| There {
            path: one.path,
            layer: layer_word(one.layer),
            text: one.text,
            waits: true,
            cut_at_line: None,
        });
        let mut there: Vec<There> = sent.chain(waits).collect();
        let own = memory_folder.map(|folder| folder.join(INDEX_FILE));
        if let Some(path) = own
            && let Ok(bytes) = index::read_bytes(disk, &path)
        {
            let loaded = load::load(&index::decode(&bytes));
            there.push(There {
                path,
                layer: "index",
                text: loaded.sent(),
                waits: false,
                cut_at_line: loaded.cut_at_line,
            });
        }
        there
    }

    /// What the session did with the memories of its project.
    fn used(
        &self,
        digest: &Digest,
        folder: Option<&Path>,
        sent: &BTreeMap<PathBuf, Recorded>,
    ) -> Vec<Used> {
        let Some(folder) = folder else {
            return Vec::new();
        };
        let own: Vec<String> = self
            .memories(folder)
            .into_iter()
            .map(|memory| memory.path.to_string())
            .collect();
        let roots = Roots::of(&self.inner.disk, folder);
        let index = sent.get(&folder.join(INDEX_FILE));
        let targets = Targets::new(own.iter().map(String::as_str));
        let listed: Option<HashSet<&str>> = index.map(|index| {
            let text = &index.text;
            let marks = markdown::marks(text);
            pointer::pointed_at(text, &marks, &targets)
                .into_iter()
                .collect()
        });
        let mut used: BTreeMap<String, Used> = BTreeMap::new();
        for path in &own {
            let listed = listed.as_ref().map(|all| all.contains(path.as_str()));
            let one = Used {
                path: path.clone(),
                listed,
                uses: Vec::new(),
            };
            used.insert(path.clone(), one);
        }
        // What a tool was not let do, or never answered, is no use.
        for touch in digest.touches.iter().filter(|touch| touch.is_done()) {
            let Some(below) = roots.below(&touch.plain_path()) else {
                continue;
            };
            if below == INDEX_FILE {
                continue;
            }
            let one = used.entry(below.clone()).or_insert_with(|| Used {
                path: below,
                listed: None,
                uses: Vec::new(),
            });
            one.uses.push(Use {
                how: touch.how,
                time: touch.time.clone(),
                turn: touch.turn,
                at: touch.at,
            });
        }
        used.into_values().collect()
    }
}

/// A file that would be sent now.
struct There {
    path: PathBuf,
    layer: &'static str,
    text: String,
    waits: bool,
    cut_at_line: Option<usize>,
}

/// The first line of what an index held that was not sent: the client says below it that it was cut.
fn cut_of(layer: &str, text: &str) -> Option<usize> {
    let (before, _) = text
        .rsplit_once("\n\n> WARNING")
        .filter(|_| layer == INDEX_LAYER)?;
    Some(before.lines().count() + 1)
}

#[cfg(test)]
#[path = "proof_tests.rs"]
mod tests;

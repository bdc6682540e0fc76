//! What becomes of rules and memories in a compaction (spec 2): what is read anew from disk, what is
//! lost until a file is read again, what only the summary can still hold.

use std::path::PathBuf;

use super::gather::Source;
use super::{Asked, Layout, missing};

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is there again.
    Restored,
    /// Nothing remembers it: it comes back only with the next Read that wakes it.
    Lost,
    /// If it had been read, only the summary can still hold it.
    InSummary,
}

impl Fate {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Lost => "lost",
            Self::InSummary => "summary",
        }
    }
}

/// What it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Rule,
    /// A rule that a Read brought along.
    Nested,
    Index,
    Memory,
}

impl What {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::Nested => "nested",
            Self::Index => "index",
            Self::Memory => "memory",
        }
    }
}

/// One rule or memory after a compaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Survivor {
    pub what: What,
    pub path: PathBuf,
    pub fate: Fate,
    /// A clause.
    pub why: String,
}

pub fn all(source: &Source, asked: &Asked) -> Vec<Survivor> {
    let one = |what, path: &PathBuf, fate, why: &str| Survivor {
        what,
        path: path.clone(),
        fate,
        why: why.to_string(),
    };
    let mut all: Vec<Survivor> = source
        .instructions
        .entries
        .iter()
        .map(|rule| {
            one(
                What::Rule,
                &rule.path,
                Fate::Restored,
                "read anew from disk",
            )
        })
        .collect();
    for rule in &source.instructions.conditional {
        let why = format!(
            "until a file is read again that matches {}",
            rule.patterns.join(", ")
        );
        all.push(one(What::Rule, &rule.path, Fate::Lost, &why));
    }
    let read = source.read.as_ref();
    let nested = read.iter().flat_map(|read| &read.attached);
    for rule in nested.filter(|rule| rule.pattern.is_none()) {
        let why = "until a file below its folder is read again";
        all.push(one(What::Nested, &rule.path, Fate::Lost, why));
    }
    all.extend(
        source
            .index
            .as_ref()
            .map(|(path, _)| one(What::Index, path, Fate::Restored, "read anew from disk")),
    );
    for (_, path) in missing::titles(source) {
        let was_read = read.is_some_and(|read| read.path == path && read.text.is_some());
        let (fate, why) = match (was_read, &asked.switches.layout) {
            (true, Layout::Observed(_)) => (Fate::Restored, "among the files read last"),
            (true, Layout::Ours) | (false, _) => {
                (Fate::InSummary, "if it had been read or recalled")
            }
        };
        all.push(one(What::Memory, &path, fate, why));
    }
    all
}

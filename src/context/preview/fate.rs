//! What becomes of rules and memories in a compaction (spec 2): what is read anew from disk, what is
//! lost until a file is read again, what only the summary can still hold.

use std::path::PathBuf;

use super::gather::Source;
use super::{Asked, Layout, missing};
use crate::instructions::Role;

/// What becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is there again.
    Restored,
    /// Nothing remembers it: it comes back only with the next Read that wakes it.
    Lost,
    /// It was not there before, and waits for the Read that wakes it.
    Waits,
    /// If it had been read, only the summary can still hold it.
    InSummary,
}

impl Fate {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Restored => "restored",
            Self::Lost => "lost",
            Self::Waits => "waits",
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
    let woken: Vec<_> = source.read.iter().flat_map(|read| &read.attached).collect();
    for rule in &source.instructions.conditional {
        let patterns = rule.patterns.join(", ");
        let (fate, why) = match woken.iter().any(|one| one.path == rule.path) {
            true => (
                Fate::Lost,
                format!("until a file is read again that matches {patterns}"),
            ),
            false => (
                Fate::Waits,
                format!("not loaded before either: for a Read of {patterns}"),
            ),
        };
        all.push(one(What::Rule, &rule.path, fate, &why));
    }
    let conditional = &source.instructions.conditional;
    let nested = woken
        .iter()
        .filter(|one| conditional.iter().all(|rule| rule.path != one.path));
    for rule in nested {
        let why = match (&rule.pattern, rule.role) {
            (Some(pattern), _) => format!("until a file is read again that matches {pattern}"),
            (None, Role::Import) => "until a file that imports it is loaded again".to_string(),
            (None, _) => "until a file below its folder is read again".to_string(),
        };
        all.push(one(What::Nested, &rule.path, Fate::Lost, &why));
    }
    all.extend(
        source
            .index
            .as_ref()
            .map(|(path, _)| one(What::Index, path, Fate::Restored, "read anew from disk")),
    );
    for (_, path) in missing::titles(source) {
        let mut read = source.read.iter();
        let was_read = read.any(|read| read.path == path && read.text.is_ok());
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

#[cfg(test)]
#[path = "fate_tests.rs"]
mod tests;

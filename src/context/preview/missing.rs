//! What the model would not see: what falls below the cut of the index, memories that no line names,
//! files that are left out or wait for a Read, each with the reason.

use std::path::PathBuf;

use super::gather::Source;
use super::running::{Began, What};
use super::{Asked, Moment};
use crate::agents::{Contents, entry_title};
use crate::base::time::grouped;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::context::part::{Kind, Part};
use crate::instructions::EdgeState;
use crate::memory::file::State;
use crate::memory::load::{self, Loaded};
use crate::memory::pointer::Pointer;

/// The index and where it is cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The part that it is of; `None`: what was loaded of it is empty.
    pub part: Option<usize>,
    /// Of the trimmed text.
    pub lines: usize,
    pub units: usize,
    /// The first line of the file that is not loaded.
    pub at_line: Option<usize>,
    pub below: Vec<Below>,
    pub ghosts: Ghosts,
}

/// An index as its session began with it, which is sent still though the file has changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutAtStart {
    /// Its position among the parts.
    pub part: usize,
    /// The first line of its text that was not loaded, and how many there were from there on; `None`: the
    /// version did not say.
    pub at_line: Option<usize>,
    pub lines: Option<usize>,
}

/// An entry that falls below the cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Below {
    pub line: usize,
    pub title: String,
    /// The memory that it makes invisible, relative to the folder, if it is there.
    pub path: Option<String>,
}

/// Memories that no line of the index points at, by their paths in the folder.
pub type Ghosts = Vec<String>;

/// A file or a reference that gives nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub path: PathBuf,
    /// The end of a sentence that begins with the file.
    pub why: String,
    /// The file and the line that name it.
    pub named: Option<(PathBuf, usize)>,
}

/// What only looks like an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotAnImport {
    /// As it stands in the text.
    pub written: String,
    pub file: PathBuf,
    /// From 1.
    pub line: usize,
    /// The end of a sentence that begins with what is written.
    pub why: &'static str,
}

/// A rule that waits for a Read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub path: PathBuf,
    pub patterns: Vec<String>,
}

impl CutAtStart {
    /// What the model did not see of it.
    #[must_use]
    pub fn sentence(&self) -> String {
        match (self.at_line, self.lines) {
            (Some(line), Some(lines)) => format!(
                "of the index as the session began the model sees nothing from line {} on · {} lines",
                grouped(line),
                grouped(lines)
            ),
            (_, _) => {
                "the index as the session began was cut: of what fell off the model sees nothing"
                    .to_string()
            }
        }
    }
}

impl Cut {
    /// `lines 212 of 200 · UTF-16 units 7,221 of 25,000`.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!(
            "lines {} of {} · UTF-16 units {} of {}",
            grouped(self.lines),
            grouped(INDEX_LINES),
            grouped(self.units),
            grouped(INDEX_UNITS),
        )
    }
}

/// The cut of the index as it is now, which is the last that is sent. Of one that was edited while the
/// session runs there is none: the session has another.
pub fn cut(source: &Source, asked: &Asked, parts: &[Part]) -> Option<Cut> {
    let (_, loaded) = source.index.as_ref()?;
    let has_another = source.edited.as_ref().is_some_and(|edited| {
        edited.what == What::Index
            && asked.switches.moment == Moment::New
            && edited.before().is_none_or(|before| before != edited.now)
            && edited.began != Began::NotRecorded
    });
    if has_another {
        return None;
    }
    let part = parts.iter().rposition(|part| part.kind == Kind::Index);
    Some(cut_of(&source.contents, loaded, part))
}

/// The cut of one index. `part`: its position among the parts.
pub fn cut_of(contents: &Contents, loaded: &Loaded, part: Option<usize>) -> Cut {
    let pointers = contents
        .index
        .as_ref()
        .map_or(&[][..], |index| &index.pointers);
    let below = |pointer: &&Pointer| {
        let entry = pointer.place.is_entry();
        entry && loaded.cut_at_line.is_some_and(|line| pointer.line >= line)
    };
    let below = pointers.iter().filter(below).map(|pointer| Below {
        line: pointer.line,
        title: pointer.title.clone(),
        path: pointer.resolved.clone(),
    });
    let entries = contents.entries.iter();
    let ghosts = entries.filter(|entry| entry.state == State::Ghost);
    Cut {
        part,
        lines: loaded.lines,
        units: loaded.units,
        at_line: loaded.cut_at_line,
        below: below.collect(),
        ghosts: ghosts.map(|entry| entry.path.to_string()).collect(),
    }
}

/// The cut of an index that the session began with, where another is the one of now.
pub fn cut_at_start(now: Option<&Cut>, parts: &[Part]) -> Option<CutAtStart> {
    let part = parts.iter().position(|part| part.kind == Kind::Index)?;
    if now.is_some_and(|now| now.part == Some(part)) {
        return None;
    }
    let told = load::told(&parts[part].text)?;
    Some(CutAtStart {
        part,
        at_line: told.at_line,
        lines: told.lines,
    })
}

pub fn left_out(source: &Source) -> Vec<LeftOut> {
    let all = source.instructions.left_out.iter();
    all.map(|one| LeftOut {
        path: one.path.clone(),
        why: one.why.sentence(),
        named: one.named.clone(),
    })
    .collect()
}

pub fn not_imports(source: &Source) -> Vec<NotAnImport> {
    let edges = source.instructions.edges.iter();
    edges
        .filter_map(|edge| match edge.state {
            EdgeState::NoImport(why) => Some(NotAnImport {
                written: edge.shown(),
                file: edge.from.clone(),
                line: edge.line,
                why: why.sentence(),
            }),
            EdgeState::Loaded | EdgeState::Already | EdgeState::LeftOut(_) => None,
        })
        .collect()
}

pub fn waiting(source: &Source) -> Vec<Waiting> {
    let attached = source.read.iter().flat_map(|read| &read.attached);
    let woken: Vec<_> = attached.map(|one| &one.path).collect();
    let all = source.instructions.conditional.iter();
    all.filter(|rule| !woken.contains(&&rule.path))
        .map(|rule| Waiting {
            path: rule.path.clone(),
            patterns: rule.patterns.clone(),
        })
        .collect()
}

/// The names of memories, as a list shows them, with their paths.
pub fn titles(source: &Source) -> impl Iterator<Item = (&str, PathBuf)> {
    let entries = source.contents.entries.iter();
    entries.map(|entry| (entry_title(entry), source.memory_folder.join(&*entry.path)))
}

#[cfg(test)]
#[path = "missing_tests.rs"]
mod tests;

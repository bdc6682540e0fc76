//! The rows of the Index view: heads, each line of the file in its place, the cut between them and
//! what the model is told there.

use crate::agents::Contents;
use crate::agents::room::{self, Room};
use crate::base::{display, text};
use crate::config::limits::INDEX_UNITS;
use crate::memory::file::State;
use crate::memory::index::Index;
use crate::memory::pointer::Pointer;

/// Which of a folder's two indexes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Which {
    Own,
    Team,
}

impl Which {
    /// Where its entries lie below the memory folder.
    #[must_use]
    pub fn prefix(self) -> &'static str {
        match self {
            Self::Own => "",
            Self::Team => "team/",
        }
    }
}

/// A row of the view. Line numbers are those of the file, from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IndexRow {
    /// The folder has no index of this kind, or holds nothing: a sentence.
    None(String),
    /// Title of the team index.
    Heading,
    /// Lines and units against their limits.
    Meters(Which),
    /// A part of the sentence on its size and its room.
    Room(String),
    /// A part of the sentence on how many memories there are.
    Many(String),
    /// Bytes are past the number of the limit, units are not.
    Disagree(Which),
    /// Memory is switched off: why.
    Off(Which),
    /// The file is a link that leaves the memory folder.
    LeadsOut(Which),
    Blank,
    Line {
        which: Which,
        line: usize,
        /// Loaded, taken out before the limits count, or below the cut.
        fate: Fate,
    },
    /// Below this the model sees nothing; so many pointers are there.
    Cut {
        entries: usize,
    },
    /// A row of the warning that the model gets at the cut.
    Warning(String),
    /// Title of the memories that no line points at: how many.
    Ghosts(usize),
    /// One of them, by its path.
    Ghost(String),
}

/// What becomes of a line on its way to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Loaded,
    Stripped,
    BelowCut,
}

/// The index that a row is about.
#[must_use]
pub fn index(contents: &Contents, which: Which) -> Option<&Index> {
    match which {
        Which::Own => contents.index.as_ref(),
        Which::Team => contents.team_index.as_ref(),
    }
}

/// The pointer on a line of an index.
#[must_use]
pub fn pointer(index: &Index, line: usize) -> Option<&Pointer> {
    index.pointers.iter().find(|pointer| pointer.line == line)
}

/// All rows for what a folder holds, text wrapped to `cells`.
#[must_use]
pub fn build(contents: &Contents, cells: usize) -> Vec<IndexRow> {
    let mut rows = Vec::new();
    match &contents.index {
        Some(own) => push(&mut rows, Which::Own, own, contents, cells),
        None => {
            let none = "There is no index here (MEMORY.md): the model is not told what memories there are.";
            let said = contents.index_fault.as_deref().unwrap_or(none);
            let said = display::line(said).into_owned();
            let pieces = text::wrap(&said, cells);
            rows.extend(
                pieces
                    .into_iter()
                    .map(|piece| IndexRow::None(said[piece].to_string())),
            );
        }
    }
    if let Some(team) = &contents.team_index {
        rows.push(IndexRow::Blank);
        rows.push(IndexRow::Heading);
        push(&mut rows, Which::Team, team, contents, cells);
    }
    let ghosts: Vec<_> = contents
        .entries
        .iter()
        .filter(|entry| entry.state == State::Ghost)
        .map(|entry| IndexRow::Ghost(entry.path.to_string()))
        .collect();
    if !ghosts.is_empty() {
        rows.push(IndexRow::Blank);
        rows.push(IndexRow::Ghosts(ghosts.len()));
        rows.extend(ghosts);
    }
    rows
}

fn push(rows: &mut Vec<IndexRow>, which: Which, index: &Index, contents: &Contents, cells: usize) {
    rows.push(IndexRow::Meters(which));
    let room = Room::of(index, contents, which == Which::Team).sentence();
    rows.extend(wrapped(&room, cells).map(IndexRow::Room));
    if let (Which::Own, Some(said)) = (which, room::advice(contents.entries.len())) {
        rows.extend(wrapped(&format!("▲ {said}"), cells).map(IndexRow::Many));
    }
    if index.loaded.bytes > INDEX_UNITS && index.loaded.units <= INDEX_UNITS {
        rows.push(IndexRow::Disagree(which));
    }
    if index.off.is_some() {
        rows.push(IndexRow::Off(which));
    }
    if index.leads_out.is_some() {
        rows.push(IndexRow::LeadsOut(which));
    }
    rows.push(IndexRow::Blank);
    let cut = index.loaded.cut_at_line;
    let lines = index.text.lines().count();
    for line in 1..=lines {
        if cut == Some(line) {
            push_cut(rows, index, line, cells);
        }
        let fate = if cut.is_some_and(|cut| line >= cut) {
            Fate::BelowCut
        } else if index.loaded.stripped_lines.binary_search(&line).is_ok() {
            Fate::Stripped
        } else {
            Fate::Loaded
        };
        rows.push(IndexRow::Line { which, line, fate });
    }
    if cut.is_none() {
        push_warning(rows, index, cells);
    }
}

fn wrapped(said: &str, cells: usize) -> impl Iterator<Item = String> + '_ {
    let pieces = text::wrap(said, cells).into_iter();
    pieces.map(|piece| said[piece].to_string())
}

fn push_cut(rows: &mut Vec<IndexRow>, index: &Index, cut: usize, cells: usize) {
    let below = index.pointers.iter().filter(|pointer| pointer.line >= cut);
    rows.push(IndexRow::Cut {
        entries: below.count(),
    });
    push_warning(rows, index, cells);
}

fn push_warning(rows: &mut Vec<IndexRow>, index: &Index, cells: usize) {
    let Some(warning) = &index.loaded.warning else {
        return;
    };
    let safe = display::block(warning);
    for line in safe.lines() {
        let wrapped = text::wrap(line, cells);
        rows.extend(
            wrapped
                .into_iter()
                .map(|range| IndexRow::Warning(line[range].to_string())),
        );
    }
}

#[cfg(test)]
#[path = "index_rows_tests.rs"]
mod tests;

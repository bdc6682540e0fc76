//! How much of a folder its index tells, how many entries more it can take, and from when on an index
//! alone is no way to choose: sentences for the screen and the command line.

use std::collections::BTreeSet;

use crate::agents::Contents;
use crate::base::time::grouped;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS, MANY_MEMORIES};
use crate::memory::index::Index;

/// An index beside what it points at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Bytes of the index that the limits count.
    pub index: usize,
    /// Bytes of the memories that it is the index of.
    pub bodies: u64,
    /// Entries that fit below both limits, of the length of those that are there; `None` where there
    /// are none to go by.
    pub more: Option<usize>,
}

impl Room {
    /// Of the folder's own index, or of the second one, which is that of `team/`.
    #[must_use]
    pub fn of(index: &Index, contents: &Contents, is_team: bool) -> Self {
        let has_team = contents.team_index.is_some();
        let own = contents.entries.iter().filter(|entry| {
            let in_team = entry.path.starts_with("team/");
            match is_team {
                true => in_team,
                false => !(in_team && has_team),
            }
        });
        Self {
            index: index.loaded.bytes,
            bodies: own.map(|entry| entry.bytes).sum(),
            more: more(index),
        }
    }

    /// `3 KB : 37 KB index to bodies · ≈ 34 more entries fit`.
    #[must_use]
    pub fn sentence(self) -> String {
        let bodies = usize::try_from(self.bodies).unwrap_or(usize::MAX);
        let sizes = format!("{} : {} index to bodies", size(self.index), size(bodies));
        match self.more {
            None => sizes,
            Some(0) => format!("{sizes} · no more entry fits"),
            Some(1) => format!("{sizes} · ≈ 1 more entry fits"),
            Some(more) => format!("{sizes} · ≈ {} more entries fit", grouped(more)),
        }
    }
}

/// What is to be said of a folder with so many memories, if there are many.
#[must_use]
pub fn advice(memories: usize) -> Option<String> {
    (memories >= MANY_MEMORIES).then(|| {
        format!(
            "{} memories: at some hundreds an index of descriptions alone stops working; merge what belongs together and let go what is over",
            grouped(memories)
        )
    })
}

fn more(index: &Index) -> Option<usize> {
    let loaded = &index.loaded;
    let entries = index.pointers.iter().filter(|it| it.place.is_entry());
    let numbers: BTreeSet<usize> = entries.map(|pointer| pointer.line).collect();
    let lines = (1..).zip(index.text.lines());
    let units: usize = lines
        .filter(|(number, _)| numbers.contains(number))
        .map(|(_, line)| line.encode_utf16().count() + 1)
        .sum();
    let mean = units.div_ceil(numbers.len().max(1));
    let lines = INDEX_LINES.saturating_sub(loaded.lines);
    let by_units = INDEX_UNITS.saturating_sub(loaded.units).checked_div(mean)?;
    Some(lines.min(by_units))
}

fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        _ => format!("{} KB", grouped((bytes + 500) / 1_000)),
    }
}

#[cfg(test)]
#[path = "room_tests.rs"]
mod tests;

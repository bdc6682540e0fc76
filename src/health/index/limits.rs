//! What of an index is not loaded, by lines and by units.

use crate::base::time::grouped;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::gathered::{Gathered, Spot};
use crate::health::index::IndexPage;
use crate::memory::file::MemoryType;
use crate::memory::pointer::Pointer;

/// Titles that a sentence names.
const NAMED: usize = 5;

pub fn look(index: &IndexPage, all: &[Facts], out: &mut Gathered<'_>) {
    let Some(cut) = index.loaded.cut_at_line else {
        return;
    };
    let lines = index.loaded.lines;
    let units = index.loaded.units;
    let over_lines = lines > INDEX_LINES;
    let hidden = hidden(index, cut, all);
    let spot = Spot::line(&index.path, cut);
    if over_lines {
        let message = format!(
            "it has {} lines, and {INDEX_LINES} are loaded: {hidden}; fold older lines away or take content out",
            grouped(lines)
        );
        out.add(Code::IndexLines, spot, message, None);
    }
    if units > INDEX_UNITS {
        let message = format!(
            "it has {} UTF-16 units, and {} are loaded: {hidden}; shorten hooks or take content out",
            grouped(units),
            grouped(INDEX_UNITS)
        );
        out.add(Code::IndexSize, spot, message, None);
    }
}

/// The entries that the model does not see, feedback first: it governs what the agent does.
fn hidden(index: &IndexPage, cut: usize, all: &[Facts]) -> String {
    let type_of = |pointer: &Pointer| -> Option<&MemoryType> {
        let path = [index.prefix, pointer.resolved.as_deref()?].concat();
        let at = all
            .binary_search_by(|one| (*one.memory.path).cmp(&path))
            .ok()?;
        Some(&all[at].kind)
    };
    let below = index.pointers.iter();
    let mut below: Vec<(u8, &Pointer)> = below
        .filter(|pointer| pointer.line >= cut && pointer.place.is_entry())
        .map(|pointer| (rank(type_of(pointer)), pointer))
        .collect();
    below.sort_by_key(|(rank, pointer)| (*rank, pointer.line));
    if below.is_empty() {
        return format!("what is from line {cut} on, the model does not see");
    }
    let named: Vec<String> = below
        .iter()
        .take(NAMED)
        .map(
            |(_, pointer)| match type_of(pointer).and_then(MemoryType::word) {
                Some(kind) => format!("{} ({kind})", pointer.title),
                None => pointer.title.clone(),
            },
        )
        .collect();
    let more = match below.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let entries = if below.len() == 1 { "entry" } else { "entries" };
    format!(
        "from line {cut} on the model does not see {} {entries}: {}{more}",
        below.len(),
        named.join(", ")
    )
}

fn rank(kind: Option<&MemoryType>) -> u8 {
    match kind {
        Some(MemoryType::Feedback) => 0,
        Some(MemoryType::User) => 1,
        Some(MemoryType::Project) => 2,
        Some(MemoryType::Reference) => 3,
        Some(MemoryType::Unknown(_) | MemoryType::Missing) | None => 4,
    }
}

#[cfg(test)]
#[path = "limits_tests.rs"]
mod tests;

//! What no selector is told of: the memories beyond the newest ones of a folder.

use crate::base::time::grouped;
use crate::config::limits::MANIFEST_MEMORIES;
use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::gathered::{Gathered, Spot};

/// How many of them are named: the newest.
const NAMED: usize = 3;

pub fn look(all: &[Facts], out: &mut Gathered<'_>) {
    if all.len() <= MANIFEST_MEMORIES {
        return;
    }
    let mut newest: Vec<&Facts> = all.iter().collect();
    newest.sort_by(|a, b| {
        let by_age = b.memory.modified.cmp(&a.memory.modified);
        by_age.then_with(|| a.memory.path.cmp(&b.memory.path))
    });
    let cut = &newest[MANIFEST_MEMORIES..];
    let names = cut.iter().take(NAMED).map(|one| &*one.memory.path);
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match cut.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {} more", grouped(more)),
    };
    let (are, them) = match cut.len() {
        1 => ("memory is", "it"),
        _ => ("memories are", "them"),
    };
    let message = format!(
        "{} {are} not among the newest {MANIFEST_MEMORIES} of {}, so no selector is told of {them}: {names}{more}; remove or merge older ones",
        grouped(cut.len()),
        grouped(all.len())
    );
    out.add(Code::ManifestCut, Spot::file(""), message, None);
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

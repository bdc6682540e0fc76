//! What no selector is told of: the memories beyond the newest ones of a folder.

use crate::config::limits::MANIFEST_MEMORIES;
use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::gathered::{Gathered, Spot};

pub fn look(all: &[Facts], out: &mut Gathered<'_>) {
    if all.len() <= MANIFEST_MEMORIES {
        return;
    }
    let mut newest: Vec<&Facts> = all.iter().collect();
    newest.sort_by(|a, b| {
        let by_age = b.memory.modified.cmp(&a.memory.modified);
        by_age.then_with(|| a.memory.path.cmp(&b.memory.path))
    });
    for one in &newest[MANIFEST_MEMORIES..] {
        let message = format!(
            "it is not among the newest {MANIFEST_MEMORIES} of {} memories, so no selector is told of it; remove or merge older ones",
            all.len()
        );
        out.add(
            Code::ManifestCut,
            Spot::file(&one.memory.path),
            message,
            None,
        );
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

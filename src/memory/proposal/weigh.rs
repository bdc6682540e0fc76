//! What a change between index and rules costs: tokens a turn, estimated, of what is really sent.

use std::path::Path;

use crate::base::tokens::estimate;
use crate::memory::index::decode;
use crate::memory::load;
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{ChangeSet, Op};

/// What a turn costs once a memory is a rule, or the other way round: a sentence. The index as it is
/// loaded before and after, since below the cut a line costs nothing and the one that goes makes room
/// for another. `waits`: the rule is only loaded once a file is read that its patterns match.
pub(super) fn turn(set: &ChangeSet, rule: &str, becomes_rule: bool, waits: bool) -> String {
    let (before, after) = index(set);
    let rule = estimate(rule);
    let once = if waits { " once it is loaded" } else { "" };
    let more = if becomes_rule { "more" } else { "less" };
    let unseen = match before == after {
        true => " (a line below the cut is not sent)",
        false => "",
    };
    format!(
        "tokens a turn: ≈ {before} → ≈ {after} of the index{unseen}, ≈ {rule} {more} of rules{once}"
    )
}

/// Tokens of the indexes that a change set writes, as they are loaded before and after.
fn index(set: &ChangeSet) -> (usize, usize) {
    let sent = |bytes: &[u8]| {
        let loaded = load::load(&decode(bytes));
        let warning = loaded.warning.as_deref().map_or(0, estimate);
        estimate(&loaded.text) + warning
    };
    let mut sums = (0, 0);
    for change in &set.changes {
        if let Op::Write {
            path,
            before,
            after,
            ..
        } = &change.op
            && path.file_name().is_some_and(|name| name == INDEX_FILE)
        {
            sums.0 += before.as_deref().map_or(0, sent);
            sums.1 += sent(after);
        }
    }
    sums
}

/// What is to be known of a rules file that a link takes out of its folder: a sentence.
pub(super) fn outside(title: &str, real: &Path) -> String {
    format!(
        "{title} leads out of its folder: it is {} that changes",
        real.display()
    )
}

#[cfg(test)]
#[path = "weigh_tests.rs"]
mod tests;

//! The anchor of an estimate: what the provider counted of the newest session's first request. Tools and
//! the client's own texts, which are not recorded, are in it; only what has changed since is estimated.

use super::gather::Source;
use super::{Asked, Layout, Moment};
use crate::base::time::grouped;
use crate::context::part::{Kind, Part};
use crate::context::tokens;

/// Tokens of the whole request, and what was counted of the one that it is measured by. `None` where
/// nothing was counted, where it is not known with which files, or where another request is shown: of
/// another moment, another model, another version, or one without memory.
pub fn total(
    source: &Source,
    asked: &Asked,
    model: &str,
    parts: &[Part],
) -> Option<(usize, usize)> {
    let first = source.recorded.first.as_ref()?;
    let is_like = asked.switches.layout != Layout::Ours
        && asked.switches.moment == Moment::New
        && source.edited.is_none()
        && source.agent.is_none()
        && first.model == model
        && !first.files.is_empty()
        && !source.memory_off
        && first.version == source.recorded.version;
    if !is_like {
        return None;
    }
    let files = first.files.iter().map(|file| tokens::estimate(&file.text));
    let then = files.sum::<usize>() + first.asked;
    let is_own = |part: &&Part| match part.kind {
        Kind::Rule | Kind::Index => true,
        // What is said and read now is not what was said then.
        _ => !part.cached,
    };
    let now: usize = parts
        .iter()
        .filter(is_own)
        .filter_map(|part| part.tokens)
        .sum();
    // A count that is smaller than the files alone is none.
    let rest = first.tokens.checked_sub(then)?;
    Some((rest + now, first.tokens))
}

/// What is said of it.
pub fn sentence(counted: usize) -> String {
    format!(
        "the total goes by the provider's count of the newest session's first request, {} tokens: what has changed since is estimated",
        grouped(counted)
    )
}

#[cfg(test)]
#[path = "anchor_tests.rs"]
mod tests;

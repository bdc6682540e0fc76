//! A fork: a side request (extraction, notes, compaction) that takes over everything from its parent,
//! unchanged, and only appends, so that it reads the parent's cache. Knows no task of a fork.

use crate::context::merge;
use crate::context::request::{Message, Request};
use crate::context::secrets;
use crate::safety::secret::Allowed;

/// The parent's request with messages appended. The marks stay where the parent has them: the fork reads
/// what is there and writes nothing of its own. Secrets are masked here too, but those that the parent's
/// session lets pass.
#[must_use]
pub fn fork(parent: &Request, appended: Vec<Message>, allowed: &Allowed) -> Request {
    let mut request = parent.clone();
    let mut appended = merge::escape(merge::merge_and_pair(appended));
    secrets::mask_messages(&mut appended, allowed);
    let mut appended = appended.into_iter().peekable();
    // What is asked goes behind what the person said last: nothing of the parent's is moved.
    let goes_on = request.messages.last().map(|last| last.role);
    if let Some(first) = appended.next_if(|first| Some(first.role) == goes_on)
        && let Some(last) = request.messages.last_mut()
    {
        last.blocks.extend(first.blocks);
    }
    request.messages.extend(appended);
    request
}

/// Whether all that the cache compares of `parent` is the beginning of `fork`, and the fork has more.
#[must_use]
pub fn extends(fork: &Request, parent: &Request) -> bool {
    let (fork, parent) = (fork.cache_items(), parent.cache_items());
    fork.len() > parent.len() && fork.starts_with(&parent)
}

/// How much of a request was read from the cache, from 0 to 1, by the provider's own count; `None`: it
/// counted nothing.
#[must_use]
pub fn hit_share(input: usize, written: usize, read: usize) -> Option<f64> {
    let whole = input + written + read;
    #[allow(clippy::cast_precision_loss, reason = "tokens of a request")]
    (whole > 0).then(|| read as f64 / whole as f64)
}

#[cfg(test)]
#[path = "fork_tests.rs"]
mod tests;

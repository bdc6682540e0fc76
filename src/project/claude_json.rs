//! The projects of the client's `.claude.json`, by their places in its bytes: so that one entry can be
//! renamed or taken out and every other byte stays.

use std::ops::Range;

use crate::base::json::{self, Member, Members};

/// The object `projects` of a document; `None` where there is none, or the bytes are no JSON.
pub(super) fn projects(bytes: &[u8]) -> Option<Members> {
    let begin = bytes.strip_prefix(b"\xEF\xBB\xBF").map_or(0, |_| 3);
    let top = json::members(bytes, begin)?;
    let is_projects = |member: &&Member| &bytes[member.key.clone()] == b"\"projects\"";
    let found = top.members.iter().rev().find(is_projects)?;
    json::members(bytes, found.value.start)
}

/// The bytes without some members of an object, by their numbers in order.
pub(super) fn without(object: &Members, bytes: &[u8], gone: &[usize]) -> Vec<u8> {
    let Members { inside, members } = object;
    let is_gone = |at: &usize| gone.contains(at);
    let all = 0..members.len();
    let Some(last) = all.clone().rev().find(|at| !is_gone(at)) else {
        return [&bytes[..inside.start], &bytes[inside.end..]].concat();
    };
    let mut cuts: Vec<Range<usize>> = all
        .take(last)
        .filter(is_gone)
        .map(|at| members[at].key.start..members[at + 1].key.start)
        .collect();
    if let [.., end] = members.as_slice() {
        cuts.push(members[last].value.end..end.value.end);
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut kept = 0;
    for cut in cuts {
        out.extend_from_slice(&bytes[kept..cut.start]);
        kept = cut.end;
    }
    out.extend_from_slice(&bytes[kept..]);
    out
}

#[cfg(test)]
#[path = "claude_json_tests.rs"]
mod tests;

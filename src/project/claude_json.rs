//! The projects of the client's `.claude.json`, by their places in its bytes: so that one entry can be
//! renamed or taken out and every other byte stays.

use std::ops::Range;

use crate::transcript::cwd::end_of_string;

/// The object `projects` of a document.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entries {
    /// What stands between its braces.
    inside: Range<usize>,
    pub(super) entries: Vec<Entry>,
}

/// One entry of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Its key, the quotes included.
    pub(super) key: Range<usize>,
    /// Where its value ends.
    end: usize,
}

/// Finds the object; `None` where there is none, or the bytes are no JSON up to its end.
pub(super) fn projects(bytes: &[u8]) -> Option<Entries> {
    let open = blank(bytes, bytes.strip_prefix(b"\xEF\xBB\xBF").map_or(0, |_| 3));
    let top = object(bytes, open)?;
    let is_projects = |entry: &&Entry| &bytes[entry.key.clone()] == b"\"projects\"";
    let found = top.entries.iter().rev().find(is_projects)?;
    object(bytes, value(bytes, found.key.end)?)
}

impl Entries {
    /// The bytes without some entries, by their numbers in order.
    pub(super) fn without(&self, bytes: &[u8], gone: &[usize]) -> Vec<u8> {
        let is_gone = |at: &usize| gone.contains(at);
        let all = 0..self.entries.len();
        let Some(last) = all.clone().rev().find(|at| !is_gone(at)) else {
            return [&bytes[..self.inside.start], &bytes[self.inside.end..]].concat();
        };
        let mut cuts: Vec<Range<usize>> = all
            .take(last)
            .filter(is_gone)
            .map(|at| self.entries[at].key.start..self.entries[at + 1].key.start)
            .collect();
        if let [.., end] = self.entries.as_slice() {
            cuts.push(self.entries[last].end..end.end);
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
}

fn object(bytes: &[u8], open: usize) -> Option<Entries> {
    (bytes.get(open) == Some(&b'{')).then_some(())?;
    let mut entries = Vec::new();
    let mut at = blank(bytes, open + 1);
    loop {
        match bytes.get(at)? {
            b'}' => {
                return Some(Entries {
                    inside: open + 1..at,
                    entries,
                });
            }
            b'"' => {
                let end = end_of_string(bytes, at)?;
                let key = at..end;
                let end = end_of_value(bytes, value(bytes, end)?)?;
                entries.push(Entry { key, end });
                at = blank(bytes, end);
                if bytes.get(at) == Some(&b',') {
                    at = blank(bytes, at + 1);
                }
            }
            _ => return None,
        }
    }
}

/// Where the value begins that follows a key, which ends at `end`, and its colon.
fn value(bytes: &[u8], end: usize) -> Option<usize> {
    let colon = blank(bytes, end);
    (bytes.get(colon) == Some(&b':')).then(|| blank(bytes, colon + 1))
}

fn end_of_value(bytes: &[u8], begin: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = begin;
    loop {
        match bytes.get(at)? {
            b'"' => {
                at = end_of_string(bytes, at)?;
                if depth == 0 {
                    return Some(at);
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth <= 1 => return Some(at + depth),
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => return Some(at),
            byte if depth == 0 && byte.is_ascii_whitespace() => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

fn blank(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

#[cfg(test)]
#[path = "claude_json_tests.rs"]
mod tests;

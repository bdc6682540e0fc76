//! Which messages of a page belong to the conversation: from where it goes on behind the page its parents
//! lead upwards; what is not on that way was taken back.

use std::collections::HashSet;
use std::io;

use memchr::memmem;

use super::item::{Node, Reading};
use super::{Said, Side, Up};
use crate::config::limits::{JOIN_BYTES, READ_BYTES};
use crate::transcript::source::Source;

/// Gives each item its side; where the conversation goes on before `from`, the beginning of the page.
pub fn sort<S: Source + ?Sized>(
    source: &S,
    from: u64,
    reading: &mut Reading,
    up: &Up,
) -> io::Result<Up> {
    // In a sub-agent's own transcript every line is one of a side-chain.
    let is_agents = reading.nodes.iter().all(|node| node.is_sidechain);
    let is_own = |node: &Node| node.is_sidechain == is_agents;
    let is_main = |node: &Node| node.is_message && is_own(node);
    let last_before = |reading: &Reading, at: usize| reading.nodes[..at].iter().rposition(is_main);
    let mut on_path = HashSet::new();
    let known = |reading: &Reading, uuid: &str| reading.by_uuid.get(uuid).copied();
    let length = reading.nodes.len();
    let mut next = match up {
        Up::Last => last_before(reading, length),
        Up::Beyond(uuid) => known(reading, uuid).or_else(|| last_before(reading, length)),
        Up::Nowhere => None,
        Up::Line(uuid) => match known(reading, uuid) {
            Some(at) => Some(at),
            None if stands_before(source, from, uuid)? => None,
            None => last_before(reading, length),
        },
    };
    // What leads past the page leads on before it.
    let mut goes_on = match next {
        None => up.clone(),
        Some(_) => Up::Last,
    };
    while let Some(at) = next.filter(|at| on_path.insert(*at)) {
        let node = &reading.nodes[at];
        if let Some(boundary) = &node.boundary {
            goes_on = boundary.clone();
            break;
        }
        let above = last_before(reading, at);
        (next, goes_on) = match &node.parent {
            None => (None, Up::Nowhere),
            Some(parent) => match known(reading, parent) {
                Some(parent) => (Some(parent), Up::Last),
                None if above.is_none() => (None, Up::Line(parent.clone())),
                None if stands_before(source, from, parent)? => (None, Up::Line(parent.clone())),
                None => (above, Up::Last),
            },
        };
    }
    // A boundary cuts all the same, whatever leads past it.
    if let Some(Node {
        boundary: Some(boundary),
        ..
    }) = reading.nodes.first()
    {
        goes_on = boundary.clone();
        if reading.nodes[0].is_far(source, from)? {
            reading.tell_elsewhere();
        }
    }
    let messages: HashSet<String> = on_path
        .iter()
        .filter_map(|at| reading.nodes[*at].message.clone())
        .collect();
    for (at, node) in reading.nodes.iter().enumerate() {
        let is_on = on_path.contains(&at)
            || node
                .message
                .as_ref()
                .is_some_and(|id| messages.contains(id));
        let side = match (is_own(node), is_on) {
            (false, _) => Side::Agent,
            (true, true) => Side::Main,
            (true, false) => Side::Branch,
        };
        for item in &mut reading.items[node.items.clone()] {
            item.side = match (&item.said, side) {
                // What the client put in is in the conversation wherever it hangs.
                (
                    Said::Prompt(_)
                    | Said::Command(_)
                    | Said::Answer(_)
                    | Said::Thinking(_)
                    | Said::Tool(_)
                    | Said::Picture(_),
                    Side::Branch,
                )
                | (_, Side::Agent) => side,
                (_, Side::Main | Side::Branch) => Side::Main,
            };
        }
    }
    Ok(goes_on)
}

impl Node {
    /// Whether a boundary says what came before it, and no line near has that id.
    fn is_far<S: Source + ?Sized>(&self, source: &S, from: u64) -> io::Result<bool> {
        let Some(Up::Beyond(earlier)) = &self.boundary else {
            return Ok(false);
        };
        // What is further away is not looked for: most of it is there.
        Ok(from <= JOIN_BYTES && !stands_before(source, from, earlier)?)
    }
}

/// Whether a line before `at` has this id.
fn stands_before<S: Source + ?Sized>(source: &S, at: u64, uuid: &str) -> io::Result<bool> {
    let finder = memmem::FinderRev::new(uuid);
    let mut piece = Vec::new();
    let mut to = at;
    // Pieces overlap, so that no id is parted from its key.
    let overlap = uuid.len() as u64 + 32;
    while to > 0 {
        let from = to.saturating_sub(READ_BYTES as u64);
        let until = at.min(to + overlap);
        piece.resize(usize::try_from(until - from).unwrap_or(0), 0);
        let filled = source.fill_at(&mut piece, from)?;
        let held = &piece[..filled];
        if finder
            .rfind_iter(held)
            .any(|found| is_own_id(&held[..found]))
        {
            return Ok(true);
        }
        to = from;
    }
    Ok(false)
}

/// Whether `"uuid":"` stands at the end of these bytes, blanks aside.
fn is_own_id(before: &[u8]) -> bool {
    let step = |bytes: &'static [u8], rest: &mut &[u8]| {
        let found = rest.trim_ascii_end().strip_suffix(bytes);
        found.map(<[u8]>::len).map(|length| *rest = &rest[..length])
    };
    let mut rest = before.strip_suffix(b"\"").unwrap_or_default();
    step(b":", &mut rest).is_some() && step(b"\"uuid\"", &mut rest).is_some()
}

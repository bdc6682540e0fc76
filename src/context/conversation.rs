//! A conversation of ours as its transcript holds it, and the first steps of a request: cut at the last
//! boundary, replay what was spilled, clear by time. Each step is a pure function of the entries before
//! it, so that what was sent once is sent again byte for byte. Knows nothing of rules and memories.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::base::time::Moment;
use crate::config::limits::{CLEAR_IDLE_SECONDS, CLEAR_KEEPS};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Role};

/// What stands in the place of a tool result that was cleared.
pub const CLEARED: &str = "[Old tool result content cleared]";

/// The tools whose results may be cleared; shells and the web stand in foreign transcripts.
const CLEARABLE: [&str; 9] = [
    "Read",
    "Grep",
    "Glob",
    "LS",
    "Write",
    "Edit",
    "Bash",
    "WebSearch",
    "WebFetch",
];

/// One entry of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    Said {
        role: Role,
        blocks: Vec<Block>,
        time: Moment,
    },
    /// Text of ours or of a file that goes with the turn: a recalled memory, a rule that a Read brought
    /// along, a note. Sent as a reminder of its own.
    Attached { pieces: Vec<Piece>, time: Moment },
    /// A compaction: what lies before it is gone but the `kept` entries next to it, which follow the
    /// summary.
    Boundary {
        summary: Piece,
        kept: usize,
        time: Moment,
    },
}

/// The decision, recorded once, that a tool result lies on disk and only its beginning is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spill {
    /// Of the tool use.
    pub id: String,
    pub preview: String,
    pub path: PathBuf,
}

impl Spill {
    /// What is sent in the result's place.
    #[must_use]
    pub fn text(&self) -> String {
        let path: &Path = &self.path;
        format!(
            "{}\n[The whole result lies in {}: read it there if you need more.]",
            self.preview,
            path.display()
        )
    }
}

impl Entry {
    #[must_use]
    pub fn time(&self) -> Moment {
        match self {
            Self::Said { time, .. } | Self::Attached { time, .. } | Self::Boundary { time, .. } => {
                *time
            }
        }
    }

    fn blocks_mut(&mut self) -> &mut [Block] {
        match self {
            Self::Said { blocks, .. } => blocks,
            Self::Attached { .. } | Self::Boundary { .. } => &mut [],
        }
    }

    fn blocks(&self) -> &[Block] {
        match self {
            Self::Said { blocks, .. } => blocks,
            Self::Attached { .. } | Self::Boundary { .. } => &[],
        }
    }
}

/// Cuts at the last boundary: the summary, what it kept, and what came after.
#[must_use]
pub fn cut(entries: &[Entry]) -> Vec<Entry> {
    let last = entries
        .iter()
        .rposition(|entry| matches!(entry, Entry::Boundary { .. }));
    let Some(at) = last else {
        return entries.to_vec();
    };
    let Entry::Boundary {
        summary,
        kept,
        time,
    } = &entries[at]
    else {
        return entries.to_vec();
    };
    let first = Entry::Said {
        role: Role::User,
        blocks: vec![Block::text(summary.clone())],
        time: *time,
    };
    // An older boundary ends what can be kept.
    let from = entries[..at]
        .iter()
        .rposition(|entry| matches!(entry, Entry::Boundary { .. }))
        .map_or(0, |older| older + 1);
    let from = from.max(at.saturating_sub(*kept));
    std::iter::once(first)
        .chain(entries[from..at].iter().cloned())
        .chain(entries[at + 1..].iter().cloned())
        .collect()
}

/// Puts the recorded beginnings in the place of results that were spilled.
#[must_use]
pub fn replay_spills(mut entries: Vec<Entry>, spills: &[Spill]) -> Vec<Entry> {
    let spills: HashMap<&str, &Spill> = spills
        .iter()
        .map(|spill| (spill.id.as_str(), spill))
        .collect();
    for block in entries.iter_mut().flat_map(Entry::blocks_mut) {
        if let Content::ToolResult { id, result, .. } = &mut block.content
            && let Some(spill) = spills.get(id.as_str())
        {
            *result =
                Piece::new(Kind::ToolResult, Origin::Conversation, spill.text()).of(&spill.path);
        }
    }
    entries
}

/// Clears old tool results wherever the conversation lay idle so long that the provider's cache had
/// gone cold anyway. Each such pause clears what came before it but the newest results there, now and
/// in every later request. An error is never cleared.
#[must_use]
pub fn clear_by_time(mut entries: Vec<Entry>, now: Moment) -> Vec<Entry> {
    let clearable = clearable(&entries);
    let mut cleared: HashSet<String> = HashSet::new();
    let mut seen: Vec<&String> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let results = entry
            .blocks()
            .iter()
            .filter_map(|block| match &block.content {
                Content::ToolResult { id, is_error, .. } if !is_error => Some(id),
                _ => None,
            });
        seen.extend(results.filter(|id| clearable.contains(id.as_str())));
        let next = entries.get(at + 1).map_or(now, Entry::time);
        if next.seconds - entry.time().seconds >= CLEAR_IDLE_SECONDS {
            let old = seen.len().saturating_sub(CLEAR_KEEPS);
            cleared.extend(seen[..old].iter().map(|id| (*id).clone()));
        }
    }
    for block in entries.iter_mut().flat_map(Entry::blocks_mut) {
        if let Content::ToolResult { id, result, .. } = &mut block.content
            && cleared.contains(id.as_str())
        {
            *result = Piece::new(Kind::ToolResult, Origin::Ours, CLEARED);
        }
    }
    entries
}

/// The ids of uses of tools whose results may be cleared.
fn clearable(entries: &[Entry]) -> HashSet<String> {
    let blocks = entries.iter().flat_map(Entry::blocks);
    blocks
        .filter_map(|block| match &block.content {
            Content::ToolUse { id, name, .. } if CLEARABLE.contains(&name.as_str()) => {
                Some(id.clone())
            }
            _ => None,
        })
        .collect()
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;

//! A conversation of ours: what its session was begun with, and its entries. What is in view of the model
//! is found by looking at them, never kept beside them. Reads no file.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::base::time::Moment;
use crate::context::conversation::{self, CLEARED, Entry, Spill};
use crate::context::ours::{self, Session};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Request, Role};
use crate::context::tokens::{self, Anchor, Total};
use crate::transcript::message::Usage;

/// One conversation.
#[derive(Debug, Clone, PartialEq)]
pub struct Chat {
    /// Names the session.
    pub id: String,
    pub session: Session,
    pub entries: Vec<Entry>,
    pub spills: Vec<Spill>,
    /// The provider's last count.
    pub anchor: Option<Anchor>,
}

/// A use of a tool that stands in the conversation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Use<'a> {
    pub id: &'a str,
    pub name: &'a str,
    pub input: &'a Value,
}

impl Chat {
    #[must_use]
    pub fn new(id: impl Into<String>, session: Session) -> Self {
        Self {
            id: id.into(),
            session,
            entries: Vec::new(),
            spills: Vec::new(),
            anchor: None,
        }
    }

    /// The request that would be sent now.
    #[must_use]
    pub fn request(&self, now: Moment) -> Request {
        ours::build(&self.session, &self.entries, &self.spills, now)
    }

    /// Tokens of a request of this conversation.
    #[must_use]
    pub fn tokens(&self, request: &Request) -> Total {
        tokens::total(request, self.anchor)
    }

    /// Takes what the provider counted of a request that was sent.
    pub fn counted(&mut self, request: &Request, usage: &Usage) {
        let tokens = usage.input + usage.cache_read + usage.cache_creation;
        self.anchor = (tokens > 0).then(|| Anchor {
            tokens: usize::try_from(tokens).unwrap_or(usize::MAX),
            items: request.cache_items().len(),
        });
    }

    /// Somebody says something. What has no block says nothing.
    pub fn say(&mut self, role: Role, blocks: Vec<Block>, time: Moment) {
        if !blocks.is_empty() {
            self.entries.push(Entry::Said { role, blocks, time });
        }
    }

    /// Text goes with the turn, as a reminder of its own.
    pub fn attach(&mut self, pieces: Vec<Piece>, time: Moment) {
        if !pieces.is_empty() {
            self.entries.push(Entry::Attached { pieces, time });
        }
    }

    /// A note of ours to the model.
    pub fn note(&mut self, text: impl Into<String>, time: Moment) {
        self.attach(vec![Piece::new(Kind::Note, Origin::Ours, text)], time);
    }

    /// What the model is sent of it now: what lies before a compaction is gone, old results are cleared.
    #[must_use]
    pub fn in_view(&self, now: Moment) -> Vec<Entry> {
        let entries = conversation::cut(&self.entries);
        let entries = conversation::replay_spills(entries, &self.spills);
        conversation::clear_by_time(entries, now)
    }

    /// The ids of all tool uses that there ever were.
    #[must_use]
    pub fn ids(&self) -> HashSet<&str> {
        uses(&self.entries).map(|one| one.id).collect()
    }
}

/// The tool uses of a conversation, in their order.
#[must_use]
pub fn uses(entries: &[Entry]) -> impl DoubleEndedIterator<Item = Use<'_>> {
    blocks(entries).filter_map(|block| match &block.content {
        Content::ToolUse { id, name, input } => Some(Use { id, name, input }),
        Content::Text(_) | Content::Reminder(_) | Content::ToolResult { .. } | Content::Raw(_) => {
            None
        }
    })
}

/// The result of a tool use; `None`: there is none, it is an error, or it was cleared.
#[must_use]
pub fn result<'a>(entries: &'a [Entry], of: &str) -> Option<&'a Piece> {
    let mut results = blocks(entries).filter_map(|block| match &block.content {
        Content::ToolResult {
            id,
            result,
            is_error: false,
        } if id == of => Some(result),
        _ => None,
    });
    results.next().filter(|result| result.shown() != CLEARED)
}

/// Whether a text of this kind and file is attached in a conversation.
#[must_use]
pub fn has_attached(entries: &[Entry], kind: Kind, path: &Path) -> bool {
    entries.iter().any(|entry| match entry {
        Entry::Attached { pieces, .. } => pieces
            .iter()
            .any(|piece| piece.kind == kind && piece.path.as_deref() == Some(path)),
        Entry::Said { .. } | Entry::Boundary { .. } => false,
    })
}

fn blocks(entries: &[Entry]) -> impl DoubleEndedIterator<Item = &Block> {
    entries.iter().flat_map(|entry| match entry {
        Entry::Said { blocks, .. } => blocks.as_slice(),
        Entry::Attached { .. } | Entry::Boundary { .. } => &[],
    })
}

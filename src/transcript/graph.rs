//! The graph of a transcript behind its last boundary: which line hangs on which, what each message
//! holds. Texts stay in the file; so much is held as there are lines.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

use super::backwards::{Backwards, last_boundary};
use super::entry::{Entry, Kind};
use super::lines::{Line, Lines};
use super::message::{Block, Role};
use super::names::{Name, Names};
use super::source::Source;
use crate::base::json::reader::Text;
use crate::config::limits::JOIN_BYTES;

/// One line that has an id, or is a message.
#[derive(Debug, Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "marks of a line, each on its own"
)]
pub struct Node {
    /// Where the line stands in the file.
    pub range: Range<u64>,
    pub uuid: Option<Name>,
    pub parent: Option<Name>,
    pub kind: Kind,
    pub role: Role,
    /// The id of the API message that it is a part of.
    pub message: Option<Name>,
    /// The tool uses in it, and those whose results are in it.
    pub uses: Box<[Name]>,
    pub results: Box<[Name]>,
    pub is_sidechain: bool,
    /// Whether it says anything but thoughts, tool uses and results.
    pub says: bool,
    pub thinks: bool,
    pub begins_with_text: bool,
    pub ends_with_text: bool,
    /// What a command of the client printed, which asks for no answer.
    pub is_local_output: bool,
}

/// The last boundary.
#[derive(Debug, Clone)]
pub struct Boundary {
    pub range: Range<u64>,
    pub uuid: Option<Name>,
    /// The line that the kept messages follow.
    pub anchor: Option<Name>,
    /// The messages before it that stay in the conversation, in their order, as nodes.
    pub kept: Vec<usize>,
    /// Those of them that were not found.
    pub lost: Vec<Name>,
    /// Whether it says what came before it, and that is not in this file.
    pub is_earlier_elsewhere: bool,
}

#[derive(Debug, Default)]
pub struct Graph {
    /// In the order of the file, kept messages behind all others.
    pub nodes: Vec<Node>,
    pub names: Names,
    pub by_uuid: HashMap<Name, usize>,
    pub boundary: Option<Boundary>,
    /// The last message of the file that is of no side-chain.
    pub leaf: Option<usize>,
    /// Whether something was attached behind that message.
    pub is_attached_to: bool,
    /// Lines that are no JSON.
    pub unreadable: Vec<Range<u64>>,
    /// Lines that hold more than one object, with the ids of their objects.
    pub glued: Vec<(Range<u64>, Vec<Name>)>,
    /// Lines that hold so much that only a part of it could be looked at.
    pub thinned: Vec<Range<u64>>,
    /// The last line, where it is cut off.
    pub incomplete: Option<Range<u64>>,
    /// Lines whose id was there before. The last of them counts, in the place of the first.
    pub repeated: usize,
    /// The version of the client that wrote last: `2.1.220` is `[2, 1, 220]`.
    pub version: Option<[u32; 3]>,
}

impl Graph {
    /// Reads what a resumed session begins from: what stands behind the last boundary before `end`.
    ///
    /// # Errors
    /// As the system says.
    pub fn read<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Self> {
        let mut graph = Self::default();
        let mut from = 0;
        if let Some(range) = last_boundary(source, end)? {
            from = range.end;
            graph.boundary = graph.read_boundary(source, range)?;
        }
        let kept = std::mem::take(&mut graph.nodes);
        let mut lines = Lines::new(source, from..end);
        while let Some(line) = lines.next_line()? {
            graph.add_line(&line);
        }
        graph.add_kept(kept);
        Ok(graph)
    }

    /// The node with this id.
    #[must_use]
    pub fn node(&self, name: Name) -> Option<usize> {
        self.by_uuid.get(&name).copied()
    }

    fn add_line(&mut self, line: &Line<'_>) {
        if line.is_thinned() {
            self.thinned.push(line.range.clone());
        }
        match Entry::of_line(line.bytes) {
            Ok(entry) => self.add(&entry, line.range.clone()),
            Err(_) if line.bytes.trim_ascii().is_empty() => {}
            Err(_) if !line.is_ended => self.incomplete = Some(line.range.clone()),
            Err(_) => match Entry::all_of_line(line.bytes) {
                Ok(entries) => {
                    let ids = entries.iter().filter_map(|entry| entry.uuid);
                    let ids = ids.map(|uuid| self.names.take(&uuid.read())).collect();
                    self.glued.push((line.range.clone(), ids));
                }
                Err(_) => self.unreadable.push(line.range.clone()),
            },
        }
    }

    fn add(&mut self, entry: &Entry<'_>, range: Range<u64>) {
        if let Some(version) = entry.version.and_then(|text| version(&text.read())) {
            self.version = Some(version);
        }
        if entry.uuid.is_none() && !entry.kind.is_message() {
            return;
        }
        let node = self.node_of(entry, range);
        let is_leaf = node.kind.is_message() && !node.is_sidechain;
        let is_attachment = node.kind == Kind::Attachment && !node.is_sidechain;
        let known = node.uuid.and_then(|uuid| self.node(uuid));
        let at = match known {
            Some(at) => {
                self.repeated += 1;
                self.nodes[at] = node;
                at
            }
            None => {
                let at = self.nodes.len();
                if let Some(uuid) = node.uuid {
                    self.by_uuid.insert(uuid, at);
                }
                self.nodes.push(node);
                at
            }
        };
        if is_leaf {
            self.leaf = Some(at);
        }
        self.is_attached_to = !is_leaf && (is_attachment || self.is_attached_to);
    }

    fn node_of(&mut self, entry: &Entry<'_>, range: Range<u64>) -> Node {
        let message = &entry.message;
        let names = &mut self.names;
        let mut take = |text: Option<Text<'_>>| text.map(|text| names.take(&text.read()));
        let blocks = &message.blocks;
        let uses = blocks.iter().filter_map(|block| match block {
            Block::ToolUse { id, .. } => Some(*id),
            _ => None,
        });
        let uses = uses.filter_map(&mut take).collect();
        let results = blocks.iter().filter_map(|block| match block {
            Block::ToolResult { of, .. } => Some(*of),
            _ => None,
        });
        let results = results.filter_map(&mut take).collect();
        let says = |block: &Block<'_>| match block {
            Block::Text(text) => !text.read().trim().is_empty(),
            Block::Picture { .. } | Block::Other(_) => true,
            Block::Thinking(_) | Block::ToolUse { .. } | Block::ToolResult { .. } => false,
        };
        Node {
            range,
            uuid: take(entry.uuid),
            parent: take(entry.parent),
            kind: entry.kind,
            role: match entry.kind {
                Kind::Assistant => Role::Assistant,
                Kind::System => Role::System,
                Kind::User | Kind::Attachment | Kind::Other => Role::User,
            },
            message: take(message.id),
            uses,
            results,
            is_sidechain: entry.is_sidechain,
            says: blocks.iter().any(says),
            thinks: blocks.iter().any(Block::is_thinking),
            begins_with_text: blocks.first().is_some_and(Block::is_text),
            ends_with_text: blocks.last().is_some_and(Block::is_text),
            is_local_output: match blocks.first() {
                Some(Block::Text(text)) => text.raw.starts_with(b"<local-command-stdout>"),
                _ => false,
            },
        }
    }

    /// The boundary, with the messages before it that it keeps; their nodes are all that there are yet.
    fn read_boundary<S: Source + ?Sized>(
        &mut self,
        source: &S,
        range: Range<u64>,
    ) -> io::Result<Option<Boundary>> {
        let mut lines = Lines::new(source, range.clone());
        let Some(line) = lines.next_line()? else {
            return Ok(None);
        };
        let Ok(entry) = Entry::of_line(line.bytes) else {
            return Ok(None);
        };
        self.version = entry.version.and_then(|text| version(&text.read()));
        let mut take = |text: Text<'_>| self.names.take(&text.read());
        let mut boundary = Boundary {
            range: range.clone(),
            uuid: entry.uuid.map(&mut take),
            anchor: entry.preserved.anchor.map(&mut take),
            kept: Vec::new(),
            lost: Vec::new(),
            is_earlier_elsewhere: false,
        };
        let wanted: Vec<Name> = entry
            .preserved
            .uuids
            .iter()
            .copied()
            .map(&mut take)
            .collect();
        let segment = (entry.preserved.head, entry.preserved.tail);
        let segment = match segment {
            (Some(head), Some(tail)) if wanted.is_empty() => Some((take(head), take(tail))),
            (_, _) => None,
        };
        let earlier = entry.logical_parent.map(take);
        let (kept, lost) = match segment {
            Some((head, tail)) => self.segment(source, range.start, head, tail)?,
            None => self.listed(source, range.start, &wanted)?,
        };
        boundary.lost = lost;
        self.nodes = kept;
        if let Some(earlier) = earlier {
            boundary.is_earlier_elsewhere = self.is_missing(source, range.start, earlier)?;
        }
        Ok(Some(boundary))
    }

    /// The nodes of these lines before `at`, in the order that is asked for, and the ids that are not there.
    fn listed<S: Source + ?Sized>(
        &mut self,
        source: &S,
        at: u64,
        wanted: &[Name],
    ) -> io::Result<(Vec<Node>, Vec<Name>)> {
        let mut found: HashMap<Name, Node> = HashMap::new();
        let mut before = Backwards::new(source, at);
        while found.len() < wanted.len()
            && let Some(range) = before.line_before()?
        {
            if let Some(node) = self.node_at(source, range)?
                && let Some(uuid) = node.uuid
                && wanted.contains(&uuid)
            {
                found.entry(uuid).or_insert(node);
            }
        }
        let lost = wanted.iter().filter(|uuid| !found.contains_key(uuid));
        let lost = lost.copied().collect();
        let kept = wanted.iter().filter_map(|uuid| found.remove(uuid));
        Ok((kept.collect(), lost))
    }

    /// The nodes from one line to another, both before `at`, by their parents.
    fn segment<S: Source + ?Sized>(
        &mut self,
        source: &S,
        at: u64,
        head: Name,
        tail: Name,
    ) -> io::Result<(Vec<Node>, Vec<Name>)> {
        let (mut kept, mut wanted) = (Vec::new(), Some(tail));
        let mut before = Backwards::new(source, at);
        while let Some(uuid) = wanted
            && let Some(range) = before.line_before()?
        {
            if let Some(node) = self.node_at(source, range)?
                && node.uuid == Some(uuid)
            {
                wanted = node.parent.filter(|_| uuid != head);
                kept.push(node);
            }
        }
        kept.reverse();
        Ok((kept, wanted.into_iter().collect()))
    }

    fn node_at<S: Source + ?Sized>(
        &mut self,
        source: &S,
        range: Range<u64>,
    ) -> io::Result<Option<Node>> {
        let mut lines = Lines::new(source, range);
        Ok(match lines.next_line()? {
            Some(line) => Entry::of_line(line.bytes)
                .ok()
                .map(|entry| self.node_of(&entry, line.range)),
            None => None,
        })
    }

    /// Whether no line before `at` has this id. Unknown, if it is not near, is no.
    fn is_missing<S: Source + ?Sized>(
        &mut self,
        source: &S,
        at: u64,
        uuid: Name,
    ) -> io::Result<bool> {
        let mut before = Backwards::new(source, at);
        while let Some(range) = before.line_before()? {
            let far = at - range.start > JOIN_BYTES;
            let node = self.node_at(source, range)?;
            if far || node.is_some_and(|node| node.uuid == Some(uuid)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Kept messages stand behind the others: what is written a second time is there already.
    fn add_kept(&mut self, kept: Vec<Node>) {
        let mut places = Vec::new();
        for node in kept {
            if !node.kind.is_message() {
                continue;
            }
            let Some(uuid) = node.uuid else { continue };
            if self.by_uuid.contains_key(&uuid) {
                continue;
            }
            let at = self.nodes.len();
            self.by_uuid.insert(uuid, at);
            self.nodes.push(node);
            places.push(at);
        }
        if let Some(boundary) = &mut self.boundary {
            boundary.kept = places;
        }
    }
}

fn version(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.split(['.', '-', '+']).map(str::parse);
    let mut part = || parts.next()?.ok();
    Some([part()?, part()?, part()?])
}

#[cfg(test)]
#[path = "graph_tests.rs"]
mod tests;

//! The lines of a page as items, and their places in the graph. A tool's result goes to its use.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{Boundary, Item, Piece, Said, Side, Tool, ToolResult, Up};
use crate::base::json::reader::Text;
use crate::transcript::details::{Call, Details};
use crate::transcript::entry::{Entry, Kind};
use crate::transcript::lines::Line;
use crate::transcript::message::Block;
use crate::transcript::spoken;

/// Said of a picture whose bytes stand beside the result once more: they are sent once.
const STORED_TWICE: &str = "stored twice, sent once";
/// Characters of what tells most of a tool's input.
const ABOUT_CHARS: usize = 400;

/// What a command of the client begins with in a user's line, which bears no other mark.
const COMMANDS: [&[u8]; 5] = [
    b"<command-name>",
    b"<command-message>",
    b"<local-command-stdout>",
    b"<local-command-stderr>",
    b"<bash-input>",
];

/// A line with an id, or a message.
#[derive(Debug)]
pub struct Node {
    pub parent: Option<String>,
    pub message: Option<String>,
    pub is_message: bool,
    pub is_sidechain: bool,
    /// Of a boundary: where the conversation goes on before it.
    pub boundary: Option<Up>,
    /// Its items.
    pub items: Range<usize>,
}

/// The lines of a page, as they come.
#[derive(Debug, Default)]
pub struct Reading {
    pub items: Vec<Item>,
    pub nodes: Vec<Node>,
    pub by_uuid: HashMap<String, usize>,
    /// Tools by the ids of their uses: the item.
    tools: HashMap<String, usize>,
    /// Items of lines that were written a second time.
    gone: Vec<Range<usize>>,
}

fn owned(text: Option<Text<'_>>) -> Option<String> {
    text.map(|text| text.read().into_owned())
}

impl Reading {
    pub fn into_items(self) -> Vec<Item> {
        let Self { items, gone, .. } = self;
        let gone: HashSet<usize> = gone.into_iter().flatten().collect();
        let kept = items.into_iter().enumerate();
        let kept = kept.filter(|(at, _)| !gone.contains(at));
        kept.map(|(_, item)| item).collect()
    }

    /// Says of the boundary of the page that what came before it is elsewhere.
    pub fn tell_elsewhere(&mut self) {
        if let Some(Said::Boundary(boundary)) = self.items.first_mut().map(|item| &mut item.said) {
            boundary.is_earlier_elsewhere = true;
        }
    }

    /// Takes a line; `is_last`: it ends with the file.
    pub fn take(&mut self, line: &Line<'_>, is_last: bool) {
        let entries = match Entry::of_line(line.bytes) {
            Ok(entry) => vec![entry],
            Err(_) if line.bytes.trim_ascii().is_empty() => return,
            Err(_) => Entry::all_of_line(line.bytes).unwrap_or_default(),
        };
        if entries.is_empty() {
            let bytes = line.range.end - line.range.start;
            let said = match is_last && !line.is_ended {
                true => Said::Incomplete(bytes),
                false => Said::Unreadable(bytes),
            };
            self.items.push(Item {
                at: line.range.start,
                number: 0,
                uuid: None,
                time: None,
                side: Side::Main,
                said,
            });
            return;
        }
        for entry in &entries {
            self.add(line, entry, entries.len() == 1);
        }
    }

    fn add(&mut self, line: &Line<'_>, entry: &Entry<'_>, is_alone: bool) {
        if entry.uuid.is_none() && !entry.kind.is_message() {
            return;
        }
        let begin = self.items.len();
        // Of objects that share a line their messages are told, no more.
        let details = match is_alone {
            true => Details::of_line(line.bytes).unwrap_or_default(),
            false => Details::default(),
        };
        let uuid = owned(entry.uuid);
        let time = owned(entry.time);
        for said in self.said(line, entry, &details) {
            let at = self.items.len();
            if let Said::Tool(tool) = &said {
                self.tools.insert(tool.id.clone(), at);
            }
            self.items.push(Item {
                at: line.range.start,
                number: at - begin,
                uuid: uuid.clone(),
                time: time.clone(),
                side: Side::Main,
                said,
            });
        }
        let node = Node {
            parent: owned(entry.parent),
            message: owned(entry.message.id).filter(|_| entry.kind == Kind::Assistant),
            is_message: entry.kind.is_message(),
            is_sidechain: entry.is_sidechain,
            boundary: entry
                .is_boundary()
                .then(|| owned(entry.logical_parent).map_or(Up::Last, Up::Beyond)),
            items: begin..self.items.len(),
        };
        let Some(uuid) = uuid else {
            self.nodes.push(node);
            return;
        };
        let at = self.nodes.len();
        if let Some(older) = self.by_uuid.insert(uuid, at) {
            self.replace(self.nodes[older].items.clone(), node.items.clone());
        }
        self.nodes.push(node);
    }

    /// A line is there a second time. Where it says something else now, that is told in the place of the first.
    fn replace(&mut self, older: Range<usize>, newer: Range<usize>) {
        // The result of a tool is on a line of its own, which is there once.
        for (old, new) in older.clone().zip(newer.clone()) {
            let (before, behind) = self.items.split_at_mut(new);
            if let (Said::Tool(old), Said::Tool(new)) = (&mut before[old].said, &mut behind[0].said)
                && old.id == new.id
                && new.result.is_none()
            {
                new.result = old.result.take();
                new.agent_id = old.agent_id.take();
            }
        }
        let said = |range: &Range<usize>| {
            let items = self.items[range.clone()].iter();
            items
                .map(|item| item.said.without_result())
                .collect::<Vec<_>>()
        };
        let is_same = said(&older) == said(&newer);
        let mut gone = older;
        if !is_same && let Some(first) = gone.next() {
            self.items[first].said = Said::Repeated;
        }
        self.gone.push(gone);
    }

    fn said(&mut self, line: &Line<'_>, entry: &Entry<'_>, details: &Details<'_>) -> Vec<Said> {
        match entry.kind {
            Kind::User | Kind::Assistant => {
                let message = &entry.message;
                let blocks = message.blocks.iter();
                let said = blocks.filter_map(|block| self.block(line, entry, details, block));
                let mut said: Vec<Said> = said.collect();
                let missing = line.missing(message.blocks_end);
                said.extend((missing > 0).then_some(Said::Missing(missing)));
                said
            }
            Kind::System if entry.is_boundary() => {
                let preserved = &entry.preserved;
                vec![Said::Boundary(Boundary {
                    trigger: owned(details.trigger).unwrap_or_default(),
                    before: details.before,
                    after: details.after,
                    kept: preserved.uuids.len(),
                    is_earlier_elsewhere: false,
                })]
            }
            Kind::System => {
                let kind = owned(entry.subtype).unwrap_or_default();
                let text = details.content.map(|text| Piece::of(line, text));
                // That a turn took so long is nothing that was said.
                let says = text
                    .as_ref()
                    .is_some_and(|text| !text.text.trim().is_empty());
                says.then_some(Said::Notice { kind, text })
                    .into_iter()
                    .collect()
            }
            Kind::Attachment => vec![attached(line, entry, details)],
            Kind::Other => Vec::new(),
        }
    }

    fn block(
        &mut self,
        line: &Line<'_>,
        entry: &Entry<'_>,
        details: &Details<'_>,
        block: &Block<'_>,
    ) -> Option<Said> {
        let piece = |text: Text<'_>| Piece::of(line, text);
        Some(match block {
            Block::Text(text) if entry.is_summary => Said::Summary(piece(*text)),
            Block::Text(text) if entry.is_meta => Said::Reminder(piece(*text)),
            Block::Text(text) if entry.kind == Kind::Assistant => Said::Answer(piece(*text)),
            Block::Text(text) => {
                let start = text.raw.trim_ascii_start();
                match COMMANDS.iter().any(|tag| start.starts_with(tag)) {
                    true => Said::Command(piece(*text)),
                    false => Said::Prompt(piece(*text)),
                }
            }
            Block::Thinking(text) => {
                let text = text.filter(|text| !text.raw.is_empty());
                Said::Thinking(text.map(piece))
            }
            Block::ToolUse { id, name, .. } => {
                let call = details.calls.iter().find(|call| call.id == *id);
                Said::Tool(Box::new(tool(line, *id, *name, call)))
            }
            Block::ToolResult {
                of,
                is_error,
                content,
                end,
            } => {
                let mut result = result(line, *is_error, content);
                result.others.extend(spoken::missing(line, *end));
                let has_picture = content
                    .iter()
                    .any(|block| matches!(block, Block::Picture { .. }));
                if entry.is_stored_twice && has_picture {
                    result.others.push(STORED_TWICE.to_string());
                }
                let id = owned(*of).unwrap_or_default();
                let own = self.tools.get(&id).map(|at| &mut self.items[*at].said);
                if let Some(Said::Tool(tool)) = own {
                    tool.result = Some(result);
                    tool.agent_id = owned(details.agent);
                    return None;
                }
                Said::Tool(Box::new(Tool {
                    id,
                    agent_id: owned(details.agent),
                    result: Some(result),
                    ..Tool::default()
                }))
            }
            Block::Picture { kind, data } => Said::Picture(spoken::picture(line, *kind, *data)),
            Block::Other(kind) => Said::Picture(format!("[{}]", owned(*kind).unwrap_or_default())),
        })
    }
}

fn tool(
    line: &Line<'_>,
    id: Option<Text<'_>>,
    name: Option<Text<'_>>,
    call: Option<&Call<'_>>,
) -> Tool {
    let about = call.and_then(|call| owned(call.about)).unwrap_or_default();
    Tool {
        id: owned(id).unwrap_or_default(),
        name: owned(name).unwrap_or_default(),
        about: about.chars().take(ABOUT_CHARS).collect(),
        input: call
            .filter(|call| call.input.len() > 2)
            .map(|call| Piece::raw(line, call.input.clone())),
        agent: call.and_then(|call| owned(call.agent)),
        agent_id: None,
        result: None,
    }
}

fn result(line: &Line<'_>, is_error: bool, content: &[Block<'_>]) -> ToolResult {
    let mut result = ToolResult {
        at: line.range.start,
        is_error,
        ..ToolResult::default()
    };
    for block in content {
        match block {
            Block::Text(text) => result.texts.push(Piece::of(line, *text)),
            Block::Picture { kind, data } => {
                result.others.push(spoken::picture(line, *kind, *data));
            }
            Block::Other(kind) => {
                result
                    .others
                    .push(format!("[{}]", owned(*kind).unwrap_or_default()));
            }
            Block::Thinking(_) | Block::ToolUse { .. } | Block::ToolResult { .. } => {}
        }
    }
    result
}

fn attached(line: &Line<'_>, entry: &Entry<'_>, details: &Details<'_>) -> Said {
    let kind = owned(entry.attachment).unwrap_or_default();
    let rendered = details.rendered.map(|text| Piece::of(line, text));
    let files = &details.attached.files;
    if kind == "instructions" {
        let files = files.iter().map(|file| {
            let layer = owned(file.layer).unwrap_or_default();
            (file.path.read().into_owned(), layer)
        });
        return Said::Instructions {
            files: files.collect(),
            changed: details.attached.changed,
        };
    }
    if files.is_empty() {
        return Said::Attached {
            kind,
            text: rendered,
        };
    }
    let text = match files.as_slice() {
        [file] => file.text.map(|text| Piece::of(line, text)),
        _ => None,
    };
    Said::Files {
        kind,
        paths: files
            .iter()
            .map(|file| file.path.read().into_owned())
            .collect(),
        text: text.or(rendered),
    }
}

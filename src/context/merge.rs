//! The last steps of a request: attachments find their place, neighbours become one message, uses and
//! results are paired, reminders are escaped and wrapped. Pure functions; they look at roles and kinds,
//! never at what a text says.

use std::collections::HashSet;

use crate::context::conversation::Entry;
use crate::context::part::{Kind, Origin, Piece, Text};
use crate::context::request::{Block, Content, Message, Role};

/// The tags of a reminder, and what stands for them in a text that is put into one.
const OPEN: &str = "<system-reminder>";
const CLOSE: &str = "</system-reminder>";
const OPEN_DEFUSED: &str = "<\\system-reminder>";
const CLOSE_DEFUSED: &str = "<\\/system-reminder>";

/// Makes messages of the entries. What is attached stands as near to the question as it can without
/// crossing an assistant message or a tool result. It came after both, so it does from the first time on
/// and is never placed anew.
#[must_use]
pub fn attach(entries: Vec<Entry>) -> Vec<Message> {
    let mut messages: Vec<Message> = Vec::new();
    for entry in entries {
        match entry {
            Entry::Said { role, blocks, .. } => messages.push(Message::new(role, blocks)),
            Entry::Attached { pieces, .. } => {
                let block = Block::new(Content::Reminder(pieces));
                messages.push(Message::new(Role::User, vec![block]));
            }
            // Cut before; a boundary left here has nothing to say.
            Entry::Boundary { .. } => {}
        }
    }
    messages
}

/// Makes one message of neighbours with the same role, tool results first in it; drops tool uses without
/// a result, results without a use and what is empty or blank. Roles alternate then.
#[must_use]
pub fn merge_and_pair(messages: Vec<Message>) -> Vec<Message> {
    let mut merged = merge(messages);
    pair(&mut merged);
    for message in &mut merged {
        message.blocks.retain(|block| !is_blank(block));
    }
    merged.retain(|message| !message.blocks.is_empty());
    let mut merged = merge(merged);
    for message in &mut merged {
        message.blocks.sort_by_key(|block| !block.is_tool_result());
    }
    merged
}

fn merge(messages: Vec<Message>) -> Vec<Message> {
    let mut merged: Vec<Message> = Vec::with_capacity(messages.len());
    for message in messages {
        match merged.last_mut().filter(|last| last.role == message.role) {
            Some(last) => last.blocks.extend(message.blocks),
            None => merged.push(message),
        }
    }
    merged
}

/// Keeps only uses whose result stands in the next message, and those results, each once.
fn pair(messages: &mut [Message]) {
    let mut open: HashSet<String> = HashSet::new();
    for at in 0..messages.len() {
        if messages[at].role == Role::User {
            messages[at].blocks.retain(|block| match &block.content {
                Content::ToolResult { id, .. } => open.remove(id),
                // Nobody but the model uses a tool.
                Content::ToolUse { .. } => false,
                Content::Text(_) | Content::Reminder(_) | Content::Raw(_) => true,
            });
            continue;
        }
        open.clear();
        let answered: HashSet<String> = messages.get(at + 1).map_or_else(HashSet::new, |next| {
            let ids = next.blocks.iter().filter_map(|block| match &block.content {
                Content::ToolResult { id, .. } => Some(id.clone()),
                _ => None,
            });
            ids.collect()
        });
        messages[at].blocks.retain(|block| match &block.content {
            Content::ToolUse { id, .. } => answered.contains(id) && open.insert(id.clone()),
            Content::ToolResult { .. } => false,
            Content::Text(_) | Content::Reminder(_) | Content::Raw(_) => true,
        });
    }
}

fn is_blank(block: &Block) -> bool {
    match &block.content {
        Content::Text(pieces) | Content::Reminder(pieces) => {
            pieces.iter().all(|piece| piece.shown().trim().is_empty())
        }
        Content::ToolUse { .. } | Content::ToolResult { .. } | Content::Raw(_) => false,
    }
}

/// Wraps reminders in their tags, after defusing such tags inside the texts.
#[must_use]
pub fn escape(mut messages: Vec<Message>) -> Vec<Message> {
    for block in messages.iter_mut().flat_map(|message| &mut message.blocks) {
        if let Content::Reminder(pieces) = &mut block.content {
            let mut pieces = std::mem::take(pieces);
            for piece in &mut pieces {
                if let Text::Known(text) = &mut piece.text
                    && (text.contains(OPEN) || text.contains(CLOSE))
                {
                    *text = text
                        .replace(OPEN, OPEN_DEFUSED)
                        .replace(CLOSE, CLOSE_DEFUSED);
                }
            }
            let tag = |text: String| Piece::new(Kind::Wrapper, Origin::Ours, text);
            pieces.insert(0, tag(format!("{OPEN}\n")));
            pieces.push(tag(format!("\n{CLOSE}")));
            block.content = Content::Text(pieces);
        }
    }
    messages
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;

//! Cache marks: where the provider may begin to read from its cache the next time. At most four. Knows
//! nothing of what the blocks say.

use crate::context::part::Kind;
use crate::context::request::{Block, Content, Life, Message, Request, Role};

/// Marks in one request; the provider refuses more.
pub const MARKS: usize = 4;

/// Blocks that the provider looks back from a mark.
const LOOKS_BACK: usize = 20;

/// Sets the marks: at the end of the static part of `system` (its block `fixed`, from 0), at its end, at
/// the end of the rules in the first message, and on the last message. A turn that adds more blocks than
/// the provider looks back gets one in its middle, for which the first is given up.
pub fn set(request: &mut Request, fixed: usize, life: Life) {
    clear(request);
    let spare = spare(&request.messages);
    let before_last = request.system.len().saturating_sub(1);
    if spare.is_none() && fixed < before_last {
        mark(&mut request.system[fixed], life);
    }
    if let Some(block) = request.system.last_mut() {
        mark(block, life);
    }
    if let Some(block) = request.messages.first_mut().and_then(rules_end) {
        mark(block, life);
    }
    if let Some((message, block)) = spare {
        mark(&mut request.messages[message].blocks[block], life);
    }
    let mut lasts = request.messages.iter_mut().rev();
    if let Some(block) = lasts.find_map(|message| message.blocks.last_mut()) {
        mark(block, life);
    }
}

fn mark(block: &mut Block, life: Life) {
    block.mark = Some(life);
}

/// Takes all marks off.
pub fn clear(request: &mut Request) {
    let messages = request
        .messages
        .iter_mut()
        .flat_map(|message| &mut message.blocks);
    for block in request.system.iter_mut().chain(messages) {
        block.mark = None;
    }
}

/// The block that ends the rules: the last of the first message that holds a rule or the index.
fn rules_end(first: &mut Message) -> Option<&mut Block> {
    let is_rules = |block: &&mut Block| {
        let mut kinds = block.pieces().iter().map(|piece| piece.kind);
        kinds.any(|kind| matches!(kind, Kind::Rule | Kind::Index))
    };
    first.blocks.iter_mut().rev().find(is_rules)
}

/// Where a spare mark goes: message and block. The request before ended with the user message before the
/// last answer; from the mark that it left there on the provider must be able to look back.
fn spare(messages: &[Message]) -> Option<(usize, usize)> {
    let answer = messages
        .iter()
        .rposition(|message| message.role == Role::Assistant)?;
    let added: Vec<(usize, usize)> = (answer..messages.len())
        .flat_map(|at| (0..messages[at].blocks.len()).map(move |block| (at, block)))
        .collect();
    if added.len() <= LOOKS_BACK {
        return None;
    }
    let middle = (added.len() / 2).min(LOOKS_BACK);
    let can_bear = |&&(message, block): &&(usize, usize)| {
        // The provider takes no mark on a block of thought.
        !matches!(messages[message].blocks[block].content, Content::Raw(_))
    };
    added[..middle].iter().rfind(can_bear).copied()
}

#[cfg(test)]
#[path = "marks_tests.rs"]
mod tests;

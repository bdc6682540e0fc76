//! A request as a version of the reference client was seen to lay it out: with which model, at which
//! moment of a session. The places are data; what stands in them comes from the caller, from the
//! project's own transcript, or is known only by its length. Puts nothing in of its own.

use std::path::{Path, PathBuf};

use crate::context::observed::block::{self, Sent};
use crate::context::observed::data::{Version, Wrapper};
use crate::context::observed::fill::{Filled, said};
use crate::context::observed::models;
use crate::context::observed::recorded::Recorded;
use crate::context::observed::slot::{Line, Slot};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Life, Message, Params, Request, Role};
use crate::instructions::Instruction;

/// What a request is built from.
#[derive(Debug, Clone)]
pub struct Given<'a> {
    pub version: &'a Version,
    pub model: &'a str,
    /// What the project's newest transcript holds; empty where there is none.
    pub recorded: &'a Recorded,
    /// As they are read now.
    pub instructions: &'a [Instruction],
    /// The index as it is loaded now, with its warning: its path and text.
    pub index: Option<(&'a Path, &'a str)>,
    /// YYYY-MM-DD.
    pub date: &'a str,
    /// The working directory lies in a git repository.
    pub git: bool,
    /// The rules for memory are moved out of `system` (`--exclude-dynamic-system-prompt-sections`).
    pub memory_prompt_moved: bool,
    /// Memory is switched off: its rules are not in `system`.
    pub memory_off: bool,
    /// A file that changed while the session runs, of which the next turn is told.
    pub edited: Option<&'a Path>,
    pub stage: Stage<'a>,
    /// What is asked now.
    pub prompt: Option<&'a str>,
}

/// The moment of a session.
#[derive(Debug, Clone)]
pub enum Stage<'a> {
    First,
    /// A later turn, or a resumed session.
    Later {
        first_prompt: &'a str,
        /// What was said since.
        conversation: &'a [Message],
        /// The files as the session began with them; `None`: as they are now.
        at_start: Option<&'a [Sent]>,
        resumed: bool,
    },
    /// After a compaction: everything is read anew.
    Compacted {
        summary: &'a str,
        tail: &'a [Message],
        restored: &'a [Restored],
        commands: &'a [&'a str],
        /// The session was left and taken up again since.
        resumed: bool,
    },
    /// The request that asks for the summary.
    Summary {
        first_prompt: &'a str,
        conversation: &'a [Message],
    },
}

/// A file that is read again after a compaction, as its tool shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    pub path: PathBuf,
    pub text: String,
}

/// Builds the request.
#[must_use]
pub fn build(given: &Given<'_>) -> Request {
    let builder = Builder {
        given,
        wrapper: given
            .recorded
            .wrapper
            .as_ref()
            .unwrap_or(&given.version.wrapper),
    };
    let mut messages = builder.messages();
    builder.mark(&mut messages);
    Request {
        params: Params {
            model: given.model.to_string(),
            max_tokens: given.version.max_tokens,
            ..Params::default()
        },
        system: builder.system(),
        messages,
    }
}

/// The exact text of the block of instructions and index, as a fresh start sends it; empty where there
/// is none.
#[must_use]
pub fn rules_block(given: &Given<'_>) -> String {
    let wrapper = given
        .recorded
        .wrapper
        .as_ref()
        .unwrap_or(&given.version.wrapper);
    let files = block::sent(&wrapper.labels, given.instructions, given.index);
    let pieces = block::pieces(wrapper, &files, given.date);
    pieces.iter().map(Piece::shown).collect()
}

pub(super) struct Builder<'a> {
    pub(super) given: &'a Given<'a>,
    pub(super) wrapper: &'a Wrapper,
}

impl Builder<'_> {
    fn messages(&self) -> Vec<Message> {
        let layout = &self.given.version.layout;
        let mut messages = Vec::new();
        match &self.given.stage {
            Stage::First => self.add(self.first(), self.given.prompt, &mut messages),
            Stage::Later {
                first_prompt,
                conversation,
                ..
            } => {
                self.add(self.first(), Some(first_prompt), &mut messages);
                self.add_conversation(conversation, &mut messages);
                self.add(&layout.turn, self.given.prompt, &mut messages);
            }
            Stage::Compacted { tail, .. } => {
                let whole = layout.compacted_whole.as_ref().filter(|_| tail.is_empty());
                let lines = whole.unwrap_or(&layout.compacted);
                self.add(lines, self.given.prompt, &mut messages);
            }
            Stage::Summary {
                first_prompt,
                conversation,
            } => {
                if layout.summary_alone {
                    let prompt = said(first_prompt);
                    messages.push(Message::new(Role::User, vec![Block::text(prompt)]));
                } else {
                    self.add(self.first(), Some(first_prompt), &mut messages);
                }
                self.add_conversation(conversation, &mut messages);
                self.add(&layout.summary, self.given.prompt, &mut messages);
            }
        }
        messages
    }

    fn first(&self) -> &[Line] {
        let layout = &self.given.version.layout;
        let old = layout.first_old.as_ref();
        old.filter(|_| models::is_old(self.given.model))
            .unwrap_or(&layout.first)
    }

    fn add(&self, lines: &[Line], prompt: Option<&str>, messages: &mut Vec<Message>) {
        for line in lines {
            let (role, slots) = match line {
                Line::Message(role, slots) => (*role, slots),
                Line::Tail => {
                    if let Stage::Compacted { tail, .. } = self.given.stage {
                        messages.extend_from_slice(tail);
                    }
                    continue;
                }
            };
            let filled = slots.iter().map(|slot| self.fill(*slot, prompt));
            let blocks = match role {
                Role::System => joined(filled),
                Role::User | Role::Assistant => apart(filled),
            };
            if !blocks.is_empty() || slots == &[Slot::Nothing] {
                messages.push(Message::new(role, blocks));
            }
        }
    }

    fn add_conversation(&self, conversation: &[Message], messages: &mut Vec<Message>) {
        for message in conversation {
            messages.push(message.clone());
            let results = message.blocks.iter().any(Block::is_tool_result);
            if results && self.given.version.layout.budget_after_results {
                let budget = joined(std::iter::once(self.fill(Slot::Budget, None)));
                messages.push(Message::new(Role::System, budget));
            }
        }
    }

    fn system(&self) -> Vec<Block> {
        let alone = self.given.version.layout.summary_alone
            && matches!(self.given.stage, Stage::Summary { .. });
        let prompt = match alone {
            true => Slot::SummarySystem,
            false => Slot::SystemPrompt,
        };
        let slots = [Slot::Billing, Slot::Identity, prompt];
        let mut system = apart(slots.iter().map(|slot| self.fill(*slot, None)));
        for block in system.iter_mut().skip(1) {
            block.mark = Some(Life::FiveMinutes);
        }
        system
    }

    /// The last block of the last message bears a mark, or the last ones of several. A request for a
    /// summary leaves the cache as the conversation had it: there it is the message before its own.
    fn mark(&self, messages: &mut [Message]) {
        let marked = self.given.version.layout.marked_messages;
        let asks = messages.iter().position(|message| {
            let mut kinds = message.blocks.iter().map(Block::kind);
            kinds.any(|kind| kind == Kind::SummaryPrompt)
        });
        let end = match asks {
            Some(at) => at + marked - 1,
            None => messages.len(),
        };
        for message in messages[..end].iter_mut().rev().take(marked) {
            if let Some(last) = message.blocks.last_mut() {
                last.mark = Some(Life::FiveMinutes);
            }
        }
    }
}

/// Each a block of its own.
fn apart(filled: impl Iterator<Item = Filled>) -> Vec<Block> {
    let tag = |text: &str| Piece::new(Kind::Wrapper, Origin::Client, text);
    filled
        .flat_map(|filled| {
            let reminder = filled.reminder;
            filled.blocks.into_iter().map(move |mut pieces| {
                if reminder {
                    pieces.insert(0, tag("<system-reminder>\n"));
                    pieces.push(tag("\n</system-reminder>"));
                }
                Block::new(Content::Text(pieces))
            })
        })
        .collect()
}

/// All in one block, an empty line between them; none where there is nothing.
fn joined(filled: impl Iterator<Item = Filled>) -> Vec<Block> {
    let mut pieces: Vec<Piece> = Vec::new();
    for block in filled.flat_map(|filled| filled.blocks) {
        if !pieces.is_empty() {
            pieces.push(Piece::new(Kind::Wrapper, Origin::Client, "\n\n"));
        }
        pieces.extend(block);
    }
    match pieces.is_empty() {
        true => Vec::new(),
        false => vec![Block::new(Content::Text(pieces))],
    }
}

#[cfg(test)]
#[path = "layout_tests.rs"]
mod tests;

//! What comes back from a model: events as they come, and the answer that they add up to, in which each
//! tool call is whole or cut. Knows no protocol.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::llm::failure::Failure;
pub use crate::transcript::message::Usage;

/// One thing that happened while an answer came. `index` is the block's place in the answer, from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The server answers: its name for the message, and the model.
    Started {
        id: String,
        model: String,
    },
    /// A block begins.
    Begun {
        index: usize,
        start: Start,
    },
    Text {
        index: usize,
        text: String,
    },
    Thinking {
        index: usize,
        text: String,
    },
    /// What the provider signs a block of thought with.
    Signature {
        index: usize,
        text: String,
    },
    /// A part of the JSON of a tool's input.
    Input {
        index: usize,
        json: String,
    },
    /// A block is complete.
    Ended {
        index: usize,
    },
    /// Tokens so far; a later one counts in place of an earlier.
    Usage(Usage),
    Stopped(StopReason),
    /// The server is still there.
    Ping,
    /// Something of a kind that we don't know, by its name. It is left out.
    Unknown(String),
    /// The try failed and there is another after a wait: what came so far is void.
    Again {
        why: Failure,
        wait: Duration,
        /// Which try follows, from 2.
        attempt: u32,
    },
}

/// What kind of block begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Start {
    Text,
    Thinking,
    Call {
        id: String,
        name: String,
    },
    /// Passed on as it is: thought that is not shown, a kind that we don't know.
    Raw(Value),
}

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    EndTurn,
    MaxTokens,
    StopSequence,
    ToolUse,
    /// A long turn that the provider interrupts: it goes on when the answer is sent back as it is.
    PauseTurn,
    Refusal,
    /// The window is full.
    ContextWindow,
    /// One that we don't know, by its name.
    Other(String),
}

impl StopReason {
    /// By the name that Anthropic's API has for it.
    #[must_use]
    pub fn read(word: &str) -> Self {
        match word {
            "end_turn" => Self::EndTurn,
            "max_tokens" => Self::MaxTokens,
            "stop_sequence" => Self::StopSequence,
            "tool_use" => Self::ToolUse,
            "pause_turn" => Self::PauseTurn,
            "refusal" => Self::Refusal,
            "model_context_window_exceeded" => Self::ContextWindow,
            other => Self::Other(other.to_string()),
        }
    }

    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Self::EndTurn => "end_turn",
            Self::MaxTokens => "max_tokens",
            Self::StopSequence => "stop_sequence",
            Self::ToolUse => "tool_use",
            Self::PauseTurn => "pause_turn",
            Self::Refusal => "refusal",
            Self::ContextWindow => "model_context_window_exceeded",
            Self::Other(word) => word,
        }
    }

    /// Whether the model had more to say.
    #[must_use]
    pub fn cuts(&self) -> bool {
        match self {
            Self::MaxTokens | Self::ContextWindow => true,
            Self::EndTurn
            | Self::StopSequence
            | Self::ToolUse
            | Self::PauseTurn
            | Self::Refusal
            | Self::Other(_) => false,
        }
    }
}

/// What came of an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Answer {
    pub id: String,
    pub model: String,
    /// `None`: it broke off.
    pub stop: Option<StopReason>,
    /// `None`: the server did not count.
    pub usage: Option<Usage>,
    parts: BTreeMap<usize, Part>,
}

#[derive(Debug, Clone, PartialEq)]
struct Part {
    start: Start,
    /// Text, thought, or the JSON of an input.
    text: String,
    signature: String,
    ended: bool,
}

/// A block of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    Text(String),
    Thinking {
        text: String,
        signature: String,
    },
    Call {
        id: String,
        name: String,
        input: Input,
    },
    Raw(Value),
}

/// The input of a tool call.
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A JSON object, as the model wrote it to its end.
    Whole(Value),
    /// The text of one that is not whole or no object. It is never mended: half a text would be written as
    /// if it were the whole.
    Cut(String),
}

impl Answer {
    /// Adds what happened.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Started { id, model } => {
                self.id.clone_from(id);
                self.model.clone_from(model);
            }
            Event::Begun { index, start } => {
                let part = Part {
                    start: start.clone(),
                    text: String::new(),
                    signature: String::new(),
                    ended: false,
                };
                self.parts.insert(*index, part);
            }
            Event::Text { index, text } => self.add(*index, text, &Start::Text),
            Event::Thinking { index, text } => self.add(*index, text, &Start::Thinking),
            Event::Signature { index, text } => {
                if let Some(part) = self.parts.get_mut(index) {
                    part.signature.push_str(text);
                }
            }
            Event::Input { index, json } => {
                if let Some(part) = self.parts.get_mut(index) {
                    part.text.push_str(json);
                }
            }
            Event::Ended { index } => {
                if let Some(part) = self.parts.get_mut(index) {
                    part.ended = true;
                }
            }
            Event::Usage(usage) => self.usage = Some(*usage),
            Event::Stopped(reason) => self.stop = Some(reason.clone()),
            Event::Ping | Event::Unknown(_) => {}
            Event::Again { .. } => *self = Self::default(),
        }
    }

    /// A text or a thought may come without that its block was told to begin.
    fn add(&mut self, index: usize, text: &str, start: &Start) {
        let part = self.parts.entry(index).or_insert_with(|| Part {
            start: start.clone(),
            text: String::new(),
            signature: String::new(),
            ended: false,
        });
        part.text.push_str(text);
    }

    /// Its blocks in their order. A text of no character is none.
    #[must_use]
    pub fn blocks(&self) -> Vec<Block> {
        let last = self.parts.keys().next_back().copied();
        let cut = self.stop.as_ref().is_none_or(StopReason::cuts);
        let parts = self.parts.iter();
        parts
            .filter_map(|(index, part)| part.block(cut && Some(*index) == last))
            .collect()
    }

    /// All that it says.
    #[must_use]
    pub fn text(&self) -> String {
        let texts = self.parts.values().filter(|part| part.start == Start::Text);
        texts.map(|part| part.text.as_str()).collect()
    }

    /// Whether something of it is missing: it broke off, reached a limit, or a call in it is not whole.
    /// Calls beside such a one are not run unasked.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.stop.as_ref().is_none_or(StopReason::cuts)
            || self.blocks().iter().any(Block::is_cut_call)
    }

    /// Whether anything came.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }
}

impl Part {
    /// `cut`: the answer ended within it.
    fn block(&self, cut: bool) -> Option<Block> {
        match &self.start {
            Start::Text if self.text.is_empty() => None,
            Start::Text => Some(Block::Text(self.text.clone())),
            Start::Thinking => Some(Block::Thinking {
                text: self.text.clone(),
                signature: self.signature.clone(),
            }),
            Start::Call { id, name } => Some(Block::Call {
                id: id.clone(),
                name: name.clone(),
                input: self.input(cut),
            }),
            Start::Raw(value) => Some(Block::Raw(value.clone())),
        }
    }

    fn input(&self, cut: bool) -> Input {
        let text = self.text.trim();
        match serde_json::from_str::<Value>(text) {
            Ok(value @ Value::Object(_)) => Input::Whole(value),
            // A tool without arguments. Where the answer ended in it nobody knows what was to come.
            Err(_) if text.is_empty() && self.ended && !cut => {
                Input::Whole(Value::Object(serde_json::Map::new()))
            }
            Ok(_) | Err(_) => Input::Cut(self.text.clone()),
        }
    }
}

impl Block {
    #[must_use]
    pub fn is_cut_call(&self) -> bool {
        match self {
            Self::Call { input, .. } => matches!(input, Input::Cut(_)),
            Self::Text(_) | Self::Thinking { .. } | Self::Raw(_) => false,
        }
    }
}

#[cfg(test)]
#[path = "answer_tests.rs"]
mod tests;

//! The parts of a request for whoever looks at it: what each is, where it comes from, what it costs,
//! whether the cache already has it. Put one behind the other, the texts of a block's parts are the
//! block's text. Knows nothing of how they are shown.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::context::request::{Block, Life, Request, Role};
use crate::context::tokens;
use crate::memory::load::units_of;
use crate::safety::secret::Masked;

/// What a part is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// What stands around and between other parts: a preamble, a header, a closing tag.
    Wrapper,
    /// A line for the provider's books.
    Billing,
    /// Who the model is.
    Identity,
    /// How tools are to be used.
    Tools,
    /// A system prompt that is not known part by part.
    SystemPrompt,
    /// How memory is to be used.
    MemoryRules,
    /// Where the session runs.
    Environment,
    /// A file of instructions.
    Rule,
    /// The memory index.
    Index,
    /// The index of a sub-agent's own memory.
    AgentIndex,
    GitStatus,
    Date,
    /// How commits are to be signed.
    Attribution,
    /// The name of the model.
    Model,
    /// Names of tools whose descriptions are not sent yet.
    DeferredTools,
    /// The kinds of sub-agents.
    Agents,
    Skills,
    /// Several announcements that were recorded as one.
    Announcements,
    /// How many tokens are left.
    Budget,
    /// What the person typed.
    Prompt,
    /// What the model said.
    Answer,
    ToolUse,
    ToolResult,
    /// The summary of a compaction.
    Summary,
    /// What asks for it.
    SummaryPrompt,
    /// A command that was run, and what it printed.
    Command,
    /// A read that is restored after a compaction, and its result.
    ReadCall,
    ReadResult,
    /// Instruction files that changed since the session's start.
    Changed,
    /// A memory that was recalled.
    Recalled,
    /// A rule that a Read brought along.
    Nested,
    /// A note of ours to the model.
    Note,
    /// A block that is passed on as it is.
    Raw,
}

impl Kind {
    /// The word for it, as `loci preview --json` prints it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Wrapper => "wrapper",
            Self::Billing => "billing",
            Self::Identity => "identity",
            Self::Tools => "tools",
            Self::SystemPrompt => "system_prompt",
            Self::MemoryRules => "memory_rules",
            Self::Environment => "environment",
            Self::Rule => "rule",
            Self::Index => "index",
            Self::AgentIndex => "agent_index",
            Self::GitStatus => "git_status",
            Self::Date => "date",
            Self::Attribution => "attribution",
            Self::Model => "model",
            Self::DeferredTools => "deferred_tools",
            Self::Agents => "agents",
            Self::Skills => "skills",
            Self::Announcements => "announcements",
            Self::Budget => "budget",
            Self::Prompt => "prompt",
            Self::Answer => "answer",
            Self::ToolUse => "tool_use",
            Self::ToolResult => "tool_result",
            Self::Summary => "summary",
            Self::SummaryPrompt => "summary_prompt",
            Self::Command => "command",
            Self::ReadCall => "read_call",
            Self::ReadResult => "read_result",
            Self::Changed => "changed",
            Self::Recalled => "recalled",
            Self::Nested => "nested",
            Self::Note => "note",
            Self::Raw => "raw",
        }
    }
}

/// Where a text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A file, which `path` names.
    File,
    /// The reference client's own words, as they were observed.
    Client,
    /// A transcript, which holds what was really sent.
    Transcript,
    /// Our own words.
    Ours,
    /// The conversation.
    Conversation,
}

impl Origin {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Client => "client",
            Self::Transcript => "transcript",
            Self::Ours => "ours",
            Self::Conversation => "conversation",
        }
    }
}

/// A text, or what is known of one that is not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Text {
    Known(String),
    /// The client sends a text here that was not recorded: its UTF-16 units as they were once, if even
    /// they are known.
    NotRecorded {
        units: Option<usize>,
    },
}

/// One piece of a block's text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    pub kind: Kind,
    pub origin: Origin,
    pub path: Option<PathBuf>,
    /// What the request says that it is; of a rule that a Read woke, what it matched.
    pub label: Option<String>,
    pub text: Text,
    /// The secrets in whose place the text has a note.
    #[serde(skip)]
    pub masked: Vec<Masked>,
}

impl Piece {
    #[must_use]
    pub fn new(kind: Kind, origin: Origin, text: impl Into<String>) -> Self {
        Self {
            kind,
            origin,
            path: None,
            label: None,
            text: Text::Known(text.into()),
            masked: Vec::new(),
        }
    }

    /// A text of the client's that was not recorded, with its units as they were once.
    #[must_use]
    pub fn not_recorded(kind: Kind, units: Option<usize>) -> Self {
        Self {
            text: Text::NotRecorded { units },
            ..Self::new(kind, Origin::Client, "")
        }
    }

    /// The same, out of a file.
    #[must_use]
    pub fn of(self, path: &Path) -> Self {
        Self {
            path: Some(path.to_path_buf()),
            ..self
        }
    }

    #[must_use]
    pub fn labelled(self, label: impl Into<String>) -> Self {
        Self {
            label: Some(label.into()),
            ..self
        }
    }

    /// The text; a note in brackets where it was not recorded.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        match &self.text {
            Text::Known(text) => Cow::Borrowed(text),
            Text::NotRecorded { units: Some(units) } => {
                Cow::Owned(format!("[{units} characters, not recorded]"))
            }
            Text::NotRecorded { units: None } => Cow::Borrowed("[not recorded]"),
        }
    }

    /// Tokens, estimated. A text that was not recorded is taken for Latin; `None`: not even its length is
    /// known.
    #[must_use]
    pub fn tokens(&self) -> Option<usize> {
        match &self.text {
            Text::Known(text) => Some(tokens::estimate(text)),
            Text::NotRecorded { units } => units.map(tokens::of_latin),
        }
    }
}

/// Where a part stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    /// The list of tools.
    Tools,
    /// A block of `system`, from 0.
    System { block: usize },
    /// A block of a message, both from 0.
    Message {
        message: usize,
        block: usize,
        role: Role,
    },
}

/// One part of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    pub kind: Kind,
    pub origin: Origin,
    pub place: Place,
    pub path: Option<PathBuf>,
    pub label: Option<String>,
    /// As sent; where `recorded` is false, a note in brackets.
    pub text: String,
    pub recorded: bool,
    /// `None`: not known; so with bytes and units.
    pub tokens: Option<usize>,
    /// Whether the tokens were counted by the provider; else they are an estimate.
    pub exact: bool,
    /// As long as the text once was where it was not recorded.
    pub bytes: Option<usize>,
    /// UTF-16 code units; as with the bytes.
    pub units: Option<usize>,
    /// The provider has it from the request before.
    pub cached: bool,
    /// The cache mark at its end.
    pub mark: Option<Life>,
    /// The secrets in whose place the text has a note.
    pub masked: Vec<Masked>,
}

/// The parts of a request in the order of the cache. `before` is the request that was sent last in this
/// session: what both begin with is cached.
#[must_use]
pub fn parts(request: &Request, before: Option<&Request>) -> Vec<Part> {
    let shared = before.map_or(0, |before| shared(before, request));
    let mut at = 0;
    let mut parts = Vec::new();
    for tool in &request.params.tools {
        let text = tool.to_string();
        let piece = Piece::new(Kind::Tools, Origin::Ours, text);
        let name = tool.get("name").and_then(serde_json::Value::as_str);
        let piece = match name {
            Some(name) => piece.labelled(name),
            None => piece,
        };
        parts.push(part(&piece, Place::Tools, at < shared));
        at += 1;
    }
    for (number, block) in request.system.iter().enumerate() {
        let place = Place::System { block: number };
        add(block, place, at < shared, &mut parts);
        at += 1;
    }
    for (message, whole) in request.messages.iter().enumerate() {
        for (block, content) in whole.blocks.iter().enumerate() {
            let place = Place::Message {
                message,
                block,
                role: whole.role,
            };
            add(content, place, at < shared, &mut parts);
            at += 1;
        }
    }
    parts
}

/// How many items of the cache two requests begin with alike; none where another parameter of its key
/// differs.
fn shared(before: &Request, now: &Request) -> usize {
    let same = before.params.model == now.params.model
        && before.params.thinking == now.params.thinking
        && before.params.schema == now.params.schema
        && before.params.betas == now.params.betas;
    if !same {
        return 0;
    }
    let (before, now) = (before.cache_items(), now.cache_items());
    before.iter().zip(&now).take_while(|(a, b)| a == b).count()
}

fn add(block: &Block, place: Place, cached: bool, parts: &mut Vec<Part>) {
    let first = parts.len();
    match block.pieces() {
        [] => {
            let mut piece = Piece::new(block.kind(), Origin::Conversation, block.unmarked());
            piece.masked.clone_from(&block.masked);
            parts.push(part(&piece, place, cached));
        }
        pieces => parts.extend(pieces.iter().map(|piece| part(piece, place, cached))),
    }
    if let Some(last) = parts[first..].last_mut() {
        last.mark = block.mark;
    }
}

fn part(piece: &Piece, place: Place, cached: bool) -> Part {
    let text = piece.shown().into_owned();
    let (recorded, bytes, units) = match piece.text {
        Text::Known(_) => (true, Some(text.len()), Some(units_of(&text))),
        Text::NotRecorded { units } => (false, units, units),
    };
    Part {
        kind: piece.kind,
        origin: piece.origin,
        place,
        path: piece.path.clone(),
        label: piece.label.clone(),
        tokens: piece.tokens(),
        text,
        recorded,
        exact: false,
        bytes,
        units,
        cached,
        mark: None,
        masked: piece.masked.clone(),
    }
}

#[cfg(test)]
#[path = "part_tests.rs"]
mod tests;

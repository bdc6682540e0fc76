//! A request as it goes to the provider: parameters, tools, `system`, messages of blocks, each text
//! block made of pieces that know where they come from. Its JSON is the one that is sent, byte for
//! byte, in a stable order. Knows no layout.

use std::borrow::Cow;

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::context::part::{Kind, Piece};
use crate::context::tokens;
use crate::llm::ask::Ask;
use crate::safety::secret::Masked;

/// Who speaks. `System` within the messages is a turn of the client's own, which newer models know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    User,
    Assistant,
    System,
}

/// How long the provider keeps what is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Life {
    #[default]
    FiveMinutes,
    Hour,
}

/// What a request is sent with; each of it is part of the cache's key.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Params {
    pub model: String,
    /// Tokens of an answer; `None`: of a request that was observed it is not known.
    pub max_tokens: Option<u32>,
    /// As the provider wants it.
    pub thinking: Option<Value>,
    /// The JSON schema of an answer that is to be JSON.
    pub schema: Option<Value>,
    /// The answer is to come bit by bit.
    pub stream: bool,
    /// Names of beta features; they go into a header, not into the body.
    pub betas: Vec<String>,
    /// In their order, each as the provider wants it.
    pub tools: Vec<Value>,
}

/// One request.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Request {
    pub params: Params,
    pub system: Vec<Block>,
    pub messages: Vec<Message>,
}

/// One message. Only the client that was observed sends one without blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    pub role: Role,
    pub blocks: Vec<Block>,
}

/// One block of a message or of `system`.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    pub content: Content,
    /// A cache mark stands on it.
    pub mark: Option<Life>,
    /// The secrets in whose place a note stands, of what has no pieces.
    pub masked: Vec<Masked>,
}

/// What a block holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    /// The text is all pieces one behind the other.
    Text(Vec<Piece>),
    /// Text of ours or of files in a reminder. Not escaped and not wrapped yet: a step does that.
    Reminder(Vec<Piece>),
    ToolUse {
        id: String,
        name: String,
        input: Value,
    },
    ToolResult {
        id: String,
        result: Piece,
        is_error: bool,
    },
    /// Passed on as it is: an image, a thinking block.
    Raw(Value),
}

impl Block {
    #[must_use]
    pub fn new(content: Content) -> Self {
        Self {
            content,
            mark: None,
            masked: Vec::new(),
        }
    }

    /// A text block of one piece.
    #[must_use]
    pub fn text(piece: Piece) -> Self {
        Self::new(Content::Text(vec![piece]))
    }

    /// Its pieces; what is no text has none but a tool's result.
    #[must_use]
    pub fn pieces(&self) -> &[Piece] {
        match &self.content {
            Content::Text(pieces) | Content::Reminder(pieces) => pieces,
            Content::ToolResult { result, .. } => std::slice::from_ref(result),
            Content::ToolUse { .. } | Content::Raw(_) => &[],
        }
    }

    /// The text of a text block or of a tool's result.
    #[must_use]
    pub fn shown(&self) -> Cow<'_, str> {
        match self.pieces() {
            [one] => one.shown(),
            pieces => Cow::Owned(pieces.iter().map(Piece::shown).collect()),
        }
    }

    #[must_use]
    pub fn is_tool_result(&self) -> bool {
        matches!(self.content, Content::ToolResult { .. })
    }

    /// What it is as a whole: the kind of the first piece that is no wrapper of others.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match &self.content {
            Content::ToolUse { .. } => Kind::ToolUse,
            Content::Raw(_) => Kind::Raw,
            Content::ToolResult { .. } => Kind::ToolResult,
            Content::Text(pieces) | Content::Reminder(pieces) => pieces
                .iter()
                .map(|piece| piece.kind)
                .find(|kind| *kind != Kind::Wrapper)
                .unwrap_or(Kind::Wrapper),
        }
    }

    /// Tokens, estimated.
    #[must_use]
    pub fn tokens(&self) -> usize {
        match self.pieces() {
            [] => tokens::estimate(&self.unmarked()),
            pieces => pieces.iter().filter_map(Piece::tokens).sum(),
        }
    }

    /// Its JSON without the cache mark: what the cache compares.
    #[must_use]
    pub fn unmarked(&self) -> String {
        written(&Unmarked(self))
    }
}

impl Message {
    #[must_use]
    pub fn new(role: Role, blocks: Vec<Block>) -> Self {
        Self { role, blocks }
    }
}

impl Role {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

impl Request {
    /// The body that is sent.
    #[must_use]
    pub fn body(&self) -> String {
        written(self)
    }

    /// What a model is asked with it.
    #[must_use]
    pub fn ask(&self) -> Ask {
        Ask {
            body: self.body(),
            betas: self.params.betas.clone(),
        }
    }

    /// What the cache compares, in its order: tools, blocks of `system`, blocks of messages with their
    /// role, each without its mark.
    #[must_use]
    pub fn cache_items(&self) -> Vec<String> {
        let tools = self.params.tools.iter().map(Value::to_string);
        let system = self
            .system
            .iter()
            .map(|block| format!("system {}", block.unmarked()));
        let messages = self.messages.iter().flat_map(|message| {
            let role = message.role.word();
            let blocks = message.blocks.iter();
            blocks.map(move |block| format!("{role} {}", block.unmarked()))
        });
        tools.chain(system).chain(messages).collect()
    }

    /// All blocks in the order of the cache: `system`, then the messages.
    #[must_use]
    pub fn blocks(&self) -> impl DoubleEndedIterator<Item = &Block> {
        let messages = self.messages.iter().flat_map(|message| &message.blocks);
        self.system.iter().chain(messages)
    }

    /// How many cache marks there are.
    #[must_use]
    pub fn mark_count(&self) -> usize {
        self.blocks().filter(|block| block.mark.is_some()).count()
    }
}

fn written(what: &impl Serialize) -> String {
    serde_json::to_string(what).expect("a request holds nothing that JSON can't")
}

struct Unmarked<'a>(&'a Block);

impl Serialize for Unmarked<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_block(self.0, None, to)
    }
}

impl Serialize for Block {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serialize_block(self, self.mark, to)
    }
}

fn serialize_block<S: Serializer>(
    block: &Block,
    mark: Option<Life>,
    to: S,
) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(None)?;
    match &block.content {
        Content::Text(_) | Content::Reminder(_) => {
            map.serialize_entry("type", "text")?;
            map.serialize_entry("text", &block.shown())?;
        }
        Content::ToolUse { id, name, input } => {
            map.serialize_entry("type", "tool_use")?;
            map.serialize_entry("id", id)?;
            map.serialize_entry("name", name)?;
            map.serialize_entry("input", input)?;
        }
        Content::ToolResult {
            id,
            result,
            is_error,
        } => {
            map.serialize_entry("type", "tool_result")?;
            map.serialize_entry("tool_use_id", id)?;
            map.serialize_entry("content", &result.shown())?;
            if *is_error {
                map.serialize_entry("is_error", &true)?;
            }
        }
        Content::Raw(value) => {
            for (key, value) in value.as_object().into_iter().flatten() {
                map.serialize_entry(key, value)?;
            }
        }
    }
    if let Some(life) = mark {
        map.serialize_entry("cache_control", &life)?;
    }
    map.end()
}

impl Life {
    /// Seconds from the last request on.
    #[must_use]
    pub fn seconds(self) -> i64 {
        match self {
            Self::FiveMinutes => 5 * 60,
            Self::Hour => 60 * 60,
        }
    }
}

impl Serialize for Life {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("type", "ephemeral")?;
        // No time is sent unless the person asks for an hour.
        if *self == Self::Hour {
            map.serialize_entry("ttl", "1h")?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Life {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        Ok(match value["ttl"].as_str() {
            Some("1h") => Self::Hour,
            Some(_) | None => Self::FiveMinutes,
        })
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(2))?;
        map.serialize_entry("role", self.role.word())?;
        map.serialize_entry("content", &self.blocks)?;
        map.end()
    }
}

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        map.serialize_entry("model", &self.params.model)?;
        if let Some(tokens) = self.params.max_tokens {
            map.serialize_entry("max_tokens", &tokens)?;
        }
        if let Some(thinking) = &self.params.thinking {
            map.serialize_entry("thinking", thinking)?;
        }
        if let Some(schema) = &self.params.schema {
            let format = json!({"format": {"type": "json_schema", "schema": schema}});
            map.serialize_entry("output_config", &format)?;
        }
        if self.params.stream {
            map.serialize_entry("stream", &true)?;
        }
        if !self.params.tools.is_empty() {
            map.serialize_entry("tools", &self.params.tools)?;
        }
        if !self.system.is_empty() {
            map.serialize_entry("system", &self.system)?;
        }
        map.serialize_entry("messages", &self.messages)?;
        map.end()
    }
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;

//! The message of a line: who speaks, its blocks, what it cost.

use serde::{Deserialize, Serialize};

use crate::base::json::reader::{Json, NoJson, Text};

/// Who speaks, by the message itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    User,
    Assistant,
    System,
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

/// One block of a message, or of a tool's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block<'a> {
    Text(Text<'a>),
    /// Also when it is redacted.
    Thinking(Option<Text<'a>>),
    ToolUse {
        id: Option<Text<'a>>,
        name: Option<Text<'a>>,
        /// The file that it is about, where the tool has one: `file_path` of its input.
        path: Option<Text<'a>>,
    },
    ToolResult {
        of: Option<Text<'a>>,
        is_error: bool,
        content: Vec<Block<'a>>,
    },
    /// `data` is base64, where the picture is in the message itself.
    Picture {
        kind: Option<Text<'a>>,
        data: Option<Text<'a>>,
    },
    Other(Option<Text<'a>>),
}

impl Block<'_> {
    #[must_use]
    pub fn is_thinking(&self) -> bool {
        matches!(self, Self::Thinking(_))
    }

    #[must_use]
    pub fn is_text(&self) -> bool {
        matches!(self, Self::Text(_))
    }
}

/// Tokens of one API message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    /// All that was written to the cache, and of it what was written for an hour; the rest is for 5 minutes.
    pub cache_creation: u64,
    pub cache_creation_1h: u64,
}

impl Usage {
    /// Adds the tokens of another message.
    pub fn add(&mut self, other: &Self) {
        self.input = self.input.saturating_add(other.input);
        self.output = self.output.saturating_add(other.output);
        self.cache_read = self.cache_read.saturating_add(other.cache_read);
        self.cache_creation = self.cache_creation.saturating_add(other.cache_creation);
        self.cache_creation_1h = self
            .cache_creation_1h
            .saturating_add(other.cache_creation_1h);
    }
}

#[derive(Debug, Clone, Default)]
pub struct Message<'a> {
    pub role: Option<Role>,
    pub id: Option<Text<'a>>,
    pub model: Option<Text<'a>>,
    pub usage: Option<Usage>,
    pub blocks: Vec<Block<'a>>,
}

impl<'a> Message<'a> {
    /// # Errors
    /// What is no JSON.
    pub fn read(json: &mut Json<'a>) -> Result<Self, NoJson> {
        let mut message = Self::default();
        json.object(|json, key| {
            match key.raw {
                b"role" => message.role = json.text()?.and_then(role),
                b"id" => message.id = json.text()?,
                b"model" => message.model = json.text()?,
                b"usage" => message.usage = usage(json)?,
                b"content" => message.blocks = content(json, true)?,
                _ => {}
            }
            Ok(())
        })?;
        Ok(message)
    }
}

fn role(text: Text<'_>) -> Option<Role> {
    match text.raw {
        b"user" => Some(Role::User),
        b"assistant" => Some(Role::Assistant),
        b"system" => Some(Role::System),
        _ => None,
    }
}

/// A text by itself, or a list of blocks. A tool's result holds no results.
fn content<'a>(json: &mut Json<'a>, is_outer: bool) -> Result<Vec<Block<'a>>, NoJson> {
    if json.is_text() {
        return Ok(json.text()?.map(Block::Text).into_iter().collect());
    }
    let mut blocks = Vec::new();
    json.array(|json| {
        blocks.push(block(json, is_outer)?);
        Ok(())
    })?;
    Ok(blocks)
}

fn block<'a>(json: &mut Json<'a>, is_outer: bool) -> Result<Block<'a>, NoJson> {
    let (mut kind, mut text, mut thinking) = (None, None, None);
    let (mut id, mut name, mut of, mut path) = (None, None, None, None);
    let (mut media, mut data) = (None, None);
    let (mut is_error, mut inner) = (false, Vec::new());
    json.object(|json, key| {
        match key.raw {
            b"type" => kind = json.text()?,
            b"text" => text = json.text()?,
            b"thinking" => thinking = json.text()?,
            b"id" => id = json.text()?,
            b"name" => name = json.text()?,
            b"tool_use_id" => of = json.text()?,
            b"is_error" => is_error = json.flag()?,
            b"content" if is_outer => inner = content(json, false)?,
            b"input" => {
                json.object(|json, key| {
                    if key.is("file_path") {
                        path = json.text()?;
                    }
                    Ok(())
                })?;
            }
            b"source" => {
                json.object(|json, key| {
                    match key.raw {
                        b"media_type" => media = json.text()?,
                        b"data" => data = json.text()?,
                        _ => {}
                    }
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    Ok(match (kind.map(|kind| kind.raw), text) {
        (Some(b"text"), Some(text)) => Block::Text(text),
        (Some(b"thinking" | b"redacted_thinking"), _) => Block::Thinking(thinking),
        (Some(b"tool_use"), _) => Block::ToolUse { id, name, path },
        (Some(b"tool_result"), _) => Block::ToolResult {
            of,
            is_error,
            content: inner,
        },
        (Some(b"image"), _) => Block::Picture { kind: media, data },
        (_, _) => Block::Other(kind),
    })
}

fn usage(json: &mut Json<'_>) -> Result<Option<Usage>, NoJson> {
    let mut usage = Usage::default();
    let (mut five_minutes, mut sum) = (0, None);
    let is_there = json.object(|json, key| {
        match key.raw {
            b"input_tokens" => usage.input = json.number()?.unwrap_or(0),
            b"output_tokens" => usage.output = json.number()?.unwrap_or(0),
            b"cache_read_input_tokens" => usage.cache_read = json.number()?.unwrap_or(0),
            b"cache_creation_input_tokens" => sum = json.number()?,
            b"cache_creation" => {
                json.object(|json, key| {
                    match key.raw {
                        b"ephemeral_5m_input_tokens" => five_minutes = json.number()?.unwrap_or(0),
                        b"ephemeral_1h_input_tokens" => {
                            usage.cache_creation_1h = json.number()?.unwrap_or(0);
                        }
                        _ => {}
                    }
                    Ok(())
                })?;
            }
            _ => {}
        }
        Ok(())
    })?;
    usage.cache_creation = sum
        .unwrap_or(0)
        .max(five_minutes.saturating_add(usage.cache_creation_1h));
    Ok(is_there.then_some(usage))
}

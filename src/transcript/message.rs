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
        /// Where the list of its content ends: the closing bracket.
        end: usize,
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
    /// Whether it says more of one message than another bill of it: what is cut short or was written first
    /// says less.
    #[must_use]
    pub fn says_more_than(&self, other: &Self) -> bool {
        let weight = |usage: &Self| {
            let sent = usage.input.saturating_add(usage.cache_read);
            let sent = sent.saturating_add(usage.cache_creation);
            (usage.output, sent, usage.cache_creation_1h)
        };
        weight(self) > weight(other)
    }

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
    /// Whether a part of it can't be read: a number that is none of tokens, or parts that say more than their
    /// sum. What can be is in `usage`.
    pub is_usage_unread: bool,
    pub blocks: Vec<Block<'a>>,
    /// Where the list of them ends: the closing bracket.
    pub blocks_end: usize,
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
                b"usage" => (message.usage, message.is_usage_unread) = usage(json)?,
                b"content" => (message.blocks, message.blocks_end) = content(json, true)?,
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

/// A text by itself, or a list of blocks; and where that ends. A tool's result holds no results.
fn content<'a>(json: &mut Json<'a>, is_outer: bool) -> Result<(Vec<Block<'a>>, usize), NoJson> {
    if json.is_text() {
        let text = json.text()?.map(Block::Text);
        return Ok((text.into_iter().collect(), json.at()));
    }
    let mut blocks = Vec::new();
    json.array(|json| {
        blocks.push(block(json, is_outer)?);
        Ok(())
    })?;
    Ok((blocks, json.at() - 1))
}

fn block<'a>(json: &mut Json<'a>, is_outer: bool) -> Result<Block<'a>, NoJson> {
    let (mut kind, mut text, mut thinking) = (None, None, None);
    let (mut id, mut name, mut of, mut path) = (None, None, None, None);
    let (mut media, mut data) = (None, None);
    let (mut is_error, mut inner, mut end) = (false, Vec::new(), 0);
    json.object(|json, key| {
        match key.raw {
            b"type" => kind = json.text()?,
            b"text" => text = json.text()?,
            b"thinking" => thinking = json.text()?,
            b"id" => id = json.text()?,
            b"name" => name = json.text()?,
            b"tool_use_id" => of = json.text()?,
            b"is_error" => is_error = json.flag()?,
            b"content" if is_outer => (inner, end) = content(json, false)?,
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
            end,
        },
        (Some(b"image"), _) => Block::Picture { kind: media, data },
        (_, _) => Block::Other(kind),
    })
}

/// More than any model takes for one message, and so few that sums hold.
const MOST_TOKENS: u64 = 1_000_000_000_000;

/// A number of tokens, also where it is written as `1.0`. What is none sets `is_unread`.
fn tokens(json: &mut Json<'_>, is_unread: &mut bool) -> Result<Option<u64>, NoJson> {
    let raw = json.raw()?;
    if raw == b"null" {
        return Ok(None);
    }
    let text = std::str::from_utf8(raw).ok();
    let read = text.and_then(|text| text.parse().ok().or_else(|| whole(text)));
    let read = read.filter(|tokens| *tokens <= MOST_TOKENS);
    *is_unread |= read.is_none();
    Ok(read)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is whole and lies between"
)]
fn whole(text: &str) -> Option<u64> {
    let number: f64 = text.parse().ok()?;
    let is_one = number.fract() == 0.0 && (0.0..=1e15).contains(&number);
    is_one.then_some(number as u64)
}

/// The usage, and whether a part of it can't be read.
fn usage(json: &mut Json<'_>) -> Result<(Option<Usage>, bool), NoJson> {
    let mut usage = Usage::default();
    let (mut five_minutes, mut sum, mut is_unread) = (0, None, false);
    if !json.is_object() {
        return Ok((None, json.raw()? != b"null"));
    }
    json.object(|json, key| {
        let mut read = |json: &mut Json<'_>| tokens(json, &mut is_unread);
        match key.raw {
            b"input_tokens" => usage.input = read(json)?.unwrap_or(0),
            b"output_tokens" => usage.output = read(json)?.unwrap_or(0),
            b"cache_read_input_tokens" => usage.cache_read = read(json)?.unwrap_or(0),
            b"cache_creation_input_tokens" => sum = read(json)?,
            b"cache_creation" => {
                json.object(|json, key| {
                    match key.raw {
                        b"ephemeral_5m_input_tokens" => five_minutes = read(json)?.unwrap_or(0),
                        b"ephemeral_1h_input_tokens" => {
                            usage.cache_creation_1h = read(json)?.unwrap_or(0);
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
    let parts = five_minutes + usage.cache_creation_1h;
    // A sum of nothing is left at nothing by some who write the parts alone.
    usage.cache_creation = match sum {
        Some(sum @ 1..) if sum < parts => {
            is_unread = true;
            usage.cache_creation_1h = usage.cache_creation_1h.min(sum);
            sum
        }
        sum => sum.unwrap_or(0).max(parts),
    };
    Ok((Some(usage), is_unread))
}

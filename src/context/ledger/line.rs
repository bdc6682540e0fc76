//! A line of the ledger: one request that was sent, as it lies on the disk. What later versions of ours
//! added may be missing from a line.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::context::part::{Kind, Part, Place};
use crate::context::request::{Life, Params, Role};
use crate::llm::answer::{Answer, Block, Input};
use crate::safety::secret::{self, Allowed};
use crate::store::sha256;
use crate::transcript::message;

/// What a request was sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    Chat,
    Recall,
    /// To see whether a model answers.
    Test,
    Extract,
    Notes,
    Compact,
    Dream,
}

impl Purpose {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Chat => "chat",
            Self::Recall => "recall",
            Self::Test => "test",
            Self::Extract => "extract",
            Self::Notes => "notes",
            Self::Compact => "compact",
            Self::Dream => "dream",
        }
    }
}

/// What the provider counted, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    /// All that was written to the cache, and of it what was written for an hour.
    pub cache_creation: u64,
    #[serde(default)]
    pub cache_creation_1h: u64,
}

impl From<message::Usage> for Usage {
    fn from(usage: message::Usage) -> Self {
        Self {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_creation: usage.cache_creation,
            cache_creation_1h: usage.cache_creation_1h,
        }
    }
}

impl From<Usage> for message::Usage {
    fn from(usage: Usage) -> Self {
        Self {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_creation: usage.cache_creation,
            cache_creation_1h: usage.cache_creation_1h,
        }
    }
}

/// How a request ended that no stop reason of the provider's tells of: a person stopped it; nothing came.
pub const STOPPED: &str = "stopped";
pub const NO_ANSWER: &str = "no_answer";

/// One request that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub v: u8,
    pub id: String,
    /// RFC 3339, UTC.
    pub time: String,
    pub session: String,
    /// The key of the project that it was sent for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub purpose: Purpose,
    pub model: String,
    /// The hash of what else the cache goes by: thinking, the schema of the answer, beta features.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    pub parts: Vec<PartLine>,
    /// `None`: the provider gave no answer, or counted nothing.
    pub usage: Option<Usage>,
    /// The provider's word for why the model stopped, [`STOPPED`] or [`NO_ANSWER`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// What came, as far as it came.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub answer: Vec<PartLine>,
}

/// One part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartLine {
    pub kind: String,
    pub path: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// `tools`, `system/BLOCK`, `messages/MESSAGE/BLOCK/ROLE`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The cache mark at its end: `5m`, `1h`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Of the text, which lies among the blobs.
    pub sha256: String,
    pub tokens: usize,
}

impl PartLine {
    /// Of a part whose text is kept under this hash.
    pub(super) fn of(part: &Part, sha256: String) -> Self {
        Self {
            kind: part.kind.word().to_string(),
            path: part.path.as_ref().map(|path| path.display().to_string()),
            label: part.label.clone(),
            place: Some(place_word(part.place)),
            mark: part.mark.map(|life| match life {
                Life::FiveMinutes => "5m".to_string(),
                Life::Hour => "1h".to_string(),
            }),
            sha256,
            // All that we send is known.
            tokens: part.tokens.unwrap_or(0),
        }
    }

    /// The mark at its end.
    #[must_use]
    pub fn life(&self) -> Option<Life> {
        match self.mark.as_deref()? {
            "1h" => Some(Life::Hour),
            _ => Some(Life::FiveMinutes),
        }
    }

    /// What it is; one that no version of ours knows is passed on as it is.
    #[must_use]
    pub fn kind(&self) -> Kind {
        serde_json::from_value(Value::String(self.kind.clone())).unwrap_or(Kind::Raw)
    }

    /// Where it stands; where that was not written down, as near as its kind tells.
    #[must_use]
    pub fn place(&self) -> Place {
        let written = self.place.as_deref().and_then(place_of);
        written.unwrap_or_else(|| match self.kind() {
            Kind::Tools => Place::Tools,
            Kind::Billing
            | Kind::Identity
            | Kind::SystemPrompt
            | Kind::MemoryRules
            | Kind::Environment => Place::System { block: 0 },
            _ => Place::Message {
                message: 0,
                block: 0,
                role: Role::User,
            },
        })
    }
}

fn place_word(place: Place) -> String {
    match place {
        Place::Tools => "tools".to_string(),
        Place::System { block } => format!("system/{block}"),
        Place::Message {
            message,
            block,
            role,
        } => format!("messages/{message}/{block}/{}", role.word()),
    }
}

fn place_of(word: &str) -> Option<Place> {
    let mut parts = word.split('/');
    match parts.next()? {
        "tools" => Some(Place::Tools),
        "system" => Some(Place::System {
            block: parts.next()?.parse().ok()?,
        }),
        "messages" => Some(Place::Message {
            message: parts.next()?.parse().ok()?,
            block: parts.next()?.parse().ok()?,
            role: match parts.next()? {
                "assistant" => Role::Assistant,
                "system" => Role::System,
                _ => Role::User,
            },
        }),
        _ => None,
    }
}

/// The hash of what a cache goes by besides the model and the parts.
#[must_use]
pub fn key_of(params: &Params) -> String {
    let Params {
        thinking,
        schema,
        betas,
        ..
    } = params;
    let all = json!({"thinking": thinking, "schema": schema, "betas": betas});
    sha256(all.to_string().as_bytes())
}

/// How a request ended, by what came of it.
#[must_use]
pub fn ended(answer: Option<&Answer>) -> String {
    match answer {
        None => NO_ANSWER.to_string(),
        Some(Answer { stop: None, .. }) => STOPPED.to_string(),
        Some(Answer {
            stop: Some(stop), ..
        }) => stop.word().to_string(),
    }
}

/// A block of an answer as it is kept: its kind, what it is called, its text, secrets masked.
#[must_use]
pub fn said(answer: &Answer) -> Vec<(Kind, Option<String>, String)> {
    let blocks = answer.blocks().into_iter().map(|block| match block {
        Block::Text(text) => (Kind::Answer, None, text),
        Block::Thinking { text, .. } => (Kind::Answer, Some("thinking".to_string()), text),
        Block::Call { name, input, .. } => {
            let text = match input {
                Input::Whole(value) => {
                    serde_json::to_string_pretty(&value).unwrap_or_else(|_| value.to_string())
                }
                Input::Cut(text) => text,
            };
            (Kind::ToolUse, Some(name), text)
        }
        Block::Raw(value) => (Kind::Raw, None, value.to_string()),
    });
    let allowed = Allowed::default();
    let masked = blocks.map(|(kind, label, text)| {
        let without = secret::masked(&text, &allowed).map(|(without, _)| without);
        (kind, label, without.unwrap_or(text))
    });
    masked.filter(|(_, _, text)| !text.is_empty()).collect()
}

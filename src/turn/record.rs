//! A conversation of ours as the lines of a transcript, in the format of the reference client's, with what it
//! has no place for in a field of ours. Read back, it gives the same requests byte for byte. Pure: lines in,
//! lines out.

use std::collections::HashMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::base::time::Moment;
use crate::context::conversation::{Entry, Spill};
use crate::context::ours::Session;
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Role};
use crate::context::tokens::Anchor;
use crate::llm::answer::Answer;
use crate::transcript::message::Usage;
use crate::turn::chat::Chat;
use crate::turn::overlay::{Overlay, Proposal};

/// What a person decided on a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    Accepted,
    /// Accepted with changes of their own.
    Edited,
    Rejected,
    /// Given up with another one that it was built on.
    Void,
}

impl Decision {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Edited => "edited",
            Self::Rejected => "rejected",
            Self::Void => "void",
        }
    }
}

/// What is written down.
#[derive(Debug, Clone, Copy)]
pub enum Item<'a> {
    /// The session begins.
    Begun(&'a Session),
    Entry(&'a Entry),
    /// An entry that is the answer of a model, with what came with it; `items` of the cache the request had.
    Answer {
        entry: &'a Entry,
        answer: &'a Answer,
        items: usize,
    },
    /// Text of an answer that is still coming, since the last such line.
    Partial(&'a str),
    /// What was so kept of this answer is void: it is asked for again.
    Void,
    Spilled(&'a Spill),
    Proposed(&'a Proposal),
    Decided {
        id: &'a str,
        decision: Decision,
    },
}

/// Where lines are written: what all of them say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub session: String,
    pub cwd: PathBuf,
    pub branch: Option<String>,
}

/// Makes lines, each of which follows the one before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    header: Header,
    /// The last message line.
    parent: Option<String>,
    lines: usize,
}

impl Record {
    #[must_use]
    pub fn new(header: Header) -> Self {
        Self {
            header,
            parent: None,
            lines: 0,
        }
    }

    /// Goes on with a conversation whose lines were read.
    #[must_use]
    pub fn resumed(header: Header, read: &Read) -> Self {
        Self {
            header,
            parent: read.last.clone(),
            lines: read.lines,
        }
    }

    /// The line of an item, with its line break.
    pub fn line(&mut self, item: Item<'_>, now: Moment) -> String {
        let (kind, extra) = match item {
            Item::Begun(session) => ("loci-session", json!({"v": 1, "session": session})),
            Item::Partial(text) => ("loci-partial", json!({"text": text})),
            Item::Void => ("loci-void", json!({})),
            Item::Spilled(spill) => (
                "loci-spill",
                json!({"id": spill.id, "preview": spill.preview, "path": spill.path}),
            ),
            Item::Proposed(proposal) => ("loci-proposal", json!({"proposal": proposal})),
            Item::Decided { id, decision } => {
                ("loci-decision", json!({"id": id, "decision": decision}))
            }
            Item::Entry(entry) => return self.entry(entry, None),
            Item::Answer {
                entry,
                answer,
                items,
            } => return self.entry(entry, Some((answer, items))),
        };
        self.lines += 1;
        let mut line = Map::new();
        line.insert("type".into(), kind.into());
        line.insert("sessionId".into(), self.header.session.clone().into());
        line.insert("timestamp".into(), now.rfc3339().into());
        line.insert("version".into(), version().into());
        line.extend(extra.as_object().cloned().unwrap_or_default());
        finish(line)
    }

    fn entry(&mut self, entry: &Entry, answer: Option<(&Answer, usize)>) -> String {
        self.lines += 1;
        let uuid = self.uuid();
        let mut line = Map::new();
        let (kind, own) = match entry {
            Entry::Said { role, blocks, .. } => {
                let kind = match role {
                    Role::User => "user",
                    Role::Assistant => "assistant",
                    Role::System => "system",
                };
                (kind, said(*role, blocks, answer))
            }
            Entry::Attached { pieces, .. } => (
                "attachment",
                json!({"attachment": {"type": "loci", "pieces": pieces}}),
            ),
            Entry::Boundary { summary, kept, .. } => (
                "system",
                json!({
                    "subtype": "compact_boundary",
                    "content": "Conversation compacted",
                    "logicalParentUuid": self.parent,
                    "loci": {"summary": summary, "kept": kept},
                }),
            ),
        };
        let is_boundary = matches!(entry, Entry::Boundary { .. });
        let parent = self.parent.take().filter(|_| !is_boundary);
        line.insert("parentUuid".into(), parent.into());
        line.insert("isSidechain".into(), false.into());
        line.insert("type".into(), kind.into());
        line.extend(own.as_object().cloned().unwrap_or_default());
        line.insert("uuid".into(), uuid.clone().into());
        line.insert("timestamp".into(), entry.time().rfc3339().into());
        line.insert("sessionId".into(), self.header.session.clone().into());
        line.insert("cwd".into(), self.header.cwd.display().to_string().into());
        if let Some(branch) = &self.header.branch {
            line.insert("gitBranch".into(), branch.clone().into());
        }
        line.insert("version".into(), version().into());
        self.parent = Some(uuid);
        finish(line)
    }

    /// Names a line: no other of any session of ours is called so.
    fn uuid(&self) -> String {
        uuid_of(&format!("{} {}", self.header.session, self.lines))
    }
}

/// A uuid by what it is made from, of the kind whose makers choose the bits themselves.
#[must_use]
pub fn uuid_of(text: &str) -> String {
    let hash = crate::store::sha256(text.as_bytes());
    format!(
        "{}-{}-8{}-8{}-{}",
        &hash[..8],
        &hash[8..12],
        &hash[13..16],
        &hash[17..20],
        &hash[20..32]
    )
}

fn version() -> &'static str {
    concat!("loci ", env!("CARGO_PKG_VERSION"))
}

fn finish(line: Map<String, Value>) -> String {
    let mut text = Value::Object(line).to_string();
    text.push('\n');
    text
}

fn said(role: Role, blocks: &[Block], answer: Option<(&Answer, usize)>) -> Value {
    let content: Vec<Value> = blocks
        .iter()
        .map(|block| serde_json::from_str(&block.unmarked()).unwrap_or_default())
        .collect();
    // What a block's JSON does not tell: of what file it is, and what it stands for.
    let marks: Vec<Value> = blocks.iter().map(|block| mark(role, block)).collect();
    let mut own = json!({"message": {"role": role.word(), "content": content}});
    if marks.iter().any(|mark| !mark.is_null()) {
        own["loci"] = json!({"marks": marks});
    }
    if let Some((answer, items)) = answer {
        let message = &mut own["message"];
        message["type"] = "message".into();
        message["id"] = answer.id.clone().into();
        message["model"] = answer.model.clone().into();
        message["stop_reason"] = answer
            .stop
            .as_ref()
            .map(|stop| stop.word().to_string())
            .into();
        if let Some(usage) = answer.usage {
            message["usage"] = usage_json(&usage);
        }
        own["loci"]["items"] = items.into();
    }
    own
}

fn usage_json(usage: &Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_read_input_tokens": usage.cache_read,
        "cache_creation_input_tokens": usage.cache_creation,
        "cache_creation": {
            "ephemeral_5m_input_tokens": usage.cache_creation.saturating_sub(usage.cache_creation_1h),
            "ephemeral_1h_input_tokens": usage.cache_creation_1h,
        },
    })
}

/// The kind that a text has where nothing else is said.
fn usual(role: Role, block: &Block) -> Kind {
    match (&block.content, role) {
        (Content::ToolResult { .. }, _) => Kind::ToolResult,
        (_, Role::Assistant) => Kind::Answer,
        (_, Role::User | Role::System) => Kind::Prompt,
    }
}

fn mark(role: Role, block: &Block) -> Value {
    match block.pieces() {
        [piece]
            if piece.kind == usual(role, block)
                && piece.path.is_none()
                && piece.label.is_none() =>
        {
            Value::Null
        }
        [piece] => {
            json!({"kind": piece.kind, "origin": piece.origin, "path": piece.path, "label": piece.label})
        }
        _ => Value::Null,
    }
}

/// A conversation that was read back.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    pub chat: Chat,
    /// What waits for a decision.
    pub overlay: Overlay,
    /// The last message line.
    last: Option<String>,
    lines: usize,
    /// Lines that could not be read, by their numbers, from 1.
    pub unread: Vec<usize>,
}

/// Reads the lines of a session of ours. `None`: it does not say how it was begun.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Read> {
    let mut found = Reading::default();
    for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
        if line.trim_ascii().is_empty() {
            continue;
        }
        found.lines += 1;
        let read = serde_json::from_slice::<Value>(line)
            .ok()
            .and_then(|line| found.take(&line));
        if read.is_none() {
            found.unread.push(number + 1);
        }
    }
    found.finish()
}

#[derive(Default)]
struct Reading {
    id: String,
    session: Option<Session>,
    entries: Vec<Entry>,
    spills: Vec<Spill>,
    proposals: Vec<Proposal>,
    decided: HashMap<String, Decision>,
    anchor: Option<Anchor>,
    /// Text of an answer that was coming, and when it last did.
    partial: String,
    at: Moment,
    last: Option<String>,
    lines: usize,
    unread: Vec<usize>,
}

impl Reading {
    /// `None`: it is not as it should be. A line of a kind that we don't know is passed over.
    fn take(&mut self, line: &Value) -> Option<()> {
        let time = line["timestamp"].as_str().and_then(Moment::parse)?;
        let kind = line["type"].as_str()?;
        match kind {
            "loci-session" => {
                self.session = Some(serde_json::from_value(line["session"].clone()).ok()?);
                self.id = line["sessionId"].as_str()?.to_string();
            }
            "loci-partial" => {
                self.partial.push_str(line["text"].as_str()?);
                self.at = time;
            }
            "loci-void" => self.partial.clear(),
            "loci-spill" => self.spills.push(Spill {
                id: line["id"].as_str()?.to_string(),
                preview: line["preview"].as_str()?.to_string(),
                path: line["path"].as_str()?.into(),
            }),
            "loci-proposal" => self
                .proposals
                .push(serde_json::from_value(line["proposal"].clone()).ok()?),
            "loci-decision" => {
                let decision = serde_json::from_value(line["decision"].clone()).ok()?;
                self.decided
                    .insert(line["id"].as_str()?.to_string(), decision);
            }
            "user" | "assistant" | "attachment" | "system" => {
                self.entry(kind, line, time)?;
                self.last = line["uuid"].as_str().map(str::to_string);
            }
            _ => {}
        }
        Some(())
    }

    fn entry(&mut self, kind: &str, line: &Value, time: Moment) -> Option<()> {
        let entry = match kind {
            "attachment" => Entry::Attached {
                pieces: serde_json::from_value(line["attachment"]["pieces"].clone()).ok()?,
                time,
            },
            "system" if line["subtype"] == "compact_boundary" => Entry::Boundary {
                summary: serde_json::from_value(line["loci"]["summary"].clone()).ok()?,
                kept: serde_json::from_value(line["loci"]["kept"].clone()).ok()?,
                time,
            },
            _ => {
                let role = match kind {
                    "assistant" => Role::Assistant,
                    "system" => Role::System,
                    _ => Role::User,
                };
                let marks = line["loci"]["marks"].as_array();
                let blocks = line["message"]["content"].as_array()?.iter().enumerate();
                let blocks: Option<Vec<Block>> = blocks
                    .map(|(at, block)| block_of(role, block, marks.and_then(|marks| marks.get(at))))
                    .collect();
                if role == Role::Assistant {
                    // The whole answer is here; what came of it before is.
                    self.partial.clear();
                    self.anchor = anchor(line).or(self.anchor);
                }
                Entry::Said {
                    role,
                    blocks: blocks?,
                    time,
                }
            }
        };
        if !matches!(
            &entry,
            Entry::Said {
                role: Role::Assistant,
                ..
            }
        ) {
            self.settle();
        }
        if matches!(entry, Entry::Boundary { .. }) {
            self.anchor = None;
        }
        self.entries.push(entry);
        Some(())
    }

    /// An answer that was still coming when the program died is kept as far as it had come.
    fn settle(&mut self) {
        let text = std::mem::take(&mut self.partial);
        if text.trim().is_empty() {
            return;
        }
        let piece = Piece::new(Kind::Answer, Origin::Conversation, text);
        self.entries.push(Entry::Said {
            role: Role::Assistant,
            blocks: vec![Block::text(piece)],
            time: self.at,
        });
        let note = Piece::new(Kind::Note, Origin::Ours, "Your last answer broke off here.");
        self.entries.push(Entry::Attached {
            pieces: vec![note],
            time: self.at,
        });
    }

    fn finish(mut self) -> Option<Read> {
        self.settle();
        let session = self.session?;
        let waiting = self.proposals.into_iter();
        let decided = self.decided;
        Some(Read {
            chat: Chat {
                id: self.id,
                session,
                entries: self.entries,
                spills: self.spills,
                anchor: self.anchor,
            },
            overlay: Overlay {
                pending: waiting
                    .filter(|proposal| !decided.contains_key(&proposal.id))
                    .collect(),
            },
            last: self.last,
            lines: self.lines,
            unread: self.unread,
        })
    }
}

fn anchor(line: &Value) -> Option<Anchor> {
    let usage = &line["message"]["usage"];
    let count = |key: &str| usage[key].as_u64().unwrap_or(0);
    let tokens = count("input_tokens")
        + count("cache_read_input_tokens")
        + count("cache_creation_input_tokens");
    let items = line["loci"]["items"].as_u64()?;
    (tokens > 0).then_some(Anchor {
        tokens: usize::try_from(tokens).ok()?,
        items: usize::try_from(items).ok()?,
    })
}

fn block_of(role: Role, value: &Value, mark: Option<&Value>) -> Option<Block> {
    let piece = |text: &str, usual: Kind| {
        let mark = mark.filter(|mark| !mark.is_null());
        let field =
            |key: &str| mark.and_then(|mark| serde_json::from_value(mark[key].clone()).ok());
        let kind = mark.and_then(|mark| serde_json::from_value(mark["kind"].clone()).ok());
        let origin = mark.and_then(|mark| serde_json::from_value(mark["origin"].clone()).ok());
        Piece {
            path: field("path").map(|path: String| path.into()),
            label: field("label"),
            ..Piece::new(
                kind.unwrap_or(usual),
                origin.unwrap_or(Origin::Conversation),
                text,
            )
        }
    };
    let content = match value["type"].as_str()? {
        "text" => {
            let usual = match role {
                Role::Assistant => Kind::Answer,
                Role::User | Role::System => Kind::Prompt,
            };
            Content::Text(vec![piece(value["text"].as_str()?, usual)])
        }
        "tool_use" => Content::ToolUse {
            id: value["id"].as_str()?.to_string(),
            name: value["name"].as_str()?.to_string(),
            input: value["input"].clone(),
        },
        "tool_result" => Content::ToolResult {
            id: value["tool_use_id"].as_str()?.to_string(),
            result: piece(value["content"].as_str()?, Kind::ToolResult),
            is_error: value["is_error"].as_bool().unwrap_or(false),
        },
        _ => Content::Raw(value.clone()),
    };
    Some(Block::new(content))
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;

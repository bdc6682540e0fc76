//! A session as a person reads it: who said what, each tool's use with its result on one line, what was
//! compacted, attached and injected. It is read a page at a time, from the end or from any place, so that
//! the first screen of a transcript of any size costs no more than a page. What a line is, its kind tells,
//! never a text in it.

mod item;
mod page;
mod path;
mod piece;
mod range;

use std::ops::Range;

pub use page::{after, again, around, before, first, grown, last};
pub use piece::Piece;

/// A stretch of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Page {
    /// Where it stands in the file, in bytes: whole lines.
    pub range: Range<u64>,
    /// In the order of the file.
    pub items: Vec<Item>,
    /// Where the conversation goes on before it.
    pub up: Up,
    /// Bytes of the file when it was read.
    pub end: u64,
}

impl Page {
    /// Whether something stands before it.
    #[must_use]
    pub fn has_before(&self) -> bool {
        self.range.start > 0
    }

    /// Whether something stands behind it.
    #[must_use]
    pub fn has_after(&self) -> bool {
        self.range.end < self.end
    }
}

/// Where a conversation goes on before a page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Up {
    /// With the last message there.
    #[default]
    Last,
    /// With this line, if it is in the page before; else with the last message there: so behind a
    /// boundary, before which nothing is left out.
    Beyond(String),
    /// With this line, wherever it stands.
    Line(String),
    /// Nowhere: what stands there before the next boundary was left behind.
    Nowhere,
}

/// Which conversation something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Main,
    /// A turn that was taken back: the conversation went on from before it.
    Branch,
    /// A sub-agent's, written into the same file.
    Agent,
}

/// Something in a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Where its line begins in the file, and which one of the line it is.
    pub at: u64,
    pub number: usize,
    pub uuid: Option<String>,
    /// RFC 3339, in UTC.
    pub time: Option<String>,
    pub side: Side,
    pub said: Said,
}

/// What it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// What a person asked.
    Prompt(Piece),
    /// A command of the client, or what it printed.
    Command(Piece),
    Answer(Piece),
    /// Nothing: it is redacted.
    Thinking(Option<Piece>),
    Tool(Box<Tool>),
    /// A picture in a message, named with its size.
    Picture(String),
    Boundary(Boundary),
    Summary(Piece),
    /// The standing instructions that were sent, by path and layer; `changed`: only those that had.
    Instructions {
        files: Vec<(String, String)>,
        changed: bool,
    },
    /// Files that came with a prompt, memories among them: what kind of attachment, and their paths.
    Files {
        kind: String,
        paths: Vec<String>,
        text: Option<Piece>,
    },
    /// Something else that is attached: its kind, and its text as it was sent.
    Attached {
        kind: String,
        text: Option<Piece>,
    },
    /// A text that the client put in.
    Reminder(Piece),
    /// A line of the client's own: its kind, and what it says.
    Notice {
        kind: String,
        text: Option<Piece>,
    },
    /// So many more blocks stand on the line, which is too long to be held.
    Missing(u64),
    /// A line with the same id follows and says something else: that one counts.
    Repeated,
    /// A line that is no JSON, of so many bytes.
    Unreadable(u64),
    /// The last line, which is cut off.
    Incomplete(u64),
}

impl Said {
    /// What its own line says: the result of a tool stands on another.
    fn without_result(&self) -> Self {
        match self {
            Self::Tool(tool) => Self::Tool(Box::new(Tool {
                result: None,
                agent_id: None,
                ..(**tool).clone()
            })),
            said => said.clone(),
        }
    }
}

/// A use of a tool, with its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tool {
    pub id: String,
    /// Empty: its use stands further up, or nowhere.
    pub name: String,
    /// What of its input tells most.
    pub about: String,
    /// Its input, as JSON.
    pub input: Option<Piece>,
    /// The kind of sub-agent that it started.
    pub agent: Option<String>,
    /// The id of that sub-agent: its transcript is `subagents/agent-ID.jsonl`.
    pub agent_id: Option<String>,
    pub result: Option<ToolResult>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolResult {
    /// Where its line begins in the file: another one than that of the use.
    pub at: u64,
    pub is_error: bool,
    pub texts: Vec<Piece>,
    /// Pictures, and what else is no text, named.
    pub others: Vec<String>,
}

impl ToolResult {
    /// Bytes of its texts as they stand in the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.texts.iter().map(|text| text.bytes).sum()
    }
}

/// A compaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Boundary {
    /// `manual`, `auto`.
    pub trigger: String,
    /// Tokens before and after it.
    pub before: Option<u64>,
    pub after: Option<u64>,
    /// Messages that stay in the conversation as they are.
    pub kept: usize,
    /// What came before is not in this file.
    pub is_earlier_elsewhere: bool,
}

impl Item {
    /// The texts in it.
    #[must_use]
    pub fn pieces(&self) -> Vec<&Piece> {
        match &self.said {
            Said::Prompt(text)
            | Said::Command(text)
            | Said::Answer(text)
            | Said::Summary(text)
            | Said::Reminder(text) => vec![text],
            Said::Thinking(text)
            | Said::Files { text, .. }
            | Said::Attached { text, .. }
            | Said::Notice { text, .. } => text.iter().collect(),
            Said::Tool(tool) => {
                let result = tool.result.iter().flat_map(|result| &result.texts);
                tool.input.iter().chain(result).collect()
            }
            Said::Picture(_)
            | Said::Boundary(_)
            | Said::Instructions { .. }
            | Said::Missing(_)
            | Said::Repeated
            | Said::Unreadable(_)
            | Said::Incomplete(_) => Vec::new(),
        }
    }

    /// Whether somebody says it, rather than the client putting it in.
    #[must_use]
    pub fn is_spoken(&self) -> bool {
        match self.said {
            Said::Prompt(_) | Said::Answer(_) | Said::Picture(_) => true,
            Said::Command(_)
            | Said::Thinking(_)
            | Said::Tool(_)
            | Said::Boundary(_)
            | Said::Summary(_)
            | Said::Instructions { .. }
            | Said::Files { .. }
            | Said::Attached { .. }
            | Said::Reminder(_)
            | Said::Notice { .. }
            | Said::Missing(_)
            | Said::Repeated
            | Said::Unreadable(_)
            | Said::Incomplete(_) => false,
        }
    }
}

#[cfg(test)]
mod tests;

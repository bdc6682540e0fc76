//! What a session did with files that may be memories, and which instructions were sent to it: the
//! evidence, each with the line that it stands on.

use std::borrow::Cow;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::base::disk::normalize;
use crate::base::json::reader::Text;

/// How a session came in touch with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    Read,
    Write,
    Edit,
    /// The client put it into the conversation: named by the person, or restored after a compaction.
    Attached,
    /// It was recalled for a question.
    Recalled,
}

impl How {
    pub(super) fn of_tool(name: Text<'_>) -> Option<Self> {
        match name.raw {
            b"Read" => Some(Self::Read),
            b"Write" => Some(Self::Write),
            b"Edit" | b"MultiEdit" => Some(Self::Edit),
            _ => None,
        }
    }

    pub(super) fn of_attachment(kind: Text<'_>) -> Option<Self> {
        match kind.raw {
            b"file" => Some(Self::Attached),
            b"relevant_memories" | b"nested_memory" => Some(Self::Recalled),
            _ => None,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Edit => "edit",
            Self::Attached => "attached",
            Self::Recalled => "recalled",
        }
    }

    /// Whether the model saw the text of the file by it.
    #[must_use]
    pub fn is_reading(self) -> bool {
        match self {
            Self::Read | Self::Attached | Self::Recalled => true,
            Self::Write | Self::Edit => false,
        }
    }
}

/// A Markdown file that a session read or wrote.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Touch {
    /// As the line has it.
    pub path: String,
    pub how: How,
    /// The number of the prompt that it belongs to, from 1; 0 before the first.
    pub turn: u32,
    /// The line.
    pub uuid: String,
    /// RFC 3339, in UTC.
    pub time: String,
    /// Where the line begins in the file, in bytes.
    pub at: u64,
    /// The tool use whose result is not there yet.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) waits_for: String,
}

impl Touch {
    /// Its path without `.`, `..` and doubled slashes.
    #[must_use]
    pub fn plain_path(&self) -> Cow<'_, str> {
        match self.path.contains("/.") || self.path.contains("//") {
            false => Cow::Borrowed(&self.path),
            true => {
                let plain = normalize(Path::new(&self.path));
                Cow::Owned(plain.to_string_lossy().into_owned())
            }
        }
    }

    /// Whether it was done: the tool has answered, and did not fail.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.waits_for.is_empty()
    }
}

/// Standing instructions that were sent: all of them, or those that had changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loaded {
    /// The line, its time (RFC 3339, in UTC), and where it begins in the file, in bytes.
    pub uuid: String,
    pub time: String,
    pub at: u64,
    /// The number of the prompt that it came with.
    pub turn: u32,
    pub files: Vec<LoadedFile>,
}

/// One file of them. Its text stands on the line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadedFile {
    pub path: String,
    /// `Managed`, `User`, `Project`, `Local`, `AutoMem`.
    pub layer: String,
    /// Bytes of the text as it is escaped on the line.
    pub bytes: u64,
    /// Of the text as it was sent, in hexadecimal; none where the line is too long to be held.
    pub sha256: Option<String>,
}

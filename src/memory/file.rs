//! One memory file: its type, its state, and what its head or its whole text says.

use std::path::PathBuf;

use crate::base::front_matter::FrontMatter;
use crate::base::time::Moment;

/// The type of a memory. The four are closed; anything else is shown as it is, never mapped.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MemoryType {
    User,
    Feedback,
    Project,
    Reference,
    /// A type that is none of the four, as written.
    Unknown(Box<str>),
    /// No type at all.
    Missing,
}

/// Where in a memory folder a memory lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Drawer {
    /// The folder itself and its own sub-folders.
    Private,
    /// `team/`: shared.
    Team,
    /// `learnings/`: lessons that dreaming wrote.
    Learnings,
}

/// What is to be said of a memory in one word (spec 11.7), the worst first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum State {
    /// A link that leaves the memory folder, dangles or loops; a device; unreadable.
    Unsafe,
    /// Bytes that are no UTF-8.
    NotText,
    /// Front matter that can't be trusted.
    Broken,
    /// No index line points at it.
    Ghost,
    /// No type, or none of the four.
    NoType,
    Ok,
}

/// What a scan knows of one memory: the first lines of its file and what the disk says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// Relative to the memory folder, with `/`.
    pub path: Box<str>,
    pub name: Option<Box<str>>,
    pub description: Option<Box<str>>,
    pub kind: MemoryType,
    pub drawer: Drawer,
    /// `created` of the front matter, as written.
    pub created: Option<Box<str>>,
    /// `None` where the disk can't say: a link that leads nowhere.
    pub modified: Option<Moment>,
    /// Size of the file in bytes.
    pub bytes: u64,
    pub state: State,
    /// Why it is not read though it is there: of an unsafe one.
    pub unread: Option<Unread>,
}

/// Why a file that is there is not read: the end of a sentence that begins with the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    #[error(
        "is a link to {0}, out of the memory folder, and is not followed: put the file itself here if the agent shall see it as a memory"
    )]
    LeadsOut(Box<str>),
    #[error("is a link to {0}, where nothing is: remove it, or put back what it leads to")]
    Dangling(Box<str>),
    #[error("has a name that is no UTF-8: rename it to read it")]
    OddName,
    #[error("is no file but a pipe, a socket or a device, and is not read: move it away")]
    NoFile,
    #[error("can't be read: {0}")]
    Failed(Box<str>),
}

impl State {
    /// The word of the state on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unsafe => "unsafe",
            Self::NotText => "not-text",
            Self::Broken => "broken",
            Self::Ghost => "ghost",
            Self::NoType => "no-type",
            Self::Ok => "ok",
        }
    }
}

/// One memory file read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// The file, as seen (below the sysroot, if there is one).
    pub path: PathBuf,
    /// The text, with U+FFFD for each bad byte and without its BOM.
    pub text: String,
    /// Whether bytes had to be replaced.
    pub lossy: bool,
    pub front: FrontMatter<'static>,
    pub modified: Moment,
    /// Size of the file in bytes.
    pub bytes: u64,
}

impl MemoryType {
    /// The type that front matter gives, at the top or under `metadata`.
    #[must_use]
    pub fn read(front: &FrontMatter<'_>) -> Self {
        Self::of_word(front.get("type").unwrap_or_default())
    }

    /// The type that a word means; none is [`MemoryType::Missing`].
    #[must_use]
    pub fn of_word(word: &str) -> Self {
        match word {
            "" => Self::Missing,
            "user" => Self::User,
            "feedback" => Self::Feedback,
            "project" => Self::Project,
            "reference" => Self::Reference,
            other => Self::Unknown(other.into()),
        }
    }

    /// The word of the type, as written; `None` when there is none.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::User => Some("user"),
            Self::Feedback => Some("feedback"),
            Self::Project => Some("project"),
            Self::Reference => Some("reference"),
            Self::Unknown(word) => Some(word),
            Self::Missing => None,
        }
    }
}

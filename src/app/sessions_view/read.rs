//! What was read of all sessions. Knows nothing of how it is listed.

use std::path::PathBuf;
use std::time::Duration;

use crate::app::usage_view::UsageRead;
use crate::base::time::Moment;
use crate::transcript::sessions::Kind;
use crate::transcript::touch::How;

/// What was read of all sessions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionList {
    /// The newest first.
    pub sessions: Vec<Session>,
    /// What they cost.
    pub usage: UsageRead,
    /// Transcripts that were not read to their end, since the reading was stopped.
    pub unread: usize,
    /// Sentences.
    pub faults: Vec<String>,
}

/// One session, or a sub-agent's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    pub path: PathBuf,
    /// The name of its transcript: the id of a session.
    pub id: String,
    /// The session that a sub-agent belongs to.
    pub of: Option<String>,
    /// The keys of its project and of the memory that it shares.
    pub key: String,
    pub memory_key: String,
    pub kind: Kind,
    /// What it is called, else its first prompt.
    pub title: Option<String>,
    pub model: Option<String>,
    pub messages: u64,
    pub bytes: u64,
    pub last: Option<Moment>,
    /// Whole days until the client's clean-up takes it; none of what only we have.
    pub days_left: Option<i64>,
    pub rescued: Rescued,
    /// Where the lines of its prompts begin, in bytes: each begins a turn.
    pub turns: Vec<u64>,
    /// The memories that it read or wrote.
    pub touches: Vec<TouchAt>,
}

/// Whether a session lies out of reach of the client's clean-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rescued {
    No,
    /// The client has it too.
    Also,
    /// It is the copy: the client has it no more.
    Only,
}

/// A turn that read or wrote a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TouchAt {
    pub path: PathBuf,
    pub how: How,
    pub turn: u32,
    pub time: Option<Moment>,
    /// Where its line begins in the transcript, in bytes.
    pub at: u64,
}

impl Session {
    /// The turn that a place of its transcript is in, from 1; `None` before the first.
    #[must_use]
    pub fn turn_at(&self, at: u64) -> Option<usize> {
        let turn = self.turns.partition_point(|begin| *begin <= at);
        (turn > 0).then_some(turn)
    }

    /// What a list shows for it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.title.as_deref().unwrap_or(&self.id)
    }
}

/// How far the reading of all sessions is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnderWay {
    /// Bytes that are read, and all there are to read.
    pub read: u64,
    pub of: u64,
    /// Seconds that it takes still, as far as can be told.
    pub left: Option<u64>,
}

impl UnderWay {
    /// After some time.
    #[must_use]
    pub fn new(read: u64, of: u64, passed: Duration) -> Self {
        let passed = u64::try_from(passed.as_millis()).unwrap_or(u64::MAX);
        let left = of.saturating_sub(read);
        // Of the first moments nothing is to be told.
        let is_told = passed >= 500 && read > 0;
        let left = u128::from(passed) * u128::from(left) / u128::from(read.max(1));
        let left = u64::try_from(left.div_ceil(1_000)).unwrap_or(u64::MAX);
        Self {
            read,
            of,
            left: is_told.then_some(left),
        }
    }

    /// In hundredths.
    #[must_use]
    pub fn percent(&self) -> u64 {
        let (read, of) = (u128::from(self.read), u128::from(self.of.max(1)));
        u64::try_from(read * 100 / of).unwrap_or(100).min(100)
    }
}

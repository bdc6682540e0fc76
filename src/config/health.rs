//! `[health]` of our `config.toml` (spec 11.4): how old is stale, how young may be half written, and
//! which findings are told how loudly. Which codes there are is not known here.

use std::collections::BTreeMap;

/// What `[health]` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// Days beyond which a memory is stale.
    pub stale_days: u32,
    /// The same of a memory of the type `project`.
    pub stale_project_days: u32,
    /// Seconds in which a memory without an index line may be one that is being written.
    pub ghost_grace_seconds: u32,
    /// How loudly the findings of a code are told, where it is not as usual.
    pub levels: BTreeMap<String, Level>,
}

/// How loudly a finding is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Off,
    Note,
    Warning,
    Error,
}

impl Default for Health {
    fn default() -> Self {
        Self {
            stale_days: 30,
            stale_project_days: 14,
            ghost_grace_seconds: 60,
            levels: BTreeMap::new(),
        }
    }
}

impl Level {
    pub const ALL: [Self; 4] = [Self::Off, Self::Note, Self::Warning, Self::Error];

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }

    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.word() == word)
    }
}

//! By which measures is judged: thresholds, and how loudly each code is told.

use std::collections::HashMap;

use crate::config::health::{Health, Level};
use crate::health::code::{Code, Severity};
use crate::safety::secret::Allowed;

/// The measures of one check. The defaults are those of spec 1.6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Days beyond which a memory is stale.
    pub stale_days: i64,
    /// The same of the type `project`.
    pub stale_project_days: i64,
    /// Seconds in which a ghost may be one that is being written.
    pub ghost_grace_seconds: i64,
    /// What looks like a secret and is let pass.
    pub allowed: Allowed,
    levels: HashMap<Code, Level>,
}

impl Default for Rules {
    fn default() -> Self {
        Self::from(&Health::default())
    }
}

impl Rules {
    /// The measures that the configuration gives. What is no code was told when that was read.
    #[must_use]
    pub fn from(health: &Health) -> Self {
        let levels = health.levels.iter();
        let levels = levels
            .filter_map(|(word, level)| Some((Code::read(word)?, *level)))
            .collect();
        Self {
            stale_days: health.stale_days.into(),
            stale_project_days: health.stale_project_days.into(),
            ghost_grace_seconds: health.ghost_grace_seconds.into(),
            allowed: Allowed::default(),
            levels,
        }
    }

    /// How loud a finding is that would usually be this loud; `None`: it is not told.
    #[must_use]
    pub fn severity(&self, code: Code, usually: Severity) -> Option<Severity> {
        match self.levels.get(&code) {
            None => Some(usually),
            Some(Level::Off) => None,
            Some(Level::Note) => Some(Severity::Note),
            Some(Level::Warning) => Some(Severity::Warning),
            Some(Level::Error) => Some(Severity::Error),
        }
    }
}

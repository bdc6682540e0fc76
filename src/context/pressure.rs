//! How full a model's window may become before something is to be done (spec 6.3). Figures only.

use crate::config::limits::{
    BLOCK_BUFFER, COMPACT_BUFFER, FULL_WINDOW, SUMMARY_RESERVE, WARNING_BUFFER,
};

/// The thresholds of a window: tokens of a request, each heavier than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Thresholds {
    pub window: usize,
    pub warn: usize,
    pub compact: usize,
    pub block: usize,
}

/// What a request has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pressure {
    None,
    Warn,
    Compact,
    Block,
}

impl Thresholds {
    /// Those of a window of so many tokens.
    #[must_use]
    pub fn of(window: usize) -> Self {
        let scaled = |tokens: usize| match window {
            FULL_WINDOW.. => tokens,
            small => tokens * small / FULL_WINDOW,
        };
        let effective = window - scaled(SUMMARY_RESERVE);
        Self {
            window,
            warn: effective - scaled(COMPACT_BUFFER + WARNING_BUFFER),
            compact: effective - scaled(COMPACT_BUFFER),
            block: effective - scaled(BLOCK_BUFFER),
        }
    }

    /// The heaviest that a request of so many tokens has reached.
    #[must_use]
    pub fn reached(&self, tokens: usize) -> Pressure {
        match tokens {
            _ if tokens >= self.block => Pressure::Block,
            _ if tokens >= self.compact => Pressure::Compact,
            _ if tokens >= self.warn => Pressure::Warn,
            _ => Pressure::None,
        }
    }
}

#[cfg(test)]
#[path = "pressure_tests.rs"]
mod tests;

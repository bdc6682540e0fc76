//! How often a request is tried and how long is waited in between. Knows no clock and no network.

use std::time::Duration;

use crate::llm::failure::Failure;

/// A policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// Tries in all.
    pub tries: u32,
    /// About the first wait; each further one is twice the one before.
    pub first: Duration,
    /// The longest wait. If the server asks for a longer one the request fails at once and says so.
    pub most: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            tries: 5,
            first: Duration::from_secs(1),
            most: Duration::from_mins(1),
        }
    }
}

impl Retry {
    /// How long to wait after the try `attempt` (from 1) failed; `None`: it is not tried again. `chance` is
    /// any number: waits are between 3/4 and 5/4 of their length, so that many clients don't come at once
    /// and each wait is longer than the one before.
    #[must_use]
    pub fn wait(&self, attempt: u32, failure: &Failure, chance: u64) -> Option<Duration> {
        if attempt >= self.tries || !failure.is_passing() {
            return None;
        }
        let quarters = self.first / 4;
        let spread = quarters * 2;
        let step = u64::try_from(spread.as_micros()).unwrap_or(u64::MAX);
        let jitter = Duration::from_micros(chance % step.max(1));
        let own = quarters * 3 + jitter;
        let own = own.saturating_mul(2_u32.saturating_pow(attempt - 1));
        match failure.retry_after {
            Some(asked) if asked > self.most => None,
            // Not all at the very moment either.
            Some(asked) => Some(own.min(self.most).max(asked + jitter / 4)),
            None => Some(own.min(self.most.saturating_sub(jitter.min(self.most / 4)))),
        }
    }
}

/// The wait that a `retry-after` asks for: seconds, or a date. `now` in seconds since 1970.
#[must_use]
pub fn asked(header: &str, now: i64) -> Option<Duration> {
    let header = header.trim();
    if let Ok(seconds) = header.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = jiff::fmt::rfc2822::parse(header).ok()?;
    let seconds = date.timestamp().as_second().saturating_sub(now);
    Some(Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;

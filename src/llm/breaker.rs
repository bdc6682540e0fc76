//! A breaker: after some failures in a row an engine stops asking, until a person resets it. Each engine
//! has one of its own. Knows no engine.

use crate::config::limits::BREAKER_FAILURES;
use crate::llm::failure::Failure;

/// The breaker of one engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breaker {
    /// What it belongs to, as a person reads it: `recall`.
    pub engine: &'static str,
    failures: u32,
    last: Option<String>,
}

impl Breaker {
    #[must_use]
    pub fn new(engine: &'static str) -> Self {
        Self {
            engine,
            failures: 0,
            last: None,
        }
    }

    /// Whether the engine must not ask.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.failures >= BREAKER_FAILURES
    }

    /// A request of the engine's succeeded.
    pub fn worked(&mut self) {
        self.reset();
    }

    /// One failed, whatever tries it took.
    pub fn failed(&mut self, failure: &Failure) {
        self.failures = self.failures.saturating_add(1);
        self.last = Some(failure.to_string());
    }

    /// A person wants it to try again.
    pub fn reset(&mut self) {
        *self = Self::new(self.engine);
    }

    /// What there is to say of it: nothing after a success.
    #[must_use]
    pub fn said(&self) -> Option<String> {
        let last = self.last.as_ref()?;
        let engine = self.engine;
        Some(match self.is_open() {
            true => format!(
                "{engine} has stopped after {} failures in a row; the last: {last}",
                self.failures
            ),
            false => format!(
                "{engine} failed {} of {BREAKER_FAILURES} times: {last}",
                self.failures
            ),
        })
    }
}

#[cfg(test)]
#[path = "breaker_tests.rs"]
mod tests;

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
mod tests {
    use super::*;
    use crate::llm::failure::What;

    #[test]
    fn three_failures_in_a_row_open_it_until_it_is_reset() {
        let failure = Failure::new(What::Cut, "POST http://h");
        let mut breaker = Breaker::new("recall");
        assert_eq!(breaker.said(), None);
        for _ in 0..2 {
            breaker.failed(&failure);
            breaker.failed(&failure);
            assert!(!breaker.is_open());
            assert!(
                breaker
                    .said()
                    .unwrap()
                    .starts_with("recall failed 2 of 3 times: the answer broke off")
            );
            breaker.worked();
            assert_eq!(breaker.said(), None);
        }
        (0..4).for_each(|_| breaker.failed(&failure));
        assert!(breaker.is_open());
        assert!(
            breaker
                .said()
                .unwrap()
                .starts_with("recall has stopped after 4 failures in a row; the last: ")
        );
        breaker.reset();
        assert_eq!(breaker, Breaker::new("recall"));
    }
}

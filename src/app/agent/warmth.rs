//! Until when the provider keeps what was sent, so that the next request reads it at a fraction of the price.
//! Told by what its own count says; of a provider that tells of no cache nothing is said.

use crate::base::time::Moment;
use crate::context::request::Life;
use crate::llm::answer::Usage;

/// The warmth of what was sent last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Warmth {
    /// When the request went out that is not counted yet.
    asked: Option<Moment>,
    /// When the one went out that was counted last, and used a cache.
    cached: Option<Moment>,
    life: Life,
}

impl Warmth {
    /// A request goes out.
    pub fn asking(&mut self, now: Moment) {
        self.asked = Some(now);
    }

    /// What it used is told.
    pub fn counted(&mut self, usage: &Usage) {
        if usage.cache_creation > 0 {
            self.life = match usage.cache_creation_1h {
                0 => Life::FiveMinutes,
                _ => Life::Hour,
            };
        }
        if usage.cache_creation > 0 || usage.cache_read > 0 {
            self.cached = self.asked.or(self.cached);
        }
    }

    /// Until when it is warm; `None`: nothing is known of it.
    #[must_use]
    pub fn until(&self) -> Option<Moment> {
        let from = self.cached?;
        Some(Moment::from_seconds(from.seconds + self.life.seconds()))
    }
}

#[cfg(test)]
#[path = "warmth_tests.rs"]
mod tests;

//! What a request costs: the first turn of a session, a later one, a cold one, and a standing part over
//! a whole session. Prices come from the configuration; a model without one has no cost, never 0.

use crate::config::prices::Price;
use crate::context::request::Life;

/// Money in millionths of a millionth of a US dollar, so that a token at a price a million is a whole
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cost(pub u64);

impl Cost {
    /// In US dollars.
    #[must_use]
    pub fn dollars(self) -> f64 {
        #[allow(clippy::cast_precision_loss, reason = "below 2^53 up to 9,000 dollars")]
        let parts = self.0 as f64;
        parts / 1e12
    }
}

impl std::fmt::Display for Cost {
    /// `$12.40`, `$0.0132`, `<$0.0001`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const TEN_THOUSANDTH: u64 = 100_000_000;
        match self.0 {
            0 => f.write_str("$0"),
            1..TEN_THOUSANDTH => f.write_str("<$0.0001"),
            _ if self.0 < 1_000_000_000_000 => write!(f, "${:.4}", self.dollars()),
            _ => write!(f, "${:.2}", self.dollars()),
        }
    }
}

/// What the input of three kinds of turn costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turns {
    /// Everything is written to the cache.
    pub first: Cost,
    /// What stood in the request before is read from the cache, the rest written.
    pub later: Cost,
    /// The cache has gone cold: all is written again.
    pub cold: Cost,
}

/// The three turns of a request of `tokens`, of which `fresh` were not in the one before.
#[must_use]
pub fn turns(price: &Price, life: Life, tokens: usize, fresh: usize) -> Turns {
    let write = write(price, life);
    let fresh = fresh.min(tokens);
    Turns {
        first: of(tokens, write),
        later: sum(of(tokens - fresh, price.cache_read), of(fresh, write)),
        cold: of(tokens, write),
    }
}

/// What a part that stands in every request costs over a session: written once, read in each later turn.
#[must_use]
pub fn standing(price: &Price, life: Life, tokens: usize, turns: usize) -> Cost {
    let Some(later) = turns.checked_sub(1) else {
        return Cost::default();
    };
    let written = of(tokens, write(price, life));
    sum(written, of(tokens.saturating_mul(later), price.cache_read))
}

/// What an answer of so many tokens costs.
#[must_use]
pub fn answer(price: &Price, tokens: usize) -> Cost {
    of(tokens, price.output)
}

fn write(price: &Price, life: Life) -> u64 {
    match life {
        Life::FiveMinutes => price.cache_write_5m,
        Life::Hour => price.cache_write_1h,
    }
}

fn sum(one: Cost, other: Cost) -> Cost {
    Cost(one.0.saturating_add(other.0))
}

fn of(tokens: usize, price: u64) -> Cost {
    Cost(
        u64::try_from(tokens)
            .unwrap_or(u64::MAX)
            .saturating_mul(price),
    )
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;

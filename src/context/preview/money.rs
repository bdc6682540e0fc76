//! What the request costs, where the configuration has a price for its model.

use std::path::PathBuf;

use super::group;
use crate::config::prices::Prices;
use crate::context::cost::{self, Cost, Turns};
use crate::context::part::{Kind, Part};
use crate::context::request::Life;

/// Prices of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Money {
    pub turns: Turns,
    /// Turns of the session that `standing` is told for.
    pub session: usize,
    /// Each rule and the index.
    pub standing: Vec<StandingPart>,
}

/// A part that stands in every request of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StandingPart {
    pub path: PathBuf,
    /// With the line that names it.
    pub tokens: usize,
    /// Over the whole session.
    pub cost: Cost,
}

/// `None` where the model has no price. `tokens`: of all, and of those that are new in a later turn.
pub fn of(
    prices: &Prices,
    model: &str,
    (tokens, fresh): (usize, usize),
    parts: &[Part],
    session: usize,
) -> Option<Money> {
    let price = prices.of(model)?;
    let life = Life::FiveMinutes;
    let groups = group::groups(parts);
    let standing = groups.iter().filter_map(|group| {
        let part = &parts[group.main];
        part.tokens?;
        let (path, tokens) = (part.path.clone()?, group.tokens(parts).known);
        matches!(part.kind, Kind::Rule | Kind::Index | Kind::AgentIndex).then(|| StandingPart {
            path,
            tokens,
            cost: cost::standing(price, life, tokens, session),
        })
    });
    Some(Money {
        standing: standing.collect(),
        turns: cost::turns(price, life, tokens, fresh),
        session,
    })
}

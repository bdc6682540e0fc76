//! What a conversation of ours has cost, from the ledger: requests, tokens, shares of the cache, money. What has no
//! price is no part of the money, and that is said.

use std::collections::BTreeSet;

use crate::base::time::grouped;
use crate::config::prices::Prices;
use crate::context::ledger::Line;
use crate::transcript::message::Usage;
use crate::transcript::usage::Sum;

/// What was spent.
#[derive(Debug, Clone, Default)]
pub struct Spent {
    pub sum: Sum,
    /// Requests to which no answer came, or whose tokens nobody counted.
    pub uncounted: usize,
    /// Models without a price.
    pub unpriced: BTreeSet<String>,
}

/// What the requests of a session have cost.
#[must_use]
pub fn of_session(lines: &[Line], session: &str, prices: &Prices) -> Spent {
    let mut spent = Spent::default();
    for line in lines.iter().filter(|line| line.session == session) {
        let Some(usage) = line.usage else {
            spent.uncounted += 1;
            continue;
        };
        let price = prices.of(&line.model);
        if price.is_none() {
            spent.unpriced.insert(line.model.clone());
        }
        let usage = Usage {
            input: usage.input,
            output: usage.output,
            cache_read: usage.cache_read,
            cache_creation: usage.cache_creation,
            cache_creation_1h: 0,
        };
        spent.sum.add(&usage, 1, price);
    }
    spent
}

/// The same in sentences. `days`: how long the ledger is kept.
#[must_use]
pub fn sentences(spent: &Spent, days: u32) -> Vec<String> {
    let Spent {
        sum,
        uncounted,
        unpriced,
    } = spent;
    let number = |tokens: u64| grouped(usize::try_from(tokens).unwrap_or(usize::MAX));
    let requests = usize::try_from(sum.messages).unwrap_or(usize::MAX) + uncounted;
    let usage = &sum.usage;
    let sent = usage.input + usage.cache_read + usage.cache_creation;
    let mut said = vec![format!(
        "{} · {} tokens in, {} out",
        match requests {
            1 => "1 request".to_string(),
            many => format!("{} requests", grouped(many)),
        },
        number(sent),
        number(usage.output)
    )];
    if let Some((narrow, wide)) = sum.cache_shares() {
        said.push(format!(
            "cache: {:.1} % of what was read or sent anew was read from it, {:.1} % of all that was sent ({} read, \
             {} written)",
            narrow * 100.0,
            wide * 100.0,
            number(usage.cache_read),
            number(usage.cache_creation)
        ));
    }
    let (dollars, without) = sum.known_dollars();
    said.push(match (sum.messages, without, *uncounted) {
        (0, ..) => "no answer was counted, so what it cost is not known".to_string(),
        (all, without, _) if without == all => format!(
            "what it cost is not known: [prices] in config.toml has no row for {}",
            names(unpriced)
        ),
        (_, 0, 0) => format!("${dollars:.4}"),
        (_, 0, many) => format!("≥ ${dollars:.4}: {many} without an answer that was counted"),
        (..) => format!(
            "≥ ${dollars:.4}: [prices] in config.toml has no row for {}",
            names(unpriced)
        ),
    });
    said.push(format!(
        "as the ledger has it, which is kept {days} days; what chose memories is not in it"
    ));
    said
}

fn names(models: &BTreeSet<String>) -> String {
    let all: Vec<&str> = models.iter().map(String::as_str).collect();
    all.join(", ")
}

#[cfg(test)]
#[path = "cost_tests.rs"]
mod tests;

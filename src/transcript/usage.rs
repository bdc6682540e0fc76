//! What sessions cost: each API message once, though a transcript repeats its bill on several lines and
//! a forked session copies it into another file.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::bills::{Bills, best};
use super::days::Days;
use super::digests::Digests;
use super::message::Usage;
use crate::config::prices::{Price, Prices};

/// Tokens of some messages, and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sum {
    pub usage: Usage,
    pub messages: u64,
    /// Millionths of a millionth of a US dollar, for the messages whose price is known.
    cost: u128,
    /// Messages whose price is not known.
    unpriced: u64,
}

impl Sum {
    /// Of one message; `price`: nothing where it is not known.
    #[must_use]
    pub fn of(usage: &Usage, price: Option<&Price>) -> Self {
        let mut sum = Self::default();
        sum.add(usage, 1, price);
        sum
    }

    /// Adds some messages of one model; `price` is nothing where it is not known.
    pub fn add(&mut self, usage: &Usage, messages: u64, price: Option<&Price>) {
        self.usage.add(usage);
        self.messages += messages;
        match price {
            Some(price) => self.cost += cost(usage, price),
            None => self.unpriced += messages,
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        self.usage.add(&other.usage);
        self.messages += other.messages;
        self.cost += other.cost;
        self.unpriced += other.unpriced;
    }

    /// All tokens: sent, answered, read from the cache and written to it.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let usage = &self.usage;
        let parts = [usage.input, usage.output, usage.cache_read];
        parts
            .iter()
            .fold(usage.cache_creation, |all, part| all.saturating_add(*part))
    }

    /// US dollars of the messages whose price is known, and how many messages have none.
    #[must_use]
    #[allow(
        clippy::cast_precision_loss,
        reason = "millionths of a millionth of a dollar are not shown"
    )]
    pub fn known_dollars(&self) -> (f64, u64) {
        (self.cost as f64 / 1e12, self.unpriced)
    }

    /// US dollars. Nothing where the price of any message is not known: a part is not the whole.
    #[must_use]
    #[allow(
        clippy::cast_precision_loss,
        reason = "a cost is shown with few digits"
    )]
    pub fn dollars(&self) -> Option<f64> {
        (self.unpriced == 0).then(|| self.cost as f64 / 1e12)
    }

    /// Tokens that were written to the cache for 5 minutes.
    #[must_use]
    pub fn cache_creation_5m(&self) -> u64 {
        let usage = &self.usage;
        usage.cache_creation.saturating_sub(usage.cache_creation_1h)
    }

    /// The share of the cache by both formulas: read of what was read and sent anew; read of that and what
    /// was written. Nothing where nothing was sent.
    #[must_use]
    #[allow(
        clippy::cast_precision_loss,
        reason = "a share is shown with three digits"
    )]
    pub fn cache_shares(&self) -> Option<(f64, f64)> {
        let usage = &self.usage;
        let (read, input) = (usage.cache_read as f64, usage.input as f64);
        let all = read + input + usage.cache_creation as f64;
        let narrow = if read + input > 0.0 {
            read / (read + input)
        } else {
            0.0
        };
        (all > 0.0).then(|| (narrow, read / all))
    }
}

/// Prices are in millionths of a dollar a million tokens.
fn cost(usage: &Usage, price: &Price) -> u128 {
    let written_5m = usage.cache_creation.saturating_sub(usage.cache_creation_1h);
    let parts = [
        (usage.input, price.input),
        (usage.output, price.output),
        (usage.cache_read, price.cache_read),
        (written_5m, price.cache_write_5m),
        (usage.cache_creation_1h, price.cache_write_1h),
    ];
    let parts = parts.map(|(tokens, price)| u128::from(tokens) * u128::from(price));
    parts.iter().sum()
}

/// The sums of many transcripts.
#[derive(Debug, Default)]
pub struct Totals {
    pub all: Sum,
    pub by_day: BTreeMap<String, Sum>,
    /// By the key of the project.
    pub by_project: BTreeMap<String, Sum>,
    /// By the key of the project and the id of the session.
    pub by_session: BTreeMap<(String, String), Sum>,
    pub by_model: BTreeMap<String, Sum>,
    /// Transcripts that are gone, and say something that no living one says.
    pub gone: usize,
    /// Messages that say what they used in a way that can't be read whole.
    pub unread: u64,
}

/// What one row of the sums is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct About<'a> {
    day: &'a str,
    project: &'a str,
    session: &'a str,
    model: &'a str,
}

/// What one session cost on one day with one model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spent {
    /// `YYYY-MM-DD`, in UTC; empty where the lines name none.
    pub day: String,
    /// The key of the project.
    pub project: String,
    pub session: String,
    pub model: String,
    pub sum: Sum,
}

/// The sums of all transcripts, and of those that are gone, each by day, project, session and model: in
/// that order.
#[must_use]
pub fn spent(digests: &Digests, prices: &Prices) -> Vec<Spent> {
    let mut sums: BTreeMap<About<'_>, Sum> = BTreeMap::new();
    each(digests, |about, usage, messages| {
        let price = prices.of(about.model);
        sums.entry(about).or_default().add(usage, messages, price);
        true
    });
    let spent = sums.into_iter().map(|(about, sum)| Spent {
        day: about.day.to_string(),
        project: about.project.to_string(),
        session: about.session.to_string(),
        model: about.model.to_string(),
        sum,
    });
    spent.collect()
}

/// Hands on each API message once, also of the transcripts that are gone; `take` says whether it counts. How
/// many of those that are gone had any that counts and no other has.
fn each<'a>(digests: &'a Digests, mut take: impl FnMut(About<'a>, &Usage, u64) -> bool) -> usize {
    let living = digests.all.iter().map(|one| &one.digest.bills);
    let mut left = best(living.chain(digests.swept.files.iter().map(|file| &file.bills)));
    let listed = digests.all.iter().map(|one| &one.found);
    let listed: HashSet<(&str, &str)> = listed
        .map(|found| (&*found.project, &*found.session))
        .collect();
    for one in &digests.all {
        let (project, session) = (&one.found.project, &one.found.session);
        let mut told = |mut about: About<'a>, usage: &Usage, messages: u64| {
            // A session that no list has is told by the transcript in which it stands.
            let is_listed = about.session == session || listed.contains(&(project, about.session));
            if !is_listed {
                about.session = session;
            }
            take(about, usage, messages);
        };
        each_bill(project, session, &one.digest.bills, &mut left, &mut told);
    }
    let mut gone = 0;
    for file in &digests.swept.files {
        let mut is_counted = false;
        let mut noted = |about: About<'a>, usage: &Usage, messages: u64| {
            is_counted |= take(about, usage, messages);
        };
        let (project, session) = (&file.project, &file.session);
        each_bill(project, session, &file.bills, &mut left, &mut noted);
        for row in &file.rows {
            let about = About {
                day: &row.day,
                project,
                session: &row.session,
                model: &row.model,
            };
            noted(about, &row.usage, row.messages);
        }
        gone += usize::from(is_counted);
    }
    gone
}

/// What another transcript said already is not counted again: the older transcripts come first. `left`: the
/// messages that were not, each with the bill that says most. `file` is the session of lines that name none.
fn each_bill<'a>(
    project: &'a str,
    file: &'a str,
    bills: &'a Bills,
    left: &mut HashMap<u64, Usage>,
    take: &mut impl FnMut(About<'a>, &Usage, u64),
) {
    for bill in bills.all() {
        let usage = match bill.key {
            0 => bill.usage,
            key => match left.remove(&key) {
                Some(usage) => usage,
                None => continue,
            },
        };
        let session = match bills.session(bill) {
            "" => file,
            said => said,
        };
        let about = About {
            day: bills.day(bill),
            project,
            session,
            model: bills.model(bill),
        };
        take(about, &usage, 1);
    }
}

impl Totals {
    /// The sums of all transcripts, and of those that are gone.
    #[must_use]
    pub fn of(digests: &Digests, prices: &Prices) -> Self {
        Self::within(digests, prices, &Days::default())
    }

    /// The same of some days.
    #[must_use]
    pub fn within(digests: &Digests, prices: &Prices, days: &Days) -> Self {
        let mut totals = Self::default();
        totals.gone = each(digests, |about, usage, messages| {
            let is_in = days.hold(about.day);
            if is_in {
                totals.put(&about, usage, messages, prices);
            }
            is_in
        });
        let living = digests.all.iter().map(|one| &one.digest.bills);
        let gone = digests.swept.files.iter().map(|file| &file.bills);
        totals.unread = living.chain(gone).map(|bills| bills.unread).sum();
        totals
    }

    fn put(&mut self, about: &About<'_>, usage: &Usage, messages: u64, prices: &Prices) {
        let price = prices.of(about.model);
        self.all.add(usage, messages, price);
        for (sums, name) in [
            (&mut self.by_day, about.day),
            (&mut self.by_project, about.project),
            (&mut self.by_model, about.model),
        ] {
            // A name is made only where it is new.
            match sums.get_mut(name) {
                Some(sum) => sum.add(usage, messages, price),
                None => {
                    let sum = sums.entry(name.to_string()).or_default();
                    sum.add(usage, messages, price);
                }
            }
        }
        let session = (about.project.to_string(), about.session.to_string());
        let sum = self.by_session.entry(session).or_default();
        sum.add(usage, messages, price);
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;

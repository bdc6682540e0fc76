//! What sessions cost: each API message once, though a transcript repeats its bill on several lines and
//! a forked session copies it into another file.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;

use memchr::memmem;
use rayon::prelude::*;

use super::entry::{Entry, Kind};
use super::found::Found;
use super::lines::Lines;
use super::message::Usage;
use super::names::{Name, Names};
use super::source::Source;
use crate::base::disk::Disk;
use crate::config::prices::{Price, Prices};

/// Transcripts whose bills are held at once.
const BATCH: usize = 64;

/// The bill of one API message.
#[derive(Debug, Clone, Copy)]
struct Bill {
    usage: Usage,
    /// `YYYY-MM-DD`, in UTC.
    day: Option<Name>,
    session: Option<Name>,
    model: Option<Name>,
}

/// The bills of one transcript, each message once: its last line counts.
#[derive(Debug, Default)]
pub struct Bills {
    by_message: HashMap<u64, Bill>,
    /// Messages without an id, which nobody can tell apart.
    nameless: Vec<Bill>,
    names: Names,
}

impl Bills {
    /// Reads the bills of a transcript.
    ///
    /// # Errors
    /// As the system says.
    pub fn read<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Self> {
        let mut bills = Self::default();
        let has_usage = memmem::Finder::new(b"\"usage\"");
        let mut lines = Lines::new(source, 0..end);
        while let Some(line) = lines.next_line()? {
            // Most lines of a session have no bill, and need no closer look.
            if has_usage.find(line.bytes).is_none() {
                continue;
            }
            for entry in Entry::all_of_line(line.bytes).unwrap_or_default() {
                bills.add(&entry);
            }
        }
        Ok(bills)
    }

    fn add(&mut self, entry: &Entry<'_>) {
        let message = &entry.message;
        let Some(usage) = message.usage else { return };
        // What the client wrote itself, as for a failed call, was never billed.
        if entry.kind != Kind::Assistant || usage == Usage::default() {
            return;
        }
        let names = &mut self.names;
        let time = entry.time.map(|time| time.read().into_owned());
        let day = time.as_deref().and_then(|time| time.get(..10));
        let bill = Bill {
            usage,
            day: day.map(|day| names.take(day)),
            session: entry.session.map(|text| names.take(&text.read())),
            model: message.model.map(|text| names.take(&text.read())),
        };
        match message.id {
            None => self.nameless.push(bill),
            Some(id) => {
                let mut hasher = DefaultHasher::new();
                (id.raw, entry.request.map(|text| text.raw)).hash(&mut hasher);
                self.by_message.insert(hasher.finish(), bill);
            }
        }
    }
}

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
    fn add(&mut self, usage: &Usage, price: Option<&Price>) {
        let own = &mut self.usage;
        own.input = own.input.saturating_add(usage.input);
        own.output = own.output.saturating_add(usage.output);
        own.cache_read = own.cache_read.saturating_add(usage.cache_read);
        own.cache_creation = own.cache_creation.saturating_add(usage.cache_creation);
        own.cache_creation_1h = own
            .cache_creation_1h
            .saturating_add(usage.cache_creation_1h);
        self.messages += 1;
        match price {
            Some(price) => self.cost += cost(usage, price),
            None => self.unpriced += 1,
        }
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
    seen: HashSet<u64>,
    pub all: Sum,
    pub by_day: BTreeMap<String, Sum>,
    /// By the key of the project.
    pub by_project: BTreeMap<String, Sum>,
    /// By the key of the project and the id of the session.
    pub by_session: BTreeMap<(String, String), Sum>,
    pub by_model: BTreeMap<String, Sum>,
}

impl Totals {
    /// The sums of these transcripts, and what could not be read: a sentence each.
    #[must_use]
    pub fn of(disk: &Disk, found: &[Found], prices: &Prices) -> (Self, Vec<String>) {
        let (mut totals, mut faults) = (Self::default(), Vec::new());
        let read = |file: &Found| {
            let file = disk.open(&file.path)?;
            let length = file.metadata()?.len();
            Bills::read(&file, length)
        };
        for batch in found.chunks(BATCH) {
            let bills: Vec<io::Result<Bills>> = batch.par_iter().map(read).collect();
            for (file, bills) in batch.iter().zip(bills) {
                match bills {
                    Ok(bills) => totals.add(&file.project, &file.session, &bills, prices),
                    Err(error) => {
                        let path = file.path.display();
                        faults.push(format!("{path} is not counted, it can't be read: {error}"));
                    }
                }
            }
        }
        (totals, faults)
    }

    /// Adds the bills of one transcript. What another one said already is not counted again: the older
    /// transcripts come first. `file` is the session of lines that name none.
    pub fn add(&mut self, project: &str, file: &str, bills: &Bills, prices: &Prices) {
        let new = bills
            .by_message
            .iter()
            .filter(|(key, _)| self.seen.insert(**key));
        let new: Vec<&Bill> = new.map(|(_, bill)| bill).chain(&bills.nameless).collect();
        for bill in new {
            let text = |name: Option<Name>, none: &str| match name {
                Some(name) => bills.names.text(name).to_string(),
                None => none.to_string(),
            };
            let session = (project.to_string(), text(bill.session, file));
            let model = text(bill.model, "");
            let price = prices.of(&model);
            for sum in [
                &mut self.all,
                self.by_day.entry(text(bill.day, "")).or_default(),
                self.by_project.entry(project.to_string()).or_default(),
                self.by_session.entry(session).or_default(),
                self.by_model.entry(model.clone()).or_default(),
            ] {
                sum.add(&bill.usage, price);
            }
        }
    }
}

#[cfg(test)]
#[path = "usage_tests.rs"]
mod tests;

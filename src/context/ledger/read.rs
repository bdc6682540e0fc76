//! The ledger as it is read: all requests in short, the newest first, and one of them with its texts. What
//! can't be read is told and passed over; the rest is there.

use std::collections::HashMap;
use std::path::PathBuf;

use super::compare::{self, Miss};
use super::line::{Line, PartLine, Purpose};
use super::{Ledger, LedgerError, Result};
use crate::base::time::Moment;
use crate::config::prices::Prices;
use crate::context::part::{Origin, Part};
use crate::memory::load::units_of;
use crate::transcript::usage::Sum;

/// What stands in the place of a text that is gone.
const GONE: &str = "[the ledger has this text no more: it was purged, or changed by hand]";

/// A request in short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub id: String,
    pub time: Option<Moment>,
    pub session: String,
    /// The key of its project; `None`: it was sent for none.
    pub project: Option<String>,
    pub purpose: Purpose,
    pub model: String,
    /// How many parts it has, and their tokens, estimated.
    pub parts: usize,
    pub tokens: usize,
    /// What the provider counted and what that costs; `None`: it counted nothing.
    pub sum: Option<Sum>,
    pub ended: Option<String>,
    pub miss: Option<Miss>,
    /// The id of the request before of the same session, for the same purpose.
    pub before: Option<String>,
}

impl Entry {
    /// How it ended, in a word or two.
    #[must_use]
    pub fn end(&self) -> &str {
        match self.ended.as_deref() {
            None => "–",
            Some("end_turn" | "stop_sequence") => "answered",
            Some("tool_use") => "called tools",
            Some("max_tokens" | "model_context_window_exceeded") => "cut short",
            Some("pause_turn") => "paused",
            Some("refusal") => "refused",
            Some(super::line::NO_ANSWER) => "no answer",
            Some(other) => other,
        }
    }
}

/// All requests.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Listed {
    /// The newest first.
    pub entries: Vec<Entry>,
    /// What could not be read: sentences.
    pub faults: Vec<String>,
}

/// A request with its texts.
#[derive(Debug, Clone, PartialEq)]
pub struct Opened {
    pub line: Line,
    /// The request before of the same session, for the same purpose.
    pub before: Option<Line>,
    /// What was sent, in the order of the cache, a part for each of the line.
    pub parts: Vec<Part>,
    /// What came back.
    pub answer: Vec<Part>,
    /// How many texts are gone.
    pub gone: usize,
}

impl Opened {
    /// It in short.
    #[must_use]
    pub fn entry(&self, prices: &Prices) -> Entry {
        entry(&self.line, self.before.as_ref(), prices)
    }
}

impl Ledger {
    /// All requests in short, each with what it is called by [`Ledger::open`].
    #[must_use]
    pub fn list(&self, prices: &Prices) -> Listed {
        let mut entries = Vec::new();
        let mut last: HashMap<(String, Purpose), Line> = HashMap::new();
        let faults = self.each(|line| {
            let of = (line.session.clone(), line.purpose);
            let before = last.get(&of).filter(|_| !line.session.is_empty());
            entries.push(entry(&line, before, prices));
            last.insert(of, line);
        });
        entries.reverse();
        Listed { entries, faults }
    }

    /// The request with this id, with its texts.
    ///
    /// # Errors
    /// There is none.
    pub fn open(&self, id: &str) -> Result<Opened> {
        let mut last: HashMap<(String, Purpose), Line> = HashMap::new();
        let mut found = None;
        self.each(|line| {
            if found.is_some() {
                return;
            }
            let of = (line.session.clone(), line.purpose);
            if line.id == id {
                let before = last.remove(&of).filter(|_| !line.session.is_empty());
                found = Some((line, before));
            } else {
                last.insert(of, line);
            }
        });
        let (line, before) = found.ok_or_else(|| LedgerError::Unknown { id: id.to_string() })?;
        let cached = before.as_ref().map_or(0, |it| compare::shared(it, &line));
        let mut gone = 0;
        let mut restored = |(at, part): (usize, &PartLine)| {
            let text = self.text(part).ok();
            gone += usize::from(text.is_none());
            restore(part, text, at < cached)
        };
        let parts = line.parts.iter().enumerate().map(&mut restored).collect();
        // What came back was never cached.
        let answers = line.answer.iter().map(|part| (usize::MAX, part));
        let answer = answers.map(&mut restored).collect();
        Ok(Opened {
            line,
            before,
            parts,
            answer,
            gone,
        })
    }
}

fn entry(line: &Line, before: Option<&Line>, prices: &Prices) -> Entry {
    let price = prices.of(&line.model);
    Entry {
        id: line.id.clone(),
        time: Moment::parse(&line.time),
        session: line.session.clone(),
        project: line.project.clone(),
        purpose: line.purpose,
        model: line.model.clone(),
        parts: line.parts.len(),
        tokens: line.parts.iter().map(|part| part.tokens).sum(),
        sum: line.usage.map(|usage| Sum::of(&usage.into(), price)),
        ended: line.ended.clone(),
        miss: compare::miss(before, line),
        before: before.map(|line| line.id.clone()),
    }
}

/// A part as it was sent.
fn restore(part: &PartLine, text: Option<String>, cached: bool) -> Part {
    let recorded = text.is_some();
    let text = text.unwrap_or_else(|| GONE.to_string());
    let path = part.path.as_ref().map(PathBuf::from);
    Part {
        kind: part.kind(),
        origin: match path {
            Some(_) => Origin::File,
            None => Origin::Ours,
        },
        place: part.place(),
        path,
        label: part.label.clone(),
        recorded,
        tokens: Some(part.tokens),
        exact: false,
        bytes: recorded.then_some(text.len()),
        units: recorded.then(|| units_of(&text)),
        cached,
        mark: part.life(),
        masked: Vec::new(),
        text,
    }
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;

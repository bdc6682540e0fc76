//! Two requests of the ledger beside each other: how much they begin with alike, why the cache of the
//! first did not serve the second, and what changed between them.

use std::fmt::Write as _;
use std::ops::Range;

use similar::{DiffOp, capture_diff_slices};

use super::line::{Line, PartLine};
use super::{Ledger, Opened};
use crate::base::time::{Moment, grouped};
use crate::context::part::Place;
use crate::context::request::Life;
use crate::store::diff;

/// Seconds that a provider keeps what it was sent.
const FIVE_MINUTES: i64 = 300;
const HOUR: i64 = 3_600;

/// Why the provider read less from its cache than the request before had left there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    /// It is the first of its session.
    First,
    /// Another model.
    Model { before: String },
    /// Another parameter that the cache goes by.
    Parameters,
    /// This part is the first that is not as it was: its position, and what it is.
    Changed { part: usize, what: String },
    /// So many minutes had passed since the request before, more than the provider keeps it.
    Cold { minutes: i64 },
    /// It begins as the one before, in time, and was not read.
    NotKnown,
}

impl Miss {
    /// One word for it.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Model { .. } => "model",
            Self::Parameters => "parameters",
            Self::Changed { .. } => "changed",
            Self::Cold { .. } => "cold",
            Self::NotKnown => "unknown",
        }
    }

    /// A sentence, without its end.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::First => "the first request of its session: nothing of it was cached".to_string(),
            Self::Model { before } => format!("the request before went to another model, {before}"),
            Self::Parameters => {
                "thinking, the schema of the answer or beta features were others in the request before"
                    .to_string()
            }
            Self::Changed { what, .. } => {
                format!("{what} is not as it was in the request before: from there on nothing was cached")
            }
            Self::Cold { minutes } => {
                let noun = if *minutes == 1 { "minute" } else { "minutes" };
                format!(
                    "{} {noun} after the request before: the provider had let it go",
                    grouped(usize::try_from(*minutes).unwrap_or(0))
                )
            }
            Self::NotKnown => {
                "not known: it begins as the request before and came in time, and the provider read nothing"
                    .to_string()
            }
        }
    }
}

/// How many parts of a request the cache can hold from another: those that both begin with, to the end of
/// a block; none where the model or another parameter differs.
#[must_use]
pub fn shared(before: &Line, now: &Line) -> usize {
    match before.model == now.model && same_key(before, now) {
        true => alike(&before.parts, &now.parts),
        false => 0,
    }
}

/// An old line does not tell its parameters.
fn same_key(before: &Line, now: &Line) -> bool {
    match (&before.key, &now.key) {
        (Some(before), Some(now)) => before == now,
        (None, _) | (_, None) => true,
    }
}

/// How many parts both begin with alike, to the end of a block.
fn alike(before: &[PartLine], now: &[PartLine]) -> usize {
    let same = |(a, b): &(&PartLine, &PartLine)| a.kind == b.kind && a.sha256 == b.sha256;
    let mut alike = before.iter().zip(now).take_while(same).count();
    // A provider keeps whole blocks; each tool is one of its own.
    let in_one_block = |at: usize, parts: &[PartLine]| {
        let (here, above) = (
            parts.get(at),
            at.checked_sub(1).and_then(|at| parts.get(at)),
        );
        match (here, above) {
            (Some(here), Some(above)) => {
                here.place.is_some() && here.place == above.place && here.place() != Place::Tools
            }
            _ => false,
        }
    };
    while alike > 0 && (in_one_block(alike, before) || in_one_block(alike, now)) {
        alike -= 1;
    }
    alike
}

/// Why the cache was missed, if it was and the request was counted. `before`: the request before of the
/// same session and for the same purpose.
#[must_use]
pub fn miss(before: Option<&Line>, now: &Line) -> Option<Miss> {
    let usage = now.usage?;
    let Some(before) = before else {
        return (usage.cache_read == 0).then_some(Miss::First);
    };
    if before.model != now.model {
        let before = before.model.clone();
        return Some(Miss::Model { before });
    }
    if !same_key(before, now) {
        return Some(Miss::Parameters);
    }
    let part = alike(&before.parts, &now.parts);
    if part < before.parts.len() {
        let what = now.parts.get(part).or_else(|| before.parts.get(part));
        let what = what.map(name).unwrap_or_default();
        return Some(Miss::Changed { part, what });
    }
    if usage.cache_read > 0 {
        return None;
    }
    let hour = before.parts.iter().any(|it| it.life() == Some(Life::Hour));
    let kept = if hour { HOUR } else { FIVE_MINUTES };
    let times = (Moment::parse(&before.time), Moment::parse(&now.time));
    match times {
        (Some(before), Some(now)) if now.seconds - before.seconds > kept => Some(Miss::Cold {
            minutes: (now.seconds - before.seconds) / 60,
        }),
        _ => Some(Miss::NotKnown),
    }
}

/// What a part is called: `index /…/MEMORY.md in messages[0]`.
#[must_use]
pub fn name(part: &PartLine) -> String {
    let about = part.path.as_ref().or(part.label.as_ref());
    let about = about.map_or(String::new(), |about| format!(" {about}"));
    let place = match part.place() {
        Place::Tools => "tools".to_string(),
        Place::System { .. } => "system".to_string(),
        Place::Message { message, .. } => format!("messages[{message}]"),
    };
    let kind = part.kind.replace('_', " ");
    match part.place {
        Some(_) => format!("{kind}{about} in {place}"),
        None => format!("{kind}{about}"),
    }
}

/// What changed from one request to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Parts that both begin with, and their tokens, estimated: as far as that the cache of the first serves
    /// the second.
    pub shared: usize,
    pub shared_tokens: usize,
    /// The first part that is not the same, in the second; where that has no more, in the first.
    pub first: Option<String>,
    /// What differs besides the parts: sentences.
    pub besides: Vec<String>,
    /// As a unified diff, a head for each part; foreign text as it is. Empty: all parts are the same.
    pub diff: String,
}

impl Difference {
    /// What is told above the diff: sentences.
    #[must_use]
    pub fn sentences(&self) -> Vec<String> {
        let mut said = self.besides.clone();
        let parts = match self.shared {
            1 => "1 part".to_string(),
            many => format!("{} parts", grouped(many)),
        };
        let tokens = grouped(self.shared_tokens);
        said.push(match (&self.first, self.shared) {
            (None, _) => format!("all parts are the same: {parts}, ≈ {tokens} tokens"),
            (Some(first), 0) => {
                format!("nothing at the beginning is the same, so nothing is cached; first differs {first}")
            }
            (Some(first), _) => format!(
                "the same: the first {parts}, ≈ {tokens} tokens; there the cached prefix ends, at {first}"
            ),
        });
        said
    }
}

/// Compares two requests that were opened.
#[must_use]
pub fn difference(a: &Opened, b: &Opened) -> Difference {
    let (before, now) = (&a.line, &b.line);
    let mut besides = Vec::new();
    if before.model != now.model {
        besides.push(format!(
            "another model: {}, then {}",
            before.model, now.model
        ));
    }
    if !same_key(before, now) {
        besides.push("thinking, the schema of the answer or beta features differ".to_string());
    }
    if before.session != now.session {
        besides.push("they are of two sessions".to_string());
    }
    let at = alike(&before.parts, &now.parts);
    let shared = shared(before, now);
    let keys = |line: &Line| -> Vec<(String, String)> {
        let parts = line.parts.iter();
        parts
            .map(|it| (it.kind.clone(), it.sha256.clone()))
            .collect()
    };
    let ops = capture_diff_slices(similar::Algorithm::Myers, &keys(before), &keys(now));
    let mut out = String::new();
    for op in ops {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete {
                old_index, old_len, ..
            } => {
                pair(a, old_index..old_index + old_len, b, 0..0, &mut out);
            }
            DiffOp::Insert {
                new_index, new_len, ..
            } => {
                pair(a, 0..0, b, new_index..new_index + new_len, &mut out);
            }
            DiffOp::Replace {
                old_index,
                old_len,
                new_index,
                new_len,
            } => {
                let (old, new) = (
                    old_index..old_index + old_len,
                    new_index..new_index + new_len,
                );
                pair(a, old, b, new, &mut out);
            }
        }
    }
    let first = now.parts.get(at).or_else(|| before.parts.get(at));
    Difference {
        shared,
        shared_tokens: now.parts[..shared].iter().map(|it| it.tokens).sum(),
        first: first.map(name),
        besides,
        diff: out,
    }
}

/// The changes of a stretch of parts: those of the same kind and path, in their order, are one that changed;
/// the rest went or came.
fn pair(a: &Opened, old: Range<usize>, b: &Opened, new: Range<usize>, out: &mut String) {
    let mut left: Vec<usize> = old.collect();
    for at in new {
        let now = &b.line.parts[at];
        let is_same = |was: &&usize| {
            let was = &a.line.parts[**was];
            was.kind == now.kind && was.path == now.path
        };
        let was = left.iter().find(is_same).copied();
        left.retain(|it| Some(*it) != was);
        let text = was.map(|was| a.parts[was].text.as_str());
        write(now, text, Some(&b.parts[at].text), out);
    }
    for at in left {
        write(&a.line.parts[at], Some(&a.parts[at].text), None, out);
    }
}

fn write(part: &PartLine, before: Option<&str>, after: Option<&str>, out: &mut String) {
    let does = match (before, after) {
        (Some(_), Some(_)) => "changed",
        (None, _) => "came",
        (_, None) => "went",
    };
    let _ = writeln!(
        out,
        "{does}: {}, ≈ {} tokens",
        name(part),
        grouped(part.tokens)
    );
    let lines = diff::of_texts(before.unwrap_or_default(), after.unwrap_or_default());
    out.push_str(&lines);
    if !out.ends_with('\n') {
        out.push('\n');
    }
}

impl Ledger {
    /// Opens two requests and compares them; the second after the first.
    ///
    /// # Errors
    /// One of them is not there.
    pub fn compare(&self, a: &str, b: &str) -> super::Result<(Opened, Opened, Difference)> {
        let (a, b) = (self.open(a)?, self.open(b)?);
        let difference = difference(&a, &b);
        Ok((a, b, difference))
    }
}

#[cfg(test)]
#[path = "compare_tests.rs"]
mod tests;

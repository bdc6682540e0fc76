//! The anchor of an estimate: what the provider counted of the newest session's first request. Tools and
//! the client's own texts, which are not recorded, are in it; only what has changed since is estimated,
//! by the same measure as a request without an anchor.

use super::gather::Source;
use super::{Asked, Layout, Moment};
use crate::base::time::grouped;
use crate::context::observed::block::{self, Sent};
use crate::context::part::{Kind, Part, Piece};
use crate::context::tokens::Total;

/// What a count by the provider gives for a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Anchor {
    /// The newest transcript has no count.
    None,
    /// Tokens of the whole request, and what was counted of the one that it is measured by.
    Counted { tokens: usize, counted: usize },
    /// The newest transcript has a count that says nothing of this request: a sentence.
    Unused(String),
}

impl Anchor {
    /// The total, and what was counted of the request that it is measured by.
    pub fn total(&self, estimated: Total) -> (Total, Option<usize>) {
        match *self {
            Self::Counted { tokens, counted } => {
                let total = Total {
                    tokens,
                    exact: false,
                };
                (total, Some(counted))
            }
            Self::None | Self::Unused(_) => (estimated, None),
        }
    }

    /// What is said of it.
    pub fn sentence(&self) -> Option<String> {
        match self {
            Self::None => None,
            Self::Counted { counted, .. } => Some(format!(
                "the total goes by the provider's count of the newest session's first request, {} tokens: what has changed since is estimated",
                grouped(*counted)
            )),
            Self::Unused(said) => Some(said.clone()),
        }
    }
}

/// What the newest session's count gives for a request whose known parts are estimated at `estimated`
/// tokens.
pub fn of(source: &Source, asked: &Asked, model: &str, parts: &[Part], estimated: usize) -> Anchor {
    let Some(first) = &source.recorded.first else {
        return Anchor::None;
    };
    let unused = |why: &str| {
        Anchor::Unused(format!(
            "the provider's count of the newest session's first request, {} tokens, is not used: {why}",
            grouped(first.tokens)
        ))
    };
    let version = first.version.as_deref().unwrap_or("unknown");
    if asked.switches.layout == Layout::Ours {
        return unused("it is of another client than our own chat");
    }
    if asked.switches.moment != Moment::New {
        return unused("it is of a new session");
    }
    if source.edited.is_some() {
        return unused("it is of a session in which no file was edited");
    }
    if source.agent.is_some() {
        return unused("it is not of a sub-agent");
    }
    if source.memory_off {
        return unused("it is of a request with memory");
    }
    if first.version.is_none() || first.version != source.recorded.version {
        return unused(&format!("it is of version {version}"));
    }
    if first.model != model {
        return unused(&format!("it is of the model {}", first.model));
    }
    if first.files.is_empty() {
        return unused("the transcript does not tell with which files it was sent");
    }
    let then = files(source, &first.files) + first.asked;
    let labels = &wrapper(source).labels;
    let index = source.index.as_ref();
    let index = index.map(|(path, loaded)| (path.as_path(), loaded.sent()));
    let index = index.as_ref().map(|(path, text)| (*path, text.as_ref()));
    let now = block::sent(labels, &source.instructions.entries, index);
    let now = files(source, &now) + fresh(parts);
    let tokens = (first.tokens + now).saturating_sub(then);
    if tokens < estimated {
        return unused(&format!(
            "it would make the total {} tokens, fewer than the {} of its known parts",
            grouped(tokens),
            grouped(estimated)
        ));
    }
    Anchor::Counted {
        tokens,
        counted: first.tokens,
    }
}

fn wrapper(source: &Source) -> &crate::context::observed::data::Wrapper {
    let learnt = source.recorded.wrapper.as_ref();
    learnt.unwrap_or(&source.version.wrapper)
}

/// Tokens of files with the line that names each and what stands around them.
fn files(source: &Source, files: &[Sent]) -> usize {
    let pieces = block::pieces(wrapper(source), files, &source.date);
    pieces.iter().filter_map(Piece::tokens).sum()
}

/// Tokens of what is said and read now, which is not what was said then, with what stands around it.
fn fresh(parts: &[Part]) -> usize {
    let places: Vec<_> = parts
        .iter()
        .filter(|part| !part.cached)
        .map(|part| part.place)
        .collect();
    let is_fresh = |part: &&Part| match part.kind {
        Kind::Wrapper => places.contains(&part.place),
        _ => !part.cached,
    };
    let all = parts.iter().filter(is_fresh);
    all.filter_map(|part| part.tokens).sum()
}

#[cfg(test)]
#[path = "anchor_tests.rs"]
mod tests;

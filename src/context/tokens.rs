//! How many tokens a text is: an estimate, anchored by the provider's own count where there is one.
//! Knows no provider.

pub use crate::base::tokens::{estimate, of_latin};
use crate::context::request::{Block, Request};

/// A count by the provider: the whole input of a request that was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Anchor {
    /// Input tokens in all: those read from the cache, written to it and neither.
    pub tokens: usize,
    /// How many items of the cache the request had ([`Request::cache_items`]).
    pub items: usize,
}

/// How many tokens a request is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Total {
    pub tokens: usize,
    /// All of it was counted by the provider.
    pub exact: bool,
}

/// Tokens of a request. What the anchor has counted is taken from there, what follows is estimated.
#[must_use]
pub fn total(request: &Request, anchor: Option<Anchor>) -> Total {
    let counted = anchor.map_or(0, |anchor| anchor.items);
    let tools = request.params.tools.iter();
    let tools = tools.map(|tool| estimate(&tool.to_string()));
    let items = tools.chain(request.blocks().map(Block::tokens));
    let rest: Vec<usize> = items.skip(counted).collect();
    Total {
        tokens: anchor.map_or(0, |anchor| anchor.tokens) + rest.iter().sum::<usize>(),
        exact: anchor.is_some() && rest.is_empty(),
    }
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;

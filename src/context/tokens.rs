//! How many tokens a text is: an estimate, anchored by the provider's own count where there is one.
//! Knows no provider.

use crate::context::request::{Block, Request};

/// Characters of Latin text that are taken for one token: 4, and a third more tokens for safety.
const LATIN_CHARACTERS: usize = 3;

/// Tokens of a text, estimated: a token for 4 characters, times 4/3 for safety; of Chinese, Japanese
/// and Korean each character is one.
#[must_use]
pub fn estimate(text: &str) -> usize {
    if text.is_ascii() {
        return of_latin(text.len());
    }
    let (mut latin, mut cjk) = (0, 0);
    for c in text.chars() {
        match is_cjk(c) {
            true => cjk += 1,
            false => latin += 1,
        }
    }
    of_latin(latin) + cjk
}

/// Tokens of so many Latin characters, estimated.
#[must_use]
pub fn of_latin(characters: usize) -> usize {
    characters.div_ceil(LATIN_CHARACTERS)
}

fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11FF}'       // Hangul jamo
        | '\u{2E80}'..='\u{2FDF}'     // radicals
        | '\u{3000}'..='\u{33FF}'     // punctuation, kana, bopomofo, compatibility
        | '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{A960}'..='\u{A97F}'
        | '\u{AC00}'..='\u{D7FF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{FF00}'..='\u{FFEF}'     // full-width forms
        | '\u{20000}'..='\u{3FFFF}')
}

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

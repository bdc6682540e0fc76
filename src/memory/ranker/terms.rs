//! Text parted into terms: stems of words, parts of identifiers and the identifiers themselves, pairs of
//! CJK characters. Knows nothing of memories.

use super::stem;
use super::words::{self, Weight};

/// Bytes of a term at most: what is longer is no word.
const TERM_BYTES: usize = 64;
/// Parts of an identifier at most that are also joined to one term.
const PARTS: usize = 8;

/// What kind of term it is, which says what it is worth in a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A word, or a part of an identifier.
    Word,
    /// A word that every text has and that says little.
    Common,
    /// A whole identifier, a code of letters and digits.
    Identifier,
    /// Digits only.
    Number,
    /// Two CJK characters, or one that stands alone.
    Pair,
}

/// One term of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What is compared.
    pub text: String,
    /// As it was written.
    pub written: String,
    pub kind: Kind,
    /// The word before it turns it down: *not*, *never*, *kein*, `不要`.
    pub negated: bool,
    /// The stretch of text that it stands in: an identifier and its parts share one.
    pub run: usize,
}

/// Words after one that turns down that it still turns down.
const NEGATED_WORDS: usize = 3;

/// The terms of a text in their order. Words that carry nothing are left out.
#[must_use]
pub fn terms(text: &str) -> Vec<Term> {
    let mut out = Vec::new();
    let mut negated = 0_usize;
    for run in runs(text) {
        let from = out.len();
        match run {
            Run::Break => negated = 0,
            Run::Cjk(run) => pairs(run, &mut out),
            Run::Latin(run) => latin(run, &mut negated, &mut out),
        }
        for (place, term) in out[from..].iter_mut().enumerate() {
            // Each pair stands for itself.
            let is_pair = matches!(run, Run::Cjk(_));
            term.run = if is_pair { from + place } else { from };
        }
    }
    out
}

/// A stretch of text.
#[derive(Clone, Copy)]
enum Run<'t> {
    /// Letters and digits with what joins them: `a_b`, `a-b`, `a.b`, `it's`.
    Latin(&'t str),
    Cjk(&'t str),
    /// The end of a sentence.
    Break,
}

fn runs(text: &str) -> Vec<Run<'_>> {
    let mut out = Vec::new();
    let mut chars = text.char_indices().peekable();
    while let Some((from, c)) = chars.next() {
        if is_cjk(c) {
            let mut end = from + c.len_utf8();
            while let Some((at, next)) = chars.next_if(|(_, next)| is_cjk(*next)) {
                end = at + next.len_utf8();
            }
            out.push(Run::Cjk(&text[from..end]));
        } else if c.is_alphanumeric() {
            let mut end = from + c.len_utf8();
            while let Some((at, next)) = chars.next_if(|(at, next)| {
                let joins = matches!(next, '_' | '-' | '.' | '\'' | '’')
                    && text[at + next.len_utf8()..]
                        .chars()
                        .next()
                        .is_some_and(is_latin);
                is_latin(*next) || joins
            }) {
                end = at + next.len_utf8();
            }
            out.push(Run::Latin(&text[from..end]));
        } else if matches!(c, '.' | ';' | ',' | ':' | '!' | '?' | '\n' | '(') {
            out.push(Run::Break);
        }
    }
    out
}

fn is_latin(c: char) -> bool {
    c.is_alphanumeric() && !is_cjk(c)
}

/// Whether words of this script are written without spaces.
#[must_use]
pub fn is_cjk(c: char) -> bool {
    matches!(u32::from(c), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

fn pairs(run: &str, out: &mut Vec<Term>) {
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let end = |at: usize| chars.get(at).map_or(run.len(), |(byte, _)| *byte);
    let mut negated = 0_usize;
    let width = chars.len().min(2);
    for at in 0..=chars.len() - width {
        let pair = &run[chars[at].0..end(at + width)];
        if words::turns_down(pair) {
            negated = 8;
            continue;
        }
        negated = negated.saturating_sub(1);
        let kind = match words::weight_of_pair(pair) {
            Weight::None => continue,
            Weight::Little => Kind::Common,
            Weight::Full if width < 2 => Kind::Common,
            Weight::Full => Kind::Pair,
        };
        out.push(Term {
            text: pair.to_string(),
            written: pair.to_string(),
            kind,
            negated: negated > 0,
            run: 0,
        });
    }
}

fn latin(run: &str, negated: &mut usize, out: &mut Vec<Term>) {
    let parts: Vec<&str> = run.split(['_', '-', '.']).flat_map(humps).collect();
    let mut joined = String::new();
    let mut turned_down = false;
    for part in &parts {
        let word = part.replace(['\'', '’'], "");
        let lower = word.to_lowercase();
        if words::turns_down(&lower) {
            *negated = NEGATED_WORDS + 1;
        }
        let folded = stem::fold(&word);
        joined.push_str(&folded);
        if folded.len() > TERM_BYTES {
            continue;
        }
        let weight = words::weight(&lower);
        if weight == Weight::None {
            continue;
        }
        *negated = negated.saturating_sub(1);
        turned_down |= *negated > 0;
        let kind = kind_of(&folded, weight);
        // One letter says nothing unless it is a number.
        if folded.chars().count() < 2 && kind != Kind::Number {
            continue;
        }
        out.push(Term {
            text: stem::stem(&folded),
            written: (*part).to_string(),
            kind,
            negated: *negated > 0,
            run: 0,
        });
    }
    if (2..=PARTS).contains(&parts.len()) && joined.len() <= TERM_BYTES {
        let digits = joined.bytes().all(|byte| byte.is_ascii_digit());
        out.push(Term {
            text: joined,
            written: run.to_string(),
            kind: if digits {
                Kind::Number
            } else {
                Kind::Identifier
            },
            negated: turned_down,
            run: 0,
        });
    }
}

fn kind_of(word: &str, weight: Weight) -> Kind {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    match digits {
        0 if weight == Weight::Little => Kind::Common,
        0 => Kind::Word,
        _ if digits == word.chars().count() => Kind::Number,
        _ => Kind::Identifier,
    }
}

/// The parts of `camelCase`: `CKError` is `CK` and `Error`.
fn humps(word: &str) -> Vec<&str> {
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut parts = Vec::new();
    let mut from = 0;
    for at in 1..chars.len() {
        let (before, (byte, here)) = (chars[at - 1].1, chars[at]);
        let next = chars.get(at + 1).map(|(_, next)| *next);
        let begins = (before.is_lowercase() && here.is_uppercase())
            || (before.is_uppercase()
                && here.is_uppercase()
                && next.is_some_and(char::is_lowercase));
        if begins {
            parts.push(&word[from..byte]);
            from = byte;
        }
    }
    parts.push(&word[from..]);
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
#[path = "terms_tests.rs"]
mod tests;

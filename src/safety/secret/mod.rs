//! What looks like a secret: the shapes of well-known tokens with their checksums, private keys,
//! passwords in addresses, headers, and pairs whose name says it. The shapes are facts, the rest is
//! judged so that hashes, ids, examples and references to a secret are none. Knows no file.
//!
//! * [`scan`] finds, one hit a value, of the most specific kind.
//! * [`mask`] puts a note in the place of each; what is masked once is not masked again.
//! * [`Allowed`] are the values that a person lets pass.
//!
//! All of it is linear in the text: one pass looks for the anchors of all rules at once, and what each
//! rule reads around its anchor is bounded or ends where the next one begins.

mod anchor;
mod base64;
mod example;
mod header;
mod jwt;
mod keyed;
mod measure;
mod private_key;
mod shape;
mod shapes;
mod url;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

use sha2::{Digest, Sha256};

use crate::config::secrets::{FINGERPRINT, FINGERPRINT_DIGITS, Secrets};

/// How a note begins that stands in the place of a secret.
pub const MASK: &str = "[masked:";

/// Leading characters of a secret that are shown at most.
const SHOWN: usize = 4;

/// What a secret is, the most specific first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A block of a key file, or a key that is called private.
    PrivateKey,
    /// A token of a well-known shape: whose it is.
    Token(&'static str),
    /// A signed web token.
    Jwt,
    /// The password in an address.
    UrlPassword,
    /// What follows `Bearer` or `Basic`.
    Header,
    /// A value that its name calls a password.
    Password,
    /// A value that its name calls a token, a secret or a key.
    Named,
}

impl Kind {
    /// What a person calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::PrivateKey => "private key",
            Self::Token(whose) => whose,
            Self::Jwt => "web token",
            Self::UrlPassword => "password in an address",
            Self::Header => "authorization header",
            Self::Password => "password",
            Self::Named => "secret value",
        }
    }

    /// Whether everybody knows the first characters.
    fn begins_alike(self) -> bool {
        matches!(self, Self::Token(_) | Self::Jwt)
    }
}

/// A secret in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    pub kind: Kind,
    /// Bytes of the value.
    pub range: Range<usize>,
    /// The line where it begins, from 1: of a key block the line that opens it.
    pub line: usize,
}

impl Hit {
    /// Its first characters: never more than [`SHOWN`], and of what has no well-known beginning only an
    /// eighth.
    #[must_use]
    pub fn lead<'a>(&self, text: &'a str) -> &'a str {
        let value = &text[self.range.clone()];
        if self.kind == Kind::PrivateKey || !value.is_ascii() {
            return "";
        }
        let most = match self.kind.begins_alike() {
            true => SHOWN,
            false => SHOWN.min(value.len() / 8),
        };
        let lead = &value[..most.min(value.len())];
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
        lead.find(|c| !plain(c)).map_or(lead, |end| &lead[..end])
    }

    /// What names the value in the list of what is let pass, without telling it.
    #[must_use]
    pub fn fingerprint(&self, text: &str) -> String {
        fingerprint(&text[self.range.clone()])
    }
}

/// `sha256:` and the first 16 hexadecimal digits of the value's SHA-256.
fn fingerprint(value: &str) -> String {
    let mut out = FINGERPRINT.to_string();
    for byte in &Sha256::digest(value.as_bytes())[..FINGERPRINT_DIGITS / 2] {
        let _ = write!(out, "{byte:02x}");
    }
    out
}

/// What was put in the place of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Masked {
    pub kind: Kind,
    /// Of the text that was masked, from 1.
    pub line: usize,
}

/// The values that a person lets pass: by their fingerprint, or as they are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allowed {
    names: HashSet<String>,
}

impl Allowed {
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { names }
    }

    /// What the configuration lets pass.
    #[must_use]
    pub fn of(secrets: &Secrets) -> Self {
        Self::new(secrets.allow.iter().map(String::as_str))
    }

    fn holds(&self, value: &str) -> bool {
        !self.names.is_empty()
            && (self.names.contains(value) || self.names.contains(&fingerprint(value)))
    }
}

/// The secrets of a text, in its order; none lies in another.
#[must_use]
pub fn scan(text: &str, allowed: &Allowed) -> Vec<Hit> {
    let mut found = anchor::find(text);
    if found.is_empty() {
        return Vec::new();
    }
    found.sort_by_key(|one| (one.range.start, one.range.end));
    let mut hits: Vec<Hit> = Vec::with_capacity(found.len());
    for one in found {
        match hits.last_mut() {
            Some(last) if one.range.start < last.range.end => {
                last.kind = last.kind.min(one.kind);
                last.range.end = last.range.end.max(one.range.end);
                last.line = last.line.min(one.opens);
            }
            _ => hits.push(Hit {
                kind: one.kind,
                range: one.range,
                line: one.opens,
            }),
        }
    }
    let mut counted = (0, 1);
    for hit in &mut hits {
        let (from, lines) = counted;
        // Until here `line` is the byte where it opens.
        let to = hit.line.max(from);
        let line = lines + memchr::memchr_iter(b'\n', &text.as_bytes()[from..to]).count();
        counted = (to, line);
        hit.line = line;
    }
    hits.retain(|hit| !allowed.holds(&text[hit.range.clone()]));
    hits
}

/// The text with a note in the place of each secret: same lines, valid JSON stays valid. The same text
/// gives the same, and what is masked stays as it is.
#[must_use]
pub fn mask<'a>(text: &'a str, allowed: &Allowed) -> Cow<'a, str> {
    masked(text, allowed).map_or(Cow::Borrowed(text), |(text, _)| Cow::Owned(text))
}

/// The masked text and what was masked in it; `None`: nothing.
#[must_use]
pub fn masked(text: &str, allowed: &Allowed) -> Option<(String, Vec<Masked>)> {
    let hits = scan(text, allowed);
    if hits.is_empty() {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for hit in &hits {
        out.push_str(&text[done..hit.range.start]);
        out.push_str(hit.lead(text));
        out.push_str(MASK);
        out.extend(hit.kind.name().chars().map(|c| match c {
            ' ' => '-',
            c => c,
        }));
        out.push(']');
        // What stood on several lines still does.
        let value = text[hit.range.clone()].bytes();
        out.extend(value.filter(|byte| *byte == b'\n').map(char::from));
        done = hit.range.end;
    }
    out.push_str(&text[done..]);
    let of = |hit: Hit| Masked {
        kind: hit.kind,
        line: hit.line,
    };
    Some((out, hits.into_iter().map(of).collect()))
}

#[cfg(test)]
#[path = "tests.rs"]
pub(crate) mod tests;

//! A token of a well-known shape: a beginning that nothing else has, and a body of so many characters
//! of such a kind.

use std::ops::Range;

use super::anchor::Found;
use super::{Kind, example, measure};

/// Of which characters a body is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// Letters and digits.
    Alnum,
    /// And `_`, `-`.
    Word,
    /// And `.`, `=`, `/`, `+`, `%`.
    Dotted,
    /// 0-9, a-f.
    Hex,
    /// A-Z, 0-9.
    Capitals,
}

/// A shape.
#[derive(Debug)]
pub struct Shape {
    pub prefix: &'static str,
    pub name: &'static str,
    pub body: Body,
    /// Characters of the body.
    pub least: usize,
    pub most: usize,
    pub check: Check,
}

/// What tells a real one from one that only looks like it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// So much of different characters that nobody made it up.
    Entropy,
    /// The last six are a checksum of what is before. Where it holds nothing else is asked; where it does
    /// not, an issuer may have changed it, and the entropy decides.
    Crc,
    /// It stands in an address, where names may stand as well: digits among the letters.
    Address,
}

/// Bits a character: less has nobody drawn by lot.
const ENTROPY: f64 = 2.6;

pub fn at(shape: &Shape, text: &str, anchor: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let is_shape = &bytes[anchor.clone()] == shape.prefix.as_bytes();
    if !is_shape || !(begins(bytes, anchor.start) || shape.check == Check::Address) {
        return None;
    }
    let rest = &bytes[anchor.end..];
    let mut long = rest
        .iter()
        .take(shape.most + 1)
        .take_while(|byte| shape.body.holds(**byte))
        .count();
    while long > 0 && matches!(rest[long - 1], b'.' | b'-' | b'=' | b'%') && long > shape.least {
        long -= 1;
    }
    if long < shape.least || long > shape.most {
        return None;
    }
    let end = anchor.end + long;
    let body = &text[anchor.end..end];
    let is_real = shape.check == Check::Crc && has_crc(body);
    let is_drawn = measure::entropy(body.as_bytes()) >= ENTROPY
        && !example::is(body)
        && (!example::is_name(body) || shape.body == Body::Capitals);
    (is_real || is_drawn).then(|| Found::new(Kind::Token(shape.name), anchor.start..end))
}

/// Whether a token can begin here: nothing stands before it that belongs to the same word.
pub fn begins(bytes: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| bytes[before]);
    match before {
        None => true,
        // `\n` and its like in a text within a text.
        Some(b'n' | b't' | b'r') if at >= 2 && bytes[at - 2] == b'\\' => true,
        Some(byte) => !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+')),
    }
}

fn has_crc(body: &str) -> bool {
    let Some(at) = body.len().checked_sub(6) else {
        return false;
    };
    let (drawn, sum) = body.as_bytes().split_at(at);
    sum == measure::base62_crc32(drawn)
}

impl Body {
    fn holds(self, byte: u8) -> bool {
        match self {
            Self::Alnum => byte.is_ascii_alphanumeric(),
            Self::Word => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Self::Dotted => {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'/' | b'+' | b'%')
            }
            Self::Hex => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
        }
    }
}

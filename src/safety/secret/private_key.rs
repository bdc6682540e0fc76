//! A private key as a block of a key file, over lines or with `\n` in one: one secret, however many
//! lines it has.

use std::ops::Range;

use super::anchor::Found;
use super::{Kind, MASK};

pub const BEGIN: &str = "-----begin ";

const DASHES: &str = "-----";

/// Bytes of the longest block: a key of 16,384 bits has some 13,000.
const LONGEST: usize = 32 * 1024;

/// Characters of base 64 that a block has at least; less is a sign for one.
const LEAST: usize = 40;

pub fn at(text: &str, anchor: Range<usize>) -> Option<Found> {
    let rest = &text[anchor.end..];
    let line = &rest[..rest
        .find(['\n', '\\'])
        .unwrap_or(rest.len())
        .min(end_at(rest, 64))];
    let label = &line[..line.find(DASHES)?];
    if !label.ends_with("PRIVATE KEY") && !label.ends_with("PRIVATE KEY BLOCK") {
        return None;
    }
    let start = anchor.end + label.len() + DASHES.len();
    let body = &text[start..start + end_at(&text[start..], LONGEST)];
    let stop = body.find(DASHES);
    let within = &body[..stop.unwrap_or(body.len())];
    // Nothing of a program stands in a key.
    let foreign = within.find(['"', '\'', '`', '{', '(']);
    let body = match (stop, foreign) {
        (Some(_), None) => within,
        // It was cut off: it goes as far as it looks like one.
        _ => &within[..cut_off(&within[..foreign.unwrap_or(within.len())])],
    };
    let digits = body.bytes().filter(|byte| is_digit(*byte)).count();
    let first = body.bytes().find(|byte| is_digit(*byte))?;
    let is_filler = body
        .bytes()
        .filter(|byte| is_digit(*byte))
        .all(|byte| byte == first);
    if digits < LEAST || is_filler || body.contains(MASK) {
        return None;
    }
    let lead = body.len() - body.trim_start_matches(['\n', '\r']).len();
    let body = body.trim_matches(['\n', '\r']);
    Some(Found {
        opens: anchor.start,
        ..Found::new(Kind::PrivateKey, start + lead..start + lead + body.len())
    })
}

fn is_digit(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

/// Where the lines end that look like a key: a word of base 64 each, whatever numbers or quotes them.
fn cut_off(body: &str) -> usize {
    let mut end = 0;
    for line in body.split_inclusive('\n') {
        let words = line.split_whitespace();
        let longest = words.map(
            |word| match word.bytes().all(|b| is_digit(b) || b == b'\\') {
                true => word.len(),
                false => 0,
            },
        );
        if longest.max().unwrap_or(0) < 16 && !line.trim().is_empty() {
            break;
        }
        end += line.len();
    }
    end
}

/// A length that parts no character.
fn end_at(text: &str, most: usize) -> usize {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    end
}

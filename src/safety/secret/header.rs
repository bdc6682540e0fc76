//! What follows `Bearer` or `Basic` in a header.

use std::ops::Range;

use super::anchor::Found;
use super::base64;
use super::measure::Classes;
use super::{Kind, example, shape};

/// Characters that a token has at least.
const LEAST: usize = 16;

pub fn bearer(text: &str, anchor: Range<usize>) -> Option<Found> {
    let range = value(text, &anchor)?;
    let token = &text[range.clone()];
    let classes = Classes::of(token);
    let is_random =
        classes.digits > 0 && classes.letters() > 0 || token.len() >= 24 && classes.count() > 1;
    let is_one =
        token.len() >= LEAST && is_random && !example::is(token) && !example::is_name(token);
    is_one.then(|| Found::new(Kind::Header, range))
}

pub fn basic(text: &str, anchor: Range<usize>) -> Option<Found> {
    let range = value(text, &anchor)?;
    let said = base64::decode(&text[range.clone()])?;
    let said = String::from_utf8(said).ok()?;
    let (user, password) = said.split_once(':')?;
    let is_none = password.len() < 4 || user == password || example::is(password);
    let is_text = !said.chars().any(char::is_control);
    (is_text && !is_none).then(|| Found::new(Kind::Header, range))
}

fn value(text: &str, anchor: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if !shape::begins(bytes, anchor.start) {
        return None;
    }
    let is_part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~' | b'+' | b'/')
    };
    let long = bytes[anchor.end..]
        .iter()
        .take_while(|byte| is_part(byte))
        .count();
    let mut end = anchor.end + long;
    while end > anchor.end && bytes[end - 1] == b'.' {
        end -= 1;
    }
    let pads = bytes[end..]
        .iter()
        .take(2)
        .take_while(|byte| **byte == b'=')
        .count();
    let is_masked = text[end..].starts_with(super::MASK);
    (end > anchor.end && !is_masked).then_some(anchor.end..end + pads)
}

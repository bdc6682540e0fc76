//! A signed web token: three parts of base 64 with dots between them, the first of which says how it is
//! signed.

use std::ops::Range;

use super::anchor::Found;
use super::base64;
use super::{Kind, shape};

/// Characters that a signature has at least; a token without one proves nothing.
const SIGNATURE: usize = 16;

pub fn at(text: &str, anchor: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    if &bytes[anchor.clone()] != b"eyJ" || !shape::begins(bytes, anchor.start) {
        return None;
    }
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let part = |from: usize| {
        from + bytes[from..]
            .iter()
            .take_while(|byte| is_part(byte))
            .count()
    };
    let head = part(anchor.start);
    if bytes.get(head) != Some(&b'.') {
        return None;
    }
    let body = part(head + 1);
    if body == head + 1 || bytes.get(body) != Some(&b'.') {
        return None;
    }
    let mut end = part(body + 1);
    if end - body - 1 < SIGNATURE {
        return None;
    }
    let said = base64::decode(&text[anchor.start..head])?;
    memchr::memmem::find(&said, b"\"alg\"")?;
    // An encrypted one has five.
    while bytes.get(end) == Some(&b'.') && part(end + 1) > end + 1 {
        end = part(end + 1);
    }
    Some(Found::new(Kind::Jwt, anchor.start..end))
}

//! The password in an address: `scheme://user:password@host`.

use std::ops::Range;

use super::anchor::Found;
use super::{Kind, example};

/// Bytes of the longest user and password.
const LONGEST: usize = 512;

pub fn at(text: &str, anchor: Range<usize>) -> Option<Found> {
    let bytes = text.as_bytes();
    let has_scheme = anchor.start > 0 && bytes[anchor.start - 1].is_ascii_alphanumeric();
    if !has_scheme {
        return None;
    }
    let rest = &bytes[anchor.end..bytes.len().min(anchor.end + LONGEST)];
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace()
            || byte.is_ascii_control()
            || matches!(
                byte,
                b'/' | b'?' | b'#' | b'"' | b'\'' | b'`' | b'<' | b'>' | b'\\'
            )
    };
    let authority = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let at = authority.iter().rposition(|byte| *byte == b'@')?;
    let colon = authority[..at].iter().position(|byte| *byte == b':')?;
    // A container's image with its tag and digest looks the same.
    if authority[at + 1..].starts_with(b"sha256:") || at + 1 == authority.len() {
        return None;
    }
    let range = anchor.end + colon + 1..anchor.end + at;
    let user = text.get(anchor.end..anchor.end + colon)?;
    let password = text.get(range.clone())?;
    let is_none = password.len() < 4 || password == user || example::is(password);
    (!is_none).then(|| Found::new(Kind::UrlPassword, range))
}

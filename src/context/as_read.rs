//! A memory as the model reads it through the reference client's tool: its age in front, its lines
//! numbered, notes behind. Reads no file.

use std::borrow::Cow;
use std::path::Path;

use crate::base::time::Moment;
use crate::context::observed::data::ReadForm;

/// Whole days from which on a memory's age is told.
const AGED_DAYS: i64 = 2;

/// Bytes at a file's head in which a NUL makes it one that the tool won't edit.
const NUL_BYTES: usize = 8 * 1024;

/// A file as the tool shows it. `aged`: it lies below the memory folder by the path that was asked for,
/// and was modified then. An empty file has no lines and no age.
#[must_use]
pub fn text(form: &ReadForm, bytes: &[u8], aged: Option<Moment>, now: Moment) -> String {
    let (decoded, not_utf8) = decode(bytes);
    let mut out = String::with_capacity(decoded.len() + 512);
    if let Some(modified) = aged.filter(|_| !bytes.is_empty()) {
        out.push_str(&age_line(form, modified, now));
    }
    for (at, line) in decoded.split('\n').enumerate() {
        if at > 0 {
            out.push('\n');
        }
        out.push_str(&number(&form.number, at + 1));
        out.push_str(line.strip_suffix('\r').unwrap_or(line));
    }
    if not_utf8 {
        out.push_str(&form.not_utf8);
    } else if !is_utf16(bytes) && bytes.iter().take(NUL_BYTES).any(|byte| *byte == 0) {
        out.push_str(&form.nul_bytes);
    }
    out.push_str(&form.closing);
    out
}

/// The line that tells a memory's age, with its line break; empty where it is younger than two days, or
/// from the future, or the version tells none.
#[must_use]
pub fn age_line(form: &ReadForm, modified: Moment, now: Moment) -> String {
    let days = modified.days_before(now);
    match &form.age {
        Some(text) if days >= AGED_DAYS => text.replace("{days}", &days.to_string()),
        Some(_) | None => String::new(),
    }
}

/// Whether the tool tells the age of a file: what lies below the memory folder by the path that was
/// asked for, wherever a link leads.
#[must_use]
pub fn is_aged(path: &Path, memory_folder: &Path) -> bool {
    path.starts_with(memory_folder) && path != memory_folder
}

/// A line's number and what stands behind it.
fn number(form: &str, line: usize) -> String {
    form.replace("{line}", &line.to_string())
        .replace("{line:6}", &format!("{line:>6}"))
}

fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF")
}

/// The text, and whether it is no UTF-8. A mark of the byte order goes; UTF-16 is known by one.
fn decode(bytes: &[u8]) -> (Cow<'_, str>, bool) {
    if is_utf16(bytes) {
        let little = bytes[0] == 0xFF;
        let units = bytes[2..].chunks_exact(2).map(|pair| match little {
            true => u16::from_le_bytes([pair[0], pair[1]]),
            false => u16::from_be_bytes([pair[0], pair[1]]),
        });
        let text = char::decode_utf16(units)
            .map(|c| c.unwrap_or('\u{FFFD}'))
            .collect();
        return (Cow::Owned(text), false);
    }
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let text = String::from_utf8_lossy(bytes);
    let lossy = matches!(text, Cow::Owned(_));
    (text, lossy)
}

#[cfg(test)]
#[path = "as_read_tests.rs"]
mod tests;

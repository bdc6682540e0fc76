//! Safe display of foreign text. Whatever comes from a file, a file name or a model passes through
//! here before a terminal sees it: escape sequences, control, bidirectional, zero-width and tag
//! characters come out as visible symbols. It knows nothing of cells (that is `base::text`).
//!
//! Terminals act on C0 and C1 controls (ECMA-48), reorder cells on bidirectional controls (UAX #9)
//! and draw nothing for zero-width and tag characters, so that a name can hide what it says.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;

use super::text;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';

/// One line of foreign text, made safe: no control character of any kind is left, a line break
/// included. Borrows when nothing had to change.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (0x20..0x7f).contains(&byte)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut changed = false;
    let mut before = None;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if is_plain(c, before, chars.peek().copied()) {
            out.push(c);
        } else {
            changed = true;
            push_symbol(&mut out, c);
        }
        before = Some(c);
    }
    if changed {
        Cow::Owned(out)
    } else {
        Cow::Borrowed(text)
    }
}

/// One line of foreign text in parts, made safe, each with whether it lies in one of `marks`: ranges
/// of bytes, sorted and apart.
#[must_use]
pub fn marked(text: &str, marks: &[Range<usize>]) -> Vec<(String, bool)> {
    let mut parts = Vec::new();
    let mut at = 0;
    let mut push = |range: Range<usize>, marked: bool| {
        let part = text.get(range).unwrap_or_default();
        if !part.is_empty() {
            parts.push((line(&untab(part)).into_owned(), marked));
        }
    };
    for mark in marks {
        push(at..mark.start, false);
        push(mark.clone(), true);
        at = mark.end;
    }
    push(at..text.len(), false);
    parts
}

/// Text of many lines, made safe line by line; `\n` stays (and `\r\n` becomes it), a tab becomes
/// spaces up to the next multiple of four characters.
#[must_use]
pub fn block(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, raw) in text.split('\n').enumerate() {
        if number > 0 {
            out.push('\n');
        }
        let raw = raw.strip_suffix('\r').unwrap_or(raw);
        out.push_str(&line(&untab(raw)));
    }
    out
}

/// Tabs as spaces up to the next multiple of four characters.
#[must_use]
pub fn untab(text: &str) -> Cow<'_, str> {
    if !text.contains('\t') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut column = 0;
    for c in text.chars() {
        if c == '\t' {
            let fill = 4 - column % 4;
            out.extend(std::iter::repeat_n(' ', fill));
            column += fill;
        } else {
            out.push(c);
            column += 1;
        }
    }
    Cow::Owned(out)
}

/// Whether a character would be hidden or acted on by a terminal rather than drawn.
#[must_use]
pub fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control();
    }
    // Blank letters and marks that draw nothing, though their category is a letter's or a mark's.
    if matches!(
        c,
        '\u{034F}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}' | '\u{3164}'
            | '\u{FFA0}' | '\u{FE00}'..='\u{FE0D}' | '\u{E0100}'..='\u{E01EF}'
    ) {
        return true;
    }
    matches!(
        c.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::Surrogate
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    )
}

/// The characters of a line that a reader can't see, with their bytes; a tab is none of them.
#[must_use]
pub fn unseen(text: &str) -> Vec<(usize, char)> {
    if text.bytes().all(|byte| matches!(byte, b'\t' | 0x20..0x7f)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut before = None;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, next)| *next);
        if c != '\t' && !is_plain(c, before, after) {
            found.push((at, c));
        }
        before = Some(c);
    }
    found
}

/// Joiners are part of emoji and of several scripts: between two visible non-ASCII characters they stay.
fn is_plain(c: char, before: Option<char>, after: Option<char>) -> bool {
    match c {
        ZERO_WIDTH_JOINER | ZERO_WIDTH_NON_JOINER => {
            let joins = |side: Option<char>| side.is_some_and(|s| !s.is_ascii() && !is_hidden(s));
            joins(before) && joins(after)
        }
        c => !is_hidden(c),
    }
}

fn push_symbol(out: &mut String, c: char) {
    match c {
        '\0'..='\u{1F}' => {
            out.push(char::from_u32(0x2400 + c as u32).expect("control pictures are assigned"));
        }
        '\u{7F}' => out.push('\u{2421}'),
        _ => write!(out, "<U+{:04X}>", c as u32).expect("a string takes every write"),
    }
}

/// A size for people: `812 B`, `4.1 KB`, `2.3 MB`.
#[must_use]
pub fn size(bytes: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "KB")];
    for (unit, name) in UNITS {
        if bytes >= unit {
            let tenths = bytes.saturating_mul(10) / unit;
            return format!("{}.{} {name}", tenths / 10, tenths % 10);
        }
    }
    format!("{bytes} B")
}

/// A path below the home with `~` for it.
#[must_use]
pub fn short_path(path: &Path, home: &Path) -> String {
    match path.strip_prefix(home) {
        Ok(rest) if rest.as_os_str().is_empty() => "~".to_string(),
        Ok(rest) => format!("~/{}", rest.display()),
        Err(_) => path.display().to_string(),
    }
}

/// A path cut to so many cells: folders in its middle go first, then the middle of the file's name.
#[must_use]
pub fn cut_path(path: &str, cells: usize) -> Cow<'_, str> {
    let name = path.rfind('/').map_or(path, |at| &path[at..]);
    let (whole, own) = (text::width(path), text::width(name));
    match cells.checked_sub(own + 1) {
        _ if whole <= cells => Cow::Borrowed(path),
        Some(room) => {
            let front = text::head(&path[..path.len() - name.len()], room);
            Cow::Owned(format!("{front}{}{name}", text::ELLIPSIS))
        }
        // Both ends of the name tell files apart.
        None if cells >= 5 => {
            let name = name.trim_start_matches('/');
            let back = (cells - 1).div_ceil(2);
            let (front, back) = (text::head(name, cells - 1 - back), text::tail(name, back));
            Cow::Owned(format!("{front}{}{back}", text::ELLIPSIS))
        }
        None => text::cut_end(name, cells),
    }
}

/// A text with `~` for the home folder in the paths that it names.
#[must_use]
pub fn homely(text: &str, home: &Path) -> String {
    let Some(home) = home.to_str().filter(|home| home.len() > 1) else {
        return text.to_string();
    };
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(home) {
        let (before, found) = rest.split_at(at);
        let after = &found[home.len()..];
        let part = |c: char| c.is_alphanumeric() || "/._-".contains(c);
        let begins = !before.chars().next_back().is_some_and(part);
        let ends = !after.chars().next().is_some_and(|c| c != '/' && part(c));
        out.push_str(before);
        out.push_str(if begins && ends { "~" } else { home });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// A share (0 to 1) in hundredths with one decimal: `97.7`. What is not all of it is never told as `100.0`.
#[must_use]
pub fn percent(share: f64) -> String {
    let rounded = (share * 1_000.0).round() / 10.0;
    let most = if share < 1.0 { 99.9 } else { 100.0 };
    format!("{:.1}", rounded.min(most))
}

#[cfg(test)]
#[path = "display_tests.rs"]
mod tests;

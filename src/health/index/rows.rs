//! The lines of an index by what they are.

use std::ops::Range;

use crate::health::index::IndexPage;
use crate::health::page;

/// A line of an index.
pub struct Row {
    pub kind: RowKind,
    /// Bytes of the text, without the line break.
    pub range: Range<usize>,
}

/// What a line of an index is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowKind {
    /// Blank, a rule, the head of a table, front matter, a comment.
    Nothing,
    /// A heading of this level.
    Heading(usize),
    /// It begins with a pointer, or is a row of a table with one.
    Entry,
    /// It goes on with the entry of that line.
    GoesOn(usize),
    /// Prose that names a memory.
    Mention,
    /// All else.
    Content,
}

/// Tells the lines of an index apart.
pub fn rows(index: &IndexPage) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    let mut stripped = index.loaded.stripped_lines.iter().peekable();
    for line in page::lines(&index.text) {
        let is_stripped = stripped.next_if(|one| **one == line.number).is_some();
        let kind = match is_stripped {
            true => RowKind::Nothing,
            false => kind(index, &line, rows.last().map(|row| row.kind)),
        };
        rows.push(Row {
            kind,
            range: line.start..line.start + line.text.len(),
        });
    }
    rows
}

fn kind(index: &IndexPage, line: &page::Line<'_>, above: Option<RowKind>) -> RowKind {
    let text = line.text.trim();
    if text.is_empty() {
        return RowKind::Nothing;
    }
    let pointers = index.on_line(line.number);
    if pointers.iter().any(|pointer| pointer.place.is_entry()) {
        return RowKind::Entry;
    }
    let is_code = index
        .marks
        .covers(line.start + line.text.len() - line.text.trim_start().len());
    let level = text.bytes().take_while(|byte| *byte == b'#').count();
    if !is_code && (1..=6).contains(&level) && text[level..].starts_with([' ', '\t']) {
        return RowKind::Heading(level);
    }
    if !is_code && (text.starts_with('|') || is_rule(text)) && pointers.is_empty() {
        return RowKind::Nothing;
    }
    let entry = match above {
        Some(RowKind::Entry) => Some(line.number - 1),
        Some(RowKind::GoesOn(entry)) => Some(entry),
        Some(RowKind::Nothing | RowKind::Heading(_) | RowKind::Mention | RowKind::Content)
        | None => None,
    };
    // A line of its own that names a memory is prose, though Markdown would let it go on.
    let is_own = !pointers.is_empty() && !line.text.starts_with([' ', '\t']);
    match entry.filter(|_| !is_code && !is_own && !begins_item(text)) {
        Some(entry) => RowKind::GoesOn(entry),
        None if pointers.is_empty() => RowKind::Content,
        None => RowKind::Mention,
    }
}

fn is_rule(text: &str) -> bool {
    let first = text.chars().next().unwrap_or_default();
    matches!(first, '-' | '*' | '_' | '=') && text.len() > 2 && text.chars().all(|c| c == first)
}

fn begins_item(text: &str) -> bool {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let bullet = text.starts_with(['-', '*', '+']) && text[1..].starts_with([' ', '\t']);
    bullet || text.starts_with(['|', '>']) || digits > 0 && text[digits..].starts_with(['.', ')'])
}

//! How an index is written: content in it, entries over several lines, headings over nothing.

use crate::config::limits::INDEX_LINE_CHARS;
use crate::health::code::Code;
use crate::health::fix::Fix;
use crate::health::gathered::{Gathered, Spot};
use crate::health::index::{IndexPage, Row, RowKind};
use crate::health::words::is_set_close;

/// Lines and characters between the entries that are still an introduction.
const CONTENT_LINES: usize = 5;
const CONTENT_CHARS: usize = 600;

pub fn look(index: &IndexPage, rows: &[Row], out: &mut Gathered<'_>) {
    content(index, rows, out);
    multiline(index, rows, out);
    empty_sections(index, rows, out);
}

fn content(index: &IndexPage, rows: &[Row], out: &mut Gathered<'_>) {
    let (mut lines, mut chars, mut first) = (0, 0, None);
    for (at, row) in rows.iter().enumerate() {
        if row.kind == RowKind::Content {
            lines += 1;
            chars += index.text[row.range.clone()].chars().count();
            first.get_or_insert(at + 1);
        }
    }
    let Some(first) = first.filter(|_| lines > CONTENT_LINES || chars > CONTENT_CHARS) else {
        return;
    };
    let (lines, hold) = match lines {
        1 => ("a line".to_string(), "holds"),
        many => (format!("{many} lines"), "hold"),
    };
    let message = format!(
        "{lines} of the index {hold} content instead of pointers: every session pays for it, it takes the place of entries, and it can't be recalled by itself; move it into a memory"
    );
    out.add(
        Code::IndexContent,
        Spot::line(&index.path, first),
        message,
        None,
    );
}

fn multiline(index: &IndexPage, rows: &[Row], out: &mut Gathered<'_>) {
    let mut told = 0;
    for (at, row) in rows.iter().enumerate() {
        let RowKind::GoesOn(entry) = row.kind else {
            continue;
        };
        if entry == told {
            continue;
        }
        told = entry;
        let last = rows[at..]
            .iter()
            .take_while(|row| row.kind == RowKind::GoesOn(entry))
            .count();
        let text = &index.text[rows[entry - 1].range.start..rows[at + last - 1].range.end];
        let can = index.is_ours && joined(text).chars().count() <= INDEX_LINE_CHARS;
        let message = format!(
            "the entry goes on for {} more {}: the cut counts lines, and readers that go line by line lose the rest{}",
            last,
            if last == 1 { "line" } else { "lines" },
            if can { "" } else { "; shorten it to one" }
        );
        let spot = Spot::line(&index.path, entry);
        out.add(
            Code::IndexMultiline,
            spot,
            message,
            can.then_some(Fix::JoinEntry),
        );
    }
}

/// The lines of an entry as one.
pub fn joined(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        if out.is_empty() {
            out.push_str(line.trim_end());
        } else {
            let close = |c: Option<char>| c.is_some_and(is_set_close);
            let next = line.trim();
            if !(close(out.chars().last()) && close(next.chars().next())) {
                out.push(' ');
            }
            out.push_str(next);
        }
    }
    out
}

fn empty_sections(index: &IndexPage, rows: &[Row], out: &mut Gathered<'_>) {
    let is_new = rows
        .iter()
        .all(|row| matches!(row.kind, RowKind::Heading(_) | RowKind::Nothing));
    if is_new {
        return;
    }
    for (at, row) in rows.iter().enumerate() {
        let RowKind::Heading(level) = row.kind else {
            continue;
        };
        let next = rows[at + 1..]
            .iter()
            .find(|row| row.kind != RowKind::Nothing);
        let is_empty = match next.map(|row| row.kind) {
            None => true,
            Some(RowKind::Heading(next)) => next <= level,
            Some(
                RowKind::Nothing
                | RowKind::Entry
                | RowKind::GoesOn(_)
                | RowKind::Mention
                | RowKind::Content,
            ) => false,
        };
        if is_empty {
            let heading = index.text[row.range.clone()].trim_start_matches(['#', ' ']);
            let message = format!(
                "nothing stands under \"{}\": it costs a line of 200 and makes the model look for what is not there; take it out or fill it",
                heading.trim()
            );
            let spot = Spot::line(&index.path, at + 1);
            out.add(Code::IndexSectionEmpty, spot, message, None);
        }
    }
}

#[cfg(test)]
#[path = "shape_tests.rs"]
mod tests;

//! Sizes: more than is recalled, and nothing to recall.

use crate::base::time::grouped;
use crate::config::limits::{RECALL_BYTES, RECALL_LINES};
use crate::health::code::Code;
use crate::health::gathered::{Gathered, Spot};
use crate::health::page::Page;

/// What a body says that still waits for its text.
const LABELS: [&str; 10] = [
    "why",
    "how to apply",
    "todo",
    "tbd",
    "wip",
    "fixme",
    "n/a",
    "待补充",
    "待办",
    "略",
];

pub fn look(page: &Page<'_>, out: &mut Gathered<'_>) {
    too_large(page, out);
    if page.has_block() || page.front.faults.is_empty() {
        body_empty(page, out);
    }
}

fn too_large(page: &Page<'_>, out: &mut Gathered<'_>) {
    let lines = page.text.lines().count();
    let bytes = usize::try_from(page.memory.bytes).unwrap_or(usize::MAX);
    if lines <= RECALL_LINES && bytes <= RECALL_BYTES {
        return;
    }
    let line = first_line_cut(page.text, page.text.len().abs_diff(page.bytes.len()));
    let message = format!(
        "it has {} lines and {} bytes, and only {RECALL_LINES} lines and {} bytes are recalled: what is from line {line} on is cut off; part it into memories of one fact each",
        grouped(lines),
        grouped(bytes),
        grouped(RECALL_BYTES),
    );
    out.add(Code::TooLarge, Spot::line(page.path, line), message, None);
}

/// The first line that is not recalled whole.
fn first_line_cut(text: &str, bom: usize) -> usize {
    let mut bytes = bom.min(3);
    for (at, line) in text.split_inclusive('\n').enumerate() {
        bytes += line.len();
        if at >= RECALL_LINES || bytes > RECALL_BYTES {
            return at + 1;
        }
    }
    RECALL_LINES + 1
}

fn body_empty(page: &Page<'_>, out: &mut Gathered<'_>) {
    let body = page.body();
    let mut without = String::with_capacity(body.len());
    let mut at = 0;
    for comment in page.comments() {
        without.push_str(&body[at..comment.start]);
        at = comment.end;
    }
    without.push_str(&body[at..]);
    if without.lines().any(says_something) {
        return;
    }
    let message = match page.text.trim().is_empty() {
        true => {
            "the file is empty: it takes a place among the memories and says nothing; write it or remove it"
        }
        false => {
            "its body says nothing that could be recalled: choosing it costs one of five places; write it or remove it"
        }
    };
    out.add(
        Code::BodyEmpty,
        Spot::file(page.path),
        message.to_string(),
        None,
    );
}

fn says_something(line: &str) -> bool {
    let line = line.trim();
    if line.starts_with('#') && line.trim_start_matches('#').starts_with([' ', '\t']) {
        return false;
    }
    let word = line
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    !word.is_empty() && !LABELS.contains(&word.as_str())
}

#[cfg(test)]
#[path = "sizes_tests.rs"]
mod tests;

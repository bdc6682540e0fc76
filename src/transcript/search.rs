//! Words looked up in what sessions say: in prompts, answers, summaries and the results of tools; never in
//! pictures, nor in what belongs to the format. Of a line that is too long to be held only the beginning
//! of each text is looked at.

use std::io;
use std::ops::Range;

use super::entry::Entry;
use super::lines::{Line, Lines};
use super::message::Block;
use super::source::Source;
use crate::base::json::reader::Text;
use crate::memory::search::{Query, marks};

/// Characters of a hit's line before its first match, and in all.
const BEFORE: usize = 40;
const SHOWN: usize = 240;

/// A message that holds all words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Where its line begins in the file, in bytes.
    pub at: u64,
    /// RFC 3339, in UTC.
    pub time: Option<String>,
    /// The first line of it with a match, cut round that. Foreign text.
    pub text: String,
}

/// Looks the lines of a range through, in their order; `each` says whether to go on. It is asked with
/// nothing, too, once in a while.
///
/// # Errors
/// As the system says.
pub fn search<S: Source + ?Sized>(
    source: &S,
    range: Range<u64>,
    query: &Query,
    each: &mut dyn FnMut(u64, Option<Hit>) -> bool,
) -> io::Result<()> {
    let mut lines = Lines::new(source, range);
    let mut lower = Vec::new();
    while let Some(line) = lines.next_line()? {
        let hit = hit(&line, query, &mut lower);
        if !each(line.range.end, hit) {
            return Ok(());
        }
    }
    Ok(())
}

fn hit(line: &Line<'_>, query: &Query, lower: &mut Vec<u8>) -> Option<Hit> {
    lower.clear();
    lower.extend(line.bytes.iter().map(u8::to_ascii_lowercase));
    if !query.can_stand_in(lower) {
        return None;
    }
    let entry = Entry::of_line(line.bytes).ok()?;
    if !entry.kind.is_message() {
        return None;
    }
    let mut texts: Vec<Text<'_>> = Vec::new();
    for block in &entry.message.blocks {
        gather(block, &mut texts);
    }
    let texts: Vec<_> = texts.into_iter().map(Text::read).collect();
    if !query.stands_in(texts.iter().map(|text| &**text)) {
        return None;
    }
    let mut rows = texts.iter().flat_map(|text| text.lines());
    let row = rows.find(|row| !marks(query, row).is_empty());
    Some(Hit {
        at: line.range.start,
        time: entry.time.map(|time| time.read().into_owned()),
        text: row.map(|row| cut(query, row)).unwrap_or_default(),
    })
}

fn gather<'a>(block: &Block<'a>, texts: &mut Vec<Text<'a>>) {
    match block {
        Block::Text(text) => texts.push(*text),
        Block::ToolResult { content, .. } => {
            for inner in content {
                gather(inner, texts);
            }
        }
        Block::Thinking(_) | Block::ToolUse { .. } | Block::Picture { .. } | Block::Other(_) => {}
    }
}

/// A line cut round its first match.
fn cut(query: &Query, row: &str) -> String {
    let row = row.trim();
    let first = marks(query, row).first().map_or(0, |mark| mark.start);
    let before = row[..first].char_indices().rev().nth(BEFORE);
    let from = before.map_or(0, |(at, _)| at);
    let mut text: String = row[from..].chars().take(SHOWN).collect();
    if from > 0 {
        text.insert(0, '…');
    }
    text
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;

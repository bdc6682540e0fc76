//! What a message says, as text: its texts as they are, and in brackets what is none. Pictures are named
//! with their size and never drawn.

use std::io;
use std::ops::Range;

use super::entry::Entry;
use super::lines::{Line, Lines};
use super::message::Block;
use super::source::Source;
use crate::base::json::reader::Text;

/// What the message of one line says, without the tool uses and results that `is_out` names. Nothing where
/// the line is no JSON (any more).
///
/// # Errors
/// As the system says.
pub fn of_line<S: Source + ?Sized>(
    source: &S,
    range: Range<u64>,
    is_out: &dyn Fn(&str) -> bool,
) -> io::Result<String> {
    let mut lines = Lines::new(source, range);
    let Some(line) = lines.next_line()? else {
        return Ok(String::new());
    };
    let Ok(entry) = Entry::of_line(line.bytes) else {
        return Ok(String::new());
    };
    let is_out = |id: &Option<Text<'_>>| id.is_some_and(|id| is_out(&id.read()));
    let blocks = entry.message.blocks.iter().filter(|block| match block {
        Block::ToolUse { id, .. } => !is_out(id),
        Block::ToolResult { of, .. } => !is_out(of),
        Block::Text(_) | Block::Thinking(_) | Block::Picture { .. } | Block::Other(_) => true,
    });
    let parts = blocks.map(|block| of_block(source, &line, block));
    let mut parts = parts.collect::<io::Result<Vec<_>>>()?;
    parts.extend(missing(&line, entry.message.blocks_end));
    Ok(parts.join("\n"))
}

/// `[7 more blocks are missing]`, where a line is so long that not all of a list is held.
pub(super) fn missing(line: &Line<'_>, end: usize) -> Option<String> {
    match line.missing(end) {
        0 => None,
        1 => Some("[1 more block is missing]".to_string()),
        many => Some(format!("[{many} more blocks are missing]")),
    }
}

/// What one block of a line says.
///
/// # Errors
/// As the system says.
pub fn of_block<S: Source + ?Sized>(
    source: &S,
    line: &Line<'_>,
    block: &Block<'_>,
) -> io::Result<String> {
    let word = |text: &Option<Text<'_>>| text.map(|text| text.read().into_owned());
    Ok(match block {
        Block::Text(text) => line.read(*text, source)?.into_owned(),
        Block::Thinking(_) => "[thinking]".to_string(),
        Block::ToolUse { name, .. } => format!("[tool use: {}]", word(name).unwrap_or_default()),
        Block::ToolResult {
            is_error,
            content,
            end,
            ..
        } => {
            let parts = content.iter().map(|block| of_block(source, line, block));
            let mut parts = parts.collect::<io::Result<Vec<_>>>()?;
            parts.extend(missing(line, *end));
            let text = parts.join("\n");
            let text = if text.is_empty() { "(empty)" } else { &text };
            match is_error {
                true => format!("[tool error] {text}"),
                false => format!("[tool result] {text}"),
            }
        }
        Block::Picture { kind, data } => picture(line, *kind, *data),
        Block::Other(kind) => format!("[{}]", word(kind).unwrap_or_default()),
    })
}

/// `[image png, ~94 MB]`: base64 holds three bytes in four characters.
pub(super) fn picture(line: &Line<'_>, kind: Option<Text<'_>>, data: Option<Text<'_>>) -> String {
    let kind = kind.map_or_else(String::new, |kind| {
        let kind = kind.read();
        format!(" {}", kind.strip_prefix("image/").unwrap_or(&kind))
    });
    match data {
        None => format!("[image{kind}]"),
        Some(data) => format!("[image{kind}, ~{}]", size(line.length(data) / 4 * 3)),
    }
}

/// A size in its largest whole unit of a thousand.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes / 1_000),
        1_000_000.. => format!("{} MB", bytes / 1_000_000),
    }
}

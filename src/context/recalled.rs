//! A memory that is recalled, as it is put into the conversation: a header with its age, a warning where it
//! is old, its text as far as there is room. And what a conversation holds of memories already. Pure.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::base::time::Moment;
use crate::base::{front_matter, markdown};
use crate::config::limits::{RECALL_BYTES, RECALL_LINES};
use crate::context::conversation::{self, CLEARED, Entry};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content};
use crate::memory::index::decode;

/// Whole days from which on a memory is called an observation of its time.
const AGED_DAYS: i64 = 2;

/// Names of linked memories that a header tells.
const LINKS: usize = 10;

/// The pieces of a recalled memory, for an entry of its own. `path` is absolute; `modified` as the model is
/// told it: `None`, or a moment still to come, has no age.
#[must_use]
pub fn pieces(path: &Path, bytes: &[u8], modified: Option<Moment>, now: Moment) -> Vec<Piece> {
    let text = decode(bytes);
    let age = modified.filter(|modified| *modified <= now);
    let days = age.map(|modified| modified.days_before(now));
    let saved = match days {
        None => String::new(),
        Some(0) => ", saved today".to_string(),
        Some(1) => ", saved yesterday".to_string(),
        Some(days) => format!(", saved {days} days ago"),
    };
    let links = match links(&text) {
        links if links.is_empty() => String::new(),
        links => format!(". It links to: {}", links.join(", ")),
    };
    let own = |text: String| Piece::new(Kind::Wrapper, Origin::Ours, text).of(path);
    let mut pieces = vec![own(format!("A memory, {}{saved}{links}\n", path.display()))];
    if days.is_some_and(|days| days >= AGED_DAYS) {
        pieces.push(own(
            "It is an observation of its time, not the state now: check what it says against the files before \
             you assert it or act on it.\n"
                .to_string(),
        ));
    }
    let kept = head(&text);
    pieces.push(own("\n".to_string()));
    pieces.push(Piece::new(Kind::Recalled, Origin::File, kept).of(path));
    if kept.len() < text.len() {
        let lines = text.lines().count();
        pieces.push(own(format!(
            "\n[Cut here: the file has {lines} lines, {} bytes. Read has the rest: {}]",
            bytes.len(),
            path.display()
        )));
    }
    pieces
}

/// As much of a text as is recalled: whole lines up to the limit of lines, and no more bytes than there is
/// room for; no character is parted.
#[must_use]
fn head(text: &str) -> &str {
    let lines = text.split_inclusive('\n').take(RECALL_LINES);
    let end = lines.map(str::len).sum::<usize>().min(RECALL_BYTES);
    &text[..text.floor_char_boundary(end)]
}

/// The names that a memory's body links to, in code none.
fn links(text: &str) -> Vec<&str> {
    let body = &text[front_matter::read(text).body..];
    let marks = markdown::marks(body);
    let mut names: Vec<&str> = Vec::new();
    for (at, _) in body.match_indices("[[") {
        let inner = &body[at + 2..];
        let name = inner.split_once("]]").map_or("", |(name, _)| name);
        let name = name.split(['|', '#']).next().unwrap_or_default().trim();
        let is_name = !name.is_empty() && !name.contains(['\n', '[', ']']);
        if is_name && !marks.covers(at) && !names.contains(&name) && names.len() < LINKS {
            names.push(name);
        }
    }
    names
}

/// What a conversation holds of memories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Held {
    /// Recalled, and still to be seen.
    pub recalled: HashSet<PathBuf>,
    /// Read by a tool, and still to be seen: as the tool was told the path.
    pub read: HashSet<PathBuf>,
    /// Bytes of what was recalled.
    pub bytes: usize,
}

/// Looks what a conversation holds. It is found by the kinds of its parts, never by a counter: what a
/// compaction took away or what was cleared is gone from here by itself.
#[must_use]
pub fn held(entries: &[Entry], now: Moment) -> Held {
    let entries = conversation::clear_by_time(conversation::cut(entries), now);
    let mut held = Held::default();
    let mut asked: Vec<(&str, PathBuf)> = Vec::new();
    for entry in &entries {
        match entry {
            Entry::Attached { pieces, .. } => {
                for piece in pieces.iter().filter(|piece| piece.kind == Kind::Recalled) {
                    held.bytes += piece.shown().len();
                    held.recalled.extend(piece.path.clone());
                }
            }
            Entry::Said { blocks, .. } => {
                for block in blocks {
                    read(block, &mut asked, &mut held);
                }
            }
            Entry::Boundary { .. } => {}
        }
    }
    held
}

/// Notes the use of a tool that reads a file, and its result.
fn read<'a>(block: &'a Block, asked: &mut Vec<(&'a str, PathBuf)>, held: &mut Held) {
    match &block.content {
        Content::ToolUse { id, name, input } if name == "Read" => {
            let path = ["file_path", "path"]
                .iter()
                .find_map(|key| input[key].as_str());
            asked.extend(path.map(|path| (id.as_str(), PathBuf::from(path))));
        }
        Content::ToolResult {
            id,
            result,
            is_error: false,
        } if result.shown() != CLEARED => {
            let paths = asked.iter().filter(|(of, _)| of == id);
            held.read.extend(paths.map(|(_, path)| path.clone()));
        }
        Content::Text(_)
        | Content::Reminder(_)
        | Content::ToolUse { .. }
        | Content::ToolResult { .. }
        | Content::Raw(_) => {}
    }
}

impl Held {
    /// Whether the conversation holds a memory, and how.
    #[must_use]
    pub fn why(&self, path: &Path) -> Option<&'static str> {
        match (self.recalled.contains(path), self.read.contains(path)) {
            (true, _) => Some("it is in the conversation already"),
            (false, true) => Some("a tool has read it"),
            (false, false) => None,
        }
    }
}

#[cfg(test)]
#[path = "recalled_tests.rs"]
mod tests;

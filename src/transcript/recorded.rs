//! What a client wrote down of what it sent: the standing instructions with their exact texts, and whole
//! requests. Told by the kind of a line, never by a text in it.

use std::io;
use std::ops::Range;

use serde::Deserialize;
use serde_json::Value;

use super::entry::{Entry, Kind};
use super::lines::{Line, Lines};
use super::source::Source;
use crate::config::limits::PAGE_BYTES;

/// The instructions that were sent once: all of them, or those that had changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instructions {
    /// Where the line stands in the file.
    pub range: Range<u64>,
    pub uuid: String,
    /// RFC 3339, in UTC.
    pub time: String,
    pub files: Vec<InstructionFile>,
    /// Whether any of it can't be read: what is missing here may have been sent.
    pub is_partly_unread: bool,
}

/// One file of them, as it was sent: without its comments, cut, with the warning of the cut.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InstructionFile {
    pub path: String,
    /// `Managed`, `User`, `Project`, `Local`, `AutoMem`.
    #[serde(rename = "type")]
    pub layer: String,
    pub content: String,
}

/// All instructions that a transcript records, in its order. Older clients record none.
///
/// # Errors
/// As the system says.
pub fn instructions<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Vec<Instructions>> {
    let mut found = Vec::new();
    let mut lines = Lines::new(source, 0..end);
    while let Some(line) = lines.next_line()? {
        found.extend(of_line(source, &line)?);
    }
    Ok(found)
}

/// Those of the line that begins at `at`.
///
/// # Errors
/// As the system says.
pub fn instructions_at<S: Source + ?Sized>(
    source: &S,
    at: u64,
    end: u64,
) -> io::Result<Option<Instructions>> {
    match Lines::new(source, at..end).next_line()? {
        Some(line) => of_line(source, &line),
        None => Ok(None),
    }
}

fn of_line<S: Source + ?Sized>(source: &S, line: &Line<'_>) -> io::Result<Option<Instructions>> {
    let is_one = Entry::of_line(line.bytes).is_ok_and(|entry| {
        let attached = entry.attachment.is_some_and(|kind| kind.is("instructions"));
        entry.kind == Kind::Attachment && attached && !entry.is_sidechain
    });
    if !is_one {
        return Ok(None);
    }
    let value = whole(source, line.range.clone())?.unwrap_or_default();
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_string();
    let entries = value["attachment"]["files"].as_array();
    let read = entries.into_iter().flatten();
    let read = read.map(|entry| InstructionFile::deserialize(entry).ok());
    let read: Vec<Option<InstructionFile>> = read.collect();
    Ok(Some(Instructions {
        range: line.range.clone(),
        uuid: text("uuid"),
        time: text("timestamp"),
        is_partly_unread: entries.is_none() || read.iter().any(Option::is_none),
        files: read.into_iter().flatten().collect(),
    }))
}

/// A line as a value. Nothing where it is no JSON, or larger than [`PAGE_BYTES`].
///
/// # Errors
/// As the system says.
pub fn whole<S: Source + ?Sized>(source: &S, range: Range<u64>) -> io::Result<Option<Value>> {
    let length = range.end - range.start;
    if length > PAGE_BYTES {
        return Ok(None);
    }
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    let filled = source.fill_at(&mut bytes, range.start)?;
    Ok(serde_json::from_slice(&bytes[..filled]).ok())
}

#[cfg(test)]
#[path = "recorded_tests.rs"]
mod tests;

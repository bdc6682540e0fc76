//! Where a session ran, read off the two ends of its transcript: however large it is, so few bytes
//! of it are read ([`TRANSCRIPT_END_BYTES`] at each end).

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;

use super::cwd;
use crate::config::limits::{TRANSCRIPT_END_BYTES, TRANSCRIPT_END_STEP};

/// The working directories at the two ends of a transcript.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends {
    /// The first one: where the session began.
    pub first: Option<String>,
    /// The last one, which may be another: a session can change its directory.
    pub last: Option<String>,
    /// Bytes that were read for it.
    pub read: usize,
}

/// Reads the ends of a transcript. What can't be read tells nothing.
#[must_use]
pub fn ends(transcript: &File) -> Ends {
    let mut ends = Ends::default();
    if let Ok(data) = transcript.metadata()
        && data.is_file()
    {
        // What failed half-way has told what it has told.
        let _ = read_ends(transcript, data.len(), &mut ends);
    }
    ends
}

fn read_ends(file: &File, length: u64, ends: &mut Ends) -> io::Result<()> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let mut head = Vec::with_capacity(TRANSCRIPT_END_STEP);
    while ends.first.is_none() && head.len() < length.min(TRANSCRIPT_END_BYTES) {
        let to = (head.len() + TRANSCRIPT_END_STEP).min(length);
        let piece = piece(file, head.len(), to, ends)?;
        head.extend_from_slice(&piece);
        ends.first = head.split(|byte| *byte == b'\n').find_map(cwd::of_line);
    }
    let (begin, mut at) = (head.len(), length);
    let mut tail: Vec<u8> = Vec::new();
    while ends.last.is_none() && at > begin && tail.len() < TRANSCRIPT_END_BYTES {
        let from = at.saturating_sub(TRANSCRIPT_END_STEP).max(begin);
        let mut front = piece(file, from, at, ends)?;
        front.append(&mut tail);
        (tail, at) = (front, from);
        if at > begin {
            ends.last = last_of(&tail, true);
        }
    }
    if ends.last.is_none() && at == begin {
        // The two ends meet: nothing lies between them.
        head.append(&mut tail);
        ends.last = last_of(&head, false);
    }
    Ok(())
}

/// The bytes from one place to another, which may have become fewer.
fn piece(file: &File, from: usize, to: usize, ends: &mut Ends) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; to - from];
    let mut filled = 0;
    while filled < bytes.len() {
        let read = file.read_at(&mut bytes[filled..], (from + filled) as u64)?;
        if read == 0 {
            break;
        }
        filled += read;
    }
    bytes.truncate(filled);
    ends.read += filled;
    Ok(bytes)
}

/// The last working directory in a piece of a transcript, whose first line may be cut at its start.
fn last_of(piece: &[u8], cut: bool) -> Option<String> {
    let mut lines = piece.rsplit(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let found = match cut && lines.peek().is_none() {
            true => cwd::of_line_end(line),
            false => cwd::of_line(line),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[cfg(test)]
#[path = "ends_tests.rs"]
mod tests;

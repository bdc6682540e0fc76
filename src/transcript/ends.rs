//! Where a session ran, read off the two ends of its transcript: however large it is, so few bytes
//! of it are read ([`TRANSCRIPT_END_BYTES`] at each end).

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use super::cwd;
use crate::base::disk::Disk;
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
pub fn ends(disk: &Disk, transcript: &Path) -> Ends {
    let mut ends = Ends::default();
    if let Ok(mut file) = disk.open(transcript)
        && file.metadata().is_ok_and(|data| data.is_file())
    {
        // What failed half-way has told what it has told.
        let _ = read_ends(&mut file, &mut ends);
    }
    ends
}

fn read_ends(file: &mut std::fs::File, ends: &mut Ends) -> io::Result<()> {
    let mut head = Vec::with_capacity(TRANSCRIPT_END_STEP);
    while ends.first.is_none() && head.len() < TRANSCRIPT_END_BYTES {
        let read = file
            .by_ref()
            .take(TRANSCRIPT_END_STEP as u64)
            .read_to_end(&mut head)?;
        ends.read += read;
        ends.first = head.split(|byte| *byte == b'\n').find_map(cwd::of_line);
        if read < TRANSCRIPT_END_STEP {
            ends.last = last_of(&head, false);
            return Ok(());
        }
    }
    let length = usize::try_from(file.seek(SeekFrom::End(0))?).unwrap_or(usize::MAX);
    let (begin, mut at) = (head.len(), length);
    let mut tail: Vec<u8> = Vec::new();
    while ends.last.is_none() && at > begin && tail.len() < TRANSCRIPT_END_BYTES {
        let from = at.saturating_sub(TRANSCRIPT_END_STEP).max(begin);
        file.seek(SeekFrom::Start(from as u64))?;
        let mut piece = Vec::with_capacity(at - from);
        ends.read += file
            .by_ref()
            .take((at - from) as u64)
            .read_to_end(&mut piece)?;
        piece.append(&mut tail);
        (tail, at) = (piece, from);
        if at == begin {
            // The two ends meet: nothing lies between them.
            let whole = [&head[..], &tail[..]].concat();
            ends.last = last_of(&whole, false);
        } else {
            ends.last = last_of(&tail, true);
        }
    }
    if ends.last.is_none() && at <= begin {
        ends.last = last_of(&head, false);
    }
    Ok(())
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

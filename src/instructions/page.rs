//! One instruction file, read: its text as sent, and the way back from there to its lines.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use super::why::Why;
use super::{Edited, Manner};
use crate::base::disk::Disk;
use crate::base::front_matter;
use crate::base::tidy::{kept_pieces, origin, trim};
use crate::config::limits::INSTRUCTION_BYTES;

/// A file whose text is there.
#[derive(Debug)]
pub struct Page {
    /// Where it really lies: what it imports is relative to that.
    pub real: PathBuf,
    /// The text of the file.
    pub raw: String,
    /// The text as sent.
    pub text: String,
    /// The bytes of `raw` that stay.
    pieces: Vec<Range<usize>>,
    /// Bytes of them that are trimmed off at the start.
    offset: usize,
    /// Bytes of `raw` at which a line ends.
    breaks: OnceCell<Vec<usize>>,
}

impl Page {
    /// Reads a file.
    pub fn read(
        disk: &Disk,
        path: &Path,
        manner: &Manner,
        edited: Option<&Edited>,
    ) -> Result<Self, Why> {
        if let Some(edited) = edited
            && disk.resolve_existing(path) == disk.resolve_existing(&edited.path)
        {
            let page = Self::of(disk.resolve_existing(path), &edited.bytes, manner);
            return match trim(&page.text).is_empty() {
                true => Err(Why::Empty),
                false => Ok(page),
            };
        }
        let data = match disk.metadata(path) {
            Ok(data) => data,
            Err(error) if is_absent(&error) => {
                return Err(match disk.link(path) {
                    Ok(_) => Why::Dangling,
                    Err(_) => Why::Missing { hint: None },
                });
            }
            Err(error) => return Err(Why::Unreadable(error.to_string())),
        };
        if data.is_dir() {
            return Err(Why::Folder);
        }
        if data.len() > INSTRUCTION_BYTES {
            return Err(Why::TooLarge { bytes: data.len() });
        }
        let unreadable = |error: io::Error| Why::Unreadable(error.to_string());
        let bytes = disk.read(path).map_err(unreadable)?;
        let real = disk.resolve(path).map_err(unreadable)?;
        let page = Self::of(real, &bytes, manner);
        match trim(&page.text).is_empty() {
            true => Err(Why::Empty),
            false => Ok(page),
        }
    }

    fn of(real: PathBuf, bytes: &[u8], manner: &Manner) -> Self {
        let text = String::from_utf8_lossy(bytes);
        let raw = match text.strip_prefix('\u{FEFF}').filter(|_| manner.tidied) {
            Some(rest) => rest.to_string(),
            None => Cow::into_owned(text),
        };
        if !manner.tidied {
            let body = front_matter::read(&raw).block.map_or(0, |block| block.end);
            return Self {
                real,
                text: raw[body..].to_string(),
                pieces: std::iter::once(body..raw.len()).collect(),
                offset: 0,
                raw,
                breaks: OnceCell::new(),
            };
        }
        let pieces = kept_pieces(&raw);
        let joined: String = pieces.iter().map(|piece| &raw[piece.clone()]).collect();
        let trimmed = trim(&joined);
        let offset = trimmed.as_ptr() as usize - joined.as_ptr() as usize;
        Self {
            real,
            text: trimmed.to_string(),
            pieces,
            offset,
            raw,
            breaks: OnceCell::new(),
        }
    }

    /// The line of the file, from 1, that a byte of the sent text comes from.
    pub fn line(&self, at: usize) -> usize {
        let at = origin(&self.pieces, self.offset + at);
        let breaks = self
            .breaks
            .get_or_init(|| memchr::memchr_iter(b'\n', self.raw.as_bytes()).collect());
        breaks.partition_point(|end| *end < at) + 1
    }

    /// Of each line of the sent text the line of the file, from 1.
    pub fn lines(&self) -> Vec<usize> {
        let breaks = memchr::memchr_iter(b'\n', self.text.as_bytes()).map(|at| at + 1);
        let starts = std::iter::once(0).chain(breaks);
        starts.map(|start| self.line(start)).collect()
    }
}

/// Whether a fault of the system means that nothing is there.
pub fn is_absent(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

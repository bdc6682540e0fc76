//! Pages: the last, the first, those beside one that was read, the one round a place.

use std::io;
use std::ops::Range;

use super::item::Reading;
use super::path;
use super::range;
use super::{Page, Up};
use crate::config::limits::SESSION_PAGE_BYTES;
use crate::transcript::entry::Entry;
use crate::transcript::lines::Lines;
use crate::transcript::source::Source;

/// As many times the bytes of a page: then the last one grows no more, and another one follows it.
const PAGES_GROWN: u64 = 2;

/// The last page of a transcript of `end` bytes.
///
/// # Errors
/// As the system says.
pub fn last<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Page> {
    read(source, range::begin(source, end)?..end, &Up::Last, end)
}

/// The first page.
///
/// # Errors
/// As the system says.
pub fn first<S: Source + ?Sized>(source: &S, end: u64) -> io::Result<Page> {
    forward(source, 0, end)
}

/// The page before one.
///
/// # Errors
/// As the system says.
pub fn before<S: Source + ?Sized>(source: &S, page: &Page) -> io::Result<Page> {
    let to = page.range.start;
    read(source, range::begin(source, to)?..to, &page.up, page.end)
}

/// The page behind one, in a transcript that has `end` bytes by now.
///
/// # Errors
/// As the system says.
pub fn after<S: Source + ?Sized>(source: &S, page: &Page, end: u64) -> io::Result<Page> {
    forward(source, page.range.end, end)
}

/// The last page of a transcript that may have grown since, with what was appended; without its items where
/// nothing was. Of much more than a page only what was held is given back, with more behind it. Of a
/// transcript that is shorter now its last page.
///
/// # Errors
/// As the system says.
pub fn grown<S: Source + ?Sized>(source: &S, page: &Page, end: u64) -> io::Result<Page> {
    let from = page.range.start;
    if end == page.end {
        return Ok(Page {
            items: Vec::new(),
            ..page.clone()
        });
    }
    if end < page.end {
        return last(source, end);
    }
    if end - from <= SESSION_PAGE_BYTES * PAGES_GROWN {
        return read(source, from..end, &Up::Last, end);
    }
    // What was held may end in the middle of a line.
    let mut to = from;
    let mut lines = Lines::new(source, page.range.clone());
    while let Some(line) = lines.next_line()? {
        if line.is_ended {
            to = line.range.end + 1;
        }
    }
    read(source, from..to, &up_from(source, to, end)?, end)
}

/// The page with the line that begins at `at`, and what stands before and behind it.
///
/// # Errors
/// As the system says.
pub fn around<S: Source + ?Sized>(source: &S, at: u64, end: u64) -> io::Result<Page> {
    let from = range::begin(source, at)?;
    let to = range::end(source, at.min(end), end)?;
    read(source, from..to, &up_from(source, to, end)?, end)
}

/// A stretch that was a page, with where the conversation goes on before what follows it.
///
/// # Errors
/// As the system says.
pub fn again<S: Source + ?Sized>(
    source: &S,
    range: Range<u64>,
    up: &Up,
    end: u64,
) -> io::Result<Page> {
    read(source, range, up, end)
}

fn forward<S: Source + ?Sized>(source: &S, from: u64, end: u64) -> io::Result<Page> {
    let to = range::end(source, from, end)?;
    read(source, from..to, &up_from(source, to, end)?, end)
}

/// Where the conversation goes on before `to`: what the next message there hangs on. Of what was taken back
/// as a whole only a look from the end knows.
fn up_from<S: Source + ?Sized>(source: &S, to: u64, end: u64) -> io::Result<Up> {
    let mut lines = Lines::new(source, to..end);
    // A few lines tell it, or nothing near does.
    for _ in 0..64 {
        let Some(line) = lines.next_line()? else {
            break;
        };
        let Ok(entry) = Entry::of_line(line.bytes) else {
            continue;
        };
        if entry.is_boundary() {
            let earlier = entry.logical_parent.map(|text| text.read().into_owned());
            return Ok(earlier.map_or(Up::Last, Up::Beyond));
        }
        if entry.uuid.is_some() && !entry.is_sidechain {
            let parent = entry.parent.map(|text| text.read().into_owned());
            return Ok(parent.map_or(Up::Nowhere, Up::Line));
        }
    }
    Ok(Up::Last)
}

fn read<S: Source + ?Sized>(source: &S, range: Range<u64>, up: &Up, end: u64) -> io::Result<Page> {
    let mut reading = Reading::default();
    let mut lines = Lines::new(source, range.clone());
    while let Some(line) = lines.next_line()? {
        reading.take(&line, line.range.end >= end);
    }
    let up = path::sort(source, range.start, &mut reading, up)?;
    Ok(Page {
        range,
        items: reading.into_items(),
        up,
        end,
    })
}

//! Words looked up in transcripts: in all that are listed, several at once, or the next place in one. It ends
//! at its next message when it is no longer wanted.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::{disk_of, open, unread};
use crate::agents::claude::Claude;
use crate::app::sessions_view::SessionHits;
use crate::memory::search::Query;
use crate::transcript::search::search;

/// Hits are handed on so far apart.
const PART_AGE: Duration = Duration::from_millis(100);
/// Bytes before a place that are looked through at once for the hit before it.
const STEP_BACK: u64 = 4 * 1024 * 1024;

/// Looks the words up in all transcripts, several at once.
pub(super) fn search_all(
    store: &Claude,
    query: &Query,
    paths: &[PathBuf],
    stop: &AtomicBool,
    each: &(dyn Fn(SessionHits) + Sync),
) {
    let sizes = paths.iter().map(|path| {
        let data = disk_of(store, path).metadata(path);
        data.map_or(0, |data| data.len())
    });
    let of: u64 = sizes.sum();
    let read = AtomicU64::new(0);
    let held = Mutex::new((Vec::new(), Instant::now()));
    let hand_on = |hit, is_due: bool| {
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.extend(hit);
        if is_due && held.1.elapsed() >= PART_AGE {
            held.1 = Instant::now();
            each(SessionHits {
                hits: std::mem::take(&mut held.0),
                read: read.load(Ordering::Relaxed),
                of,
                done: false,
            });
        }
    };
    paths.par_iter().for_each(|path| {
        let Ok((file, end)) = open(store, path) else {
            return;
        };
        let (mut before, mut lines) = (0, 0_u32);
        // What can't be read holds no hit; the list says that it can't be read.
        let _ = search(&file, 0..end, query, &mut |at, hit| {
            read.fetch_add(at - before, Ordering::Relaxed);
            before = at;
            lines += 1;
            let has_hit = hit.is_some();
            if has_hit || lines.is_multiple_of(256) {
                hand_on(hit.map(|hit| (path.clone(), hit)), true);
            }
            !stop.load(Ordering::Relaxed)
        });
    });
    if !stop.load(Ordering::Relaxed) {
        let (hits, _) = held.into_inner().unwrap_or_else(PoisonError::into_inner);
        each(SessionHits {
            hits,
            read: of,
            of,
            done: true,
        });
    }
}

/// The next message with all words from a byte on, or the last before it; where none is there, on from the
/// other end of the file.
pub(super) fn find(
    store: &Claude,
    path: &Path,
    query: &Query,
    from: u64,
    forward: bool,
    stop: &AtomicBool,
) -> Result<Option<u64>, String> {
    match find_from(store, path, query, from, forward, stop)? {
        None if !stop.load(Ordering::Relaxed) => {
            let end = if forward { 0 } else { u64::MAX };
            find_from(store, path, query, end, forward, stop)
        }
        found => Ok(found),
    }
}

/// The same without going on from the other end.
pub(super) fn find_from(
    store: &Claude,
    path: &Path,
    query: &Query,
    from: u64,
    forward: bool,
    stop: &AtomicBool,
) -> Result<Option<u64>, String> {
    let (file, end) = open(store, path)?;
    let failed = |error| unread(path, &error);
    let is_wanted = || !stop.load(Ordering::Relaxed);
    let mut found = None;
    if forward {
        search(&file, from.min(end)..end, query, &mut |_, hit| {
            found = hit.map(|hit| hit.at);
            found.is_none() && is_wanted()
        })
        .map_err(failed)?;
        return Ok(found);
    }
    let mut to = from.min(end);
    while to > 0 && found.is_none() && is_wanted() {
        let begin = match to.saturating_sub(STEP_BACK) {
            0 => 0,
            at => line_at(&file, at).map_err(failed)?.min(to),
        };
        let begin = if begin == to { 0 } else { begin };
        search(&file, begin..to, query, &mut |_, hit| {
            found = hit.map(|hit| hit.at).or(found);
            is_wanted()
        })
        .map_err(failed)?;
        to = begin;
    }
    Ok(found)
}

/// Where the first line begins behind a byte.
fn line_at(file: &File, at: u64) -> io::Result<u64> {
    use crate::transcript::source::Source;
    let (mut at, mut piece) = (at, vec![0; 64 * 1024]);
    loop {
        let filled = file.fill_at(&mut piece, at)?;
        match memchr::memchr(b'\n', &piece[..filled]) {
            Some(found) => return Ok(at + found as u64 + 1),
            None if filled == 0 => return Ok(at),
            None => at += filled as u64,
        }
    }
}

//! When a session was used last: by the times in its transcript, not by the file's, which a copy, a restore
//! or a touch sets anew. The one rule of every list and of what takes the newest session.

use std::fs::File;
use std::io;

use super::backwards::Backwards;
use super::entry::Entry;
use super::found::Found;
use super::lines::Lines;
use crate::base::disk::Disk;
use crate::base::time::Moment;

/// The time of the last line that bears one (RFC 3339); where it is none, or no line does, the file's.
#[must_use]
pub fn last_used(said: Option<&str>, modified: Option<Moment>) -> Option<Moment> {
    said.and_then(Moment::parse).or(modified)
}

/// The same of a transcript that was not read yet: so much of its end is read as it takes. What can't be read
/// has the time of its file.
#[must_use]
pub fn of_file(disk: &Disk, found: &Found) -> Option<Moment> {
    let said = disk.open(&found.path).and_then(|file| last_time(&file));
    last_used(said.ok().flatten().as_deref(), found.modified)
}

fn last_time(file: &File) -> io::Result<Option<String>> {
    let length = file.metadata()?.len();
    // As if a line began behind the last byte: that one may lack its line feed.
    let mut lines = Backwards::new(file, length + 1);
    while let Some(range) = lines.line_before()? {
        let mut line = Lines::new(file, range);
        let Some(line) = line.next_line()? else {
            continue;
        };
        let entries = Entry::all_of_line(line.bytes).unwrap_or_default();
        let time = entries.iter().rev().find_map(|entry| entry.time);
        if let Some(time) = time {
            return Ok(Some(time.read().into_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
#[path = "last_used_tests.rs"]
mod tests;

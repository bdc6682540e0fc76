//! The files of one folder, read for a search: through one buffer, or held for the next key. By the
//! names' own types, nothing is stat'ed; a link is followed inside of the folder only.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Found, Query, Search, Stop, Wanted};
use crate::base::disk::{Disk, Folder, Kind};
use crate::config::limits::SEARCH_BYTES;
use crate::memory::scan::{self, Listed};

/// Bytes of the buffer that files are read into, at first.
const FIRST_BYTES: usize = 16 * 1024;

/// The memories of a folder, held: paths and bytes.
#[derive(Debug, Default)]
pub struct Texts {
    files: Vec<(Box<str>, Box<[u8]>)>,
    faults: Vec<String>,
}

impl Texts {
    /// The bytes of one.
    #[must_use]
    pub fn one(&self, path: &str) -> Option<&[u8]> {
        let mut files = self.files.iter();
        files
            .find(|(known, _)| &**known == path)
            .map(|(_, bytes)| &**bytes)
    }

    /// Hands out all; `false` if it was stopped.
    pub(super) fn each(&self, stop: Stop<'_>, mut look: impl FnMut(&str, &[u8])) -> bool {
        self.files.iter().all(|(path, bytes)| {
            let goes_on = !stop();
            if goes_on {
                look(path, bytes);
            }
            goes_on
        })
    }

    /// Bytes that they take.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let of = |(path, bytes): &(Box<str>, Box<[u8]>)| path.len() + bytes.len() + 32;
        self.files.iter().map(of).sum()
    }
}

/// Hands out the memories of a folder on the disk; `false` if it was stopped.
pub(super) fn each_of(
    disk: &Disk,
    folder: &Path,
    stop: Stop<'_>,
    look: impl FnMut(&str, &[u8]),
) -> bool {
    each_file(disk, folder, scan::list(disk, folder).memories, stop, look)
}

/// The bytes of one memory, as far as a search looks; `None`: it can't be read any more.
#[must_use]
pub fn one(disk: &Disk, folder: &Path, path: &str) -> Option<Vec<u8>> {
    let target = scan::inside(disk, folder, path).ok()?;
    let file = disk.folder(folder).ok()?.open(&target).ok()?;
    let mut buffer = Vec::new();
    let filled = fill(&file, &mut buffer).ok()?;
    buffer.truncate(filled);
    Some(buffer)
}

/// Searches the memories of a folder on the disk. Stopped, it gives what it has.
#[must_use]
pub fn in_folder(
    disk: &Disk,
    folder: &Path,
    query: &Query,
    wanted: Wanted,
    stop: Stop<'_>,
) -> Found {
    let mut search = Search::new(query, wanted);
    let listing = scan::list(disk, folder);
    each_file(disk, folder, listing.memories, stop, |path, bytes| {
        search.look(path, bytes);
    });
    Found {
        faults: sentences(listing.faults),
        ..search.finish()
    }
}

fn sentences(faults: Vec<scan::NotEntered>) -> Vec<String> {
    faults.into_iter().map(|fault| fault.sentence).collect()
}

/// Reads the memories of a folder, to be searched more than once. Stopped, it gives `None`.
#[must_use]
pub fn hold(disk: &Disk, folder: &Path, stop: Stop<'_>) -> Option<Texts> {
    let listing = scan::list(disk, folder);
    let mut texts = Texts {
        faults: sentences(listing.faults),
        ..Texts::default()
    };
    let whole = each_file(disk, folder, listing.memories, stop, |path, bytes| {
        texts.files.push((path.into(), bytes.into()));
    });
    whole.then_some(texts)
}

/// Searches what is held.
#[must_use]
pub fn in_texts(texts: &Texts, query: &Query, wanted: Wanted, stop: Stop<'_>) -> Found {
    let mut search = Search::new(query, wanted);
    for (path, bytes) in &texts.files {
        if stop() {
            break;
        }
        search.look(path, bytes);
    }
    Found {
        faults: texts.faults.clone(),
        ..search.finish()
    }
}

/// Hands out the files of a folder; `false` if it was stopped. What can't be read is left out: lists
/// and health say that.
fn each_file(
    disk: &Disk,
    folder: &Path,
    listed: Vec<Listed>,
    stop: Stop<'_>,
    mut look: impl FnMut(&str, &[u8]),
) -> bool {
    let Ok(open) = disk.folder(folder) else {
        return true;
    };
    let mut buffer = Vec::new();
    for file in listed {
        if stop() {
            return false;
        }
        let read = open_one(disk, folder, &open, &file).and_then(|it| fill(&it, &mut buffer));
        if let Ok(filled) = read {
            look(&file.path, &buffer[..filled]);
        }
    }
    true
}

fn open_one(disk: &Disk, folder: &Path, open: &Folder, listed: &Listed) -> io::Result<File> {
    match listed.kind {
        Kind::File if !listed.odd_name => open.open(Path::new(&listed.path)),
        Kind::Link if !listed.odd_name => {
            let target = scan::inside(disk, folder, &listed.path).map_err(io::Error::other)?;
            let file = open.open(&target)?;
            match file.metadata()?.is_file() {
                true => Ok(file),
                false => Err(io::ErrorKind::InvalidInput.into()),
            }
        }
        Kind::File | Kind::Link | Kind::Folder | Kind::Other => {
            Err(io::ErrorKind::InvalidInput.into())
        }
    }
}

/// Reads a file to its end or to the limit; most take one call and a second that gives nothing.
fn fill(mut file: &File, buffer: &mut Vec<u8>) -> io::Result<usize> {
    let mut filled = 0;
    loop {
        if filled == buffer.len() {
            if filled >= SEARCH_BYTES {
                return Ok(SEARCH_BYTES);
            }
            buffer.resize((filled * 4).clamp(FIRST_BYTES, SEARCH_BYTES), 0);
        }
        match file.read(&mut buffer[filled..]) {
            Ok(0) => return Ok(filled),
            Ok(more) => filled += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

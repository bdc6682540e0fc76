//! The digests of one project as they are kept in our state, and what tells whether a transcript is still
//! the one that was read. What is damaged or older is no more than missing: it is made anew.

use std::cell::Cell;
use std::collections::HashSet;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::digest::Digest;
use super::source::Source;
use super::touch::{How, Touch};
use crate::base::disk::Disk;
use crate::config::limits::{DIGEST_BYTES, MARK_BYTES};
use crate::store::own::DERIVED;
use crate::store::{self, Store, sha256};

/// Of the form of the file, and of what a digest gathers: another number is another file.
const VERSION: u32 = 4;

/// The versions before: what they say of a transcript that is gone counts still, the others are read anew.
const OLDER: std::ops::Range<u32> = 1..VERSION;

/// The digests of one project.
#[derive(Debug, Deserialize)]
pub struct Shelf {
    v: u32,
    /// The key of the project.
    pub key: String,
    pub files: Vec<KeptFile>,
}

/// One transcript as far as it was read.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct KeptFile {
    /// Its path below the project's folder.
    pub name: String,
    stamp: Stamp,
    /// How far it was read, in bytes.
    read: u64,
    /// SHA-256 of its beginning and of what stands before that place.
    mark: String,
    pub digest: Digest,
    /// Whether an older version gathered it.
    #[serde(skip)]
    is_older: bool,
}

/// What changes when a file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    fn of(data: &Metadata) -> Self {
        Self {
            device: data.dev(),
            inode: data.ino(),
            bytes: data.len(),
            modified: (data.mtime(), data.mtime_nsec()),
            changed: (data.ctime(), data.ctime_nsec()),
        }
    }
}

/// A transcript that was looked at.
#[derive(Debug)]
pub struct Looked {
    pub kept: KeptFile,
    /// What was kept of it, where it is not that file any more, or says less.
    pub earlier: Option<Box<KeptFile>>,
    /// Whether it is as it was kept.
    pub is_known: bool,
    /// Whether its end was not wanted any more.
    pub is_cut: bool,
    /// Bytes that were read of it.
    pub read: u64,
}

/// A transcript that could not be looked at, and what is kept of it still.
#[derive(Debug)]
pub struct Failed {
    pub error: io::Error,
    pub before: Option<Box<KeptFile>>,
}

/// A source that counts.
struct Counted<'f> {
    file: &'f File,
    read: Cell<u64>,
}

impl Source for Counted<'_> {
    fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        let read = Source::read_at(self.file, bytes, at)?;
        self.read.set(self.read.get() + read as u64);
        Ok(read)
    }
}

impl KeptFile {
    /// Looks at a transcript: what was read before is not read again. `before`: what is kept of it.
    ///
    /// # Errors
    /// As the system says; also for what is no file, and `Interrupted` where it is not wanted any more.
    pub fn look(
        disk: &Disk,
        path: &Path,
        name: String,
        before: Option<Self>,
        course: Option<&Course<'_>>,
    ) -> Result<Looked, Failed> {
        let is_known = |kept: &Self| {
            let data = disk.metadata(path);
            !kept.is_older && data.is_ok_and(|data| Stamp::of(&data) == kept.stamp)
        };
        match before {
            Some(kept) if is_known(&kept) => Ok(Looked {
                kept,
                earlier: None,
                is_known: true,
                is_cut: false,
                read: 0,
            }),
            // No more is wanted: what is known of it is the answer.
            Some(kept) if !kept.is_older && course.is_some_and(Course::is_stopped) => Ok(Looked {
                kept,
                earlier: None,
                is_known: true,
                is_cut: true,
                read: 0,
            }),
            before => Self::look_closely(disk, path, name, before, course),
        }
    }

    fn look_closely(
        disk: &Disk,
        path: &Path,
        name: String,
        before: Option<Self>,
        course: Option<&Course<'_>>,
    ) -> Result<Looked, Failed> {
        let is_stopped = || course.is_some_and(Course::is_stopped);
        let opened = || {
            if is_stopped() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let file = disk.open(path)?;
            let data = file.metadata()?;
            match data.is_file() {
                true => Ok((file, Stamp::of(&data))),
                false => Err(io::Error::other("it is no file")),
            }
        };
        let (file, mut stamp) = match opened() {
            Ok(opened) => opened,
            Err(error) => {
                return Err(Failed {
                    error,
                    before: before.map(Box::new),
                });
            }
        };
        let source = Counted {
            file: &file,
            read: Cell::new(0),
        };
        let is_same = |kept: &Self| kept.is_same(&stamp, &source).unwrap_or(false);
        let same = before.as_ref().filter(|kept| is_same(kept));
        let (mut digest, from) = match same.filter(|kept| !kept.is_older) {
            Some(kept) => (kept.digest.clone(), kept.read),
            None => (Digest::default(), 0),
        };
        let is_other = same.is_none();
        let read = digest.read_on(&source, from..stamp.bytes, |more| {
            course.is_none_or(|course| course.goes_on(more))
        });
        let mut is_cut = false;
        if let Ok(read) = read
            && read < stamp.bytes
            && is_stopped()
        {
            // As of a file that is no longer: so the rest is read the next time.
            stamp.bytes = read;
            is_cut = true;
        }
        match read.and_then(|read| Ok((read, mark(&source, read)?))) {
            Err(error) => Err(Failed {
                error,
                before: before.map(Box::new),
            }),
            Ok((read, mark)) => Ok(Looked {
                earlier: before
                    .filter(|_| is_other)
                    .and_then(|kept| kept.beside(&digest)),
                kept: Self {
                    name,
                    stamp,
                    read,
                    mark,
                    digest,
                    is_older: false,
                },
                is_known: false,
                is_cut,
                read: source.read.get(),
            }),
        }
    }

    /// Bytes that are to be read of a transcript that has so many by now.
    #[must_use]
    pub fn lacks(&self, bytes: u64) -> u64 {
        match self.is_older {
            true => bytes,
            false => bytes.saturating_sub(self.read),
        }
    }

    /// What it says beside another digest of the same file.
    fn beside(mut self, now: &Digest) -> Option<Box<Self>> {
        let digest = &mut self.digest;
        digest.bills.keep_new_to(&now.bills);
        let same: HashSet<_> = now.touches.iter().map(said).collect();
        digest.touches.retain(|touch| !same.contains(&said(touch)));
        let says = !digest.bills.all().is_empty() || !digest.touches.is_empty();
        says.then(|| Box::new(self))
    }

    /// Whether a file is the one that was read, and at most has grown since.
    fn is_same(&self, now: &Stamp, source: &Counted<'_>) -> io::Result<bool> {
        let then = &self.stamp;
        let is_it = (then.device, then.inode) == (now.device, now.inode);
        // Written and no longer than before: what was read may have changed anywhere.
        let is_written = now.bytes <= then.bytes && now.modified != then.modified;
        Ok(is_it && !is_written && self.read <= now.bytes && mark(source, self.read)? == self.mark)
    }
}

/// What a touch says, wherever it stands.
fn said(touch: &Touch) -> (&str, &str, &str, How) {
    (&touch.uuid, &touch.time, &touch.path, touch.how)
}

/// The mark of what was read as far as a place.
fn mark<S: Source + ?Sized>(source: &S, read: u64) -> io::Result<String> {
    let mut bytes = Vec::new();
    for range in [
        0..read.min(MARK_BYTES),
        read.saturating_sub(MARK_BYTES)..read,
    ] {
        let count = usize::try_from(range.end - range.start).unwrap_or(0);
        let mut piece = vec![0; count];
        let filled = source.fill_at(&mut piece, range.start)?;
        bytes.extend_from_slice(&piece[..filled]);
    }
    Ok(sha256(&bytes))
}

impl Shelf {
    /// What is kept of a project. Nothing where it is damaged, too large or of another version.
    #[must_use]
    pub fn read(path: &Path) -> Option<Self> {
        let disk = Disk::system();
        let small = disk
            .metadata(path)
            .is_ok_and(|data| data.len() <= DIGEST_BYTES);
        let bytes = disk.read(path).ok().filter(|_| small)?;
        let mut shelf: Self = serde_json::from_slice(&bytes).ok()?;
        let is_older = OLDER.contains(&shelf.v);
        for file in &mut shelf.files {
            file.is_older = is_older;
        }
        (shelf.v == VERSION || is_older).then_some(shelf)
    }

    /// The file of a project.
    #[must_use]
    pub fn file(store: &Store, key: &str) -> PathBuf {
        store.own_file(DERIVED).join(file_name(key))
    }

    /// The files of all projects that are kept.
    #[must_use]
    pub fn files(store: &Store) -> Vec<PathBuf> {
        let folder = store.own_file(DERIVED);
        let items = Disk::system().list(&folder).unwrap_or_default();
        let names = items.into_iter().map(|item| item.name);
        let whole = names.filter(|name| name.as_encoded_bytes().ends_with(b".json"));
        whole.map(|name| folder.join(name)).collect()
    }
}

#[derive(Serialize)]
struct ShelfToKeep<'a> {
    v: u32,
    key: &'a str,
    files: &'a [&'a KeptFile],
}

/// Keeps the digests of a project. What can't be kept is read again the next time.
///
/// # Errors
/// What the system refuses.
pub fn keep(store: &Store, key: &str, files: &[&KeptFile]) -> store::Result<()> {
    let v = VERSION;
    let bytes = serde_json::to_vec(&ShelfToKeep { v, key, files });
    let bytes = bytes.expect("texts and numbers are all that JSON needs");
    store.put_derived(&file_name(key), &bytes)
}

/// Keeps nothing in a file that is damaged.
///
/// # Errors
/// What the system refuses.
pub fn keep_none(store: &Store, path: &Path) -> store::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let bytes = format!("{{\"v\":{VERSION},\"key\":\"\",\"files\":[]}}");
    store.put_derived(&name, bytes.as_bytes())
}

fn file_name(key: &str) -> String {
    format!("{}.json", &sha256(key.as_bytes())[..16])
}

#[cfg(test)]
#[path = "kept_tests.rs"]
mod tests;

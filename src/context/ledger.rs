//! The ledger: every request that was sent, so that it can be found out later what the model saw. A line
//! a request in a file a day, the texts of its parts once each beside them, named by their hash. All of
//! it is closed to others, and pruned by age and size. Knows nothing of how it is shown.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::base::disk::Disk;
use crate::base::fault::{Faults, Point};
use crate::base::swap::{self, NONBLOCK};
use crate::base::time::Moment;
use crate::config::limits::{LEDGER_BYTES, LEDGER_DAYS};
use crate::context::part::Part;
use crate::store::sha256;

/// How long one that writes waits for another, which holds the lock for some milliseconds only.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

const BLOBS: &str = "blobs";

/// What a request was sent for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    Chat,
    Recall,
    Extract,
    Notes,
    Compact,
    Dream,
}

/// What the provider counted, in tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    pub input: u64,
    pub output: u64,
    pub cache_read: u64,
    pub cache_creation: u64,
}

/// One request that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    pub v: u8,
    pub id: String,
    /// RFC 3339, UTC.
    pub time: String,
    pub session: String,
    pub purpose: Purpose,
    pub model: String,
    pub parts: Vec<PartLine>,
    /// `None`: the provider gave no answer.
    pub usage: Option<Usage>,
}

/// One part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartLine {
    pub kind: String,
    pub path: Option<String>,
    /// Of the text, which lies among the blobs.
    pub sha256: String,
    pub tokens: usize,
}

/// What is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    pub days: u32,
    /// Lines and texts together.
    pub bytes: u64,
}

impl Default for Keep {
    fn default() -> Self {
        Self {
            days: LEDGER_DAYS,
            bytes: LEDGER_BYTES,
        }
    }
}

/// Why the ledger could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error("{path}: {error}; the ledger lacks this request: make that folder writable or make room", path = path.display())]
    Disk { path: PathBuf, error: io::Error },
    #[error("another loci writes the ledger (its lock is {path}): wait for it and try again", path = path.display())]
    Busy { path: PathBuf },
    #[error("{path}: the text of this part is gone or damaged; it was purged, or changed by hand", path = path.display())]
    Lost { path: PathBuf },
}

pub type Result<T> = std::result::Result<T, LedgerError>;

/// The ledger of one config home.
#[derive(Debug)]
pub struct Ledger {
    folder: PathBuf,
    keep: Keep,
    faults: Faults,
}

impl Ledger {
    /// `folder`: `homes/<id>/ledger` of our state; it need not exist.
    #[must_use]
    pub fn new(folder: PathBuf, keep: Keep, faults: Faults) -> Self {
        Self {
            folder,
            keep,
            faults,
        }
    }

    /// Appends a request. The texts are there before the line that names them, so a crash leaves no line
    /// without its texts.
    ///
    /// # Errors
    /// As the system says; the request is not in the ledger then.
    pub fn append(&self, request: &Sent<'_>, now: Moment) -> Result<Line> {
        let _lock = self.lock()?;
        let blobs = self.folder.join(BLOBS);
        swap::make_folder(&self.faults, &blobs).map_err(|error| disk(&blobs, error))?;
        let mut parts = Vec::with_capacity(request.parts.len());
        for part in request.parts {
            parts.push(PartLine {
                kind: part.kind.word().to_string(),
                path: part.path.as_ref().map(|path| path.display().to_string()),
                sha256: self.keep_text(&blobs, &part.text)?,
                // All that we send is known.
                tokens: part.tokens.unwrap_or(0),
            });
        }
        let line = Line {
            v: 1,
            id: request.id.to_string(),
            time: now.rfc3339(),
            session: request.session.to_string(),
            purpose: request.purpose,
            model: request.model.to_string(),
            parts,
            usage: request.usage,
        };
        let path = self.day(&now.date());
        self.write_line(&path, &line)
            .map_err(|error| disk(&path, error))?;
        Ok(line)
    }

    /// All requests, oldest first. A line that a crash cut off, or that no version of ours wrote, is
    /// passed over.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let days = self.days();
        days.iter().flat_map(|day| self.lines_of(day)).collect()
    }

    /// The text of a part.
    ///
    /// # Errors
    /// When it is gone or is not what its hash says.
    pub fn text(&self, part: &PartLine) -> Result<String> {
        let path = self.folder.join(BLOBS).join(&part.sha256);
        let lost = || LedgerError::Lost { path: path.clone() };
        if !is_hash(&part.sha256) {
            return Err(lost());
        }
        let bytes = Disk::system().read(&path).map_err(|_| lost())?;
        match sha256(&bytes) == part.sha256 {
            true => String::from_utf8(bytes).map_err(|_| lost()),
            false => Err(lost()),
        }
    }

    /// Purges the days that are older than is kept, then the oldest until the rest is small enough, and
    /// the texts that no line names any more. The newest day stays. Returns how many days went.
    ///
    /// # Errors
    /// As the system says; what could not be purged is tried again the next time.
    pub fn prune(&self, now: Moment) -> Result<usize> {
        if !self.folder.is_dir() {
            return Ok(0);
        }
        let _lock = self.lock()?;
        let days = self.days();
        let (kept, named) = self.kept(&days, now);
        let gone = &days[..days.len() - kept];
        for day in gone {
            self.remove(&self.day(day))?;
        }
        self.drop_unnamed(&named)?;
        Ok(gone.len())
    }

    /// How many of the newest days are kept, and the texts that their lines name.
    fn kept(&self, days: &[String], now: Moment) -> (usize, HashSet<String>) {
        let size = |path: &Path| fs::metadata(path).map_or(0, |data| data.len());
        let blobs = self.folder.join(BLOBS);
        let mut named = HashSet::new();
        let mut bytes = 0;
        for (kept, day) in days.iter().rev().enumerate() {
            let parts = self.lines_of(day).into_iter().flat_map(|line| line.parts);
            let new: HashSet<String> = parts
                .map(|part| part.sha256)
                .filter(|name| is_hash(name) && !named.contains(name))
                .collect();
            bytes += size(&self.day(day));
            bytes += new.iter().map(|name| size(&blobs.join(name))).sum::<u64>();
            let age = Moment::of_date(day).map_or(0, |day| day.calendar_days_before(now));
            let goes = age > i64::from(self.keep.days) || bytes > self.keep.bytes;
            if kept > 0 && goes {
                return (kept, named);
            }
            named.extend(new);
        }
        (days.len(), named)
    }

    /// Removes texts that are not named, and temporary files that a crash left.
    fn drop_unnamed(&self, named: &HashSet<String>) -> Result<()> {
        let blobs = self.folder.join(BLOBS);
        for entry in fs::read_dir(&blobs).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let ours = is_hash(&name) || name.starts_with(swap::TEMPORARY);
            if ours && !named.contains(&*name) {
                self.remove(&entry.path())?;
            }
        }
        Ok(())
    }

    fn day(&self, day: &str) -> PathBuf {
        self.folder.join(format!("{day}.jsonl"))
    }

    /// The days that there are lines of, oldest first: `2031-02-28`.
    fn days(&self) -> Vec<String> {
        let listing = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = listing.filter_map(|entry| entry.file_name().into_string().ok());
        let day = |name: String| {
            let day = name.strip_suffix(".jsonl")?;
            let is_day = day.len() == 10 && Moment::of_date(day).is_some();
            is_day.then(|| day.to_string())
        };
        let mut days: Vec<String> = names.filter_map(day).collect();
        days.sort();
        days
    }

    fn lines_of(&self, day: &str) -> Vec<Line> {
        let path = self.day(day);
        let bytes = Disk::system().read(&path).unwrap_or_default();
        bytes
            .split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice::<Line>(line).ok())
            .filter(|line| line.v == 1)
            .collect()
    }

    /// Keeps a text; one that is there is not written again.
    fn keep_text(&self, blobs: &Path, text: &str) -> Result<String> {
        let name = sha256(text.as_bytes());
        let path = blobs.join(&name);
        // One that was cut short by a crash of the system is written anew.
        if fs::metadata(&path).is_ok_and(|data| data.len() == text.len() as u64) {
            return Ok(name);
        }
        let tag = format!("{}-{}", &name[..16], std::process::id());
        let written = swap::temporary(&self.faults, &path, &tag, text.as_bytes(), 0o600, None)
            .and_then(|temporary| swap::rename_over(&self.faults, &temporary, &path))
            .and_then(|()| swap::flush_folder(&self.faults, blobs));
        written.map_err(|error| disk(&path, error))?;
        Ok(name)
    }

    /// Adds a line and flushes it. One that can't be written whole is taken out again; after one that a
    /// crash cut off, a new one is begun.
    fn write_line(&self, path: &Path, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_vec(line).expect("a line holds nothing that JSON can't");
        text.push(b'\n');
        self.faults.pass(Point::Create)?;
        let cut = Disk::system()
            .read(path)
            .is_ok_and(|there| there.last().is_some_and(|byte| *byte != b'\n'));
        if cut {
            text.insert(0, b'\n');
        }
        let mut file = options().append(true).open(path)?;
        let length = file.metadata()?.len();
        let flushed = file.write_all(&text).and_then(|()| {
            self.faults.pass(Point::Flush)?;
            file.sync_all()
        });
        if flushed.is_err() {
            let _ = file.set_len(length);
        }
        flushed
    }

    fn remove(&self, path: &Path) -> Result<()> {
        let removed = self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(path));
        removed.map_err(|error| disk(path, error))
    }

    fn lock(&self) -> Result<File> {
        swap::make_folder(&self.faults, &self.folder).map_err(|error| disk(&self.folder, error))?;
        let path = self.folder.join("lock");
        let file = options().write(true).truncate(false).open(&path);
        let file = file.map_err(|error| disk(&path, error))?;
        let mut waited = Duration::ZERO;
        loop {
            match file.try_lock() {
                Ok(()) => return Ok(file),
                Err(TryLockError::Error(error)) => return Err(disk(&path, error)),
                Err(TryLockError::WouldBlock) if waited >= PATIENCE => {
                    return Err(LedgerError::Busy { path });
                }
                Err(TryLockError::WouldBlock) => {
                    thread::sleep(PAUSE);
                    waited += PAUSE;
                }
            }
        }
    }
}

/// A request that is appended.
#[derive(Debug, Clone, Copy)]
pub struct Sent<'a> {
    pub id: &'a str,
    pub session: &'a str,
    pub purpose: Purpose,
    pub model: &'a str,
    pub parts: &'a [Part],
    pub usage: Option<Usage>,
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.create(true).mode(0o600).custom_flags(NONBLOCK);
    options
}

fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn disk(path: &Path, error: io::Error) -> LedgerError {
    LedgerError::Disk {
        path: path.to_path_buf(),
        error,
    }
}

#[cfg(test)]
#[path = "ledger_tests.rs"]
mod tests;

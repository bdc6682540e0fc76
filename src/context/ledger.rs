//! The ledger: every request that was sent, so that it can be found out later what the model saw. A line
//! a request in a file a day, the texts of its parts once each beside them, named by their hash. All of
//! it is closed to others, and pruned by age and size. Knows nothing of how it is shown.

mod compare;
mod line;
mod read;

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use crate::base::disk::Disk;
use crate::base::fault::{Faults, Point};
use crate::base::swap::{self, NONBLOCK};
use crate::base::time::Moment;
use crate::config::limits::{LEDGER_BYTES, LEDGER_DAYS};
use crate::context::part::{Kind, Part};
use crate::context::tokens;
use crate::store::sha256;

pub use compare::{Difference, Miss, difference};
pub use line::{Line, PartLine, Purpose, Usage, ended, key_of, said};
pub use read::{Entry, Listed, Opened};

/// How long one that writes waits for another, which holds the lock for some milliseconds only.
const PATIENCE: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(5);

const BLOBS: &str = "blobs";

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
    #[error("no request of the ledger is called {id}: `loci ledger` lists them")]
    Unknown { id: String },
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
            parts.push(PartLine::of(part, self.keep_text(&blobs, &part.text)?));
        }
        let mut answer = Vec::with_capacity(request.answer.len());
        for (kind, label, text) in request.answer {
            answer.push(PartLine {
                kind: kind.word().to_string(),
                path: None,
                label: label.clone(),
                place: None,
                mark: None,
                sha256: self.keep_text(&blobs, text)?,
                tokens: tokens::estimate(text),
            });
        }
        let line = Line {
            v: 1,
            id: request.id.to_string(),
            time: now.rfc3339(),
            session: request.session.to_string(),
            project: request.project.map(str::to_string),
            purpose: request.purpose,
            model: request.model.to_string(),
            key: Some(request.key.to_string()),
            parts,
            usage: request.usage,
            ended: Some(request.ended.to_string()),
            answer,
        };
        let path = self.day(&now.date());
        self.write_line(&path, &line)
            .map_err(|error| disk(&path, error))?;
        Ok(line)
    }

    /// Hands on all requests, oldest first. A line that a crash cut off, or that no version of ours wrote, is
    /// passed over and stays where it is; what could not be read is told in sentences.
    pub fn each(&self, mut take: impl FnMut(Line)) -> Vec<String> {
        let mut faults = Vec::new();
        for day in self.days() {
            let path = self.day(&day);
            let bytes = match Disk::system().read(&path) {
                Ok(bytes) => bytes,
                Err(error) => {
                    let path = path.display();
                    faults.push(format!(
                        "{path} can't be read: {error}; the requests of that day are not listed"
                    ));
                    continue;
                }
            };
            for (number, read) in lines_in(&bytes) {
                match read {
                    Ok(line) => take(line),
                    Err((_, why)) => {
                        let path = path.display();
                        faults.push(format!(
                            "{path}:{number} {why}: it is passed over, and stays there"
                        ));
                    }
                }
            }
        }
        faults
    }

    /// All requests, oldest first.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        self.each(|line| lines.push(line));
        lines
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
            let new: HashSet<String> = self.named_in(day);
            let new: HashSet<String> = new.difference(&named).cloned().collect();
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

    /// The texts that the lines of a day name; of one that can't be read all that may be one.
    fn named_in(&self, day: &str) -> HashSet<String> {
        let bytes = Disk::system().read(&self.day(day)).unwrap_or_default();
        let mut named = HashSet::new();
        for (_, read) in lines_in(&bytes) {
            match read {
                Ok(line) => {
                    let parts = line.parts.into_iter().chain(line.answer);
                    named.extend(parts.map(|part| part.sha256).filter(|name| is_hash(name)));
                }
                Err((raw, _)) => {
                    let words = raw.split(|byte| !byte.is_ascii_hexdigit());
                    let words = words.map(|word| String::from_utf8_lossy(word).into_owned());
                    named.extend(words.filter(|word| is_hash(word)));
                }
            }
        }
        named
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
    /// The key of its project.
    pub project: Option<&'a str>,
    pub purpose: Purpose,
    pub model: &'a str,
    /// As [`key_of`] has it.
    pub key: &'a str,
    pub parts: &'a [Part],
    pub usage: Option<Usage>,
    /// As [`ended`] has it.
    pub ended: &'a str,
    /// As [`said`] has it.
    pub answer: &'a [(Kind, Option<String>, String)],
}

/// A line of a day; of one that can't be read its bytes, and why.
type Read<'a> = std::result::Result<Line, (&'a [u8], &'static str)>;

/// The lines of a day with their numbers.
fn lines_in(bytes: &[u8]) -> impl Iterator<Item = (usize, Read<'_>)> {
    let raw = (1..).zip(bytes.split(|byte| *byte == b'\n'));
    let raw = raw.filter(|(_, raw)| !raw.is_empty());
    raw.map(|(number, raw)| {
        let read = match serde_json::from_slice::<Line>(raw) {
            Ok(line) if line.v == 1 => Ok(line),
            Ok(_) => Err((raw, "was written by a later version of loci")),
            Err(_) => Err((raw, "can't be read, cut off by a crash or changed by hand")),
        };
        (number, read)
    })
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

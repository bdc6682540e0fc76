//! The file of a session of ours, a transcript to which lines are only ever appended, closed to others; and
//! the list of those that there are.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::base::fault::Faults;
use crate::base::swap;
use crate::base::time::Moment;
use crate::config::limits::{PROMPT_CHARS, SESSION_FILE_BYTES};
use crate::context::ours::Session;
use crate::turn::record::{self, Header, Item, Read, Record};

/// Why a session can't be kept or taken up.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("{path}: {error}; what is said now is not kept: make that folder writable or make room", path = path.display())]
    NotKept { path: PathBuf, error: io::Error },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unread { path: PathBuf, error: io::Error },
    #[error("no session of yours is called {id}: `loci chat --list` lists them")]
    Unknown { id: String },
    #[error("{many} sessions begin with {id}: give more of its name", many = .many)]
    Several { id: String, many: usize },
    #[error("session {id} is open in another window of loci: end it there first")]
    Busy { id: String },
    #[error("{path} is no session of ours: it does not say how it was begun", path = path.display())]
    Foreign { path: PathBuf },
    #[error("{path} has more than {SESSION_FILE_BYTES} bytes: begin a new session", path = path.display())]
    Large { path: PathBuf },
}

type Result<T> = std::result::Result<T, SessionError>;

/// An open session. While it is held no other process takes it up.
#[derive(Debug)]
pub struct SessionFile {
    path: PathBuf,
    file: File,
    record: Record,
    /// The last line has no end: a crash cut it off.
    is_cut: bool,
}

/// One session in the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    pub id: String,
    pub path: PathBuf,
    /// What the person said first, in one line.
    pub title: String,
    pub modified: Moment,
    pub bytes: u64,
}

impl SessionFile {
    /// Begins the file of a session in the folder of its project, which need not exist.
    ///
    /// # Errors
    /// As the system says.
    pub fn begin(folder: &Path, header: Header, session: &Session, now: Moment) -> Result<Self> {
        let path = folder.join(format!("{}.jsonl", header.session));
        let failed = |error| SessionError::NotKept {
            path: path.clone(),
            error,
        };
        swap::make_folder(&Faults::default(), folder).map_err(failed)?;
        let file = OpenOptions::new()
            .append(true)
            .create_new(true)
            .mode(0o600)
            .open(&path);
        let file = file.map_err(failed)?;
        let mut session_file = Self {
            record: Record::new(header),
            file,
            is_cut: false,
            path: path.clone(),
        };
        // Nobody else knows its name yet.
        let _ = session_file.file.try_lock();
        session_file.keep(Item::Begun(session), now)?;
        Ok(session_file)
    }

    /// Takes a session up again where it ended.
    ///
    /// # Errors
    /// It is not there, another process has it open, or it is none.
    pub fn resume(path: &Path, header: impl FnOnce(&str) -> Header) -> Result<(Self, Read)> {
        let failed = |error| SessionError::Unread {
            path: path.to_path_buf(),
            error,
        };
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .open(path)
            .map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SessionError::Busy { id: id_of(path) }),
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let bytes = whole(&mut file, path)?;
        let read = record::read(&bytes).ok_or_else(|| SessionError::Foreign {
            path: path.to_path_buf(),
        })?;
        let header = header(&read.chat.id);
        let session_file = Self {
            record: Record::resumed(header, &read),
            file,
            is_cut: bytes.last().is_some_and(|byte| *byte != b'\n'),
            path: path.to_path_buf(),
        };
        Ok((session_file, read))
    }

    /// Appends an item, and flushes it to the disk but where more of it is to come.
    ///
    /// # Errors
    /// As the system says. What could not be written whole is taken out again.
    pub fn keep(&mut self, item: Item<'_>, now: Moment) -> Result<()> {
        let mut line = self.record.line(item, now);
        if self.is_cut {
            line.insert(0, '\n');
        }
        let length = self.file.metadata().map_or(0, |data| data.len());
        let written = self
            .file
            .write_all(line.as_bytes())
            .and_then(|()| match item {
                Item::Partial(_) => Ok(()),
                Item::Begun(_)
                | Item::Entry(_)
                | Item::Answer { .. }
                | Item::Void
                | Item::Spilled(_)
                | Item::Proposed(_)
                | Item::Decided { .. } => self.file.sync_data(),
            });
        match written {
            Ok(()) => {
                self.is_cut = false;
                Ok(())
            }
            Err(error) => {
                let _ = self.file.set_len(length);
                Err(SessionError::NotKept {
                    path: self.path.clone(),
                    error,
                })
            }
        }
    }

    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The sessions of a folder, the newest first.
#[must_use]
pub fn list(folder: &Path) -> Vec<Listed> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut listed: Vec<Listed> = entries
        .filter_map(|entry| {
            let path = entry.path();
            if path.extension()? != "jsonl" || !entry.file_type().ok()?.is_file() {
                return None;
            }
            let data = entry.metadata().ok()?;
            Some(Listed {
                id: id_of(&path),
                title: title(&path),
                modified: data.modified().map(Moment::from).unwrap_or_default(),
                bytes: data.len(),
                path,
            })
        })
        .collect();
    listed.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
    listed
}

/// The session of a folder whose name begins so.
///
/// # Errors
/// There is none, or several.
pub fn named(folder: &Path, id: &str) -> Result<PathBuf> {
    let mut found: Vec<Listed> = list(folder);
    found.retain(|one| one.id.starts_with(id));
    match found.as_slice() {
        [one] => Ok(one.path.clone()),
        [] => Err(SessionError::Unknown { id: id.to_string() }),
        many => Err(SessionError::Several {
            id: id.to_string(),
            many: many.len(),
        }),
    }
}

/// Bytes at a session's head in which its first prompt is looked for.
const TITLE_BYTES: u64 = 4 * 1024 * 1024;

fn title(path: &Path) -> String {
    let mut head = Vec::new();
    let file = File::open(path).map(|file| file.take(TITLE_BYTES));
    let _ = file.and_then(|mut file| file.read_to_end(&mut head));
    let first = head
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
        .find(|line| line["type"] == "user");
    let text = first
        .as_ref()
        .and_then(|line| line["message"]["content"][0]["text"].as_str());
    let line = text
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    line.chars().take(PROMPT_CHARS).collect()
}

fn id_of(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn whole(file: &mut File, path: &Path) -> Result<Vec<u8>> {
    let failed = |error| SessionError::Unread {
        path: path.to_path_buf(),
        error,
    };
    let length = file.metadata().map_err(failed)?.len();
    if length > SESSION_FILE_BYTES {
        return Err(SessionError::Large {
            path: path.to_path_buf(),
        });
    }
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0)).map_err(failed)?;
    file.take(SESSION_FILE_BYTES)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    Ok(bytes)
}

#[cfg(test)]
#[path = "session_file_tests.rs"]
mod tests;

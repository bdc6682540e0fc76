//! A file that is about to be read: its text as the tool shows it, or why there is none.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::limits::PAGE_BYTES;
use crate::instructions::Attached;

/// A file that is about to be read.
pub struct ReadFile {
    pub path: PathBuf,
    /// As the tool shows it.
    pub text: Result<String, Unread>,
    /// What it brings along, but for what an earlier one has brought.
    pub attached: Vec<Attached>,
}

/// Why a file gives no text: the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    Missing,
    Folder,
    /// MiB.
    Large(u64),
    /// What the system says.
    Refused(String),
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => write!(f, "is not there"),
            Self::Folder => write!(f, "is a folder"),
            Self::Large(size) => write!(f, "is {size} MiB large"),
            Self::Refused(error) => write!(f, "can't be read ({error})"),
        }
    }
}

/// The bytes of a file and its time.
pub fn bytes(disk: &Disk, path: &Path) -> Result<(Vec<u8>, Moment), Unread> {
    let refused = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => Unread::Missing,
        _ => Unread::Refused(error.to_string()),
    };
    let data = disk.metadata(path).map_err(refused)?;
    if data.is_dir() {
        return Err(Unread::Folder);
    }
    if data.len() > PAGE_BYTES {
        return Err(Unread::Large(data.len() / 1024 / 1024));
    }
    let bytes = disk.read(path).map_err(refused)?;
    Ok((bytes, data.modified().map(Moment::from).unwrap_or_default()))
}

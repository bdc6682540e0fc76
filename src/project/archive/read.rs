//! An archive into memory: bounded, whole, and what its manifest says. Somebody else may have made it,
//! so nothing in it is believed: what is not listed, listed otherwise, twice there or no plain file
//! refuses all of it. Writes nothing.

use std::collections::BTreeMap;
use std::io::{self, Read};

use flate2::read::GzDecoder;
use tar::EntryType;

use super::{
    FORMAT, Listed, ListedFile, MANIFEST, Manifest, PROJECTS, VERSION, belongs, collision, mode_of,
};
use crate::base::swap::Stamp;
use crate::base::time::Moment;
use crate::config::limits::{
    ARCHIVE_BYTES, ARCHIVE_FILE_BYTES, ARCHIVE_FILES, ARCHIVE_MANIFEST_BYTES,
};
use crate::store::sha256;

/// How a gzip file begins.
const GZIP: &[u8] = &[0x1F, 0x8B];

/// Bytes of a name that is too long for the header of its entry.
const LONG_NAME_BYTES: u64 = 16 * 1024;

/// Bytes that may follow the end of the archive: some tools fill it up.
const TAIL_BYTES: u64 = 1024 * 1024;

/// How much an archive may hold.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Of all files.
    pub bytes: u64,
    pub file_bytes: u64,
    pub manifest_bytes: u64,
    /// Entries of the tar.
    pub entries: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            bytes: ARCHIVE_BYTES,
            file_bytes: ARCHIVE_FILE_BYTES,
            manifest_bytes: ARCHIVE_MANIFEST_BYTES,
            // A long name is an entry of its own.
            entries: 2 * ARCHIVE_FILES,
        }
    }
}

/// What an archive holds, checked against its manifest.
#[derive(Debug)]
pub struct Archive {
    pub projects: Vec<Arrived>,
}

/// One project of an archive.
#[derive(Debug)]
pub struct Arrived {
    pub key: String,
    /// The path that it was about where it came from.
    pub path: Option<String>,
    pub files: Vec<Unpacked>,
}

/// One file of a project.
#[derive(Debug)]
pub struct Unpacked {
    /// Below `projects/KEY/`; not yet held against the rules for paths.
    pub path: String,
    pub bytes: Vec<u8>,
    /// Its time of then; its mode is 0600 or 0644.
    pub stamp: Stamp,
}

/// Why an archive is refused: the end of a sentence that begins with its file.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("can't be read: {0}")]
    Unreadable(io::Error),
    #[error("is damaged or cut off ({0}): get it once more")]
    Damaged(String),
    #[error("is no archive of loci: {0}")]
    Foreign(String),
    #[error("was made by a newer loci (its format is {0}, and {VERSION} is read here)")]
    Newer(u32),
    #[error("is refused: {0}")]
    Refused(String),
}

type Result<T> = std::result::Result<T, ReadError>;

/// Bytes and mode of an entry.
type Entry = (Vec<u8>, u32);

/// Reads an archive to its end.
///
/// # Errors
/// Why it is refused; `Unreadable` where the system says so.
pub fn read(mut source: impl Read, bounds: &Bounds) -> Result<Archive> {
    let mut head = Vec::new();
    source
        .by_ref()
        .take(GZIP.len() as u64)
        .read_to_end(&mut head)
        .map_err(ReadError::Unreadable)?;
    let is_gzip = head == GZIP;
    let whole = io::Cursor::new(head).chain(source);
    let mut entries = match is_gzip {
        true => entries(GzDecoder::new(whole), bounds)?,
        false => entries(whole, bounds)?,
    };
    let Some((manifest, _)) = entries.remove(MANIFEST) else {
        return Err(ReadError::Foreign(format!("{MANIFEST} is not in it")));
    };
    let projects = manifest_of(&manifest)?
        .projects
        .into_iter()
        .map(|listed| arrived(listed, &mut entries))
        .collect::<Result<Vec<Arrived>>>()?;
    if let Some(name) = entries.keys().next() {
        return Err(refused(format!("`{name}` is not in its manifest")));
    }
    Ok(Archive { projects })
}

fn refused(why: impl Into<String>) -> ReadError {
    ReadError::Refused(why.into())
}

/// What the system says, told from what the bytes are like. No word of theirs is repeated.
fn failed(error: io::Error) -> ReadError {
    if error.raw_os_error().is_some() {
        return ReadError::Unreadable(error);
    }
    let what = match error.kind() {
        io::ErrorKind::UnexpectedEof => "it ends too early",
        _ => "its bytes are not those of a tar",
    };
    ReadError::Damaged(what.to_string())
}

/// All plain files of a tar, by name.
fn entries(source: impl Read, bounds: &Bounds) -> Result<BTreeMap<String, Entry>> {
    let mut archive = tar::Archive::new(source);
    let mut found: BTreeMap<String, Entry> = BTreeMap::new();
    let (mut count, mut total) = (0, 0_u64);
    let mut long_name: Option<Vec<u8>> = None;
    // Raw: the crate would take names and extensions of any length into memory.
    for entry in archive.entries().map_err(failed)?.raw(true) {
        let mut entry = entry.map_err(failed)?;
        count += 1;
        if count > bounds.entries {
            let most = bounds.entries;
            return Err(refused(format!("it has over {most} entries")));
        }
        let header = entry.header();
        let (kind, size) = (header.entry_type(), entry.size());
        let mode = mode_of(header.mode().map_err(failed)?);
        if kind == EntryType::GNULongName {
            if size > LONG_NAME_BYTES {
                return Err(refused(format!("a name in it has {size} bytes")));
            }
            let mut name = bytes_of(&mut entry, size)?;
            while name.last() == Some(&0) {
                name.pop();
            }
            long_name = Some(name);
            continue;
        }
        let name = long_name
            .take()
            .unwrap_or_else(|| header.path_bytes().into_owned());
        let Ok(name) = String::from_utf8(name) else {
            return Err(refused("a name in it is no UTF-8"));
        };
        let name = name.strip_prefix("./").map(str::to_string).unwrap_or(name);
        match kind {
            EntryType::Regular => {}
            // Other tools put the folders in by themselves; which there are is seen by the files.
            EntryType::Directory => continue,
            _ => {
                let what = word(kind);
                return Err(refused(format!(
                    "`{name}` in it is {what}, not a plain file"
                )));
            }
        }
        let most = if name == MANIFEST {
            bounds.manifest_bytes
        } else {
            bounds.file_bytes
        };
        if size > most {
            let most = most / 1024 / 1024;
            return Err(refused(format!(
                "`{name}` in it has {size} bytes, and over {most} MiB are not read"
            )));
        }
        if name != MANIFEST {
            total = total.saturating_add(size);
        }
        if total > bounds.bytes {
            let most = bounds.bytes / 1024 / 1024;
            return Err(refused(format!("its files have over {most} MiB in all")));
        }
        let bytes = bytes_of(&mut entry, size)?;
        if found.insert(name.clone(), (bytes, mode)).is_some() {
            return Err(refused(format!("`{name}` is in it twice")));
        }
    }
    // What a gzip says at its end is asked for too: it may have been cut there.
    let mut rest = archive.into_inner().take(TAIL_BYTES + 1);
    let tail = io::copy(&mut rest, &mut io::sink()).map_err(failed)?;
    if tail > TAIL_BYTES {
        return Err(refused("something else follows its end"));
    }
    Ok(found)
}

fn bytes_of(entry: &mut impl Read, size: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    entry.take(size).read_to_end(&mut bytes).map_err(failed)?;
    match bytes.len() as u64 == size {
        true => Ok(bytes),
        false => Err(ReadError::Damaged("a file in it is cut off".to_string())),
    }
}

fn word(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Link | EntryType::Symlink => "a link",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        EntryType::GNUSparse => "a file with holes",
        EntryType::XHeader | EntryType::XGlobalHeader => "an extension (pax)",
        _ => "of an unknown kind",
    }
}

/// What of a manifest every version has.
#[derive(serde::Deserialize)]
struct Made {
    format: String,
    version: u32,
}

fn manifest_of(bytes: &[u8]) -> Result<Manifest> {
    let unread = |error| ReadError::Foreign(format!("{MANIFEST} can't be understood ({error})"));
    let made: Made = serde_json::from_slice(bytes).map_err(unread)?;
    if made.format != FORMAT {
        return Err(ReadError::Foreign(format!(
            "{MANIFEST} is of another format"
        )));
    }
    if made.version > VERSION {
        return Err(ReadError::Newer(made.version));
    }
    let manifest: Manifest = serde_json::from_slice(bytes).map_err(unread)?;
    let keys = || manifest.projects.iter().map(|project| &*project.key);
    for key in keys() {
        if key.is_empty() || key.starts_with('.') || key.contains(['/', '\\', '\0']) {
            return Err(refused(format!("`{key}` is no key of a project")));
        }
    }
    if let Some((one, other)) = collision(keys()) {
        return Err(refused(format!(
            "the projects `{one}` and `{other}` may be one"
        )));
    }
    Ok(manifest)
}

/// A project with its files, which leave `entries`.
fn arrived(listed: Listed, entries: &mut BTreeMap<String, Entry>) -> Result<Arrived> {
    let paths = || listed.files.iter().map(|file| &*file.path);
    if let Some((one, other)) = collision(paths()) {
        return Err(refused(format!(
            "`{one}` and `{other}` can't both be there on every disk"
        )));
    }
    let counted = Listed::new(&listed.key, None, listed.files.clone());
    if (counted.memories, counted.transcripts) != (listed.memories, listed.transcripts) {
        return Err(refused(format!(
            "the counts of {} are not those of its files",
            listed.key
        )));
    }
    let Listed {
        key, path, files, ..
    } = listed;
    let files = files.into_iter().map(|file| {
        let name = format!("{PROJECTS}{key}/{}", file.path);
        let Some(entry) = entries.remove(&name) else {
            return Err(ReadError::Damaged(format!("`{name}` is not in it")));
        };
        unpacked(file, &name, entry)
    });
    let files = files.collect::<Result<Vec<Unpacked>>>()?;
    Ok(Arrived { key, path, files })
}

fn unpacked(file: ListedFile, name: &str, (bytes, mode): Entry) -> Result<Unpacked> {
    if !belongs(&file.path) {
        return Err(refused(format!(
            "`{name}` is neither in a memory folder nor a session's"
        )));
    }
    if bytes.len() as u64 != file.bytes || sha256(&bytes) != file.sha256 {
        return Err(ReadError::Damaged(format!(
            "`{name}` is not what its manifest says"
        )));
    }
    let written = Moment::parse(&file.modified).filter(|_| file.modified.contains('T'));
    let Some(moment) = written else {
        return Err(refused(format!("`{name}` has no time that can be read")));
    };
    Ok(Unpacked {
        path: file.path,
        bytes,
        stamp: Stamp {
            mode,
            seconds: moment.seconds,
            nanos: moment.nanos,
        },
    })
}

#[cfg(test)]
#[path = "read_tests.rs"]
mod tests;

//! `MEMORY.md` as a person edits it and as the model gets it.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::base::markdown;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS, PAGE_BYTES};
use crate::memory::load::{self, Loaded};
use crate::memory::pointer::{self, Pointer, Targets};

/// The index of a memory folder, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// The file, as seen.
    pub path: PathBuf,
    /// The text of the file, with U+FFFD for bad bytes, without a BOM.
    pub text: String,
    /// Pointers in the order of the file.
    pub pointers: Vec<Pointer>,
    /// What the reference client loads of it.
    pub loaded: Loaded,
    /// Why nothing of it is loaded though it could be: memory is switched off (the sentence says by
    /// what). Then `loaded` holds the sizes alone.
    pub off: Option<String>,
    /// Where it really lies, if it is a link that leaves the memory folder.
    pub leads_out: Option<Box<str>>,
}

/// Reads an index and looks its pointers up among the files of its folder.
///
/// # Errors
/// As the system says, when the file can't be read.
pub fn read(
    disk: &Disk,
    path: &Path,
    targets: &Targets<'_>,
    off: Option<&str>,
) -> io::Result<Index> {
    let text = decode(&read_bytes(disk, path)?);
    let marks = markdown::marks(&text);
    let pointers = pointer::read(&text, &marks, targets);
    let mut loaded = load::load(&text);
    if off.is_some() {
        loaded = Loaded {
            text: String::new(),
            warning: None,
            cut_at_line: None,
            ..loaded
        };
    }
    Ok(Index {
        path: path.to_path_buf(),
        text,
        pointers,
        loaded,
        off: off.map(str::to_string),
        leads_out: None,
    })
}

/// Where an index points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointedAt<'a> {
    pub files: Vec<&'a str>,
    /// Of these the ones that only lines below the cut name, each with the first of them.
    pub below_cut: HashMap<String, usize>,
}

/// The files that an index points at, and nothing else of it: what a list needs.
///
/// # Errors
/// As the system says, when the file can't be read.
pub fn pointed_at<'a>(
    disk: &Disk,
    path: &Path,
    targets: &Targets<'a>,
) -> io::Result<PointedAt<'a>> {
    let text = decode(&read_bytes(disk, path)?);
    let marks = markdown::marks(&text);
    // A byte is a unit at most: most indexes are known to be whole without being loaded.
    let is_whole = text.len() <= INDEX_UNITS && text.lines().count() <= INDEX_LINES;
    let cut = match is_whole {
        true => None,
        false => load::load(&text).cut_at_line,
    };
    let below_cut = match cut {
        None => HashMap::new(),
        Some(cut) => only_below(&pointer::read(&text, &marks, targets), cut),
    };
    Ok(PointedAt {
        files: pointer::pointed_at(&text, &marks, targets),
        below_cut,
    })
}

/// The files that no line above a cut names, each with the first line that does.
fn only_below(pointers: &[Pointer], cut: usize) -> HashMap<String, usize> {
    let mut below: HashMap<String, usize> = HashMap::new();
    let (seen, unseen): (Vec<_>, Vec<_>) = pointers.iter().partition(|one| one.line < cut);
    for pointer in unseen {
        if let Some(file) = &pointer.resolved {
            below.entry(file.clone()).or_insert(pointer.line);
        }
    }
    for file in seen.iter().filter_map(|pointer| pointer.resolved.as_ref()) {
        below.remove(file);
    }
    below
}

/// The bytes of an index. It is some kilobytes; what is a thousand times that is something else by
/// that name.
///
/// # Errors
/// As the system says, and when it is too large to be one.
pub fn read_bytes(disk: &Disk, path: &Path) -> io::Result<Vec<u8>> {
    let length = disk.metadata(path)?.len();
    if length > PAGE_BYTES {
        let size = length / 1024 / 1024;
        return Err(io::Error::other(format!(
            "it is {size} MiB large, which is no index"
        )));
    }
    disk.read(path)
}

/// Text as the reference client decodes it: U+FFFD for each bad byte, a BOM taken off.
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => text.to_string(),
        Err(_) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

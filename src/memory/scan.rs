//! The scan of a memory folder: which files are memories (by readdir's types, nothing is stat'ed
//! for that), and what the head of each says.

use std::io::{self, Read};
use std::path::Path;

use crate::base::disk::{Disk, Kind};
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::config::limits::{FOLDER_DEPTH, FRONT_MATTER_LINES, HEAD_BYTES};
use crate::memory::file::{Drawer, Memory, MemoryType, State};

/// The name of an index file.
pub const INDEX_FILE: &str = "MEMORY.md";

/// What lies below a memory folder, by name and type alone. Paths are relative to it, with `/`.
#[derive(Debug, Default)]
pub struct Listing {
    pub memories: Vec<Listed>,
    pub logs: Vec<String>,
    pub index: bool,
    pub team_index: bool,
    /// Parts that could not be listed or entered: a sentence each.
    pub faults: Vec<String>,
}

/// One file that counts as a memory.
#[derive(Debug)]
pub struct Listed {
    pub path: String,
    pub kind: Kind,
}

/// Lists a memory folder. A folder that is not there is empty.
#[must_use]
pub fn list(disk: &Disk, folder: &Path) -> Listing {
    let mut found = Listing::default();
    enter(disk, folder, "", 0, &mut found);
    found.memories.sort_by(|a, b| a.path.cmp(&b.path));
    found.logs.sort_by(|a, b| b.cmp(a));
    found
}

fn enter(disk: &Disk, folder: &Path, prefix: &str, depth: usize, found: &mut Listing) {
    let items = match disk.list(folder) {
        Ok(items) => items,
        Err(error) if error.kind() == io::ErrorKind::NotFound && depth == 0 => return,
        Err(error) => {
            found
                .faults
                .push(format!("{} can't be listed: {error}", folder.display()));
            return;
        }
    };
    for item in items {
        let name = item.name.to_string_lossy();
        let path = format!("{prefix}{name}");
        let is_markdown = name.ends_with(".md");
        match item.kind {
            Kind::Folder if name.starts_with('.') => {}
            Kind::Folder if depth >= FOLDER_DEPTH => {
                found
                    .faults
                    .push(format!("{path} lies too deep: it is not entered"));
            }
            Kind::Folder => enter(
                disk,
                &folder.join(&item.name),
                &format!("{path}/"),
                depth + 1,
                found,
            ),
            Kind::File | Kind::Link | Kind::Other if !is_markdown => {
                if item.kind == Kind::Link && disk.is_folder(&folder.join(&item.name)) {
                    found
                        .faults
                        .push(format!("{path} is a link to a folder: it is not entered"));
                }
            }
            Kind::File | Kind::Link | Kind::Other => match path.as_str() {
                "MEMORY.md" => found.index = true,
                "team/MEMORY.md" => found.team_index = true,
                _ if name == INDEX_FILE => {}
                _ if prefix.starts_with("logs/") => found.logs.push(path),
                _ => found.memories.push(Listed {
                    path,
                    kind: item.kind,
                }),
            },
        }
    }
}

/// Counts the memories of a folder by their names.
#[must_use]
pub fn count(disk: &Disk, folder: &Path) -> usize {
    list(disk, folder).memories.len()
}

/// Reads the head of each listed memory. Its state lacks only whether an index points at it:
/// [`mark_ghosts`] adds that.
#[must_use]
pub fn heads(disk: &Disk, folder: &Path, listed: Vec<Listed>) -> Vec<Memory> {
    let mut buffer = vec![0; HEAD_BYTES];
    let has_links = listed.iter().any(|file| file.kind == Kind::Link);
    let home = has_links.then(|| disk.resolve(folder).ok()).flatten();
    listed
        .into_iter()
        .map(|file| head(disk, folder, file, &mut buffer, home.as_deref()))
        .collect()
}

/// A memory that no pointer leads to is a ghost, unless something worse is to be said of it.
/// `led_to` says of each memory whether a pointer does.
pub fn mark_ghosts(memories: &mut [Memory], led_to: &[bool]) {
    for (memory, led_to) in memories.iter_mut().zip(led_to) {
        if !led_to && matches!(memory.state, State::Ok | State::NoType) {
            memory.state = State::Ghost;
        }
    }
}

/// `home` is the real place of the folder, which a link must not leave.
fn head(
    disk: &Disk,
    folder: &Path,
    listed: Listed,
    buffer: &mut [u8],
    home: Option<&Path>,
) -> Memory {
    let path = folder.join(&listed.path);
    let inside = match listed.kind {
        Kind::File => true,
        Kind::Link => disk.resolve(&path).is_ok_and(|target| {
            home.is_some_and(|home| target.starts_with(home)) && disk.is_file(&path)
        }),
        Kind::Folder | Kind::Other => false,
    };
    let read = if inside {
        read_head(disk, &path, buffer).ok()
    } else {
        None
    };
    let Some((bytes, modified, length)) = read else {
        let found = disk.metadata(&path).ok();
        return Memory {
            drawer: drawer(&listed.path),
            path: listed.path.into(),
            name: None,
            description: None,
            kind: MemoryType::Missing,
            created: None,
            modified: found
                .as_ref()
                .and_then(|data| data.modified().ok())
                .map(Moment::from)
                .unwrap_or_default(),
            bytes: found.map_or(0, |data| data.len()),
            state: State::Unsafe,
        };
    };
    describe(&listed.path, &buffer[..bytes], length, modified)
}

/// Bytes read, time of modification, size of the file.
fn read_head(disk: &Disk, path: &Path, buffer: &mut [u8]) -> io::Result<(usize, Moment, u64)> {
    let mut file = disk.open(path)?;
    let data = file.metadata()?;
    if !data.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    let wanted =
        usize::try_from(data.len()).map_or(buffer.len(), |length| length.min(buffer.len()));
    let mut filled = 0;
    while filled < wanted {
        match file.read(&mut buffer[filled..])? {
            0 => break,
            more => filled += more,
        }
    }
    Ok((
        filled,
        data.modified().map(Moment::from).unwrap_or_default(),
        data.len(),
    ))
}

fn describe(path: &str, head: &[u8], length: u64, modified: Moment) -> Memory {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    let whole = simdutf8::compat::from_utf8(head);
    let text = match &whole {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    // A character that the end of the head parts is no fault of the file.
    let is_text = whole
        .as_ref()
        .err()
        .is_none_or(|error| error.error_len().is_none() && length > HEAD_BYTES as u64);
    let front = front_matter::read_lines(text, FRONT_MATTER_LINES);
    let kind = MemoryType::read(&front);
    let state = match (is_text, front.is_broken(), &kind) {
        (false, _, _) => State::NotText,
        (true, true, _) => State::Broken,
        (true, false, MemoryType::Missing | MemoryType::Unknown(_)) => State::NoType,
        (true, false, _) => State::Ok,
    };
    let field = |key: &str| {
        front
            .get(key)
            .filter(|value| !value.is_empty())
            .map(Box::from)
    };
    Memory {
        drawer: drawer(path),
        path: path.into(),
        name: field("name"),
        description: field("description"),
        created: field("created"),
        kind,
        modified,
        bytes: length,
        state,
    }
}

fn drawer(path: &str) -> Drawer {
    match path.split_once('/').map(|(first, _)| first) {
        Some("team") => Drawer::Team,
        Some("learnings") => Drawer::Learnings,
        Some(_) | None => Drawer::Private,
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;

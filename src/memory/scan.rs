//! The scan of a memory folder: which files are memories (by readdir's types, nothing is stat'ed
//! for that), and what the head of each says.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, Folder, Kind};
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::config::limits::{FOLDER_DEPTH, FRONT_MATTER_LINES, HEAD_BYTES, PAGE_BYTES};
use crate::memory::file::{Drawer, Memory, MemoryType, State, Unread};

/// The name of an index file.
pub const INDEX_FILE: &str = "MEMORY.md";

/// What lies below a memory folder, by name and type alone. Paths are relative to it, with `/`.
#[derive(Debug, Default)]
pub struct Listing {
    pub memories: Vec<Listed>,
    pub logs: Vec<String>,
    pub index: bool,
    pub team_index: bool,
    /// Parts that could not be listed or entered.
    pub faults: Vec<NotEntered>,
}

/// A folder that was not entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotEntered {
    /// Relative to the memory folder; empty for that folder itself.
    pub path: String,
    /// Says which folder, and why.
    pub sentence: String,
}

/// One file that counts as a memory.
#[derive(Debug)]
pub struct Listed {
    pub path: String,
    pub kind: Kind,
    /// The name of the file, or of a folder above it, is no UTF-8: `path` leads elsewhere.
    pub odd_name: bool,
}

/// Lists a memory folder. A folder that is not there is empty.
#[must_use]
pub fn list(disk: &Disk, folder: &Path) -> Listing {
    let mut found = Listing::default();
    let top = Folders {
        folder,
        prefix: "",
        depth: 0,
        odd_name: false,
    };
    enter(disk, &top, &mut found);
    found.memories.sort_by(|a, b| a.path.cmp(&b.path));
    found.logs.sort_by(|a, b| b.cmp(a));
    found
}

/// A folder on the way down.
struct Folders<'a> {
    folder: &'a Path,
    prefix: &'a str,
    depth: usize,
    odd_name: bool,
}

fn enter(disk: &Disk, above: &Folders<'_>, found: &mut Listing) {
    let Folders {
        folder,
        prefix,
        depth,
        ..
    } = *above;
    let items = match disk.list(folder) {
        Ok(items) => items,
        Err(error) if error.kind() == io::ErrorKind::NotFound && depth == 0 => return,
        Err(error) => {
            found.faults.push(NotEntered {
                path: prefix.trim_end_matches('/').to_string(),
                sentence: format!("{} can't be listed: {error}", folder.display()),
            });
            return;
        }
    };
    for item in items {
        let name = item.name.to_string_lossy();
        let path = [prefix, &name].concat();
        let odd_name = above.odd_name || item.name.to_str().is_none();
        let is_markdown = name.ends_with(".md");
        match item.kind {
            Kind::Folder if name.starts_with('.') => {}
            Kind::Folder if depth >= FOLDER_DEPTH => {
                let sentence = format!("{path} lies too deep: it is not entered");
                found.faults.push(NotEntered { path, sentence });
            }
            Kind::Folder => {
                let below = Folders {
                    folder: &folder.join(&item.name),
                    prefix: &format!("{path}/"),
                    depth: depth + 1,
                    odd_name,
                };
                enter(disk, &below, found);
            }
            Kind::File | Kind::Link | Kind::Other if !is_markdown => {
                if item.kind == Kind::Link && disk.is_folder(&folder.join(&item.name)) {
                    let sentence = format!("{path} is a link to a folder: it is not entered");
                    found.faults.push(NotEntered { path, sentence });
                }
            }
            Kind::File | Kind::Link | Kind::Other => match path.as_str() {
                "MEMORY.md" => found.index = true,
                "team/MEMORY.md" => found.team_index = true,
                _ if is_memory(&path) => found.memories.push(Listed {
                    path,
                    kind: item.kind,
                    odd_name,
                }),
                _ if name != INDEX_FILE => found.logs.push(path),
                _ => {}
            },
        }
    }
}

/// Whether what bears this path, relative to the memory folder, counts as a memory: every `.md` but the
/// indexes, the logs, and what lies in hidden folders.
#[must_use]
pub fn is_memory(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    name.ends_with(".md")
        && name != INDEX_FILE
        && !path.starts_with("logs/")
        && !folders.split('/').any(|folder| folder.starts_with('.'))
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
    let mut reader = Reader::new(disk, folder, HEAD_BYTES);
    let read = |file| reader.read(file).0;
    listed.into_iter().map(read).collect()
}

/// Reads each listed memory once and whole, but of one that is larger than [`PAGE_BYTES`] only so
/// much; hands out what its head says and its bytes, `None` where it is not to be read.
pub fn pages(
    disk: &Disk,
    folder: &Path,
    listed: Vec<Listed>,
    mut each: impl FnMut(Memory, Option<&[u8]>),
) {
    let room = usize::try_from(PAGE_BYTES).unwrap_or(usize::MAX);
    let mut reader = Reader::new(disk, folder, room);
    for file in listed {
        let (memory, filled) = reader.read(file);
        let bytes = memory.unread.is_none().then(|| &reader.buffer[..filled]);
        each(memory, bytes);
    }
}

/// The bytes of another file of a memory folder, an index or a log; `path` is relative to it.
///
/// # Errors
/// Why it is not to be read.
pub fn bytes(disk: &Disk, folder: &Path, path: &str) -> Result<Vec<u8>, Unread> {
    let target = inside(disk, folder, path)?;
    let place = folder.join(&target);
    match disk.metadata(&place) {
        Ok(data) if !data.is_file() => return Err(Unread::NoFile),
        Ok(_) | Err(_) => {}
    }
    let room = usize::try_from(PAGE_BYTES).unwrap_or(usize::MAX);
    let mut reader = Reader::new(disk, folder, room);
    let failed = |error: io::Error| Unread::Failed(error.to_string().into());
    let (filled, _, length) = reader.head(&target).map_err(failed)?;
    if length > PAGE_BYTES {
        let size = length / 1024 / 1024;
        return Err(Unread::Failed(format!("it is {size} MiB large").into()));
    }
    reader.buffer.truncate(filled);
    Ok(reader.buffer)
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

/// The place of a file below `folder`, relative to it, links resolved; `path` is relative too.
///
/// # Errors
/// Why it is not to be read.
pub fn inside(disk: &Disk, folder: &Path, path: &str) -> Result<PathBuf, Unread> {
    let shown = folder.join(path);
    let failed = |error: io::Error| Unread::Failed(error.to_string().into());
    let home = disk.resolve(folder).map_err(failed)?;
    let words = |path: PathBuf| path.to_string_lossy().into();
    match (disk.resolve(&shown), disk.link(&shown)) {
        (Ok(target), _) => match target.strip_prefix(&home) {
            Ok(inner) => Ok(inner.to_path_buf()),
            Err(_) => Err(Unread::LeadsOut(words(target))),
        },
        (Err(error), Ok(target)) if error.kind() == io::ErrorKind::NotFound => {
            Err(Unread::Dangling(words(target)))
        }
        (Err(error), _) => Err(failed(error)),
    }
}

/// Reads the files of one folder.
struct Reader<'a> {
    disk: &'a Disk,
    folder: &'a Path,
    /// The folder itself, held open.
    open: Option<Folder>,
    /// Bytes that are read of a file at most.
    room: usize,
    buffer: Vec<u8>,
}

impl<'a> Reader<'a> {
    fn new(disk: &'a Disk, folder: &'a Path, room: usize) -> Self {
        Self {
            disk,
            folder,
            open: disk.folder(folder).ok(),
            room,
            buffer: vec![0; HEAD_BYTES],
        }
    }

    /// What the head says, and how many bytes of the buffer are the file's.
    fn read(&mut self, listed: Listed) -> (Memory, usize) {
        let failed = |error: io::Error| Unread::Failed(error.to_string().into());
        let head = match listed.kind {
            _ if listed.odd_name => Err(Unread::OddName),
            Kind::File => self.head(Path::new(&listed.path)).map_err(failed),
            Kind::Link => inside(self.disk, self.folder, &listed.path)
                .and_then(|target| self.head(&target).map_err(failed)),
            Kind::Folder | Kind::Other => Err(Unread::NoFile),
        };
        match head {
            Ok((filled, modified, length)) => {
                let head = &self.buffer[..filled.min(HEAD_BYTES)];
                (describe(&listed.path, head, length, modified), filled)
            }
            Err(why) => (self.unread(listed, why), 0),
        }
    }

    /// Bytes read, time of modification, size of the file.
    fn head(&mut self, path: &Path) -> io::Result<(usize, Moment, u64)> {
        let folder = self.open.as_ref().ok_or(io::ErrorKind::NotFound)?;
        let mut file = folder.open(path)?;
        let data = file.metadata()?;
        if !data.is_file() {
            return Err(io::Error::other("it is no file"));
        }
        let room = self.room;
        let wanted = usize::try_from(data.len()).map_or(room, |length| length.min(room));
        if self.buffer.len() < wanted {
            self.buffer.resize(wanted, 0);
        }
        let mut filled = 0;
        while filled < wanted {
            match file.read(&mut self.buffer[filled..])? {
                0 => break,
                more => filled += more,
            }
        }
        let modified = data.modified().map(Moment::from).unwrap_or_default();
        Ok((filled, modified, data.len()))
    }

    /// What can be said of a file that is not read.
    fn unread(&self, listed: Listed, why: Unread) -> Memory {
        let path = listed.path;
        let found = match listed.odd_name {
            true => None,
            false => self.disk.metadata(&self.folder.join(&path)).ok(),
        };
        let modified = found.as_ref().and_then(|data| data.modified().ok());
        Memory {
            drawer: drawer(&path),
            path: path.into(),
            name: None,
            description: None,
            kind: MemoryType::Missing,
            created: None,
            modified: modified.map(Moment::from),
            bytes: found.map_or(0, |data| data.len()),
            state: State::Unsafe,
            unread: Some(why),
        }
    }
}

fn describe(path: &str, head: &[u8], length: u64, modified: Moment) -> Memory {
    let head = head.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(head);
    // The plain check is the faster one; only a fault needs to be told where it is.
    let whole = simdutf8::basic::from_utf8(head).or_else(|_| simdutf8::compat::from_utf8(head));
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
        modified: Some(modified),
        bytes: length,
        state,
        unread: None,
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

//! The disk as the program sees it. Every path that is read goes through a [`Disk`], so that with
//! `--sysroot DIR` the program reads as if `DIR` were `/`: links are resolved component by
//! component below it (`canonicalize` would follow an absolute link out of it).

use std::borrow::Cow;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{CWD, Mode, OFlags, openat};

use crate::base::time::Moment;

/// Links followed on one path before it is called a loop, as the kernel does.
const MAX_LINKS: usize = 40;

/// A view of the file system: the whole of it, or what lies below a sysroot.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    sysroot: Option<PathBuf>,
}

/// A folder held open: what lies below it is opened by its path from there, which spares the system
/// the walk from the root, and without following a link at its end.
#[derive(Debug)]
pub struct Folder {
    handle: OwnedFd,
}

impl Folder {
    /// Opens a file for reading. A link is refused; a pipe is not waited for.
    ///
    /// # Errors
    /// As the system says.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(&self.handle, path, flags, Mode::empty())?.into())
    }

    /// Enters a folder below, by one name. A link is refused.
    ///
    /// # Errors
    /// As the system says; `NotADirectory` for a link too.
    pub fn enter(&self, name: &OsStr) -> io::Result<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(Self {
            handle: openat(&self.handle, Path::new(name), flags, Mode::empty())?,
        })
    }
}

/// What a directory entry is, without following a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    File,
    Folder,
    Link,
    Other,
}

impl Kind {
    fn of(kind: fs::FileType) -> Self {
        if kind.is_file() {
            Self::File
        } else if kind.is_dir() {
            Self::Folder
        } else if kind.is_symlink() {
            Self::Link
        } else {
            Self::Other
        }
    }
}

/// One entry of a folder: its name and what it is.
#[derive(Debug, Clone)]
pub struct Item {
    pub name: OsString,
    pub kind: Kind,
}

/// One entry of a folder with its size in bytes and when it was modified last.
#[derive(Debug, Clone)]
pub struct Weighed {
    pub item: Item,
    pub bytes: u64,
    pub modified: Option<Moment>,
}

impl Disk {
    /// The real file system.
    #[must_use]
    pub fn system() -> Self {
        Self::default()
    }

    /// Only what lies below `dir`, shown as if `dir` were `/`.
    ///
    /// # Errors
    /// When `dir` cannot be resolved.
    pub fn below(dir: &Path) -> io::Result<Self> {
        Ok(Self {
            sysroot: Some(fs::canonicalize(dir)?),
        })
    }

    #[must_use]
    pub fn is_sysroot(&self) -> bool {
        self.sysroot.is_some()
    }

    /// The real place of `path`: every link resolved, `.` and `..` gone.
    ///
    /// # Errors
    /// As the system says, for a component that is missing, no folder, or in a link loop.
    pub fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        if self.sysroot.is_none() {
            return fs::canonicalize(path);
        }
        self.walk(path)
    }

    /// What a link says it leads to, as written.
    ///
    /// # Errors
    /// As the system says; `InvalidInput` for what is no link.
    pub fn link(&self, path: &Path) -> io::Result<PathBuf> {
        match (&self.sysroot, path.parent(), path.file_name()) {
            (Some(_), Some(folder), Some(name)) => {
                fs::read_link(self.host(&self.walk(folder)?.join(name)))
            }
            _ => fs::read_link(path),
        }
    }

    /// As [`Disk::resolve`] for the part of `path` that exists; the rest is appended as written.
    #[must_use]
    pub fn resolve_existing(&self, path: &Path) -> PathBuf {
        let plain = normalize(path);
        let mut rest = Vec::new();
        let mut front = plain.as_path();
        loop {
            if let Ok(real) = self.resolve(front) {
                return rest.iter().rev().fold(real, |whole, name| whole.join(name));
            }
            match (front.parent(), front.file_name()) {
                (Some(parent), Some(name)) => {
                    rest.push(name.to_os_string());
                    front = parent;
                }
                _ => return plain,
            }
        }
    }

    /// Whether `inner` is `outer` or lies below it, by whatever links and mounts. What is not there lies
    /// where the part of its path that is there does.
    #[must_use]
    pub fn lies_within(&self, inner: &Path, outer: &Path) -> bool {
        let identity = |path: &Path| {
            let data = self.metadata(path).ok()?;
            Some((data.dev(), data.ino()))
        };
        let Some(outer) = identity(outer) else {
            return false;
        };
        let real = self.resolve_existing(inner);
        real.ancestors().any(|at| identity(at) == Some(outer))
    }

    /// The path to hand to the system for a path that holds no unresolved link.
    #[must_use]
    pub fn host(&self, resolved: &Path) -> PathBuf {
        match &self.sysroot {
            None => resolved.to_path_buf(),
            Some(sysroot) => sysroot.join(resolved.strip_prefix("/").unwrap_or(resolved)),
        }
    }

    /// Opens a file for reading, links followed.
    ///
    /// # Errors
    /// As the system says.
    pub fn open(&self, path: &Path) -> io::Result<File> {
        let host = match self.sysroot {
            None => Cow::Borrowed(path),
            Some(_) => Cow::Owned(self.host(&self.walk(path)?)),
        };
        // A pipe is not waited for, nor is what never has anything to read.
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        Ok(openat(CWD, &*host, flags, Mode::empty())?.into())
    }

    /// Holds a folder open, links followed.
    ///
    /// # Errors
    /// As the system says.
    pub fn folder(&self, path: &Path) -> io::Result<Folder> {
        let host = match self.sysroot {
            None => Cow::Borrowed(path),
            Some(_) => Cow::Owned(self.host(&self.walk(path)?)),
        };
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(Folder {
            handle: openat(CWD, &*host, flags, Mode::empty())?,
        })
    }

    /// All bytes of a regular file, links followed. A device or a pipe is refused, not waited for.
    ///
    /// # Errors
    /// As the system says; `InvalidInput` for what is no regular file.
    pub fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut file = self.open(path)?;
        // What was opened is asked, not what stood there before.
        require_file(&file.metadata()?)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// Text of a small file, bad bytes replaced; `None` where there is none.
    #[must_use]
    pub fn text(&self, path: &Path) -> Option<String> {
        self.read(path)
            .ok()
            .map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Size, times and type, links followed.
    ///
    /// # Errors
    /// As the system says.
    pub fn metadata(&self, path: &Path) -> io::Result<fs::Metadata> {
        match self.sysroot {
            None => fs::metadata(path),
            Some(_) => fs::metadata(self.host(&self.walk(path)?)),
        }
    }

    #[must_use]
    pub fn is_folder(&self, path: &Path) -> bool {
        self.metadata(path).is_ok_and(|data| data.is_dir())
    }

    #[must_use]
    pub fn is_file(&self, path: &Path) -> bool {
        self.metadata(path).is_ok_and(|data| data.is_file())
    }

    /// The entries of a folder in the order of the system's listing, by readdir's types: no entry
    /// is stat'ed.
    ///
    /// # Errors
    /// As the system says.
    pub fn list(&self, folder: &Path) -> io::Result<Vec<Item>> {
        let host = match self.sysroot {
            None => folder.to_path_buf(),
            Some(_) => self.host(&self.walk(folder)?),
        };
        let mut items = Vec::new();
        for entry in fs::read_dir(host)? {
            let entry = entry?;
            let kind = entry.file_type().map_or(Kind::Other, Kind::of);
            items.push(Item {
                name: entry.file_name(),
                kind,
            });
        }
        Ok(items)
    }

    /// As [`Disk::list`], with the size and the time of each entry; a link's are its own.
    ///
    /// # Errors
    /// As the system says.
    pub fn list_weighed(&self, folder: &Path) -> io::Result<Vec<Weighed>> {
        let host = match self.sysroot {
            None => folder.to_path_buf(),
            Some(_) => self.host(&self.walk(folder)?),
        };
        let mut items = Vec::new();
        for entry in fs::read_dir(host)? {
            let entry = entry?;
            // What has gone meanwhile is not there.
            let Ok(data) = entry.metadata() else { continue };
            items.push(Weighed {
                item: Item {
                    name: entry.file_name(),
                    kind: Kind::of(data.file_type()),
                },
                bytes: data.len(),
                modified: data.modified().ok().map(Moment::from),
            });
        }
        Ok(items)
    }

    /// Resolves below the sysroot, component by component; `..` never leaves it.
    fn walk(&self, path: &Path) -> io::Result<PathBuf> {
        let mut done = PathBuf::from("/");
        let mut todo: Vec<OsString> = components(path);
        todo.reverse();
        let mut links = 0;
        while let Some(name) = todo.pop() {
            if name == ".." {
                done.pop();
                continue;
            }
            let next = done.join(&name);
            let data = fs::symlink_metadata(self.host(&next))?;
            if !data.file_type().is_symlink() {
                if !todo.is_empty() && !data.is_dir() {
                    return Err(io::ErrorKind::NotADirectory.into());
                }
                done = next;
                continue;
            }
            links += 1;
            if links > MAX_LINKS {
                return Err(io::Error::other("is in a loop of links"));
            }
            let target = fs::read_link(self.host(&next))?;
            if target.is_absolute() {
                done = PathBuf::from("/");
            }
            let mut front = components(&target);
            front.reverse();
            todo.append(&mut front);
        }
        Ok(done)
    }
}

fn require_file(data: &fs::Metadata) -> io::Result<()> {
    if data.is_file() {
        return Ok(());
    }
    let what = if data.is_dir() {
        "is a folder"
    } else {
        "is not a regular file"
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, what))
}

/// `path` without `.` and with `..` taken back by the text alone, no link looked at.
#[must_use]
pub fn normalize(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    out.push("..");
                }
            }
            Component::Prefix(_) | Component::RootDir | Component::Normal(_) => out.push(component),
        }
    }
    out
}

fn components(path: &Path) -> Vec<OsString> {
    path.components()
        .filter_map(|component| match component {
            Component::Normal(name) => Some(name.to_os_string()),
            Component::ParentDir => Some("..".into()),
            Component::Prefix(_) | Component::RootDir | Component::CurDir => None,
        })
        .collect()
}

#[cfg(test)]
#[path = "disk_tests.rs"]
mod tests;

//! Project folders into one archive: which of their files go in, and the bytes of it. Links are not
//! followed, and what is left out is said.

use std::collections::HashSet;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{
    FORMAT, Listed, ListedFile, MANIFEST, MEMORY, Manifest, PROJECTS, VERSION, belongs, folded,
    mode_of,
};
use crate::base::disk::{Disk, Kind};
use crate::base::swap::Stamp;
use crate::config::limits::{ARCHIVE_BYTES, ARCHIVE_FILE_BYTES, ARCHIVE_FILES, FOLDER_DEPTH};
use crate::project::Project;
use crate::safety::path;
use crate::store::sha256;

/// An archive in memory.
#[derive(Debug)]
pub struct Packed {
    pub bytes: Vec<u8>,
    pub projects: Vec<Listed>,
    pub left_out: Vec<LeftOut>,
}

/// Something that is not in the archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub key: String,
    /// Below the project folder.
    pub path: String,
    /// The end of a sentence that begins with the path.
    pub why: String,
}

/// Why no archive could be made: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    #[error("{path} has a name that is no UTF-8: rename the folder", path = path.display())]
    OddName { path: PathBuf },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error(
        "over {size} MiB would go into the archive, and no import reads more: name fewer projects, or leave the transcripts out",
        size = ARCHIVE_BYTES / 1024 / 1024
    )]
    TooLarge,
    #[error(
        "over {ARCHIVE_FILES} files would go into the archive, and no import reads more: name fewer projects, or leave the transcripts out"
    )]
    TooMany,
    #[error("the archive could not be put together: {0}")]
    Failed(#[from] io::Error),
}

/// What of one project goes in.
struct Gathered {
    listed: Listed,
    files: Vec<File>,
}

struct File {
    /// Below `projects/KEY/`.
    path: String,
    bytes: Vec<u8>,
    stamp: Stamp,
}

/// Whether the archive of this name is gzipped.
#[must_use]
pub fn is_gzip(file: &Path) -> bool {
    let end = file.extension().unwrap_or_default();
    ["gz", "tgz"]
        .iter()
        .any(|one| end.eq_ignore_ascii_case(one))
}

/// Packs projects: their memory folders, and with `transcripts` their sessions. One that can't be read
/// is left out whole.
///
/// # Errors
/// What can't be read where nothing else goes in; more than an import would take.
pub fn pack(
    disk: &Disk,
    projects: &[&Project],
    transcripts: bool,
    gzip: bool,
) -> Result<Packed, PackError> {
    let mut projects = projects.to_vec();
    projects.sort_by(|a, b| a.key.cmp(&b.key));
    projects.dedup_by(|a, b| a.key == b.key);
    let mut left_out = Vec::new();
    let mut gathered: Vec<Gathered> = Vec::new();
    let mut keys = HashSet::new();
    let mut room = Room::default();
    let mut unread = None;
    for project in projects {
        if !keys.insert(folded(&project.key)) {
            left_out.push(LeftOut {
                key: project.key.clone(),
                path: String::new(),
                why: "differs only in case from another key: export it by itself".to_string(),
            });
            continue;
        }
        if project.census.odd_name {
            left_out.push(LeftOut {
                key: project.key.clone(),
                path: String::new(),
                why: "has a name that is no UTF-8: rename the folder".to_string(),
            });
            unread.get_or_insert(PackError::OddName {
                path: project.folder.clone(),
            });
            continue;
        }
        let before = room;
        let mut gather = Gather {
            disk,
            project,
            room: &mut room,
            files: Vec::new(),
            left_out: &mut left_out,
        };
        let taken = gather.project(transcripts);
        let mut files = gather.files;
        match taken {
            Ok(()) => {}
            // The others are not to wait for this one to be mended.
            Err(PackError::Unreadable { path, error }) => {
                left_out.retain(|left| left.key != project.key);
                left_out.push(LeftOut {
                    key: project.key.clone(),
                    path: String::new(),
                    why: format!("can't be read: {}: {error}", path.display()),
                });
                room = before;
                unread.get_or_insert(PackError::Unreadable { path, error });
                continue;
            }
            Err(error) => return Err(error),
        }
        files.sort_by(|a, b| a.path.cmp(&b.path));
        drop_collisions(&mut files, &project.key, &mut left_out);
        let listed = files.iter().map(|file| ListedFile {
            path: file.path.clone(),
            bytes: file.bytes.len() as u64,
            modified: file.stamp.moment().rfc3339(),
            sha256: sha256(&file.bytes),
        });
        let path = project.path.as_deref();
        let path = path.map(|path| path.to_string_lossy().into_owned());
        gathered.push(Gathered {
            listed: Listed::new(&project.key, path, listed.collect()),
            files,
        });
    }
    if let (Some(error), []) = (unread, gathered.as_slice()) {
        return Err(error);
    }
    let bytes = match gzip {
        false => tar(Vec::new(), &gathered)?,
        true => {
            let encoder = GzEncoder::new(Vec::new(), Compression::default());
            tar(encoder, &gathered)?.finish()?
        }
    };
    Ok(Packed {
        bytes,
        projects: gathered.into_iter().map(|one| one.listed).collect(),
        left_out,
    })
}

/// What is still free of what an import takes.
#[derive(Clone, Copy, Default)]
struct Room {
    files: usize,
    bytes: u64,
}

impl Room {
    fn take(&mut self, bytes: u64) -> Result<(), PackError> {
        self.files += 1;
        self.bytes += bytes;
        if self.files >= ARCHIVE_FILES {
            return Err(PackError::TooMany);
        }
        match self.bytes > ARCHIVE_BYTES {
            true => Err(PackError::TooLarge),
            false => Ok(()),
        }
    }
}

struct Gather<'a> {
    disk: &'a Disk,
    project: &'a Project,
    room: &'a mut Room,
    files: Vec<File>,
    left_out: &'a mut Vec<LeftOut>,
}

impl Gather<'_> {
    fn project(&mut self, transcripts: bool) -> Result<(), PackError> {
        let Project { folder, memory, .. } = self.project;
        if let Ok(to) = self.disk.link(folder) {
            self.leave("", &link(&to));
            return Ok(());
        }
        match self.disk.link(memory) {
            Ok(to) => self.leave("memory", &link(&to)),
            Err(_) => self.below(memory, MEMORY, "", 0)?,
        }
        if !transcripts {
            return Ok(());
        }
        match self.disk.list(folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let path = folder.clone();
                return Err(PackError::Unreadable { path, error });
            }
            Ok(_) | Err(_) => {}
        }
        let census = &self.project.census;
        for session in &census.sessions {
            self.file(folder, "", &format!("{}.jsonl", session.id))?;
        }
        let with = census.sessions.iter().filter(|one| one.folder.is_some());
        let names = with.map(|one| &one.id).chain(&census.left_over);
        for name in names {
            let (folder, prefix) = (folder.join(name), format!("{name}/"));
            self.below(&folder, &prefix, "", 0)?;
        }
        Ok(())
    }

    /// The files below `root`, which is called `prefix` in the archive; `inner` is where we are in it.
    fn below(
        &mut self,
        root: &Path,
        prefix: &str,
        inner: &str,
        depth: usize,
    ) -> Result<(), PackError> {
        let folder = match inner {
            "" => root.to_path_buf(),
            _ => root.join(inner),
        };
        let items = match self.disk.list(&folder) {
            Ok(items) => items,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => {
                let path = folder;
                return Err(PackError::Unreadable { path, error });
            }
        };
        for item in items {
            let shown = item.name.to_string_lossy();
            let path = format!("{inner}{shown}");
            if item.name.to_str().is_none() {
                self.leave(&format!("{prefix}{path}"), "has a name that is no UTF-8");
            } else if shown.starts_with('.') {
                self.leave(&format!("{prefix}{path}"), "is hidden");
            } else {
                match item.kind {
                    Kind::File => self.file(root, prefix, &path)?,
                    Kind::Folder if depth < FOLDER_DEPTH => {
                        self.below(root, prefix, &format!("{path}/"), depth + 1)?;
                    }
                    Kind::Folder => self.leave(&format!("{prefix}{path}"), "lies too deep"),
                    Kind::Link => {
                        let to = self.disk.link(&root.join(&path)).unwrap_or_default();
                        self.leave(&format!("{prefix}{path}"), &link(&to));
                    }
                    Kind::Other => {
                        let why = "is no file but a pipe, a socket or a device";
                        self.leave(&format!("{prefix}{path}"), why);
                    }
                }
            }
        }
        Ok(())
    }

    /// One file below `root`, opened without following a link on the way.
    fn file(&mut self, root: &Path, prefix: &str, inner: &str) -> Result<(), PackError> {
        let name = format!("{prefix}{inner}");
        if !belongs(&name) {
            self.leave(&name, "has a name that no session has");
            return Ok(());
        }
        let opened = path::check(self.disk, root, inner).and_then(|inside| inside.open(self.disk));
        let mut file = match opened {
            Ok(file) => file,
            Err(error) => {
                self.leave(&name, &format!("can't be taken: {}", error.why));
                return Ok(());
            }
        };
        let unreadable = |error| PackError::Unreadable {
            path: root.join(inner),
            error,
        };
        let data = file.metadata().map_err(unreadable)?;
        if data.len() > ARCHIVE_FILE_BYTES {
            let size = data.len() / 1024 / 1024;
            self.leave(
                &name,
                &format!("is {size} MiB large, more than an import takes"),
            );
            return Ok(());
        }
        self.room.take(data.len())?;
        let mut bytes = Vec::new();
        // What grows meanwhile ends where it ended when it was opened.
        let limited = (&mut file).take(data.len());
        { limited }.read_to_end(&mut bytes).map_err(unreadable)?;
        self.files.push(File {
            path: name,
            bytes,
            stamp: Stamp::of(&data),
        });
        Ok(())
    }

    fn leave(&mut self, path: &str, why: &str) {
        self.left_out.push(LeftOut {
            key: self.project.key.clone(),
            path: path.to_string(),
            why: why.to_string(),
        });
    }
}

fn link(to: &Path) -> String {
    format!("is a link to {} and is not followed", to.display())
}

/// Of names that some disks take for one only the first goes in. They are sorted.
fn drop_collisions(files: &mut Vec<File>, key: &str, left_out: &mut Vec<LeftOut>) {
    let mut seen = HashSet::new();
    files.retain(|file| {
        let is_new = seen.insert(folded(&file.path));
        if !is_new {
            left_out.push(LeftOut {
                key: key.to_string(),
                path: file.path.clone(),
                why: "differs only in case from another name: rename it".to_string(),
            });
        }
        is_new
    });
}

/// Writes the manifest and the files.
fn tar<W: Write>(out: W, gathered: &[Gathered]) -> io::Result<W> {
    let manifest = Manifest {
        format: FORMAT.to_string(),
        version: VERSION,
        projects: gathered.iter().map(|one| one.listed.clone()).collect(),
    };
    let mut text = serde_json::to_vec_pretty(&manifest)?;
    text.push(b'\n');
    let mut builder = tar::Builder::new(out);
    let all = gathered.iter().flat_map(|one| &one.files);
    // The manifest is as old as the newest file: no clock is in it.
    let newest = all.map(|file| file.stamp.seconds).max().unwrap_or(0);
    let stamp = Stamp {
        mode: 0o644,
        seconds: newest,
        nanos: 0,
    };
    append(&mut builder, MANIFEST, &text, stamp)?;
    for Gathered { listed, files } in gathered {
        for file in files {
            let name = format!("{PROJECTS}{}/{}", listed.key, file.path);
            append(&mut builder, &name, &file.bytes, file.stamp)?;
        }
    }
    builder.into_inner()
}

fn append<W: Write>(
    builder: &mut tar::Builder<W>,
    name: &str,
    bytes: &[u8],
    stamp: Stamp,
) -> io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(tar::EntryType::Regular);
    header.set_size(bytes.len() as u64);
    header.set_mode(mode_of(stamp.mode));
    header.set_mtime(u64::try_from(stamp.seconds).unwrap_or(0));
    header.set_uid(0);
    header.set_gid(0);
    builder.append_data(&mut header, name, bytes)
}

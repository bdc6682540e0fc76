//! A project of an archive into a project folder, as one change set: what is not there yet is written
//! with its time of then, what is there and the same is passed by, what is there and differs is a
//! conflict that a person has decided beforehand. Every name goes through the rules for paths, and what
//! is there is opened without following a link. Writes nothing.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Read};
use std::path::PathBuf;

use super::lines::{Around, Head, Merged};
use super::{Arrived, MEMORY, Unpacked, is_memory};
use crate::base::disk::Disk;
use crate::config::limits::ARCHIVE_FILE_BYTES;
use crate::memory::index_edit::IndexEditError;
use crate::memory::proposal::{Folder, ProposalError, Source};
use crate::memory::scan::{self, INDEX_FILE};
use crate::project::fold::Target;
use crate::safety::path::{self, Inside, PathError, Refusal};
use crate::store::change::{Age, Author, Change, ChangeSet, Op};

/// What becomes of a file that is there and says something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clash {
    /// Mine stays, theirs is left.
    Mine,
    /// Both: theirs gets another name, and its index line.
    Beside,
    /// Theirs is written in the place of mine.
    Theirs,
}

/// What an import would do to one project folder.
#[derive(Debug)]
pub struct Import {
    pub set: ChangeSet,
    /// Files that were not there, by their paths below the project folder.
    pub new: Vec<String>,
    /// Files that are there already.
    pub same: Vec<String>,
    pub conflicts: Vec<Conflict>,
    /// Index lines that were added, and how many of them the model does not see.
    pub lines: usize,
    pub below_the_cut: usize,
    /// What a person should know: sentences.
    pub notes: Vec<String>,
}

/// A file that is there and says something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// Below the project folder.
    pub path: String,
    /// Where theirs goes: its own path where it takes the place of mine; none where it is left.
    pub taken_as: Option<String>,
}

/// Why a project can't be imported: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("in the archive, {0}")]
    Path(#[from] PathError),
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Index(#[from] ProposalError),
}

type Result<T> = std::result::Result<T, ImportError>;

/// The change set that takes a project of an archive into a project folder, which need not exist.
///
/// # Errors
/// A name that may not be used, or what can't be read.
pub fn import(
    disk: &Disk,
    project: &Arrived,
    target: Target<'_>,
    clash: Clash,
    title: &str,
) -> Result<Import> {
    let mut making = Making {
        disk,
        project,
        target,
        clash,
        names: project.files.iter().map(|file| &*file.path).collect(),
        arriving: BTreeMap::new(),
        import: Import {
            set: ChangeSet::new(title, Author::Import),
            new: Vec::new(),
            same: Vec::new(),
            conflicts: Vec::new(),
            lines: 0,
            below_the_cut: 0,
            notes: Vec::new(),
        },
    };
    for file in &project.files {
        // An index is held against the rules like any other file, and merged below.
        let inside = making.inside(&file.path)?;
        if !is_index(&file.path) {
            making.file(file, &inside)?;
        }
    }
    making.indexes()?;
    Ok(making.import)
}

/// Whether a file is an index: that of a memory folder, or the second one of its team.
fn is_index(path: &str) -> bool {
    let inner = path.strip_prefix(MEMORY).unwrap_or_default();
    inner == INDEX_FILE || inner.strip_prefix("team/") == Some(INDEX_FILE)
}

/// What stands where a file of the archive goes.
enum There {
    Nothing,
    Same,
    Other {
        /// None where it is too large to be taken into memory.
        bytes: Option<Vec<u8>>,
    },
}

struct Making<'a> {
    disk: &'a Disk,
    project: &'a Arrived,
    target: Target<'a>,
    clash: Clash,
    /// The paths of the archive.
    names: HashSet<&'a str>,
    /// Memories that are written, by their paths in the archive's memory folder, with those they get.
    arriving: BTreeMap<String, String>,
    import: Import,
}

impl Making<'_> {
    /// Where a path of the archive leads here, if it may be used.
    fn inside(&self, path: &str) -> Result<Inside> {
        let Some(inner) = path.strip_prefix(MEMORY) else {
            return Ok(path::check(self.disk, self.target.folder, path)?);
        };
        let inside = path::check(self.disk, self.target.memory, inner)?;
        let there = Folder {
            disk: self.disk,
            path: self.target.memory,
            memories: &[],
        };
        there.place(inner)?;
        Ok(inside)
    }

    fn file(&mut self, file: &Unpacked, inside: &Inside) -> Result<()> {
        let path = &file.path;
        let there = match self.there(inside, &file.bytes)? {
            There::Nothing => {
                self.write(inside, None, file, "from the archive");
                self.arrives(path, path);
                self.import.new.push(path.clone());
                return Ok(());
            }
            There::Same => {
                self.import.same.push(path.clone());
                return Ok(());
            }
            There::Other { bytes } => bytes,
        };
        let mut taken_as = None;
        // A session has one transcript: which of two is the longer is not ours to say.
        let clash = match path.starts_with(MEMORY) {
            true => self.clash,
            false => Clash::Mine,
        };
        match (clash, there) {
            (Clash::Mine, _) | (Clash::Theirs, None) => {}
            (Clash::Theirs, Some(mine)) => {
                self.write(
                    inside,
                    Some(mine),
                    file,
                    "the archive's in the place of mine",
                );
                self.arrives(path, path);
                taken_as = Some(path.clone());
            }
            (Clash::Beside, _) => {
                let Some(other) = self.beside(file)? else {
                    self.import.same.push(path.clone());
                    return Ok(());
                };
                let place = self.inside(&other)?;
                self.write(&place, None, file, "its name is taken by another");
                self.arrives(path, &other);
                taken_as = Some(other);
            }
        }
        let path = path.clone();
        self.import.conflicts.push(Conflict { path, taken_as });
        Ok(())
    }

    fn arrives(&mut self, path: &str, goes: &str) {
        if let (true, Some(path), Some(goes)) = (
            is_memory(path),
            path.strip_prefix(MEMORY),
            goes.strip_prefix(MEMORY),
        ) {
            self.arriving.insert(path.to_string(), goes.to_string());
        }
    }

    fn there(&self, inside: &Inside, bytes: &[u8]) -> Result<There> {
        let mut file = match inside.open(self.disk) {
            Ok(file) => file,
            Err(PathError {
                why: Refusal::Failed(error),
                ..
            }) if error.kind() == io::ErrorKind::NotFound => return Ok(There::Nothing),
            Err(error) => return Err(error.into()),
        };
        let unreadable = |error| ImportError::Unreadable {
            path: inside.place(),
            error,
        };
        if file.metadata().map_err(unreadable)?.len() > ARCHIVE_FILE_BYTES {
            return Ok(There::Other { bytes: None });
        }
        let mut mine = Vec::new();
        file.read_to_end(&mut mine).map_err(unreadable)?;
        Ok(match mine == bytes {
            true => There::Same,
            false => There::Other { bytes: Some(mine) },
        })
    }

    /// `memory/a.md` becomes `memory/a-imported.md`, or what is free; none where it is there already
    /// from an earlier import.
    fn beside(&self, file: &Unpacked) -> Result<Option<String>> {
        let (stem, end) = match file.path.rsplit_once('.') {
            Some((stem, end)) if !end.contains('/') => (stem, format!(".{end}")),
            Some(_) | None => (file.path.as_str(), String::new()),
        };
        let mut number = 1;
        loop {
            let path = match number {
                1 => format!("{stem}-imported{end}"),
                _ => format!("{stem}-imported-{number}{end}"),
            };
            number += 1;
            if self.names.contains(&*path) {
                continue;
            }
            match self.there(&self.inside(&path)?, &file.bytes)? {
                There::Nothing => return Ok(Some(path)),
                There::Same => return Ok(None),
                There::Other { .. } => {}
            }
        }
    }

    fn write(&mut self, inside: &Inside, before: Option<Vec<u8>>, file: &Unpacked, reason: &str) {
        self.push(
            Op::Write {
                path: inside.place(),
                before,
                after: file.bytes.clone(),
                age: Age::At(file.stamp),
            },
            reason,
        );
    }

    fn push(&mut self, op: Op, reason: &str) {
        let reason = reason.to_string();
        self.import.set.changes.push(Change { op, reason });
    }

    /// The index, and the second one of the team; then who of those that arrive is in neither.
    fn indexes(&mut self) -> Result<()> {
        let memories = self
            .project
            .files
            .iter()
            .filter(|file| is_memory(&file.path));
        let heads: BTreeMap<String, Head> = memories
            .filter_map(|file| {
                let inner = file.path.strip_prefix(MEMORY)?;
                Some((inner.to_string(), Head::new(&file.bytes)))
            })
            .collect();
        let listed = scan::list(self.disk, self.target.memory).memories;
        let there = scan::heads(self.disk, self.target.memory, listed);
        let arriving = self.arriving.clone();
        let around = Around {
            heads: &heads,
            there: &there,
            arriving: &arriving,
        };
        let mut pointed = HashSet::new();
        for prefix in ["", "team/"] {
            let mine = Folder {
                disk: self.disk,
                path: self.target.memory,
                memories: &there,
            };
            let mine = mine.index(prefix)?;
            pointed.extend(self.index(&around, mine, prefix)?);
        }
        let mut lost = arriving
            .into_values()
            .filter(|path| !pointed.contains(path));
        if let Some(first) = lost.next() {
            let who = match lost.count() {
                0 => first,
                more => format!("{first} and {more} more"),
            };
            self.import.notes.push(format!(
                "{who}: no line of the archive's index leads there, so none does here: `loci doctor --fix` gives it one"
            ));
        }
        Ok(())
    }

    /// One index: the archive's where there is none, else its lines into the one that is there. Gives
    /// back what it points at then.
    fn index(
        &mut self,
        around: &Around<'_>,
        mine: Option<Source>,
        prefix: &str,
    ) -> Result<HashSet<String>> {
        let name = format!("{MEMORY}{prefix}{INDEX_FILE}");
        let file = self.project.files.iter().find(|file| file.path == name);
        let theirs = match file {
            None => String::new(),
            Some(file) => {
                let bytes = file.bytes.strip_prefix(BOM).unwrap_or(&file.bytes);
                std::str::from_utf8(bytes).map_or_else(
                    |_| {
                        self.import.notes.push(format!(
                            "{name} of the archive holds bytes that are no UTF-8: its lines are not merged"
                        ));
                        String::new()
                    },
                    str::to_string,
                )
            }
        };
        let refused = |error: IndexEditError| ProposalError::Index {
            path: self.target.memory.join(prefix).join(INDEX_FILE),
            error,
        };
        let own = mine.as_ref().map_or(theirs.as_str(), |mine| &mine.text);
        let Merged {
            text,
            added,
            below_the_cut,
            pointed,
        } = around.merged(own, &theirs, prefix).map_err(refused)?;
        match (mine, file) {
            (None, None) => {}
            (None, Some(file)) => {
                let inside = self.inside(&name)?;
                let bom = if file.bytes.starts_with(BOM) {
                    BOM
                } else {
                    b""
                };
                let after = match added {
                    0 => file.bytes.clone(),
                    _ => [bom, text.as_bytes()].concat(),
                };
                let op = Op::Write {
                    path: inside.place(),
                    before: None,
                    after,
                    age: Age::At(file.stamp),
                };
                self.push(op, "the archive's index");
                self.import.new.push(name);
            }
            (Some(mine), file) => {
                if file.is_some_and(|file| file.bytes == mine.bytes) {
                    self.import.same.push(name);
                }
                if added > 0 {
                    self.import.below_the_cut += below_the_cut;
                    let after = mine.bytes_of(&text);
                    let op = Op::Write {
                        path: mine.path,
                        before: Some(mine.bytes),
                        after,
                        age: Age::Keep,
                    };
                    self.push(op, "the index lines of what came");
                }
            }
        }
        self.import.lines += added;
        Ok(pointed)
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

//! What a person asks of a memory, as change sets: a new one, an edit, a rename, removals. The file
//! and its index line go together, so that no crash leaves a ghost or a dangling line. Reads files,
//! writes none.

mod create;
mod demote;
mod edit;
mod entry;
mod links;
mod promote;
mod remove;
mod rename;
mod share;
mod transfer;
mod wish;

use std::path::{Path, PathBuf};

pub use create::{NewMemory, create, slug, text as new_text};
pub use demote::{Demote, Demoted, Demotion, Section, demote, lines_of, sections};
pub use edit::{AgeWish, Edit, edit, edited};
pub use entry::without as unlisted;
pub use links::left_dangling;
pub use promote::{Target, promote};
pub use remove::remove;
pub use rename::rename;
pub use share::share;
pub use transfer::{Moved, Transfer, makes_project, transfer};
pub use wish::{EntryAt, IndexEdit, Proposal, Wish, wished};

use crate::base::disk::{Disk, Kind};
use crate::base::front_matter::edit::EditError;
use crate::base::markdown;
use crate::memory::file::{Memory, State};
use crate::memory::index_edit::IndexEditError;
use crate::memory::pointer::{self, Pointer, Targets};
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{Age, Op};

/// Why no change set could be made: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum ProposalError {
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error("{path} holds bytes that are no UTF-8: it is shown, never rewritten", path = path.display())]
    NotText { path: PathBuf },
    #[error("{path} leads out of its folder: it is read, not written", path = path.display())]
    Outside { path: PathBuf },
    #[error("{path}: {error}", path = path.display())]
    FrontMatter { path: PathBuf, error: EditError },
    #[error("{path}: {error}", path = path.display())]
    Index {
        path: PathBuf,
        error: IndexEditError,
    },
    #[error("{path} is already there: choose another name", path = path.display())]
    Taken { path: PathBuf },
    #[error("{path} is a link: it is the file that it leads to which can be moved or copied", path = path.display())]
    Linked { path: PathBuf },
    #[error("{path} is a link to a folder, which is not entered: nothing is written through it; put the folder itself there", path = path.display())]
    LinkedFolder { path: PathBuf },
    #[error("{project} is gone: nothing was written")]
    Gone { project: String },
    #[error("{path} is in that project already", path = path.display())]
    SameProject { path: PathBuf },
    #[error("{to} is that same memory, {path}: it would go to the trash with its rule; choose another rules file", to = to.display(), path = path.display())]
    Itself { path: PathBuf, to: PathBuf },
    #[error("{path} has no text that could be carried over", path = path.display())]
    NoText { path: PathBuf },
    #[error("{path} leads elsewhere by now: nothing was written; look at it again", path = path.display())]
    LedElsewhere { path: PathBuf },
    #[error("{path} is a link that leads nowhere (to {to}): nothing was written; make what it leads to, or take the link away", path = path.display(), to = to.display())]
    Dangling { path: PathBuf, to: PathBuf },
    #[error("{path}: {why}", path = path.display())]
    NoPart { path: PathBuf, why: &'static str },
    #[error("`{name}` can't be a memory's name: {why}")]
    BadName { name: String, why: &'static str },
}

impl ProposalError {
    /// Whether another name would do.
    #[must_use]
    pub fn is_about_a_name(&self) -> bool {
        match self {
            Self::Taken { .. } | Self::BadName { .. } => true,
            Self::Unreadable { .. }
            | Self::NotText { .. }
            | Self::Outside { .. }
            | Self::FrontMatter { .. }
            | Self::Index { .. }
            | Self::Linked { .. }
            | Self::LinkedFolder { .. }
            | Self::Gone { .. }
            | Self::Itself { .. }
            | Self::NoText { .. }
            | Self::LedElsewhere { .. }
            | Self::Dangling { .. }
            | Self::NoPart { .. }
            | Self::SameProject { .. } => false,
        }
    }
}

type Result<T> = std::result::Result<T, ProposalError>;

/// A memory folder as the proposals see it.
#[derive(Debug, Clone, Copy)]
pub struct Folder<'a> {
    pub disk: &'a Disk,
    /// The memory folder, absolute.
    pub path: &'a Path,
    /// Its memories, as scanned.
    pub memories: &'a [Memory],
}

/// A file's bytes, and its text without its BOM.
#[derive(Debug)]
pub struct Source {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
    pub text: String,
}

impl Source {
    /// # Errors
    /// `NotText` for bytes that are no UTF-8.
    fn new(path: PathBuf, bytes: Vec<u8>) -> Result<Self> {
        let text =
            std::str::from_utf8(bytes.strip_prefix(BOM).unwrap_or(&bytes)).map(str::to_string);
        match text {
            Ok(text) => Ok(Self { path, bytes, text }),
            Err(_) => Err(ProposalError::NotText { path }),
        }
    }

    /// The write that gives the file an edited text, if that differs.
    fn rewritten(self, edited: &str, age: Age) -> Option<Op> {
        let after = self.bytes_of(edited);
        (edited != self.text).then_some(Op::Write {
            path: self.path,
            before: Some(self.bytes),
            after,
            age,
        })
    }

    /// The bytes of an edited text: a BOM stays.
    #[must_use]
    pub fn bytes_of(&self, edited: &str) -> Vec<u8> {
        let bom: &[u8] = if self.bytes.starts_with(BOM) {
            BOM
        } else {
            b""
        };
        [bom, edited.as_bytes()].concat()
    }
}

const BOM: &[u8] = b"\xEF\xBB\xBF";

impl Folder<'_> {
    /// Reads one of its files.
    ///
    /// # Errors
    /// What can't be read, or is no text.
    pub fn read(&self, path: PathBuf) -> Result<Source> {
        match self.disk.read(&path) {
            Ok(bytes) => Source::new(path, bytes),
            Err(error) => Err(ProposalError::Unreadable { path, error }),
        }
    }

    /// The index of the folder, or the second one of `team/`; `None` where there is none.
    ///
    /// # Errors
    /// What can't be read, or is no text.
    pub fn index(&self, prefix: &str) -> Result<Option<Source>> {
        let path = self.path.join(prefix).join(INDEX_FILE);
        match self.disk.resolve(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Ok(real) if !self.holds(&real) => Err(ProposalError::Outside { path }),
            Err(_) | Ok(_) => self.read(path).map(Some),
        }
    }

    /// A memory of it whose file itself can be moved.
    fn movable(&self, path: &str) -> Result<&Memory> {
        let shown = self.path.join(path);
        let found = self.memories.iter().find(|memory| *memory.path == *path);
        match found {
            _ if self.is_link(&shown) => Err(ProposalError::Linked { path: shown }),
            Some(memory) if memory.state == State::Unsafe => {
                Err(ProposalError::Outside { path: shown })
            }
            Some(memory) => Ok(memory),
            None => Err(ProposalError::Unreadable {
                path: shown,
                error: std::io::ErrorKind::NotFound.into(),
            }),
        }
    }

    /// Where a file of it goes. No folder between may be a link: what lies behind one is not listed, and
    /// would count as gone.
    ///
    /// # Errors
    /// `LinkedFolder`, naming the link.
    pub fn place(&self, path: &str) -> Result<PathBuf> {
        for (slash, _) in path.match_indices('/') {
            let between = self.path.join(&path[..slash]);
            if self.disk.link(&between).is_ok() {
                return Err(ProposalError::LinkedFolder { path: between });
            }
        }
        Ok(self.path.join(path))
    }

    /// Where a rules file really lies: there it was seen to lie.
    ///
    /// # Errors
    /// `LedElsewhere`; `Dangling` where a link on the way leads nowhere.
    fn led(&self, rule: &Path, seen: Option<&Path>) -> Result<PathBuf> {
        let real = self.disk.resolve_existing(rule);
        // What exists of it is resolved: a link that is left has nothing behind it.
        let link = real
            .ancestors()
            .find_map(|at| Some((at.to_path_buf(), self.disk.link(at).ok()?)));
        if let Some((path, to)) = link {
            return Err(ProposalError::Dangling { path, to });
        }
        match seen {
            Some(seen) if seen != real => Err(ProposalError::LedElsewhere {
                path: rule.to_path_buf(),
            }),
            Some(_) | None => Ok(real),
        }
    }

    /// Whether something is at a path of it, as file systems that ignore case see it.
    fn is_taken(&self, path: &str) -> bool {
        let mut memories = self.memories.iter();
        memories.any(|memory| memory.path.eq_ignore_ascii_case(path))
            || self.disk.link(&self.path.join(path)).is_ok()
            || self.disk.metadata(&self.path.join(path)).is_ok()
    }

    fn is_link(&self, path: &Path) -> bool {
        let name = path.file_name();
        let list = path.parent().and_then(|folder| self.disk.list(folder).ok());
        list.is_some_and(|items| {
            items
                .iter()
                .any(|item| Some(&*item.name) == name && item.kind == Kind::Link)
        })
    }

    /// Whether a real place lies in the folder, wherever that is linked from.
    fn holds(&self, real: &Path) -> bool {
        let own = self.disk.resolve(self.path);
        own.is_ok_and(|own| real.starts_with(own))
    }

    /// The pointers of an index text, among the files below `prefix`.
    #[must_use]
    pub fn pointers(&self, text: &str, prefix: &str) -> Vec<Pointer> {
        let own = || {
            self.memories
                .iter()
                .filter_map(|memory| Some((memory, memory.path.strip_prefix(prefix)?)))
        };
        let mut targets = Targets::new(own().map(|(_, path)| path));
        for (memory, path) in own() {
            if let Some(name) = &memory.name {
                targets.name(name, path);
            }
        }
        pointer::read(text, &markdown::marks(text), &targets)
    }
}

#[cfg(test)]
mod tests;

//! Standing rules: the CLAUDE.md family of a working directory as the reference client was seen to
//! read it: which files, in which order, with which text, and what was left out and why. Knows
//! nothing of memories, nor of how a request is built from it.
//!
//! [`read`] gives what a session begins with, [`attached`] what the Read of a file brings along. Each
//! file is read once. A folder's rules come in the order of the system's listing, which is not sorted
//! and may differ on another machine; [`read_listed`] takes a listing from elsewhere.

pub mod around;
mod attach;
mod below;
mod discover;
pub mod glob;
pub mod import;
mod lookalike;
mod page;
pub mod paths;
mod place;
mod reader;
mod why;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

pub use why::{EdgeState, LeftOut, NoImport, Why};

use serde::{Deserialize, Serialize};

use crate::base::disk::{Disk, Item};
use crate::config::client::standing::Exclude;
use paths::Misread;

/// How a version of the reference client reads instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manner {
    /// Front matter, block comments and BOM come off, the rest is trimmed (2.1.112 and later). Else
    /// only the front matter comes off.
    pub tidied: bool,
    /// `AGENTS.md` stands in for project rules (2.1.300 and later).
    pub agents_md: bool,
    /// Of a folder that was added to the session `CLAUDE.local.md` is read too (2.1.112 and later).
    pub added_local: bool,
}

impl Default for Manner {
    /// The newest version that was observed.
    fn default() -> Self {
        Self {
            tidied: true,
            agents_md: true,
            added_local: true,
        }
    }
}

/// Whose instructions a file holds: what its label says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The organisation's.
    Managed,
    /// The person's own, for all projects.
    User,
    /// The repository's, and those of the folders above it.
    Project,
    /// The person's own in a project (`CLAUDE.local.md`).
    Local,
}

/// What a file is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// `CLAUDE.md` or `.claude/CLAUDE.md`.
    Main,
    /// `CLAUDE.local.md`.
    Local,
    /// A file below a `rules` folder.
    Rule,
    /// `AGENTS.md`, which stands in for project rules.
    Agents,
    /// A file that another one names by `@path`.
    Import,
}

/// One file as the model gets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// As the client shows it: a link under the link's name.
    pub path: PathBuf,
    pub layer: Layer,
    pub role: Role,
    /// The body as sent.
    pub text: String,
    /// Position among the entries of the file that names it.
    pub imported_by: Option<usize>,
}

/// A rule that waits for a Read of a file that matches one of its patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conditional {
    pub path: PathBuf,
    pub layer: Layer,
    /// The folder that its patterns are relative to.
    pub base: PathBuf,
    /// One by one, quotes and commas undone, braces as written.
    pub patterns: Vec<String>,
    /// The body as sent.
    pub text: String,
}

/// One reference to another file in the text of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edge {
    pub from: PathBuf,
    /// Line of that file, from 1.
    pub line: usize,
    /// As written, without the `@`.
    pub written: String,
    pub to: PathBuf,
    pub state: EdgeState,
}

impl Edge {
    /// As it stands in the text.
    #[must_use]
    pub fn shown(&self) -> String {
        match self.state {
            EdgeState::NoImport(NoImport::Word) => self.written.clone(),
            EdgeState::NoImport(NoImport::Mention) => {
                let written = &*self.written;
                format!("@{}", import::without_closing(written).unwrap_or(written))
            }
            EdgeState::NoImport(_)
            | EdgeState::Loaded
            | EdgeState::Already
            | EdgeState::LeftOut(_) => format!("@{}", self.written),
        }
    }
}

/// All that a working directory gives, in the order in which it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instructions {
    /// The memory index, which comes last in the request, is not among them.
    pub entries: Vec<Instruction>,
    pub conditional: Vec<Conditional>,
    pub left_out: Vec<LeftOut>,
    pub edges: Vec<Edge>,
    /// What the client does not read as its writer meant it.
    pub notes: Vec<Noted>,
    /// For each file whose text is here: of each line of the text the line of the file, from 1.
    pub lines: HashMap<PathBuf, Vec<usize>>,
    /// Why there is nothing at all: the variable that switches all of it off.
    pub off: Option<String>,
}

/// Something in a rule file that the client does not read as its writer meant it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Noted {
    pub path: PathBuf,
    pub what: Noticed,
}

/// What it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Noticed {
    Misread(Misread),
    /// A pattern that matches nothing because it can't be read, and why.
    BadGlob {
        pattern: String,
        reason: String,
    },
}

/// One file that a Read of another brings along, after the tool's result and without a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attached {
    pub path: PathBuf,
    pub layer: Layer,
    pub role: Role,
    pub text: String,
    /// The pattern that matched; `None`: it comes because of where it lies.
    pub pattern: Option<String>,
}

/// Where one working directory's instructions come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Resolved.
    pub cwd: PathBuf,
    pub home: PathBuf,
    pub config_home: PathBuf,
    /// The organisation's folder.
    pub managed: PathBuf,
    /// What takes files out, the strongest settings first.
    pub excludes: Vec<Exclude>,
    /// Whether imports of the project may leave the working directory.
    pub external_approved: bool,
    /// Folders that were added to the session and whose `CLAUDE.md` is read.
    pub added: Vec<PathBuf>,
    pub sources: Sources,
    /// What switches all of it off: words for a person.
    pub off: Option<String>,
    /// A file as it would be once it is saved: read in the place of the one on disk.
    pub edited: Option<Edited>,
}

/// A file that is being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    pub path: PathBuf,
    pub bytes: Vec<u8>,
}

/// The client's `--setting-sources`. Managed instructions are always read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    pub user: bool,
    pub project: bool,
    pub local: bool,
}

impl Default for Sources {
    fn default() -> Self {
        Self {
            user: true,
            project: true,
            local: true,
        }
    }
}

/// All standing rules of a place: what a session begins with, and what lies below the working
/// directory and comes with a Read there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    pub start: Instructions,
    pub below: Instructions,
}

/// How a folder is listed.
pub type Listing<'a> = dyn Fn(&Path) -> io::Result<Vec<Item>> + 'a;

/// Reads what a session in this place begins with.
#[must_use]
pub fn read(disk: &Disk, place: &Place, manner: &Manner) -> Instructions {
    read_listed(disk, place, manner, &|folder| place.list(disk, folder))
}

/// The same, with a listing of folders from elsewhere.
#[must_use]
pub fn read_listed(
    disk: &Disk,
    place: &Place,
    manner: &Manner,
    listing: &Listing<'_>,
) -> Instructions {
    discover::all(disk, place, manner, listing)
}

/// What a Read of `file` (below the working directory where it is relative) brings along, in the order
/// in which it is attached. What the session began with does not come again.
#[must_use]
pub fn attached(disk: &Disk, place: &Place, manner: &Manner, file: &Path) -> Vec<Attached> {
    attach::all(disk, place, manner, file)
}

/// Reads what a session begins with, and looks for more below the working directory, in so many
/// folders as [`crate::config::limits::RULE_FOLDERS`] says. Below the home folder or what it lies in
/// are other projects' rules: nothing is looked for there.
#[must_use]
pub fn survey(disk: &Disk, place: &Place, manner: &Manner) -> Survey {
    below::survey(disk, place, manner)
}

#[cfg(test)]
#[path = "fixture_for_tests.rs"]
pub(crate) mod fixture;
#[cfg(test)]
#[path = "oracle_tests.rs"]
pub(crate) mod oracle;
#[cfg(test)]
mod tests;

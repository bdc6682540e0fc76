//! Standing rules: the CLAUDE.md family of a working directory as the reference client was seen to
//! read it: which files, in which order, with which text, and what was left out and why. Knows
//! nothing of memories, nor of how a request is built from it.

use std::path::PathBuf;

/// How a version of the reference client reads instructions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manner {
    /// Front matter, block comments and BOM come off, the rest is trimmed (2.1.112 and later). Else
    /// only the front matter comes off.
    pub tidied: bool,
    /// `AGENTS.md` stands in for project rules (2.1.300 and later).
    pub agents_md: bool,
}

impl Default for Manner {
    /// The newest version that was observed.
    fn default() -> Self {
        Self {
            tidied: true,
            agents_md: true,
        }
    }
}

/// Whose instructions a file holds: what its label says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// A file or a reference that gives nothing, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    pub path: PathBuf,
    pub why: Why,
    /// The file and the line (from 1) that name it; `None`: it lies where the client looks.
    pub named: Option<(PathBuf, usize)>,
}

/// Why a file is left out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// By a pattern of `claudeMdExcludes` in this settings file.
    Excluded {
        pattern: String,
        setting: PathBuf,
    },
    /// By `--setting-sources`.
    NoSource,
    /// Nothing is there. `hint`: what would have to be written to find a file of that name.
    Missing {
        hint: Option<String>,
    },
    Folder,
    Binary,
    /// More than this many bytes.
    TooLarge {
        bytes: u64,
    },
    /// It can't be read: what the system says.
    Unreadable(String),
    /// More than four levels below the file that began.
    TooDeep,
    /// It imports itself, by whatever way.
    Cycle,
    /// It leaves the working directory and the person has not approved that.
    External,
    /// No text is left of it.
    Empty,
    /// It belongs to the main checkout that this worktree lies in.
    MainCheckout,
    /// A link that leads nowhere.
    Dangling,
    /// `AGENTS.md`, though a `CLAUDE.md` with text is there: this one.
    StoodIn(PathBuf),
    /// The patterns or the text of all conditional rules are more than the client takes.
    OverLimit,
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

/// What became of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeState {
    Loaded,
    /// It was loaded before, from another place.
    Already,
    LeftOut(Why),
    /// It looks like an import, but the client does not follow it.
    NotFollowed,
    /// It may be a mention of something else: no such file is there.
    Mention,
}

/// All that a working directory gives, in the order in which it is sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instructions {
    /// The memory index, which comes last in the request, is not among them.
    pub entries: Vec<Instruction>,
    pub conditional: Vec<Conditional>,
    pub left_out: Vec<LeftOut>,
    pub edges: Vec<Edge>,
    /// Why there is nothing at all: the variable that switches all of it off.
    pub off: Option<String>,
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
    /// What takes files out, the strongest settings first.
    pub excludes: Vec<Exclude>,
    /// Whether imports of the project may leave the working directory.
    pub external_approved: bool,
    pub sources: Sources,
    /// What switches all of it off: words for a person.
    pub off: Option<String>,
}

/// A pattern of `claudeMdExcludes` and the settings file that it stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclude {
    pub pattern: String,
    pub setting: PathBuf,
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

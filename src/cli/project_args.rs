//! What can be asked of project folders: the arguments of the subcommands that list and change them.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::project::Origin;
use crate::project::archive::Clash;
use crate::project::elsewhere::Kind;

/// Which projects are listed, and in what order.
#[derive(Debug, Clone, Args)]
pub struct ProjectList {
    /// Only those of this origin; may be given more than once
    #[arg(long, value_enum, value_name = "ORIGIN", value_delimiter = ',')]
    pub origin: Vec<OriginWord>,
    /// What they are sorted by; worktrees stand below their repository
    #[arg(long, value_enum, value_name = "BY", default_value_t = Sort::Used)]
    pub sort: Sort,
    /// The other way round
    #[arg(long)]
    pub reverse: bool,
}

/// What is known of the path that a project folder is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OriginWord {
    /// It is there
    Live,
    /// It is there, and shares the memory of its main repository
    Worktree,
    /// More than one path that is there has this key
    Ambiguous,
    /// It is gone, and a likely new home is known
    Moved,
    /// It is gone
    Orphaned,
    /// There is no evidence, or none that can be checked here
    Unknown,
}

impl OriginWord {
    pub fn origin(self) -> Origin {
        match self {
            Self::Live => Origin::Live,
            Self::Worktree => Origin::Worktree,
            Self::Ambiguous => Origin::Ambiguous,
            Self::Moved => Origin::Moved,
            Self::Orphaned => Origin::Orphaned,
            Self::Unknown => Origin::Unknown,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Sort {
    /// The one used last first
    Used,
    Path,
    Origin,
    /// Most memories first
    Memories,
    /// The largest first
    Size,
    /// The one whose transcripts the clean-up takes first
    Left,
}

/// Which project folders go.
#[derive(Debug, Clone, Args)]
pub struct Prune {
    /// Keys, as `loci projects --json` lists them, or the paths that they were about
    #[arg(value_name = "KEY", required = true)]
    pub keys: Vec<String>,
    /// Of a folder that several paths share: only the sessions that ran in this one; may be given more
    /// than once
    #[arg(long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub of: Vec<PathBuf>,
    /// The key once more, of a folder whose memories go with it; may be given more than once
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub with_memories: Vec<String>,
}

/// Which project folder goes, with all that is held of it elsewhere.
#[derive(Debug, Clone, Args)]
pub struct Forget {
    /// Its key, as `loci projects --json` lists it, or a path that it is about
    #[arg(value_name = "KEY")]
    pub key: String,
    /// The key once more, where memories go with it
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub with_memories: Vec<String>,
}

/// A project that moved, and where it is now.
#[derive(Debug, Clone, Args)]
pub struct Relink {
    /// Its key, as `loci projects --json` lists it, or the path where it was; with --also that path too
    /// of one that was relinked before
    #[arg(value_name = "KEY")]
    pub key: String,
    /// Where it is now
    #[arg(value_name = "PATH", value_hint = ValueHint::DirPath)]
    pub path: PathBuf,
    /// Rewrite the old path there too; may be given more than once
    #[arg(long, value_enum, value_name = "WHERE", value_delimiter = ',')]
    pub also: Vec<Also>,
}

/// Where else the client keeps the path of a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Also {
    /// The transcripts of its sessions
    Transcripts,
    /// history.jsonl, the input history
    History,
    /// The projects of .claude.json
    ClaudeJson,
}

impl Also {
    pub fn of(kind: Kind) -> Self {
        match kind {
            Kind::Transcripts => Self::Transcripts,
            Kind::History => Self::History,
            Kind::ClaudeJson => Self::ClaudeJson,
        }
    }

    pub fn kind(self) -> Kind {
        match self {
            Self::Transcripts => Kind::Transcripts,
            Self::History => Kind::History,
            Self::ClaudeJson => Kind::ClaudeJson,
        }
    }

    /// As it is written on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Transcripts => "transcripts",
            Self::History => "history",
            Self::ClaudeJson => "claude-json",
        }
    }
}

/// One project folder into another.
#[derive(Debug, Clone, Args)]
pub struct Merge {
    /// The one that goes: its key, or a path that it is about; KEY/KEY for one that lies inside another
    #[arg(value_name = "KEY")]
    pub key: String,
    /// The one that takes it in
    #[arg(value_name = "INTO")]
    pub into: String,
}

/// Which projects go into an archive.
#[derive(Debug, Clone, Args)]
pub struct Export {
    /// The archive: a tar, gzipped if its name ends in .gz or .tgz; `-` writes it to stdout
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Keys, as `loci projects --json` lists them, or paths [default: the project]
    #[arg(value_name = "KEY", conflicts_with = "all")]
    pub keys: Vec<String>,
    /// All projects
    #[arg(long)]
    pub all: bool,
    /// The transcripts of their sessions too, with what lies beside them
    #[arg(long)]
    pub transcripts: bool,
}

/// What of an archive is taken over, and where it goes.
#[derive(Debug, Clone, Args)]
pub struct Import {
    /// The archive, gzipped or not; `-` reads it from stdin
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub file: PathBuf,
    /// Only this project of it; may be given more than once
    #[arg(long, value_name = "KEY", allow_hyphen_values = true)]
    pub only: Vec<String>,
    /// Into this project, not the one of the same key: a path, or a key that is there
    #[arg(long, value_name = "PATH|KEY", allow_hyphen_values = true, value_hint = ValueHint::DirPath)]
    pub to: Option<String>,
    /// What becomes of a file that is there and says something else
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = OnConflict::Mine)]
    pub on_conflict: OnConflict,
}

/// Which of two files of one name stays.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnConflict {
    /// Yours; the archive's is left
    Mine,
    /// Both: the archive's becomes NAME-imported
    Beside,
    /// The archive's takes the place of yours
    Theirs,
}

impl OnConflict {
    pub fn clash(self) -> Clash {
        match self {
            Self::Mine => Clash::Mine,
            Self::Beside => Clash::Beside,
            Self::Theirs => Clash::Theirs,
        }
    }
}

/// A project folder that holds sessions of several paths.
#[derive(Debug, Clone, Args)]
pub struct Split {
    /// Its key, as `loci projects --json` lists it, or a path that it is about
    #[arg(value_name = "KEY")]
    pub key: String,
}

/// A repository, or one of its worktrees.
#[derive(Debug, Clone, Args)]
pub struct FoldIn {
    /// The key of a repository, or of one of its worktrees, or a path that it is about
    #[arg(value_name = "KEY")]
    pub key: String,
}

//! Why a file or a reference gives nothing, with a sentence for each.

use std::path::PathBuf;

use crate::config::limits::{
    IMPORT_LEVELS, IMPORTS_A_FILE, PATH_PATTERN_BYTES, PATH_PATTERNS, RULE_DEPTH,
};

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
    /// A folder more than this many folders below a rules folder.
    FolderTooDeep,
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
    /// `AGENTS.md`, though these main or local files with text are there: each of them is enough.
    StoodIn(Vec<PathBuf>),
    /// The patterns of all conditional rules are more than are taken.
    OverLimit,
    /// A front matter that is too large to be read: whether the rule is sent is not known.
    NotJudged,
    /// Further references of a text that has more of them than are followed.
    TooMany,
    /// A name that the client only reads in another spelling: this one.
    Spelling(String),
}

impl Why {
    /// What is so, and what to do: the end of a sentence that begins with the file.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Excluded { pattern, setting } => format!(
                "is taken out by `{pattern}` of claudeMdExcludes in {}",
                setting.display()
            ),
            Self::NoSource => "is left out by --setting-sources".to_string(),
            Self::Missing { hint: None } => "is not there".to_string(),
            Self::Missing { hint: Some(hint) } => {
                format!("is not there, but `@{hint}` would be: paths begin at the file that holds them")
            }
            Self::Folder => "is a directory: only files are imported".to_string(),
            Self::Binary => "is no text".to_string(),
            Self::TooLarge { bytes } => {
                format!("is {} MiB large: it is not shown", bytes / 1024 / 1024)
            }
            Self::Unreadable(why) => format!("can't be read: {why}"),
            Self::FolderTooDeep => format!(
                "lies {RULE_DEPTH} folders deep: the rules in it are not looked at"
            ),
            Self::TooDeep => format!(
                "is more than {IMPORT_LEVELS} levels below the file that begins: import it further up"
            ),
            Self::Cycle => "is among the files that lead to it: it is not loaded again".to_string(),
            Self::External => {
                "lies outside the working directory: it is loaded once you have approved that in the client"
                    .to_string()
            }
            Self::Empty => "has no text".to_string(),
            Self::MainCheckout => {
                "belongs to the main checkout, which a worktree inside it does not read".to_string()
            }
            Self::Dangling => "is a link that leads nowhere".to_string(),
            Self::StoodIn(mains) => {
                let named: Vec<String> = mains
                    .iter()
                    .map(|path| path.display().to_string())
                    .collect();
                let are = match named.as_slice() {
                    [] => "a CLAUDE.md is there".to_string(),
                    [one] => format!("{one} is there"),
                    [all @ .., last] => {
                        format!("{} and {last} are there, each of which is enough", all.join(", "))
                    }
                };
                format!("is not read because {are}: import it in a CLAUDE.md with `@AGENTS.md`")
            }
            Self::OverLimit => format!(
                "is left out: the patterns of all conditional rules come to over {PATH_PATTERNS}, or {} MiB",
                PATH_PATTERN_BYTES / 1024 / 1024
            ),
            Self::NotJudged => format!(
                "has a front matter of over {} MiB, which is not read: whether it is sent is not known",
                PATH_PATTERN_BYTES / 1024 / 1024
            ),
            Self::TooMany => {
                format!("has more than {IMPORTS_A_FILE} references: the rest is not followed")
            }
            Self::Spelling(name) => format!("is not read: the client wants `{name}`"),
        }
    }
}

/// What became of a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EdgeState {
    Loaded,
    /// It was loaded before, from another place.
    Already,
    LeftOut(Why),
    /// It looks like an import, and the client takes it for none.
    NoImport(NoImport),
}

/// Why the client takes for no import what looks like one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoImport {
    /// Signs stand around it, and a file of that name is there.
    Enclosed,
    Code,
    Html,
    Link,
    /// Letters stand before the `@`, as in a mail address.
    Word,
    /// It may be a mention of something else: no such file is there.
    Mention,
}

impl NoImport {
    /// The end of a sentence that begins with what is written.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        match self {
            Self::Enclosed => {
                "is not followed: leave a space before the @ and none of the sentence's signs behind the path"
            }
            Self::Code => "stands in code, where nothing is an import",
            Self::Html => "stands in HTML, where nothing is an import",
            Self::Link => "stands in a link, where nothing is an import",
            Self::Word => "is a word, like a mail address: an import has white space before its @",
            Self::Mention => "is taken for a mention: no such file is there",
        }
    }
}

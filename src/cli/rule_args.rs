//! The arguments of the subcommands for standing rules.

use std::ffi::OsString;

use clap::{Args, ValueHint};

use crate::cli::memory_args::Kind;

/// A memory into a rules file.
#[derive(Debug, Clone, Args)]
pub struct Promote {
    /// A path in the project's memory folder, any path, or a name
    #[arg(value_name = "MEMORY", value_hint = ValueHint::FilePath)]
    pub memory: OsString,
    /// user: ~/.claude/CLAUDE.md · project: CLAUDE.md · local: CLAUDE.local.md · or a file of `loci rules`
    #[arg(long, value_name = "WHERE", value_hint = ValueHint::FilePath)]
    pub to: OsString,
}

/// A rule into a memory.
#[derive(Debug, Clone, Args)]
pub struct Demote {
    /// user, project, local or a file of `loci rules`; behind a # a heading, or lines: CLAUDE.md#Tests, CLAUDE.md#12-20
    #[arg(value_name = "FILE[#PART]", value_hint = ValueHint::FilePath)]
    pub rule: OsString,
    /// The memory's name
    #[arg(long, value_name = "NAME")]
    pub name: String,
    /// The memory's type
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub kind: Kind,
    /// What the memory is about, in a line [default: made from the text]
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Put its index line at the head of its list, where it is seen
    #[arg(long)]
    pub first: bool,
}

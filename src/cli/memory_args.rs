//! What can be asked about memories.

use std::ffi::OsString;

use clap::{ArgGroup, Args, ValueEnum, ValueHint};

/// Where a memory goes.
#[derive(Debug, Clone, Args)]
#[command(group(ArgGroup::new("where").args(["new", "to", "team", "private"]).required(true).multiple(true)))]
pub struct Mv {
    /// A path in the project's memory folder, any path, or a name
    #[arg(value_name = "MEMORY", value_hint = ValueHint::FilePath)]
    pub memory: OsString,
    /// The new name; without --to, --team or --private the links to it follow
    #[arg(value_name = "NEW")]
    pub new: Option<String>,
    /// Into the memory folder of another project: its key, or a folder of it
    #[arg(long, value_name = "PROJECT", value_hint = ValueHint::DirPath, allow_hyphen_values = true)]
    pub to: Option<OsString>,
    /// To the team's folder
    #[arg(long, conflicts_with = "to")]
    pub team: bool,
    /// Out of the team's folder
    #[arg(long, conflicts_with_all = ["to", "team"])]
    pub private: bool,
    /// Put its index line at the head of its list, where the model sees it
    #[arg(long, requires = "to")]
    pub first: bool,
}

/// What is copied where.
#[derive(Debug, Clone, Args)]
pub struct Cp {
    /// Paths in the project's memory folder, any paths, or names
    #[arg(value_name = "MEMORY", required = true, value_hint = ValueHint::FilePath)]
    pub memories: Vec<OsString>,
    /// The other project: its key, or a folder of it
    #[arg(long, value_name = "PROJECT", value_hint = ValueHint::DirPath, allow_hyphen_values = true)]
    pub to: OsString,
    /// Another name for it there, if it is one memory
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Put their index lines at the head of their lists, where the model sees them
    #[arg(long)]
    pub first: bool,
}

/// Which memories are listed, and in which order.
#[derive(Debug, Clone, Args)]
pub struct Ls {
    /// Only those that hold all of these in their name, path, description or type
    #[arg(value_name = "WORD")]
    pub words: Vec<OsString>,
    /// All projects, and the memories of sub-agents
    #[arg(long)]
    pub all: bool,
    /// What they are sorted by: the newest first, by name, or the largest first
    #[arg(long, value_enum, value_name = "BY", default_value_t = By::Age)]
    pub sort: By,
}

/// What a list is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum By {
    Age,
    Name,
    Size,
}

/// What a new memory says.
#[derive(Debug, Clone, Args)]
pub struct New {
    /// Its name, which is its file's too: letters a to z, digits, dashes
    #[arg(value_name = "NAME")]
    pub name: String,
    /// What kind of fact it is
    #[arg(long = "type", value_enum, value_name = "TYPE")]
    pub kind: Kind,
    /// What it says, in a line: the model chooses by it
    #[arg(long, value_name = "TEXT")]
    pub description: String,
    /// Its text; `-` reads it from stdin
    #[arg(long, value_name = "TEXT|-", default_value = "")]
    pub body: String,
    /// Put its index line at the head of its list, where the model sees it
    #[arg(long)]
    pub first: bool,
}

/// What of a memory shall be different.
#[derive(Debug, Clone, Args)]
pub struct Edit {
    /// A path in the project's memory folder, any path, or a name
    #[arg(value_name = "MEMORY", value_hint = ValueHint::FilePath)]
    pub memory: OsString,
    /// Set a field where it stands, at the top or under `metadata`
    #[arg(long, value_name = "KEY=VALUE", num_args = 1.., value_parser = pair)]
    pub set: Vec<(String, String)>,
    /// Take a field out
    #[arg(long, value_name = "KEY", num_args = 1..)]
    pub unset: Vec<String>,
    /// Its new text; `-` reads it from stdin
    #[arg(long, value_name = "TEXT|-")]
    pub body: Option<String>,
    /// Leave it as old as it is, whatever is edited (a spelling fix)
    #[arg(long)]
    pub keep_age: bool,
    /// It was checked and is true: make it young, even if nothing else changes
    #[arg(long, conflicts_with = "keep_age")]
    pub verified: bool,
}

/// The four types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    User,
    Feedback,
    Project,
    Reference,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_string(), value.to_string()))
        }
        Some(_) | None => Err("it must be KEY=VALUE".to_string()),
    }
}

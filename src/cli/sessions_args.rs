//! What can be asked about sessions.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueHint;

/// Which sessions are listed, or what is asked about one.
#[derive(Debug, Clone, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct SessionList {
    #[command(subcommand)]
    pub about: Option<Sessions>,
    /// Those of all projects
    #[arg(long)]
    pub all: bool,
    /// Also those that a program had, and those of sub-agents
    #[arg(long)]
    pub every_kind: bool,
}

/// What is asked about one transcript.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum Sessions {
    /// Show what a resume of a session would send, and what it would leave out
    Chain {
        /// The transcript: a .jsonl file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// Show the standing instructions and indexes that were really sent, with their exact texts
    ///
    /// The client records them since 2.1.270.
    Instructions {
        /// The transcript: a .jsonl file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,
    },
    /// List the requests that a transcript records; with an id, print that request as it was sent
    ///
    /// The client records them since 2.1.300.
    Requests {
        /// The transcript: a .jsonl file
        #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
        file: PathBuf,
        /// The id of a request, or the beginning of it
        #[arg(value_name = "ID")]
        id: Option<String>,
    },
    /// Show which turns of which sessions read or wrote a memory, the newest first
    Reads {
        /// A path in the project's memory folder, any path, or a name
        #[arg(value_name = "MEMORY", value_hint = ValueHint::FilePath)]
        memory: OsString,
    },
}

//! What can be asked about sessions.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueHint;

use crate::cli::day_args::DayRange;

/// Which sessions are listed, or what is asked about one.
#[derive(Debug, Clone, clap::Args)]
pub struct SessionList {
    #[command(subcommand)]
    pub about: Option<Sessions>,
    /// Those of all projects
    #[arg(long)]
    pub all: bool,
    /// Also those that a program had, and those of sub-agents
    #[arg(long)]
    pub every_kind: bool,
    /// Those that were at work on any of these days
    #[command(flatten)]
    pub range: DayRange,
}

/// One session.
#[derive(Debug, Clone, clap::Args)]
pub struct Which {
    /// The id of a session, the beginning of it, or the path of a transcript (.jsonl)
    #[arg(value_name = "SESSION", value_hint = ValueHint::FilePath)]
    pub session: PathBuf,
}

/// What is asked about one session.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum Sessions {
    /// Show what a resume of a session would send, and what it would leave out
    Chain(Which),
    /// Show the standing instructions and indexes that were really sent, with their exact texts
    ///
    /// The client records them since 2.1.270.
    Instructions(Which),
    /// List the requests that a transcript records; with an id, print that request as it was sent
    ///
    /// The client records them since 2.1.300.
    Requests {
        #[command(flatten)]
        which: Which,
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
    /// Say what of the rules and the index reached the model in a session, and which memories were read
    ///
    /// What was sent is compared, byte for byte, with what lies on the disk now.
    Proof(Which),
    /// Write a session as Markdown, on stdout or into a file
    Export {
        #[command(flatten)]
        which: Which,
        /// The file, `-` for stdout; one that is there is written over with --yes only, and is gone then
        #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
        to: Option<PathBuf>,
    },
    /// Copy a session out of reach of the client's sweep, with its sub-agents; the original stays
    Rescue(Which),
    /// Copy a rescued session back to where the client finds it, young again
    #[command(name = "bring-back")]
    BringBack(Which),
}

//! What can be asked about sessions.

use std::path::PathBuf;

use clap::ValueHint;

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
}

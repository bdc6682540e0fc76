//! What can be asked about a preview.

use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use crate::base::time::grouped;
use crate::config::limits::{MOST_TURNS, PRICED_TURNS};
use crate::context::memory_prompt::Recall;

/// Whose request is shown, and of which moment.
#[derive(Debug, Clone, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub struct Preview {
    #[allow(
        clippy::option_option,
        reason = "the flag may be left away, and so may its value"
    )]
    /// As the reference client was seen to send it, which is the default; VERSION: as that version
    /// [default: that of the project's newest transcript, else the newest that was looked at]
    #[arg(long, value_name = "VERSION", num_args = 0..=1, require_equals = true)]
    pub observed: Option<Option<String>>,
    /// As our own chat sends it
    #[arg(long, conflicts_with = "observed")]
    pub ours: bool,
    /// The model it is sent to [default: that of the project's newest transcript]
    #[arg(long, value_name = "NAME", value_parser = model)]
    pub model: Option<String>,
    /// What is asked
    #[arg(long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// A file that is read: what it brings along comes with it; may be given again, in the order of reading
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub read: Vec<PathBuf>,
    /// A file that was changed after the newest session began: what it goes on with, and what its next turn
    /// is told
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["after_compaction", "resumed"])]
    pub edited: Option<PathBuf>,
    /// The first request of a sub-agent: one with `memory:` in its file
    #[arg(long, value_name = "NAME", conflicts_with_all = ["after_compaction", "resumed", "edited", "ours"])]
    pub agent: Option<String>,
    /// A folder that is added to the session; may be given again
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, conflicts_with = "ours")]
    pub add_dir: Vec<PathBuf>,
    /// The first request after a compaction, and what becomes of each rule and memory
    #[arg(long)]
    pub after_compaction: bool,
    /// The request of the newest session once it is taken up again
    #[arg(long, conflicts_with = "after_compaction")]
    pub resumed: bool,
    /// How memories reach the model: by the index, fetched for it, or not at all; else with --ours as
    /// `recall` in config.toml says, without by the index
    #[arg(long, value_enum, value_name = "MODE")]
    pub recall: Option<RecallMode>,
    /// Turns of a session over which the price of a standing part is told
    #[arg(long, value_name = "N", default_value_t = PRICED_TURNS, value_parser = turns)]
    pub turns: usize,
    /// Print the request itself as JSON: your files byte for byte as they would be sent, a placeholder for
    /// each text that was not recorded; what is not exact is said on stderr
    #[arg(long, conflicts_with = "json")]
    pub request: bool,
}

/// How memories reach the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecallMode {
    Index,
    Prefetch,
    Off,
}

impl RecallMode {
    /// The mode that it names.
    #[must_use]
    pub fn mode(self) -> Recall {
        match self {
            Self::Index => Recall::Index,
            Self::Prefetch => Recall::Prefetch,
            Self::Off => Recall::Off,
        }
    }
}

/// The name of a model.
fn model(typed: &str) -> Result<String, String> {
    match typed.trim() {
        "" => Err(
            "no model is named: leave --model away for that of the newest transcript".to_string(),
        ),
        name => Ok(name.to_string()),
    }
}

/// Turns of a session.
fn turns(typed: &str) -> Result<usize, String> {
    match typed.parse() {
        Ok(turns @ 1..=MOST_TURNS) => Ok(turns),
        Ok(_) | Err(_) => Err(format!(
            "a session has from 1 to {} turns",
            grouped(MOST_TURNS)
        )),
    }
}

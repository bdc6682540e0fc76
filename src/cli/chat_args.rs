//! What can be said to the agent on the command line.

use clap::Args;

use crate::cli::preview_args::RecallMode;

/// What is said, and in which session.
#[derive(Debug, Clone, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["prompt", "list"]))]
pub struct Chat {
    /// What to say; - reads it from stdin
    #[arg(short, long, value_name = "TEXT")]
    pub prompt: Option<String>,
    /// The sessions of this project, the newest first
    #[arg(long, conflicts_with_all = ["resume", "model", "recall", "yes"])]
    pub list: bool,
    /// Go on with a session: its name, or how it begins
    #[arg(long, value_name = "ID")]
    pub resume: Option<String>,
    /// The model [default: main of [model] in config.toml, else the newest that the provider lists]
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    pub model: Option<String>,
    /// How memories reach the model [default: recall of config.toml]
    #[arg(long, value_name = "MODE", conflicts_with = "resume")]
    pub recall: Option<RecallMode>,
}

//! What can be asked on the command line: the global flags and the subcommands, with their help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{
    Arg, ArgMatches, Args, Command, CommandFactory, FromArgMatches, Parser, ValueEnum, ValueHint,
};
use clap_complete::Shell;

use crate::cli::chat_args::Chat;
use crate::cli::day_args::DayRange;
use crate::cli::help_texts::{ENVIRONMENT, EXAMPLES, EXIT_CODES};
use crate::cli::ledger::LedgerAsked;
use crate::cli::memory_args::{Cp, Edit, Ls, Mv, New};
use crate::cli::preview_args::Preview;
use crate::cli::project_args::{
    Export, FoldIn, Forget, Import, Merge, ProjectList, Prune, Relink, Split,
};
use crate::cli::rule_args::{Demote, Promote};
use crate::cli::sessions_args::SessionList;
use crate::health::Code;

/// The version, with the commit where it is known.
pub const VERSION: &str = env!("LOCI_VERSION");

const TEMPLATE: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

/// See and mend the file-based memory of coding agents
///
/// loci shows the memories that Claude Code keeps in plain files: every project's memories, what
/// each says, the index, and the line below which the model sees nothing. It makes, edits, renames
/// and removes them, a file and its index line in one step that can be undone. Without a subcommand
/// it opens on the full screen.
#[derive(Debug, Parser)]
#[command(
    name = "loci",
    version = VERSION,
    help_template = TEMPLATE,
    before_long_help = EXAMPLES,
    after_long_help = format!("{EXIT_CODES}\n{ENVIRONMENT}"),
    disable_help_subcommand = true,
)]
pub struct Arguments {
    #[command(flatten)]
    pub global: Global,
    #[command(subcommand)]
    pub command: Option<Subcommand>,
}

/// Flags that stand before or after any subcommand.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Everywhere")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "switches of the command line, each on its own"
)]
pub struct Global {
    /// Work on a made-up store in a temporary folder, which goes at the end
    #[arg(long, global = true)]
    pub demo: bool,

    /// The project: its folder, or any folder in its git repository [default: the current directory]
    #[arg(long, global = true, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub cwd: Option<PathBuf>,

    #[arg(
        long,
        global = true,
        value_name = "DIR",
        value_hint = ValueHint::DirPath,
        help = "Where the store lies [default: $CLAUDE_CONFIG_DIR, else ~/.claude]"
    )]
    pub config_home: Option<PathBuf>,

    /// Print JSON: a stable shape for scripts
    #[arg(long, global = true)]
    pub json: bool,

    #[arg(
        long,
        global = true,
        value_enum,
        value_name = "WHEN",
        default_value_t = When::Auto,
        help = "When to use colour; auto: on a terminal, unless $NO_COLOR is set"
    )]
    pub color: When,

    #[arg(
        long,
        global = true,
        help = "Keep a log in our state directory (also $LOCI_LOG)"
    )]
    pub log: bool,

    /// On what writes: print the change as a diff, write nothing
    #[arg(long, global = true)]
    pub dry_run: bool,

    /// On what writes: do what would otherwise be asked first
    #[arg(long, global = true)]
    pub yes: bool,

    /// The screen without what it kept of its last run: project, border, folds, order, scroll
    #[arg(long)]
    pub fresh: bool,

    /// Read as if this folder were `/`; see [`command_with_hidden`].
    #[arg(skip)]
    pub sysroot: Option<PathBuf>,

    /// The moment that ages are counted to, in seconds since 1970; see [`command_with_hidden`].
    #[arg(skip)]
    pub now: Option<i64>,
}

/// The command line with the two flags that tests use: neither help nor completions know them.
pub fn command_with_hidden() -> Command {
    Arguments::command()
        .arg(
            Arg::new(SYSROOT)
                .long(SYSROOT)
                .global(true)
                .hide(true)
                .value_name("DIR")
                .value_parser(clap::value_parser!(PathBuf))
                .conflicts_with("demo"),
        )
        .arg(
            Arg::new(NOW)
                .long(NOW)
                .global(true)
                .hide(true)
                .value_name("SECONDS")
                .allow_negative_numbers(true)
                .value_parser(clap::value_parser!(i64)),
        )
}

const SYSROOT: &str = "sysroot";
const NOW: &str = "now";

/// The arguments with the hidden flags.
///
/// # Errors
/// Wrong usage.
pub fn read(matches: &ArgMatches) -> Result<Arguments, clap::Error> {
    let mut arguments = Arguments::from_arg_matches(matches)?;
    arguments.global.sysroot = matches.get_one(SYSROOT).cloned();
    arguments.global.now = matches.get_one(NOW).copied();
    Ok(arguments)
}

/// When colour is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum When {
    #[default]
    Auto,
    Always,
    Never,
}

#[derive(Debug, clap::Subcommand)]
pub enum Subcommand {
    /// List memories: this project's, or all
    Ls(Ls),
    /// Show one memory: its fields and its text
    Show {
        /// A path in the project's memory folder, any path, or a name
        #[arg(value_name = "MEMORY", value_hint = ValueHint::FilePath)]
        memory: OsString,
        /// As the model reads it with its tool: its age in front, its lines numbered
        #[arg(long)]
        as_read: bool,
    },
    /// Find memories that hold all of some words, then those that are like them
    Search {
        /// What to look for: all words must occur, in any case and order
        #[arg(value_name = "WORD", required = true)]
        words: Vec<OsString>,
        /// In all projects, and the memories of sub-agents
        #[arg(long)]
        all: bool,
        /// So many hits at most, the best ones; 0: all
        #[arg(short = 'n', long, value_name = "N", default_value_t = 100)]
        limit: usize,
    },
    /// Say which memories a question brings along, chosen by the small model, and why; without a model, by words
    Recall {
        /// The question, as one would type it to the agent
        #[arg(value_name = "QUESTION", required = true)]
        question: Vec<OsString>,
        /// Ask no model: choose by words
        #[arg(long)]
        words: bool,
    },
    /// Show the index, and what of it reaches the model
    Index,
    /// List the standing rules (the CLAUDE.md family) in the order in which the model gets them
    Rules,
    /// Make a memory a line of a rules file; the memory goes to the trash with its index line
    Promote(Promote),
    /// Make a rules file, or a part of it, a memory with its index line
    Demote(Demote),
    /// Show what the model would be sent here, part by part: what it costs and what is missing
    Preview(Preview),
    /// Show the folder name that a path is kept under
    Key {
        /// The path [default: the project's]
        #[arg(value_hint = ValueHint::DirPath)]
        path: Option<PathBuf>,
    },
    /// Say whether the client keeps memory in this project, and what decides; switch it on or off
    Memory {
        /// What to do: on and off write your own settings of the project
        #[arg(value_enum, value_name = "SWITCH", default_value_t = Switch::Status)]
        switch: Switch,
    },
    /// Say what is wrong with this project's memories, or with all; mend what needs no guess
    #[command(after_long_help = doctor_help())]
    Doctor(Doctor),
    /// Make a memory and its index line
    New(New),
    /// Change fields or the text of a memory; all else stays as it is, byte by byte
    Edit(Edit),
    /// Give a memory another name, another project, or to the team; its file and its index line go along
    Mv(Mv),
    /// Copy memories into another project, with their index lines: one change a memory
    Cp(Cp),
    /// Move memories to the trash, with their index lines: one change a memory
    Rm {
        /// Paths in the project's memory folder, any paths, or names
        #[arg(value_name = "MEMORY", required = true, value_hint = ValueHint::FilePath)]
        memories: Vec<OsString>,
    },
    /// List every project folder: what it is about and by what evidence, what lies in it
    Projects(ProjectList),
    /// Say what the sessions used and cost, by day and model; with --json also by project and session
    Usage(DayRange),
    /// List the sessions of this project, the newest first, or say what one holds, export it, rescue it
    /// from the client's clean-up
    Sessions(SessionList),
    /// List the requests that our own chat sent to models, the newest first; show one, compare two
    Ledger(LedgerAsked),
    /// Move project folders whose path is gone to the trash: one change a folder
    Prune(Prune),
    /// Give a project that moved its sessions and memories back under its new place
    Relink(Relink),
    /// Put one project folder into another: its sessions, its memories with their index lines
    Merge(Merge),
    /// Give the sessions of other paths, and their memories, back to the folders of those paths
    Split(Split),
    /// Put the memories of a repository's worktrees, also of those that are gone, into its own
    FoldIn(FoldIn),
    /// Move a project folder to the trash, with all that the client holds of it elsewhere
    Forget(Forget),
    /// Put projects into one file: their memories, their indexes and logs, with their ages
    Export(Export),
    /// Take projects over from such a file; nothing that is there is overwritten unasked
    Import(Import),
    /// List what lies in the trash
    Trash {
        /// Remove all of it for good (needs --yes)
        #[arg(long)]
        empty: bool,
    },
    /// Bring back what a change put into the trash
    Restore {
        /// The key of the change, as `loci trash` lists it
        key: String,
    },
    /// List all changes, the newest first; with a key, show what one of them did, as a diff
    History {
        /// The key of a change
        key: Option<String>,
    },
    /// Take a change back
    Undo {
        /// The key of the change, as `loci history` lists it [default: the last one]
        key: Option<String>,
    },
    /// Do again what the last undo took back
    Redo,
    /// Our own settings: where they lie, what is wrong in them, what holds
    #[command(subcommand)]
    Config(Config),
    /// Say which model is set up, where it is asked and where its key comes from; ask it
    Model {
        /// What to do: test sends one tiny request and says what came back
        #[arg(value_enum, value_name = "WHAT", default_value_t = ModelAsked::Show)]
        asked: ModelAsked,
    },
    /// Talk to the agent: say something, or read on where a session ended
    Chat(Chat),
    /// Print completions for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

/// What is asked about our own settings.
#[derive(Debug, Clone, clap::Subcommand)]
pub enum Config {
    /// List our own files and folders
    Path,
    /// Say what is wrong in config.toml, keys.toml and themes
    Check,
    /// Print the settings that hold, as a config.toml
    Print {
        /// The defaults instead
        #[arg(long)]
        default: bool,
    },
}

/// What is looked at, and whether it is mended.
#[derive(Debug, Clone, Args)]
pub struct Doctor {
    /// All projects, and the memories of sub-agents
    #[arg(long)]
    pub all: bool,
    /// Only findings of these codes
    #[arg(long, value_name = "CODE", value_delimiter = ',', value_parser = code)]
    pub code: Vec<Code>,
    /// Mend what needs no guess: each fix is a change of its own, which `loci undo` takes back
    #[arg(long)]
    pub fix: bool,
}

/// What `doctor --help` ends with: the codes, and how to change how loud they are.
fn doctor_help() -> String {
    let codes = Code::ALL.map(|code| {
        let (word, severity) = (code.word(), code.severity().word());
        format!("  {word:<20} {severity:<8} {}\n", code.what())
    });
    format!(
        "Findings:\n{}\nIn config.toml, [health] takes stale_days, stale_project_days, ghost_grace_seconds, and for a\n\
         code \"off\", \"note\", \"warning\" or \"error\". Exit code 1: an error or a warning is left.\n",
        codes.concat()
    )
}

/// Whether memory is kept in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    /// Whether it is on, and what decides
    Status,
    /// Switch it on in .claude/settings.local.json
    On,
    /// Switch it off there
    Off,
}

/// What is asked about the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ModelAsked {
    /// What is set; nothing is sent
    Show,
    /// Whether it answers, and what is wrong if it does not
    Test,
}

fn code(text: &str) -> Result<Code, String> {
    let found = Code::ALL.into_iter().find(|code| code.word() == text);
    found.ok_or_else(|| "no finding has that code: `loci doctor --help` lists them".to_string())
}

/// What matters for an answer even when the arguments as a whole could not be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Glance {
    pub json: bool,
    pub color: When,
}

/// A glance at arguments that could not be read.
pub fn glance(arguments: &[OsString]) -> Glance {
    let mut glance = Glance::default();
    let mut words = arguments.iter().skip(1).filter_map(|word| word.to_str());
    while let Some(word) = words.next() {
        match word {
            "--json" => glance.json = true,
            "--color" => glance.set_color(words.next().unwrap_or_default()),
            "--" => break,
            _ => {
                if let Some(when) = word.strip_prefix("--color=") {
                    glance.set_color(when);
                }
            }
        }
    }
    glance
}

impl Glance {
    fn set_color(&mut self, when: &str) {
        self.color = When::from_str(when, false).unwrap_or_default();
    }
}

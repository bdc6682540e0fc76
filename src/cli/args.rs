//! What can be asked on the command line: the global flags and the subcommands, with their help.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, ValueEnum, ValueHint};
use clap_complete::Shell;

/// The version, with the commit where it is known.
pub const VERSION: &str = env!("LOCI_VERSION");

const TEMPLATE: &str =
    "{about-with-newline}\n{before-help}{usage-heading} {usage}\n\n{all-args}{after-help}";

pub const EXAMPLES: &str = "\
Examples:
  loci                              see all memories, full screen
  loci --demo                       the same on a made-up store, gone when you quit
  loci ls                           this project's memories
  loci ls --all --json              every project's, for a script
  loci show deploy-checklist        one memory: its fields and its text
  loci index                        the index, and where the model stops reading it
  loci key ~/work/shop              the folder name that a path is kept under
";

pub const EXIT_CODES: &str = "\
Exit codes:
  0    done
  2    wrong usage, no such memory, no terminal
  3    something on the disk could not be read
  101  a fault of ours

TERM, HUP, INT and QUIT put the terminal in order, then end the program by that signal.
Nothing is ever written to the store. Results go to stdout, words to stderr.
";

pub const ENVIRONMENT: &str = "\
Environment:
  CLAUDE_CONFIG_DIR  where the store lies
  LOCI_STATE_DIR     where our log and our reports go
  LOCI_LOG           keeps a log: 1, or a level (error, warn, info, debug, trace)
  NO_COLOR           set and not empty: no colour
";

/// See the file-based memory of coding agents
///
/// loci shows the memories that Claude Code keeps in plain files: every project's memories, what
/// each says, the index, and the line below which the model sees nothing. Without a subcommand it
/// opens on the full screen.
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
pub struct Global {
    /// Work on a made-up store in a temporary folder, which goes at the end
    #[arg(long, global = true, conflicts_with = "sysroot")]
    pub demo: bool,

    /// The project: any folder in it [default: the current directory]
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

    /// Read as if this folder were `/`
    #[arg(long, global = true, hide = true, value_name = "DIR")]
    pub sysroot: Option<PathBuf>,

    /// The moment that ages are counted to, in seconds since 1970
    #[arg(
        long,
        global = true,
        hide = true,
        value_name = "SECONDS",
        allow_negative_numbers = true
    )]
    pub now: Option<i64>,
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
    Ls {
        /// All projects, and the memories of sub-agents
        #[arg(long)]
        all: bool,
    },
    /// Show one memory: its fields and its text
    Show {
        /// A path in the project's memory folder, any path, or a name
        #[arg(value_name = "MEMORY", value_hint = ValueHint::FilePath)]
        memory: OsString,
    },
    /// Show the index, and what of it reaches the model
    Index,
    /// Show the folder name that a path is kept under
    Key {
        /// The path [default: the project's]
        #[arg(value_hint = ValueHint::DirPath)]
        path: Option<PathBuf>,
    },
    /// Print completions for a shell
    Completions {
        #[arg(value_enum)]
        shell: Shell,
    },
    /// Print the manual page
    Man,
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

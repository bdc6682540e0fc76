//! The terminal: set-up and tear-down, the loop, and the views, which draw the model and decide
//! nothing.

mod background;
mod glyph;
mod hyperlink;
mod input;
mod panic;
mod pulse;
mod run;
mod screen;
mod sift;
mod terminal;
pub mod theme;
pub mod view;
mod wide;
pub mod widget;

use std::io::IsTerminal as _;
use std::path::PathBuf;

pub use run::run;

use crate::app::action::Keymap;
use crate::app::kept::Kept;
use crate::app::look::Look;
use crate::health::Rules;
use crate::worker::agent::Agency;

/// What the screen is started with.
#[derive(Debug, Clone)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "switches of the command line, each on its own"
)]
pub struct Options {
    /// Whether colours are used; bold, dim, underline and reverse always are.
    pub color: bool,
    /// Whether the terminal is known to take links (OSC 8).
    pub hyperlinks: bool,
    /// Whether the mouse works in the program from the start.
    pub mouse: bool,
    /// The folder that a report of a panic is written to.
    pub reports: PathBuf,
    /// A folder to be removed at the end, however the end comes: the demo's.
    pub cleanup: Option<PathBuf>,
    /// The store is the made-up one.
    pub demo: bool,
    /// The themes and the one that is chosen.
    pub look: Look,
    /// What `E` runs; empty: what the environment names.
    pub editor: String,
    /// The folder of our configuration, where it can be written.
    pub config: Option<PathBuf>,
    /// The keys that hold.
    pub keymap: Keymap,
    /// The measures of health.
    pub rules: Rules,
    /// What models cost, and whom the agent asks.
    pub agency: Agency,
    /// What the last run kept; `None`: nothing is kept from one run to the next.
    pub kept: Option<Kept>,
    /// What is to be said from the start, beside what the store says of itself: sentences.
    pub notices: Vec<String>,
}

/// How the screen ended. The terminal is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// So many drafts are kept.
    Quit { drafts: usize },
    /// A signal asked for the end: the caller is to die by it, with [`die_by`].
    Signal(i32),
}

/// Whether a full screen can be shown.
///
/// # Errors
/// One sentence that says why not and what to use instead.
pub fn check_terminal() -> Result<(), String> {
    let instead = "; `loci ls` lists the memories without a screen";
    if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return Err(format!(
            "the screen needs a terminal for its input and its output{instead}"
        ));
    }
    match std::env::var_os("TERM") {
        Some(term) if !term.is_empty() && term != "dumb" => Ok(()),
        Some(_) | None => Err(format!(
            "TERM is `dumb` or not set: this terminal cannot show a screen{instead}"
        )),
    }
}

/// Ends the process by a signal, as if it had never been caught.
pub fn die_by(signal: i32) {
    // It fails only for signals that do not exist; then the process ends as after a quit.
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

//! The preview: for a folder and a question, what the model would be sent, what it costs, and what is
//! missing. The request is built by the same builders as everything else; nothing is made up that was
//! not observed. Reads files, writes none, and knows nothing of how it is shown.

mod agent;
mod anchor;
mod assemble;
mod fate;
mod gather;
mod group;
mod missing;
mod money;
mod notes;
mod of_ours;
mod picks;
mod read_file;
mod running;
mod transcripts;

use std::path::{Path, PathBuf};

pub use agent::Agent;
pub use fate::{Fate, Survivor, What};
pub use group::{Amount, Group, groups};
pub use missing::{Below, Cut, CutAtStart, Ghosts, LeftOut, NotAnImport, Waiting};
pub use money::{Money, StandingPart};
pub use picks::Picks;
pub use read_file::Unread;

use crate::agents::AgentFile;
use crate::agents::claude::Claude;
use crate::config::limits::PRICED_TURNS;
use crate::config::prices::Prices;
use crate::context::as_read;
use crate::context::memory_prompt::{MemoryPrompt, Recall};
use crate::context::observed::models::AutoCompact;
use crate::context::observed::{data, newest};
use crate::context::ours::Session;
use crate::context::part::{Part, Text};
use crate::context::request::{Block, Params, Request};
use crate::safety::secret::Allowed;
use gather::Source;
pub use transcripts::Transcripts;

/// Whose request is shown.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Layout {
    /// What our own chat sends.
    Ours,
    /// What the reference client was seen to send, by its version; `None`: that of the newest
    /// transcript of the project, else the newest that was looked at.
    Observed(Option<String>),
}

/// The moment of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Moment {
    #[default]
    New,
    /// The newest session is taken up again.
    Resumed,
    /// The first request after a compaction.
    Compacted,
}

/// A file as it would be once it is saved.
pub use crate::instructions::Edited;

/// What a person chooses to see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switches {
    pub layout: Layout,
    /// `None`: the model of the newest transcript, else the one that was observed.
    pub model: Option<String>,
    pub recall: Recall,
    pub moment: Moment,
    pub prompt: Option<String>,
    /// Files that are about to be read, or were read before a compaction, in their order; below `cwd` where
    /// relative.
    pub read: Vec<PathBuf>,
    /// A file that was changed after the session began; below `cwd` or the memory folder where relative.
    pub edited: Option<PathBuf>,
    /// The sub-agent whose first request is shown, by its name; `None`: it is the main conversation's.
    pub agent: Option<String>,
    /// Folders that are added to the session; below `cwd` where relative.
    pub added: Vec<PathBuf>,
    /// Turns over which the price of a standing part is told.
    pub turns: usize,
}

impl Default for Switches {
    /// The first request of a session, as the reference client sends it.
    fn default() -> Self {
        Self {
            layout: Layout::Observed(None),
            model: None,
            recall: Recall::Index,
            moment: Moment::New,
            prompt: None,
            read: Vec::new(),
            edited: None,
            agent: None,
            added: Vec::new(),
            turns: PRICED_TURNS,
        }
    }
}

/// What is to be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Absolute.
    pub cwd: PathBuf,
    pub switches: Switches,
    pub edited: Option<Edited>,
}

/// What stands around a preview: values of our configuration.
#[derive(Debug, Clone, Default)]
pub struct Around {
    pub prices: Prices,
    pub memory_prompt: MemoryPrompt,
    /// What our own chat sends its requests with; the model where it is known.
    pub ours: Params,
    /// Tokens of the window of that model, as the configuration says; `None`: it says none.
    pub window: Option<u64>,
    /// What looks like a secret and is sent as it is.
    pub allowed: Allowed,
    /// What is wrong with any: sentences.
    pub faults: Vec<String>,
}

/// The version whose layout is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub version: String,
    /// It was taken from the newest transcript, or is the newest that is held; nobody asked for it.
    pub guessed: bool,
}

/// What a change that is not saved yet makes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// Tokens of the request, as the file is and as it would be.
    pub tokens: (usize, usize),
    /// Tokens of the file as its tool shows it, where it is read on demand: a memory.
    pub as_read: Option<(usize, usize)>,
}

/// What the model would see.
#[derive(Debug, Clone, PartialEq)]
pub struct Preview {
    pub asked: Asked,
    pub request: Request,
    pub parts: Vec<Part>,
    /// Where the memories of the folder lie.
    pub memory_folder: PathBuf,
    /// The exact text of the block of rules and index; empty where there is none.
    pub rules_block: String,
    /// `None`: it is what our own chat sends.
    pub observed: Option<Shown>,
    pub model: String,
    /// Tokens of the whole request, as far as they are known.
    pub tokens: usize,
    /// There are more: texts whose length is not known, and the tools, which were not recorded. Not so
    /// where an anchor has counted them.
    pub at_least: bool,
    /// They were counted by the provider; else they are an estimate.
    pub exact: bool,
    /// Tokens of the model's window.
    pub window: usize,
    /// Else a note says which figure was taken, and why.
    pub is_window_known: bool,
    /// When the client compacts; `None`: that is not known of our own chat.
    pub compacts: Option<AutoCompact>,
    /// What the provider counted of the newest session's first request, where the total goes by it.
    pub anchor: Option<usize>,
    /// The memory index of the folder, where it is sent.
    pub cut: Option<Cut>,
    /// The index of a session that is taken up again, where it has changed since and was cut.
    pub cut_at_start: Option<CutAtStart>,
    /// The sub-agent whose request it is.
    pub agent: Option<Agent>,
    /// The sub-agents with a memory that there are here.
    pub agents: Vec<AgentFile>,
    /// Files that were to be read and give no text.
    pub unread: Vec<(PathBuf, Unread)>,
    pub left_out: Vec<LeftOut>,
    pub not_imports: Vec<NotAnImport>,
    pub waiting: Vec<Waiting>,
    /// What becomes of rules and memories in a compaction; empty unless that is asked for.
    pub fates: Vec<Survivor>,
    /// `None`: there is no price for the model.
    pub money: Option<Money>,
    /// What is fetched for the question; `None`: that is not the mode.
    pub picks: Option<Picks>,
    pub difference: Option<Difference>,
    /// What one has to know to read it right: sentences.
    pub notes: Vec<String>,
}

impl Preview {
    /// Whether the descriptions of the tools are among the parts.
    #[must_use]
    pub fn has_tools(&self) -> bool {
        !self.request.params.tools.is_empty()
    }

    /// Whether the total counts the tools, though they may be no part.
    #[must_use]
    pub fn counts_tools(&self) -> bool {
        self.has_tools() || self.anchor.is_some()
    }

    /// What is to be said of tools that are no part.
    #[must_use]
    pub fn of_tools(&self) -> Option<&'static str> {
        match (self.has_tools(), self.anchor) {
            (true, _) => None,
            (false, Some(_)) => Some("tools: not recorded, in the total by the provider's count"),
            (false, None) => Some("tools: not counted"),
        }
    }

    /// What of the request is not as it would be sent, byte for byte; `None`: nothing that is known of.
    #[must_use]
    pub fn not_exact(&self) -> Option<String> {
        let pieces = self.request.blocks().flat_map(Block::pieces);
        let lacking = pieces
            .filter(|piece| matches!(piece.text, Text::NotRecorded { .. }))
            .count();
        let texts = match lacking {
            0 => None,
            1 => Some("a placeholder in brackets stands for 1 text that is not known".to_string()),
            many => Some(format!(
                "placeholders in brackets stand for {many} texts that are not known"
            )),
        };
        let tools = (!self.has_tools()).then(|| "the tools are left out".to_string());
        let all: Vec<String> = texts.into_iter().chain(tools).collect();
        (!all.is_empty()).then(|| {
            format!(
                "not the whole request: {}; your own files are exact, byte for byte",
                all.join(", and ")
            )
        })
    }

    /// How the total is to be taken: `at least ≈ `, `≈ `, or nothing where it is exact.
    #[must_use]
    pub fn about(&self) -> &'static str {
        match (self.at_least, self.exact) {
            (true, _) => "at least ≈ ",
            (false, false) => "≈ ",
            (false, true) => "",
        }
    }
}

/// Why there is nothing to show.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreviewError {
    #[error("version {asked:?} of the client was not looked at: name one of {}", held.join(", "))]
    UnknownVersion { asked: String, held: Vec<String> },
    #[error("{} is no folder: name one that is there", .0.display())]
    NoFolder(PathBuf),
    #[error("no sub-agent with a memory is called {asked:?} here: {}", names(held))]
    UnknownAgent { asked: String, held: Vec<String> },
}

/// The names that there are, as the end of a sentence.
fn names(held: &[String]) -> String {
    match held {
        [] => {
            "a file in .claude/agents with `memory:` in its front matter describes one".to_string()
        }
        names => format!("name one of {}", names.join(", ")),
    }
}

/// Builds it. The same files and the same switches give the same bytes.
///
/// # Errors
/// When a folder is not there, the version that is asked for was not looked at, or there is no such
/// sub-agent.
pub fn build(
    store: &Claude,
    transcripts: &mut Transcripts,
    around: &Around,
    asked: &Asked,
) -> Result<Preview, PreviewError> {
    if !store.disk().is_folder(&asked.cwd) {
        return Err(PreviewError::NoFolder(asked.cwd.clone()));
    }
    let source = Source::read(store, transcripts, asked)?;
    let mut preview = assemble::preview(&source, around, asked);
    if asked.edited.is_some() {
        let saved = Asked {
            edited: None,
            ..asked.clone()
        };
        let before = Source::read(store, transcripts, &saved)?;
        let tokens = assemble::preview(&before, around, &saved).tokens;
        preview.difference = Some(Difference {
            tokens: (tokens, preview.tokens),
            as_read: source.as_read,
        });
    }
    Ok(preview)
}

/// What a session of our own chat is begun with in a folder (absolute): the same that a preview of it
/// shows.
///
/// # Errors
/// When the folder is not there.
pub fn session(
    store: &Claude,
    around: &Around,
    cwd: &Path,
    recall: Recall,
) -> Result<Session, PreviewError> {
    if !store.disk().is_folder(cwd) {
        return Err(PreviewError::NoFolder(cwd.to_path_buf()));
    }
    let switches = Switches {
        layout: Layout::Ours,
        recall,
        ..Switches::default()
    };
    let asked = Asked {
        cwd: cwd.to_path_buf(),
        switches,
        edited: None,
    };
    let source = Source::read(store, &mut Transcripts::default(), &asked)?;
    Ok(of_ours::session(
        &source,
        around,
        &asked,
        &around.ours.model,
    ))
}

/// A memory as the model reads it with its tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsRead {
    /// Whose form it has: that of the newest transcript of the working directory, else the newest.
    pub version: &'static str,
    pub text: String,
}

/// Reads a memory as the model's tool would show it. `path` is relative to the memory folder.
///
/// # Errors
/// A sentence: which file, what is wrong, what to do.
pub fn as_read(store: &Claude, folder: &Path, path: &str) -> Result<AsRead, String> {
    let (bytes, modified) = store.bytes(folder, path)?;
    let version = gather::version_here(store, store.cwd());
    let aged = as_read::is_aged(&folder.join(path), folder).then_some(modified);
    Ok(AsRead {
        version: &version.name,
        text: as_read::text(&version.read, &bytes, aged, store.now()),
    })
}

/// The versions that can be shown, newest first.
pub fn versions() -> impl Iterator<Item = &'static str> {
    data::versions().iter().map(|version| version.name.as_str())
}

/// The model with which the newest version was observed.
#[must_use]
pub fn observed_model() -> &'static str {
    "claude-opus-5-5"
}

/// Looks a version up that somebody named.
fn named(name: &str) -> Result<&'static data::Version, PreviewError> {
    let held = data::versions().iter().find(|version| version.name == name);
    held.ok_or_else(|| PreviewError::UnknownVersion {
        asked: name.to_string(),
        held: versions().map(str::to_string).collect(),
    })
}

/// The version that a transcript names, else the newest; and what is to be said of it.
fn guessed(recorded: Option<&str>) -> (&'static data::Version, Option<String>) {
    let Some(name) = recorded else {
        return (newest(), None);
    };
    match data::version(name) {
        None => (newest(), None),
        Some((version, true)) => (version, None),
        Some((version, false)) => {
            let said = format!(
                "the newest transcript is of version {name}, which was not looked at: laid out as by {}",
                version.name
            );
            (version, Some(said))
        }
    }
}

#[cfg(test)]
mod world_for_tests;

#[cfg(test)]
#[path = "preview_tests.rs"]
mod tests;

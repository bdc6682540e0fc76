//! Failures: a sentence, a stable word for scripts, the path it is about, and the exit code. What a
//! person reads goes to stderr; with `--json` an object goes to stdout too.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::base::display;
use crate::health::FixError;
use crate::llm;
use crate::memory::proposal::ProposalError;
use crate::store::StoreError;

/// Exit codes (those that a failure can have).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// Wrong usage, no such memory or key, a write that was refused, no terminal.
    Usage,
    /// Something on the disk, or another writer.
    Disk,
    /// The model can't be asked, or its answer is of no use.
    Model,
}

impl Exit {
    #[must_use]
    pub fn number(self) -> u8 {
        match self {
            Self::Usage => 2,
            Self::Disk => 3,
            Self::Model => 4,
        }
    }
}

/// Something that could not be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Failure {
    pub exit: Exit,
    /// A stable word: `usage`, `terminal`, `not-found`, `ambiguous`, `unreadable`, `output`; of what
    /// writes: `sysroot`, `claimed`, `refused`, `taken`, `below-the-cut`, `outside`, `confirm`, `conflict`,
    /// `busy`, `disk`; of a model those of [`llm::failure::Failure::word`].
    pub code: &'static str,
    pub message: String,
    pub path: Option<PathBuf>,
}

impl Failure {
    #[must_use]
    pub fn usage(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Usage,
            code,
            message: message.into(),
            path: None,
        }
    }

    #[must_use]
    pub fn disk(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            exit: Exit::Disk,
            code,
            message: message.into(),
            path: None,
        }
    }

    /// The sentence, with the line breaks of the path in it as what they are.
    fn in_lines(&self) -> String {
        let path = self.path.as_deref().map(Path::to_string_lossy);
        match path.filter(|path| path.contains(['\n', '\r'])) {
            Some(path) => self.message.replace(&*path, &display::line(&path)),
            None => self.message.clone(),
        }
    }

    #[must_use]
    pub fn at(mut self, path: &Path) -> Self {
        self.path = Some(path.to_path_buf());
        self
    }
}

/// What is wrong with a model.
impl From<llm::failure::Failure> for Failure {
    fn from(failure: llm::failure::Failure) -> Self {
        Self {
            exit: Exit::Model,
            code: failure.word(),
            message: failure.to_string(),
            path: None,
        }
    }
}

/// What the writer could not do.
impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match error {
            StoreError::Conflict { path, .. }
            | StoreError::Overlap { path, .. }
            | StoreError::Twice { path, .. } => Self::disk("conflict", message).at(&path),
            StoreError::Later { path, key, .. } => {
                Self::disk("conflict", format!("{message} with `loci undo {key}`")).at(&path)
            }
            StoreError::Disk { path, .. } => Self::disk("disk", message).at(&path),
            StoreError::Busy { path } => Self::disk("busy", message).at(&path),
            StoreError::Unknown { .. } => Self::usage("not-found", message),
        }
    }
}

/// Why no change could be made of what was asked.
impl From<ProposalError> for Failure {
    fn from(error: ProposalError) -> Self {
        let message = error.to_string();
        match error {
            ProposalError::Unreadable { path, .. } => Self::disk("unreadable", message).at(&path),
            ProposalError::NotText { path }
            | ProposalError::Outside { path }
            | ProposalError::Linked { path }
            | ProposalError::LinkedFolder { path }
            | ProposalError::SameProject { path }
            | ProposalError::Itself { path, .. }
            | ProposalError::NoText { path }
            | ProposalError::LedElsewhere { path }
            | ProposalError::Dangling { path, .. }
            | ProposalError::NoPart { path, .. }
            | ProposalError::FrontMatter { path, .. }
            | ProposalError::Index { path, .. } => Self::usage("refused", message).at(&path),
            ProposalError::Gone { .. } => Self::usage("refused", message),
            ProposalError::Taken { path } => Self::usage("taken", message).at(&path),
            ProposalError::BadName { .. } => Self::usage("usage", message),
        }
    }
}

/// Why a finding could not be mended.
impl From<FixError> for Failure {
    fn from(error: FixError) -> Self {
        match error {
            FixError::Proposal(error) => error.into(),
            FixError::NotNow { ref path, .. } => Self::usage("refused", error.to_string()).at(path),
        }
    }
}

/// Why a run stopped before its end.
#[derive(Debug)]
pub enum Stop {
    /// Help or version: text for stdout.
    Text(String),
    /// The arguments could not be read; the text is the parser's own.
    Usage {
        text: String,
        json: bool,
    },
    Failed {
        failure: Failure,
        json: bool,
    },
    /// Whoever read our stdout has gone. That is no failure, and nothing is said.
    ReaderGone,
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        Self::Failed {
            failure,
            json: false,
        }
    }
}

/// What went wrong while a result was being written.
impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::ReaderGone;
        }
        Failure::disk(
            "output",
            format!("the result could not be written: {error}"),
        )
        .into()
    }
}

#[derive(Serialize)]
struct ErrorShape<'a> {
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    code: &'a str,
    message: &'a str,
    path: Option<std::borrow::Cow<'a, str>>,
}

impl Stop {
    /// The same, to be reported as JSON too.
    #[must_use]
    pub fn with_json(self, json: bool) -> Self {
        match self {
            Self::Failed { failure, .. } => Self::Failed { failure, json },
            other @ (Self::Text(_) | Self::Usage { .. } | Self::ReaderGone) => other,
        }
    }

    /// Says it, on the streams where it belongs, and returns the exit code.
    #[must_use]
    pub fn report(&self) -> u8 {
        match self {
            Self::Text(text) => match io::stdout().write_all(text.as_bytes()) {
                Ok(()) => 0,
                Err(error) => match Self::from(error) {
                    Self::ReaderGone => 0,
                    stop @ (Self::Text(_) | Self::Usage { .. } | Self::Failed { .. }) => {
                        stop.report()
                    }
                },
            },
            Self::Usage { text, json } => {
                if *json {
                    // The parser's first paragraph: what is wrong, and below it what is missing.
                    let said = text.lines().take_while(|line| !line.is_empty());
                    let message = said.map(str::trim).collect::<Vec<_>>().join(" ");
                    let message = message.strip_prefix("error: ").unwrap_or(&message);
                    print_json("usage", message, None);
                }
                say(text.trim_end());
                Exit::Usage.number()
            }
            Self::Failed { failure, json } => {
                if *json {
                    print_json(failure.code, &failure.message, failure.path.as_deref());
                }
                say(&format!("loci: {}", display::block(&failure.in_lines())));
                failure.exit.number()
            }
            Self::ReaderGone => 0,
        }
    }
}

/// Nothing is left to be done if this fails too.
fn print_json(code: &str, message: &str, path: Option<&Path>) {
    let shape = ErrorShape {
        error: ErrorBody {
            code,
            message,
            path: path.map(Path::to_string_lossy),
        },
    };
    if let Ok(text) = serde_json::to_string(&shape) {
        let _ = writeln!(io::stdout(), "{text}");
    }
}

/// A sentence for stderr. A closed stderr is nobody's fault.
pub fn say(sentence: &str) {
    let _ = writeln!(io::stderr(), "{sentence}");
}

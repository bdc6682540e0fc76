//! `chat`: one turn with the agent, without a screen. What it says goes to stdout, what it does to stderr.
//! What it would write waits for a review, unless that is not wanted.

use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::base::clock::Clock;
use crate::base::display;
use crate::base::time::grouped;
use crate::cli::args::Global;
use crate::cli::chat_args::Chat as Arguments;
use crate::cli::chat_shape::TurnShape;
use crate::cli::failure::{Exit, Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::preview_args::RecallMode;
use crate::cli::{Ending, words};
use crate::config::settings::Review;
use crate::context::conversation::Entry;
use crate::context::memory_prompt::{MemoryPrompt, Recall};
use crate::context::preview::Around;
use crate::context::request::{Content, Request, Role};
use crate::engine::begin::{self, Setup};
use crate::engine::conversation::{Asking, Conversation, Onlooker};
use crate::engine::drive::Event;
use crate::engine::recall::SelectorPrompt;
use crate::engine::recall::beside::along;
use crate::engine::session_file::{self, SessionError};
use crate::engine::stop::Stop as Signal;
use crate::llm::answer::{self, Answer, Usage};
use crate::llm::breaker::Breaker;
use crate::llm::client::Client;
use crate::llm::model_or_newest;
use crate::turn::chat::Chat;
use crate::turn::machine::End;
use crate::turn::overlay::Proposal;
use crate::turn::params::params;

pub fn run(asked: &Arguments, global: &Global, output: &mut Output) -> Result<Ending, Stop> {
    if asked.list {
        let opened = Opened::open(global)?;
        list(&opened, global.json, output)?;
        return Ok(Ending::Done);
    }
    let opened = Opened::to_write(global)?;
    let prompt = prompt(asked)?;
    turn(opened, asked, &prompt, global, output)
}

/// What is said; nothing is no thing to say.
fn prompt(asked: &Arguments) -> Result<String, Stop> {
    let text = match asked.prompt.as_deref() {
        Some("-") => {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            text
        }
        Some(text) => text.to_string(),
        None => String::new(),
    };
    match text.trim().is_empty() {
        true => Err(Failure::usage("usage", "nothing is said: give a text with -p").into()),
        false => Ok(text),
    }
}

#[derive(Serialize)]
struct ListShape {
    sessions: Vec<ListedShape>,
}

#[derive(Serialize)]
struct ListedShape {
    id: String,
    path: PathBuf,
    title: String,
    modified: String,
    bytes: u64,
}

fn list(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let folder = begin::sessions(&opened.writer, &opened.store.here().key);
    let listed = session_file::list(&folder);
    if json {
        let shape = |one: session_file::Listed| ListedShape {
            id: one.id,
            path: one.path,
            title: one.title,
            modified: one.modified.rfc3339(),
            bytes: one.bytes,
        };
        return Ok(output.json(&ListShape {
            sessions: listed.into_iter().map(shape).collect(),
        })?);
    }
    if listed.is_empty() {
        output
            .line("no session of yours with the agent here yet: `loci chat -p TEXT` begins one")?;
    }
    let now = opened.store.now();
    for one in listed {
        let id: String = one.id.chars().take(8).collect();
        let age = output
            .look
            .colour
            .paint(Style::Dim, &format!("{:>4}", one.modified.age(now)));
        output.line(&format!("{id}  {age}  {}", display::line(&one.title)))?;
    }
    Ok(())
}

fn turn(
    opened: Opened,
    asked: &Arguments,
    said: &str,
    global: &Global,
    output: &mut Output,
) -> Result<Ending, Stop> {
    let client = Client::new(opened.provider()?);
    for warning in client.provider.warnings() {
        say(&format!("loci: {warning}"));
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let clock = Clock::set(opened.store.now());
    let recalling = opened.config.settings.recall;
    let recall = asked.recall.map_or(recalling.mode, RecallMode::mode);
    let (prompt, faults) = SelectorPrompt::read(&opened.disk, &opened.places.config);
    for fault in faults {
        say(&display::line(&fault.to_string()));
    }
    let setup = setup(opened, recall, global);
    setup
        .ledger()
        .prune(clock.now())
        .map_err(|error| Failure::disk("disk", error.to_string()))?;
    let cwd = setup.store.cwd().to_path_buf();
    let mut talk = match &asked.resume {
        Some(id) => {
            let path = session_file::named(&setup.sessions(&cwd), id).map_err(Failure::from)?;
            Conversation::resume(&setup, &cwd, &path).map_err(Failure::from)?
        }
        None => {
            let named = asked.model.as_deref().or(client.provider.main.as_deref());
            let model = runtime
                .block_on(model_or_newest(&client, named))
                .map_err(Failure::from)?;
            let begun = Conversation::begin(&setup, &cwd, &model, clock.now());
            begun.map_err(|error| Failure::usage("not-found", error.to_string()))?
        }
    };
    let first = talk.chat.entries.len();
    let mut onlooker = InTerminal {
        is_quiet: global.json,
        proposals: Vec::new(),
        usage: None,
    };
    let stop = Signal::default();
    let mut breaker = Breaker::new("recall");
    let asking = Asking {
        setup: &setup,
        model: &client,
        selector: client.provider.selector(),
        prompt: &prompt,
        breaker: &mut breaker,
        recalling,
        clock,
        stop: &stop,
    };
    let interrupted = async {
        let _ = tokio::signal::ctrl_c().await;
        stop.set();
    };
    let turn = Box::pin(talk.say(said, asking, &mut onlooker));
    let end = runtime.block_on(along(turn, interrupted));
    told(&talk.chat, first, &end, &onlooker, global.json, output)
}

/// What conversations here have.
fn setup(opened: Opened, recall: Recall, global: &Global) -> Setup {
    let (memory_prompt, faults) = MemoryPrompt::read(&opened.disk, &opened.places.config);
    for fault in faults {
        say(&display::line(&fault.to_string()));
    }
    let allowed = opened.rules().allowed;
    let settings = opened.config.settings;
    Setup {
        around: Around {
            prices: settings.prices.clone(),
            memory_prompt,
            ours: params(&settings.model),
            window: settings.model.window,
            allowed,
            faults: Vec::new(),
        },
        recall,
        review: match global.yes {
            true => Review::Auto,
            false => settings.review,
        },
        keep: settings.keep,
        store: opened.store,
        writer: Arc::new(opened.writer),
    }
}

/// Says what came of the turn, and how it ends.
fn told(
    chat: &Chat,
    first: usize,
    end: &End,
    onlooker: &InTerminal,
    json: bool,
    output: &mut Output,
) -> Result<Ending, Stop> {
    if json {
        output.json(&TurnShape::of(chat, first, end, onlooker))?;
    } else {
        for entry in &chat.entries[first..] {
            let text = said(entry);
            if !text.trim().is_empty() {
                for line in display::block(&text).lines() {
                    output.line(line)?;
                }
            }
        }
        if !onlooker.proposals.is_empty() {
            let id: String = chat.id.chars().take(8).collect();
            say(&format!(
                "{} for review: the agent's pane asks about {}, when session {id} is taken up there; --yes writes at once",
                words::counted(onlooker.proposals.len(), "change", "changes"),
                if onlooker.proposals.len() == 1 {
                    "it"
                } else {
                    "them"
                },
            ));
        }
    }
    match end {
        End::Answered => Ok(Ending::Done),
        End::Interrupted => Ok(Ending::Interrupted),
        End::Failed(failure) => Err(Failure::from((**failure).clone()).into()),
        End::Cut { .. } | End::Refused | End::TooLong => Err(Failure {
            exit: Exit::Model,
            code: word(end),
            message: why(end),
            path: None,
        }
        .into()),
    }
}

/// A stable word for how a turn ended.
pub(super) fn word(end: &End) -> &'static str {
    match end {
        End::Answered => "answered",
        End::Cut { .. } => "cut",
        End::Refused => "refused",
        End::Interrupted => "interrupted",
        End::Failed(_) => "failed",
        End::TooLong => "too-long",
    }
}

/// Why a turn ended before its time: a sentence.
fn why(end: &End) -> String {
    match end {
        End::Cut { not_run: 0, .. } => {
            "the answer was cut at its limit; say \"go on\" with --resume".to_string()
        }
        End::Cut { not_run, .. } => format!(
            "the answer was cut at its limit, and {not_run} calls of tools in it were not run; say \"go on\" with --resume"
        ),
        End::Refused => "the model would not answer this".to_string(),
        End::TooLong => {
            "the turn asked for tools too often and was ended; say \"go on\" with --resume"
                .to_string()
        }
        End::Answered | End::Interrupted | End::Failed(_) => String::new(),
    }
}

/// What the model says in an entry.
pub(super) fn said(entry: &Entry) -> String {
    match entry {
        Entry::Said {
            role: Role::Assistant,
            blocks,
            ..
        } => {
            let texts = blocks
                .iter()
                .filter(|block| matches!(block.content, Content::Text(_)));
            texts
                .map(|block| block.shown().into_owned())
                .collect::<Vec<_>>()
                .join("\n\n")
        }
        Entry::Said { .. } | Entry::Attached { .. } | Entry::Boundary { .. } => String::new(),
    }
}

/// A person at a terminal, or a program.
pub(super) struct InTerminal {
    /// Nothing but the result is told.
    is_quiet: bool,
    pub(super) proposals: Vec<Proposal>,
    /// Of all requests.
    pub(super) usage: Option<Usage>,
}

impl InTerminal {
    fn say(&self, text: &str) {
        if !self.is_quiet {
            say(&display::line(text));
        }
    }
}

impl Onlooker for InTerminal {
    fn sent(&mut self, _request: &Request, answer: Option<&Answer>) {
        if let Some(usage) = answer.and_then(|answer| answer.usage) {
            self.usage.get_or_insert_default().add(&usage);
        }
    }

    fn tell(&mut self, event: Event) {
        match event {
            Event::Called { told, is_error, .. } => {
                self.say(&format!("{} {told}", if is_error { "✗" } else { "·" }));
            }
            Event::Proposed(proposal) => self.proposals.push(proposal),
            Event::NotKept(why) => say(&format!("loci: {}", display::line(&why))),
            Event::Came(answer::Event::Again { why, wait, attempt }) => {
                let wait = wait.as_secs_f64();
                self.say(&format!(
                    "loci: {why}: asked again in {wait:.1} s (try {attempt})"
                ));
            }
            Event::Asking(total) => {
                tracing::info!(tokens = grouped(total.tokens), "a request goes out");
            }
            Event::Recalled(recalled) => {
                let names: Vec<&str> = recalled.picked.iter().map(|one| &*one.path).collect();
                let (many, by) = (recalled.candidates, recalled.by.word());
                self.say(&format!(
                    "↺ recalled {} of {many} by {by}: {}",
                    names.len(),
                    names.join(", ")
                ));
            }
            Event::Entered(_) | Event::Came(_) | Event::Calling(_) | Event::Ended(_) => {}
        }
    }
}

impl From<SessionError> for Failure {
    fn from(error: SessionError) -> Self {
        let message = error.to_string();
        match error {
            SessionError::Unknown { .. }
            | SessionError::Several { .. }
            | SessionError::Foreign { .. } => Self::usage("not-found", message),
            SessionError::Busy { .. } => Self::disk("busy", message),
            SessionError::NotKept { path, .. }
            | SessionError::Unread { path, .. }
            | SessionError::Large { path } => Self::disk("disk", message).at(&path),
        }
    }
}

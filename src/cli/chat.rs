//! `chat`: one turn with the agent, without a screen. What it says goes to stdout, what it does to stderr.
//! What it would write waits for a review, unless that is not wanted.

use std::io::{self, Read as _};
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use crate::base::clock::Clock;
use crate::base::disk::Disk;
use crate::base::display;
use crate::base::fault::Faults;
use crate::base::time::{Moment, grouped};
use crate::cli::args::Global;
use crate::cli::chat_args::Chat as Arguments;
use crate::cli::failure::{Exit, Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::preview_args::RecallMode;
use crate::cli::{Ending, words};
use crate::config::recall::Recalling;
use crate::config::settings::Review;
use crate::context::conversation::Entry;
use crate::context::ledger::{self, Ledger, Purpose};
use crate::context::memory_prompt::{MemoryPrompt, Recall};
use crate::context::preview::Around;
use crate::context::request::{Content, Request, Role};
use crate::engine::begin::Setup;
use crate::engine::books::Books;
use crate::engine::drive::{Drive, Event, Hands};
use crate::engine::meanwhile;
use crate::engine::recall::beside::{Beside, Wish, along};
use crate::engine::recall::{self, Prefetch, Selector, SelectorPrompt};
use crate::engine::session_file::{self, SessionError, SessionFile};
use crate::engine::stop::Stop as Signal;
use crate::llm::answer::{Answer, Usage};
use crate::llm::breaker::Breaker;
use crate::llm::client::Client;
use crate::llm::model_or_newest;
use crate::store::diff;
use crate::turn::chat::Chat;
use crate::turn::machine::End;
use crate::turn::overlay::{Overlay, Proposal};
use crate::turn::params::params;
use crate::turn::record::Item;
use crate::turn::tools::Toolbox;

/// The folder of our sessions, and of the ledger, in our state.
const SESSIONS: &str = "sessions";
const LEDGER: &str = "ledger";

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

fn folder(opened: &Opened) -> PathBuf {
    opened
        .writer
        .own_file(SESSIONS)
        .join(opened.store.here().key)
}

fn list(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let listed = session_file::list(&folder(opened));
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
    prompt: &str,
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
    let folder = folder(&opened);
    let sessions = opened.writer.own_file(LEDGER);
    let keep = opened.config.settings.keep;
    let keep = ledger::Keep {
        days: keep.ledger_days,
        bytes: keep.ledger_bytes,
    };
    let ledger = Ledger::new(sessions, keep, Faults::default());
    ledger
        .prune(clock.now())
        .map_err(|error| Failure::disk("disk", error.to_string()))?;
    let recalling = opened.config.settings.recall;
    let recall = asked.recall.map_or(recalling.mode, RecallMode::mode);
    let (selector_prompt, faults) = SelectorPrompt::read(&opened.disk, &opened.places.config);
    for fault in faults {
        say(&display::line(&fault.to_string()));
    }
    let setup = setup(opened, recall, global);
    let cwd = setup.store.cwd().to_path_buf();
    let (mut chat, overlay, books) = match &asked.resume {
        Some(id) => {
            let path = session_file::named(&folder, id).map_err(Failure::from)?;
            let resumed = SessionFile::resume(&path, |id| setup.header(&cwd, id));
            let (file, mut read) = resumed.map_err(Failure::from)?;
            // Who may pass is not kept with a session: what is allowed now holds.
            read.chat.session.allowed = setup.around.allowed.clone();
            let books = Books::resumed(file, &read.chat.id, ledger);
            (read.chat, read.overlay, books)
        }
        None => {
            let named = asked.model.as_deref().or(client.provider.main.as_deref());
            let model = runtime
                .block_on(model_or_newest(&client, named))
                .map_err(Failure::from)?;
            let begun = setup.begin(&cwd, &model, clock.now());
            let chat = begun.map_err(|error| Failure::usage("not-found", error.to_string()))?;
            let books = Books::new(folder, setup.header(&cwd, &chat.id), &chat.session, ledger);
            (chat, Overlay::default(), books)
        }
    };
    let mut tools = setup.tools(&cwd, &chat.session, overlay);
    let first = chat.entries.len();
    let mut hands = InTerminal {
        clock,
        books,
        is_quiet: global.json,
        proposals: Vec::new(),
        usage: None,
        notes: Vec::new(),
        beside: None,
    };
    if first > 0 {
        let fresh = setup.begin(&cwd, &chat.session.params.model, clock.now());
        hands.notes = fresh.map_or_else(
            |_| Vec::new(),
            |fresh| meanwhile::notes(&chat, &fresh.session),
        );
    }
    let doing = Doing {
        client: &client,
        chat: &mut chat,
        tools: &mut tools,
        hands: &mut hands,
        recalling,
        prompt: &selector_prompt,
    };
    let end = runtime.block_on(Box::pin(doing.turn(prompt, setup.store.disk())));
    told(&chat, first, &end, &hands, global.json, output)
}

/// A turn that is done here and now.
struct Doing<'a> {
    client: &'a Client,
    chat: &'a mut Chat,
    tools: &'a mut Toolbox,
    hands: &'a mut InTerminal,
    recalling: Recalling,
    /// What the selector of recall is told.
    prompt: &'a SelectorPrompt,
}

impl Doing<'_> {
    /// Recall runs beside it; ctrl-c ends it.
    async fn turn(self, said: &str, disk: &Disk) -> End {
        let wish = Wish::of(disk, self.chat, said, self.prompt, self.hands.now());
        let words = self.recalling.is_ranker_first(true);
        let words =
            words.then(|| recall::by_words(&wish.asked(), "recall_ranker_first asks for it").ok());
        let (prefetch, running) = Prefetch::new(words.flatten());
        let mut beside = Beside::new(prefetch);
        let mut breaker = Breaker::new("recall");
        let provider = &self.client.provider;
        let named = provider.small.clone().or(provider.main.clone());
        let selector = Selector {
            model: self.client,
            name: named.as_deref(),
            breaker: &mut breaker,
        };
        let is_wanted = self.chat.session.recall == Recall::Prefetch;
        let work = async {
            if is_wanted {
                running.run(wish.choose(Some(selector))).await;
            }
        };
        let stop = Signal::default();
        let wait = self.recalling.wait();
        let turn = async {
            if is_wanted {
                // As long as is set; what is not there by then comes with a later request.
                beside.before_first(wait).await;
                self.hands.beside = Some(beside);
            }
            let drive = Drive {
                model: self.client,
                chat: self.chat,
                tools: self.tools,
                hands: self.hands,
                stop: &stop,
            };
            drive.turn(said).await
        };
        let interrupted = async {
            let _ = tokio::signal::ctrl_c().await;
            stop.set();
        };
        Box::pin(along(along(turn, work), interrupted)).await
    }
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
        store: opened.store,
        writer: Arc::new(opened.writer),
    }
}

/// Says what came of the turn, and how it ends.
fn told(
    chat: &Chat,
    first: usize,
    end: &End,
    hands: &InTerminal,
    json: bool,
    output: &mut Output,
) -> Result<Ending, Stop> {
    if json {
        output.json(&TurnShape::of(chat, first, end, hands))?;
    } else {
        for entry in &chat.entries[first..] {
            let text = said(entry);
            if !text.trim().is_empty() {
                for line in display::block(&text).lines() {
                    output.line(line)?;
                }
            }
        }
        if !hands.proposals.is_empty() {
            let id: String = chat.id.chars().take(8).collect();
            say(&format!(
                "{} for review: the agent's pane asks about {}, when session {id} is taken up there; --yes writes at once",
                words::counted(hands.proposals.len(), "change", "changes"),
                if hands.proposals.len() == 1 {
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
fn word(end: &End) -> &'static str {
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
fn said(entry: &Entry) -> String {
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

#[derive(Serialize)]
struct TurnShape {
    session: String,
    model: String,
    /// What it said, call by call.
    text: String,
    end: &'static str,
    calls: Vec<CallShape>,
    proposals: Vec<ProposalShape>,
    usage: Option<UsageShape>,
}

#[derive(Serialize)]
struct CallShape {
    name: String,
    input: serde_json::Value,
    /// What came of it.
    result: Option<String>,
    is_error: bool,
}

#[derive(Serialize)]
struct ProposalShape {
    title: String,
    diff: String,
}

#[derive(Serialize)]
struct UsageShape {
    input: u64,
    output: u64,
    cache_read: u64,
    cache_creation: u64,
}

impl TurnShape {
    fn of(chat: &Chat, first: usize, end: &End, hands: &InTerminal) -> Self {
        let new = &chat.entries[first..];
        let texts: Vec<String> = new
            .iter()
            .map(said)
            .filter(|text| !text.is_empty())
            .collect();
        let calls = crate::turn::chat::uses(new).map(|one| {
            let (result, is_error) = outcome(new, one.id);
            CallShape {
                name: one.name.to_string(),
                input: one.input.clone(),
                result,
                is_error,
            }
        });
        Self {
            session: chat.id.clone(),
            model: chat.session.params.model.clone(),
            text: texts.join("\n\n"),
            end: word(end),
            calls: calls.collect(),
            proposals: hands
                .proposals
                .iter()
                .map(|proposal| ProposalShape {
                    title: proposal.title.clone(),
                    diff: diff::of_set(&proposal.change_set(&chat.id)),
                })
                .collect(),
            usage: hands.usage.map(|usage| UsageShape {
                input: usage.input,
                output: usage.output,
                cache_read: usage.cache_read,
                cache_creation: usage.cache_creation,
            }),
        }
    }
}

/// What came of a call, and whether that is an error.
fn outcome(entries: &[Entry], of: &str) -> (Option<String>, bool) {
    let blocks = entries.iter().flat_map(|entry| match entry {
        Entry::Said { blocks, .. } => blocks.as_slice(),
        Entry::Attached { .. } | Entry::Boundary { .. } => &[],
    });
    let mut results = blocks.filter_map(|block| match &block.content {
        Content::ToolResult {
            id,
            result,
            is_error,
        } if id == of => Some((result, *is_error)),
        _ => None,
    });
    match results.next() {
        Some((result, is_error)) => (Some(result.shown().into_owned()), is_error),
        None => (None, false),
    }
}

/// A turn whose onlooker is a person at a terminal, or a program.
struct InTerminal {
    clock: Clock,
    books: Books,
    /// Nothing but the result is told.
    is_quiet: bool,
    proposals: Vec<Proposal>,
    /// Of all requests.
    usage: Option<Usage>,
    /// What the first request tells of what changed meanwhile.
    notes: Vec<Vec<crate::context::part::Piece>>,
    /// Memories that are chosen for the question.
    beside: Option<Beside>,
}

impl InTerminal {
    fn say(&self, text: &str) {
        if !self.is_quiet {
            say(&display::line(text));
        }
    }
}

impl Hands for InTerminal {
    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn keep(&mut self, item: Item<'_>) -> Result<(), String> {
        let kept = self.books.keep(item, self.clock.now());
        kept.map_err(|error| error.to_string())
    }

    fn sent(&mut self, request: &Request, answer: Option<&Answer>) {
        if let Some(usage) = answer.and_then(|answer| answer.usage) {
            self.usage.get_or_insert_default().add(&usage);
        }
        let written = self
            .books
            .sent(request, answer, Purpose::Chat, self.clock.now());
        if let Err(why) = written {
            say(&format!("loci: {}", display::line(&why)));
        }
    }

    fn between(&mut self, chat: &mut Chat, _tools: &mut Toolbox) {
        let now = self.clock.now();
        for pieces in std::mem::take(&mut self.notes) {
            chat.attach(pieces, now);
        }
        if let Some(recalled) = self
            .beside
            .as_mut()
            .and_then(|beside| beside.put(chat, now))
        {
            let names: Vec<&str> = recalled.picked.iter().map(|one| &*one.path).collect();
            let (many, by) = (recalled.candidates, recalled.by.word());
            self.say(&format!(
                "↺ recalled {} of {many} by {by}: {}",
                names.len(),
                names.join(", ")
            ));
        }
    }

    fn tell(&mut self, event: Event) {
        match event {
            Event::Called { told, is_error, .. } => {
                self.say(&format!("{} {told}", if is_error { "✗" } else { "·" }));
            }
            Event::Proposed(proposal) => self.proposals.push(proposal),
            Event::NotKept(why) => say(&format!("loci: {}", display::line(&why))),
            Event::Came(crate::llm::answer::Event::Again { why, wait, attempt }) => {
                let wait = wait.as_secs_f64();
                self.say(&format!(
                    "loci: {why}: asked again in {wait:.1} s (try {attempt})"
                ));
            }
            Event::Asking(total) => {
                tracing::info!(tokens = grouped(total.tokens), "a request goes out");
            }
            Event::Entered(_)
            | Event::Came(_)
            | Event::Calling(_)
            | Event::Recalled(_)
            | Event::Ended(_) => {}
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

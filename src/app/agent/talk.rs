//! What was said and done in a conversation with the agent, item by item, made of what is told of its turns.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;

use super::warmth::Warmth;
use crate::app::message::FoundMemory;
use crate::base::time::grouped;
use crate::context::conversation::Entry;
use crate::context::part::{Kind, Piece};
use crate::context::request::{Content, Role};
use crate::engine::drive::Event;
use crate::engine::recall::Recalled;
use crate::engine::review::Decided;
use crate::llm::answer;
use crate::store::diff;
use crate::turn::machine::End;
use crate::turn::overlay::Proposal;
use crate::turn::record::Decision;

/// One thing in the conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    You(String),
    /// What the agent said, Markdown.
    Agent(String),
    Call {
        id: String,
        name: String,
        /// What it is about, in a few words.
        about: String,
        /// What came of it, and whether that is an error; `None`: it is not there yet.
        result: Option<(String, bool)>,
    },
    /// Memories that were attached: names and files.
    Recalled(Vec<(String, PathBuf)>),
    /// Memories that were found for what was typed, and why those.
    Found(Vec<FoundMemory>),
    /// Something for a person to decide on.
    Card(Card),
    /// A word of ours.
    Note(String),
    /// What went wrong: a sentence.
    Fault(String),
}

/// A proposal of the agent's.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    pub id: String,
    pub title: String,
    /// Of all its files.
    pub diff: String,
    /// Its files and what each would hold; `None`: it goes.
    pub files: Vec<(PathBuf, Option<String>)>,
    /// `None`: it waits.
    pub decided: Option<Decision>,
}

/// What the agent does.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum State {
    #[default]
    Idle,
    /// A model is asked, and nothing of its answer is there.
    Asking,
    Thinking,
    Answering,
    /// A tool runs, by its name.
    Running(String),
}

/// A conversation.
#[derive(Debug, Default)]
pub struct Talk {
    pub items: Vec<Item>,
    pub state: State,
    /// The model that is asked; empty until it is known.
    pub model: String,
    /// Tokens of the last request, and whether the provider counted all of them.
    pub tokens: Option<(usize, bool)>,
    /// Tokens of the model's window, where that is known.
    pub window: Option<usize>,
    pub warmth: Warmth,
    /// Why recall by the model has stopped, where it has.
    pub stopped: Option<String>,
    session: String,
    /// The item that is being written.
    live: Option<usize>,
    /// The first item that changed since it was laid out.
    changed: usize,
}

impl Talk {
    /// The first item that may differ from when this was asked last.
    pub(super) fn take_changed(&mut self) -> usize {
        std::mem::replace(&mut self.changed, self.items.len())
    }

    /// The item that is being written.
    #[must_use]
    pub fn live(&self) -> Option<usize> {
        self.live
    }

    /// Whether a turn is on its way.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.state != State::Idle
    }

    /// A question goes out.
    pub fn asking(&mut self) {
        self.state = State::Asking;
    }

    /// The card of a proposal that waits.
    #[must_use]
    pub fn card(&self, id: &str) -> Option<&Card> {
        self.waiting()
            .map(|(_, card)| card)
            .find(|card| card.id == id)
    }

    /// A conversation began, or was taken up.
    pub fn begun(&mut self, session: &str, model: &str, window: Option<usize>) {
        self.session = session.to_string();
        self.model = model.to_string();
        self.window = window;
    }

    /// What waits for a person.
    #[must_use]
    pub fn waiting(&self) -> impl DoubleEndedIterator<Item = (usize, &Card)> {
        self.items
            .iter()
            .enumerate()
            .filter_map(|(at, item)| match item {
                Item::Card(card) if card.decided.is_none() => Some((at, card)),
                _ => None,
            })
    }

    pub fn push(&mut self, item: Item) {
        self.changed = self.changed.min(self.items.len());
        self.items.push(item);
    }

    fn touch(&mut self, at: usize) {
        self.changed = self.changed.min(at);
    }

    /// Takes what happened in a turn.
    pub fn take(&mut self, event: Event) {
        match event {
            Event::Entered(entry) => self.entered(&entry),
            Event::Asking(total) => {
                self.state = State::Asking;
                self.tokens = Some((total.tokens, total.exact));
                self.live = None;
            }
            Event::Came(event) => self.came(event),
            Event::Recalled(recalled) => self.recalled(&recalled),
            Event::Calling(call) => self.state = State::Running(call.name),
            Event::Called { .. } => {}
            Event::Proposed(proposal) => self.proposed(&proposal),
            Event::NotKept(why) => self.push(Item::Fault(why)),
            Event::Ended(end) => self.ended(&end),
        }
    }

    /// Which memories were chosen for the question, by whom, and what was left out.
    fn recalled(&mut self, recalled: &Recalled) {
        let by = recalled.by.word();
        let mut said = format!(
            "recalled {} of {} by {by}",
            recalled.picked.len(),
            recalled.candidates
        );
        for one in &recalled.dropped {
            let _ = write!(said, " · not {}: {}", one.path, one.why);
        }
        if let Some(note) = &recalled.note {
            let _ = write!(said, " · {note}");
        }
        self.push(Item::Note(said));
    }

    /// Memories were found for what was typed.
    pub fn found(&mut self, asked: String, said: String, memories: Vec<FoundMemory>) {
        self.state = State::Idle;
        self.push(Item::You(asked));
        self.push(Item::Note(said));
        if !memories.is_empty() {
            self.push(Item::Found(memories));
        }
    }

    /// An answer of ours.
    pub fn noted(&mut self, said: Vec<String>) {
        self.state = State::Idle;
        for said in said {
            self.push(Item::Note(said));
        }
    }

    /// What a session holds that is taken up again.
    pub fn restore(&mut self, entries: &[Entry], waiting: &[Proposal]) {
        for entry in entries {
            self.entered(entry);
        }
        for proposal in waiting {
            self.proposed(proposal);
        }
    }

    fn came(&mut self, event: answer::Event) {
        match event {
            answer::Event::Text { text, .. } => {
                self.state = State::Answering;
                match self.live {
                    Some(at) => {
                        if let Some(Item::Agent(said)) = self.items.get_mut(at) {
                            said.push_str(&text);
                        }
                        self.touch(at);
                    }
                    None => {
                        self.live = Some(self.items.len());
                        self.push(Item::Agent(text));
                    }
                }
            }
            answer::Event::Thinking { .. } => self.state = State::Thinking,
            answer::Event::Again { why, wait, attempt } => {
                self.drop_live();
                self.state = State::Asking;
                let wait = wait.as_secs_f64();
                self.push(Item::Note(format!(
                    "{why} · asked again in {wait:.1} s, try {attempt}"
                )));
            }
            answer::Event::Usage(usage) => {
                self.warmth.counted(&usage);
                let input = usage.input + usage.cache_read + usage.cache_creation;
                if input > 0 {
                    self.tokens = Some((usize::try_from(input).unwrap_or(usize::MAX), true));
                }
            }
            answer::Event::Started { .. }
            | answer::Event::Begun { .. }
            | answer::Event::Signature { .. }
            | answer::Event::Input { .. }
            | answer::Event::Ended { .. }
            | answer::Event::Stopped(_)
            | answer::Event::Ping
            | answer::Event::Unknown(_) => {}
        }
    }

    /// What was written of an answer that is void, or stands whole in its entry, goes.
    fn drop_live(&mut self) {
        if let Some(at) = self.live.take() {
            self.items.truncate(at);
            self.touch(at);
        }
    }

    fn entered(&mut self, entry: &Entry) {
        match entry {
            Entry::Said { role, blocks, .. } => {
                if *role == Role::Assistant {
                    self.drop_live();
                }
                for block in blocks {
                    match &block.content {
                        Content::Text(_) | Content::Reminder(_) => {
                            let text = block.shown().into_owned();
                            self.push(match role {
                                Role::Assistant => Item::Agent(text),
                                Role::User | Role::System => Item::You(text),
                            });
                        }
                        Content::ToolUse { id, name, input } => self.push(Item::Call {
                            id: id.clone(),
                            name: name.clone(),
                            about: about(input),
                            result: None,
                        }),
                        Content::ToolResult {
                            id,
                            result,
                            is_error,
                        } => {
                            self.answered(id, &result.shown(), *is_error);
                        }
                        Content::Raw(_) => {}
                    }
                }
            }
            Entry::Attached { pieces, .. } => self.attached(pieces),
            Entry::Boundary { .. } => self.push(Item::Note("compacted here".to_string())),
        }
    }

    fn answered(&mut self, of: &str, text: &str, is_error: bool) {
        let found = self
            .items
            .iter_mut()
            .enumerate()
            .rev()
            .find_map(|(at, item)| match item {
                Item::Call { id, result, .. } if id == of => Some((at, result)),
                _ => None,
            });
        if let Some((at, result)) = found {
            *result = Some((text.to_string(), is_error));
            self.touch(at);
        }
    }

    fn attached(&mut self, pieces: &[Piece]) {
        let of_kind = |kind: Kind| pieces.iter().filter(move |piece| piece.kind == kind);
        let recalled: Vec<(String, PathBuf)> = of_kind(Kind::Recalled)
            .filter_map(|piece| {
                let path = piece.path.clone()?;
                let name = path.file_stem()?.to_string_lossy().into_owned();
                Some((name, path))
            })
            .collect();
        if !recalled.is_empty() {
            self.push(Item::Recalled(recalled));
        }
        for piece in of_kind(Kind::Nested) {
            if let Some(path) = &piece.path {
                self.push(Item::Note(format!("{} came along", path.display())));
            }
        }
        for kind in [Kind::Note, Kind::Date] {
            if let Some(piece) = of_kind(kind).next() {
                let text = piece.shown();
                let first = text
                    .lines()
                    .next()
                    .unwrap_or_default()
                    .trim_end_matches(':');
                self.push(Item::Note(format!("told the agent: {first}")));
            }
        }
    }

    fn proposed(&mut self, proposal: &Proposal) {
        self.push(Item::Card(Card {
            id: proposal.id.clone(),
            title: proposal.title.clone(),
            diff: diff::of_set(&proposal.change_set(&self.session)),
            files: proposal
                .files
                .iter()
                .map(|file| (file.path.clone(), file.after.clone()))
                .collect(),
            decided: None,
        }));
    }

    /// A person decided, and it is done.
    pub fn decided(&mut self, decided: &Decided) {
        for (proposal, decision) in &decided.all {
            let cards = self.items.iter_mut().enumerate();
            let card = cards.filter_map(|(at, item)| match item {
                Item::Card(card) if card.id == proposal.id => Some((at, card)),
                _ => None,
            });
            let mut touched = Vec::new();
            for (at, card) in card {
                card.decided = Some(*decision);
                touched.push(at);
            }
            for at in touched {
                self.touch(at);
            }
        }
        for notice in &decided.notices {
            self.push(Item::Note(notice.clone()));
        }
    }

    fn ended(&mut self, end: &End) {
        self.state = State::Idle;
        self.live = None;
        let said = match end {
            End::Answered => return,
            End::Cut { not_run: 0, .. } => {
                "the answer was cut at its limit: say \"go on\"".to_string()
            }
            End::Cut { not_run, .. } => format!(
                "the answer was cut at its limit, and {} of tools in it were not run: say \"go on\"",
                match not_run {
                    1 => "1 call".to_string(),
                    many => format!("{} calls", grouped(*many)),
                }
            ),
            End::Refused => "the model would not answer this".to_string(),
            End::Interrupted => {
                self.push(Item::Note("interrupted".to_string()));
                return;
            }
            End::Failed(failure) => failure.to_string(),
            End::TooLong => {
                "the turn asked for tools too often and was ended: say \"go on\"".to_string()
            }
        };
        self.push(Item::Fault(said));
    }

    /// A turn, or what was asked for, could not be begun.
    pub fn failed(&mut self, why: String) {
        self.state = State::Idle;
        self.push(Item::Fault(why));
    }
}

/// What a call is about: the value of its input that says most.
fn about(input: &Value) -> String {
    let keys = ["file_path", "pattern", "path", "query"];
    let found = keys
        .iter()
        .find_map(|key| input[key].as_str())
        .unwrap_or_default();
    // Of a long path the end tells it.
    match found.rmatch_indices('/').nth(1) {
        Some((at, _)) if found.starts_with('/') => found[at + 1..].to_string(),
        Some(_) | None => found.to_string(),
    }
}

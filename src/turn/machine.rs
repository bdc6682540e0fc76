//! The turn as a state machine: the person says something, the model answers or asks for tools, the tools
//! answer, until there is an end. It does nothing itself: each step says what is to be done next, and what
//! came of it is given back. Pure; it knows no tool by name.

use std::collections::HashSet;

use serde_json::json;

use crate::base::time::Moment;
use crate::config::limits::TURN_REQUESTS;
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Role};
use crate::llm::answer::{self, Answer, Input, StopReason};
use crate::llm::failure::Failure;
use crate::turn::call::{Call, Outcome};
use crate::turn::chat::Chat;

/// What is to be done next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Send the request of the conversation as it is now, and give what comes to [`Turn::answered`].
    Ask,
    /// Run these calls and give what comes of them to [`Turn::ran`].
    Run(Vec<Call>),
    /// Nothing: it is over.
    Ended(End),
}

/// How a turn ended.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    Answered,
    /// The answer reached a limit. So many calls in it were whole and were not run, since what was to come
    /// with them is not known.
    Cut {
        stop: StopReason,
        not_run: usize,
    },
    /// The model would not answer.
    Refused,
    /// The person stopped it. What had come is kept.
    Interrupted,
    /// The model could not be asked. What had come is kept.
    Failed(Box<Failure>),
    /// It asked for tools more often than a turn may.
    TooLong,
}

/// One turn on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Requests so far.
    asked: usize,
    phase: Phase,
}

#[derive(Debug, Clone, PartialEq)]
enum Phase {
    Asking,
    Running(Vec<Call>),
    Over,
}

impl Turn {
    /// The person says something.
    #[must_use]
    pub fn begin(chat: &mut Chat, prompt: &str, now: Moment) -> (Self, Step) {
        let piece = Piece::new(Kind::Prompt, Origin::Conversation, prompt);
        chat.say(Role::User, vec![Block::text(piece)], now);
        let turn = Self {
            asked: 1,
            phase: Phase::Asking,
        };
        (turn, Step::Ask)
    }

    /// The model has answered.
    pub fn answered(&mut self, chat: &mut Chat, answer: &Answer, now: Moment) -> Step {
        if self.phase != Phase::Asking {
            return Step::Ended(End::Interrupted);
        }
        let stop = answer.stop.clone().unwrap_or(StopReason::MaxTokens);
        let (blocks, calls, lost) = taken(chat, answer);
        let says_nothing = !blocks.iter().any(says);
        if !says_nothing {
            chat.say(Role::Assistant, blocks, now);
        }
        if answer.is_cut() {
            let not_run = calls.len();
            let why = "not run: the answer that this call stands in was cut before its end; make the call again";
            let refused: Vec<Outcome> = calls
                .iter()
                .map(|call| Outcome::refused(call, why))
                .collect();
            results(chat, refused, now);
            if !lost.is_empty() {
                chat.note(
                    format!(
                        "Your answer was cut at its limit within a call of {}, which was not run. Make it again, \
                         in smaller parts.",
                        lost.join(", ")
                    ),
                    now,
                );
            }
            return self.end(End::Cut { stop, not_run });
        }
        match stop {
            StopReason::Refusal => {
                let why = "not run: the answer that this call stands in was broken off";
                let refused = calls
                    .iter()
                    .map(|call| Outcome::refused(call, why))
                    .collect();
                results(chat, refused, now);
                self.end(End::Refused)
            }
            _ if !calls.is_empty() && self.asked >= TURN_REQUESTS => {
                let why = format!(
                    "not run: this turn has had its {TURN_REQUESTS} requests; say what is done and what is left"
                );
                let refused = calls
                    .iter()
                    .map(|call| Outcome::refused(call, &*why))
                    .collect();
                results(chat, refused, now);
                self.end(End::TooLong)
            }
            _ if !calls.is_empty() => {
                self.phase = Phase::Running(calls.clone());
                Step::Run(calls)
            }
            StopReason::PauseTurn if !says_nothing && self.asked < TURN_REQUESTS => {
                // No server takes a conversation that ends with an answer but one that runs tools itself.
                chat.note("Your answer was paused here: go on.", now);
                self.ask()
            }
            StopReason::EndTurn
            | StopReason::MaxTokens
            | StopReason::StopSequence
            | StopReason::ToolUse
            | StopReason::PauseTurn
            | StopReason::ContextWindow
            | StopReason::Other(_) => self.end(End::Answered),
        }
    }

    /// The calls were run. One that nothing is told of counts as not run.
    pub fn ran(&mut self, chat: &mut Chat, outcomes: Vec<Outcome>, now: Moment) -> Step {
        let Phase::Running(calls) = std::mem::replace(&mut self.phase, Phase::Over) else {
            return Step::Ended(End::Interrupted);
        };
        results(chat, each(&calls, outcomes, "not run"), now);
        self.ask()
    }

    /// The model could not be asked to the end; what had come is kept.
    pub fn broke(&mut self, chat: &mut Chat, failure: Failure, came: &Answer, now: Moment) -> Step {
        if self.phase == Phase::Asking && keep(chat, came, now) {
            chat.note(
                "Your last answer broke off here: the connection failed.",
                now,
            );
        }
        self.end(End::Failed(Box::new(failure)))
    }

    /// The person stopped it. `came`: what of the answer had come; `outcomes`: of the calls that had been
    /// run to their end.
    pub fn interrupted(
        &mut self,
        chat: &mut Chat,
        came: &Answer,
        outcomes: Vec<Outcome>,
        now: Moment,
    ) -> Step {
        match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Asking => {
                keep(chat, came, now);
            }
            Phase::Running(calls) => {
                let why = "not run to its end: the person interrupted it";
                results(chat, each(&calls, outcomes, why), now);
            }
            Phase::Over => return Step::Ended(End::Interrupted),
        }
        chat.note("The person interrupted you here.", now);
        Step::Ended(End::Interrupted)
    }

    fn ask(&mut self) -> Step {
        self.asked += 1;
        self.phase = Phase::Asking;
        Step::Ask
    }

    fn end(&mut self, end: End) -> Step {
        self.phase = Phase::Over;
        Step::Ended(end)
    }
}

/// The blocks of an answer as they are sent back, its whole calls, and the names of calls that are not.
fn taken(chat: &Chat, answer: &Answer) -> (Vec<Block>, Vec<Call>, Vec<String>) {
    let mut ids: HashSet<String> = chat.ids().into_iter().map(str::to_string).collect();
    let (mut blocks, mut calls, mut lost) = (Vec::new(), Vec::new(), Vec::new());
    for block in answer.blocks() {
        match block {
            answer::Block::Text(text) => blocks.extend(text_block(&text)),
            answer::Block::Thinking { text, signature } => {
                blocks.extend(thinking_block(&text, &signature));
            }
            answer::Block::Raw(value) => blocks.push(Block::new(Content::Raw(value))),
            answer::Block::Call {
                name,
                input: Input::Cut(_),
                ..
            } => lost.push(name),
            answer::Block::Call {
                id,
                name,
                input: Input::Whole(input),
            } => {
                let id = own_id(&ids, &id);
                ids.insert(id.clone());
                blocks.push(Block::new(Content::ToolUse {
                    id: id.clone(),
                    name: name.clone(),
                    input: input.clone(),
                }));
                calls.push(Call { id, name, input });
            }
        }
    }
    (blocks, calls, lost)
}

/// Keeps the text of an answer that has no end. Thought and calls of it are no use to anybody. Whether
/// there was any.
fn keep(chat: &mut Chat, came: &Answer, now: Moment) -> bool {
    let text = text_block(&came.text());
    let some = text.is_some();
    chat.say(Role::Assistant, text.into_iter().collect(), now);
    some
}

fn text_block(text: &str) -> Option<Block> {
    let piece = || Piece::new(Kind::Answer, Origin::Conversation, text);
    (!text.trim().is_empty()).then(|| Block::text(piece()))
}

/// Thought goes back as it was signed; what is not signed is taken by no provider.
fn thinking_block(text: &str, signature: &str) -> Option<Block> {
    let block = json!({"type": "thinking", "thinking": text, "signature": signature});
    (!signature.is_empty()).then(|| Block::new(Content::Raw(block)))
}

/// Whether a block is more than thought.
fn says(block: &Block) -> bool {
    !matches!(block.content, Content::Raw(_))
}

/// An id that is used for the first time and that every provider takes. Some servers count from the start
/// in each answer.
fn own_id(taken: &HashSet<String>, id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let id: String = id
        .chars()
        .map(|c| if plain(c) { c } else { '_' })
        .take(64)
        .collect();
    let id = if id.is_empty() {
        "call".to_string()
    } else {
        id
    };
    if !taken.contains(&id) {
        return id;
    }
    let mut number = 2;
    loop {
        let next = format!("{id}-{number}");
        if !taken.contains(&next) {
            return next;
        }
        number += 1;
    }
}

/// An outcome for each call, in the order of the calls.
fn each(calls: &[Call], mut outcomes: Vec<Outcome>, otherwise: &str) -> Vec<Outcome> {
    let mut found = |call: &Call| {
        let at = outcomes.iter().position(|outcome| outcome.id == call.id)?;
        Some(outcomes.swap_remove(at))
    };
    let all = calls.iter();
    all.map(|call| found(call).unwrap_or_else(|| Outcome::refused(call, otherwise)))
        .collect()
}

/// Adds the results as one message, and what they brought along behind it.
fn results(chat: &mut Chat, outcomes: Vec<Outcome>, now: Moment) {
    let mut along = Vec::new();
    let mut blocks = Vec::with_capacity(outcomes.len());
    for outcome in outcomes {
        along.extend(outcome.along);
        blocks.push(Block::new(Content::ToolResult {
            id: outcome.id,
            result: outcome.result,
            is_error: outcome.is_error,
        }));
    }
    chat.say(Role::User, blocks, now);
    for pieces in along {
        chat.attach(pieces, now);
    }
}

#[cfg(test)]
#[path = "machine_tests.rs"]
mod tests;

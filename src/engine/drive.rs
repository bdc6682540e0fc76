//! One turn to its end: asks the model, runs its tools, keeps each entry before anything builds on it, and
//! tells what happens. What it does in the world it does through [`Hands`].

use crate::base::time::Moment;
use crate::context::conversation::Entry;
use crate::context::request::{Request, Role};
use crate::context::tokens::Total;
use crate::engine::recall::Recalled;
use crate::engine::stop::Stop;
use crate::llm::answer::{self, Answer};
use crate::llm::{Broken, Model};
use crate::turn::call::{Call, Outcome};
use crate::turn::chat::Chat;
use crate::turn::machine::{End, Step, Turn};
use crate::turn::overlay::Proposal;
use crate::turn::record::Item;
use crate::turn::tools::Toolbox;

/// Seconds between two lines in which the text of an answer that is coming is kept.
const KEEP_EVERY: i64 = 1;

/// How often what else runs on the thread is let run, once an answer is stopped.
const PARTINGS: usize = 16;

/// What happened, for whoever looks on.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// An entry of the conversation is complete, and kept.
    Entered(Entry),
    /// A request goes out.
    Asking(Total),
    /// Something of its answer came.
    Came(answer::Event),
    /// Memories were chosen for the question, and why those.
    Recalled(Box<Recalled>),
    /// A tool begins.
    Calling(Call),
    /// It ended.
    Called {
        id: String,
        told: String,
        is_error: bool,
    },
    /// What a person is to decide on.
    Proposed(Proposal),
    /// Something could not be kept: a sentence. The turn goes on.
    NotKept(String),
    Ended(End),
}

/// What a turn does in the world.
pub trait Hands: Send {
    fn now(&self) -> Moment;

    /// Keeps what happened. What comes next may build on it.
    ///
    /// # Errors
    /// A sentence: what could not be kept, and what to do.
    fn keep(&mut self, item: Item<'_>) -> Result<(), String>;

    /// A request was answered, or was not: what came with it.
    fn sent(&mut self, request: &Request, answer: Option<&Answer>);

    /// What came up meanwhile is put into the conversation: what was fetched for the question, what a person
    /// decided. It waits for nothing. Called before each request.
    fn between(&mut self, chat: &mut Chat, tools: &mut Toolbox);

    fn tell(&mut self, event: Event);
}

/// What a turn works with.
pub struct Drive<'a> {
    pub model: &'a dyn Model,
    pub chat: &'a mut Chat,
    pub tools: &'a mut Toolbox,
    pub hands: &'a mut dyn Hands,
    pub stop: &'a Stop,
}

/// What came of one request.
enum Asked {
    Answered(Answer),
    Broke(Broken),
    Stopped(Answer),
}

impl Drive<'_> {
    /// Says something to the model, and goes on until there is an end.
    pub async fn turn(mut self, prompt: &str) -> End {
        let now = self.hands.now();
        let mut kept = self.chat.entries.len();
        let (mut turn, mut step) = Turn::begin(self.chat, prompt, now);
        let end = loop {
            step = match step {
                Step::Ask => {
                    self.hands.between(self.chat, self.tools);
                    self.keep_from(&mut kept, None);
                    let request = self.chat.request(self.hands.now());
                    self.ask(&mut turn, &request, &mut kept).await
                }
                Step::Run(calls) => {
                    self.keep_from(&mut kept, None);
                    let outcomes = self.run(&calls);
                    let now = self.hands.now();
                    match self.stop.is_set() {
                        true => turn.interrupted(self.chat, &Answer::default(), outcomes, now),
                        false => turn.ran(self.chat, outcomes, now),
                    }
                }
                Step::Ended(end) => break end,
            };
        };
        self.keep_from(&mut kept, None);
        self.hands.tell(Event::Ended(end.clone()));
        end
    }

    async fn ask(&mut self, turn: &mut Turn, request: &Request, kept: &mut usize) -> Step {
        self.hands.tell(Event::Asking(self.chat.tokens(request)));
        if self.stop.is_set() {
            // Nothing was sent.
            let now = self.hands.now();
            return turn.interrupted(self.chat, &Answer::default(), Vec::new(), now);
        }
        let asked = self.stream(request).await;
        let now = self.hands.now();
        match asked {
            Asked::Answered(answer) => {
                self.hands.sent(request, Some(&answer));
                if let Some(usage) = &answer.usage {
                    self.chat.counted(request, usage);
                }
                let step = turn.answered(self.chat, &answer, now);
                self.keep_from(kept, Some((&answer, request.cache_items().len())));
                step
            }
            Asked::Broke(broken) => {
                self.hands.sent(request, None);
                turn.broke(self.chat, *broken.failure, &broken.came, now)
            }
            Asked::Stopped(came) => {
                self.hands
                    .sent(request, Some(&came).filter(|came| came.usage.is_some()));
                turn.interrupted(self.chat, &came, Vec::new(), now)
            }
        }
    }

    /// Streams one answer, and keeps its text as it comes.
    async fn stream(&mut self, request: &Request) -> Asked {
        let ask = request.ask();
        let mut came = Answer::default();
        let mut partial = Partial::new(self.hands.now());
        let hands = &mut *self.hands;
        let ended = {
            let mut sink = |event: &answer::Event| {
                came.take(event);
                partial.take(event, hands);
                hands.tell(Event::Came(event.clone()));
            };
            let answer = self.model.stream(&ask, &mut sink);
            tokio::select! {
                biased;
                () = self.stop.wait() => None,
                ended = answer => Some(ended),
            }
        };
        match ended {
            Some(Ok(answer)) => Asked::Answered(answer),
            Some(Err(broken)) => Asked::Broke(broken),
            None => {
                // The connection hears of it only when its own task runs: else the server would go on answering.
                for _ in 0..PARTINGS {
                    tokio::task::yield_now().await;
                }
                Asked::Stopped(came)
            }
        }
    }

    /// Runs calls one behind the other; what a person stops leaves the rest.
    fn run(&mut self, calls: &[Call]) -> Vec<Outcome> {
        let mut outcomes = Vec::with_capacity(calls.len());
        for call in calls {
            if self.stop.is_set() {
                break;
            }
            self.hands.tell(Event::Calling(call.clone()));
            let waiting = self.tools.overlay.pending.len();
            let outcome = self
                .tools
                .run(call, self.chat, self.hands.now(), self.stop.flag());
            for proposal in &self.tools.overlay.pending[waiting..] {
                let said = self.hands.keep(Item::Proposed(proposal));
                self.hands.tell(Event::Proposed(proposal.clone()));
                said.unwrap_or_else(|why| self.hands.tell(Event::NotKept(why)));
            }
            self.hands.tell(Event::Called {
                id: outcome.id.clone(),
                told: outcome.told.clone(),
                is_error: outcome.is_error,
            });
            outcomes.push(outcome);
        }
        outcomes
    }

    /// Keeps the entries that are new. The first answer among them came with this.
    fn keep_from(&mut self, kept: &mut usize, mut answer: Option<(&Answer, usize)>) {
        while let Some(entry) = self.chat.entries.get(*kept) {
            let is_answer = matches!(
                entry,
                Entry::Said {
                    role: Role::Assistant,
                    ..
                }
            );
            let item = match answer.take_if(|_| is_answer) {
                Some((answer, items)) => Item::Answer {
                    entry,
                    answer,
                    items,
                },
                None => Item::Entry(entry),
            };
            let said = self.hands.keep(item);
            self.hands.tell(Event::Entered(entry.clone()));
            said.unwrap_or_else(|why| self.hands.tell(Event::NotKept(why)));
            *kept += 1;
        }
    }
}

/// The text of an answer that is coming, since it was kept last.
struct Partial {
    text: String,
    at: Moment,
    /// Something of this try was kept.
    any: bool,
}

impl Partial {
    fn new(now: Moment) -> Self {
        Self {
            text: String::new(),
            at: now,
            any: false,
        }
    }

    fn take(&mut self, event: &answer::Event, hands: &mut dyn Hands) {
        if let answer::Event::Text { text, .. } = event {
            self.text.push_str(text);
        }
        if let answer::Event::Again { .. } = event {
            self.text.clear();
            if std::mem::take(&mut self.any) {
                // Whoever reads it later must not take what is void for the beginning.
                let _ = hands.keep(Item::Void);
            }
        }
        let now = hands.now();
        if !self.text.is_empty() && now.seconds - self.at.seconds >= KEEP_EVERY {
            // The whole answer is kept at its end; that a part of it was not is told then.
            let _ = hands.keep(Item::Partial(&self.text));
            (self.at, self.any) = (now, true);
            self.text.clear();
        }
    }
}

#[cfg(test)]
#[path = "drive_tests.rs"]
mod tests;

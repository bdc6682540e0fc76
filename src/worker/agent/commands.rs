//! What the agent's thread does beside turns: recall that is looked at, memories that are made or let go by
//! form, what the conversation has cost, and which model is asked. Where no model is set up it says so and does
//! by words and form what can be done so.

use std::fmt::Write as _;
use std::path::Path;

use super::{Desk, OnScreen, is_bare, window};
use crate::app::message::{AgentTold, FoundMemory};
use crate::base::display;
use crate::engine::by_form::{self, Forgotten, Found};
use crate::engine::conversation::Conversation;
use crate::engine::cost;
use crate::engine::drive::Event;
use crate::engine::recall::beside::Wish as RecallWish;
use crate::engine::recall::{self, Recalled, Selector};
use crate::engine::stop::Stop;
use crate::llm::Model;
use crate::llm::failure::{Failure, What};
use crate::turn::machine::End;
use crate::turn::overlay::Proposal;

/// Models that a list names at most.
const LISTED: usize = 40;

impl Desk {
    /// The conversation that is open; else one in which nobody can be asked is opened, for what is done by form.
    fn opened(&mut self, cwd: &Path) -> Result<&mut Conversation, String> {
        let is_other = |open: &Conversation| is_bare(open) && open.cwd != cwd;
        if self.open.is_none() || self.open.as_ref().is_some_and(is_other) {
            let begun = Conversation::begin(&self.setup, cwd, "", self.clock.now());
            let mut bare = begun.map_err(|error| error.to_string())?;
            if let Some(other) = self.open.take() {
                bare.tools.overlay = other.tools.overlay;
            }
            self.open = Some(bare);
        }
        self.open
            .as_mut()
            .ok_or_else(|| "no conversation is open".to_string())
    }

    /// Who can be asked; why nobody, where no model is set up.
    fn not_set_up(&mut self) -> Option<Failure> {
        let failure = self.who().err()?;
        (failure.what == What::NotSetUp).then_some(failure)
    }

    /// Says something to the model; where none is set up, what is asked is looked for by words, and what is to be
    /// remembered or forgotten is done by form.
    pub(super) fn say_or_find(&mut self, cwd: &Path, said: &str) -> Result<(), String> {
        let Some(failure) = self.not_set_up() else {
            return self.say(cwd, said);
        };
        let form = |word: &str| said.trim().strip_prefix(word);
        if let Some(text) = form("remember:") {
            return self.remember(cwd, text);
        }
        if let Some(text) = form("forget:").or_else(|| form("forget ")) {
            return self.forget(cwd, text);
        }
        let now = self.now();
        let open = self.opened(cwd)?;
        let (disk, folder) = (open.tools.cage.disk(), &open.chat.session.memory_folder);
        let memories = by_form::found(disk, folder, said, now);
        let memories: Vec<FoundMemory> = memories
            .into_iter()
            .map(|one| related(folder, &one))
            .collect();
        let what = match memories.len() {
            0 => "no memory of this project has words of it",
            _ => "these memories have words of it; nobody has read them",
        };
        self.tell(AgentTold::Found {
            asked: said.to_string(),
            said: format!("{failure}. Looked for by words: {what}."),
            memories,
        });
        Ok(())
    }

    /// Which memories a text would bring along; nothing is put into the conversation.
    pub(super) fn recall(&mut self, cwd: &Path, said: &str) -> Result<(), String> {
        let not_set_up = self.not_set_up().is_some();
        let (now, prompt) = (self.now(), self.agency.selector.clone());
        let open = self.opened(cwd)?;
        let disk = open.tools.cage.disk().clone();
        let wish = RecallWish::of(&disk, &open.chat, said, &prompt, now).by_name();
        let stop = Stop::default();
        self.may_stop(&stop);
        let recalled = match self.asked.as_ref().filter(|_| !not_set_up) {
            None => Some(recall::by_words(&wish.asked(), "no model is set up")),
            Some(who) => {
                let selector = Selector {
                    model: &who.client,
                    name: who.client.provider.selector(),
                    breaker: &mut self.breaker,
                };
                let choose = wish.choose(Some(selector));
                who.runtime.block_on(async {
                    tokio::select! {
                        biased;
                        () = stop.wait() => None,
                        chosen = choose => Some(chosen),
                    }
                })
            }
        };
        let Some(recalled) = recalled else {
            self.tell(AgentTold::Turn(Event::Ended(End::Interrupted)));
            return Ok(());
        };
        let recalled = recalled.map_err(|gate| gate.to_string())?;
        let said = format!("/recall {said}");
        self.tell(found(said, recalled));
        Ok(())
    }

    /// The agent proposes a memory of it; without a model it is made by form.
    pub(super) fn remember(&mut self, cwd: &Path, said: &str) -> Result<(), String> {
        if self.not_set_up().is_none() {
            return self.say(cwd, &format!("Remember this, as a memory: {}", said.trim()));
        }
        let now = self.now();
        let open = self.opened(cwd)?;
        let proposal = by_form::remember(&open.tools, said, now)?;
        let leak = open.tools.store.leak_asked(&proposal.change_set(""));
        self.propose(format!("/remember {}", said.trim()), proposal, leak);
        Ok(())
    }

    /// The memory that is meant is proposed to go, or those that may be are told.
    pub(super) fn forget(&mut self, cwd: &Path, said: &str) -> Result<(), String> {
        let now = self.now();
        let open = self.opened(cwd)?;
        let asked = format!("/forget {}", said.trim());
        match by_form::forget(&open.tools, said, now)? {
            Forgotten::Proposed(proposal) => self.propose(asked, proposal, None),
            Forgotten::Several(all) => {
                let folder = &open.chat.session.memory_folder;
                let memories = all.iter().map(|one| related(folder, one)).collect();
                let said = "more than one memory has words of it, found by words: say which, /forget NAME, or the \
                            whole line that is to go";
                self.tell(AgentTold::Found {
                    asked,
                    said: said.to_string(),
                    memories,
                });
            }
        }
        Ok(())
    }

    /// A change that the person asked for waits on a card, whatever is set for those of the agent.
    fn propose(&mut self, asked: String, proposal: Proposal, leak: Option<String>) {
        let now = self.now();
        let said = "by form, without a model; nothing is written until it is accepted";
        let said = match leak {
            Some(leak) => format!("{said}. {leak}"),
            None => said.to_string(),
        };
        self.tell(AgentTold::Found {
            asked,
            said,
            memories: Vec::new(),
        });
        let mut onlooker = OnScreen {
            out: &self.out,
            orders: None,
        };
        if let Some(open) = self.open.as_mut() {
            open.propose(proposal, now, &mut onlooker);
        }
    }

    /// What the conversation has cost, as the ledger has it.
    pub(super) fn cost(&mut self) -> Result<(), String> {
        let Some(open) = self.open.as_ref().filter(|open| !is_bare(open)) else {
            return Err("nothing was asked yet: the conversation has cost nothing".to_string());
        };
        let lines = self.setup.ledger().lines();
        let spent = cost::of_session(&lines, &open.chat.id, &self.setup.around.prices);
        let keep = self.agency.settings.keep.ledger_days;
        self.tell(AgentTold::Noted(cost::sentences(&spent, keep)));
        Ok(())
    }

    /// Which model is asked, and which there are; or another is asked from now on.
    pub(super) fn model(&mut self, cwd: &Path, named: Option<&str>) -> Result<(), String> {
        let who = self.who().map_err(|failure| failure.to_string())?;
        let listed = who.runtime.block_on(who.client.list());
        let place = who.client.provider.endpoint.to_string();
        if let Ok(listed) = &listed {
            let names = listed.iter().map(|one| one.id.clone()).collect();
            self.tell(AgentTold::Models(names));
        }
        let names: Vec<String> = listed
            .as_ref()
            .map(|listed| listed.iter().map(|one| one.id.clone()).collect())
            .unwrap_or_default();
        let Some(named) = named else {
            self.tell_model(&place, &listed.map(|_| names));
            return Ok(());
        };
        let unsure = match &listed {
            Ok(_) if names.iter().any(|name| name == named) => String::new(),
            Ok(_) if !names.is_empty() => {
                return Err(format!(
                    "{place} lists no model {}: /model lists those that there are; the one that is asked stays",
                    display::line(named)
                ));
            }
            Ok(_) => format!(
                "; {place} lists no models, so whether there is one of this name shows with the next question"
            ),
            Err(failure) => {
                format!("; whether there is one of this name could not be found out: {failure}")
            }
        };
        let was_open = self.open.as_ref().is_some_and(|open| !is_bare(open));
        self.begin(cwd, Some(named))?;
        let now = self.now();
        let kept = match self.open.as_mut() {
            Some(open) if was_open => open.use_model(named, now),
            Some(_) | None => Ok(()),
        };
        let window = self.asked.as_ref().and_then(|who| window(who, named));
        let cold = match was_open {
            true => {
                "; the cache of the provider is another model's, so the next question pays for all that was said"
            }
            false => "",
        };
        self.tell(AgentTold::Model {
            model: named.to_string(),
            window,
            said: format!(
                "{} is asked from now on, in this conversation{cold}{unsure}",
                display::line(named)
            ),
        });
        kept.map_err(|error| error.to_string())
    }

    fn tell_model(&self, place: &str, names: &Result<Vec<String>, Failure>) {
        let open = self.open.as_ref().filter(|open| !is_bare(open));
        let now = open.map(|open| open.chat.session.params.model.clone());
        let set = &self.agency.settings.model;
        let main = match (&now, &set.main) {
            (Some(now), _) => format!("{} is asked in this conversation", display::line(now)),
            (None, Some(main)) => format!("{} is asked, main of config.toml", display::line(main)),
            (None, None) => "the newest that the provider lists is asked".to_string(),
        };
        let small = set.small.as_deref();
        let small = small.map(|small| format!(", {} for small questions", display::line(small)));
        let mut said = vec![format!("{main}{}, at {place}", small.unwrap_or_default())];
        said.push(match names {
            Ok(names) if names.is_empty() => "the provider lists none".to_string(),
            Ok(names) => {
                let shown: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
                let more = match names.len().saturating_sub(LISTED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                let shown = shown.join(", ");
                format!("there are {}{more}", display::line(&shown))
            }
            Err(failure) => format!("which there are could not be found out: {failure}"),
        });
        said.push("/model NAME asks another in this conversation; main below [model] in config.toml in all".to_string());
        self.tell(AgentTold::Noted(said));
    }
}

fn related(folder: &Path, one: &Found) -> FoundMemory {
    let said = one.description.as_deref().unwrap_or("no description");
    FoundMemory {
        path: folder.join(&one.path),
        why: format!("{said} · {}", one.why),
        name: one.path.trim_end_matches(".md").to_string(),
        score: one.score,
    }
}

/// What recall gave, explained.
fn found(asked: String, recalled: Recalled) -> AgentTold {
    let by = recalled.by.word();
    let many = recalled.candidates;
    let mut said = format!(
        "recall gives {} of {many} {}, chosen by {by}",
        recalled.picked.len(),
        if many == 1 { "memory" } else { "memories" }
    );
    if let Some(note) = &recalled.note {
        said.push_str(": ");
        said.push_str(note);
    }
    if recalled.unread > 0 {
        let _ = write!(said, " · {} could not be read", recalled.unread);
    }
    if let Some(usage) = recalled.usage {
        let input = usage.input + usage.cache_read + usage.cache_creation;
        let _ = write!(said, " · for {input} tokens in, {} out", usage.output);
    }
    for one in &recalled.dropped {
        let _ = write!(said, " · not {}: {}", one.path, one.why);
    }
    let memories = recalled.picked.into_iter().map(|one| FoundMemory {
        name: one.path.trim_end_matches(".md").to_string(),
        path: one.place,
        score: one.score,
        why: one.why,
    });
    AgentTold::Found {
        asked,
        said,
        memories: memories.collect(),
    }
}

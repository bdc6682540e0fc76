//! The thread on which the agent's conversation runs: one turn at a time, what a person decides in between.
//! It and its connections are there once something was said.

mod commands;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use tokio::runtime::Runtime;
use tokio::sync::mpsc::UnboundedSender;

use crate::agents::claude::Claude;
use crate::app::message::{AgentTold, AgentWish, Message};
use crate::base::clock::Clock;
use crate::base::time::Moment;
use crate::config::model::Model as Configured;
use crate::config::settings::Settings;
use crate::context::preview::Around;
use crate::engine::begin::Setup;
use crate::engine::conversation::{Asking, Conversation, Onlooker};
use crate::engine::drive::Event;
use crate::engine::recall::SelectorPrompt;
use crate::engine::review::{Decided, ReviewError, Wish};
use crate::engine::session_file;
use crate::engine::stop::Stop;
use crate::llm::breaker::Breaker;
use crate::llm::client::Client;
use crate::llm::failure::{Failure, What};
use crate::llm::key::Source;
use crate::llm::provider::Provider;
use crate::llm::{Model, model_or_newest};
use crate::store::Store;

/// What the agent is set up with.
#[derive(Debug, Clone, Default)]
pub struct Agency {
    pub settings: Settings,
    /// The environment.
    pub vars: BTreeMap<String, String>,
    pub home: PathBuf,
    pub around: Around,
    /// What the selector of recall is told.
    pub selector: SelectorPrompt,
}

/// The thread, by what it is asked through.
#[derive(Debug)]
pub struct Agent {
    orders: mpsc::Sender<AgentWish>,
    /// Ends the turn that is on its way.
    stop: Arc<Mutex<Stop>>,
}

impl Agent {
    pub fn start(
        agency: Agency,
        store: Claude,
        writer: Arc<Store>,
        clock: Clock,
        out: UnboundedSender<Message>,
    ) -> Self {
        let (orders, asked) = mpsc::channel();
        let stop = Arc::new(Mutex::new(Stop::default()));
        let own = Arc::clone(&stop);
        thread::spawn(move || {
            let mut desk = Desk {
                setup: Setup {
                    store,
                    writer,
                    around: agency.around.clone(),
                    recall: agency.settings.recall.mode,
                    review: agency.settings.review,
                    keep: agency.settings.keep,
                },
                agency,
                clock,
                out,
                stop: own,
                orders: asked,
                later: Vec::new(),
                asked: None,
                open: None,
                breaker: Breaker::new("recall"),
            };
            desk.work();
        });
        Self { orders, stop }
    }

    /// Hands a wish on.
    pub fn ask(&self, wish: AgentWish) {
        match wish {
            AgentWish::Stop => self.stop(),
            // The thread ends only with this sender, so there is always someone who receives.
            wish => {
                let _ = self.orders.send(wish);
            }
        }
    }

    /// Ends the turn that is on its way; what had come is kept.
    fn stop(&self) {
        self.stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .set();
    }
}

/// Who is asked.
struct Who {
    client: Client,
    runtime: Runtime,
}

struct Desk {
    setup: Setup,
    agency: Agency,
    clock: Clock,
    out: UnboundedSender<Message>,
    stop: Arc<Mutex<Stop>>,
    orders: mpsc::Receiver<AgentWish>,
    /// What came during a turn and is for afterwards.
    later: Vec<AgentWish>,
    asked: Option<Who>,
    open: Option<Conversation>,
    /// Of the selector of recall.
    breaker: Breaker,
}

impl Agency {
    /// The models that are named.
    #[must_use]
    pub fn models(&self) -> Vec<String> {
        let Configured {
            main, small, dream, ..
        } = &self.settings.model;
        let mut named: Vec<String> = [main, small, dream]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        named.sort();
        named.dedup();
        named
    }
}

impl Desk {
    fn work(&mut self) {
        loop {
            let order = match self.later.is_empty() {
                false => self.later.remove(0),
                true => match self.orders.recv() {
                    Ok(order) => order,
                    Err(_) => return,
                },
            };
            let done = self.carry_out(order);
            if let Err(why) = done {
                self.tell(AgentTold::Failed(why));
            }
        }
    }

    fn carry_out(&mut self, order: AgentWish) -> Result<(), String> {
        let here = self.setup.store.cwd().to_path_buf();
        let here = |cwd: Option<PathBuf>| cwd.unwrap_or(here);
        match order {
            AgentWish::Say { cwd, text } => self.say_or_find(&here(cwd), &text),
            AgentWish::Decide { id, wish } => {
                self.decide(&id, &wish);
                Ok(())
            }
            AgentWish::Clear => {
                self.open = None;
                Ok(())
            }
            AgentWish::ResetRecall => {
                self.breaker.reset();
                self.tell(AgentTold::RecallStopped(None));
                Ok(())
            }
            AgentWish::Resume { cwd, id } => self.resume(&here(cwd), id.as_deref()),
            AgentWish::Recall { cwd, text } => self.recall(&here(cwd), &text),
            AgentWish::Remember { cwd, text } => self.remember(&here(cwd), &text),
            AgentWish::Forget { cwd, text } => self.forget(&here(cwd), &text),
            AgentWish::Cost => self.cost(),
            AgentWish::Model { cwd, name } => self.model(&here(cwd), name.as_deref()),
            // It was told to the turn itself.
            AgentWish::Stop => Ok(()),
        }
    }

    fn tell(&self, told: AgentTold) {
        let _ = self.out.send(Message::Agent(Box::new(told)));
    }

    fn now(&self) -> Moment {
        self.clock.now()
    }

    /// Who is asked; made with the first question.
    fn who(&mut self) -> Result<&Who, Failure> {
        if self.asked.is_none() {
            let Agency {
                settings,
                vars,
                home,
                ..
            } = &self.agency;
            let mut provider = Provider::from(&settings.model, vars, home)?;
            if let Source::File(path) = &mut provider.key {
                *path = self.setup.store.disk().host(path);
            }
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime =
                runtime.map_err(|error| Failure::new(What::Network(error.to_string()), ""))?;
            self.asked = Some(Who {
                client: Client::new(provider),
                runtime,
            });
        }
        self.asked
            .as_ref()
            .ok_or_else(|| Failure::new(What::NotSetUp, ""))
    }

    /// Opens a new conversation with a model, where none is open that has one.
    fn begin(&mut self, cwd: &Path, named: Option<&str>) -> Result<(), String> {
        if self.open.as_ref().is_some_and(|open| !is_bare(open)) {
            return Ok(());
        }
        let who = self.who().map_err(|failure| failure.to_string())?;
        let named = named.or(who.client.provider.main.as_deref());
        let model = who.runtime.block_on(model_or_newest(&who.client, named));
        let model = model.map_err(|failure| failure.to_string())?;
        let window = window(who, &model);
        let begun = Conversation::begin(&self.setup, cwd, &model, self.now());
        let mut talk = begun.map_err(|error| error.to_string())?;
        self.setup
            .ledger()
            .prune(self.now())
            .map_err(|error| error.to_string())?;
        if let Some(bare) = self.open.take() {
            // What the person asked for before anything was said waits on.
            talk.tools.overlay = bare.tools.overlay;
        }
        self.tell(AgentTold::Begun {
            session: talk.chat.id.clone(),
            model,
            window,
        });
        self.open = Some(talk);
        Ok(())
    }

    fn resume(&mut self, cwd: &Path, id: Option<&str>) -> Result<(), String> {
        let folder = self.setup.sessions(cwd);
        let path = match id {
            Some(id) => session_file::named(&folder, id).map_err(|error| error.to_string())?,
            None => {
                let newest = session_file::list(&folder).into_iter().next();
                newest
                    .map(|one| one.path)
                    .ok_or("there is no earlier conversation in this project")?
            }
        };
        // The file of the one that is open is let go of first: it may be the same.
        self.open = None;
        let resumed = Conversation::resume(&self.setup, cwd, &path);
        let talk = resumed.map_err(|error| error.to_string())?;
        self.tell(AgentTold::Restored {
            session: talk.chat.id.clone(),
            model: talk.chat.session.params.model.clone(),
            entries: talk.chat.entries.clone(),
            waiting: talk.tools.overlay.pending.clone(),
        });
        self.open = Some(talk);
        Ok(())
    }

    fn say(&mut self, cwd: &Path, text: &str) -> Result<(), String> {
        self.begin(cwd, None)?;
        let stop = Stop::default();
        self.may_stop(&stop);
        let (Some(open), Some(who)) = (self.open.as_mut(), self.asked.as_ref()) else {
            return Ok(());
        };
        let asking = Asking {
            setup: &self.setup,
            model: &who.client,
            selector: who.client.provider.selector(),
            prompt: &self.agency.selector,
            breaker: &mut self.breaker,
            recalling: self.agency.settings.recall,
            clock: self.clock,
            stop: &stop,
        };
        let mut onlooker = OnScreen {
            out: &self.out,
            orders: Some((&mut self.orders, &mut self.later)),
        };
        who.runtime.block_on(open.say(text, asking, &mut onlooker));
        let why = self.breaker.said().filter(|_| self.breaker.is_open());
        self.tell(AgentTold::RecallStopped(why));
        Ok(())
    }

    /// What is done now ends when this is set.
    fn may_stop(&self, stop: &Stop) {
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
    }

    fn decide(&mut self, id: &str, wish: &Wish) {
        let now = self.now();
        let mut onlooker = OnScreen {
            out: &self.out,
            orders: None,
        };
        if let Some(open) = self.open.as_mut() {
            open.decide(id, wish, now, &mut onlooker);
        }
    }
}

/// Whether nobody can be asked in a conversation: it was opened for what a person does by form.
fn is_bare(open: &Conversation) -> bool {
    open.chat.session.params.model.is_empty()
}

/// Tokens of a model's window. One that is not told is only not shown.
fn window(who: &Who, model: &str) -> Option<usize> {
    let window = who.runtime.block_on(who.client.window(model));
    let window = window.ok().flatten()?;
    usize::try_from(window).ok()
}

/// The person at the screen.
struct OnScreen<'a> {
    out: &'a UnboundedSender<Message>,
    /// During a turn: what is asked meanwhile, and what of it is for afterwards.
    orders: Option<(&'a mut mpsc::Receiver<AgentWish>, &'a mut Vec<AgentWish>)>,
}

impl OnScreen<'_> {
    fn send(&self, told: AgentTold) {
        let _ = self.out.send(Message::Agent(Box::new(told)));
    }
}

impl Onlooker for OnScreen<'_> {
    fn tell(&mut self, event: Event) {
        self.send(AgentTold::Turn(event));
    }

    fn decisions(&mut self) -> Vec<(String, Wish)> {
        let mut decisions = Vec::new();
        if let Some((orders, later)) = &mut self.orders {
            while let Ok(order) = orders.try_recv() {
                match order {
                    AgentWish::Decide { id, wish } => decisions.push((id, wish)),
                    other => later.push(other),
                }
            }
        }
        decisions
    }

    fn decided(&mut self, decided: Result<Decided, ReviewError>) {
        self.send(match decided {
            Ok(decided) => AgentTold::Decided(decided),
            Err(error) => AgentTold::Undecided(error.to_string()),
        });
    }
}

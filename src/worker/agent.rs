//! The thread on which the agent's conversation runs: one turn at a time, what a person decides in between.
//! It and its connections are there once something was said.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use tokio::runtime::Runtime;
use tokio::sync::mpsc::UnboundedSender;

use crate::agents::claude::Claude;
use crate::app::message::{AgentTold, Message};
use crate::base::clock::Clock;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::config::settings::Settings;
use crate::context::ledger::{self, Ledger, Purpose};
use crate::context::memory_prompt::Recall;
use crate::context::part::Piece;
use crate::context::preview::Around;
use crate::context::request::Request;
use crate::engine::begin::Setup;
use crate::engine::books::Books;
use crate::engine::drive::{Drive, Event, Hands};
use crate::engine::meanwhile;
use crate::engine::recall::beside::{Beside, Wish as RecallWish, along};
use crate::engine::recall::{self, Prefetch, Selector, SelectorPrompt};
use crate::engine::review::{self, Wish};
use crate::engine::session_file::{self, SessionFile};
use crate::engine::stop::Stop;
use crate::llm::answer::Answer;
use crate::llm::breaker::Breaker;
use crate::llm::client::Client;
use crate::llm::key::Source;
use crate::llm::provider::Provider;
use crate::llm::{Model, model_or_newest};
use crate::store::Store;
use crate::turn::chat::Chat;
use crate::turn::overlay::Overlay;
use crate::turn::record::Item;
use crate::turn::tools::Toolbox;

/// What our own chats are kept in, and what was sent, in our state.
pub const SESSIONS: &str = "sessions";
pub const LEDGER: &str = "ledger";

/// What is asked of the thread.
#[derive(Debug)]
enum Order {
    Say {
        cwd: PathBuf,
        text: String,
    },
    Decide {
        id: String,
        wish: Wish,
    },
    Clear,
    /// The newest session of a folder, or the one whose name begins so.
    Resume {
        cwd: PathBuf,
        id: Option<String>,
    },
}

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
    orders: mpsc::Sender<Order>,
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

    pub fn say(&self, cwd: PathBuf, text: String) {
        self.order(Order::Say { cwd, text });
    }

    pub fn decide(&self, id: String, wish: Wish) {
        self.order(Order::Decide { id, wish });
    }

    pub fn clear(&self) {
        self.order(Order::Clear);
    }

    pub fn resume(&self, cwd: PathBuf, id: Option<String>) {
        self.order(Order::Resume { cwd, id });
    }

    /// Ends the turn that is on its way; what had come is kept.
    pub fn stop(&self) {
        self.stop
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .set();
    }

    fn order(&self, order: Order) {
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = self.orders.send(order);
    }
}

/// Who is asked.
struct Who {
    client: Client,
    runtime: Runtime,
}

/// A conversation that is open.
struct Open {
    chat: Chat,
    tools: Toolbox,
    books: Books,
    cwd: PathBuf,
    /// It was taken up again: what changed meanwhile is not told yet.
    is_resumed: bool,
}

struct Desk {
    setup: Setup,
    agency: Agency,
    clock: Clock,
    out: UnboundedSender<Message>,
    stop: Arc<Mutex<Stop>>,
    orders: mpsc::Receiver<Order>,
    /// What came during a turn and is for afterwards.
    later: Vec<Order>,
    asked: Option<Who>,
    open: Option<Open>,
    /// Of the selector of recall.
    breaker: Breaker,
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
            let done = match order {
                Order::Say { cwd, text } => self.say(cwd, &text),
                Order::Decide { id, wish } => {
                    self.decide(&id, &wish);
                    Ok(())
                }
                Order::Clear => {
                    self.open = None;
                    Ok(())
                }
                Order::Resume { cwd, id } => self.resume(cwd, id.as_deref()),
            };
            if let Err(why) = done {
                self.tell(AgentTold::Failed(why));
            }
        }
    }

    fn tell(&self, told: AgentTold) {
        let _ = self.out.send(Message::Agent(Box::new(told)));
    }

    fn now(&self) -> Moment {
        self.clock.now()
    }

    /// Who is asked; made with the first question.
    fn who(&mut self) -> Result<&Who, String> {
        if self.asked.is_none() {
            let Agency {
                settings,
                vars,
                home,
                ..
            } = &self.agency;
            let mut provider =
                Provider::from(&settings.model, vars, home).map_err(|error| error.to_string())?;
            if let Source::File(path) = &mut provider.key {
                *path = self.setup.store.disk().host(path);
            }
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build();
            let runtime = runtime.map_err(|error| format!("no connection can be made: {error}"))?;
            self.asked = Some(Who {
                client: Client::new(provider),
                runtime,
            });
        }
        self.asked.as_ref().ok_or_else(String::new)
    }

    fn ledger(&self) -> Ledger {
        let keep = self.agency.settings.keep;
        let keep = ledger::Keep {
            days: keep.ledger_days,
            bytes: keep.ledger_bytes,
        };
        let folder = self.setup.writer.own_file(LEDGER);
        Ledger::new(folder, keep, Faults::default())
    }

    fn folder(&self, cwd: &std::path::Path) -> PathBuf {
        let shelf = self.setup.store.shelf_of(cwd);
        self.setup.writer.own_file(SESSIONS).join(shelf.key)
    }

    /// Opens a new conversation, where none is open.
    fn begin(&mut self, cwd: PathBuf) -> Result<(), String> {
        if self.open.is_some() {
            return Ok(());
        }
        let who = self.who()?;
        let named = who.client.provider.main.clone();
        let model = who
            .runtime
            .block_on(model_or_newest(&who.client, named.as_deref()));
        let model = model.map_err(|failure| failure.to_string())?;
        let window = who.runtime.block_on(who.client.window(&model));
        // A window that is not told is only not shown.
        let window = window.ok().flatten();
        let chat = self
            .setup
            .begin(&cwd, &model, self.now())
            .map_err(|error| error.to_string())?;
        let ledger = self.ledger();
        ledger
            .prune(self.now())
            .map_err(|error| error.to_string())?;
        let header = self.setup.header(&cwd, &chat.id);
        let books = Books::new(self.folder(&cwd), header, &chat.session, ledger);
        self.tell(AgentTold::Begun {
            session: chat.id.clone(),
            model,
            window: window.and_then(|window| usize::try_from(window).ok()),
        });
        self.open = Some(Open {
            tools: self.setup.tools(&cwd, &chat.session, Overlay::default()),
            chat,
            books,
            cwd,
            is_resumed: false,
        });
        Ok(())
    }

    fn resume(&mut self, cwd: PathBuf, id: Option<&str>) -> Result<(), String> {
        let folder = self.folder(&cwd);
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
        let resumed = SessionFile::resume(&path, |id| self.setup.header(&cwd, id));
        let (file, mut read) = resumed.map_err(|error| error.to_string())?;
        // Who may pass is not kept with a session: what is allowed now holds.
        read.chat.session.allowed = self.setup.around.allowed.clone();
        let books = Books::resumed(file, &read.chat.id, self.ledger());
        self.tell(AgentTold::Restored {
            session: read.chat.id.clone(),
            model: read.chat.session.params.model.clone(),
            entries: read.chat.entries.clone(),
            waiting: read.overlay.pending.clone(),
        });
        self.open = Some(Open {
            tools: self.setup.tools(&cwd, &read.chat.session, read.overlay),
            chat: read.chat,
            books,
            cwd,
            is_resumed: true,
        });
        Ok(())
    }

    fn say(&mut self, cwd: PathBuf, text: &str) -> Result<(), String> {
        self.begin(cwd)?;
        self.who()?;
        let stop = Stop::default();
        *self.stop.lock().unwrap_or_else(PoisonError::into_inner) = stop.clone();
        let (Some(open), Some(who)) = (self.open.as_mut(), self.asked.as_ref()) else {
            return Ok(());
        };
        let notes = match open.is_resumed || !open.chat.entries.is_empty() {
            true => {
                let model = &open.chat.session.params.model;
                let fresh = self.setup.begin(&open.cwd, model, self.clock.now());
                fresh.map_or_else(
                    |_| Vec::new(),
                    |fresh| meanwhile::notes(&open.chat, &fresh.session),
                )
            }
            false => Vec::new(),
        };
        open.is_resumed = false;
        let settings = self.agency.settings.recall;
        let prompt = &self.agency.selector;
        let wish = RecallWish::of(
            self.setup.store.disk(),
            &open.chat,
            text,
            prompt,
            self.clock.now(),
        );
        let first = settings.is_ranker_first(true);
        let first =
            first.then(|| recall::by_words(&wish.asked(), "recall_ranker_first asks for it").ok());
        let (prefetch, running) = Prefetch::new(first.flatten());
        let mut beside = Beside::new(prefetch);
        let named = who
            .client
            .provider
            .small
            .clone()
            .or(who.client.provider.main.clone());
        let selector = Selector {
            model: &who.client,
            name: named.as_deref(),
            breaker: &mut self.breaker,
        };
        let is_wanted = open.chat.session.recall == Recall::Prefetch;
        let work = async {
            if is_wanted {
                running.run(wish.choose(Some(selector))).await;
            }
        };
        let mut hands = OnThread {
            clock: self.clock,
            books: &mut open.books,
            out: &self.out,
            orders: &mut self.orders,
            later: &mut self.later,
            notes,
            beside: None,
        };
        let turn = async {
            if is_wanted {
                beside.before_first(settings.wait()).await;
                hands.beside = Some(beside);
            }
            let drive = Drive {
                model: &who.client,
                chat: &mut open.chat,
                tools: &mut open.tools,
                hands: &mut hands,
                stop: &stop,
            };
            drive.turn(text).await
        };
        who.runtime.block_on(along(turn, work));
        Ok(())
    }

    fn decide(&mut self, id: &str, wish: &Wish) {
        let now = self.now();
        let Some(open) = self.open.as_mut() else {
            return;
        };
        let first = open.chat.entries.len();
        decide(
            &mut open.tools,
            &mut open.chat,
            &mut open.books,
            (id, wish),
            now,
            &self.out,
        );
        for entry in &open.chat.entries[first..] {
            if let Err(error) = open.books.keep(Item::Entry(entry), now) {
                let event = Event::NotKept(error.to_string());
                let _ = self
                    .out
                    .send(Message::Agent(Box::new(AgentTold::Turn(event))));
            }
        }
    }
}

/// Decides on a proposal, keeps that, and tells it. What the agent is told of it is an entry of the
/// conversation, for the caller to keep.
fn decide(
    tools: &mut Toolbox,
    chat: &mut Chat,
    books: &mut Books,
    (id, wish): (&str, &Wish),
    now: Moment,
    out: &UnboundedSender<Message>,
) {
    let tell = |told| {
        let _ = out.send(Message::Agent(Box::new(told)));
    };
    match review::decide(tools, chat, id, wish, now) {
        Err(error) => tell(AgentTold::Undecided(error.to_string())),
        Ok(decided) => {
            let mut kept = Ok(());
            for (proposal, decision) in &decided.all {
                let item = Item::Decided {
                    id: &proposal.id,
                    decision: *decision,
                };
                kept = kept.and(books.keep(item, now));
            }
            tell(AgentTold::Decided(decided));
            if let Err(error) = kept {
                tell(AgentTold::Turn(Event::NotKept(error.to_string())));
            }
        }
    }
}

/// A turn on the thread.
struct OnThread<'a> {
    clock: Clock,
    books: &'a mut Books,
    out: &'a UnboundedSender<Message>,
    orders: &'a mut mpsc::Receiver<Order>,
    later: &'a mut Vec<Order>,
    /// What the first request tells of what changed meanwhile.
    notes: Vec<Vec<Piece>>,
    /// Memories that are chosen for the question.
    beside: Option<Beside>,
}

impl Hands for OnThread<'_> {
    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn keep(&mut self, item: Item<'_>) -> Result<(), String> {
        let kept = self.books.keep(item, self.clock.now());
        kept.map_err(|error| error.to_string())
    }

    fn sent(&mut self, request: &Request, answer: Option<&Answer>) {
        let written = self
            .books
            .sent(request, answer, Purpose::Chat, self.clock.now());
        if let Err(why) = written {
            self.tell(Event::NotKept(why));
        }
    }

    fn between(&mut self, chat: &mut Chat, tools: &mut Toolbox) {
        let now = self.clock.now();
        for pieces in std::mem::take(&mut self.notes) {
            chat.attach(pieces, now);
        }
        let recalled = self
            .beside
            .as_mut()
            .and_then(|beside| beside.put(chat, now));
        if let Some(recalled) = recalled {
            self.tell(Event::Recalled(Box::new(recalled)));
        }
        while let Ok(order) = self.orders.try_recv() {
            match order {
                Order::Decide { id, wish } => {
                    decide(tools, chat, self.books, (&id, &wish), now, self.out);
                }
                other => self.later.push(other),
            }
        }
    }

    fn tell(&mut self, event: Event) {
        let _ = self
            .out
            .send(Message::Agent(Box::new(AgentTold::Turn(event))));
    }
}

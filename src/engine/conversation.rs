//! A conversation that is open: what was said, its tools, its books. A turn of it runs with recall beside it;
//! what a person decides is written, kept and told. How all that is shown is the onlooker's.

use std::path::{Path, PathBuf};

use crate::base::clock::Clock;
use crate::base::time::Moment;
use crate::config::recall::Recalling;
use crate::context::ledger::Purpose;
use crate::context::memory_prompt::Recall;
use crate::context::part::Piece;
use crate::context::preview::PreviewError;
use crate::context::request::Request;
use crate::engine::begin::Setup;
use crate::engine::books::Books;
use crate::engine::drive::{Drive, Event, Hands};
use crate::engine::meanwhile;
use crate::engine::recall::beside::{Beside, Wish as RecallWish, along};
use crate::engine::recall::{self, Prefetch, Selector, SelectorPrompt};
use crate::engine::review::{self, Decided, ReviewError, Wish};
use crate::engine::session_file::{SessionError, SessionFile};
use crate::engine::stop::Stop;
use crate::llm::Model;
use crate::llm::answer::Answer;
use crate::llm::breaker::Breaker;
use crate::turn::chat::Chat;
use crate::turn::machine::End;
use crate::turn::overlay::{Overlay, Proposal};
use crate::turn::record::Item;
use crate::turn::tools::Toolbox;

/// Who looks on at a conversation, and may decide meanwhile.
pub trait Onlooker: Send {
    fn tell(&mut self, event: Event);

    /// A request was answered, or was not.
    fn sent(&mut self, _request: &Request, _answer: Option<&Answer>) {}

    /// What a person decided since this was asked last: of which proposal, and how. It waits for nothing.
    fn decisions(&mut self) -> Vec<(String, Wish)> {
        Vec::new()
    }

    /// What came of a decision.
    fn decided(&mut self, _decided: Result<Decided, ReviewError>) {}
}

/// Who is asked in a turn, and how.
pub struct Asking<'a> {
    pub setup: &'a Setup,
    pub model: &'a dyn Model,
    /// The model that chooses memories; `None`: the newest that the provider lists.
    pub selector: Option<&'a str>,
    /// What it is told.
    pub prompt: &'a SelectorPrompt,
    pub breaker: &'a mut Breaker,
    pub recalling: Recalling,
    pub clock: Clock,
    pub stop: &'a Stop,
}

/// A conversation that is open.
#[derive(Debug)]
pub struct Conversation {
    pub chat: Chat,
    pub tools: Toolbox,
    books: Books,
    pub cwd: PathBuf,
    /// It was taken up again, and nothing was said since.
    is_resumed: bool,
}

impl Conversation {
    /// A new one in a folder (absolute) with a model. Its file is begun with what is said first.
    ///
    /// # Errors
    /// When the folder is not there.
    pub fn begin(
        setup: &Setup,
        cwd: &Path,
        model: &str,
        now: Moment,
    ) -> Result<Self, PreviewError> {
        let chat = setup.begin(cwd, model, now)?;
        let header = setup.header(cwd, &chat.id);
        Ok(Self {
            tools: setup.tools(cwd, &chat.session, Overlay::default()),
            books: Books::new(setup.sessions(cwd), header, &chat.session, setup.ledger()),
            chat,
            cwd: cwd.to_path_buf(),
            is_resumed: false,
        })
    }

    /// One that was kept, where it ended. `path`: its file.
    ///
    /// # Errors
    /// It is not there, another process has it open, or it is none.
    pub fn resume(setup: &Setup, cwd: &Path, path: &Path) -> Result<Self, SessionError> {
        let (file, mut read) = SessionFile::resume(path, |id| setup.header(cwd, id))?;
        // Who may pass is not kept with a session: what is allowed now holds.
        read.chat.session.allowed = setup.around.allowed.clone();
        Ok(Self {
            books: Books::resumed(file, &read.chat.id, setup.ledger()),
            tools: setup.tools(cwd, &read.chat.session, read.overlay),
            chat: read.chat,
            cwd: cwd.to_path_buf(),
            is_resumed: true,
        })
    }

    /// Says something, and goes on until there is an end. Recall runs beside it.
    pub async fn say(
        &mut self,
        said: &str,
        asking: Asking<'_>,
        onlooker: &mut dyn Onlooker,
    ) -> End {
        let Asking {
            setup,
            model,
            selector,
            prompt,
            breaker,
            recalling,
            clock,
            stop,
        } = asking;
        let notes = self.meanwhile(setup, clock.now());
        if !self.books.is_begun() {
            for proposal in &self.tools.overlay.pending {
                if let Err(error) = self.books.keep(Item::Proposed(proposal), clock.now()) {
                    onlooker.tell(Event::NotKept(error.to_string()));
                }
            }
        }
        let disk = setup.store.disk();
        let wish = RecallWish::of(disk, &self.chat, said, prompt, clock.now());
        let first = recalling.is_ranker_first(true);
        let first =
            first.then(|| recall::by_words(&wish.asked(), "recall_ranker_first asks for it").ok());
        let (prefetch, running) = Prefetch::new(first.flatten());
        let mut beside = Beside::new(prefetch);
        let selector = Selector {
            model,
            name: selector,
            breaker,
        };
        let is_wanted = self.chat.session.recall == Recall::Prefetch;
        let work = async {
            if is_wanted {
                running.run(wish.choose(Some(selector))).await;
            }
        };
        let mut hands = AtWork {
            clock,
            books: &mut self.books,
            onlooker,
            notes,
            beside: None,
        };
        let (chat, tools) = (&mut self.chat, &mut self.tools);
        let turn = async {
            if is_wanted {
                // As long as is set; what is not there by then comes with a later request.
                beside.before_first(recalling.wait()).await;
                hands.beside = Some(beside);
            }
            let drive = Drive {
                model,
                chat,
                tools,
                hands: &mut hands,
                stop,
            };
            drive.turn(said).await
        };
        Box::pin(along(turn, work)).await
    }

    /// A change that the person asks for waits for a decision, as those of the agent do.
    pub fn propose(&mut self, proposal: Proposal, now: Moment, onlooker: &mut dyn Onlooker) {
        self.tools.overlay.pending.push(proposal.clone());
        // The file of a session is begun with what is said; what waits by then is kept with it.
        if self.books.is_begun()
            && let Err(error) = self.books.keep(Item::Proposed(&proposal), now)
        {
            onlooker.tell(Event::NotKept(error.to_string()));
        }
        onlooker.tell(Event::Proposed(proposal));
    }

    /// Goes on with another model.
    ///
    /// # Errors
    /// What could not be kept; it goes on with that model all the same.
    pub fn use_model(&mut self, model: &str, now: Moment) -> Result<(), SessionError> {
        self.chat.session.params.model = model.to_string();
        // What one provider counted another counts otherwise.
        self.chat.anchor = None;
        self.books.relatch(&self.chat.session, now)
    }

    /// What changed since the last turn, for the next request to tell.
    fn meanwhile(&mut self, setup: &Setup, now: Moment) -> Vec<Vec<Piece>> {
        if !std::mem::take(&mut self.is_resumed) && self.chat.entries.is_empty() {
            return Vec::new();
        }
        let fresh = setup.begin(&self.cwd, &self.chat.session.params.model, now);
        fresh.map_or_else(
            |_| Vec::new(),
            |fresh| meanwhile::notes(&self.chat, &fresh.session),
        )
    }

    /// Decides on a proposal between two turns.
    pub fn decide(&mut self, id: &str, wish: &Wish, now: Moment, onlooker: &mut dyn Onlooker) {
        let first = self.chat.entries.len();
        decide(
            &mut self.tools,
            &mut self.chat,
            &mut self.books,
            (id, wish),
            now,
            onlooker,
        );
        if !self.books.is_begun() {
            // Nothing was said yet: what was decided before is told by the memory itself.
            self.chat.entries.truncate(first);
        }
        for entry in &self.chat.entries[first..] {
            if let Err(error) = self.books.keep(Item::Entry(entry), now) {
                onlooker.tell(Event::NotKept(error.to_string()));
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
    onlooker: &mut dyn Onlooker,
) {
    let decided = review::decide(tools, chat, id, wish, now);
    let mut kept = Ok(());
    let is_begun = books.is_begun();
    for (proposal, decision) in decided
        .iter()
        .filter(|_| is_begun)
        .flat_map(|decided| &decided.all)
    {
        let item = Item::Decided {
            id: &proposal.id,
            decision: *decision,
        };
        kept = kept.and(books.keep(item, now));
    }
    onlooker.decided(decided);
    if let Err(error) = kept {
        onlooker.tell(Event::NotKept(error.to_string()));
    }
}

/// A turn at work.
struct AtWork<'a> {
    clock: Clock,
    books: &'a mut Books,
    onlooker: &'a mut dyn Onlooker,
    /// What the first request tells of what changed meanwhile.
    notes: Vec<Vec<Piece>>,
    /// Memories that are chosen for the question.
    beside: Option<Beside>,
}

impl Hands for AtWork<'_> {
    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn keep(&mut self, item: Item<'_>) -> Result<(), String> {
        let kept = self.books.keep(item, self.clock.now());
        kept.map_err(|error| error.to_string())
    }

    fn sent(&mut self, request: &Request, answer: Option<&Answer>) {
        self.onlooker.sent(request, answer);
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
        for (id, wish) in self.onlooker.decisions() {
            decide(tools, chat, self.books, (&id, &wish), now, self.onlooker);
        }
    }

    fn tell(&mut self, event: Event) {
        self.onlooker.tell(event);
    }
}

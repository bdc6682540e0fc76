//! The only place that spawns: an effect becomes a task on a thread, its result a message. Threads
//! are never joined: what nobody waits for any more dies with the program. Knows nothing of drawing.

pub mod agent;
mod back;
mod choices;
mod clipboard;
mod complete;
mod ledger;
pub mod outside;
mod paint;
mod preview;
mod project;
mod search;
mod sessions;
mod sweep;
mod told;
mod watch;
mod write;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use crate::agents::Shelf;
use crate::agents::claude::{Claude, Projects};
use crate::app::message::{AgentWish, Effect, Message, Order};
use crate::app::projects_view::ProjectList;
use crate::app::tree::FileAt;
use crate::base::clock::Clock;
use crate::base::fault::Faults;
use crate::config::keep_theme::keep_theme;
use crate::config::limits::SEEK_MILLISECONDS;
use crate::engine::begin::LEDGER;
use crate::health::Rules;
use crate::memory::backlinks;
use crate::project::identity;
use crate::store::Store;
use agent::{Agency, Agent};
use choices::Chooser;
use clipboard::Clipboard;
use paint::{Painter, ToPaint};
use preview::Previewer;
use search::Searcher;
use sessions::list::Kept;
use told::SessionsAsked;
use watch::{Depth, Watch};
use write::Writer;

/// Counts are handed on together, so that a thousand shelves cost a few frames, not a thousand.
const BATCH_AGE: Duration = Duration::from_millis(16);

/// Reads the store for the screen.
#[derive(Debug)]
pub struct Worker {
    store: Claude,
    out: UnboundedSender<Message>,
    /// The reading thread, once something was to be read.
    reader: Option<mpsc::Sender<Job>>,
    /// The searching thread, once something was to be found.
    searcher: Option<Searcher>,
    writer: Arc<Store>,
    /// The measures of health.
    rules: Rules,
    /// What ages are counted to goes on with it.
    clock: Clock,
    /// The painting thread, once some code was shown.
    painter: Option<Painter>,
    /// The previewing thread, once something was previewed.
    previewer: Option<Previewer>,
    /// What models cost and what our own chat sends, for previews; and whom the agent asks.
    agency: Agency,
    /// The thread that finds what may stand where something is typed to the agent, once it was typed.
    chooser: Option<Chooser>,
    /// The thread of the agent's conversation, once something was said.
    agent: Option<Agent>,
    /// The folder of our configuration, where it can be written.
    config: Option<PathBuf>,
    clipboard: Clipboard,
    /// The writing thread, once something was to be written.
    writing: Option<Writer>,
    /// What ends the look at all shelves that is under way.
    sweeping: Arc<AtomicBool>,
    /// What ends the search in sessions that is under way.
    seeking: Arc<AtomicBool>,
    /// What ends the reading of all sessions that is under way.
    reading: Arc<AtomicBool>,
    /// Ends when the folders are watched that were to be watched last.
    standing: Option<mpsc::Receiver<()>>,
    /// What was read of sessions that only we have.
    rescued: Kept,
    /// The watching thread, once something was to be watched.
    watch: Option<Watch>,
}

/// Something to be read.
#[derive(Debug)]
enum Job {
    Count {
        id: u64,
        shelf: Shelf,
    },
    Shelf {
        id: u64,
        shelf: Shelf,
    },
    Page {
        id: u64,
        at: FileAt,
    },
    Rules {
        id: u64,
        shelf: Shelf,
    },
    Rule {
        id: u64,
        path: PathBuf,
        real: PathBuf,
    },
    Links {
        id: u64,
        folder: PathBuf,
    },
    Examine {
        id: u64,
        shelf: Shelf,
    },
    Preview {
        id: u64,
        at: FileAt,
        line: usize,
    },
}

impl Worker {
    /// Answers go to `out`; nobody listening there any more is no error.
    #[must_use]
    pub fn new(
        store: Claude,
        writer: Store,
        rules: Rules,
        config: Option<PathBuf>,
        out: UnboundedSender<Message>,
    ) -> Self {
        Self {
            clock: Clock::set(store.now()),
            config,
            clipboard: Clipboard::from(|name| std::env::var(name).ok()),
            store,
            writer: Arc::new(writer),
            rules,
            writing: None,
            sweeping: Arc::default(),
            seeking: Arc::default(),
            reading: Arc::default(),
            standing: None,
            rescued: Kept::default(),
            out,
            reader: None,
            searcher: None,
            painter: None,
            previewer: None,
            agency: Agency::default(),
            chooser: None,
            agent: None,
            watch: None,
        }
    }

    /// The same, with what models cost and whom the agent asks.
    #[must_use]
    pub fn serving(self, agency: Agency) -> Self {
        Self { agency, ..self }
    }

    /// Hands a wish on to the agent's thread, which begins with the first.
    fn ask_agent(&mut self, wish: AgentWish) {
        if self.agent.is_none() && matches!(wish, AgentWish::Stop | AgentWish::Clear) {
            return;
        }
        let agent = self.agent.get_or_insert_with(|| {
            Agent::start(
                self.agency.clone(),
                self.store.clone(),
                Arc::clone(&self.writer),
                self.clock,
                self.out.clone(),
            )
        });
        agent.ask(wish);
    }

    /// Starts what an effect asks for; gives back what is none of its business.
    pub fn perform(&mut self, effect: Effect) -> Option<Effect> {
        match effect {
            Effect::Survey { id } => self.survey(id),
            Effect::Count { id, shelf } => self.read(Job::Count { id, shelf }),
            Effect::ReadShelf { id, shelf } => self.read(Job::Shelf { id, shelf }),
            Effect::ReadPage { id, at } => self.read(Job::Page { id, at }),
            Effect::ReadRules { id, shelf } => self.read(Job::Rules { id, shelf }),
            Effect::ReadRule { id, path, real } => self.read(Job::Rule { id, path, real }),
            Effect::Paint { id, body } => self.paint(id, body, true),
            Effect::PaintAnswer { id, body } => self.paint(id, body, false),
            Effect::BuildPreview { id, folder, asked } => self
                .previewer
                .get_or_insert_with(|| {
                    let config = self.config.as_deref();
                    Previewer::start(
                        &self.store,
                        self.clock,
                        &self.agency.around,
                        config,
                        &self.out,
                    )
                })
                .ask(id, folder, *asked),
            Effect::ExportRequest { path, body } => self.export(path, body),
            Effect::ReadProjects { id } => self.read_projects(id),
            Effect::Ledger(wish) => self.ledger(wish),
            Effect::Agent(wish) => self.ask_agent(wish),
            Effect::ReadSessions { .. }
            | Effect::ReadSession { .. }
            | Effect::ReadTexts { .. }
            | Effect::SearchSessions { .. }
            | Effect::FindInSession { .. }
            | Effect::EndSessionSearch
            | Effect::StopSessions
            | Effect::ReadProof { .. }
            | Effect::ExportSession { .. } => self.sessions(effect),
            Effect::ReadLinks { id, folder } => self.read(Job::Links { id, folder }),
            Effect::Examine { id, shelf } => self.read(Job::Examine { id, shelf }),
            Effect::ExamineAll { id } => self.sweep(id),
            Effect::StopExamining => self.stop_sweep(),
            Effect::Search { id, words } => self.searcher().ask(id, words),
            Effect::EndSearch => self.searcher().end(),
            Effect::Complete { typed, base } => self.complete(typed, base),
            Effect::FindChoices {
                id,
                cwd,
                of,
                word,
                models,
            } => {
                let cwd = cwd.unwrap_or_else(|| self.store.cwd().to_path_buf());
                self.chooser().ask(choices::Asked {
                    id,
                    cwd,
                    of,
                    word,
                    models,
                });
            }
            Effect::Preview { id, at, line } => self.read(Job::Preview { id, at, line }),
            Effect::Watch {
                folders,
                rules,
                sessions,
                ledger,
            } => self.watch(folders, rules, sessions, ledger),
            Effect::Write(order) => self.write(order),
            Effect::KeepTheme(name) => self.keep_theme(name),
            Effect::Copy { text, what } => {
                self.copy(text.clone(), what);
                return Some(Effect::Copy { text, what });
            }
            Effect::EditOutside { .. }
            | Effect::AskBackground
            | Effect::Redraw
            | Effect::Mouse(_)
            | Effect::Suspend
            | Effect::Quit => {
                return Some(effect);
            }
        }
        None
    }

    fn paint(&mut self, id: u64, body: String, is_page: bool) {
        let painter = self
            .painter
            .get_or_insert_with(|| Painter::start(self.out.clone()));
        painter.ask(ToPaint { id, body, is_page });
    }

    /// Panics in a thread, so that a test sees what happens then.
    ///
    /// # Panics
    /// Only in that thread.
    pub fn rehearse_panic(&self) {
        thread::spawn(|| panic!("a rehearsed panic in a worker thread"));
    }

    /// Gives a text to the system's clipboard, if there is one.
    fn copy(&self, text: String, what: &'static str) {
        if self.clipboard.is_there() {
            let (clipboard, out) = (self.clipboard.clone(), self.out.clone());
            thread::spawn(move || {
                let by = clipboard.copy(&text);
                let _ = out.send(Message::Copied { what, by });
            });
        }
    }

    /// Writes a request to a new file, `~` the home, below the working directory where
    /// the path is relative.
    fn export(&self, path: PathBuf, body: String) {
        let out = self.out.clone();
        let shown = match path.to_str() {
            Some(typed) => self.store.typed(typed),
            None => self.store.cwd().join(path),
        };
        let real = match self.store.disk().is_sysroot() {
            true => None,
            false => Some(self.store.real_place(&shown)),
        };
        thread::spawn(move || {
            let by = match real {
                Some(real) => preview::export(&Faults::default(), &real, body.as_bytes()),
                None => Err("nothing is written with --sysroot".to_string()),
            };
            let _ = out.send(Message::RequestWritten { path: shown, by });
        });
    }

    /// Completes a path on a thread of its own: its folder may be a slow one.
    fn complete(&self, typed: String, base: Option<PathBuf>) {
        let (store, out) = (self.store.clone(), self.out.clone());
        thread::spawn(move || {
            let found = complete::complete(&store, &typed, base.as_deref());
            let _ = out.send(Message::Completed { typed, found });
        });
    }

    fn keep_theme(&self, name: String) {
        let (config, out) = (self.config.clone(), self.out.clone());
        thread::spawn(move || {
            let kept = match config {
                Some(folder) => keep_theme(&Faults::default(), &folder, &name),
                None => Err("nothing is written with --sysroot".to_string()),
            };
            let _ = out.send(Message::ThemeKept(kept));
        });
    }

    fn survey(&self, id: u64) {
        let (store, out) = (self.store.clone(), self.out.clone());
        thread::spawn(move || survey(&store, id, &out));
    }

    fn stop_sweep(&self) {
        self.sweeping.store(true, Ordering::Relaxed);
    }

    fn sweep(&mut self, id: u64) {
        self.stop_sweep();
        self.sweeping = Arc::default();
        let store = self.store.at(self.clock.now());
        let (rules, out) = (self.rules.clone(), self.out.clone());
        let (writer, stop) = (Arc::clone(&self.writer), Arc::clone(&self.sweeping));
        thread::spawn(move || sweep::run(&store, &writer, &rules, id, &stop, &out));
    }

    /// Reads every project folder on a thread of its own: it may look for those that moved.
    fn read_projects(&self, id: u64) {
        let (store, out) = (self.store.clone(), self.out.clone());
        let writer = Arc::clone(&self.writer);
        thread::spawn(move || {
            let began = Instant::now();
            let limit = Duration::from_millis(SEEK_MILLISECONDS);
            let kept = identity::kept(&writer);
            let Projects {
                projects, faults, ..
            } = store.projects(&kept, &|| began.elapsed() > limit);
            let seen = projects.clone();
            let read = Box::new(ProjectList {
                switches: store.said_in_projects(&projects),
                repositories: store.repositories(&projects),
                projects,
                faults,
                keep_days: store.transcript_days(),
            });
            let _ = out.send(Message::Projects { id, read });
            if !store.disk().is_sysroot() {
                store.remember(&writer, &seen);
            }
        });
    }

    fn searcher(&mut self) -> &Searcher {
        let (store, out) = (&self.store, &self.out);
        self.searcher
            .get_or_insert_with(|| Searcher::start(store.clone(), out.clone()))
    }

    fn chooser(&mut self) -> &Chooser {
        self.chooser.get_or_insert_with(|| {
            Chooser::start(
                self.store.clone(),
                Arc::clone(&self.writer),
                self.clock,
                self.agency.models(),
                self.out.clone(),
            )
        })
    }

    fn watch(&mut self, folders: Vec<PathBuf>, rules: Vec<PathBuf>, sessions: bool, ledger: bool) {
        let watch = self.watch.get_or_insert_with(|| {
            let refused = std::env::var("LOCI_TEST_WATCH_FAIL")
                .ok()
                .and_then(|errno| errno.parse().ok());
            Watch::start(self.out.clone(), refused)
        });
        let real = |name: PathBuf, depth| watch::Shown {
            real: self.store.real_place(&name),
            name,
            depth,
        };
        let folders = folders.into_iter().map(|it| real(it, Depth::All));
        let rules = rules.into_iter().map(|it| real(it, Depth::Rules));
        // Projects come and go while only some of them are shown.
        let projects = self.store.home().join("projects");
        let listed = real(projects.clone(), Depth::Names);
        let sessions = sessions.then(|| real(projects, Depth::Sessions));
        // Ours lies where it is said to, also with --sysroot.
        let ledger = ledger.then(|| watch::Shown {
            name: self.writer.own_file(LEDGER),
            real: self.writer.own_file(LEDGER),
            depth: Depth::Ledger,
        });
        let all = folders
            .chain(rules)
            .chain([listed])
            .chain(sessions)
            .chain(ledger);
        self.standing = Some(watch.folders(all.collect()));
    }

    fn write(&mut self, order: Order) {
        let writing = self.writing.get_or_insert_with(|| {
            Writer::start(
                self.store.clone(),
                Arc::clone(&self.writer),
                self.rules.clone(),
                self.out.clone(),
            )
        });
        writing.ask(order);
    }

    /// Waits until all that was to be written is written.
    pub fn finish(&mut self) {
        if let Some(writing) = &mut self.writing {
            writing.finish();
        }
    }

    fn read(&mut self, job: Job) {
        let reader = self.reader.get_or_insert_with(|| {
            let (send, receive) = mpsc::channel();
            let (store, rules, out) = (self.store.clone(), self.rules.clone(), self.out.clone());
            let (writer, clock) = (Arc::clone(&self.writer), self.clock);
            thread::spawn(move || read_jobs(&store, &writer, clock, &rules, &receive, &out));
            send
        });
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = reader.send(job);
    }
}

fn survey(store: &Claude, id: u64, out: &UnboundedSender<Message>) {
    let shelves = store.shelves();
    let here = store.here();
    let _ = out.send(Message::Shelves { id, here, shelves });
    let batch = Mutex::new((Vec::new(), Instant::now()));
    store.survey_all(|shelf| {
        let mut held = batch.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.push(shelf);
        if held.1.elapsed() >= BATCH_AGE {
            let shelves = std::mem::take(&mut held.0);
            held.1 = Instant::now();
            let _ = out.send(Message::Surveyed { id, shelves });
        }
    });
    let (shelves, _) = batch.into_inner().unwrap_or_else(PoisonError::into_inner);
    let _ = out.send(Message::Surveyed { id, shelves });
    let _ = out.send(Message::SurveyDone { id });
}

/// Reads what is asked for. Of the pages, the previews, the links and the examinations that wait, only the last
/// is wanted.
fn read_jobs(
    store: &Claude,
    writer: &Arc<Store>,
    clock: Clock,
    rules: &Rules,
    jobs: &mpsc::Receiver<Job>,
    out: &UnboundedSender<Message>,
) {
    let mut told: Option<SessionsAsked> = None;
    while let Ok(first) = jobs.recv() {
        let mut page = None;
        let mut rule = None;
        let mut rules_of = Vec::new();
        let mut examine = None;
        let mut links = None;
        let mut preview = None;
        let mut shelves = Vec::new();
        for job in std::iter::once(first).chain(jobs.try_iter()) {
            match job {
                Job::Count { id, shelf } => {
                    let shelves = vec![store.survey(shelf)];
                    let _ = out.send(Message::Surveyed { id, shelves });
                }
                Job::Shelf { id, shelf } => shelves.push((id, shelf)),
                Job::Page { id, at } => (page, rule) = (Some((id, at)), None),
                Job::Rule { id, path, real } => (page, rule) = (None, Some((id, path, real))),
                Job::Rules { id, shelf } => rules_of.push((id, shelf)),
                Job::Links { id, folder } => links = Some((id, folder)),
                Job::Examine { id, shelf } => examine = Some((id, shelf)),
                Job::Preview { id, at, line } => preview = Some((id, at, line)),
            }
        }
        if let Some((id, at, line)) = preview {
            let excerpt = search::excerpt(store, &at, line);
            let _ = out.send(Message::Preview { id, excerpt });
        }
        if let Some((id, at)) = page {
            let page = store.page(&at.folder, &at.file).map(Box::new);
            let path = at.path();
            let _ = out.send(Message::Page { id, path, page });
        }
        if let Some((id, path, real)) = rule {
            let page = store.rule_page(&path, &real).map(Box::new);
            let _ = out.send(Message::Page { id, path, page });
        }
        for (id, shelf) in shelves {
            let contents = Box::new(store.contents(&shelf));
            let _ = out.send(Message::Contents {
                id,
                folder: shelf.folder,
                contents,
            });
        }
        for (id, shelf) in rules_of {
            let rules = Box::new(store.rules(&shelf));
            let folder = shelf.folder;
            let _ = out.send(Message::Rules { id, folder, rules });
        }
        // The dearest come last.
        if let Some((id, folder)) = links {
            let links = Box::new(backlinks::read(store.disk(), &folder));
            let _ = out.send(Message::Linked { id, links });
        }
        if let Some((id, shelf)) = examine {
            let mut examined = store.at(clock.now()).examine(&shelf, rules);
            let findings = std::mem::take(&mut examined.findings);
            let _ = out.send(Message::Examined { id, findings });
            if told::is_wanted(rules) {
                told.get_or_insert_with(|| SessionsAsked::start(store, writer, clock, rules, out))
                    .ask(id, shelf, examined);
            }
        }
    }
}

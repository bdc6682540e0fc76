//! The model of the screen: its state, the table of actions, and [`App::update`], which takes a
//! message and returns effects as values. No terminal, files, clock or network here: time and size
//! come in as values, reading is an effect whose answer is a message.

mod acting;
pub mod action;
pub mod agent;
mod agent_commands;
pub mod agent_edit;
mod agent_question;
pub mod archives;
pub mod conflict;
pub mod derived;
pub mod dialog;
pub mod diff_text;
pub mod editor;
pub mod field;
pub mod finder;
pub mod follow;
pub mod health_sweep;
pub mod health_view;
pub mod history_view;
pub mod hits;
pub mod index_rows;
pub mod index_view;
pub mod kept;
pub mod key;
pub mod layout;
mod ledger_edit;
pub mod ledger_view;
pub mod list;
pub mod look;
pub mod markdown;
pub mod message;
pub mod overlay;
pub mod painted;
pub mod preview_edit;
pub mod preview_rows;
pub mod preview_switches;
pub mod preview_view;
pub mod preview_words;
mod project_edit;
pub mod projects;
pub mod projects_view;
mod promoting;
pub mod proof_view;
pub mod reading;
pub mod request_view;
mod said;
pub mod session_reading;
pub mod session_rows;
pub mod sessions_edit;
mod sessions_read;
pub mod sessions_view;
pub mod tree;
pub mod tree_rows;
mod tree_rules;
mod turns;
pub mod usage_view;

mod act;
mod agent_card;
mod ask;
mod browse;
mod can;
mod change;
mod completing;
mod doing;
mod drafts;
mod edit;
mod filter;
mod health_edit;
mod history_look;
mod index_edit;
mod mouse;
mod moving;
pub mod rules;
mod rules_edit;
mod tree_narrowed;
mod typing;
mod update;
mod usage_look;

#[cfg(test)]
pub(crate) mod fixture;

use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::path::PathBuf;

use crate::agents::{Contents, Shelf};
use crate::app::action::{Action, Keymap, Scope};
use crate::app::agent::AgentPane;
use crate::app::derived::Derived;
use crate::app::doing::Doing;
use crate::app::editor::Editor;
use crate::app::editor::layout::EditLayout;
use crate::app::health_view::HealthView;
use crate::app::history_view::HistoryView;
use crate::app::index_view::IndexView;
use crate::app::kept::{Kept, Mark};
use crate::app::key::Key;
use crate::app::layout::{Area, Layout, Pane, Size, Wanted};
use crate::app::ledger_view::LedgerView;
use crate::app::look::{Look, Working};
use crate::app::message::{Effect, Message, Order};
use crate::app::overlay::Overlay;
use crate::app::preview_view::PreviewView;
use crate::app::projects_view::ProjectsView;
use crate::app::proof_view::ProofView;
use crate::app::reading::{Reading, Subject};
use crate::app::said::Said;
use crate::app::session_reading::SessionReading;
use crate::app::sessions_view::SessionsView;
use crate::app::tree::{FileAt, Tree};
use crate::app::usage_view::UsageView;
use crate::base::time::Moment;
use crate::memory::backlinks::Links;
use crate::store::draft::Draft;

/// The views of the main pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tab {
    Memory,
    Index,
    Preview,
    Health,
    History,
    Projects,
    Sessions,
    Usage,
    Ledger,
}

impl Tab {
    pub const ALL: [Self; 9] = [
        Self::Memory,
        Self::Index,
        Self::Preview,
        Self::Health,
        Self::History,
        Self::Projects,
        Self::Sessions,
        Self::Usage,
        Self::Ledger,
    ];
}

/// Something said to the person, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Notice {
    /// Gone with the next key.
    Word(String),
    /// Stays until Esc or until another takes its place.
    Error(String),
}

/// What the model is made from: values that the edge has read.
#[derive(Debug)]
pub struct Start {
    pub size: Size,
    /// The moment that ages are counted to.
    pub now: Moment,
    /// The person's home, `~` where paths are shown.
    pub home: PathBuf,
    /// The shelf of the working directory, and what is on it.
    pub here: Shelf,
    pub contents: Contents,
    /// What moves or switches off this store: sentences.
    pub store_notices: Vec<String>,
    pub mouse: bool,
    /// The store is the made-up one of `--demo`.
    pub demo: bool,
    pub keymap: Keymap,
    pub look: Look,
    /// What the last run kept; `None`: nothing is kept from one run to the next.
    pub kept: Option<Kept>,
}

/// What drawing found out and the model needs: flows back as a value before each frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measured {
    /// Lines of the Memory view at its present width.
    pub page_lines: usize,
    /// Where the tabs' titles stand, [`Tab::Memory`] first.
    pub tabs: [Area; Tab::ALL.len()],
    /// The box on top, if any, and the rows that it lists.
    pub overlay: Area,
    pub overlay_rows: Area,
}

/// The state of the screen.
#[derive(Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "facts that do not depend on one another, no states of one machine"
)]
pub struct App {
    pub size: Size,
    pub now: Moment,
    /// The person's home, `~` where paths are shown.
    pub home: PathBuf,
    pub tree: Tree,
    pub focus: Pane,
    pub tab: Tab,
    pub reading: Reading,
    pub index: IndexView,
    pub preview: PreviewView,
    pub health: HealthView,
    pub history: HistoryView,
    pub projects: ProjectsView,
    pub sessions: SessionsView,
    pub usage: UsageView,
    pub ledger: LedgerView,
    pub agent: AgentPane,
    /// The session that is read.
    pub session: Option<SessionReading>,
    /// What was sent to one, where that is looked at.
    pub proof: Option<ProofView>,
    /// The memory whose turns are asked for, until the sessions are read; that from which one was gone to.
    turns_of: Option<FileAt>,
    turn_from: Option<FileAt>,
    /// What was left for the session that is open.
    session_left: sessions_edit::Left,
    /// A memory was gone to from the session that is open, when the way back had so many steps.
    way_to_session: Option<usize>,
    /// The memory that is being edited.
    pub editor: Option<Editor>,
    /// Files that have a draft.
    pub drafts: HashSet<PathBuf>,
    /// Those of them that were made or taken up in this run.
    own_drafts: HashMap<PathBuf, Draft>,
    /// A file whose draft could not be kept.
    undrafted: Option<PathBuf>,
    /// Memories that the next action is for, all together.
    pub marked: BTreeSet<FileAt>,
    pub overlay: Option<Overlay>,
    pub notice: Option<Notice>,
    /// Keys of a chord that has begun.
    pub pending: Vec<Key>,
    pub store_notices: Vec<String>,
    pub mouse: bool,
    pub demo: bool,
    pub keymap: Keymap,
    pub look: Look,
    /// What is shown of work that takes longer than a moment.
    pub working: Option<Working>,
    /// Folders still to be counted are coming in.
    pub surveying: bool,
    /// The width that a person gave the tree.
    tree_width: Option<u16>,
    dragging: bool,
    quit_armed: bool,
    measured: Measured,
    last_id: u64,
    survey_id: u64,
    /// The folders that are being watched: those of memories, those of rules, whether those of sessions, and
    /// whether the ledger.
    watched: (Vec<PathBuf>, Vec<PathBuf>, bool, bool),
    /// What is being done, by the id of its answer.
    doing: HashMap<u64, Doing>,
    /// Keys that wait for what is about to come up.
    held: VecDeque<Message>,
    /// The finder is open, or was at the last look.
    finding: bool,
    /// A file that the tree goes to as soon as it is listed.
    reveal: Option<FileAt>,
    /// What was said in this run, the newest last.
    said: VecDeque<Said>,
    /// The project of the last run, until it is listed.
    last_project: Option<PathBuf>,
    /// What is kept from one run to the next is kept, and what of it was last.
    keeps: bool,
    kept: Mark,
    /// The project that is kept as the last.
    left_in: Option<PathBuf>,
    /// Which memories of a project link to which.
    links: Derived<Links>,
    /// The memories from which links were followed, the last one last.
    trail: Vec<FileAt>,
}

impl App {
    /// The screen at its start, and what it wants done first.
    #[must_use]
    pub fn new(start: Start) -> (Self, Vec<Effect>) {
        let mut app = Self {
            size: start.size,
            now: start.now,
            home: start.home,
            tree: Tree::new(start.here, start.contents),
            focus: Pane::Tree,
            tab: Tab::Memory,
            reading: Reading::default(),
            index: IndexView::default(),
            preview: PreviewView::default(),
            health: HealthView::default(),
            history: HistoryView::default(),
            projects: ProjectsView::default(),
            sessions: SessionsView::default(),
            usage: UsageView::default(),
            ledger: LedgerView::default(),
            agent: AgentPane::default(),
            session: None,
            proof: None,
            turns_of: None,
            turn_from: None,
            session_left: sessions_edit::Left::default(),
            way_to_session: None,
            editor: None,
            drafts: HashSet::new(),
            own_drafts: HashMap::new(),
            undrafted: None,
            marked: BTreeSet::new(),
            overlay: None,
            notice: None,
            pending: Vec::new(),
            store_notices: start.store_notices,
            mouse: start.mouse,
            demo: start.demo,
            keymap: start.keymap,
            look: start.look,
            working: None,
            surveying: true,
            tree_width: None,
            dragging: false,
            quit_armed: false,
            measured: Measured::default(),
            last_id: 0,
            survey_id: 0,
            watched: (Vec::new(), Vec::new(), false, false),
            doing: HashMap::new(),
            held: VecDeque::new(),
            finding: false,
            reveal: None,
            said: VecDeque::new(),
            last_project: None,
            keeps: start.kept.is_some(),
            kept: Mark::default(),
            left_in: None,
            links: Derived::default(),
            trail: Vec::new(),
        };
        app.take_kept(start.kept.unwrap_or_default());
        app.survey_id = app.next_id();
        let mut effects = vec![
            Effect::Survey { id: app.survey_id },
            Effect::Write(Order::ListDrafts),
        ];
        app.follow_up(&mut effects);
        (app, effects)
    }

    /// What has the focus.
    #[must_use]
    pub fn scope(&self) -> Scope {
        match &self.overlay {
            Some(overlay) => overlay.scope(),
            None => self.pane_scope(),
        }
    }

    /// What has the focus below whatever lies on top.
    #[must_use]
    pub fn pane_scope(&self) -> Scope {
        match (self.focus, self.tab) {
            (Pane::Tree, _) => Scope::Tree,
            (Pane::Agent, _) if self.agent.is_typing => match self.agent.completing() {
                Some(_) => Scope::Completion,
                None => Scope::Question,
            },
            (Pane::Agent, _) => Scope::Agent,
            (Pane::Main, Tab::Memory) => self.editor_scope().unwrap_or(Scope::Memory),
            (Pane::Main, Tab::Index) => Scope::Index,
            (Pane::Main, Tab::Preview) => Scope::Preview,
            (Pane::Main, Tab::Health) => Scope::Health,
            (Pane::Main, Tab::History) => Scope::History,
            (Pane::Main, Tab::Projects) => Scope::Projects,
            (Pane::Main, Tab::Sessions) => match self.session.is_some() || self.proof.is_some() {
                true => Scope::Session,
                false => Scope::Sessions,
            },
            (Pane::Main, Tab::Usage) => Scope::Usage,
            (Pane::Main, Tab::Ledger) => match self.ledger.open {
                Some(_) => Scope::Request,
                None => Scope::Ledger,
            },
        }
    }

    /// Where everything lies.
    #[must_use]
    pub fn layout(&self) -> Layout {
        Layout::of(self.size, self.focus, self.wanted())
    }

    /// What a person wants of the panes' widths.
    fn wanted(&self) -> Wanted {
        Wanted {
            tree: self.tree_width,
            agent: self.agent.is_open.then_some(self.agent.width),
        }
    }

    /// Whether both panes are shown at once.
    #[must_use]
    pub fn is_wide(&self) -> bool {
        match self.layout() {
            Layout::Panes(panes) => panes.tree.is_some() && panes.main.is_some(),
            Layout::TooSmall => false,
        }
    }

    /// The area of a pane, or what it would be if it had the focus.
    #[must_use]
    pub fn pane_area(&self, pane: Pane) -> Area {
        Layout::of(self.size, pane, self.wanted())
            .pane(pane)
            .unwrap_or_default()
    }

    /// What the Memory view shows.
    #[must_use]
    pub fn subject(&self) -> Subject<'_> {
        let file = self.tree.row().and_then(|row| self.tree.file(row));
        match (file, self.reading.shown()) {
            (Some(_), Some(shown)) => Subject::Page(shown),
            (Some(_), None) => Subject::Waiting,
            (None, _) => self.tree.current().map_or(Subject::Waiting, Subject::Shelf),
        }
    }

    /// The terminal's title.
    #[must_use]
    pub fn title(&self) -> String {
        match self.tree.current() {
            Some(state) => format!("{} — memories", state.shelf.title()),
            None => "loci".to_string(),
        }
    }

    /// Takes what drawing measured and brings everything that scrolls into bounds.
    pub fn settle(&mut self, measured: Measured) {
        self.measured = measured;
        let wanted = self.wanted();
        self.settle_agent();
        let height = |area: Area| usize::from(area.inside().height);
        let tree_height = height(self.pane_area(Pane::Tree));
        let main_height = height(self.pane_area(Pane::Main));
        let rows = self.tree.rows().len();
        self.tree.list.settle(rows, tree_height);
        self.index.settle(main_height);
        self.preview.settle(main_height);
        self.health.settle(main_height);
        self.history.settle(main_height);
        self.projects.settle(main_height);
        self.sessions.settle(main_height);
        self.usage.settle(main_height);
        self.ledger.settle(main_height);
        if let Some(reading) = &mut self.session {
            reading.settle(main_height);
        }
        if let Some(proof) = &mut self.proof {
            proof.settle(main_height);
        }
        self.reading.settle(measured.page_lines, main_height);
        if let Some(editor) = &mut self.editor {
            let inside = Layout::of(self.size, Pane::Main, wanted)
                .pane(Pane::Main)
                .unwrap_or_default()
                .padded();
            let body = EditLayout::of(editor, inside).body;
            editor
                .body
                .settle(usize::from(body.width), usize::from(body.height));
        }
        if let Some(overlay) = &mut self.overlay {
            let length = overlay.length();
            let height = usize::from(measured.overlay_rows.height);
            if let Some(list) = overlay.list() {
                list.settle(length, height);
            }
        }
    }

    /// The key of an action, as a sentence names it: where the focus is, else wherever it works.
    #[must_use]
    pub fn key(&self, action: Action) -> String {
        self.keymap.shown(action, self.scope())
    }

    /// ` · u undoes it`: the end of a sentence that names the key of an action; nothing where no key
    /// leads to it.
    fn hint(&self, action: Action, does: &str) -> String {
        match self.key(action) {
            key if key == action::UNBOUND => String::new(),
            key => format!(" · {key} {does}"),
        }
    }

    fn next_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Says what went wrong; paths of the current memory folder are told from there.
    fn fail(&mut self, said: impl AsRef<str>) {
        let said = self.without_folder(said.as_ref());
        self.remember_said(&said, true);
        self.notice = Some(Notice::Error(said));
    }

    fn say(&mut self, word: impl Into<String>) {
        let word = word.into();
        self.remember_said(&word, false);
        self.notice = Some(Notice::Word(word));
    }
}

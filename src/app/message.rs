//! What comes into the model and what goes out of it: messages in, effects out.

use std::ops::Range;
use std::path::PathBuf;

use crate::agents::claude::{ProjectWish, Proof};
use crate::agents::rules::RuleList;
use crate::agents::{Contents, Hits, Shelf};
use crate::app::agent::{Choice, Source};
use crate::app::archives::{Asked, Exported, Inside, Unexported};
use crate::app::health_sweep::Swept;
use crate::app::history_view::Past;
use crate::app::kept::Kept;
use crate::app::key::Key;
use crate::app::layout::Size;
use crate::app::ledger_view::{LedgerTold, LedgerWish};
use crate::app::look::Background;
use crate::app::painted::Painted;
use crate::app::projects_view::ProjectList;
use crate::app::session_reading::Ask;
use crate::app::sessions_view::{SessionHits, SessionList, UnderWay};
use crate::app::tree::FileAt;
use crate::base::time::Moment;
use crate::context::conversation as conversation_of_ours;
use crate::context::preview::{self, Preview};
use crate::engine::{drive, review};
use crate::health::Finding;
use crate::memory::backlinks::Links;
use crate::memory::file::Page;
use crate::memory::proposal::{Proposal, Wish};
use crate::project::elsewhere::Kind;
use crate::store::change::ChangeSet;
use crate::store::draft::Draft;
use crate::store::journal::Entry;
use crate::store::merge::ThreeWay;
use crate::transcript::conversation;
use crate::turn;

/// What is asked of the agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentWish {
    /// Says something; the first thing begins a conversation in a folder, that of the working directory
    /// where none is named.
    Say { cwd: Option<PathBuf>, text: String },
    /// Ends the turn that is on its way.
    Stop,
    /// Decides on a proposal.
    Decide { id: String, wish: review::Wish },
    /// The next thing that is said begins a conversation.
    Clear,
    /// Recall asks the model again, although that failed.
    ResetRecall,
    /// Takes the newest conversation of a folder up again, or the one whose name begins so.
    Resume {
        cwd: Option<PathBuf>,
        id: Option<String>,
    },
    /// Tells which memories a question would bring along, and why those.
    Recall { cwd: Option<PathBuf>, text: String },
    /// Has a text remembered: by the agent, or by form where no model is set up.
    Remember { cwd: Option<PathBuf>, text: String },
    /// Proposes that a memory goes, or a line of one.
    Forget { cwd: Option<PathBuf>, text: String },
    /// Tells what the conversation has cost.
    Cost,
    /// Tells which model is asked, or goes on with another.
    Model {
        cwd: Option<PathBuf>,
        name: Option<String>,
    },
}

/// A memory that was found, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundMemory {
    pub name: String,
    pub path: PathBuf,
    /// The ranker's; a model gives none.
    pub score: Option<f32>,
    pub why: String,
}

/// What is told of the conversation with the agent.
#[derive(Debug, Clone)]
pub enum AgentTold {
    /// A conversation began.
    Begun {
        session: String,
        model: String,
        /// Tokens; `None`: not known.
        window: Option<usize>,
    },
    /// One was taken up again.
    Restored {
        session: String,
        model: String,
        entries: Vec<conversation_of_ours::Entry>,
        waiting: Vec<turn::overlay::Proposal>,
    },
    Turn(drive::Event),
    /// Memories that were found for something that was typed: what was typed, a sentence, each memory.
    Found {
        asked: String,
        said: String,
        memories: Vec<FoundMemory>,
    },
    /// An answer of ours: sentences.
    Noted(Vec<String>),
    /// Another model is asked from now on.
    Model {
        model: String,
        /// Tokens; `None`: not known.
        window: Option<usize>,
        said: String,
    },
    /// The models that there are.
    Models(Vec<String>),
    Decided(review::Decided),
    /// A decision could not be carried out; the proposal waits on.
    Undecided(String),
    /// What was asked for could not be begun.
    Failed(String),
    /// Recall asks no model any more: why; `None`: it does.
    RecallStopped(Option<String>),
}

/// Something that happened.
#[derive(Debug, Clone)]
pub enum Message {
    /// Something in the conversation with the agent.
    Agent(Box<AgentTold>),
    Key(Key),
    /// Pasted text, whole.
    Paste(String),
    /// A paste has begun, and its end does not come: all that is typed is taken for a part of it.
    PasteUnended,
    Mouse(Mouse),
    Resize(Size),
    /// The shelves that there are, and that of the working directory.
    Shelves {
        id: u64,
        here: Shelf,
        shelves: Vec<Shelf>,
    },
    /// Some shelves, counted.
    Surveyed {
        id: u64,
        shelves: Vec<Shelf>,
    },
    /// All shelves are counted.
    SurveyDone {
        id: u64,
    },
    /// What a shelf holds, by its folder.
    Contents {
        id: u64,
        folder: PathBuf,
        contents: Box<Contents>,
    },
    /// The standing rules of a shelf's project, by the shelf's folder.
    Rules {
        id: u64,
        folder: PathBuf,
        rules: Box<RuleList>,
    },
    /// Something below a watched folder is different now, or the folder itself.
    Changed {
        folder: PathBuf,
    },
    /// Project folders came or went.
    Listed,
    /// Folders can't be watched: the sentence says why and what is done instead.
    WatchLimited(String),
    /// What came of a wish for the ledger.
    Ledger(Box<LedgerTold>),
    /// Every project folder.
    Projects {
        id: u64,
        read: Box<ProjectList>,
    },
    /// A transcript came, grew or went.
    SessionsChanged,
    /// How far the reading of every session is.
    SessionsUnderWay {
        id: u64,
        way: UnderWay,
    },
    /// Every session.
    Sessions {
        id: u64,
        read: Box<SessionList>,
    },
    /// A page of a session, or the sentence that says why not.
    SessionPage {
        id: u64,
        page: Result<Box<conversation::Page>, String>,
    },
    /// Texts of a session, read whole.
    SessionTexts {
        id: u64,
        texts: Result<Vec<String>, String>,
    },
    /// A part of what a search in sessions found.
    SessionsFound {
        id: u64,
        found: Box<SessionHits>,
    },
    /// Where the next hit in a session begins, if there is one.
    SessionFound {
        id: u64,
        at: Result<Option<u64>, String>,
    },
    /// What was sent to a session, and which memories it read.
    Proven {
        id: u64,
        proof: Result<Box<Proof>, String>,
    },
    /// What the model would be sent, or the sentence that says why it can't be told.
    PreviewBuilt {
        id: u64,
        preview: Result<Box<Preview>, String>,
    },
    /// A request was written to a file, or the sentence that says why not.
    RequestWritten {
        path: PathBuf,
        by: Result<usize, String>,
    },
    /// Trash and history.
    Past {
        id: u64,
        past: Box<Past>,
    },
    /// The fenced code of a page that was read, painted; the id is the reading's.
    Painted {
        id: u64,
        painted: Box<Painted>,
    },
    /// Which memories of a folder link to which.
    Linked {
        id: u64,
        links: Box<Links>,
    },
    /// What a change of the history did, as a unified diff, foreign text as it is.
    PastShown {
        id: u64,
        diff: String,
    },
    /// What costs on a shelf that was examined.
    Examined {
        id: u64,
        findings: Vec<Finding>,
    },
    /// What sessions tell of a shelf that was examined.
    Told {
        id: u64,
        findings: Vec<Finding>,
    },
    /// What costs on some shelves of a look at all; `done` when that is the last part.
    Swept {
        id: u64,
        swept: Box<Swept>,
        done: bool,
    },
    /// A file to be edited, or the sentence that says why not.
    Editable {
        id: u64,
        at: FileAt,
        read: Result<Box<Editable>, String>,
    },
    /// What a person's editor made of a file's bytes.
    EditedOutside {
        at: FileAt,
        before: Vec<u8>,
        edited: Result<Vec<u8>, String>,
    },
    /// What a wish comes to, or the sentence that says why nothing.
    Proposed {
        id: u64,
        proposed: Result<Box<Proposed>, Unmet>,
    },
    /// An archive was written, or not.
    Exported {
        id: u64,
        exported: Result<Exported, Unexported>,
    },
    /// What an archive holds, or the sentence that says why not.
    LookedInto {
        id: u64,
        found: Result<Vec<Inside>, String>,
    },
    /// A change was made, undone or done again; or not.
    Applied {
        id: u64,
        applied: Result<Done, Refusal>,
    },
    /// The files that have a draft.
    Drafts(Vec<PathBuf>),
    /// The draft of a file could not be kept or let go: a sentence.
    DraftLost {
        path: PathBuf,
        said: String,
        /// The draft that is there still.
        own: Option<Box<Draft>>,
    },
    /// The time has come to keep a draft of what was typed, and what the next run begins with.
    KeepDue,
    /// Nothing was typed into the edit for a while.
    TypingPaused,
    /// What a search found so far; `done` when that is all.
    Found {
        id: u64,
        found: Box<Hits>,
        done: bool,
    },
    /// The part of a file round a hit, or the sentence that says why not.
    Preview {
        id: u64,
        excerpt: Result<Excerpt, String>,
    },
    /// What is being done has taken so long already.
    Beat {
        seconds: u64,
    },
    /// The terminal has the focus again.
    Focused,
    /// What the terminal says of its background.
    Background(Background),
    /// Where the theme was kept, or the sentence that says why not.
    ThemeKept(Result<PathBuf, String>),
    /// What may stand where something is typed to the agent, or the sentence that says why nothing.
    Choices {
        id: u64,
        found: Result<Vec<Choice>, String>,
    },
    /// The rest of a path that was typed so far, or the sentence that says why there is none.
    Completed {
        typed: String,
        found: Result<Completed, String>,
    },
    /// Which of the system's programs took what was copied, none if there is none; or the sentence
    /// that says why not.
    Copied {
        what: &'static str,
        by: Result<Option<&'static str>, String>,
    },
    /// One file, or the sentence that says why not.
    Page {
        id: u64,
        path: PathBuf,
        page: Result<Box<Page>, String>,
    },
}

/// A path as far as it can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completed {
    pub text: String,
    /// How it may go on, folders with a `/`; none where there is only one way.
    pub names: Vec<String>,
}

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of its first line, from 1.
    pub first: usize,
    /// Foreign text, long lines cut.
    pub lines: Vec<String>,
}

/// A file as an edit begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editable {
    /// `None`: there is no such file, or not yet.
    pub bytes: Option<Vec<u8>>,
    pub modified: Option<Moment>,
    /// What was typed and never saved, in this window and in others, the newest first.
    pub drafts: Vec<Draft>,
}

/// What a person wants done in a memory folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    Wish(Wish),
    /// A change of whole project folders.
    Project(ProjectWish),
    /// What mends a finding.
    Fix(Box<Finding>),
    /// What mends the worst of a memory that can be mended; its path is relative to the folder.
    Mend(String),
}

/// A proposal, looked at and not yet applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposed {
    /// One a wish.
    pub proposals: Vec<Proposal>,
    /// As a unified diff, foreign text as it is.
    pub diff: String,
    pub notices: Vec<String>,
    /// Where the path of a project that is relinked stands besides.
    pub old_paths: Vec<OldPath>,
    /// What is said of the memories that go with a project, for each wish.
    pub memories: Vec<Vec<String>>,
}

/// Files of the client's of one kind that hold the old path of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OldPath {
    pub kind: Kind,
    /// How many they are.
    pub files: usize,
    /// Lines, or entries, that hold it.
    pub places: usize,
    /// The change rewrites it there.
    pub taken: bool,
}

/// Why wishes come to nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unmet {
    /// A sentence.
    pub said: String,
    /// The wish that can't be met, by its position, if another name for its memory would do.
    pub name_of: Option<usize>,
}

/// A change that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    pub title: String,
    pub notices: Vec<String>,
    /// Change sets of it that stand in the history; each is taken back by itself.
    pub sets: usize,
    /// The files that it wrote, moved or removed, and where it moved them.
    pub touched: Vec<PathBuf>,
}

/// Why a change was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// A sentence.
    Said(String),
    /// Somebody else changed the same lines.
    Overlap {
        path: PathBuf,
        three_way: Box<ThreeWay>,
    },
    /// It would put a secret into a file: a sentence, and what is written all the same if a person says so.
    Secret { said: String, set: Box<ChangeSet> },
}

/// What the mouse did, in cells from the top left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mouse {
    pub x: u16,
    pub y: u16,
    pub did: MouseDid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseDid {
    Press,
    Drag,
    Release,
    WheelUp,
    WheelDown,
}

/// Something to be done outside of the model. Answers bear the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Asks something of the agent.
    Agent(AgentWish),
    /// List the shelves, then count all of them.
    Survey {
        id: u64,
    },
    /// Count one shelf anew, as a part of the survey.
    Count {
        id: u64,
        shelf: Shelf,
    },
    ReadShelf {
        id: u64,
        shelf: Shelf,
    },
    ReadPage {
        id: u64,
        at: FileAt,
    },
    /// Read the standing rules of a shelf's project.
    ReadRules {
        id: u64,
        shelf: Shelf,
    },
    /// Read one of them, from where it really lies.
    ReadRule {
        id: u64,
        path: PathBuf,
        real: PathBuf,
    },
    /// Look words up in all projects; what was looked up before is no longer wanted.
    Search {
        id: u64,
        words: String,
    },
    /// Nothing is searched any more: what is held for it can go.
    EndSearch,
    /// Complete a path that is being typed: one that is not whole begins in `base`, else in the working
    /// directory.
    Complete {
        typed: String,
        base: Option<PathBuf>,
    },
    /// Tell what may stand where this word is typed to the agent; `cwd` as in [`AgentWish`].
    FindChoices {
        id: u64,
        cwd: Option<PathBuf>,
        of: Source,
        word: String,
        /// Models that the provider listed.
        models: Vec<String>,
    },
    /// Read the part of a file round a line.
    Preview {
        id: u64,
        at: FileAt,
        line: usize,
    },
    /// Paint the fenced code of a body; what was to be painted so before is no longer wanted.
    Paint {
        id: u64,
        body: String,
    },
    /// Reads what loci itself sent.
    Ledger(LedgerWish),
    /// Paint the fenced code of an answer: each is wanted.
    PaintAnswer {
        id: u64,
        body: String,
    },
    /// Read every project folder with its evidence.
    ReadProjects {
        id: u64,
    },
    /// Read what all sessions say of themselves.
    ReadSessions {
        id: u64,
    },
    /// Read a page of a session.
    ReadSession {
        id: u64,
        path: PathBuf,
        ask: Ask,
    },
    /// Read texts of a session whole, by where they stand in its transcript.
    ReadTexts {
        id: u64,
        path: PathBuf,
        texts: Vec<Range<u64>>,
    },
    /// Look words up in these transcripts; what was looked up so before is no longer wanted.
    SearchSessions {
        id: u64,
        words: String,
        paths: Vec<PathBuf>,
    },
    /// Find the next message with these words in a session, from a byte on or before it.
    FindInSession {
        id: u64,
        path: PathBuf,
        words: String,
        from: u64,
        forward: bool,
    },
    /// Look no further.
    EndSessionSearch,
    /// Read no more of all sessions: what was read is enough.
    StopSessions,
    /// Read what was sent to a session.
    ReadProof {
        id: u64,
        path: PathBuf,
    },
    /// Write a session as Markdown to a new file.
    ExportSession {
        session: PathBuf,
        title: Option<String>,
        file: PathBuf,
    },
    /// Build what the model would be sent in the project of a memory folder.
    BuildPreview {
        id: u64,
        folder: PathBuf,
        asked: Box<preview::Asked>,
    },
    /// Write a request to a new file.
    ExportRequest {
        path: PathBuf,
        body: String,
    },
    /// Find which memories of a folder link to which.
    ReadLinks {
        id: u64,
        folder: PathBuf,
    },
    /// Find what costs on a shelf.
    Examine {
        id: u64,
        shelf: Shelf,
    },
    /// Find what costs on all shelves; what was looked at so before is no longer wanted.
    ExamineAll {
        id: u64,
    },
    /// Look at no further shelf.
    StopExamining,
    /// Watch these folders and no others: memory folders with all below them, and those of rules
    /// for the files that rules are made of.
    Watch {
        folders: Vec<PathBuf>,
        rules: Vec<PathBuf>,
        /// All transcripts too.
        sessions: bool,
        /// What we have sent.
        ledger: bool,
    },
    /// Lend the terminal to a person's editor.
    EditOutside {
        at: FileAt,
        bytes: Vec<u8>,
    },
    /// Hand a text to the terminal's clipboard, and to the system's if there is one.
    Copy {
        text: String,
        what: &'static str,
    },
    /// Ask the terminal for its background.
    AskBackground,
    /// Keep the theme in the settings.
    KeepTheme(String),
    /// Draw the whole screen anew.
    Redraw,
    /// Turn mouse reports on or off.
    Mouse(bool),
    Suspend,
    Quit,
    /// Done in the order in which it was asked for, one after the other.
    Write(Order),
}

/// Something to be written, or to be read so that it can be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Read a file, and its draft, to be edited.
    Open {
        id: u64,
        at: FileAt,
    },
    /// The same of a rule, which need not be there yet.
    OpenRule {
        id: u64,
        at: FileAt,
    },
    /// Read the drafts of a file, and nothing of itself.
    OpenDrafts {
        id: u64,
        at: FileAt,
    },
    /// See what wishes come to, each with its memory folder.
    Propose {
        id: u64,
        wishes: Vec<(PathBuf, Wanted)>,
    },
    /// Do what is wished, one change set after the other.
    Carry {
        id: u64,
        wishes: Vec<(PathBuf, Wanted)>,
    },
    Apply {
        id: u64,
        set: ChangeSet,
        /// A person was told that it puts a secret into a file, and wants it all the same.
        leaks: bool,
    },
    /// Take a change back; without a key the last one.
    Undo {
        id: u64,
        key: Option<String>,
    },
    /// Bring back what a change put into the trash.
    Restore {
        id: u64,
        key: String,
    },
    /// Write projects into an archive.
    Export {
        id: u64,
        asked: Asked,
    },
    /// See what an archive holds; its file as typed.
    LookInto {
        id: u64,
        file: String,
    },
    ReadPast {
        id: u64,
    },
    /// Copy a session out of reach of the client's clean-up, or back.
    Rescue {
        id: u64,
        path: PathBuf,
        title: String,
        back: bool,
    },
    /// See what a change of the history did.
    ShowPast {
        id: u64,
        entry: Box<Entry>,
    },
    /// Do again what was taken back.
    Redo {
        id: u64,
    },
    /// Keep a draft in the place of the one that this window kept before.
    KeepDraft {
        draft: Box<Draft>,
        own: Option<Box<Draft>>,
    },
    /// Let this draft go; another one of the same file, of another window, stays.
    DropDraft(Box<Draft>),
    ListDrafts,
    /// Keep what the next run of the screen begins with.
    KeepScreen(Box<Kept>),
}

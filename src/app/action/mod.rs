//! The one table of actions, and what it is made of: what can be done, where it applies, how it is
//! called. Dispatch, footer, help, palette and the README's list are made from it. What an action
//! does is in `update`.

mod keymap;
mod remap;
mod table;

pub use keymap::{Keymap, Lookup, UNBOUND};
pub use table::TABLE;

/// What has the focus, and so decides which keys work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    Tree,
    Memory,
    Index,
    Preview,
    Health,
    History,
    /// The form of a memory being edited.
    Form,
    /// Its text.
    Body,
    Help,
    Palette,
    /// The search over all projects.
    Finder,
    /// A change that is looked at before it is made.
    Review,
    /// A change of the history that is looked at.
    Past,
    /// A line that is asked for.
    Prompt,
    Choice,
    /// Two sides of a conflict.
    Merge,
    /// The project that memories go to.
    Target,
    /// Every project folder.
    Projects,
    /// The sessions, a list.
    Sessions,
    /// One that is read, or what was sent to it.
    Session,
    /// What sessions cost.
    Usage,
    /// The requests that were sent, a list.
    Ledger,
    /// One of them.
    Request,
    /// What was said with the agent.
    Agent,
    /// What is being asked of it.
    Question,
    /// What may stand in it where the cursor is.
    Completion,
    /// Words that narrow a list.
    Filter,
}

impl Scope {
    pub const ALL: [Self; 27] = [
        Self::Tree,
        Self::Memory,
        Self::Index,
        Self::Preview,
        Self::Health,
        Self::History,
        Self::Form,
        Self::Body,
        Self::Help,
        Self::Palette,
        Self::Finder,
        Self::Review,
        Self::Past,
        Self::Prompt,
        Self::Choice,
        Self::Merge,
        Self::Target,
        Self::Projects,
        Self::Sessions,
        Self::Session,
        Self::Usage,
        Self::Ledger,
        Self::Request,
        Self::Agent,
        Self::Question,
        Self::Completion,
        Self::Filter,
    ];

    /// What a person calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "the tree",
            Self::Memory => "the memory",
            Self::Index => "the index",
            Self::Preview => "the preview",
            Self::Health => "the health",
            Self::History => "the history",
            Self::Form => "the form",
            Self::Body => "the text",
            Self::Help => "the help",
            Self::Palette => "the palette",
            Self::Finder => "the finder",
            Self::Review => "a review",
            Self::Past => "a change",
            Self::Prompt => "a line",
            Self::Choice => "a choice",
            Self::Merge => "a conflict",
            Self::Target => "a project",
            Self::Projects => "the projects",
            Self::Sessions => "the sessions",
            Self::Session => "a session",
            Self::Usage => "the usage",
            Self::Ledger => "the ledger",
            Self::Request => "a request",
            Self::Agent => "the agent",
            Self::Question => "a question",
            Self::Completion => "a completion",
            Self::Filter => "a filter",
        }
    }

    /// What `keys.toml` and the list of keys call it: its name without article.
    #[must_use]
    pub fn word(self) -> &'static str {
        let name = self.name();
        let bare = name
            .strip_prefix("the ")
            .or_else(|| name.strip_prefix("a "));
        bare.unwrap_or(name)
    }

    /// Whether typing goes into a text field here.
    #[must_use]
    pub fn is_field(self) -> bool {
        match self {
            Self::Form
            | Self::Body
            | Self::Help
            | Self::Palette
            | Self::Finder
            | Self::Prompt
            | Self::Target
            | Self::Question
            | Self::Completion
            | Self::Filter => true,
            Self::Agent
            | Self::Projects
            | Self::Sessions
            | Self::Session
            | Self::Usage
            | Self::Ledger
            | Self::Request
            | Self::Tree
            | Self::Memory
            | Self::Index
            | Self::Preview
            | Self::Health
            | Self::History
            | Self::Review
            | Self::Past
            | Self::Choice
            | Self::Merge => false,
        }
    }
}

/// What a person can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Open,
    Follow,
    GoBack,
    Fold,
    Down,
    Up,
    Top,
    Bottom,
    HalfDown,
    HalfUp,
    PageDown,
    PageUp,
    NextPane,
    PreviousPane,
    ShowMemory,
    ShowIndex,
    ShowPreview,
    PreviewQuestion,
    PreviewFile,
    PreviewEdited,
    PreviewAgent,
    PreviewAdded,
    PreviewModel,
    PreviewLayout,
    PreviewVersion,
    PreviewRecall,
    PreviewCompacted,
    PreviewResumed,
    PreviewTurns,
    PreviewCopy,
    PreviewExport,
    ShowHealth,
    ShowHistory,
    ShowProjects,
    ShowSessions,
    SessionSearch,
    SessionExport,
    SessionRescue,
    SessionProof,
    SessionAgents,
    UnfoldAll,
    SessionMemory,
    ShowUsage,
    UsageBars,
    UsageBy,
    UsageSpan,
    ShowLedger,
    LedgerMark,
    LedgerCompare,
    ShowAgent,
    HideAgent,
    WidenAgent,
    ResetRecall,
    Send,
    Newline,
    Accept,
    Reject,
    Turns,
    Prune,
    Relink,
    MergeProjects,
    Forget,
    Split,
    FoldIn,
    SwitchMemory,
    Export,
    Import,
    OldPaths,
    LookBack,
    UndoThis,
    AllProjects,
    Fix,
    FixAll,
    Raw,
    Edit,
    EditOutside,
    New,
    NewRule,
    Promote,
    Demote,
    Rename,
    Verify,
    Trash,
    MoveTo,
    CopyTo,
    Share,
    Mark,
    Sort,
    Filter,
    CopyPath,
    CopyBody,
    AddEntry,
    EditHook,
    MoveDown,
    MoveUp,
    RemoveEntry,
    Undo,
    Redo,
    Save,
    ShowChange,
    KeepAge,
    Drafts,
    Log,
    DropEdit,
    UndoTyping,
    RedoTyping,
    NextField,
    PreviousField,
    Confirm,
    Complete,
    TakeMine,
    TakeTheirs,
    TakeBoth,
    TakeBase,
    Find,
    NextHit,
    PreviousHit,
    Help,
    Palette,
    Run,
    Back,
    Reload,
    Mouse,
    Theme,
    Cancel,
    Suspend,
    Quit,
}

/// One line of the table.
#[derive(Debug)]
pub struct Entry {
    pub action: Action,
    /// A verb or two, as footer and palette show it.
    pub name: &'static str,
    /// One sentence for the help.
    pub doc: &'static str,
    /// Default keys, by the scopes that they work in; the first is the one that is shown.
    /// [`Keymap`] knows those that hold.
    pub bindings: &'static [(&'static [Scope], &'static [&'static str])],
    /// Place in the footer, the lowest first; `None`: not there.
    pub rank: Option<u8>,
}

impl Entry {
    /// Its default keys in a scope, as written.
    pub fn keys(&self, scope: Scope) -> impl Iterator<Item = &'static str> {
        self.bindings
            .iter()
            .filter(move |(scopes, _)| scopes.contains(&scope))
            .flat_map(|(_, keys)| keys.iter().copied())
    }

    /// Whether it works in a scope, by a key or from the palette.
    #[must_use]
    pub fn applies(&self, scope: Scope) -> bool {
        let mut scopes = self.bindings.iter().flat_map(|(scopes, _)| *scopes);
        scopes.any(|one| *one == scope)
    }

    /// The scopes that it works in.
    pub fn scopes(&self) -> impl Iterator<Item = Scope> {
        Scope::ALL.into_iter().filter(|scope| self.applies(*scope))
    }
}

/// The line of the table for an action.
///
/// # Panics
/// If the table lacks the action, which a test rules out.
#[must_use]
pub fn entry(action: Action) -> &'static Entry {
    TABLE
        .iter()
        .find(|entry| entry.action == action)
        .expect("every action is in the table")
}

/// A line of the help: keys of an action and where they work.
#[derive(Debug, Clone)]
pub struct HelpLine {
    pub entry: &'static Entry,
    /// None: no key leads to it there.
    pub keys: Vec<String>,
    /// Where they work.
    pub scopes: Vec<Scope>,
}

impl HelpLine {
    /// Its keys as they are shown.
    #[must_use]
    pub fn written_keys(&self) -> String {
        match self.keys.is_empty() {
            true => UNBOUND.to_string(),
            false => self.keys.join(" · "),
        }
    }

    /// Where its keys work: `tree, index`.
    #[must_use]
    pub fn places(&self) -> String {
        if self.scopes.len() == Scope::ALL.len() {
            return "everywhere".to_string();
        }
        let names = self.scopes.iter().map(|scope| scope.word());
        names.collect::<Vec<_>>().join(", ")
    }
}

/// Lines for the footer of a scope, the most useful first.
#[must_use]
pub fn footer(scope: Scope) -> Vec<&'static Entry> {
    let mut entries: Vec<_> = TABLE
        .iter()
        .filter(|entry| entry.rank.is_some() && entry.applies(scope))
        .collect();
    // Where there is much to do, what shows the rest of it goes before what is the same everywhere.
    entries.sort_by_key(|entry| match (scope, entry.action) {
        (Scope::Projects, Action::Find) => Some(9),
        _ => entry.rank,
    });
    entries
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;

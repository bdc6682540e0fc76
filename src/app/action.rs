//! The one table of actions: name, doc, default keys, where they apply, rank in the footer.
//! Dispatch, footer, help, palette and the README's list are made from it. What an action does is
//! in `update`.

use crate::app::key::Key;

/// What has the focus, and so decides which keys work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    Tree,
    Memory,
    Index,
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
    /// A line that is asked for.
    Prompt,
    Choice,
    /// Two sides of a conflict.
    Merge,
}

impl Scope {
    pub const ALL: [Self; 14] = [
        Self::Tree,
        Self::Memory,
        Self::Index,
        Self::Health,
        Self::History,
        Self::Form,
        Self::Body,
        Self::Help,
        Self::Palette,
        Self::Finder,
        Self::Review,
        Self::Prompt,
        Self::Choice,
        Self::Merge,
    ];

    /// What a person calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tree => "the tree",
            Self::Memory => "the memory",
            Self::Index => "the index",
            Self::Health => "the health",
            Self::History => "the history",
            Self::Form => "the form",
            Self::Body => "the text",
            Self::Help => "the help",
            Self::Palette => "the palette",
            Self::Finder => "the finder",
            Self::Review => "a review",
            Self::Prompt => "a line",
            Self::Choice => "a choice",
            Self::Merge => "a conflict",
        }
    }

    /// Whether typing goes into a text field here.
    #[must_use]
    pub fn is_field(self) -> bool {
        match self {
            Self::Form | Self::Body | Self::Help | Self::Palette | Self::Finder | Self::Prompt => {
                true
            }
            Self::Tree
            | Self::Memory
            | Self::Index
            | Self::Health
            | Self::History
            | Self::Review
            | Self::Choice
            | Self::Merge => false,
        }
    }
}

/// What a person can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    Open,
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
    ShowHealth,
    ShowHistory,
    Restore,
    UndoThis,
    Fix,
    FixAll,
    Raw,
    Edit,
    EditOutside,
    New,
    Rename,
    Trash,
    Mark,
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
    UndoTyping,
    RedoTyping,
    NextField,
    PreviousField,
    Confirm,
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
    pub bindings: &'static [(&'static [Scope], &'static [&'static str])],
    /// Place in the footer, the lowest first; `None`: not there.
    pub rank: Option<u8>,
}

impl Entry {
    /// Its keys in a scope, as written.
    pub fn keys(&self, scope: Scope) -> impl Iterator<Item = &'static str> {
        self.bindings
            .iter()
            .filter(move |(scopes, _)| scopes.contains(&scope))
            .flat_map(|(_, keys)| keys.iter().copied())
    }

    /// Whether it works in a scope.
    #[must_use]
    pub fn applies(&self, scope: Scope) -> bool {
        self.keys(scope).next().is_some()
    }

    /// All its keys, each once, the ones of panes first.
    #[must_use]
    pub fn all_keys(&self) -> Vec<&'static str> {
        let mut keys = Vec::new();
        for key in self.bindings.iter().flat_map(|(_, keys)| *keys) {
            if !keys.contains(key) {
                keys.push(*key);
            }
        }
        keys
    }
}

const EVERYWHERE: &[Scope] = &Scope::ALL;
const PANES: &[Scope] = &[
    Scope::Tree,
    Scope::Memory,
    Scope::Index,
    Scope::Health,
    Scope::History,
];
const FIELDS: &[Scope] = &[Scope::Help, Scope::Palette, Scope::Finder];
const MEMORIES: &[Scope] = &[Scope::Tree, Scope::Memory];
const EDITOR: &[Scope] = &[Scope::Form, Scope::Body];
const MERGE: &[Scope] = &[Scope::Merge];
/// What is moved through by keys and typed into by none.
const LISTS: &[Scope] = &[
    Scope::Tree,
    Scope::Memory,
    Scope::Index,
    Scope::Health,
    Scope::History,
    Scope::Review,
    Scope::Choice,
    Scope::Merge,
];

/// All actions, in the order of the help.
pub const TABLE: &[Entry] = &[
    Entry {
        action: Action::Open,
        name: "open",
        doc: "Unfold the row, or open the memory that it shows or points at",
        bindings: &[
            (
                &[Scope::Tree, Scope::Index, Scope::Health],
                &["enter", "l", "right"],
            ),
            (&[Scope::Finder], &["enter"]),
        ],
        rank: Some(0),
    },
    Entry {
        action: Action::Fold,
        name: "fold",
        doc: "Fold the row or go to its parent, from a view to the tree",
        bindings: &[(PANES, &["h", "left"])],
        rank: Some(14),
    },
    Entry {
        action: Action::Down,
        name: "down",
        doc: "One row down",
        bindings: &[(LISTS, &["j", "down"]), (FIELDS, &["down", "ctrl-n"])],
        rank: None,
    },
    Entry {
        action: Action::Up,
        name: "up",
        doc: "One row up",
        bindings: &[(LISTS, &["k", "up"]), (FIELDS, &["up", "ctrl-p"])],
        rank: None,
    },
    Entry {
        action: Action::Top,
        name: "top",
        doc: "To the first row",
        bindings: &[(PANES, &["g g", "home"])],
        rank: None,
    },
    Entry {
        action: Action::Bottom,
        name: "bottom",
        doc: "To the last row",
        bindings: &[(PANES, &["G", "end"])],
        rank: None,
    },
    Entry {
        action: Action::HalfDown,
        name: "half page down",
        doc: "Half a page down",
        bindings: &[(PANES, &["ctrl-d"])],
        rank: None,
    },
    Entry {
        action: Action::HalfUp,
        name: "half page up",
        doc: "Half a page up",
        bindings: &[(PANES, &["ctrl-u"])],
        rank: None,
    },
    Entry {
        action: Action::PageDown,
        name: "page down",
        doc: "One page down",
        bindings: &[(EVERYWHERE, &["pgdn"])],
        rank: None,
    },
    Entry {
        action: Action::PageUp,
        name: "page up",
        doc: "One page up",
        bindings: &[(EVERYWHERE, &["pgup"])],
        rank: None,
    },
    Entry {
        action: Action::NextPane,
        name: "next pane",
        doc: "To the next pane",
        bindings: &[(PANES, &["tab"])],
        rank: Some(10),
    },
    Entry {
        action: Action::PreviousPane,
        name: "previous pane",
        doc: "To the previous pane",
        bindings: &[(PANES, &["shift-tab"])],
        rank: None,
    },
    Entry {
        action: Action::ShowMemory,
        name: "memory",
        doc: "Show the memory, or what the folder holds",
        bindings: &[(PANES, &["1"])],
        rank: Some(12),
    },
    Entry {
        action: Action::ShowIndex,
        name: "index",
        doc: "Show the index: its limits, its pointers, where it is cut",
        bindings: &[(PANES, &["2"])],
        rank: Some(11),
    },
    Entry {
        action: Action::ShowHealth,
        name: "health",
        doc: "Show what is wrong in this project, what it costs and what mends it",
        bindings: &[(PANES, &["3"])],
        rank: Some(10),
    },
    Entry {
        action: Action::ShowHistory,
        name: "history",
        doc: "Show the trash and every change that was made, the newest first",
        bindings: &[(PANES, &["4"])],
        rank: Some(11),
    },
    Entry {
        action: Action::Restore,
        name: "bring back",
        doc: "Bring back what lies in the trash under the cursor, with its index line",
        bindings: &[(&[Scope::History], &["enter"])],
        rank: Some(0),
    },
    Entry {
        action: Action::UndoThis,
        name: "take back",
        doc: "Take the change under the cursor back, also one that is not the last",
        bindings: &[(&[Scope::History], &["U"])],
        rank: Some(1),
    },
    Entry {
        action: Action::Fix,
        name: "fix",
        doc: "Mend the finding, after a look at what changes",
        bindings: &[(&[Scope::Health], &["f"])],
        rank: Some(1),
    },
    Entry {
        action: Action::FixAll,
        name: "fix all",
        doc: "Mend all findings of this code, a change each, after a look",
        bindings: &[(&[Scope::Health], &["F"])],
        rank: Some(2),
    },
    Entry {
        action: Action::Raw,
        name: "raw",
        doc: "Show the memory rendered or as it is in the file",
        bindings: &[(MEMORIES, &["v"])],
        rank: Some(13),
    },
    Entry {
        action: Action::Edit,
        name: "edit",
        doc: "Edit the memory here: its fields as a form, its text below",
        bindings: &[(MEMORIES, &["e"])],
        rank: Some(1),
    },
    Entry {
        action: Action::EditOutside,
        name: "$EDITOR",
        doc: "Edit the memory in $VISUAL or $EDITOR; what it leaves is saved as one change",
        bindings: &[(MEMORIES, &["E"])],
        rank: Some(17),
    },
    Entry {
        action: Action::New,
        name: "new",
        doc: "Begin a new memory in this project, from a template",
        bindings: &[(
            &[Scope::Tree, Scope::Index, Scope::Health, Scope::History],
            &["n"],
        )],
        rank: Some(3),
    },
    Entry {
        action: Action::Rename,
        name: "rename",
        doc: "Give the memory another name: its file, its index line and the links to it follow",
        bindings: &[(MEMORIES, &["r"])],
        rank: Some(12),
    },
    Entry {
        action: Action::Trash,
        name: "trash",
        doc: "Move the memory, or all marked ones, to the trash with their index lines, after a look at what goes",
        bindings: &[(MEMORIES, &["d"])],
        rank: Some(4),
    },
    Entry {
        action: Action::Mark,
        name: "mark",
        doc: "Mark the memory for the next action, or take the mark off",
        bindings: &[(&[Scope::Tree], &["space"])],
        rank: Some(16),
    },
    Entry {
        action: Action::CopyPath,
        name: "copy path",
        doc: "Copy the path of the memory, through the terminal (OSC 52)",
        bindings: &[(MEMORIES, &["y"])],
        rank: None,
    },
    Entry {
        action: Action::CopyBody,
        name: "copy text",
        doc: "Copy the text of the memory without its front matter, through the terminal (OSC 52)",
        bindings: &[(MEMORIES, &["Y"])],
        rank: None,
    },
    Entry {
        action: Action::AddEntry,
        name: "add line",
        doc: "Add a line to the index for a memory that has none, a ghost",
        bindings: &[(PANES, &["+"])],
        rank: Some(2),
    },
    Entry {
        action: Action::EditHook,
        name: "edit hook",
        doc: "Change what the entry says behind its link, with a look at the limits",
        bindings: &[(&[Scope::Index], &["e"])],
        rank: Some(1),
    },
    Entry {
        action: Action::MoveDown,
        name: "move down",
        doc: "Move the entry below the next one",
        bindings: &[(&[Scope::Index], &["J"])],
        rank: Some(2),
    },
    Entry {
        action: Action::MoveUp,
        name: "move up",
        doc: "Move the entry above the one before",
        bindings: &[(&[Scope::Index], &["K"])],
        rank: Some(2),
    },
    Entry {
        action: Action::RemoveEntry,
        name: "remove line",
        doc: "Take the entry out of the index, after a look; its file stays",
        bindings: &[(&[Scope::Index], &["d"])],
        rank: Some(4),
    },
    Entry {
        action: Action::Undo,
        name: "undo",
        doc: "Take the last change to files back, also one of an earlier run",
        bindings: &[(PANES, &["u"])],
        rank: Some(5),
    },
    Entry {
        action: Action::Redo,
        name: "redo",
        doc: "Do again what the last undo took back",
        bindings: &[(PANES, &["ctrl-r"])],
        rank: None,
    },
    Entry {
        action: Action::Save,
        name: "save",
        doc: "Save the edit and go on with it: one step, which undo takes back",
        bindings: &[(EDITOR, &["ctrl-s"]), (&[Scope::Form], &["enter"])],
        rank: Some(0),
    },
    Entry {
        action: Action::ShowChange,
        name: "what changes",
        doc: "Show what a save would change, as a diff",
        bindings: &[(EDITOR, &["ctrl-g"])],
        rank: Some(1),
    },
    Entry {
        action: Action::KeepAge,
        name: "keep age",
        doc: "Save without making the memory young (a spelling fix), or after all with",
        bindings: &[(EDITOR, &["ctrl-t"])],
        rank: Some(2),
    },
    Entry {
        action: Action::UndoTyping,
        name: "undo typing",
        doc: "Take back what was typed last in the field or the text",
        bindings: &[(EDITOR, &["ctrl-u"])],
        rank: Some(3),
    },
    Entry {
        action: Action::RedoTyping,
        name: "redo typing",
        doc: "Do again what was taken back in the field or the text",
        bindings: &[(EDITOR, &["ctrl-r"])],
        rank: None,
    },
    Entry {
        action: Action::NextField,
        name: "next field",
        doc: "To the next field, at last to the text",
        bindings: &[(&[Scope::Form], &["tab", "down"])],
        rank: Some(4),
    },
    Entry {
        action: Action::PreviousField,
        name: "previous field",
        doc: "To the field before, from the text to the form",
        bindings: &[
            (&[Scope::Form], &["shift-tab", "up"]),
            (&[Scope::Body], &["shift-tab"]),
        ],
        rank: None,
    },
    Entry {
        action: Action::Confirm,
        name: "yes",
        doc: "Do what is asked about",
        bindings: &[(
            &[Scope::Review, Scope::Prompt, Scope::Choice, Scope::Merge],
            &["enter"],
        )],
        rank: Some(0),
    },
    Entry {
        action: Action::TakeMine,
        name: "mine",
        doc: "Take my lines of this hunk",
        bindings: &[(MERGE, &["m"])],
        rank: Some(1),
    },
    Entry {
        action: Action::TakeTheirs,
        name: "theirs",
        doc: "Take the other side's lines of this hunk",
        bindings: &[(MERGE, &["t"])],
        rank: Some(2),
    },
    Entry {
        action: Action::TakeBoth,
        name: "both",
        doc: "Take both, the other side's first",
        bindings: &[(MERGE, &["b"])],
        rank: Some(3),
    },
    Entry {
        action: Action::TakeBase,
        name: "neither",
        doc: "Take the lines as they were before both",
        bindings: &[(MERGE, &["o"])],
        rank: Some(4),
    },
    Entry {
        action: Action::Find,
        name: "find",
        doc: "Find words in all projects' memories, with a look at each hit; similar ones come last",
        bindings: &[(PANES, &["/"])],
        rank: Some(5),
    },
    Entry {
        action: Action::NextHit,
        name: "next hit",
        doc: "To the next hit of the last search in the memory that is shown",
        bindings: &[(&[Scope::Memory], &["n"])],
        rank: Some(2),
    },
    Entry {
        action: Action::PreviousHit,
        name: "previous hit",
        doc: "To the hit before",
        bindings: &[(&[Scope::Memory], &["N"])],
        rank: None,
    },
    Entry {
        action: Action::Help,
        name: "help",
        doc: "Show all keys; type to filter",
        bindings: &[(PANES, &["?"])],
        rank: Some(6),
    },
    Entry {
        action: Action::Palette,
        name: "commands",
        doc: "Find and run any action",
        bindings: &[(PANES, &[":", "ctrl-p"])],
        rank: Some(7),
    },
    Entry {
        action: Action::Run,
        name: "run",
        doc: "Run the chosen action of the palette",
        bindings: &[(&[Scope::Palette], &["enter"])],
        rank: Some(0),
    },
    Entry {
        action: Action::Back,
        name: "back",
        doc: "One layer back: close what is on top, or return to the tree",
        bindings: &[(EVERYWHERE, &["esc"]), (&[Scope::Help], &["enter"])],
        rank: Some(9),
    },
    Entry {
        action: Action::Reload,
        name: "reload",
        doc: "Draw the screen anew and read the store again",
        bindings: &[(EVERYWHERE, &["ctrl-l"])],
        rank: Some(15),
    },
    Entry {
        action: Action::Mouse,
        name: "mouse on/off",
        doc: "Mouse here (click, wheel, drag borders) or left to the terminal; shift-drag always selects text",
        bindings: &[(EVERYWHERE, &["F2"])],
        rank: None,
    },
    Entry {
        action: Action::Cancel,
        name: "cancel",
        doc: "Cancel what is begun, clear what is typed; pressed again, quit",
        bindings: &[(EVERYWHERE, &["ctrl-c"])],
        rank: None,
    },
    Entry {
        action: Action::Suspend,
        name: "suspend",
        doc: "Back to the shell; `fg` returns",
        bindings: &[(EVERYWHERE, &["ctrl-z"])],
        rank: None,
    },
    Entry {
        action: Action::Quit,
        name: "quit",
        doc: "Leave",
        bindings: &[(PANES, &["q"])],
        rank: Some(8),
    },
];

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
#[derive(Debug, Clone, Copy)]
pub struct HelpLine {
    pub entry: &'static Entry,
    pub keys: &'static [&'static str],
    scopes: &'static [Scope],
}

impl HelpLine {
    /// Where its keys work: `tree, index`.
    #[must_use]
    pub fn places(&self) -> String {
        if self.scopes.len() == Scope::ALL.len() {
            return "everywhere".to_string();
        }
        let names = self.scopes.iter().map(|scope| scope.name());
        let names: Vec<_> = names
            .map(|name| name.strip_prefix("the ").unwrap_or(name))
            .collect();
        names.join(", ")
    }
}

/// Every action with its keys, a line for each group of places that has its own.
pub fn help_lines() -> impl Iterator<Item = HelpLine> {
    TABLE.iter().flat_map(|entry| {
        entry.bindings.iter().map(move |(scopes, keys)| HelpLine {
            entry,
            keys,
            scopes,
        })
    })
}

/// Lines for the footer of a scope, the most useful first.
#[must_use]
pub fn footer(scope: Scope) -> Vec<&'static Entry> {
    let mut entries: Vec<_> = TABLE
        .iter()
        .filter(|entry| entry.rank.is_some() && entry.applies(scope))
        .collect();
    entries.sort_by_key(|entry| entry.rank);
    entries
}

/// The table with its keys read.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<(Scope, Vec<Key>, Action)>,
}

/// What presses so far mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    Action(Action),
    /// They begin a longer chord.
    Prefix,
    Nothing,
}

impl Default for Keymap {
    fn default() -> Self {
        let mut bindings = Vec::new();
        for entry in TABLE {
            for scope in Scope::ALL {
                for text in entry.keys(scope) {
                    let chord = Key::parse_chord(text).expect("the table's keys can be read");
                    bindings.push((scope, chord, entry.action));
                }
            }
        }
        Self { bindings }
    }
}

impl Keymap {
    /// What `pressed` means in a scope.
    #[must_use]
    pub fn lookup(&self, scope: Scope, pressed: &[Key]) -> Lookup {
        let mut found = Lookup::Nothing;
        for (at, chord, action) in &self.bindings {
            if *at != scope || !chord.starts_with(pressed) {
                continue;
            }
            if chord.len() == pressed.len() {
                return Lookup::Action(*action);
            }
            found = Lookup::Prefix;
        }
        found
    }

    /// What can follow `pressed` in a scope: the remaining keys and the action.
    #[must_use]
    pub fn continuations(&self, scope: Scope, pressed: &[Key]) -> Vec<(String, Action)> {
        self.bindings
            .iter()
            .filter(|(at, chord, _)| {
                *at == scope && chord.len() > pressed.len() && chord.starts_with(pressed)
            })
            .map(|(_, chord, action)| {
                let rest: Vec<_> = chord[pressed.len()..].iter().map(Key::to_string).collect();
                (rest.join(" "), *action)
            })
            .collect()
    }
}

#[cfg(test)]
#[path = "action_tests.rs"]
mod tests;

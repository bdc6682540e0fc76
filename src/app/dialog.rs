//! What asks a person something, on top of the panes: a change set to be looked at before it is
//! applied, a line to be typed, a choice, and two sides of a conflict.

use std::path::PathBuf;

use crate::agents::claude::ProjectWish;
use crate::app::archives::Asked;
use crate::app::diff_text::DiffText;
use crate::app::field::Field;
use crate::app::index_rows::Which;
use crate::app::list::List;
use crate::app::message::{OldPath, Wanted};
use crate::app::preview_edit::PreviewLine;
use crate::app::sessions_edit::Sought;
use crate::app::tree::FileAt;
use crate::memory::file::MemoryType;
use crate::memory::proposal::{Demotion, EntryAt, Wish};
use crate::store::change::ChangeSet;
use crate::store::draft::Draft;

/// A change set, shown as a diff, that is applied when it is confirmed.
#[derive(Debug, Clone)]
pub struct Review {
    /// What it is about: `trash 2 memories`.
    pub title: String,
    /// What a person should know first.
    pub warnings: Vec<String>,
    pub diff: DiffText,
    pub task: Task,
    /// What follows when it is applied.
    pub then: Then,
    /// What a project's relink can take along.
    pub old_paths: Vec<OldPath>,
    /// The first row in view is `list.offset`.
    pub list: List,
}

/// A change of the history, or from one request to another, shown as a diff.
#[derive(Debug, Clone)]
pub struct PastChange {
    /// By which it can be taken back; `None`: it is no change of files.
    pub key: Option<String>,
    pub title: String,
    /// It is taken back already.
    pub undone: bool,
    pub diff: DiffText,
    /// The first row in view is `list.offset`.
    pub list: List,
}

/// What a confirmed review does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    Apply(ChangeSet),
    /// Wishes with their folders, a change set each.
    Carry(Vec<(PathBuf, Wanted)>),
    /// The edit of a card.
    SaveCard,
}

/// What follows a change that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Then {
    Nothing,
    /// Something more is said of it.
    Told(String),
    /// What was marked is done.
    Unmark,
    /// The edit is over: its draft goes.
    Saved(FileAt),
    /// A file came to be: the tree goes to it.
    Reveal(FileAt),
    /// Both.
    SavedAs {
        draft: FileAt,
        file: FileAt,
    },
}

/// A line to be typed.
#[derive(Debug, Clone)]
pub struct Prompt {
    pub title: String,
    pub hint: &'static str,
    pub field: Field,
    /// Why what was typed before did not do, until something else is typed.
    pub said: Option<String>,
    pub purpose: Purpose,
}

/// What a typed line is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    Rename(FileAt),
    /// Of what one of some wishes moves, whose own name is taken there.
    OtherName {
        title: String,
        wishes: Vec<(PathBuf, Wanted)>,
        at: usize,
    },
    /// Something that the preview is told.
    Preview(PreviewLine),
    /// Where a project is now.
    Relink {
        key: String,
    },
    /// The file that projects are written to.
    Export(Asked),
    /// The archive that projects are taken from.
    Import,
    /// Words that are looked for in sessions.
    Sought(Sought),
    /// The file that a session is written to.
    SessionFile {
        path: PathBuf,
        title: Option<String>,
    },
    /// The word without which wishes are not carried out.
    Word {
        word: &'static str,
        wishes: Vec<(PathBuf, Wanted)>,
    },
    /// The name of a rules file in a folder.
    NewRule {
        folder: PathBuf,
        title: String,
    },
    /// The name of the memory that a part of a rule becomes.
    Demote(Box<RulePart>),
    /// The hook of an entry.
    Hook {
        folder: PathBuf,
        which: Which,
        entry: EntryAt,
    },
}

impl Purpose {
    /// Whether a file or a folder is typed.
    #[must_use]
    pub fn is_a_path(&self) -> bool {
        match self {
            Self::Export(_)
            | Self::Import
            | Self::SessionFile { .. }
            | Self::Relink { .. }
            | Self::Preview(
                PreviewLine::Export | PreviewLine::File | PreviewLine::Edited | PreviewLine::Added,
            ) => true,
            Self::Rename(_)
            | Self::OtherName { .. }
            | Self::Preview(PreviewLine::Question | PreviewLine::Model | PreviewLine::Turns)
            | Self::Word { .. }
            | Self::Sought(_)
            | Self::NewRule { .. }
            | Self::Demote(_)
            | Self::Hook { .. } => false,
        }
    }
}

/// A choice.
#[derive(Debug, Clone)]
pub struct Choice {
    pub title: String,
    /// What there is to know, a line each.
    pub lines: Vec<String>,
    pub answers: Vec<(String, Answer)>,
    pub list: List,
}

impl Choice {
    /// Whether a draft is offered.
    #[must_use]
    pub fn is_offer(&self) -> bool {
        self.answers.iter().any(|(_, answer)| match answer {
            Answer::TakeDraft(_) | Answer::DropDrafts(_) => true,
            Answer::Create { .. }
            | Answer::EditCard { .. }
            | Answer::Go(_)
            | Answer::NewRule(_)
            | Answer::AskRule { .. }
            | Answer::Promote { .. }
            | Answer::AskName(_)
            | Answer::Demote { .. }
            | Answer::Place { .. }
            | Answer::Through { .. }
            | Answer::GiveUp
            | Answer::Stay
            | Answer::PreviewAgent(_)
            | Answer::Relink { .. }
            | Answer::AskPath { .. }
            | Answer::Export(_)
            | Answer::ExportOver(_)
            | Answer::Import(_)
            | Answer::OpenDraft(_)
            | Answer::Turn { .. }
            | Answer::Touched(_)
            | Answer::Leak { .. }
            | Answer::WriteAnew(_) => false,
        })
    }
}

/// What can be chosen.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Go on with what was typed.
    TakeDraft(Box<Draft>),
    /// Begin from what is in the file; the drafts go.
    DropDrafts(Vec<Draft>),
    /// Leave the edit that is open and what was typed in it.
    GiveUp,
    /// Go on with it.
    Stay,
    /// The sub-agent whose request is shown; `None`: the main conversation's.
    PreviewAgent(Option<String>),
    /// A project is in this folder now.
    Relink { key: String, path: PathBuf },
    /// It is in one that is to be typed.
    AskPath { key: String, title: String },
    /// Projects into an archive whose file is to be typed.
    Export(Asked),
    /// The same into a file that is there.
    ExportOver(Asked),
    /// Projects of an archive, after a look.
    Import(ProjectWish),
    /// Open the draft of a file.
    OpenDraft(FileAt),
    /// Write a file that is gone, as its draft has it.
    WriteAnew(Box<Draft>),
    /// Write a secret all the same.
    Leak {
        set: Box<ChangeSet>,
        then: Box<Then>,
    },
    /// Go to a memory.
    Go(FileAt),
    /// Go to the turn of a session whose line begins at this byte.
    Turn {
        session: PathBuf,
        title: String,
        at: u64,
        from: FileAt,
    },
    /// Go to the memory, index or rule that a row of a session is about.
    Touched(PathBuf),
    /// Begin a rules file.
    NewRule(PathBuf),
    /// Begin one in a folder; its name is asked.
    AskRule { folder: PathBuf, title: String },
    /// Make a memory a line of a rules file.
    Promote { at: FileAt, to: PathBuf },
    /// Make a part of a rule a memory; its name is asked.
    AskName(Box<RulePart>),
    /// Make a part of a rule a memory of this name and type.
    Demote {
        part: Box<RulePart>,
        name: String,
        kind: MemoryType,
    },
    /// The same, its index line at this place.
    Place {
        title: String,
        folder: PathBuf,
        demotion: Box<Demotion>,
    },
    /// Edit a rules file that a link takes out of its folder; `lend`: in a person's own editor.
    Through { at: FileAt, lend: bool },
    /// Edit a file of what the agent proposes; `lend`: in a person's own editor.
    EditCard { id: String, file: usize, lend: bool },
    /// Make a new memory so.
    Create { draft: FileAt, wish: Wish },
}

/// A rule, or some lines of it, that shall become a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulePart {
    /// The memory folder that it goes to.
    pub folder: PathBuf,
    pub rule: PathBuf,
    /// What a list shows for the rule.
    pub title: String,
    /// First and last line, from 1; `None`: the whole file.
    pub lines: Option<(usize, usize)>,
    /// What it was seen to say.
    pub text: String,
    /// What its name may be.
    pub name: String,
    /// What a person should know first: a sentence each.
    pub notes: Vec<String>,
}

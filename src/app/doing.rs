//! What is being done: the answer of a worker that is awaited.

use std::path::PathBuf;

use crate::app::archives::Asked;
use crate::app::dialog::Then;
use crate::app::editor::Spot;
use crate::app::message::Wanted;
use crate::app::rules_edit::RuleToTrash;
use crate::app::tree::FileAt;
use crate::store::journal::Entry;

/// What an answer that is awaited is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    Opening,
    /// The drafts are read of what a card proposes, before it is edited.
    OpeningCard {
        id: String,
        file: usize,
    },
    /// A question is read that was typed and never sent.
    TakingQuestion,
    /// The file is read for a person's editor.
    Lending,
    /// The rule is read that shall go to the trash, so that what goes is seen.
    TrashingRule(Box<RuleToTrash>),
    /// It is read again after a save; the cursor goes back to where it was.
    GoingOn {
        spot: Spot,
        cursor: (usize, usize),
    },
    Creating {
        draft: FileAt,
        /// Where its index line goes was asked.
        asked: bool,
    },
    Renaming {
        at: FileAt,
        /// The name that was typed.
        typed: String,
    },
    /// A look at what the wishes come to before they are carried out.
    Reviewing {
        title: String,
        wishes: Vec<(PathBuf, Wanted)>,
    },
    /// The same for a project whose new place was typed.
    Placing {
        key: String,
        /// What was asked, and the answer.
        asked: String,
        typed: String,
        wishes: Vec<(PathBuf, Wanted)>,
    },
    /// Projects are written into an archive.
    Exporting(Asked),
    /// An archive is looked into.
    LookingInto {
        file: String,
    },
    /// An index line, which is looked at only if it would lie below the cut.
    Adding,
    Applying(Then),
    /// A change of the index that is shown: its lines are others until it is read again.
    Indexing,
    Rereading,
    /// A change of the history is looked at.
    LookingBack {
        entry: Box<Entry>,
        undone: bool,
    },
    Undoing,
    Redoing,
}

impl Doing {
    /// Whether its answer brings up an edit or a question, which the keys that follow are meant for.
    pub(super) fn comes_up(&self) -> bool {
        self.can_be_given_up() || self.is_a_save()
    }

    /// Whether nothing is lost when its answer is no longer waited for.
    pub(super) fn can_be_given_up(&self) -> bool {
        match self {
            Self::Opening
            | Self::OpeningCard { .. }
            | Self::TakingQuestion
            | Self::Lending
            | Self::TrashingRule(_)
            | Self::Reviewing { .. }
            | Self::Placing { .. }
            | Self::Renaming { .. }
            | Self::Indexing
            | Self::LookingBack { .. }
            | Self::LookingInto { .. }
            | Self::Rereading => true,
            Self::GoingOn { .. }
            | Self::Exporting(_)
            | Self::Creating { .. }
            | Self::Adding
            | Self::Applying(_)
            | Self::Undoing
            | Self::Redoing => false,
        }
    }

    /// Whether an edit is being saved, or read again after that.
    pub(super) fn is_a_save(&self) -> bool {
        match self {
            Self::Applying(then) => match then {
                Then::Saved(_) | Then::SavedAs { .. } => true,
                Then::Nothing | Then::Told(_) | Then::Unmark | Then::Reveal(_) => false,
            },
            Self::Creating { .. } | Self::GoingOn { .. } => true,
            Self::Opening
            | Self::OpeningCard { .. }
            | Self::TakingQuestion
            | Self::Lending
            | Self::TrashingRule(_)
            | Self::Reviewing { .. }
            | Self::Placing { .. }
            | Self::Indexing
            | Self::LookingBack { .. }
            | Self::LookingInto { .. }
            | Self::Exporting(_)
            | Self::Rereading
            | Self::Renaming { .. }
            | Self::Adding
            | Self::Undoing
            | Self::Redoing => false,
        }
    }
}

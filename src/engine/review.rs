//! What a person decides on what the agent proposed: it is written, or given up, and the agent is told.

use std::fmt::Write as _;

use crate::base::time::Moment;
use crate::store::{StoreError, diff};
use crate::turn::chat::Chat;
use crate::turn::overlay::Proposal;
use crate::turn::record::Decision;
use crate::turn::tools::Toolbox;

/// Bytes of a person's changes that the agent is told of; of more it is told that it should read them.
const TOLD_BYTES: usize = 4_000;

/// What a person wants of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    Accept,
    /// Accepted with other texts: of each file of the proposal, in its order; `None`: as proposed.
    Edit(Vec<Option<String>>),
    Reject,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Each proposal that is decided on by it, this one first.
    pub all: Vec<(Proposal, Decision)>,
    /// Of the change in the history, where something was written.
    pub key: Option<String>,
    /// What a person should know: sentences.
    pub notices: Vec<String>,
}

/// Why it could not be done. The proposal waits on.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    #[error("this proposal is decided on already")]
    Gone,
    #[error(
        "{title} builds on another proposal, or on lines that were changed since: decide on the earlier ones first, or reject it"
    )]
    Apart { title: String },
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    Store(#[from] StoreError),
}

/// Decides on one proposal.
///
/// # Errors
/// Why it could not be written; nothing is changed then.
pub fn decide(
    tools: &mut Toolbox,
    chat: &mut Chat,
    id: &str,
    wish: &Wish,
    now: Moment,
) -> Result<Decided, ReviewError> {
    let disk = tools.cage.disk().clone();
    let waiting = tools
        .overlay
        .pending
        .iter()
        .find(|proposal| proposal.id == id);
    let proposal = waiting.cloned().ok_or(ReviewError::Gone)?;
    let edits: &[Option<String>] = match wish {
        Wish::Reject => {
            let gone = tools.overlay.reject(id, &disk);
            if proposal.is_own() {
                return Ok(rejected(proposal, gone));
            }
            let mut said = format!("The person rejected what you proposed: {}.", proposal.title);
            for other in &gone {
                let _ = write!(said, " With it went: {}.", other.title);
            }
            said.push_str(" Do not propose it again.");
            chat.note(said, now);
            return Ok(rejected(proposal, gone));
        }
        Wish::Edit(edits) => edits,
        Wish::Accept => &[],
    };
    let mut written = tools
        .overlay
        .alone(id, &disk)
        .ok_or_else(|| ReviewError::Apart {
            title: proposal.title.clone(),
        })?;
    let mut is_edited = false;
    let mut differs = String::new();
    for (file, edit) in written.files.iter_mut().zip(edits) {
        if let Some(text) = edit
            .as_ref()
            .filter(|text| file.after.as_ref() != Some(text))
        {
            let proposed = file.after.take().unwrap_or_default();
            let before = Some(proposed.as_bytes());
            differs.push_str(&diff::of_write(&file.path, before, text.as_bytes()));
            file.after = Some(text.clone());
            is_edited = true;
        }
    }
    let set = written.change_set(&chat.id);
    if let Some(why) = tools.store.refusal(&set) {
        return Err(ReviewError::Refused(why));
    }
    let applied = tools.writer.apply(&set, now)?;
    tools.overlay.take(id);
    let decision = if is_edited {
        Decision::Edited
    } else {
        Decision::Accepted
    };
    let said = match decision {
        _ if proposal.is_own() => {
            format!(
                "The person changed the memory themselves: {}.",
                proposal.title
            )
        }
        Decision::Edited => format!(
            "The person accepted what you proposed, with changes of their own: {}. {}",
            proposal.title,
            changes(&differs)
        ),
        Decision::Accepted | Decision::Rejected | Decision::Void => {
            format!("The person accepted what you proposed: {}.", proposal.title)
        }
    };
    chat.note(said, now);
    Ok(Decided {
        all: vec![(proposal, decision)],
        key: Some(applied.key),
        notices: applied.notices,
    })
}

/// What the agent is told of a person's changes: all of them where they are few.
fn changes(diff: &str) -> String {
    match diff.len() {
        ..=TOLD_BYTES => format!("What they changed of it:\n{}", diff.trim_end()),
        _ => "They changed much of it: read it before you build on it.".to_string(),
    }
}

/// Given up, with what was built on it.
fn rejected(proposal: Proposal, gone: Vec<Proposal>) -> Decided {
    let first = (proposal, Decision::Rejected);
    let rest = gone.into_iter().map(|other| (other, Decision::Void));
    Decided {
        all: std::iter::once(first).chain(rest).collect(),
        key: None,
        notices: Vec::new(),
    }
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;

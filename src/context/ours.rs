//! The layout of our own chat's requests (spec 3.1): `system` holds rules only, the first message the
//! standing rules and the index, once a session; the conversation follows. The steps are pure functions
//! in their order. Knows no provider.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use similar::{ChangeTag, TextDiff};

use crate::base::time::Moment;
use crate::context::conversation::{self, Entry, Spill};
use crate::context::marks;
use crate::context::memory_prompt::{MemoryPrompt, Recall};
use crate::context::merge;
use crate::context::part::{Kind, Origin, Piece};
use crate::context::request::{Block, Content, Life, Message, Params, Request, Role};
use crate::context::secrets;
use crate::instructions::{Instruction, Layer};
use crate::safety::secret::Allowed;

const IDENTITY: &str = include_str!("../../assets/prompts/identity.md");
const TOOLS: &str = include_str!("../../assets/prompts/tools.md");

/// How the standing rules are introduced. It says one thing: follow; the later one counts.
const OPENING: &str = "These are the standing rules for this work, from the widest to the nearest. Follow them. \
                       Where two disagree, the later one counts.";

/// What a session is started with. All of it is latched: it is made again only by `/clear`, a compaction
/// or a new session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    pub params: Params,
    pub recall: Recall,
    pub memory_prompt: MemoryPrompt,
    pub memory_folder: PathBuf,
    /// The part of the environment that is the same from session to session, and the one that is not.
    pub environment: String,
    pub environment_now: String,
    pub instructions: Vec<Instruction>,
    /// The index as it is loaded, with its warning: its path and text.
    pub index: Option<(PathBuf, String)>,
    pub git_status: Option<String>,
    /// YYYY-MM-DD.
    pub date: String,
    pub life: Life,
    /// What looks like a secret and is sent as it is.
    #[serde(skip)]
    pub allowed: Allowed,
}

/// Builds the request that is sent now.
#[must_use]
pub fn build(session: &Session, entries: &[Entry], spills: &[Spill], now: Moment) -> Request {
    let entries = conversation::cut(entries);
    let entries = conversation::replay_spills(entries, spills);
    let entries = conversation::clear_by_time(entries, now);
    let mut messages = prefix(session);
    messages.extend(merge::attach(entries));
    let mut messages = merge::escape(merge::merge_and_pair(messages));
    let mut system = system(session);
    secrets::mask(&mut system, &session.allowed);
    secrets::mask_messages(&mut messages, &session.allowed);
    // The changing part of the environment is the last block, what is before it stays the same.
    let fixed = system.len().saturating_sub(2);
    let mut request = Request {
        params: session.params.clone(),
        system,
        messages,
    };
    marks::set(&mut request, fixed, session.life);
    request
}

/// `system`: who, tools, how memory is used, where the session runs; no content of memory.
#[must_use]
pub fn system(session: &Session) -> Vec<Block> {
    let memory = session
        .memory_prompt
        .text(session.recall, &session.memory_folder);
    let own = |kind, text: &str| Piece::new(kind, Origin::Ours, text.trim_end());
    [
        own(Kind::Identity, IDENTITY),
        own(Kind::Tools, TOOLS),
        own(Kind::MemoryRules, &memory),
        own(Kind::Environment, &session.environment),
        own(Kind::Environment, &session.environment_now),
    ]
    .into_iter()
    .filter(|piece| !piece.shown().trim().is_empty())
    .map(Block::text)
    .collect()
}

/// The first message: the rules with the index last, then git status and date as blocks of their own.
fn prefix(session: &Session) -> Vec<Message> {
    let index = session
        .index
        .as_ref()
        .filter(|_| session.recall == Recall::Index);
    let rules = rules(
        &session.instructions,
        index.map(|(path, text)| (path.as_path(), text.as_str())),
    );
    let status = session.git_status.iter().map(|status| {
        let text = format!("Git status when the session began:\n\n{status}");
        vec![Piece::new(Kind::GitStatus, Origin::Ours, text)]
    });
    let date = Piece::new(
        Kind::Date,
        Origin::Ours,
        format!("Today is {}.", session.date),
    );
    let blocks = std::iter::once(rules)
        .filter(|rules| !rules.is_empty())
        .chain(status)
        .chain(std::iter::once(vec![date]))
        .map(|pieces| Block::new(Content::Reminder(pieces)))
        .collect();
    vec![Message::new(Role::User, blocks)]
}

/// The rules in their order, each under a line that names its file and layer.
fn rules(instructions: &[Instruction], index: Option<(&Path, &str)>) -> Vec<Piece> {
    let index = index.filter(|(_, text)| !text.trim().is_empty());
    let instructions = instructions
        .iter()
        .filter(|one| !one.text.trim().is_empty());
    let entries = instructions
        .map(|one| {
            (
                one.path.as_path(),
                label(one.layer),
                one.text.as_str(),
                Kind::Rule,
            )
        })
        .chain(index.map(|(path, text)| (path, INDEX_LABEL, text, Kind::Index)));
    let mut pieces = Vec::new();
    for (path, label, text, kind) in entries {
        if pieces.is_empty() {
            pieces.push(Piece::new(Kind::Wrapper, Origin::Ours, OPENING));
        }
        let line = format!("\n\n{} ({label}):\n\n", path.display());
        pieces.push(Piece::new(Kind::Wrapper, Origin::Ours, line).of(path));
        pieces.push(
            Piece::new(kind, Origin::File, text)
                .of(path)
                .labelled(label),
        );
    }
    pieces
}

const INDEX_LABEL: &str = "the list of memories";

/// What we say that a layer is.
#[must_use]
pub fn label(layer: Layer) -> &'static str {
    match layer {
        Layer::Managed => "rules of the organisation",
        Layer::User => "the person's own rules, for all projects",
        Layer::Project => "rules of the project",
        Layer::Local => "the person's own rules in this project",
    }
}

/// The note with which a user turn ends after a file that the conversation holds was changed: which
/// lines, by their numbers now. `None`: nothing of the text changed.
#[must_use]
pub fn note_of_change(path: &Path, before: &str, after: &str) -> Option<Vec<Piece>> {
    if before == after {
        return None;
    }
    let diff = TextDiff::from_lines(before, after);
    let mut lines = String::new();
    for change in diff.iter_all_changes() {
        let (sign, number) = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => ('-', change.old_index()),
            ChangeTag::Insert => ('+', change.new_index()),
        };
        let number = number.unwrap_or(0) + 1;
        let text = change.value().trim_end_matches(['\n', '\r']);
        let _ = write!(lines, "\n{sign}{number}\t{text}");
    }
    let opening = format!(
        "{} was changed since it was read. What changed (- as it was, + as it is now, with line numbers):\n",
        path.display()
    );
    Some(vec![
        Piece::new(Kind::Note, Origin::Ours, opening).of(path),
        Piece::new(Kind::Note, Origin::File, lines).of(path),
    ])
}

#[cfg(test)]
#[path = "ours_tests.rs"]
pub(crate) mod tests;

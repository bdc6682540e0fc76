//! What must hold before anything is recalled.

use super::Asked;
use crate::base::time::grouped;
use crate::config::limits::RECALLED_BYTES;
use crate::context::memory_prompt::Recall;
use crate::context::recalled::Held;
use crate::memory::ranker::is_cjk;

/// Words of a question at least, and characters of one in a script without spaces.
const WORDS: usize = 2;
const CJK_CHARACTERS: usize = 4;

/// Why nothing is recalled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Gate {
    #[error("memory is off: nothing is recalled")]
    Off,
    #[error(
        "the list of memories is in the conversation (recall = \"index\"): the model reads them itself"
    )]
    IndexMode,
    #[error("there is no question")]
    NoQuestion,
    #[error(
        "the question is too short to choose by: it takes {WORDS} words, or {CJK_CHARACTERS} characters of Chinese, Japanese or Korean"
    )]
    TooShort,
    #[error(
        "this session's {} bytes for memories are used up: /clear or a compaction makes room",
        grouped(RECALLED_BYTES)
    )]
    BudgetUsed,
}

pub fn pass(asked: &Asked<'_>, held: &Held) -> Result<(), Gate> {
    match asked.mode {
        Recall::Off => return Err(Gate::Off),
        Recall::Index => return Err(Gate::IndexMode),
        Recall::Prefetch => {}
    }
    let question = asked.question.trim();
    if question.is_empty() {
        return Err(Gate::NoQuestion);
    }
    let cjk = question.chars().filter(|c| is_cjk(*c)).count();
    if question.split_whitespace().count() < WORDS && cjk < CJK_CHARACTERS {
        return Err(Gate::TooShort);
    }
    if held.bytes >= RECALLED_BYTES {
        return Err(Gate::BudgetUsed);
    }
    Ok(())
}

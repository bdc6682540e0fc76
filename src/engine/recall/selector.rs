//! The selector: the request that asks a small model to choose, and what is read out of its answer. The
//! prompt is data, `assets/prompts/recall.md`; a person's own `prompts/recall.md` can stand in for it.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::{Value, json};

use super::Asked;
use crate::base::disk::Disk;
use crate::config::file::Fault;
use crate::config::limits::{RECALLED_MEMORIES, SELECTOR_TOKENS};
use crate::context::part::{Kind, Origin, Piece};
use crate::context::prompt_file;
use crate::context::request::{Block, Message, Params, Request, Role};
use crate::context::secrets;
use crate::llm::structured::{self, Structured};
use crate::memory::manifest::Manifest;

/// A person's own text, below our configuration folder.
pub const FILE: &str = "prompts/recall.md";

const SHIPPED: &str = include_str!("../../../assets/prompts/recall.md");
const TITLES: [&str; 3] = ["What to do", "What to choose", "What to leave out"];
const PLACES: [&str; 1] = ["recalled"];

/// The list in the answer.
const KEY: &str = "selected_memories";

/// Bytes of a question that the selector is told.
const QUESTION_BYTES: usize = 16 * 1024;

static DEFAULT: LazyLock<SelectorPrompt> = LazyLock::new(|| {
    SelectorPrompt::parse(Path::new(FILE), SHIPPED).expect("our own text has all that it needs")
});

/// What the selector is told of its task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelectorPrompt {
    text: String,
}

impl Default for SelectorPrompt {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl SelectorPrompt {
    /// A person's own text, or ours. What is wrong with theirs is told, and ours holds.
    #[must_use]
    pub fn read(disk: &Disk, config_folder: &Path) -> (Self, Vec<Fault>) {
        prompt_file::read(disk, config_folder, FILE, Self::parse)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// As [`prompt_file::sections`].
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<Fault>> {
        let is_place = |place: &str| value(place).is_some();
        let sections = prompt_file::sections(path, text, &TITLES, &PLACES, is_place)?;
        let sections: Vec<&str> = sections.iter().map(|section| section.trim()).collect();
        Ok(Self {
            text: prompt_file::fill(&sections.join("\n\n"), value),
        })
    }

    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }
}

fn value(place: &str) -> Option<String> {
    (place == "recalled").then(|| RECALLED_MEMORIES.to_string())
}

/// The request. It stands outside of the conversation.
pub fn request(asked: &Asked<'_>, manifest: &Manifest, model: &str) -> Request {
    let question = asked.question.trim();
    let question = &question[..question.floor_char_boundary(QUESTION_BYTES)];
    let tools = match asked.tools {
        [] => "none".to_string(),
        tools => tools.join(", "),
    };
    let text = format!(
        "Question:\n{question}\n\nTools used lately, with success: {tools}\n\nMemories:\n{}",
        manifest.text()
    );
    let piece = |kind, text: String| Block::text(Piece::new(kind, Origin::Ours, text));
    let mut messages = vec![Message::new(Role::User, vec![piece(Kind::Prompt, text)])];
    secrets::mask_messages(&mut messages, asked.allowed);
    let schema = json!({
        "type": "object",
        "properties": {KEY: {"type": "array", "items": {"type": "string"}}},
        "required": [KEY],
        "additionalProperties": false,
    });
    Request {
        params: Params {
            model: model.to_string(),
            max_tokens: Some(SELECTOR_TOKENS),
            schema: Some(schema),
            stream: true,
            ..Params::default()
        },
        system: vec![piece(Kind::Identity, asked.prompt.text.clone())],
        messages,
    }
}

/// What a model chose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// The files that it named; none is an answer too.
    Names(Vec<String>),
    /// It can't be read: why.
    Garbage(String),
}

/// Reads an answer: with or without words and fences around it; of a list that was cut, what is whole.
pub fn read(structured: &Structured) -> Selection {
    let items = match structured {
        Structured::Whole(Value::Array(items)) => items.clone(),
        Structured::Whole(value) => match value.get(KEY).and_then(Value::as_array) {
            Some(items) => items.clone(),
            None => return garbage(&format!("its JSON has no list {KEY:?}")),
        },
        Structured::Cut(text) => match structured::whole_items(text, KEY) {
            items if items.is_empty() => {
                return garbage("its answer was cut before the first name");
            }
            items => items,
        },
        Structured::Missing(text) if text.is_empty() => return garbage("it said nothing"),
        Structured::Missing(_) => return garbage("its answer holds no JSON"),
    };
    let many = items.len();
    let names = items.iter().filter_map(Value::as_str);
    let names: Vec<String> = names.map(|name| name.trim().to_string()).collect();
    match names.is_empty() && many > 0 {
        true => garbage("what it named are no names"),
        false => Selection::Names(names),
    }
}

fn garbage(why: &str) -> Selection {
    Selection::Garbage(format!(
        "the model's choice can't be read: {why}; nothing is recalled"
    ))
}

#[cfg(test)]
#[path = "selector_tests.rs"]
mod tests;

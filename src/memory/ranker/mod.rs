//! The local ranker: which memories fit a question, by words alone. BM25F over name, description, type and
//! body; stems, parts of identifiers, pairs of CJK characters; newer ones a little first, near twins once,
//! what a newer one has replaced behind it, and nothing where nothing is good enough. Pure; knows no model.

#![allow(
    clippy::cast_precision_loss,
    reason = "scores are rough: no count of words or memories is beyond what they hold"
)]

mod alike;
mod index;
mod rank;
mod replaced;
mod stem;
mod terms;
mod words;

pub use index::{Builder, Index};
pub use rank::{Hit, Wanted};
pub use stem::stem;
pub use terms::is_cjk;

use std::borrow::Cow;

use crate::base::front_matter::{self, FrontMatter};
use crate::base::time::Moment;
use crate::memory::file::{Memory, MemoryType};

/// A memory as it is indexed.
#[derive(Debug, Clone, Default)]
pub struct Document<'t> {
    /// Relative to the memory folder; its file's name is searched.
    pub path: &'t str,
    pub name: Option<&'t str>,
    pub description: Option<&'t str>,
    pub kind: Option<&'t str>,
    /// The text without its front matter.
    pub body: Cow<'t, str>,
    pub saved: Option<Moment>,
}

impl<'t> Document<'t> {
    /// A memory by its text, of which `front` was read.
    #[must_use]
    pub fn of_text(
        path: &'t str,
        text: &'t str,
        front: &'t FrontMatter<'t>,
        kind: &'t MemoryType,
        saved: Option<Moment>,
    ) -> Self {
        Self {
            path,
            name: front.get("name"),
            description: front.get("description"),
            kind: kind.word(),
            body: Cow::Borrowed(text.get(front.body..).unwrap_or_default()),
            saved,
        }
    }

    /// A memory by what its head says and the bytes of its file.
    #[must_use]
    pub fn of(memory: &'t Memory, bytes: &'t [u8], saved: Option<Moment>) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        let text = String::from_utf8_lossy(bytes);
        let from = front_matter::read(&text).body;
        let body = match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(from..).unwrap_or_default()),
            Cow::Owned(text) => Cow::Owned(text.get(from..).unwrap_or_default().to_string()),
        };
        Self {
            path: &memory.path,
            name: memory.name.as_deref(),
            description: memory.description.as_deref(),
            kind: memory.kind.word(),
            body,
            saved,
        }
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

//! The memory section of `system`: how memory is to be used, never what it holds. The text is data,
//! `assets/prompts/memory.md`; a person can put their own in its place (`prompts/memory.md` in our
//! configuration folder). Its sections, limits and places are those of the code, or it is refused.

use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::base::disk::Disk;
use crate::config::file::Fault;
use crate::config::limits::{
    INDEX_LINE_CHARS, INDEX_LINES, INDEX_UNITS, RECALL_BYTES, RECALL_LINES, RECALLED_MEMORIES,
};
pub use crate::config::recall::Recall;
use crate::context::prompt_file;

/// A person's own text, below our configuration folder.
pub const FILE: &str = "prompts/memory.md";

/// The index, by its name in a memory folder.
const INDEX_FILE: &str = "MEMORY.md";

const SHIPPED: &str = include_str!("../../assets/prompts/memory.md");

static DEFAULT: LazyLock<MemoryPrompt> = LazyLock::new(|| {
    MemoryPrompt::parse(Path::new(FILE), SHIPPED).expect("our own text has all that it needs")
});

/// A section, in the order in which they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Section {
    Where,
    RememberForget,
    Types,
    NotToSave,
    HowToSave,
    WhenToLook,
    BeforeRecommending,
    Neighbours,
}

impl Section {
    pub const ALL: [Self; 8] = [
        Self::Where,
        Self::RememberForget,
        Self::Types,
        Self::NotToSave,
        Self::HowToSave,
        Self::WhenToLook,
        Self::BeforeRecommending,
        Self::Neighbours,
    ];

    /// Its title.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Where => "Where memory is",
            Self::RememberForget => "When asked to remember or to forget",
            Self::Types => "The four types",
            Self::NotToSave => "Do not save these",
            Self::HowToSave => "Save in two steps",
            Self::WhenToLook => "When to look",
            Self::BeforeRecommending => "Before recommending from memory",
            Self::Neighbours => "Memory and its neighbours",
        }
    }
}

/// The text, section by section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryPrompt {
    /// In the order of [`Section::ALL`], with their titles.
    sections: Vec<String>,
}

impl Default for MemoryPrompt {
    fn default() -> Self {
        DEFAULT.clone()
    }
}

impl MemoryPrompt {
    /// A person's own text, or ours. What is wrong with theirs is told, and ours holds.
    #[must_use]
    pub fn read(disk: &Disk, config_folder: &Path) -> (Self, Vec<Fault>) {
        prompt_file::read(disk, config_folder, FILE, Self::parse)
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Each section that is missing, unknown or in the wrong place, and each place in braces that is
    /// unknown.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<Fault>> {
        let titles = Section::ALL.map(Section::title);
        let is_place = |place: &str| value(place, Path::new("")).is_some();
        let sections = prompt_file::sections(path, text, &titles, &PLACES, is_place)?;
        Ok(Self { sections })
    }

    /// The whole section of `system`; empty where memory is off.
    #[must_use]
    pub fn text(&self, recall: Recall, folder: &Path) -> String {
        if recall == Recall::Off {
            return String::new();
        }
        let sections = Section::ALL.into_iter();
        let sections = sections.map(|section| self.section(section, recall, folder));
        let sections: Vec<String> = sections.collect();
        format!("# Memory\n\n{}", sections.join("\n\n"))
    }

    /// One section with its title, for a prompt that says the same: the one source of both.
    #[must_use]
    pub fn section(&self, section: Section, recall: Recall, folder: &Path) -> String {
        let at = Section::ALL.iter().position(|one| *one == section);
        let text = at
            .and_then(|at| self.sections.get(at))
            .map_or("", String::as_str);
        let text = text.trim();
        let kept: Vec<&str> = text
            .split("\n\n")
            .filter_map(|paragraph| of_mode(paragraph, recall))
            .collect();
        prompt_file::fill(&kept.join("\n\n"), |place| value(place, folder))
    }
}

/// The paragraph without the name of its mode; `None` where that is another.
fn of_mode(paragraph: &str, recall: Recall) -> Option<&str> {
    if let Some(text) = paragraph.strip_prefix("index: ") {
        return (recall == Recall::Index).then_some(text);
    }
    if let Some(text) = paragraph.strip_prefix("prefetch: ") {
        return (recall == Recall::Prefetch).then_some(text);
    }
    Some(paragraph)
}

const PLACES: [&str; 8] = [
    "folder",
    "index_file",
    "index_lines",
    "index_units",
    "index_line_chars",
    "recalled",
    "recall_lines",
    "recall_bytes",
];

/// What stands for a place.
fn value(place: &str, folder: &Path) -> Option<String> {
    Some(match place {
        "folder" => folder.display().to_string(),
        "index_file" => INDEX_FILE.to_string(),
        "index_lines" => INDEX_LINES.to_string(),
        "index_units" => INDEX_UNITS.to_string(),
        "index_line_chars" => INDEX_LINE_CHARS.to_string(),
        "recalled" => RECALLED_MEMORIES.to_string(),
        "recall_lines" => RECALL_LINES.to_string(),
        "recall_bytes" => RECALL_BYTES.to_string(),
        _ => return None,
    })
}

#[cfg(test)]
#[path = "memory_prompt_tests.rs"]
mod tests;

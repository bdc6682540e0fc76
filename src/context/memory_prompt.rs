//! The memory section of `system`: how memory is to be used, never what it holds. The text is data,
//! `assets/prompts/memory.md`; a person can put their own in its place (`prompts/memory.md` in our
//! configuration folder). Its sections, limits and places are those of the code, or it is refused.

use std::path::Path;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::base::disk::Disk;
use crate::base::markdown;
use crate::config::file::Fault;
use crate::config::limits::{
    CONFIG_BYTES, INDEX_LINE_CHARS, INDEX_LINES, INDEX_UNITS, RECALL_BYTES, RECALL_LINES,
    RECALLED_MEMORIES,
};

/// A person's own text, below our configuration folder.
pub const FILE: &str = "prompts/memory.md";

/// The index, by its name in a memory folder.
const INDEX_FILE: &str = "MEMORY.md";

const SHIPPED: &str = include_str!("../../assets/prompts/memory.md");

static DEFAULT: LazyLock<MemoryPrompt> = LazyLock::new(|| {
    MemoryPrompt::parse(Path::new(FILE), SHIPPED).expect("our own text has all that it needs")
});

/// How memories reach the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recall {
    /// The list of memories stands in the conversation; the model reads files itself.
    #[default]
    Index,
    /// No list; what fits a question is attached to it.
    Prefetch,
    Off,
}

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
        let path = config_folder.join(FILE);
        let fault = |message: &str| Fault {
            file: path.clone(),
            line: None,
            message: format!("{message}; the text that comes with loci holds"),
        };
        let length = match disk.metadata(&path) {
            Ok(data) => data.len(),
            Err(_) => return (Self::default(), Vec::new()),
        };
        if length > CONFIG_BYTES {
            return (Self::default(), vec![fault("it is over 1 MiB large")]);
        }
        let text = disk.read(&path).map(String::from_utf8);
        match text {
            Err(error) => (
                Self::default(),
                vec![fault(&format!("can't be read ({error})"))],
            ),
            Ok(Err(_)) => (Self::default(), vec![fault("it is no UTF-8")]),
            Ok(Ok(text)) => match Self::parse(&path, &text) {
                Ok(prompt) => (prompt, Vec::new()),
                Err(faults) => (Self::default(), faults),
            },
        }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Each section that is missing, unknown or in the wrong place, and each place in braces that is
    /// unknown.
    pub fn parse(path: &Path, text: &str) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut tell = |line: Option<usize>, message: String| {
            faults.push(Fault {
                file: path.to_path_buf(),
                line,
                message: format!("{message}; the text that comes with loci holds"),
            });
        };
        let mut sections: Vec<String> = Vec::new();
        for (at, line) in without_comments(text).lines().enumerate() {
            if let Some(title) = line.strip_prefix("## ") {
                match Section::ALL.get(sections.len()).map(|next| next.title()) {
                    Some(next) if next == title => {}
                    Some(next) => {
                        tell(
                            Some(at + 1),
                            format!("the section here must be \"## {next}\""),
                        );
                    }
                    None => tell(Some(at + 1), format!("there is no section {title:?}")),
                }
                sections.push(String::new());
            }
            for place in places(line) {
                if value(place, Path::new("")).is_none() {
                    let known = PLACES.join("}, {");
                    tell(
                        Some(at + 1),
                        format!("{{{place}}} is no place that is known: {{{known}}}"),
                    );
                }
            }
            if let Some(section) = sections.last_mut() {
                section.push_str(line);
                section.push('\n');
            }
        }
        if let Some(missing) = Section::ALL.get(sections.len()) {
            tell(
                None,
                format!("the section \"## {}\" is missing", missing.title()),
            );
        }
        match faults.is_empty() {
            true => Ok(Self { sections }),
            false => Err(faults),
        }
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
        fill(&kept.join("\n\n"), folder)
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

/// The text with as many lines, block comments emptied.
fn without_comments(text: &str) -> String {
    let mut out = text.to_string();
    for comment in markdown::marks(text).comments.into_iter().rev() {
        let lines = text[comment.clone()].matches('\n').count();
        out.replace_range(comment, &"\n".repeat(lines));
    }
    out
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

/// The places of a line: what stands in braces, if it is a name.
fn places(line: &str) -> impl Iterator<Item = &str> {
    line.split('{').skip(1).filter_map(|rest| {
        let (name, _) = rest.split_once('}')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_name.then_some(name)
    })
}

fn fill(text: &str, folder: &Path) -> String {
    let mut parts = text.split('{');
    let mut out = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let filled = part
            .split_once('}')
            .and_then(|(place, rest)| Some((value(place, folder)?, rest)));
        match filled {
            Some((value, rest)) => {
                out.push_str(&value);
                out.push_str(rest);
            }
            None => {
                out.push('{');
                out.push_str(part);
            }
        }
    }
    out
}

#[cfg(test)]
#[path = "memory_prompt_tests.rs"]
mod tests;

//! The data of each version that was looked at, read from `assets/observed/`: texts, layouts, limits.
//! A file a version; what it says is held against the observations by tests.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use toml_edit::{Document, Item, Table};

use crate::config::client::Moves;
use crate::context::observed::slot::{Line, Slot};
use crate::instructions::{self, Layer};
use crate::memory::load;

/// The files, newest first.
const FILES: [&str; 7] = [
    include_str!("../../../assets/observed/2.1.332.toml"),
    include_str!("../../../assets/observed/2.1.300.toml"),
    include_str!("../../../assets/observed/2.1.270.toml"),
    include_str!("../../../assets/observed/2.1.220.toml"),
    include_str!("../../../assets/observed/2.1.112.toml"),
    include_str!("../../../assets/observed/2.1.63.toml"),
    include_str!("../../../assets/observed/2.0.77.toml"),
];

static VERSIONS: LazyLock<Vec<Version>> = LazyLock::new(|| {
    let mut versions: Vec<Version> = FILES.iter().map(|text| Version::read(text)).collect();
    for at in 0..versions.len() {
        if let Some(like) = versions[at].compaction_like.clone() {
            let from = versions.iter().find(|other| other.name == like);
            versions[at].compaction = from
                .expect("it is like one that is held")
                .compaction
                .clone();
        }
    }
    versions
});

/// What one version of the reference client was seen to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// `2.1.332`.
    pub name: String,
    /// What was not seen of it and is taken from another: words for a person.
    pub note: Option<String>,
    /// Tokens of an answer that it asked for.
    pub max_tokens: Option<u32>,
    pub wrapper: Wrapper,
    /// The block of files that changed before a session was resumed; `None`: they are read anew into
    /// the first message.
    pub changed: Option<Changed>,
    /// The note on a file that changed while a session runs; `None`: that was not looked at.
    pub edited: Option<Edited>,
    /// The memory of a sub-agent's own; `None`: that was not looked at.
    pub agent: Option<Agent>,
    pub instructions: instructions::Manner,
    /// How the index is loaded; `None`: the version has no memory.
    pub index: Option<load::Manner>,
    /// Which settings that move memory it follows.
    pub moves: Moves,
    pub read: ReadForm,
    pub layout: Layout,
    /// UTF-16 units of the client's own texts, as they were once.
    pub units: BTreeMap<Slot, usize>,
    pub compaction: Compaction,
    /// The version that the figures of `compaction` were seen at, if not this one.
    pub compaction_like: Option<String>,
}

/// The text around instructions and index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wrapper {
    pub opening: String,
    /// The line before a body, with `{path}` and `{label}`.
    pub entry: String,
    /// Between a body and the next entry.
    pub between: String,
    /// May hold `{date}`.
    pub closing: String,
    pub labels: Labels,
}

/// What an entry's line says that the file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labels {
    pub managed: String,
    pub user: String,
    pub project: String,
    pub local: String,
    pub index: String,
}

impl Labels {
    #[must_use]
    pub fn of(&self, layer: Layer) -> &str {
        match layer {
            Layer::Managed => &self.managed,
            Layer::User => &self.user,
            Layer::Project => &self.project,
            Layer::Local => &self.local,
        }
    }
}

/// The text around files that changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    pub opening: String,
    pub closing: String,
}

/// What was recorded of the note on a file that changed while a session runs: between these texts and
/// behind them stands more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// With `{path}`.
    pub opening: String,
    /// Before the lines that changed.
    pub lines: String,
}

/// The headings of a sub-agent's own memory in its system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    pub memory: String,
    /// Before its index.
    pub index: String,
}

/// How the client's tool shows a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadForm {
    /// Before a line, with `{line}` or `{line:6}`.
    pub number: String,
    /// Before a memory of two days or more, with `{days}`.
    pub age: Option<String>,
    /// Behind a file that is no UTF-8, and one with NUL bytes.
    pub not_utf8: String,
    pub nul_bytes: String,
    /// Behind every file.
    pub closing: String,
}

/// The messages of a request, line by line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Layout {
    pub first: Vec<Line>,
    /// With a model of the old family, where that makes a difference.
    pub first_old: Option<Vec<Line>>,
    /// A later turn, behind the conversation.
    pub turn: Vec<Line>,
    /// What asks for a summary, behind the conversation.
    pub summary: Vec<Line>,
    /// The summary is asked for in a request with a system prompt of its own and without instructions.
    pub summary_alone: bool,
    /// After a compaction, with and without messages that it kept.
    pub compacted: Vec<Line>,
    pub compacted_whole: Option<Vec<Line>>,
    /// A system turn that tells the budget follows each message of tool results.
    pub budget_after_results: bool,
    /// How many of the last messages bear a cache mark.
    pub marked_messages: usize,
}

/// The figures of its own compaction, in tokens.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Compaction {
    pub window: usize,
    /// Of models of the old family.
    pub window_old: usize,
    /// Of a model whose name ends in `[1m]`.
    pub window_1m: usize,
    pub reserve: usize,
    pub buffer: usize,
    /// Models, by how their names begin, with which it waits until the provider refuses.
    pub only_when_refused: Vec<String>,
}

/// All versions that are held, newest first.
#[must_use]
pub fn versions() -> &'static [Version] {
    &VERSIONS
}

/// The newest version that was looked at.
#[must_use]
pub fn newest() -> &'static Version {
    &VERSIONS[0]
}

/// The data for a version of the client: its own, else that of the newest older one, else the oldest.
/// Whether it is its own is told beside it. `None`: this is no version.
#[must_use]
pub fn version(name: &str) -> Option<(&'static Version, bool)> {
    let wanted = numbers(name)?;
    let found = VERSIONS
        .iter()
        .find(|held| numbers(&held.name).is_some_and(|held| held <= wanted))
        .or(VERSIONS.last())?;
    Some((found, numbers(&found.name) == Some(wanted)))
}

fn numbers(name: &str) -> Option<[u64; 3]> {
    let mut parts = name.trim().split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(numbers)
}

/// Our own data, which tests read whole: what is not there can't be shipped.
const OURS: &str = "the data of a version is whole";

impl Version {
    fn read(text: &str) -> Self {
        let file = Document::parse(text).expect(OURS);
        let top = file.as_table();
        let block = table(top, "block");
        let compaction = table(top, "compaction");
        Self {
            name: string(top, "version"),
            note: optional(top, "note"),
            max_tokens: top.get("max_tokens").map(|item| {
                let number = item.as_integer().and_then(|number| number.try_into().ok());
                number.expect(OURS)
            }),
            wrapper: Wrapper {
                opening: string(block, "opening"),
                entry: string(block, "entry"),
                between: string(block, "between"),
                closing: string(block, "closing"),
                labels: labels(table(top, "labels")),
            },
            changed: top
                .get("changed")
                .and_then(Item::as_table)
                .map(|changed| Changed {
                    opening: string(changed, "opening"),
                    closing: string(changed, "closing"),
                }),
            edited: top
                .get("edited")
                .and_then(Item::as_table)
                .map(|edited| Edited {
                    opening: string(edited, "opening"),
                    lines: string(edited, "lines"),
                }),
            agent: top
                .get("agent")
                .and_then(Item::as_table)
                .map(|agent| Agent {
                    memory: string(agent, "memory"),
                    index: string(agent, "index"),
                }),
            instructions: instructions::Manner {
                tidied: switch(table(top, "instructions"), "tidied"),
                agents_md: switch(table(top, "instructions"), "agents_md"),
                added_local: switch(table(top, "instructions"), "added_local"),
            },
            index: top.get("index").and_then(Item::as_table).map(index),
            moves: top
                .get("moves")
                .and_then(Item::as_table)
                .map(|table| Moves {
                    own_setting: switch(table, "own_setting"),
                    project_setting: switch(table, "project_setting"),
                    path_override: switch(table, "path_override"),
                })
                .unwrap_or_default(),
            read: read_form(table(top, "read")),
            layout: layout(table(top, "layout")),
            units: top
                .get("units")
                .and_then(Item::as_table)
                .map(units)
                .unwrap_or_default(),
            compaction_like: optional(compaction, "like"),
            compaction: match compaction.contains_key("like") {
                true => Compaction::default(),
                false => Compaction {
                    window: number(compaction, "window"),
                    window_old: number(compaction, "window_old"),
                    window_1m: number(compaction, "window_1m"),
                    reserve: number(compaction, "reserve"),
                    buffer: number(compaction, "buffer"),
                    only_when_refused: strings(compaction, "only_when_refused").expect(OURS),
                },
            },
        }
    }
}

fn labels(table: &Table) -> Labels {
    Labels {
        managed: string(table, "managed"),
        user: string(table, "user"),
        project: string(table, "project"),
        local: string(table, "local"),
        index: string(table, "index"),
    }
}

fn index(table: &Table) -> load::Manner {
    let warning = match string(table, "warning").as_str() {
        "lines" => load::Warning::Lines,
        "plain" => load::Warning::Plain,
        _ => load::Warning::Detailed,
    };
    load::Manner {
        tidied: switch(table, "tidied"),
        limits_units: switch(table, "limits_units"),
        warning,
        sanitised: switch(table, "sanitised"),
    }
}

fn read_form(table: &Table) -> ReadForm {
    let text = |key| optional(table, key).unwrap_or_default();
    ReadForm {
        number: string(table, "number"),
        age: optional(table, "age"),
        not_utf8: text("not_utf8"),
        nul_bytes: text("nul_bytes"),
        closing: text("closing"),
    }
}

fn layout(table: &Table) -> Layout {
    let lines = |key| {
        let lines = strings(table, key)?;
        Some(
            lines
                .iter()
                .map(|line| Line::read(line).expect(OURS))
                .collect(),
        )
    };
    let flag = |key| table.get(key).and_then(Item::as_bool).unwrap_or(false);
    Layout {
        first: lines("first").expect(OURS),
        first_old: lines("first_old"),
        turn: lines("turn").expect(OURS),
        summary: lines("summary").expect(OURS),
        summary_alone: flag("summary_alone"),
        compacted: lines("compacted").expect(OURS),
        compacted_whole: lines("compacted_whole"),
        budget_after_results: flag("budget_after_results"),
        marked_messages: number(table, "marked_messages"),
    }
}

fn units(table: &Table) -> BTreeMap<Slot, usize> {
    let keys = table.iter().map(|(key, _)| key);
    keys.map(|key| (Slot::read(key).expect(OURS), number(table, key)))
        .collect()
}

fn table<'a>(table: &'a Table, key: &str) -> &'a Table {
    table.get(key).and_then(Item::as_table).expect(OURS)
}

fn optional(table: &Table, key: &str) -> Option<String> {
    table
        .get(key)
        .map(|item| item.as_str().expect(OURS).to_string())
}

fn string(table: &Table, key: &str) -> String {
    optional(table, key).expect(OURS)
}

fn switch(table: &Table, key: &str) -> bool {
    table.get(key).and_then(Item::as_bool).expect(OURS)
}

fn number(table: &Table, key: &str) -> usize {
    let number = table.get(key).and_then(Item::as_integer);
    number
        .and_then(|number| number.try_into().ok())
        .expect(OURS)
}

fn strings(table: &Table, key: &str) -> Option<Vec<String>> {
    let list = table.get(key)?.as_array().expect(OURS);
    let text = |value: &toml_edit::Value| value.as_str().expect(OURS).to_string();
    Some(list.iter().map(text).collect())
}

#[cfg(test)]
#[path = "data_tests.rs"]
mod tests;

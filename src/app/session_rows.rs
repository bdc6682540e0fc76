//! A session that is read, as rows of so many cells: what was said wrapped, tools and what the client put
//! in on one line each, which unfolds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::base::time::grouped;
use crate::base::{display, text};
use crate::transcript::conversation::{Item, Page, Piece, Said, Side, Tool};

/// Rows of one text that are laid out at most; of a longer one the rest is said.
const MOST_ROWS: usize = 2_000;

/// Which item it is: where its line begins, and its number on it.
pub type Key = (u64, usize);

/// Who speaks: the bar at the left edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Nobody,
    User,
    Agent,
    Tool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Plain,
    Dim,
    Strong,
    Note,
    Warning,
    Error,
    Added,
    Removed,
}

/// Whether a row unfolds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    None,
    Closed,
    Open,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Of a group of items, the first of them.
    pub key: Key,
    pub who: Who,
    pub tone: Tone,
    pub fold: Fold,
    /// The first of its item.
    pub is_head: bool,
    /// Safe for a terminal.
    pub text: String,
}

/// What a session is shown by.
pub struct Shown<'a> {
    pub pages: &'a [Page],
    pub open: &'a BTreeSet<Key>,
    /// Texts that were read whole, by their item and their number in it.
    pub whole: &'a BTreeMap<(Key, usize), String>,
    pub cells: usize,
    /// The person's home, `~` where paths are shown.
    pub home: &'a Path,
}

#[must_use]
pub fn key(item: &Item) -> Key {
    (item.at, item.number)
}

/// The rows of pages that follow one another.
#[must_use]
pub fn build(shown: &Shown<'_>) -> Vec<Row> {
    let mut rows = Rows {
        shown,
        rows: Vec::new(),
    };
    if shown.pages.first().is_some_and(Page::has_before) {
        rows.edge("… more above: it is read as you go there");
    }
    let items: Vec<&Item> = shown.pages.iter().flat_map(|page| &page.items).collect();
    let mut at = 0;
    while at < items.len() {
        let item = items[at];
        let run = items[at..].iter().take_while(|it| it.side == item.side);
        match item.side {
            Side::Main => {
                rows.item(item);
                at += 1;
            }
            Side::Branch | Side::Agent => {
                let many = run.count();
                rows.group(&items[at..at + many], item.side);
                at += many;
            }
        }
    }
    if shown.pages.last().is_some_and(Page::has_after) {
        rows.edge("… more below");
    }
    rows.rows
}

struct Rows<'a, 'b> {
    shown: &'b Shown<'a>,
    rows: Vec<Row>,
}

impl Rows<'_, '_> {
    fn push(&mut self, key: Key, who: Who, tone: Tone, fold: Fold, text: impl Into<String>) {
        let is_head = self.rows.last().is_none_or(|last| last.key != key);
        self.rows.push(Row {
            key,
            who,
            tone,
            fold,
            is_head,
            text: text.into(),
        });
    }

    fn homely(&self, said: &str) -> String {
        display::homely(said, self.shown.home)
    }

    fn edge(&mut self, said: &str) {
        // No item begins where none can.
        let key = (u64::MAX, self.rows.len());
        self.push(key, Who::Nobody, Tone::Dim, Fold::None, said);
    }

    fn fold(&self, key: Key) -> Fold {
        match self.shown.open.contains(&key) {
            true => Fold::Open,
            false => Fold::Closed,
        }
    }

    /// What was taken back, or a sub-agent said, on one line.
    fn group(&mut self, items: &[&Item], side: Side) {
        let Some(first) = items.first() else { return };
        // The group's own fold is beside those of its items.
        let key = (first.at, usize::MAX);
        let what = match side {
            Side::Agent => "a sub-agent",
            Side::Main | Side::Branch => "taken back",
        };
        let fold = self.fold(key);
        let count = items.len();
        let noun = if count == 1 { "message" } else { "messages" };
        let said = format!("{what} · {} {noun}", grouped(count));
        self.push(key, Who::Nobody, Tone::Dim, fold, said);
        if fold == Fold::Open {
            for item in items {
                self.item(item);
            }
        }
    }

    fn item(&mut self, item: &Item) {
        let key = key(item);
        match &item.said {
            Said::Prompt(text) => {
                self.blank(key);
                self.text(key, 0, text, Who::User, Tone::Strong);
            }
            Said::Answer(text) => self.text(key, 0, text, Who::Agent, Tone::Plain),
            Said::Command(text) => self.text(key, 0, text, Who::User, Tone::Dim),
            Said::Thinking(None) => {}
            Said::Thinking(Some(text)) => self.folded(key, "thinking", Who::Agent, Some(text)),
            Said::Tool(tool) => self.tool(key, tool),
            Said::Picture(name) => {
                let name = display::line(name).into_owned();
                self.push(key, Who::User, Tone::Dim, Fold::None, name);
            }
            Said::Boundary(boundary) => {
                let tokens = match (boundary.before, boundary.after) {
                    (Some(before), Some(after)) => format!(
                        " · {} → {} tokens",
                        grouped(usize::try_from(before).unwrap_or(usize::MAX)),
                        grouped(usize::try_from(after).unwrap_or(usize::MAX))
                    ),
                    (_, _) => String::new(),
                };
                let kept = match boundary.kept {
                    0 => String::new(),
                    1 => " · 1 message kept".to_string(),
                    many => format!(" · {many} messages kept"),
                };
                let trigger = display::line(&boundary.trigger).into_owned();
                let said = format!("── compacted ({trigger}){tokens}{kept} ");
                let rule = self.shown.cells.saturating_sub(text::width(&said) + 2);
                let said = format!("{said}{}", "─".repeat(rule));
                self.blank(key);
                self.push(key, Who::Nobody, Tone::Note, Fold::None, said);
                if boundary.is_earlier_elsewhere {
                    let said = "the earlier part is not in this file";
                    self.push(key, Who::Nobody, Tone::Warning, Fold::None, said);
                }
            }
            Said::Summary(text) => self.folded(key, "summary of it", Who::Nobody, Some(text)),
            Said::Instructions { files, changed } => {
                let what = match changed {
                    true => "instructions that had changed",
                    false => "instructions sent",
                };
                let fold = self.fold(key);
                let said = format!("{what} · {} · w shows them", files.len());
                self.push(key, Who::Nobody, Tone::Dim, fold, said);
                if fold == Fold::Open {
                    for (path, layer) in files {
                        let said = self.homely(&format!("    {layer:<8} {path}"));
                        let said = display::line(&said).into_owned();
                        self.push(key, Who::Nobody, Tone::Dim, Fold::None, said);
                    }
                }
            }
            Said::Files { kind, paths, text } => {
                let is_recalled = matches!(&**kind, "relevant_memories" | "nested_memory");
                // Of what is recalled the names tell: they lie in one folder.
                let named = |path: &String| {
                    let name = path.rsplit('/').next().unwrap_or(path);
                    name.strip_suffix(".md").unwrap_or(name).to_string()
                };
                let said = match is_recalled {
                    true => {
                        let names: Vec<String> = paths.iter().map(named).collect();
                        format!("↺ recalled {}", names.join(" · "))
                    }
                    false => self.homely(&format!("{kind} {}", paths.join(" · "))),
                };
                self.folded(key, &said, Who::Nobody, text.as_ref());
            }
            Said::Attached { kind, text } | Said::Notice { kind, text } => {
                self.folded(key, &kind.replace('_', " "), Who::Nobody, text.as_ref());
            }
            Said::Reminder(text) => self.folded(key, "reminder", Who::Nobody, Some(text)),
            Said::Missing(blocks) => {
                let said = format!("{blocks} more blocks of this line are missing");
                self.push(key, Who::Nobody, Tone::Warning, Fold::None, said);
            }
            Said::Repeated => {
                let said = "a line was written again with other words: the last of them counts";
                self.push(key, Who::Nobody, Tone::Warning, Fold::None, said);
            }
            Said::Unreadable(bytes) => {
                let said = format!("a line of {bytes} bytes is no JSON");
                self.push(key, Who::Nobody, Tone::Warning, Fold::None, said);
            }
            Said::Incomplete(bytes) => {
                let said = format!("the last line is cut off after {bytes} bytes");
                self.push(key, Who::Nobody, Tone::Warning, Fold::None, said);
            }
        }
    }

    fn blank(&mut self, key: Key) {
        if !self.rows.is_empty() {
            let key = (key.0, usize::MAX - 1);
            self.push(key, Who::Nobody, Tone::Dim, Fold::None, "");
        }
    }

    fn tool(&mut self, key: Key, tool: &Tool) {
        let fold = self.fold(key);
        let (result, tone) = match &tool.result {
            None => (" · no result".to_string(), Tone::Dim),
            Some(result) if result.is_error => (" · error".to_string(), Tone::Error),
            Some(result) => {
                let bytes = display::size(result.bytes());
                let others = result.others.iter().map(|other| format!(" · {other}"));
                (
                    format!(" · {bytes}{}", others.collect::<String>()),
                    Tone::Dim,
                )
            }
        };
        let name = match (tool.name.is_empty(), &tool.agent) {
            (true, _) => "result of an earlier call".to_string(),
            (false, Some(agent)) => format!("{} {agent}:", tool.name),
            (false, None) => tool.name.clone(),
        };
        let said = format!("{name} {}", tool.about.lines().next().unwrap_or_default());
        let said = display::line(&self.homely(&said)).into_owned();
        let room = self.shown.cells.saturating_sub(text::width(&result) + 4);
        let said = text::cut_middle(&said, room).into_owned();
        let result = display::line(&result).into_owned();
        self.push(key, Who::Tool, tone, fold, format!("{said}{result}"));
        if fold != Fold::Open {
            return;
        }
        let mut number = 0;
        if let Some(input) = &tool.input {
            self.text(key, number, input, Who::Tool, Tone::Dim);
            number += 1;
        }
        let Some(result) = &tool.result else { return };
        for text in &result.texts {
            self.text(key, number, text, Who::Tool, Tone::Plain);
            number += 1;
        }
        if result.texts.iter().all(|text| text.text.is_empty()) && result.others.is_empty() {
            self.push(key, Who::Tool, Tone::Dim, Fold::None, "    (empty)");
        }
    }

    /// One line that unfolds to a text.
    fn folded(&mut self, key: Key, name: &str, who: Who, text: Option<&Piece>) {
        let name = display::line(name).into_owned();
        let name = text::cut_end(&name, self.shown.cells.saturating_sub(14)).into_owned();
        let Some(text) = text else {
            self.push(key, who, Tone::Dim, Fold::None, name);
            return;
        };
        let fold = self.fold(key);
        let said = format!("{name} · {}", display::size(text.bytes));
        self.push(key, who, Tone::Dim, fold, said);
        if fold == Fold::Open {
            self.text(key, 0, text, who, Tone::Dim);
        }
    }

    fn text(&mut self, key: Key, number: usize, piece: &Piece, who: Who, tone: Tone) {
        let whole = self.shown.whole.get(&(key, number));
        let said = whole.unwrap_or(&piece.text);
        let safe = display::block(said.trim_end());
        let cells = self.shown.cells.saturating_sub(2).max(10);
        let mut count = 0;
        let mut is_cut = false;
        for line in safe.lines() {
            for range in text::wrap(line, cells) {
                if count == MOST_ROWS {
                    is_cut = true;
                    break;
                }
                count += 1;
                self.push(key, who, tone, Fold::None, &line[range]);
            }
        }
        let rest = match (whole, &piece.whole, is_cut) {
            (None, Some(_), _) => {
                format!("… {} in all: enter reads on", display::size(piece.bytes))
            }
            (_, _, true) => format!("… {} in all: export shows all", display::size(piece.bytes)),
            (_, _, false) => return,
        };
        self.push(key, who, Tone::Note, Fold::None, rest);
    }
}

#[cfg(test)]
#[path = "session_rows_tests.rs"]
mod tests;

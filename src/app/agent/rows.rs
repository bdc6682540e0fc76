//! The items of a conversation as rows of so many cells. What did not change is not laid out again.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::talk::{Card, Item, Talk};
use crate::app::session_rows::{Fold, Tone, Who};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::turn::record::Decision;

/// Rows of one folded-out result that are laid out at most; of a longer one the rest is said.
const MOST_ROWS: usize = 1_000;

/// What a row is about, for the keys that do something with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    Nothing,
    /// An item that unfolds.
    Fold(usize),
    Memory(PathBuf),
    /// A card that waits, by its proposal.
    Card(String),
}

/// A row. Its text is safe for a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRow {
    pub who: Who,
    pub tone: Tone,
    pub fold: Fold,
    pub text: String,
    pub target: Target,
}

/// The rows, and of which items they are.
#[derive(Debug, Default)]
pub struct Rows {
    all: Vec<AgentRow>,
    /// Where the rows of each item begin.
    begins: Vec<usize>,
    cells: usize,
}

impl Rows {
    pub fn all(&self) -> &[AgentRow] {
        &self.all
    }

    /// The rows from an item on are laid out anew.
    pub fn forget(&mut self, item: usize) {
        if let Some(at) = self.begins.get(item).copied() {
            self.all.truncate(at);
            self.begins.truncate(item);
        }
    }

    /// Lays out what is missing; the items from `changed` on differ from when that was done last.
    pub fn lay_out(&mut self, talk: &Talk, changed: usize, open: &BTreeSet<usize>, cells: usize) {
        if cells != self.cells {
            self.forget(0);
            self.cells = cells;
        }
        self.forget(changed);
        for at in self.begins.len()..talk.items.len() {
            self.begins.push(self.all.len());
            self.item(at, &talk.items[at], open.contains(&at));
        }
    }

    fn push(&mut self, who: Who, tone: Tone, text: impl Into<String>) {
        self.aimed(who, tone, Fold::None, text, Target::Nothing);
    }

    fn aimed(&mut self, who: Who, tone: Tone, fold: Fold, text: impl Into<String>, target: Target) {
        self.all.push(AgentRow {
            who,
            tone,
            fold,
            text: text.into(),
            target,
        });
    }

    fn item(&mut self, at: usize, item: &Item, is_open: bool) {
        match item {
            Item::You(said) => {
                if at > 0 {
                    self.push(Who::Nobody, Tone::Plain, "");
                }
                self.wrapped(Who::User, said, |_| Tone::Strong, &Target::Nothing);
            }
            Item::Agent(said) => {
                let mut is_code = false;
                let tone = move |line: &str| {
                    let is_fence = line.trim_start().starts_with("```");
                    let was_code = is_code;
                    is_code ^= is_fence;
                    match () {
                        () if was_code || is_fence => Tone::Note,
                        () if line.starts_with('#') => Tone::Strong,
                        () => Tone::Plain,
                    }
                };
                self.wrapped(Who::Agent, said.trim_end(), tone, &Target::Nothing);
            }
            Item::Call {
                name,
                about,
                result,
                ..
            } => self.call(at, (name, about), result.as_ref(), is_open),
            Item::Recalled(memories) => {
                for (name, path) in memories {
                    let name = display::line(name).into_owned();
                    let target = Target::Memory(path.clone());
                    self.aimed(
                        Who::Tool,
                        Tone::Note,
                        Fold::None,
                        format!("↺ {name}"),
                        target,
                    );
                }
            }
            Item::Card(card) => self.card(card),
            Item::Note(said) => self.wrapped(Who::Nobody, said, |_| Tone::Dim, &Target::Nothing),
            Item::Fault(said) => self.wrapped(Who::Nobody, said, |_| Tone::Error, &Target::Nothing),
        }
    }

    fn call(
        &mut self,
        at: usize,
        (name, about): (&str, &str),
        result: Option<&(String, bool)>,
        is_open: bool,
    ) {
        let about = display::line(about).into_owned();
        let name = display::line(name).into_owned();
        let end = match result {
            None => " …".to_string(),
            Some((_, true)) => " · refused".to_string(),
            Some((text, false)) => match text.lines().count() {
                1 => " · 1 line".to_string(),
                many => format!(" · {} lines", grouped(many)),
            },
        };
        let tone = match result {
            Some((_, true)) => Tone::Warning,
            Some(_) | None => Tone::Dim,
        };
        let fold = match (result, is_open) {
            (None, _) => Fold::None,
            (Some(_), true) => Fold::Open,
            (Some(_), false) => Fold::Closed,
        };
        let target = match result {
            Some(_) => Target::Fold(at),
            None => Target::Nothing,
        };
        // Bar, sign and what stands behind take their cells first.
        let room = self
            .cells
            .saturating_sub(4 + text::width(&name) + 1 + text::width(&end));
        let about = text::cut_middle(&about, room).into_owned();
        self.aimed(
            Who::Tool,
            tone,
            fold,
            format!("{name} {about}{end}"),
            target.clone(),
        );
        if let (Some((result, _)), true) = (result, is_open) {
            let before = self.all.len();
            self.wrapped(Who::Tool, result, |_| Tone::Dim, &target);
            let laid = self.all.len() - before;
            if laid > MOST_ROWS {
                self.all.truncate(before + MOST_ROWS);
                let more = grouped(laid - MOST_ROWS);
                self.aimed(
                    Who::Tool,
                    Tone::Dim,
                    Fold::None,
                    format!("… {more} rows more"),
                    target,
                );
            }
        }
    }

    fn card(&mut self, card: &Card) {
        let target = match card.decided {
            None => Target::Card(card.id.clone()),
            Some(_) => Target::Nothing,
        };
        let head = match card.decided {
            None => format!("✎ for review · {}", card.title),
            Some(Decision::Accepted) => format!("✓ written · {}", card.title),
            Some(Decision::Edited) => format!("✓ written with your changes · {}", card.title),
            Some(Decision::Rejected) => format!("✗ rejected · {}", card.title),
            Some(Decision::Void) => format!("✗ went with what it was built on · {}", card.title),
        };
        let tone = match card.decided {
            None => Tone::Warning,
            Some(Decision::Accepted | Decision::Edited) => Tone::Note,
            Some(Decision::Rejected | Decision::Void) => Tone::Dim,
        };
        let head = display::line(&head).into_owned();
        let head = text::cut_end(&head, self.cells.saturating_sub(4)).into_owned();
        let rule = self.cells.saturating_sub(text::width(&head) + 3);
        let head = format!("╭ {head} {}", "─".repeat(rule));
        self.aimed(Who::Nobody, tone, Fold::None, head, target.clone());
        if card.decided.is_none() {
            let before = self.all.len();
            self.diff(&card.diff, &target);
            for row in &mut self.all[before..] {
                row.text.insert_str(0, "│ ");
            }
        }
        let foot = format!("╰{}", "─".repeat(self.cells.saturating_sub(1)));
        self.aimed(Who::Nobody, tone, Fold::None, foot, target);
    }

    /// The diffs of some files: of each its name, then what changes.
    fn diff(&mut self, diff: &str, target: &Target) {
        for line in diff.trim_end().lines() {
            let name = line
                .strip_prefix("+++ ")
                .or_else(|| line.strip_prefix("--- "));
            match name {
                // Of a file both names are told; that it is new, or gone, shows in its lines.
                Some(name) if line.starts_with('+') || name != "/dev/null" => {
                    let name = name.rsplit('/').next().unwrap_or(name);
                    let tone = |_: &str| Tone::Strong;
                    if self.all.last().is_none_or(|last| last.text != name) && name != "null" {
                        self.wrapped(Who::Nobody, name, tone, target);
                    }
                }
                Some(_) => {}
                None if line.starts_with("@@") => {}
                None => {
                    let tone = match line.as_bytes().first() {
                        Some(b'+') => Tone::Added,
                        Some(b'-') => Tone::Removed,
                        Some(_) | None => Tone::Dim,
                    };
                    self.wrapped(Who::Nobody, line, |_| tone, target);
                }
            }
        }
    }

    /// A text of many lines, each wrapped by itself.
    fn wrapped(
        &mut self,
        who: Who,
        said: &str,
        mut tone: impl FnMut(&str) -> Tone,
        target: &Target,
    ) {
        // The bar at the left edge takes two.
        let cells = self.cells.saturating_sub(2).max(1);
        for line in display::block(said).split('\n') {
            let tone = tone(line);
            for range in text::wrap(line, cells) {
                self.aimed(who, tone, Fold::None, &line[range], target.clone());
            }
        }
    }
}

//! The items of a conversation as rows of so many cells. What did not change is not laid out again; of the
//! answer that is coming only its last block is.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use super::talk::{Card, Item, Talk};
use crate::app::markdown::{self, Growing, Ink, Runs};
use crate::app::message::FoundMemory;
use crate::app::painted::Painted;
use crate::app::session_rows::{Fold, Tone, Who};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::turn::record::Decision;

/// Rows of one folded-out result that are laid out at most; of a longer one the rest is said.
const MOST_ROWS: usize = 1_000;
/// Rows of a question that are shown while it is folded: what was pasted may be of any size.
const QUESTION_ROWS: usize = 20;

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
    /// What its pieces are for, each with its bytes; empty: all of it has the tone of the row.
    pub inks: Vec<(usize, Ink)>,
    pub target: Target,
}

/// What rows are laid out from, beside the conversation.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a> {
    /// Items that are unfolded.
    pub open: &'a BTreeSet<usize>,
    /// The code of answers, by their items.
    pub painted: &'a HashMap<usize, Painted>,
    pub cells: usize,
}

/// The rows, and of which items they are.
#[derive(Debug, Default)]
pub struct Rows {
    all: Vec<AgentRow>,
    /// Where the rows of each item begin.
    begins: Vec<usize>,
    cells: usize,
    /// The item that is being written, and how far it is laid out.
    growing: Option<(usize, Growing)>,
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
        self.growing.take_if(|(growing, _)| *growing >= item);
    }

    /// Lays out what is missing; the items from `changed` on differ from when that was done last.
    pub fn lay_out(&mut self, talk: &Talk, changed: usize, shown: Shown<'_>) {
        if shown.cells != self.cells {
            self.forget(0);
            self.cells = shown.cells;
        }
        match (&self.growing, talk.items.get(changed)) {
            (Some((item, _)), Some(Item::Agent(said)))
                if *item == changed && talk.live() == Some(changed) =>
            {
                self.forget(changed + 1);
                self.grow(said);
            }
            _ => self.forget(changed),
        }
        for at in self.begins.len()..talk.items.len() {
            self.begins.push(self.all.len());
            match &talk.items[at] {
                Item::Agent(said) if talk.live() == Some(at) => {
                    self.growing = Some((at, Growing::default()));
                    self.grow(said);
                }
                item => self.item(at, item, shown),
            }
        }
    }

    /// Lays out what is new of the answer that is being written: it is the last item.
    fn grow(&mut self, said: &str) {
        let cells = self.room();
        let Some((item, growing)) = &mut self.growing else {
            return;
        };
        let grown = growing.grow(said, cells);
        let begins = self.begins.get(*item).copied().unwrap_or(self.all.len());
        self.all.truncate(begins + grown.keep);
        self.answered(grown.lines);
    }

    /// Cells beside the bar at the left edge.
    fn room(&self) -> usize {
        self.cells.saturating_sub(2).max(1)
    }

    /// Lines of an answer.
    fn answered(&mut self, lines: Vec<Runs>) {
        for line in lines {
            let inks = line.iter().map(|(piece, ink)| (piece.len(), ink.clone()));
            self.all.push(AgentRow {
                who: Who::Agent,
                tone: Tone::Plain,
                fold: Fold::None,
                inks: inks.collect(),
                text: line.into_iter().map(|(piece, _)| piece).collect(),
                target: Target::Nothing,
            });
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
            inks: Vec::new(),
            target,
        });
    }

    fn item(&mut self, at: usize, item: &Item, shown: Shown<'_>) {
        match item {
            Item::You(said) => {
                if at > 0 {
                    self.push(Who::Nobody, Tone::Plain, "");
                }
                self.question(at, said, shown.open.contains(&at));
            }
            Item::Agent(said) => {
                let painted = shown.painted.get(&at);
                let mut lines = markdown::lay_out(said, painted, self.room());
                while lines.last().is_some_and(|line| markdown::width(line) == 0) {
                    lines.pop();
                }
                self.answered(lines);
            }
            Item::Call {
                name,
                about,
                result,
                ..
            } => self.call(at, (name, about), result.as_ref(), shown.open.contains(&at)),
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
            Item::Found(memories) => self.found(memories),
            Item::Card(card) => self.card(card),
            Item::Note(said) => self.wrapped(Who::Nobody, said, |_| Tone::Dim, &Target::Nothing),
            Item::Fault(said) => self.wrapped(Who::Nobody, said, |_| Tone::Error, &Target::Nothing),
        }
    }

    /// A question: a long one is folded, and no more of it is laid out than is shown.
    fn question(&mut self, at: usize, said: &str, is_open: bool) {
        let most = match is_open {
            true => MOST_ROWS,
            false => QUESTION_ROWS,
        };
        let target = |is_long| match is_long {
            true => Target::Fold(at),
            false => Target::Nothing,
        };
        let mut rows: Vec<String> = Vec::new();
        let mut lines = said.lines();
        let mut is_cut = false;
        for line in lines.by_ref() {
            // No more of a line than can be shown, but one row to know that there is more.
            let head = line.len().min((most + 1) * self.cells.max(2) * 4);
            let head = display::line(&display::untab(&line[..line.floor_char_boundary(head)]))
                .into_owned();
            let wrapped = text::wrap(&head, self.room()).into_iter();
            rows.extend(wrapped.map(|range| head[range].to_string()));
            is_cut = rows.len() > most;
            if is_cut {
                break;
            }
        }
        let is_long = is_cut || rows.len() > QUESTION_ROWS;
        rows.truncate(most);
        for row in rows {
            let target = target(is_long);
            self.aimed(Who::User, Tone::Strong, Fold::None, row, target);
        }
        if is_long {
            let rest = match (is_cut, lines.count()) {
                (false, _) => "all of it".to_string(),
                (true, 0) => "… more of the line".to_string(),
                (true, 1) => "… 1 line more".to_string(),
                (true, many) => format!("… {} lines more", grouped(many)),
            };
            let fold = match is_open {
                true => Fold::Open,
                false => Fold::Closed,
            };
            self.aimed(Who::User, Tone::Dim, fold, rest, target(true));
        }
    }

    /// Memories, each with its score and why it was found.
    fn found(&mut self, memories: &[FoundMemory]) {
        for one in memories {
            let target = Target::Memory(one.path.clone());
            let name = display::line(&one.name).into_owned();
            let score = one.score.map(|score| format!(" {score:.2}"));
            let head = format!("↺ {name}{}", score.unwrap_or_default());
            self.aimed(Who::Tool, Tone::Note, Fold::None, head, target.clone());
            self.wrapped(Who::Tool, &one.why, |_| Tone::Dim, &target);
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

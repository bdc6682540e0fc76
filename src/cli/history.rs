//! `history`: all changes, the newest first, and which of them are undone.

use std::collections::HashSet;
use std::io;
use std::path::Path;

use serde::Serialize;

use crate::base::display;
use crate::base::time::Moment;
use crate::cli::change;
use crate::cli::failure::{Failure, Stop};
use crate::cli::opened::Opened;
use crate::cli::output::{Colour, Output, Style};
use crate::cli::words;
use crate::store::history::undone;
use crate::store::journal::{Entry, Step, StepOp};

pub fn run(opened: &Opened, json: bool, output: &mut Output) -> Result<(), Stop> {
    let history = opened.writer.history();
    let undone = undone(&history);
    if json {
        let history = history.iter().rev();
        output.json(&HistoryShape {
            history: history
                .map(|entry| EntryShape::new(entry, &undone))
                .collect(),
        })?;
    } else {
        lines(opened, &history, &undone, output)?;
    }
    Ok(())
}

/// One change, with what it did.
pub fn show(opened: &Opened, key: &str, json: bool, output: &mut Output) -> Result<(), Stop> {
    let history = opened.writer.history();
    let Some(entry) = history.iter().find(|entry| entry.key == key) else {
        let message = format!("no change has the key {key}: `loci history` lists them");
        return Err(Failure::usage("not-found", message).into());
    };
    let undone = undone(&history);
    let diff = opened.writer.diff_of(entry);
    if json {
        output.json(&ShownShape {
            entry: EntryShape::new(entry, &undone),
            diff: &diff,
        })?;
        return Ok(());
    }
    output.line(&line(opened, entry, &undone, output.look.colour))?;
    for line in diff.lines() {
        output.line(&change::painted(line, output.look.colour))?;
    }
    Ok(())
}

fn lines(
    opened: &Opened,
    history: &[Entry],
    undone: &HashSet<&str>,
    output: &mut Output,
) -> io::Result<()> {
    let colour = output.look.colour;
    if history.is_empty() {
        return output.line("no changes yet");
    }
    for entry in history.iter().rev() {
        output.line(&line(opened, entry, undone, colour))?;
    }
    Ok(())
}

fn line(opened: &Opened, entry: &Entry, undone: &HashSet<&str>, colour: Colour) -> String {
    let age = age(&entry.time, opened);
    let title = words::homely(&entry.title, &opened.home);
    let title = display::line(&title);
    let (mark, style) = match undone.contains(entry.key.as_str()) {
        true => ("  taken back", Style::Dim),
        false => ("", Style::Text),
    };
    format!(
        "{}  {age:>5}  {}{}",
        colour.paint(Style::Dim, &display::line(&entry.key)),
        colour.paint(style, &title),
        colour.paint(Style::Warning, mark),
    )
}

/// How long ago a moment of our own files was.
pub fn age(time: &str, opened: &Opened) -> String {
    Moment::parse(time).map_or_else(
        || display::line(time).into_owned(),
        |then| then.age(opened.store.now()),
    )
}

#[derive(Serialize)]
struct HistoryShape<'a> {
    history: Vec<EntryShape<'a>>,
}

#[derive(Serialize)]
struct ShownShape<'a> {
    #[serde(flatten)]
    entry: EntryShape<'a>,
    diff: &'a str,
}

#[derive(Serialize)]
struct EntryShape<'a> {
    key: &'a str,
    time: &'a str,
    author: crate::store::change::Author,
    title: &'a str,
    undoes: Option<&'a str>,
    undone: bool,
    steps: Vec<StepShape<'a>>,
}

#[derive(Serialize)]
struct StepShape<'a> {
    op: StepOp,
    path: std::borrow::Cow<'a, str>,
    to: Option<std::borrow::Cow<'a, str>>,
}

impl<'a> EntryShape<'a> {
    fn new(entry: &'a Entry, undone: &HashSet<&str>) -> Self {
        Self {
            key: &entry.key,
            time: &entry.time,
            author: entry.author,
            title: &entry.title,
            undoes: entry.undoes.as_deref(),
            undone: undone.contains(entry.key.as_str()),
            steps: entry.steps.iter().map(StepShape::new).collect(),
        }
    }
}

impl<'a> StepShape<'a> {
    fn new(step: &'a Step) -> Self {
        Self {
            op: step.op,
            path: step.path.to_string_lossy(),
            to: step.to.as_deref().map(Path::to_string_lossy),
        }
    }
}

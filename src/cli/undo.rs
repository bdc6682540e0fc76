//! `undo` and `redo`: the last change taken back, or the one of a key; the last undo taken back.

use crate::base::display;
use crate::base::time::Moment;
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::store::StoreError;
use crate::store::history::{to_redo, to_undo};
use crate::store::journal::Entry;

pub fn undo(key: Option<&str>, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let history = opened.writer.history();
    let entry = match key {
        None => to_undo(&history).ok_or_else(|| nothing("nothing to undo")),
        Some(key) => history
            .iter()
            .find(|entry| entry.key == key)
            .ok_or_else(|| {
                nothing(&format!(
                    "no change has the key {key}: `loci history` lists them"
                ))
            }),
    }?;
    let done = taken_back(&opened, global, entry)?;
    done.report(&opened, global.json, output)?;
    Ok(())
}

pub fn redo(global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let history = opened.writer.history();
    let entry = to_redo(&history).ok_or_else(|| nothing("nothing to redo"))?;
    let done = taken_back(&opened, global, entry)?;
    done.report(&opened, global.json, output)?;
    Ok(())
}

fn nothing(message: &str) -> Failure {
    Failure::usage("not-found", message)
}

fn taken_back(opened: &Opened, global: &Global, entry: &Entry) -> Result<Done, Failure> {
    let set = || opened.writer.reversed(entry).map_err(Failure::from);
    let first = set()?;
    let asks = opened.store.taken_along(&first, Moment::parse(&entry.time));
    if !asks.is_empty() && !global.yes {
        if !global.dry_run {
            let message = format!("{}: --yes does it", asks.join("; "));
            return Err(Failure::usage("confirm", message));
        }
        for ask in &asks {
            say(&display::line(ask));
        }
    }
    change::carry_out(
        opened,
        global,
        first,
        |_| {
            let undone = opened.writer.undo(Some(&entry.key), opened.store.now());
            undone.map(|(_, applied)| applied)
        },
        |error| match opened.writer.explained(entry, error) {
            later @ StoreError::Later { .. } => Err(later.into()),
            _ => set(),
        },
    )
}

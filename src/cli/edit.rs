//! `edit`: fields set and taken out, the text replaced, the age kept or made young on purpose. A field is a targeted edit: it is made again
//! on what another writer has left, as long as that writer left the field alone. A text is merged,
//! never put over one that nobody has seen.

use crate::base::front_matter;
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::failure::{Failure, Stop};
use crate::cli::memory_args;
use crate::cli::memory_argument::{self, Found};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::words;
use crate::memory::proposal::{self, AgeWish, Edit};
use crate::store::StoreError;
use crate::store::change::{ChangeSet, Op};

pub fn run(asked: &memory_args::Edit, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let is_edit = !asked.set.is_empty() || !asked.unset.is_empty() || asked.body.is_some();
    if !is_edit && !asked.verified {
        let message =
            "nothing is to be edited: name it with --set, --unset or --body, or say --verified";
        return Err(Failure::usage("usage", message).into());
    }
    let opened = Opened::to_write(global)?;
    let found = memory_argument::find(&opened, &asked.memory)?;
    change::refuse_unsafe(&found)?;
    let body = asked.body.as_deref().map(change::body).transpose()?;
    let edit = Edit {
        set: pairs(&asked.set),
        unset: asked.unset.iter().map(String::as_str).collect(),
        body: body.as_deref(),
        age: match (asked.keep_age, asked.verified) {
            (true, _) => Some(AgeWish::Kept),
            (_, true) => Some(AgeWish::Verified),
            (false, false) => None,
        },
    };
    let mut done = edited(&opened, global, &found, &edit)?;
    let age = words::age(found.entry.modified, opened.store.now());
    if done.is_young() && age != "now" {
        done.note(format!("{}: age {age} → 0", found.entry.path));
    }
    done.report(&opened, global.json, output)?;
    Ok(())
}

fn pairs(set: &[(String, String)]) -> Vec<(&str, &str)> {
    set.iter()
        .map(|(key, value)| (key.as_str(), value.as_str()))
        .collect()
}

fn edited(
    opened: &Opened,
    global: &Global,
    found: &Found,
    edit: &Edit<'_>,
) -> Result<Done, Failure> {
    let make = || {
        let memories = std::slice::from_ref(&found.entry);
        let folder = change::folder(opened, &found.shelf.folder, memories);
        proposal::edit(&folder, &found.entry.path, edit).map_err(Failure::from)
    };
    let first = make()?;
    let seen = says(&first, edit);
    let mut last = first.clone();
    let apply = |set: &ChangeSet| opened.writer.apply(set, opened.store.now());
    change::carry_out(opened, global, first, apply, |error| {
        match error {
            // It was made from what was there before: the next try merges it with what is there now.
            StoreError::Conflict { .. } => {}
            StoreError::Overlap { .. } => {
                let next = make()?;
                if says(&next, edit) != seen && !next.changes.is_empty() {
                    return Err(error.into());
                }
                last = next;
            }
            StoreError::Later { .. }
            | StoreError::Twice { .. }
            | StoreError::Disk { .. }
            | StoreError::Busy { .. }
            | StoreError::Unknown { .. } => {
                return Err(error.into());
            }
        }
        Ok(last.clone())
    })
}

/// What the file said, before an edit, of all that the edit changes.
fn says(set: &ChangeSet, edit: &Edit<'_>) -> Vec<Option<String>> {
    let before = set.changes.first().and_then(|change| match &change.op {
        Op::Write { before, .. } => before.as_deref(),
        Op::Move { .. } | Op::Trash { .. } => None,
    });
    let text = String::from_utf8_lossy(before.unwrap_or_default());
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    let front = front_matter::read(text);
    let keys = edit.set.iter().map(|(key, _)| key).chain(&edit.unset);
    let fields = keys.map(|key| front.get(key).map(str::to_string));
    let body = edit.body.map(|_| text[front.body..].to_string());
    fields.chain([body]).collect()
}

//! The history: one line a change set, in `history.jsonl`. What can be undone and redone is read off
//! it, never counted beside it.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;

use crate::base::disk::Disk;
use crate::base::fault::Point;
use crate::base::swap::NONBLOCK;
use crate::store::journal::Entry;
use crate::store::{Result, Store, disk};

impl Store {
    /// All change sets, oldest first. A line that a crash cut off is left out.
    #[must_use]
    pub fn history(&self) -> Vec<Entry> {
        let path = self.home.join("history.jsonl");
        let text = Disk::system().read(&path).unwrap_or_default();
        text.split(|byte| *byte == b'\n')
            .filter_map(|line| serde_json::from_slice(line).ok())
            .filter(Entry::is_sound)
            .collect()
    }

    /// Adds a line and flushes it. A change set stands in the history once. A line that can't be
    /// written whole is taken out again: its change is not done either.
    pub(super) fn record(&self, entry: &Entry) -> Result<()> {
        let path = self.folder(None)?.join("history.jsonl");
        let mut line = serde_json::to_vec(entry).expect("an entry holds nothing that JSON can't");
        line.push(b'\n');
        let written = (|| {
            self.faults.pass(Point::Create)?;
            let cut = Disk::system()
                .read(&path)
                .is_ok_and(|text| text.last().is_some_and(|byte| *byte != b'\n'));
            if cut {
                line.insert(0, b'\n');
            }
            let mut file = OpenOptions::new()
                .append(true)
                .create(true)
                .mode(0o600)
                .custom_flags(NONBLOCK)
                .open(&path)?;
            let length = file.metadata()?.len();
            let flushed = file.write_all(&line).and_then(|()| {
                self.faults.pass(Point::Flush)?;
                file.sync_all()
            });
            if flushed.is_err() {
                // If even that is refused the line names a change that was not made.
                let _ = file.set_len(length);
            }
            flushed
        })();
        written.map_err(|error| disk(&path, error))
    }

    pub(super) fn is_recorded(&self, key: &str) -> bool {
        self.history().iter().any(|entry| entry.key == key)
    }

    pub(super) fn keys_of_history(&self, base: &str) -> HashSet<String> {
        self.history()
            .into_iter()
            .map(|entry| entry.key)
            .filter(|key| key.starts_with(base))
            .collect()
    }
}

/// The keys of the change sets that are undone now: by a later one that is not undone itself.
#[must_use]
pub fn undone(history: &[Entry]) -> HashSet<&str> {
    let mut undone = HashSet::new();
    for entry in history.iter().rev() {
        if let Some(of) = entry.undoes.as_deref()
            && !undone.contains(entry.key.as_str())
        {
            undone.insert(of);
        }
    }
    undone
}

/// What `undo` without a key takes back: the last change that is neither undone nor itself an undo.
#[must_use]
pub fn to_undo(history: &[Entry]) -> Option<&Entry> {
    let undone = undone(history);
    history
        .iter()
        .rev()
        .find(|entry| !undone.contains(entry.key.as_str()) && is_change(entry, history))
}

/// What `redo` takes back: the last undo, if nothing else was changed after it.
#[must_use]
pub fn to_redo(history: &[Entry]) -> Option<&Entry> {
    let undone = undone(history);
    history
        .iter()
        .rev()
        .filter(|entry| !undone.contains(entry.key.as_str()))
        .take_while(|entry| entry.undoes.is_some())
        .find(|entry| !is_change(entry, history))
}

/// A change of its own, or the redo of one, which is the undo of an undo; not an undo.
pub(super) fn is_change(entry: &Entry, history: &[Entry]) -> bool {
    match entry.undoes.as_deref() {
        None => true,
        Some(of) => history
            .iter()
            .find(|other| other.key == of)
            .is_some_and(|other| !is_change(other, history)),
    }
}

//! Looking back: what a change of the history did, what comes back from the trash, and a change taken
//! back.

use std::path::Path;

use crate::app::change::diff_lines;
use crate::app::dialog::{PastChange, Then};
use crate::app::diff_text::DiffText;
use crate::app::doing::Doing;
use crate::app::health_sweep::Touched;
use crate::app::list::List;
use crate::app::message::{Effect, Order};
use crate::app::overlay::Overlay;
use crate::app::{App, Tab};
use crate::store::journal::Entry;

impl App {
    /// Shows trash and history, read anew.
    pub(super) fn show_history(&mut self) {
        self.history.outdate();
        self.show(Tab::History);
    }

    /// Brings back what lies in the trash under the cursor, or shows what the change there did.
    pub(super) fn look_back(&mut self, effects: &mut Vec<Effect>) {
        if let Some(key) = self.history.trashed().map(|manifest| manifest.key.clone()) {
            self.health.touch(Touched::Anything);
            let id = self.begin(Doing::Applying(Then::Nothing));
            effects.push(Effect::Write(Order::Restore { id, key }));
            return;
        }
        let Some((entry, undone)) = self.history.entry() else {
            self.say("nothing of the trash and no change on this line");
            return;
        };
        let entry = Box::new(entry.clone());
        let id = self.begin(Doing::LookingBack {
            entry: entry.clone(),
            undone,
        });
        effects.push(Effect::Write(Order::ShowPast { id, entry }));
    }

    /// Takes the diff of a change that is looked at.
    pub(super) fn show_past(&mut self, id: u64, diff: &str) {
        let Some(Doing::LookingBack { entry, undone }) = self.doing.remove(&id) else {
            return;
        };
        self.overlay = Some(Overlay::Past(Box::new(PastChange {
            diff: DiffText::new(diff_lines(diff, self.folder_holding(&entry))),
            key: Some(entry.key),
            title: entry.title,
            undone,
            list: List::default(),
        })));
    }

    /// The memory folder that holds all files of a change; an empty path if none does.
    fn folder_holding(&self, entry: &Entry) -> &Path {
        let shelves = self.tree.shelves().iter();
        let mut folders = shelves.map(|state| state.shelf.folder.as_path());
        let holds = |folder: &&Path| entry.steps.iter().all(|step| step.path.starts_with(folder));
        folders.find(holds).unwrap_or(Path::new(""))
    }

    /// Takes the change under the cursor back, or the one that is looked at.
    pub(super) fn undo_this(&mut self, effects: &mut Vec<Effect>) {
        let key = match &self.overlay {
            Some(Overlay::Past(past)) => past.key.clone().filter(|_| !past.undone),
            Some(_) | None => self.history.change().map(|entry| entry.key.clone()),
        };
        match key {
            Some(key) => {
                self.overlay = None;
                self.undo(Some(key), effects);
            }
            None => self.say("no change here that could be taken back"),
        }
    }
}

#[cfg(test)]
#[path = "history_look_tests.rs"]
mod tests;

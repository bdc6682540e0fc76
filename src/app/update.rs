//! What a message does to the state, and which effects follow. Moving about is in `browse`, the
//! mouse in `mouse`.

use std::path::{Path, PathBuf};

use crate::app::action::{self, Action, Lookup, Scope};
use crate::app::key::{Code, Key};
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::{Effect, Message};
use crate::app::overlay::{Help, Overlay, Palette};
use crate::app::reading::{Shown, Subject};
use crate::app::tree::FileAt;
use crate::app::{App, Notice, Tab};
use crate::memory::file::Page;

/// Folders that are watched at once at most: each costs the system a watch a sub-folder.
const WATCHED_FOLDERS: usize = 16;

impl App {
    /// Takes a message; what it returns is to be done outside.
    pub fn update(&mut self, message: Message) -> Vec<Effect> {
        self.update_all([message])
    }

    /// Takes messages that came together. What the state then needs read is asked for once, so that
    /// a held-down key reads one memory, not all that it passes.
    pub fn update_all(&mut self, messages: impl IntoIterator<Item = Message>) -> Vec<Effect> {
        let mut effects = Vec::new();
        for message in messages {
            self.take(message, &mut effects);
        }
        self.follow_up(&mut effects);
        effects
    }

    fn take(&mut self, message: Message, effects: &mut Vec<Effect>) {
        match message {
            Message::Key(key) => self.press(key, effects),
            Message::Paste(text) => self.paste(&text),
            Message::Mouse(mouse) => self.point(mouse, effects),
            Message::Resize(size) => self.size = size,
            Message::Shelves { id, here, shelves } if id == self.survey_id => {
                self.tree.list_shelves(&here, shelves);
            }
            Message::Surveyed { id, shelves } if id == self.survey_id => self.tree.survey(shelves),
            Message::SurveyDone { id } if id == self.survey_id => self.surveying = false,
            Message::Contents {
                id,
                folder,
                contents,
            } => self.tree.fill(&folder, id, *contents),
            Message::Page { id, path, page } if self.reading.awaits(id) => {
                self.show_page(id, path, page);
            }
            Message::Changed { folder } => self.read_changed(&folder, effects),
            Message::WatchLimited(sentence) => self.notice = Some(Notice::Error(sentence)),
            // Answers that nobody waits for any more.
            Message::Shelves { .. }
            | Message::Surveyed { .. }
            | Message::SurveyDone { .. }
            | Message::Page { .. } => {}
        }
    }

    /// What the new state needs read, and the views that follow the cursor.
    pub(super) fn follow_up(&mut self, effects: &mut Vec<Effect>) {
        self.tree.forget_hidden();
        for shelf in self.tree.lacking(self.tab == Tab::Index) {
            let id = self.next_id();
            self.tree.await_contents(&shelf.folder, id);
            effects.push(Effect::ReadShelf { id, shelf });
        }
        let file = self.tree.row().and_then(|row| self.tree.file(row));
        if let Some(at) = file
            && !self.reading.has(&at.path())
        {
            self.read_page(at, effects);
        }
        let key = match self.subject() {
            Subject::Page(shown) => Some(shown.path.clone()),
            Subject::Shelf(state) => Some(state.shelf.folder.clone()),
            Subject::Waiting => None,
        };
        if let Some(key) = key {
            self.reading.turn_to(&key);
        }
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        self.index.turn_to(self.tree.current(), cells);
        self.watch(effects);
    }

    /// Reads a shelf again that another program has written to, and the file of it that is shown.
    fn read_changed(&mut self, folder: &Path, effects: &mut Vec<Effect>) {
        let Some(shelf) = self
            .tree
            .held()
            .into_iter()
            .find(|shelf| shelf.folder == folder)
        else {
            return;
        };
        let id = self.next_id();
        self.tree.await_contents(folder, id);
        effects.push(Effect::ReadShelf { id, shelf });
        let file = self.tree.row().and_then(|row| self.tree.file(row));
        if let Some(at) = file.filter(|at| at.folder == folder) {
            self.read_page(at, effects);
        }
    }

    /// Has the folders watched that are shown, the current one first.
    fn watch(&mut self, effects: &mut Vec<Effect>) {
        let current = self.tree.current().map(|state| state.shelf.folder.clone());
        let held = self.tree.held().into_iter().map(|shelf| shelf.folder);
        let mut folders: Vec<PathBuf> = current.into_iter().collect();
        for folder in held {
            if !folders.contains(&folder) && folders.len() < WATCHED_FOLDERS {
                folders.push(folder);
            }
        }
        if folders != self.watched {
            self.watched.clone_from(&folders);
            effects.push(Effect::Watch { folders });
        }
    }

    fn read_page(&mut self, at: FileAt, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        let entry = self.tree.row().and_then(|row| self.tree.memory(row));
        // What the scan would not read is not read for the page either.
        match entry.and_then(|(_, entry)| entry.unread.as_ref()) {
            Some(why) => {
                let said = format!("{} {why}", at.path().display());
                self.show_page(id, at.path(), Err(said));
            }
            None => {
                self.reading.want(id, at.path());
                effects.push(Effect::ReadPage { id, at });
            }
        }
    }

    fn show_page(&mut self, id: u64, path: PathBuf, page: Result<Box<Page>, String>) {
        let entry = self.tree.row().and_then(|row| self.tree.memory(row));
        let entry = entry
            .filter(|(state, entry)| state.shelf.folder.join(&*entry.path) == path)
            .map(|(_, entry)| entry.clone());
        self.reading.show(Shown {
            path,
            entry,
            page,
            stamp: id,
        });
    }

    /// Without the newer key protocol, alt and a key are the same bytes as Esc and then that key. What
    /// is no key of ours as alt was meant as the two.
    fn press(&mut self, key: Key, effects: &mut Vec<Effect>) {
        if key.alt && !crate::app::field::takes_alt(key.code) {
            self.press_one(Key::plain(Code::Esc), effects);
            self.press_one(Key { alt: false, ..key }, effects);
        } else {
            self.press_one(key, effects);
        }
    }

    fn press_one(&mut self, key: Key, effects: &mut Vec<Effect>) {
        if let Some(Notice::Word(_)) = self.notice {
            self.notice = None;
        }
        if key != Key::ctrl('c') {
            self.quit_armed = false;
        }
        let begun = !self.pending.is_empty();
        if begun && (key == Key::plain(Code::Esc) || key == Key::ctrl('c')) {
            self.pending.clear();
            return;
        }
        let scope = self.scope();
        self.pending.push(key);
        match self.keymap.lookup(scope, &self.pending) {
            Lookup::Action(action) => {
                self.pending.clear();
                self.act(action, scope, effects);
            }
            Lookup::Prefix => {}
            Lookup::Nothing => {
                let pressed: Vec<_> = self.pending.drain(..).map(|key| key.to_string()).collect();
                let took = !begun && self.type_key(key);
                if !took {
                    let hint = if scope.is_field() {
                        ""
                    } else {
                        " · ? shows the keys"
                    };
                    self.say(format!(
                        "{} does nothing in {}{hint}",
                        pressed.join(" "),
                        scope.name()
                    ));
                }
            }
        }
    }

    /// Gives a press to the text field on top; `false` if there is none or it means nothing to it.
    fn type_key(&mut self, key: Key) -> bool {
        let Some(overlay) = &mut self.overlay else {
            return false;
        };
        let took = overlay.field().press(key);
        if took && matches!(key.code, Code::Char(_) | Code::Backspace | Code::Delete) {
            *overlay.list() = List::default();
        }
        took
    }

    /// A paste goes into a text field; in a list it would run as keys, so it is not taken.
    fn paste(&mut self, text: &str) {
        match &mut self.overlay {
            Some(overlay) => {
                overlay.field().paste(text);
                *overlay.list() = List::default();
            }
            None => self.say("nothing to paste into here"),
        }
    }

    /// Does an action in a scope, or says why not.
    pub(super) fn act(&mut self, action: Action, scope: Scope, effects: &mut Vec<Effect>) {
        let entry = action::entry(action);
        if !entry.applies(scope) {
            let places: Vec<_> = Scope::ALL
                .into_iter()
                .filter(|scope| entry.applies(*scope))
                .map(Scope::name)
                .collect();
            self.say(format!("{} works in {}", entry.name, places.join(", ")));
            return;
        }
        match action {
            Action::Open => self.open(),
            Action::Fold => self.fold(),
            Action::Down => self.step(1),
            Action::Up => self.step(-1),
            Action::Top => self.step(isize::MIN),
            Action::Bottom => self.step(isize::MAX),
            Action::HalfDown => self.step(self.page_rows() / 2),
            Action::HalfUp => self.step(-(self.page_rows() / 2)),
            Action::PageDown => self.step(self.page_rows()),
            Action::PageUp => self.step(-self.page_rows()),
            Action::NextPane | Action::PreviousPane => {
                self.focus = match self.focus {
                    Pane::Tree => Pane::Main,
                    Pane::Main => Pane::Tree,
                };
            }
            Action::ShowMemory => self.show(Tab::Memory),
            Action::ShowIndex => self.show(Tab::Index),
            Action::Raw => self.toggle_raw(),
            Action::Help => self.overlay = Some(Overlay::Help(Help::default())),
            Action::Palette => self.overlay = Some(Overlay::Palette(Palette::default())),
            Action::Run => self.run_chosen(effects),
            Action::Back => self.back(),
            Action::Reload => self.reload(effects),
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.dragging = false;
                effects.push(Effect::Mouse(self.mouse));
                self.say(if self.mouse {
                    "the mouse works here; shift-drag selects text"
                } else {
                    "the mouse is the terminal's: it selects text"
                });
            }
            Action::Cancel => self.cancel(effects),
            Action::Suspend => effects.push(Effect::Suspend),
            Action::Quit => effects.push(Effect::Quit),
        }
    }

    fn run_chosen(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Palette(palette)) = &self.overlay else {
            return;
        };
        match palette.chosen() {
            Some(action) => {
                self.overlay = None;
                self.act(action, self.pane_scope(), effects);
            }
            None => self.say("nothing matches what is typed"),
        }
    }

    fn back(&mut self) {
        if self.overlay.take().is_some() {
            return;
        }
        match (self.focus, self.notice.take()) {
            (_, Some(Notice::Error(_))) => {}
            (Pane::Main, _) => self.focus = Pane::Tree,
            (Pane::Tree, _) => self.say("nothing is open on top · q quits"),
        }
    }

    fn cancel(&mut self, effects: &mut Vec<Effect>) {
        if let Some(overlay) = &mut self.overlay {
            if overlay.field().clear() {
                *overlay.list() = List::default();
            } else {
                self.overlay = None;
            }
        } else if self.quit_armed {
            effects.push(Effect::Quit);
        } else {
            self.quit_armed = true;
            self.say("ctrl-c again to quit");
        }
    }

    fn reload(&mut self, effects: &mut Vec<Effect>) {
        self.survey_id = self.next_id();
        self.surveying = true;
        effects.push(Effect::Redraw);
        effects.push(Effect::Survey { id: self.survey_id });
        for shelf in self.tree.held() {
            let id = self.next_id();
            self.tree.await_contents(&shelf.folder, id);
            effects.push(Effect::ReadShelf { id, shelf });
        }
        if let Some(at) = self.tree.row().and_then(|row| self.tree.file(row)) {
            self.read_page(at, effects);
        }
        self.say("read again");
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;

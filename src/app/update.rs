//! What a message does to the state, and which effects follow. Moving about is in `browse`, the
//! mouse in `mouse`.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::app::action::{self, Action, Scope};
use crate::app::change::Doing;
use crate::app::dialog::Side;
use crate::app::field::Field;
use crate::app::layout::Pane;
use crate::app::look::Themes;
use crate::app::message::{Effect, Message};
use crate::app::overlay::{Help, Overlay, Palette};
use crate::app::painted;
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
        let mut typed = String::new();
        let mut messages: VecDeque<Message> = messages.into_iter().collect();
        while let Some(message) = messages.pop_front() {
            if self.holds(&message) {
                self.held.push_back(message);
                continue;
            }
            if !self.held.is_empty() && !self.is_opening() {
                // What was pressed before this comes before this.
                messages.push_front(message);
                let held = std::mem::take(&mut self.held);
                messages = held.into_iter().chain(messages).collect();
                continue;
            }
            match self.typed_into_text(&message) {
                Some(c) => typed.push(c),
                None => {
                    self.put_in(&mut typed);
                    self.take(message, &mut effects);
                }
            }
        }
        self.put_in(&mut typed);
        if !self.held.is_empty() && !self.is_opening() {
            let held = std::mem::take(&mut self.held);
            effects.extend(self.update_all(held));
        }
        self.follow_up(&mut effects);
        effects
    }

    fn take(&mut self, message: Message, effects: &mut Vec<Effect>) {
        match message {
            Message::Key(key) => self.press(key, effects),
            Message::Paste(text) => self.paste(&text),
            Message::PasteUnended => self.fail(
                "a paste has begun and its end does not come: what is typed waits with it; \
                 ctrl-c three times ends it",
            ),
            Message::Mouse(mouse) => self.point(mouse, effects),
            Message::Resize(size) => self.size = size,
            Message::Shelves { id, here, shelves } if id == self.survey_id => {
                self.tree.list_shelves(&here, shelves);
                self.go_to_last();
            }
            Message::Surveyed { id, shelves } if id == self.survey_id => self.tree.survey(shelves),
            Message::SurveyDone { id } if id == self.survey_id => self.surveying = false,
            Message::Contents {
                id,
                folder,
                contents,
            } => {
                let newer = self.tree.fill(&folder, id, *contents);
                // Who waits for what is there now waits for the reading that is the last.
                if let Some(doing) = self.doing.remove(&id)
                    && let Some(newer) = newer
                {
                    self.doing.insert(newer, doing);
                }
                self.reveal_made(&folder);
                // The keys that waited are meant for these rows, the cursor on the entry that moved.
                self.turn_index();
            }
            Message::Page { id, path, page } if self.reading.awaits(id) => {
                self.show_page(id, path, page, effects);
            }
            Message::PastShown { id, diff } => self.show_past(id, &diff),
            Message::Projects { id, read } => self.projects.take(id, *read),
            Message::Past { id, past } => self.history.take(id, *past),
            Message::Painted { id, painted } => self.reading.take_painted(id, *painted),
            Message::Linked { id, links } => self.links.take(id, *links),
            Message::Swept { id, swept, done } => self.health.take_swept(id, *swept, done),
            Message::Examined { id, findings } => self.health.take(id, findings),
            Message::Editable { id, at, read } => match self.doing.remove(&id) {
                Some(Doing::Lending) => self.lend_file(at, read, effects),
                Some(Doing::GoingOn { spot, cursor }) => {
                    self.begin_edit(at, read);
                    self.stand_at(spot, cursor);
                }
                Some(_) => self.begin_edit(at, read),
                None => {}
            },
            Message::EditedOutside { at, before, edited } => {
                self.take_outside(&at, before, edited, effects);
            }
            Message::Proposed { id, proposed } => {
                if let Some(doing) = self.doing.remove(&id) {
                    self.proposed(doing, proposed, effects);
                }
            }
            Message::Applied { id, applied } => {
                if let Some(doing) = self.doing.remove(&id) {
                    self.applied(doing, applied, effects);
                }
            }
            Message::Drafts(files) => self.list_drafts(files),
            Message::DraftLost { path, said, own } => self.lose_draft(&path, said, own),
            Message::Beat { seconds } => self.beat(seconds),
            Message::Focused => self.look.doubt(),
            Message::Background(background) => self.look.learn(background),
            Message::ThemeKept(kept) => self.theme_kept(kept),
            Message::Copied { what, by } => self.copied(what, by),
            Message::KeepDue => {
                self.keep_draft(effects);
                self.keep(effects);
            }
            Message::Changed { folder } => self.read_changed(&folder, effects),
            Message::WatchLimited(sentence) => self.fail(sentence),
            Message::Found { id, found, done } => {
                self.take_found(id, *found, done, effects);
            }
            Message::Preview { id, excerpt } => self.take_preview(id, excerpt),
            // Answers that nobody waits for any more.
            Message::Shelves { .. }
            | Message::Surveyed { .. }
            | Message::SurveyDone { .. }
            | Message::Page { .. } => {}
        }
    }

    /// What the new state needs read, and the views that follow the cursor.
    pub(super) fn follow_up(&mut self, effects: &mut Vec<Effect>) {
        if self.has_left_edit() {
            self.leave_edit(effects);
        }
        self.follow_filter();
        self.tree.forget_hidden();
        for shelf in self.tree.lacking(self.tab != Tab::Memory) {
            let id = self.next_id();
            self.tree.await_contents(&shelf.folder, id);
            effects.push(Effect::ReadShelf { id, shelf });
        }
        let file = self.tree.row().and_then(|row| self.tree.file(row));
        if let Some(at) = file
            && !self.reading.has(&at.path())
            && !self.waits_for_listing(&at)
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
        self.follow_finder(effects);
        self.turn_index();
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        self.index.look(self.tree.current(), cells);
        self.examine(effects);
        self.read_links(effects);
        self.read_past(effects);
        self.read_projects(effects);
        self.projects.turn_to(cells, self.now);
        self.watch(effects);
        self.ask_background(effects);
        if !self.is_working() {
            self.working = None;
        }
    }

    /// The rows of the index as it was read last; the cursor goes along with its entry.
    fn turn_index(&mut self) {
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        self.index.turn_to(self.tree.current(), cells);
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
        if let Some(shown) = self.reading.shown()
            && shown.path.starts_with(folder)
        {
            self.reading.outdate();
        }
    }

    /// Whether the shelf of a file is read again first: the file may be there no more.
    fn waits_for_listing(&self, at: &FileAt) -> bool {
        let state = self.tree.shelf(&at.folder);
        self.reading.is_outdated() && state.is_some_and(|state| state.reading.is_some())
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
                self.show_page(id, at.path(), Err(said), effects);
            }
            None => {
                self.reading.want(id, at.path());
                effects.push(Effect::ReadPage { id, at });
            }
        }
    }

    fn show_page(
        &mut self,
        id: u64,
        path: PathBuf,
        page: Result<Box<Page>, String>,
        effects: &mut Vec<Effect>,
    ) {
        let body = page.as_ref().ok();
        let body = body.and_then(|page| page.text.get(page.front.body..));
        if let Some(body) = body.filter(|body| painted::may_be_painted(body)) {
            let body = body.to_string();
            effects.push(Effect::Paint { id, body });
        }
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
            Action::Open if scope == Scope::Finder => self.open_hit(effects),
            Action::Open => self.open(),
            Action::Find => self.find(),
            Action::NextHit | Action::PreviousHit => self.next_hit(action == Action::NextHit),
            Action::Follow => self.follow_link(),
            Action::GoBack => self.go_back(),
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
            Action::ShowHealth => self.show_health(),
            Action::ShowProjects => self.show_projects(),
            Action::Prune => self.prune(effects),
            Action::Relink => self.ask_new_place(),
            Action::MergeProjects => self.ask_merge(),
            Action::Mark | Action::Sort if scope == Scope::Projects => self.list_projects(action),
            Action::Fix if scope == Scope::Memory => self.mend(effects),
            Action::AllProjects => self.toggle_all(effects),
            Action::Fix => self.fix_one(effects),
            Action::FixAll => self.fix_all(effects),
            Action::Raw => self.toggle_raw(),
            Action::Edit => self.edit(effects),
            Action::EditOutside => self.lend(effects),
            Action::New => self.new_memory(effects),
            Action::Rename => self.ask_name(),
            Action::Verify => self.verify(effects),
            Action::Trash => self.trash(effects),
            Action::CopyPath => self.copy_path(effects),
            Action::CopyBody => self.copy_body(effects),
            Action::MoveTo => self.ask_project(false),
            Action::CopyTo => self.ask_project(true),
            Action::Share => self.share(effects),
            Action::Mark => self.mark(),
            Action::Sort => self.sort(),
            Action::Filter => self.filter(),
            Action::AddEntry => self.add_entry(effects),
            Action::EditHook => self.ask_hook(),
            Action::MoveDown => self.move_entry(true, effects),
            Action::MoveUp => self.move_entry(false, effects),
            Action::RemoveEntry => self.remove_entry(effects),
            Action::Undo => self.undo(None, effects),
            Action::LookBack => self.look_back(effects),
            Action::UndoThis => self.undo_this(effects),
            Action::ShowHistory => {
                self.history.outdate();
                self.show(Tab::History);
            }
            Action::Redo => self.redo(effects),
            Action::Save | Action::ShowChange | Action::KeepAge if self.is_saving() => {
                self.say("being saved: a moment");
            }
            Action::Save => self.save(effects),
            Action::ShowChange => self.show_change(),
            Action::KeepAge => self.keep_age(),
            Action::UndoTyping | Action::RedoTyping => self.rewind(action == Action::UndoTyping),
            Action::Drafts => self.show_drafts(),
            Action::Log => self.show_said(),
            Action::DropEdit => self.ask_to_discard(),
            Action::NextField => self.move_field(1),
            Action::PreviousField => self.move_field(-1),
            Action::Confirm => self.confirm(effects),
            Action::TakeMine => self.take_side(Side::Mine),
            Action::TakeTheirs => self.take_side(Side::Theirs),
            Action::TakeBoth => self.take_side(Side::Both),
            Action::TakeBase => self.take_side(Side::Base),
            Action::Help => self.overlay = Some(Overlay::Help(Help::of(&self.keymap))),
            Action::Palette => self.overlay = Some(Overlay::Palette(Palette::default())),
            Action::Run => self.run_chosen(effects),
            Action::Back => self.back(effects),
            Action::Reload => self.reload(effects),
            Action::Mouse => self.toggle_mouse(effects),
            Action::Theme => self.overlay = Some(Overlay::Themes(Themes::of(&self.look))),
            Action::Cancel => self.cancel(effects),
            Action::Suspend => effects.push(Effect::Suspend),
            Action::Quit => effects.push(Effect::Quit),
        }
    }

    fn toggle_mouse(&mut self, effects: &mut Vec<Effect>) {
        self.mouse = !self.mouse;
        self.dragging = false;
        effects.push(Effect::Mouse(self.mouse));
        self.say(if self.mouse {
            "the mouse works here; shift-drag selects text"
        } else {
            "the mouse is the terminal's: it selects text"
        });
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

    fn back(&mut self, effects: &mut Vec<Effect>) {
        if let Some(closed) = self.overlay.take() {
            if let Overlay::Filter(filter) = &closed {
                self.narrow(filter.of, "");
            }
            // An offered draft that was not answered stays, and nothing is edited.
            if let Overlay::Choice(choice) = closed
                && choice.is_offer()
            {
                self.editor = None;
            }
            return;
        }
        if self.editor.is_some() {
            if !self.warns_of_loss() {
                self.leave_edit(effects);
            }
            return;
        }
        match (self.focus, self.notice.take()) {
            (_, Some(Notice::Error(_))) => {}
            (Pane::Main, _) if self.tab == Tab::Health && self.health.is_sweeping() => {
                self.health.stop_sweep();
                effects.push(Effect::StopExamining);
                self.say("stopped: what was looked at is listed");
            }
            _ if self.widen() => self.say("all is listed again"),
            (Pane::Tree, _) if !self.marked.is_empty() => {
                self.marked.clear();
                self.say("nothing is marked");
            }
            (Pane::Main, _) => {
                self.focus = Pane::Tree;
                self.reading.hits.shown = false;
            }
            (Pane::Tree, _) => {
                let quit = self.hint(Action::Quit, "quits");
                self.say(format!("nothing is open on top{quit}"));
            }
        }
    }

    fn cancel(&mut self, effects: &mut Vec<Effect>) {
        if let Some(overlay) = &mut self.overlay {
            if overlay.field().is_some_and(Field::clear) {
                overlay.typed();
            } else {
                self.back(effects);
            }
        } else if self.editor.is_some() {
            self.leave_edit(effects);
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
        self.history.outdate();
        effects.push(Effect::Redraw);
        effects.push(Effect::Survey { id: self.survey_id });
        if self.health.sweep().is_some() {
            self.sweep(effects);
        }
        self.read_again(effects);
        self.say("read again");
    }

    /// Reads again what is shown, a page once its shelf is: it may be there no more.
    pub(super) fn read_again(&mut self, effects: &mut Vec<Effect>) {
        for shelf in self.tree.held() {
            let id = self.next_id();
            self.tree.await_contents(&shelf.folder, id);
            effects.push(Effect::ReadShelf { id, shelf });
        }
        self.reading.outdate();
    }

    /// Puts the cursor on a file that was just made, once it is listed.
    fn reveal_made(&mut self, folder: &Path) {
        if let Some(at) = self.reveal.take_if(|at| at.folder == folder)
            && !self.tree.reveal(folder, &at.file)
        {
            self.reveal = Some(at);
        }
    }
}

#[cfg(test)]
#[path = "update_tests.rs"]
mod tests;

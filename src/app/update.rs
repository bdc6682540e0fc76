//! What a message does to the state, and which effects follow. What an action does is in `act`.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use crate::app::doing::Doing;
use crate::app::layout::Pane;
use crate::app::message::{Effect, Message};
use crate::app::painted;
use crate::app::reading::{Shown, Subject};
use crate::app::tree::FileAt;
use crate::app::{App, Tab};
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

    #[allow(clippy::too_many_lines, reason = "an arm a message")]
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
            Message::Rules { id, folder, rules } => self.take_rules(&folder, id, *rules),
            Message::PastShown { id, diff } => self.show_past(id, &diff),
            Message::PreviewBuilt { id, preview } => self.preview.take(id, preview),
            Message::RequestWritten { path, by } => self.request_written(&path, by),
            Message::Projects { id, read } => self.projects.take(id, *read),
            Message::Ledger(told) => self.take_ledger(*told),
            Message::Agent(told) => self.take_agent(*told, effects),
            Message::SessionsChanged => self.doubt_sessions(),
            Message::SessionsUnderWay { id, way } => self.sessions.take_way(id, way),
            Message::Sessions { id, read } => self.take_sessions(id, *read),
            Message::SessionPage { id, page } => self.take_session_page(id, page),
            Message::SessionTexts { id, texts } => self.take_session_texts(id, texts),
            Message::SessionsFound { id, found } => self.take_session_hits(id, *found),
            Message::SessionFound { id, at } => self.take_session_hit(id, at, effects),
            Message::Proven { id, proof } => self.take_proof(id, proof),
            Message::Past { id, past } => self.history.take(id, *past),
            Message::Painted { id, painted } => {
                if let Some(painted) = self.agent.take_painted(id, *painted) {
                    self.reading.take_painted(id, painted);
                }
            }
            Message::Linked { id, links } => self.links.take(id, *links),
            Message::Swept { id, swept, done } => self.health.take_swept(id, *swept, done),
            Message::Examined { id, findings } => self.health.take(id, findings),
            Message::Told { id, findings } => self.health.take_told(id, findings),
            Message::Editable { id, at, read } => match self.doing.remove(&id) {
                Some(Doing::TrashingRule(rule)) => self.show_trashed_rule(*rule, read),
                Some(Doing::OpeningCard { id, file }) => self.begin_card(&id, file, read),
                Some(Doing::TakingQuestion) => self.take_up_question(at, read),
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
            Message::Exported { id, exported } => {
                if let Some(Doing::Exporting(asked)) = self.doing.remove(&id) {
                    self.exported(asked, exported);
                }
            }
            Message::LookedInto { id, found } => {
                if let Some(Doing::LookingInto { file }) = self.doing.remove(&id) {
                    self.looked_into(&file, found);
                }
            }
            Message::Drafts(files) => {
                self.list_drafts(files);
                if self.agent.is_open {
                    self.look_for_question(effects);
                }
            }
            Message::DraftLost { path, said, own } => self.lose_draft(&path, said, own),
            Message::Beat { seconds } => self.beat(seconds),
            Message::Focused => self.look.doubt(),
            Message::Background(background) => self.look.learn(background),
            Message::ThemeKept(kept) => self.theme_kept(kept),
            Message::Copied { what, by } => self.copied(what, by),
            Message::TypingPaused => self.typing_paused(),
            Message::Choices { id, found } => {
                if let Some(completing) = &mut self.agent.completing {
                    completing.take(id, found);
                }
            }
            Message::Completed { typed, found } => self.completed(&typed, found),
            Message::KeepDue => {
                self.keep_draft(effects);
                self.keep(effects);
            }
            Message::Changed { folder } => self.read_changed(&folder, effects),
            Message::Listed => self.list_anew(effects),
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
        self.drop_sent_question(effects);
        self.follow_filter();
        self.tree.forget_hidden();
        for shelf in self.tree.lacking(self.tab != Tab::Memory) {
            let id = self.next_id();
            self.tree.await_contents(&shelf.folder, id);
            effects.push(Effect::ReadShelf { id, shelf });
        }
        self.read_rules(effects);
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
        self.read_preview(effects);
        self.examine(effects);
        self.paint_answers(effects);
        self.read_links(effects);
        self.read_past(effects);
        self.read_projects(effects);
        self.projects.turn_to(cells, self.now, &self.home);
        self.watch(effects);
        // Watched before it is read: no change is missed.
        self.read_sessions(effects);
        self.read_ledger(effects);
        self.find_choices(effects);
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
        self.read_rules_again(Some(folder), effects);
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

    /// Has all lists of projects made anew: some came or went.
    fn list_anew(&mut self, effects: &mut Vec<Effect>) {
        self.projects.outdate();
        self.sessions.outdate();
        self.history.outdate();
        self.survey(effects);
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
        let rules = self.rule_folders();
        let sessions = self.shows_sessions();
        let ledger = self.tab == Tab::Ledger;
        let wanted = (folders, rules, sessions, ledger);
        if wanted != self.watched {
            if sessions && !self.watched.2 {
                // What has changed while nobody watched is not known.
                self.doubt_sessions();
            }
            if ledger && !self.watched.3 {
                self.ledger.outdate();
            }
            self.watched = wanted.clone();
            let (folders, rules, sessions, ledger) = wanted;
            effects.push(Effect::Watch {
                folders,
                rules,
                sessions,
                ledger,
            });
        }
    }

    fn read_page(&mut self, at: FileAt, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        if let Some((_, rule)) = self.tree.row().and_then(|row| self.tree.rule(row)) {
            let (path, real) = (rule.path.clone(), rule.real.clone());
            self.reading.want(id, path.clone());
            effects.push(Effect::ReadRule { id, path, real });
            return;
        }
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

    /// Reads again what is shown, a page once its shelf is: it may be there no more.
    pub(super) fn read_again(&mut self, effects: &mut Vec<Effect>) {
        self.read_rules_again(None, effects);
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

//! What is done in the Sessions view: sessions listed, read, searched, exported, rescued, what was sent to
//! them shown; from a memory to the turn that made or read it, and back.

use std::ops::Range;
use std::path::PathBuf;

use crate::app::action::Action;
use crate::app::dialog::{Prompt, Purpose, Then};
use crate::app::doing::Doing;
use crate::app::field::Field;
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::{Effect, Order};
use crate::app::overlay::Overlay;
use crate::app::proof_view::{About, ProofView};
use crate::app::session_reading::{Ask, SessionReading, Step};
use crate::app::sessions_view::{Rescued, Session};
use crate::app::{App, Tab};
use crate::memory::search::Query;

/// What is typed to be looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sought {
    /// In all that is listed.
    Everywhere,
    /// In the session that is open.
    Here,
}

/// What was left for the session that is open: there it goes back to.
#[derive(Debug, Clone, Default)]
pub enum Left {
    #[default]
    List,
    /// The table of the Usage view, as it was narrowed.
    Usage,
    Proof(Box<ProofView>),
}

impl App {
    /// Does what a key of the view is for.
    pub(super) fn act_on_sessions(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::SessionSearch | Action::UnfoldAll if self.proof.is_some() => {
                let back = self.hint(Action::Back, "goes back to the session");
                self.say(format!("that works in a session{back}"));
            }
            Action::SessionSearch => self.ask_sought(),
            Action::SessionExport => self.ask_session_file(),
            Action::SessionRescue => self.rescue_session(effects),
            Action::SessionProof => self.show_proof(effects),
            Action::SessionAgents => {
                if !self.sessions.toggle_agents() {
                    self.say("it has no sub-agents");
                }
            }
            Action::UnfoldAll => {
                if let Some(reading) = &mut self.session {
                    reading.toggle_all();
                }
            }
            Action::SessionMemory => self.open_touched(effects),
            Action::CopyPath => match self.session_here().map(|one| one.path.clone()) {
                Some(path) => {
                    let path = path.to_string_lossy().into_owned();
                    self.copy_text(path, "the session's path", effects);
                }
                None => self.say("no session is chosen"),
            },
            _ => {
                // From what was sent it leads to the list.
                if self.tab == Tab::Sessions && self.proof.take().is_some() {
                    self.session = None;
                }
                self.sessions.outdate();
                self.show(Tab::Sessions);
            }
        }
    }

    /// The session that an action is for: the open one, else that under the cursor.
    pub(super) fn session_here(&self) -> Option<&Session> {
        match (&self.proof, &self.session) {
            (Some(proof), _) => self.sessions.at_path(&proof.path),
            (None, Some(reading)) => self.sessions.at_path(&reading.path),
            (None, None) => self.sessions.chosen().map(|(one, _)| one),
        }
    }

    /// The turn that the cursor is in, from 1, in the session that is open; `None` before the first, and where
    /// not all sessions were read yet.
    #[must_use]
    pub fn turn_here(&self) -> Option<usize> {
        let reading = self.session.as_ref()?;
        self.session_here()?.turn_at(reading.at()?)
    }

    /// Opens what is under the cursor: a session, a hit, a fold.
    pub(super) fn open_in_sessions(&mut self, effects: &mut Vec<Effect>) {
        if self.proof.is_some() {
            self.open_in_proof(effects);
            return;
        }
        let Some(reading) = &mut self.session else {
            let Some((one, at)) = self.sessions.chosen() else {
                self.say("no session is chosen");
                return;
            };
            let (path, title) = (one.path.clone(), one.name().to_string());
            let query = self.sessions.search.as_ref();
            let query = query.map(|search| (search.words.clone(), search.query.clone()));
            let ask = at.map_or(Ask::Last, Ask::Around);
            self.open_session(path, title, ask, effects);
            if let (Some(reading), Some(query)) = (&mut self.session, query) {
                reading.query = Some(query);
            }
            return;
        };
        let (did, cut) = reading.toggle();
        if !did {
            self.say("nothing to unfold here");
            return;
        }
        if cut.is_empty() {
            return;
        }
        self.read_texts(cut, effects);
    }

    /// Has texts of the item under the cursor read whole.
    pub(super) fn read_texts(&mut self, texts: Vec<Range<u64>>, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        if let Some(reading) = &mut self.session {
            reading.await_texts(id);
            let path = reading.path.clone();
            effects.push(Effect::ReadTexts { id, path, texts });
        }
    }

    pub(super) fn open_session(
        &mut self,
        path: PathBuf,
        title: String,
        ask: Ask,
        effects: &mut Vec<Effect>,
    ) {
        self.session = Some(SessionReading::new(path, title, self.home.clone()));
        self.session_left = Left::List;
        self.proof = None;
        self.tab = Tab::Sessions;
        self.focus = Pane::Main;
        self.ask_session(ask, effects);
    }

    /// One layer back within the view; `false`: it is at its list, and nothing is left to close there.
    pub(super) fn back_in_sessions(&mut self, effects: &mut Vec<Effect>) -> bool {
        if self.proof.take().is_some() {
            return true;
        }
        if let Some(reading) = &mut self.session {
            if reading.seeking.take().is_some() {
                effects.push(Effect::EndSessionSearch);
                self.say("stopped looking");
                return true;
            }
            self.session = None;
            match std::mem::take(&mut self.session_left) {
                Left::List => {}
                Left::Usage => self.tab = Tab::Usage,
                Left::Proof(proof) => self.proof = Some(*proof),
            }
            return true;
        }
        self.sessions.end_search()
    }

    /// Back to the memory from which a turn was gone to; else one layer.
    pub(super) fn go_back_from_session(&mut self, effects: &mut Vec<Effect>) {
        match self.turn_from.take() {
            Some(at) => {
                self.session = None;
                self.show_memory_at(&at);
            }
            None => {
                self.back_in_sessions(effects);
            }
        }
    }

    fn ask_sought(&mut self) {
        let (sought, title, typed) = match &self.session {
            Some(reading) => {
                let last = reading.query.as_ref().map(|(words, _)| words.clone());
                (Sought::Here, "find in this session", last)
            }
            None => {
                let last = self.sessions.search.as_ref();
                let last = last.map(|search| search.words.clone());
                (
                    Sought::Everywhere,
                    "find in the sessions that are listed",
                    last,
                )
            }
        };
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: title.to_string(),
            hint: "words that a message holds, all of them",
            field: Field::marked(&typed.unwrap_or_default()),
            purpose: Purpose::Sought(sought),
            said: None,
        }));
    }

    /// Begins the search that was typed.
    pub(super) fn seek_in_sessions(
        &mut self,
        sought: Sought,
        words: &str,
        effects: &mut Vec<Effect>,
    ) {
        match sought {
            Sought::Everywhere => {
                let id = self.next_id();
                let paths = self.sessions.begin_search(id, words);
                effects.push(Effect::SearchSessions {
                    id,
                    words: words.to_string(),
                    paths,
                });
            }
            Sought::Here => {
                if let Some(reading) = &mut self.session {
                    reading.query = Some((words.to_string(), Query::new(words)));
                }
                self.next_in_session(true, effects);
            }
        }
    }

    /// Opens what is under the cursor in what was sent: a file's texts, the turn that touched a memory.
    fn open_in_proof(&mut self, effects: &mut Vec<Effect>) {
        let Some(proof) = &mut self.proof else { return };
        match proof.about().cloned() {
            None | Some(About::Nothing) => self.say("this row is about no file and no turn"),
            Some(About::File(path)) => proof.toggle(&path),
            Some(About::Memory { at, .. }) => {
                let left = Left::Proof(Box::new(proof.clone()));
                let (path, title) = (proof.path.clone(), proof.title.clone());
                self.open_session(path, title, Ask::Around(at), effects);
                self.session_left = left;
            }
        }
    }

    /// To the next hit in the open session, or the one before: among what is held, then further on.
    pub(super) fn next_in_session(&mut self, forward: bool, effects: &mut Vec<Effect>) {
        let Some(reading) = &mut self.session else {
            return;
        };
        let Some((words, _)) = reading.query.clone() else {
            let key = self.key(Action::SessionSearch);
            self.say(format!("nothing was looked for yet: {key} asks for words"));
            return;
        };
        let from = match reading.step_hit(forward) {
            Step::Done => return,
            Step::Beyond(from) => from,
        };
        let (path, id) = (reading.path.clone(), self.next_id());
        if let Some(reading) = &mut self.session {
            reading.seeking = Some((id, forward));
        }
        effects.push(Effect::FindInSession {
            id,
            path,
            words,
            from,
            forward,
        });
    }

    fn ask_session_file(&mut self) {
        let Some(one) = self.session_here() else {
            self.say("no session is chosen");
            return;
        };
        let short: String = one.id.chars().take(13).collect();
        let (path, name) = (one.path.clone(), one.title.clone());
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: "export the session as Markdown".to_string(),
            hint: "a new file, in the folder that loci was started in unless it begins with / or ~",
            field: Field::of(&format!("session-{short}.md")),
            purpose: Purpose::SessionFile { path, title: name },
            said: None,
        }));
    }

    fn rescue_session(&mut self, effects: &mut Vec<Effect>) {
        let Some(one) = self.session_here() else {
            self.say("no session is chosen");
            return;
        };
        let (path, title) = (one.path.clone(), one.name().to_string());
        let back = one.rescued == Rescued::Only;
        let stays = match (back, one.days_left) {
            (true, _) => "young again: the client keeps it as long as a new one".to_string(),
            (false, Some(0) | None) => "the original stays until the next clean-up".to_string(),
            (false, Some(days)) => {
                format!("the original stays {days} d more, or as long as its session goes on")
            }
        };
        self.sessions.outdate();
        let id = self.begin(Doing::Applying(Then::Told(stays)));
        effects.push(Effect::Write(Order::Rescue {
            id,
            path,
            title,
            back,
        }));
    }

    fn show_proof(&mut self, effects: &mut Vec<Effect>) {
        let Some(one) = self.session_here() else {
            self.say("no session is chosen");
            return;
        };
        let (path, title) = (one.path.clone(), one.name().to_string());
        let id = self.next_id();
        self.proof = Some(ProofView::new(path.clone(), title, id));
        effects.push(Effect::ReadProof { id, path });
    }

    /// Moves to the first or the last of what is shown; in a session that is open the whole of it.
    pub(super) fn go_to_end_of_session(&mut self, last: bool, effects: &mut Vec<Effect>) {
        match self.session.as_mut().and_then(|it| it.go_to_end(last)) {
            Some(true) => {}
            Some(false) => self.say(match last {
                true => "this is the end",
                false => "this is the beginning",
            }),
            None => {
                let ask = if last { Ask::Last } else { Ask::First };
                self.ask_session(ask, effects);
            }
        }
    }

    /// Moves in what the view shows.
    pub(super) fn step_in_sessions(&mut self, rows: isize) -> bool {
        if let Some(proof) = &mut self.proof {
            let length = proof.rows().len();
            return proof.list.step(rows, length);
        }
        if let Some(reading) = &mut self.session {
            let length = reading.rows().len();
            return reading.list.step(rows, length);
        }
        let length = self.sessions.rows().len();
        self.sessions.list.step(rows, length)
    }

    /// The list that the view shows, its rows and its height.
    pub(super) fn list_in_sessions(&mut self) -> (&mut List, usize, usize) {
        if let Some(proof) = &mut self.proof {
            let (length, height) = (proof.rows().len(), proof.height());
            return (&mut proof.list, length, height);
        }
        if let Some(reading) = &mut self.session {
            let (length, height) = (reading.rows().len(), reading.height());
            return (&mut reading.list, length, height);
        }
        let (length, height) = (self.sessions.rows().len(), self.sessions.height());
        (&mut self.sessions.list, length, height)
    }

    /// Whether an action would do something in the view.
    pub(super) fn can_in_sessions(&self, action: Action) -> bool {
        match action {
            Action::SessionSearch
            | Action::SessionProof
            | Action::UnfoldAll
            | Action::NextHit
            | Action::PreviousHit
                if self.proof.is_some() =>
            {
                false
            }
            Action::Open | Action::SessionMemory if self.proof.is_some() => {
                let about = self.proof.as_ref().and_then(ProofView::about);
                about.is_some_and(|about| *about != About::Nothing)
            }
            // It is about what the tree shows.
            Action::AddEntry => false,
            Action::Open => self.session.is_some() || self.sessions.chosen().is_some(),
            Action::SessionAgents => {
                let chosen = self.sessions.chosen();
                chosen.is_some_and(|(one, _)| self.sessions.agents(one) > 0)
            }
            Action::SessionExport
            | Action::SessionRescue
            | Action::SessionProof
            | Action::CopyPath => self.session_here().is_some(),
            Action::NextHit | Action::PreviousHit => {
                self.session.as_ref().is_some_and(|it| it.query.is_some())
            }
            _ => true,
        }
    }
}

#[cfg(test)]
#[path = "sessions_edit_tests.rs"]
mod tests;

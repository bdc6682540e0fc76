//! What the Sessions and the Usage view lack is asked for, and what comes is taken in: also what changes in
//! transcripts while they are shown. What is done there is in `sessions_edit`.

use crate::agents::claude::Proof;
use crate::app::layout::Pane;
use crate::app::message::Effect;
use crate::app::session_reading::Ask;
use crate::app::sessions_view::{SessionHits, SessionList};
use crate::app::{App, Tab};
use crate::transcript::conversation::Page;

impl App {
    /// Has the sessions read where the view, or a jump, lacks them; and of the one that is open what comes
    /// near.
    pub(super) fn read_sessions(&mut self, effects: &mut Vec<Effect>) {
        if !self.shows_sessions() && self.turns_of.is_none() {
            return;
        }
        let id = self.last_id + 1;
        if self.sessions.wants(id) {
            self.last_id = id;
            effects.push(Effect::ReadSessions { id });
        }
        self.usage.turn_to(self.now);
        if self.tab != Tab::Sessions {
            return;
        }
        let state = self.tree.current();
        let key = state.map(|state| state.shelf.key.clone());
        self.sessions.turn_to(key.as_deref());
        let cells = usize::from(self.pane_area(Pane::Main).padded().width);
        if let Some(proof) = &mut self.proof {
            proof.turn_to(cells, &self.home);
        }
        if let Some(reading) = &mut self.session {
            reading.turn_to(cells.saturating_sub(2));
            let (ask, texts) = (reading.lacks(), reading.lacks_texts());
            if let Some(ask) = ask {
                self.ask_session(ask, effects);
            }
            if !texts.is_empty() {
                self.read_texts(texts, effects);
            }
        }
    }

    /// Whether what transcripts say is on the screen.
    pub(super) fn shows_sessions(&self) -> bool {
        matches!(self.tab, Tab::Sessions | Tab::Usage)
    }

    /// Transcripts may have come, grown or gone: what is shown of them is looked at again.
    pub(super) fn doubt_sessions(&mut self) {
        self.sessions.doubt();
        if let Some(reading) = &mut self.session {
            reading.doubt();
        }
    }

    /// Stops long work that is shown; `false`: there is none.
    pub(super) fn stop_work(&mut self, effects: &mut Vec<Effect>) -> bool {
        if self.tab == Tab::Health && self.health.is_sweeping() {
            self.health.stop_sweep();
            effects.push(Effect::StopExamining);
            self.say("stopped: what was looked at is listed");
            return true;
        }
        if self.shows_sessions() && self.session.is_none() && self.sessions.can_stop() {
            effects.push(Effect::StopSessions);
            self.say("stopped: what was read is kept");
            return true;
        }
        if self.tab == Tab::Sessions && self.session.is_none() && self.sessions.stop_search() {
            effects.push(Effect::EndSessionSearch);
            self.say("stopped: what was found is listed");
            return true;
        }
        false
    }

    /// What is open of a session is read anew, around what the cursor stands on.
    pub(super) fn read_session_again(&mut self, effects: &mut Vec<Effect>) {
        if let Some(reading) = &mut self.session {
            reading.fault = None;
            let is_last = reading.list.cursor + 1 >= reading.rows().len();
            let at = reading.at().filter(|_| !is_last);
            let ask = at.map_or(Ask::Last, Ask::Around);
            self.ask_session(ask, effects);
        }
        let id = self.last_id + 1;
        if let Some(proof) = &mut self.proof {
            self.last_id = id;
            let path = proof.read_again(id);
            effects.push(Effect::ReadProof { id, path });
        }
    }

    pub(super) fn ask_session(&mut self, ask: Ask, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        if let Some(reading) = &mut self.session
            && reading.ask(id, &ask)
        {
            let path = reading.path.clone();
            effects.push(Effect::ReadSession { id, path, ask });
        }
    }

    /// Takes what was read of all sessions.
    pub(super) fn take_sessions(&mut self, id: u64, mut read: SessionList) {
        let known = self.sessions.read().map_or(&[][..], |read| &read.faults);
        if let Some(fault) = read.faults.first().filter(|fault| !known.contains(fault)) {
            let fault = fault.clone();
            self.fail(fault);
        }
        let usage = std::mem::take(&mut read.usage);
        let is_taken = self.sessions.take(id, read);
        if is_taken {
            self.usage.take(usage);
        }
        if is_taken && let Some(at) = self.turns_of.take() {
            self.ask_turn(&at);
        }
    }

    pub(super) fn take_session_page(&mut self, id: u64, page: Result<Box<Page>, String>) {
        if let Some(reading) = &mut self.session {
            reading.take(id, page.map(|page| *page));
            if let Some(said) = reading.fault.clone() {
                self.fail(said);
            }
        }
    }

    pub(super) fn take_session_texts(&mut self, id: u64, texts: Result<Vec<String>, String>) {
        let taken = self.session.as_mut().map(|it| it.take_texts(id, texts));
        if let Some(Err(said)) = taken {
            self.fail(said);
        }
    }

    pub(super) fn take_session_hits(&mut self, id: u64, found: SessionHits) {
        self.sessions.take_hits(id, found);
    }

    /// Takes where the next hit in the open session stands.
    pub(super) fn take_session_hit(
        &mut self,
        id: u64,
        at: Result<Option<u64>, String>,
        effects: &mut Vec<Effect>,
    ) {
        let Some(reading) = &mut self.session else {
            return;
        };
        let Some((_, forward)) = reading.seeking.take_if(|(seeking, _)| *seeking == id) else {
            return;
        };
        match at {
            Ok(Some(at)) => {
                if !reading.go_to_hit(at, forward) {
                    self.ask_session(Ask::Around(at), effects);
                }
            }
            Ok(None) => {
                let words = reading.query.as_ref().map(|(words, _)| words.clone());
                let words = words.unwrap_or_default();
                self.say(format!("no message of this session holds “{words}”"));
            }
            Err(said) => self.fail(said),
        }
    }

    pub(super) fn take_proof(&mut self, id: u64, read: Result<Box<Proof>, String>) {
        let Some(proof) = &mut self.proof else { return };
        if let Err(said) = proof.take(id, read.map(|proof| *proof)) {
            self.proof = None;
            self.fail(said);
        }
    }
}

#[cfg(test)]
#[path = "sessions_read_tests.rs"]
mod tests;

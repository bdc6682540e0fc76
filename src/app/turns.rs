//! From a memory to the turns of sessions that made, read or wrote it, and from a row of a session to the
//! memory that it is about.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use crate::app::dialog::{Answer, Choice};
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::proof_view::About;
use crate::app::session_reading::{Ask, SessionReading};
use crate::app::tree::FileAt;
use crate::app::{App, Tab};
use crate::base::display;
use crate::base::time::Moment;
use crate::memory::scan::INDEX_FILE;
use crate::transcript::conversation::Said;

/// Turns that a person chooses from at most.
const MOST_TURNS: usize = 50;

impl App {
    /// Opens the memory that the row under the cursor is about; of a sub-agent its transcript.
    pub(super) fn open_touched(&mut self, effects: &mut Vec<Effect>) {
        if let Some(proof) = &self.proof {
            let path = match proof.about() {
                Some(About::File(path) | About::Memory { path, .. }) => path.clone(),
                Some(About::Nothing) | None => {
                    self.say("this row is about no memory and no rule");
                    return;
                }
            };
            self.leave_session_for(&path);
            return;
        }
        let item = self.session.as_ref().and_then(SessionReading::item);
        let (paths, agent) = match item.map(|item| &item.said) {
            Some(Said::Tool(tool)) => (vec![PathBuf::from(&tool.about)], tool.agent_id.clone()),
            Some(Said::Files { paths, .. }) => (paths.iter().map(PathBuf::from).collect(), None),
            _ => (Vec::new(), None),
        };
        if let (Some(agent), Some(reading)) = (agent, &self.session) {
            let folder = reading.path.with_extension("").join("subagents");
            let path = folder.join(format!("agent-{agent}.jsonl"));
            self.open_session(path, format!("sub-agent {agent}"), Ask::Last, effects);
            return;
        }
        match &paths[..] {
            [] => self.say("this row is about no memory and no sub-agent"),
            [path] => self.leave_session_for(path),
            several => self.ask_which(several),
        }
    }

    /// Asks which of the files of a row is gone to.
    fn ask_which(&mut self, paths: &[PathBuf]) {
        let answers = paths.iter().map(|path| {
            let said = display::short_path(path, &self.home);
            (said, Answer::Touched(path.clone()))
        });
        self.overlay = Some(Overlay::Choice(Choice {
            title: "which of them".to_string(),
            lines: Vec::new(),
            answers: answers.collect(),
            list: List::default(),
        }));
    }

    /// Goes to a memory, an index or a rule that is listed; the way back to the session is kept.
    pub(super) fn leave_session_for(&mut self, path: &Path) {
        let Some(at) = self.memory_at(path) else {
            match self.tree.reveal_rule(path) {
                true => {
                    self.tab = Tab::Memory;
                    self.way_to_session = Some(self.trail.len());
                }
                false => self.say("this row is about no memory, rule or sub-agent that is listed"),
            }
            return;
        };
        if at.file == INDEX_FILE {
            let here = self.tree.current().map(|state| &state.shelf.folder);
            match here == Some(&at.folder) {
                true => self.show(Tab::Index),
                false => self.say("it is the index of another project than the tree stands on"),
            }
            return;
        }
        if self.tree.reveal(&at.folder, &at.file) {
            self.tab = Tab::Memory;
            self.way_to_session = Some(self.trail.len());
        } else {
            self.say(format!("{} is not listed any more", at.file));
        }
    }

    pub(super) fn show_memory_at(&mut self, at: &FileAt) {
        self.go_along(at);
        self.tab = Tab::Memory;
        self.focus = Pane::Main;
    }

    /// The memory of a listed project with this path.
    fn memory_at(&self, path: &Path) -> Option<FileAt> {
        let mut shelves = self.tree.shelves().iter();
        shelves.find_map(|state| {
            let below = path.strip_prefix(&state.shelf.folder).ok()?;
            Some(FileAt {
                folder: state.shelf.folder.clone(),
                file: below.to_string_lossy().into_owned(),
            })
        })
    }

    /// Asks which turn of which session is gone to, of those that read or wrote the memory.
    pub(super) fn ask_turns(&mut self) {
        let Some(at) = self.chosen_memory() else {
            return;
        };
        match self.sessions.read().is_some() {
            true => self.ask_turn(&at),
            // They are read first.
            false => self.turns_of = Some(at),
        }
    }

    pub(super) fn ask_turn(&mut self, at: &FileAt) {
        let path = at.path();
        let origin = self.origin_of(at);
        let mut turns: Vec<(Option<Moment>, String, Answer)> = Vec::new();
        let mut is_there = false;
        for one in self.sessions.read().iter().flat_map(|read| &read.sessions) {
            is_there |= origin.as_deref() == Some(&*one.id);
            for touch in one.touches.iter().filter(|touch| touch.path == path) {
                let age = touch.time.map(|time| time.age(self.now));
                let said = format!(
                    "{:<8} turn {:<3} {:>4}  {}",
                    touch.how.word(),
                    touch.turn,
                    age.unwrap_or_default(),
                    one.name()
                );
                turns.push((
                    touch.time,
                    said,
                    Answer::Turn {
                        session: one.path.clone(),
                        title: one.name().to_string(),
                        at: touch.at,
                        from: at.clone(),
                    },
                ));
            }
        }
        turns.sort_by_key(|(time, _, _)| Reverse(*time));
        let lost = origin.filter(|_| !is_there);
        let lost = lost.map(|id| format!("it was made in session {id}, which is gone"));
        if turns.is_empty() {
            let said =
                lost.unwrap_or_else(|| "no session that is there read or wrote it".to_string());
            self.say(said);
            return;
        }
        let more = turns.len().saturating_sub(MOST_TURNS);
        let more = (more > 0).then(|| format!("{more} earlier ones are not listed"));
        let answers = turns.into_iter().take(MOST_TURNS);
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("turns that read or wrote {}", at.file),
            lines: lost.into_iter().chain(more).collect(),
            answers: answers.map(|(_, said, answer)| (said, answer)).collect(),
            list: List::default(),
        }));
    }

    /// The session that a memory says it was made in.
    fn origin_of(&self, at: &FileAt) -> Option<String> {
        let shown = self
            .reading
            .shown()
            .filter(|shown| shown.path == at.path())?;
        let page = shown.page.as_ref().ok()?;
        let front = &page.front;
        front.get("originSessionId").map(str::to_string)
    }

    /// Goes to a turn of a session.
    pub(super) fn go_to_turn(
        &mut self,
        session: PathBuf,
        title: String,
        at: u64,
        from: FileAt,
        effects: &mut Vec<Effect>,
    ) {
        self.open_session(session, title, Ask::Around(at), effects);
        self.turn_from = Some(from);
    }
}

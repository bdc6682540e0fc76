//! What a person does with the agent: asks it, stops it, decides on what it proposes, goes to what it shows.

use std::path::{Path, PathBuf};

use crate::app::action::{Action, Scope};
use crate::app::agent::{Completing, Item, Target, Width};
use crate::app::editor::body::Pressed;
use crate::app::key::{Code, Key};
use crate::app::layout::{Area, Layout, Pane};
use crate::app::message::{AgentTold, AgentWish, Effect};
use crate::app::tree::FileAt;
use crate::app::{App, Notice, Tab};
use crate::base::text;
use crate::engine::drive::Event;
use crate::engine::review::Wish;

impl App {
    /// What an action does with the agent.
    pub(super) fn act_on_agent(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::ShowAgent => {
                self.agent.is_open = true;
                self.agent.is_typing = true;
                self.focus = Pane::Agent;
                self.look_for_question(effects);
            }
            Action::HideAgent => {
                self.agent.is_open = false;
                self.focus = Pane::Main;
            }
            Action::WidenAgent => {
                self.agent.width = match self.agent.width {
                    Width::Side => Width::Full,
                    Width::Full => Width::Side,
                };
            }
            Action::Send if self.agent.completing().is_some_and(Completing::takes_enter) => {
                self.take_choice();
            }
            Action::Send => self.ask(effects),
            Action::Newline => {
                self.agent.input.press(Key::plain(Code::Enter));
                self.agent.is_undrafted = true;
                self.agent.look_for_choices();
            }
            Action::ResetRecall => match self.agent.talk.stopped {
                Some(_) => effects.push(Effect::Agent(AgentWish::ResetRecall)),
                None => self.say("recall has not stopped"),
            },
            Action::Accept => self.decide(Wish::Accept, effects),
            Action::Reject => self.decide(Wish::Reject, effects),
            _ => {}
        }
    }

    /// The pane after this one, or before it, of those that are shown or can be.
    pub(super) fn focus_next(&mut self, forward: bool) {
        let panes: &[Pane] = match self.agent.is_open {
            true => &[Pane::Tree, Pane::Main, Pane::Agent],
            false => &[Pane::Tree, Pane::Main],
        };
        let at = panes
            .iter()
            .position(|pane| *pane == self.focus)
            .unwrap_or(0);
        let next = match forward {
            true => at + 1,
            false => at + panes.len() - 1,
        };
        self.focus = panes[next % panes.len()];
    }

    fn ask(&mut self, effects: &mut Vec<Effect>) {
        let text = self.agent.input.text();
        if text.trim().is_empty() {
            self.say("type a question first");
            return;
        }
        if let Some(command) = text.trim().strip_prefix('/') {
            self.command(command.trim(), effects);
            return;
        }
        if self.agent.talk.is_busy() {
            let stop = self.hint(Action::Back, "stops it");
            self.say(format!(
                "the agent is still at work: the question waits here{stop}"
            ));
            return;
        }
        let text = self.agent.take_question();
        self.agent.talk.asking();
        effects.push(Effect::Agent(AgentWish::Say {
            cwd: self.agents_place(),
            text,
        }));
    }

    /// The folder of the project that is looked at, where a conversation begins.
    pub(super) fn agents_place(&self) -> Option<PathBuf> {
        self.tree
            .current()
            .and_then(|state| state.shelf.path.clone())
    }

    /// Decides on the card under the cursor, else on the first that waits.
    fn decide(&mut self, wish: Wish, effects: &mut Vec<Effect>) {
        match self.card_here() {
            Some(id) => effects.push(Effect::Agent(AgentWish::Decide { id, wish })),
            None => self.say("nothing waits for a decision"),
        }
    }

    /// Unfolds what the cursor is on, or goes to the memory that it names.
    pub(super) fn open_in_agent(&mut self) {
        match self.agent.target().cloned() {
            Some(Target::Fold(item)) => self.agent.toggle(item),
            Some(Target::Memory(path)) => self.go_to_memory_at(&path),
            Some(Target::Card(_)) => {
                let key = |action| self.key(action);
                let (yes, no, edit) = (key(Action::Accept), key(Action::Reject), key(Action::Edit));
                self.say(format!(
                    "{yes} writes it, {no} rejects it, {edit} changes it first"
                ));
            }
            Some(Target::Nothing) | None => self.say("nothing to unfold here"),
        }
    }

    /// Goes to a memory of a project that is listed.
    fn go_to_memory_at(&mut self, path: &Path) {
        let found = self.tree.shelves().iter().find_map(|state| {
            let file = path.strip_prefix(&state.shelf.folder).ok()?;
            let file = file.to_string_lossy().into_owned();
            Some((state.shelf.folder.clone(), file))
        });
        match found {
            Some((folder, file)) => {
                if !self.tree.reveal(&folder, &file) {
                    // The tree goes there as soon as the shelf is read.
                    self.tree.go_to_shelf(&folder);
                    self.reveal = Some(FileAt { folder, file });
                }
                self.tab = Tab::Memory;
                self.focus = Pane::Main;
            }
            None => self.say(format!(
                "{} is in no project that is listed",
                path.display()
            )),
        }
    }

    /// Esc with the agent: stops what is on its way, leaves the question, leaves the pane.
    pub(super) fn back_in_agent(&mut self, effects: &mut Vec<Effect>) {
        let had_fault = matches!(self.notice.take(), Some(Notice::Error(_)));
        if had_fault {
            return;
        }
        if self.agent.close_choices() {
            return;
        }
        if self.agent.talk.is_busy() {
            effects.push(Effect::Agent(AgentWish::Stop));
            return;
        }
        self.keep_question(effects);
        match self.agent.is_typing && !self.agent.rows().is_empty() {
            true => self.agent.is_typing = false,
            false => {
                self.agent.width = Width::Side;
                self.focus = Pane::Main;
            }
        }
    }

    /// Ctrl-c with the agent: stops what is on its way, else clears the question; whether it did.
    pub(super) fn cancel_in_agent(&mut self, effects: &mut Vec<Effect>) -> bool {
        if self.agent.talk.is_busy() {
            effects.push(Effect::Agent(AgentWish::Stop));
            return true;
        }
        if self.agent.is_typing && !self.agent.input.text().is_empty() {
            self.agent.take_question();
            return true;
        }
        false
    }

    /// A key that types into the question.
    pub(super) fn type_question(&mut self, key: Key) -> bool {
        if !matches!(self.pane_scope(), Scope::Question | Scope::Completion) {
            return false;
        }
        let pressed = self.agent.input.press(key);
        self.agent.look_for_choices();
        let back = match pressed {
            Pressed::Changed => {
                self.agent.is_undrafted = true;
                return true;
            }
            Pressed::Moved => return true,
            Pressed::Start => true,
            Pressed::End => false,
            Pressed::Nothing => return false,
        };
        // Past its ends are the questions of before.
        if !self.agent.recall_question(back) {
            self.say(match back {
                true => "there is no earlier question",
                false => "this is the end of the question",
            });
        }
        true
    }

    pub(super) fn take_agent(&mut self, told: AgentTold, effects: &mut Vec<Effect>) {
        let talk = &mut self.agent.talk;
        match told {
            AgentTold::Begun {
                session,
                model,
                window,
            } => talk.begun(&session, &model, window),
            AgentTold::Restored {
                session,
                model,
                entries,
                waiting,
            } => {
                self.agent.clear();
                self.agent.talk.begun(&session, &model, None);
                self.agent.talk.restore(&entries, &waiting);
                self.say("the conversation is taken up again where it ended");
            }
            AgentTold::Turn(event) => {
                if let Event::Asking(_) = event {
                    talk.warmth.asking(self.now);
                }
                talk.take(event);
            }
            AgentTold::Decided(decided) => {
                talk.decided(&decided);
                self.drop_drafts_of(&decided, effects);
            }
            AgentTold::RecallStopped(why) => {
                if talk.stopped.is_some() && why.is_none() {
                    self.say("recall asks the model again");
                }
                if let Some(why) = why.as_ref().filter(|_| self.agent.talk.stopped.is_none()) {
                    let key = self.keymap.shown(Action::ResetRecall, Scope::Agent);
                    let said = format!("{why} · words choose the memories until {key} resets it");
                    self.agent.talk.push(Item::Note(said));
                }
                self.agent.talk.stopped = why;
            }
            AgentTold::Found {
                asked,
                said,
                memories,
            } => talk.found(asked, said, memories),
            AgentTold::Noted(said) => talk.noted(said),
            AgentTold::Model {
                model,
                window,
                said,
            } => {
                talk.model = model;
                talk.window = window;
                talk.noted(vec![said]);
            }
            AgentTold::Models(models) => self.agent.models = models,
            AgentTold::Undecided(why) => self.fail(why),
            AgentTold::Failed(why) => talk.failed(why),
        }
    }

    /// Has the code of answers painted that are whole.
    pub(super) fn paint_answers(&mut self, effects: &mut Vec<Effect>) {
        if !self.agent.is_open {
            return;
        }
        for (item, body) in self.agent.to_paint() {
            let id = self.next_id();
            self.agent.is_painting(id, item);
            effects.push(Effect::PaintAnswer { id, body });
        }
    }

    /// Where the rows of what was said and the question lie in the pane.
    #[must_use]
    pub fn agent_parts(&self) -> AgentParts {
        let inside = self.pane_area(Pane::Agent).inside();
        let cells = usize::from(inside.width.saturating_sub(4)).max(1);
        // A question counts as long as a third at most, and of a long line no more is laid out than that.
        let most = usize::from(inside.height / 3).max(1);
        let rows = |line: &String| {
            let head = line.len().min((most + 1) * cells * 4);
            text::wrap(&line[..line.floor_char_boundary(head)], cells).len()
        };
        let lines = self.agent.input.lines().iter().take(most);
        let rows: usize = lines.map(rows).sum();
        let question = u16::try_from(rows.clamp(1, most)).unwrap_or(1);
        // A rule with the state stands between, and above and below it a line each where there is room.
        let talk = &self.agent.talk;
        let has_room = inside.height >= ROOMY;
        let stopped = u16::from(has_room && talk.stopped.is_some());
        let gauge = u16::from(has_room && talk.tokens.is_some() && talk.window.is_some());
        let below = question + 1 + stopped + gauge;
        let said = inside.height.saturating_sub(below);
        let row = |y: u16, height: u16| Area {
            y: inside.y + y.min(inside.height),
            height: height.min(inside.height.saturating_sub(y)),
            ..inside
        };
        let question_y = said + stopped + 1 + gauge;
        AgentParts {
            said: row(0, said),
            stopped: row(said, stopped),
            rule: row(said + stopped, 1),
            gauge: row(said + stopped + 1, gauge),
            question: Area {
                x: inside.x + 3,
                width: inside.width.saturating_sub(4),
                ..row(question_y, question)
            },
        }
    }

    pub(super) fn settle_agent(&mut self) {
        if !self.agent.is_open || self.layout() == Layout::TooSmall {
            return;
        }
        let parts = self.agent_parts();
        let cells = usize::from(parts.said.width.saturating_sub(2));
        self.agent.settle(cells, usize::from(parts.said.height));
        self.settle_choices();
        let question = parts.question;
        self.agent
            .input
            .settle(usize::from(question.width), usize::from(question.height));
    }

    /// A click in the pane, so many rows below its border.
    pub(super) fn click_agent(&mut self, row: usize, had_focus: bool) {
        let parts = self.agent_parts();
        if self.click_choice(row) {
            return;
        }
        if row >= usize::from(parts.said.height) {
            self.agent.is_typing = true;
            return;
        }
        self.agent.is_typing = false;
        let at = self.agent.list.offset + row;
        if at < self.agent.rows().len() && !self.agent.go(at) && had_focus {
            self.open_in_agent();
        }
    }
}

/// From this height on, inside its border, the pane has lines for more than what is said and asked.
const ROOMY: u16 = 10;

/// The parts of the agent's pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentParts {
    /// What was said.
    pub said: Area,
    /// That recall has stopped; no height where it has not.
    pub stopped: Area,
    /// What the agent does, and how full the window is.
    pub rule: Area,
    /// Its thresholds, and how long it is warm; no height where nothing is known, or there is no room.
    pub gauge: Area,
    pub question: Area,
}

//! What is typed to the agent that is no question: commands, and what is offered while they, files and memories
//! are typed.

use crate::app::agent::commands::{self, COMMANDS, Command, Does};
use crate::app::agent::completing::{Place, ROWS};
use crate::app::agent::{AgentPane, Completing, Item};
use crate::app::editor::body::Body;
use crate::app::layout::{Area, Pane};
use crate::app::message::{AgentWish, Effect};
use crate::app::{App, Tab};
use crate::context::preview::Layout;

impl AgentPane {
    /// Sees what may stand where the cursor is now.
    pub(super) fn look_for_choices(&mut self) {
        match (Place::of(&self.input), &mut self.completing) {
            (None, _) => self.completing = None,
            (Some(place), Some(completing)) => completing.turn_to(place),
            (Some(place), None) => self.completing = Some(Completing::new(place)),
        }
    }

    /// Closes the list of choices; whether there was one.
    pub(super) fn close_choices(&mut self) -> bool {
        let was_shown = self.completing().is_some();
        if let Some(completing) = self.completing.as_mut().filter(|_| was_shown) {
            completing.close();
        }
        was_shown
    }

    /// Goes through the choices.
    pub(super) fn step_choices(&mut self, rows: isize) -> bool {
        let Some(completing) = &mut self.completing else {
            return false;
        };
        let length = completing.choices.len();
        completing.is_chosen = length > 0;
        completing.list.step(rows, length)
    }
}

impl App {
    /// What a line behind a slash does.
    pub(super) fn command(&mut self, typed: &str, effects: &mut Vec<Effect>) {
        let (name, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        let rest = rest.trim();
        let name = if name.is_empty() { "help" } else { name };
        let Some(command) = commands::named(name) else {
            let known: Vec<String> = COMMANDS.iter().map(Command::usage).collect();
            self.say(format!(
                "there is no command /{name}; there are {}",
                known.join(", ")
            ));
            return;
        };
        if command.needs_text() && rest.is_empty() {
            self.say(format!("{}: {}", command.usage(), command.doc));
            return;
        }
        if command.takes.is_empty() && !rest.is_empty() {
            self.say(format!("/{name} takes nothing behind it: {}", command.doc));
            return;
        }
        let is_ours = matches!(command.does, Does::Context | Does::Help);
        if !is_ours && self.agent.talk.is_busy() {
            self.say("the agent is still at work: stop it first");
            return;
        }
        self.agent.take_question();
        let (cwd, text) = (self.agents_place(), rest.to_string());
        let wish = match command.does {
            Does::Recall => AgentWish::Recall { cwd, text },
            Does::Remember => AgentWish::Remember { cwd, text },
            Does::Forget => AgentWish::Forget { cwd, text },
            Does::Cost => AgentWish::Cost,
            Does::Model => AgentWish::Model {
                cwd,
                name: Some(text).filter(|name| !name.is_empty()),
            },
            Does::Resume => AgentWish::Resume {
                cwd,
                id: Some(text).filter(|id| !id.is_empty()),
            },
            Does::Clear => {
                self.agent.clear();
                self.say("the next question begins a new conversation; /resume takes the last one up again");
                AgentWish::Clear
            }
            Does::Context => {
                self.preview.switches.agent = None;
                self.preview.switches.layout = Layout::Ours;
                self.show(Tab::Preview);
                return;
            }
            Does::Help => {
                for command in &COMMANDS {
                    let said = format!("{}: {}", command.usage(), command.doc);
                    self.agent.talk.push(Item::Note(said));
                }
                return;
            }
        };
        if wish != AgentWish::Clear {
            self.agent.talk.asking();
        }
        effects.push(Effect::Agent(wish));
    }

    /// Has found out what may stand where the cursor is.
    pub(super) fn find_choices(&mut self, effects: &mut Vec<Effect>) {
        let lacks = self.agent.completing.as_ref().and_then(Completing::lacks);
        let Some(of) = lacks else {
            return;
        };
        let id = self.next_id();
        let cwd = self.agents_place();
        if let Some(completing) = &mut self.agent.completing {
            completing.asking(id);
            effects.push(Effect::FindChoices {
                id,
                cwd,
                of,
                word: completing.place.word.clone(),
                models: self.agent.models.clone(),
            });
        }
    }

    /// Puts what is chosen into the question.
    pub(super) fn take_choice(&mut self) {
        let put = self
            .agent
            .completing()
            .and_then(|it| it.put(&self.agent.input));
        let Some((text, (line, column))) = put else {
            self.say("there is nothing to choose here");
            return;
        };
        self.agent.input = Body::new(&text);
        self.agent.input.go(line, column);
        // What was chosen is whole: a file is not offered again.
        self.agent.look_for_choices();
    }

    /// Where what may be chosen lies, at the end of what was said; nothing where nothing is offered.
    #[must_use]
    pub fn choices_area(&self) -> Area {
        let Some(completing) = self.agent.completing() else {
            return Area::default();
        };
        let said = self.agent_parts().said;
        let rows = completing.choices.len().clamp(1, ROWS);
        let height = u16::try_from(rows).unwrap_or(1).min(said.height);
        Area {
            y: said.y + said.height - height,
            height,
            ..said
        }
    }

    /// A click so many rows below the border of the pane: takes the choice that stands there.
    pub(super) fn click_choice(&mut self, row: usize) -> bool {
        let area = self.choices_area();
        let top = usize::from(
            area.y
                .saturating_sub(self.pane_area(Pane::Agent).inside().y),
        );
        if area.height == 0 || !(top..top + usize::from(area.height)).contains(&row) {
            return false;
        }
        if let Some(completing) = &mut self.agent.completing {
            let at = completing.list.offset + row - top;
            completing.list.go(at, completing.choices.len());
        }
        self.take_choice();
        true
    }

    pub(super) fn settle_choices(&mut self) {
        let height = usize::from(self.choices_area().height);
        if let Some(completing) = &mut self.agent.completing {
            let length = completing.choices.len();
            completing.list.settle(length, height);
        }
    }
}

#[cfg(test)]
#[path = "agent_commands_tests.rs"]
mod tests;

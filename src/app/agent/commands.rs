//! What can be typed to the agent beside questions: one table, from which dispatch, `/help`, completion and
//! README's list come.

use super::completing::Source;

/// What a command does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Does {
    Recall,
    Remember,
    Forget,
    Context,
    Cost,
    Model,
    Clear,
    Resume,
    Help,
}

/// One command.
#[derive(Debug)]
pub struct Command {
    /// Behind the slash.
    pub name: &'static str,
    /// What it takes, as its help writes it; in brackets where it can be left out.
    pub takes: &'static str,
    /// What of that can be chosen from.
    pub of: Option<Source>,
    pub doc: &'static str,
    pub does: Does,
}

/// All of them, in the order of the help.
pub const COMMANDS: [Command; 9] = [
    Command {
        name: "recall",
        takes: "TEXT",
        of: None,
        doc: "shows which memories a question would bring along, and why those; nothing is said to the agent",
        does: Does::Recall,
    },
    Command {
        name: "remember",
        takes: "TEXT",
        of: None,
        doc: "has the agent propose a memory of it; without a model one is made by form, its first line what it is found by, and user:, feedback:, project: or reference: before it its type",
        does: Does::Remember,
    },
    Command {
        name: "forget",
        takes: "TEXT",
        of: Some(Source::Memories),
        doc: "proposes that the memory of this name goes, or the line that reads so; of words, lists what has them",
        does: Does::Forget,
    },
    Command {
        name: "context",
        takes: "",
        of: None,
        doc: "shows in the preview what the agent is sent, part by part",
        does: Does::Context,
    },
    Command {
        name: "cost",
        takes: "",
        of: None,
        doc: "tells what this conversation has cost: requests, tokens, shares of the cache, money",
        does: Does::Cost,
    },
    Command {
        name: "model",
        takes: "[NAME]",
        of: Some(Source::Models),
        doc: "tells which model is asked and which there are, or goes on with another in this conversation",
        does: Does::Model,
    },
    Command {
        name: "clear",
        takes: "",
        of: None,
        doc: "the next question begins a new conversation; this one is kept",
        does: Does::Clear,
    },
    Command {
        name: "resume",
        takes: "[ID]",
        of: Some(Source::Sessions),
        doc: "takes the newest conversation of this project up again, or the one whose name begins so",
        does: Does::Resume,
    },
    Command {
        name: "help",
        takes: "",
        of: None,
        doc: "this list",
        does: Does::Help,
    },
];

impl Command {
    /// As it is typed: `/resume [ID]`.
    #[must_use]
    pub fn usage(&self) -> String {
        format!("/{} {}", self.name, self.takes)
            .trim_end()
            .to_string()
    }

    /// Whether it does nothing without a text.
    #[must_use]
    pub fn needs_text(&self) -> bool {
        self.takes == "TEXT"
    }
}

/// The command of a name.
#[must_use]
pub fn named(name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.name == name)
}

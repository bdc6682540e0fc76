//! The places of a layout: what the data of a version names, message by message. Knows no texts.

use crate::context::part::Kind;
use crate::context::request::Role;

/// What stands in one place of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    Billing,
    Identity,
    SystemPrompt,
    /// The system prompt of a request for a summary that is one of its own.
    SummarySystem,
    /// The block of instructions and index.
    Instructions,
    /// The rules for memory, where a flag moves them out of `system`.
    MemoryPrompt,
    GitStatus,
    Attribution,
    Environment,
    Model,
    DeferredTools,
    Agents,
    Skills,
    AutoMode,
    /// Several announcements that were recorded as one.
    Announcements,
    Budget,
    Date,
    Prompt,
    /// Files that changed before the session was resumed.
    Changed,
    /// The note on a file that changed while the session runs.
    Edited,
    Summary,
    SummaryPrompt,
    /// The first restored read's call; the rest of the restored reads.
    RestoredCall,
    RestoredRest,
    Commands,
    /// The answer that stands for none.
    NoResponse,
    /// The line with which a resumed session goes on, and the answer that stands for none to it.
    Continue,
    Continued,
    /// A message without blocks.
    Nothing,
}

const SLOTS: [(&str, Slot, Kind); 29] = [
    ("billing", Slot::Billing, Kind::Billing),
    ("identity", Slot::Identity, Kind::Identity),
    ("system_prompt", Slot::SystemPrompt, Kind::SystemPrompt),
    ("summary_system", Slot::SummarySystem, Kind::SystemPrompt),
    ("instructions", Slot::Instructions, Kind::Rule),
    ("memory_prompt", Slot::MemoryPrompt, Kind::MemoryRules),
    ("git_status", Slot::GitStatus, Kind::GitStatus),
    ("attribution", Slot::Attribution, Kind::Attribution),
    ("environment", Slot::Environment, Kind::Environment),
    ("model", Slot::Model, Kind::Model),
    ("deferred_tools", Slot::DeferredTools, Kind::DeferredTools),
    ("agents", Slot::Agents, Kind::Agents),
    ("skills", Slot::Skills, Kind::Skills),
    ("auto_mode", Slot::AutoMode, Kind::Note),
    ("announcements", Slot::Announcements, Kind::Announcements),
    ("budget", Slot::Budget, Kind::Budget),
    ("date", Slot::Date, Kind::Date),
    ("prompt", Slot::Prompt, Kind::Prompt),
    ("changed", Slot::Changed, Kind::Changed),
    ("edited", Slot::Edited, Kind::Note),
    ("summary", Slot::Summary, Kind::Summary),
    ("summary_prompt", Slot::SummaryPrompt, Kind::SummaryPrompt),
    ("restored_call", Slot::RestoredCall, Kind::ReadCall),
    ("restored_rest", Slot::RestoredRest, Kind::ReadResult),
    ("commands", Slot::Commands, Kind::Command),
    ("continue", Slot::Continue, Kind::Prompt),
    ("no_response", Slot::NoResponse, Kind::Answer),
    ("continued", Slot::Continued, Kind::Answer),
    ("nothing", Slot::Nothing, Kind::Wrapper),
];

impl Slot {
    /// The slot of a name in the data.
    #[must_use]
    pub fn read(name: &str) -> Option<Self> {
        let found = SLOTS.iter().find(|(known, ..)| *known == name);
        found.map(|(_, slot, _)| *slot)
    }

    /// The kind of part that stands in it.
    #[must_use]
    pub fn kind(self) -> Kind {
        let found = SLOTS.iter().find(|(_, slot, _)| *slot == self);
        found.map_or(Kind::Wrapper, |(.., kind)| *kind)
    }
}

/// One line of a layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    Message(Role, Vec<Slot>),
    /// The messages that a compaction kept.
    Tail,
}

impl Line {
    /// Whether it carries such a place.
    #[must_use]
    pub fn has(&self, slot: Slot) -> bool {
        matches!(self, Self::Message(_, slots) if slots.contains(&slot))
    }

    /// Reads a line of the data: `user: instructions, prompt`, or `tail`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        if text == "tail" {
            return Some(Self::Tail);
        }
        let (role, slots) = text.split_once(": ")?;
        let role = match role {
            "user" => Role::User,
            "assistant" => Role::Assistant,
            "system" => Role::System,
            _ => return None,
        };
        let slots: Option<Vec<Slot>> = slots.split(", ").map(Slot::read).collect();
        Some(Self::Message(role, slots?))
    }
}

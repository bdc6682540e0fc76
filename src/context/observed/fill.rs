//! What stands in one place of a layout: texts of the caller, of the project's transcript, or the bare
//! length of a text that was not recorded. Knows no order of places.

use std::path::Path;

use crate::context::observed::block::{self, Sent};
use crate::context::observed::layout::{Builder, Restored, Stage};
use crate::context::observed::models;
use crate::context::observed::slot::Slot;
use crate::context::part::{Kind, Origin, Piece};

/// What fills one place: blocks, each of pieces, and whether the tags of a reminder stand around each
/// where it is a block of its own.
pub(super) struct Filled {
    pub(super) blocks: Vec<Vec<Piece>>,
    pub(super) reminder: bool,
}

impl Filled {
    fn plain(pieces: Vec<Piece>) -> Self {
        let blocks = if pieces.is_empty() {
            Vec::new()
        } else {
            vec![pieces]
        };
        Self {
            blocks,
            reminder: false,
        }
    }

    fn none() -> Self {
        Self::plain(Vec::new())
    }

    fn reminder(pieces: Vec<Piece>) -> Self {
        Self {
            reminder: true,
            ..Self::plain(pieces)
        }
    }
}

impl Builder<'_> {
    pub(super) fn fill(&self, slot: Slot, prompt: Option<&str>) -> Filled {
        let given = self.given;
        match slot {
            Slot::Billing | Slot::Identity | Slot::SummarySystem | Slot::SummaryPrompt => {
                Filled::plain(vec![self.own(slot)])
            }
            Slot::SystemPrompt => Filled::plain(self.system_prompt()),
            Slot::Instructions => Filled::plain(self.instructions()),
            Slot::Changed => Filled::plain(self.changed()),
            Slot::Edited => Filled::plain(self.edited()),
            Slot::MemoryPrompt => match given.memory_prompt_moved && !given.memory_off {
                true => Filled::reminder(vec![self.own(slot)]),
                false => Filled::none(),
            },
            Slot::GitStatus => match given.git {
                true => Filled::plain(vec![self.own(slot)]),
                false => Filled::none(),
            },
            Slot::AutoMode => match given.recorded.texts.contains_key(&slot) {
                true => Filled::reminder(vec![self.own(slot)]),
                false => Filled::none(),
            },
            Slot::Attribution
            | Slot::Environment
            | Slot::Model
            | Slot::DeferredTools
            | Slot::Agents
            | Slot::Skills
            | Slot::Announcements
            | Slot::Budget => Filled::reminder(vec![self.own(slot)]),
            Slot::Date => {
                let text = format!("Today's date is {}.", given.date);
                Filled::reminder(vec![Piece::new(Kind::Date, Origin::Client, text)])
            }
            Slot::Prompt => Filled::plain(prompt.map(said).into_iter().collect()),
            Slot::Continue | Slot::Continued
                if !matches!(given.stage, Stage::Compacted { resumed: true, .. }) =>
            {
                Filled::none()
            }
            Slot::Continue => {
                let text = "Continue from where you left off.";
                Filled::plain(vec![Piece::new(Kind::Prompt, Origin::Client, text)])
            }
            Slot::NoResponse | Slot::Continued => {
                let text = "No response requested.";
                Filled::plain(vec![Piece::new(Kind::Answer, Origin::Client, text)])
            }
            Slot::Nothing => Filled::none(),
            Slot::Summary | Slot::Commands | Slot::RestoredCall | Slot::RestoredRest => {
                self.after_compaction(slot)
            }
        }
    }

    fn after_compaction(&self, slot: Slot) -> Filled {
        let Stage::Compacted {
            summary,
            restored,
            commands,
            ..
        } = self.given.stage
        else {
            return Filled::none();
        };
        let piece = |kind, text: &str| vec![Piece::new(kind, Origin::Conversation, text)];
        if slot == Slot::Summary {
            return Filled::plain(piece(Kind::Summary, summary));
        }
        if slot == Slot::Commands {
            let blocks = commands.iter().map(|text| piece(Kind::Command, text));
            return Filled {
                blocks: blocks.collect(),
                reminder: false,
            };
        }
        let reads = restored
            .iter()
            .flat_map(|read| [call(&read.path), result(read)]);
        let reads = reads.map(|piece| vec![piece]);
        let blocks: Vec<Vec<Piece>> = match slot == Slot::RestoredCall {
            true => reads.take(1).collect(),
            false => reads.skip(1).collect(),
        };
        Filled {
            blocks,
            reminder: true,
        }
    }

    /// A text of the client's own: as the transcript holds it, else its length.
    fn own(&self, slot: Slot) -> Piece {
        match self.given.recorded.texts.get(&slot) {
            Some(text) => Piece::new(slot.kind(), Origin::Transcript, text.as_str()),
            None => {
                let units = self.given.version.units.get(&slot).copied();
                Piece::not_recorded(slot.kind(), units)
            }
        }
    }

    fn system_prompt(&self) -> Vec<Piece> {
        let given = self.given;
        let parts = &given.recorded.system_prompt;
        if parts.is_empty() && given.memory_off {
            // With the rules for memory it was so long; without, where they were measured alone too.
            let units = |slot| given.version.units.get(&slot).copied();
            let memory = units(Slot::MemoryPrompt);
            let units = memory.and_then(|memory| units(Slot::SystemPrompt)?.checked_sub(memory));
            return vec![Piece::not_recorded(Kind::SystemPrompt, units)];
        }
        if parts.is_empty() {
            return vec![self.own(Slot::SystemPrompt)];
        }
        let mut pieces = Vec::new();
        for part in parts {
            let memory = part.starts_with("# Memory") || part.starts_with("# auto memory");
            if memory && given.memory_off {
                continue;
            }
            if !pieces.is_empty() {
                pieces.push(Piece::new(Kind::Wrapper, Origin::Client, "\n\n"));
            }
            let kind = if memory {
                Kind::MemoryRules
            } else {
                Kind::SystemPrompt
            };
            pieces.push(Piece::new(kind, Origin::Transcript, part.as_str()));
        }
        pieces
    }

    fn now(&self) -> Vec<Sent> {
        let given = self.given;
        block::sent(&self.wrapper.labels, given.instructions, given.index)
    }

    /// The files that the first message carries: those of the session's start where the client keeps
    /// them, else as they are now.
    fn at_start(&self) -> Vec<Sent> {
        match self.given.stage {
            Stage::Later {
                at_start: Some(files),
                resumed,
                ..
            } if !resumed || self.given.version.changed.is_some() => files.to_vec(),
            Stage::First
            | Stage::Later { .. }
            | Stage::Compacted { .. }
            | Stage::Summary { .. } => self.now(),
        }
    }

    fn instructions(&self) -> Vec<Piece> {
        block::pieces(self.wrapper, &self.at_start(), self.given.date)
    }

    /// What was recorded of the note on a file that changed, a placeholder for what was not.
    fn edited(&self) -> Vec<Piece> {
        let given = self.given;
        let (Some(path), Some(note)) = (given.edited, &given.version.edited) else {
            return Vec::new();
        };
        // Its place was seen only with models that know turns of the client's own.
        if models::is_old(given.model) {
            return Vec::new();
        }
        let own = |text: &str| Piece::new(Kind::Note, Origin::Client, text).of(path);
        let opening = note.opening.replace("{path}", &path.to_string_lossy());
        vec![
            own(&opening),
            Piece::not_recorded(Kind::Note, None).of(path),
            own(&note.lines),
            Piece::not_recorded(Kind::Note, None).of(path),
        ]
    }

    fn changed(&self) -> Vec<Piece> {
        match (&self.given.version.changed, &self.given.stage) {
            (
                Some(around),
                Stage::Later {
                    at_start: Some(files),
                    resumed: true,
                    ..
                },
            ) => {
                let changed = block::changed(files, &self.now());
                block::changed_pieces(self.wrapper, around, &changed)
            }
            _ => Vec::new(),
        }
    }
}

/// What the person typed.
pub(super) fn said(text: &str) -> Piece {
    Piece::new(Kind::Prompt, Origin::Conversation, text)
}

pub(super) fn call(path: &Path) -> Piece {
    let path_json = serde_json::Value::from(path.to_string_lossy());
    let text =
        format!("Called the Read tool with the following input: {{\"file_path\":{path_json}}}");
    Piece::new(Kind::ReadCall, Origin::Client, text).of(path)
}

pub(super) fn result(read: &Restored) -> Piece {
    let text = format!("Result of calling the Read tool:\n{}", read.text);
    Piece::new(Kind::ReadResult, Origin::File, text).of(&read.path)
}

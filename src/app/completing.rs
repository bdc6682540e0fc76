//! The rest of a path that is being typed: asked for, and put in its place.

use crate::app::App;
use crate::app::dialog::{Prompt, Purpose};
use crate::app::field::Field;
use crate::app::message::{Completed, Effect};
use crate::app::overlay::Overlay;
use crate::app::preview_edit::PreviewLine;

/// Names that are told where there are more ways than one.
const TOLD: usize = 8;

impl App {
    /// Whether what is typed now is a path.
    #[must_use]
    pub fn types_a_path(&self) -> bool {
        match &self.overlay {
            Some(Overlay::Prompt(prompt)) => prompt.purpose.is_a_path(),
            Some(_) | None => false,
        }
    }

    /// Has the path that is typed completed.
    pub(super) fn complete(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Prompt(prompt)) = self.overlay.as_ref().filter(|_| self.types_a_path())
        else {
            match self.overlay.is_none() && self.agent.completing().is_some() {
                true => self.take_choice(),
                false => self.say("only a path can be completed"),
            }
            return;
        };
        // The file that the preview is to read is told from its project.
        let base = match prompt.purpose {
            Purpose::Preview(PreviewLine::File) => {
                self.preview.preview().map(|it| it.asked.cwd.clone())
            }
            _ => None,
        };
        let typed = prompt.field.text().to_string();
        effects.push(Effect::Complete { typed, base });
    }

    /// Takes the rest of a path, unless something else is typed by now.
    pub(super) fn completed(&mut self, typed: &str, found: Result<Completed, String>) {
        let is_path = self.types_a_path();
        let Some(Overlay::Prompt(prompt)) = &mut self.overlay else {
            return;
        };
        if is_path && prompt.field.text() == typed {
            put(prompt, typed, found);
        }
    }
}

fn put(prompt: &mut Prompt, typed: &str, found: Result<Completed, String>) {
    prompt.said = match found {
        Err(said) => Some(said),
        Ok(Completed { text, names }) => {
            if text != typed {
                prompt.field = Field::of(&text);
            }
            match names.len() {
                0 => None,
                count if count > TOLD => {
                    let first = names[..TOLD].join("  ");
                    Some(format!("{first}  and {} more", count - TOLD))
                }
                _ => Some(names.join("  ")),
            }
        }
    };
}

#[cfg(test)]
#[path = "completing_tests.rs"]
mod tests;

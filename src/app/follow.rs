//! From one memory to another along their links, and back.

use crate::app::dialog::{Answer, Choice};
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::reading::Subject;
use crate::app::tree::FileAt;
use crate::app::{App, Tab};

/// Memories that a way back is kept through at most.
const MOST_STEPS: usize = 100;

/// What a memory links to and is linked from: paths below its memory folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LinksHere {
    pub to: Vec<String>,
    pub from: Vec<String>,
}

impl App {
    /// Has the links of the current project read where the Memory view lacks them.
    pub(super) fn read_links(&mut self, effects: &mut Vec<Effect>) {
        if self.tab != Tab::Memory || !matches!(self.subject(), Subject::Page(_)) {
            return;
        }
        let id = self.next_id();
        let Some(state) = self.tree.current() else {
            return;
        };
        if state.contents.is_some() && self.links.wants(state, id) {
            let folder = state.shelf.folder.clone();
            effects.push(Effect::ReadLinks { id, folder });
        }
    }

    /// The links of the memory under the cursor, as far as they are known.
    #[must_use]
    pub fn links_here(&self) -> LinksHere {
        let at = self.tree.row().and_then(|row| self.tree.file(row));
        let known = at.and_then(|at| {
            let links = self.links.of(&at.folder)?;
            Some(LinksHere {
                to: links.of(&at.file).map(str::to_string).collect(),
                from: links.to(&at.file).map(str::to_string).collect(),
            })
        });
        known.unwrap_or_default()
    }

    /// Follows the link of the memory that is shown; asks which, if there are several.
    pub(super) fn follow_link(&mut self) {
        let Some(at) = self.tree.row().and_then(|row| self.tree.file(row)) else {
            self.say("no memory is chosen");
            return;
        };
        if self.rule_here().is_some() {
            self.follow_import();
            return;
        }
        let LinksHere { to, from } = self.links_here();
        let ways = to.iter().map(|file| match from.contains(file) {
            true => ("↔", file),
            false => ("→", file),
        });
        let inward = from.iter().filter(|file| !to.contains(file));
        let ways = ways.chain(inward.map(|file| ("←", file)));
        let mut answers: Vec<_> = ways
            .map(|(mark, file)| {
                let name = file.strip_suffix(".md").unwrap_or(file);
                let (folder, file) = (at.folder.clone(), file.clone());
                (
                    format!("{mark} {name}"),
                    Answer::Go(FileAt { folder, file }),
                )
            })
            .collect();
        match answers.len() {
            0 => self.say("no memory is linked to or from here"),
            1 => {
                if let Some((_, Answer::Go(to))) = answers.pop() {
                    self.go_along(&to);
                }
            }
            _ => {
                self.overlay = Some(Overlay::Choice(Choice {
                    title: "go along a link".to_string(),
                    lines: vec![
                        "→ it links there · ← it is linked from there · ↔ both".to_string(),
                    ],
                    answers,
                    list: List::default(),
                }));
            }
        }
    }

    /// Goes to a memory; the way back is kept.
    pub(super) fn go_along(&mut self, to: &FileAt) {
        let from = self.tree.row().and_then(|row| self.tree.file(row));
        if !self.tree.reveal(&to.folder, &to.file) && !self.tree.reveal_rule(&to.path()) {
            let file = &to.file;
            self.say(format!("{file} is not listed any more"));
            return;
        }
        if let Some(from) = from {
            if self.trail.len() == MOST_STEPS {
                self.trail.remove(0);
            }
            self.trail.push(from);
        }
    }

    /// Goes back to where a link was followed from.
    pub(super) fn go_back(&mut self) {
        let is_near = |steps: &mut usize| *steps >= self.trail.len();
        if self.way_to_session.take_if(is_near).is_some() {
            self.tab = Tab::Sessions;
            self.focus = Pane::Main;
            return;
        }
        while let Some(from) = self.trail.pop() {
            if self.tree.reveal(&from.folder, &from.file) || self.tree.reveal_rule(&from.path()) {
                return;
            }
        }
        self.say("no link was followed to here");
    }

    /// Which links are known: what was drawn with others is drawn anew.
    #[must_use]
    pub fn links_stamp(&self) -> u64 {
        self.links.stamp
    }
}

#[cfg(test)]
#[path = "follow_tests.rs"]
mod tests;

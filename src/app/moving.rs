//! Memories that change their place: into another project, moved or copied, and to the team or back.
//! Each is shown first; a name that is taken there asks for another.

use std::path::PathBuf;

use crate::app::App;
use crate::app::ask::{NAME_HINT, stem};
use crate::app::dialog::{Prompt, Purpose};
use crate::app::doing::Doing;
use crate::app::field::Field;
use crate::app::message::{Effect, Wanted};
use crate::app::overlay::Overlay;
use crate::app::projects::{Load, Projects, what};
use crate::app::tree::{FileAt, ShelfState};
use crate::memory::proposal::{Demotion, Wish};

impl App {
    /// The marked memories, else the one under the cursor; none of them has a draft.
    fn movable(&mut self) -> Option<Vec<FileAt>> {
        let chosen = self.chosen_memories();
        let drafted = chosen.iter().find(|at| self.drafts.contains(&at.path()));
        if let Some(at) = drafted {
            let said = format!("{} has a draft: save or discard that first (e)", at.file);
            self.say(said);
            return None;
        }
        (!chosen.is_empty()).then_some(chosen)
    }

    /// Asks for the project that memories shall go to.
    pub(super) fn ask_project(&mut self, copy: bool) {
        let Some(memories) = self.movable() else {
            return;
        };
        let projects = Projects::new(copy, memories, self.tree.shelves(), &self.home);
        if projects.offers().is_empty() {
            self.say("there is no other project yet");
            return;
        }
        self.overlay = Some(Overlay::Projects(Box::new(projects)));
    }

    /// Sees what the move or the copy to the chosen project comes to.
    pub(super) fn send(&mut self, projects: Projects, effects: &mut Vec<Effect>) {
        let Some(to) = projects.chosen().cloned() else {
            self.say("no project matches what is typed");
            self.overlay = Some(Overlay::Projects(Box::new(projects)));
            return;
        };
        let title = projects.title();
        let (copy, memories) = match projects.load {
            Load::Memories { copy, memories } => (copy, memories),
            Load::Project { key, .. } => return self.merge_projects(key, to.key, effects),
        };
        let wishes = memories.into_iter().filter(|at| at.folder != to.folder);
        let wishes = wishes.map(|at| {
            let wish = Wish::Transfer {
                path: at.file,
                to: to.folder.clone(),
                project: to.title.clone(),
                copy,
                name: None,
                there: false,
            };
            (at.folder, Wanted::Wish(wish))
        });
        let wishes: Vec<_> = wishes.collect();
        let undo = self.undo_hint(wishes.len());
        let title = format!("{title} {}{undo}", to.title);
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Sees what giving memories to the team comes to, or taking them out of the team's.
    pub(super) fn share(&mut self, effects: &mut Vec<Effect>) {
        let Some(memories) = self.movable() else {
            return;
        };
        let title = match memories.as_slice() {
            [one] if one.file.starts_with("team/") => {
                format!("out of the team's: {}", one.file)
            }
            [one] => format!("to the team: {}", one.file),
            many => format!("to the team or out of the team's: {}", what(many)),
        };
        let wishes = memories.into_iter().map(|at| {
            let wish = Wish::Share {
                path: at.file,
                name: None,
            };
            (at.folder, Wanted::Wish(wish))
        });
        let wishes: Vec<_> = wishes.collect();
        let doing = Doing::Reviewing {
            title: format!("{title}{}", self.undo_hint(wishes.len())),
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Asks for another name of what a wish moves: the one that it has does not do there.
    pub(super) fn ask_other_name(
        &mut self,
        title: String,
        wishes: Vec<(PathBuf, Wanted)>,
        at: usize,
        said: &str,
    ) {
        let wish = match wishes.get(at) {
            Some((_, Wanted::Wish(wish))) => wish,
            Some((_, Wanted::Fix(_) | Wanted::Mend(_) | Wanted::Project(_))) | None => return,
        };
        let (path, name) = match wish {
            Wish::Transfer { path, name, .. } | Wish::Share { path, name } => (path, name),
            Wish::Demote(Demotion { name, .. }) => {
                let typed = name.clone();
                self.prompt_other_name(title, (wishes, at), &typed, &typed, said);
                return;
            }
            Wish::Create { .. }
            | Wish::Rename { .. }
            | Wish::Verify { .. }
            | Wish::Remove { .. }
            | Wish::Promote { .. }
            | Wish::Index { .. } => return,
        };
        let typed = name.as_deref().unwrap_or(stem(path)).to_string();
        let what = stem(path).to_string();
        self.prompt_other_name(title, (wishes, at), &what, &typed, said);
    }

    fn prompt_other_name(
        &mut self,
        title: String,
        (wishes, at): (Vec<(PathBuf, Wanted)>, usize),
        what: &str,
        typed: &str,
        said: &str,
    ) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("another name for {what}"),
            hint: NAME_HINT,
            field: Field::of(typed),
            said: Some(self.without_folders(said)),
            purpose: Purpose::OtherName { title, wishes, at },
        }));
    }

    /// Sees anew what wishes come to, one of them under another name.
    pub(super) fn propose_named(
        &mut self,
        title: String,
        mut wishes: Vec<(PathBuf, Wanted)>,
        at: usize,
        name: &str,
        effects: &mut Vec<Effect>,
    ) {
        if let Some((_, wanted)) = wishes.get_mut(at)
            && let Wanted::Wish(wish) = wanted.clone()
        {
            *wanted = Wanted::Wish(wish.named(name));
        }
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Has the shelves counted that a change touched and that are not read again in any case; all are
    /// listed anew where it touched more than what lies on them: a project came or went.
    pub(super) fn count_touched(&mut self, touched: &[PathBuf], effects: &mut Vec<Effect>) {
        let is_on_a_shelf = |path: &PathBuf| {
            let mut shelves = self.tree.shelves().iter();
            shelves.any(|state| path.starts_with(&state.shelf.folder))
        };
        let is_rule = |path: &PathBuf| self.is_place_of_rules(path);
        if !touched.iter().all(|it| is_on_a_shelf(it) || is_rule(it)) {
            self.survey_id = self.next_id();
            effects.push(Effect::Survey { id: self.survey_id });
            return;
        }
        let held = |state: &ShelfState| state.contents.is_some() || state.reading.is_some();
        let folded = self.tree.shelves().iter().filter(|state| !held(state));
        let folders = folded.filter(|state| {
            let mut touched = touched.iter();
            touched.any(|path| path.starts_with(&state.shelf.folder))
        });
        let id = self.survey_id;
        effects.extend(folders.map(|state| Effect::Count {
            id,
            shelf: state.shelf.clone(),
        }));
    }
}

#[cfg(test)]
#[path = "moving_tests.rs"]
mod tests;

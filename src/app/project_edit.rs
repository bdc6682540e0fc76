//! What is done with project folders: opened, pruned, forgotten, relinked, merged, split, folded in, with
//! memory on or off. Each is looked at before; one with memories goes only when the word for that is
//! typed.

use std::cmp::Reverse;
use std::path::PathBuf;

use crate::agents::claude::ProjectWish;
use crate::app::action::{Action, Scope};
use crate::app::dialog::{Answer, Choice, Prompt, Purpose, Task};
use crate::app::doing::Doing;
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Effect, OldPath, Wanted};
use crate::app::overlay::Overlay;
use crate::app::projects::{Load, Project as Target, Projects};
use crate::app::{App, Tab};
use crate::base::display;
use crate::memory::proposal::Proposal;
use crate::project::elsewhere::Kind;
use crate::project::{Origin, Project};

impl App {
    /// Has the project folders read where the view lacks them.
    pub(super) fn read_projects(&mut self, effects: &mut Vec<Effect>) {
        if self.tab != Tab::Projects {
            return;
        }
        let id = self.next_id();
        if self.projects.wants(id) {
            effects.push(Effect::ReadProjects { id });
        }
    }

    pub(super) fn show_projects(&mut self) {
        self.projects.outdate();
        self.show(Tab::Projects);
    }

    /// Marks or sorts in the list of projects.
    pub(super) fn list_projects(&mut self, action: Action) {
        match action {
            Action::Mark => self.projects.mark(),
            _ => {
                self.projects.sort_by_next();
                let by = self.projects.sort().word();
                self.say(format!("projects by {by}"));
            }
        }
    }

    fn chosen_project(&mut self) -> Option<Project> {
        let chosen = self.projects.chosen().cloned();
        if chosen.is_none() {
            self.say("no project is chosen");
        }
        chosen
    }

    /// Goes to the memories of the project under the cursor.
    pub(super) fn open_project(&mut self) {
        let Some(project) = self.chosen_project() else {
            return;
        };
        let shelves = self.tree.shelves().iter();
        let folders: Vec<PathBuf> = shelves.map(|it| it.shelf.folder.clone()).collect();
        let of_family =
            |folder: &&PathBuf| folder.ends_with(format!("{}/memory", project.memory_key));
        let folder = folders
            .iter()
            .find(|folder| **folder == project.memory)
            .or_else(|| folders.iter().find(of_family));
        match folder {
            Some(folder) => {
                self.tree.go_to_shelf(folder);
                self.tab = Tab::Memory;
                self.focus = crate::app::layout::Pane::Tree;
            }
            None => self.say("it has no memory folder"),
        }
    }

    /// Does what is for the project under the cursor, or for all marked ones.
    pub(super) fn act_on_projects(&mut self, action: Action, effects: &mut Vec<Effect>) {
        match action {
            Action::Prune => self.prune(effects),
            Action::Forget => self.forget(effects),
            Action::Relink => self.ask_new_place(),
            Action::MergeProjects => self.ask_merge(),
            Action::Split => self.of_one("split", |key| ProjectWish::Split { key }, effects),
            Action::FoldIn => {
                self.of_one("fold in", |key| ProjectWish::FoldIn { key }, effects);
            }
            Action::SwitchMemory => self.switch_memory(effects),
            Action::Export => self.ask_export(),
            _ => self.ask_import(),
        }
    }

    /// Whether an action would do something with the project under the cursor.
    pub(super) fn can_with_project(&self, action: Action) -> bool {
        let Some(one) = self.projects.chosen() else {
            return false;
        };
        let marked = self
            .projects
            .chosen_all()
            .iter()
            .any(|it| it.key != one.key);
        let is_there = matches!(one.origin, Origin::Live | Origin::Worktree);
        match action {
            Action::Relink => !is_there && one.origin != Origin::Ambiguous,
            Action::Prune => marked || !is_there,
            Action::Split => one.paths().len() > 1,
            Action::FoldIn => self.projects.folds_in(one),
            Action::SwitchMemory => self.projects.switch(one).is_some(),
            _ => true,
        }
    }

    /// The marked projects, else the one under the cursor, and what they are called; says so if there
    /// is none.
    pub(super) fn chosen_projects(&mut self) -> Option<(Vec<Project>, String)> {
        let chosen: Vec<Project> = self.projects.chosen_all().into_iter().cloned().collect();
        let what = match chosen.as_slice() {
            [] => {
                self.say("no project is chosen");
                return None;
            }
            [one] => one.title(),
            many => format!("{} projects", many.len()),
        };
        let what = match self.projects.marked_unlisted() {
            0 => what,
            hidden => format!("{what} ({hidden} marked, not listed, stay)"),
        };
        Some((chosen, what))
    }

    /// Sees what pruning the marked projects, or the chosen one, comes to.
    fn prune(&mut self, effects: &mut Vec<Effect>) {
        let Some((chosen, what)) = self.chosen_projects() else {
            return;
        };
        let wishes = chosen.into_iter().map(|one| ProjectWish::Prune {
            key: one.key,
            of: Vec::new(),
            seen: None,
        });
        self.look_at(format!("prune {what} to the trash"), wishes, effects);
    }

    /// Sees what forgetting them comes to.
    fn forget(&mut self, effects: &mut Vec<Effect>) {
        let Some((chosen, what)) = self.chosen_projects() else {
            return;
        };
        let wishes = chosen.into_iter().map(|one| ProjectWish::Forget {
            key: one.key,
            seen: None,
        });
        self.look_at(format!("forget {what} everywhere"), wishes, effects);
    }

    /// Sees what a wish for the project under the cursor comes to.
    fn of_one(
        &mut self,
        verb: &str,
        wish: impl FnOnce(String) -> ProjectWish,
        effects: &mut Vec<Effect>,
    ) {
        if let Some(project) = self.chosen_project() {
            let title = format!("{verb} {}", project.title());
            self.look_at(title, [wish(project.key)], effects);
        }
    }

    /// Sees what switching memory in the project under the cursor comes to.
    fn switch_memory(&mut self, effects: &mut Vec<Effect>) {
        let Some(project) = self.chosen_project() else {
            return;
        };
        let said = self.projects.switch(&project);
        let is_on = said.is_none_or(|said| said.first().is_none_or(|first| first.on));
        let (key, on) = (project.key.clone(), !is_on);
        let word = if on { "on" } else { "off" };
        let title = format!("memory {word} in {}", project.title());
        self.look_at(title, [ProjectWish::Memory { key, on }], effects);
    }

    /// What must be typed before wishes are carried out: projects with memories go only so.
    #[must_use]
    pub fn word_for(&self, wishes: &[(PathBuf, Wanted)]) -> Option<&'static str> {
        wishes.iter().find_map(|(_, wanted)| {
            let (verb, seen) = match wanted {
                Wanted::Project(ProjectWish::Prune { seen, .. }) => ("prune", seen),
                Wanted::Project(ProjectWish::Forget { seen, .. }) => ("forget", seen),
                _ => return None,
            };
            // What was not shown is taken for memories.
            let is_bare = seen.as_ref().is_some_and(Vec::is_empty);
            (!is_bare).then_some(verb)
        })
    }

    /// Says of each sentence which of several projects it is about.
    pub(super) fn name_projects(&self, wishes: &[(PathBuf, Wanted)], proposals: &mut [Proposal]) {
        let Some(read) = self.projects.read().filter(|_| wishes.len() > 1) else {
            return;
        };
        for ((_, wanted), proposal) in wishes.iter().zip(proposals) {
            let Wanted::Project(ProjectWish::Prune { key, .. } | ProjectWish::Forget { key, .. }) =
                wanted
            else {
                continue;
            };
            if let Some(project) = read.projects.iter().find(|one| one.key == *key) {
                for said in &mut proposal.warnings {
                    *said = format!("{}: {said}", project.title());
                }
            }
        }
    }

    /// What a review says of the other places that hold the old path of a project.
    pub(super) fn offer_of_old_paths(&self, old_paths: &[OldPath]) -> Option<String> {
        let first = old_paths.first()?;
        let places = old_paths.iter().map(|one| {
            let what = match (one.kind, one.files) {
                (Kind::Transcripts, 1) => "a transcript".to_string(),
                (Kind::Transcripts, many) => format!("{many} transcripts"),
                (Kind::History, _) => "history.jsonl".to_string(),
                (Kind::ClaudeJson, _) => ".claude.json".to_string(),
            };
            let noun = if one.places == 1 { "place" } else { "places" };
            format!("{what} ({} {noun})", one.places)
        });
        let places = places.collect::<Vec<_>>().join(", ");
        let key = self.keymap.shown(Action::OldPaths, Scope::Review);
        Some(match first.taken {
            true => format!("the old path is rewritten too in {places} · {key} leaves it there"),
            false => format!("the old path stands in {places} too · {key} rewrites it there"),
        })
    }

    /// Sees what a relink comes to with the other places that hold the old path, or without them.
    pub(super) fn toggle_old_paths(&mut self, effects: &mut Vec<Effect>) {
        let Some(Overlay::Review(review)) = &self.overlay else {
            return;
        };
        let kinds: Vec<Kind> = match review.old_paths.first() {
            None => {
                self.say("no other place is known to hold an old path");
                return;
            }
            Some(first) if first.taken => Vec::new(),
            Some(_) => review.old_paths.iter().map(|one| one.kind).collect(),
        };
        let Task::Carry(wishes) = &review.task else {
            return;
        };
        let (title, mut wishes) = (review.title.clone(), wishes.clone());
        for (_, wanted) in &mut wishes {
            if let Wanted::Project(ProjectWish::Relink { also, .. }) = wanted {
                also.clone_from(&kinds);
            }
        }
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Asks where a project is now that has moved.
    fn ask_new_place(&mut self) {
        let Some(project) = self.chosen_project() else {
            return;
        };
        if !self.can_with_project(Action::Relink) {
            let merge = self.hint(Action::MergeProjects, "puts it into another project");
            let title = project.title();
            self.say(format!("{title} has not moved: its folder is there{merge}"));
            return;
        }
        let home = self.home.clone();
        let relink = |path: PathBuf| {
            let label = format!("→ {}", display::short_path(&path, &home));
            let key = project.key.clone();
            (label, Answer::Relink { key, path })
        };
        let candidates = project.candidates.iter().map(|one| one.path.clone());
        let mut answers: Vec<_> = candidates.take(8).map(relink).collect();
        if answers.is_empty() {
            self.ask_path(project.key.clone(), &project.title());
            return;
        }
        let (key, title) = (project.key.clone(), project.title());
        answers.push((
            "another folder …".to_string(),
            Answer::AskPath { key, title },
        ));
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("where is {} now?", project.title()),
            lines: vec!["its sessions and memories go to the key of that folder".to_string()],
            answers,
            list: List::default(),
        }));
    }

    pub(super) fn ask_path(&mut self, key: String, title: &str) {
        self.prompt_path(key, format!("where is {title} now?"), "", None);
    }

    /// The line that asks for a project's place; `said` tells why the one that stands in it did not do.
    pub(super) fn prompt_path(
        &mut self,
        key: String,
        asked: String,
        typed: &str,
        said: Option<String>,
    ) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: asked,
            hint: "the path of its folder",
            field: Field::of(typed),
            purpose: Purpose::Relink { key },
            said,
        }));
    }

    /// Sees what a relink to a place comes to that was typed: one that does not do can be typed again.
    pub(super) fn relink_to_typed(
        &mut self,
        key: String,
        asked: String,
        typed: String,
        effects: &mut Vec<Effect>,
    ) {
        let wish = ProjectWish::Relink {
            key: key.clone(),
            path: PathBuf::from(&typed),
            also: Vec::new(),
        };
        let wishes = self.wanted_of([wish]);
        let doing = Doing::Placing {
            key,
            asked,
            typed,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    pub(super) fn relink(&mut self, key: String, path: PathBuf, effects: &mut Vec<Effect>) {
        let title = format!("relink to {}", path.display());
        let also = Vec::new();
        self.look_at(title, [ProjectWish::Relink { key, path, also }], effects);
    }

    /// Asks which project the chosen one goes into, the likeliest first.
    fn ask_merge(&mut self) {
        let Some(project) = self.chosen_project() else {
            return;
        };
        let read = self
            .projects
            .read()
            .into_iter()
            .flat_map(|read| &read.projects);
        let mut others: Vec<&Project> = read.filter(|one| one.key != project.key).collect();
        others.sort_by_key(|other| Reverse(self.nearness(&project, other)));
        let target = |one: &Project| Target {
            key: one.key.clone(),
            folder: one.memory.clone(),
            title: one.title(),
            place: match &one.path {
                Some(path) => display::short_path(path, &self.home),
                None => one.key.clone(),
            },
            count: Some(one.census.memories.len()),
        };
        let others: Vec<Target> = others.into_iter().map(target).collect();
        if others.is_empty() {
            self.say("there is no other project");
            return;
        }
        let (key, title) = (project.key.clone(), project.title());
        let load = Load::Project { key, title };
        self.overlay = Some(Overlay::Projects(Box::new(Projects::of(load, others))));
    }

    /// How likely a project goes into another one; what is marked is meant.
    fn nearness(&self, project: &Project, other: &Project) -> u8 {
        let repository = self.projects.repository(project);
        let moved_there = |path: &PathBuf| {
            let mut candidates = project.candidates.iter();
            candidates.any(|one| one.path == *path)
        };
        if self.projects.marked.contains(&other.key) {
            5
        } else if other.key.eq_ignore_ascii_case(&project.key) {
            4
        } else if other.path.as_ref().is_some_and(moved_there) {
            3
        } else if repository.is_some_and(|of| of.key == other.key)
            || other.key == project.memory_key
        {
            2
        } else {
            u8::from(other.title() == project.title())
        }
    }

    pub(super) fn merge_projects(&mut self, key: String, into: String, effects: &mut Vec<Effect>) {
        let title = format!("merge {key} into {into}");
        self.look_at(title, [ProjectWish::Merge { key, into }], effects);
    }

    /// Sees what wishes come to.
    pub(super) fn look_at(
        &mut self,
        title: String,
        wishes: impl IntoIterator<Item = ProjectWish>,
        effects: &mut Vec<Effect>,
    ) {
        let wishes = self.wanted_of(wishes);
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Wishes with the folder in which all projects lie: what is shown is told from there.
    fn wanted_of(&self, wishes: impl IntoIterator<Item = ProjectWish>) -> Vec<(PathBuf, Wanted)> {
        let chosen = self.projects.chosen().and_then(|one| one.folder.parent());
        let place = chosen.map(PathBuf::from).unwrap_or_default();
        let wishes = wishes.into_iter();
        wishes
            .map(|wish| (place.clone(), Wanted::Project(wish)))
            .collect()
    }

    /// Asks for the word without which a project with memories does not go.
    pub(super) fn ask_word(&mut self, word: &'static str, wishes: Vec<(PathBuf, Wanted)>) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("memories go to the trash too: type {word} to do it"),
            hint: "",
            field: Field::of(""),
            purpose: Purpose::Word { word, wishes },
            said: None,
        }));
    }
}

#[cfg(test)]
#[path = "project_edit_tests.rs"]
mod tests;

//! What is done with project folders: opened, pruned, forgotten, relinked, merged, split, folded in, with
//! memory on or off. Each is looked at before; one with memories goes only when its name is typed.

use std::path::PathBuf;

use crate::agents::claude::ProjectWish;
use crate::app::action::{Action, Scope};
use crate::app::change::Doing;
use crate::app::dialog::{Answer, Choice, Prompt, Purpose, Task};
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Effect, OldPath, Wanted};
use crate::app::overlay::Overlay;
use crate::app::{App, Tab};
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
        let marked = !self.projects.marked.is_empty();
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

    /// What must be typed before wishes are carried out: a project with memories goes only so.
    pub(super) fn word_for(&self, wishes: &[(PathBuf, Wanted)]) -> Option<String> {
        let gone = wishes.iter().filter_map(|(_, wanted)| match wanted {
            Wanted::Project(ProjectWish::Prune { key, seen, .. }) => Some(("prune", key, seen)),
            Wanted::Project(ProjectWish::Forget { key, seen }) => Some(("forget", key, seen)),
            _ => None,
        });
        let gone: Vec<_> = gone.collect();
        // What was not shown is taken for memories.
        let is_bare = |seen: &Option<Vec<String>>| seen.as_ref().is_some_and(Vec::is_empty);
        let (verb, key, _) = gone.iter().find(|(_, _, seen)| !is_bare(seen))?;
        let read = self.projects.read().into_iter();
        let mut all = read.flat_map(|read| &read.projects);
        Some(match gone.as_slice() {
            [_] => {
                let project = all.find(|one| one.key == **key);
                project.map_or_else(|| (*key).clone(), Project::title)
            }
            _ => (*verb).to_string(),
        })
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
        let relink = |path: PathBuf| {
            let label = format!("→ {}", path.display());
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
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("where is {title} now?"),
            hint: "the whole path of its folder",
            field: Field::of(""),
            purpose: Purpose::Relink { key },
            said: None,
        }));
    }

    pub(super) fn relink(&mut self, key: String, path: PathBuf, effects: &mut Vec<Effect>) {
        let title = format!("relink to {}", path.display());
        let also = Vec::new();
        self.look_at(title, [ProjectWish::Relink { key, path, also }], effects);
    }

    /// Asks which project the chosen one goes into.
    fn ask_merge(&mut self) {
        let Some(project) = self.chosen_project() else {
            return;
        };
        let marked: Vec<Project> = self.projects.chosen_all().into_iter().cloned().collect();
        let others: Vec<Project> = match self.projects.marked.is_empty() {
            true => {
                let read = self.projects.read();
                let all = read.map(|read| read.projects.clone());
                all.unwrap_or_default()
            }
            false => marked,
        };
        let into = |other: Project| {
            let place = other.path.as_deref().map(|path| path.display().to_string());
            let label = format!(
                "into {} · {}",
                other.title(),
                place.unwrap_or(other.key.clone())
            );
            let (key, into) = (project.key.clone(), other.key);
            (label, Answer::MergeProjects { key, into })
        };
        let others = others.into_iter().filter(|other| other.key != project.key);
        let answers: Vec<_> = others.map(into).collect();
        if answers.is_empty() {
            self.say("there is no other project");
            return;
        }
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("merge {}", project.title()),
            lines: vec![
                "its sessions and memories go there; what is left of it goes to the trash"
                    .to_string(),
            ],
            answers,
            list: List::default(),
        }));
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
        // What is shown is told from where all of them lie.
        let chosen = self.projects.chosen().and_then(|one| one.folder.parent());
        let place = chosen.map(PathBuf::from).unwrap_or_default();
        let wishes: Vec<_> = wishes
            .into_iter()
            .map(|wish| (place.clone(), Wanted::Project(wish)))
            .collect();
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// Asks for the word without which a project with memories is not pruned.
    pub(super) fn ask_word(&mut self, word: String, wishes: Vec<(PathBuf, Wanted)>) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("memories go too: type {word} to do it"),
            hint: "to the trash, from which they can be brought back",
            field: Field::of(""),
            purpose: Purpose::Word { word, wishes },
            said: None,
        }));
    }
}

//! Rules that are begun, edited and taken away: as plain text, where they really lie. The managed layer
//! is the organisation's and is only read.

use std::path::{Path, PathBuf};

use crate::agents::rules::{RuleFile, layer_word};
use crate::app::App;
use crate::app::action::Action;
use crate::app::ask::NAME_HINT;
use crate::app::change::diff_lines;
use crate::app::dialog::{Answer, Choice, Prompt, Purpose, Review, Task, Then};
use crate::app::diff_text::DiffText;
use crate::app::doing::Doing;
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Editable, Effect, Order};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::memory::proposal;
use crate::store::change::{Author, ChangeSet, Op};
use crate::store::diff;

/// A rule that shall go to the trash once it was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleToTrash {
    path: PathBuf,
    /// What a list shows for it.
    title: String,
    /// What a person should know first.
    warnings: Vec<String>,
}

/// What a person's own rules may begin with.
pub const ABOUT_ME: &str = "# About me\n\n- Name: \n- Time zone: \n- Main repository: \n\n## How I work\n\n- Language of answers: \n- Before a commit: \n- Ask me before: \n";

impl App {
    /// Where an edit of the chosen row reads and writes; says so if nothing there can be edited.
    pub(super) fn place_to_edit(&mut self) -> Option<FileAt> {
        let Some(rule) = self.rule_here() else {
            let at = self.tree.row().and_then(|row| self.tree.file(row));
            if at.is_none() {
                self.say("no memory is chosen");
            }
            return at;
        };
        let real = rule.real.clone();
        if let Some(said) = locked(rule) {
            self.say(said);
            return None;
        }
        Some(self.place_of(&real))
    }

    /// The order that opens a file to be edited: a rule need not be there yet.
    pub(super) fn order_to_open(&self, id: u64, at: FileAt) -> Order {
        match self.is_rule(&at) {
            true => Order::OpenRule { id, at },
            false => Order::Open { id, at },
        }
    }

    /// What an edit of a file without text begins with.
    pub(super) fn beginning_of(&self, at: &FileAt) -> &'static str {
        let path = at.path();
        let users = self.rules_here().map(|rules| &rules.places.user);
        let is_users = users.is_some_and(|user| *user == path)
            || self
                .tree
                .rule_at(&path)
                .is_some_and(|rule| users.is_some_and(|user| rule.path == *user));
        if is_users { ABOUT_ME } else { "" }
    }

    /// Begins a new memory; among rules, or where that is asked for, a rule.
    pub(super) fn begin_new(&mut self, action: Action, effects: &mut Vec<Effect>) {
        if action == Action::NewRule || self.tree.is_in_rules() {
            self.ask_rule();
        } else {
            self.new_memory(effects);
        }
    }

    /// Asks which rules file shall be begun.
    pub(super) fn ask_rule(&mut self) {
        let Some(state) = self.tree.current() else {
            self.say("no project is chosen");
            return;
        };
        let Some(rules) = &state.rules else {
            let said = match state.shelf.path {
                Some(_) => "its rules are still being read",
                None => "the folder of this project is not known: rules lie there",
            };
            self.say(said);
            return;
        };
        let places = &rules.places;
        let own = [
            (&places.project, "for everybody in this project"),
            (&places.local, "yours, in this project only"),
            (&places.user, "yours, in every project"),
        ];
        let is_there = |path: &PathBuf| {
            let listed = rules.at(path);
            listed.is_some_and(|rule| !rule.is_missing())
        };
        let files = own.into_iter().filter(|(path, _)| !is_there(path));
        let mut answers: Vec<_> = files
            .map(|(path, whose)| {
                let label = format!("{} · {whose}", places.title(path));
                (label, Answer::NewRule(path.clone()))
            })
            .collect();
        let folders = [
            (&places.project_rules, "for everybody in this project"),
            (&places.user_rules, "yours, in every project"),
        ];
        answers.extend(folders.map(|(folder, whose)| {
            let title = places.title(folder);
            let label = format!("a file in {title}/ · {whose}");
            let folder = folder.clone();
            (label, Answer::AskRule { folder, title })
        }));
        self.overlay = Some(Overlay::Choice(Choice {
            title: "a new rules file".to_string(),
            lines: vec!["what it says is sent with every request".to_string()],
            answers,
            list: List::default(),
        }));
    }

    /// Asks for the name of a rules file in a folder.
    pub(super) fn ask_rule_name(&mut self, folder: PathBuf, title: &str) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("a rules file in {title}/"),
            hint: NAME_HINT,
            field: Field::default(),
            said: None,
            purpose: Purpose::NewRule {
                folder,
                title: title.to_string(),
            },
        }));
    }

    /// Begins the rules file of a name, or asks for another.
    pub(super) fn name_rule(
        &mut self,
        folder: PathBuf,
        title: &str,
        typed: &str,
        effects: &mut Vec<Effect>,
    ) {
        let said = match proposal::slug(typed) {
            Err(error) => error
                .to_string()
                .replace("a memory's name", "a file's name"),
            Ok(slug) => {
                let path = folder.join(format!("{slug}.md"));
                let listed = self.tree.rule_at(&path).is_some_and(|it| !it.is_missing());
                if !listed {
                    self.new_rule(&path, effects);
                    return;
                }
                format!("{slug}.md is already there")
            }
        };
        self.ask_rule_name(folder, title);
        if let Some(Overlay::Prompt(prompt)) = &mut self.overlay {
            prompt.field = Field::of(typed);
            prompt.said = Some(said);
        }
    }

    /// Begins a rules file: it is there once it is saved.
    pub(super) fn new_rule(&mut self, path: &Path, effects: &mut Vec<Effect>) {
        if let Some(at) = FileAt::of(path) {
            self.open_to_edit(at, Doing::Opening, effects);
        }
    }

    /// What a list shows for a rules file, and where it really lies, if a link takes it out of its folder.
    pub(super) fn led_out(&self, at: &FileAt) -> Option<(String, PathBuf)> {
        let rules = self.rules_here().filter(|_| self.is_rule(at))?;
        let path = at.path();
        let is_it = |file: &&RuleFile| file.path == path || file.real == path;
        let listed = rules.files.iter().filter(is_it);
        let mut named = listed.map(|file| &file.path).chain([&path]);
        named.find_map(|path| Some((rules.places.title(path), rules.leads_out(path)?)))
    }

    /// Asks whether a rules file is to be edited where a link takes it.
    pub(super) fn ask_through(&mut self, at: FileAt, lend: bool, title: &str, real: &Path) {
        let real = real.display();
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("{title} leads out of its folder"),
            lines: vec![format!("what is saved goes to {real}")],
            answers: vec![
                ("edit it there".to_string(), Answer::Through { at, lend }),
                ("leave it as it is".to_string(), Answer::Stay),
            ],
            list: List::default(),
        }));
    }

    /// Shows what moving the rule under the cursor to the trash comes to.
    pub(super) fn trash_rule(&mut self, effects: &mut Vec<Effect>) {
        let (Some(rule), Some(rules)) = (self.rule_here(), self.rules_here()) else {
            return;
        };
        if rule.is_missing() {
            let said = format!("{} is not there: nothing goes to the trash", rule.title);
            self.say(said);
            return;
        }
        if let Some(said) = locked(rule) {
            self.say(said);
            return;
        }
        if self.drafts.contains(&rule.real) {
            self.say("it has a draft: save or discard that first (e)");
            return;
        }
        let mut warnings: Vec<String> = rules
            .importers_of(&rule.path)
            .map(|edge| {
                let from = rules.places.title(&edge.from);
                format!(
                    "line {} of {from} imports it and will find nothing",
                    edge.line
                )
            })
            .collect();
        if let Some(folder) = rules.folder_that_leads_out(&rule.path) {
            warnings.push(format!(
                "a link takes its folder elsewhere: it goes from {}",
                folder.display()
            ));
        } else if rule.real != rule.path {
            warnings.push(format!(
                "it is a link: the link goes, {} stays",
                rules.places.title(&rule.real)
            ));
        }
        let is_link = rules.folder_that_leads_out(&rule.path).is_none() && rule.real != rule.path;
        let at = FileAt::of(&rule.real).filter(|_| !is_link);
        let doomed = RuleToTrash {
            path: rule.path.clone(),
            title: rule.title.clone(),
            warnings,
        };
        match at {
            Some(at) => {
                let id = self.begin(Doing::TrashingRule(Box::new(doomed)));
                effects.push(Effect::Write(Order::OpenRule { id, at }));
            }
            None => self.review_trash(doomed, b""),
        }
    }

    /// Takes the text of a rule that shall go to the trash.
    pub(super) fn show_trashed_rule(
        &mut self,
        rule: RuleToTrash,
        read: Result<Box<Editable>, String>,
    ) {
        match read {
            Ok(read) => self.review_trash(rule, &read.bytes.unwrap_or_default()),
            Err(said) => self.fail(said),
        }
    }

    fn review_trash(&mut self, rule: RuleToTrash, bytes: &[u8]) {
        let RuleToTrash {
            path,
            title,
            warnings,
        } = rule;
        let set = ChangeSet::new(format!("trash {title}"), Author::You)
            .with(Op::Trash { path: path.clone() }, "asked for");
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let title = format!("to the trash: {title}");
        self.overlay = Some(Overlay::Review(Box::new(Review {
            title: format!("{title}{}", self.hint(Action::Undo, "undoes it")),
            warnings,
            diff: DiffText::new(diff_lines(&diff::of_trash(&path, bytes), &folder)),
            then: Then::Nothing,
            old_paths: Vec::new(),
            task: Task::Apply(set),
            list: List::default(),
        })));
    }

    /// What is said where an action for memories is asked of a rule.
    pub(super) fn no_memory(&self) -> Option<String> {
        let rule = self.rule_here()?;
        let keys = [Action::Edit, Action::Trash, Action::Demote].map(|action| self.key(action));
        let [edit, trash, demote] = keys;
        Some(format!(
            "{} is a rule, no memory: {edit} edits it, {trash} takes it to the trash, {demote} makes a memory of it",
            rule.title
        ))
    }
}

/// Why a rule is not written: a sentence.
pub(super) fn locked(rule: &RuleFile) -> Option<String> {
    (!rule.is_ours()).then(|| {
        format!(
            "{} is of the {} layer, which your organisation keeps: it is read here, not written",
            rule.title,
            layer_word(rule.layer)
        )
    })
}

#[cfg(test)]
#[path = "rules_edit_tests.rs"]
mod tests;

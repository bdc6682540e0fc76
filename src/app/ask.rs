//! What is asked before a change, and what follows the answer: another name, what goes to the trash,
//! where a line shall stand, whose lines of a conflict.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::app::App;
use crate::app::archives::Asked;
use crate::app::conflict::{Merge, Side};
use crate::app::dialog::{Answer, Choice, Prompt, Purpose, Review, Task, Then};
use crate::app::doing::Doing;
use crate::app::editor::{self, Editor, Save};
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Effect, Wanted};
use crate::app::overlay::Overlay;
use crate::app::projects::what;
use crate::app::tree::FileAt;
use crate::memory::proposal::{self, IndexEdit, Wish};

/// What a name is made of.
pub(super) const NAME_HINT: &str = "letters a to z, digits, dashes";

/// The name of a file of a memory folder, without its folders and its ending.
pub(super) fn stem(file: &str) -> &str {
    let file = file.rsplit('/').next().unwrap_or(file);
    file.strip_suffix(".md").unwrap_or(file)
}

impl App {
    /// The memory under the cursor; says so if there is none.
    pub(super) fn chosen_memory(&mut self) -> Option<FileAt> {
        let row = self.tree.row();
        let is_memory = row.is_some_and(|row| self.tree.memory(row).is_some());
        let at = row
            .and_then(|row| self.tree.file(row))
            .filter(|_| is_memory);
        if at.is_none() {
            let said = self.no_memory();
            self.say(said.unwrap_or_else(|| "no memory is chosen".to_string()));
        }
        at
    }

    /// The marked memories, else the one under the cursor.
    pub(super) fn chosen_memories(&mut self) -> Vec<FileAt> {
        if self.marked.is_empty() {
            self.chosen_memory().into_iter().collect()
        } else {
            self.marked.iter().cloned().collect()
        }
    }

    /// Asks for another name of the chosen memory.
    pub(super) fn ask_name(&mut self) {
        let Some(at) = self.chosen_memory() else {
            return;
        };
        if self.drafts.contains(&at.path()) {
            self.say("it has a draft: save or discard that first (e)");
            return;
        }
        let name = stem(&at.file).to_string();
        self.prompt_name(at, &name, None);
    }

    /// The line that asks for another name; `said` tells why the one that stands in it did not do.
    pub(super) fn prompt_name(&mut self, at: FileAt, name: &str, said: Option<String>) {
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("rename {}", stem(&at.file)),
            hint: NAME_HINT,
            field: Field::of(name),
            said,
            purpose: Purpose::Rename(at),
        }));
    }

    /// Makes the marked memories, or the chosen one, as young as if written now: they were checked.
    pub(super) fn verify(&mut self, effects: &mut Vec<Effect>) {
        let chosen = self.chosen_memories();
        if chosen.is_empty() {
            return;
        }
        let wishes = chosen.into_iter().map(|at| {
            let path = at.file;
            (at.folder, Wanted::Wish(Wish::Verify { path }))
        });
        self.carry(wishes.collect(), Doing::Applying(Then::Unmark), effects);
    }

    /// Sees what moving the marked memories, or the chosen one, to the trash comes to.
    pub(super) fn trash(&mut self, effects: &mut Vec<Effect>) {
        if self.marked.is_empty() && self.rule_here().is_some() {
            self.trash_rule(effects);
            return;
        }
        let chosen = self.chosen_memories();
        if chosen.is_empty() {
            return;
        }
        let what = what(&chosen);
        let mut together: BTreeMap<PathBuf, Vec<String>> = BTreeMap::new();
        for at in &chosen {
            let paths = together.entry(at.folder.clone()).or_default();
            paths.push(at.file.clone());
        }
        let shown = together
            .into_iter()
            .map(|(folder, paths)| (folder, Wanted::Wish(Wish::Remove { paths })))
            .collect();
        let one_each = chosen.into_iter().map(|at| {
            let paths = vec![at.file];
            (at.folder, Wanted::Wish(Wish::Remove { paths }))
        });
        let wishes: Vec<_> = one_each.collect();
        let doing = Doing::Reviewing {
            title: format!("to the trash: {what}{}", self.undo_hint(wishes.len())),
            wishes,
        };
        self.propose(shown, doing, effects);
    }

    /// Asks where the index line of a new memory shall go, which would lie below the cut.
    pub(super) fn ask_place(&mut self, draft: &FileAt, warning: String) {
        self.type_held();
        let Some(Ok(Save::New {
            name,
            kind,
            description,
            body,
        })) = self.editor.as_ref().map(Editor::save)
        else {
            return;
        };
        let create = |first| Answer::Create {
            draft: draft.clone(),
            wish: Wish::Create {
                name: name.clone(),
                kind: kind.clone(),
                description: description.clone(),
                body: body.clone(),
                first,
            },
        };
        self.overlay = Some(Overlay::Choice(Choice {
            title: "the index is full".to_string(),
            lines: vec![warning],
            answers: vec![
                (
                    "put its line at the head of its list, where it is seen".to_string(),
                    create(true),
                ),
                ("below the cut all the same".to_string(), create(false)),
            ],
            list: List::default(),
        }));
    }

    /// Does what the layer on top asks about.
    pub(super) fn confirm(&mut self, effects: &mut Vec<Effect>) {
        match self.overlay.take() {
            Some(Overlay::Review(review)) => {
                let Review { task, then, .. } = *review;
                match task {
                    Task::Apply(set) => self.apply(set, then, effects),
                    Task::SaveCard => self.save(effects),
                    Task::Carry(wishes) => match self.word_for(&wishes) {
                        Some(word) => self.ask_word(word, wishes),
                        None => self.carry(wishes, Doing::Applying(then), effects),
                    },
                }
            }
            Some(Overlay::Prompt(prompt)) => self.answer_prompt(prompt, effects),
            Some(Overlay::Choice(choice)) => {
                let at = choice.list.cursor;
                if let Some((_, answer)) = choice.answers.into_iter().nth(at) {
                    self.answer(answer, effects);
                }
            }
            Some(Overlay::Merge(merge)) => self.apply_merge(*merge, effects),
            Some(Overlay::Themes(themes)) => self.choose_theme(themes.shown(), effects),
            Some(Overlay::Projects(projects)) => self.send(*projects, effects),
            Some(Overlay::Filter(filter)) => self.keep_filter(&filter),
            other @ (Some(
                Overlay::Help(_) | Overlay::Palette(_) | Overlay::Finder(_) | Overlay::Past(_),
            )
            | None) => {
                self.overlay = other;
            }
        }
    }

    fn answer_prompt(&mut self, prompt: Prompt, effects: &mut Vec<Effect>) {
        let typed = prompt.field.text().trim().to_string();
        if typed.is_empty() && !matches!(prompt.purpose, Purpose::Preview(_)) {
            self.say("nothing was typed");
            self.overlay = Some(Overlay::Prompt(prompt));
            return;
        }
        if prompt.purpose.is_a_path() && typed.contains(char::is_control) {
            let said = Some("a control character is in it: type the path without".to_string());
            self.overlay = Some(Overlay::Prompt(Prompt { said, ..prompt }));
            return;
        }
        match prompt.purpose {
            Purpose::Rename(at) => {
                let folder = at.folder.clone();
                let wish = Wish::Rename {
                    path: at.file.clone(),
                    name: typed.clone(),
                };
                let doing = Doing::Renaming { at, typed };
                self.propose(vec![(folder, Wanted::Wish(wish))], doing, effects);
            }
            Purpose::OtherName { title, wishes, at } => {
                self.propose_named(title, wishes, at, &typed, effects);
            }
            Purpose::NewRule { folder, title } => self.name_rule(folder, &title, &typed, effects),
            Purpose::Demote(part) => self.ask_kind(part, &typed),
            Purpose::Preview(line) => self.take_line(line, &typed),
            Purpose::Relink { key } => self.relink_to_typed(key, prompt.title, typed, effects),
            Purpose::Word { word, wishes } if typed == word => {
                self.carry(wishes, Doing::Applying(Then::Unmark), effects);
            }
            Purpose::Word { word, .. } => {
                let said = Some(format!("{typed} is not {word}: nothing is done yet"));
                self.overlay = Some(Overlay::Prompt(Prompt { said, ..prompt }));
            }
            Purpose::Export(asked) => {
                let file = typed;
                self.export(Asked { file, ..asked }, effects);
            }
            Purpose::Import => self.look_into(typed, effects),
            Purpose::Sought(sought) => self.seek_in_sessions(sought, &typed, effects),
            Purpose::SessionFile { path, title } => effects.push(Effect::ExportSession {
                session: path,
                title,
                file: PathBuf::from(typed),
            }),
            Purpose::Hook {
                folder,
                which,
                entry,
            } => {
                let wish = Wish::Index {
                    prefix: which.prefix().to_string(),
                    edit: IndexEdit::Hook { entry, hook: typed },
                };
                self.carry(vec![(folder, Wanted::Wish(wish))], Doing::Indexing, effects);
            }
        }
    }

    /// Chooses a side of the hunk under the cursor.
    pub(super) fn take_side(&mut self, side: Side) {
        if let Some(Overlay::Merge(merge)) = &mut self.overlay {
            merge.choose(side);
        }
    }

    fn apply_merge(&mut self, merge: Merge, effects: &mut Vec<Effect>) {
        let Some(merged) = merge.result() else {
            let left = merge.sides.iter().filter(|side| side.is_none()).count();
            self.say(format!("choose for each: {left} undecided"));
            self.overlay = Some(Overlay::Merge(Box::new(merge)));
            return;
        };
        let keep_age = self.editor.as_ref().is_some_and(|editor| editor.keep_age);
        let FileAt { folder, file } = &merge.at;
        let theirs = merge.three_way.theirs;
        let set = match self.is_rule(&merge.at) {
            true => editor::rule_set(&merge.at, Some(theirs), merged),
            false => proposal::edited(folder, file, theirs, merged, keep_age),
        };
        self.apply(set, Then::Saved(merge.at), effects);
    }
}

#[cfg(test)]
#[path = "ask_tests.rs"]
mod tests;

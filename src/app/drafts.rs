//! What was typed and never saved: kept while typing, offered, taken up, let go.

use std::path::{Path, PathBuf};

use crate::app::App;
use crate::app::action::Action;
use crate::app::agent_question::QUESTION_FILE;
use crate::app::change::diff_lines;
use crate::app::dialog::{Answer, Choice, Review, Task, Then};
use crate::app::diff_text::DiffText;
use crate::app::editor::{Editor, NEW_FILE};
use crate::app::list::List;
use crate::app::message::{Effect, Order};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::base::time::Moment;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::diff;
use crate::store::draft::Draft;

impl App {
    /// Whether something was typed that no draft has: the loop then sends a message in time.
    #[must_use]
    pub fn wants_draft(&self) -> bool {
        self.agent.is_undrafted || self.editor.as_ref().is_some_and(Editor::is_undrafted)
    }

    /// Keeps a draft of what was typed since the last.
    pub(super) fn keep_draft(&mut self, effects: &mut Vec<Effect>) {
        self.keep_question(effects);
        let now = self.now;
        let Some(draft) = self.editor.as_mut().and_then(|editor| editor.draft(now)) else {
            return;
        };
        let own = self.own_drafts.get(&draft.path).cloned().map(Box::new);
        self.note_draft(&draft);
        let draft = Box::new(draft);
        effects.push(Effect::Write(Order::KeepDraft { draft, own }));
    }

    pub(super) fn note_draft(&mut self, draft: &Draft) {
        self.drafts.insert(draft.path.clone());
        self.own_drafts.insert(draft.path.clone(), draft.clone());
    }

    /// Takes which files have a draft on disk.
    pub(super) fn list_drafts(&mut self, files: Vec<PathBuf>) {
        self.drafts = files.into_iter().collect();
        self.drafts.extend(self.own_drafts.keys().cloned());
    }

    /// Lets the draft go that was made or taken up in this run. Those of other windows stay.
    pub(super) fn drop_draft(&mut self, path: &Path, effects: &mut Vec<Effect>) {
        if let Some(own) = self.own_drafts.remove(path) {
            self.drafts.remove(path);
            effects.push(Effect::Write(Order::DropDraft(Box::new(own))));
            effects.push(Effect::Write(Order::ListDrafts));
        }
    }

    /// Takes that a draft could not be kept: the edit is not left before the person knows. `own` is
    /// what is there still.
    pub(super) fn lose_draft(&mut self, path: &Path, said: String, own: Option<Box<Draft>>) {
        match own {
            Some(own) => drop(self.own_drafts.insert(path.to_path_buf(), *own)),
            None => {
                self.drafts.remove(path);
                self.own_drafts.remove(path);
            }
        }
        self.undrafted = Some(path.to_path_buf());
        self.fail(said);
    }

    /// Whether the open edit has no draft because none could be kept. It is asked once.
    pub(super) fn warns_of_loss(&mut self) -> bool {
        let path = self.editor.as_ref().map(|editor| editor.at.path());
        let lost = path.is_some() && self.undrafted == path;
        if lost {
            self.undrafted = None;
            let (save, back) = (self.key(Action::Save), self.key(Action::Back));
            let said = format!(
                "no draft could be kept: {save} saves, {back} again gives up what was typed"
            );
            self.fail(said);
        }
        lost
    }

    /// Goes on with the draft of this run, or asks about those that there are.
    pub(super) fn offer_drafts(&mut self, editor: &mut Editor, drafts: Vec<Draft>) {
        let own = self.own_drafts.get(&editor.at.path());
        let at = drafts.iter().find(|draft| own == Some(draft));
        match at.filter(|draft| editor.fits(draft)) {
            // A draft of this run is what the person was at.
            Some(draft) => {
                editor.take_up(draft);
                let key = self.hint(Action::Save, "saves");
                self.say(format!("going on with the draft{key}"));
            }
            None if drafts.is_empty() => {}
            None => self.overlay = Some(offer(editor, drafts, self.now)),
        }
    }

    /// Asks whether what was typed shall go.
    pub(super) fn ask_to_discard(&mut self) {
        let Some(editor) = self.editor.as_ref().filter(|editor| editor.is_changed()) else {
            self.say("nothing was typed that is not saved");
            return;
        };
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("discard the edit of {}", called(&editor.at.file)),
            lines: vec!["what was typed since the last save goes for good".to_string()],
            answers: vec![
                ("go on with the edit".to_string(), Answer::Stay),
                ("discard it".to_string(), Answer::GiveUp),
            ],
            list: List::default(),
        }));
    }

    pub(super) fn give_up(&mut self, effects: &mut Vec<Effect>) {
        if let Some(editor) = self.editor.take() {
            self.drop_draft(&editor.at.path(), effects);
            match editor.card {
                Some(_) => {
                    self.turn_to_cards();
                    self.say("what was typed is gone; the card is as it was");
                }
                None => self.say("what was typed is gone; the file is as it was"),
            }
        }
    }

    /// Asks what becomes of the drafts of a file that is gone.
    pub(super) fn offer_anew(&mut self, at: &FileAt, drafts: Vec<Draft>) {
        let now = self.now;
        let anew = drafts.iter().map(|draft| {
            let label = format!("write the file anew as typed{}", ago(draft, now));
            (label, Answer::WriteAnew(Box::new(draft.clone())))
        });
        let mut answers: Vec<_> = anew.collect();
        answers.push((discard(drafts.len()), Answer::DropDrafts(drafts)));
        self.overlay = Some(Overlay::Choice(Choice {
            title: format!("a draft of {}", at.file),
            lines: vec!["its file is gone; what was typed is kept".to_string()],
            answers,
            list: List::default(),
        }));
    }

    pub(super) fn take_draft(&mut self, draft: &Draft) {
        self.note_draft(draft);
        let mut warn = false;
        if let Some(editor) = &mut self.editor {
            warn = !editor.fits(draft);
            editor.take_up(draft);
        }
        let hint = match warn {
            true => self.hint(Action::ShowChange, "shows what a save would change"),
            false => self.hint(Action::Save, "saves"),
        };
        self.say(format!("the draft is back{hint}"));
    }

    pub(super) fn drop_drafts(&mut self, drafts: Vec<Draft>, effects: &mut Vec<Effect>) {
        for draft in drafts {
            self.drafts.remove(&draft.path);
            self.own_drafts.remove(&draft.path);
            effects.push(Effect::Write(Order::DropDraft(Box::new(draft))));
        }
        effects.push(Effect::Write(Order::ListDrafts));
        self.say("the draft is gone");
    }

    /// Shows what writing a file as its draft has it comes to.
    pub(super) fn write_anew(&mut self, draft: Draft) {
        let at = self.place_of(&draft.path);
        self.note_draft(&draft);
        let title = format!("write {} anew", at.file);
        let set = ChangeSet::new(title.clone(), Author::You).with(
            Op::Write {
                path: draft.path,
                before: None,
                after: draft.text.into_bytes(),
                age: Age::Set,
            },
            "as its draft has it",
        );
        self.overlay = Some(Overlay::Review(Box::new(Review {
            title,
            warnings: Vec::new(),
            old_paths: Vec::new(),
            diff: DiffText::new(diff_lines(&diff::of_set(&set), &at.folder)),
            then: Then::SavedAs {
                draft: at.clone(),
                file: at,
            },
            task: Task::Apply(set),
            list: List::default(),
        })));
    }

    /// Lists the files that have a draft.
    pub(super) fn show_drafts(&mut self) {
        let mut files: Vec<FileAt> = self.drafts.iter().map(|path| self.place_of(path)).collect();
        files.sort();
        if files.is_empty() {
            self.say("no draft is kept: all that was typed is saved or discarded");
            return;
        }
        let label = |at: &FileAt| {
            let shelves = self.tree.shelves().iter();
            let shelf = shelves
                .map(|it| &it.shelf)
                .find(|it| it.folder == at.folder);
            let project = shelf.map_or_else(
                || at.folder.display().to_string(),
                |it| it.title().into_owned(),
            );
            format!("{} · {project}", called(&at.file))
        };
        let answers = files
            .into_iter()
            .map(|at| (label(&at), Answer::OpenDraft(at)));
        self.overlay = Some(Overlay::Choice(Choice {
            title: "typed and never saved".to_string(),
            lines: Vec::new(),
            answers: answers.collect(),
            list: List::default(),
        }));
    }

    /// The memory folder of a file, as the tree knows it, and the path below it.
    pub(super) fn place_of(&self, path: &Path) -> FileAt {
        let mut shelves = self.tree.shelves().iter().map(|it| &it.shelf.folder);
        let below = |folder: &PathBuf| {
            let file = path.strip_prefix(folder).ok()?.to_str()?.to_string();
            let folder = folder.clone();
            Some(FileAt { folder, file })
        };
        shelves.find_map(below).unwrap_or_else(|| FileAt {
            folder: path.parent().unwrap_or(path).to_path_buf(),
            file: path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
        })
    }
}

/// What a person calls the file of a draft.
fn called(file: &str) -> &str {
    match file {
        NEW_FILE => "a new memory",
        QUESTION_FILE => "a question to the agent",
        other => other,
    }
}

/// `, 5m ago`; nothing where no time is known.
fn ago(draft: &Draft, now: Moment) -> String {
    match Moment::parse(&draft.time).map(|time| time.age(now)) {
        None => String::new(),
        Some(age) if age == "now" => ", just now".to_string(),
        Some(age) => format!(", {age} ago"),
    }
}

fn discard(drafts: usize) -> String {
    match drafts {
        1 => "discard it".to_string(),
        many => format!("discard all {many}"),
    }
}

fn offer(editor: &Editor, drafts: Vec<Draft>, now: Moment) -> Overlay {
    let mut lines = Vec::new();
    if drafts.iter().any(|draft| !editor.fits(draft)) {
        lines.push("the file has been changed since".to_string());
    }
    let go_on = drafts.iter().map(|draft| {
        let label = format!("go on with what was typed{}", ago(draft, now));
        (label, Answer::TakeDraft(Box::new(draft.clone())))
    });
    let mut answers: Vec<_> = go_on.collect();
    let from = match (&editor.card, editor.is_new()) {
        (Some(_), _) => "card",
        (None, true) => "template",
        (None, false) => "file",
    };
    let label = format!("{}, begin from the {from}", discard(drafts.len()));
    answers.push((label, Answer::DropDrafts(drafts)));
    Overlay::Choice(Choice {
        title: format!("a draft of {}", called(&editor.at.file)),
        lines,
        answers,
        list: List::default(),
    })
}

#[cfg(test)]
#[path = "drafts_tests.rs"]
mod tests;

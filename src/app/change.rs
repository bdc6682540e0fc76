//! Changes to files: what is asked for, looked at, applied, taken back, and what is said of it.

use std::path::{Path, PathBuf};

use crate::app::dialog::{Merge, Prompt, Purpose, Review, Side, Then};
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Done, Effect, Proposed, Refusal};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::app::{App, Notice};
use crate::memory::proposal::{self, Wish};
use crate::store::change::ChangeSet;

/// What an answer that is awaited is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    Opening,
    Creating { draft: FileAt },
    Renaming { folder: PathBuf },
    Trashing { title: String, folder: PathBuf },
    Applying(Then),
    Undoing,
    Redoing,
}

impl App {
    pub(super) fn propose(
        &mut self,
        folder: PathBuf,
        wish: Wish,
        doing: Doing,
        effects: &mut Vec<Effect>,
    ) {
        let id = self.next_id();
        self.doing.insert(id, doing);
        effects.push(Effect::Propose { id, folder, wish });
    }

    pub(super) fn apply(&mut self, set: ChangeSet, then: Then, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.doing.insert(id, Doing::Applying(then));
        effects.push(Effect::Apply { id, set });
    }

    /// The memory under the cursor; says so if there is none.
    fn chosen_memory(&mut self) -> Option<FileAt> {
        let row = self.tree.row();
        let is_memory = row.is_some_and(|row| self.tree.memory(row).is_some());
        let at = row
            .and_then(|row| self.tree.file(row))
            .filter(|_| is_memory);
        if at.is_none() {
            self.say("no memory is chosen");
        }
        at
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
        let stem = at.file.rsplit('/').next().unwrap_or(&at.file);
        let stem = stem.strip_suffix(".md").unwrap_or(stem);
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("rename {stem}"),
            hint: "letters a to z, digits, dashes",
            field: Field::of(stem),
            purpose: Purpose::Rename(at),
        }));
    }

    /// Sees what moving the chosen memory to the trash comes to.
    pub(super) fn trash(&mut self, effects: &mut Vec<Effect>) {
        let Some(at) = self.chosen_memory() else {
            return;
        };
        let title = format!("to the trash: {} · u undoes it", at.file);
        let wish = Wish::Remove {
            paths: vec![at.file],
        };
        let doing = Doing::Trashing {
            title,
            folder: at.folder.clone(),
        };
        self.propose(at.folder, wish, doing, effects);
    }

    pub(super) fn undo(&mut self, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.doing.insert(id, Doing::Undoing);
        effects.push(Effect::Undo { id });
    }

    pub(super) fn redo(&mut self, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.doing.insert(id, Doing::Redoing);
        effects.push(Effect::Redo { id });
    }

    /// Takes what a wish comes to.
    pub(super) fn proposed(
        &mut self,
        doing: Doing,
        proposed: Result<Box<Proposed>, String>,
        effects: &mut Vec<Effect>,
    ) {
        let proposed = match proposed {
            Ok(proposed) => *proposed,
            Err(said) => {
                self.notice = Some(Notice::Error(said));
                return;
            }
        };
        let made = proposed.proposal.file.clone();
        match doing {
            Doing::Creating { draft } => {
                let file = FileAt {
                    folder: draft.folder.clone(),
                    file: made.unwrap_or_default(),
                };
                let draft_folder = draft.folder.clone();
                let then = Then::SavedAs { draft, file };
                if proposed.proposal.warning.is_some() {
                    let title = "save it all the same?".to_string();
                    self.review(title, &draft_folder, proposed, then);
                } else {
                    self.apply(proposed.proposal.set, then, effects);
                }
            }
            Doing::Renaming { folder } => {
                let then = made.map_or(Then::Nothing, |file| Then::Reveal(FileAt { folder, file }));
                self.apply(proposed.proposal.set, then, effects);
            }
            Doing::Trashing { title, folder } => {
                self.review(title, &folder, proposed, Then::Nothing);
            }
            Doing::Opening | Doing::Applying(_) | Doing::Undoing | Doing::Redoing => {}
        }
    }

    fn review(&mut self, title: String, folder: &Path, proposed: Proposed, then: Then) {
        let warnings = proposed
            .proposal
            .warning
            .into_iter()
            .chain(proposed.notices)
            .collect();
        self.overlay = Some(Overlay::Review(Box::new(Review {
            title,
            warnings,
            lines: diff_lines(&proposed.diff, folder),
            set: proposed.proposal.set,
            then,
            list: List::default(),
        })));
    }

    /// Does what the layer on top asks about.
    pub(super) fn confirm(&mut self, effects: &mut Vec<Effect>) {
        match self.overlay.take() {
            Some(Overlay::Review(review)) => {
                let Review { set, then, .. } = *review;
                self.apply(set, then, effects);
            }
            Some(Overlay::Prompt(prompt)) => self.answer_prompt(prompt, effects),
            Some(Overlay::Choice(choice)) => {
                let at = choice.list.cursor;
                if let Some((_, answer)) = choice.answers.into_iter().nth(at) {
                    self.answer(answer, effects);
                }
            }
            Some(Overlay::Merge(merge)) => self.apply_merge(*merge, effects),
            other @ (Some(Overlay::Help(_) | Overlay::Palette(_)) | None) => self.overlay = other,
        }
    }

    fn answer_prompt(&mut self, prompt: Prompt, effects: &mut Vec<Effect>) {
        let typed = prompt.field.text().trim().to_string();
        if typed.is_empty() {
            self.say("nothing was typed");
            self.overlay = Some(Overlay::Prompt(prompt));
            return;
        }
        match prompt.purpose {
            Purpose::Rename(FileAt { folder, file }) => {
                let wish = Wish::Rename {
                    path: file,
                    name: typed,
                };
                let doing = Doing::Renaming {
                    folder: folder.clone(),
                };
                self.propose(folder, wish, doing, effects);
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
        let set = proposal::edited(folder, file, merge.three_way.theirs, merged, keep_age);
        self.apply(set, Then::Saved(merge.at), effects);
    }

    /// Takes the answer to a change.
    pub(super) fn applied(
        &mut self,
        doing: Doing,
        applied: Result<Done, Refusal>,
        effects: &mut Vec<Effect>,
    ) {
        let done = match (applied, &doing) {
            (Ok(done), _) => done,
            (Err(Refusal::Overlap { three_way, .. }), Doing::Applying(Then::Saved(at))) => {
                let merge = Merge::new(at.clone(), *three_way);
                self.overlay = Some(Overlay::Merge(Box::new(merge)));
                return;
            }
            (Err(Refusal::Overlap { path, .. }), _) => {
                let path = path.display();
                let said = format!(
                    "{path} was changed by somebody else in the same lines; nothing was written: do it again"
                );
                self.notice = Some(Notice::Error(said));
                self.read_again(effects);
                return;
            }
            (Err(Refusal::Said(said)), _) => {
                self.notice = Some(Notice::Error(said));
                return;
            }
        };
        // A merge is what a person must hear of, so it comes first, and by the file's name.
        let notices = done
            .notices
            .iter()
            .map(|notice| self.without_folder(notice) + " · ");
        let notices: String = notices.collect();
        let said = match doing {
            Doing::Undoing => format!("taken back: {}", done.title),
            Doing::Redoing => format!("done again: {}", done.title),
            Doing::Applying(then) => {
                self.follow(then, effects);
                format!("{} · u undoes it", done.title)
            }
            Doing::Opening
            | Doing::Creating { .. }
            | Doing::Renaming { .. }
            | Doing::Trashing { .. } => done.title,
        };
        self.say(notices + &said);
        self.read_again(effects);
    }

    /// A sentence with the paths of the current memory folder told from there.
    fn without_folder(&self, said: &str) -> String {
        match self.tree.current() {
            Some(state) => said.replace(&format!("{}/", state.shelf.folder.display()), ""),
            None => said.to_string(),
        }
    }

    fn follow(&mut self, then: Then, effects: &mut Vec<Effect>) {
        match then {
            Then::Nothing => {}
            Then::Saved(at) => self.end_edit(&at, effects),
            Then::Reveal(file) => self.reveal = Some(file),
            Then::SavedAs { draft, file } => {
                self.end_edit(&draft, effects);
                self.reveal = Some(file);
            }
        }
    }

    fn end_edit(&mut self, at: &FileAt, effects: &mut Vec<Effect>) {
        if self.editor.as_ref().is_some_and(|editor| editor.at == *at) {
            self.editor = None;
        }
        self.drop_draft(&at.path(), effects);
    }
}

/// The lines of a diff, with paths below the memory folder told from there.
pub(super) fn diff_lines(diff: &str, folder: &Path) -> Vec<String> {
    let prefix = format!("{}/", folder.display());
    let heads = ["--- ", "+++ ", "move ", "trash "];
    diff.lines()
        .map(
            |line| match heads.iter().any(|head| line.starts_with(head)) {
                true => line.replace(&prefix, ""),
                false => line.to_string(),
            },
        )
        .collect()
}

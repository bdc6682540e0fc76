//! Changes to files: what is asked for, looked at, applied, taken back, and what is said of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::app::dialog::{Answer, Choice, Merge, Prompt, Purpose, Review, Side, Task, Then};
use crate::app::editor::{Editor, Save, Spot};
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::message::{Done, Effect, Order, Proposed, Refusal, Wanted};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::app::{App, Notice, Tab};
use crate::memory::proposal::{self, IndexEdit, Wish};
use crate::store::change::ChangeSet;

/// What an answer that is awaited is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Doing {
    Opening,
    /// The file is read for a person's editor.
    Lending,
    /// It is read again after a save; the cursor goes back to where it was.
    GoingOn {
        spot: Spot,
        cursor: (usize, usize),
    },
    Creating {
        draft: FileAt,
        /// Where its index line goes was asked.
        asked: bool,
    },
    Renaming {
        folder: PathBuf,
    },
    /// A look at what the wishes come to before they are carried out.
    Reviewing {
        title: String,
        wishes: Vec<(PathBuf, Wanted)>,
    },
    /// An index line, which is looked at only if it would lie below the cut.
    Adding,
    Applying(Then),
    /// A change of the index that is shown: its lines are others until it is read again.
    Indexing,
    Rereading,
    Undoing,
    Redoing,
}

impl Doing {
    /// Whether its answer brings up an edit or a question, which the keys that follow are meant for.
    pub(super) fn comes_up(&self) -> bool {
        self.can_be_given_up() || self.is_a_save()
    }

    /// Whether nothing is lost when its answer is no longer waited for.
    pub(super) fn can_be_given_up(&self) -> bool {
        match self {
            Self::Opening
            | Self::Lending
            | Self::Reviewing { .. }
            | Self::Indexing
            | Self::Rereading => true,
            Self::GoingOn { .. }
            | Self::Creating { .. }
            | Self::Renaming { .. }
            | Self::Adding
            | Self::Applying(_)
            | Self::Undoing
            | Self::Redoing => false,
        }
    }

    /// Whether an edit is being saved, or read again after that.
    pub(super) fn is_a_save(&self) -> bool {
        match self {
            Self::Applying(then) => match then {
                Then::Saved(_) | Then::SavedAs { .. } => true,
                Then::Nothing | Then::Unmark | Then::Reveal(_) => false,
            },
            Self::Creating { .. } | Self::GoingOn { .. } => true,
            Self::Opening
            | Self::Lending
            | Self::Reviewing { .. }
            | Self::Indexing
            | Self::Rereading
            | Self::Renaming { .. }
            | Self::Adding
            | Self::Undoing
            | Self::Redoing => false,
        }
    }
}

impl App {
    pub(super) fn propose(
        &mut self,
        wishes: Vec<(PathBuf, Wanted)>,
        doing: Doing,
        effects: &mut Vec<Effect>,
    ) {
        let id = self.next_id();
        self.doing.insert(id, doing);
        effects.push(Effect::Write(Order::Propose { id, wishes }));
    }

    /// Carries wishes out, a change set each.
    pub(super) fn carry(
        &mut self,
        wishes: Vec<(PathBuf, Wanted)>,
        doing: Doing,
        effects: &mut Vec<Effect>,
    ) {
        let id = self.next_id();
        self.doing.insert(id, doing);
        effects.push(Effect::Write(Order::Carry { id, wishes }));
    }

    pub(super) fn apply(&mut self, set: ChangeSet, then: Then, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.doing.insert(id, Doing::Applying(then));
        effects.push(Effect::Write(Order::Apply { id, set }));
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

    /// Sees what moving the marked memories, or the chosen one, to the trash comes to.
    pub(super) fn trash(&mut self, effects: &mut Vec<Effect>) {
        let chosen: Vec<FileAt> = if self.marked.is_empty() {
            self.chosen_memory().into_iter().collect()
        } else {
            self.marked.iter().cloned().collect()
        };
        let what = match chosen.as_slice() {
            [] => return,
            [one] => one.file.clone(),
            [..] => format!("{} memories", chosen.len()),
        };
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
        let doing = Doing::Reviewing {
            title: format!("to the trash: {what} · u undoes it"),
            wishes: one_each.collect(),
        };
        self.propose(shown, doing, effects);
    }

    /// Takes a change back; without a key the last one.
    pub(super) fn undo(&mut self, key: Option<String>, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.doing.insert(id, Doing::Undoing);
        effects.push(Effect::Write(Order::Undo { id, key }));
    }

    /// Brings back what lies in the trash under the cursor.
    pub(super) fn restore(&mut self, effects: &mut Vec<Effect>) {
        let Some(key) = self.history.trashed().map(|manifest| manifest.key.clone()) else {
            self.say("nothing of the trash on this line · U takes a change back");
            return;
        };
        let id = self.next_id();
        self.doing.insert(id, Doing::Applying(Then::Nothing));
        effects.push(Effect::Write(Order::Restore { id, key }));
    }

    /// Takes the change under the cursor back.
    pub(super) fn undo_this(&mut self, effects: &mut Vec<Effect>) {
        match self.history.change().map(|entry| entry.key.clone()) {
            Some(key) => self.undo(Some(key), effects),
            None => self.say("no change on this line that could be taken back"),
        }
    }

    /// Has trash and history read where the view lacks them.
    pub(super) fn read_past(&mut self, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        if self.tab == Tab::History && self.history.wants(id) {
            effects.push(Effect::Write(Order::ReadPast { id }));
        }
    }

    pub(super) fn redo(&mut self, effects: &mut Vec<Effect>) {
        let id = self.next_id();
        self.doing.insert(id, Doing::Redoing);
        effects.push(Effect::Write(Order::Redo { id }));
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
                if doing.is_a_save() {
                    self.type_held();
                }
                self.notice = Some(Notice::Error(said));
                return;
            }
        };
        let Some(first) = proposed.proposals.first().cloned() else {
            return;
        };
        match doing {
            Doing::Creating { draft, asked } => {
                if let Some(warning) = first.warning.filter(|_| !asked) {
                    self.ask_place(&draft, warning);
                    return;
                }
                let file = FileAt {
                    folder: draft.folder.clone(),
                    file: first.file.unwrap_or_default(),
                };
                let then = Then::SavedAs { draft, file };
                self.apply(first.set, then, effects);
            }
            Doing::Renaming { folder } => {
                let reveal = |file| Then::Reveal(FileAt { folder, file });
                let then = first.file.map_or(Then::Nothing, reveal);
                self.apply(first.set, then, effects);
            }
            Doing::Reviewing { title, wishes } => {
                let folder = wishes.first().map(|(folder, _)| folder.clone());
                let task = Task::Carry(wishes);
                let folder = folder.unwrap_or_default();
                self.review(title, &folder, proposed, task, Then::Unmark);
            }
            Doing::Adding => {
                let folder = self.tree.current().map(|state| state.shelf.folder.clone());
                let folder = folder.unwrap_or_default();
                let title = "add the line all the same?";
                self.apply_or_ask(proposed, title, &folder, Then::Nothing, effects);
            }
            Doing::Opening
            | Doing::Lending
            | Doing::GoingOn { .. }
            | Doing::Applying(_)
            | Doing::Indexing
            | Doing::Rereading
            | Doing::Undoing
            | Doing::Redoing => {}
        }
    }

    /// Asks where the index line of a new memory shall go, which would lie below the cut.
    fn ask_place(&mut self, draft: &FileAt, warning: String) {
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
                    "put its line at the head of its list, where it is seen",
                    create(true),
                ),
                ("below the cut all the same", create(false)),
            ],
            list: List::default(),
        }));
    }

    /// Applies a proposal; one with a warning is shown first.
    fn apply_or_ask(
        &mut self,
        proposed: Proposed,
        title: &str,
        folder: &Path,
        then: Then,
        effects: &mut Vec<Effect>,
    ) {
        let Some(first) = proposed.proposals.first().cloned() else {
            return;
        };
        if first.warning.is_some() {
            let task = Task::Apply(first.set);
            self.review(title.to_string(), folder, proposed, task, then);
        } else {
            self.apply(first.set, then, effects);
        }
    }

    fn review(&mut self, title: String, folder: &Path, proposed: Proposed, task: Task, then: Then) {
        let warnings = proposed
            .proposals
            .into_iter()
            .filter_map(|proposal| proposal.warning)
            .chain(proposed.notices)
            .collect();
        self.overlay = Some(Overlay::Review(Box::new(Review {
            title,
            warnings,
            lines: diff_lines(&proposed.diff, folder),
            task,
            then,
            list: List::default(),
        })));
    }

    /// Does what the layer on top asks about.
    pub(super) fn confirm(&mut self, effects: &mut Vec<Effect>) {
        match self.overlay.take() {
            Some(Overlay::Review(review)) => {
                let Review { task, then, .. } = *review;
                match task {
                    Task::Apply(set) => self.apply(set, then, effects),
                    Task::Carry(wishes) => self.carry(wishes, Doing::Applying(then), effects),
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
            other @ (Some(Overlay::Help(_) | Overlay::Palette(_) | Overlay::Finder(_)) | None) => {
                self.overlay = other;
            }
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
                self.propose(vec![(folder, Wanted::Wish(wish))], doing, effects);
            }
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
        self.history.outdate();
        let done = match (applied, &doing) {
            (Ok(done), _) => done,
            (Err(Refusal::Overlap { three_way, .. }), Doing::Applying(Then::Saved(at))) => {
                self.type_held();
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
            (Err(Refusal::Said(said)), Doing::Undoing | Doing::Redoing) => {
                self.say(said);
                return;
            }
            (Err(Refusal::Said(said)), _) => {
                if doing.is_a_save() {
                    self.type_held();
                }
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
        let of_index = doing == Doing::Indexing;
        let said = match doing {
            Doing::Undoing => format!("taken back: {}", done.title),
            Doing::Redoing => format!("done again: {}", done.title),
            Doing::Applying(then) => {
                self.follow(then, effects);
                format!("{} · u undoes it", done.title)
            }
            Doing::Indexing => format!("{} · u undoes it", done.title),
            Doing::Opening
            | Doing::Lending
            | Doing::GoingOn { .. }
            | Doing::Rereading
            | Doing::Creating { .. }
            | Doing::Renaming { .. }
            | Doing::Reviewing { .. }
            | Doing::Adding => done.title,
        };
        self.say(notices + &said);
        self.read_again(effects);
        if of_index {
            self.await_index(effects);
        }
    }

    /// The next keys are meant for the index as it is now: they wait until it has been read.
    fn await_index(&mut self, effects: &[Effect]) {
        let folder = self.tree.current().map(|state| state.shelf.folder.clone());
        let reading = effects.iter().find_map(|effect| match effect {
            Effect::ReadShelf { id, shelf } if Some(&shelf.folder) == folder.as_ref() => Some(*id),
            _ => None,
        });
        if let Some(id) = reading {
            self.doing.insert(id, Doing::Rereading);
        }
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
            Then::Unmark => self.marked.clear(),
            Then::Saved(at) => {
                self.drop_draft(&at.path(), effects);
                self.go_on(at, effects);
            }
            Then::Reveal(file) => self.reveal = Some(file),
            Then::SavedAs { draft, file } => {
                self.drop_draft(&draft.path(), effects);
                self.reveal = Some(file.clone());
                self.go_on(file, effects);
            }
        }
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

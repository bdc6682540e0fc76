//! Changes to files: what is asked for, looked at, applied, taken back, and what is said of it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::app::action::Action;
use crate::app::conflict::Merge;
use crate::app::dialog::{Answer, Choice, Review, Task, Then};
use crate::app::diff_text::DiffText;
use crate::app::doing::Doing;
use crate::app::health_sweep::Touched;
use crate::app::list::List;
use crate::app::message::{Done, Effect, Order, Proposed, Refusal, Unmet, Wanted};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::app::{App, Notice, Tab};
use crate::base::{display, text};
use crate::memory::proposal::Wish;
use crate::store::change::ChangeSet;

/// Characters of a line of a diff that are shown at most; no screen is as wide.
const MOST_OF_A_LINE: usize = 2_000;

/// Cells of what was done, where more is told of it.
const TOLD_CELLS: usize = 44;

impl App {
    /// Notes what is being done; its answer bears the id.
    pub(super) fn begin(&mut self, doing: Doing) -> u64 {
        let id = self.next_id();
        self.doing.insert(id, doing);
        id
    }

    pub(super) fn propose(
        &mut self,
        wishes: Vec<(PathBuf, Wanted)>,
        doing: Doing,
        effects: &mut Vec<Effect>,
    ) {
        let id = self.begin(doing);
        effects.push(Effect::Write(Order::Propose { id, wishes }));
    }

    /// Carries wishes out, a change set each.
    pub(super) fn carry(
        &mut self,
        wishes: Vec<(PathBuf, Wanted)>,
        doing: Doing,
        effects: &mut Vec<Effect>,
    ) {
        let mut folders: BTreeSet<PathBuf> = wishes.iter().map(|(it, _)| it.clone()).collect();
        folders.extend(wishes.iter().filter_map(|(_, wanted)| match wanted {
            Wanted::Wish(Wish::Transfer { to, .. }) => Some(to.clone()),
            Wanted::Wish(_) | Wanted::Fix(_) | Wanted::Mend(_) | Wanted::Project(_) => None,
        }));
        self.health.touch(Touched::Folders(folders));
        let id = self.begin(doing);
        effects.push(Effect::Write(Order::Carry { id, wishes }));
    }

    pub(super) fn apply(&mut self, set: ChangeSet, then: Then, effects: &mut Vec<Effect>) {
        self.write(set, then, false, effects);
    }

    /// Applies a change set; `leaks`: also one that puts a secret into a file.
    pub(super) fn write(
        &mut self,
        set: ChangeSet,
        then: Then,
        leaks: bool,
        effects: &mut Vec<Effect>,
    ) {
        self.health.touch(Touched::Anything);
        let id = self.begin(Doing::Applying(then));
        effects.push(Effect::Write(Order::Apply { id, set, leaks }));
    }

    /// Asks whether a secret is to be written all the same.
    fn ask_leak(&mut self, said: &str, set: Box<ChangeSet>, doing: Doing) {
        if doing.is_a_save() {
            self.type_held();
        }
        let then = if let Doing::Applying(then) = doing {
            then
        } else {
            Then::Nothing
        };
        let then = Box::new(then);
        self.overlay = Some(Overlay::Choice(Choice {
            title: "a secret?".to_string(),
            lines: vec![self.without_folders(said)],
            answers: vec![
                (
                    "leave it out: nothing is written yet".to_string(),
                    Answer::Stay,
                ),
                (
                    "write it all the same".to_string(),
                    Answer::Leak { set, then },
                ),
            ],
            list: List::default(),
        }));
    }

    /// Takes a change back; without a key the last one.
    pub(super) fn undo(&mut self, key: Option<String>, effects: &mut Vec<Effect>) {
        self.health.touch(Touched::Anything);
        let id = self.begin(Doing::Undoing);
        effects.push(Effect::Write(Order::Undo { id, key }));
    }

    /// How as many changes are taken back: the end of a sentence.
    pub(super) fn undo_hint(&self, changes: usize) -> String {
        match (self.hint(Action::Undo, "undoes"), changes) {
            (_, 0) => String::new(),
            (undoes, _) if undoes.is_empty() => undoes,
            (undoes, 1) => format!("{undoes} it"),
            (undoes, _) => {
                let key = self.key(Action::Undo);
                format!("{undoes} the last, {key} again the one before")
            }
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
        self.health.touch(Touched::Anything);
        let id = self.begin(Doing::Redoing);
        effects.push(Effect::Write(Order::Redo { id }));
    }

    /// Takes what a wish comes to.
    pub(super) fn proposed(
        &mut self,
        doing: Doing,
        proposed: Result<Box<Proposed>, Unmet>,
        effects: &mut Vec<Effect>,
    ) {
        let mut proposed = match proposed {
            Ok(proposed) => *proposed,
            Err(unmet) => {
                let said = unmet.said;
                if doing.is_a_save() {
                    self.type_held();
                }
                if let Doing::Renaming { at, typed } = doing {
                    let said = self.without_folder(&said);
                    self.prompt_name(at, &typed, Some(said));
                    return;
                }
                if let Doing::Placing {
                    key, asked, typed, ..
                } = doing
                {
                    self.prompt_path(key, asked, &typed, Some(said));
                    return;
                }
                if let (Doing::Reviewing { title, wishes }, Some(at)) = (&doing, unmet.name_of) {
                    self.ask_other_name(title.clone(), wishes.clone(), at, &said);
                    return;
                }
                self.fail(said);
                return;
            }
        };
        let Some(first) = proposed.proposals.first().cloned() else {
            return;
        };
        match doing {
            Doing::Creating { draft, asked } => {
                if let Some(warning) = first.warnings.into_iter().next().filter(|_| !asked) {
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
            Doing::Renaming { at, .. } => {
                let reveal = |file| {
                    Then::Reveal(FileAt {
                        folder: at.folder,
                        file,
                    })
                };
                let then = first.file.map_or(Then::Nothing, reveal);
                self.apply(first.set, then, effects);
            }
            Doing::Placing { typed, wishes, .. } => {
                let folder = wishes.first().map(|(folder, _)| folder.clone());
                let (folder, task) = (folder.unwrap_or_default(), Task::Carry(wishes));
                let title = format!("relink to {typed}");
                self.review(&title, &folder, proposed, task, Then::Unmark);
            }
            Doing::Reviewing { title, mut wishes } => {
                if self.ask_demoted_place(&title, &wishes, &first) {
                    return;
                }
                let folder = wishes.first().map(|(folder, _)| folder.clone());
                for ((_, wanted), shown) in wishes.iter_mut().zip(&proposed.proposals) {
                    if let Wanted::Wish(wish) = wanted {
                        wish.was_shown(shown);
                    }
                }
                for ((_, wanted), memories) in wishes.iter_mut().zip(&proposed.memories) {
                    if let Wanted::Project(wish) = wanted {
                        wish.was_shown(memories.clone());
                    }
                }
                self.name_projects(&wishes, &mut proposed.proposals);
                let (folder, task) = (folder.unwrap_or_default(), Task::Carry(wishes));
                self.review(&title, &folder, proposed, task, Then::Unmark);
            }
            Doing::Adding => {
                let folder = self.tree.current().map(|state| state.shelf.folder.clone());
                let folder = folder.unwrap_or_default();
                let title = "add the line all the same?";
                self.apply_or_ask(proposed, title, &folder, Then::Nothing, effects);
            }
            Doing::Opening
            | Doing::OpeningCard { .. }
            | Doing::TakingQuestion
            | Doing::Lending
            | Doing::TrashingRule(_)
            | Doing::GoingOn { .. }
            | Doing::Applying(_)
            | Doing::Indexing
            | Doing::LookingBack { .. }
            | Doing::LookingInto { .. }
            | Doing::Exporting(_)
            | Doing::Rereading
            | Doing::Undoing
            | Doing::Redoing => {}
        }
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
        if first.warnings.is_empty() {
            self.apply(first.set, then, effects);
        } else {
            let task = Task::Apply(first.set);
            self.review(title, folder, proposed, task, then);
        }
    }

    fn review(&mut self, title: &str, folder: &Path, proposed: Proposed, task: Task, then: Then) {
        let old_paths = proposed.old_paths;
        let offer = self.offer_of_old_paths(&old_paths);
        let warnings = proposed
            .proposals
            .into_iter()
            .flat_map(|proposal| proposal.warnings)
            .chain(proposed.notices)
            .chain(offer)
            .map(|said| display::homely(&said, &self.home))
            .collect();
        // What went wrong before is not about this.
        self.notice.take_if(|it| matches!(it, Notice::Error(_)));
        let lines = diff_lines(&proposed.diff, folder).into_iter();
        let lines = lines.map(|line| match is_head(&line) {
            true => display::homely(&line, &self.home),
            false => line,
        });
        self.overlay = Some(Overlay::Review(Box::new(Review {
            title: display::homely(title, &self.home),
            warnings,
            diff: DiffText::new(lines.collect()),
            task,
            then,
            old_paths,
            list: List::default(),
        })));
    }

    /// Takes the answer to a change.
    #[allow(clippy::too_many_lines, reason = "a line a kind of change")]
    pub(super) fn applied(
        &mut self,
        doing: Doing,
        applied: Result<Done, Refusal>,
        effects: &mut Vec<Effect>,
    ) {
        self.history.outdate();
        self.sessions.outdate();
        self.projects.outdate();
        self.health.outdate();
        let done = match (applied, &doing) {
            (Ok(done), _) => done,
            (Err(Refusal::Secret { said, set }), _) => {
                self.ask_leak(&said, set, doing);
                return;
            }
            (
                Err(Refusal::Overlap { three_way, .. }),
                Doing::Applying(Then::Saved(at) | Then::SavedAs { file: at, .. }),
            ) => {
                self.type_held();
                let merge = Merge::new(at.clone(), *three_way);
                self.overlay = Some(Overlay::Merge(Box::new(merge)));
                return;
            }
            (Err(Refusal::Overlap { path, .. }), Doing::Undoing | Doing::Redoing) => {
                let path = path.display();
                self.fail(format!(
                    "{path} was changed by somebody else in the same lines since; nothing was written: change it by hand"
                ));
                self.read_again(effects);
                return;
            }
            (Err(Refusal::Overlap { path, .. }), _) => {
                let path = path.display();
                let said = format!(
                    "{path} was changed by somebody else in the same lines; nothing was written: do it again"
                );
                self.fail(said);
                self.read_again(effects);
                return;
            }
            (Err(Refusal::Said(said)), Doing::Undoing | Doing::Redoing) => {
                self.say(self.without_folders(&said));
                return;
            }
            (Err(Refusal::Said(said)), doing) => {
                if doing.is_a_save() {
                    self.type_held();
                }
                // The way on, where the file is no more.
                let lost = doing.is_a_save() && said.contains("is gone");
                let way = self.key(Action::Drafts);
                self.fail(match lost {
                    true => format!("{said} · or esc, then {way} writes it anew as typed"),
                    false => said,
                });
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
        let undo = self.undo_hint(done.sets);
        let said = match doing {
            Doing::Undoing => format!("taken back: {}", done.title),
            Doing::Redoing => format!("done again: {}", done.title),
            Doing::Applying(then @ (Then::Saved(_) | Then::SavedAs { .. })) => {
                self.follow(then, effects);
                // Here the keys type: they lead back only from the view.
                let leave = self.hint(Action::Back, "leaves the edit");
                match self.editor {
                    Some(_) => format!("saved: {}{leave}", done.title),
                    None => format!("{}{undo}", done.title),
                }
            }
            // The key that takes it back is not what a narrow line cuts off.
            Doing::Applying(Then::Told(more)) => {
                format!("{}{undo} · {more}", text::cut_end(&done.title, TOLD_CELLS))
            }
            Doing::Applying(then) => {
                self.follow(then, effects);
                format!("{}{undo}", done.title)
            }
            Doing::Indexing => format!("{}{undo}", done.title),
            Doing::Opening
            | Doing::OpeningCard { .. }
            | Doing::TakingQuestion
            | Doing::Lending
            | Doing::TrashingRule(_)
            | Doing::GoingOn { .. }
            | Doing::LookingBack { .. }
            | Doing::LookingInto { .. }
            | Doing::Exporting(_)
            | Doing::Rereading
            | Doing::Creating { .. }
            | Doing::Renaming { .. }
            | Doing::Reviewing { .. }
            | Doing::Placing { .. }
            | Doing::Adding => done.title,
        };
        self.say(notices + &said);
        self.projects.follow(&done.touched);
        self.count_touched(&done.touched, effects);
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

    /// A sentence with the paths of any memory folder told from there.
    pub(super) fn without_folders(&self, said: &str) -> String {
        let mut said = said.to_string();
        for state in self.tree.shelves() {
            said = said.replace(&format!("{}/", state.shelf.folder.display()), "");
        }
        said
    }

    /// A sentence with the paths of the current memory folder told from there.
    pub(super) fn without_folder(&self, said: &str) -> String {
        match self.tree.current() {
            Some(state) => said.replace(&format!("{}/", state.shelf.folder.display()), ""),
            None => said.to_string(),
        }
    }

    fn follow(&mut self, then: Then, effects: &mut Vec<Effect>) {
        match then {
            Then::Nothing | Then::Told(_) => {}
            Then::Unmark => {
                self.marked.clear();
                self.projects.unmark_listed();
            }
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

/// Whether a line of a diff names files.
fn is_head(line: &str) -> bool {
    let heads = ["--- ", "+++ ", "move ", "trash ", "rewrite "];
    heads.iter().any(|head| line.starts_with(head))
}

/// The lines of a diff, with paths below the memory folder told from there.
pub(super) fn diff_lines(diff: &str, folder: &Path) -> Vec<String> {
    let prefix = format!("{}/", folder.display());
    let is_told = |line: &str| !folder.as_os_str().is_empty() && is_head(line);
    // A line of a transcript may be as long as a file.
    let lines = diff
        .lines()
        .map(|line| match line.char_indices().nth(MOST_OF_A_LINE) {
            Some((end, _)) => format!("{}{}", &line[..end], text::ELLIPSIS),
            None => line.to_string(),
        });
    lines
        .map(|line| match is_told(&line) {
            true => line.replace(&prefix, ""),
            false => line,
        })
        .collect()
}

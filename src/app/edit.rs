//! Editing a memory: opening it, taking a draft up, saving, leaving. What is typed is in
//! [`Editor`](crate::app::editor::Editor); files are read and written by effects.

use crate::app::action::{Action, Scope};
use crate::app::agent_question::QUESTION_FILE;
use crate::app::change::diff_lines;
use crate::app::dialog::{Answer, Review, Task, Then};
use crate::app::diff_text::DiffText;
use crate::app::doing::Doing;
use crate::app::editor::{self, Editor, NEW_FILE, Save, Spot};
use crate::app::layout::Pane;
use crate::app::list::List;
use crate::app::message::{Editable, Effect, Message, Wanted};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::app::tree_rows::Row;
use crate::app::{App, Tab};
use crate::memory::proposal::{self, Wish};
use crate::store::diff;

impl App {
    /// The scope of an open edit.
    pub(super) fn editor_scope(&self) -> Option<Scope> {
        self.editor.as_ref().map(|editor| match editor.spot {
            Spot::Field(_) => Scope::Form,
            Spot::Body => Scope::Body,
        })
    }

    /// Opens the chosen file to be edited.
    pub(super) fn edit(&mut self, effects: &mut Vec<Effect>) {
        let Some(at) = self.place_to_edit() else {
            return;
        };
        let entry = self.tree.row().and_then(|row| self.tree.memory(row));
        if let Some(why) = entry.and_then(|(_, entry)| entry.unread.as_ref()) {
            let said = format!("{} {why}", at.file);
            self.fail(said);
            return;
        }
        self.open_to_edit(at, Doing::Opening, effects);
    }

    /// Has the chosen file read for a person's own editor.
    pub(super) fn lend(&mut self, effects: &mut Vec<Effect>) {
        let row = self.tree.row();
        let unread = row
            .and_then(|row| self.tree.memory(row))
            .is_some_and(|(_, entry)| entry.unread.is_some());
        let chosen = match self.rule_here() {
            Some(_) => match self.place_to_edit() {
                Some(at) => Some(at),
                None => return,
            },
            None => row.and_then(|row| self.tree.file(row)).filter(|_| !unread),
        };
        match chosen {
            None => self.say("no memory is chosen that can be read"),
            Some(at) if self.drafts.contains(&at.path()) => {
                self.say("it has a draft: save or discard that first (e)");
            }
            Some(at) => self.open_to_edit(at, Doing::Lending, effects),
        }
    }

    /// Hands the file that was read to a person's own editor.
    pub(super) fn lend_file(
        &mut self,
        at: FileAt,
        read: Result<Box<Editable>, String>,
        effects: &mut Vec<Effect>,
    ) {
        match read {
            Ok(editable) => {
                let bytes = editable.bytes.unwrap_or_default();
                effects.push(Effect::EditOutside { at, bytes });
            }
            Err(said) => self.fail(said),
        }
    }

    /// Takes what a person's own editor left.
    pub(super) fn take_outside(
        &mut self,
        at: &FileAt,
        before: Vec<u8>,
        edited: Result<Vec<u8>, String>,
        effects: &mut Vec<Effect>,
    ) {
        let lent = self.agent.lent.take();
        match edited {
            Err(said) => self.fail(said),
            Ok(after) if after == before => self.say("nothing was changed"),
            Ok(after) if lent.is_some() => self.take_lent_card(lent, after, effects),
            Ok(after) => {
                let set = match self.is_rule(at) {
                    true => editor::rule_set(at, Some(before), after),
                    false => proposal::edited(&at.folder, &at.file, before, after, false),
                };
                self.apply(set, Then::Saved(at.clone()), effects);
            }
        }
    }

    /// Begins a new memory in the current project.
    pub(super) fn new_memory(&mut self, effects: &mut Vec<Effect>) {
        let Some(state) = self.tree.current() else {
            self.say("no project is chosen");
            return;
        };
        let at = FileAt {
            folder: state.shelf.folder.clone(),
            file: NEW_FILE.to_string(),
        };
        self.open_to_edit(at, Doing::Opening, effects);
    }

    /// Has a file read to be edited. A rule that a link takes out of its folder is asked for first.
    pub(super) fn open_to_edit(&mut self, at: FileAt, doing: Doing, effects: &mut Vec<Effect>) {
        let lend = doing == Doing::Lending;
        if let Some((title, real)) = self.led_out(&at) {
            self.ask_through(at, lend, &title, &real);
        } else {
            self.read_to_edit(at, doing, effects);
        }
    }

    fn read_to_edit(&mut self, at: FileAt, doing: Doing, effects: &mut Vec<Effect>) {
        let id = self.begin(doing);
        let order = self.order_to_open(id, at);
        effects.push(Effect::Write(order));
    }

    /// Goes on with a file that was saved, from what is there now: another side's lines are in it if
    /// they were merged.
    pub(super) fn go_on(&mut self, at: FileAt, effects: &mut Vec<Effect>) {
        if let Some(editor) = &self.editor {
            let doing = Doing::GoingOn {
                spot: editor.spot,
                cursor: editor.body.cursor(),
            };
            self.read_to_edit(at, doing, effects);
        }
    }

    /// Puts the cursor back to where it was before the save.
    pub(super) fn stand_at(&mut self, spot: Spot, (line, column): (usize, usize)) {
        if let Some(editor) = &mut self.editor {
            editor.spot = spot;
            editor.body.go(line, column);
        }
    }

    /// Types what was held back by a save that came to nothing.
    pub(super) fn type_held(&mut self) {
        for message in std::mem::take(&mut self.held) {
            match (message, &mut self.editor) {
                (Message::Key(key), Some(editor)) => {
                    editor.press(key);
                }
                (Message::Paste(text), Some(editor)) => {
                    if let Some(cut) = editor.paste(&text) {
                        self.say(cut);
                    }
                }
                _ => {}
            }
        }
    }

    /// Takes the file that was to be edited.
    pub(super) fn begin_edit(&mut self, at: FileAt, read: Result<Box<Editable>, String>) {
        let Editable {
            bytes,
            modified,
            drafts,
        } = match read {
            Ok(editable) => *editable,
            Err(said) => {
                self.fail(said);
                return;
            }
        };
        let opened = match bytes {
            bytes if self.is_rule(&at) => {
                let beginning = self.beginning_of(&at);
                Editor::rule(at, bytes, modified, beginning)
            }
            _ if at.file == NEW_FILE => Ok(Editor::new_memory(at.folder, self.kind_here())),
            Some(bytes) => Editor::open(at, bytes, modified),
            None => {
                self.offer_anew(&at, drafts);
                return;
            }
        };
        let mut editor = match opened {
            Ok(editor) => editor,
            Err(said) => {
                self.fail(said);
                return;
            }
        };
        if let Some(fault) = editor.locked_by().filter(|_| drafts.is_empty()) {
            self.say(format!("{}: the whole file is the text", fault.sentence()));
        }
        self.offer_drafts(&mut editor, drafts);
        self.editor = Some(editor);
        self.tab = Tab::Memory;
        self.focus = Pane::Main;
    }

    /// The type of the group that the cursor is in: what a new memory is most likely to be.
    fn kind_here(&self) -> &'static str {
        use crate::app::editor::form::TYPES;
        use crate::app::tree::Group;
        let word = match self.tree.row() {
            Some(Row::Group {
                group: Group::Type(kind),
                ..
            }) => kind.word(),
            Some(row) => self
                .tree
                .memory(row)
                .and_then(|(_, entry)| entry.kind.word()),
            None => None,
        };
        let at = TYPES.iter().position(|one| Some(*one) == word);
        TYPES[at.unwrap_or(2)]
    }

    /// Does what was chosen of a draft.
    pub(super) fn answer(&mut self, answer: Answer, effects: &mut Vec<Effect>) {
        match answer {
            Answer::Stay => {}
            Answer::PreviewAgent(name) => self.preview_agent(name),
            Answer::Relink { key, path } => self.relink(key, path, effects),
            Answer::AskPath { key, title } => self.ask_path(key, &title),
            Answer::Export(asked) => self.ask_archive(asked),
            Answer::ExportOver(asked) => self.export(asked, effects),
            Answer::Import(wish) => self.import(wish, effects),
            Answer::GiveUp => self.give_up(effects),
            Answer::TakeDraft(draft) => self.take_draft(&draft),
            Answer::DropDrafts(drafts) => self.drop_drafts(drafts, effects),
            Answer::EditCard { id, file, lend } => self.edit_card_file(&id, file, lend, effects),
            Answer::OpenDraft(at) if at.file == QUESTION_FILE => {
                self.act_on_agent(Action::ShowAgent, effects);
            }
            Answer::OpenDraft(at) => {
                self.tree.reveal(&at.folder, &at.file);
                self.open_to_edit(at, Doing::Opening, effects);
            }
            Answer::WriteAnew(draft) => self.write_anew(*draft),
            Answer::Create { draft, wish } => {
                let folder = draft.folder.clone();
                let wishes = vec![(folder, Wanted::Wish(wish))];
                self.propose(wishes, Doing::Creating { draft, asked: true }, effects);
            }
            Answer::Leak { set, then } => self.write(*set, *then, true, effects),
            Answer::Go(to) => self.go_along(&to),
            Answer::Turn {
                session,
                title,
                at,
                from,
            } => self.go_to_turn(session, title, at, from, effects),
            Answer::Touched(path) => self.leave_session_for(&path),
            Answer::NewRule(path) => self.new_rule(&path, effects),
            Answer::AskRule { folder, title } => self.ask_rule_name(folder, &title),
            Answer::Promote { at, to } => self.promote(at, to, effects),
            Answer::Through { at, lend } => {
                let doing = match lend {
                    true => Doing::Lending,
                    false => Doing::Opening,
                };
                self.read_to_edit(at, doing, effects);
            }
            Answer::AskName(part) => self.ask_memory_name(part),
            Answer::Demote { part, name, kind } => self.demote(*part, name, kind, effects),
            Answer::Place {
                title,
                folder,
                demotion,
            } => self.review_demotion(title, folder, *demotion, effects),
        }
    }

    /// Saves the edit.
    pub(super) fn save(&mut self, effects: &mut Vec<Effect>) {
        let Some(editor) = &self.editor else {
            return;
        };
        if let Some(card) = editor.card.clone() {
            self.save_card(&card, effects);
            return;
        }
        let at = editor.at.clone();
        match editor.save() {
            Err(error) => self.fail(error.to_string()),
            Ok(Save::Same) => {
                self.drop_draft(&at.path(), effects);
                self.editor = None;
                self.say("nothing was changed: nothing to save");
            }
            Ok(Save::Change(set)) => {
                let then = then_of(editor);
                self.apply(set, then, effects);
            }
            Ok(Save::New { name, .. }) if name.is_empty() => {
                self.say("a memory needs a name: type one");
                if let Some(editor) = &mut self.editor {
                    editor.spot = Spot::Field(0);
                }
            }
            Ok(Save::New {
                name,
                kind,
                description,
                body,
            }) => {
                let folder = at.folder.clone();
                let wish = Wish::Create {
                    name,
                    kind,
                    description,
                    body,
                    first: false,
                };
                self.propose(
                    vec![(folder, Wanted::Wish(wish))],
                    Doing::Creating {
                        draft: at,
                        asked: false,
                    },
                    effects,
                );
            }
        }
    }

    /// Shows what a save would change, and saves when that is confirmed.
    pub(super) fn show_change(&mut self) {
        let Some(editor) = &self.editor else {
            return;
        };
        match editor.save() {
            Err(error) => self.fail(error.to_string()),
            Ok(Save::Same) => self.say("nothing was changed"),
            Ok(Save::New { .. }) => self.say("all of it is new"),
            Ok(Save::Change(set)) => {
                let lines = diff::of_set(&set);
                self.overlay = Some(Overlay::Review(Box::new(Review {
                    title: format!("save {}", editor.at.file),
                    warnings: Vec::new(),
                    old_paths: Vec::new(),
                    diff: DiffText::new(diff_lines(&lines, &editor.at.folder)),
                    then: then_of(editor),
                    task: match editor.card {
                        Some(_) => Task::SaveCard,
                        None => Task::Apply(set),
                    },
                    list: List::default(),
                })));
            }
        }
    }

    /// Whether an answer about the open edit is still to come: until then nothing is typed.
    pub(super) fn is_saving(&self) -> bool {
        self.doing.values().any(Doing::is_a_save)
    }

    /// Leaves the edit; what was typed stays as a draft.
    pub(super) fn leave_edit(&mut self, effects: &mut Vec<Effect>) {
        if let Some(editor) = self.editor.as_mut().filter(|editor| editor.is_changed()) {
            // Another window may have let it go: what is said to be kept is.
            editor.touch();
        }
        self.keep_draft(effects);
        let Some(editor) = self.editor.take() else {
            return;
        };
        let path = editor.at.path();
        if editor.card.is_some() && self.focus == Pane::Main && self.tab == Tab::Memory {
            self.turn_to_cards();
        }
        if self.drafts.contains(&path) {
            if editor.is_changed() {
                let action = match editor.is_new() {
                    true => Action::New,
                    false => Action::Edit,
                };
                let hint = self.hint(action, "goes on with it");
                self.say(format!("the draft is kept{hint}"));
            } else {
                self.drop_draft(&path, effects);
            }
        }
    }

    /// What is to be done before the program ends: nothing typed is lost.
    pub fn leave(&mut self) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.keep_draft(&mut effects);
        self.keep_at_end(&mut effects);
        effects
    }

    /// Whether the person has turned to something else. A file that is gone or was replaced keeps its
    /// edit: a save then says what is there.
    pub(super) fn has_left_edit(&self) -> bool {
        self.editor.is_some() && !(self.focus == Pane::Main && self.tab == Tab::Memory)
    }

    pub(super) fn keep_age(&mut self) {
        if let Some(editor) = &mut self.editor {
            if editor.is_rule() {
                self.say("a rule has no age: it is sent as it is");
                return;
            }
            if editor.card.is_some() {
                self.say("the agent's proposal says whether the age stays");
                return;
            }
            editor.keep_age = !editor.keep_age;
            let word = if editor.keep_age {
                "saving keeps the age"
            } else {
                "saving a new fact makes the memory young"
            };
            self.say(word);
        }
    }

    pub(super) fn rewind(&mut self, back: bool) {
        let done = self
            .editor
            .as_mut()
            .is_some_and(|editor| editor.rewind(back));
        if !done {
            self.say(if back {
                "nothing typed to take back here"
            } else {
                "nothing to do again here"
            });
        }
    }

    pub(super) fn move_field(&mut self, by: isize) {
        if let Some(editor) = &mut self.editor {
            let before = editor.spot;
            editor.move_field(by);
            if editor.spot == before {
                self.say("this is the first field");
            }
        }
    }
}

/// What follows a save: the tree goes to a file that came to be.
fn then_of(editor: &Editor) -> Then {
    let at = editor.at.clone();
    match editor.is_new() {
        true => Then::SavedAs {
            draft: at.clone(),
            file: at,
        },
        false => Then::Saved(at),
    }
}

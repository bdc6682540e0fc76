//! Changing the index from its view: an entry up or down, its hook, out of the index; a memory that
//! has no line into it. And what would be loaded then.

use crate::app::action::Action;
use crate::app::dialog::{Prompt, Purpose};
use crate::app::doing::Doing;
use crate::app::field::Field;
use crate::app::index_rows::{self, IndexRow, Which};
use crate::app::layout::Pane;
use crate::app::message::{Effect, Wanted};
use crate::app::overlay::Overlay;
use crate::app::tree::FileAt;
use crate::app::{App, Notice, Tab};
use crate::base::time::grouped;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::memory::file::State;
use crate::memory::index_edit;
use crate::memory::load;
use crate::memory::pointer::Pointer;
use crate::memory::proposal::{EntryAt, IndexEdit, Wish};

impl App {
    /// The entry of the index under the cursor.
    pub(super) fn entry_here(&self) -> Option<(&Pointer, Which)> {
        self.pointed_at()
            .filter(|(pointer, _)| pointer.place.is_entry())
    }

    fn edit_index(&mut self, which: Which, edit: IndexEdit, effects: &mut Vec<Effect>) {
        let Some(state) = self.tree.current() else {
            return;
        };
        let folder = state.shelf.folder.clone();
        let wish = Wish::Index {
            prefix: which.prefix().to_string(),
            edit,
        };
        self.carry(vec![(folder, Wanted::Wish(wish))], Doing::Indexing, effects);
    }

    /// Moves the entry under the cursor to the place of the next one, or of the one before.
    pub(super) fn move_entry(&mut self, down: bool, effects: &mut Vec<Effect>) {
        let Some((pointer, which)) = self.entry_here() else {
            self.say("no entry on this line");
            return;
        };
        let (line, target) = (pointer.line, pointer.target.clone());
        let contents = self.tree.current().and_then(|it| it.contents.as_ref());
        let index = contents.and_then(|contents| index_rows::index(contents, which));
        let mut lines = index.into_iter().flat_map(|index| &index.pointers);
        let is_entry = |pointer: &&Pointer| pointer.place.is_entry();
        let to = if down {
            lines.find(|other| is_entry(other) && other.line > line)
        } else {
            lines.rfind(|other| is_entry(other) && other.line < line)
        };
        match to.map(|other| other.line) {
            None => self.say(if down {
                "this is the last entry"
            } else {
                "this is the first entry"
            }),
            Some(to) => {
                self.index.follow(which, target.clone(), line);
                let entry = EntryAt { line, target };
                self.edit_index(which, IndexEdit::Move { entry, to }, effects);
            }
        }
    }

    /// Asks for another hook of the entry under the cursor.
    pub(super) fn ask_hook(&mut self) {
        let Some((pointer, which)) = self.entry_here() else {
            self.say("no entry on this line");
            return;
        };
        let Some(state) = self.tree.current() else {
            return;
        };
        self.overlay = Some(Overlay::Prompt(Prompt {
            title: format!("hook of {}", pointer.title),
            hint: "what the model chooses by, in one line",
            field: Field::of(&pointer.hook),
            said: None,
            purpose: Purpose::Hook {
                folder: state.shelf.folder.clone(),
                which,
                entry: entry_at(pointer),
            },
        }));
    }

    /// Sees what the index is without the entry under the cursor.
    pub(super) fn remove_entry(&mut self, effects: &mut Vec<Effect>) {
        let Some((pointer, which)) = self.entry_here() else {
            self.say("no entry on this line");
            return;
        };
        let edit = IndexEdit::Remove {
            entry: entry_at(pointer),
        };
        let title = format!("out of the index: {} · its file stays", pointer.title);
        let Some(state) = self.tree.current() else {
            return;
        };
        let wish = Wish::Index {
            prefix: which.prefix().to_string(),
            edit,
        };
        let wishes = vec![(state.shelf.folder.clone(), Wanted::Wish(wish))];
        let doing = Doing::Reviewing {
            title,
            wishes: wishes.clone(),
        };
        self.propose(wishes, doing, effects);
    }

    /// The memory that a line could be added for: that of the row, in tree or index.
    pub(super) fn ghost_here(&self) -> Option<FileAt> {
        let ghost = |path: &str| {
            let state = self.tree.current()?;
            let mut entries = state.contents.as_ref()?.entries.iter();
            let entry = entries.find(|entry| &*entry.path == path)?;
            (entry.state == State::Ghost).then(|| FileAt {
                folder: state.shelf.folder.clone(),
                file: path.to_string(),
            })
        };
        match (self.focus, self.tab, self.index.row()) {
            (Pane::Main, Tab::Index, Some(IndexRow::Ghost(path))) => ghost(path),
            (Pane::Main, Tab::Index, _) => None,
            _ => {
                let (_, entry) = self.tree.memory(self.tree.row()?)?;
                ghost(&entry.path)
            }
        }
    }

    /// The one memory of the current project that a line could be added for; none of several.
    fn only_ghost(&self) -> Option<FileAt> {
        let state = self.tree.current()?;
        let entries = state.contents.as_ref()?.entries.iter();
        let mut ghosts = entries.filter(|entry| entry.state == State::Ghost);
        let (one, more) = (ghosts.next()?, ghosts.next());
        more.is_none().then(|| FileAt {
            folder: state.shelf.folder.clone(),
            file: one.path.to_string(),
        })
    }

    /// Why no line can be added where the cursor is.
    fn no_ghost(&self) -> &'static str {
        let contents = self.tree.current().and_then(|it| it.contents.as_ref());
        let mut entries = contents.into_iter().flat_map(|it| &it.entries);
        let any = entries.any(|entry| entry.state == State::Ghost);
        match (self.focus, self.tab, any) {
            (Pane::Main, Tab::Index, true) => "put the cursor on a ghost below the list",
            (Pane::Main, Tab::Index, false) => "there is no ghost here: each memory has its line",
            _ => "no ghost: this has a line in the index, or is none that could have one",
        }
    }

    /// Adds an index line for a memory that has none.
    pub(super) fn add_entry(&mut self, effects: &mut Vec<Effect>) {
        let in_index = self.focus == Pane::Main && self.tab == Tab::Index;
        let only = || self.only_ghost().filter(|_| in_index);
        let Some(at) = self.ghost_here().or_else(only) else {
            self.say(self.no_ghost());
            return;
        };
        let (prefix, path) = match at.file.strip_prefix("team/") {
            Some(path) if self.has_team_index() => ("team/", path),
            Some(_) | None => ("", at.file.as_str()),
        };
        let wish = Wish::Index {
            prefix: prefix.to_string(),
            edit: IndexEdit::Add {
                path: path.to_string(),
            },
        };
        self.propose(
            vec![(at.folder, Wanted::Wish(wish))],
            Doing::Adding,
            effects,
        );
    }

    fn has_team_index(&self) -> bool {
        let contents = self.tree.current().and_then(|it| it.contents.as_ref());
        contents.is_some_and(|contents| contents.team_index.is_some())
    }

    /// What would be loaded with the hook that is being typed.
    #[must_use]
    pub fn what_if(&self, prompt: &Prompt) -> Option<String> {
        let Purpose::Hook { which, entry, .. } = &prompt.purpose else {
            return None;
        };
        let contents = self.tree.current()?.contents.as_ref()?;
        let index = index_rows::index(contents, *which)?;
        let after = match index_edit::set_hook(&index.text, entry.line, prompt.field.text().trim())
        {
            Ok(after) => after,
            Err(error) => return Some(error.to_string()),
        };
        let loaded = load::load(&after);
        let length = after
            .lines()
            .nth(entry.line - 1)
            .unwrap_or_default()
            .chars()
            .count();
        let cut = match loaded.cut_at_line {
            None => "all is loaded".to_string(),
            Some(cut) => format!("cut at line {cut}"),
        };
        Some(format!(
            "this line {length} characters · {}/{} units · {}/{INDEX_LINES} lines · {cut}",
            grouped(loaded.units),
            grouped(INDEX_UNITS),
            grouped(loaded.lines),
        ))
    }

    /// Marks the memory under the cursor for the next action, or takes the mark off.
    pub(super) fn mark(&mut self) {
        let row = self.tree.row();
        let is_memory = row.is_some_and(|row| self.tree.memory(row).is_some());
        let Some(at) = row
            .and_then(|row| self.tree.file(row))
            .filter(|_| is_memory)
        else {
            self.say("only a memory can be marked");
            return;
        };
        if !self.marked.remove(&at) {
            self.marked.insert(at);
        }
        self.tree.list.step(1, self.tree.rows().len());
        match self.marked.len() {
            0 => self.say("nothing is marked"),
            count => {
                let does = match self.tree.filter() {
                    Some(_) => "lists all again, then unmarks",
                    None => "unmarks",
                };
                let back = self.hint(Action::Back, does);
                self.notice = Some(Notice::Word(format!("{count} marked{back}")));
            }
        }
    }
}

fn entry_at(pointer: &Pointer) -> EntryAt {
    EntryAt {
        line: pointer.line,
        target: pointer.target.clone(),
    }
}

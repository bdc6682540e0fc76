//! Moving about: cursors and scrolling, opening and folding, which view is shown.

use crate::app::action::Scope;
use crate::app::editor::body::Pressed;
use crate::app::index_rows::{self, IndexRow};
use crate::app::layout::Pane;
use crate::app::message::Effect;
use crate::app::overlay::Overlay;
use crate::app::reading::Subject;
use crate::app::request_view::RequestView;
use crate::app::tree_rows::{self, Row};
use crate::app::{App, Tab};
use crate::base::time::grouped;
use crate::memory::pointer::{Pointer, PointerState};

/// Bytes that terminals take from one OSC 52: 100,000 characters of base64 are common.
const MOST_COPIED: usize = 74_000;

/// Wheel notches scroll by so many rows.
pub(super) const WHEEL: isize = 3;

impl App {
    /// Moves by so many rows in what has the focus; says so if it was at that end.
    pub(super) fn step(&mut self, rows: isize) {
        self.step_in(self.scope(), rows);
    }

    /// [`App::step`] in what has the focus when this scope has it.
    pub(super) fn step_in(&mut self, scope: Scope, rows: isize) {
        let moved = match scope {
            Scope::Tree => self.tree.list.step(rows, self.tree.rows().len()),
            Scope::Memory => self.reading.step(rows),
            Scope::Index => self.index.list.step(rows, self.index.rows().len()),
            Scope::Preview => self.preview.step(rows),
            Scope::Health => self.health.step(rows),
            Scope::Sessions | Scope::Session => self.step_in_sessions(rows),
            Scope::Usage => self.usage.list.step(rows, self.usage.rows().len()),
            Scope::Ledger | Scope::Request => match &mut self.ledger.open {
                Some(open) => open.step(rows),
                None => {
                    let length = self.ledger.rows().len();
                    self.ledger.list.step(rows, length)
                }
            },
            Scope::Agent | Scope::Question => self.agent.step(rows),
            Scope::Completion => self.agent.step_choices(rows),
            Scope::Projects => {
                let length = self.projects.rows().len();
                self.projects.list.step(rows, length)
            }
            Scope::History => {
                let length = self.history.rows().len();
                self.history.list.step(rows, length)
            }
            Scope::Form => false,
            Scope::Body => self
                .editor
                .as_mut()
                .is_some_and(|editor| editor.body.step(rows) == Pressed::Moved),
            Scope::Help
            | Scope::Palette
            | Scope::Finder
            | Scope::Review
            | Scope::Past
            | Scope::Prompt
            | Scope::Choice
            | Scope::Target
            | Scope::Merge => self.step_overlay(rows),
            Scope::Filter => return self.step_in(self.pane_scope(), rows),
        };
        if !moved {
            self.say(if rows < 0 {
                "this is the beginning"
            } else {
                "this is the end"
            });
        }
    }

    fn step_overlay(&mut self, rows: isize) -> bool {
        let height = usize::from(self.measured.overlay_rows.height);
        let Some(overlay) = &mut self.overlay else {
            return false;
        };
        let length = overlay.length();
        let scrolls = matches!(overlay, Overlay::Review(_) | Overlay::Past(_));
        let moved = overlay.list().is_some_and(|list| {
            if scrolls {
                list.scroll(rows, length, height)
            } else {
                list.step(rows, length)
            }
        });
        overlay.leave_rule(rows > 0);
        moved
    }

    /// Rows of a page in what has the focus.
    pub(super) fn page_rows(&self) -> isize {
        let scope = match self.scope() {
            Scope::Filter => self.pane_scope(),
            scope => scope,
        };
        let rows = match scope {
            Scope::Tree => usize::from(self.pane_area(Pane::Tree).inside().height),
            Scope::Memory => self.reading.height(),
            Scope::Index => self.index.height(),
            Scope::Preview => self.preview.height(),
            Scope::Health => self.health.height() / 2,
            Scope::History => self.history.height(),
            Scope::Projects => self.projects.height(),
            Scope::Sessions => self.sessions.height(),
            Scope::Usage => self.usage.height(),
            Scope::Ledger => self.ledger.height(),
            Scope::Request => self.ledger.open.as_ref().map_or(0, RequestView::height),
            Scope::Agent | Scope::Question | Scope::Completion => self.agent.height(),
            Scope::Session => match (&self.proof, &self.session) {
                (Some(proof), _) => proof.height(),
                (None, Some(reading)) => reading.height(),
                (None, None) => 0,
            },
            Scope::Form | Scope::Body => {
                usize::from(self.pane_area(Pane::Main).inside().height) / 2
            }
            Scope::Help
            | Scope::Palette
            | Scope::Finder
            | Scope::Review
            | Scope::Past
            | Scope::Prompt
            | Scope::Choice
            | Scope::Target
            | Scope::Filter
            | Scope::Merge => usize::from(self.measured.overlay_rows.height),
        };
        isize::try_from(rows.max(2)).unwrap_or(isize::MAX)
    }

    /// The pointer on the line of the index under the cursor.
    pub(super) fn pointed_at(&self) -> Option<(&Pointer, index_rows::Which)> {
        let contents = self.tree.current()?.contents.as_ref()?;
        match self.index.row()? {
            IndexRow::Line { which, line, .. } => {
                let index = index_rows::index(contents, *which)?;
                Some((index_rows::pointer(index, *line)?, *which))
            }
            _ => None,
        }
    }

    /// Opens what is under the cursor, or says why it cannot.
    pub(super) fn open(&mut self) {
        match self.focus {
            Pane::Main if self.tab == Tab::Health => self.open_finding(),
            Pane::Main if self.tab == Tab::Preview => {
                if !self.preview.toggle() {
                    self.say("put the cursor on a part, or on a folded list, to open it");
                }
            }
            Pane::Main if self.tab == Tab::Projects => self.open_project(),
            Pane::Main => self.open_pointer(),
            Pane::Tree => self.open_row(),
            Pane::Agent => self.open_in_agent(),
        }
    }

    fn open_row(&mut self) {
        let Some(row) = self.tree.row().cloned() else {
            return;
        };
        match row {
            Row::Empty { .. } => self.say("nothing to open: this folder has no memories yet"),
            Row::Heading => self.say("a heading: nothing to open"),
            Row::Fault { .. } => self.say("this could not be read: nothing to open"),
            Row::Waiting { .. } => self.say("still being read"),
            Row::Shelf(shelf) => {
                let is_open = self.tree.shelves().get(shelf).is_some_and(|it| it.open);
                if is_open {
                    self.enter(shelf);
                } else {
                    self.tree.set_open(shelf, true);
                }
            }
            Row::Group {
                shelf, group, open, ..
            } => {
                if open {
                    self.enter(shelf);
                } else {
                    self.tree.set_group_open(shelf, &group, true);
                }
            }
            Row::Memory { .. } | Row::Log { .. } | Row::Rule { .. } => {
                self.tab = Tab::Memory;
                self.focus = Pane::Main;
            }
        }
    }

    /// From an open row to the first below it.
    fn enter(&mut self, shelf: usize) {
        let next = self.tree.rows().get(self.tree.list.cursor + 1);
        if next.is_some_and(|row| row.shelf() == Some(shelf)) {
            self.tree.list.step(1, self.tree.rows().len());
        } else {
            self.say("nothing is in it");
        }
    }

    /// Folds the row, or goes to the one that it stands under; in a reading view, to the tree.
    pub(super) fn fold(&mut self) {
        match self.focus {
            Pane::Tree => self.fold_row(),
            Pane::Agent => self.focus = Pane::Main,
            Pane::Main => self.focus = Pane::Tree,
        }
    }

    fn fold_row(&mut self) {
        let Some(row) = self.tree.row().cloned() else {
            return;
        };
        match row {
            Row::Shelf(shelf) => {
                if self.tree.shelves().get(shelf).is_some_and(|it| it.open) {
                    self.tree.set_open(shelf, false);
                } else {
                    self.say("already folded");
                }
            }
            Row::Group {
                shelf, group, open, ..
            } => {
                if open {
                    self.tree.set_group_open(shelf, &group, false);
                } else {
                    self.climb(shelf);
                }
            }
            Row::Memory { shelf, .. }
            | Row::Log { shelf, .. }
            | Row::Rule { shelf, .. }
            | Row::Fault { shelf, .. }
            | Row::Waiting { shelf } => self.climb(shelf),
            Row::Empty { .. } | Row::Heading => self.say("nothing to fold"),
        }
    }

    /// To the row that the cursor's row stands under.
    fn climb(&mut self, shelf: usize) {
        let Some(row) = self.tree.row() else {
            return;
        };
        let parent = tree_rows::parent_group(&self.tree, row);
        let above = &self.tree.rows()[..self.tree.list.cursor];
        let at = above.iter().rposition(|row| match row {
            Row::Shelf(at) => *at == shelf,
            Row::Group { group, .. } => Some(group) == parent.as_ref(),
            Row::Empty { .. }
            | Row::Heading
            | Row::Memory { .. }
            | Row::Log { .. }
            | Row::Rule { .. }
            | Row::Fault { .. }
            | Row::Waiting { .. } => false,
        });
        if let Some(at) = at {
            self.tree.list.go(at, self.tree.rows().len());
        }
    }

    /// From a line of the index to the memory that it points at.
    fn open_pointer(&mut self) {
        let Some(state) = self.tree.current() else {
            return;
        };
        if let Some(IndexRow::Ghost(path)) = self.index.row() {
            let (folder, path) = (state.shelf.folder.clone(), path.clone());
            if self.tree.reveal(&folder, &path) {
                self.tab = Tab::Memory;
                self.focus = Pane::Main;
            }
            return;
        }
        let found = self
            .pointed_at()
            .map(|(pointer, which)| (pointer.state, pointer.resolved.clone(), which));
        let folder = state.shelf.folder.clone();
        match found {
            None => self.say("no pointer on this line"),
            Some((state, None, _)) => self.say(match state {
                PointerState::Dangling => "dangling: its file is gone",
                PointerState::Malformed => "malformed: the link has no target",
                PointerState::Unsafe => "unsafe: it leaves the memory folder",
                PointerState::Ok | PointerState::Duplicate | PointerState::Case => {
                    "its file was not found"
                }
            }),
            Some((_, Some(path), which)) => {
                let in_team = format!("team/{path}");
                let revealed = match which {
                    index_rows::Which::Own => self.tree.reveal(&folder, &path),
                    index_rows::Which::Team => {
                        self.tree.reveal(&folder, &path) || self.tree.reveal(&folder, &in_team)
                    }
                };
                if revealed {
                    self.tab = Tab::Memory;
                    self.focus = Pane::Main;
                } else {
                    self.say("its file is not among the memories");
                }
            }
        }
    }

    /// Copies the path of the chosen file. Whether the terminal takes it can't be known.
    pub(super) fn copy_path(&mut self, effects: &mut Vec<Effect>) {
        match self.tree.row().and_then(|row| self.tree.file(row)) {
            Some(at) => {
                effects.push(Effect::Copy {
                    text: at.path().to_string_lossy().into_owned(),
                    what: "the path",
                });
                self.say("the path went to the terminal's clipboard (OSC 52)");
            }
            None => self.say("no memory is chosen"),
        }
    }

    /// Copies the text of the file that is shown.
    pub(super) fn copy_body(&mut self, effects: &mut Vec<Effect>) {
        let page = match self.subject() {
            Subject::Page(shown) => shown.page.as_ref().ok(),
            Subject::Shelf(_) | Subject::Waiting => None,
        };
        let body = page.map(|page| page.text.get(page.front.body..).unwrap_or_default());
        match body.map(|body| body.trim_matches('\n').to_string()) {
            None => self.say("no memory is chosen"),
            Some(body) => self.copy_text(body, "the text", effects),
        }
    }

    /// Copies a text, unless it is more than a terminal takes.
    pub(super) fn copy_text(
        &mut self,
        text: String,
        what: &'static str,
        effects: &mut Vec<Effect>,
    ) {
        if text.len() > MOST_COPIED {
            self.say(format!(
                "{} bytes: a terminal takes {} at most",
                grouped(text.len()),
                grouped(MOST_COPIED)
            ));
            return;
        }
        effects.push(Effect::Copy { text, what });
        self.say(format!("{what} went to the terminal's clipboard (OSC 52)"));
    }

    /// Says what became of a copy besides the terminal's.
    pub(super) fn copied(&mut self, what: &str, by: Result<Option<&'static str>, String>) {
        match by {
            // The terminal's clipboard is all there is, and that was said.
            Ok(None) => {}
            Ok(Some(program)) => self.say(format!(
                "{what} went to the terminal's clipboard (OSC 52) and, by {program}, to the system's"
            )),
            Err(said) => {
                let said = format!("{said}: {what} went to the terminal's clipboard (OSC 52) only");
                self.fail(said);
            }
        }
    }

    /// Shows a view and goes to it: its keys are what is pressed next.
    pub(super) fn show(&mut self, tab: Tab) {
        if self.tab == tab && self.focus == Pane::Main {
            self.say("this is shown already");
        }
        self.tab = tab;
        self.focus = Pane::Main;
    }

    pub(super) fn toggle_raw(&mut self) {
        match self.subject() {
            Subject::Page(_) => {
                self.reading.raw = !self.reading.raw;
                self.show_if_hidden();
            }
            Subject::Shelf(_) | Subject::Waiting => self.say("no memory is chosen"),
        }
    }

    fn show_if_hidden(&mut self) {
        self.tab = Tab::Memory;
        if !self.is_wide() {
            self.focus = Pane::Main;
        }
    }
}

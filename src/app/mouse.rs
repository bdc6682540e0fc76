//! What the mouse does: a click focuses and selects, a second one opens, the wheel scrolls what is
//! below the pointer, dragging the tree's border resizes it.

use crate::app::action::Action;
use crate::app::browse::WHEEL;
use crate::app::editor::Spot;
use crate::app::editor::layout::EditLayout;
use crate::app::layout::{Area, Layout, Pane};
use crate::app::message::{Effect, Mouse, MouseDid};
use crate::app::overlay::Overlay;
use crate::app::tree_rows::Row;
use crate::app::{App, Tab};

impl App {
    pub(super) fn point(&mut self, mouse: Mouse, effects: &mut Vec<Effect>) {
        if !self.mouse {
            return;
        }
        if let (Some(Overlay::Filter(filter)), MouseDid::Press) = (&self.overlay, mouse.did) {
            let filter = filter.clone();
            self.overlay = None;
            self.keep_filter(&filter);
        }
        let is_filter = matches!(self.overlay, Some(Overlay::Filter(_)));
        if self.overlay.is_some() && !is_filter {
            self.point_at_overlay(mouse, effects);
            return;
        }
        match mouse.did {
            MouseDid::Press => self.click(mouse.x, mouse.y, effects),
            MouseDid::Drag => {
                if self.dragging {
                    self.tree_width = Some(mouse.x.saturating_add(1));
                }
            }
            MouseDid::Release => self.dragging = false,
            MouseDid::WheelUp => self.wheel(mouse, -WHEEL),
            MouseDid::WheelDown => self.wheel(mouse, WHEEL),
        }
    }

    fn pane_at(&self, x: u16, y: u16) -> Option<(Pane, Area)> {
        let layout = self.layout();
        [Pane::Tree, Pane::Main, Pane::Agent]
            .into_iter()
            .find_map(|pane| {
                let area = layout.pane(pane)?;
                area.contains(x, y).then_some((pane, area))
            })
    }

    fn click(&mut self, x: u16, y: u16, effects: &mut Vec<Effect>) {
        self.pending.clear();
        if let Some(tab) = Tab::ALL
            .into_iter()
            .zip(self.measured.tabs)
            .find_map(|(tab, area)| area.contains(x, y).then_some(tab))
        {
            self.tab = tab;
            self.focus = Pane::Main;
            return;
        }
        if self.is_on_border(x) {
            self.dragging = true;
            return;
        }
        let Some((pane, area)) = self.pane_at(x, y) else {
            return;
        };
        let had_focus = self.focus == pane;
        self.focus = pane;
        let inside = area.inside();
        if !inside.contains(x, y) {
            return;
        }
        let row = usize::from(y - inside.y);
        match (pane, self.tab) {
            (Pane::Agent, _) => self.click_agent(row, had_focus),
            (Pane::Main, Tab::Memory) => self.click_edit(x, y, area),
            (Pane::Tree | Pane::Main, _) => self.click_row(pane, row, had_focus, effects),
        }
    }

    /// A click on a row of a list: the cursor goes there; one more opens it.
    fn click_row(&mut self, pane: Pane, row: usize, had_focus: bool, effects: &mut Vec<Effect>) {
        match (pane, self.tab) {
            (Pane::Main, Tab::Memory) | (Pane::Agent, _) => {}
            (Pane::Tree, _) => {
                let at = self.tree.list.offset + row;
                if at < self.tree.rows().len() {
                    let again = !self.tree.list.go(at, self.tree.rows().len());
                    if again && had_focus {
                        self.toggle_row();
                    }
                }
            }
            (Pane::Main, Tab::Index) => {
                let at = self.index.list.offset + row;
                if row < self.index.height() && at < self.index.rows().len() {
                    let again = !self.index.list.go(at, self.index.rows().len());
                    if again && had_focus {
                        self.open();
                    }
                }
            }
            (Pane::Main, Tab::Preview) => {
                let at = self.preview.list.offset + row;
                let again = at == self.preview.list.cursor;
                if self.preview.go(at) && again && had_focus {
                    self.open();
                }
            }
            (Pane::Main, Tab::Health) => {
                let at = self.health.list.offset + row;
                if at < self.health.rows().len() {
                    let before = self.health.list.cursor;
                    self.health.list.cursor = at;
                    self.health.step(0);
                    if self.health.list.cursor == before && had_focus {
                        self.open();
                    }
                }
            }
            (Pane::Main, Tab::Projects) => {
                // Its first row is the head.
                let length = self.projects.rows().len();
                if let Some(row) = row
                    .checked_sub(1)
                    .filter(|row| *row < self.projects.height())
                {
                    let at = self.projects.list.offset + row;
                    if !self.projects.list.go(at, length) && had_focus {
                        self.open();
                    }
                }
            }
            (Pane::Main, Tab::Sessions) => {
                // Its first row is the head.
                let (list, length, height) = self.list_in_sessions();
                if let Some(row) = row.checked_sub(1).filter(|row| *row < height) {
                    let at = list.offset + row;
                    let again = at < length && !list.go(at, length);
                    if again && had_focus {
                        self.open_in_sessions(effects);
                    }
                }
            }
            (Pane::Main, Tab::Ledger) => match &mut self.ledger.open {
                Some(open) => {
                    let at = open.list.offset + row;
                    let again = at == open.list.cursor;
                    if open.go(at) && again && had_focus {
                        self.open_in_ledger(effects);
                    }
                }
                None => {
                    // Its first row is the head.
                    let (list, length) = (self.ledger.list, self.ledger.rows().len());
                    let height = self.ledger.height();
                    if let Some(row) = row.checked_sub(1).filter(|row| *row < height) {
                        let at = list.offset + row;
                        let again = at < length && !self.ledger.list.go(at, length);
                        if again && had_focus {
                            self.open_in_ledger(effects);
                        }
                    }
                }
            },
            (Pane::Main, Tab::Usage) => {
                let row = row.checked_sub(self.usage.above());
                if let Some(row) = row.filter(|row| *row < self.usage.height()) {
                    let at = self.usage.list.offset + row;
                    let length = self.usage.rows().len();
                    if at < length && !self.usage.list.go(at, length) && had_focus {
                        self.open_in_usage(effects);
                    }
                }
            }
            (Pane::Main, Tab::History) => {
                let length = self.history.rows().len();
                self.history.list.go(self.history.list.offset + row, length);
            }
        }
    }

    /// A second click on a row: unfold or fold it, open a memory.
    fn toggle_row(&mut self) {
        let is_open = match self.tree.row() {
            Some(Row::Shelf(shelf)) => self.tree.shelves().get(*shelf).is_some_and(|it| it.open),
            Some(Row::Group { open, .. }) => *open,
            Some(
                Row::Empty { .. }
                | Row::Heading
                | Row::Memory { .. }
                | Row::Log { .. }
                | Row::Rule { .. }
                | Row::Fault { .. }
                | Row::Waiting { .. },
            )
            | None => false,
        };
        if is_open {
            self.fold();
        } else {
            self.open();
        }
    }

    /// The tree's right border and the main pane's left one.
    fn is_on_border(&self, x: u16) -> bool {
        match self.layout() {
            Layout::TooSmall => false,
            Layout::Panes(panes) => match (panes.tree, panes.main) {
                (Some(_), Some(main)) => x == main.x || x.saturating_add(1) == main.x,
                _ => false,
            },
        }
    }

    fn wheel(&mut self, mouse: Mouse, rows: isize) {
        let Some((pane, area)) = self.pane_at(mouse.x, mouse.y) else {
            return;
        };
        let height = usize::from(area.inside().height);
        match (pane, self.tab) {
            (Pane::Tree, _) => {
                let length = self.tree.rows().len();
                self.tree.list.scroll(rows, length, height);
            }
            (Pane::Agent, _) => {
                self.agent.scroll(rows);
            }
            (Pane::Main, Tab::Memory) => match &mut self.editor {
                Some(editor) => editor.body.scroll(rows),
                None => {
                    self.reading.step(rows);
                }
            },
            (Pane::Main, Tab::Projects) => {
                let (length, height) = (self.projects.rows().len(), self.projects.height());
                self.projects.list.scroll(rows, length, height);
            }
            (Pane::Main, Tab::Sessions) => {
                let (list, length, height) = self.list_in_sessions();
                list.scroll(rows, length, height);
            }
            (Pane::Main, Tab::Ledger) => match &mut self.ledger.open {
                Some(open) => open.scroll(rows),
                None => {
                    let (length, height) = (self.ledger.rows().len(), self.ledger.height());
                    self.ledger.list.scroll(rows, length, height);
                }
            },
            (Pane::Main, Tab::Usage) => {
                let (length, height) = (self.usage.rows().len(), self.usage.height());
                self.usage.list.scroll(rows, length, height);
            }
            (Pane::Main, Tab::History) => {
                let length = self.history.rows().len();
                self.history.list.scroll(rows, length, height);
            }
            (Pane::Main, Tab::Preview) => self.preview.scroll(rows),
            (Pane::Main, Tab::Health) => {
                let length = self.health.rows().len();
                self.health.list.scroll(rows, length, height);
            }
            (Pane::Main, Tab::Index) => {
                let (length, height) = (self.index.rows().len(), self.index.height());
                self.index.list.scroll(rows, length, height);
            }
        }
    }

    fn point_at_overlay(&mut self, mouse: Mouse, effects: &mut Vec<Effect>) {
        let (whole, rows) = (self.measured.overlay, self.measured.overlay_rows);
        let Some(overlay) = &mut self.overlay else {
            return;
        };
        let length = overlay.length();
        let height = usize::from(rows.height);
        let chooses = overlay.chooses();
        let scope = overlay.scope();
        match mouse.did {
            MouseDid::Press if !whole.contains(mouse.x, mouse.y) => {
                self.act(Action::Back, scope, effects);
            }
            MouseDid::Press if rows.contains(mouse.x, mouse.y) => {
                let Some(list) = overlay.list() else {
                    return;
                };
                let at = list.offset + usize::from(mouse.y - rows.y);
                if at < length {
                    let again = !list.go(at, length);
                    overlay.leave_rule(true);
                    if let Some(action) = chooses.filter(|_| again) {
                        self.act(action, scope, effects);
                    }
                }
            }
            MouseDid::WheelUp | MouseDid::WheelDown => {
                let up = mouse.did == MouseDid::WheelUp;
                if let Some(list) = overlay.list() {
                    list.scroll(if up { -WHEEL } else { WHEEL }, length, height);
                    overlay.leave_rule(!up);
                }
            }
            MouseDid::Press | MouseDid::Drag | MouseDid::Release => {}
        }
    }

    /// A click into the form or the text of an edit.
    fn click_edit(&mut self, x: u16, y: u16, area: Area) {
        let Some(editor) = &mut self.editor else {
            return;
        };
        let layout = EditLayout::of(editor, area.padded());
        if layout.body.contains(x, y) {
            editor.spot = Spot::Body;
            let (down, across) = (y - layout.body.y, x - layout.body.x);
            editor.body.point(usize::from(down), usize::from(across));
        } else if layout.form.contains(x, y) {
            let at = layout.first + usize::from(y - layout.form.y);
            if editor.fields.get(at).is_some_and(|field| !field.is_kept()) {
                editor.spot = Spot::Field(at);
            }
        }
    }
}

#[cfg(test)]
#[path = "mouse_tests.rs"]
mod tests;

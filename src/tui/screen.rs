//! One frame: the lines of the Memory view, wrapped once for a text and a width and kept; the views
//! in their places; and, last, a look at every cell for characters that a terminal would hide or obey.

use std::path::PathBuf;

use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::app::action::Scope;
use crate::app::layout::{Area, Layout, Pane, SMALLEST};
use crate::app::list::List;
use crate::app::overlay::Overlay;
use crate::app::reading::{Shown, Subject};
use crate::app::{App, Measured, Tab};
use crate::base::display;
use crate::tui::hyperlink::{addresses, placed};
use crate::tui::terminal::Drawn;
use crate::tui::theme::{Role, Theme};
use crate::tui::view;
use crate::tui::view::popup::Popup;
use crate::tui::widget::pane::Scroll;

/// What the kept lines were made from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Source {
    Page {
        stamp: u64,
        /// Ages are told to the minute.
        minute: i64,
        raw: bool,
        cells: usize,
        /// Whether its code is painted.
        painted: bool,
        /// Which links are told of.
        links: u64,
        /// Which rules are told of.
        rules: u64,
        /// The line of the index that names it, below the cut.
        below_cut: Option<usize>,
        /// Which search is marked, and whether it is shown.
        sought: (u64, bool),
    },
    /// A shelf's lines are few and made anew for each frame.
    Shelf(PathBuf),
    Nothing,
}

/// The edit shows no scrollbar: its rows are never counted.
const NO_SCROLL: Scroll = Scroll {
    offset: 0,
    length: 0,
};

/// Draws the model; keeps what is dear to make.
#[derive(Debug)]
pub(super) struct Screen {
    color: bool,
    /// That which the lines were made for.
    theme: Theme,
    /// The terminal takes links.
    hyperlinks: bool,
    source: Source,
    lines: Vec<Line<'static>>,
    /// The web addresses of what is shown.
    addresses: Vec<String>,
    /// Those of the agent's answers: of which conversation, and of how many of its items.
    answers: (usize, usize, Vec<String>),
}

impl Screen {
    pub(super) fn new(color: bool, hyperlinks: bool) -> Self {
        Self {
            color,
            theme: Theme::terminal(color),
            hyperlinks,
            addresses: Vec::new(),
            answers: (0, 0, Vec::new()),
            source: Source::Nothing,
            lines: Vec::new(),
        }
    }

    /// Prepares the lines of the Memory view and tells the model what was measured.
    pub(super) fn settle(&mut self, app: &mut App) {
        self.prepare(app);
        self.take_answers(app);
        let screen = Rect::new(0, 0, app.size.width, app.size.height);
        if let Some(overlay) = &mut app.overlay {
            view::dialog::fit(overlay, screen);
        }
        let popup = match (&app.overlay, app.layout()) {
            (None, _) | (_, Layout::TooSmall) => None,
            (Some(Overlay::Help(help)), _) => Some(view::help::place(help, screen)),
            (Some(Overlay::Palette(palette)), _) => Some(view::palette::place(palette, screen)),
            (Some(Overlay::Finder(_)), _) => Some(view::finder::place(screen)),
            (Some(Overlay::Projects(projects)), _) => Some(view::projects::place(projects, screen)),
            (Some(overlay), _) => view::dialog::place(overlay, screen),
        };
        let in_popup = |part: fn(Popup) -> Rect| popup.map(part).map(area).unwrap_or_default();
        let tabs = app
            .layout()
            .pane(Pane::Main)
            .map(|pane| view::memory::tab_areas(app, pane))
            .unwrap_or_default();
        app.settle(Measured {
            page_lines: self.lines.len(),
            tabs,
            overlay: in_popup(|popup| popup.whole),
            overlay_rows: in_popup(|popup| popup.rows),
        });
        app.reading.arrive();
    }

    /// The addresses of the agent's answers, of each once: when it is whole.
    fn take_answers(&mut self, app: &App) {
        if !self.hyperlinks || !app.agent.is_open {
            return;
        }
        let begun = app.agent.begun();
        if self.answers.0 != begun {
            self.answers = (begun, 0, Vec::new());
        }
        let (_, seen, found) = &mut self.answers;
        for (at, said) in app.agent.answers(*seen) {
            found.extend(addresses(said));
            *seen = at + 1;
        }
    }

    fn prepare(&mut self, app: &mut App) {
        let palette = app.look.palette(app.theme());
        let theme = Theme::new(self.color, app.look.glyphs, palette);
        if theme != self.theme {
            self.theme = theme;
            self.source = Source::Nothing;
        }
        let cells = usize::from(app.pane_area(Pane::Main).padded().width);
        let (source, lines) = match app.subject() {
            Subject::Page(shown) => {
                let source = Source::Page {
                    stamp: shown.stamp,
                    minute: app.now.seconds / 60,
                    raw: app.reading.raw,
                    cells,
                    painted: app.reading.painted().is_some(),
                    links: app.links_stamp(),
                    rules: app.rules_stamp(),
                    below_cut: below_cut(app, shown),
                    sought: (app.reading.hits.stamp, app.reading.hits.shown),
                };
                if source == self.source {
                    return;
                }
                let raw = app.reading.raw;
                let page = shown.page.as_ref().ok().filter(|_| self.hyperlinks);
                self.addresses = page.map_or_else(Vec::new, |page| addresses(&page.text));
                let mut lines = view::page::lines(
                    shown,
                    raw,
                    app.reading.painted(),
                    (
                        &app.links_here(),
                        view::rule::RuleHead::of(app).as_ref(),
                        below_cut(app, shown),
                    ),
                    app.now,
                    cells,
                    self.theme,
                );
                let hits = &app.reading.hits;
                let rows = hits
                    .query()
                    .map(|query| view::hits::mark(&mut lines, query, hits.shown, self.theme));
                if let Some(rows) = rows {
                    app.reading.hits.take(rows);
                }
                (source, lines)
            }
            Subject::Shelf(state) => (
                Source::Shelf(state.shelf.folder.clone()),
                view::shelf::lines(app, state, cells, self.theme),
            ),
            Subject::Waiting => (Source::Nothing, Vec::new()),
        };
        (self.source, self.lines) = (source, lines);
    }

    /// Where the cursor rests while it is hidden: on the chosen row of what has the focus.
    pub(super) fn resting_place(app: &App) -> (u16, u16) {
        let inside = app.pane_area(app.focus).inside();
        let row = |list: List| u16::try_from(list.cursor - list.offset).unwrap_or(0);
        let down = match app.pane_scope() {
            Scope::Tree => row(app.tree.list),
            Scope::Index => row(app.index.list),
            Scope::Preview => row(app.preview.list),
            Scope::Health => row(app.health.list),
            Scope::History => row(app.history.list),
            Scope::Projects => row(app.projects.list).saturating_add(1),
            Scope::Sessions => row(app.sessions.list).saturating_add(1),
            Scope::Ledger => row(app.ledger.list).saturating_add(1),
            Scope::Request => app.ledger.open.as_ref().map_or(0, |open| row(open.list)),
            Scope::Agent => row(app.agent.list),
            Scope::Usage => {
                let above = u16::try_from(app.usage.above()).unwrap_or(0);
                row(app.usage.list).saturating_add(above)
            }
            Scope::Session => match (&app.proof, &app.session) {
                (Some(proof), _) => row(proof.list).saturating_add(1),
                (None, Some(reading)) => row(reading.list).saturating_add(1),
                (None, None) => 0,
            },
            Scope::Memory
            | Scope::Form
            | Scope::Body
            | Scope::Help
            | Scope::Palette
            | Scope::Finder
            | Scope::Review
            | Scope::Past
            | Scope::Prompt
            | Scope::Choice
            | Scope::Target
            | Scope::Filter
            | Scope::Question
            | Scope::Completion
            | Scope::Merge => 0,
        };
        (inside.x, inside.y.saturating_add(down))
    }

    /// Draws a frame; says where a text cursor is shown, and which links are.
    pub(super) fn draw(&self, app: &App, frame: &mut Frame<'_>) -> Drawn {
        let screen = frame.area();
        let buffer = frame.buffer_mut();
        let cursor = self.draw_into(app, screen, buffer);
        hide_nothing(buffer);
        self.theme.finish(buffer);
        if let Some(cursor) = cursor {
            frame.set_cursor_position(cursor);
        }
        let main = app.layout().pane(Pane::Main).map(rect);
        let reads = app.tab == Tab::Memory && app.editor.is_none();
        let mut links = match (main, frame.buffer_mut()) {
            (Some(area), buffer) if reads => placed(buffer, area, &self.addresses),
            _ => Vec::new(),
        };
        // What lies on top may hold other text.
        if let Some(area) = app
            .layout()
            .pane(Pane::Agent)
            .filter(|_| app.overlay.is_none())
        {
            links.extend(placed(frame.buffer_mut(), rect(area), &self.answers.2));
        }
        Drawn { cursor, links }
    }

    /// Draws all views; gives back where the text cursor stands, if there is one.
    fn draw_into(&self, app: &App, screen: Rect, buffer: &mut Buffer) -> Option<(u16, u16)> {
        let theme = self.theme;
        let panes = match app.layout() {
            Layout::TooSmall => {
                draw_too_small(screen, buffer, theme);
                return None;
            }
            Layout::Panes(panes) => panes,
        };
        view::header::draw(app, rect(panes.header), buffer, theme);
        let mut cursor = panes
            .tree
            .and_then(|area| view::tree::draw(app, rect(area), buffer, theme));
        if let Some(area) = panes.main {
            match (app.tab, &app.editor) {
                (Tab::Memory, Some(editor)) => {
                    view::memory::frame(app, NO_SCROLL, rect(area), buffer, theme);
                    let typed = view::edit::draw(app, editor, area.padded(), buffer, theme);
                    cursor = cursor.or(Some(typed));
                }
                (Tab::Memory, None) => {
                    view::memory::draw(app, &self.lines, rect(area), buffer, theme);
                }
                (Tab::Projects, _) => {
                    let area = rect(area);
                    cursor = cursor.or(view::project_list::draw(app, area, buffer, theme));
                }
                (Tab::Sessions, _) => {
                    let area = rect(area);
                    cursor = cursor.or(view::sessions::draw(app, area, buffer, theme));
                }
                (Tab::Ledger, _) => {
                    cursor = cursor.or(view::ledger::draw(app, rect(area), buffer, theme));
                }
                (Tab::Usage, _) => view::usage::draw(app, rect(area), buffer, theme),
                (Tab::History, _) => view::history::draw(app, rect(area), buffer, theme),
                (Tab::Health, _) => {
                    cursor = cursor.or(view::health::draw(app, rect(area), buffer, theme));
                }
                (Tab::Preview, _) => view::preview::draw(app, rect(area), buffer, theme),
                (Tab::Index, _) => view::index::draw(app, rect(area), buffer, theme),
            }
        }
        if let Some(area) = panes.agent {
            cursor = cursor.or(view::agent::draw(app, rect(area), buffer, theme));
        }
        view::footer::draw(app, rect(panes.footer), buffer, theme);
        match &app.overlay {
            None | Some(Overlay::Filter(_)) => cursor,
            Some(Overlay::Help(help)) => Some(view::help::draw(help, screen, buffer, theme)),
            Some(Overlay::Palette(palette)) => {
                Some(view::palette::draw(app, palette, screen, buffer, theme))
            }
            Some(Overlay::Finder(finder)) => {
                Some(view::finder::draw(app, finder, screen, buffer, theme))
            }
            Some(Overlay::Projects(projects)) => {
                Some(view::projects::draw(projects, screen, buffer, theme))
            }
            Some(overlay) => view::dialog::draw(app, overlay, screen, buffer, theme),
        }
    }
}

fn draw_too_small(screen: Rect, buffer: &mut Buffer, theme: Theme) {
    let said = format!(
        "too small: {}×{} at least, this is {}×{}",
        SMALLEST.width, SMALLEST.height, screen.width, screen.height
    );
    let cells = usize::from(screen.width);
    let rows = crate::base::text::wrap(&said, cells);
    for (range, y) in rows.into_iter().zip(screen.top()..screen.bottom()) {
        buffer.set_stringn(screen.x, y, &said[range], cells, theme.style(Role::Text));
    }
}

/// Characters that a grapheme has at most behind its first. Emoji of a family have nine; what is written
/// for sport has thousands, which each frame would send.
const MOST_MARKS: usize = 16;

/// Stands over a cell of which marks were cut away: an asterisk above.
const CUT_MARKS: char = '\u{20F0}';

/// The last look at every cell: all text was made safe where it came in, and should a view have
/// forgotten it, nothing hidden gets past here. Joiners and emoji selectors belong to their grapheme.
fn hide_nothing(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let symbol = cell.symbol();
        if symbol.len() == 1 && !symbol.as_bytes()[0].is_ascii_control() {
            continue;
        }
        let joined = symbol.chars().count() > 1;
        let hides = symbol.chars().any(|c| {
            let joiner = matches!(c, '\u{200C}' | '\u{200D}' | '\u{FE0E}' | '\u{FE0F}');
            display::is_hidden(c) && !(joiner && joined)
        });
        if hides {
            cell.set_symbol("¿");
            continue;
        }
        if let Some((end, _)) = symbol.char_indices().nth(MOST_MARKS + 1) {
            let cut = format!("{}{CUT_MARKS}", &symbol[..end]);
            cell.set_symbol(&cut);
        }
    }
}

fn rect(area: Area) -> Rect {
    Rect::new(area.x, area.y, area.width, area.height)
}

fn area(rect: Rect) -> Area {
    Area {
        x: rect.x,
        y: rect.y,
        width: rect.width,
        height: rect.height,
    }
}

/// Where the index names the memory that is shown, if only below its cut.
fn below_cut(app: &App, shown: &Shown) -> Option<usize> {
    let contents = app.tree.current()?.contents.as_ref()?;
    contents.below_cut(&shown.entry.as_ref()?.path)
}

#[cfg(test)]
#[path = "case_tests.rs"]
mod case_tests;
#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;

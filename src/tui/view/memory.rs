//! The main pane's frame with its tabs, and in it the Memory view: of the lines that were prepared,
//! those in view.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::action::{Action, Scope};
use crate::app::layout::{Area, Pane};
use crate::app::list::List;
use crate::app::{App, Tab};
use crate::base::text;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::widget::line;
use crate::tui::widget::pane::{Frame, Scroll};

/// Draws the Memory view from its lines.
pub fn draw(app: &App, lines: &[Line<'static>], area: Rect, buffer: &mut Buffer, theme: Theme) {
    let scroll = Scroll {
        offset: app.reading.scroll,
        length: lines.len(),
    };
    let inside = frame(app, scroll, area, buffer, theme);
    let visible = lines.iter().skip(app.reading.scroll);
    for (line, y) in visible.zip(inside.top()..inside.bottom()) {
        buffer.set_line(inside.x + 1, y, line, inside.width.saturating_sub(2));
    }
}

/// Draws a list that fills the main pane; `row` is given the cells it may fill.
pub fn list(
    app: &App,
    of: List,
    length: usize,
    area: Rect,
    buffer: &mut Buffer,
    theme: Theme,
    row: impl Fn(usize, usize) -> Line<'static>,
) {
    let scroll = list::scroll(of, length);
    let inside = frame(app, scroll, area, buffer, theme);
    let focused = app.is_focused(Pane::Main);
    list::draw(of, length, focused, inside, buffer, theme, row);
}

/// Draws the frame of the main pane; the area inside is given back.
pub fn frame(app: &App, scroll: Scroll, area: Rect, buffer: &mut Buffer, theme: Theme) -> Rect {
    let focused = app.is_focused(Pane::Main);
    let frame = Frame {
        title: Line::from(titles(app, focused, area.width, theme).concat()),
        foot: Line::default(),
        focused,
        scroll: Some(scroll),
    };
    frame.draw(area, buffer, theme)
}

/// Where the titles of the tabs stand in the pane's area.
#[must_use]
pub fn tab_areas(app: &App, pane: Area) -> [Area; Tab::ALL.len()] {
    let theme = Theme::terminal(false);
    let mut x = pane.x.saturating_add(1);
    titles(app, false, pane.width, theme).map(|spans| {
        let cells: usize = spans.iter().map(|span| text::width(&span.content)).sum();
        let area = Area {
            x,
            y: pane.y,
            width: u16::try_from(cells).unwrap_or(u16::MAX),
            height: 1,
        };
        x = x.saturating_add(area.width);
        area
    })
}

/// How the tabs are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Written {
    /// With their names and keys; the second with less between them.
    Loose,
    Tight,
    /// With their names alone.
    Named,
    /// By their keys; only the one that is shown bears its name.
    Keys,
}

type Titles = [Vec<Span<'static>>; Tab::ALL.len()];

/// The titles as they have room in a pane of this width.
fn titles(app: &App, focused: bool, width: u16, theme: Theme) -> Titles {
    let room = usize::from(width.saturating_sub(2));
    let fits = |titles: &Titles| titles.iter().map(|one| line::width(one)).sum::<usize>() <= room;
    let mut all = [Written::Loose, Written::Tight, Written::Named].into_iter();
    let found = all.find_map(|written| {
        let titles = written_as(app, focused, written, theme);
        fits(&titles).then_some(titles)
    });
    found.unwrap_or_else(|| written_as(app, focused, Written::Keys, theme))
}

fn written_as(app: &App, focused: bool, written: Written, theme: Theme) -> Titles {
    [
        (Tab::Memory, "Memory", Action::ShowMemory),
        (Tab::Index, "Index", Action::ShowIndex),
        (Tab::Preview, "Preview", Action::ShowPreview),
        (Tab::Health, "Health", Action::ShowHealth),
        (Tab::History, "History", Action::ShowHistory),
        (Tab::Projects, "Projects", Action::ShowProjects),
        (Tab::Sessions, "Sessions", Action::ShowSessions),
        (Tab::Usage, "Usage", Action::ShowUsage),
        (Tab::Ledger, "Ledger", Action::ShowLedger),
    ]
    .map(|(tab, name, show)| {
        let role = match (app.tab == tab, focused) {
            (true, true) => Role::Accent,
            (true, false) => Role::Strong,
            (false, _) => Role::Dim,
        };
        let mark = if app.tab == tab { "›" } else { " " };
        let key = app.keymap.keys(show, Scope::Tree).next();
        let raw = match tab {
            Tab::Memory if app.editor.is_some() => " edit",
            Tab::Memory if app.reading.raw => " raw",
            Tab::Memory
            | Tab::Index
            | Tab::Preview
            | Tab::Health
            | Tab::History
            | Tab::Projects
            | Tab::Sessions
            | Tab::Usage
            | Tab::Ledger => "",
        };
        let is_named = written != Written::Keys || app.tab == tab || key.is_none();
        let key =
            key.filter(|_| written != Written::Named && !(written == Written::Keys && is_named));
        let key = match (key, written) {
            (None, _) => String::new(),
            (Some(key), Written::Tight) => key.clone(),
            (Some(key), _) => format!("{key} "),
        };
        let name = match is_named {
            true => format!("{mark}{name}{raw} "),
            false => mark.to_string(),
        };
        vec![
            Span::styled(name, theme.style(role)),
            Span::styled(key, theme.style(Role::Dim)),
        ]
    })
}

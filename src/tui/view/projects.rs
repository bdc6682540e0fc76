//! The projects that memories can go to, those that hold what is typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::projects::{Project, Projects};
use crate::base::time::grouped;
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::popup::{INPUT_ROWS, Popup};
use crate::tui::view::{list, palette};
use crate::tui::widget::line;

/// The box and the rows in it.
#[must_use]
pub fn place(projects: &Projects, screen: Rect) -> Popup {
    Popup::place(screen, INPUT_ROWS, projects.offers().len(), 72, 0)
}

/// Draws the list over the screen; the cursor's place is given back.
pub fn draw(projects: &Projects, screen: Rect, buffer: &mut Buffer, theme: Theme) -> (u16, u16) {
    let popup = place(projects, screen);
    let offers = projects.offers();
    let scroll = list::scroll(projects.list, offers.len());
    let title = projects.title();
    let title = display::line(&title);
    let hint = "type a part of its name or path";
    let cursor = popup.draw_typed(&title, scroll, &projects.filter, hint, buffer, theme);
    list::draw(
        projects.list,
        offers.len(),
        true,
        popup.rows,
        buffer,
        theme,
        |at, cells| row(offers[at], cells, theme),
    );
    if offers.is_empty() {
        palette::draw_nothing(popup, buffer, theme);
    }
    cursor
}

fn row(project: &Project, cells: usize, theme: Theme) -> Line<'static> {
    let dim = theme.style(Role::Dim);
    let title = display::line(&project.title).into_owned();
    let room = cells / 2;
    let title = text::cut_middle(&title, room).into_owned();
    let left = cells.saturating_sub(text::width(&title) + 10);
    let place = display::line(&project.place).into_owned();
    let place = text::cut_middle(&place, left).into_owned();
    let count = project.count.map_or("·".to_string(), grouped);
    line::row(
        vec![Span::raw(title), Span::styled(format!("  {place}"), dim)],
        vec![Span::styled(count, dim)],
        cells,
    )
}

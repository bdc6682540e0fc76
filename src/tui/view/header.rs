//! The line at the top: which project, how much it holds, how full its index is, and what is unusual.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::base::display;
use crate::base::time::grouped;
use crate::config::limits::{INDEX_LINES, INDEX_UNITS};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::words;
use crate::tui::widget::{line, meter};

/// Draws the header.
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let dim = theme.style(Role::Dim);
    let mut parts: Vec<Vec<Span<'static>>> =
        vec![vec![Span::styled("loci", theme.style(Role::Strong))]];
    if let Some(state) = app.tree.current() {
        let title = words::shelf(&state.shelf);
        parts.push(vec![Span::styled(title, theme.style(Role::Strong))]);
        if app.demo {
            parts.push(vec![Span::styled("demo", theme.style(Role::Note))]);
        }
        if let Some(count) = state.count() {
            parts.push(vec![Span::raw(words::counted(count, "memory", "memories"))]);
        }
        if let Some(index) = state.contents.as_ref().and_then(|it| it.index.as_ref()) {
            parts.push(match &index.off {
                Some(_) => vec![Span::styled("▲ memory is off", theme.style(Role::Warning))],
                None => vec![
                    Span::styled("index ", dim),
                    Span::styled(
                        format!("{}/{} u", grouped(index.loaded.units), grouped(INDEX_UNITS)),
                        theme.style(meter::role(index.loaded.units, INDEX_UNITS)),
                    ),
                    Span::raw(" "),
                    Span::styled(
                        format!("{}/{INDEX_LINES} lines", grouped(index.loaded.lines)),
                        theme.style(meter::role(index.loaded.lines, INDEX_LINES)),
                    ),
                ],
            });
        }
    }
    if !app.mouse {
        parts.push(vec![Span::styled("mouse off", dim)]);
    }
    for notice in &app.store_notices {
        let said = format!("▲ {}", display::line(notice));
        parts.push(vec![Span::styled(said, theme.style(Role::Warning))]);
    }
    let mut spans = Vec::new();
    for (at, part) in parts.into_iter().enumerate() {
        if at > 0 {
            spans.push(Span::styled(" · ", dim));
        }
        spans.extend(part);
    }
    let cells = usize::from(area.width.saturating_sub(2));
    let line = Line::from(line::cut(spans, cells));
    buffer.set_line(area.x + 1, area.y, &line, area.width.saturating_sub(2));
}

//! The palette: every action with its key, the best match for what is typed first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::App;
use crate::app::action;
use crate::app::overlay::{Offer, Palette};
use crate::base::text;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::view::popup::{INPUT_ROWS, Popup};
use crate::tui::widget::line;

/// Says that nothing matches.
pub(super) fn draw_nothing(popup: Popup, buffer: &mut Buffer, theme: Theme) {
    let rows = popup.rows;
    if rows.height > 0 {
        let room = usize::from(rows.width.saturating_sub(2));
        let dim = theme.style(Role::Dim);
        buffer.set_stringn(rows.x + 1, rows.y, "nothing matches", room, dim);
    }
}

/// The palette's box and the rows in it.
#[must_use]
pub fn place(palette: &Palette, screen: Rect) -> Popup {
    Popup::place(screen, INPUT_ROWS, palette.offers().len(), 72, 0)
}

/// Draws the palette over the screen; the cursor's place is given back.
pub fn draw(
    app: &App,
    palette: &Palette,
    screen: Rect,
    buffer: &mut Buffer,
    theme: Theme,
) -> (u16, u16) {
    let popup = place(palette, screen);
    let offers = palette.offers();
    let scroll = list::scroll(palette.list, offers.len());
    let cursor = popup.draw_typed(
        "commands",
        scroll,
        &palette.input,
        "type a command",
        buffer,
        theme,
    );
    list::draw(
        palette.list,
        offers.len(),
        true,
        popup.rows,
        buffer,
        theme,
        |at, cells| row(app, &offers[at], cells, theme),
    );
    if offers.is_empty() {
        draw_nothing(popup, buffer, theme);
    }
    cursor
}

fn row(app: &App, offer: &Offer, cells: usize, theme: Theme) -> Line<'static> {
    let entry = action::entry(offer.action);
    let applies = entry.applies(app.pane_scope());
    let base = theme.style(if applies { Role::Text } else { Role::Dim });
    let mut spans: Vec<_> = entry
        .name
        .chars()
        .enumerate()
        .map(|(at, c)| {
            let hit = offer.matched.contains(&at);
            let style = if hit {
                base.patch(theme.style(Role::Match))
            } else {
                base
            };
            Span::styled(c.to_string(), style)
        })
        .collect();
    let name_cells = 16;
    let fill = name_cells - text::width(entry.name).min(name_cells - 1);
    spans.push(Span::raw(" ".repeat(fill)));
    spans.push(Span::styled(entry.doc, theme.style(Role::Dim)));
    let key = app.keymap.shown(offer.action, app.pane_scope());
    let right = vec![Span::styled(format!(" {key}"), theme.style(Role::Strong))];
    line::row(spans, right, cells)
}

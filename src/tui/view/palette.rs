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

/// Cells of a key as it is shown, at most for the most.
const KEY_CELLS: usize = 8;
/// Cells between two columns.
pub(super) const GAP: usize = 2;
/// A rule and two rows for the sentence of the chosen action, which a narrow list cuts.
pub(super) const NOTE_ROWS: u16 = 3;

/// Cells of the column of names, with what is kept free behind it.
pub(super) fn name_cells() -> usize {
    let names = action::TABLE.iter().map(|entry| text::width(entry.name));
    names.max().unwrap_or(0) + GAP
}

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
    let rows = palette.offers().len();
    Popup::place(screen, INPUT_ROWS, rows, widest(), NOTE_ROWS)
}

/// Cells in which every action can be read with a key: border and margin, name, sentence, key.
fn widest() -> u16 {
    let docs = action::TABLE.iter().map(|entry| text::width(entry.doc));
    let cells = 4 + name_cells() + docs.max().unwrap_or(0) + GAP + KEY_CELLS;
    u16::try_from(cells).unwrap_or(u16::MAX)
}

/// The sentence of the chosen action, below a rule.
pub(super) fn draw_note(said: &str, area: Rect, buffer: &mut Buffer, theme: Theme) {
    let width = usize::from(area.width);
    let mut rows = area.rows();
    if let Some(rule) = rows.next() {
        buffer.set_stringn(
            rule.x,
            rule.y,
            "─".repeat(width),
            width,
            theme.style(Role::Dim),
        );
    }
    let room = width.saturating_sub(2);
    for (row, range) in rows.zip(text::wrap(said, room)) {
        buffer.set_stringn(
            row.x + 1,
            row.y,
            &said[range],
            room,
            theme.style(Role::Text),
        );
    }
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
    if let Some(offer) = offers.get(palette.list.cursor) {
        let doc = action::entry(offer.action).doc;
        draw_note(doc, popup.note, buffer, theme);
    }
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
    let fill = name_cells().saturating_sub(text::width(entry.name));
    spans.push(Span::raw(" ".repeat(fill)));
    spans.push(Span::styled(entry.doc, theme.style(Role::Dim)));
    let key = app.keymap.shown(offer.action, app.pane_scope());
    let right = vec![Span::styled(
        format!("{:GAP$}{key}", ""),
        theme.style(Role::Strong),
    )];
    line::row(spans, right, cells)
}

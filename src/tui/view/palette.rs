//! The palette: every action with its key, the best match for what is typed first. And the box that
//! it shares with the help.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget as _};

use crate::app::App;
use crate::app::action;
use crate::app::field::Field;
use crate::app::overlay::{Offer, Palette};
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::widget::line;
use crate::tui::widget::pane::{self, Frame, Scroll};

/// A box over the screen: a line to type in, a rule, and rows.
#[derive(Debug, Clone, Copy)]
pub struct Popup {
    pub whole: Rect,
    input: Rect,
    pub rows: Rect,
    /// Room for a sentence below the rows, its rule included.
    pub(super) note: Rect,
}

impl Popup {
    /// Places a box for so many rows and a note below them, at most `widest` wide, in the upper
    /// middle.
    #[must_use]
    pub fn place(screen: Rect, rows: usize, widest: u16, note: u16) -> Self {
        let width = screen.width.saturating_sub(4).min(widest);
        let most = screen.height.saturating_sub(2);
        let wanted = u16::try_from(rows).unwrap_or(u16::MAX).max(1);
        let height = wanted.saturating_add(4 + note).min(most);
        let whole = Rect::new(
            screen.x + (screen.width - width) / 2,
            screen.y + (screen.height.saturating_sub(height) / 3).max(1),
            width,
            height,
        );
        let inside = whole.inner(ratatui::layout::Margin::new(1, 1));
        let input = Rect {
            height: 1,
            ..inside
        };
        let rows = Rect {
            y: inside.y + 2,
            height: inside.height.saturating_sub(2 + note),
            ..inside
        };
        let note = Rect {
            y: rows.bottom(),
            height: note.min(inside.height.saturating_sub(2)),
            ..inside
        };
        Self {
            whole,
            input,
            rows,
            note,
        }
    }

    /// Draws the box and what is typed; gives back where the cursor stands.
    pub(super) fn draw(
        self,
        title: &str,
        scroll: Scroll,
        field: &Field,
        hint: &'static str,
        buffer: &mut Buffer,
        theme: Theme,
    ) -> (u16, u16) {
        clear(self.whole, buffer);
        let frame = Frame {
            title: Line::styled(format!(" {title} "), theme.style(Role::Accent)),
            focused: true,
            scroll: None,
        };
        frame.draw(self.whole, buffer, theme);
        pane::scrollbar(scroll, self.whole.right() - 1, self.rows, buffer, theme);
        let dim = theme.style(Role::Dim);
        buffer.set_string(
            self.input.x + 1,
            self.input.y,
            "› ",
            theme.style(Role::Accent),
        );
        let x = self.input.x + 3;
        let room = usize::from(self.input.width.saturating_sub(4));
        let before = display::line(field.before_cursor()).into_owned();
        let shown = display::line(field.text()).into_owned();
        // Of a text that is too long, the part before the cursor is in view.
        let skip = text::width(&before).saturating_sub(room);
        let hidden = text::head(&before, skip).len();
        if shown.is_empty() {
            buffer.set_stringn(x, self.input.y, hint, room, dim);
        } else {
            let style = theme.style(Role::Text);
            buffer.set_stringn(x, self.input.y, &shown[hidden..], room, style);
        }
        let rule = "─".repeat(usize::from(self.input.width));
        buffer.set_stringn(
            self.input.x,
            self.input.y + 1,
            rule,
            usize::from(self.input.width),
            dim,
        );
        let column = u16::try_from(text::width(&before[hidden..])).unwrap_or(0);
        (x + column, self.input.y)
    }
}

/// Empties a box; a wide character that reaches into it from the left goes as well.
fn clear(area: Rect, buffer: &mut Buffer) {
    Clear.render(area, buffer);
    let Some(x) = area.x.checked_sub(1) else {
        return;
    };
    for y in area.top()..area.bottom() {
        if text::width(buffer[(x, y)].symbol()) > 1 {
            buffer[(x, y)].set_symbol(" ");
        }
    }
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
    Popup::place(screen, palette.offers().len(), 72, 0)
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
    let scroll = Scroll {
        offset: palette.list.offset,
        length: offers.len(),
    };
    let cursor = popup.draw(
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
    let key = entry.keys(app.pane_scope()).next();
    let key = key.or_else(|| entry.all_keys().first().copied());
    let right = vec![Span::styled(
        format!(" {}", key.unwrap_or("unbound")),
        theme.style(Role::Strong),
    )];
    line::row(spans, right, cells)
}

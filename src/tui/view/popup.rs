//! The box over the screen that help, palette and questions share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Clear, Widget as _};

use crate::app::field::Field;
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::widget::pane::{self, Frame, Scroll};

/// A box over the screen: a head, rows, and a note below them.
#[derive(Debug, Clone, Copy)]
pub struct Popup {
    pub whole: Rect,
    /// A line to type in with its rule, or sentences.
    pub(super) head: Rect,
    pub rows: Rect,
    /// Room for a sentence below the rows, its rule included.
    pub(super) note: Rect,
}

/// A line to type in and the rule below it.
pub(super) const INPUT_ROWS: u16 = 2;

/// Where less than this is left beside a box it covers the screen from side to side, so that its
/// border lies on the panes' own.
const BESIDE: u16 = 5;

impl Popup {
    /// The width of a box that is at most `widest` wide.
    #[must_use]
    pub fn width(screen: Rect, widest: u16) -> u16 {
        if screen.width < widest.saturating_add(2 * BESIDE) {
            screen.width
        } else {
            widest
        }
    }

    /// Places a box for a head, so many rows and a note below them, at most `widest` wide, in the
    /// upper middle.
    #[must_use]
    pub fn place(screen: Rect, head: u16, rows: usize, widest: u16, note: u16) -> Self {
        let width = Self::width(screen, widest);
        let most = screen.height.saturating_sub(2);
        let wanted = u16::try_from(rows).unwrap_or(u16::MAX).max(1);
        let height = wanted.saturating_add(2 + head + note).min(most);
        let whole = Rect::new(
            screen.x + (screen.width - width) / 2,
            screen.y + (screen.height.saturating_sub(height) / 3).max(1),
            width,
            height,
        );
        let inside = whole.inner(ratatui::layout::Margin::new(1, 1));
        let head = Rect {
            height: head.min(inside.height),
            ..inside
        };
        let rows = Rect {
            y: head.bottom(),
            height: inside.height.saturating_sub(head.height + note),
            ..inside
        };
        let note = Rect {
            y: rows.bottom(),
            height: note.min(inside.height.saturating_sub(head.height)),
            ..inside
        };
        Self {
            whole,
            head,
            rows,
            note,
        }
    }

    /// Draws the empty box.
    pub(super) fn draw(self, title: &str, scroll: Scroll, buffer: &mut Buffer, theme: Theme) {
        clear(self.whole, buffer);
        let room = usize::from(self.whole.width.saturating_sub(4));
        let title = text::cut_middle(title, room).into_owned();
        let frame = Frame {
            title: Line::styled(format!(" {title} "), theme.style(Role::Accent)),
            foot: Line::default(),
            focused: true,
            scroll: None,
        };
        frame.draw(self.whole, buffer, theme);
        pane::scrollbar(scroll, self.whole.right() - 1, self.rows, buffer, theme);
    }

    /// Draws the box and what is typed into its head; gives back where the cursor stands.
    pub(super) fn draw_typed(
        self,
        title: &str,
        scroll: Scroll,
        field: &Field,
        hint: &'static str,
        buffer: &mut Buffer,
        theme: Theme,
    ) -> (u16, u16) {
        self.draw(title, scroll, buffer, theme);
        let input = self.head;
        let dim = theme.style(Role::Dim);
        buffer.set_string(input.x + 1, input.y, "› ", theme.style(Role::Accent));
        let x = input.x + 3;
        let room = usize::from(input.width.saturating_sub(4));
        let (shown, column) = window(field, room);
        if field.text().is_empty() {
            buffer.set_stringn(x, input.y, hint, room, dim);
        } else {
            buffer.set_stringn(x, input.y, shown, room, theme.style(Role::Text));
        }
        let rule = "─".repeat(usize::from(input.width));
        buffer.set_stringn(input.x, input.y + 1, rule, usize::from(input.width), dim);
        (x + column, input.y)
    }
}

/// The part of a field's text that fits in `room` cells, and the cell of the cursor in it. Of a text
/// that is too long, the part before the cursor is in view.
pub(super) fn window(field: &Field, room: usize) -> (String, u16) {
    let before = display::line(field.before_cursor()).into_owned();
    let shown = display::line(field.text()).into_owned();
    let skip = text::width(&before).saturating_sub(room);
    let hidden = if skip == 0 {
        0
    } else {
        before.len() - text::tail(&before, room).len()
    };
    let column = u16::try_from(text::width(&before[hidden..])).unwrap_or(0);
    (shown[hidden..].to_string(), column)
}

/// Empties a box; a wide character that reaches into it from the left goes as well.
pub(super) fn clear(area: Rect, buffer: &mut Buffer) {
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

//! What stands in the border below a pane: the words that narrow it, as they are typed, and what is
//! listed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::app::field::Field;
use crate::base::{display, text};
use crate::tui::theme::{Role, Theme};
use crate::tui::view::popup::window;
use crate::tui::widget::line;

/// Cells that the words may always take.
const LEAST: usize = 8;

/// The line below a pane, and where the text cursor stands while words are typed into it.
#[must_use]
pub fn foot(
    typed: Option<&Field>,
    kept: Option<&str>,
    rest: &str,
    area: Rect,
    theme: Theme,
) -> (Line<'static>, Option<(u16, u16)>) {
    let dim = theme.style(Role::Dim);
    let cells = usize::from(area.width.saturating_sub(2));
    let room = cells.saturating_sub(text::width(rest) + 6).max(LEAST);
    let mut spans = Vec::new();
    let mut cursor = None;
    if let Some(field) = typed {
        let (shown, column) = window(field, room);
        let shown = text::cut_end(&shown, room).into_owned();
        spans.push(Span::styled(" & ", theme.style(Role::Accent)));
        spans.push(Span::styled(shown + " ", theme.style(Role::Text)));
        let x = area.x.saturating_add(4).saturating_add(column);
        cursor = Some((x, area.bottom().saturating_sub(1)));
    } else if let Some(kept) = kept {
        let kept = display::line(kept).into_owned();
        let kept = text::cut_end(&kept, room).into_owned();
        spans.push(Span::styled(" & ", dim));
        spans.push(Span::styled(kept + " ", theme.style(Role::Strong)));
    }
    spans.push(Span::styled(format!(" {rest} "), dim));
    (Line::from(line::cut(spans, cells)), cursor)
}

/// Draws it into the border. `kept`: the words that narrow the list; none where it is empty. Where the text
/// cursor stands.
pub fn draw_foot(
    typed: Option<&Field>,
    kept: &str,
    rest: &str,
    area: Rect,
    buffer: &mut Buffer,
    theme: Theme,
) -> Option<(u16, u16)> {
    let kept = Some(kept).filter(|kept| !kept.is_empty());
    let (foot, cursor) = foot(typed, kept, rest, area, theme);
    if area.height > 0 && area.width > 2 {
        buffer.set_line(area.x + 1, area.bottom() - 1, &foot, area.width - 2);
    }
    cursor
}

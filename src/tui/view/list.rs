//! Drawing the rows of a list that are in view, with the bar and the marker of the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use crate::app::list::List;
use crate::tui::theme::{Role, Theme};
use crate::tui::widget::pane::Scroll;

/// Cells beside the text of a row: the marker left, the padding right.
pub(super) const SIDES: u16 = 2;

/// How much of a list is in view.
pub(super) fn scroll(list: List, length: usize) -> Scroll {
    Scroll {
        offset: list.offset,
        length,
    }
}

/// Draws `row` for each position in view; it is given the cells it may fill.
pub(super) fn draw(
    list: List,
    length: usize,
    focused: bool,
    area: Rect,
    buffer: &mut Buffer,
    theme: Theme,
    row: impl Fn(usize, usize) -> Line<'static>,
) {
    let cells = usize::from(area.width.saturating_sub(SIDES));
    for (at, y) in (list.offset..length).zip(area.top()..area.bottom()) {
        let mut line = row(at, cells);
        let chosen = at == list.cursor;
        if chosen {
            line = highlight(line, focused, theme);
        }
        let marker = match (chosen, focused) {
            (true, true) => Span::styled("▌", theme.style(Role::Accent)),
            (true, false) => Span::styled("▌", theme.style(Role::Dim)),
            (false, _) => Span::raw(" "),
        };
        buffer.set_span(area.x, y, &marker, 1);
        buffer.set_line(area.x + 1, y, &line, area.width.saturating_sub(1));
        if chosen && focused {
            let bar = Rect::new(area.x + 1, y, area.width.saturating_sub(1), 1);
            buffer.set_style(bar, theme.style(Role::Selection));
        }
    }
}

/// The bar is of one piece: colours would become its background.
fn highlight(line: Line<'static>, focused: bool, theme: Theme) -> Line<'static> {
    let spans = line.spans.into_iter().map(|span| {
        let style = if focused {
            let kept = span.style.add_modifier & (Modifier::BOLD | Modifier::UNDERLINED);
            Style::new().add_modifier(kept)
        } else {
            span.style.patch(theme.style(Role::Strong))
        };
        Span::styled(span.content, style)
    });
    Line::from(spans.collect::<Vec<_>>())
}

//! The help: every action with its keys and what it does, filtered by what is typed.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::app::overlay::Help;
use crate::base::text;
use crate::tui::theme::{Role, Theme};
use crate::tui::view::list;
use crate::tui::view::palette::{self, GAP, NOTE_ROWS};
use crate::tui::view::popup::{INPUT_ROWS, Popup};
use crate::tui::widget::line;

const KEY_CELLS: usize = 18;
/// From this width on names stand beside their keys.
const WIDE: usize = 60;

/// Draws the help over the screen; the cursor's place is given back.
pub fn draw(help: &Help, screen: Rect, buffer: &mut Buffer, theme: Theme) -> (u16, u16) {
    let lines = help.lines();
    let popup = place(help, screen);
    let scroll = list::scroll(help.list, lines.len());
    let cursor = popup.draw_typed(
        "keys",
        scroll,
        &help.filter,
        "type to filter",
        buffer,
        theme,
    );
    list::draw(
        help.list,
        lines.len(),
        true,
        popup.rows,
        buffer,
        theme,
        |at, cells| {
            let (entry, keys) = (lines[at].entry, lines[at].written_keys());
            let room = KEY_CELLS.min(cells / 2);
            let keys = text::fit(&keys, room.saturating_sub(GAP));
            let keys = format!("{keys}{:GAP$}", "");
            let mut left = vec![Span::styled(keys, theme.style(Role::Strong))];
            if cells >= WIDE {
                left.push(Span::raw(text::fit(entry.name, palette::name_cells())));
            }
            left.extend([Span::styled(entry.doc, theme.style(Role::Dim))]);
            line::row(left, Vec::new(), cells)
        },
    );
    if let Some(line) = lines.get(help.list.cursor) {
        let said = format!("{} · {}", line.entry.doc, line.places());
        palette::draw_note(&said, popup.note, buffer, theme);
    }
    if lines.is_empty() {
        palette::draw_nothing(popup, buffer, theme);
    }
    cursor
}

/// The help's box and the rows in it.
#[must_use]
pub fn place(help: &Help, screen: Rect) -> Popup {
    Popup::place(screen, INPUT_ROWS, help.lines().len(), 100, NOTE_ROWS)
}

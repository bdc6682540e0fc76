//! The frame of a pane: a rounded border with titles, the accent on the focused one only, and a
//! thin scrollbar where there is more than fits.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, BorderType, Widget as _};

use crate::tui::theme::{Role, Theme};

/// How much there is and what part of it is in view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scroll {
    pub offset: usize,
    pub length: usize,
}

/// A pane's frame.
#[derive(Debug)]
pub struct Frame {
    pub title: Line<'static>,
    /// What stands in the border below.
    pub foot: Line<'static>,
    pub focused: bool,
    pub scroll: Option<Scroll>,
}

impl Frame {
    /// Draws it and gives back the area inside the border.
    pub fn draw(self, area: Rect, buffer: &mut Buffer, theme: Theme) -> Rect {
        let border = theme.style(if self.focused {
            Role::Accent
        } else {
            Role::Dim
        });
        let block = Block::bordered()
            .border_type(BorderType::Rounded)
            .border_style(border)
            .title(self.title)
            .title_bottom(self.foot);
        let inside = block.inner(area);
        block.render(area, buffer);
        if let Some(scroll) = self.scroll {
            scrollbar(scroll, area.right() - 1, inside, buffer, theme);
        }
        inside
    }
}

/// Draws the scrollbar of the rows `inside` in column `x`, if there is more than fits.
pub fn scrollbar(scroll: Scroll, x: u16, inside: Rect, buffer: &mut Buffer, theme: Theme) {
    let height = usize::from(inside.height);
    if height == 0 || scroll.length <= height {
        return;
    }
    let size = (height * height / scroll.length).max(1);
    let most = scroll.length - height;
    let start = (scroll.offset.min(most) * (height - size)).div_ceil(most);
    for (row, y) in (inside.top()..inside.bottom()).enumerate() {
        if (start..start + size).contains(&row) {
            buffer[(x, y)]
                .set_symbol("┃")
                .set_style(theme.style(Role::Text));
        }
    }
}

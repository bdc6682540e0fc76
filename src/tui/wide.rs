//! Wide glyphs sent so that every terminal shows them whole. Ratatui blanks the second cell of an
//! emoji that a selector made wide (U+FE0F) after the emoji itself: where terminals show it two cells
//! wide, that rubs it out; where they show it one cell wide, the blank is needed. Sent before the
//! glyph, it is right on both.

use std::io;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

use crate::base::text;

/// Cells to be sent, the second cell of a wide glyph before the glyph.
pub(super) fn in_order<'a>(
    cells: impl Iterator<Item = (u16, u16, &'a Cell)>,
) -> impl Iterator<Item = (u16, u16, &'a Cell)> {
    let mut cells = cells.peekable();
    let mut glyph = None;
    std::iter::from_fn(move || {
        if glyph.is_some() {
            return glyph.take();
        }
        let (x, y, cell) = cells.next()?;
        let is_second = |next: &(u16, u16, &Cell)| (next.0, next.1) == (x.saturating_add(1), y);
        if text::width(cell.symbol()) > 1
            && let Some(second) = cells.next_if(is_second)
        {
            glyph = Some((x, y, cell));
            return Some(second);
        }
        Some((x, y, cell))
    })
}

/// A backend that sends cells in this order.
#[derive(Debug)]
pub(super) struct Ordered<B>(pub(super) B);

impl<B: Backend<Error = io::Error>> Backend for Ordered<B> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.0.draw(in_order(content))
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.0.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.0.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.0.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.0.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.0.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.0.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.0.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.0.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

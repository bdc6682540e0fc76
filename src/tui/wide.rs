//! Wide glyphs sent so that every terminal shows them whole. Ratatui blanks the second cell of an
//! emoji that a selector made wide (U+FE0F) after the emoji itself: where terminals show it two cells
//! wide, that rubs it out; where they show it one cell wide, the blank is needed. Sent before the
//! glyph, it is right on both. And where terminals may draw characters of ambiguous width two cells
//! wide, what stands behind one gets its place anew (case TU05).

use std::io;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};

use crate::base::text;
use crate::tui::glyph;

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
pub(super) struct Ordered<B> {
    inner: B,
    /// Characters of ambiguous width may be drawn two cells wide.
    doubtful: bool,
}

impl<B> Ordered<B> {
    pub(super) fn new(inner: B, doubtful: bool) -> Self {
        Self { inner, doubtful }
    }
}

impl<B: Backend<Error = io::Error>> Backend for Ordered<B> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let content = in_order(content);
        if !self.doubtful {
            return self.inner.draw(content);
        }
        // Each call begins by placing the cursor.
        let mut run = Vec::new();
        for one in content {
            run.push(one);
            if glyph::is_ambiguous(one.2) {
                self.inner.draw(run.drain(..))?;
            }
        }
        self.inner.draw(run.into_iter())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.inner.hide_cursor()
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.inner.show_cursor()
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        self.inner.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.inner.set_cursor_position(position)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.inner.clear()
    }

    fn clear_region(&mut self, clear_type: ClearType) -> io::Result<()> {
        self.inner.clear_region(clear_type)
    }

    fn size(&self) -> io::Result<Size> {
        self.inner.size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        self.inner.window_size()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
#[path = "wide_tests.rs"]
mod tests;

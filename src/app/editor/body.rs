//! The body of a memory being edited: the textarea's model, and on top of it the rows that its lines
//! are wrapped into. Up, down and the view go by rows; only lines in view are ever wrapped.

mod rows;

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;

use tui_textarea::{CursorMove, TextArea};

use rows::Wrapped;

use crate::app::key::{Code, Key};
use crate::base::display;

/// Steps that can be taken back.
const HISTORY: usize = 1_000;

/// What a tab key puts in.
const INDENT: &str = "  ";

/// A row: a line of the text and which of the rows that it is wrapped into, both from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Row {
    pub line: usize,
    pub part: usize,
}

/// What a press did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pressed {
    Changed,
    Moved,
    /// It went against this end of the text.
    Start,
    End,
    Nothing,
}

/// The text, its cursor and the part of it that is in view.
#[derive(Debug, Clone)]
pub struct Body {
    area: TextArea<'static>,
    /// Every line ended with CR LF; they are put back.
    crlf: bool,
    /// Cells of a row.
    cells: usize,
    top: Row,
    /// Cells from the left that up and down aim at.
    goal: Option<usize>,
    /// Goes up with every change.
    revision: u64,
    /// The rows of the line that was wrapped last: going through a long line asks for them again
    /// and again.
    wrapped: RefCell<Option<Wrapped>>,
}

impl Body {
    #[must_use]
    pub fn new(content: &str) -> Self {
        let crlf = content.contains('\n')
            && content
                .split_inclusive('\n')
                .all(|line| line.ends_with("\r\n") || !line.contains(['\r', '\n']));
        let lines = if crlf {
            content.split("\r\n").map(str::to_string).collect()
        } else {
            content.split('\n').map(str::to_string).collect()
        };
        let mut area = TextArea::new(lines);
        area.set_max_histories(HISTORY);
        Self {
            area,
            crlf,
            cells: 80,
            top: Row::default(),
            goal: None,
            revision: 0,
            wrapped: RefCell::new(None),
        }
    }

    /// The whole text, as it is to be saved.
    #[must_use]
    pub fn text(&self) -> String {
        self.area
            .lines()
            .join(if self.crlf { "\r\n" } else { "\n" })
    }

    #[must_use]
    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Line and character, from 0.
    #[must_use]
    pub fn cursor(&self) -> (usize, usize) {
        let at = self.area.cursor();
        (at.0, at.1)
    }

    /// The first row in view.
    #[must_use]
    pub fn top(&self) -> Row {
        self.top
    }

    /// Puts the cursor at a line and a character, or the last there is.
    pub fn go(&mut self, line: usize, column: usize) {
        let near = |number: usize| u16::try_from(number).unwrap_or(u16::MAX);
        let here = self.cursor();
        if usize::from(near(column)) == column || here.0 != line {
            self.area
                .move_cursor(CursorMove::Jump(near(line), near(column)));
            while self.cursor().0 < line && self.moves(CursorMove::Down) {}
        }
        if column > usize::from(u16::MAX) {
            self.go_far(here, column);
        }
    }

    /// To a character that a jump can't reach: by steps from wherever is nearest. Each step costs
    /// the length of the line, so there are not many.
    fn go_far(&mut self, before: (usize, usize), column: usize) {
        const STEPS: usize = 10_000;
        let line = self.cursor().0;
        let length = self.lines()[line].chars().count();
        let column = column.min(length);
        let from_end = length - column;
        let from_here = match before.0 == line {
            true => self.cursor().1.abs_diff(column),
            false => usize::MAX,
        };
        let from_jump = column - usize::from(u16::MAX).min(column);
        if from_end <= from_here && from_end <= from_jump {
            self.area.move_cursor(CursorMove::End);
        } else if from_jump < from_here {
            let row = u16::try_from(line).unwrap_or(u16::MAX);
            self.area.move_cursor(CursorMove::Jump(row, u16::MAX));
        }
        for _ in 0..STEPS {
            let step = match self.cursor().1.cmp(&column) {
                Ordering::Less => CursorMove::Forward,
                Ordering::Equal => return,
                Ordering::Greater => CursorMove::Back,
            };
            if !self.moves(step) {
                return;
            }
        }
    }

    fn moves(&mut self, to: CursorMove) -> bool {
        let before = self.cursor();
        self.area.move_cursor(to);
        self.cursor() != before
    }

    /// Takes a press.
    pub fn press(&mut self, key: Key) -> Pressed {
        let Key { code, ctrl, alt } = key;
        let pressed = match (code, ctrl, alt) {
            (Code::Up, false, false) => return self.step(-1),
            (Code::Down, false, false) => return self.step(1),
            (Code::Char(c), false, false) => {
                self.area.insert_char(c);
                Pressed::Changed
            }
            (Code::Enter, false, false) => {
                self.area.insert_newline();
                Pressed::Changed
            }
            (Code::Tab, false, false) => {
                self.area.insert_str(INDENT);
                Pressed::Changed
            }
            (Code::Backspace, false, false) | (Code::Char('h'), true, false) => {
                changed(self.area.delete_char())
            }
            (Code::Delete, false, false) => changed(self.area.delete_next_char()),
            (Code::Char('w'), true, false) | (Code::Backspace, false, true) => {
                changed(self.area.delete_word())
            }
            (Code::Char('d'), false, true) => changed(self.area.delete_next_word()),
            (Code::Char('k'), true, false) => changed(self.area.delete_line_by_end()),
            (Code::Left, false, false) => self.walk(CursorMove::Back),
            (Code::Right, false, false) => self.walk(CursorMove::Forward),
            (Code::Left, true, false) | (Code::Char('b'), false, true) => {
                self.walk(CursorMove::WordBack)
            }
            (Code::Right, true, false) | (Code::Char('f'), false, true) => {
                self.walk(CursorMove::WordForward)
            }
            (Code::Home, false, false) | (Code::Char('a'), true, false) => {
                self.walk(CursorMove::Head)
            }
            (Code::End, false, false) | (Code::Char('e'), true, false) => {
                self.walk(CursorMove::End)
            }
            (Code::Home, true, false) => self.walk(CursorMove::Top),
            (Code::End, true, false) => self.walk(CursorMove::Bottom),
            _ => return Pressed::Nothing,
        };
        self.goal = None;
        if pressed == Pressed::Changed {
            self.revision += 1;
        }
        pressed
    }

    fn walk(&mut self, to: CursorMove) -> Pressed {
        if self.moves(to) {
            Pressed::Moved
        } else {
            Pressed::Nothing
        }
    }

    /// Takes a paste as one edit.
    pub fn paste(&mut self, pasted: &str) {
        let plain = pasted.replace("\r\n", "\n").replace('\r', "\n");
        if self.area.insert_str(plain) {
            self.revision += 1;
        }
        self.goal = None;
    }

    /// Takes the last change back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        let done = self.area.undo();
        self.revision += u64::from(done);
        done
    }

    /// Does again what was taken back; `false` if there is nothing.
    pub fn redo(&mut self) -> bool {
        let done = self.area.redo();
        self.revision += u64::from(done);
        done
    }

    /// Moves by so many rows; it stops at the ends.
    pub fn step(&mut self, rows: isize) -> Pressed {
        let (from, x) = self.place();
        let goal = *self.goal.get_or_insert(x);
        let mut to = from;
        for _ in 0..rows.unsigned_abs() {
            let next = if rows < 0 {
                self.before(to)
            } else {
                self.after(to)
            };
            match next {
                Some(next) => to = next,
                None => break,
            }
        }
        if to == from {
            return if rows < 0 {
                Pressed::Start
            } else {
                Pressed::End
            };
        }
        let column = self.column_at(to, goal);
        self.go(to.line, column);
        self.goal = Some(goal);
        Pressed::Moved
    }

    /// Takes the size that it is drawn in and brings the cursor into view.
    pub fn settle(&mut self, cells: usize, height: usize) {
        self.cells = cells.max(2);
        let (cursor, _) = self.place();
        let last = self.parts(self.top.line).len().saturating_sub(1);
        self.top.part = self.top.part.min(last);
        if cursor < self.top {
            self.top = cursor;
            return;
        }
        // The highest row that may be the first in view: no further than that is ever walked.
        let mut highest = cursor;
        for _ in 1..height.max(1) {
            match self.before(highest) {
                Some(row) => highest = row,
                None => break,
            }
        }
        self.top = self.top.max(highest);
    }

    /// Scrolls by so many rows and takes the cursor along.
    pub fn scroll(&mut self, rows: isize) {
        for _ in 0..rows.unsigned_abs() {
            let next = if rows < 0 {
                self.before(self.top)
            } else {
                self.after(self.top)
            };
            match next {
                Some(next) => self.top = next,
                None => break,
            }
        }
        self.step(rows);
    }
}

fn changed(did: bool) -> Pressed {
    if did {
        Pressed::Changed
    } else {
        Pressed::Nothing
    }
}

/// A line as it is drawn: no tab, nothing hidden. Borrows when it is drawn as it is.
#[must_use]
pub fn shown(raw: &str) -> Cow<'_, str> {
    match display::untab(raw) {
        Cow::Borrowed(raw) => display::line(raw),
        Cow::Owned(text) => Cow::Owned(display::line(&text).into_owned()),
    }
}

#[cfg(test)]
#[path = "body_tests.rs"]
mod tests;

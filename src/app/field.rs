//! A text field of one line: the model of what is typed into a filter or the palette. Typing,
//! editing keys and pasting; knows nothing of what the text is for.

use tui_textarea::{CursorMove, TextArea};

use crate::app::key::{Code, Key};
use crate::base::time::grouped;

/// Characters that a field takes: nobody filters by more, and each costs a look at all before it.
const MOST: usize = 1_000;

/// Characters of a field's value: a description is some hundred.
const MOST_OF_A_VALUE: usize = 10_000;

/// Changes of a value that can be taken back.
const HISTORY: usize = 100;

/// Whether alt and this key edit a field.
#[must_use]
pub fn takes_alt(code: Code) -> bool {
    matches!(code, Code::Char('b' | 'f' | 'd') | Code::Backspace)
}

/// One line of text being typed.
#[derive(Debug, Clone)]
pub struct Field {
    area: TextArea<'static>,
    /// Characters that it takes.
    most: usize,
    is_marked: bool,
}

impl Default for Field {
    fn default() -> Self {
        let mut area = TextArea::default();
        area.set_max_histories(0);
        Self {
            area,
            most: MOST,
            is_marked: false,
        }
    }
}

impl Field {
    /// A field of a form: holds a value, however long, and can take changes back.
    #[must_use]
    pub fn of(value: &str) -> Self {
        let mut area = TextArea::new(vec![value.to_string()]);
        area.set_max_histories(HISTORY);
        area.move_cursor(CursorMove::End);
        Self {
            area,
            most: MOST_OF_A_VALUE,
            is_marked: false,
        }
    }

    /// A field with a value that the first character typed takes the place of; any other key keeps it.
    #[must_use]
    pub fn marked(value: &str) -> Self {
        Self {
            is_marked: true,
            ..Self::of(value)
        }
    }

    /// Whether what is typed takes the place of what stands there.
    #[must_use]
    pub fn is_marked(&self) -> bool {
        self.is_marked && !self.text().is_empty()
    }

    /// Takes the last change back; `false` if there is none.
    pub fn undo(&mut self) -> bool {
        self.area.undo()
    }

    /// Does again what was taken back; `false` if there is nothing.
    pub fn redo(&mut self) -> bool {
        self.area.redo()
    }

    /// What stands in it.
    #[must_use]
    pub fn text(&self) -> &str {
        self.area.lines().first().map_or("", String::as_str)
    }

    /// The text before the cursor.
    #[must_use]
    pub fn before_cursor(&self) -> &str {
        let text = self.text();
        let column = self.area.cursor().1;
        text.char_indices()
            .nth(column)
            .map_or(text, |(at, _)| &text[..at])
    }

    /// Takes a press as typing or editing; `false` if it means nothing in a field.
    pub fn press(&mut self, key: Key) -> bool {
        let types = matches!(key.code, Code::Char(_)) && !key.ctrl && !key.alt;
        if std::mem::take(&mut self.is_marked) && types {
            self.clear();
        }
        match key {
            Key {
                code: Code::Char(c),
                ctrl: false,
                alt: false,
            } => {
                let fits = self.room() > 0;
                if fits {
                    self.area.insert_char(c);
                }
                fits
            }
            Key {
                code, alt: true, ..
            } => match code {
                Code::Char('b') => self.go(CursorMove::WordBack),
                Code::Char('f') => self.go(CursorMove::WordForward),
                Code::Char('d') => self.area.delete_next_word(),
                Code::Backspace => self.area.delete_word(),
                _ => false,
            },
            Key {
                code, ctrl: true, ..
            } => match code {
                Code::Char('a') => self.go(CursorMove::Head),
                Code::Char('e') => self.go(CursorMove::End),
                Code::Char('b') => self.go(CursorMove::Back),
                Code::Char('f') => self.go(CursorMove::Forward),
                Code::Char('w') => self.area.delete_word(),
                Code::Char('u') => self.area.delete_line_by_head(),
                Code::Char('k') => self.area.delete_line_by_end(),
                Code::Char('h') => self.area.delete_char(),
                Code::Char('d') => self.area.delete_next_char(),
                Code::Left => self.go(CursorMove::WordBack),
                Code::Right => self.go(CursorMove::WordForward),
                _ => false,
            },
            Key {
                code, ctrl: false, ..
            } => match code {
                Code::Backspace => self.area.delete_char(),
                Code::Delete => self.area.delete_next_char(),
                Code::Left => self.go(CursorMove::Back),
                Code::Right => self.go(CursorMove::Forward),
                Code::Home => self.go(CursorMove::Head),
                Code::End => self.go(CursorMove::End),
                _ => false,
            },
        }
    }

    /// Takes a paste as one edit, as much as there is room for; line breaks become spaces. `Some`: what
    /// is to be said of the rest.
    pub fn paste(&mut self, text: &str) -> Option<String> {
        let text = text.trim_end_matches(['\n', '\r']);
        let flat = text.replace("\r\n", " ").replace(['\n', '\r'], " ");
        let fits: String = flat.chars().take(self.room()).collect();
        let is_cut = fits.len() < flat.len();
        self.area.insert_str(fits);
        is_cut.then(|| format!("what was pasted is cut: {}", self.bound()))
    }

    /// What is to be said where nothing more can be typed.
    #[must_use]
    pub fn full(&self) -> Option<String> {
        (self.room() == 0).then(|| self.bound())
    }

    fn bound(&self) -> String {
        format!("no more than {} characters fit here", grouped(self.most))
    }

    fn room(&self) -> usize {
        // Bytes are at least as many as characters, and counting them costs nothing.
        match self.text().len() {
            bytes if bytes < self.most => self.most - bytes,
            _ => self.most.saturating_sub(self.text().chars().count()),
        }
    }

    /// Empties it; `false` if it was empty.
    pub fn clear(&mut self) -> bool {
        let had = !self.text().is_empty();
        *self = Self::default();
        had
    }

    fn go(&mut self, to: CursorMove) -> bool {
        let before = self.area.cursor();
        self.area.move_cursor(to);
        self.area.cursor() != before
    }
}

#[cfg(test)]
#[path = "field_tests.rs"]
mod tests;

//! What the terminal's background is: the question (OSC 11), and its answer picked out of what is
//! typed. The terminal library knows no such answer and gives it as keys, of which none may be taken
//! for a command. Nothing waits for it: a terminal that does not answer costs nothing.
//!
//! The notices of mode 2031 are not asked for: the library takes one for the beginning of something
//! longer and swallows what is typed next. Instead the question is put again at each focus.

use std::time::{Duration, Instant};

use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};

use crate::app::look::Background;
use crate::app::message::Message;
use crate::tui::input;

/// The question.
pub(super) const QUESTION: &str = "\x1b]11;?\x1b\\";

/// So long an answer is still on its way when the screen is left.
const ON_ITS_WAY: Duration = Duration::from_millis(150);

/// Longer than any answer.
const LONGEST: usize = 40;

/// What has come of an answer, while one is owed.
#[derive(Debug, Default)]
pub(super) struct Answer {
    asked: Option<Instant>,
    /// Events that may be an answer, until it is whole or something else.
    held: Vec<Event>,
    text: String,
}

impl Answer {
    /// The question was put.
    pub(super) fn await_it(&mut self) {
        self.asked = Some(Instant::now());
    }

    /// Until when an answer has to be waited for, lest the shell gets it.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.asked.map(|asked| asked + ON_ITS_WAY)
    }

    /// Events as messages, an answer as one.
    pub(super) fn take(&mut self, event: Event, out: &mut Vec<Message>) {
        if self.asked.is_none() {
            out.extend(input::message(event));
            return;
        }
        match piece(&event, self.text.is_empty()) {
            Some(piece) if self.text.len() < LONGEST => {
                self.text.push(piece);
                self.held.push(event);
            }
            Some(_) | None => {
                self.let_go(out);
                // It may begin an answer itself.
                match piece(&event, true) {
                    Some(begin) => {
                        self.text.push(begin);
                        self.held.push(event);
                    }
                    None => out.extend(input::message(event)),
                }
            }
        }
        if self.text.ends_with(END) {
            match background(&self.text) {
                Some(background) => {
                    *self = Self::default();
                    out.push(Message::Background(background));
                }
                None => self.let_go(out),
            }
        }
    }

    /// What was held was typed after all.
    fn let_go(&mut self, out: &mut Vec<Message>) {
        self.text.clear();
        out.extend(self.held.drain(..).filter_map(input::message));
    }
}

/// What stands for the end of an answer, however it is written.
const END: char = '\u{7}';

/// The character of an answer that an event can be; the first is the bracket that begins it.
fn piece(event: &Event, first: bool) -> Option<char> {
    let Event::Key(KeyEvent {
        code: KeyCode::Char(c),
        modifiers,
        ..
    }) = event
    else {
        return None;
    };
    let alt = modifiers.contains(KeyModifiers::ALT);
    let ctrl = modifiers.contains(KeyModifiers::CONTROL);
    match (first, alt, ctrl, c) {
        (true, true, false, ']') => Some(']'),
        (false, true, false, '\\') | (false, false, true, 'g') => Some(END),
        (false, false, false, c) if c.is_ascii_hexdigit() || ":;/rgba".contains(*c) => Some(*c),
        (true | false, ..) => None,
    }
}

/// Reads `]11;rgb:RRRR/GGGG/BBBB` and its end; parts have one to four digits.
fn background(text: &str) -> Option<Background> {
    let body = text.trim_end_matches(END).strip_prefix("]11;")?;
    let body = body
        .strip_prefix("rgb:")
        .or_else(|| body.strip_prefix("rgba:"))?;
    let part = |hex: &str| {
        let most = 16_u32.checked_pow(u32::try_from(hex.len()).ok()?)? - 1;
        let value = u32::from_str_radix(hex, 16).ok()?;
        (1..=4).contains(&hex.len()).then(|| value * 1_000 / most)
    };
    let mut parts = body.split('/').map(part);
    let (red, green, blue) = (parts.next()??, parts.next()??, parts.next()??);
    // How light the eye finds each.
    let light = (red * 299 + green * 587 + blue * 114) / 1_000;
    Some(match light > 500 {
        true => Background::Light,
        false => Background::Dark,
    })
}

#[cfg(test)]
#[path = "background_tests.rs"]
mod tests;

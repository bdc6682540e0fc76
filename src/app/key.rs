//! Keys as values: one press, a chord of presses, how both are written (`ctrl-d`, `g g`) and read.
//! Knows nothing of the terminal that sends them.

use std::fmt;

/// One press. Shift shows in the character itself (`G`) or in [`Code::BackTab`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Key {
    pub code: Code,
    pub ctrl: bool,
    pub alt: bool,
}

/// What was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

impl Key {
    /// A press without modifiers.
    #[must_use]
    pub const fn plain(code: Code) -> Self {
        Self {
            code,
            ctrl: false,
            alt: false,
        }
    }

    /// A plain character.
    #[must_use]
    pub const fn char(c: char) -> Self {
        Self::plain(Code::Char(c))
    }

    /// Control and a character.
    #[must_use]
    pub const fn ctrl(c: char) -> Self {
        Self {
            code: Code::Char(c),
            ctrl: true,
            alt: false,
        }
    }

    /// Whether it types a character into a text field.
    #[must_use]
    pub fn is_typing(self) -> bool {
        matches!(self.code, Code::Char(_)) && !self.ctrl && !self.alt
    }

    /// Reads one press as the table writes it; `None` if it is no key.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let (mut ctrl, mut alt) = (false, false);
        loop {
            if let Some(after) = rest.strip_prefix("ctrl-").filter(|left| !left.is_empty()) {
                (ctrl, rest) = (true, after);
            } else if let Some(after) = rest.strip_prefix("alt-").filter(|left| !left.is_empty()) {
                (alt, rest) = (true, after);
            } else {
                break;
            }
        }
        let mut chars = rest.chars();
        let code = match (chars.next(), chars.next()) {
            (Some(only), None) => Code::Char(only),
            _ => named(rest)?,
        };
        Some(Self { code, ctrl, alt })
    }

    /// Reads presses parted by spaces.
    #[must_use]
    pub fn parse_chord(text: &str) -> Option<Vec<Self>> {
        text.split(' ').map(Self::parse).collect()
    }
}

const NAMES: &[(&str, Code)] = &[
    ("enter", Code::Enter),
    ("esc", Code::Esc),
    ("tab", Code::Tab),
    ("shift-tab", Code::BackTab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("home", Code::Home),
    ("end", Code::End),
    ("pgup", Code::PageUp),
    ("pgdn", Code::PageDown),
    ("space", Code::Char(' ')),
];

fn named(text: &str) -> Option<Code> {
    if let Some(number) = text.strip_prefix('F') {
        let number: Option<u8> = number.parse().ok();
        return number
            .filter(|number| (1..=24).contains(number))
            .map(Code::F);
    }
    NAMES
        .iter()
        .find(|(name, _)| *name == text)
        .map(|(_, code)| *code)
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::Char(c) => write!(f, "{c}"),
            Code::F(number) => write!(f, "F{number}"),
            Code::Enter
            | Code::Esc
            | Code::Tab
            | Code::BackTab
            | Code::Backspace
            | Code::Delete
            | Code::Up
            | Code::Down
            | Code::Left
            | Code::Right
            | Code::Home
            | Code::End
            | Code::PageUp
            | Code::PageDown => unreachable!("every named key is in the list above"),
        }
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;

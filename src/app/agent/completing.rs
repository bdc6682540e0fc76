//! What may stand where something is typed to the agent: commands behind a slash, what they take, files and
//! memories behind an `@`. Finds the place in the text and holds what is offered; knows no disk.

use crate::app::agent::commands::{self, COMMANDS};
use crate::app::editor::body::Body;
use crate::app::list::List;

/// Rows of the list at most.
pub const ROWS: usize = 8;

/// What is chosen from, where it is not the table of commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// Our conversations of the project.
    Sessions,
    Models,
    Memories,
    /// Files of the project, and memories.
    Files,
}

/// Something that may stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What is put into the text.
    pub put: String,
    /// What the list shows, and behind it.
    pub text: String,
    pub about: String,
}

/// A place in the text at which something can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Where the choices come from; `None`: the table of commands.
    pub of: Option<Source>,
    /// The line, and the characters of it that a choice takes the place of.
    line: usize,
    from: usize,
    to: usize,
    /// What is typed there, without its mark.
    pub word: String,
}

impl Place {
    /// Where the cursor stands.
    #[must_use]
    pub fn of(input: &Body) -> Option<Self> {
        let (line, to) = input.cursor();
        let text = input.lines().get(line)?;
        let before: String = text.chars().take(to).collect();
        if line == 0
            && let Some(typed) = before.strip_prefix('/')
        {
            return Self::in_command(typed, to);
        }
        let word = before.rsplit(char::is_whitespace).next()?;
        let from = to - word.chars().count();
        let word = word.strip_prefix('@').filter(|word| !word.is_empty())?;
        Some(Self {
            of: Some(Source::Files),
            line,
            from,
            to,
            word: word.to_string(),
        })
    }

    /// In a line that begins with a slash.
    fn in_command(typed: &str, to: usize) -> Option<Self> {
        let Some((name, rest)) = typed.split_once(char::is_whitespace) else {
            return Some(Self {
                of: None,
                line: 0,
                from: 0,
                to,
                word: typed.to_string(),
            });
        };
        let of = commands::named(name)?.of?;
        let word = rest.trim_start();
        Some(Self {
            of: Some(of),
            line: 0,
            from: to - word.chars().count(),
            to,
            word: word.to_string(),
        })
    }

    /// Whether more or less is typed at the same place.
    fn is_same(&self, other: &Self) -> bool {
        (self.of, self.line, self.from) == (other.of, other.line, other.from)
    }
}

/// What is offered at a place.
#[derive(Debug, Clone)]
pub struct Completing {
    pub place: Place,
    pub choices: Vec<Choice>,
    /// Why there are none: a sentence.
    pub said: Option<String>,
    pub list: List,
    /// A person went through the list: enter takes what is chosen.
    pub is_chosen: bool,
    /// It was closed by hand, and stays so at this place.
    is_closed: bool,
    /// What was asked for last, and which id its answer has.
    asked: Option<(String, u64)>,
}

impl Completing {
    /// What is offered at a place, the commands at once.
    #[must_use]
    pub fn new(place: Place) -> Self {
        let mut new = Self {
            choices: Vec::new(),
            said: None,
            list: List::default(),
            is_chosen: false,
            is_closed: false,
            asked: None,
            place,
        };
        new.commands();
        new
    }

    /// Goes on where something else is typed at the place now.
    pub fn turn_to(&mut self, place: Place) {
        match self.place.is_same(&place) {
            true if self.place == place => {}
            true => {
                self.place = place;
                self.is_chosen = false;
                self.list = List::default();
                self.commands();
            }
            false => *self = Self::new(place),
        }
    }

    fn commands(&mut self) {
        if self.place.of.is_some() {
            return;
        }
        let begun = COMMANDS
            .iter()
            .filter(|command| command.name.starts_with(&self.place.word));
        self.choices = begun
            .map(|command| Choice {
                put: match command.takes {
                    "" => format!("/{}", command.name),
                    _ => format!("/{} ", command.name),
                },
                text: command.usage(),
                about: command.doc.to_string(),
            })
            .collect();
    }

    /// Whether the list stands on the screen.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !self.is_closed && (!self.choices.is_empty() || self.said.is_some())
    }

    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// What has to be found out, if anything.
    #[must_use]
    pub fn lacks(&self) -> Option<Source> {
        let is_asked = self
            .asked
            .as_ref()
            .is_some_and(|(word, _)| *word == self.place.word);
        self.place.of.filter(|_| !is_asked && !self.is_closed)
    }

    pub fn asking(&mut self, id: u64) {
        self.asked = Some((self.place.word.clone(), id));
    }

    /// Takes an answer, if it is the one that is waited for.
    pub fn take(&mut self, id: u64, found: Result<Vec<Choice>, String>) {
        if self.asked.as_ref().is_none_or(|(_, asked)| *asked != id) {
            return;
        }
        (self.choices, self.said) = match found {
            Ok(choices) => (choices, None),
            Err(said) => (Vec::new(), Some(said)),
        };
        self.list = List::default();
        self.is_chosen = false;
    }

    /// Whether enter takes what is chosen, and does not send what is typed.
    #[must_use]
    pub fn takes_enter(&self) -> bool {
        let is_whole = |word: &str| commands::named(word).is_some();
        !self.choices.is_empty()
            && match self.place.of {
                _ if self.is_chosen => true,
                None => !self.place.word.is_empty() && !is_whole(&self.place.word),
                Some(Source::Files) => true,
                Some(Source::Sessions | Source::Models | Source::Memories) => false,
            }
    }

    /// The text with what is chosen put in, and where the cursor stands in it then: line and character.
    #[must_use]
    pub fn put(&self, input: &Body) -> Option<(String, (usize, usize))> {
        let choice = self.choices.get(self.list.cursor)?;
        let Place { line, from, to, .. } = self.place;
        let mut lines: Vec<String> = input.lines().to_vec();
        let text = lines.get_mut(line)?;
        let head: String = text.chars().take(from).collect();
        let tail: String = text.chars().skip(to).collect();
        let space = match self.place.of {
            Some(Source::Files) if !tail.starts_with(char::is_whitespace) => " ",
            _ => "",
        };
        let head = format!("{head}{}{space}", choice.put);
        let column = head.chars().count();
        *text = format!("{head}{tail}");
        Some((lines.join("\n"), (line, column)))
    }
}

#[cfg(test)]
#[path = "completing_tests.rs"]
mod tests;

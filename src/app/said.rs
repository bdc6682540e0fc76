//! What was said in this run: a word is gone with the next key, here it can be read again.

use crate::app::App;
use crate::app::dialog::{Answer, Choice};
use crate::app::list::List;
use crate::app::overlay::Overlay;
use crate::base::time::Moment;

/// Sentences that are kept, and of them those that are shown.
const KEPT: usize = 100;
const SHOWN: usize = 12;

/// One sentence.
#[derive(Debug, Clone)]
pub struct Said {
    at: Moment,
    sentence: String,
    is_error: bool,
}

impl App {
    /// Keeps a sentence; the same once more only tells the newer time.
    pub(super) fn remember_said(&mut self, said: &str, is_error: bool) {
        if self.said.back().is_some_and(|last| last.sentence == said) {
            self.said.pop_back();
        }
        if self.said.len() == KEPT {
            self.said.pop_front();
        }
        self.said.push_back(Said {
            at: self.now,
            sentence: said.to_string(),
            is_error,
        });
    }

    /// Shows what was said, the newest first.
    pub(super) fn show_said(&mut self) {
        let now = self.now;
        let line = |one: &Said| {
            let mark = if one.is_error { "✗" } else { "·" };
            format!("{:>4} {mark} {}", one.at.age(now), one.sentence)
        };
        let lines: Vec<String> = self.said.iter().rev().take(SHOWN).map(line).collect();
        if lines.is_empty() {
            self.say("nothing was said yet");
            return;
        }
        self.overlay = Some(Overlay::Choice(Choice {
            title: "what was said, the newest first".to_string(),
            lines,
            answers: vec![("close".to_string(), Answer::Stay)],
            list: List::default(),
        }));
    }
}

#[cfg(test)]
#[path = "said_tests.rs"]
mod tests;

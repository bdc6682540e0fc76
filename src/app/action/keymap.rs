//! The keys of the table, read: what has been pressed so far means an action, the start of a chord, or
//! nothing.

use crate::app::action::{Action, Scope, TABLE};
use crate::app::key::Key;

/// The table with its keys read.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<(Scope, Vec<Key>, Action)>,
}

/// What presses so far mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lookup {
    Action(Action),
    /// They begin a longer chord.
    Prefix,
    Nothing,
}

impl Default for Keymap {
    fn default() -> Self {
        let mut bindings = Vec::new();
        for entry in TABLE {
            for scope in Scope::ALL {
                for text in entry.keys(scope) {
                    let chord = Key::parse_chord(text).expect("the table's keys can be read");
                    bindings.push((scope, chord, entry.action));
                }
            }
        }
        Self { bindings }
    }
}

impl Keymap {
    /// What `pressed` means in a scope.
    #[must_use]
    pub fn lookup(&self, scope: Scope, pressed: &[Key]) -> Lookup {
        let mut found = Lookup::Nothing;
        for (at, chord, action) in &self.bindings {
            if *at != scope || !chord.starts_with(pressed) {
                continue;
            }
            if chord.len() == pressed.len() {
                return Lookup::Action(*action);
            }
            found = Lookup::Prefix;
        }
        found
    }

    /// What can follow `pressed` in a scope: the remaining keys and the action.
    #[must_use]
    pub fn continuations(&self, scope: Scope, pressed: &[Key]) -> Vec<(String, Action)> {
        self.bindings
            .iter()
            .filter(|(at, chord, _)| {
                *at == scope && chord.len() > pressed.len() && chord.starts_with(pressed)
            })
            .map(|(_, chord, action)| {
                let rest: Vec<_> = chord[pressed.len()..].iter().map(Key::to_string).collect();
                (rest.join(" "), *action)
            })
            .collect()
    }
}

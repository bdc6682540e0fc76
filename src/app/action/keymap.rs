//! The keys that hold: those of the table, and in their place those that a person has chosen. What
//! has been pressed so far means an action, the start of a chord, or nothing.

use std::collections::HashMap;

use crate::app::action::{Action, Entry, HelpLine, Scope, TABLE, entry};
use crate::app::key::Key;

/// What is shown for an action that no key leads to.
pub const UNBOUND: &str = "unbound";

/// Keys with what they mean, in the order of the table.
#[derive(Debug, Clone)]
pub struct Keymap {
    /// Those of a scope together: each press looks through those of one.
    by_scope: HashMap<Scope, Vec<Binding>>,
}

/// A chord that means an action in a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binding {
    pub(super) scope: Scope,
    pub(super) chord: Vec<Key>,
    pub(super) action: Action,
}

impl Binding {
    /// Whether no keymap can hold both: the same chord, or one is the start of the other.
    pub(super) fn clashes(&self, other: &Self) -> bool {
        self.scope == other.scope
            && (self.chord.starts_with(&other.chord) || other.chord.starts_with(&self.chord))
    }
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
        Self::of(TABLE.iter().flat_map(defaults))
    }
}

/// The default keys of an action.
pub(super) fn defaults(entry: &'static Entry) -> impl Iterator<Item = Binding> {
    entry.scopes().flat_map(move |scope| {
        entry.keys(scope).map(move |text| Binding {
            scope,
            chord: Key::parse_chord(text).expect("the table's keys can be read"),
            action: entry.action,
        })
    })
}

impl Keymap {
    pub(super) fn of(bindings: impl IntoIterator<Item = Binding>) -> Self {
        let mut by_scope: HashMap<Scope, Vec<Binding>> = HashMap::new();
        for binding in bindings {
            by_scope.entry(binding.scope).or_default().push(binding);
        }
        Self { by_scope }
    }

    /// The bindings of a scope.
    pub(super) fn of_scope(&self, scope: Scope) -> &[Binding] {
        self.by_scope.get(&scope).map_or(&[], Vec::as_slice)
    }

    /// What `pressed` means in a scope.
    #[must_use]
    pub fn lookup(&self, scope: Scope, pressed: &[Key]) -> Lookup {
        let mut found = Lookup::Nothing;
        for binding in self.of_scope(scope) {
            if !binding.chord.starts_with(pressed) {
                continue;
            }
            if binding.chord.len() == pressed.len() {
                return Lookup::Action(binding.action);
            }
            found = Lookup::Prefix;
        }
        found
    }

    /// What can follow `pressed` in a scope: the remaining keys and the action.
    #[must_use]
    pub fn continuations(&self, scope: Scope, pressed: &[Key]) -> Vec<(String, Action)> {
        self.of_scope(scope)
            .iter()
            .filter(|Binding { chord, .. }| {
                chord.len() > pressed.len() && chord.starts_with(pressed)
            })
            .map(|binding| (written(&binding.chord[pressed.len()..]), binding.action))
            .collect()
    }

    /// The keys of an action in a scope, the one that is shown first.
    pub fn keys(&self, action: Action, scope: Scope) -> impl Iterator<Item = String> {
        self.of_scope(scope)
            .iter()
            .filter(move |binding| binding.action == action)
            .map(|binding| written(&binding.chord))
    }

    /// The key to be shown for an action in a scope; where none leads to it there, that of another
    /// scope, or that there is none.
    #[must_use]
    pub fn shown(&self, action: Action, scope: Scope) -> String {
        let other = || {
            let mut scopes = entry(action).scopes();
            scopes.find_map(|scope| self.keys(action, scope).next())
        };
        let applies = entry(action).applies(scope);
        let key = self.keys(action, scope).next();
        key.or_else(|| if applies { None } else { other() })
            .unwrap_or_else(|| UNBOUND.to_string())
    }

    /// Every action with its keys, those together that work in the same places; where no key leads
    /// to it is a line as well.
    #[must_use]
    pub fn help_lines(&self) -> Vec<HelpLine> {
        TABLE
            .iter()
            .flat_map(|entry| self.lines_of(entry))
            .collect()
    }

    /// By key, unless fewer lines say it by place.
    fn lines_of(&self, entry: &'static Entry) -> Vec<HelpLine> {
        let mut by_place = Vec::new();
        let mut by_key = Vec::new();
        let mut unbound = Vec::new();
        for scope in entry.scopes() {
            let keys: Vec<String> = self.keys(entry.action, scope).collect();
            if keys.is_empty() {
                unbound.push(scope);
                continue;
            }
            for key in &keys {
                gather(&mut by_key, key.clone(), scope);
            }
            gather(&mut by_place, keys, scope);
        }
        let by_key = regrouped(by_key);
        let fewer = match by_place.len() < by_key.len() {
            true => by_place,
            false => by_key,
        };
        let unbound = (!unbound.is_empty()).then_some((Vec::new(), unbound));
        let lines = fewer.into_iter().chain(unbound);
        lines
            .map(|(keys, scopes)| HelpLine {
                entry,
                keys,
                scopes,
            })
            .collect()
    }
}

/// Adds a scope to those of the same name, in the order in which they come.
fn gather<N: PartialEq, T>(groups: &mut Vec<(N, Vec<T>)>, name: N, one: T) {
    match groups.iter_mut().find(|(same, _)| *same == name) {
        Some((_, all)) => all.push(one),
        None => groups.push((name, vec![one])),
    }
}

/// Keys that work in the same scopes, together.
fn regrouped(by_key: Vec<(String, Vec<Scope>)>) -> Vec<(Vec<String>, Vec<Scope>)> {
    let mut groups = Vec::new();
    for (key, scopes) in by_key {
        gather(&mut groups, scopes, key);
    }
    groups
        .into_iter()
        .map(|(scopes, keys)| (keys, scopes))
        .collect()
}

fn written(chord: &[Key]) -> String {
    let keys: Vec<_> = chord.iter().map(Key::to_string).collect();
    keys.join(" ")
}

//! The keymap that a person's `keys.toml` makes of the table: what is asked for takes the place of
//! the default keys and pushes others' default keys away. What can't be had is told with its line.

use std::collections::HashMap;

use crate::app::action::keymap::{Binding, Keymap, defaults};
use crate::app::action::{Action, Entry, Scope, TABLE};
use crate::app::key::{Code, Key};
use crate::config::file::Fault;
use crate::config::keys::Wanted;

/// The heading that stands for all scopes.
const EVERYWHERE: &str = "everywhere";

impl Keymap {
    /// The table's keys with what a person wants in their place, and what of that can't be had.
    #[must_use]
    pub fn with(wanted: &[Wanted]) -> (Self, Vec<Fault>) {
        let mut own = Own::default();
        let is_everywhere = |one: &&Wanted| one.scope == EVERYWHERE;
        // What is said of one scope is stronger than what is said of all.
        let (all, one): (Vec<&Wanted>, Vec<&Wanted>) = wanted.iter().partition(is_everywhere);
        for wanted in all.into_iter().chain(one) {
            own.take(wanted);
        }
        let taken = own.without_clashes();
        let holds = |binding: &Binding| {
            let is_asked_for = taken.contains_key(&(binding.scope, binding.action));
            let is_pushed_away = taken
                .values()
                .flatten()
                .any(|(one, _)| one.clashes(binding));
            !is_asked_for && !is_pushed_away
        };
        let mut bindings = Vec::new();
        for entry in TABLE {
            bindings.extend(defaults(entry).filter(holds));
            for scope in entry.scopes() {
                let asked = taken.get(&(scope, entry.action)).into_iter().flatten();
                bindings.extend(asked.map(|(binding, _)| binding.clone()));
            }
        }
        own.faults.sort_by_key(|fault| fault.line);
        (Self::of(bindings), own.faults)
    }
}

/// What is asked for, by scope and action, each key with where it stands.
type Asked = HashMap<(Scope, Action), Vec<(Binding, Fault)>>;

#[derive(Default)]
struct Own {
    asked: Asked,
    /// The order in which it stands in the file.
    order: Vec<(Scope, Action)>,
    faults: Vec<Fault>,
}

impl Own {
    fn take(&mut self, wanted: &Wanted) {
        let Some((entry, scopes)) = self.find(wanted) else {
            return;
        };
        let mut chords = Vec::new();
        for text in &wanted.keys {
            match read(text) {
                Ok(chord) => chords.push((text, chord)),
                Err(said) => self.fault(&wanted.at, said),
            }
        }
        // Nothing but mistakes is no wish to have no key.
        if chords.is_empty() && !wanted.keys.is_empty() {
            return;
        }
        let everywhere = wanted.scope == EVERYWHERE;
        for scope in scopes {
            let mut bindings: Vec<(Binding, Fault)> = Vec::new();
            for (text, chord) in &chords {
                if is_typed(scope, chord[0]) {
                    if !everywhere {
                        self.fault(
                            &wanted.at,
                            format!("{text:?} is typed into {}: take one with ctrl- or alt-, or F1 to F24; it is left out", scope.name()),
                        );
                    }
                    continue;
                }
                let binding = Binding {
                    scope,
                    chord: chord.clone(),
                    action: entry.action,
                };
                if bindings.iter().all(|(one, _)| *one != binding) {
                    bindings.push((binding, wanted.at.clone()));
                }
            }
            if bindings.is_empty() && !wanted.keys.is_empty() {
                continue;
            }
            let place = (scope, entry.action);
            self.order.retain(|one| *one != place);
            self.order.push(place);
            self.asked.insert(place, bindings);
        }
    }

    /// The action and the scopes that a line is about.
    fn find(&mut self, wanted: &Wanted) -> Option<(&'static Entry, Vec<Scope>)> {
        let Wanted {
            scope, action, at, ..
        } = wanted;
        let scopes: Vec<Scope> = Scope::ALL
            .into_iter()
            .filter(|one| scope == EVERYWHERE || one.word() == scope)
            .collect();
        if scopes.is_empty() {
            let words = Scope::ALL.map(Scope::word).join(", ");
            self.fault(
                at,
                format!("there is no scope [{scope}]; there are {EVERYWHERE}, {words}"),
            );
            return None;
        }
        let Some(entry) = TABLE.iter().find(|entry| entry.name == action) else {
            self.fault(
                at,
                format!(
                    "there is no action {action:?}: the help (?) lists their names; it is left out"
                ),
            );
            return None;
        };
        if entry.action == Action::Cancel {
            self.fault(at, "cancel keeps ctrl-c, so that there is always a way out");
            return None;
        }
        let scopes: Vec<Scope> = scopes
            .into_iter()
            .filter(|scope| entry.applies(*scope))
            .collect();
        if scopes.is_empty() {
            let places: Vec<_> = entry.scopes().map(Scope::word).collect();
            self.fault(
                at,
                format!(
                    "{action} does not work in [{scope}], but in {}; it is left out",
                    places.join(", ")
                ),
            );
            return None;
        }
        Some((entry, scopes))
    }

    fn fault(&mut self, at: &Fault, message: impl Into<String>) {
        let fault = Fault {
            message: message.into(),
            ..at.clone()
        };
        // Over many scopes the same is said once.
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    /// What is asked for, without the keys that an earlier line has taken.
    fn without_clashes(&mut self) -> Asked {
        let mut taken: Asked = HashMap::new();
        for place in std::mem::take(&mut self.order) {
            let mut kept = Vec::new();
            for (binding, at) in self.asked.remove(&place).unwrap_or_default() {
                let mut others = taken.values().flatten();
                match others.find(|(other, _)| other.clashes(&binding)) {
                    None => kept.push((binding, at)),
                    Some((other, first)) => {
                        let line = first
                            .line
                            .map_or(String::new(), |line| format!(" (line {line})"));
                        let name = crate::app::action::entry(other.action).name;
                        let keys: Vec<_> = binding.chord.iter().map(Key::to_string).collect();
                        let said = format!(
                            "{:?} is taken by {name}{line} in {}: take another; it is left out",
                            keys.join(" "),
                            place.0.name()
                        );
                        self.fault(&at, said);
                    }
                }
            }
            taken.insert(place, kept);
        }
        taken
    }
}

fn read(text: &str) -> Result<Vec<Key>, String> {
    let chord = Key::parse_chord(text).ok_or_else(|| {
        format!("{text:?} is no key; keys are written x, X, ctrl-x, alt-x, enter, space, pgdn, F5, or g g; it is left out")
    })?;
    if chord.contains(&Key::ctrl('c')) {
        return Err("ctrl-c always cancels: take another; it is left out".to_string());
    }
    Ok(chord)
}

/// Whether a press types or moves in the text of a scope, so that it can be no command there.
fn is_typed(scope: Scope, key: Key) -> bool {
    let plain = !key.ctrl && !key.alt;
    let in_any = key.is_typing() || (plain && matches!(key.code, Code::Backspace | Code::Delete));
    let in_text = plain
        && matches!(
            key.code,
            Code::Enter
                | Code::Tab
                | Code::Up
                | Code::Down
                | Code::Left
                | Code::Right
                | Code::Home
                | Code::End
        );
    (scope.is_field() && in_any) || (scope == Scope::Body && in_text)
}

#[cfg(test)]
#[path = "remap_tests.rs"]
mod tests;

//! `keys.toml`: which keys a person wants for which action, by scope. Which scopes, actions and keys
//! there are is not known here.

use toml_edit::Item;

use crate::config::file::{Fault, TomlFile};

/// The file in our configuration folder.
pub const FILE: &str = "keys.toml";

/// A line of it: `[scope] action = keys`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    pub scope: String,
    pub action: String,
    /// In place of the default ones; none: unbound.
    pub keys: Vec<String>,
    /// Where it stands, for what is wrong with it.
    pub at: Fault,
}

/// Reads what is wanted, in the order of the file.
#[must_use]
pub fn read(file: &TomlFile) -> (Vec<Wanted>, Vec<Fault>) {
    let mut wanted = Vec::new();
    let mut faults = Vec::new();
    for scope in file.fields() {
        let Some(table) = scope.value.as_table_like() else {
            let said = format!(
                "{} stands outside of a scope: put it below a heading such as [tree]; it is left out",
                scope.key
            );
            faults.push(file.fault(scope, said));
            continue;
        };
        for action in file.fields_of(table) {
            match keys(action.value) {
                Some(keys) => wanted.push(Wanted {
                    scope: scope.key.to_string(),
                    action: action.key.to_string(),
                    keys,
                    at: file.fault(action, ""),
                }),
                None => {
                    let said = format!(
                        "{} must be a key in quotes, a list of keys, or [] for none; its default holds",
                        action.key
                    );
                    faults.push(file.fault(action, said));
                }
            }
        }
    }
    (wanted, faults)
}

fn keys(value: &Item) -> Option<Vec<String>> {
    if let Some(key) = value.as_str() {
        return Some(vec![key.to_string()]);
    }
    let list = value.as_array()?.iter();
    list.map(|key| key.as_str().map(str::to_string)).collect()
}

#[cfg(test)]
#[path = "keys_tests.rs"]
mod tests;

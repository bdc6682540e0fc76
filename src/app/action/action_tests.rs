use std::collections::HashMap;

use super::*;
use crate::app::key::Key;

#[test]
fn no_key_means_two_things_in_one_scope() {
    for scope in Scope::ALL {
        let mut seen: HashMap<Vec<Key>, Action> = HashMap::new();
        for entry in TABLE {
            for text in entry.keys(scope) {
                let chord = Key::parse_chord(text).unwrap();
                let before = seen.insert(chord, entry.action);
                assert_eq!(before, None, "{text} is taken twice in {}", scope.name());
            }
        }
        for (chord, action) in &seen {
            for length in 1..chord.len() {
                assert!(
                    !seen.contains_key(&chord[..length]),
                    "the start of {action:?}'s chord is a key itself"
                );
            }
        }
    }
}

#[test]
fn every_action_is_once_in_the_table_and_says_what_it_does() {
    let mut seen = Vec::new();
    for entry in TABLE {
        assert!(!seen.contains(&entry.action), "{:?} twice", entry.action);
        seen.push(entry.action);
        assert!(!entry.name.is_empty());
        assert!(entry.doc.len() > 4, "{:?} has no doc", entry.action);
        let keys = entry.scopes().flat_map(|scope| entry.keys(scope)).count();
        assert!(keys > 0, "{:?} has no key", entry.action);
        let same = TABLE.iter().filter(|one| one.name == entry.name).count();
        assert_eq!(same, 1, "{} is the name of two", entry.name);
    }
}

#[test]
fn a_field_takes_no_typed_character_as_a_command() {
    for scope in Scope::ALL.into_iter().filter(|scope| scope.is_field()) {
        for entry in TABLE {
            for text in entry.keys(scope) {
                let first = Key::parse_chord(text).unwrap()[0];
                assert!(!first.is_typing(), "{text} in {}", scope.name());
            }
        }
    }
}

#[test]
fn the_footer_shows_only_keys_that_work_there() {
    let keymap = Keymap::default();
    for scope in Scope::ALL {
        let entries = footer(scope);
        assert!(!entries.is_empty());
        for entry in entries {
            let key = entry.keys(scope).next().unwrap();
            let chord = Key::parse_chord(key).unwrap();
            assert_eq!(keymap.lookup(scope, &chord), Lookup::Action(entry.action));
        }
    }
}

#[test]
fn a_prefix_waits_and_says_what_can_follow() {
    let keymap = Keymap::default();
    let g = [Key::char('g')];
    assert_eq!(keymap.lookup(Scope::Tree, &g), Lookup::Prefix);
    assert_eq!(
        keymap.continuations(Scope::Tree, &g),
        vec![
            ("g".to_string(), Action::Top),
            ("d".to_string(), Action::Drafts),
            ("l".to_string(), Action::Log)
        ]
    );
    assert_eq!(keymap.lookup(Scope::Help, &g), Lookup::Nothing);
}

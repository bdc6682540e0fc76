//! A project key begins with a dash, as a flag does. For the subcommands that take keys, words that can
//! only be keys are put behind `--` before the arguments are read, so that nobody need write it.

use std::ffi::{OsStr, OsString};

use clap::Command;

/// The subcommands whose arguments are keys.
const KEYED: [&str; 7] = [
    "prune", "relink", "merge", "export", "forget", "split", "fold-in",
];

/// The same words, what is no flag behind a `--`. A key that begins with two dashes looks like any long flag:
/// that `--` is for a person to write.
pub fn keys_last(command: &Command, words: Vec<OsString>) -> Vec<OsString> {
    let Some((at, keyed)) = subcommand(command, &words) else {
        return words;
    };
    let (mut flags, mut others) = (words[..=at].to_vec(), Vec::new());
    let mut rest = words[at + 1..].iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            others.extend(rest.by_ref().cloned());
        } else if is_key(keyed, word) || !word.as_encoded_bytes().starts_with(b"-") {
            others.push(word.clone());
        } else {
            flags.push(word.clone());
            if takes_value(command, keyed, word) {
                flags.extend(rest.next().cloned());
            }
        }
    }
    if !others.is_empty() {
        flags.push("--".into());
        flags.append(&mut others);
    }
    flags
}

/// The first word that is neither a flag nor the value of one, if it is a subcommand that takes keys.
fn subcommand<'a>(command: &'a Command, words: &[OsString]) -> Option<(usize, &'a Command)> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        if word.as_encoded_bytes().starts_with(b"-") {
            at += if takes_value(command, command, word) {
                2
            } else {
                1
            };
            continue;
        }
        let name = KEYED.iter().find(|name| word == **name)?;
        return Some((at, command.find_subcommand(name)?));
    }
    None
}

/// Whether a word begins with one dash and is no short flag by itself.
fn is_key(keyed: &Command, word: &OsStr) -> bool {
    match word.as_encoded_bytes() {
        [b'-', short] => {
            let short = char::from(*short);
            let mut known = keyed.get_arguments().filter_map(clap::Arg::get_short);
            !['h', 'V', '-'].contains(&short) && !known.any(|known| known == short)
        }
        [b'-', second, ..] => *second != b'-',
        _ => false,
    }
}

/// Whether a word is a long flag whose value is the next word.
fn takes_value(command: &Command, keyed: &Command, word: &OsStr) -> bool {
    let Some(name) = word.to_str().and_then(|word| word.strip_prefix("--")) else {
        return false;
    };
    keyed
        .get_arguments()
        .chain(command.get_arguments())
        .any(|argument| argument.get_long() == Some(name) && argument.get_action().takes_values())
}

#[cfg(test)]
#[path = "keys_last_tests.rs"]
mod tests;

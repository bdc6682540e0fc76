//! What changed in the world since a session began and its next turn has to tell: files that the conversation
//! holds, and the day. Each is told once; what was told is found by looking at the conversation.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::context::conversation::Entry;
use crate::context::ours::{Session, note_of_change};
use crate::context::part::{Kind, Origin, Piece};
use crate::store::sha256;
use crate::turn::chat::Chat;

/// The notes with which the next turn ends. `fresh`: what a session that begins now would be latched to.
#[must_use]
pub fn notes(chat: &Chat, fresh: &Session) -> Vec<Vec<Piece>> {
    let (was, is) = (texts(&chat.session), texts(fresh));
    let mut paths: Vec<&PathBuf> = was.keys().chain(is.keys()).collect();
    paths.sort();
    paths.dedup();
    let mut notes = Vec::new();
    for path in paths {
        let before = was.get(path).copied().unwrap_or_default();
        let after = is.get(path).copied().unwrap_or_default();
        let mark = sha256(after.as_bytes());
        let told = told(chat, path);
        if told.map_or(before == after, |told| told == mark) {
            continue;
        }
        let mut pieces = match note_of_change(path, before, after) {
            Some(pieces) => pieces,
            // It was changed, and changed back.
            None => {
                let text = format!(
                    "{} is again as it was when the session began.",
                    path.display()
                );
                vec![Piece::new(Kind::Note, Origin::Ours, text).of(path)]
            }
        };
        if let Some(first) = pieces.first_mut() {
            first.label = Some(mark);
        }
        notes.push(pieces);
    }
    let today = last_day(chat).unwrap_or(&chat.session.date);
    if today != fresh.date {
        let text = format!("It is another day: today is {}.", fresh.date);
        notes.push(vec![
            Piece::new(Kind::Date, Origin::Ours, text).labelled(&*fresh.date),
        ]);
    }
    notes
}

/// The files that a session is latched to, and their texts.
fn texts(session: &Session) -> BTreeMap<PathBuf, &str> {
    let rules = session
        .instructions
        .iter()
        .map(|one| (one.path.clone(), &*one.text));
    let index = session
        .index
        .iter()
        .map(|(path, text)| (path.clone(), &**text));
    rules.chain(index).collect()
}

/// What was last told of a file, by its mark.
fn told<'a>(chat: &'a Chat, path: &Path) -> Option<&'a str> {
    let of_path = |piece: &&Piece| piece.kind == Kind::Note && piece.path.as_deref() == Some(path);
    attached(chat)
        .filter(of_path)
        .find_map(|piece| piece.label.as_deref())
}

/// The day that was last told.
fn last_day(chat: &Chat) -> Option<&str> {
    attached(chat)
        .filter(|piece| piece.kind == Kind::Date)
        .find_map(|piece| piece.label.as_deref())
}

/// What is attached, the last first.
fn attached(chat: &Chat) -> impl Iterator<Item = &Piece> {
    let entries = chat.entries.iter().rev();
    entries.flat_map(|entry| match entry {
        Entry::Attached { pieces, .. } => pieces.as_slice(),
        Entry::Said { .. } | Entry::Boundary { .. } => &[],
    })
}

#[cfg(test)]
#[path = "meanwhile_tests.rs"]
mod tests;

//! The block that carries instructions and index, as the reference client writes it: text around the
//! files, a line before each, the bodies as they were read. Knows not where the block stands.

use std::path::{Path, PathBuf};

use crate::context::observed::data::{Changed, Labels, Wrapper};
use crate::context::part::{Kind, Origin, Piece};
use crate::instructions::{Instruction, around};

/// Holds the date in the data of a version.
const DATE: &str = "{date}";

/// One file as it is sent: an instruction, or the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    pub path: PathBuf,
    /// What the line before it says that it is.
    pub label: String,
    pub text: String,
    /// [`Kind::Rule`] or [`Kind::Index`].
    pub kind: Kind,
}

/// The files in their order, the index last. An index without text is no entry.
#[must_use]
pub fn sent(
    labels: &Labels,
    instructions: &[Instruction],
    index: Option<(&Path, &str)>,
) -> Vec<Sent> {
    let rules = instructions.iter().map(|one| Sent {
        path: one.path.clone(),
        label: labels.of(one.layer).to_string(),
        text: one.text.clone(),
        kind: Kind::Rule,
    });
    let index = index.filter(|(_, text)| !text.is_empty());
    let index = index.map(|(path, text)| Sent {
        path: path.to_path_buf(),
        label: labels.index.clone(),
        text: text.to_string(),
        kind: Kind::Index,
    });
    rules.chain(index).collect()
}

/// What of now differs from what was sent at the session's start, or was not there.
#[must_use]
pub fn changed(at_start: &[Sent], now: &[Sent]) -> Vec<Sent> {
    let same = |one: &&Sent| !at_start.contains(one);
    now.iter().filter(same).cloned().collect()
}

/// The whole block; empty where there is no file. `date` is YYYY-MM-DD.
#[must_use]
pub fn pieces(wrapper: &Wrapper, files: &[Sent], date: &str) -> Vec<Piece> {
    if files.is_empty() {
        return Vec::new();
    }
    let mut pieces = vec![client(Kind::Wrapper, &wrapper.opening)];
    entries(wrapper, files, &mut pieces);
    match wrapper.closing.split_once(DATE) {
        None => pieces.push(client(Kind::Wrapper, &wrapper.closing)),
        Some((before, after)) => {
            pieces.push(client(Kind::Wrapper, before));
            pieces.push(client(Kind::Date, date));
            pieces.push(client(Kind::Wrapper, after));
        }
    }
    pieces
}

/// The block of files that changed before a session was resumed; empty where none did.
#[must_use]
pub fn changed_pieces(wrapper: &Wrapper, around: &Changed, files: &[Sent]) -> Vec<Piece> {
    if files.is_empty() {
        return Vec::new();
    }
    let mut pieces = vec![client(Kind::Changed, &around.opening)];
    entries(wrapper, files, &mut pieces);
    pieces.push(client(Kind::Wrapper, &around.closing));
    pieces
}

fn entries(wrapper: &Wrapper, files: &[Sent], pieces: &mut Vec<Piece>) {
    for (at, file) in files.iter().enumerate() {
        let line = wrapper
            .entry
            .replace("{path}", &file.path.to_string_lossy())
            .replace("{label}", &file.label);
        let line = match at {
            0 => line,
            _ => format!("{}{line}", wrapper.between),
        };
        pieces.push(client(Kind::Wrapper, &line).of(&file.path));
        let body = Piece::new(file.kind, Origin::File, file.text.as_str());
        pieces.push(body.of(&file.path).labelled(file.label.as_str()));
    }
}

/// What a Read brings along: a block of its own behind the tool's result, without a label.
#[must_use]
pub fn nested(path: &Path, text: &str) -> Vec<Piece> {
    let opening = around::nested_line(path);
    vec![
        client(Kind::Wrapper, &opening).of(path),
        Piece::new(Kind::Nested, Origin::File, text).of(path),
        client(Kind::Wrapper, around::NESTED_END),
    ]
}

fn client(kind: Kind, text: &str) -> Piece {
    Piece::new(kind, Origin::Client, text)
}

#[cfg(test)]
#[path = "block_tests.rs"]
mod tests;

//! An edit of one memory: fields set and taken out, the body replaced. Only an edit of the
//! description or the body makes a memory young (spec 11.2).

use std::path::Path;

use super::{BOM, Folder, ProposalError, Result};
use crate::base::front_matter::{self, edit as front_matter_edit};
use crate::store::change::{Age, Author, ChangeSet, Op};

/// What shall be different.
#[derive(Debug, Clone, Default)]
pub struct Edit<'a> {
    pub set: Vec<(&'a str, &'a str)>,
    pub unset: Vec<&'a str>,
    pub body: Option<&'a str>,
    /// What becomes of its age; without a wish, what the edit says.
    pub age: Option<AgeWish>,
}

/// What a person wants told of a memory's age, whatever is edited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AgeWish {
    /// A spelling fix: it stays as old as it is.
    Kept,
    /// It was checked and is true today: it becomes young on purpose.
    Verified,
}

/// The change set that edits the memory at `path`, relative to the folder. Without a difference it
/// has no changes.
///
/// # Errors
/// A file that can't be read or is no text; front matter that can't be edited so.
pub fn edit(folder: &Folder<'_>, path: &str, edit: &Edit<'_>) -> Result<ChangeSet> {
    let file = folder.read(folder.path.join(path))?;
    let refused = |error| ProposalError::FrontMatter {
        path: file.path.clone(),
        error,
    };
    let mut text = file.text.clone();
    for (key, value) in &edit.set {
        text = front_matter_edit::set(&text, key, value).map_err(refused)?;
    }
    for key in &edit.unset {
        text = front_matter_edit::unset(&text, key).map_err(refused)?;
    }
    if let Some(body) = edit.body {
        text = with_body(&text, body);
    }
    if text == file.text && edit.age != Some(AgeWish::Verified) {
        return Ok(titled(path));
    }
    let after = file.bytes_of(&text);
    let keeps = edit.age == Some(AgeWish::Kept);
    let mut set = edited(folder.path, path, file.bytes, after, keeps);
    if edit.age == Some(AgeWish::Verified) {
        verified(&mut set, text == file.text, path);
    }
    Ok(set)
}

/// Makes the write of a set one that gives the memory the age of now.
fn verified(set: &mut ChangeSet, alone: bool, path: &str) {
    for change in &mut set.changes {
        if let Op::Write { age, .. } = &mut change.op {
            *age = Age::Set;
        }
    }
    if alone {
        set.title = format!("verify {}", path.trim_end_matches(".md"));
    }
}

fn titled(path: &str) -> ChangeSet {
    let name = path.trim_end_matches(".md");
    ChangeSet::new(format!("edit {name}"), Author::You)
}

/// The change set that writes the edited bytes of the memory at `path`, relative to the folder. Its
/// age stays if `keep_age`, or if neither description nor body says anything else.
#[must_use]
pub fn edited(
    folder: &Path,
    path: &str,
    before: Vec<u8>,
    after: Vec<u8>,
    keep_age: bool,
) -> ChangeSet {
    let says = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes.strip_prefix(BOM).unwrap_or(bytes)).into_owned();
        let front = front_matter::read(&text);
        (
            front.get("description").map(str::to_string),
            text[front.body..].trim().to_string(),
        )
    };
    let age = if keep_age || says(&after) == says(&before) {
        Age::Keep
    } else {
        Age::Set
    };
    titled(path).with(
        Op::Write {
            path: folder.join(path),
            before: Some(before),
            after,
            age,
        },
        "edited",
    )
}

/// The text with another body; one that says the same, but for how its lines end, is no other. The blank line behind the block stays, and so does the kind of line
/// break; a body ends with one.
pub(super) fn with_body(text: &str, body: &str) -> String {
    let front = front_matter::read(text);
    let (head, old) = text.split_at(front.body);
    if plain(old) == plain(body) {
        return text.to_string();
    }
    let gap = &old[..old.len() - old.trim_start_matches(['\n', '\r']).len()];
    let ends = body.is_empty() || body.ends_with('\n');
    let line_break = if ends { "" } else { "\n" };
    let crlf = old.contains("\r\n") && !old.replace("\r\n", "").contains('\n');
    let body = format!("{}{line_break}", body.trim_start_matches(['\n', '\r']));
    let body = if crlf {
        body.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        body
    };
    format!("{head}{gap}{body}")
}

/// A body without what frames it: the lines above, a final line break, their kind.
fn plain(body: &str) -> String {
    let body = body.replace("\r\n", "\n");
    let body = body.trim_start_matches(['\n', '\r']);
    body.strip_suffix('\n').unwrap_or(body).to_string()
}

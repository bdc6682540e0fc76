//! A new memory: its file in the form that the reference client gives, and its index line.

use std::fmt::Write as _;

use super::{Folder, ProposalError, Result};
use crate::base::front_matter::edit as front_matter_edit;
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::index_edit::{self, NewEntry};
use crate::memory::load;
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{Age, Author, ChangeSet, Op};

/// What a new memory shall say.
#[derive(Debug, Clone)]
pub struct NewMemory<'a> {
    /// Its name: made a slug, which is its file's name too.
    pub name: &'a str,
    pub kind: MemoryType,
    pub description: &'a str,
    pub body: &'a str,
    /// The session that it comes from.
    pub session: Option<&'a str>,
    /// Its index line goes to the head of its list, not to the end.
    pub first: bool,
}

/// A change set, and the line of the index that would not be loaded, if the new entry falls below
/// the cut.
#[derive(Debug)]
pub struct Created {
    pub set: ChangeSet,
    /// File name of the memory.
    pub file: String,
    pub below_the_cut: Option<usize>,
}

/// The change set that makes a memory.
///
/// # Errors
/// A name that makes no slug or is taken; an index that can't be read.
pub fn create(folder: &Folder<'_>, new: &NewMemory<'_>, now: Moment) -> Result<Created> {
    let slug = slug(new.name)?;
    let file = format!("{slug}.md");
    let path = folder.place(&file)?;
    if folder.memories.iter().any(|memory| *memory.path == *file) {
        return Err(ProposalError::Taken { path });
    }
    let text = text(&slug, new, now).map_err(|error| ProposalError::FrontMatter {
        path: path.clone(),
        error,
    })?;
    let index = folder.index("")?;
    let entry = NewEntry {
        title: &slug,
        target: &file,
        hook: new.description,
        kind: &new.kind,
    };
    let before = index
        .as_ref()
        .map(|index| index.text.as_str())
        .unwrap_or_default();
    let index_path = folder.path.join(INDEX_FILE);
    let (after, line) = if new.first {
        let line = index_edit::first_line_for(before, &new.kind);
        (index_edit::add_first(before, &entry), line)
    } else {
        let line = index_edit::line_for(before, &new.kind);
        (index_edit::add(before, &entry), line)
    };
    let after = after.map_err(|error| ProposalError::Index {
        path: index_path.clone(),
        error,
    })?;
    let cut = load::load(&after).cut_at_line;
    let (index_path, bytes) = match &index {
        Some(index) => (index.path.clone(), index.bytes_of(&after)),
        None => (index_path, after.into_bytes()),
    };
    let set = ChangeSet::new(format!("new {slug}"), Author::You)
        .with(
            Op::Write {
                path,
                before: None,
                after: text.into_bytes(),
                age: Age::Set,
            },
            "a new memory",
        )
        .with(
            Op::Write {
                path: index_path,
                before: index.map(|index| index.bytes),
                after: bytes,
                age: Age::Keep,
            },
            "its index line",
        );
    Ok(Created {
        set,
        file,
        below_the_cut: cut.filter(|cut| line >= *cut).map(|_| line),
    })
}

/// The text of a new memory, by the slug of its name.
///
/// # Errors
/// When the description can't be put into the front matter.
pub fn text(
    slug: &str,
    new: &NewMemory<'_>,
    now: Moment,
) -> std::result::Result<String, front_matter_edit::EditError> {
    let mut block = format!("---\nname: {slug}\nmetadata:\n  node_type: memory\n");
    if let Some(word) = new.kind.word() {
        let _ = writeln!(block, "  type: {word}");
    }
    if let Some(session) = new.session {
        let _ = writeln!(block, "  originSessionId: {session}");
    }
    // The reference client writes milliseconds.
    let now = Moment {
        nanos: now.nanos / 1_000_000 * 1_000_000,
        ..now
    };
    let _ = writeln!(block, "  modified: {}\n---\n", now.rfc3339());
    let body = new.body.trim_end();
    if !body.is_empty() {
        let _ = writeln!(block, "{body}");
    }
    front_matter_edit::set(&block, "description", new.description)
}

/// A name as a lower-case ASCII slug: what the reference client would otherwise blank at its next write.
///
/// # Errors
/// When nothing of the name is left.
pub fn slug(name: &str) -> Result<String> {
    let name = name.trim().trim_end_matches(".md");
    let bad = |why| ProposalError::BadName {
        name: name.to_string(),
        why,
    };
    if name.contains(['/', '\\']) {
        return Err(bad("a name holds no slash"));
    }
    let mut slug = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            slug.push(c.to_ascii_lowercase());
        } else if matches!(c, ' ' | '-' | '_' | '.') {
            if !slug.is_empty() && !slug.ends_with('-') {
                slug.push('-');
            }
        } else {
            return Err(bad(
                "only letters a to z, digits and dashes survive the reference client's next write",
            ));
        }
    }
    let slug = slug.trim_end_matches('-').to_string();
    match slug.as_str() {
        "" => Err(bad("it is empty")),
        "memory" => Err(bad("the index bears it")),
        _ if slug.len() > 100 => Err(bad("it is over 100 characters long")),
        _ => Ok(slug),
    }
}

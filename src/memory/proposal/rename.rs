//! A memory under another name: its file, its `name`, its index line and the links to it follow, and
//! all of it is one undo.

use super::create::slug;
use super::{Folder, ProposalError, Result};
use crate::base::front_matter::{self, edit as front_matter_edit};
use crate::base::markdown;
use crate::memory::file::Memory;
use crate::memory::index_edit;
use crate::store::change::{Age, Author, ChangeSet, Op};

/// The change set that renames a memory: `path` relative to the folder, `name` the new one. It stays
/// in the sub-folder where it is.
///
/// # Errors
/// A name that makes no slug or is taken; files that can't be read or edited.
pub fn rename(folder: &Folder<'_>, path: &str, name: &str) -> Result<ChangeSet> {
    let slug = slug(name)?;
    let (parent, old_file) = path
        .rsplit_once('/')
        .map_or(("", path), |(parent, file)| (parent, file));
    let old_stem = old_file.trim_end_matches(".md");
    let new_path = if parent.is_empty() {
        format!("{slug}.md")
    } else {
        format!("{parent}/{slug}.md")
    };
    let mut set = ChangeSet::new(format!("rename {old_stem} to {slug}"), Author::You);
    if new_path != path
        && folder
            .memories
            .iter()
            .any(|memory| *memory.path == *new_path)
    {
        return Err(ProposalError::Taken {
            path: folder.path.join(new_path),
        });
    }
    let file = folder.read(folder.path.join(path))?;
    // What a link leads to keeps its own name.
    let is_link = folder.is_link(&file.path);
    let old_name = folder
        .memories
        .iter()
        .find(|memory| *memory.path == *path && !is_link)
        .and_then(|memory| memory.name.clone());
    let old_name = old_name.as_deref().unwrap_or(old_stem);
    let name = front_matter::read(&file.text);
    if !is_link && name.get("name").is_some_and(|name| name != slug) {
        let text = front_matter_edit::set(&file.text, "name", &slug).map_err(|error| {
            ProposalError::FrontMatter {
                path: file.path.clone(),
                error,
            }
        })?;
        if let Some(write) = file.rewritten(&text, Age::Keep) {
            set = set.with(write, "its name");
        }
    }
    if new_path != path {
        set = set.with(
            Op::Move {
                from: folder.path.join(path),
                to: folder.place(&new_path)?,
            },
            "its file",
        );
    }
    for prefix in ["", "team/"] {
        let (Some(old), Some(new)) = (path.strip_prefix(prefix), new_path.strip_prefix(prefix))
        else {
            continue;
        };
        let Some(index) = folder.index(prefix)? else {
            continue;
        };
        let pointers = folder.pointers(&index.text, prefix);
        let is_it = |line: usize, target: &str| {
            pointers
                .iter()
                .any(|p| p.line == line && p.target == target && p.resolved.as_deref() == Some(old))
        };
        let text = index_edit::retarget(&index.text, is_it, new, (old_name, &slug));
        if let Some(write) = index.rewritten(&text, Age::Keep) {
            set = set.with(write, "its index line");
        }
    }
    for memory in folder
        .memories
        .iter()
        .filter(|memory| *memory.path != *path)
    {
        if let Some(op) = relinked(folder, memory, [old_name, old_stem], &slug)? {
            set = set.with(op, "a link to it");
        }
    }
    Ok(set)
}

/// The write that gives a memory's wiki links the new name, if it has any to the old one.
fn relinked(folder: &Folder<'_>, memory: &Memory, old: [&str; 2], new: &str) -> Result<Option<Op>> {
    use crate::memory::file::State;
    if matches!(memory.state, State::Unsafe | State::NotText) {
        return Ok(None);
    }
    let file = folder.read(folder.path.join(&*memory.path))?;
    let quoted = markdown::marks(&file.text).quoted;
    let is_code = |at: usize| quoted.iter().any(|range| range.contains(&at));
    let mut out = String::with_capacity(file.text.len());
    let mut kept = 0;
    for (open, _) in file.text.match_indices("[[") {
        let inner = open + 2;
        let Some(close) = file.text[inner..].find("]]").map(|at| inner + at) else {
            break;
        };
        let target = file.text[inner..close]
            .split(['|', '#'])
            .next()
            .unwrap_or_default();
        if inner >= kept && old.contains(&target.trim()) && !is_code(open) {
            out.push_str(&file.text[kept..inner]);
            out.push_str(new);
            kept = inner + target.len();
        }
    }
    if kept == 0 {
        return Ok(None);
    }
    out.push_str(&file.text[kept..]);
    Ok(file.rewritten(&out, Age::Keep))
}

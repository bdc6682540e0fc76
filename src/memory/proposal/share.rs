//! A memory to the team's folder or out of it: its file keeps its bytes and its time, and its index
//! line follows into the index that it belongs to: the team's own where there is one, else the folder's.

use super::entry::{self, Entry};
use super::transfer::Moved;
use super::{Folder, ProposalError, Result, Source};
use crate::base::front_matter::{self, edit as front_matter_edit};
use crate::memory::index_edit;
use crate::memory::proposal::create::slug;
use crate::store::change::{Age, Author, ChangeSet, Op};

/// Where the team's memories lie below the memory folder.
const TEAM: &str = "team/";

/// The change set that takes a memory to the team's folder, or out of it if it is there; `name` is
/// another name for it.
///
/// # Errors
/// A name that makes no slug or is taken there; what is a link or can't be read.
pub fn share(folder: &Folder<'_>, path: &str, name: Option<&str>) -> Result<Moved> {
    let memory = folder.movable(path)?;
    let inner = path.strip_prefix(TEAM);
    let named = name.map(slug).transpose()?;
    let bare = inner.unwrap_or(path);
    let (parent, file_name) = match bare.rsplit_once('/') {
        Some((parent, file)) => (format!("{parent}/"), file),
        None => (String::new(), bare),
    };
    let stem = file_name.trim_end_matches(".md");
    let bare = match &named {
        Some(slug) => format!("{parent}{slug}.md"),
        None => bare.to_string(),
    };
    let file = match inner {
        Some(_) => bare,
        None => format!("{TEAM}{bare}"),
    };
    let place = folder.place(&file)?;
    if folder.is_taken(&file) {
        return Err(ProposalError::Taken { path: place });
    }
    let title = match inner {
        Some(_) => format!("take {stem} out of the team's"),
        None => format!("give {stem} to the team"),
    };
    let mut set = ChangeSet::new(title, Author::You);
    if let Some(slug) = &named {
        set = with_name(set, folder.read(folder.path.join(path))?, slug)?;
    }
    set = set.with(
        Op::Move {
            from: folder.path.join(path),
            to: place,
        },
        "its file",
    );
    let old_name = memory.name.as_deref().unwrap_or(stem);
    let names = (old_name, named.as_deref().unwrap_or(old_name));
    let (own, team) = (folder.index("")?, folder.index(TEAM)?);
    let has_team = team.is_some();
    let in_own = own
        .as_ref()
        .is_some_and(|index| entry::has_entry(folder, index, "", path));
    let mut below_the_cut = None;
    let stays = in_own && (inner.is_some() || team.is_none());
    if stays {
        // The line stays where it stands and leads to the other place; a second one goes.
        if let Some(index) = own {
            let text = retargeted(folder, &index.text, path, &file, names);
            if let Some(write) = index.rewritten(&text, Age::Keep) {
                set = set.with(write, "its index line");
            }
        }
        if let (Some(index), Some(_)) = (team, inner) {
            let text = entry::text_without(folder, &index, TEAM, &[path])?;
            if let Some(write) = index.rewritten(&text, Age::Keep) {
                set = set.with(write, "its second index line goes");
            }
        }
    } else if let Some(entry) = Entry::of(folder, path)? {
        for (prefix, index) in [("", own), (TEAM, team)] {
            let Some(index) = index else {
                continue;
            };
            let mut text = entry::text_without(folder, &index, prefix, &[path])?;
            if prefix.is_empty() {
                // What else names it there follows.
                text = retargeted(folder, &text, path, &file, names);
            }
            if let Some(write) = index.rewritten(&text, Age::Keep) {
                set = set.with(write, "its index line goes");
            }
        }
        let (prefix, target) = match file.strip_prefix(TEAM) {
            Some(bare) if has_team => (TEAM, bare),
            Some(_) | None => ("", file.as_str()),
        };
        let added = entry.put(folder, (prefix, target), names, &memory.kind, false)?;
        if let Some(write) = added.op {
            set = set.with(write, "its index line");
        }
        below_the_cut = added.below_the_cut;
    }
    Ok(Moved {
        set,
        file,
        warnings: Vec::new(),
        below_the_cut,
    })
}

fn with_name(set: ChangeSet, source: Source, name: &str) -> Result<ChangeSet> {
    let front = front_matter::read(&source.text);
    if front.get("name").is_none_or(|old| old == name) {
        return Ok(set);
    }
    let text = front_matter_edit::set(&source.text, "name", name).map_err(|error| {
        ProposalError::FrontMatter {
            path: source.path.clone(),
            error,
        }
    })?;
    Ok(match source.rewritten(&text, Age::Keep) {
        Some(write) => set.with(write, "its name"),
        None => set,
    })
}

/// The folder's index with all that leads to a file leading to its new place.
fn retargeted(
    folder: &Folder<'_>,
    text: &str,
    old: &str,
    new: &str,
    names: (&str, &str),
) -> String {
    let pointers = folder.pointers(text, "");
    let is_it = |line: usize, target: &str| {
        pointers
            .iter()
            .any(|it| it.line == line && it.target == target && it.resolved.as_deref() == Some(old))
    };
    index_edit::retarget(text, is_it, new, names)
}

#[cfg(test)]
#[path = "share_tests.rs"]
mod tests;

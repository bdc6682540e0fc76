//! A memory into another project's folder, moved or copied: its file with its bytes and its time, and
//! its index line. It keeps its place below the memory folder (`team/`, `learnings/`).

use std::path::Path;

use super::create::slug;
use super::entry::{self, Entry};
use super::{Folder, ProposalError, Result, links};
use crate::base::disk::Disk;
use crate::base::front_matter::{self, edit as front_matter_edit};
use crate::base::swap::Stamp;
use crate::store::change::{Age, Author, ChangeSet, Op};

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub struct Transfer<'a> {
    /// Relative to the folder that it is in.
    pub path: &'a str,
    /// What a person calls the other project.
    pub project: &'a str,
    /// It stays where it is too.
    pub copy: bool,
    /// Its name there; `None`: the one that it has.
    pub name: Option<&'a str>,
    /// Its index line goes to the head of its list, not to the end.
    pub first: bool,
}

/// The change set of a memory that changes its place.
#[derive(Debug)]
pub struct Moved {
    pub set: ChangeSet,
    /// Its file, relative to the folder that it goes to.
    pub file: String,
    /// What a person should know before: links that will lead nowhere.
    pub warnings: Vec<String>,
    /// Its line in the index, if the model would not see it there.
    pub below_the_cut: Option<usize>,
}

/// The change set that moves or copies a memory.
///
/// # Errors
/// A name that makes no slug or is taken there; what is a link or can't be read; the same project.
pub fn transfer(from: &Folder<'_>, to: &Folder<'_>, asked: &Transfer<'_>) -> Result<Moved> {
    let path = asked.path;
    let memory = from.movable(path)?;
    if from.disk.resolve_existing(from.path) == from.disk.resolve_existing(to.path) {
        return Err(ProposalError::SameProject {
            path: from.path.join(path),
        });
    }
    let (parent, file_name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = file_name.trim_end_matches(".md");
    let named = asked.name.map(slug).transpose()?;
    let file = match (&named, parent) {
        (None, _) => path.to_string(),
        (Some(slug), "") => format!("{slug}.md"),
        (Some(slug), parent) => format!("{parent}/{slug}.md"),
    };
    let place = to.place(&file)?;
    let name = named.as_deref().or(memory.name.as_deref());
    let is_borne = name.is_some_and(|name| {
        let mut there = to.memories.iter();
        there.any(|other| other.name.as_deref() == Some(name))
    });
    if is_borne || to.is_taken(&file) {
        return Err(ProposalError::Taken { path: place });
    }
    let verb = if asked.copy { "copy" } else { "move" };
    let title = format!("{verb} {stem} to {}", asked.project);
    let mut set = ChangeSet::new(title, Author::You);
    let old_name = memory.name.as_deref().unwrap_or(stem);
    let names = (old_name, named.as_deref().unwrap_or(old_name));
    let entry = Entry::of(from, path)?;
    if !asked.copy {
        for write in entry::without(from, &[path])? {
            set = set.with(write, "its index line goes");
        }
    }
    set = with_file(set, from, to, (path, &file), named.as_deref(), asked.copy)?;
    let prefix = match file.strip_prefix("team/") {
        Some(_) if to.index("team/")?.is_some() => "team/",
        Some(_) | None => "",
    };
    let mut warnings: Vec<String> = makes_project(to.disk, to.path).into_iter().collect();
    let there = to.index(prefix)?.is_some();
    // A first index would make ghosts of all memories that are there.
    let makes_ghosts = !there && !to.memories.is_empty();
    let entry = match entry {
        Some(_) if makes_ghosts => {
            let project = asked.project;
            warnings.push(format!(
                "{project} keeps no index: no line of it is written there"
            ));
            None
        }
        None if there => Some(Entry::for_memory(memory, &file)),
        entry => entry,
    };
    let mut below_the_cut = None;
    if let Some(entry) = entry {
        let target = file.strip_prefix(prefix).unwrap_or(&file);
        let added = entry.put(to, (prefix, target), names, &memory.kind, asked.first)?;
        if let Some(write) = added.op {
            set = set.with(write, "its index line");
        }
        below_the_cut = added.below_the_cut;
    }
    if !asked.copy && entry::stays_named(from, path)? {
        let said =
            "the index that it leaves still names it in a line of others: that will lead nowhere";
        warnings.push(said.to_string());
    }
    warnings.extend(lost_links(from, to, asked));
    Ok(Moved {
        set,
        file,
        warnings,
        below_the_cut,
    })
}

fn with_file(
    mut set: ChangeSet,
    from: &Folder<'_>,
    to: &Folder<'_>,
    (path, file): (&str, &str),
    name: Option<&str>,
    copy: bool,
) -> Result<ChangeSet> {
    let (here, there) = (from.path.join(path), to.path.join(file));
    // Without another name its bytes are nobody's business.
    let edited = match name {
        None => None,
        Some(name) => {
            let source = from.read(here.clone())?;
            let front = front_matter::read(&source.text);
            let differs = front.get("name").is_some_and(|old| old != name);
            let set_name = || {
                front_matter_edit::set(&source.text, "name", name).map_err(|error| {
                    ProposalError::FrontMatter {
                        path: here.clone(),
                        error,
                    }
                })
            };
            let text = differs.then(set_name).transpose()?;
            text.map(|text| (source.bytes_of(&text), source))
        }
    };
    if copy {
        let unreadable = |error| ProposalError::Unreadable {
            path: here.clone(),
            error,
        };
        let stamp = from.disk.metadata(&here).map_err(unreadable)?;
        let after = match edited {
            Some((bytes, _)) => bytes,
            None => from.disk.read(&here).map_err(unreadable)?,
        };
        let write = Op::Write {
            path: there,
            before: None,
            after,
            age: Age::At(Stamp::of(&stamp)),
        };
        return Ok(set.with(write, "its copy, as old as it is"));
    }
    if let Some((after, source)) = edited {
        let write = Op::Write {
            path: here.clone(),
            before: Some(source.bytes),
            after,
            age: Age::Keep,
        };
        set = set.with(write, "its name");
    }
    let place = Op::Move {
        from: here,
        to: there,
    };
    Ok(set.with(place, "its file"))
}

/// Says that there is no project of this memory folder yet, by the key that it gets: a sentence for a
/// person, who may have named another one.
#[must_use]
pub fn makes_project(disk: &Disk, memory: &Path) -> Option<String> {
    if disk.is_folder(memory) {
        return None;
    }
    let project = memory.parent().unwrap_or(memory);
    let key = project.file_name().unwrap_or_default().to_string_lossy();
    Some(match disk.is_folder(project) {
        true => format!("no memories there yet: the memory folder of {key} is made"),
        false => format!("no project there yet: it is made, {key}"),
    })
}

/// What will lead nowhere, a sentence each.
fn lost_links(from: &Folder<'_>, to: &Folder<'_>, asked: &Transfer<'_>) -> Vec<String> {
    let mut said = Vec::new();
    let outbound = links::outbound(from, to, asked.path);
    if !asked.copy {
        said.extend(links::left_dangling(from, &[asked.path]));
    }
    if !outbound.is_empty() {
        let listed = links::listed(&outbound);
        let project = asked.project;
        said.push(format!(
            "it links to {listed}: no memory of {project} bears that name"
        ));
    }
    said
}

#[cfg(test)]
#[path = "transfer_tests.rs"]
mod tests;

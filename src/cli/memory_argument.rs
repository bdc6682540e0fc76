//! What a MEMORY argument means: a path in the project's memory folder, any path, or a `name`. Two
//! memories of one name are both told; nothing is guessed.

use std::ffi::OsStr;
use std::path::Path;

use crate::agents::{Contents, Entry, Shelf};
use crate::base::disk::normalize;
use crate::base::display;
use crate::cli::failure::Failure;
use crate::cli::opened::Opened;
use crate::cli::words;

/// A memory that was asked for, and where it stands.
pub struct Found {
    pub shelf: Shelf,
    pub entry: Entry,
    /// The line of the index that names it, where only lines below the cut do.
    pub below_cut: Option<usize>,
}

impl Found {
    fn new(shelf: Shelf, contents: &Contents, entry: Entry) -> Self {
        Self {
            below_cut: contents.below_cut(&entry.path),
            shelf,
            entry,
        }
    }
}

/// Finds the memory that `argument` means.
pub fn find(opened: &Opened, argument: &OsStr) -> Result<Found, Failure> {
    let here = opened.store.here();
    let contents = opened.store.contents(&here);
    let asked = argument.to_string_lossy();
    let relative = asked.strip_prefix("./").unwrap_or(&asked);
    if let Some(entry) = take(&contents, relative) {
        return Ok(Found::new(here, &contents, entry));
    }
    if let Some(found) = by_path(opened, &here, &contents, Path::new(argument)) {
        return Ok(found);
    }
    let named = by_name(&contents, &asked);
    match named.as_slice() {
        [] => Err(not_found(opened, &here, &asked)),
        [entry] => Ok(Found::new(here, &contents, (*entry).clone())),
        [_, _, ..] => Err(ambiguous(&asked, &named).at(&here.folder)),
    }
}

fn take(contents: &Contents, path: &str) -> Option<Entry> {
    contents
        .entries
        .iter()
        .find(|entry| *entry.path == *path)
        .cloned()
}

/// A path from the working directory, in whichever memory folder it lies.
fn by_path(opened: &Opened, here: &Shelf, contents: &Contents, argument: &Path) -> Option<Found> {
    let path = normalize(&opened.cwd.join(argument));
    let real = opened.disk.resolve(&path).ok();
    let inside = |shelf: &Shelf| -> Option<String> {
        let as_written = path.strip_prefix(&shelf.folder).ok();
        if let Some(rest) = as_written {
            return Some(slashed(rest));
        }
        let folder = opened.disk.resolve(&shelf.folder).ok()?;
        Some(slashed(real.as_deref()?.strip_prefix(folder).ok()?))
    };
    if let Some(entry) = inside(here).and_then(|rest| take(contents, &rest)) {
        let shelf = here.clone();
        return Some(Found::new(shelf, contents, entry));
    }
    real.as_ref()?;
    let (shelf, rest) = opened
        .store
        .shelves()
        .into_iter()
        .find_map(|shelf| inside(&shelf).map(|rest| (shelf, rest)))?;
    let contents = opened.store.contents(&shelf);
    let entry = take(&contents, &rest)?;
    Some(Found::new(shelf, &contents, entry))
}

/// Memories of this name; failing that, the files that bear it.
fn by_name<'a>(contents: &'a Contents, asked: &str) -> Vec<&'a Entry> {
    let with = |test: &dyn Fn(&Entry) -> bool| -> Vec<&'a Entry> {
        contents
            .entries
            .iter()
            .filter(|entry| test(entry))
            .collect()
    };
    let named = with(&|entry| entry.name.as_deref() == Some(asked));
    if named.is_empty() {
        with(&|entry| {
            let file = entry.path.rsplit('/').next().unwrap_or(&entry.path);
            file.strip_suffix(".md") == Some(asked) || file == asked
        })
    } else {
        named
    }
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path.iter().map(OsStr::to_string_lossy).collect();
    parts.join("/")
}

fn not_found(opened: &Opened, here: &Shelf, asked: &str) -> Failure {
    let folder = words::short_path(&here.folder, &opened.home);
    let asked = display::line(asked);
    let message = if asked == "MEMORY.md" {
        format!("MEMORY.md in {folder} is the index, no memory: loci index shows it")
    } else {
        format!(
            "no memory has the path or the name \"{asked}\" in {folder}: loci ls lists those that are there"
        )
    };
    Failure::usage("not-found", message).at(&here.folder)
}

fn ambiguous(asked: &str, named: &[&Entry]) -> Failure {
    let asked = display::line(asked);
    let paths: Vec<&str> = named.iter().map(|entry| &*entry.path).collect();
    Failure::usage(
        "ambiguous",
        format!(
            "{} memories have the name \"{asked}\": {}. Name one by its path",
            named.len(),
            paths.join(", ")
        ),
    )
}

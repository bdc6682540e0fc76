//! The rest of a path that a person types: as much as all that begins so has in common.

use std::path::{Path, PathBuf};

use crate::agents::claude::Claude;
use crate::app::message::Completed;
use crate::base::disk::Kind;

/// Completes what is typed of a path: one that is not whole begins in `base`, else in the working
/// directory. Hidden names are those of who types their dot.
///
/// # Errors
/// A sentence: the folder can't be listed, or nothing in it begins so.
pub fn complete(store: &Claude, typed: &str, base: Option<&Path>) -> Result<Completed, String> {
    let (head, stem) = match typed.rfind('/') {
        Some(at) => typed.split_at(at + 1),
        None => ("", typed),
    };
    let folder = match base {
        Some(base) => base.join(head),
        None => store.typed(head),
    };
    // Without the slash at its end, for what is said of it.
    let folder: PathBuf = folder.components().collect();
    let disk = store.disk();
    let items = disk
        .list(&folder)
        .map_err(|error| format!("{} can't be listed: {error}", folder.display()))?;
    let mut names: Vec<String> = items
        .iter()
        .filter_map(|item| {
            let name = item.name.to_str()?;
            let is_meant = name.starts_with(stem)
                && (stem.starts_with('.') || !name.starts_with('.'))
                && !name.contains(char::is_control);
            let is_folder = match item.kind {
                Kind::Folder => true,
                Kind::Link => disk.is_folder(&folder.join(name)),
                Kind::File | Kind::Other => false,
            };
            is_meant.then(|| format!("{name}{}", if is_folder { "/" } else { "" }))
        })
        .collect();
    names.sort();
    let common = match names.as_slice() {
        [] => {
            let folder = folder.display();
            return Err(format!("nothing in {folder} begins with \"{stem}\""));
        }
        [first, .., last] => common(first, last),
        [only] => only,
    };
    let text = format!("{head}{common}");
    names.truncate(if names.len() > 1 { usize::MAX } else { 0 });
    Ok(Completed { text, names })
}

/// What two names begin with alike. Of a sorted list the first and the last tell it of all.
fn common<'a>(one: &'a str, other: &str) -> &'a str {
    let alike = one.chars().zip(other.chars()).take_while(|(a, b)| a == b);
    let bytes = alike.map(|(a, _)| a.len_utf8()).sum();
    &one[..bytes]
}

#[cfg(test)]
#[path = "complete_tests.rs"]
mod tests;

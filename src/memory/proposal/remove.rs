//! Memories to the trash, with the index lines that point at exactly them.

use super::{Folder, Result, entry};
use crate::store::change::{Author, ChangeSet, Op};

/// The change set that trashes memories: paths relative to the folder.
///
/// # Errors
/// An index that can't be read or edited.
pub fn remove(folder: &Folder<'_>, paths: &[&str]) -> Result<ChangeSet> {
    let title = match paths {
        [one] => format!("trash {}", one.trim_end_matches(".md")),
        many => format!("trash {} memories", many.len()),
    };
    let mut set = ChangeSet::new(title, Author::You);
    for write in entry::without(folder, paths)? {
        set = set.with(write, "the index lines that point there");
    }
    for path in paths {
        set = set.with(
            Op::Trash {
                path: folder.path.join(path),
            },
            "asked for",
        );
    }
    Ok(set)
}

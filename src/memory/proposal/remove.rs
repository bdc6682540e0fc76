//! Memories to the trash, with the index lines that point at exactly them.

use super::{Folder, ProposalError, Result};
use crate::memory::index_edit;
use crate::store::change::{Age, Author, ChangeSet, Op};

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
    for prefix in ["", "team/"] {
        let Some(index) = folder.index(prefix)? else {
            continue;
        };
        let mut text = index.text.clone();
        // From the bottom up, so that the lines above keep their numbers.
        let pointers = folder.pointers(&text, prefix);
        let leads = |resolved: &str| {
            paths
                .iter()
                .any(|path| path.strip_prefix(prefix) == Some(resolved))
        };
        let mut lines: Vec<usize> = pointers
            .iter()
            .filter(|pointer| pointer.resolved.as_deref().is_some_and(leads))
            .filter(|pointer| pointer.place.is_entry())
            .map(|pointer| pointer.line)
            .collect();
        lines.dedup();
        for line in lines.into_iter().rev() {
            // A line with other pointers on it stays: they are still good.
            let shared = pointers
                .iter()
                .any(|other| other.line == line && !other.resolved.as_deref().is_some_and(leads));
            if !shared {
                text = index_edit::remove(&text, line).map_err(|error| ProposalError::Index {
                    path: index.path.clone(),
                    error,
                })?;
            }
        }
        if let Some(write) = index.rewritten(&text, Age::Keep) {
            set = set.with(write, "the index lines that point there");
        }
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

//! What a person wishes of a memory folder, as a value that can be handed to whoever reads the disk.

use super::{Folder, NewMemory, Result, create, remove, rename};
use crate::base::time::Moment;
use crate::config::limits::INDEX_LINES;
use crate::memory::file::MemoryType;
use crate::store::change::ChangeSet;

/// A wish. Paths are relative to the memory folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    Create {
        name: String,
        kind: MemoryType,
        description: String,
        body: String,
    },
    Rename {
        path: String,
        name: String,
    },
    Remove {
        paths: Vec<String>,
    },
}

/// The change set that a wish comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    pub set: ChangeSet,
    /// The file that it makes or renames to.
    pub file: Option<String>,
    /// What a person should know before it is done.
    pub warning: Option<String>,
}

/// The proposal for a wish.
///
/// # Errors
/// Why there is none.
pub fn wished(folder: &Folder<'_>, wish: &Wish, now: Moment) -> Result<Proposal> {
    let plain = |set| Proposal {
        set,
        file: None,
        warning: None,
    };
    match wish {
        Wish::Create {
            name,
            kind,
            description,
            body,
        } => {
            let new = NewMemory {
                name,
                kind: kind.clone(),
                description,
                body,
                session: None,
            };
            let created = create(folder, &new, now)?;
            let warning = created.below_the_cut.map(|line| {
                format!("its line {line} would lie below the cut of the index ({INDEX_LINES} lines, 25,000 units): the model would not see it")
            });
            Ok(Proposal {
                set: created.set,
                file: Some(created.file),
                warning,
            })
        }
        Wish::Rename { path, name } => {
            let set = rename(folder, path, name)?;
            let file = set.changes.iter().find_map(|change| match &change.op {
                crate::store::change::Op::Move { to, .. } => {
                    let inner = to.strip_prefix(folder.path).ok()?;
                    Some(inner.to_string_lossy().into_owned())
                }
                crate::store::change::Op::Write { .. } | crate::store::change::Op::Trash { .. } => {
                    None
                }
            });
            Ok(Proposal { file, ..plain(set) })
        }
        Wish::Remove { paths } => {
            let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
            Ok(plain(remove(folder, &paths)?))
        }
    }
}

//! The list of projects that memories are moved or copied to, narrowed by what is typed.

use std::path::PathBuf;

use crate::agents::ShelfKind;
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::tree::{FileAt, ShelfState};
use crate::memory::search::Query;

/// Memories on their way, and where they could go.
#[derive(Debug, Clone)]
pub struct Projects {
    /// They stay where they are too.
    pub copy: bool,
    pub memories: Vec<FileAt>,
    all: Vec<Project>,
    pub filter: Field,
    pub list: List,
}

/// A project that memories can go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its memory folder.
    pub folder: PathBuf,
    pub title: String,
    /// Its path where that is known, else its key.
    pub place: String,
    /// Memories in it, once they are counted.
    pub count: Option<usize>,
}

impl Projects {
    /// All projects but the one that all the memories are in.
    #[must_use]
    pub fn new(copy: bool, memories: Vec<FileAt>, shelves: &[ShelfState]) -> Self {
        let is_other = |state: &&ShelfState| {
            let mut memories = memories.iter();
            memories.any(|at| at.folder != state.shelf.folder)
        };
        let projects = shelves
            .iter()
            .filter(|state| state.shelf.kind == ShelfKind::Project)
            .filter(is_other);
        let all = projects
            .map(|state| Project {
                folder: state.shelf.folder.clone(),
                title: state.shelf.title().into_owned(),
                place: match &state.shelf.path {
                    Some(path) => path.to_string_lossy().into_owned(),
                    None => state.shelf.key.clone(),
                },
                count: state.count(),
            })
            .collect();
        Self {
            copy,
            memories,
            all,
            filter: Field::default(),
            list: List::default(),
        }
    }

    /// Those whose title or place holds all typed words.
    #[must_use]
    pub fn offers(&self) -> Vec<&Project> {
        let query = Query::new(self.filter.text());
        let holds = |project: &&Project| {
            query.stands_in([project.title.as_str(), project.place.as_str()].into_iter())
        };
        self.all.iter().filter(holds).collect()
    }

    /// The project under the cursor.
    #[must_use]
    pub fn chosen(&self) -> Option<&Project> {
        self.offers().get(self.list.cursor).copied()
    }

    /// `move alpha.md to`, `copy 3 memories to`.
    #[must_use]
    pub fn title(&self) -> String {
        let verb = if self.copy { "copy" } else { "move" };
        format!("{verb} {} to", what(&self.memories))
    }
}

/// The file, or how many there are.
pub(super) fn what(memories: &[FileAt]) -> String {
    match memories {
        [one] => one.file.clone(),
        many => format!("{} memories", many.len()),
    }
}

//! The list of projects that memories are moved or copied to, or that another goes into, narrowed by
//! what is typed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::agents::ShelfKind;
use crate::app::field::Field;
use crate::app::list::List;
use crate::app::tree::{FileAt, ShelfState};
use crate::base::display;
use crate::memory::search::Query;

/// What goes into the project that is chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Load {
    Memories {
        /// They stay where they are too.
        copy: bool,
        memories: Vec<FileAt>,
    },
    /// A whole project, by its key.
    Project { key: String, title: String },
}

/// What is on its way, and where it could go.
#[derive(Debug, Clone)]
pub struct Projects {
    pub load: Load,
    all: Vec<Project>,
    pub filter: Field,
    pub list: List,
}

/// A project that memories can go to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    pub key: String,
    /// Its memory folder.
    pub folder: PathBuf,
    pub title: String,
    /// Its path where that is known and tells it from others of its name, else its key.
    pub place: String,
    /// Memories in it, once they are counted.
    pub count: Option<usize>,
}

impl Projects {
    /// All projects but the one that all the memories are in.
    #[must_use]
    pub fn new(copy: bool, memories: Vec<FileAt>, shelves: &[ShelfState], home: &Path) -> Self {
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
                key: state.shelf.key.clone(),
                folder: state.shelf.folder.clone(),
                title: state.shelf.title().into_owned(),
                place: match &state.shelf.path {
                    Some(path) => display::short_path(path, home),
                    None => state.shelf.key.clone(),
                },
                count: state.count(),
            })
            .collect();
        Self::of(Load::Memories { copy, memories }, all)
    }

    /// A load that could go to any of these, the likeliest first.
    #[must_use]
    pub fn of(load: Load, mut all: Vec<Project>) -> Self {
        let mut seen: HashMap<(String, String), usize> = HashMap::new();
        for one in &all {
            *seen
                .entry((one.title.clone(), one.place.clone()))
                .or_default() += 1;
        }
        for one in &mut all {
            let same = seen.get(&(one.title.clone(), one.place.clone()));
            if same.is_some_and(|many| *many > 1) {
                one.place.clone_from(&one.key);
            }
        }
        Self {
            load,
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
        match &self.load {
            Load::Memories { copy, memories } => {
                let verb = if *copy { "copy" } else { "move" };
                format!("{verb} {} to", what(memories))
            }
            Load::Project { title, .. } => format!("merge {title} into"),
        }
    }
}

/// The file, or how many there are.
pub(super) fn what(memories: &[FileAt]) -> String {
    match memories {
        [one] => one.file.clone(),
        many => format!("{} memories", many.len()),
    }
}

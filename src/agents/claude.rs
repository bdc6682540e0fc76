//! The store of Claude Code: where it lies, which shelves it has, what is on them. All reading of
//! one kind of store is here, so that screen and command line need not know it.

use std::path::{Path, PathBuf};

use crate::agents::{Contents, Shelf};
use crate::base::time::Moment;
use crate::memory::file::Page;

/// One store, opened: where its parts lie and what moves or switches them off. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Claude {
    // config home, cwd, disk, client settings …
}

impl Claude {
    /// The shelf of the working directory (its canonical git root's memory folder). It may be empty
    /// or not exist yet: `memories` says.
    #[must_use]
    pub fn here(&self) -> Shelf {
        todo!()
    }

    /// All folders of `projects/` and of `agent-memory/`, sorted by key: one listing, nothing in
    /// them is looked at; `memories` and `transcripts` are 0 and `path` is `None` until
    /// [`Claude::survey`].
    #[must_use]
    pub fn shelves(&self) -> Vec<Shelf> {
        todo!()
    }

    /// Counts a shelf's memories and transcripts by their names and finds its path in the head of
    /// one transcript.
    #[must_use]
    pub fn survey(&self, shelf: Shelf) -> Shelf {
        todo!()
    }

    /// Surveys all shelves in parallel, handing each out as it is done, in no order.
    pub fn survey_all(&self, each: impl Fn(Shelf) + Sync) {
        todo!()
    }

    /// Reads a shelf: the head of each memory, the index, the logs' names.
    #[must_use]
    pub fn contents(&self, shelf: &Shelf) -> Contents {
        todo!()
    }

    /// Reads one file whole. `path` is absolute, as seen.
    ///
    /// # Errors
    /// A sentence: which file, what is wrong, what to do.
    pub fn page(&self, path: &Path) -> Result<Page, String> {
        todo!()
    }

    /// What decides where this project's memory lies and whether it is on: sentences for the
    /// screen's header and for stderr. Empty when nothing unusual is set.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        todo!()
    }

    /// The config home, as seen.
    #[must_use]
    pub fn home(&self) -> &Path {
        todo!()
    }

    /// The moment that ages are counted to.
    #[must_use]
    pub fn now(&self) -> Moment {
        todo!()
    }

    /// The working directory, resolved.
    #[must_use]
    pub fn cwd(&self) -> PathBuf {
        todo!()
    }
}

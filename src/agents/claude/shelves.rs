//! Which shelves a store has, and what their names alone tell.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::Claude;
use crate::agents::{Contents, Shelf, ShelfKind};
use crate::base::disk::Kind;
use crate::config::client::{MemoryPlace, Moves};
use crate::config::limits::TRANSCRIPTS_TRIED;
use crate::health::{Examined, Rules};
use crate::memory::{key, scan};
use crate::project::by_walk_in;
use crate::transcript;

/// Shelves read ahead of the one that is handed out.
const READ_AHEAD: usize = 256;

impl Claude {
    /// The shelf of the working directory (its canonical git root's memory folder). It may be empty
    /// or not exist yet: `memories` says.
    #[must_use]
    pub fn here(&self) -> Shelf {
        let place = &self.inner.here;
        let shelf = Shelf {
            key: place.memory_key.clone(),
            kind: ShelfKind::Project,
            path: Some(place.memory_root.clone()),
            folder: self.memory_folder(&place.memory_key),
            memories: 0,
            transcripts: 0,
        };
        self.survey(shelf)
    }

    /// The shelf of the project that a path belongs to. It may be empty or not exist yet.
    #[must_use]
    pub fn shelf_of(&self, path: &Path) -> Shelf {
        let place = self.place(path);
        let shelf = Shelf {
            folder: self.memory_folder(&place.memory_key),
            key: place.memory_key,
            kind: ShelfKind::Project,
            path: Some(place.memory_root),
            memories: 0,
            transcripts: 0,
        };
        self.survey(shelf)
    }

    /// The same for a version of the client that follows only these of the settings that move memory,
    /// and what it does not follow: words for a person, if that makes a difference.
    #[must_use]
    pub fn shelf_as(&self, path: &Path, moves: Moves) -> (Shelf, Option<String>) {
        let inner = &self.inner;
        let mut shelf = self.shelf_of(path);
        let place = inner.client.memory_place_as(&inner.config_home, moves);
        if place == inner.place {
            return (shelf, None);
        }
        let moved = std::mem::replace(&mut shelf.folder, self.folder_at(&place, &shelf.key));
        let by = match &inner.place {
            MemoryPlace::Fixed { by, .. } => Some(by),
            MemoryPlace::Keyed { by, .. } => by.as_ref(),
        };
        let not_followed = by.filter(|_| moved != shelf.folder).cloned();
        (self.survey(shelf), not_followed)
    }

    /// Why the projects can't be listed, if they can't: a sentence. A store that is not there yet is
    /// none to complain of.
    #[must_use]
    pub fn unlisted(&self) -> Option<String> {
        let folder = self.inner.config_home.join("projects");
        let error = self.inner.disk.list(&folder).err()?;
        (error.kind() != std::io::ErrorKind::NotFound)
            .then(|| format!("{} can't be listed: {error}", folder.display()))
    }

    /// All folders of `projects/` and of `agent-memory/`, and the working directory's own agent
    /// folders, sorted by kind and key: a listing of names, nothing in them is looked at; `memories`
    /// and `transcripts` are 0 and `path` is `None` until [`Claude::survey`].
    #[must_use]
    pub fn shelves(&self) -> Vec<Shelf> {
        let inner = &self.inner;
        let mut keys: HashSet<String> = self.folders(&inner.config_home.join("projects")).collect();
        match &inner.place {
            MemoryPlace::Keyed { base, by } => {
                if by.is_some() {
                    keys.extend(self.folders(&base.join("projects")));
                }
            }
            MemoryPlace::Fixed { folder, .. } => {
                if inner.disk.is_folder(folder) {
                    keys.insert(inner.here.memory_key.clone());
                }
            }
        }
        let project = |key: String| Shelf {
            folder: self.memory_folder(&key),
            key,
            kind: ShelfKind::Project,
            path: None,
            memories: 0,
            transcripts: 0,
        };
        let mut shelves: Vec<Shelf> = keys.into_iter().map(project).collect();
        let here = &inner.here.memory_root;
        for (kind, base, prefix) in [
            (
                ShelfKind::Agent,
                inner.config_home.join("agent-memory"),
                "agent-memory/",
            ),
            (
                ShelfKind::AgentProject,
                here.join(".claude/agent-memory"),
                ".claude/agent-memory/",
            ),
            (
                ShelfKind::AgentLocal,
                here.join(".claude/agent-memory-local"),
                ".claude/agent-memory-local/",
            ),
        ] {
            shelves.extend(self.folders(&base).map(|name| Shelf {
                folder: base.join(&name),
                key: format!("{prefix}{name}"),
                kind,
                path: None,
                memories: 0,
                transcripts: 0,
            }));
        }
        shelves.sort_by(|a, b| (a.kind as u8, &a.key).cmp(&(b.kind as u8, &b.key)));
        shelves
    }

    /// Counts a shelf's memories and transcripts by their names and finds its path in the head of
    /// one transcript.
    #[must_use]
    pub fn survey(&self, shelf: Shelf) -> Shelf {
        let memories = scan::count(&self.inner.disk, &shelf.folder);
        let shelf = self.with_path(shelf);
        Shelf { memories, ..shelf }
    }

    /// Counts a shelf's transcripts and finds its path.
    pub(super) fn with_path(&self, shelf: Shelf) -> Shelf {
        let inner = &self.inner;
        if shelf.kind != ShelfKind::Project {
            return shelf;
        }
        let folder = inner.config_home.join("projects").join(&shelf.key);
        let mut transcripts: Vec<PathBuf> = inner
            .disk
            .list(&folder)
            .unwrap_or_default()
            .into_iter()
            .filter(|item| {
                item.kind == Kind::File
                    && Path::new(&item.name)
                        .extension()
                        .is_some_and(|e| e == "jsonl")
            })
            .map(|item| folder.join(item.name))
            .collect();
        transcripts.sort();
        let path = match &shelf.path {
            Some(path) => Some(path.clone()),
            None if shelf.key == inner.here.memory_key => Some(inner.here.memory_root.clone()),
            None => {
                let mut told = transcripts
                    .iter()
                    .take(TRANSCRIPTS_TRIED)
                    .filter_map(|file| transcript::first_cwd(&inner.disk, file));
                // A session may have begun elsewhere: a path that has this key says more.
                let first = told.next();
                let is_own = |path: &PathBuf| key::is_of(&shelf.key, &path.to_string_lossy());
                let own = first.iter().any(is_own);
                let better = if own { None } else { told.find(is_own) };
                better.or(first).or_else(|| self.walked(&shelf.key))
            }
        };
        Shelf {
            transcripts: transcripts.len(),
            path,
            ..shelf
        }
    }

    /// The one folder that has a key, by a walk along it; `None` where there is none, or more.
    fn walked(&self, key: &str) -> Option<PathBuf> {
        let (mut found, cut) = by_walk_in(&self.inner.disk, &self.inner.listings, key);
        let one = found.pop().filter(|_| found.is_empty() && !cut)?;
        Some(one.path)
    }

    /// Surveys all shelves in parallel, handing each out as it is done, in no order.
    pub fn survey_all(&self, each: impl Fn(Shelf) + Sync) {
        self.shelves()
            .into_par_iter()
            .for_each(|shelf| each(self.survey(shelf)));
    }

    /// Reads the entries of all shelves in parallel (see [`Claude::entries`]), makes something of each
    /// shelf while still in parallel, and hands that out in the order of [`Claude::shelves`], a few
    /// at a time in memory.
    ///
    /// # Errors
    /// The first that `each` gives, which ends the reading.
    pub fn shelves_in_order<T: Send, E>(
        &self,
        make: impl Fn(&Shelf, Contents) -> T + Sync,
        each: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let read = |shelf| {
            let mut shelf = self.with_path(shelf);
            let contents = self.entries(&shelf);
            shelf.memories = contents.entries.len();
            make(&shelf, contents)
        };
        self.in_order(read, each)
    }

    /// Examines all shelves in parallel and hands each out with what was found, in the order of
    /// [`Claude::shelves`].
    pub fn examined_in_order(&self, rules: &Rules, mut each: impl FnMut(Shelf, Examined)) {
        let examine = |shelf| {
            let mut shelf = self.with_path(shelf);
            let examined = self.examine(&shelf, rules);
            shelf.memories = examined.memories.len();
            (shelf, examined)
        };
        let never: Result<(), std::convert::Infallible> =
            self.in_order(examine, |(shelf, examined)| {
                each(shelf, examined);
                Ok(())
            });
        let Ok(()) = never;
    }

    /// Examines all shelves in parallel and hands each out as it is done, in no order, with how many
    /// there are; none is begun any more once it is over.
    pub fn examine_all(
        &self,
        rules: &Rules,
        is_over: impl Fn() -> bool + Sync,
        each: impl Fn(usize, Shelf, Examined) + Sync,
    ) {
        let shelves = self.shelves();
        let of = shelves.len();
        shelves.into_par_iter().for_each(|shelf| {
            if !is_over() {
                let shelf = self.with_path(shelf);
                let examined = self.examine(&shelf, rules);
                each(of, shelf, examined);
            }
        });
    }

    fn in_order<T: Send, E>(
        &self,
        read: impl Fn(Shelf) -> T + Sync,
        mut each: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut shelves = self.shelves().into_iter();
        loop {
            let batch: Vec<Shelf> = shelves.by_ref().take(READ_AHEAD).collect();
            if batch.is_empty() {
                return Ok(());
            }
            let made: Vec<T> = batch.into_par_iter().map(&read).collect();
            made.into_iter().try_for_each(&mut each)?;
        }
    }

    /// The folders of a key's sessions and of its memory. Neither need exist.
    #[must_use]
    pub fn folders_of_key(&self, key: &str) -> (PathBuf, PathBuf) {
        let projects = self.inner.config_home.join("projects");
        (projects.join(key), self.memory_folder(key))
    }

    /// The memory folder of a key. What is moved for one project only is moved for the key of the
    /// working directory; the others' folders lie where they would without it.
    pub(super) fn memory_folder(&self, key: &str) -> PathBuf {
        self.folder_at(&self.inner.place, key)
    }

    fn folder_at(&self, place: &MemoryPlace, key: &str) -> PathBuf {
        let inner = &self.inner;
        match place {
            MemoryPlace::Keyed { base, .. } => base.join("projects").join(key).join("memory"),
            MemoryPlace::Fixed { folder, .. } if key == inner.here.memory_key => folder.clone(),
            MemoryPlace::Fixed { .. } => {
                inner.config_home.join("projects").join(key).join("memory")
            }
        }
    }

    fn folders(&self, folder: &Path) -> impl Iterator<Item = String> + use<> {
        let items = self.inner.disk.list(folder).unwrap_or_default();
        let links = self.inner.disk.clone();
        let folder = folder.to_path_buf();
        items
            .into_iter()
            .filter(move |item| match item.kind {
                Kind::Folder => true,
                Kind::Link => links.is_folder(&folder.join(&item.name)),
                Kind::File | Kind::Other => false,
            })
            .map(|item| item.name.to_string_lossy().into_owned())
    }
}

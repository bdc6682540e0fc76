//! The project folders of the store, each with its origin: their transcripts are read in parallel,
//! what is told elsewhere once, and those that are gone are looked for together.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;

use super::Claude;
use super::project_notes::{note, note_cases, note_families};
use crate::agents::ShelfKind;
use crate::memory::key;
use crate::project::along;
use crate::project::identity::Identities;
use crate::project::known::Known;
use crate::project::seek::{self, Field, Lost, Sought, Stop};
use crate::project::{
    self, Census, Claim, Guest, Origin, Place, Places, Project, Source, Standing, Verdict, cited,
};

/// All project folders, and what could not be looked at.
#[derive(Debug, Default)]
pub struct Projects {
    /// By key.
    pub projects: Vec<Project>,
    /// Bytes of transcripts that were read.
    pub read: usize,
    /// Sentences.
    pub faults: Vec<String>,
}

/// A project folder and what its own transcripts say.
pub(super) struct Surveyed {
    key: String,
    folder: PathBuf,
    memory: PathBuf,
    census: Census,
    pub(super) claims: Vec<Claim>,
    /// Where the paths that are there really are.
    places: Places,
    read: usize,
}

impl Surveyed {
    /// Tells the git roots of the folders in which its sessions ran.
    fn tell(&self, known: &mut Known) {
        for claim in &self.claims {
            let root = self.places.get(&claim.path);
            let root = root.and_then(|place| place.root.to_str());
            if let (Some(root), Some(file)) = (root, &claim.file) {
                known.add(root, Source::Repository, file);
            }
        }
    }
}

impl Claude {
    /// Where the client keeps what it knows of projects: in the config home where one is named, else in
    /// the home.
    #[must_use]
    pub fn claude_json(&self) -> PathBuf {
        let inner = &self.inner;
        match inner.is_named {
            true => inner.config_home.join(".claude.json"),
            false => inner.user_home.join(".claude.json"),
        }
    }

    /// The client's input history.
    #[must_use]
    pub fn history_file(&self) -> PathBuf {
        self.inner.config_home.join("history.jsonl")
    }

    /// The folders of a path's sessions and of its memory. Neither need exist.
    #[must_use]
    pub fn folders_of(&self, place: &super::Place) -> (PathBuf, PathBuf) {
        let projects = self.inner.config_home.join("projects");
        (
            projects.join(&place.key),
            self.memory_folder(&place.memory_key),
        )
    }

    /// Whole days that the client keeps a transcript.
    #[must_use]
    pub fn transcript_days(&self) -> i64 {
        self.inner.client.transcript_days()
    }

    /// All project folders with their origins. `stop` ends the search for those that moved.
    #[must_use]
    pub fn projects(&self, identities: &Identities, stop: Stop<'_>) -> Projects {
        let (mut read, known) = self.unsought();
        let sought = self.seek(&mut read.projects, &known, identities, stop);
        if sought.cut {
            read.faults.push(format!(
                "the search for projects that moved was ended after {} folders: there may be more to find",
                sought.listed
            ));
        }
        read
    }

    /// All project folders, without the search for those that moved, and what is told of paths.
    pub(super) fn unsought(&self) -> (Projects, Known) {
        let inner = &self.inner;
        let shelves = self.shelves().into_iter();
        let shelves: Vec<_> = shelves
            .filter(|shelf| shelf.kind == ShelfKind::Project)
            .collect();
        let history = self.history_file();
        let (surveyed, mut known) = rayon::join(
            || -> Vec<Surveyed> {
                let survey = |shelf: crate::agents::Shelf| self.surveyed(shelf.key, shelf.folder);
                shelves.into_par_iter().map(survey).collect()
            },
            || Known::read(&inner.disk, &history, &self.claude_json()),
        );
        for one in &surveyed {
            one.tell(&mut known);
        }
        let read = surveyed.iter().map(|one| one.read).sum();
        let mut projects: Vec<Project> = surveyed
            .into_par_iter()
            .map(|one| self.judged(one, &known))
            .collect();
        note_cases(&mut projects);
        note_families(&mut projects);
        let mut faults = std::mem::take(&mut known.faults);
        for project in &projects {
            faults.extend(project.census.faults.iter().cloned());
        }
        let found = Projects {
            projects,
            read,
            faults,
        };
        (found, known)
    }

    /// One project folder, read anew, without the search for where it may be now. Its own
    /// transcripts are enough where they name a path that is there; else the others are asked too.
    /// `KEY/NAME` is one that lies inside another by mistake.
    #[must_use]
    pub fn project(&self, key: &str) -> Option<Project> {
        if let Some((outer, name)) = key.split_once('/') {
            return self.nested(&self.project(outer)?, name);
        }
        let told = OnceCell::new();
        self.project_by(key, || told.get_or_init(|| self.known()))
    }

    /// As [`Claude::project`], with what is told elsewhere as `known` has it.
    pub(super) fn project_by<'a>(
        &self,
        key: &str,
        known: impl FnOnce() -> &'a Known,
    ) -> Option<Project> {
        let one = self.surveyed(key.to_string(), self.memory_folder_of(key)?);
        let is_there = |claim: &Claim| claim.exact && claim.standing == Standing::There;
        Some(match one.claims.iter().any(is_there) {
            true => self.judged(one, &Known::default()),
            false => self.judged(one, known()),
        })
    }

    /// The memory folder of a project that is there: all of them are listed only where the key alone does
    /// not lead to its folder.
    fn memory_folder_of(&self, key: &str) -> Option<PathBuf> {
        let mut parts = Path::new(key).components();
        let is_name = matches!(
            (parts.next(), parts.next()),
            (Some(Component::Normal(_)), None)
        );
        let (folder, memory) = self.folders_of_key(key);
        if is_name && self.inner.disk.is_folder(&folder) {
            return Some(memory);
        }
        let mut shelves = self.shelves().into_iter();
        let shelf = shelves.find(|shelf| shelf.kind == ShelfKind::Project && shelf.key == key)?;
        Some(shelf.folder)
    }

    /// What is told of paths: by the client's own files and by all project folders.
    fn known(&self) -> Known {
        let mut known = Known::read(&self.inner.disk, &self.history_file(), &self.claude_json());
        let mut shelves = self.shelves();
        shelves.retain(|shelf| shelf.kind == ShelfKind::Project);
        let all: Vec<Surveyed> = shelves
            .into_par_iter()
            .map(|shelf| self.surveyed(shelf.key, shelf.folder))
            .collect();
        for one in &all {
            one.tell(&mut known);
        }
        known
    }

    /// A project folder that lies inside another by mistake, by its name there.
    fn nested(&self, project: &Project, name: &str) -> Option<Project> {
        project
            .census
            .nested
            .iter()
            .find(|nested| *nested == name)?;
        let folder = project.folder.join(name);
        let memory = folder.join("memory");
        let key = format!("{}/{name}", project.key);
        Some(Project {
            census: project::census(&self.inner.disk, &folder, &memory),
            folder,
            memory,
            path: None,
            origin: Origin::Unknown,
            evidence: Vec::new(),
            candidates: Vec::new(),
            guests: Vec::new(),
            memory_key: key.clone(),
            notes: Vec::new(),
            key,
        })
    }

    pub(super) fn surveyed(&self, key: String, memory: PathBuf) -> Surveyed {
        let disk = &self.inner.disk;
        let folder = self.inner.config_home.join("projects").join(&key);
        let census = project::census(disk, &folder, &memory);
        let (claims, read) = project::claims(disk, &key, &census);
        let there = claims
            .iter()
            .filter(|claim| claim.standing == Standing::There);
        let places = there
            .filter_map(|claim| Some((claim.path.clone(), Place::look(disk, &claim.path)?)))
            .collect();
        Surveyed {
            key,
            folder,
            memory,
            census,
            claims,
            places,
            read,
        }
    }

    fn judged(&self, one: Surveyed, known: &Known) -> Project {
        let disk = &self.inner.disk;
        let guests = self.guests(&one);
        let Verdict {
            origin,
            path,
            evidence,
            candidates,
            memory_root,
            cut,
        } = project::judge(disk, &one.key, one.claims, known, &one.places);
        let memory_key = match (origin, &memory_root) {
            (Origin::Worktree, Some(root)) => key::encode(&root.to_string_lossy()),
            _ => one.key.clone(),
        };
        let mut project = Project {
            key: one.key,
            folder: one.folder,
            memory: one.memory,
            path,
            origin,
            evidence,
            candidates,
            census: one.census,
            guests,
            memory_key,
            notes: Vec::new(),
        };
        if project.census.odd_name {
            let note =
                "the name of its folder is no UTF-8, so nothing in it is read: rename it to a key";
            project.notes.push(note.to_string());
        }
        if cut {
            let note = "the walk along its key was ended by its limit: there may be more to find";
            project.notes.push(note.to_string());
        }
        note(disk, &mut project, memory_root.as_deref());
        project
    }

    /// The sessions of a project folder that ran in a path that is there and has another key.
    fn guests(&self, one: &Surveyed) -> Vec<Guest> {
        let projects = self.inner.config_home.join("projects");
        let mut guests: Vec<Guest> = Vec::new();
        for claim in one.claims.iter().filter(|claim| !claim.exact) {
            let Some(place) = one.places.get(&claim.path) else {
                continue;
            };
            let key = key::encode(&place.real.to_string_lossy());
            if key == one.key {
                continue;
            }
            match guests.iter_mut().find(|guest| guest.path == claim.path) {
                Some(guest) => guest.sessions += claim.sessions.len(),
                None => guests.push(Guest {
                    settled: self.inner.disk.is_folder(&projects.join(&key)),
                    key,
                    path: claim.path.clone(),
                    sessions: claim.sessions.len(),
                }),
            }
        }
        guests
    }

    /// Looks for those that are gone; one with a likely new home has moved.
    fn seek(
        &self,
        projects: &mut [Project],
        known: &Known,
        identities: &Identities,
        stop: Stop<'_>,
    ) -> Sought {
        let inner = &self.inner;
        let disk = &inner.disk;
        let of_live =
            |project: &&Project| matches!(project.origin, Origin::Live | Origin::Worktree);
        let taken: HashSet<PathBuf> = projects
            .iter()
            .filter(of_live)
            .filter_map(|project| project.path.clone())
            .collect();
        let mut dirs: BTreeSet<PathBuf> = taken.iter().cloned().collect();
        let told = known.told().filter(|path| disk.is_folder(path));
        dirs.extend(told.map(Path::to_path_buf));
        let dirs: Vec<PathBuf> = dirs.into_iter().collect();
        let field = Field {
            disk,
            home: &inner.user_home,
            known: &dirs,
            taken: &taken,
            barred: &inner.config_home,
        };
        let gone: Vec<usize> = (0..projects.len())
            .filter(|&at| projects[at].origin == Origin::Orphaned && projects[at].path.is_some())
            .collect();
        let lost: Vec<Lost<'_>> = gone
            .iter()
            .filter_map(|&at| {
                let project = &projects[at];
                let path = project.path.as_deref()?;
                Some(Lost {
                    path,
                    identity: identities.of(path),
                    cited: Box::new(|| self.cited(project, path)),
                })
            })
            .collect();
        let mut sought = seek::seek(&field, &lost, stop);
        drop(lost);
        let candidates = std::mem::take(&mut sought.candidates);
        for (at, candidates) in gone.into_iter().zip(candidates) {
            let project = &mut projects[at];
            if candidates.first().is_some_and(|best| best.likely) {
                project.origin = Origin::Moved;
            }
            project.candidates = candidates;
        }
        along::moved_along(disk, projects);
        sought
    }

    /// The files that a project's memories cite.
    fn cited(&self, project: &Project, path: &Path) -> Vec<String> {
        let mut found = BTreeSet::new();
        let listed = crate::memory::scan::list(&self.inner.disk, &project.memory).memories;
        crate::memory::scan::pages(&self.inner.disk, &project.memory, listed, |_, bytes| {
            let text = String::from_utf8_lossy(bytes.unwrap_or_default());
            cited::add(&text, path, &mut found);
        });
        found.into_iter().collect()
    }
}

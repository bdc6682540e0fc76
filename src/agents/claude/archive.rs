//! Archives as the store takes and gives them: where one may be written, and where its projects go.
//! Command line and screen both ask here. Reads only.

use std::path::{Path, PathBuf};

use super::{Claude, ProjectProposal};
use crate::agents::{Shelf, ShelfKind};
use crate::base::disk::Disk;
use crate::memory::proposal::makes_project;
use crate::project::archive::{
    Archive, Arrived, Bounds, Clash, Import, ImportError, ReadError, import, read,
};
use crate::project::fold::Target;
use crate::safety::path::{self, PathError};
use crate::store::change::{Author, ChangeSet};

/// Why no archive is written at a place: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    #[error("{path} lies in the store itself, where the client reads: name a file elsewhere", path = path.display())]
    InStore { path: PathBuf },
    #[error("{path} is there and no plain file: name another", path = path.display())]
    NoFile { path: PathBuf },
    #[error("{path} is there already", path = path.display())]
    Taken { path: PathBuf },
}

/// Why an archive, or a project of it, is not taken over: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("{path} {error}", path = path.display())]
    Read { path: PathBuf, error: ReadError },
    #[error("{path} is no plain file", path = path.display())]
    NoFile { path: PathBuf },
    #[error("{key} is not in the archive: it holds {held}")]
    NotHeld { key: String, held: String },
    #[error("in the archive, the key {error}")]
    Key { folder: PathBuf, error: PathError },
    #[error("no project has the key {key} any more")]
    NoGoal { key: String },
    #[error("{one} and {other} would go to one memory folder, {memory}: import one after the other", memory = memory.display())]
    Together {
        one: String,
        other: String,
        memory: PathBuf,
    },
    #[error("{error}")]
    Import { folder: PathBuf, error: ImportError },
    #[error("all of it is there already{}: nothing to import", differing(*differ))]
    Nothing { differ: usize },
}

/// Where a project of an archive goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    pub key: String,
    /// The folder of its sessions. It need not exist.
    pub folder: PathBuf,
    /// Its memory folder. It need not exist.
    pub memory: PathBuf,
    /// Said where something is written: that it makes the project.
    pub makes: Option<String>,
    /// What a person should know: sentences.
    pub notes: Vec<String>,
}

impl Claude {
    /// Whether an archive may be written at a path.
    ///
    /// # Errors
    /// Why not. `Taken` where a plain file is there, which may be written over when that is asked for.
    pub fn may_hold_archive(&self, path: &Path) -> Result<(), PlaceError> {
        let real = self.real_place(path);
        let (projects, _) = self.folders_of_key("");
        let within = [self.home(), &*projects, &*self.here().folder]
            .iter()
            .any(|folder| real.starts_with(self.real_place(folder)));
        let path = path.to_path_buf();
        if within {
            return Err(PlaceError::InStore { path });
        }
        match path.symlink_metadata() {
            Err(_) => Ok(()),
            Ok(data) if data.is_file() => Err(PlaceError::Taken { path }),
            Ok(_) => Err(PlaceError::NoFile { path }),
        }
    }

    /// What an archive in a file holds.
    ///
    /// # Errors
    /// One that can't be read, or is refused as a whole.
    pub fn archive(path: &Path) -> Result<Archive, ArchiveError> {
        let shown = || path.to_path_buf();
        let failed = |error| ArchiveError::Read {
            path: shown(),
            error,
        };
        let file = Disk::system().open(path);
        let file = file.map_err(|error| failed(ReadError::Unreadable(error)))?;
        if !file.metadata().is_ok_and(|data| data.is_file()) {
            return Err(ArchiveError::NoFile { path: shown() });
        }
        read(file, &Bounds::default()).map_err(failed)
    }

    /// Where a project of an archive goes: to its own key, or to the one that is named, with its folders.
    ///
    /// # Errors
    /// A key that no folder may have.
    pub fn goal(
        &self,
        project: &Arrived,
        to: Option<(String, (PathBuf, PathBuf))>,
    ) -> Result<Goal, ArchiveError> {
        let disk = self.disk();
        let (projects, _) = self.folders_of_key("");
        if let Err(error) = path::check(disk, &projects, &project.key) {
            let folder = projects;
            return Err(ArchiveError::Key { folder, error });
        }
        let path = project.path.as_deref().filter(|_| to.is_none());
        let path = path.filter(|path| !disk.is_folder(Path::new(path)));
        let notes = path.map(|path| {
            let key = &project.key;
            format!("{key} was about {path}, which is no folder here")
        });
        let own = || (project.key.clone(), self.folders_of_key(&project.key));
        let (key, (folder, memory)) = to.unwrap_or_else(own);
        Ok(Goal {
            makes: makes_project(disk, &memory),
            key,
            folder,
            memory,
            notes: notes.into_iter().collect(),
        })
    }

    /// What taking a project of an archive over to its goal comes to.
    ///
    /// # Errors
    /// A name that may not be used, or what can't be read.
    pub fn taken_over(
        &self,
        project: &Arrived,
        goal: &Goal,
        clash: Clash,
    ) -> Result<Import, ImportError> {
        let title = match goal.key == project.key {
            true => format!("import {}", goal.key),
            false => format!("import {} into {}", project.key, goal.key),
        };
        let target = Target {
            folder: &goal.folder,
            memory: &goal.memory,
        };
        import(self.disk(), project, target, clash, &title)
    }

    /// Projects of an archive as one change; what is there and differs stays.
    pub(super) fn import(
        &self,
        file: &Path,
        keys: &[String],
        into: Option<&str>,
    ) -> Result<ProjectProposal, ArchiveError> {
        let archive = Self::archive(file)?;
        let held = |key: &String| {
            let project = archive.projects.iter().find(|one| one.key == *key);
            project.ok_or_else(|| {
                let held: Vec<&str> = archive.projects.iter().map(|one| &*one.key).collect();
                let (key, held) = (key.clone(), held.join(", "));
                ArchiveError::NotHeld { key, held }
            })
        };
        let is_key =
            |shelf: &Shelf, key: &str| shelf.kind == ShelfKind::Project && shelf.key == key;
        let into = match into {
            None => None,
            Some(key) if self.shelves().iter().any(|one| is_key(one, key)) => {
                Some((key.to_string(), self.folders_of_key(key)))
            }
            Some(key) => return Err(ArchiveError::NoGoal { key: key.into() }),
        };
        let mut goals: Vec<Goal> = Vec::new();
        let mut differ = 0;
        let title = format!("import {} projects", keys.len());
        let mut all = ProjectProposal::new(ChangeSet::new(title, Author::Import), Vec::new());
        for key in keys {
            let project = held(key)?;
            let goal = self.goal(project, into.clone())?;
            if let Some(other) = goals.iter().find(|other| other.memory == goal.memory) {
                return Err(ArchiveError::Together {
                    one: other.key.clone(),
                    other: goal.key,
                    memory: goal.memory,
                });
            }
            let taken = self.taken_over(project, &goal, Clash::Mine);
            let taken = taken.map_err(|error| ArchiveError::Import {
                folder: goal.folder.clone(),
                error,
            })?;
            if keys.len() == 1 {
                all.set.title.clone_from(&taken.set.title);
            }
            differ += taken.conflicts.len();
            all.notes.extend(said(&goal, &taken));
            all.asks.extend(below_the_cut(&goal, &taken));
            all.set.changes.extend(taken.set.changes);
            goals.push(goal);
        }
        match all.set.changes.is_empty() {
            true => Err(ArchiveError::Nothing { differ }),
            false => Ok(all),
        }
    }
}

/// What is said of files that are there and say something else.
fn differing(files: usize) -> String {
    match files {
        0 => String::new(),
        many => format!(
            ", {many} of it with other words, and yours stay (`loci import --on-conflict` takes the archive's)"
        ),
    }
}

/// What a person should know of a project that is taken over.
fn said(goal: &Goal, taken: &Import) -> Vec<String> {
    let makes = goal.makes.iter().filter(|_| !taken.set.changes.is_empty());
    let mut said: Vec<String> = makes.chain(&goal.notes).cloned().collect();
    said.extend(taken.notes.iter().cloned());
    let (new, same) = (taken.new.len(), taken.same.len());
    said.push(format!("{}: {new} new, {same} there already", goal.key));
    for one in &taken.conflicts {
        said.push(format!(
            "{} differs: yours stays, the archive's is left (`loci import --on-conflict` takes it)",
            one.path
        ));
    }
    said
}

/// What must be asked of index lines that the model would not see.
fn below_the_cut(goal: &Goal, taken: &Import) -> Option<String> {
    (taken.below_the_cut > 0).then(|| {
        format!(
            "{} of the new index lines of {} would stand below the cut, where the model does not see them",
            taken.below_the_cut, goal.key
        )
    })
}

//! What is found of project folders themselves: what became of their paths, and which of their transcripts
//! go. `doctor` and the screen ask here, so that they find the same.

use std::collections::HashMap;

use super::Claude;
use super::family::Repository;
use crate::agents::{Shelf, ShelfKind};
use crate::health::{Around, Finding, Rules, Stay, expiring, origins};
use crate::project::identity::Identities;
use crate::project::known::Known;
use crate::project::seek::Stop;
use crate::project::{Origin, Project};

/// What has to be known of project folders, so that something can be found of them.
pub struct Folders {
    projects: Vec<Project>,
    repositories: HashMap<String, Repository>,
    known: Known,
}

fn is_twin(key: &str, other: &str) -> bool {
    other != key && other.eq_ignore_ascii_case(key)
}

impl Claude {
    /// What is known of all project folders. `stop` ends the search for those that moved.
    #[must_use]
    pub fn project_folders(&self, identities: &Identities, stop: Stop<'_>) -> Folders {
        self.folders_with(self.projects(identities, stop).projects, |all| {
            self.repositories(all)
        })
    }

    /// What is known of one project folder: the others are asked only where its path is gone.
    #[must_use]
    pub fn project_folder(&self, key: &str, identities: &Identities, stop: Stop<'_>) -> Folders {
        let shelves = self.shelves().into_iter();
        let projects = shelves.filter(|shelf| shelf.kind == ShelfKind::Project);
        let keys = projects.map(|shelf| shelf.key);
        let keys = keys.filter(|other| other == key || is_twin(key, other));
        let read: Vec<Project> = keys.filter_map(|key| self.project(&key)).collect();
        let is_gone = |one: &Project| one.origin == Origin::Orphaned;
        // Whether one has moved only the look for all of them tells.
        match read.iter().any(is_gone) {
            false => self.folders_with(read, |_| HashMap::new()),
            true => self.project_folders(identities, stop),
        }
    }

    fn folders_with(
        &self,
        projects: Vec<Project>,
        repositories: impl FnOnce(&[Project]) -> HashMap<String, Repository>,
    ) -> Folders {
        Folders {
            repositories: match projects.iter().any(|one| one.origin == Origin::Orphaned) {
                true => repositories(&projects),
                false => HashMap::new(),
            },
            known: Known::read(self.disk(), &self.history_file(), &self.claude_json()),
            projects,
        }
    }

    /// What is found of a shelf's project folder; no fix of it is without a guess.
    #[must_use]
    pub fn findings_of_folder(
        &self,
        folders: &Folders,
        shelf: &Shelf,
        rules: &Rules,
    ) -> Vec<Finding> {
        let key = &shelf.key;
        let mut own = folders.projects.iter().filter(|one| one.key == *key);
        let Some(project) = own.next().filter(|_| shelf.kind == ShelfKind::Project) else {
            return Vec::new();
        };
        let twins = folders.projects.iter().filter(|one| is_twin(key, &one.key));
        let twins: Vec<&Project> = twins.collect();
        let repository = folders.repositories.get(key).filter(|of| of.folds_in);
        let around = Around {
            twins: &twins,
            folds_into: repository.map(|of| &*of.root),
        };
        let mut found = origins(project, around, rules);
        let path = project.path.as_deref();
        let stay = Stay {
            keep_days: self.transcript_days(),
            now: self.now(),
            is_told: path.is_some_and(|path| folders.known.told().any(|told| told == path)),
        };
        found.extend(expiring(project, stay, rules));
        found
    }
}

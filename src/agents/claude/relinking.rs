//! A project folder to where it belongs: relinked to its new place, its old path rewritten elsewhere, or
//! merged into another. What a person must say yes to first is asked here. Reads only.

use std::path::Path;

use super::project_wish::{ProjectProposal, Result, WishError, parted};
use super::switch::settled;
use super::{Claude, Place};
use crate::memory::scan;
use crate::project::elsewhere::{self, Held, Kind};
use crate::project::fold::{Target, Why, fold};
use crate::project::{Claim, Project, Standing};
use crate::store::change::{Age, Author, ChangeSet, Op};

impl Claude {
    pub(super) fn relink(
        &self,
        project: &Project,
        path: &Path,
        also: &[Kind],
    ) -> Result<ProjectProposal> {
        if !self.disk().is_folder(path) {
            let path = path.to_path_buf();
            return Err(WishError::NoFolder { path });
        }
        let place = self.place(path);
        let home = project.misplaced();
        if home.is_none_or(|home| home.key != place.key) {
            has_moved(project)?;
        }
        self.quiet(project)?;
        for key in [&place.key, &place.memory_key] {
            if let Some(there) = self.project(key) {
                self.quiet(&there)?;
            }
        }
        let (folder, memory) = self.folders_of(&place);
        let target = Target {
            folder: &folder,
            memory: &memory,
        };
        let new = place.path.to_string_lossy();
        let (held, faults) = match project.path.as_deref().and_then(Path::to_str) {
            None => Default::default(),
            Some(_) if home.is_some() => Default::default(),
            Some(old) => {
                let (history, claude_json) = (self.history_file(), self.claude_json());
                let change = elsewhere::Change { old, new: &new };
                elsewhere::held(self.disk(), project, &history, &claude_json, change)
            }
        };
        let title = format!("relink {} to {}", project.title(), place.path.display());
        let mut set = ChangeSet::new(title, Author::You);
        let mut whole = true;
        for one in held.iter().filter(|one| also.contains(&one.kind)) {
            whole &= one.kind != Kind::Transcripts;
            set = set.with(new_path(one), "the new path for the old one");
        }
        let (undone, mut notes) = parted(faults, also);
        let (set, more) = fold(self.disk(), project, target, set, Why::Relink { whole })?;
        notes.extend(more);
        let mut asks: Vec<String> = shared(project).into_iter().collect();
        asks.extend(self.merges(project, &place, &memory));
        Ok(ProjectProposal {
            asks,
            elsewhere: held,
            undone,
            ..ProjectProposal::new(set, notes)
        })
    }

    /// The old path of a project that is under its new one already.
    pub(super) fn rewrite(
        &self,
        project: &Project,
        old: &Path,
        also: &[Kind],
    ) -> Result<ProjectProposal> {
        let (key, folder) = (project.key.clone(), project.folder.clone());
        if self.disk().metadata(old).is_ok() {
            let path = old.to_path_buf();
            return Err(WishError::NotMoved { key, path, folder });
        }
        let (Some(new), Some(was)) = (settled(project).and_then(Path::to_str), old.to_str()) else {
            return Err(WishError::Placeless { key, folder });
        };
        self.quiet(project)?;
        let (history, claude_json) = (self.history_file(), self.claude_json());
        let change = elsewhere::Change { old: was, new };
        let (held, faults) = elsewhere::held(self.disk(), project, &history, &claude_json, change);
        let (undone, notes) = parted(faults, also);
        let title = format!("relink {} to {new}", old.display());
        let mut set = ChangeSet::new(title, Author::You);
        for one in held.iter().filter(|one| also.contains(&one.kind)) {
            set = set.with(new_path(one), "the new path for the old one");
        }
        if set.changes.is_empty() && undone.is_empty() {
            let path = old.to_path_buf();
            return Err(WishError::NotHeld { path });
        }
        Ok(ProjectProposal {
            elsewhere: held,
            undone,
            ..ProjectProposal::new(set, notes)
        })
    }

    /// A place with memories of its own takes others in only when that is said.
    fn merges(&self, project: &Project, place: &Place, memory: &Path) -> Option<String> {
        if memory == project.memory {
            return None;
        }
        let (own, more) = (
            scan::list(self.disk(), memory).memories.len(),
            project.census.memories.len(),
        );
        let counted = |count: usize| match count {
            1 => "1 memory".to_string(),
            many => format!("{many} memories"),
        };
        (own > 0 && more > 0).then(|| {
            format!(
                "{} has {} of its own: it would be a merge, the {} of {} into them",
                place.path.display(),
                counted(own),
                counted(more),
                project.title()
            )
        })
    }

    pub(super) fn merge(&self, project: &Project, into: &Project) -> Result<ProjectProposal> {
        self.quiet(project)?;
        self.quiet(into)?;
        let target = Target {
            folder: &into.folder,
            memory: &into.memory,
        };
        let title = format!("merge {} into {}", project.key, into.key);
        let set = ChangeSet::new(title, Author::You);
        let (set, notes) = fold(self.disk(), project, target, set, Why::Merge)?;
        Ok(ProjectProposal {
            asks: self.in_use(project, Some(into)).into_iter().collect(),
            ..ProjectProposal::new(set, notes)
        })
    }

    /// The folder of a path that is there, where the client looks for its memory, goes only when that
    /// is said.
    pub(super) fn in_use(&self, project: &Project, into: Option<&Project>) -> Option<String> {
        if project.memory_key != project.key {
            return None;
        }
        let is_its = |claim: &&Claim| {
            claim.standing == Standing::There && {
                let (folder, memory) = self.folders_of(&self.place(&claim.path));
                claim.exact || folder == project.folder || memory == project.memory
            }
        };
        let claim = project.evidence.iter().find(is_its)?;
        let (key, path) = (&project.key, claim.path.display());
        let said =
            format!("{key} is about {path}, which is there and would find no memories any more");
        let other = into.filter(|into| into.misplaced().is_some_and(|home| home.key == *key));
        Some(match other {
            Some(into) => format!(
                "{said} (`loci merge {} {key}` is the other way round)",
                into.key
            ),
            None => said,
        })
    }
}

/// Puts the new path for the old one in a file.
fn new_path(held: &Held) -> Op {
    Op::Write {
        path: held.file.clone(),
        before: Some(held.before.clone()),
        after: held.after.clone(),
        age: Age::Keep,
    }
}

/// Refuses to move a folder whose path is there, or can't be looked up.
fn has_moved(project: &Project) -> Result<()> {
    let gone = |standing: &Standing| *standing == Standing::Gone;
    let Some(claim) = project.evidence.iter().find(|one| !gone(&one.standing)) else {
        return Ok(());
    };
    let (key, folder) = (project.key.clone(), project.folder.clone());
    let path = claim.path.clone();
    Err(match claim.standing {
        Standing::There => WishError::NotMoved { key, path, folder },
        Standing::Gone | Standing::Foreign | Standing::Unseen(_) => {
            WishError::Untold { key, path, folder }
        }
    })
}

/// A folder that several paths share moves only when that is said.
fn shared(project: &Project) -> Option<String> {
    let paths = project.paths().into_iter();
    let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    (paths.len() > 1).then(|| {
        let (key, paths) = (&project.key, paths.join(", "));
        format!("{key} is shared by {paths}: all of it would move")
    })
}

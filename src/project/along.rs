//! What lay in a project that has moved has moved with it: the submodules, worktrees and sub-folders of
//! a repository under another name. The search does not look into repositories, so their new places
//! are told by that of the outer one. Knows nothing of the disk but what is there.

use std::path::{Path, PathBuf};

use super::{Candidate, Origin, Project};
use crate::base::disk::Disk;

/// Calls what is gone moved where it lies in its old place below the new one of a project round it.
/// That comes before what the search found: a clone may be like it.
pub fn moved_along(disk: &Disk, projects: &mut [Project]) {
    let is_gone = |one: &&mut Project| matches!(one.origin, Origin::Orphaned | Origin::Moved);
    let mut gone: Vec<&mut Project> = projects.iter_mut().filter(is_gone).collect();
    // What is outside first: what is inside goes where that goes, innermost of all.
    gone.sort_by_key(|one| depth(one.path.as_deref()));
    let mut moves: Vec<(PathBuf, Candidate)> = Vec::new();
    for project in gone {
        let Some(old) = project.path.clone() else {
            continue;
        };
        let place = moves.iter().rev().find_map(|(outer, new)| {
            let path = new.path.join(old.strip_prefix(outer).ok()?);
            disk.is_folder(&path).then(|| Candidate {
                path,
                score: new.score,
                why: format!("{} has moved with all in it: {}", outer.display(), new.why),
                likely: true,
            })
        });
        let best = project.candidates.first();
        let is_news =
            |place: &Candidate| best.is_none_or(|best| !(best.likely && best.path == place.path));
        if let Some(place) = place.filter(is_news) {
            project.candidates.retain(|one| one.path != place.path);
            project.candidates.insert(0, place);
            project.origin = Origin::Moved;
        }
        if let (Origin::Moved, Some(best)) = (project.origin, project.candidates.first()) {
            moves.push((old, best.clone()));
        }
    }
}

fn depth(path: Option<&Path>) -> usize {
    path.map_or(0, |path| path.components().count())
}

#[cfg(test)]
#[path = "along_tests.rs"]
mod tests;

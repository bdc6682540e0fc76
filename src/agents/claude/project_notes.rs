//! What a person should know of a project folder beside its origin: who shares it, where it belongs, what
//! lies in it by mistake. Sentences.

use std::collections::HashMap;
use std::path::Path;

use crate::base::disk::Disk;
use crate::memory::git;
use crate::project::{Claim, Origin, Project, Standing};

/// What a person should know of one project.
pub(super) fn note(disk: &Disk, project: &mut Project, memory_root: Option<&Path>) {
    let mut notes = Vec::new();
    notes.extend(shared(project));
    if let (Some(home), Some(cure)) = (project.misplaced(), project.to_its_place()) {
        let (path, own) = (home.path.display(), &home.key);
        notes.push(format!(
            "not the folder of its path: sessions in {path} look in {own}, not here; `{cure}` takes it there"
        ));
    }
    for guest in project.to_split() {
        let (path, key) = (guest.path.display(), &project.key);
        let ran = match guest.sessions {
            1 => "1 session in it".to_string(),
            many => format!("{many} sessions in it"),
        };
        notes.push(format!(
            "{ran} ran in {path}, which has a key of its own: `loci split {key}` gives them to its folder"
        ));
    }
    if let (Origin::Worktree, Some(root)) = (project.origin, memory_root) {
        let name = root.file_name().unwrap_or(root.as_os_str());
        notes.push(format!("memory: shared from {}", name.to_string_lossy()));
        let own = project.census.memories.len();
        if own > 0 {
            notes.push(format!(
                "its own memory folder holds {own} that the client does not read"
            ));
        }
    }
    if project.origin == Origin::Live {
        notes.extend(memory_root.and_then(|root| git::parted_worktree(disk, root)));
    }
    for nested in &project.census.nested {
        notes.push(format!(
            "a project folder lies in it, {nested}, where the client does not look: `loci merge {key}/{nested} {key}` lifts it",
            key = project.key
        ));
    }
    match project.origin {
        Origin::Orphaned => notes.push("folder missing".to_string()),
        Origin::Unknown => {
            let foreign = |claim: &Claim| claim.standing == Standing::Foreign;
            if project.evidence.iter().any(foreign) {
                notes.push("a path of Windows: it can't be looked up here".to_string());
            }
            for claim in &project.evidence {
                if let Standing::Unseen(why) = &claim.standing {
                    notes.push(format!("{}: {why}", claim.path.display()));
                }
            }
        }
        Origin::Live | Origin::Worktree | Origin::Ambiguous | Origin::Moved => {}
    }
    project.notes.append(&mut notes);
}

/// Whose folder it is beside its own: of one that is gone that is said.
fn shared(project: &Project) -> Option<String> {
    let paths = project.paths();
    if paths.len() < 2 {
        return None;
    }
    let is_gone = |path: &&Path| {
        let mut claims = project.evidence.iter();
        claims.any(|claim| claim.path == **path && claim.standing == Standing::Gone)
    };
    let gone: Vec<String> = paths
        .iter()
        .filter(|path| is_gone(path))
        .map(|path| path.display().to_string())
        .collect();
    let shared = format!("shared by {} folders", paths.len());
    Some(match gone.as_slice() {
        [] => shared,
        all if all.len() == paths.len() => format!("{shared}, all of them gone"),
        [path] => format!("{shared}, of which {path} is gone"),
        many => format!("{shared}, of which {} are gone", many.join(" and ")),
    })
}

/// Keys that differ only in case are one folder on a disk that ignores it.
pub(super) fn note_cases(projects: &mut [Project]) {
    let mut by_folded: HashMap<String, Vec<usize>> = HashMap::new();
    for (at, project) in projects.iter().enumerate() {
        let folded = project.key.to_ascii_lowercase();
        by_folded.entry(folded).or_default().push(at);
    }
    // Each of two that are the folders of their own paths is another project.
    let is_own =
        |at: usize| projects[at].origin == Origin::Live && projects[at].misplaced().is_none();
    let own: Vec<bool> = (0..projects.len()).map(is_own).collect();
    for same in by_folded.into_values().filter(|same| same.len() > 1) {
        for &at in &same {
            let others = same
                .iter()
                .filter(|&&other| other != at && !(own[at] && own[other]));
            let others: Vec<&str> = others.map(|&other| &*projects[other].key).collect();
            if others.is_empty() {
                continue;
            }
            let note = format!(
                "differs only in case from {}: they may be one folder's, to be merged",
                others.join(", ")
            );
            projects[at].notes.push(note);
        }
    }
}

/// How many share the memory of a main repository.
pub(super) fn note_families(projects: &mut [Project]) {
    let mut members: HashMap<String, usize> = HashMap::new();
    for project in projects.iter().filter(|one| one.memory_key != one.key) {
        *members.entry(project.memory_key.clone()).or_default() += 1;
    }
    for project in projects {
        match members.get(&project.key) {
            Some(1) => project
                .notes
                .push("1 folder more shares its memory".to_string()),
            Some(more) => project
                .notes
                .push(format!("{more} folders more share its memory")),
            None => {}
        }
    }
}

//! The family of findings about a project folder itself: what became of the path that it is about, a
//! project folder in it, another that differs only in case.

use std::path::Path;

use crate::health::code::Code;
use crate::health::finding::Finding;
use crate::health::gathered::{Gathered, Spot};
use crate::health::rules::Rules;
use crate::project::{Origin, Project};

/// What of its surroundings is asked of a project folder.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// The project folders whose keys differ from its own only in case.
    pub twins: &'a [&'a Project],
    /// The root of the repository into which it can be folded.
    pub folds_into: Option<&'a Path>,
}

/// What is found of a project folder. The path of each finding is empty: the folder itself.
#[must_use]
pub fn origins(project: &Project, around: Around<'_>, rules: &Rules) -> Vec<Finding> {
    let mut out = Gathered::new(&project.key, rules);
    let key = &project.key;
    let here = Spot::file("");
    let path = project.path.as_deref().unwrap_or(&project.folder).display();
    let memories = match project.census.memories.len() {
        1 => "its memory".to_string(),
        many => format!("its {many} memories"),
    };
    let best = project
        .candidates
        .first()
        .map(|best| (best.path.display(), &best.why));
    match (project.origin, best) {
        (Origin::Orphaned, _) if around.folds_into.is_some() => {
            let root = around.folds_into.unwrap_or(&project.folder).display();
            out.add(
                Code::Orphan,
                here,
                format!(
                    "{path} is gone, a worktree of {root}, so no session reads {memories}: `loci fold-in {key}` takes what it holds into that, `loci prune {key}` to the trash"
                ),
                None,
            );
        }
        (Origin::Orphaned, _) => out.add(
            Code::Orphan,
            here,
            format!(
                "{path} is gone, so no session reads {memories}: `loci relink {key} PATH` takes it to where the project is now, `loci prune {key}` to the trash"
            ),
            None,
        ),
        (Origin::Moved, Some((to, why))) => out.add(
            Code::Moved,
            here,
            format!(
                "{path} is gone and may be at {to} now ({why}), where no session reads {memories}: `loci relink {key} {to}` takes it there"
            ),
            None,
        ),
        (Origin::Ambiguous, _) => {
            let paths: Vec<String> = project
                .paths()
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            let cure = match project.to_split() {
                [] => format!(
                    "their key is the very same, so it can't be parted: when one of them is gone `loci prune {key}` takes its sessions, and `loci export FILE {key}` copies the memories"
                ),
                _ => format!("`loci split {key}` parts those whose keys differ"),
            };
            out.add(
                Code::Ambiguous,
                here,
                format!(
                    "it is shared by {}: sessions in one read the memories of the other; {cure}",
                    paths.join(", ")
                ),
                None,
            );
        }
        (Origin::Live | Origin::Worktree | Origin::Unknown | Origin::Moved, _) => {}
    }
    for nested in &project.census.nested {
        let message = format!(
            "a project folder lies in it, {nested}, where the client does not look: `loci merge {key}/{nested} {key}` lifts it"
        );
        out.add(Code::NestedProject, here, message, None);
    }
    if project.origin != Origin::Ambiguous && !project.to_split().is_empty() {
        let guests = project.to_split().iter();
        let guests: Vec<String> = guests
            .map(|guest| format!("{} ({})", guest.path.display(), guest.sessions))
            .collect();
        let message = format!(
            "sessions lie in it that ran in other folders, where the client does not find them: {}; `loci split {key}` gives them to those folders",
            guests.join(", ")
        );
        out.add(Code::GuestSessions, here, message, None);
    }
    let is_twin = |key: &str| around.twins.iter().any(|twin| twin.key == key);
    if let (Some(home), Some(cure)) = (project.misplaced(), project.to_its_place())
        && !is_twin(&home.key)
    {
        let (path, own) = (home.path.display(), &home.key);
        let message =
            format!("sessions in {path} look in {own}, not here: `{cure}` takes {memories} there");
        out.add(Code::Misplaced, here, message, None);
    }
    for twin in around.twins {
        if let Some(message) = twins(project, twin) {
            out.add(Code::KeyCase, here, message, None);
        }
    }
    out.finish()
}

/// What two folders are whose keys differ only in case; none where each is that of its own path.
fn twins(project: &Project, twin: &Project) -> Option<String> {
    let is_own = |one: &Project| one.origin == Origin::Live && one.misplaced().is_none();
    if is_own(project) && is_own(twin) {
        return None;
    }
    let (key, other) = (&project.key, &twin.key);
    let goes =
        |one: &Project, into: &Project| one.misplaced().is_some_and(|home| home.key == into.key);
    let (from, into, more) = if goes(project, twin) || is_own(twin) {
        (key, other, "")
    } else if goes(twin, project) || is_own(project) {
        (other, key, "")
    } else {
        let (into, from) = (key.min(other), key.max(other));
        (from, into, ", or the other way round")
    };
    Some(format!(
        "{other} differs only in case: they may be one project's, and a session reads only one of them; `loci merge {from} {into}` makes them one{more}"
    ))
}

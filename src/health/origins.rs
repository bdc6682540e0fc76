//! The family of findings about a project folder itself: what became of the path that it is about, a
//! project folder in it, another that differs only in case.

use crate::health::code::Code;
use crate::health::finding::Finding;
use crate::health::gathered::{Gathered, Spot};
use crate::health::rules::Rules;
use crate::project::{Origin, Project};

/// What is found of a project folder. `keys`: those of all project folders. The path of each finding
/// is empty: the folder itself.
#[must_use]
pub fn origins<'k>(
    project: &Project,
    keys: impl Iterator<Item = &'k str>,
    rules: &Rules,
) -> Vec<Finding> {
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
            out.add(
                Code::Ambiguous,
                here,
                format!(
                    "it is shared by {}: sessions in one read the memories of the other; `loci split {key}` parts those whose keys differ",
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
    for twin in keys.filter(|other| *other != key && other.eq_ignore_ascii_case(key)) {
        let message = format!(
            "{twin} differs only in case: they may be one project's, and a session reads only one of them; `loci merge {key} {twin}` makes them one"
        );
        out.add(Code::KeyCase, here, message, None);
    }
    out.finish()
}

//! A wish for project folders on its way to the disk: found by key or path, asked for, carried out.

use std::path::Path;

use serde::Serialize;

use crate::agents::claude::{ProjectProposal, ProjectWish, WishError};
use crate::base::disk::normalize;
use crate::base::display;
use crate::cli::Ending;
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::failure::{Failure, say};
use crate::cli::opened::Opened;
use crate::cli::project_args::Also;
use crate::cli::project_argument;
use crate::cli::{import, memory_switch, words};
use crate::project::Project;
use crate::project::elsewhere::Held;
use crate::project::fold::FoldError;
use crate::project::prune::PruneError;

/// What of a project is named, its key or a path that it is about.
pub fn find<'a>(
    projects: &'a [Project],
    key: &str,
    opened: &Opened,
) -> Result<&'a Project, Failure> {
    project_argument::not_empty(key, "the project")?;
    if let Some(project) = projects.iter().find(|project| project.key == key) {
        return Ok(project);
    }
    // One that is gone can't be resolved.
    let path = normalize(&opened.cwd.join(key));
    let about = |project: &&Project| {
        let paths = project.paths();
        paths.contains(&&*path) || paths.contains(&Path::new(key))
    };
    let mut found = projects.iter().filter(about);
    match (found.next(), found.next()) {
        (Some(project), None) => Ok(project),
        (Some(one), Some(other)) => {
            let message = format!(
                "two project folders are about {key}: {} and {}: name one by its key",
                one.key, other.key
            );
            Err(Failure::usage("ambiguous", message))
        }
        (None, _) => {
            let message = format!(
                "no project folder has the key {key} or is about it: `loci projects` lists them"
            );
            Err(Failure::usage("not-found", message))
        }
    }
}

/// What a wish would do.
pub fn propose(opened: &Opened, wish: &ProjectWish) -> Result<ProjectProposal, Failure> {
    Ok(opened.store.wished(wish)?)
}

/// Says what was wished and can't be done, while the rest can.
pub fn say_undone(undone: &[String]) {
    for said in undone {
        say(&display::line(&format!("loci: not done: {said}")));
    }
}

/// That something was not done is in the ending.
pub fn ending(undone: &[String]) -> Ending {
    match undone {
        [] => Ending::Done,
        [_, ..] => Ending::Found,
    }
}

/// Refuses what a person has not said yes to.
pub fn asked(
    proposal: &ProjectProposal,
    project: &Project,
    opened: &Opened,
    global: &Global,
) -> Result<(), Failure> {
    let homely = |text: &str| words::homely(text, &opened.home);
    match proposal.asks.as_slice() {
        [] => Ok(()),
        _ if global.yes => Ok(()),
        asks if global.dry_run => {
            for ask in asks {
                say(&display::line(&homely(ask)));
            }
            Ok(())
        }
        asks => {
            let message = format!("{}: --yes does it", homely(&asks.join("; ")));
            Err(Failure::usage("confirm", message).at(&project.folder))
        }
    }
}

/// Keeps what the live ones are known by, for the day when they are gone; a dry run keeps nothing.
pub fn remember(opened: &Opened, projects: &[Project], global: &Global) {
    if !global.dry_run {
        opened.store.remember(&opened.writer, projects);
    }
}

/// Applies what was proposed; after a conflict what is proposed then.
pub fn carry_out(
    opened: &Opened,
    global: &Global,
    wish: &ProjectWish,
    proposal: &ProjectProposal,
) -> Result<Done, Failure> {
    let apply = |set: &_| opened.writer.apply(set, opened.store.now());
    change::carry_out(opened, global, proposal.set.clone(), apply, |_| {
        Ok(propose(opened, wish)?.set)
    })
}

/// A file that holds the path, in JSON.
#[derive(Serialize)]
pub struct HeldShape {
    pub kind: &'static str,
    pub file: String,
    pub places: usize,
    pub rewritten: bool,
}

impl HeldShape {
    pub fn new(held: &Held, rewritten: bool) -> Self {
        Self {
            kind: Also::of(held.kind).word(),
            file: held.file.to_string_lossy().into_owned(),
            places: held.places,
            rewritten,
        }
    }
}

/// Why a wish is not granted.
impl From<WishError> for Failure {
    fn from(error: WishError) -> Self {
        let message = error.to_string();
        match error {
            WishError::Unknown { .. } => Self::usage("not-found", message),
            WishError::NoFolder { path } | WishError::NotHeld { path } => {
                Self::usage("not-found", message).at(&path)
            }
            WishError::Came { folder, .. } => Self::disk("conflict", message).at(&folder),
            WishError::NotMoved { folder, .. }
            | WishError::Untold { folder, .. }
            | WishError::SameKey { folder, .. }
            | WishError::Whole { folder, .. }
            | WishError::NoWorktrees { folder, .. }
            | WishError::OddName { folder }
            | WishError::AtWork { folder, .. } => Self::usage("refused", message).at(&folder),
            WishError::Prune { error, folder } => {
                let code = match error {
                    PruneError::Shared { .. } | PruneError::Maybe { .. } => "ambiguous",
                    PruneError::There { .. }
                    | PruneError::Untold { .. }
                    | PruneError::Unwalked { .. }
                    | PruneError::NotOf { .. }
                    | PruneError::NothingOf { .. }
                    | PruneError::AtWork { .. } => "refused",
                };
                Self::usage(code, message).at(&folder)
            }
            WishError::Placeless { folder, .. } | WishError::Switched { folder, .. } => {
                Self::usage("refused", message).at(&folder)
            }
            WishError::Switch(error) => memory_switch::refused(&error),
            WishError::Archive(error) => import::refused(&error, Path::new("")),
            WishError::Fold(error) => match error {
                FoldError::Same { path } | FoldError::OneFolder { path, .. } => {
                    Self::usage("refused", message).at(&path)
                }
                FoldError::Taken { path } => Self::usage("taken", message).at(&path),
                FoldError::Unreadable { path, .. } => Self::disk("unreadable", message).at(&path),
                FoldError::Index(error) => error.into(),
            },
        }
    }
}

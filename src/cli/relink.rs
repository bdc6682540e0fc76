//! `relink`: a project that moved gets its sessions and memories back under the key of its new place;
//! `merge`: one project folder into another; `split`: the sessions of several paths apart; `fold-in`: the
//! stores of worktrees into that of their repository. Where else the old path stands is said, and rewritten only
//! where that is asked for.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::agents::claude::ProjectWish;
use crate::base::display;
use crate::cli::Ending;
use crate::cli::args::Global;
use crate::cli::change::{Done, WriteShape};
use crate::cli::failure::{Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::{FoldIn, Merge, Relink, Split};
use crate::cli::project_wish::HeldShape;
use crate::cli::{project_wish, projects, words};
use crate::project::Project;
use crate::project::elsewhere::Kind;

/// That something asked for could not be rewritten is in the ending.
pub fn relink(asked: &Relink, global: &Global, output: &mut Output) -> Result<Ending, Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    let also: Vec<Kind> = asked.also.iter().map(|also| also.kind()).collect();
    let path = opened.cwd.join(&asked.path);
    let found = project_wish::find(&read.projects, &asked.key, &opened);
    let (project, wish) = match (found, moved_already(&read.projects, asked, &opened)) {
        (Err(_), Some(project)) => {
            let key = project.key.clone();
            let old = opened.cwd.join(&asked.key);
            let also = also.clone();
            (project, ProjectWish::Rewrite { key, old, also })
        }
        (found, _) => {
            let project = found?;
            let key = project.key.clone();
            let also = also.clone();
            (project, ProjectWish::Relink { key, path, also })
        }
    };
    let proposal = project_wish::propose(&opened, &wish)?;
    project_wish::asked(&proposal, project, &opened, global)?;
    project_wish::remember(&opened, &read.projects, global);
    let done = project_wish::carry_out(&opened, global, &wish, &proposal)?;
    let mut report = Report::new(done, proposal.notes);
    let (to, _) = opened.store.folders_of(&opened.store.place(&asked.path));
    let is_now = |file: &Path| match file.strip_prefix(&project.folder) {
        Ok(inner) if !global.dry_run => to.join(inner),
        Ok(_) | Err(_) => file.to_path_buf(),
    };
    report.elsewhere = proposal
        .elsewhere
        .iter()
        .map(|one| {
            let mut shape = HeldShape::new(one, also.contains(&one.kind));
            shape.file = is_now(&one.file).to_string_lossy().into_owned();
            shape
        })
        .collect();
    report.again = project.path.as_deref().map(|old| {
        let old = match &wish {
            ProjectWish::Rewrite { old, .. } => old,
            ProjectWish::Relink { .. }
            | ProjectWish::Prune { .. }
            | ProjectWish::Merge { .. }
            | ProjectWish::Forget { .. }
            | ProjectWish::Split { .. }
            | ProjectWish::FoldIn { .. }
            | ProjectWish::Memory { .. }
            | ProjectWish::Import { .. } => old,
        };
        let short = |path: &Path| words::short_path(path, &opened.home);
        let new = opened.store.place(&asked.path).path;
        format!("loci relink {} {}", short(old), short(&new))
    });
    report.undone = proposal.undone;
    report.show(&opened, global, output)?;
    Ok(project_wish::ending(&report.undone))
}

/// The project of the new place, where the old path is asked to be rewritten after a relink: it has
/// no project folder any more.
fn moved_already<'a>(
    projects: &'a [Project],
    asked: &Relink,
    opened: &Opened,
) -> Option<&'a Project> {
    let key = opened.store.place(&asked.path).key;
    // A key begins with a dash: it is no path that was.
    let may_be = !asked.also.is_empty() && !asked.key.is_empty() && !asked.key.starts_with('-');
    projects.iter().find(|one| may_be && one.key == key)
}

pub fn merge(asked: &Merge, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    // `KEY/NAME`: a folder that lies inside another by mistake.
    let nested = asked
        .key
        .contains('/')
        .then(|| opened.store.project(&asked.key));
    let nested = nested.flatten();
    let project = match &nested {
        Some(nested) => nested,
        None => project_wish::find(&read.projects, &asked.key, &opened)?,
    };
    let into = project_wish::find(&read.projects, &asked.into, &opened)?;
    let wish = ProjectWish::Merge {
        key: project.key.clone(),
        into: into.key.clone(),
    };
    let proposal = project_wish::propose(&opened, &wish)?;
    project_wish::asked(&proposal, project, &opened, global)?;
    project_wish::remember(&opened, &read.projects, global);
    let done = project_wish::carry_out(&opened, global, &wish, &proposal)?;
    Report::new(done, proposal.notes).show(&opened, global, output)?;
    Ok(())
}

pub fn split(asked: &Split, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let make = |key| ProjectWish::Split { key };
    of_one(&asked.key, make, global, output)
}

pub fn fold_in(asked: &FoldIn, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let make = |key| ProjectWish::FoldIn { key };
    of_one(&asked.key, make, global, output)
}

/// A wish for one project folder, carried out.
fn of_one(
    key: &str,
    make: impl FnOnce(String) -> ProjectWish,
    global: &Global,
    output: &mut Output,
) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    let project = project_wish::find(&read.projects, key, &opened)?;
    let wish = make(project.key.clone());
    let proposal = project_wish::propose(&opened, &wish)?;
    project_wish::asked(&proposal, project, &opened, global)?;
    project_wish::remember(&opened, &read.projects, global);
    let done = project_wish::carry_out(&opened, global, &wish, &proposal)?;
    Report::new(done, proposal.notes).show(&opened, global, output)?;
    Ok(())
}

/// What was done, and where else the old path stands.
struct Report {
    done: Done,
    notes: Vec<String>,
    elsewhere: Vec<HeldShape>,
    /// The command that rewrites the old path where that was not asked for, but for its `--also`.
    again: Option<String>,
    undone: Vec<String>,
}

#[derive(Serialize)]
struct ReportShape<'a> {
    change: WriteShape<'a>,
    elsewhere: &'a [HeldShape],
    notes: &'a [String],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    undone: &'a [String],
}

impl Report {
    fn new(done: Done, notes: Vec<String>) -> Self {
        Self {
            done,
            notes,
            elsewhere: Vec::new(),
            again: None,
            undone: Vec::new(),
        }
    }

    fn show(&self, opened: &Opened, global: &Global, output: &mut Output) -> io::Result<()> {
        project_wish::say_undone(&self.undone);
        if global.json {
            return output.json(&ReportShape {
                change: self.done.shape(),
                elsewhere: &self.elsewhere,
                notes: &self.notes,
                undone: &self.undone,
            });
        }
        for note in &self.notes {
            say(&display::line(&words::homely(note, &opened.home)));
        }
        self.done.report(opened, false, output)?;
        let colour = output.look.colour;
        let command = self.again.as_deref().unwrap_or("loci relink OLD NEW");
        for one in self.elsewhere.iter().filter(|one| !one.rewritten) {
            let file = words::short_path(Path::new(&one.file), &opened.home);
            let places = words::counted(one.places, "place", "places");
            let line = format!(
                "the old path stands in {file} too ({places}): `{command} --also {}` rewrites it",
                one.kind
            );
            output.line(&colour.paint(Style::Dim, &display::line(&line)))?;
        }
        Ok(())
    }
}

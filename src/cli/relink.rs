//! `relink`: a project that moved gets its sessions and memories back under the key of its new place;
//! `merge`: one project folder into another; `split`: the sessions of several paths apart; `fold-in`: the
//! stores of worktrees into that of their repository. Where else the old path stands is said, and rewritten only
//! where that is asked for.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::agents::claude::ProjectWish;
use crate::base::display;
use crate::cli::args::Global;
use crate::cli::change::{Done, WriteShape};
use crate::cli::failure::{Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::{FoldIn, Merge, Relink, Split};
use crate::cli::project_wish::HeldShape;
use crate::cli::{project_wish, projects, words};
use crate::project::elsewhere::Kind;

pub fn relink(asked: &Relink, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    let project = project_wish::find(&read.projects, &asked.key, &opened)?;
    let also: Vec<Kind> = asked.also.iter().map(|also| also.kind()).collect();
    let wish = ProjectWish::Relink {
        key: project.key.clone(),
        path: opened.cwd.join(&asked.path),
        also: also.clone(),
    };
    let proposal = project_wish::propose(&opened, &wish)?;
    project_wish::asked(&proposal, project, global)?;
    project_wish::remember(&opened, &read.projects, global);
    let done = project_wish::carry_out(&opened, global, &wish, &proposal)?;
    let mut report = Report::new(done, proposal.notes);
    report.elsewhere = proposal
        .elsewhere
        .iter()
        .map(|one| HeldShape::new(one, also.contains(&one.kind)))
        .collect();
    report.show(&opened, global, output)?;
    Ok(())
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
    project_wish::asked(&proposal, project, global)?;
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
    project_wish::asked(&proposal, project, global)?;
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
}

#[derive(Serialize)]
struct ReportShape<'a> {
    change: WriteShape<'a>,
    elsewhere: &'a [HeldShape],
    notes: &'a [String],
}

impl Report {
    fn new(done: Done, notes: Vec<String>) -> Self {
        Self {
            done,
            notes,
            elsewhere: Vec::new(),
        }
    }

    fn show(&self, opened: &Opened, global: &Global, output: &mut Output) -> io::Result<()> {
        if global.json {
            return output.json(&ReportShape {
                change: self.done.shape(),
                elsewhere: &self.elsewhere,
                notes: &self.notes,
            });
        }
        for note in &self.notes {
            say(&display::line(note));
        }
        self.done.report(opened, false, output)?;
        let colour = output.look.colour;
        for one in self.elsewhere.iter().filter(|one| !one.rewritten) {
            let file = words::short_path(Path::new(&one.file), &opened.home);
            let places = words::counted(one.places, "place", "places");
            let line = format!(
                "the old path stands in {file} too ({places}): --also {} rewrites it",
                one.kind
            );
            output.line(&colour.paint(Style::Dim, &display::line(&line)))?;
        }
        Ok(())
    }
}

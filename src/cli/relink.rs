//! `relink`: a project that moved gets its sessions and memories back under the key of its new place;
//! `merge`: one project folder into another. Where else the old path stands is said, and rewritten only
//! where that is asked for.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::base::display;
use crate::cli::args::Global;
use crate::cli::change::{self, Done, WriteShape};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::{Also, Merge, Relink};
use crate::cli::{projects, prune, words};
use crate::config::limits::SESSION_SECONDS;
use crate::project::elsewhere::{self, Held, Kind};
use crate::project::fold::{FoldError, Target, fold};
use crate::project::{Project, Standing};
use crate::store::change::{Age, Author, ChangeSet, Op};

pub fn relink(asked: &Relink, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    let project = prune::find(&read.projects, &asked.key, &opened)?;
    let path = opened.cwd.join(&asked.path);
    if !opened.disk.is_folder(&path) {
        let message = format!(
            "{} is no folder: name the one where the project is now",
            path.display()
        );
        return Err(Failure::usage("not-found", message).at(&path).into());
    }
    may_move(project, global)?;
    let place = opened.store.place(&path);
    let (folder, memory) = opened.store.folders_of(&place);
    let target = Target {
        folder: &folder,
        memory: &memory,
    };
    for one in [
        Some(project),
        into(&read.projects, &place.key),
        into(&read.projects, &place.memory_key),
    ] {
        quiet(one, &opened)?;
    }
    prune::remember(&opened, &read.projects, global);
    let old = project.path.as_deref().and_then(Path::to_str);
    let new = place.path.to_string_lossy();
    let look = || {
        let (history, claude_json) = (opened.store.history_file(), opened.store.claude_json());
        old.map_or_else(Default::default, |old| {
            let change = elsewhere::Change { old, new: &new };
            elsewhere::held(&opened.disk, project, &history, &claude_json, change)
        })
    };
    let title = format!("relink {} to {}", project.title(), place.path.display());
    let make = || {
        let (held, _) = look();
        let rewritten = held.into_iter().filter(|one| asked.wants(one.kind));
        let mut set = ChangeSet::new(&*title, Author::You);
        let mut whole = true;
        for one in rewritten {
            whole &= one.kind != Kind::Transcripts;
            let op = Op::Write {
                path: one.file,
                before: Some(one.before),
                after: one.after,
                age: Age::Keep,
            };
            set = set.with(op, "the new path for the old one");
        }
        fold(&opened.disk, project, target, set, whole).map_err(|error| refused(&error))
    };
    let (held, mut notes) = look();
    notes.extend(make()?.1);
    let done = change::carry_out_anew(&opened, global, || make().map(|(set, _)| set))?;
    let mut report = Report::new(done, notes);
    report.elsewhere = held
        .iter()
        .map(|one| HeldShape::new(one, asked.wants(one.kind)))
        .collect();
    report.show(&opened, global, output)?;
    Ok(())
}

pub fn merge(asked: &Merge, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    // `KEY/NESTED`: a folder that lies inside another by mistake.
    let inner = asked.key.split_once('/').and_then(|(outer, name)| {
        let outer = into(&read.projects, outer)?;
        opened.store.nested(outer, name)
    });
    let project = match &inner {
        Some(nested) => nested,
        None => prune::find(&read.projects, &asked.key, &opened)?,
    };
    let other = prune::find(&read.projects, &asked.into, &opened)?;
    for one in [project, other] {
        quiet(Some(one), &opened)?;
    }
    may_go(project, global)?;
    prune::remember(&opened, &read.projects, global);
    let target = Target {
        folder: &other.folder,
        memory: &other.memory,
    };
    let title = format!("merge {} into {}", project.key, other.key);
    let make = || {
        let set = ChangeSet::new(&*title, Author::You);
        fold(&opened.disk, project, target, set, false).map_err(|error| refused(&error))
    };
    let notes = make()?.1;
    let done = change::carry_out_anew(&opened, global, || make().map(|(set, _)| set))?;
    Report::new(done, notes).show(&opened, global, output)?;
    Ok(())
}

fn into<'a>(projects: &'a [Project], key: &str) -> Option<&'a Project> {
    projects.iter().find(|project| project.key == key)
}

/// Refuses to move a folder whose path is there, or can't be looked up; one that several paths share
/// goes only on `--yes`.
fn may_move(project: &Project, global: &Global) -> Result<(), Failure> {
    let (key, at) = (&project.key, &project.folder);
    for claim in &project.evidence {
        let path = claim.path.display();
        let message = match claim.standing {
            Standing::Gone => continue,
            Standing::There => format!(
                "{key} is about {path}, which is there: nothing has moved; `loci merge` puts one project folder into another"
            ),
            Standing::Foreign | Standing::Unseen(_) => format!(
                "{key} is about {path}, and whether that is there can't be told here: `loci merge` puts one project folder into another"
            ),
        };
        return Err(Failure::usage("refused", message).at(at));
    }
    let paths = project.paths();
    if paths.len() > 1 && !global.yes && !global.dry_run {
        let paths: Vec<String> = paths
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        let message = format!(
            "{key} is shared by {}: all of it would move; --yes does it",
            paths.join(", ")
        );
        return Err(Failure::usage("confirm", message).at(at));
    }
    Ok(())
}

/// Lets the folder of a path that is there, where the client looks for its memory, go only on `--yes`.
fn may_go(project: &Project, global: &Global) -> Result<(), Failure> {
    let there = |path: &&Path| {
        let is = |standing: &Standing| *standing == Standing::There;
        let mut claims = project.evidence.iter();
        claims.any(|claim| claim.path == **path && is(&claim.standing))
    };
    let in_use = project.memory_key == project.key;
    let path = project.paths().into_iter().find(there);
    match path.filter(|_| in_use && !global.yes && !global.dry_run) {
        None => Ok(()),
        Some(path) => {
            let message = format!(
                "{} is about {}, which is there and would find no memories any more: --yes does it",
                project.key,
                path.display()
            );
            Err(Failure::usage("confirm", message).at(&project.folder))
        }
    }
}

/// Refuses to move what a session may be writing to.
fn quiet(project: Option<&Project>, opened: &Opened) -> Result<(), Failure> {
    let Some(project) = project else {
        return Ok(());
    };
    match project.at_work(SESSION_SECONDS, opened.store.now()) {
        None => Ok(()),
        Some(seconds) => {
            let message = format!(
                "a session in {} wrote {seconds} s ago and may still be at work: end it, or try again in 5 minutes",
                project.key
            );
            Err(Failure::usage("refused", message).at(&project.folder))
        }
    }
}

fn refused(error: &FoldError) -> Failure {
    let message = error.to_string();
    match error {
        FoldError::Same { path } => Failure::usage("refused", message).at(path),
        FoldError::Taken { path } => Failure::usage("taken", message).at(path),
        FoldError::Unreadable { path, .. } => Failure::disk("unreadable", message).at(path),
        FoldError::Index(_) => Failure::usage("refused", message),
    }
}

impl Relink {
    fn wants(&self, kind: Kind) -> bool {
        self.also.iter().any(|also| also.kind() == kind)
    }
}

/// What was done, and where else the old path stands.
struct Report {
    done: Done,
    notes: Vec<String>,
    elsewhere: Vec<HeldShape>,
}

#[derive(Serialize)]
struct HeldShape {
    kind: &'static str,
    file: String,
    places: usize,
    rewritten: bool,
}

impl HeldShape {
    fn new(held: &Held, rewritten: bool) -> Self {
        Self {
            kind: Also::of(held.kind).word(),
            file: held.file.to_string_lossy().into_owned(),
            places: held.places,
            rewritten,
        }
    }
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

//! `import`: projects of an archive into project folders, one change a project. All of it is read and
//! held against the rules before anything is written; what is there and differs is listed and left,
//! unless `--on-conflict` says otherwise.

use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::agents::claude::{ArchiveError, Claude, Goal};
use crate::base::display;
use crate::cli::args::Global;
use crate::cli::change::{self, Done, WriteShape};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args;
use crate::cli::project_argument;
use crate::cli::words;
use crate::project::archive::{
    Archive, Arrived, Bounds, Conflict, Import, ImportError, ReadError, read,
};
use crate::store::change::ChangeSet;

pub fn run(asked: &project_args::Import, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let archive = archive(asked, &opened)?;
    let chosen = chosen(asked, &archive)?;
    let mut tasks = Vec::new();
    for project in chosen {
        tasks.push(Task::new(project, asked, global, &opened)?);
    }
    // All are looked at before the first is written.
    let mut plans = Vec::new();
    for task in &tasks {
        let planned = task.plan(asked, &opened)?;
        if planned.below_the_cut > 0 && !global.yes && !global.dry_run {
            let message = format!(
                "{} of the new index lines of {} would stand below the cut, where the model does not see them: --yes writes them there",
                planned.below_the_cut, task.goal.key
            );
            return Err(Failure::usage("below-the-cut", message)
                .at(&task.goal.memory)
                .into());
        }
        plans.push(planned);
    }
    for (task, mut planned) in tasks.iter().zip(plans) {
        let first = planned.set.clone();
        let apply = |set: &ChangeSet| opened.writer.apply(set, opened.store.now());
        let done = change::carry_out(&opened, global, first, apply, |_| {
            planned = task.plan(asked, &opened)?;
            Ok(planned.set.clone())
        })?;
        task.report(&planned, &done, &opened, global, output)?;
        // A later one may fail: what was done is said by then.
        output.finish()?;
    }
    Ok(())
}

fn archive(asked: &project_args::Import, opened: &Opened) -> Result<Archive, Failure> {
    if asked.file == Path::new("-") {
        let archive = read(io::stdin().lock(), &Bounds::default());
        return archive.map_err(|error| unread(&error, format!("stdin {error}")));
    }
    let path = opened.cwd.join(&asked.file);
    Claude::archive(&path).map_err(|error| refused(&error, &path))
}

/// Why an archive can't be read.
fn unread(error: &ReadError, message: String) -> Failure {
    match error {
        ReadError::Unreadable(_) => Failure::disk("unreadable", message),
        ReadError::Damaged(_)
        | ReadError::Foreign(_)
        | ReadError::Newer(_)
        | ReadError::Refused(_) => Failure::usage("refused", message),
    }
}

/// Why an archive, or a project of it, is not taken over.
pub fn refused(error: &ArchiveError, path: &Path) -> Failure {
    let message = error.to_string();
    match error {
        ArchiveError::Read { error, .. } => unread(error, message).at(path),
        ArchiveError::NoFile { .. } => {
            let message = format!("{message}: `-` reads an archive from stdin");
            Failure::usage("refused", message).at(path)
        }
        ArchiveError::NotHeld { .. } | ArchiveError::NoGoal { .. } => {
            Failure::usage("not-found", message)
        }
        ArchiveError::Nothing { .. } => Failure::usage("refused", message),
        ArchiveError::Key { folder, .. } => Failure::usage("refused", message).at(folder),
        ArchiveError::Together { memory, .. } => Failure::usage("refused", message).at(memory),
        ArchiveError::Import { folder, error } => not_taken(error, folder),
    }
}

/// Why a project of an archive can't be taken over.
fn not_taken(error: &ImportError, folder: &Path) -> Failure {
    let message = error.to_string();
    match error {
        ImportError::Path(_) => Failure::usage("refused", message).at(folder),
        ImportError::Unreadable { path, .. } => Failure::disk("unreadable", message).at(path),
        ImportError::Index(_) => Failure::usage("refused", message),
    }
}

/// The projects of an archive that were asked for.
fn chosen<'a>(
    asked: &project_args::Import,
    archive: &'a Archive,
) -> Result<Vec<&'a Arrived>, Failure> {
    let keys = || archive.projects.iter().map(|project| &*project.key);
    for key in &asked.only {
        if !keys().any(|other| other == key) {
            let held: Vec<&str> = keys().collect();
            let message = format!("{key} is not in the archive: it holds {}", held.join(", "));
            return Err(Failure::usage("not-found", message));
        }
    }
    let projects = archive.projects.iter();
    let chosen: Vec<&Arrived> = projects
        .filter(|project| asked.only.is_empty() || asked.only.contains(&project.key))
        .collect();
    if chosen.len() > 1 && asked.to.is_some() {
        let held: Vec<&str> = chosen.iter().map(|project| &*project.key).collect();
        let message = format!(
            "one project goes to a place with --to, and the archive holds {}: say which with --only KEY",
            held.join(", ")
        );
        return Err(Failure::usage("ambiguous", message));
    }
    Ok(chosen)
}

/// A project of the archive and where it goes.
struct Task<'a> {
    project: &'a Arrived,
    goal: Goal,
}

impl<'a> Task<'a> {
    fn new(
        project: &'a Arrived,
        asked: &project_args::Import,
        global: &Global,
        opened: &Opened,
    ) -> Result<Self, Failure> {
        let to = asked.to.as_deref().map(|to| place(to, global, opened));
        let goal = opened.store.goal(project, to.transpose()?);
        let mut goal = goal.map_err(|error| refused(&error, opened.store.home()))?;
        for note in &mut goal.notes {
            note.push_str(": --to PATH gives it to a project that is");
        }
        Ok(Self { project, goal })
    }

    fn plan(&self, asked: &project_args::Import, opened: &Opened) -> Result<Import, Failure> {
        let clash = asked.on_conflict.clash();
        let taken = opened.store.taken_over(self.project, &self.goal, clash);
        taken.map_err(|error| match error {
            ImportError::Index(error) => error.into(),
            error @ (ImportError::Path(_) | ImportError::Unreadable { .. }) => {
                not_taken(&error, &self.goal.folder)
            }
        })
    }

    fn report(
        &self,
        planned: &Import,
        done: &Done,
        opened: &Opened,
        global: &Global,
        output: &mut Output,
    ) -> io::Result<()> {
        let writes = !planned.set.changes.is_empty();
        let makes = self.goal.makes.iter().filter(|_| writes);
        let notes: Vec<&str> = makes
            .chain(&self.goal.notes)
            .chain(&planned.notes)
            .map(String::as_str)
            .collect();
        if global.json {
            return output.json(&ImportShape {
                from: &self.project.key,
                key: &self.goal.key,
                new: &planned.new,
                same: &planned.same,
                conflicts: planned.conflicts.iter().map(ConflictShape::new).collect(),
                index_lines: planned.lines,
                notes,
                change: done.shape(),
            });
        }
        for note in notes {
            say(&display::line(note));
        }
        done.report(opened, false, output)?;
        let colour = output.look.colour;
        for conflict in &planned.conflicts {
            let what = match &conflict.taken_as {
                None => "differs: yours stays, the archive's is left".to_string(),
                Some(path) if *path == conflict.path => {
                    "differs: the archive's takes the place of yours".to_string()
                }
                Some(path) => format!("differs: yours stays, the archive's becomes {path}"),
            };
            let line = format!("  {}  {what}", conflict.path);
            output.line(&colour.paint(Style::Warning, &display::line(&line)))?;
        }
        let left = planned
            .conflicts
            .iter()
            .filter(|one| one.taken_as.is_none())
            .count();
        let mut counts = vec![
            format!("{} new", planned.new.len()),
            format!("{} there already", planned.same.len()),
        ];
        if left > 0 {
            let conflicts = words::counted(left, "conflict", "conflicts");
            counts.push(format!(
                "{conflicts} left (--on-conflict beside or theirs takes them)"
            ));
        }
        let line = format!("{}: {}", self.goal.key, counts.join(", "));
        output.line(&colour.paint(Style::Dim, &display::line(&line)))
    }
}

/// The key and the folders of a place that a person names.
fn place(
    to: &str,
    global: &Global,
    opened: &Opened,
) -> Result<(String, (PathBuf, PathBuf)), Failure> {
    let shelf = project_argument::goal(opened, global, to.as_ref())?;
    // A path has sessions of its own; of a key that is there both folders are known.
    let path = opened.cwd.join(to);
    let folders = match shelf.key == to {
        true => opened.store.folders_of_key(to),
        false => opened.store.folders_of(&opened.store.place(&path)),
    };
    Ok((shelf.key, folders))
}

#[derive(Serialize)]
struct ImportShape<'a> {
    from: &'a str,
    key: &'a str,
    new: &'a [String],
    same: &'a [String],
    conflicts: Vec<ConflictShape<'a>>,
    index_lines: usize,
    notes: Vec<&'a str>,
    change: WriteShape<'a>,
}

#[derive(Serialize)]
struct ConflictShape<'a> {
    path: &'a str,
    taken_as: Option<&'a str>,
}

impl<'a> ConflictShape<'a> {
    fn new(conflict: &'a Conflict) -> Self {
        Self {
            path: &conflict.path,
            taken_as: conflict.taken_as.as_deref(),
        }
    }
}

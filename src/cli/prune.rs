//! `prune`: project folders whose path is gone, to the trash: one change a folder. All that goes is
//! listed before, the memories by name; a folder with memories needs its key said twice.

use std::io;
use std::path::{Path, PathBuf};

use crate::base::display;
use crate::cli::args::Global;
use crate::cli::change::{self, Done};
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::Prune;
use crate::cli::{projects, words};
use crate::project::Project;
use crate::project::prune::{PruneError, Removal, prune};

pub fn run(asked: &Prune, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let opened = Opened::to_write(global)?;
    let read = projects::read(&opened)?;
    for fault in &read.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    let of = paths(&opened, &asked.of);
    // All are looked at before the first goes.
    let mut removals: Vec<Removal> = Vec::new();
    for key in &asked.keys {
        let project = find(&read.projects, key, &opened)?;
        if !removals.iter().any(|other| other.key == project.key) {
            let removal = prune(&opened.disk, project, &of, opened.store.now());
            removals.push(removal.map_err(|error| refused(&error, project))?);
        }
    }
    if !global.json {
        for removal in &removals {
            list(&opened, removal, output)?;
        }
        output.finish()?;
    }
    if !global.dry_run {
        confirmed(asked, global, &removals)?;
    }
    remember(&opened, &read.projects, global);
    for removal in &removals {
        let done = change::carry_out_anew(&opened, global, || Ok(removal.change_set()))?;
        report(&done, removal, &opened, global, output)?;
        // A later one may fail: what was done is said by then.
        output.finish()?;
    }
    Ok(())
}

/// What of a project is named, its key or a path that it is about.
pub fn find<'a>(
    projects: &'a [Project],
    key: &str,
    opened: &Opened,
) -> Result<&'a Project, Failure> {
    if let Some(project) = projects.iter().find(|project| project.key == key) {
        return Ok(project);
    }
    let path = opened.cwd.join(key);
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

fn paths(opened: &Opened, given: &[PathBuf]) -> Vec<PathBuf> {
    given.iter().map(|path| opened.cwd.join(path)).collect()
}

fn refused(error: &PruneError, project: &Project) -> Failure {
    let code = match error {
        PruneError::Shared { .. } | PruneError::Maybe { .. } => "ambiguous",
        PruneError::There { .. }
        | PruneError::Untold { .. }
        | PruneError::Unwalked { .. }
        | PruneError::NotOf { .. }
        | PruneError::NothingOf { .. }
        | PruneError::AtWork { .. } => "refused",
    };
    Failure::usage(code, error.to_string()).at(&project.folder)
}

/// Refuses what a person has not said yes to: `--yes` for all, and the key once more for each folder
/// that takes memories along.
fn confirmed(asked: &Prune, global: &Global, removals: &[Removal]) -> Result<(), Failure> {
    let unsaid: Vec<&Removal> = removals
        .iter()
        .filter(|one| !one.memories.is_empty() && !asked.with_memories.contains(&one.key))
        .collect();
    if global.yes && unsaid.is_empty() {
        return Ok(());
    }
    let what = match removals {
        [one] => one.key.clone(),
        many => format!("{} project folders", many.len()),
    };
    let flags = unsaid
        .iter()
        .map(|one| format!(" --with-memories {}", one.key));
    let flags: String = flags.collect();
    let memories = unsaid.iter().map(|one| one.memories.len()).sum();
    let too = match memories {
        0 => String::new(),
        many => format!(
            " ({} too)",
            words::counted(many, "memory goes", "memories go")
        ),
    };
    let message = format!("{what} would go to the trash: --yes{flags} does it{too}");
    Err(Failure::usage("confirm", message))
}

/// Keeps what the live ones are known by; a dry run keeps nothing.
pub fn remember(opened: &Opened, projects: &[Project], global: &Global) {
    if !global.dry_run {
        change::remember(opened, || opened.store.identities(projects));
    }
}

fn list(opened: &Opened, removal: &Removal, output: &mut Output) -> io::Result<()> {
    let colour = output.look.colour;
    let what = match removal.whole {
        true => "the whole folder",
        false => "some of its sessions",
    };
    let key = display::line(&removal.key);
    output.line(&format!("{}  {what}", colour.paint(Style::Bold, &key)))?;
    let gone = removal
        .gone
        .iter()
        .map(|path| format!("{} is gone", words::short_path(path, &opened.home)));
    for line in gone.chain(removal.notes.iter().cloned()) {
        output.line(&format!(
            "  {}",
            colour.paint(Style::Dim, &display::line(&line))
        ))?;
    }
    for (word, names) in [
        ("memory", &removal.memories),
        ("session", &removal.sessions),
        ("other", &removal.others),
    ] {
        for name in names {
            output.line(&format!("  {word:<7}  {}", display::line(name)))?;
        }
    }
    Ok(())
}

fn report(
    done: &Done,
    removal: &Removal,
    opened: &Opened,
    global: &Global,
    output: &mut Output,
) -> Result<(), Stop> {
    if global.json {
        output.json(&PruneShape {
            key: &removal.key,
            whole: removal.whole,
            memories: &removal.memories,
            sessions: &removal.sessions,
            others: &removal.others,
            notes: &removal.notes,
            change: done.shape(),
        })?;
        return Ok(());
    }
    done.report(opened, false, output)?;
    Ok(())
}

#[derive(serde::Serialize)]
struct PruneShape<'a> {
    key: &'a str,
    whole: bool,
    memories: &'a [String],
    sessions: &'a [String],
    others: &'a [String],
    notes: &'a [String],
    change: change::WriteShape<'a>,
}

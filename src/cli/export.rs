//! `export`: projects into one archive, in a file that is there whole or not at all, or on stdout. What
//! is left out is said.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::agents::claude::PlaceError;
use crate::base::display;
use crate::cli::Ending;
use crate::cli::args::Global;
use crate::cli::failure::{Failure, Stop, say};
use crate::cli::opened::Opened;
use crate::cli::output::{Output, Style};
use crate::cli::project_args::Export;
use crate::cli::{project_wish, projects, words};
use crate::project::Project;
use crate::project::archive::{LeftOut, Listed, PackError, Packed, is_gzip, pack};

/// That a project was left out is in the ending.
pub fn run(asked: &Export, global: &Global, output: &mut Output) -> Result<Ending, Stop> {
    let is_stdout = asked.file == Path::new("-");
    let (opened, file) = match is_stdout {
        true => (Opened::open(global)?, None),
        false => {
            let opened = Opened::to_write(global)?;
            let file = free(&asked.file, &opened, global)?;
            (opened, Some(file))
        }
    };
    if is_stdout && !global.dry_run {
        may_stream(global)?;
    }
    let read = projects::read(&opened)?;
    for fault in &read.faults {
        say(&format!("loci: {}", display::line(fault)));
    }
    let chosen = chosen(asked, &read.projects, &opened)?;
    let gzip = is_gzip(&asked.file);
    let packed = pack(&opened.disk, &chosen, asked.transcripts, gzip);
    let packed = packed.map_err(|error| refused(&error))?;
    for left in &packed.left_out {
        let place = [&*left.key, &*left.path].join("/");
        let place = place.trim_end_matches('/');
        say(&display::line(&format!("left out: {place} {}", left.why)));
    }
    let ending = match packed.left_out.iter().any(|left| left.path.is_empty()) {
        true => Ending::Found,
        false => Ending::Done,
    };
    if !global.dry_run {
        match &file {
            Some(file) => opened.writer.put_outside(file, &packed.bytes, global.yes),
            None => {
                output.write_all(&packed.bytes)?;
                return Ok(ending);
            }
        }
        .map_err(Failure::from)?;
    }
    let shown = file.as_deref().unwrap_or(&asked.file);
    report(&packed, shown, asked, global, output)?;
    Ok(ending)
}

/// An archive is no text: it is not poured on a terminal, and nothing else goes to the same stream.
fn may_stream(global: &Global) -> Result<(), Failure> {
    if global.json {
        let message =
            "with `-` the archive itself goes to stdout: leave --json away, or name a file";
        return Err(Failure::usage("usage", message));
    }
    if io::stdout().is_terminal() {
        let message =
            "an archive is no text for a terminal: name a file, or lead stdout into a pipe";
        return Err(Failure::usage("terminal", message));
    }
    Ok(())
}

/// The place of the archive, if it may be written there.
fn free(file: &Path, opened: &Opened, global: &Global) -> Result<PathBuf, Failure> {
    let path = opened.cwd.join(file);
    opened.refuse_own_place(&path)?;
    match opened.store.may_hold_archive(&path) {
        Ok(()) => Ok(path),
        Err(PlaceError::Taken { .. }) if global.yes || global.dry_run => Ok(path),
        Err(error) => {
            let message = error.to_string();
            Err(match error {
                PlaceError::InStore { .. } => Failure::usage("refused", message),
                PlaceError::NoFile { .. } => Failure::usage("taken", message),
                PlaceError::Taken { .. } => {
                    Failure::usage("taken", format!("{message}: --yes writes over it"))
                }
            }
            .at(&path))
        }
    }
}

fn chosen<'a>(
    asked: &Export,
    projects: &'a [Project],
    opened: &Opened,
) -> Result<Vec<&'a Project>, Failure> {
    if !asked.keys.is_empty() {
        let keys = asked.keys.iter();
        return keys
            .map(|key| project_wish::find(projects, key, opened))
            .collect();
    }
    let here = opened.store.here();
    let chosen: Vec<&Project> = projects
        .iter()
        .filter(|project| asked.all || project.key == here.key)
        .collect();
    if chosen.is_empty() {
        let message = match asked.all {
            true => "there is no project to export".to_string(),
            false => format!(
                "this project ({}) has no folder in the store yet: name others, or pass --all",
                here.key
            ),
        };
        return Err(Failure::usage("not-found", message));
    }
    Ok(chosen)
}

fn refused(error: &PackError) -> Failure {
    let message = error.to_string();
    match error {
        PackError::Unreadable { path, .. } => Failure::disk("unreadable", message).at(path),
        PackError::OddName { path } => Failure::usage("refused", message).at(path),
        PackError::TooLarge | PackError::TooMany => Failure::usage("refused", message),
        PackError::Failed(_) => Failure::disk("output", message),
    }
}

fn report(
    packed: &Packed,
    file: &Path,
    asked: &Export,
    global: &Global,
    output: &mut Output,
) -> io::Result<()> {
    if global.json {
        return output.json(&ExportShape {
            file: file.to_string_lossy(),
            bytes: packed.bytes.len(),
            dry_run: global.dry_run,
            projects: packed.projects.iter().map(PackedShape::new).collect(),
            left_out: packed.left_out.iter().map(LeftShape::new).collect(),
        });
    }
    let colour = output.look.colour;
    let file = asked.file.to_string_lossy();
    output.line(&format!(
        "{}  {}, {}",
        colour.paint(Style::Bold, &display::line(&file)),
        words::counted(packed.projects.len(), "project", "projects"),
        words::size(packed.bytes.len() as u64),
    ))?;
    for project in &packed.projects {
        let mut counts = vec![words::counted(project.memories, "memory", "memories")];
        if project.transcripts > 0 {
            counts.push(words::counted(project.transcripts, "session", "sessions"));
        }
        counts.push(words::counted(project.files.len(), "file", "files"));
        let line = format!("{}  {}", project.key, counts.join(", "));
        output.line(&format!("  {}", display::line(&line)))?;
    }
    if global.dry_run {
        say("a dry run: nothing was written");
    }
    Ok(())
}

#[derive(Serialize)]
struct ExportShape<'a> {
    file: std::borrow::Cow<'a, str>,
    bytes: usize,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dry_run: bool,
    projects: Vec<PackedShape<'a>>,
    left_out: Vec<LeftShape<'a>>,
}

#[derive(Serialize)]
struct PackedShape<'a> {
    key: &'a str,
    path: Option<&'a str>,
    memories: usize,
    transcripts: usize,
    files: usize,
    bytes: u64,
}

impl<'a> PackedShape<'a> {
    fn new(project: &'a Listed) -> Self {
        Self {
            key: &project.key,
            path: project.path.as_deref(),
            memories: project.memories,
            transcripts: project.transcripts,
            files: project.files.len(),
            bytes: project.bytes(),
        }
    }
}

#[derive(Serialize)]
struct LeftShape<'a> {
    key: &'a str,
    path: &'a str,
    why: &'a str,
}

impl<'a> LeftShape<'a> {
    fn new(left: &'a LeftOut) -> Self {
        Self {
            key: &left.key,
            path: &left.path,
            why: &left.why,
        }
    }
}

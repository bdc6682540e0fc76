//! `sessions`: which there are, and what their transcripts say.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::failure::{Failure, Stop};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::sessions_args::{SessionList, Sessions};
use crate::cli::{sessions_chain, sessions_list, sessions_reads, sessions_recorded};

pub fn run(
    opened: &Opened,
    asked: &SessionList,
    json: bool,
    output: &mut Output,
) -> Result<(), Stop> {
    let Some(about) = &asked.about else {
        return sessions_list::run(opened, asked, json, output);
    };
    match about {
        Sessions::Reads { memory } => sessions_reads::run(opened, memory, json, output),
        Sessions::Chain { file } => {
            sessions_chain::run(&Transcript::open(opened, file)?, json, output)
        }
        Sessions::Instructions { file } => {
            sessions_recorded::instructions(&Transcript::open(opened, file)?, json, output)
        }
        Sessions::Requests { file, id: None } => {
            sessions_recorded::requests(&Transcript::open(opened, file)?, json, output)
        }
        Sessions::Requests { file, id: Some(id) } => {
            sessions_recorded::request(&Transcript::open(opened, file)?, id, output)
        }
    }
}

/// A transcript that is being read.
pub struct Transcript {
    pub path: PathBuf,
    pub file: File,
    /// Its bytes when it was opened: what is appended meanwhile is left for the next look.
    pub bytes: u64,
}

impl Transcript {
    fn open(opened: &Opened, path: &Path) -> Result<Self, Failure> {
        let path = opened.cwd.join(path);
        let failed = |error: &io::Error| {
            let message = format!("{} can't be read: {error}", path.display());
            Failure::disk("unreadable", message).at(&path)
        };
        let file = opened
            .disk
            .open(&path)
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => {
                    let message = format!("{} is not there: name a transcript", path.display());
                    Failure::usage("not-found", message).at(&path)
                }
                _ => failed(&error),
            })?;
        let data = file.metadata().map_err(|error| failed(&error))?;
        if !data.is_file() {
            let message = format!("{} is no file: name a transcript", path.display());
            return Err(Failure::usage("usage", message).at(&path));
        }
        Ok(Self {
            bytes: data.len(),
            path,
            file,
        })
    }

    pub fn failed(&self, error: &io::Error) -> Failure {
        let message = format!("{} can't be read: {error}", self.path.display());
        Failure::disk("unreadable", message).at(&self.path)
    }
}

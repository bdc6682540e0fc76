//! `sessions`: what transcripts say, and what keeps them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::cli::args::Global;
use crate::cli::failure::{Failure, Stop};
use crate::cli::opened::Opened;
use crate::cli::output::Output;
use crate::cli::sessions_args::{SessionList, Sessions, Which};
use crate::cli::{
    sessions_chain, sessions_export, sessions_list, sessions_proof, sessions_reads,
    sessions_recorded, sessions_rescue,
};
use crate::transcript::found::{Found, transcripts};

/// Sessions that are named where a beginning fits several.
const NAMED: usize = 5;

pub fn run(asked: &SessionList, global: &Global, output: &mut Output) -> Result<(), Stop> {
    let json = global.json;
    let Some(about) = &asked.about else {
        return sessions_list::run(&Opened::open(global)?, asked, json, output);
    };
    if asked.all || asked.every_kind {
        let message = "--all and --every-kind are about the list of sessions: leave them away here";
        return Err(Failure::usage("usage", message).into());
    }
    let open = |which: &Which| Transcript::of(&Opened::open(global)?, which);
    match about {
        Sessions::Reads { memory } => {
            sessions_reads::run(&Opened::open(global)?, memory, json, output)
        }
        Sessions::Chain(which) => sessions_chain::run(&open(which)?, json, output),
        Sessions::Instructions(which) => {
            sessions_recorded::instructions(&open(which)?, json, output)
        }
        Sessions::Requests { which, id: None } => {
            sessions_recorded::requests(&open(which)?, json, output)
        }
        Sessions::Requests {
            which,
            id: Some(id),
        } => sessions_recorded::request(&open(which)?, id, output),
        Sessions::Proof(which) => sessions_proof::run(which, global, output),
        Sessions::Export { which, to: None } => sessions_export::print(which, global, output),
        Sessions::Export {
            which,
            to: Some(to),
        } if to == Path::new("-") => sessions_export::print(which, global, output),
        Sessions::Export {
            which,
            to: Some(to),
        } => sessions_export::write(which, to, global, output),
        Sessions::Rescue(which) => sessions_rescue::rescue(which, global, output),
        Sessions::BringBack(which) => sessions_rescue::bring_back(which, global, output),
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
    /// The transcript that is asked for.
    pub fn of(opened: &Opened, which: &Which) -> Result<Self, Failure> {
        Self::open(opened, &path_of(opened, which)?)
    }

    fn open(opened: &Opened, path: &Path) -> Result<Self, Failure> {
        let path = path.to_path_buf();
        let failed = |error: &io::Error| {
            let message = format!("{} can't be read: {error}", path.display());
            Failure::disk("unreadable", message).at(&path)
        };
        // What was rescued lies on our own disk.
        let disk =
            match !opened.disk.is_sysroot() && path.starts_with(opened.writer.rescued_folder()) {
                true => Disk::system(),
                false => opened.disk.clone(),
            };
        let file = disk.open(&path).map_err(|error| match error.kind() {
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

    /// The id of its session: the name of its file.
    pub fn id(&self) -> String {
        let id = self.path.file_stem().unwrap_or_default();
        id.to_string_lossy().into_owned()
    }
}

/// The path of what is asked for: a path that is there, or that can be nothing else; else a session's by
/// its id, the client's own before what was rescued.
pub fn path_of(opened: &Opened, which: &Which) -> Result<PathBuf, Failure> {
    let path = opened.cwd.join(&which.session);
    let typed = which.session.to_string_lossy();
    let is_id = typed.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') && !typed.is_empty();
    if !is_id || opened.disk.metadata(&path).is_ok() {
        return Ok(path);
    }
    let projects = opened.store.home().join("projects");
    let own = transcripts(&opened.disk, &projects).found;
    let rescued = match opened.disk.is_sysroot() {
        true => Vec::new(),
        false => {
            let folder = opened.writer.rescued_folder();
            transcripts(&Disk::system(), &folder).found
        }
    };
    let mut by_id: BTreeMap<String, PathBuf> = BTreeMap::new();
    for one in own.into_iter().chain(rescued) {
        let id = id_of(&one);
        if id.starts_with(&*typed) {
            by_id.entry(id).or_insert(one.path);
        }
    }
    if let Some(exact) = by_id.remove(&*typed) {
        return Ok(exact);
    }
    let ids: Vec<&String> = by_id.keys().collect();
    match ids[..] {
        [_] => Ok(by_id.into_values().next().unwrap_or(path)),
        [] => {
            let home = projects.display();
            let message =
                format!("no session of {home} begins with {typed}, and no such file is there");
            Err(Failure::usage("not-found", message))
        }
        _ => {
            let mut named: Vec<&str> = ids.iter().take(NAMED).map(|id| id.as_str()).collect();
            let more = format!("{} more", ids.len().saturating_sub(NAMED));
            named.extend((ids.len() > NAMED).then_some(&*more));
            let many = ids.len();
            let message = format!("{many} sessions begin with {typed}: {}", named.join(", "));
            Err(Failure::usage("ambiguous", message))
        }
    }
}

/// What a transcript is called by: its file's name.
fn id_of(one: &Found) -> String {
    let id = one.path.file_stem().unwrap_or_default();
    id.to_string_lossy().into_owned()
}

//! Memory switched on or off for one project: what says so, and the change set that writes the person's
//! own settings of the project. Nobody else's settings are written.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde_json::Value;

use super::{Claude, ProjectProposal, WishError};
use crate::base::json::{self, JsonEditError};
use crate::config::client::{Client, LOCAL_SETTINGS, MEMORY_KEY, MemorySwitch, Said};
use crate::config::limits::SETTINGS_BYTES;
use crate::project::{Origin, Project};
use crate::safety::path::{self, PathError, Refusal};
use crate::store::change::{Age, Author, ChangeSet, Op};

/// Why memory can't be switched: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum SwitchError {
    #[error(
        "memory is {now} here by {by}, which is stronger than your settings of the project: change it there",
        now = if *on { "on" } else { "off" }
    )]
    Stronger { on: bool, by: String },
    #[error("below {folder}, {error}", folder = folder.display())]
    Path { folder: PathBuf, error: PathError },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error("{path} is {size} MiB large: it is not rewritten", path = path.display())]
    TooLarge { path: PathBuf, size: u64 },
    #[error("{path} holds bytes that are no UTF-8: it is not rewritten", path = path.display())]
    NotText { path: PathBuf },
    #[error("{path} {error}", path = path.display())]
    Json { path: PathBuf, error: JsonEditError },
}

impl Claude {
    /// Whether the client would keep memory in a folder, and who says so.
    #[must_use]
    pub fn memory_switch(&self, folder: &Path) -> MemorySwitch {
        self.client_of(folder).memory_switch()
    }

    /// The notice of who switches memory off in the working directory.
    #[must_use]
    pub fn switched_off(&self) -> Option<String> {
        let client = &self.inner.client;
        client.index_off().filter(|_| !client.memory_switch().on)
    }

    /// All that switches memory on or off in a folder, the strongest first.
    #[must_use]
    pub fn said_of_memory(&self, folder: &Path) -> Vec<Said> {
        self.client_of(folder).said_of_memory()
    }

    /// The same of the folders that projects are about, by key; of those that are about one that is
    /// there.
    #[must_use]
    pub fn said_in_projects(&self, projects: &[Project]) -> HashMap<String, Vec<Said>> {
        let of = |one: &Project| Some((one.key.clone(), self.said_of_memory(settled(one)?)));
        projects.par_iter().filter_map(of).collect()
    }

    /// What switching memory in the folder of a project comes to, and what to know of it.
    pub(super) fn switch_of(
        &self,
        project: &Project,
        on: bool,
    ) -> Result<ProjectProposal, WishError> {
        let folder = project.folder.clone();
        let Some(path) = settled(project) else {
            let key = project.key.clone();
            return Err(WishError::Placeless { key, folder });
        };
        let mut set = self.switch_memory(path, on)?;
        let Some(change) = set.changes.first() else {
            return Err(WishError::Switched { on, folder });
        };
        let is_new = matches!(change.op, Op::Write { before: None, .. });
        let git = self.place(path).memory_root.join(".git");
        let mut notes = Vec::new();
        if is_new && self.disk().metadata(&git).is_ok() {
            notes.push(format!(
                "{LOCAL_SETTINGS} is new, and yours alone: keep it out of version control"
            ));
        }
        set.title = format!("{} in {}", set.title, path.display());
        Ok(ProjectProposal::new(set, notes))
    }

    fn client_of(&self, folder: &Path) -> Client {
        let inner = &self.inner;
        inner
            .client
            .of_folder(&inner.disk, &inner.config_home, folder)
    }

    /// The change set that switches memory on or off in a folder; it is empty where that is so already.
    ///
    /// # Errors
    /// Something stronger that says otherwise; settings that can't be edited.
    pub fn switch_memory(&self, folder: &Path, on: bool) -> Result<ChangeSet, SwitchError> {
        let word = if on { "on" } else { "off" };
        let set = ChangeSet::new(format!("memory {word}"), Author::You);
        if self.memory_switch(folder).on == on {
            return Ok(set);
        }
        let mut said = self.said_of_memory(folder).into_iter();
        if let Some(Said { on, by, .. }) = said.find(Said::is_stronger_than_local) {
            return Err(SwitchError::Stronger { on, by });
        }
        let (path, before) = self.local_settings(folder)?;
        let text = match std::str::from_utf8(before.as_deref().unwrap_or_default()) {
            Ok(text) => text.to_string(),
            Err(_) => return Err(SwitchError::NotText { path }),
        };
        let after = match json::set_member(&text, MEMORY_KEY, &Value::from(on)) {
            Ok(after) => after,
            Err(error) => return Err(SwitchError::Json { path, error }),
        };
        let op = Op::Write {
            path,
            before,
            after: after.into_bytes(),
            age: Age::Set,
        };
        Ok(set.with(op, "your own settings of the project"))
    }

    /// Where the person's own settings of a folder lie, and what they hold; never through a link out.
    fn local_settings(&self, folder: &Path) -> Result<(PathBuf, Option<Vec<u8>>), SwitchError> {
        let disk = &self.inner.disk;
        let refused = |error| SwitchError::Path {
            folder: folder.to_path_buf(),
            error,
        };
        let inside = path::check(disk, folder, LOCAL_SETTINGS).map_err(refused)?;
        let path = inside.place();
        let mut file = match inside.open(disk) {
            Ok(file) => file,
            Err(PathError {
                why: Refusal::Failed(error),
                ..
            }) => {
                return match error.kind() {
                    io::ErrorKind::NotFound => Ok((path, None)),
                    _ => Err(SwitchError::Unreadable { path, error }),
                };
            }
            Err(error) => return Err(refused(error)),
        };
        let mut read = || {
            let length = file.metadata()?.len();
            let mut bytes = Vec::new();
            (&mut file)
                .take(SETTINGS_BYTES + 1)
                .read_to_end(&mut bytes)?;
            Ok((length, bytes))
        };
        match read() {
            Ok((length, _)) if length > SETTINGS_BYTES => {
                let size = length / 1024 / 1024;
                Err(SwitchError::TooLarge { path, size })
            }
            Ok((_, bytes)) => Ok((path, Some(bytes))),
            Err(error) => Err(SwitchError::Unreadable { path, error }),
        }
    }
}

/// The one folder that a project is about, if it is there.
pub(super) fn settled(project: &Project) -> Option<&Path> {
    match project.origin {
        Origin::Live | Origin::Worktree => project.path.as_deref(),
        Origin::Ambiguous | Origin::Moved | Origin::Orphaned | Origin::Unknown => None,
    }
}

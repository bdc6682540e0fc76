//! The store of Claude Code: where it lies, which shelves it has, what is on them. All reading of
//! this kind of store is here, so that screen and command line need not know it.

mod agent_files;
mod archive;
mod family;
mod folder_findings;
mod leaks;
mod project_notes;
mod project_wish;
mod projects;
mod proof;
mod reading;
mod relinking;

mod remembering;
mod rules;
mod searching;
mod session;
mod shelves;
mod standing;
mod switch;
mod taking_back;
mod weigh;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use archive::{ArchiveError, Goal, PlaceError};
pub use family::Repository;
pub use folder_findings::Folders;
pub use project_wish::{ProjectProposal, ProjectWish, Told, WishError};
pub use projects::Projects;
pub use proof::{Fate, Now, Proof, Sent, Use, Used};
pub use searching::Corpus;
pub use session::Surroundings;
pub use switch::SwitchError;

use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::client::{Client, MemoryPlace};
use crate::memory::{git, key};
use crate::project::listings::Listings;
use crate::safety::secret::Allowed;
use crate::store::change::{ChangeSet, Op};

/// All that a store is opened from: values, so that a test needs neither environment nor clock.
#[derive(Debug, Clone)]
pub struct Setup {
    pub disk: Disk,
    pub vars: BTreeMap<String, String>,
    pub home: PathBuf,
    /// `--config-home`; else `CLAUDE_CONFIG_DIR`, else `<home>/.claude`.
    pub config_home: Option<PathBuf>,
    pub cwd: PathBuf,
    pub now: Moment,
}

/// One store, opened: where its parts lie and what moves or switches them off. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Claude {
    inner: Arc<Inner>,
    now: Moment,
    /// What looks like a secret and may be written.
    allowed: Arc<Allowed>,
}

#[derive(Debug)]
struct Inner {
    disk: Disk,
    user_home: PathBuf,
    config_home: PathBuf,
    /// A flag or a variable names the config home.
    is_named: bool,
    cwd: PathBuf,
    /// What names a config home that is not there.
    missing: Option<&'static str>,
    client: Client,
    place: MemoryPlace,
    here: Place,
    /// Folders that were walked through for keys.
    listings: Listings,
}

/// What a path stands for: its own key and that of the memory it shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The path, links resolved as far as it exists.
    pub path: PathBuf,
    /// The key of the path: its transcripts lie there.
    pub key: String,
    /// Its canonical git root, or the path itself.
    pub memory_root: PathBuf,
    /// The key of that root: its memory lies there.
    pub memory_key: String,
}

impl Claude {
    /// Opens the store that a person's environment leads to.
    ///
    /// # Errors
    /// A sentence, when the working directory is not there.
    pub fn open(setup: Setup) -> Result<Self, String> {
        let Setup {
            disk,
            vars,
            home,
            config_home,
            cwd,
            now,
        } = setup;
        let cwd = disk.resolve(&cwd).map_err(|error| {
            format!(
                "{}: {error}: name a folder that exists with --cwd",
                cwd.display()
            )
        })?;
        if !disk.is_folder(&cwd) {
            return Err(format!(
                "{} is no folder: name one with --cwd",
                cwd.display()
            ));
        }
        let named = config_home.map(|home| (home, "--config-home"));
        let named = named.or_else(|| {
            vars.get("CLAUDE_CONFIG_DIR")
                .filter(|dir| !dir.is_empty())
                .map(|dir| (PathBuf::from(dir), "CLAUDE_CONFIG_DIR"))
        });
        let (config_home, named_by) = match named {
            Some((home, by)) => (home, Some(by)),
            None => (home.join(".claude"), None),
        };
        let config_home = if config_home.is_absolute() {
            config_home
        } else {
            cwd.join(config_home)
        };
        let missing = named_by.filter(|_| !disk.is_folder(&config_home));
        let client = Client::read(&disk, vars, &home, &config_home, &cwd);
        let place = client.memory_place(&config_home);
        let here = place_of(&disk, &cwd);
        Ok(Self {
            inner: Arc::new(Inner {
                disk,
                user_home: home,
                config_home,
                is_named: named_by.is_some(),
                cwd,
                missing,
                client,
                place,
                here,
                listings: Listings::default(),
            }),
            now,
            allowed: Arc::default(),
        })
    }

    /// The same store, that lets pass what a person has named.
    #[must_use]
    pub fn letting_pass(self, allowed: Allowed) -> Self {
        Self {
            allowed: Arc::new(allowed),
            ..self
        }
    }

    /// What a path stands for. A Windows path that is not here is taken as written.
    #[must_use]
    pub fn place(&self, path: &Path) -> Place {
        let absolute = self.inner.cwd.join(path);
        let foreign = path.to_str().is_some_and(key::is_windows_path)
            && self.inner.disk.metadata(&absolute).is_err();
        if foreign {
            let key = key::encode(&path.to_string_lossy());
            let path = path.to_path_buf();
            return Place {
                memory_root: path.clone(),
                path,
                memory_key: key.clone(),
                key,
            };
        }
        place_of(
            &self.inner.disk,
            &self.inner.disk.resolve_existing(&absolute),
        )
    }

    /// What decides where this project's memory lies and whether it is on, and what could not be
    /// used of the client's settings: sentences. Empty when nothing unusual is set.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let inner = &self.inner;
        let mut notices = Vec::new();
        notices.extend(inner.missing.map(|by| {
            let home = inner.config_home.display();
            format!("there is no store in {home} yet ({by})")
        }));
        let root = &inner.here.memory_root;
        notices.extend(git::parted_worktree(&inner.disk, root));
        notices.extend(inner.client.index_off());
        match &inner.place {
            MemoryPlace::Keyed { by: None, .. } => {}
            MemoryPlace::Keyed { base, by: Some(by) } => {
                notices.push(format!("memory lies below {}: {by}", base.display()));
            }
            MemoryPlace::Fixed {
                folder,
                by,
                claimed: false,
            } => {
                notices.push(format!("memory lies in {}: {by}", folder.display()));
            }
            MemoryPlace::Fixed {
                folder,
                by,
                claimed: true,
            } => {
                notices.push(format!(
                    "this repository claims the memory folder {}: {by}",
                    folder.display()
                ));
            }
        }
        notices.extend(inner.client.faults().iter().cloned());
        notices
    }

    /// Where a path of the store really lies on this system, links resolved as far as it exists.
    #[must_use]
    pub fn real_place(&self, path: &Path) -> PathBuf {
        let disk = &self.inner.disk;
        disk.host(&disk.resolve_existing(path))
    }

    /// The memory folder that only this repository's own settings claim, and what claims it: read,
    /// but not written before the person has approved it (spec 8).
    #[must_use]
    pub fn claim(&self) -> Option<(&Path, &str)> {
        match &self.inner.place {
            MemoryPlace::Fixed {
                folder,
                by,
                claimed: true,
            } => Some((folder, by)),
            MemoryPlace::Fixed { .. } | MemoryPlace::Keyed { .. } => None,
        }
    }

    /// Why a change set may not be applied: it touches a folder that only this repository claims,
    /// which is not written before a person has approved it (spec 8); or a secret would come where it must
    /// not be.
    #[must_use]
    pub fn refusal(&self, set: &ChangeSet) -> Option<String> {
        self.claimed(set).or_else(|| self.leak_refused(set))
    }

    /// The first of both: a folder that is only claimed.
    #[must_use]
    pub fn claimed(&self, set: &ChangeSet) -> Option<String> {
        let (folder, by) = self.claim()?;
        let disk = &self.inner.disk;
        let claimed = disk.resolve_existing(folder);
        let below = |path: &Path| disk.resolve_existing(path).starts_with(&claimed);
        // What goes elsewhere as a whole takes along what lies in it.
        let round = |path: &Path| below(path) || claimed.starts_with(disk.resolve_existing(path));
        let mut changes = set.changes.iter();
        changes
            .any(|change| match &change.op {
                Op::Write { path, .. } => below(path),
                Op::Trash { path } => round(path),
                Op::Move { from, to } => round(from) || round(to),
            })
            .then(|| {
                format!(
                    "{} is only claimed by this repository ({by}): it is read, not written. Set autoMemoryDirectory in your own settings to take it as yours",
                    folder.display()
                )
            })
    }

    /// Why a change set may not be applied: a file of it was made a link out of its folder meanwhile,
    /// and is not written through.
    #[must_use]
    pub fn link_out(&self, set: &ChangeSet) -> Option<String> {
        let disk = &self.inner.disk;
        set.changes.iter().find_map(|change| {
            let Op::Write { path, .. } = &change.op else {
                return None;
            };
            disk.link(path).ok()?;
            let home = disk.resolve(path.parent()?).ok()?;
            match disk.resolve(path) {
                Ok(real) if real.starts_with(&home) => None,
                Ok(real) => Some(format!(
                    "{} is a link to {}, out of its folder, and is not written through: put the file itself there",
                    path.display(),
                    real.display()
                )),
                Err(error) => Some(format!("{} is a link that can't be followed: {error}", path.display())),
            }
        })
    }

    /// The disk that it lies on.
    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.inner.disk
    }

    /// The config home, as seen.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.inner.config_home
    }

    /// The person's home.
    #[must_use]
    pub fn user_home(&self) -> &Path {
        &self.inner.user_home
    }

    /// The moment that ages are counted to.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.now
    }

    /// The same store, with ages counted to another moment.
    #[must_use]
    pub fn at(&self, now: Moment) -> Self {
        Self {
            inner: Arc::clone(&self.inner),
            now,
            allowed: Arc::clone(&self.allowed),
        }
    }

    /// A path as a person types it: `~` is the home, one that is not whole is told from the working
    /// directory.
    #[must_use]
    pub fn typed(&self, path: &str) -> PathBuf {
        match path.strip_prefix('~') {
            Some("") => self.inner.user_home.clone(),
            Some(rest) if rest.starts_with('/') => {
                self.inner.user_home.join(rest.trim_start_matches('/'))
            }
            Some(_) | None => self.inner.cwd.join(path),
        }
    }

    /// The working directory, resolved.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.inner.cwd
    }
}

fn place_of(disk: &Disk, path: &Path) -> Place {
    let memory_root = git::memory_root(disk, path);
    Place {
        key: key::encode(&path.to_string_lossy()),
        memory_key: key::encode(&memory_root.to_string_lossy()),
        path: path.to_path_buf(),
        memory_root,
    }
}

#[cfg(test)]
mod tests;

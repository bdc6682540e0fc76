//! What a person wishes for project folders, by their keys, made a change set: the folders concerned
//! are read anew, so that a wish that was made a while ago is judged by what is there now. Command
//! line and screen both ask here. Reads only.

use std::path::{Path, PathBuf};

use super::{ArchiveError, Claude, SwitchError};
use crate::config::limits::SESSION_SECONDS;
use crate::project::elsewhere::{self, Held, Kind};
use crate::project::fold::{FoldError, Target, fold, fold_all};
use crate::project::forget::{Client, Forgotten, forget};
use crate::project::prune::{PruneError, prune};
use crate::project::split::split;
use crate::project::{Listed, Origin, Project, Standing};
use crate::store::change::{Age, Author, ChangeSet, Op};

/// What shall become of a project folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectWish {
    /// To the trash, because its path is gone. `of`: only the sessions that ran in these paths.
    Prune { key: String, of: Vec<PathBuf> },
    /// To the key of the place where the project is now. `also`: where the old path is rewritten.
    Relink {
        key: String,
        path: PathBuf,
        also: Vec<Kind>,
    },
    /// Into another one. `key` may be `KEY/NAME`: one that lies inside another by mistake.
    Merge { key: String, into: String },
    /// To the trash, with all that the client holds of it elsewhere.
    Forget { key: String },
    /// The sessions of other paths, each to the folder of its own, memories with them.
    Split { key: String },
    /// The stores of a repository's worktrees into its own; of a worktree, only that one's.
    FoldIn { key: String },
    /// Memory switched on or off in the folder that it is about.
    Memory { key: String, on: bool },
    /// Projects of an archive, each to its own key, or the only one of them into another.
    Import {
        file: PathBuf,
        keys: Vec<String>,
        into: Option<String>,
    },
}

/// What would be done, and what a person should read before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectProposal {
    /// One undo takes it back.
    pub set: ChangeSet,
    /// What goes to the trash.
    pub listed: Listed,
    /// What a person should know: sentences.
    pub notes: Vec<String>,
    /// What a person must say yes to first: sentences.
    pub asks: Vec<String>,
    /// Where else the client's files hold the path. Only what the wish names is rewritten by the set.
    pub elsewhere: Vec<Held>,
}

/// Why a wish is not granted: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum WishError {
    #[error("no project folder has the key {key}: `loci projects` lists them")]
    Unknown { key: String },
    #[error("{path} is no folder: name the one where the project is now", path = path.display())]
    NoFolder { path: PathBuf },
    #[error("{key} is about {path}, which is there: nothing has moved; `loci merge` puts one project folder into another", path = path.display())]
    NotMoved {
        key: String,
        path: PathBuf,
        folder: PathBuf,
    },
    #[error("{key} is about {path}, and whether that is there can't be told here: `loci merge` puts one project folder into another", path = path.display())]
    Untold {
        key: String,
        path: PathBuf,
        folder: PathBuf,
    },
    #[error(
        "a session in {key} wrote {seconds} s ago and may still be at work: end it, or try again in 5 minutes"
    )]
    AtWork {
        key: String,
        seconds: i64,
        folder: PathBuf,
    },
    #[error(
        "{paths} have the very same key, {key}: they can't be told apart by their folder, and nothing else in it is another's"
    )]
    SameKey {
        key: String,
        paths: String,
        folder: PathBuf,
    },
    #[error("no session in {key} ran in another folder that is there: there is nothing to split")]
    Whole { key: String, folder: PathBuf },
    #[error(
        "{key} is no repository with memories of worktrees elsewhere, and no worktree of one that is there: there is nothing to fold in"
    )]
    NoWorktrees { key: String, folder: PathBuf },
    #[error("{error}")]
    Prune { error: PruneError, folder: PathBuf },
    #[error(transparent)]
    Fold(#[from] FoldError),
    #[error("{key} is about no single folder that is there: there are no settings to write")]
    Placeless { key: String, folder: PathBuf },
    #[error("memory is {word} there already", word = if *on { "on" } else { "off" })]
    Switched { on: bool, folder: PathBuf },
    #[error(transparent)]
    Switch(#[from] SwitchError),
    #[error(transparent)]
    Archive(#[from] ArchiveError),
}

type Result<T> = std::result::Result<T, WishError>;

impl ProjectProposal {
    pub(super) fn new(set: ChangeSet, notes: Vec<String>) -> Self {
        Self {
            set,
            listed: Listed::default(),
            notes,
            asks: Vec::new(),
            elsewhere: Vec::new(),
        }
    }
}

impl Claude {
    /// The change set of a wish.
    ///
    /// # Errors
    /// Why it is not granted; nothing is changed by asking.
    pub fn wished(&self, wish: &ProjectWish) -> Result<ProjectProposal> {
        match wish {
            ProjectWish::Prune { key, of } => self.prune(&self.known_project(key)?, of),
            ProjectWish::Relink { key, path, also } => {
                self.relink(&self.known_project(key)?, path, also)
            }
            ProjectWish::Merge { key, into } => {
                self.merge(&self.known_project(key)?, &self.known_project(into)?)
            }
            ProjectWish::Forget { key } => self.forget(key),
            ProjectWish::Split { key } => self.split(&self.known_project(key)?),
            ProjectWish::FoldIn { key } => self.fold_in(key),
            ProjectWish::Memory { key, on } => self.switch_of(&self.known_project(key)?, *on),
            ProjectWish::Import { file, keys, into } => {
                Ok(self.import(file, keys, into.as_deref())?)
            }
        }
    }

    fn known_project(&self, key: &str) -> Result<Project> {
        let key = || key.to_string();
        self.project(&key())
            .ok_or_else(|| WishError::Unknown { key: key() })
    }

    fn prune(&self, project: &Project, of: &[PathBuf]) -> Result<ProjectProposal> {
        let removal = prune(self.disk(), project, of, self.now()).map_err(|error| {
            let folder = project.folder.clone();
            WishError::Prune { error, folder }
        })?;
        let set = removal.change_set();
        Ok(ProjectProposal {
            listed: removal.listed,
            ..ProjectProposal::new(set, removal.notes)
        })
    }

    fn relink(&self, project: &Project, path: &Path, also: &[Kind]) -> Result<ProjectProposal> {
        if !self.disk().is_folder(path) {
            let path = path.to_path_buf();
            return Err(WishError::NoFolder { path });
        }
        has_moved(project)?;
        let place = self.place(path);
        self.quiet(project)?;
        for key in [&place.key, &place.memory_key] {
            if let Some(there) = self.project(key) {
                self.quiet(&there)?;
            }
        }
        let (folder, memory) = self.folders_of(&place);
        let target = Target {
            folder: &folder,
            memory: &memory,
        };
        let new = place.path.to_string_lossy();
        let (held, mut notes) = match project.path.as_deref().and_then(Path::to_str) {
            None => Default::default(),
            Some(old) => {
                let (history, claude_json) = (self.history_file(), self.claude_json());
                let change = elsewhere::Change { old, new: &new };
                elsewhere::held(self.disk(), project, &history, &claude_json, change)
            }
        };
        let title = format!("relink {} to {}", project.title(), place.path.display());
        let mut set = ChangeSet::new(title, Author::You);
        let mut whole = true;
        for one in held.iter().filter(|one| also.contains(&one.kind)) {
            whole &= one.kind != Kind::Transcripts;
            let op = Op::Write {
                path: one.file.clone(),
                before: Some(one.before.clone()),
                after: one.after.clone(),
                age: Age::Keep,
            };
            set = set.with(op, "the new path for the old one");
        }
        let (set, more) = fold(self.disk(), project, target, set, whole)?;
        notes.extend(more);
        Ok(ProjectProposal {
            asks: shared(project).into_iter().collect(),
            elsewhere: held,
            ..ProjectProposal::new(set, notes)
        })
    }

    fn merge(&self, project: &Project, into: &Project) -> Result<ProjectProposal> {
        self.quiet(project)?;
        self.quiet(into)?;
        let target = Target {
            folder: &into.folder,
            memory: &into.memory,
        };
        let title = format!("merge {} into {}", project.key, into.key);
        let set = ChangeSet::new(title, Author::You);
        let (set, notes) = fold(self.disk(), project, target, set, false)?;
        Ok(ProjectProposal {
            asks: in_use(project).into_iter().collect(),
            ..ProjectProposal::new(set, notes)
        })
    }

    fn forget(&self, key: &str) -> Result<ProjectProposal> {
        let (read, _) = self.unsought();
        let (mut own, others): (Vec<Project>, Vec<Project>) =
            read.projects.into_iter().partition(|one| one.key == key);
        let project = own
            .pop()
            .ok_or_else(|| WishError::Unknown { key: key.into() })?;
        self.quiet(&project)?;
        let client = Client {
            home: self.home(),
            history: &self.history_file(),
            claude_json: &self.claude_json(),
        };
        let Forgotten {
            set,
            listed,
            elsewhere,
            notes,
        } = forget(self.disk(), &project, client);
        let mut asks: Vec<String> = in_use(&project).into_iter().collect();
        for one in others.iter().filter(|one| one.memory_key == key) {
            asks.push(format!("{} shares its memories", one.title()));
        }
        Ok(ProjectProposal {
            listed,
            asks,
            elsewhere,
            ..ProjectProposal::new(set, notes)
        })
    }

    fn split(&self, project: &Project) -> Result<ProjectProposal> {
        self.quiet(project)?;
        let (parts, own) = self.parts(project);
        let (key, folder) = (project.key.clone(), project.folder.clone());
        let shown: Vec<String> = own.iter().map(|path| path.display().to_string()).collect();
        let paths = shown.join(", ");
        if parts.is_empty() {
            return Err(match own.as_slice() {
                [] | [_] => WishError::Whole { key, folder },
                [_, _, ..] => WishError::SameKey { key, paths, folder },
            });
        }
        for part in &parts {
            let name = part.folder.file_name().unwrap_or_default();
            if let Some(there) = self.project(&name.to_string_lossy()) {
                self.quiet(&there)?;
            }
        }
        let (set, listed, mut notes) = split(self.disk(), project, &parts)?;
        if own.len() > 1 {
            notes.push(format!(
                "{paths} have the very same key and can't be told apart: their sessions stay"
            ));
        }
        Ok(ProjectProposal {
            listed,
            ..ProjectProposal::new(set, notes)
        })
    }

    fn fold_in(&self, key: &str) -> Result<ProjectProposal> {
        let (read, _) = self.unsought();
        let strays = self.strays(&read.projects);
        let mut homes = Vec::new();
        for (project, root) in strays {
            let place = self.place(&root);
            if project.key == key || place.memory_key == key {
                homes.push((project, self.folders_of(&place), place.memory_root));
            }
        }
        let Some((_, (home, _), root)) = homes.first() else {
            let folder = self.home().join("projects").join(key);
            let key = key.to_string();
            return Err(WishError::NoWorktrees { key, folder });
        };
        let title = format!("fold worktrees into {}", root.display());
        let into = read.projects.iter().find(|one| one.folder == *home);
        let mut notes = Vec::new();
        let mut all = Vec::new();
        for (project, (folder, memory), _) in &homes {
            self.quiet(project)?;
            // Of a worktree that is there the sessions are where the client looks for them.
            let stays = project.origin == Origin::Worktree;
            let folder = if stays { &project.folder } else { folder };
            all.push((*project, Target { folder, memory }));
            let path = project.path.as_deref().unwrap_or(&project.folder).display();
            notes.push(match stays {
                true => format!("{path}: its memories go"),
                false => format!("{path} is gone: its memories and sessions go"),
            });
        }
        into.map_or(Ok(()), |into| self.quiet(into))?;
        let (set, more) = fold_all(self.disk(), &all, ChangeSet::new(title, Author::You))?;
        notes.extend(more);
        Ok(ProjectProposal::new(set, notes))
    }

    /// Refuses to move what a session may be writing to.
    fn quiet(&self, project: &Project) -> Result<()> {
        match project.at_work(SESSION_SECONDS, self.now()) {
            None => Ok(()),
            Some(seconds) => Err(WishError::AtWork {
                key: project.key.clone(),
                seconds,
                folder: project.folder.clone(),
            }),
        }
    }
}

/// Refuses to move a folder whose path is there, or can't be looked up.
fn has_moved(project: &Project) -> Result<()> {
    let gone = |standing: &Standing| *standing == Standing::Gone;
    let Some(claim) = project.evidence.iter().find(|one| !gone(&one.standing)) else {
        return Ok(());
    };
    let (key, folder) = (project.key.clone(), project.folder.clone());
    let path = claim.path.clone();
    Err(match claim.standing {
        Standing::There => WishError::NotMoved { key, path, folder },
        Standing::Gone | Standing::Foreign | Standing::Unseen(_) => {
            WishError::Untold { key, path, folder }
        }
    })
}

/// A folder that several paths share moves only when that is said.
fn shared(project: &Project) -> Option<String> {
    let paths = project.paths().into_iter();
    let paths: Vec<String> = paths.map(|path| path.display().to_string()).collect();
    (paths.len() > 1).then(|| {
        let (key, paths) = (&project.key, paths.join(", "));
        format!("{key} is shared by {paths}: all of it would move")
    })
}

/// The folder of a path that is there, where the client looks for its memory, goes only when that is
/// said.
fn in_use(project: &Project) -> Option<String> {
    let there = |path: &&Path| {
        let is = |standing: &Standing| *standing == Standing::There;
        let mut claims = project.evidence.iter();
        claims.any(|claim| claim.path == **path && is(&claim.standing))
    };
    let path = project.paths().into_iter().find(there)?;
    (project.memory_key == project.key).then(|| {
        let (key, path) = (&project.key, path.display());
        format!("{key} is about {path}, which is there and would find no memories any more")
    })
}

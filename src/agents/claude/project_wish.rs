//! What a person wishes for project folders, by their keys, made a change set: the folders concerned
//! are read anew, so that a wish that was made a while ago is judged by what is there now. Command
//! line and screen both ask here. Reads only.

use std::path::PathBuf;
use std::sync::OnceLock;

use super::{ArchiveError, Claude, Projects, SwitchError};
use crate::config::limits::SESSION_SECONDS;
use crate::project::elsewhere::{Fault, Held, Kind};
use crate::project::fold::{FoldError, Target, fold_all};
use crate::project::forget::{Client, Forgotten, forget};
use crate::project::known::Known;
use crate::project::prune::{PruneError, prune};
use crate::project::split::split;
use crate::project::{Listed, Origin, Project};
use crate::store::change::{Author, ChangeSet};

/// What shall become of a project folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProjectWish {
    /// To the trash, because its path is gone. `of`: only the sessions that ran in these paths. `seen`:
    /// what a person was shown of the memories that go ([`Listed::said_of_memories`]).
    Prune {
        key: String,
        of: Vec<PathBuf>,
        seen: Option<Vec<String>>,
    },
    /// To the key of the place where the project is now. `also`: where the old path is rewritten.
    Relink {
        key: String,
        path: PathBuf,
        also: Vec<Kind>,
    },
    /// The path where a project was that was relinked without it, rewritten in the other places that
    /// hold it.
    Rewrite {
        key: String,
        old: PathBuf,
        also: Vec<Kind>,
    },
    /// Into another one. `key` may be `KEY/NAME`: one that lies inside another by mistake.
    Merge { key: String, into: String },
    /// To the trash, with all that the client holds of it elsewhere. `seen` as above.
    Forget {
        key: String,
        seen: Option<Vec<String>>,
    },
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
    /// What is wished and can't be done: sentences. The rest can.
    pub undone: Vec<String>,
}

/// What is known of all projects, read once for several wishes: not until the first that needs it.
#[derive(Debug, Default)]
pub struct Told(OnceLock<(Projects, Known)>);

impl Told {
    fn read(&self, store: &Claude) -> &(Projects, Known) {
        self.0.get_or_init(|| store.unsought())
    }
}

impl ProjectWish {
    /// Notes what was shown of the memories that go: it is carried out only where no others do.
    pub fn was_shown(&mut self, memories: Vec<String>) {
        if let Self::Prune { seen, .. } | Self::Forget { seen, .. } = self {
            *seen = Some(memories);
        }
    }
}

/// Why a wish is not granted: a sentence for a person.
#[derive(Debug, thiserror::Error)]
pub enum WishError {
    #[error("no project folder has the key {key}: `loci projects` lists them")]
    Unknown { key: String },
    #[error("the name of the folder {folder} is no UTF-8: rename it to a key first", folder = folder.display())]
    OddName { folder: PathBuf },
    #[error("not listed before: {what}; nothing of {key} went: look again")]
    Came {
        key: String,
        what: String,
        folder: PathBuf,
    },
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
        "{paths} have the very same key, {key}: they can't be told apart by their folder, and nothing else in it is another's. When one of them is gone `loci prune {key}` takes its sessions; `loci export FILE {key}` copies the memories, for `loci import FILE --to` another project"
    )]
    SameKey {
        key: String,
        paths: String,
        folder: PathBuf,
    },
    #[error("{path} stands in none of those files: there is nothing to rewrite", path = path.display())]
    NotHeld { path: PathBuf },
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

pub(super) type Result<T> = std::result::Result<T, WishError>;

impl ProjectProposal {
    pub(super) fn new(set: ChangeSet, notes: Vec<String>) -> Self {
        Self {
            set,
            listed: Listed::default(),
            notes,
            asks: Vec::new(),
            elsewhere: Vec::new(),
            undone: Vec::new(),
        }
    }
}

impl Claude {
    /// The change set of a wish.
    ///
    /// # Errors
    /// Why it is not granted; nothing is changed by asking.
    pub fn wished(&self, wish: &ProjectWish) -> Result<ProjectProposal> {
        self.wished_of(wish, &Told::default())
    }

    /// As [`Claude::wished`], one of several: what lies in the project folder itself is read anew, and
    /// what is told of all others once.
    ///
    /// # Errors
    /// Why it is not granted; nothing is changed by asking.
    pub fn wished_of(&self, wish: &ProjectWish, told: &Told) -> Result<ProjectProposal> {
        match wish {
            ProjectWish::Prune { key, of, seen } => {
                let project = self.project_of(key, told)?;
                as_seen(&project, self.prune(&project, of, told)?, seen.as_deref())
            }
            ProjectWish::Relink { key, path, also } => {
                self.relink(&self.known_project(key)?, path, also)
            }
            ProjectWish::Rewrite { key, old, also } => {
                self.rewrite(&self.known_project(key)?, old, also)
            }
            ProjectWish::Merge { key, into } => {
                self.merge(&self.known_project(key)?, &self.known_project(into)?)
            }
            ProjectWish::Forget { key, seen } => {
                let project = self.project_of(key, told)?;
                let (read, _) = told.read(self);
                let proposal = self.forget(&project, &read.projects)?;
                as_seen(&project, proposal, seen.as_deref())
            }
            ProjectWish::Split { key } => self.split(&self.known_project(key)?),
            ProjectWish::FoldIn { key } => self.fold_in(key),
            ProjectWish::Memory { key, on } => self.switch_of(&self.known_project(key)?, *on),
            ProjectWish::Import { file, keys, into } => {
                Ok(self.import(file, keys, into.as_deref())?)
            }
        }
    }

    fn known_project(&self, key: &str) -> Result<Project> {
        named(key, self.project(key))
    }

    /// A project, with what is told elsewhere of its path as it was read for all.
    fn project_of(&self, key: &str, told: &Told) -> Result<Project> {
        let known = || &told.read(self).1;
        named(key, self.project_by(key, known))
    }

    fn prune(&self, project: &Project, of: &[PathBuf], told: &Told) -> Result<ProjectProposal> {
        let removal = prune(self.disk(), project, of, self.now()).map_err(|error| {
            let folder = project.folder.clone();
            WishError::Prune { error, folder }
        })?;
        let set = removal.change_set();
        let mut notes = removal.notes;
        if removal.listed.whole && !removal.listed.memories.is_empty() {
            notes.extend(self.may_be_folded_in(project, told));
        }
        Ok(ProjectProposal {
            listed: removal.listed,
            ..ProjectProposal::new(set, notes)
        })
    }

    /// What goes of a worktree that is gone could go into its repository.
    fn may_be_folded_in(&self, project: &Project, told: &Told) -> Option<String> {
        let (read, _) = told.read(self);
        let strays = self.strays(&read.projects).into_iter();
        let root = strays
            .filter(|(stray, _)| stray.key == project.key)
            .map(|(_, root)| root)
            .next()?;
        let (key, root) = (&project.key, root.display());
        Some(format!(
            "it is a worktree of {root} that is gone: `loci fold-in {key}` takes what it holds into that instead"
        ))
    }

    fn forget(&self, project: &Project, all: &[Project]) -> Result<ProjectProposal> {
        self.quiet(project)?;
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
            undone,
        } = forget(self.disk(), project, client);
        let mut asks: Vec<String> = self.in_use(project, None).into_iter().collect();
        let key = &project.key;
        let others = all.iter().filter(|one| one.key != *key);
        for one in others.filter(|one| one.memory_key == *key) {
            asks.push(format!("{} shares its memories", one.title()));
        }
        Ok(ProjectProposal {
            listed,
            asks,
            elsewhere,
            undone,
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
            let name = root.file_name().unwrap_or(root.as_os_str());
            let name = name.to_string_lossy();
            notes.push(match stays {
                true => format!("{path}: its memories move into {name}"),
                false => format!("{path} is gone: its memories and sessions move into {name}"),
            });
        }
        into.map_or(Ok(()), |into| self.quiet(into))?;
        let (set, more) = fold_all(self.disk(), &all, ChangeSet::new(title, Author::You))?;
        notes.extend(more);
        Ok(ProjectProposal::new(set, notes))
    }

    /// Refuses to move what a session may be writing to.
    pub(super) fn quiet(&self, project: &Project) -> Result<()> {
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

/// A project that was asked for by its key.
fn named(key: &str, found: Option<Project>) -> Result<Project> {
    match found {
        None => Err(WishError::Unknown { key: key.into() }),
        Some(project) if project.census.odd_name => Err(WishError::OddName {
            folder: project.folder,
        }),
        Some(project) => Ok(project),
    }
}

/// Refuses to let memories go that nobody was shown.
fn as_seen(
    project: &Project,
    proposal: ProjectProposal,
    seen: Option<&[String]>,
) -> Result<ProjectProposal> {
    let Some(seen) = seen else {
        return Ok(proposal);
    };
    let mut goes = proposal.listed.said_of_memories();
    goes.retain(|one| !seen.contains(one));
    match goes.is_empty() {
        true => Ok(proposal),
        false => Err(WishError::Came {
            key: project.key.clone(),
            what: goes.join(", "),
            folder: project.folder.clone(),
        }),
    }
}

/// The sentences of files that were asked to be rewritten, and those of the others.
pub(super) fn parted(faults: Vec<Fault>, also: &[Kind]) -> (Vec<String>, Vec<String>) {
    let (asked, others): (Vec<Fault>, Vec<Fault>) =
        faults.into_iter().partition(|one| also.contains(&one.kind));
    let said = |faults: Vec<Fault>| faults.into_iter().map(|one| one.said).collect();
    (said(asked), said(others))
}

//! Which paths' sessions lie in one project folder, and which project folders are those of one
//! repository's worktrees, also of worktrees that are gone.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::memory::git;
use crate::project::split::Part;
use crate::project::{self, Origin, Project, Standing};

/// Where the client makes worktrees, below the root of a repository.
const WORKTREES: &str = ".claude/worktrees";

/// The repository that the project folder of a worktree belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repository {
    /// Its root.
    pub root: PathBuf,
    /// The key of its memory.
    pub key: String,
    /// The worktree holds memories of its own, or is gone: they can be folded in.
    pub folds_in: bool,
}

impl Claude {
    /// The repositories of the projects that are worktrees, also of those that are gone, by key.
    #[must_use]
    pub fn repositories(&self, projects: &[Project]) -> HashMap<String, Repository> {
        let repository = |root: PathBuf, folds_in| Repository {
            key: self.place(&root).memory_key,
            root,
            folds_in,
        };
        let worktrees = projects.iter().filter(|one| one.origin == Origin::Worktree);
        let mut found: HashMap<String, Repository> = worktrees
            .filter_map(|one| {
                let root = self.place(one.path.as_deref()?).memory_root;
                Some((one.key.clone(), repository(root, false)))
            })
            .collect();
        let strays = self.strays(projects).into_iter();
        found.extend(strays.map(|(one, root)| (one.key.clone(), repository(root, true))));
        found
    }

    /// The sessions of other paths that lie in a project folder, by path; and the paths that are there
    /// and have its very key.
    pub(super) fn parts(&self, project: &Project) -> (Vec<Part>, Vec<PathBuf>) {
        let (claims, _) = project::claims(self.disk(), &project.key, &project.census);
        let mut parts: Vec<Part> = Vec::new();
        let mut own = Vec::new();
        for claim in claims {
            // Where a path is gone nobody knows whether the project has moved here.
            if claim.standing != Standing::There {
                continue;
            }
            let place = self.place(&claim.path);
            let (folder, memory) = self.folders_of(&place);
            if claim.exact || folder == project.folder {
                own.push(claim.path);
                continue;
            }
            match parts.iter_mut().find(|part| part.folder == folder) {
                Some(part) => part.sessions.extend(claim.sessions),
                None => parts.push(Part {
                    path: claim.path,
                    folder,
                    memory,
                    sessions: claim.sessions,
                }),
            }
        }
        (parts, own)
    }

    /// The project folders of worktrees whose memories the client does not read there: each with the
    /// root of the repository that is there, whose memory is read. Told by the worktree itself, by
    /// the repository's own list of worktrees, or by a place where the client makes them.
    pub(super) fn strays<'a>(&self, projects: &'a [Project]) -> Vec<(&'a Project, PathBuf)> {
        let mut roots: Vec<PathBuf> = projects
            .iter()
            .filter(|one| matches!(one.origin, Origin::Live | Origin::Worktree))
            .filter_map(|one| Some(self.place(one.path.as_deref()?).memory_root))
            .collect();
        roots.sort();
        roots.dedup();
        let listed: Vec<(PathBuf, &Path)> = roots
            .iter()
            .flat_map(|root| self.worktrees(root).into_iter().map(|path| (path, &**root)))
            .collect();
        let root_of = |project: &Project| -> Option<PathBuf> {
            let path = project.path.as_deref()?;
            match project.origin {
                Origin::Worktree => {
                    let holds = !project.census.memories.is_empty();
                    holds.then(|| self.place(path).memory_root)
                }
                Origin::Orphaned => {
                    let told = listed.iter().find(|(worktree, _)| worktree == path);
                    told.map(|(_, root)| root.to_path_buf())
                        .or_else(|| self.root_above(path))
                }
                Origin::Live | Origin::Ambiguous | Origin::Moved | Origin::Unknown => None,
            }
        };
        projects
            .iter()
            .filter_map(|project| Some((project, root_of(project)?)))
            .collect()
    }

    /// The worktrees that a repository lists, also those that are gone.
    pub(super) fn worktrees(&self, root: &Path) -> Vec<PathBuf> {
        let disk = self.disk();
        let Some(common) = git::common_dir(disk, root) else {
            return Vec::new();
        };
        let folder = common.join("worktrees");
        let items = disk.list(&folder).unwrap_or_default().into_iter();
        items
            .filter_map(|item| {
                let pointer = disk.text(&folder.join(item.name).join("gitdir"))?;
                let path = Path::new(pointer.trim()).parent()?;
                path.is_absolute().then(|| path.to_path_buf())
            })
            .collect()
    }

    /// The root of the repository below which the client made a worktree.
    fn root_above(&self, path: &Path) -> Option<PathBuf> {
        let folder = path.parent().filter(|folder| folder.ends_with(WORKTREES))?;
        let root = folder.parent()?.parent()?;
        let is_root = git::work_root(self.disk(), root).as_deref() == Some(root);
        is_root.then(|| self.place(root).memory_root)
    }
}

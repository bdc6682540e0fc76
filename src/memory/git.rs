//! Canonical git roots, read from the files alone: git is never called. All worktrees of a
//! repository share the memory of its main folder; of a bare one, of the bare folder. A nested
//! repository and a submodule have their own.

use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, normalize};

/// The folder whose key names the memory of `cwd` (resolved): the canonical git root, else `cwd`.
#[must_use]
pub fn memory_root(disk: &Disk, cwd: &Path) -> PathBuf {
    match work_root(disk, cwd) {
        Some(root) => shared_root(disk, &root).unwrap_or(root),
        None => cwd.to_path_buf(),
    }
}

/// The nearest folder at or above `cwd` with a `.git` folder or file. Neither need be whole: a bare
/// `.git` folder and a `.git` file that points nowhere make a root too (observed).
#[must_use]
pub fn work_root(disk: &Disk, cwd: &Path) -> Option<PathBuf> {
    cwd.ancestors()
        .find(|folder| disk.metadata(&folder.join(".git")).is_ok())
        .map(Path::to_path_buf)
}

/// The folder that a linked worktree shares with its main one: `None` when `root` is no linked
/// worktree, or when its pointers don't lead back to it (then it is its own).
fn shared_root(disk: &Disk, root: &Path) -> Option<PathBuf> {
    let pointer = disk.text(&root.join(".git"))?;
    let git_dir = join(root, pointer.trim().strip_prefix("gitdir:")?.trim());
    // A submodule's folder has no `commondir`.
    let common = join(&git_dir, disk.text(&git_dir.join("commondir"))?.trim());
    if git_dir.parent()? != common.join("worktrees") {
        return None;
    }
    let back = join(&git_dir, disk.text(&git_dir.join("gitdir"))?.trim());
    let back = disk.resolve(back.parent()?).ok()?;
    if back != disk.resolve(root).ok()? {
        return None;
    }
    let shared = if common.file_name()? == ".git" {
        common.parent()?.to_path_buf()
    } else {
        common
    };
    Some(disk.resolve_existing(&shared))
}

/// Where the repository of a folder stands: `On branch main`; `None` where there is none, or it can't be
/// read.
#[must_use]
pub fn head(disk: &Disk, cwd: &Path) -> Option<String> {
    let root = work_root(disk, cwd)?;
    let git = root.join(".git");
    let folder = match disk.is_folder(&git) {
        true => git,
        false => join(
            &root,
            disk.text(&git)?.trim().strip_prefix("gitdir:")?.trim(),
        ),
    };
    let head = disk.text(&folder.join("HEAD"))?;
    let head = head.trim();
    match head.strip_prefix("ref: refs/heads/") {
        Some(branch) => Some(format!("On branch {branch}")),
        None if head.len() >= 7 && head.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Some(format!("On no branch, at commit {}", &head[..7]))
        }
        None => None,
    }
}

/// Whether a folder is the root of a linked worktree, whole on both sides.
#[must_use]
pub fn is_worktree(disk: &Disk, root: &Path) -> bool {
    shared_root(disk, root).is_some()
}

/// Why a linked worktree is a root of its own: the repository that its `.git` file names is gone, or
/// does not name it. A sentence; `None` for a whole worktree, and for all that is none.
#[must_use]
pub fn parted_worktree(disk: &Disk, root: &Path) -> Option<String> {
    let pointer = disk.text(&root.join(".git"))?;
    let git_dir = join(root, pointer.trim().strip_prefix("gitdir:")?.trim());
    let is_worktree = git_dir.parent()?.file_name()? == "worktrees";
    if !is_worktree || shared_root(disk, root).is_some() {
        return None;
    }
    let why = match disk.is_folder(&git_dir) {
        true => "which is not this worktree's",
        false => "which is gone",
    };
    let git_dir = git_dir.display();
    Some(format!(
        "this worktree has parted from its repository: its .git leads to {git_dir}, {why}; until `git worktree repair` its memory is its own"
    ))
}

/// The folder of a repository's own files that all its worktrees share, with its `config`: that of a
/// work tree, of a linked worktree, of a submodule, of a bare repository. It need not exist.
#[must_use]
pub fn common_dir(disk: &Disk, root: &Path) -> Option<PathBuf> {
    let own = root.join(".git");
    if disk.is_folder(&own) {
        return Some(own);
    }
    let Some(pointer) = disk.text(&own) else {
        let bare = disk.is_file(&root.join("HEAD")) && disk.is_folder(&root.join("objects"));
        return bare.then(|| root.to_path_buf());
    };
    let git_dir = join(root, pointer.trim().strip_prefix("gitdir:")?.trim());
    Some(match disk.text(&git_dir.join("commondir")) {
        Some(common) => join(&git_dir, common.trim()),
        None => git_dir,
    })
}

fn join(folder: &Path, target: &str) -> PathBuf {
    normalize(&folder.join(target))
}

#[cfg(test)]
#[path = "git_tests.rs"]
mod tests;

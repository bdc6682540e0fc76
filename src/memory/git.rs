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

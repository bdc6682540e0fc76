//! Where the tools of the model may go: they read below the project and the memory folder, and propose
//! writes below the memory folder alone. Links are resolved before anything is allowed, and what is
//! allowed is opened without following one. Knows no tool.

use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, normalize};
use crate::safety::path::{self, Inside, PathError};

/// The folders of one conversation.
#[derive(Debug, Clone)]
pub struct Cage {
    disk: Disk,
    /// The person's home, which `~` stands for.
    home: PathBuf,
    /// The working directory: what relative paths begin from.
    cwd: PathBuf,
    /// The project, as seen and as resolved.
    project: [PathBuf; 2],
    /// The memory folder, likewise; `None`: there is none to be used.
    memory: Option<[PathBuf; 2]>,
}

/// A place that a tool may look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spot {
    /// One of the two folders itself, as seen.
    Root { path: PathBuf, in_memory: bool },
    /// Something below one.
    Below {
        inside: Inside,
        /// As it is shown: links below the folder not resolved.
        path: PathBuf,
        /// Relative to the memory folder, where it lies in it.
        memory: Option<String>,
    },
}

impl Spot {
    /// As it is shown.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Root { path, .. } | Self::Below { path, .. } => path,
        }
    }

    /// The place itself, links resolved.
    #[must_use]
    pub fn real(&self, disk: &Disk) -> PathBuf {
        match self {
            Self::Root { path, .. } => disk.resolve_existing(path),
            Self::Below { inside, .. } => inside.place(),
        }
    }

    /// Whether it lies in the memory folder, or is it.
    #[must_use]
    pub fn in_memory(&self) -> bool {
        match self {
            Self::Root { in_memory, .. } => *in_memory,
            Self::Below { memory, .. } => memory.is_some(),
        }
    }
}

impl Cage {
    /// `memory`: the memory folder, where the model may use it.
    #[must_use]
    pub fn new(
        disk: &Disk,
        home: &Path,
        cwd: &Path,
        project: &Path,
        memory: Option<&Path>,
    ) -> Self {
        let both = |path: &Path| [path.to_path_buf(), disk.resolve_existing(path)];
        Self {
            home: home.to_path_buf(),
            cwd: cwd.to_path_buf(),
            project: both(project),
            memory: memory.map(both),
            disk: disk.clone(),
        }
    }

    #[must_use]
    pub fn disk(&self) -> &Disk {
        &self.disk
    }

    /// The project's folder, as seen.
    #[must_use]
    pub fn project(&self) -> &Path {
        &self.project[0]
    }

    /// The memory folder, as seen.
    #[must_use]
    pub fn memory(&self) -> Option<&Path> {
        self.memory.as_ref().map(|both| &*both[0])
    }

    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.cwd
    }

    /// What a path of the model's leads to, if it may be read.
    ///
    /// # Errors
    /// A sentence: which path, and why not.
    pub fn readable(&self, typed: &str) -> Result<Spot, String> {
        let path = self.absolute(typed)?;
        if let Some((rest, root)) = self.memory.as_ref().and_then(|both| below(&path, both)) {
            return self.spot(root, &rest, true, typed);
        }
        match below(&path, &self.project) {
            Some((rest, root)) => self.spot(root, &rest, false, typed),
            None => Err(self.outside(typed)),
        }
    }

    /// What a path of the model's leads to below the memory folder, if it may be written: the place, and
    /// the path relative to the folder.
    ///
    /// # Errors
    /// A sentence: which path, and why not.
    pub fn writable(&self, typed: &str) -> Result<(Inside, String), String> {
        let Some(memory) = &self.memory else {
            return Err("there is no memory folder to write to here: memory is switched off, or its folder is not \
                        approved"
                .to_string());
        };
        // The rules for the text come first, for what was typed: a path that was taken apart no longer
        // shows what it tried.
        let trimmed = typed.trim_start_matches('/');
        if let Err(error) = path::check_typed(trimmed) {
            return Err(PathError {
                path: typed.to_string(),
                why: error,
            }
            .to_string());
        }
        let path = self.absolute(typed)?;
        let Some((rest, root)) = below(&path, memory) else {
            let folder = memory[0].display();
            return Err(format!(
                "`{typed}` is refused: only what lies below the memory folder, {folder}, is written, and it is \
                 written as a memory"
            ));
        };
        let inside = path::check(&self.disk, root, &rest).map_err(|error| error.to_string())?;
        Ok((inside, rest))
    }

    fn absolute(&self, typed: &str) -> Result<PathBuf, String> {
        if typed.trim().is_empty() {
            return Err("no path is named".to_string());
        }
        if typed.contains('\0') {
            return Err("the path holds a NUL character".to_string());
        }
        let path = match typed.strip_prefix("~/") {
            Some(rest) => self.home.join(rest),
            None => self.cwd.join(typed),
        };
        Ok(normalize(&path))
    }

    fn spot(&self, root: &Path, rest: &str, in_memory: bool, typed: &str) -> Result<Spot, String> {
        if rest.is_empty() {
            return Ok(Spot::Root {
                path: root.to_path_buf(),
                in_memory,
            });
        }
        let inside = path::led(&self.disk, root, rest);
        let inside = inside.map_err(|error| {
            PathError {
                path: typed.to_string(),
                ..error
            }
            .to_string()
        })?;
        Ok(Spot::Below {
            inside,
            path: root.join(rest),
            memory: in_memory.then(|| rest.to_string()),
        })
    }

    fn outside(&self, typed: &str) -> String {
        let project = self.project().display();
        match self.memory() {
            Some(memory) => format!(
                "`{typed}` is refused: only what lies below the project, {project}, and the memory folder, {}, is \
                 read",
                memory.display()
            ),
            None => format!(
                "`{typed}` is refused: only what lies below the project, {project}, is read"
            ),
        }
    }
}

/// The rest of a path below a folder that is known by two names, and the name by which it is.
fn below<'a>(path: &Path, names: &'a [PathBuf; 2]) -> Option<(String, &'a Path)> {
    names.iter().find_map(|name| {
        let rest = path.strip_prefix(name).ok()?;
        Some((rest.to_str()?.to_string(), &**name))
    })
}

#[cfg(test)]
#[path = "cage_tests.rs"]
mod tests;

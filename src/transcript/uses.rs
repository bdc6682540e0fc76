//! Which turns of which sessions read or wrote a file: the touches of all transcripts, also of those that
//! are gone, by the path of the file.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use super::digests::Digests;
use super::touch::Touch;
use crate::base::disk::Disk;

/// A touch, and the transcript that it stands in.
#[derive(Debug, Clone, Copy)]
pub struct Touched<'a> {
    /// The key of the project whose session it was.
    pub project: &'a str,
    /// The session, also where a sub-agent of it did it.
    pub session: &'a str,
    /// `None`: it is gone.
    pub transcript: Option<&'a Path>,
    pub touch: &'a Touch,
}

/// The touches of all files.
#[derive(Debug)]
pub struct Uses<'a> {
    by_path: HashMap<Cow<'a, str>, Vec<Touched<'a>>>,
    /// The first day (`YYYY-MM-DD`, in UTC) of which all is known: see [`Digests::complete_since`].
    pub since: Option<&'a str>,
}

/// How a memory was used.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Use {
    /// How often the model was given its text: read, recalled, attached.
    pub reads: usize,
    /// RFC 3339, in UTC.
    pub last_read: Option<String>,
}

/// A folder of memories by every path that leads to it.
#[derive(Debug, Clone)]
pub struct Roots(Vec<PathBuf>);

impl Roots {
    /// The folder as seen, and the place that it really is.
    #[must_use]
    pub fn of(disk: &Disk, folder: &Path) -> Self {
        let real = disk.resolve_existing(folder);
        let mut roots = vec![folder.to_path_buf()];
        if real != folder {
            roots.push(real);
        }
        Self(roots)
    }

    /// A path as one below the folder, if it leads there.
    #[must_use]
    pub fn below(&self, path: &str) -> Option<String> {
        let mut below = self
            .0
            .iter()
            .filter_map(|root| Path::new(path).strip_prefix(root).ok());
        Some(below.next()?.to_string_lossy().into_owned())
    }
}

impl<'a> Uses<'a> {
    /// What a tool was not let do, or never answered, is no use; a line that a fork copied counts for the
    /// older session.
    #[must_use]
    pub fn of(digests: &'a Digests) -> Self {
        let living = digests.all.iter().flat_map(|one| {
            one.digest.touches.iter().map(|touch| Touched {
                project: &one.found.project,
                session: &one.found.session,
                transcript: Some(&*one.found.path),
                touch,
            })
        });
        let gone = digests.swept.files.iter().flat_map(|file| {
            file.touches.iter().map(|touch| Touched {
                project: &file.project,
                session: &file.session,
                transcript: None,
                touch,
            })
        });
        let mut seen = HashSet::new();
        let mut by_path: HashMap<Cow<'_, str>, Vec<Touched<'_>>> = HashMap::new();
        for touched in living.chain(gone) {
            let touch = touched.touch;
            let id = match &*touch.uuid {
                "" => &*touch.time,
                uuid => uuid,
            };
            let is_new = id.is_empty() || seen.insert((id, &*touch.path, touch.how));
            if touch.is_done() && is_new {
                by_path.entry(touch.plain_path()).or_default().push(touched);
            }
        }
        for all in by_path.values_mut() {
            all.sort_by(|a, b| b.touch.time.cmp(&a.touch.time));
        }
        Self {
            by_path,
            since: digests.complete_since(),
        }
    }

    /// The touches of a memory, by its path below the folder: the newest first.
    #[must_use]
    pub fn touches(&self, roots: &Roots, path: &str) -> Vec<Touched<'a>> {
        let paths = roots.0.iter().map(|root| root.join(path));
        let found = paths.filter_map(|path| self.by_path.get(path.to_str()?));
        let mut all: Vec<Touched<'_>> = found.flatten().copied().collect();
        all.sort_by(|a, b| b.touch.time.cmp(&a.touch.time));
        all
    }

    /// How a memory was used.
    #[must_use]
    pub fn of_memory(&self, roots: &Roots, path: &str) -> Use {
        let touches = self.touches(roots, path).into_iter();
        let mut reads = touches
            .filter(|touched| touched.touch.how.is_reading())
            .peekable();
        Use {
            last_read: reads.peek().map(|touched| touched.touch.time.clone()),
            reads: reads.count(),
        }
    }
}

#[cfg(test)]
#[path = "uses_tests.rs"]
mod tests;

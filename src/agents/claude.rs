//! The store of Claude Code: where it lies, which shelves it has, what is on them. All reading of
//! this kind of store is here, so that screen and command line need not know it.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use crate::agents::{Contents, Layout, Shelf, ShelfKind};
use crate::base::disk::{Disk, Kind};
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::config::client::{Client, MemoryPlace};
use crate::config::limits::{PAGE_BYTES, TRANSCRIPTS_TRIED};
use crate::memory::file::{Memory, Page};
use crate::memory::index::{self, Index};
use crate::memory::pointer::Targets;
use crate::memory::scan::{self, INDEX_FILE};
use crate::memory::{git, key};
use crate::transcript;

/// Shelves read ahead of the one that is handed out.
const READ_AHEAD: usize = 64;

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
}

#[derive(Debug)]
struct Inner {
    disk: Disk,
    config_home: PathBuf,
    cwd: PathBuf,
    now: Moment,
    client: Client,
    place: MemoryPlace,
    here: Place,
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
        let config_home = config_home
            .or_else(|| {
                vars.get("CLAUDE_CONFIG_DIR")
                    .filter(|dir| !dir.is_empty())
                    .map(PathBuf::from)
            })
            .unwrap_or_else(|| home.join(".claude"));
        let config_home = if config_home.is_absolute() {
            config_home
        } else {
            cwd.join(config_home)
        };
        let client = Client::read(&disk, vars, &home, &config_home, &cwd);
        let place = client.memory_place(&config_home);
        let here = place_of(&disk, &cwd);
        Ok(Self {
            inner: Arc::new(Inner {
                disk,
                config_home,
                cwd,
                now,
                client,
                place,
                here,
            }),
        })
    }

    /// The shelf of the working directory (its canonical git root's memory folder). It may be empty
    /// or not exist yet: `memories` says.
    #[must_use]
    pub fn here(&self) -> Shelf {
        let place = &self.inner.here;
        let shelf = Shelf {
            key: place.memory_key.clone(),
            kind: ShelfKind::Project,
            path: Some(place.memory_root.clone()),
            folder: self.memory_folder(&place.memory_key),
            memories: 0,
            transcripts: 0,
        };
        self.survey(shelf)
    }

    /// All folders of `projects/` and of `agent-memory/`, and the working directory's own agent
    /// folders, sorted by kind and key: a listing of names, nothing in them is looked at; `memories`
    /// and `transcripts` are 0 and `path` is `None` until [`Claude::survey`].
    #[must_use]
    pub fn shelves(&self) -> Vec<Shelf> {
        let inner = &self.inner;
        let mut keys: HashSet<String> = self.folders(&inner.config_home.join("projects")).collect();
        match &inner.place {
            MemoryPlace::Keyed { base, by } => {
                if by.is_some() {
                    keys.extend(self.folders(&base.join("projects")));
                }
            }
            MemoryPlace::Fixed { folder, .. } => {
                if inner.disk.is_folder(folder) {
                    keys.insert(inner.here.memory_key.clone());
                }
            }
        }
        let project = |key: String| Shelf {
            folder: self.memory_folder(&key),
            key,
            kind: ShelfKind::Project,
            path: None,
            memories: 0,
            transcripts: 0,
        };
        let mut shelves: Vec<Shelf> = keys.into_iter().map(project).collect();
        let here = &inner.here.memory_root;
        for (kind, base, prefix) in [
            (
                ShelfKind::Agent,
                inner.config_home.join("agent-memory"),
                "agent-memory/",
            ),
            (
                ShelfKind::AgentProject,
                here.join(".claude/agent-memory"),
                ".claude/agent-memory/",
            ),
            (
                ShelfKind::AgentLocal,
                here.join(".claude/agent-memory-local"),
                ".claude/agent-memory-local/",
            ),
        ] {
            shelves.extend(self.folders(&base).map(|name| Shelf {
                folder: base.join(&name),
                key: format!("{prefix}{name}"),
                kind,
                path: None,
                memories: 0,
                transcripts: 0,
            }));
        }
        shelves.sort_by(|a, b| (a.kind as u8, &a.key).cmp(&(b.kind as u8, &b.key)));
        shelves
    }

    /// Counts a shelf's memories and transcripts by their names and finds its path in the head of
    /// one transcript.
    #[must_use]
    pub fn survey(&self, shelf: Shelf) -> Shelf {
        let inner = &self.inner;
        let memories = scan::count(&inner.disk, &shelf.folder);
        if shelf.kind != ShelfKind::Project {
            return Shelf { memories, ..shelf };
        }
        let folder = inner.config_home.join("projects").join(&shelf.key);
        let mut transcripts: Vec<PathBuf> = inner
            .disk
            .list(&folder)
            .unwrap_or_default()
            .into_iter()
            .filter(|item| {
                item.kind == Kind::File
                    && Path::new(&item.name)
                        .extension()
                        .is_some_and(|e| e == "jsonl")
            })
            .map(|item| folder.join(item.name))
            .collect();
        transcripts.sort();
        let path = match &shelf.path {
            Some(path) => Some(path.clone()),
            None if shelf.key == inner.here.memory_key => Some(inner.here.memory_root.clone()),
            None => transcripts
                .iter()
                .take(TRANSCRIPTS_TRIED)
                .find_map(|file| transcript::first_cwd(&inner.disk, file)),
        };
        Shelf {
            memories,
            transcripts: transcripts.len(),
            path,
            ..shelf
        }
    }

    /// Surveys all shelves in parallel, handing each out as it is done, in no order.
    pub fn survey_all(&self, each: impl Fn(Shelf) + Sync) {
        self.shelves()
            .into_par_iter()
            .for_each(|shelf| each(self.survey(shelf)));
    }

    /// Surveys and reads all shelves in parallel and hands them out in the order of
    /// [`Claude::shelves`], a few at a time in memory.
    pub fn shelves_in_order(&self, mut each: impl FnMut(&Shelf, Contents)) {
        let mut shelves = self.shelves().into_iter();
        loop {
            let batch: Vec<Shelf> = shelves.by_ref().take(READ_AHEAD).collect();
            if batch.is_empty() {
                return;
            }
            let read: Vec<(Shelf, Contents)> = batch
                .into_par_iter()
                .map(|shelf| {
                    let shelf = self.survey(shelf);
                    let contents = self.contents(&shelf);
                    (shelf, contents)
                })
                .collect();
            for (shelf, contents) in read {
                each(&shelf, contents);
            }
        }
    }

    /// Reads a shelf: the head of each memory, the index, the logs' names.
    #[must_use]
    pub fn contents(&self, shelf: &Shelf) -> Contents {
        let inner = &self.inner;
        let listing = scan::list(&inner.disk, &shelf.folder);
        let mut faults = listing.faults;
        let mut entries = scan::heads(&inner.disk, &shelf.folder, listing.memories);
        let index = listing
            .index
            .then(|| self.index(&shelf.folder, "", &entries, &mut faults))
            .flatten();
        let team_index = listing
            .team_index
            .then(|| self.index(&shelf.folder, "team/", &entries, &mut faults))
            .flatten();
        if index.is_some() || team_index.is_some() {
            let pointed_at: HashSet<String> = pointed_at(index.as_ref(), "")
                .chain(pointed_at(team_index.as_ref(), "team/"))
                .collect();
            let pointed_at = pointed_at.iter().map(String::as_str).collect();
            scan::mark_ghosts(&mut entries, &pointed_at);
        }
        let layout = match index.is_none()
            && !entries.is_empty()
            && entries.iter().all(|entry| entry.created.is_some())
        {
            true => Layout::Tiny,
            false => Layout::Classic,
        };
        entries.sort_by(|a, b| {
            let by_age = match layout {
                Layout::Classic => b.modified.cmp(&a.modified),
                Layout::Tiny => b.created.cmp(&a.created),
            };
            by_age.then_with(|| a.path.cmp(&b.path))
        });
        Contents {
            entries,
            layout,
            logs: listing.logs,
            index,
            team_index,
            faults,
        }
    }

    /// Reads one file whole. `path` is absolute, as seen.
    ///
    /// # Errors
    /// A sentence: which file, what is wrong, what to do.
    pub fn page(&self, path: &Path) -> Result<Page, String> {
        let disk = &self.inner.disk;
        let cannot = |error: std::io::Error| format!("{} can't be read: {error}", path.display());
        let data = disk.metadata(path).map_err(cannot)?;
        if data.len() > PAGE_BYTES {
            let size = data.len() / 1024 / 1024;
            return Err(format!(
                "{} is {size} MiB large: open it with a pager or an editor",
                path.display()
            ));
        }
        let bytes = disk.read(path).map_err(cannot)?;
        let text = index::decode(&bytes);
        let front = front_matter::read(&text);
        Ok(Page {
            path: path.to_path_buf(),
            lossy: std::str::from_utf8(&bytes).is_err(),
            front,
            text,
            modified: data.modified().map(Moment::from).unwrap_or_default(),
            bytes: data.len(),
        })
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

    /// The config home, as seen.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.inner.config_home
    }

    /// The moment that ages are counted to.
    #[must_use]
    pub fn now(&self) -> Moment {
        self.inner.now
    }

    /// The working directory, resolved.
    #[must_use]
    pub fn cwd(&self) -> &Path {
        &self.inner.cwd
    }

    /// The memory folder of a key. What is moved for one project only is moved for the key of the
    /// working directory; the others' folders lie where they would without it.
    fn memory_folder(&self, key: &str) -> PathBuf {
        let inner = &self.inner;
        match &inner.place {
            MemoryPlace::Keyed { base, .. } => base.join("projects").join(key).join("memory"),
            MemoryPlace::Fixed { folder, .. } if key == inner.here.memory_key => folder.clone(),
            MemoryPlace::Fixed { .. } => {
                inner.config_home.join("projects").join(key).join("memory")
            }
        }
    }

    fn folders(&self, folder: &Path) -> impl Iterator<Item = String> + use<> {
        let items = self.inner.disk.list(folder).unwrap_or_default();
        let links = self.inner.disk.clone();
        let folder = folder.to_path_buf();
        items
            .into_iter()
            .filter(move |item| match item.kind {
                Kind::Folder => true,
                Kind::Link => links.is_folder(&folder.join(&item.name)),
                Kind::File | Kind::Other => false,
            })
            .map(|item| item.name.to_string_lossy().into_owned())
    }

    /// The index of a folder, or of its `team/` folder.
    fn index(
        &self,
        folder: &Path,
        prefix: &str,
        entries: &[Memory],
        faults: &mut Vec<String>,
    ) -> Option<Index> {
        let inner = &self.inner;
        let below = |path: &'_ str| {
            path.strip_prefix(prefix)
                .map(str::len)
                .map(|length| path.len() - length)
        };
        let own = || {
            entries
                .iter()
                .filter_map(|entry| below(&entry.path).map(|skip| (entry, &entry.path[skip..])))
        };
        let mut targets = Targets::new(own().map(|(_, path)| path));
        for (entry, path) in own() {
            if let Some(name) = &entry.name {
                targets.name(name, path);
            }
        }
        let path = folder.join(prefix).join(INDEX_FILE);
        let off = inner.client.index_off();
        match index::read(&inner.disk, &path, &targets, off.as_deref()) {
            Ok(index) => Some(index),
            Err(error) => {
                faults.push(format!("{} can't be read: {error}", path.display()));
                None
            }
        }
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

fn pointed_at<'a>(index: Option<&'a Index>, prefix: &'a str) -> impl Iterator<Item = String> + 'a {
    let pointers = index
        .map(|index| index.pointers.as_slice())
        .unwrap_or_default();
    pointers
        .iter()
        .filter_map(move |pointer| Some(format!("{prefix}{}", pointer.resolved.as_ref()?)))
}

#[cfg(test)]
#[path = "claude_tests.rs"]
mod tests;

//! What a preview is made from, read once: rules, index, the newest transcript, the files that are about
//! to be read. Decides no layout.

use std::path::{Path, PathBuf};

use super::agent::AgentRead;
use super::picks::Picks;
use super::read_file::{ReadFile, Unread, bytes};
use super::running::Running;
use super::transcripts::Transcripts;
use super::{Asked, Layout, PreviewError, guessed, named};
use crate::agents::claude::{Claude, Surroundings};
use crate::agents::{AgentFile, Contents};
use crate::base::disk::normalize;
use crate::base::time;
use crate::config::client::ADDED_VAR;
use crate::context::as_read;
use crate::context::memory_prompt::Recall;
use crate::context::observed::data::Version;
use crate::context::observed::{Recorded, newest};
use crate::context::tokens;
use crate::instructions::{self, Attached, Instructions};
use crate::memory::git;
use crate::memory::index::decode;
use crate::memory::load::{self, Loaded};
use crate::memory::scan::INDEX_FILE;

/// All that a request is assembled from.
pub struct Source {
    pub version: &'static Version,
    pub guessed: bool,
    pub recorded: Recorded,
    pub standing: Surroundings,
    pub memory_folder: PathBuf,
    pub contents: Contents,
    pub instructions: Instructions,
    /// The index of this version's making; `None`: there is none, or it is not sent.
    pub index: Option<(PathBuf, Loaded)>,
    /// What is fetched for the question, where that is the mode.
    pub picks: Option<Picks>,
    /// Memory is switched off: there are no rules for it either.
    pub memory_off: bool,
    pub git: bool,
    /// Where the repository stands.
    pub head: Option<String>,
    /// YYYY-MM-DD.
    pub date: String,
    /// The files that are about to be read, in their order.
    pub read: Vec<ReadFile>,
    /// A file that was changed after the session began.
    pub edited: Option<Running>,
    /// The sub-agent whose request is shown.
    pub agent: Option<AgentRead>,
    pub agents: Vec<AgentFile>,
    /// Tokens of the memory that is being edited as its tool shows it, as it is and as it would be.
    pub as_read: Option<(usize, usize)>,
    pub notes: Vec<String>,
}

impl Source {
    pub fn read(
        store: &Claude,
        transcripts: &mut Transcripts,
        asked: &Asked,
    ) -> Result<Self, PreviewError> {
        let disk = store.disk();
        let mut notes = Vec::new();
        let (version, guessed, recorded) = version(store, transcripts, asked, &mut notes)?;
        let mut standing = store.surroundings(&asked.cwd);
        standing.place.edited.clone_from(&asked.edited);
        let moves = match asked.switches.layout {
            Layout::Ours => newest().moves,
            Layout::Observed(_) => version.moves,
        };
        let (shelf, not_followed) = store.shelf_as(&asked.cwd, moves);
        notes.extend(not_followed.filter(|_| version.index.is_some()).map(|by| {
            let (name, folder) = (&version.name, shelf.folder.display());
            format!("version {name} does not follow {by}: its memory is {folder}")
        }));
        standing.place.added = added(store, asked, &standing, &mut notes)?;
        let contents = store.contents(&shelf);
        let manner = match asked.switches.layout {
            Layout::Ours => &newest().instructions,
            Layout::Observed(_) => &version.instructions,
        };
        let instructions = instructions::read(disk, &standing.place, manner);
        notes.extend(
            instructions
                .off
                .as_ref()
                .map(|off| format!("neither rules nor the memory index are sent: {off}")),
        );
        let mut source = Self {
            index: None,
            picks: None,
            edited: None,
            agent: None,
            agents: store.agent_files(&asked.cwd),
            memory_off: asked.switches.recall == Recall::Off || standing.memory_off.is_some(),
            git: git::work_root(disk, &asked.cwd).is_some(),
            head: git::head(disk, &asked.cwd),
            date: store.now().date(),
            read: Vec::new(),
            as_read: None,
            memory_folder: shelf.folder,
            version,
            guessed,
            recorded,
            standing,
            contents,
            instructions,
            notes,
        };
        source.index = source.index(store, asked);
        source.read = source.files(store, asked);
        source.as_read = source.edited_memory(store, asked);
        if let Some(name) = &asked.switches.agent {
            source.agent = Some(AgentRead::find(store, &source, asked, name)?);
        } else if let Some(path) = &asked.switches.edited {
            let edited = Running::find(store, &source, asked, path);
            source.notes.extend(edited.unread.as_ref().map(|why| {
                let path = edited.path.display();
                format!("{path} {why}: nothing of it is told")
            }));
            source.edited = Some(edited);
        }
        Ok(source)
    }

    /// The index as it is loaded; an edit of it stands in for the file.
    fn index(&mut self, store: &Claude, asked: &Asked) -> Option<(PathBuf, Loaded)> {
        let manner = match asked.switches.layout {
            Layout::Ours => newest().index,
            Layout::Observed(_) => self.version.index,
        };
        if self.memory_off {
            let by = self
                .standing
                .memory_off
                .as_deref()
                .unwrap_or("recall is off");
            self.notes.push(format!(
                "{by}: neither the memory index nor the rules for memory are sent"
            ));
            return None;
        }
        if self.standing.index_off.is_some() || self.instructions.off.is_some() {
            return None;
        }
        if (asked.switches.recall, &asked.switches.layout) == (Recall::Prefetch, &Layout::Ours) {
            let question = asked.switches.prompt.as_deref();
            let picks = Picks::of(store.disk(), &self.memory_folder, question, store.now());
            self.notes.extend(picks.notes.clone());
            self.picks = Some(picks);
            return None;
        }
        let Some(manner) = manner else {
            self.notes
                .push(format!("version {} knows no memory", self.version.name));
            return None;
        };
        let path = self.memory_folder.join(INDEX_FILE);
        let edited = asked.edited.as_ref().filter(|edited| edited.path == path);
        let text = match (edited, &self.contents.index) {
            (Some(edited), _) => decode(&edited.bytes),
            (None, Some(index)) => index.text.clone(),
            (None, None) => {
                self.notes.extend(self.contents.index_fault.clone());
                return None;
            }
        };
        Some((path, load::load_as(&text, manner)))
    }

    /// The files that are read, in their order, each once. What one brings along comes with the first that
    /// does: it stands in the messages then.
    fn files(&mut self, store: &Claude, asked: &Asked) -> Vec<ReadFile> {
        let mut all: Vec<ReadFile> = Vec::new();
        for file in &asked.switches.read {
            let path = place(store, asked, file);
            if all.iter().any(|one| one.path == path) {
                let path = path.display();
                self.notes
                    .push(format!("{path} is named twice: it is read once"));
                continue;
            }
            let mut read = self.file(store, asked, path);
            let is_there = |new: &Attached| {
                let mut before = all.iter().flat_map(|one| &one.attached);
                before.any(|one| one.path == new.path)
            };
            read.attached.retain(|new| !is_there(new));
            all.push(read);
        }
        all
    }

    fn file(&mut self, store: &Claude, asked: &Asked, path: PathBuf) -> ReadFile {
        let attached = instructions::attached(
            store.disk(),
            &self.standing.place,
            &self.version.instructions,
            &path,
        );
        let text = match bytes(store.disk(), &path) {
            Ok((bytes, modified)) => {
                let edited = asked.edited.as_ref().filter(|edited| edited.path == path);
                let bytes = edited.map_or(bytes, |edited| edited.bytes.clone());
                Ok(self.shown(store, &path, &bytes, modified))
            }
            Err(why) => {
                self.notes.push(format!(
                    "{} {why}: what it brings along is shown as if it could be read",
                    path.display()
                ));
                Err(why)
            }
        };
        ReadFile {
            path,
            text,
            attached,
        }
    }

    /// The files that were named and give no text.
    pub fn unread(&self) -> impl Iterator<Item = (PathBuf, Unread)> {
        let files = self.read.iter();
        let files = files.filter_map(|read| Some((read.path.clone(), read.text.clone().err()?)));
        let edited = self.edited.iter();
        files.chain(edited.filter_map(|one| Some((one.path.clone(), one.unread.clone()?))))
    }

    /// A file as the client's tool shows it.
    fn shown(&self, store: &Claude, path: &Path, bytes: &[u8], modified: time::Moment) -> String {
        let aged = as_read::is_aged(path, &self.memory_folder).then_some(modified);
        as_read::text(&self.version.read, bytes, aged, store.now())
    }

    /// What the memory that is being edited costs whenever it is read.
    fn edited_memory(&self, store: &Claude, asked: &Asked) -> Option<(usize, usize)> {
        let edited = asked.edited.as_ref()?;
        if !edited.path.starts_with(&self.memory_folder) || edited.path.ends_with(INDEX_FILE) {
            return None;
        }
        let after = self.shown(store, &edited.path, &edited.bytes, store.now());
        let before = bytes(store.disk(), &edited.path).ok();
        let before =
            before.map(|(bytes, modified)| self.shown(store, &edited.path, &bytes, modified));
        let count = |text: &str| tokens::estimate(text);
        Some((before.as_deref().map_or(0, count), count(&after)))
    }
}

/// The version whose layout is shown, whether it was guessed, and what its transcript holds.
fn version(
    store: &Claude,
    transcripts: &mut Transcripts,
    asked: &Asked,
    notes: &mut Vec<String>,
) -> Result<(&'static Version, bool, Recorded), PreviewError> {
    let recorded = transcripts.newest(store, &asked.cwd);
    let (version, is_guess) = match &asked.switches.layout {
        Layout::Ours => (newest(), true),
        Layout::Observed(Some(name)) => (named(name)?, false),
        Layout::Observed(None) => {
            let (version, said) = guessed(recorded.version.as_deref());
            notes.extend(said);
            let is_named = recorded.version.as_deref() == Some(&*version.name);
            (version, !is_named)
        }
    };
    if asked.switches.layout == Layout::Ours {
        return Ok((version, is_guess, recorded));
    }
    match &recorded.version {
        None => {
            notes.push("this project has no transcript yet that names a version".to_string());
        }
        // What another version sent says nothing of this one.
        Some(other)
            if asked.switches.layout != Layout::Observed(None) && *other != version.name =>
        {
            // That the provider counted it is kept: why it is not used is said.
            let (model, first) = (recorded.model, recorded.first);
            return Ok((
                version,
                false,
                Recorded {
                    model,
                    first,
                    ..Recorded::default()
                },
            ));
        }
        Some(_) => {}
    }
    Ok((version, is_guess, recorded))
}

/// The version of the newest transcript of a folder, else the newest.
pub fn version_here(store: &Claude, cwd: &Path) -> &'static Version {
    let recorded = Transcripts::default().newest(store, cwd);
    guessed(recorded.version.as_deref()).0
}

/// A path as a person gives it: `~` is the home, one that is not whole is told from the working directory
/// of the request.
pub fn place(store: &Claude, asked: &Asked, path: &Path) -> PathBuf {
    match path.to_str() {
        Some(text) if text.starts_with('~') => normalize(&store.typed(text)),
        Some(_) | None => normalize(&asked.cwd.join(path)),
    }
}

/// The folders that were added and whose rules are read.
fn added(
    store: &Claude,
    asked: &Asked,
    standing: &Surroundings,
    notes: &mut Vec<String>,
) -> Result<Vec<PathBuf>, PreviewError> {
    let folders = asked.switches.added.iter();
    let folders: Vec<PathBuf> = folders.map(|it| place(store, asked, it)).collect();
    if let Some(gone) = folders.iter().find(|it| !store.disk().is_folder(it)) {
        return Err(PreviewError::NoFolder(gone.clone()));
    }
    if folders.is_empty() {
        return Ok(folders);
    }
    let said = match (&asked.switches.layout, standing.reads_added) {
        (Layout::Ours, _) => "our own chat adds no folders: nothing is read of them".to_string(),
        (Layout::Observed(_), false) => {
            format!("nothing is read of the folders that were added: {ADDED_VAR} is not set to 1")
        }
        (Layout::Observed(_), true) => {
            notes.push(
                "of a folder that was added CLAUDE.md and, from 2.1.112 on, CLAUDE.local.md are read; their place among the other \
                 rules was not recorded: they are shown behind them. Whether .claude/CLAUDE.md and .claude/rules of it are \
                 read was not recorded either: they are not shown"
                    .to_string(),
            );
            return Ok(folders);
        }
    };
    notes.push(said);
    Ok(Vec::new())
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;

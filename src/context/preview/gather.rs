//! What a preview is made from, read once: rules, index, the newest transcript, the file that is about
//! to be read. Decides no layout.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::agent::AgentRead;
use super::running::Running;
use super::{Asked, Layout, PreviewError, guessed, named};
use crate::agents::claude::{Claude, Surroundings};
use crate::agents::{AgentFile, Contents};
use crate::base::disk::{Disk, normalize};
use crate::base::time;
use crate::config::client::ADDED_VAR;
use crate::config::limits::PAGE_BYTES;
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

/// Bytes of a transcript's head and of its end that are looked at.
const TRANSCRIPT_BYTES: u64 = 8 * 1024 * 1024;

/// What is said where memories would be fetched for a question.
const NO_PICKS: &str = "prefetch: the index is not sent, memories would be picked for the question; picking needs a \
                        model, which is not there yet, so none is picked and none is attached";

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
    /// Memory is switched off: there are no rules for it either.
    pub memory_off: bool,
    pub git: bool,
    /// Where the repository stands.
    pub head: Option<String>,
    /// YYYY-MM-DD.
    pub date: String,
    pub read: Option<ReadFile>,
    /// A file that was changed after the session began.
    pub edited: Option<Running>,
    /// The sub-agent whose request is shown.
    pub agent: Option<AgentRead>,
    pub agents: Vec<AgentFile>,
    /// Tokens of the memory that is being edited as its tool shows it, as it is and as it would be.
    pub as_read: Option<(usize, usize)>,
    pub notes: Vec<String>,
}

/// A file that is about to be read.
pub struct ReadFile {
    pub path: PathBuf,
    /// As the tool shows it; `None`: it can't be read.
    pub text: Option<String>,
    pub attached: Vec<Attached>,
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
            edited: None,
            agent: None,
            agents: store.agent_files(&asked.cwd),
            memory_off: asked.switches.recall == Recall::Off || standing.memory_off.is_some(),
            git: git::work_root(disk, &asked.cwd).is_some(),
            head: git::head(disk, &asked.cwd),
            date: store.now().date(),
            read: None,
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
        source.index = source.index(asked);
        source.read = asked
            .switches
            .read
            .as_ref()
            .map(|file| source.file(store, asked, file));
        source.as_read = source.edited_memory(store, asked);
        if let Some(name) = &asked.switches.agent {
            source.agent = Some(AgentRead::find(store, &source, asked, name)?);
        } else if let Some(path) = &asked.switches.edited {
            source.edited = Some(Running::find(store, &source, asked, path));
        }
        Ok(source)
    }

    /// The index as it is loaded; an edit of it stands in for the file.
    fn index(&mut self, asked: &Asked) -> Option<(PathBuf, Loaded)> {
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
            self.notes.push(NO_PICKS.to_string());
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

    fn file(&mut self, store: &Claude, asked: &Asked, file: &Path) -> ReadFile {
        let path = place(store, asked, file);
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
                Some(self.shown(store, &path, &bytes, modified))
            }
            Err(why) => {
                self.notes.push(format!(
                    "{} {why}: what it brings along is shown as if it could be read",
                    path.display()
                ));
                None
            }
        };
        ReadFile {
            path,
            text,
            attached,
        }
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

/// What the newest transcript held when it was read last: it is read again only once it has changed.
#[derive(Debug, Default)]
pub struct Transcripts {
    last: Option<(PathBuf, Stamp, Recorded)>,
}

/// Time and length of a file.
type Stamp = (Option<SystemTime>, u64);

impl Transcripts {
    /// What the newest transcript of a folder holds; nothing where there is none.
    fn newest(&mut self, store: &Claude, cwd: &Path) -> Recorded {
        let Some(path) = store.newest_transcript(cwd) else {
            return Recorded::default();
        };
        let data = store.disk().metadata(&path).ok();
        let stamp = data.map_or((None, 0), |data| (data.modified().ok(), data.len()));
        if let Some((of, when, recorded)) = &self.last
            && (of, when) == (&path, &stamp)
        {
            return recorded.clone();
        }
        let recorded = recorded(store.disk(), &path);
        self.last = Some((path, stamp, recorded.clone()));
        recorded
    }
}

/// What a transcript holds, read with the wrapper of its own version.
fn recorded(disk: &Disk, path: &Path) -> Recorded {
    let bytes = ends(disk, path).unwrap_or_default();
    let lines = || bytes.split(|byte| *byte == b'\n');
    let recorded = Recorded::read(lines(), &newest().wrapper);
    let (own, _) = guessed(recorded.version.as_deref());
    match own.wrapper == newest().wrapper {
        true => recorded,
        false => Recorded::read(lines(), &own.wrapper),
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

/// Head and end of a transcript; the whole where it is not larger than both.
fn ends(disk: &Disk, path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = disk.open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= 2 * TRANSCRIPT_BYTES {
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    (&mut file).take(TRANSCRIPT_BYTES).read_to_end(&mut bytes)?;
    // The line that is cut is no JSON and is passed over, so is the rest of the one at the end.
    bytes.push(b'\n');
    file.seek(SeekFrom::Start(length - TRANSCRIPT_BYTES))?;
    file.take(TRANSCRIPT_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
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

/// The bytes of a file and its time, or why there are none: the end of a sentence.
pub fn bytes(disk: &Disk, path: &Path) -> Result<(Vec<u8>, time::Moment), String> {
    let data = disk.metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => "is not there".to_string(),
        _ => format!("can't be read ({error})"),
    })?;
    if data.is_dir() {
        return Err("is a folder".to_string());
    }
    if data.len() > PAGE_BYTES {
        return Err(format!("is {} MiB large", data.len() / 1024 / 1024));
    }
    let bytes = disk
        .read(path)
        .map_err(|error| format!("can't be read ({error})"))?;
    Ok((
        bytes,
        data.modified().map(time::Moment::from).unwrap_or_default(),
    ))
}

#[cfg(test)]
#[path = "gather_tests.rs"]
mod tests;

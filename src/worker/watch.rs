//! Watches the folders that are shown, so that what another program writes appears by itself. Events
//! are gathered in one thread that sleeps until there is one; where the system's watches have run
//! out, that thread looks at the folders once a second instead. Knows nothing of what the files say.
//!
//! A folder is watched, not its files: an editor saves by renaming another file over the old one.
//! The folder above is watched too, so that one that is removed and made again is not lost.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::UnboundedSender;

use crate::app::message::Message;

/// Events that come so close together are one change: a save is several of them.
const QUIET: Duration = Duration::from_millis(30);
/// A change is told after so long even if more of them keep coming.
const PATIENCE: Duration = Duration::from_millis(150);
/// A folder that keeps changing is told of less and less often, down to once in so long: each time all
/// of it is read.
const SLOWEST: Duration = Duration::from_millis(750);
/// One that was left alone for so long is told of at once again.
const CALM: Duration = Duration::from_millis(1500);
/// How often folders are looked at that can't be watched.
const POLL: Duration = Duration::from_secs(1);

/// What the thread is told.
enum Told {
    /// These folders are shown now.
    Folders(Vec<Shown>),
    Event(notify::Result<Event>),
}

/// A folder by the name that the screen knows it by, and its real place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub name: PathBuf,
    pub real: PathBuf,
    pub depth: Depth,
}

/// How much of a folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// All that is below it: a memory folder.
    All,
    /// The files in it that may be rules: a project folder, below which may lie anything.
    Rules,
    /// The names of the folders in it: the place of all projects.
    Names,
}

/// The watching thread's address.
#[derive(Debug)]
pub struct Watch {
    tell: mpsc::Sender<Told>,
}

impl Watch {
    /// Starts the thread. `refused` is an error number that a test has every watch fail with.
    #[must_use]
    pub fn start(out: UnboundedSender<Message>, refused: Option<i32>) -> Self {
        let (tell, told) = mpsc::channel();
        let events = tell.clone();
        thread::spawn(move || {
            let watcher = notify::recommended_watcher(move |event| {
                // The thread ends only with the program.
                let _ = events.send(Told::Event(event));
            });
            let mut desk = Desk {
                watcher: watcher.ok(),
                folders: Vec::new(),
                polled: HashMap::new(),
                paces: HashMap::new(),
                refused,
                said: false,
                out,
            };
            desk.attend(&told);
        });
        Self { tell }
    }

    /// Watches these folders and no others.
    pub fn folders(&self, folders: Vec<Shown>) {
        let _ = self.tell.send(Told::Folders(folders));
    }
}

/// One folder that is shown.
#[derive(Debug)]
struct Folder {
    shown: PathBuf,
    /// Its real place.
    path: PathBuf,
    depth: Depth,
    /// The paths that the system watches for it: itself, if it is there, and the nearest one above.
    watched: Vec<PathBuf>,
}

struct Desk {
    watcher: Option<RecommendedWatcher>,
    folders: Vec<Folder>,
    /// Folders that can't be watched, each as it looked last.
    polled: HashMap<PathBuf, (Depth, Picture)>,
    /// When each folder was told of last.
    paces: HashMap<PathBuf, Pace>,
    refused: Option<i32>,
    said: bool,
    out: UnboundedSender<Message>,
}

/// Events that came close together and concern one folder.
struct Burst {
    folder: PathBuf,
    first: Instant,
    last: Instant,
}

impl Burst {
    /// When it is over, as far as is known yet.
    fn end(&self) -> Instant {
        (self.last + QUIET).min(self.first + PATIENCE)
    }
}

/// How often a folder is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pace {
    told: Instant,
    /// How long it is not told of again.
    rest: Duration,
}

impl Pace {
    /// After one more telling.
    fn next(last: Option<Self>, now: Instant) -> Self {
        let rest = match last {
            Some(pace) if now.duration_since(pace.told) < CALM => (pace.rest * 2).min(SLOWEST),
            Some(_) | None => PATIENCE,
        };
        Self { told: now, rest }
    }

    fn until(self) -> Instant {
        self.told + self.rest
    }
}

/// Names, times and sizes below a folder.
type Picture = Vec<(OsString, Option<SystemTime>, u64)>;

impl Desk {
    fn attend(&mut self, told: &mpsc::Receiver<Told>) {
        let mut bursts: Vec<Burst> = Vec::new();
        let mut looked = Instant::now();
        loop {
            let next = match self.wait(&bursts, looked) {
                Some(wait) => told.recv_timeout(wait),
                None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(Told::Folders(folders)) => self.turn_to(folders),
                Ok(Told::Event(event)) => self.gather(event, &mut bursts),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let now = Instant::now();
            let ended: Vec<Burst> = bursts
                .extract_if(.., |burst| self.due(burst) <= now)
                .collect();
            for Burst { folder, .. } in ended {
                self.watch_again(&folder);
                self.tell(&folder);
                let pace = Pace::next(self.paces.get(&folder).copied(), now);
                self.paces.insert(folder, pace);
            }
            if looked.elapsed() >= POLL {
                looked = Instant::now();
                self.look_at_polled();
            }
        }
    }

    /// How long nothing is to be done unless something is told.
    fn wait(&self, bursts: &[Burst], looked: Instant) -> Option<Duration> {
        let due = bursts.iter().map(|burst| self.due(burst)).min();
        let quiet = due.map(|due| due.saturating_duration_since(Instant::now()));
        let poll = (!self.polled.is_empty()).then(|| POLL.saturating_sub(looked.elapsed()));
        quiet.into_iter().chain(poll).min()
    }

    /// When a folder is to be told of.
    fn due(&self, burst: &Burst) -> Instant {
        let rested = self.paces.get(&burst.folder).map(|pace| pace.until());
        rested.map_or(burst.end(), |rested| rested.max(burst.end()))
    }

    /// Watches what is shown now and lets go of the rest.
    fn turn_to(&mut self, folders: Vec<Shown>) {
        let stays = |folder: &Folder| {
            let same = |new: &Shown| new.real == folder.path && new.depth == folder.depth;
            folders.iter().any(same)
        };
        let gone: Vec<Folder> = self
            .folders
            .extract_if(.., |folder| !stays(folder))
            .collect();
        for folder in gone {
            self.let_go(&folder.watched);
            self.polled.remove(&folder.path);
            self.paces.remove(&folder.path);
        }
        for Shown { name, real, depth } in folders {
            if !self.folders.iter().any(|folder| folder.path == real) {
                self.folders.push(Folder {
                    shown: name,
                    path: real.clone(),
                    depth,
                    watched: Vec::new(),
                });
                self.watch_again(&real);
            }
        }
    }

    /// Watches a folder as it is now: it may have been made, removed or replaced since.
    fn watch_again(&mut self, path: &Path) {
        let Some(at) = self.folders.iter().position(|folder| folder.path == path) else {
            return;
        };
        if self.polled.contains_key(path) {
            return;
        }
        let old = std::mem::take(&mut self.folders[at].watched);
        self.let_go(&old);
        let depth = self.folders[at].depth;
        let above = path
            .ancestors()
            .skip(1)
            .find(|above| above.is_dir())
            .map(Path::to_path_buf);
        let mut wanted: Vec<(PathBuf, RecursiveMode)> = Vec::new();
        if path.is_dir() {
            let mode = match depth {
                Depth::All => RecursiveMode::Recursive,
                Depth::Rules | Depth::Names => RecursiveMode::NonRecursive,
            };
            wanted.push((path.to_path_buf(), mode));
        }
        // One that comes up is told by the folder above, which is watched for rules itself.
        let above = above.filter(|_| depth != Depth::Rules);
        wanted.extend(above.map(|above| (above, RecursiveMode::NonRecursive)));
        for (path, mode) in wanted {
            match self.watch(&path, mode) {
                Ok(()) => self.folders[at].watched.push(path),
                Err(error) => {
                    let folder = self.folders[at].path.clone();
                    let watched = std::mem::take(&mut self.folders[at].watched);
                    self.let_go(&watched);
                    self.poll_instead(folder, depth, &error);
                    return;
                }
            }
        }
    }

    fn watch(&mut self, path: &Path, mode: RecursiveMode) -> notify::Result<()> {
        if let Some(errno) = self.refused {
            return Err(notify::Error::io(std::io::Error::from_raw_os_error(errno)));
        }
        match &mut self.watcher {
            Some(watcher) => watcher.watch(path, mode),
            None => Err(notify::Error::generic("this system has no file watches")),
        }
    }

    /// Lets go of watches that no other folder needs.
    fn let_go(&mut self, paths: &[PathBuf]) {
        for path in paths {
            let needed = self
                .folders
                .iter()
                .any(|folder| folder.watched.contains(path));
            if let (false, Some(watcher)) = (needed, &mut self.watcher) {
                // A folder that is gone has lost its watch by itself.
                let _ = watcher.unwatch(path);
            }
        }
    }

    fn poll_instead(&mut self, folder: PathBuf, depth: Depth, error: &notify::Error) {
        let now = picture(&folder, depth);
        self.polled.insert(folder, (depth, now));
        if !std::mem::replace(&mut self.said, true) {
            let _ = self.out.send(Message::WatchLimited(format!(
                "{}: changes are looked for once a second instead",
                limit(error)
            )));
        }
    }

    fn look_at_polled(&mut self) {
        let mut changed = Vec::new();
        for (folder, (depth, last)) in &mut self.polled {
            let now = picture(folder, *depth);
            if now != *last {
                *last = now;
                changed.push(folder.clone());
            }
        }
        for folder in changed {
            self.tell(&folder);
        }
    }

    /// Notes the shown folders that an event concerns.
    fn gather(&self, event: notify::Result<Event>, bursts: &mut Vec<Burst>) {
        let concerned: Vec<&Folder> = match event {
            Ok(event) if !is_change(event.kind) => return,
            Ok(event) => {
                let concerns = |folder: &&Folder| {
                    let touches = |path: &PathBuf| match folder.depth {
                        Depth::All => {
                            path.starts_with(&folder.path) || folder.path.starts_with(path)
                        }
                        Depth::Names => {
                            folder.path.starts_with(path)
                                || path.parent() == Some(&*folder.path) && is_of_names(event.kind)
                        }
                        Depth::Rules => {
                            *path == folder.path
                                || path.parent() == Some(&*folder.path) && may_be_rules(path)
                        }
                    };
                    event.paths.iter().any(touches)
                };
                self.folders.iter().filter(concerns).collect()
            }
            // Something was missed: everything may have changed.
            Err(_) => self.folders.iter().collect(),
        };
        let now = Instant::now();
        for folder in concerned {
            match bursts.iter_mut().find(|burst| burst.folder == folder.path) {
                Some(burst) => burst.last = now,
                None => bursts.push(Burst {
                    folder: folder.path.clone(),
                    first: now,
                    last: now,
                }),
            }
        }
    }

    fn tell(&self, path: &Path) {
        if let Some(folder) = self.folders.iter().find(|folder| folder.path == path) {
            // Nobody listens any more only when the program ends.
            let _ = self.out.send(match folder.depth {
                Depth::All | Depth::Rules => Message::Changed {
                    folder: folder.shown.clone(),
                },
                Depth::Names => Message::Listed,
            });
        }
    }
}

/// Reading is no change; a file that was written is closed once more after its last change.
fn is_change(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(access) => access == AccessKind::Close(AccessMode::Write),
        EventKind::Any
        | EventKind::Create(_)
        | EventKind::Modify(_)
        | EventKind::Remove(_)
        | EventKind::Other => true,
    }
}

/// What has run out, in the words of the system's settings; never that a disk is full.
fn limit(error: &notify::Error) -> String {
    const NO_SPACE: i32 = 28;
    const FILES_OF_PROCESS: i32 = 24;
    const FILES_OF_SYSTEM: i32 = 23;
    let number = match &error.kind {
        notify::ErrorKind::MaxFilesWatch => Some(NO_SPACE),
        notify::ErrorKind::Io(error) => error.raw_os_error(),
        notify::ErrorKind::Generic(_)
        | notify::ErrorKind::PathNotFound
        | notify::ErrorKind::WatchNotFound
        | notify::ErrorKind::InvalidConfig(_) => None,
    };
    match number {
        Some(NO_SPACE) => {
            "the limit of file watches (fs.inotify.max_user_watches) is reached".to_string()
        }
        Some(FILES_OF_PROCESS) => {
            "the limit of open files or of watchers (fs.inotify.max_user_instances) is reached"
                .to_string()
        }
        Some(FILES_OF_SYSTEM) => "the system's limit of open files is reached".to_string(),
        Some(_) | None => "files can't be watched here".to_string(),
    }
}

/// Whether names come or go by it.
fn is_of_names(kind: EventKind) -> bool {
    match kind {
        EventKind::Any | EventKind::Create(_) | EventKind::Remove(_) | EventKind::Other => true,
        EventKind::Modify(what) => matches!(what, ModifyKind::Name(_) | ModifyKind::Any),
        EventKind::Access(_) => false,
    }
}

/// Whether a file may be one that rules are made of: the client's own logs and locks are none.
fn may_be_rules(path: &Path) -> bool {
    const NONE: [&str; 5] = ["jsonl", "lock", "log", "swp", "tmp"];
    let ending = path.extension().and_then(|ending| ending.to_str());
    !ending.is_some_and(|ending| NONE.contains(&ending))
}

fn picture(folder: &Path, depth: Depth) -> Picture {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if depth == Depth::Names {
                found.push((entry.file_name(), None, 0));
                continue;
            }
            let Ok(data) = entry.metadata() else { continue };
            if depth == Depth::Rules && !may_be_rules(&entry.path()) {
                continue;
            }
            if data.is_dir() && depth == Depth::All {
                folders.push(entry.path());
            }
            found.push((
                entry.path().into_os_string(),
                data.modified().ok(),
                data.len(),
            ));
        }
    }
    found.sort();
    found
}

#[cfg(test)]
#[path = "watch_tests.rs"]
mod tests;

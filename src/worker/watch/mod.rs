//! Watches the folders that are shown, so that what another program writes appears by itself. Events
//! are gathered in one thread that sleeps until there is one; where the system's watches have run
//! out, that thread looks at the folders once a second instead. Knows nothing of what the files say.
//!
//! A folder is watched, not its files: an editor saves by renaming another file over the old one.
//! The folder above is watched too, so that one that is removed and made again is not lost.

mod depth;
mod limit;
mod pace;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::sync::mpsc::UnboundedSender;

use crate::app::ledger_view::LedgerTold;
use crate::app::message::Message;
pub use depth::Depth;
use depth::{Picture, is_of_names};
use limit::limit;
use pace::{Burst, Pace};

/// How often folders are looked at that can't be watched.
const POLL: Duration = Duration::from_secs(1);

/// What the thread is told.
enum Told {
    /// These folders are shown now. The sender goes when they are watched.
    Folders(Vec<Shown>, mpsc::Sender<()>),
    Event(notify::Result<Event>),
}

/// A folder by the name that the screen knows it by, and its real place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub name: PathBuf,
    pub real: PathBuf,
    pub depth: Depth,
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

    /// Watches these folders and no others. What is given back ends when they are watched: who reads them
    /// after that misses nothing.
    pub fn folders(&self, folders: Vec<Shown>) -> mpsc::Receiver<()> {
        let (watched, standing) = mpsc::channel();
        let _ = self.tell.send(Told::Folders(folders, watched));
        standing
    }
}

/// A folder's real place, and how much of it is watched.
type Of = (PathBuf, Depth);

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
    polled: HashMap<Of, Picture>,
    /// When each folder was told of last.
    paces: HashMap<Of, Pace>,
    refused: Option<i32>,
    said: bool,
    out: UnboundedSender<Message>,
}

impl Desk {
    fn attend(&mut self, told: &mpsc::Receiver<Told>) {
        let mut bursts: Vec<Burst<Of>> = Vec::new();
        let mut looked = Instant::now();
        loop {
            let next = match self.wait(&bursts, looked) {
                Some(wait) => told.recv_timeout(wait),
                None => told.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(Told::Folders(folders, watched)) => {
                    self.turn_to(folders);
                    drop(watched);
                }
                Ok(Told::Event(event)) => self.gather(event, &mut bursts),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            let now = Instant::now();
            let ended: Vec<Burst<Of>> = bursts
                .extract_if(.., |burst| self.due(burst) <= now)
                .collect();
            for burst in ended {
                let of = burst.folder;
                // A transcript that grows needs no other watches, and there may be thousands.
                if burst.is_of_names || of.1 != Depth::Sessions {
                    self.watch_again(&of);
                }
                self.tell(&of);
                let pace = Pace::next(self.paces.get(&of).copied(), now);
                self.paces.insert(of, pace);
            }
            if looked.elapsed() >= POLL {
                looked = Instant::now();
                self.look_at_polled();
            }
        }
    }

    /// How long nothing is to be done unless something is told.
    fn wait(&self, bursts: &[Burst<Of>], looked: Instant) -> Option<Duration> {
        let due = bursts.iter().map(|burst| self.due(burst)).min();
        let quiet = due.map(|due| due.saturating_duration_since(Instant::now()));
        let poll = (!self.polled.is_empty()).then(|| POLL.saturating_sub(looked.elapsed()));
        quiet.into_iter().chain(poll).min()
    }

    /// When a folder is to be told of.
    fn due(&self, burst: &Burst<Of>) -> Instant {
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
            let of = folder.of();
            self.polled.remove(&of);
            self.paces.remove(&of);
        }
        for Shown { name, real, depth } in folders {
            let of = (real, depth);
            if !self.folders.iter().any(|folder| folder.is(&of)) {
                self.folders.push(Folder {
                    shown: name,
                    path: of.0.clone(),
                    depth,
                    watched: Vec::new(),
                });
                self.watch_again(&of);
            }
        }
    }

    /// Watches a folder as it is now: it may have been made, removed or replaced since.
    fn watch_again(&mut self, of: &Of) {
        let Some(at) = self.folders.iter().position(|folder| folder.is(of)) else {
            return;
        };
        if self.polled.contains_key(of) {
            return;
        }
        let old = std::mem::take(&mut self.folders[at].watched);
        self.let_go(&old);
        let wanted = of.1.paths(&of.0);
        for (path, mode) in wanted {
            match self.watch(&path, mode) {
                Ok(()) => self.folders[at].watched.push(path),
                Err(error) => {
                    // What is gone meanwhile is told of by the folder above it.
                    if of.1 == Depth::Sessions && !path.exists() {
                        continue;
                    }
                    let watched = std::mem::take(&mut self.folders[at].watched);
                    self.let_go(&watched);
                    self.poll_instead(of.clone(), &error);
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
        let needed = self.folders.iter().flat_map(|folder| &folder.watched);
        let needed: HashSet<&PathBuf> = needed.collect();
        for path in paths {
            if let (false, Some(watcher)) = (needed.contains(path), &mut self.watcher) {
                // A folder that is gone has lost its watch by itself.
                let _ = watcher.unwatch(path);
            }
        }
    }

    fn poll_instead(&mut self, of: Of, error: &notify::Error) {
        let now = of.1.picture(&of.0);
        self.polled.insert(of, now);
        if !std::mem::replace(&mut self.said, true) {
            let _ = self.out.send(Message::WatchLimited(format!(
                "{}: changes are looked for once a second instead",
                limit(error)
            )));
        }
    }

    fn look_at_polled(&mut self) {
        let mut changed = Vec::new();
        for (of, last) in &mut self.polled {
            let now = of.1.picture(&of.0);
            if now != *last {
                *last = now;
                changed.push(of.clone());
            }
        }
        for of in changed {
            self.tell(&of);
        }
    }

    /// Notes the shown folders that an event concerns.
    fn gather(&self, event: notify::Result<Event>, bursts: &mut Vec<Burst<Of>>) {
        let (concerned, of_names): (Vec<&Folder>, bool) = match event {
            Ok(event) if !is_change(event.kind) => return,
            Ok(event) => {
                let concerns = |folder: &&Folder| folder.depth.concerns(&folder.path, &event);
                let concerned = self.folders.iter().filter(concerns);
                (concerned.collect(), is_of_names(event.kind))
            }
            // Something was missed: everything may have changed.
            Err(_) => (self.folders.iter().collect(), true),
        };
        let now = Instant::now();
        for folder in concerned {
            match bursts.iter_mut().find(|burst| folder.is(&burst.folder)) {
                Some(burst) => burst.add(now, of_names),
                None => bursts.push(Burst::new(folder.of(), now, of_names)),
            }
        }
    }

    fn tell(&self, of: &Of) {
        if let Some(folder) = self.folders.iter().find(|folder| folder.is(of)) {
            // Nobody listens any more only when the program ends.
            let _ = self.out.send(match folder.depth {
                Depth::All | Depth::Rules => Message::Changed {
                    folder: folder.shown.clone(),
                },
                Depth::Names => Message::Listed,
                Depth::Sessions => Message::SessionsChanged,
                Depth::Ledger => Message::Ledger(Box::new(LedgerTold::Changed)),
            });
        }
    }
}

impl Folder {
    fn of(&self) -> Of {
        (self.path.clone(), self.depth)
    }

    fn is(&self, of: &Of) -> bool {
        self.path == of.0 && self.depth == of.1
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

#[cfg(test)]
mod tests;

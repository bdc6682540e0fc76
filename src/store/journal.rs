//! Intents: what a change set is about to do, on disk before its first step and gone after its last.
//! An intent is locked by its writer for its life, so that no other process takes unfinished work
//! for abandoned. Whether its work is being taken back is told by its name: a name is changed even
//! where a full disk has no room for another byte.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::base::disk::Disk;
use crate::base::fault::Point;
use crate::base::swap;
use crate::base::time::Moment;
use crate::store::change::Author;
use crate::store::{Result, Store, disk, path_text};

/// The one shape of an intent that there is so far.
const SHAPE: u8 = 1;

/// How long an intent is waited for by whoever holds the lock of the store: nobody works at it then,
/// but a command that only reads may just be asking whether somebody does.
const PROBE: Duration = Duration::from_millis(200);
const PAUSE: Duration = Duration::from_millis(1);

/// A change set as the journal and the history keep it (spec 11.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub v: u8,
    pub key: String,
    /// RFC 3339.
    pub time: String,
    pub author: Author,
    pub title: String,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session: Option<String>,
    pub steps: Vec<Step>,
    /// The key of the change that this one undoes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub undoes: Option<String>,
    /// Folders that its steps make, each after the one that it lies in.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        default,
        with = "path_text::many"
    )]
    pub makes: Vec<PathBuf>,
    /// Folders that it takes away where they are empty then: what it undoes had made them.
    #[serde(
        skip_serializing_if = "Vec::is_empty",
        default,
        with = "path_text::many"
    )]
    pub unmakes: Vec<PathBuf>,
}

/// One step of a change set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    pub op: StepOp,
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// Where a move or the trash takes it.
    #[serde(
        skip_serializing_if = "Option::is_none",
        default,
        with = "path_text::optional"
    )]
    pub to: Option<PathBuf>,
    /// SHA-256 of the file before and after; none where there is no file, or for a folder or link.
    pub before: Option<String>,
    pub after: Option<String>,
    /// Permission bits that the file has after the step.
    pub mode: u32,
    /// Modification before the step, RFC 3339; none for a file that was not there.
    pub mtime: Option<String>,
    /// Modification after a write, RFC 3339; none: the moment of the write.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mtime_after: Option<String>,
    /// Permission bits before the step, where a write changes them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub mode_before: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StepOp {
    Write,
    Move,
    Trash,
}

impl Entry {
    /// Whether it has the shape that is known here, and says where its files are.
    pub(super) fn is_sound(&self) -> bool {
        let placed = |step: &Step| step.path.is_absolute() && step.destination().is_absolute();
        let mut folders = self.makes.iter().chain(&self.unmakes);
        self.v == SHAPE
            && self.steps.iter().all(placed)
            && folders.all(|folder| folder.is_absolute())
    }
}

impl Step {
    /// Where a move or the trash takes the path.
    pub(super) fn destination(&self) -> &Path {
        self.to.as_deref().unwrap_or(&self.path)
    }

    /// Its path, and where a move or the trash takes that.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Path> {
        [Some(&*self.path), self.to.as_deref()]
            .into_iter()
            .flatten()
    }

    pub(super) fn time_after(&self) -> Option<swap::Stamp> {
        let moment = Moment::parse(self.mtime_after.as_deref()?)?;
        Some(swap::Stamp {
            mode: self.mode,
            seconds: moment.seconds,
            nanos: moment.nanos,
        })
    }

    pub(super) fn stamp_before(&self) -> Option<swap::Stamp> {
        let moment = Moment::parse(self.mtime.as_deref()?)?;
        let mode = self.mode_before.unwrap_or(self.mode);
        Some(swap::Stamp {
            mode,
            seconds: moment.seconds,
            nanos: moment.nanos,
        })
    }
}

/// An intent on disk, locked.
pub(super) struct Intent {
    path: PathBuf,
    course: Course,
    _file: File,
}

/// Which way the work of an intent goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    Forwards,
    /// A step could not be done: of the first `begun` steps, the last of which failed, nothing shall stay.
    Back {
        begun: usize,
    },
}

impl Course {
    fn file_name(self, key: &str) -> String {
        match self {
            Self::Forwards => format!("{key}.json"),
            Self::Back { begun } => format!("{key}.back-{begun}.json"),
        }
    }

    /// The key and the course that a file's name tells.
    fn of(name: &str) -> Option<(&str, Self)> {
        let stem = name.strip_suffix(".json")?;
        match stem.rsplit_once(".back-") {
            None => Some((stem, Self::Forwards)),
            Some((key, begun)) => Some((
                key,
                Self::Back {
                    begun: begun.parse().ok()?,
                },
            )),
        }
    }
}

/// Where a key stands among others: those of one second differ in their last number.
pub(super) fn order(key: &str) -> (&str, u64) {
    let apart = key.rsplit_once('-');
    apart
        .and_then(|(second, number)| Some((second, number.parse().ok()?)))
        .unwrap_or((key, 0))
}

/// What lies in the journal though nobody works at it.
pub(super) enum Left {
    Work(Intent, Box<Entry>),
    /// No intent of a shape that is known here.
    Unreadable(PathBuf),
}

impl Store {
    /// Writes an intent, flushed and locked.
    pub(super) fn declare(&self, entry: &Entry) -> Result<Intent> {
        let folder = self.folder(Some("journal"))?;
        let course = Course::Forwards;
        let path = folder.join(course.file_name(&entry.key));
        let temporary = folder.join(format!("{}{}.tmp", swap::TEMPORARY, entry.key));
        let text = serde_json::to_vec(entry).expect("an entry holds nothing that JSON can't");
        let written = (|| {
            self.faults.pass(Point::Create)?;
            let mut file = OpenOptions::new()
                .write(true)
                .create(true)
                .truncate(true)
                .mode(0o600)
                .open(&temporary)?;
            file.lock()?;
            file.write_all(&text)?;
            self.faults.pass(Point::Flush)?;
            file.sync_all()?;
            swap::rename_over(&self.faults, &temporary, &path)?;
            swap::flush_folder(&self.faults, &folder)?;
            Ok(file)
        })();
        match written {
            Ok(file) => Ok(Intent {
                path,
                course,
                _file: file,
            }),
            Err(error) => {
                // Nothing was begun, and what was said to have failed is not done later.
                for left in [&temporary, &path] {
                    let _ = fs::remove_file(left);
                }
                Err(disk(&path, error))
            }
        }
    }

    /// Says that the work of an intent is taken back from here on. Where the system refuses even
    /// that, it stays as it was.
    pub(super) fn turn_back(&self, intent: &mut Intent, key: &str, begun: usize) {
        let course = Course::Back { begun };
        let path = intent.path.with_file_name(course.file_name(key));
        if swap::rename_over(&self.faults, &intent.path, &path).is_ok() {
            intent.path = path;
            intent.course = course;
            if let Some(folder) = intent.path.parent() {
                // Only a power cut within the next moments would still find the old name.
                let _ = swap::flush_folder(&self.faults, folder);
            }
        }
    }

    /// Puts a file of the journal aside, where nobody takes it for unfinished work any more.
    pub(super) fn put_aside(&self, path: &Path) -> Result<PathBuf> {
        let folder = self.folder(Some("journal/conflicts"))?;
        let kept = folder.join(path.file_name().unwrap_or_default());
        swap::rename_over(&self.faults, path, &kept).map_err(|error| disk(&kept, error))?;
        Ok(kept)
    }

    /// Takes an intent away: its work is done or taken back.
    pub(super) fn clear(&self, intent: &Intent) -> Result<()> {
        let removed = self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&intent.path));
        removed.map_err(|error| disk(&intent.path, error))
    }

    /// The change sets that were put aside unfinished.
    pub(super) fn put_aside_entries(&self) -> Vec<Entry> {
        let listing = fs::read_dir(self.home.join("journal/conflicts"));
        let paths = listing
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        paths
            .filter_map(|path| Disk::system().read(&path).ok())
            .filter_map(|text| serde_json::from_slice(&text).ok())
            .collect()
    }

    /// Intents that nobody holds any more, oldest first, locked for us.
    pub(super) fn abandoned(&self) -> Vec<(Intent, Entry)> {
        let work = |left| match left {
            Left::Work(intent, entry) => Some((intent, *entry)),
            Left::Unreadable(_) => None,
        };
        self.left_free().into_iter().filter_map(work).collect()
    }

    /// All that nobody works at, as far as it can be seen at once.
    pub(super) fn left_free(&self) -> Vec<Left> {
        self.left(Duration::ZERO)
    }

    /// All that nobody works at, for whoever holds the lock of the store; oldest first.
    pub(super) fn left_behind(&self) -> Vec<Left> {
        self.left(PROBE)
    }

    fn left(&self, patience: Duration) -> Vec<Left> {
        let mut names = self.intent_names();
        let place = |name: &str| {
            let key = Course::of(name).map_or(name, |(key, _)| key);
            let (second, number) = order(key);
            (second.to_string(), number)
        };
        names.sort_by_cached_key(|name| place(name));
        let folder = self.home.join("journal");
        names
            .into_iter()
            .filter_map(|name| open_free(folder.join(&name), &name, patience))
            .collect()
    }

    /// Whether a key is that of an intent in the journal.
    pub(super) fn is_intended(&self, key: &str) -> bool {
        self.intent_names()
            .iter()
            .any(|name| Course::of(name).is_some_and(|(of, _)| of == key))
    }

    fn intent_names(&self) -> Vec<String> {
        let listing = fs::read_dir(self.home.join("journal"));
        let entries = listing.into_iter().flatten().flatten();
        entries
            // What is no file was not put there by us; a pipe would be waited for.
            .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| {
                Path::new(name)
                    .extension()
                    .is_some_and(|extension| extension == "json")
            })
            .collect()
    }
}

fn open_free(path: PathBuf, name: &str, patience: Duration) -> Option<Left> {
    let file = File::open(&path).ok()?;
    let mut waited = Duration::ZERO;
    while file.try_lock().is_err() {
        if waited >= patience {
            return None;
        }
        thread::sleep(PAUSE);
        waited += PAUSE;
    }
    // Whoever held it may have finished between the look and the lock.
    let text = fs::read(&path).ok()?;
    let entry = serde_json::from_slice(&text).ok();
    let known = entry.filter(Entry::is_sound);
    Some(match (known, Course::of(name)) {
        (Some(entry), Some((key, course))) if entry.key == key => Left::Work(
            Intent {
                path,
                course,
                _file: file,
            },
            Box::new(entry),
        ),
        _ => Left::Unreadable(path),
    })
}

impl Intent {
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn course(&self) -> Course {
        self.course
    }
}

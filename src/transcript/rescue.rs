//! Sessions out of reach of the client's sweep: a copy of the transcript, with those of its sub-agents, in
//! our own state; and back. The original is not touched.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::entry::Entry;
use super::lines::Lines;
use super::source::Source;
use crate::base::disk::{Disk, Kind};
use crate::base::swap::Stamp;
use crate::base::text;
use crate::base::time::Moment;
use crate::config::limits::{FOLDER_DEPTH, READ_BYTES, SESSION_SECONDS};
use crate::store::change::{Author, ChangeSet, Op};
use crate::store::rescued::Original;
use crate::store::{Store, StoreError};

/// Characters of a title that the history shows.
const TITLE_CHARS: usize = 60;

/// Where sessions lie.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    pub store: &'a Store,
    /// The disk of the client's own.
    pub disk: &'a Disk,
    /// The client's folder of projects.
    pub projects: &'a Path,
}

/// A session as it is rescued or brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The key of its project.
    pub key: String,
    pub id: String,
    /// Its transcript.
    pub path: PathBuf,
    /// What a person calls it.
    pub title: String,
    /// Whether it is the copy that was rescued.
    is_copy: bool,
}

/// What a rescue does.
#[derive(Debug)]
pub struct Rescue {
    pub set: ChangeSet,
    /// Whether a copy that is there goes to the trash.
    pub replaces: bool,
    /// What is not copied: links, pipes, and what lies too deep.
    pub left_out: Vec<PathBuf>,
}

impl Rescue {
    /// What a person has to know of it, each a sentence.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let older = "the older copy lies in the trash";
        let out = self.left_out.iter().map(|path| {
            let path = path.display();
            format!("{path} is left out: it is a link, no plain file, or lies too deep")
        });
        let older = self.replaces.then(|| older.to_string());
        older.into_iter().chain(out).collect()
    }
}

/// Why nothing is copied: a sentence.
#[derive(Debug, thiserror::Error)]
pub enum RescueError {
    #[error("{path} is the transcript of a sub-agent: it is rescued with its session", path = path.display())]
    Agent { path: PathBuf },
    #[error("{path} is no session: those lie as PROJECT/ID.jsonl in {projects}", path = path.display(), projects = projects.display())]
    Elsewhere { path: PathBuf, projects: PathBuf },
    #[error("{path} is no transcript: no line of it is one of a session", path = path.display())]
    NoTranscript { path: PathBuf },
    #[error("{id} is rescued already, as it is now: {place}", place = place.display())]
    Already { id: String, place: PathBuf },
    #[error("{copy} was rescued and holds what {original} does not: `loci sessions rescue --yes {id}` puts it in the trash and what is there now in its place", copy = copy.display(), original = original.display())]
    HoldsMore {
        id: String,
        copy: PathBuf,
        original: PathBuf,
    },
    #[error("{path} is a copy that was rescued: there is nothing to rescue it from", path = path.display())]
    Rescued { path: PathBuf },
    #[error("{path} is there still: nothing is to be brought back", path = path.display())]
    There { path: PathBuf },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Session {
    /// The session of a transcript, by where it lies: directly in the folder of a project, the client's or
    /// that of what was rescued.
    ///
    /// # Errors
    /// The transcript of a sub-agent; what lies elsewhere.
    pub fn of(around: &Around<'_>, path: &Path, title: &str) -> Result<Self, RescueError> {
        let name = |path: Option<&Path>| {
            let name = path.and_then(Path::file_name).unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        if name(path.parent()) == "subagents" {
            return Err(RescueError::Agent {
                path: path.to_path_buf(),
            });
        }
        let kept = around.store.rescued_folder();
        let own = Disk::system();
        // A link is no transcript of the client's, as lists see it.
        let lies_in = |disk: &Disk, projects: &Path| {
            let folder = disk.resolve(path.parent()?).ok()?;
            let is_one = path.extension().is_some_and(|end| end == "jsonl")
                && disk.is_file(path)
                && disk.link(path).is_err()
                && folder.parent() == Some(&*disk.resolve(projects).ok()?);
            is_one.then(|| name(Some(&folder)))
        };
        let key = lies_in(around.disk, around.projects);
        let (key, is_copy) = match key {
            Some(key) => (key, false),
            None => match lies_in(&own, &kept) {
                Some(key) => (key, true),
                None => {
                    return Err(RescueError::Elsewhere {
                        path: path.to_path_buf(),
                        projects: around.projects.to_path_buf(),
                    });
                }
            },
        };
        let id = path.file_stem().unwrap_or_default();
        Ok(Self {
            key,
            id: id.to_string_lossy().into_owned(),
            path: path.to_path_buf(),
            title: text::cut_chars(title, TITLE_CHARS),
            is_copy,
        })
    }

    /// The folder of what belongs to it besides.
    fn folder(&self) -> PathBuf {
        self.path.with_extension("")
    }

    /// What a change of it is called.
    fn called(&self, verb: &str) -> String {
        match self.title.is_empty() {
            true => format!("{verb} session {}", self.id),
            false => format!("{verb} session \"{}\"", self.title),
        }
    }
}

/// Copies a session and gives the change set that puts the copy into its place. A copy that is there and
/// is not the same goes to the trash; one that holds what the original does not, only where `over` says so.
///
/// # Errors
/// Where there is nothing to do, or the system refuses.
pub fn rescue(
    around: &Around<'_>,
    session: &Session,
    over: bool,
    now: Moment,
) -> Result<Rescue, RescueError> {
    let (mut rescue, originals) = look(around, session, over)?;
    let store = around.store;
    let staged = store.stage(around.disk, &session.id, &originals, now)?;
    let place = store.rescued_folder().join(&session.key);
    let reason = "out of reach of the sweep";
    rescue.set = moved(rescue.set, session, &staged, &place, &originals, reason);
    Ok(rescue)
}

/// What a rescue would do, and nothing is copied for it; and the files that it would copy.
///
/// # Errors
/// As [`rescue`].
pub fn look(
    around: &Around<'_>,
    session: &Session,
    over: bool,
) -> Result<(Rescue, Vec<Original>), RescueError> {
    let (store, disk) = (around.store, around.disk);
    if session.is_copy {
        return Err(RescueError::Rescued {
            path: session.path.clone(),
        });
    }
    if !is_transcript(disk, &session.path)? {
        return Err(RescueError::NoTranscript {
            path: session.path.clone(),
        });
    }
    let (originals, left_out) = originals(disk, session, None)?;
    let place = store.rescued_folder().join(&session.key);
    let copy = Session {
        path: place.join(file_name(session)),
        is_copy: true,
        ..session.clone()
    };
    let mut set = ChangeSet::new(session.called("rescue"), Author::You);
    set.session = Some(session.id.clone());
    let own = Disk::system();
    let replaces = own.is_file(&copy.path);
    if replaces {
        match against(disk, &originals, &copy)? {
            Against::Same => {
                return Err(RescueError::Already {
                    id: session.id.clone(),
                    place: copy.path,
                });
            }
            Against::More { copy, original } if !over => {
                return Err(RescueError::HoldsMore {
                    id: session.id.clone(),
                    copy,
                    original,
                });
            }
            Against::Grown | Against::More { .. } => {}
        }
        for path in [&copy.path, &copy.folder()] {
            if own.metadata(path).is_ok() {
                set = set.with(
                    Op::Trash { path: path.clone() },
                    "a newer copy takes its place",
                );
            }
        }
    }
    let rescue = Rescue {
        set,
        replaces,
        left_out,
    };
    Ok((rescue, originals))
}

/// What a session is against the copy of it.
enum Against {
    Same,
    /// It begins as the copy, and holds more.
    Grown,
    /// A file of the copy holds what that of the session does not.
    More {
        copy: PathBuf,
        original: PathBuf,
    },
}

fn against(disk: &Disk, originals: &[Original], copy: &Session) -> Result<Against, RescueError> {
    let own = Disk::system();
    let by_place: HashMap<&Path, &Path> =
        originals.iter().map(|one| (&*one.to, &*one.path)).collect();
    let (copies, _) = self::originals(&own, copy, None)?;
    let mut is_grown = copies.len() < originals.len();
    let missing = &originals[0].path;
    for one in &copies {
        let Some(original) = by_place.get(&*one.to) else {
            return Ok(Against::More {
                copy: one.path.clone(),
                original: missing.with_extension(""),
            });
        };
        match begins_as(disk, original, &own, &one.path)? {
            None => {
                return Ok(Against::More {
                    copy: one.path.clone(),
                    original: original.to_path_buf(),
                });
            }
            Some(more) => is_grown |= more > 0,
        }
    }
    Ok(match is_grown {
        true => Against::Grown,
        false => Against::Same,
    })
}

/// Whether a file has any line of a session.
fn is_transcript(disk: &Disk, path: &Path) -> Result<bool, RescueError> {
    let look = || {
        let file = disk.open(path)?;
        let end = file.metadata()?.len();
        let mut lines = Lines::new(&file, 0..end);
        while let Some(line) = lines.next_line()? {
            let entries = Entry::all_of_line(line.bytes).unwrap_or_default();
            if entries.iter().any(|entry| entry.name.is_some()) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    look().map_err(unreadable(path))
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> RescueError {
    let path = path.to_path_buf();
    move |error| RescueError::Unreadable {
        path: path.clone(),
        error,
    }
}

/// Copies a rescued session and gives the change set that puts it back where the client finds it, below
/// its folder of projects: young, or it would be swept at once. What was rescued stays.
///
/// # Errors
/// Where it is there still, or the system refuses.
pub fn bring_back(
    around: &Around<'_>,
    session: &Session,
    now: Moment,
) -> Result<ChangeSet, RescueError> {
    let store = around.store;
    let disk = Disk::system();
    let place = around.projects.join(&session.key);
    let file = place.join(file_name(session));
    if disk.metadata(&file).is_ok() {
        return Err(RescueError::There { path: file });
    }
    let stamp = Stamp {
        mode: 0o600,
        // No session is at work in it.
        seconds: now.seconds - 2 * SESSION_SECONDS,
        nanos: 0,
    };
    let mut set = ChangeSet::new(session.called("bring back"), Author::You);
    set.session = Some(session.id.clone());
    let (mut originals, _) = originals(&disk, session, Some(stamp))?;
    // What the client has of it still stays as it is.
    originals.retain(|one| disk.metadata(&place.join(&one.to)).is_err());
    let staged = store.stage(&disk, &session.id, &originals, now)?;
    let folder = place.join(&session.id);
    if disk.metadata(&folder).is_err() {
        return Ok(moved(set, session, &staged, &place, &originals, "rescued"));
    }
    for one in &originals {
        let op = Op::Move {
            from: staged.join(&one.to),
            to: place.join(&one.to),
        };
        set = set.with(op, "rescued");
    }
    Ok(set)
}

fn file_name(session: &Session) -> String {
    format!("{}.jsonl", session.id)
}

/// The transcript, and the files of its folder; and what of that folder is not copied.
fn originals(
    disk: &Disk,
    session: &Session,
    time: Option<Stamp>,
) -> Result<(Vec<Original>, Vec<PathBuf>), RescueError> {
    let mut found = vec![Original {
        path: session.path.clone(),
        to: file_name(session).into(),
        time,
    }];
    let mut left_out = Vec::new();
    let mut folders = vec![(session.folder(), PathBuf::from(&session.id), 0)];
    if disk.link(&session.folder()).is_ok() {
        left_out.extend(folders.pop().map(|(folder, _, _)| folder));
    }
    while let Some((folder, to, depth)) = folders.pop() {
        let mut items = match disk.list(&folder) {
            Ok(items) => items,
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory if depth == 0 => continue,
                _ => return Err(unreadable(&folder)(error)),
            },
        };
        items.sort_by(|a, b| a.name.cmp(&b.name));
        for item in items {
            let (path, to) = (folder.join(&item.name), to.join(&item.name));
            match item.kind {
                Kind::File => found.push(Original { path, to, time }),
                Kind::Folder if depth < FOLDER_DEPTH => folders.push((path, to, depth + 1)),
                Kind::Folder | Kind::Link | Kind::Other => left_out.push(path),
            }
        }
    }
    Ok((found, left_out))
}

fn moved(
    mut set: ChangeSet,
    session: &Session,
    staged: &Path,
    place: &Path,
    originals: &[Original],
    reason: &str,
) -> ChangeSet {
    let has_more = originals.iter().any(|one| one.to.starts_with(&session.id));
    let names = [file_name(session), session.id.clone()];
    for name in names.into_iter().take(1 + usize::from(has_more)) {
        let op = Op::Move {
            from: staged.join(&name),
            to: place.join(&name),
        };
        set = set.with(op, reason);
    }
    set
}

/// How many bytes a file holds beyond those of another, if it begins as that one does.
fn begins_as(
    one: &Disk,
    path: &Path,
    other: &Disk,
    copy: &Path,
) -> Result<Option<u64>, RescueError> {
    let a = one.open(path).map_err(unreadable(path))?;
    let b = other.open(copy).map_err(unreadable(copy))?;
    let length = |file: &std::fs::File| file.metadata().map(|data| data.len());
    let all = length(&a).map_err(unreadable(path))?;
    let begin = length(&b).map_err(unreadable(copy))?;
    let (mut left, mut right) = (vec![0; READ_BYTES], vec![0; READ_BYTES]);
    let mut at = 0;
    while at < begin {
        let read = b.fill_at(&mut right, at).map_err(unreadable(copy))?;
        let same = a.fill_at(&mut left[..read], at).map_err(unreadable(path))?;
        if read == 0 || same != read || left[..read] != right[..read] {
            return Ok(None);
        }
        at += read as u64;
    }
    Ok(all.checked_sub(begin))
}

#[cfg(test)]
#[path = "rescue_tests.rs"]
mod tests;

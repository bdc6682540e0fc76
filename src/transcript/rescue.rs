//! Sessions out of reach of the client's sweep: a copy of the transcript, with those of its sub-agents, in
//! our own state; and back. The original is not touched.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::base::disk::{Disk, Kind};
use crate::base::swap::Stamp;
use crate::base::time::Moment;
use crate::config::limits::{FOLDER_DEPTH, READ_BYTES, SESSION_SECONDS};
use crate::store::change::{Author, ChangeSet, Op};
use crate::store::rescued::Original;
use crate::store::{Store, StoreError};

/// Characters of a title that the history shows.
const TITLE_CHARS: usize = 60;

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
}

/// Why nothing is copied: a sentence.
#[derive(Debug, thiserror::Error)]
pub enum RescueError {
    #[error("{path} is the transcript of a sub-agent: it is rescued with its session", path = path.display())]
    Agent { path: PathBuf },
    #[error("{id} is rescued already, as it is now: {place}", place = place.display())]
    Already { id: String, place: PathBuf },
    #[error("{path} is a copy that was rescued: there is nothing to rescue it from", path = path.display())]
    Rescued { path: PathBuf },
    #[error("{path} is there still: nothing is to be brought back", path = path.display())]
    There { path: PathBuf },
    #[error("{path} can't be read: {error}", path = path.display())]
    Unreadable {
        path: PathBuf,
        error: std::io::Error,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Session {
    /// The session of a transcript, by where it lies.
    ///
    /// # Errors
    /// The transcript of a sub-agent.
    pub fn of(path: &Path, title: &str) -> Result<Self, RescueError> {
        let name = |path: Option<&Path>| {
            let name = path.and_then(Path::file_name).unwrap_or_default();
            name.to_string_lossy().into_owned()
        };
        if name(path.parent()) == "subagents" {
            return Err(RescueError::Agent {
                path: path.to_path_buf(),
            });
        }
        let id = path.file_stem().unwrap_or_default();
        Ok(Self {
            key: name(path.parent()),
            id: id.to_string_lossy().into_owned(),
            path: path.to_path_buf(),
            title: title.chars().take(TITLE_CHARS).collect(),
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
/// is not the same, goes to the trash.
///
/// # Errors
/// Where there is nothing to do, or the system refuses.
pub fn rescue(
    store: &Store,
    disk: &Disk,
    session: &Session,
    now: Moment,
) -> Result<ChangeSet, RescueError> {
    let kept = store.rescued_folder();
    if session.path.starts_with(&kept) {
        return Err(RescueError::Rescued {
            path: session.path.clone(),
        });
    }
    let place = kept.join(&session.key);
    let (file, folder) = (place.join(file_name(session)), place.join(&session.id));
    let mut set = ChangeSet::new(session.called("rescue"), Author::You);
    set.session = Some(session.id.clone());
    let own = Disk::system();
    if own.is_file(&file) {
        if is_same(disk, &session.path, &own, &file)? {
            return Err(RescueError::Already {
                id: session.id.clone(),
                place: file,
            });
        }
        for path in [&file, &folder] {
            if own.metadata(path).is_ok() {
                set = set.with(
                    Op::Trash { path: path.clone() },
                    "a newer copy takes its place",
                );
            }
        }
    }
    let originals = originals(disk, session, None);
    let staged = store.stage(disk, &session.id, &originals, now)?;
    Ok(moved(
        set,
        session,
        &staged,
        &place,
        &originals,
        "out of reach of the sweep",
    ))
}

/// Copies a rescued session and gives the change set that puts it back where the client finds it, below
/// its folder of projects: young, or it would be swept at once. What was rescued stays.
///
/// # Errors
/// Where it is there still, or the system refuses.
pub fn bring_back(
    store: &Store,
    session: &Session,
    projects: &Path,
    now: Moment,
) -> Result<ChangeSet, RescueError> {
    let disk = Disk::system();
    let place = projects.join(&session.key);
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
    let mut originals = originals(&disk, session, Some(stamp));
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

/// The transcript, and the files of its folder.
fn originals(disk: &Disk, session: &Session, time: Option<Stamp>) -> Vec<Original> {
    let mut found = vec![Original {
        path: session.path.clone(),
        to: file_name(session).into(),
        time,
    }];
    let mut folders = vec![(session.folder(), PathBuf::from(&session.id), 0)];
    while let Some((folder, to, depth)) = folders.pop() {
        let mut items = disk.list(&folder).unwrap_or_default();
        items.sort_by(|a, b| a.name.cmp(&b.name));
        for item in items {
            let (path, to) = (folder.join(&item.name), to.join(&item.name));
            match item.kind {
                Kind::File => found.push(Original { path, to, time }),
                Kind::Folder if depth < FOLDER_DEPTH => folders.push((path, to, depth + 1)),
                Kind::Folder | Kind::Link | Kind::Other => {}
            }
        }
    }
    found
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

/// Whether two files hold the same bytes.
fn is_same(one: &Disk, path: &Path, other: &Disk, copy: &Path) -> Result<bool, RescueError> {
    let unread = |path: &Path| {
        let path = path.to_path_buf();
        move |error| RescueError::Unreadable { path, error }
    };
    let mut a = one.open(path).map_err(unread(path))?;
    let mut b = other.open(copy).map_err(unread(copy))?;
    let length = |file: &std::fs::File| file.metadata().map(|data| data.len());
    if length(&a).map_err(unread(path))? != length(&b).map_err(unread(copy))? {
        return Ok(false);
    }
    let (mut left, mut right) = (vec![0; READ_BYTES], vec![0; READ_BYTES]);
    loop {
        let read = a.read(&mut left).map_err(unread(path))?;
        if read == 0 {
            return Ok(true);
        }
        if b.read_exact(&mut right[..read]).is_err() || left[..read] != right[..read] {
            return Ok(false);
        }
    }
}

#[cfg(test)]
#[path = "rescue_tests.rs"]
mod tests;

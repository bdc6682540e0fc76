//! The check before a change set is applied: what each operation finds now, what it will make of it,
//! and whether somebody else has been there. Reads only.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::base::swap::Stamp;
use crate::base::time::Moment;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::journal::{Step, StepOp};
use crate::store::merge::{self, ThreeWay};
use crate::store::perform::sha256_of;
use crate::store::{Result, StoreError, disk, sha256};

/// The mode of a file that we create, as the reference client creates memory files.
const NEW_MODE: u32 = 0o644;

/// A checked change set: the steps, the bytes they need, and what a person is told.
#[derive(Debug)]
pub struct Plan {
    pub steps: Vec<Step>,
    /// Bytes before and after, to be kept as blobs.
    pub blobs: Vec<Vec<u8>>,
    /// Each write: the path, its bytes now, its bytes then. For a diff.
    pub writes: Vec<(PathBuf, Option<Vec<u8>>, Vec<u8>)>,
    pub notices: Vec<String>,
}

/// What stands at a path.
enum Found {
    Nothing,
    File {
        bytes: Vec<u8>,
        stamp: Stamp,
        /// How many hard links lead to it; none where it is one that an operation of the set makes.
        names: u64,
    },
    /// A folder, a link, a pipe: moved and trashed as a whole, never opened.
    Whole {
        stamp: Stamp,
    },
    /// A file that goes as a whole: however large it is, it is not taken into memory.
    Sealed {
        sha: String,
        stamp: Stamp,
    },
}

/// What earlier operations of a set will have made of paths.
#[derive(Default)]
struct Virtually {
    made: HashMap<PathBuf, Found>,
    /// What got another path: from where to where, in order. What lies below goes along.
    gone: Vec<(PathBuf, PathBuf)>,
}

impl Virtually {
    /// A file or folder gets another path, with all below it.
    fn relocate(&mut self, from: &Path, to: &Path) {
        let below: Vec<PathBuf> = self
            .made
            .keys()
            .filter(|path| path.starts_with(from))
            .cloned()
            .collect();
        for path in below {
            if let (Some(found), Ok(rest)) = (self.made.remove(&path), path.strip_prefix(from)) {
                self.made.insert(to.join(rest), found);
            }
        }
        self.gone.push((from.to_path_buf(), to.to_path_buf()));
    }

    /// Where on the disk lies now what will be at a path; nowhere, if it will have gone with a folder.
    fn place(&self, path: &Path) -> Option<PathBuf> {
        let mut path = path.to_path_buf();
        for (from, to) in self.gone.iter().rev() {
            if let Ok(rest) = path.strip_prefix(to) {
                path = match rest.as_os_str().is_empty() {
                    true => from.clone(),
                    false => from.join(rest),
                };
            } else if path.starts_with(from) {
                return None;
            }
        }
        Some(path)
    }
}

/// Checks a change set against the disk. `trash` gives the place in the trash of the n-th step.
///
/// # Errors
/// A conflict, or what the system refuses.
pub fn check(set: &ChangeSet, trash: impl Fn(usize) -> PathBuf) -> Result<Plan> {
    let mut plan = Plan {
        steps: Vec::new(),
        blobs: Vec::new(),
        writes: Vec::new(),
        notices: Vec::new(),
    };
    let mut virtually = Virtually::default();
    for (number, change) in set.changes.iter().enumerate() {
        match &change.op {
            Op::Write {
                path,
                before,
                after,
                age,
            } => {
                let path = match set.settled.contains(path) {
                    true => settled(path)?,
                    false => real_target(path)?,
                };
                let found = look(&mut virtually, &path)?;
                let written = write(
                    &mut plan,
                    &path,
                    found,
                    before.as_deref(),
                    after,
                    *age,
                    set.author,
                )?;
                virtually.made.insert(path, written);
            }
            Op::Move { from, to } => {
                let found = present(movable(&mut virtually, from)?, from)?;
                if !matches!(look(&mut virtually, to)?, Found::Nothing) {
                    return Err(conflict(to, "is already there"));
                }
                plan.steps
                    .push(whole_step(StepOp::Move, from, to.clone(), &found));
                virtually.relocate(from, to);
                virtually.made.insert(from.clone(), Found::Nothing);
                virtually.made.insert(to.clone(), found);
            }
            Op::Trash { path } => {
                let found = present(glance(&mut virtually, path)?, path)?;
                let place = trash(number);
                virtually.relocate(path, &place);
                plan.steps
                    .push(whole_step(StepOp::Trash, path, place, &found));
                virtually.made.insert(path.clone(), Found::Nothing);
            }
        }
    }
    Ok(plan)
}

fn write(
    plan: &mut Plan,
    path: &Path,
    found: Found,
    before: Option<&[u8]>,
    after: &[u8],
    age: Age,
    author: Author,
) -> Result<Found> {
    let mut is_merged = false;
    let (now, stamp, after) = match (found, before) {
        (Found::Whole { .. } | Found::Sealed { .. }, _) => {
            return Err(conflict(path, "is no regular file any more"));
        }
        (Found::Nothing, None) => (None, None, after.to_vec()),
        (Found::Nothing, Some(_)) => return Err(conflict(path, "is gone")),
        (Found::File { .. }, None) => return Err(conflict(path, "is already there")),
        (
            Found::File {
                bytes,
                stamp,
                names,
            },
            Some(before),
        ) => {
            plan.notices.extend(parted(path, names));
            let after = if bytes == before {
                after.to_vec()
            } else {
                is_merged = true;
                merged(plan, path, before, after, &bytes, author)?
            };
            (Some(bytes), Some(stamp), after)
        }
    };
    let kept = match age {
        Age::Keep => stamp,
        Age::Set => None,
        // What somebody else has written since is younger than the time of then.
        Age::At(_) if is_merged => stamp,
        Age::At(then) => Some(then),
    };
    let mode = match age {
        Age::At(then) => then.mode,
        Age::Keep | Age::Set => stamp.map_or(NEW_MODE, |stamp| stamp.mode),
    };
    plan.steps.push(Step {
        op: StepOp::Write,
        path: path.to_path_buf(),
        to: None,
        before: now.as_deref().map(sha256),
        after: Some(sha256(&after)),
        mode,
        mtime: stamp.map(|stamp| stamp.moment().rfc3339()),
        mtime_after: kept.map(|stamp| stamp.moment().rfc3339()),
        mode_before: stamp
            .map(|stamp| stamp.mode)
            .filter(|before| *before != mode),
    });
    plan.blobs.extend(now.clone());
    plan.blobs.push(after.clone());
    plan.writes.push((path.to_path_buf(), now, after.clone()));
    let stamp = kept.unwrap_or(Stamp {
        mode,
        seconds: Moment::default().seconds,
        nanos: 0,
    });
    Ok(Found::File {
        bytes: after,
        stamp,
        names: 0,
    })
}

/// What is said of a file with several hard links: what is written is a new file under this name alone.
fn parted(path: &Path, names: u64) -> Option<String> {
    let others = match names {
        0 | 1 => return None,
        2 => "the other one keeps",
        _ => "the others keep",
    };
    Some(format!(
        "{} is one of {names} names of a file (hard links): {others} the old text, write it there too if it shall be the same",
        path.display()
    ))
}

/// Somebody has written since the change was made: what touches other lines is merged.
fn merged(
    plan: &mut Plan,
    path: &Path,
    base: &[u8],
    mine: &[u8],
    theirs: &[u8],
    author: Author,
) -> Result<Vec<u8>> {
    if std::str::from_utf8(base).is_ok() && std::str::from_utf8(theirs).is_err() {
        return Err(conflict(
            path,
            "was changed meanwhile and holds bytes that are no UTF-8 now",
        ));
    }
    let three_way: ThreeWay = merge::three_way(base, mine, theirs);
    match three_way.clean() {
        Some(bytes) => {
            let who = if author == Author::You {
                "your change"
            } else {
                "the change"
            };
            plan.notices.push(format!(
                "{} was changed meanwhile: {who} was merged with it",
                path.display()
            ));
            Ok(bytes)
        }
        None => Err(StoreError::Overlap {
            path: path.to_path_buf(),
            three_way: Box::new(three_way),
        }),
    }
}

fn whole_step(op: StepOp, path: &Path, to: PathBuf, found: &Found) -> Step {
    let (sha, stamp) = match found {
        Found::File { bytes, stamp, .. } => (Some(sha256(bytes)), Some(*stamp)),
        Found::Sealed { sha, stamp } => (Some(sha.clone()), Some(*stamp)),
        Found::Whole { stamp } => (None, Some(*stamp)),
        Found::Nothing => (None, None),
    };
    Step {
        op,
        path: path.to_path_buf(),
        to: Some(to),
        before: sha.clone(),
        after: sha,
        mode: stamp.map_or(NEW_MODE, |stamp| stamp.mode),
        mtime: stamp.map(|stamp| stamp.moment().rfc3339()),
        mtime_after: None,
        mode_before: None,
    }
}

/// The file that a write to `path` changes: a link is followed, but never a dangling one, which
/// would have us create something elsewhere.
fn real_target(path: &Path) -> Result<PathBuf> {
    let is_link = fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink());
    if !is_link {
        return Ok(path.to_path_buf());
    }
    fs::canonicalize(path).map_err(|_| conflict(path, "is a link that leads nowhere"))
}

/// A file that is written where it was looked at: nothing on the way to it has become a link since.
fn settled(path: &Path) -> Result<PathBuf> {
    let is_link =
        |path: &Path| fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_symlink());
    match path.ancestors().any(is_link) {
        true => Err(conflict(path, "has become a link: look at it again")),
        false => Ok(path.to_path_buf()),
    }
}

fn look(virtually: &mut Virtually, path: &Path) -> Result<Found> {
    if let Some(found) = virtually.made.remove(path) {
        return Ok(found);
    }
    let Some(place) = virtually.place(path) else {
        return Ok(Found::Nothing);
    };
    let data = match fs::symlink_metadata(&place) {
        Ok(data) => data,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(error) => return Err(disk(path, error)),
    };
    let stamp = Stamp::of(&data);
    if data.is_file() {
        let bytes = fs::read(place).map_err(|error| disk(path, error))?;
        return Ok(Found::File {
            bytes,
            stamp,
            names: data.nlink(),
        });
    }
    Ok(Found::Whole { stamp })
}

/// [`look`] at what goes to the trash.
fn glance(virtually: &mut Virtually, path: &Path) -> Result<Found> {
    let is_file = fs::symlink_metadata(path).is_ok_and(|data| data.is_file());
    if !is_file
        || virtually.made.contains_key(path)
        || virtually.place(path).as_deref() != Some(path)
    {
        return look(virtually, path);
    }
    let refused = |error| disk(path, error);
    let stamp = Stamp::of(&fs::symlink_metadata(path).map_err(refused)?);
    match sha256_of(path) {
        Ok(sha) => Ok(Found::Sealed { sha, stamp }),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Found::Whole { stamp }),
        Err(error) => Err(refused(error)),
    }
}

/// [`look`] at what gets another path: what we may not read can be renamed all the same.
fn movable(virtually: &mut Virtually, path: &Path) -> Result<Found> {
    match (look(virtually, path), fs::symlink_metadata(path)) {
        (Err(StoreError::Disk { error, .. }), Ok(data))
            if error.kind() == io::ErrorKind::PermissionDenied =>
        {
            let stamp = Stamp::of(&data);
            Ok(Found::Whole { stamp })
        }
        (found, _) => found,
    }
}

fn present(found: Found, path: &Path) -> Result<Found> {
    match found {
        Found::Nothing => Err(conflict(path, "is gone")),
        found @ (Found::File { .. } | Found::Whole { .. } | Found::Sealed { .. }) => Ok(found),
    }
}

pub(super) fn conflict(path: &Path, what: &str) -> StoreError {
    StoreError::Conflict {
        path: path.to_path_buf(),
        what: what.to_string(),
    }
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;

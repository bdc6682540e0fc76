//! The digests of all transcripts of a store, or of some projects: what is kept in our state is taken from
//! there, and of each transcript only what has grown is read.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use rayon::prelude::*;

use super::bills::best;
use super::course::Course;
use super::digest::Digest;
use super::found::{Found, Listing, transcripts, transcripts_of};
use super::kept::{self, Failed, KeptFile, Looked, Shelf};
use super::swept::{Gone, Look, Swept};
use super::swept_state::{self, FILE, Outcome, State};
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::store::Store;

/// What is asked for.
pub struct Asked<'a> {
    pub disk: &'a Disk,
    /// The folder of the projects.
    pub projects: &'a Path,
    /// Where digests are kept; `None`: nowhere.
    pub keep: Option<&'a Store>,
    /// What is kept is only looked at.
    pub is_dry: bool,
    /// The projects; `None`: all. Only who looks at all can tell what is gone.
    pub keys: Option<&'a [String]>,
    /// Days that the client keeps a transcript.
    pub keep_days: i64,
    pub now: Moment,
    /// Takes how far it is; with what ends it.
    pub course: Option<&'a Course<'a>>,
}

/// One transcript.
#[derive(Debug)]
pub struct Digested {
    pub found: Found,
    pub digest: Digest,
}

/// The digests of many transcripts.
#[derive(Debug)]
pub struct Digests {
    /// The oldest first.
    pub all: Vec<Digested>,
    /// What could not be listed or read: a sentence each.
    pub faults: Vec<String>,
    /// What could not be kept, or of what is kept could not be counted: a sentence each.
    pub notices: Vec<String>,
    /// What is called as a transcript and is no plain file: links, pipes, folders.
    pub left_out: Vec<PathBuf>,
    /// Bytes of transcripts that were read for it.
    pub read: u64,
    /// Transcripts that were not read to their end, since no more was wanted.
    pub unread: usize,
    /// What is kept of those that are gone.
    pub swept: Swept,
    /// Whether a folder that was asked for could not be listed at all.
    pub is_blind: bool,
}

impl Digests {
    /// The first day (`YYYY-MM-DD`, in UTC) of which all is known. Nothing where something could not be listed
    /// or read: it may be of any day.
    #[must_use]
    pub fn complete_since(&self) -> Option<&str> {
        let is_complete = self.faults.is_empty();
        is_complete.then_some(&*self.swept.since)
    }
}

/// The digests of the transcripts that are asked for.
#[must_use]
pub fn digests(asked: &Asked<'_>) -> Digests {
    let Listing {
        found,
        mut faults,
        left_out,
        is_blind,
    } = match asked.keys {
        None => transcripts(asked.disk, asked.projects),
        Some(keys) => transcripts_of(asked.disk, asked.projects, keys),
    };
    let is_listed = asked.keys.is_none() && faults.is_empty();
    let (mut shelves, damaged) = kept(asked, &found);
    let At {
        mut all,
        is_all,
        unread,
    } = looked_at(asked, &found, &mut shelves, &mut faults);
    let look = Look {
        is_whole: is_listed && is_all,
        is_lossy: !damaged.is_empty(),
        keep_days: asked.keep_days,
        now: asked.now,
    };
    let mut notices: Vec<String> = damaged.iter().map(|path| lossy(path)).collect();
    let settled = settle(asked, &look, &mut shelves, &mut all, &mut notices);
    match asked.keep.filter(|_| !asked.is_dry) {
        Some(store) if settled.is_begun => {
            for path in damaged.iter().filter(|_| settled.is_done) {
                empty(store, path, &mut notices);
            }
            keep(store, &mut shelves, &all, &mut notices);
        }
        // What says that sums were lost must not be there before the sums are.
        Some(_) => notices.push(unkept("")),
        None => {}
    }
    all.sort_by(|a, b| (a.found.modified, &a.found.path).cmp(&(b.found.modified, &b.found.path)));
    let read = all.iter().map(|one| one.looked.read).sum();
    let all = all.into_iter().map(|one| Digested {
        found: one.found,
        digest: one.looked.kept.digest,
    });
    Digests {
        all: all.collect(),
        faults,
        notices,
        left_out,
        read,
        unread,
        swept: settled.swept,
        is_blind,
    }
}

fn lossy(path: &Path) -> String {
    let path = path.display();
    format!(
        "{path} is damaged: transcripts are read anew, and those that have gone since the last look are not counted"
    )
}

fn unkept(why: &str) -> String {
    format!("what was read of transcripts can't be kept, it is read again the next time{why}")
}

/// What was kept of one project, without what was taken out of it.
#[derive(Default)]
struct Open {
    files: HashMap<String, KeptFile>,
    is_changed: bool,
}

type Shelves = BTreeMap<String, Open>;

struct One {
    found: Found,
    /// The key of its project in what is kept.
    key: String,
    looked: Looked,
}

/// What is kept of the projects of these transcripts, of all projects where all are asked for; and the files
/// of it that are damaged.
fn kept(asked: &Asked<'_>, found: &[Found]) -> (Shelves, Vec<PathBuf>) {
    let Some(store) = asked.keep else {
        return (Shelves::new(), Vec::new());
    };
    let paths: Vec<PathBuf> = match asked.keys {
        None => Shelf::files(store),
        Some(keys) => keys.iter().map(|key| Shelf::file(store, key)).collect(),
    };
    let read: Vec<Option<Shelf>> = paths.par_iter().map(|path| Shelf::read(path)).collect();
    let mut shelves = Shelves::new();
    let unread = paths.iter().zip(&read).filter(|(_, read)| read.is_none());
    let damaged = unread.filter(|(path, _)| path.symlink_metadata().is_ok());
    let damaged = damaged.map(|(path, _)| path.clone()).collect();
    for shelf in read.into_iter().flatten() {
        let files = shelf
            .files
            .into_iter()
            .map(|file| (file.name.clone(), file));
        shelves.entry(shelf.key).or_default().files.extend(files);
    }
    for one in found {
        shelves.entry(key(asked.projects, one)).or_default();
    }
    (shelves, damaged)
}

/// The key of the project of a transcript in what is kept.
fn key(projects: &Path, found: &Found) -> String {
    let below = found.path.strip_prefix(projects).unwrap_or(&found.path);
    let first = below.components().next();
    first.map(part).unwrap_or_default().into_owned()
}

/// The name of a transcript in what is kept: its path below the project's folder.
fn name(projects: &Path, found: &Found) -> String {
    let below = found.path.strip_prefix(projects).unwrap_or(&found.path);
    let parts: Vec<_> = below.components().skip(1).map(part).collect();
    parts.join("/")
}

/// A part of a path as text that no other part has: what is no UTF-8 is in hexadecimal behind a slash.
fn part(part: Component<'_>) -> Cow<'_, str> {
    let part = part.as_os_str();
    part.to_str().map_or_else(
        || {
            let mut text = "/".to_string();
            for byte in part.as_bytes() {
                let _ = write!(text, "{byte:02x}");
            }
            Cow::Owned(text)
        },
        Cow::Borrowed,
    )
}

/// What was looked at.
struct At {
    all: Vec<One>,
    /// Whether all could be.
    is_all: bool,
    /// Those that were not read to their end, since no more was wanted.
    unread: usize,
}

/// Looks at all transcripts, the largest first, so that no processor waits for one of them at the end.
fn looked_at(
    asked: &Asked<'_>,
    found: &[Found],
    shelves: &mut Shelves,
    faults: &mut Vec<String>,
) -> At {
    let (mut is_all, mut unread) = (true, 0);
    let mut jobs: Vec<(&Found, String, Option<KeptFile>)> = Vec::with_capacity(found.len());
    for one in found {
        let name = name(asked.projects, one);
        let shelf = shelves.get_mut(&key(asked.projects, one));
        let before = shelf.and_then(|shelf| shelf.files.remove(&name));
        jobs.push((one, name, before));
    }
    jobs.sort_by_key(|(found, _, _)| std::cmp::Reverse(found.bytes));
    let course = asked.course;
    if let Some(course) = course {
        let lacks = jobs.iter().map(|(found, _, before)| {
            let kept = before.as_ref();
            kept.map_or(found.bytes, |kept| kept.lacks(found.bytes))
        });
        course.begin(lacks.sum());
    }
    let looked: Vec<(&Found, Result<Looked, Failed>)> = jobs
        .into_par_iter()
        .map(|(found, name, before)| {
            let looked = KeptFile::look(asked.disk, &found.path, name, before, course);
            (found, looked)
        })
        .collect();
    let mut all = Vec::with_capacity(looked.len());
    for (found, looked) in looked {
        let key = key(asked.projects, found);
        match looked {
            Ok(looked) => {
                unread += usize::from(looked.is_cut);
                all.push(One {
                    found: found.clone(),
                    key,
                    looked,
                });
            }
            Err(Failed { error, before }) => {
                if let (Some(before), Some(shelf)) = (before, shelves.get_mut(&key)) {
                    shelf.files.insert(before.name.clone(), *before);
                }
                match error.kind() {
                    // What has gone meanwhile is gone at the next look.
                    io::ErrorKind::NotFound => {}
                    io::ErrorKind::Interrupted => unread += 1,
                    _ => {
                        let path = found.path.display();
                        faults.push(format!("{path} is not counted, it can't be read: {error}"));
                    }
                }
                is_all = false;
            }
        }
    }
    At {
        all,
        is_all,
        unread,
    }
}

/// What is kept of transcripts that are gone, with those that have gone since the last look, and with what
/// those said that were written anew.
fn settle(
    asked: &Asked<'_>,
    look: &Look,
    shelves: &mut Shelves,
    all: &mut [One],
    notices: &mut Vec<String>,
) -> Settled {
    let Some(store) = asked.keep else {
        return Settled {
            swept: Swept::nothing(asked.keep_days, asked.now),
            is_begun: true,
            is_done: true,
        };
    };
    let is_whole = look.is_whole;
    let path = store.own_file(FILE);
    let gone = gone(is_whole, shelves, all);
    let state = State::read(store);
    let mut fault = state.fault(&path);
    let is_damaged = matches!(state, State::Damaged);
    let is_kept = matches!(state, State::Kept(_));
    let is_none = matches!(state, State::First | State::Lost);
    let mut swept = state.swept(asked.now);
    let is_new = swept.take(&gone, look);
    let has_to_be_kept = is_kept && is_new || is_none && (is_new || !all.is_empty()) || is_damaged;
    let is_done = match has_to_be_kept && !asked.is_dry {
        false => is_kept,
        true => {
            let bills = all.iter().map(|one| &one.looked.kept.digest.bills);
            let living = || best(bills);
            match swept_state::keep(store, &gone, look, living) {
                Ok(Outcome::Kept(aside)) => {
                    let since = &swept.since;
                    let begins = format!("what is kept begins anew on {since}");
                    fault = fault.map(|fault| match aside {
                        Some(aside) => {
                            format!("{fault}; it lies as {} now, and {begins}", aside.display())
                        }
                        None => format!("{fault}; {begins}"),
                    });
                    true
                }
                Ok(Outcome::Refused) => false,
                Err(error) => {
                    notices.push(format!(
                        "the sums of transcripts that are gone can't be kept: {error}"
                    ));
                    false
                }
            }
        }
    };
    notices.extend(fault);
    for Gone {
        project,
        kept: file,
    } in gone
    {
        let shelf = shelves.entry(project).or_default();
        match is_done {
            // What is kept there need not be kept here.
            true => shelf.is_changed = true,
            false => drop(shelf.files.insert(file.name.clone(), file)),
        }
    }
    Settled {
        swept,
        is_begun: is_done || !has_to_be_kept || !is_none,
        is_done,
    }
}

/// Sums of what is gone.
struct Settled {
    swept: Swept,
    /// Whether sums are kept, be it none.
    is_begun: bool,
    /// Whether all that is new is among them.
    is_done: bool,
}

/// What was damaged is met once.
fn empty(store: &Store, path: &Path, notices: &mut Vec<String>) {
    if let Err(error) = kept::keep_none(store, path) {
        notices.push(unkept(&format!(": {error}")));
    }
}

/// What was kept and is not there any more, the oldest first.
fn gone(is_whole: bool, shelves: &mut Shelves, all: &mut [One]) -> Vec<Gone> {
    let mut gone: Vec<Gone> = Vec::new();
    for one in all {
        gone.extend(one.looked.earlier.take().map(|kept| Gone {
            project: one.key.clone(),
            kept: *kept,
        }));
    }
    for (key, shelf) in shelves.iter_mut().filter(|_| is_whole) {
        let files = std::mem::take(&mut shelf.files).into_values();
        gone.extend(files.map(|kept| Gone {
            project: key.clone(),
            kept,
        }));
    }
    gone.sort_by(|a, b| {
        (&a.kept.digest.last, &a.kept.name).cmp(&(&b.kept.digest.last, &b.kept.name))
    });
    gone
}

/// Keeps the digests of the projects in which anything is new.
fn keep(store: &Store, shelves: &mut Shelves, all: &[One], notices: &mut Vec<String>) {
    let mut files: BTreeMap<&str, Vec<&One>> = BTreeMap::new();
    for one in all {
        files.entry(&one.key).or_default().push(one);
    }
    let changed: Vec<(String, Open)> = std::mem::take(shelves)
        .into_iter()
        .filter(|(key, shelf)| {
            let ones = files.get(key.as_str()).map_or(&[][..], |ones| &ones[..]);
            shelf.is_changed || ones.iter().any(|one| !one.looked.is_known)
        })
        .collect();
    if changed.is_empty() {
        return;
    }
    store.sweep_derived();
    let kept = changed.par_iter().map(|(key, shelf)| {
        let ones = files.get(key.as_str()).map_or(&[][..], |ones| &ones[..]);
        let own = ones.iter().map(|one| &one.looked.kept);
        // What could not be taken out of there stays, and is met again at the next look.
        let own = own.filter(|kept| !shelf.files.contains_key(&kept.name));
        let all: Vec<&KeptFile> = own.chain(shelf.files.values()).collect();
        kept::keep(store, key, &all)
    });
    let refused: Vec<_> = kept.filter_map(Result::err).collect();
    if let Some(error) = refused.first() {
        notices.push(unkept(&format!(": {error}")));
    }
}

#[cfg(test)]
#[path = "digests_tests.rs"]
mod tests;

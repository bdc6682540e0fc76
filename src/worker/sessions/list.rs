//! What all transcripts say of themselves, and what was rescued: the list of sessions and their bills. Of
//! each only what has grown is read, and it is told how far that is.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::agents::claude::Claude;
use crate::app::sessions_view::{Rescued, Session, SessionList, TouchAt, UnderWay};
use crate::app::usage_view::UsageRead;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::prices::Prices;
use crate::store::Store;
use crate::transcript::course::Course;
use crate::transcript::digest::Digest;
use crate::transcript::digests::{Asked, Digests, digests};
use crate::transcript::found::{Found, transcripts};
use crate::transcript::last_used::last_used;
use crate::transcript::sessions::{Kind, listed};
use crate::transcript::usage::spent;

/// How far it is is told so far apart.
const PART_AGE: Duration = Duration::from_millis(100);

/// The digests of what only we have, with the bytes and the time that they were read with: such a file
/// changes no more.
pub(in crate::worker) type Kept = Arc<Mutex<HashMap<PathBuf, (u64, Option<Moment>, Arc<Digest>)>>>;

/// What all transcripts say of themselves: of each only what has grown since the last time is read.
pub(in crate::worker) fn read_digests(
    store: &Claude,
    writer: &Store,
    course: Option<&Course<'_>>,
) -> Digests {
    digests(&Asked {
        disk: store.disk(),
        projects: &store.home().join("projects"),
        keep: (!store.disk().is_sysroot()).then_some(writer),
        is_dry: false,
        keys: None,
        keep_days: store.transcript_days(),
        now: store.now(),
        course,
    })
}

/// All sessions; `told` takes how far it is, `stop` ends it with what was read until then.
pub(super) fn list(
    store: &Claude,
    writer: &Store,
    prices: &Prices,
    kept: &Kept,
    stop: &AtomicBool,
    told: &(dyn Fn(UnderWay) + Sync),
) -> SessionList {
    let began = Instant::now();
    let last = Mutex::new(began);
    let tell = |read, of| {
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() >= PART_AGE {
            *last = Instant::now();
            told(UnderWay::new(read, of, began.elapsed()));
        }
    };
    let course = Course::new(stop, &tell);
    let read = read_digests(store, writer, Some(&course));
    let rescued = match store.disk().is_sysroot() {
        true => Vec::new(),
        false => transcripts(&Disk::system(), &writer.rescued_folder()).found,
    };
    let name = |found: &Found| {
        let file = found.path.file_name().unwrap_or_default().to_os_string();
        (found.project.clone(), found.session.clone(), file)
    };
    let names: HashSet<_> = rescued.iter().map(name).collect();
    let mut places = Places {
        store,
        keys: HashMap::new(),
    };
    let mut there = HashSet::new();
    let mut sessions = Vec::new();
    for one in listed(&read, store.transcript_days(), store.now()) {
        let found = &one.one.found;
        let is_kept = names.contains(&name(found));
        there.insert(name(found));
        let rescued = if is_kept { Rescued::Also } else { Rescued::No };
        let session = places.session(found, &one.one.digest, one.kind, one.days_left, rescued);
        sessions.push(session);
    }
    for found in rescued.iter().filter(|found| !there.contains(&name(found))) {
        if let Some(digest) = of_rescued(found, kept) {
            let kind = if found.is_agent {
                Kind::Subagent
            } else {
                Kind::Session
            };
            sessions.push(places.session(found, &digest, kind, None, Rescued::Only));
        }
    }
    SessionList {
        usage: usage(&read, prices),
        sessions,
        unread: read.unread,
        faults: [read.faults, read.notices].concat(),
    }
}

fn of_rescued(found: &Found, kept: &Kept) -> Option<Arc<Digest>> {
    let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((bytes, modified, digest)) = kept.get(&found.path)
        && (*bytes, *modified) == (found.bytes, found.modified)
    {
        return Some(Arc::clone(digest));
    }
    let file = Disk::system().open(&found.path).ok()?;
    let (digest, _) = Digest::read(&file, found.bytes).ok()?;
    let digest = Arc::new(digest);
    let own = (found.bytes, found.modified, Arc::clone(&digest));
    kept.insert(found.path.clone(), own);
    Some(digest)
}

/// What all of them cost, also those that are gone.
fn usage(read: &Digests, prices: &Prices) -> UsageRead {
    let own = read.all.iter().filter(|one| !one.found.is_agent);
    let titles = own.filter_map(|one| {
        let title = one.digest.title()?.to_string();
        Some((one.found.session.clone(), title))
    });
    UsageRead {
        spent: spent(read, prices),
        since: read.complete_since().map(str::to_string),
        titles: titles.collect(),
    }
}

/// The memories that sessions share, by where they ran.
struct Places<'a> {
    store: &'a Claude,
    keys: HashMap<String, String>,
}

impl Places<'_> {
    fn session(
        &mut self,
        found: &Found,
        digest: &Digest,
        kind: Kind,
        days_left: Option<i64>,
        rescued: Rescued,
    ) -> Session {
        let store = self.store;
        let memory_key = match &digest.cwd {
            None => found.project.clone(),
            Some(cwd) => {
                let place = || store.place(Path::new(cwd)).memory_key;
                self.keys.entry(cwd.clone()).or_insert_with(place).clone()
            }
        };
        let id = found.path.file_stem().unwrap_or_default();
        let moment = |time: &str| Moment::parse(time);
        let own = digest.touches.iter().filter(|touch| {
            let path = Path::new(&touch.path);
            path.starts_with(store.home()) || path.components().any(|it| it.as_os_str() == "memory")
        });
        let touches = own.map(|touch| TouchAt {
            path: PathBuf::from(&touch.path),
            how: touch.how,
            turn: touch.turn,
            time: moment(&touch.time),
            at: touch.at,
        });
        Session {
            path: found.path.clone(),
            id: id.to_string_lossy().into_owned(),
            of: found.is_agent.then(|| found.session.clone()),
            key: found.project.clone(),
            memory_key,
            kind,
            title: digest.title().map(str::to_string),
            model: digest.model.clone(),
            messages: digest.messages,
            bytes: found.bytes,
            last: last_used(digest.last.as_deref(), found.modified),
            days_left,
            rescued,
            turns: digest.prompts_at.clone(),
            touches: touches.collect(),
        }
    }
}

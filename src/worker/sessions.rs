//! Sessions for the screen: what all of them say of themselves, pages of one, searches, what was sent, and
//! export. Each on a thread of its own; a search ends at its next message when it is no longer wanted.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::Worker;
use crate::agents::claude::{Claude, Proof};
use crate::app::message::{Effect, Message};
use crate::app::session_reading::Ask;
use crate::app::sessions_view::{Rescued, Session, SessionHits, SessionList, TouchAt};
use crate::app::usage_view::UsageRead;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::prices::Prices;
use crate::memory::search::Query;
use crate::store::Store;
use crate::transcript::conversation::{self, Page, Piece};
use crate::transcript::digest::Digest;
use crate::transcript::digests::{Asked, Digests, digests};
use crate::transcript::found::{Found, transcripts};
use crate::transcript::markdown::{self, Head};
use crate::transcript::search::search;
use crate::transcript::sessions::{Kind, listed};
use crate::transcript::usage::spent;

/// Hits are handed on so far apart.
const PART_AGE: Duration = Duration::from_millis(100);
/// Bytes before a place that are looked through at once for the hit before it.
const STEP_BACK: u64 = 4 * 1024 * 1024;

impl Worker {
    pub(super) fn sessions(&mut self, effect: Effect) {
        let (store, out) = (self.store.at(self.clock.now()), self.out.clone());
        let (writer, prices) = (Arc::clone(&self.writer), self.prices.clone());
        let send = move |message| {
            let _ = out.send(message);
        };
        match effect {
            Effect::ReadSessions { id } => {
                thread::spawn(move || {
                    let read = Box::new(list(&store, &writer, &prices));
                    send(Message::Sessions { id, read });
                });
            }
            Effect::ReadSession { id, path, ask } => {
                thread::spawn(move || {
                    let page = page(&store, &path, &ask).map(Box::new);
                    send(Message::SessionPage { id, page });
                });
            }
            Effect::ReadTexts { id, path, texts } => {
                thread::spawn(move || {
                    let texts = read_texts(&store, &path, &texts);
                    send(Message::SessionTexts { id, texts });
                });
            }
            Effect::SearchSessions { id, words, paths } => {
                let stop = self.seek_anew();
                thread::spawn(move || {
                    search_all(&store, &Query::new(&words), &paths, &stop, &|found| {
                        let found = Box::new(found);
                        send(Message::SessionsFound { id, found });
                    });
                });
            }
            Effect::FindInSession {
                id,
                path,
                words,
                from,
                forward,
            } => {
                let stop = self.seek_anew();
                thread::spawn(move || {
                    let query = Query::new(&words);
                    let at = find(&store, &path, &query, from, forward, &stop);
                    send(Message::SessionFound { id, at });
                });
            }
            Effect::ReadProof { id, path } => {
                thread::spawn(move || {
                    let proof = proof(&store, &path).map(Box::new);
                    send(Message::Proven { id, proof });
                });
            }
            Effect::ExportSession {
                session,
                title,
                file,
            } => {
                thread::spawn(move || {
                    let path = match file.to_str() {
                        Some(typed) => store.typed(typed),
                        None => store.cwd().join(&file),
                    };
                    let by = export(&store, &writer, &session, title.as_deref(), &path);
                    send(Message::RequestWritten { path, by });
                });
            }
            // There is no other that comes here.
            _ => self.seeking.store(true, Ordering::Relaxed),
        }
    }

    /// Ends the search that is under way; what ends the next one is given back.
    fn seek_anew(&mut self) -> Arc<AtomicBool> {
        self.seeking.store(true, Ordering::Relaxed);
        self.seeking = Arc::default();
        Arc::clone(&self.seeking)
    }
}

/// A transcript, and its bytes now.
fn open(store: &Claude, path: &Path) -> Result<(File, u64), String> {
    let file = disk_of(store, path).open(path);
    let file = file.and_then(|file| {
        let data = file.metadata()?;
        match data.is_file() {
            true => Ok((data.len(), file)),
            false => Err(io::Error::other("it is no file")),
        }
    });
    match file {
        Ok((bytes, file)) => Ok((file, bytes)),
        Err(error) => Err(unread(path, &error)),
    }
}

/// What was rescued lies on our own disk, wherever the store lies.
fn disk_of(store: &Claude, path: &Path) -> Disk {
    match path.starts_with(store.home()) {
        true => store.disk().clone(),
        false => Disk::system(),
    }
}

fn unread(path: &Path, error: &io::Error) -> String {
    format!("{} can't be read: {error}", path.display())
}

fn page(store: &Claude, path: &Path, ask: &Ask) -> Result<Page, String> {
    let (file, end) = open(store, path)?;
    let page = match ask {
        Ask::Last => conversation::last(&file, end),
        Ask::First => conversation::first(&file, end),
        Ask::Before(page) => conversation::before(&file, page),
        Ask::After(page) => conversation::after(&file, page, end),
        Ask::Around(at) => conversation::around(&file, *at, end),
    };
    page.map_err(|error| unread(path, &error))
}

fn read_texts(store: &Claude, path: &Path, texts: &[Range<u64>]) -> Result<Vec<String>, String> {
    let (file, _) = open(store, path)?;
    let read = texts.iter().map(|range| {
        let piece = Piece {
            whole: Some(range.clone()),
            ..Piece::default()
        };
        piece.read(&file).map_err(|error| unread(path, &error))
    });
    read.collect()
}

/// What all transcripts say of themselves: of each only what has grown since the last time is read.
pub(super) fn read_digests(store: &Claude, writer: &Store) -> Digests {
    digests(&Asked {
        disk: store.disk(),
        projects: &store.home().join("projects"),
        keep: (!store.disk().is_sysroot()).then_some(writer),
        is_dry: false,
        keys: None,
        keep_days: store.transcript_days(),
        now: store.now(),
    })
}

fn list(store: &Claude, writer: &Store, prices: &Prices) -> SessionList {
    let keep_days = store.transcript_days();
    let read = read_digests(store, writer);
    let rescued = match store.disk().is_sysroot() {
        true => Vec::new(),
        false => transcripts(&Disk::system(), &writer.rescued_folder()).found,
    };
    let name = |found: &Found| {
        let file = found.path.file_name().unwrap_or_default().to_os_string();
        (found.project.clone(), found.session.clone(), file)
    };
    let kept: HashSet<_> = rescued.iter().map(name).collect();
    let mut places = Places {
        store,
        keys: HashMap::new(),
    };
    let mut there = HashSet::new();
    let mut sessions = Vec::new();
    for one in listed(&read, keep_days, store.now()) {
        let found = &one.one.found;
        let is_kept = kept.contains(&name(found));
        there.insert(name(found));
        let rescued = if is_kept { Rescued::Also } else { Rescued::No };
        let session = places.session(found, &one.one.digest, one.kind, one.days_left, rescued);
        sessions.push(session);
    }
    for found in rescued.iter().filter(|found| !there.contains(&name(found))) {
        let digest = Disk::system().open(&found.path);
        let digest = digest.and_then(|file| Digest::read(&file, found.bytes));
        if let Ok((digest, _)) = digest {
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
        faults: [read.faults, read.notices].concat(),
    }
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
        since: read.swept.since.clone(),
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
            last: digest.last.as_deref().and_then(moment).or(found.modified),
            days_left,
            rescued,
            touches: touches.collect(),
        }
    }
}

/// Looks the words up in all transcripts, several at once.
fn search_all(
    store: &Claude,
    query: &Query,
    paths: &[PathBuf],
    stop: &AtomicBool,
    each: &(dyn Fn(SessionHits) + Sync),
) {
    let sizes = paths.iter().map(|path| {
        let data = disk_of(store, path).metadata(path);
        data.map_or(0, |data| data.len())
    });
    let of: u64 = sizes.sum();
    let read = AtomicU64::new(0);
    let held = Mutex::new((Vec::new(), Instant::now()));
    let hand_on = |hit, is_due: bool| {
        let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
        held.0.extend(hit);
        if is_due && held.1.elapsed() >= PART_AGE {
            held.1 = Instant::now();
            each(SessionHits {
                hits: std::mem::take(&mut held.0),
                read: read.load(Ordering::Relaxed),
                of,
                done: false,
            });
        }
    };
    paths.par_iter().for_each(|path| {
        let Ok((file, end)) = open(store, path) else {
            return;
        };
        let (mut before, mut lines) = (0, 0_u32);
        // What can't be read holds no hit; the list says that it can't be read.
        let _ = search(&file, 0..end, query, &mut |at, hit| {
            read.fetch_add(at - before, Ordering::Relaxed);
            before = at;
            lines += 1;
            let has_hit = hit.is_some();
            if has_hit || lines.is_multiple_of(256) {
                hand_on(hit.map(|hit| (path.clone(), hit)), true);
            }
            !stop.load(Ordering::Relaxed)
        });
    });
    if !stop.load(Ordering::Relaxed) {
        let (hits, _) = held.into_inner().unwrap_or_else(PoisonError::into_inner);
        each(SessionHits {
            hits,
            read: of,
            of,
            done: true,
        });
    }
}

/// The next message with all words from a byte on, or the last before it; where none is there, on from the
/// other end of the file.
fn find(
    store: &Claude,
    path: &Path,
    query: &Query,
    from: u64,
    forward: bool,
    stop: &AtomicBool,
) -> Result<Option<u64>, String> {
    match find_from(store, path, query, from, forward, stop)? {
        None if !stop.load(Ordering::Relaxed) => {
            let end = if forward { 0 } else { u64::MAX };
            find_from(store, path, query, end, forward, stop)
        }
        found => Ok(found),
    }
}

/// The same without going on from the other end.
fn find_from(
    store: &Claude,
    path: &Path,
    query: &Query,
    from: u64,
    forward: bool,
    stop: &AtomicBool,
) -> Result<Option<u64>, String> {
    let (file, end) = open(store, path)?;
    let failed = |error| unread(path, &error);
    let is_wanted = || !stop.load(Ordering::Relaxed);
    let mut found = None;
    if forward {
        search(&file, from.min(end)..end, query, &mut |_, hit| {
            found = hit.map(|hit| hit.at);
            found.is_none() && is_wanted()
        })
        .map_err(failed)?;
        return Ok(found);
    }
    let mut to = from.min(end);
    while to > 0 && found.is_none() && is_wanted() {
        let begin = match to.saturating_sub(STEP_BACK) {
            0 => 0,
            at => line_at(&file, at).map_err(failed)?.min(to),
        };
        let begin = if begin == to { 0 } else { begin };
        search(&file, begin..to, query, &mut |_, hit| {
            found = hit.map(|hit| hit.at).or(found);
            is_wanted()
        })
        .map_err(failed)?;
        to = begin;
    }
    Ok(found)
}

/// Where the first line begins behind a byte.
fn line_at(file: &File, at: u64) -> io::Result<u64> {
    use crate::transcript::source::Source;
    let (mut at, mut piece) = (at, vec![0; 64 * 1024]);
    loop {
        let filled = file.fill_at(&mut piece, at)?;
        match memchr::memchr(b'\n', &piece[..filled]) {
            Some(found) => return Ok(at + found as u64 + 1),
            None if filled == 0 => return Ok(at),
            None => at += filled as u64,
        }
    }
}

fn proof(store: &Claude, path: &Path) -> Result<Proof, String> {
    let (file, end) = open(store, path)?;
    let failed = |error| unread(path, &error);
    let (digest, _) = Digest::read(&file, end).map_err(failed)?;
    store.proof(&file, end, &digest).map_err(failed)
}

fn export(
    store: &Claude,
    writer: &Store,
    session: &Path,
    title: Option<&str>,
    path: &Path,
) -> Result<usize, String> {
    if store.disk().is_sysroot() {
        return Err("nothing is written with --sysroot".to_string());
    }
    store
        .may_hold_archive(path)
        .map_err(|error| error.to_string())?;
    let (file, end) = open(store, session)?;
    let id = session.file_stem().unwrap_or_default().to_string_lossy();
    let head = Head {
        title,
        id: &id,
        path: session,
    };
    let mut bytes = 0;
    let put = writer.put_outside_by(path, false, |out| {
        let mut out = BufWriter::new(out);
        markdown::write(&file, end, &head, &str::to_string, &mut out)?;
        out.flush()?;
        let length = out.get_ref().metadata()?.len();
        bytes = usize::try_from(length).unwrap_or(usize::MAX);
        Ok(())
    });
    put.map_err(|error| error.to_string())?;
    Ok(bytes)
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;

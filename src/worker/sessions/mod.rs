//! Sessions for the screen: what all of them say of themselves, pages of one, searches, what was sent, and
//! export. Each on a thread of its own; a search ends at its next message when it is no longer wanted.

pub(super) mod list;
mod seek;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use super::Worker;
use crate::agents::claude::{Claude, Proof};
use crate::app::message::{Effect, Message};
use crate::app::session_reading::Ask;
use crate::base::disk::Disk;
use crate::memory::search::Query;
use crate::store::Store;
use crate::transcript::conversation::{self, Page, Piece};
use crate::transcript::digest::Digest;
use crate::transcript::markdown::{self, Head};
use seek::{find, search_all};

/// How long a reading waits for the watches at most.
const WATCHES_STAND: Duration = Duration::from_secs(2);

impl Worker {
    pub(super) fn sessions(&mut self, effect: Effect) {
        let (store, out) = (self.store.at(self.clock.now()), self.out.clone());
        let (writer, prices) = (Arc::clone(&self.writer), self.agency.around.prices.clone());
        let send = move |message| {
            let _ = out.send(message);
        };
        match effect {
            Effect::ReadSessions { id } => {
                self.reading.store(true, Ordering::Relaxed);
                self.reading = Arc::default();
                let (stop, kept) = (Arc::clone(&self.reading), Arc::clone(&self.rescued));
                let standing = self.standing.take();
                thread::spawn(move || {
                    // What changes after they stand is told; nobody ever sends anything here.
                    let _ = standing.map(|standing| standing.recv_timeout(WATCHES_STAND));
                    let told = |way| send(Message::SessionsUnderWay { id, way });
                    let read = list::list(&store, &writer, &prices, &kept, &stop, &told);
                    let read = Box::new(read);
                    send(Message::Sessions { id, read });
                });
            }
            Effect::StopSessions => self.reading.store(true, Ordering::Relaxed),
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
        Ask::Grown(page) => conversation::grown(&file, page, end),
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
mod tests;

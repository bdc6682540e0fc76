//! What sessions tell of memories, for the Health view: read on a thread of its own when what the folders
//! themselves tell is there already, so that this never waits for it.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::mpsc::UnboundedSender;

use super::sessions::list::read_digests;
use crate::agents::claude::{Claude, Folders};
use crate::agents::{Shelf, ShelfKind};
use crate::app::message::Message;
use crate::base::clock::Clock;
use crate::base::disk::Disk;
use crate::config::limits::SEEK_MILLISECONDS;
use crate::health::{Code, Evidence, Examined, Finding, Rules, in_order, used};
use crate::project::identity;
use crate::store::Store;
use crate::transcript::course::Course;
use crate::transcript::found::sessions_in;
use crate::transcript::uses::{Roots, Uses};

/// The thread, by what it is asked through.
#[derive(Debug)]
pub(super) struct SessionsAsked(mpsc::Sender<(u64, Shelf, Examined)>);

impl SessionsAsked {
    pub(super) fn start(
        store: &Claude,
        writer: &Arc<Store>,
        clock: Clock,
        rules: &Rules,
        out: &UnboundedSender<Message>,
    ) -> Self {
        let (asks, asked) = mpsc::channel();
        let (store, rules, out) = (store.clone(), rules.clone(), out.clone());
        let writer = Arc::clone(writer);
        thread::spawn(move || {
            while let Ok(first) = asked.recv() {
                let all: Vec<_> = std::iter::once(first).chain(asked.try_iter()).collect();
                let store = store.at(clock.now());
                let stop = AtomicBool::new(false);
                ask(&store, &writer, &rules, Of::Some, &stop, |told| {
                    for (id, shelf, examined) in &all {
                        let findings = told.findings(shelf, examined);
                        let _ = out.send(Message::Told { id: *id, findings });
                    }
                });
            }
        });
        Self(asks)
    }

    /// Asks what sessions tell of a shelf that was examined.
    pub(super) fn ask(&self, id: u64, shelf: Shelf, examined: Examined) {
        // The thread ends only with this sender, so there is always someone who receives.
        let _ = self.0.send((id, shelf, examined));
    }
}

/// Whether any code that sessions, or where they ran, tell of is wanted.
pub(super) fn is_wanted(rules: &Rules) -> bool {
    let mut codes = Code::ALL.iter().filter(|code| code.is_told_later());
    codes.any(|code| rules.severity(*code, code.severity()).is_some())
}

/// What all sessions tell.
pub(super) struct Told<'a> {
    store: &'a Claude,
    rules: &'a Rules,
    evidence: Evidence<'a>,
    writer: &'a Store,
    of: Of,
    /// What is known of all project folders, once it was asked.
    folders: OnceLock<Folders>,
    stop: &'a AtomicBool,
    began: Instant,
}

/// Of how many shelves something is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Of {
    /// Of a few: each is looked at by itself.
    Some,
    All,
}

/// Reads what all sessions tell, for `then`.
pub(super) fn ask(
    store: &Claude,
    writer: &Store,
    rules: &Rules,
    of: Of,
    stop: &AtomicBool,
    then: impl FnOnce(&Told<'_>),
) {
    let course = Course::new(stop, &|_, _| {});
    let digests = read_digests(store, writer, Some(&course));
    let uses = Uses::of(&digests);
    let folders = [writer.own_file("sessions"), writer.rescued_folder()];
    let own = sessions_in(&Disk::system(), &folders);
    then(&Told {
        store,
        rules,
        evidence: Evidence::of(&digests, &uses, &own, store.transcript_days(), store.now()),
        writer,
        of,
        folders: OnceLock::new(),
        stop,
        began: Instant::now(),
    });
}

impl Told<'_> {
    /// What is found of a shelf by them.
    pub(super) fn findings(&self, shelf: &Shelf, examined: &Examined) -> Vec<Finding> {
        let roots = Roots::of(self.store.disk(), &shelf.folder);
        let mut found = used(&shelf.key, examined, &roots, &self.evidence, self.rules);
        if shelf.kind == ShelfKind::Project {
            let own;
            let folders = match self.of {
                Of::All => self.folders.get_or_init(|| {
                    let kept = identity::kept(self.writer);
                    self.store.project_folders(&kept, &|| self.is_over())
                }),
                Of::Some => {
                    let kept = identity::kept(self.writer);
                    own = self
                        .store
                        .project_folder(&shelf.key, &kept, &|| self.is_over());
                    &own
                }
            };
            found.extend(self.store.findings_of_folder(folders, shelf, self.rules));
            in_order(&mut found);
        }
        found
    }

    /// Whether the search for projects that moved is to end.
    fn is_over(&self) -> bool {
        let limit = Duration::from_millis(SEEK_MILLISECONDS);
        self.stop.load(Ordering::Relaxed) || self.began.elapsed() > limit
    }
}

#[cfg(test)]
#[path = "told_tests.rs"]
mod tests;

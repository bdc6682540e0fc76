//! What sessions tell of memories, for the Health view: read on a thread of its own when what the folders
//! themselves tell is there already, so that this never waits for it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, mpsc};
use std::thread;

use tokio::sync::mpsc::UnboundedSender;

use super::sessions::list::read_digests;
use crate::agents::claude::Claude;
use crate::agents::{Shelf, ShelfKind};
use crate::app::message::Message;
use crate::base::clock::Clock;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::limits::EXPIRING_DAYS;
use crate::health::{Code, Evidence, Examined, Finding, Rules, Stay, expiring, in_order, used};
use crate::project::known::Known;
use crate::store::Store;
use crate::transcript::course::Course;
use crate::transcript::found::transcripts;
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
                ask(&store, &writer, &rules, &AtomicBool::new(false), |told| {
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

/// Whether any code that sessions tell of is wanted.
pub(super) fn is_wanted(rules: &Rules) -> bool {
    let mut codes = Code::BY_SESSIONS.iter();
    codes.any(|code| rules.severity(*code, code.severity()).is_some())
}

/// What all sessions tell.
pub(super) struct Told<'a> {
    store: &'a Claude,
    rules: &'a Rules,
    evidence: Evidence<'a>,
    /// When a session of a project was written to last, by its key.
    newest: HashMap<&'a str, Moment>,
    known: OnceCell<Known>,
}

/// Reads what all sessions tell, for `then`.
pub(super) fn ask(
    store: &Claude,
    writer: &Store,
    rules: &Rules,
    stop: &AtomicBool,
    then: impl FnOnce(&Told<'_>),
) {
    let course = Course::new(stop, &|_, _| {});
    let digests = read_digests(store, writer, Some(&course));
    let uses = Uses::of(&digests);
    let own = transcripts(&Disk::system(), &writer.own_file("sessions"));
    let own: Vec<String> = own.found.into_iter().map(|one| one.session).collect();
    let mut newest: HashMap<&str, Moment> = HashMap::new();
    for one in digests.all.iter().filter(|one| !one.found.is_agent) {
        if let Some(modified) = one.found.modified {
            let last = newest.entry(&one.found.project).or_insert(modified);
            *last = modified.max(*last);
        }
    }
    then(&Told {
        store,
        rules,
        evidence: Evidence::of(&digests, &uses, &own, store.transcript_days(), store.now()),
        newest,
        known: OnceCell::new(),
    });
}

impl Told<'_> {
    /// What is found of a shelf by them.
    pub(super) fn findings(&self, shelf: &Shelf, examined: &Examined) -> Vec<Finding> {
        let roots = Roots::of(self.store.disk(), &shelf.folder);
        let mut found = used(&shelf.key, examined, &roots, &self.evidence, self.rules);
        if shelf.kind == ShelfKind::Project && self.goes_soon(&shelf.key) {
            found.extend(self.expiring(&shelf.key));
            in_order(&mut found);
        }
        found
    }

    /// Whether the newest session of a project goes soon: else nothing is to be told of all of them.
    fn goes_soon(&self, key: &str) -> bool {
        let days =
            |newest: &Moment| self.evidence.keep_days - newest.days_before(self.evidence.now);
        let newest = self.newest.get(key);
        newest.is_some_and(|newest| days(newest) <= EXPIRING_DAYS)
    }

    fn expiring(&self, key: &str) -> Vec<Finding> {
        let Some(project) = self.store.project(key) else {
            return Vec::new();
        };
        let known = self.known.get_or_init(|| {
            let (history, own) = (self.store.history_file(), self.store.claude_json());
            Known::read(self.store.disk(), &history, &own)
        });
        let path = project.path.as_deref();
        let stay = Stay {
            keep_days: self.evidence.keep_days,
            now: self.evidence.now,
            is_told: path.is_some_and(|path| known.told().any(|told| told == path)),
        };
        expiring(&project, stay, self.rules)
    }
}

#[cfg(test)]
#[path = "told_tests.rs"]
mod tests;

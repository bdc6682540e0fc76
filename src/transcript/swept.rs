//! What is kept of transcripts that are gone: the sums of their days, and which files they touched. So
//! both outlive the client's clean-up. It says since when they are complete.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};

use super::bills::Bill;
use super::kept::KeptFile;
use super::message::Usage;
use super::touch::Touch;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::limits::{SWEPT_BYTES, TOUCH_DAYS};
use crate::store::{self, Store};

/// The file, in our folder for the config home.
pub const FILE: &str = "swept.json";

const VERSION: u32 = 1;

/// What is kept of transcripts that are gone.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swept {
    v: u32,
    /// The day (`YYYY-MM-DD`, in UTC) on which all transcripts were looked at last.
    seen: String,
    /// The first day of which all is known: what is older may have been gone before anybody looked.
    pub since: String,
    pub rows: Vec<Row>,
    pub touches: Vec<SweptTouch>,
}

/// What a transcript that is gone cost on one day with one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// The key of its project, its path below that one's folder, and the session of its lines.
    pub project: String,
    file: String,
    pub session: String,
    /// `YYYY-MM-DD`, in UTC.
    pub day: String,
    pub model: String,
    pub messages: u64,
    #[serde(flatten)]
    pub usage: Usage,
}

/// A touch of a transcript that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptTouch {
    pub project: String,
    file: String,
    pub session: String,
    #[serde(flatten)]
    pub touch: Touch,
}

/// A transcript that was kept and is not there any more.
#[derive(Debug)]
pub struct Gone {
    pub project: String,
    pub kept: KeptFile,
}

/// What there is now.
pub struct Living<'a> {
    /// Paths of transcripts below their projects' folders.
    pub files: HashSet<&'a str>,
    /// The keys of their bills.
    pub bills: HashSet<u64>,
    pub keep_days: i64,
    pub now: Moment,
}

impl Swept {
    /// What is known where nothing is kept.
    #[must_use]
    pub fn nothing(keep_days: i64, now: Moment) -> Self {
        let mut swept = Self::default();
        swept.look(keep_days, now);
        swept
    }

    /// What is kept; what is none of ours is empty.
    #[must_use]
    pub fn kept(store: &Store) -> Self {
        let (disk, path) = (Disk::system(), store.own_file(FILE));
        let small = disk
            .metadata(&path)
            .is_ok_and(|data| data.len() <= SWEPT_BYTES);
        let bytes = disk.read(&path).ok().filter(|_| small);
        Self::of(&bytes.unwrap_or_default())
    }

    fn of(bytes: &[u8]) -> Self {
        let read = serde_json::from_slice::<Self>(bytes).ok();
        read.filter(|swept| swept.v == VERSION).unwrap_or_default()
    }

    /// How many transcripts the sums are of.
    #[must_use]
    pub fn files(&self) -> usize {
        let files: HashSet<&str> = self.rows.iter().map(|row| row.file.as_str()).collect();
        files.len()
    }

    /// Takes in what is gone, and keeps it. Doing it twice does no more than once.
    ///
    /// # Errors
    /// `Busy`, or what the system refuses: it has to be done another time.
    pub fn keep(store: &Store, gone: &[Gone], living: &Living<'_>) -> store::Result<()> {
        store.revise_own(FILE, |bytes| {
            let before = Self::of(bytes);
            let mut after = before.clone();
            after.take(gone, living);
            (after != before)
                .then(|| serde_json::to_vec(&after).expect("texts and numbers are all JSON needs"))
        })
    }

    /// Takes in what is gone. What a living transcript says too, as a fork does, stays with that one; what
    /// lives again, as after a restore, goes from here.
    pub fn take(&mut self, gone: &[Gone], living: &Living<'_>) {
        self.look(living.keep_days, living.now);
        let again: HashSet<&str> = gone.iter().map(|gone| gone.kept.name.as_str()).collect();
        let stays = |file: &str| !living.files.contains(file) && !again.contains(file);
        self.rows.retain(|row| stays(&row.file));
        let oldest = living.now.seconds.saturating_sub(TOUCH_DAYS * 86_400);
        let oldest = Moment::from_seconds(oldest).rfc3339();
        self.touches
            .retain(|touch| stays(&touch.file) && touch.touch.time >= oldest);
        let mut seen = HashSet::new();
        for one in gone {
            self.take_one(one, living, &mut seen);
        }
    }

    fn take_one(&mut self, gone: &Gone, living: &Living<'_>, seen: &mut HashSet<u64>) {
        let Gone { project, kept } = gone;
        let own = kept.name.strip_suffix(".jsonl").unwrap_or(&kept.name);
        let own = own.split('/').next().unwrap_or(own);
        let bills = &kept.digest.bills;
        let mut rows: BTreeMap<(&str, &str, &str), Row> = BTreeMap::new();
        let mut is_new = |bill: &&Bill| {
            bill.key == 0 || !living.bills.contains(&bill.key) && seen.insert(bill.key)
        };
        for bill in bills.all().iter().filter(|bill| is_new(bill)) {
            let session = match bills.session(bill) {
                "" => own,
                said => said,
            };
            let (day, model) = (bills.day(bill), bills.model(bill));
            let row = rows.entry((session, day, model)).or_insert_with(|| Row {
                project: project.clone(),
                file: kept.name.clone(),
                session: session.to_string(),
                day: day.to_string(),
                model: model.to_string(),
                messages: 0,
                usage: Usage::default(),
            });
            row.messages += 1;
            row.usage.add(&bill.usage);
        }
        self.rows.extend(rows.into_values());
        let touches = kept.digest.touches.iter().map(|touch| SweptTouch {
            project: project.clone(),
            file: kept.name.clone(),
            session: own.to_string(),
            touch: touch.clone(),
        });
        self.touches.extend(touches);
    }

    /// All transcripts are looked at now. The clean-up takes what was not written to for so many days: all
    /// of these days is there still, and what came before is known if the last look was no longer ago.
    fn look(&mut self, keep_days: i64, now: Moment) {
        let reaches = now
            .seconds
            .saturating_sub(keep_days.clamp(0, MOST_DAYS) * 86_400);
        let reaches = Moment::from_seconds(reaches).date();
        if self.v != VERSION || self.seen < reaches {
            self.since = reaches;
        }
        self.v = VERSION;
        self.seen = self.seen.clone().max(now.date());
    }
}

/// Days that are counted back at most.
const MOST_DAYS: i64 = 36_500;

#[cfg(test)]
#[path = "swept_tests.rs"]
mod tests;

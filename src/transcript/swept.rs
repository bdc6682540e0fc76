//! What is kept of transcripts that are gone, or were written anew with less in them: their bills, message
//! by message, and which files they touched. So both outlive the client's clean-up, and what comes back is
//! counted once. It says since when they are complete.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use super::bills::{Bill, Bills, best};
use super::kept::KeptFile;
use super::message::Usage;
use super::touch::Touch;
use crate::base::time::Moment;
use crate::config::limits::TOUCH_DAYS;

/// Another number is another form of the file. That of 1 is read still.
pub(super) const VERSION: u32 = 2;

/// What is kept of transcripts that are gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Swept {
    pub(super) v: u32,
    /// The day (`YYYY-MM-DD`, in UTC) on which all transcripts were looked at last.
    pub(super) seen: String,
    /// The first day of which all is known: what is older may have been gone before anybody looked.
    pub since: String,
    /// The day on which all that was kept was lost, if it was: before it nothing is known for good.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) anew: String,
    pub files: Vec<SweptFile>,
}

/// What is kept of one transcript. What another one, living or gone, says too may be in it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptFile {
    /// The key of its project, its path below that one's folder, and the session that wrote it.
    pub project: String,
    pub(super) file: String,
    pub session: String,
    /// The time of its last line, RFC 3339; empty where it is not known.
    pub(super) last: String,
    #[serde(default)]
    pub bills: Bills,
    /// Sums of bills for which there is no room any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub touches: Vec<Touch>,
}

/// What a transcript that is gone cost on one day with one model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    pub session: String,
    /// `YYYY-MM-DD`, in UTC.
    pub day: String,
    pub model: String,
    pub messages: u64,
    #[serde(flatten)]
    pub usage: Usage,
}

/// A transcript that was kept and is not there any more, or not as it was.
#[derive(Debug)]
pub struct Gone {
    pub project: String,
    pub kept: KeptFile,
}

/// A look at transcripts.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// Whether all were looked at.
    pub is_whole: bool,
    /// Whether what was kept of some is lost: those of them that have gone since are not known.
    pub is_lossy: bool,
    /// Days that the client keeps a transcript.
    pub keep_days: i64,
    pub now: Moment,
}

impl Default for Swept {
    fn default() -> Self {
        Self {
            v: VERSION,
            seen: String::new(),
            since: String::new(),
            anew: String::new(),
            files: Vec::new(),
        }
    }
}

impl Swept {
    /// What is known where nothing is kept.
    #[must_use]
    pub fn nothing(keep_days: i64, now: Moment) -> Self {
        let mut swept = Self::default();
        swept.look(keep_days, now);
        swept
    }

    /// What is known where all that was kept is lost: nothing of what came before today.
    #[must_use]
    pub fn lost(now: Moment) -> Self {
        let today = of_calendar(now).date();
        Self {
            seen: today.clone(),
            since: today.clone(),
            anew: today,
            ..Self::default()
        }
    }

    /// Takes in what is gone; whether anything is new by it. Doing it twice does no more than once.
    pub fn take(&mut self, gone: &[Gone], look: &Look) -> bool {
        if look.is_lossy {
            self.seen.clear();
        }
        let mut is_new = look.is_whole && self.look(look.keep_days, look.now) || look.is_lossy;
        if gone.is_empty() {
            return is_new;
        }
        let key = |file: &SweptFile| (file.project.clone(), file.file.clone());
        let places = self.files.iter().enumerate();
        let mut places: HashMap<_, _> = places.map(|(at, file)| (key(file), at)).collect();
        for Gone { project, kept } in gone {
            let key = (project.clone(), kept.name.clone());
            let at = *places.entry(key).or_insert_with(|| {
                self.files.push(SweptFile::new(project, &kept.name));
                self.files.len() - 1
            });
            is_new |= self.files[at].take(kept);
        }
        if is_new {
            self.drop_old_touches(look.now);
            self.files.retain(|file| !file.is_empty());
        }
        is_new
    }

    /// The age of a touch is told by the newest one that is not still to come: neither a clock that is wrong
    /// takes any along, nor a line with a time that is.
    fn drop_old_touches(&mut self, now: Moment) {
        let time = |touch: &Touch| Moment::parse(&touch.time);
        let all = self.files.iter().flat_map(|file| &file.touches);
        let past = all.filter_map(time).filter(|time| *time <= now);
        let Some(newest) = past.max() else {
            return;
        };
        let oldest = newest.seconds.saturating_sub(TOUCH_DAYS * 86_400);
        for file in &mut self.files {
            file.touches
                .retain(|touch| time(touch).is_some_and(|time| time.seconds >= oldest));
        }
    }

    /// All transcripts are looked at now; whether that says anything new. The clean-up takes what was not
    /// written to for so many days: all of these days is there still, and what came before is known if the
    /// last look was no longer ago. A look after today is not believed.
    pub(super) fn look(&mut self, keep_days: i64, now: Moment) -> bool {
        let back = keep_days.clamp(0, MOST_DAYS) * 86_400;
        let reaches = now.seconds.saturating_sub(back);
        let reaches = of_calendar(Moment::from_seconds(reaches)).date();
        let today = of_calendar(now).date();
        let (seen, since) = (Moment::of_date(&self.seen), Moment::of_date(&self.since));
        let (reached, now) = (Moment::of_date(&reaches), Moment::of_date(&today));
        // What was lost on a day does not come back, whatever the clock says meanwhile.
        let anew = Moment::of_date(&self.anew);
        let is_known = since.is_some()
            && since <= seen
            && seen <= now
            && seen >= reached
            && (since >= anew || anew > now);
        let is_new = !is_known || self.seen != today;
        if !is_known {
            // The clock went back: of what was known no more is known by that.
            let stays = since.filter(|since| seen > now && Some(*since) <= now);
            let begins = [reached, anew, stays].into_iter().flatten().max();
            self.since = match begins {
                Some(begins) if Some(begins) <= now => begins.date(),
                Some(_) | None => today.clone(),
            };
        }
        self.seen = today;
        is_new
    }

    /// Puts sums in the place of bills, those of the oldest transcripts first, until it takes no more than
    /// so many bytes. A bill of which another transcript tells too goes: `living` are those of the living. One
    /// that says more than that of the living stays as it is.
    pub(super) fn fit(&mut self, most: usize, living: &HashMap<u64, Usage>) {
        let bytes = |file: &SweptFile| serde_json::to_vec(file).map_or(0, |text| text.len() + 1);
        let mut sizes: Vec<usize> = self.files.iter().map(bytes).collect();
        let mut all: usize = sizes.iter().sum();
        if all <= most {
            return;
        }
        // Room for some time, so that not each sweep has to make some.
        let most = most / 4 * 3;
        let most_said = best(self.files.iter().map(|file| &file.bills));
        for file in &mut self.files {
            file.bills.raise(&most_said);
        }
        let mut elsewhere: HashMap<u64, usize> = HashMap::new();
        for bill in self.files.iter().flat_map(|file| file.bills.all()) {
            *elsewhere.entry(bill.key).or_default() += 1;
        }
        let mut order: Vec<usize> = (0..self.files.len()).collect();
        order.sort_by_key(|at| Moment::parse(&self.files[*at].last));
        for at in order {
            if all <= most {
                break;
            }
            let file = &mut self.files[at];
            file.condense(|bill| {
                let others = elsewhere.entry(bill.key).or_default();
                *others = others.saturating_sub(1);
                match living.get(&bill.key) {
                    _ if bill.key == 0 => Becomes::Sum,
                    _ if *others > 0 => Becomes::Nothing,
                    None => Becomes::Sum,
                    Some(living) if bill.usage.says_more_than(living) => Becomes::Itself,
                    Some(_) => Becomes::Nothing,
                }
            });
            all -= sizes[at];
            sizes[at] = bytes(file);
            all += sizes[at];
        }
        self.files.retain(|file| !file.is_empty());
    }
}

impl SweptFile {
    pub(super) fn new(project: &str, file: &str) -> Self {
        let session = file.strip_suffix(".jsonl").unwrap_or(file);
        let session = session.split('/').find(|part| !part.is_empty());
        Self {
            project: project.to_string(),
            file: file.to_string(),
            session: session.unwrap_or_default().to_string(),
            ..Self::default()
        }
    }

    fn is_empty(&self) -> bool {
        self.bills.all().is_empty() && self.rows.is_empty() && self.touches.is_empty()
    }

    fn take(&mut self, kept: &KeptFile) -> bool {
        let digest = &kept.digest;
        let mut is_new = self.bills.merge(&digest.bills);
        let mut known: HashSet<Touch> = self.touches.iter().cloned().collect();
        for touch in &digest.touches {
            if known.insert(touch.clone()) {
                self.touches.push(touch.clone());
                is_new = true;
            }
        }
        let last = digest.last.clone().unwrap_or_default();
        if Moment::parse(&last) > Moment::parse(&self.last) {
            self.last = last;
            is_new = true;
        }
        is_new
    }

    /// Puts sums in the place of bills.
    fn condense(&mut self, mut becomes: impl FnMut(&Bill) -> Becomes) {
        let mut bills = std::mem::take(&mut self.bills);
        let mut rows: BTreeMap<(String, String, String), Row> = BTreeMap::new();
        let old = std::mem::take(&mut self.rows);
        let mut counted = Vec::new();
        bills.retain(|bill| match becomes(bill) {
            Becomes::Itself => true,
            Becomes::Nothing => false,
            Becomes::Sum => {
                counted.push(*bill);
                false
            }
        });
        let new = counted.iter();
        let new = new.map(|bill| Row {
            session: match bills.session(bill) {
                "" => self.session.clone(),
                said => said.to_string(),
            },
            day: bills.day(bill).to_string(),
            model: bills.model(bill).to_string(),
            messages: 1,
            usage: bill.usage,
        });
        for row in old.into_iter().chain(new) {
            let key = (row.session.clone(), row.day.clone(), row.model.clone());
            match rows.get_mut(&key) {
                None => drop(rows.insert(key, row)),
                Some(sum) => {
                    sum.messages += row.messages;
                    sum.usage.add(&row.usage);
                }
            }
        }
        self.rows = rows.into_values().collect();
        if !bills.all().is_empty() {
            self.bills = bills;
        }
    }
}

/// What becomes of a bill for which there is no room.
enum Becomes {
    Itself,
    Sum,
    Nothing,
}

/// Days that are counted back at most.
const MOST_DAYS: i64 = 36_500;

/// The first and the last second of the years 1 to 9998: the others have no date that can be read again.
const CALENDAR: (i64, i64) = (-62_135_596_800, 253_370_764_799);

/// A moment as one that has a date.
fn of_calendar(moment: Moment) -> Moment {
    Moment::from_seconds(moment.seconds.clamp(CALENDAR.0, CALENDAR.1))
}

#[cfg(test)]
#[path = "swept_tests.rs"]
mod tests;

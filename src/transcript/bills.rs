//! The bills of one transcript: each API message once, though its bill is repeated on several lines. They
//! can be written as one text and read again, and more can be added to them.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;

use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use super::entry::{Entry, Kind};
use super::message::Usage;
use crate::base::json::reader::Text;
use crate::base::time::Moment;

/// The bill of one API message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bill {
    /// Of its message and its request, else of its line; 0 where neither has an id or a time, and nobody
    /// can tell it apart.
    pub key: u64,
    pub usage: Usage,
    /// `YYYY-MM-DD`, in UTC.
    day: usize,
    session: usize,
    model: usize,
}

/// What a bill says, but for its key: usage, day, session, model.
type Said<'a> = (Usage, &'a str, &'a str, &'a str);

/// The bills of one transcript: of the lines of a message the one that says most counts, and the last of those.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Written")]
pub struct Bills {
    list: Vec<Bill>,
    /// Days, sessions and models. The first is empty.
    names: Vec<String>,
    /// Messages that say what they used in a way that can't be read whole.
    pub unread: u64,
}

/// Where the bill of a message stands among those of its transcript, and each name.
pub struct Places {
    bills: HashMap<u64, usize>,
    names: HashMap<String, usize>,
    /// Messages of which it is known that their usage can't be read.
    unread: HashSet<u64>,
}

impl Bills {
    /// Where each bill stands: what [`Bills::add`] asks.
    #[must_use]
    pub fn places(&self) -> Places {
        let named = self
            .list
            .iter()
            .enumerate()
            .filter(|(_, bill)| bill.key != 0);
        let names = self.names.iter().enumerate();
        Places {
            bills: named.map(|(at, bill)| (bill.key, at)).collect(),
            names: names.map(|(at, name)| (name.clone(), at)).collect(),
            unread: HashSet::new(),
        }
    }

    #[must_use]
    pub fn all(&self) -> &[Bill] {
        &self.list
    }

    #[must_use]
    pub fn day(&self, bill: &Bill) -> &str {
        &self.names[bill.day]
    }

    /// The session that its line names; empty where it names none.
    #[must_use]
    pub fn session(&self, bill: &Bill) -> &str {
        &self.names[bill.session]
    }

    #[must_use]
    pub fn model(&self, bill: &Bill) -> &str {
        &self.names[bill.model]
    }

    /// Takes the bill of a line, if it has one. Whether it is that of a message not met before.
    pub fn add(&mut self, entry: &Entry<'_>, places: &mut Places) -> bool {
        let message = &entry.message;
        if entry.kind != Kind::Assistant {
            return false;
        }
        let usage = message.usage.unwrap_or_default();
        let key = match (message.id, entry.uuid, entry.time) {
            (Some(id), _, _) => key(id.raw, entry.request.map_or(b"", |text| text.raw)),
            (None, Some(line), _) => key(b"line", line.raw),
            (None, None, Some(time)) => key(format!("at {usage:?}").as_bytes(), time.raw),
            (None, None, None) => 0,
        };
        if message.is_usage_unread && (key == 0 || places.unread.insert(key)) {
            self.unread += 1;
        }
        // What the client wrote itself, as for a failed call, was never billed.
        if usage == Usage::default() {
            return false;
        }
        let time = entry.time.map(Text::read);
        let day = time.as_deref().and_then(Moment::date_of);
        let last = self.list.last().copied();
        let names = &mut places.names;
        let bill = Bill {
            key,
            usage,
            day: self.name(&day.unwrap_or_default(), last.map(|bill| bill.day), names),
            session: self.name(
                &entry.session.map(Text::read).unwrap_or_default(),
                last.map(|bill| bill.session),
                names,
            ),
            model: self.name(
                &message.model.map(Text::read).unwrap_or_default(),
                last.map(|bill| bill.model),
                names,
            ),
        };
        let known = (bill.key != 0)
            .then(|| places.bills.get(&bill.key).copied())
            .flatten();
        match known {
            Some(at) if self.list[at].usage.says_more_than(&usage) => {}
            Some(at) => self.list[at] = bill,
            None => {
                if bill.key != 0 {
                    places.bills.insert(bill.key, self.list.len());
                }
                self.list.push(bill);
            }
        }
        known.is_none()
    }

    /// Takes the bills of another time of the transcript; whether anything is new by it. Of two bills of one
    /// message that which says more stays.
    pub fn merge(&mut self, other: &Self) -> bool {
        let mut places = self.places();
        let mut unnamed: Vec<Bill> = self.list.clone();
        unnamed.retain(|bill| bill.key == 0);
        let mut is_new = other.unread > self.unread;
        self.unread = self.unread.max(other.unread);
        for bill in &other.list {
            let bill = Bill {
                day: self.name(other.day(bill), None, &mut places.names),
                session: self.name(other.session(bill), None, &mut places.names),
                model: self.name(other.model(bill), None, &mut places.names),
                ..*bill
            };
            if bill.key == 0 {
                match unnamed.iter().position(|known| *known == bill) {
                    Some(at) => drop(unnamed.swap_remove(at)),
                    None => {
                        self.list.push(bill);
                        is_new = true;
                    }
                }
                continue;
            }
            match places.bills.get(&bill.key) {
                Some(at) if !bill.usage.says_more_than(&self.list[*at].usage) => {}
                Some(at) => {
                    self.list[*at] = bill;
                    is_new = true;
                }
                None => {
                    places.bills.insert(bill.key, self.list.len());
                    self.list.push(bill);
                    is_new = true;
                }
            }
        }
        is_new
    }

    /// Leaves only these bills.
    pub fn retain(&mut self, keep: impl FnMut(&Bill) -> bool) {
        self.list.retain(keep);
    }

    /// Gives each message the bill of it that says most.
    pub fn raise(&mut self, best: &HashMap<u64, Usage>) {
        for bill in &mut self.list {
            if let Some(usage) = best.get(&bill.key) {
                bill.usage = *usage;
            }
        }
    }

    /// Leaves only the bills that another list does not have, or of which it says less.
    pub fn keep_new_to(&mut self, other: &Self) {
        let places = other.places();
        let unnamed = other.list.iter().filter(|bill| bill.key == 0);
        let mut unnamed: Vec<Said<'_>> = unnamed.map(|bill| other.said(bill)).collect();
        let mut list = std::mem::take(&mut self.list);
        list.retain(|bill| match bill.key {
            0 => match unnamed.iter().position(|said| *said == self.said(bill)) {
                Some(at) => {
                    unnamed.swap_remove(at);
                    false
                }
                None => true,
            },
            key => places
                .bills
                .get(&key)
                .is_none_or(|at| bill.usage.says_more_than(&other.list[*at].usage)),
        });
        self.list = list;
        self.unread = self.unread.saturating_sub(other.unread);
    }

    fn said(&self, bill: &Bill) -> Said<'_> {
        let names = (self.day(bill), self.session(bill), self.model(bill));
        (bill.usage, names.0, names.1, names.2)
    }

    /// The number of a name. `last`: that of the bill before, which mostly says the same.
    fn name(
        &mut self,
        text: &str,
        last: Option<usize>,
        known: &mut HashMap<String, usize>,
    ) -> usize {
        if self.names.is_empty() {
            self.names.push(String::new());
            known.insert(String::new(), 0);
        }
        if let Some(last) = last
            && self.names[last] == text
        {
            return last;
        }
        if let Some(at) = known.get(text) {
            return *at;
        }
        let at = self.names.len();
        self.names.push(text.to_string());
        known.insert(text.to_string(), at);
        at
    }
}

/// The bill of each message that says most.
#[must_use]
pub fn best<'a>(lists: impl Iterator<Item = &'a Bills>) -> HashMap<u64, Usage> {
    let mut best: HashMap<u64, Usage> = HashMap::new();
    for bill in lists.flat_map(Bills::all).filter(|bill| bill.key != 0) {
        let known = best.entry(bill.key).or_insert(bill.usage);
        if bill.usage.says_more_than(known) {
            *known = bill.usage;
        }
    }
    best
}

/// What tells a message apart for good: the same in every version, for it is kept.
fn key(id: &[u8], request: &[u8]) -> u64 {
    let mut hasher = Sha256::new();
    hasher.update(id);
    hasher.update(b"\n");
    hasher.update(request);
    let hash = hasher.finalize();
    let first = hash.first_chunk().copied().unwrap_or_default();
    u64::from_be_bytes(first).max(1)
}

/// As they are kept: `list` holds a bill between semicolons, numbers between blanks, the key in
/// hexadecimal.
#[derive(Serialize, Deserialize)]
struct Written<'a> {
    names: Cow<'a, [String]>,
    list: String,
    #[serde(default, skip_serializing_if = "is_none")]
    unread: u64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as it is asked for")]
fn is_none(count: &u64) -> bool {
    *count == 0
}

impl Serialize for Bills {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut list = String::with_capacity(self.list.len() * 48);
        for bill in &self.list {
            let usage = &bill.usage;
            let _ = write!(
                list,
                "{:x} {} {} {} {} {} {} {} {};",
                bill.key,
                usage.input,
                usage.output,
                usage.cache_read,
                usage.cache_creation,
                usage.cache_creation_1h,
                bill.day,
                bill.session,
                bill.model
            );
        }
        let names = Cow::Borrowed(&self.names[..]);
        let unread = self.unread;
        Written {
            names,
            list,
            unread,
        }
        .serialize(to)
    }
}

impl TryFrom<Written<'_>> for Bills {
    type Error = &'static str;

    fn try_from(written: Written<'_>) -> Result<Self, Self::Error> {
        let rows = written.list.split_terminator(';');
        let names = written.names.len();
        let list: Option<Vec<Bill>> = rows.map(|row| read(row, names)).collect();
        Ok(Self {
            list: list.ok_or("no list of bills")?,
            names: written.names.into_owned(),
            unread: written.unread,
        })
    }
}

fn read(row: &str, names: usize) -> Option<Bill> {
    let mut parts = row.split(' ');
    let key = u64::from_str_radix(parts.next()?, 16).ok()?;
    let mut number = || parts.next()?.parse::<u64>().ok();
    let usage = Usage {
        input: number()?,
        output: number()?,
        cache_read: number()?,
        cache_creation: number()?,
        cache_creation_1h: number()?,
    };
    let mut name = || {
        let at = usize::try_from(number()?).ok()?;
        (at < names).then_some(at)
    };
    Some(Bill {
        key,
        usage,
        day: name()?,
        session: name()?,
        model: name()?,
    })
}

#[cfg(test)]
#[path = "bills_tests.rs"]
mod tests;

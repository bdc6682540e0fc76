//! From one hit of a search to the next in a session that is read: what holds the words is unfolded, and the
//! cursor goes to the line. Which item holds them is told as the search does: all words in one of its texts.

use std::ops::Range;

use super::SessionReading;
use crate::app::session_rows::{self, Fold, Key, Row};
use crate::memory::search::marks;
use crate::transcript::conversation::{Item, Said, Side};

/// What came of a step to the next hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Done,
    /// It has to be looked for in the file: from this byte on, or before it.
    Beyond(u64),
}

/// The line that tells of an item in a search: that of a tool's result, where there is one.
fn line(item: &Item) -> u64 {
    let result = match &item.said {
        Said::Tool(tool) => tool.result.as_ref(),
        _ => None,
    };
    result.map_or(item.at, |result| result.at)
}

impl SessionReading {
    fn items(&self) -> Vec<&Item> {
        self.pages.iter().flat_map(|page| &page.items).collect()
    }

    /// Whether all words of the search stand in what is held of an item.
    fn holds(&self, item: &Item) -> bool {
        let Some((_, query)) = &self.query else {
            return false;
        };
        let key = session_rows::key(item);
        let pieces = item.pieces().into_iter().enumerate().map(|(at, piece)| {
            let whole = self.whole.get(&(key, at));
            whole.unwrap_or(&piece.text).as_str()
        });
        let named: Vec<&str> = match &item.said {
            Said::Tool(tool) => vec![&tool.about],
            Said::Files { paths, .. } => paths.iter().map(String::as_str).collect(),
            _ => Vec::new(),
        };
        query.stands_in(pieces.chain(named))
    }

    /// The rows of an item.
    fn rows_of(&self, key: Key) -> Range<usize> {
        let first = self.rows.iter().position(|row| row.key == key);
        let first = first.unwrap_or(self.rows.len());
        let own = self.rows[first..].iter().take_while(|row| row.key == key);
        first..first + own.count()
    }

    /// The rows of an item at which a step stops: those that hold all words, else those that hold one, else
    /// those at whose end one is broken off.
    fn stops(&self, key: Key) -> Vec<usize> {
        let Some((_, query)) = &self.query else {
            return Vec::new();
        };
        let own = self.rows_of(key);
        let those = |is_one: &dyn Fn(usize) -> bool| -> Vec<usize> {
            own.clone().filter(|at| is_one(*at)).collect()
        };
        let text = |at: usize| &*self.rows[at].text;
        let all = those(&|at| query.stands_in([text(at)].into_iter()));
        if !all.is_empty() {
            return all;
        }
        let some = those(&|at| !marks(query, text(at)).is_empty());
        if !some.is_empty() {
            return some;
        }
        those(&|at| {
            let next = self.rows.get(at + 1).filter(|next| next.key == key);
            next.is_some_and(|next| !marks(query, &format!("{}{}", text(at), next.text)).is_empty())
        })
    }

    /// Unfolds the group in which an item is folded away.
    fn reveal(&mut self, at: usize) {
        let items = self.items();
        let side = items[at].side;
        let before = items[..at].iter().rev();
        let first = at - before.take_while(|item| item.side == side).count();
        let group = (items[first].at, usize::MAX);
        if side != Side::Main && self.open.insert(group) {
            self.make();
        }
    }

    /// Unfolds an item where a text in it holds a hit; `false`: it does not fold, or is unfolded.
    fn unfold(&mut self, key: Key) -> bool {
        let is_closed = |row: &Row| row.key == key && row.fold == Fold::Closed;
        let closes = self.rows.iter().any(is_closed);
        if closes {
            self.open.insert(key);
            self.make();
        }
        closes
    }

    /// Goes to the first hit of an item that is unfolded, or its last; where none is laid out to its first row.
    pub(super) fn land(&mut self, key: Key, last: bool) {
        let stops = self.stops(key);
        let own = self.rows_of(key);
        let stop = if last { stops.last() } else { stops.first() };
        if own.is_empty() {
            return;
        }
        let row = stop.copied().unwrap_or(own.start);
        self.list.go(row, self.rows.len());
        self.list.offset = row.saturating_sub(self.height / 3);
    }

    /// Goes to an item that holds a hit, by its number among those that are held.
    fn go_to_holder(&mut self, at: usize, last: bool) {
        self.reveal(at);
        let item = self.items()[at].clone();
        let key = session_rows::key(&item);
        self.unfold(key);
        self.from_below = last;
        let has_more = !self.unread(&item).is_empty();
        self.sought = (has_more && !self.holds(&item)).then_some(key);
        self.land(key, last);
    }

    /// What of the texts of the item that is gone to is to be read, since the hit stands in it.
    #[must_use]
    pub fn lacks_texts(&self) -> Vec<Range<u64>> {
        let item = self.item().filter(|_| self.texts.is_none());
        let item = item.filter(|item| self.sought == Some(session_rows::key(item)));
        item.map_or_else(Vec::new, |item| self.unread(item))
    }

    /// Goes to the line that begins at a byte, if it is held, and in it to what was looked for; `false`: it is
    /// not held.
    pub fn go_to(&mut self, at: u64) -> bool {
        let items = self.items();
        let is_there = |item: &&Item| item.at == at || line(item) == at;
        let holder = items.iter().position(|it| is_there(it) && self.holds(it));
        // A tool's result is found by its own line; what stands on none of the lines by the next.
        let own = || items.iter().position(|it| line(it) == at);
        let use_of = || items.iter().position(|it| it.at >= at);
        let Some(found) = holder.or_else(own).or_else(use_of) else {
            return false;
        };
        if self.query.is_some() {
            self.go_to_holder(found, self.from_below);
            return true;
        }
        let key = session_rows::key(items[found]);
        self.reveal(found);
        let rows = self.rows_of(key);
        if rows.is_empty() {
            // What has no row of its own: the next that has one.
            let next =
                |row: &Row| row.key.0 >= at && row.key.0 != u64::MAX && row.key.1 < usize::MAX - 1;
            let Some(row) = self.rows.iter().position(next) else {
                return false;
            };
            self.list.go(row, self.rows.len());
        } else {
            self.list.go(rows.start, self.rows.len());
        }
        self.list.offset = self.list.cursor.saturating_sub(self.height / 3);
        true
    }

    /// Goes to a hit that was found in the file; `false`: it is not held.
    pub fn go_to_hit(&mut self, at: u64, forward: bool) -> bool {
        self.from_below = !forward;
        let is_held = self.held().is_some_and(|held| held.contains(&at));
        is_held && self.go_to(at)
    }

    /// Goes to the next hit, or the one before, among what is held.
    pub fn step_hit(&mut self, forward: bool) -> Step {
        let Some(row) = self.rows.get(self.list.cursor).cloned() else {
            return Step::Beyond(0);
        };
        let (cursor, key) = (self.list.cursor, row.key);
        let items = self.items();
        let here = items.iter().position(|it| session_rows::key(it) == key);
        if let Some(at) = here.filter(|at| self.holds(items[*at])) {
            // What is folded under the cursor is gone into.
            if forward {
                self.unfold(key);
            }
            let stops = self.stops(key);
            let stop = match forward {
                true => stops.into_iter().find(|stop| *stop > cursor),
                false => stops.into_iter().rev().find(|stop| *stop < cursor),
            };
            if let Some(stop) = stop {
                self.list.go(stop, self.rows.len());
                return Step::Done;
            }
            return self.step_from(if forward { at + 1 } else { at }, forward);
        }
        // A row between items: the head of a group, the space above a prompt, an end of what is held.
        let next = match (here, key.0) {
            (Some(at), _) => at + usize::from(forward),
            (None, u64::MAX) if cursor > 0 => items.len(),
            (None, u64::MAX) => 0,
            (None, byte) => {
                let found = items.iter().position(|it| it.at >= byte);
                found.unwrap_or(items.len())
            }
        };
        self.step_from(next, forward)
    }

    /// To the first item from this one on that holds a hit, or the last before it.
    fn step_from(&mut self, next: usize, forward: bool) -> Step {
        let items = self.items();
        let numbers: Vec<usize> = match forward {
            true => (next..items.len()).collect(),
            false => (0..next).rev().collect(),
        };
        for at in numbers {
            if self.holds(items[at]) {
                self.go_to_holder(at, !forward);
                return Step::Done;
            }
            // Whether it holds one only the file tells.
            if !self.unread(items[at]).is_empty() {
                let own = line(items[at]);
                let behind = items.iter().map(|it| it.at).filter(|it| *it > own).min();
                let end = self.held().map_or(own, |held| held.end);
                return Step::Beyond(if forward { own } else { behind.unwrap_or(end) });
            }
        }
        let held = self.held().unwrap_or_default();
        Step::Beyond(if forward { held.end } else { held.start })
    }
}

#[cfg(test)]
#[path = "hits_tests.rs"]
mod tests;

//! A search in all sessions that are listed, and the part of the list that it is.

use std::collections::HashMap;
use std::path::PathBuf;

use super::{SessionRow, SessionsView};
use crate::app::list::List;
use crate::memory::search::Query;
use crate::transcript::search::Hit;

/// Hits that are listed at most.
pub const MOST_HITS: usize = 1_000;

/// Hits of one session that are listed at most: so that one hides no other.
pub const MOST_OF_ONE: usize = 50;

/// A search in all that is listed.
#[derive(Debug, Clone)]
pub struct Search {
    pub id: u64,
    pub words: String,
    pub query: Query,
    /// By session in the order of the list, those of one in the order of its transcript.
    pub hits: Vec<(PathBuf, Hit)>,
    /// Where each transcript stands in the list.
    order: HashMap<PathBuf, usize>,
    /// Hits in all, also those that are not listed.
    pub count: usize,
    /// Bytes that were looked at, and all.
    pub read: u64,
    pub of: u64,
    pub is_running: bool,
}

/// A part of what a search found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SessionHits {
    pub hits: Vec<(PathBuf, Hit)>,
    /// Bytes that were looked at so far, and all.
    pub read: u64,
    pub of: u64,
    pub done: bool,
}

impl SessionsView {
    /// Begins a search; the transcripts that it is in, in the order of the list.
    pub fn begin_search(&mut self, id: u64, words: &str) -> Vec<PathBuf> {
        self.search = None;
        self.build();
        let sessions = self.listed();
        let paths = sessions.iter().filter_map(|at| self.session(*at));
        let paths: Vec<PathBuf> = paths.map(|one| one.path.clone()).collect();
        self.search = Some(Search {
            id,
            words: words.to_string(),
            query: Query::new(words),
            hits: Vec::new(),
            order: paths.iter().cloned().zip(0..).collect(),
            count: 0,
            read: 0,
            of: 0,
            is_running: true,
        });
        self.list = List::default();
        self.build();
        paths
    }

    /// Takes a part of what a search found.
    pub fn take_hits(&mut self, id: u64, found: SessionHits) {
        // From the first row the cursor is not moved: there the first hit stands.
        let chosen = self.chosen().filter(|_| self.list.cursor > 0);
        let chosen = chosen.map(|(one, at)| (one.path.clone(), at));
        let Some(search) = self.search.as_mut().filter(|search| search.id == id) else {
            return;
        };
        search.count += found.hits.len();
        search.hits.extend(found.hits);
        let order = &search.order;
        let place = |path: &PathBuf| order.get(path).copied().unwrap_or(usize::MAX);
        search.hits.sort_by_key(|(path, hit)| (place(path), hit.at));
        let mut of_one = 0;
        let mut last: Option<PathBuf> = None;
        search.hits.retain(|(path, _)| {
            if last.as_ref() == Some(path) {
                of_one += 1;
            } else {
                (last, of_one) = (Some(path.clone()), 1);
            }
            of_one <= MOST_OF_ONE
        });
        search.hits.truncate(MOST_HITS);
        (search.read, search.of) = (found.read, found.of);
        search.is_running = !found.done;
        self.build();
        let is_chosen = |row: &SessionRow| match *row {
            SessionRow::Hit { hit, .. } => {
                let hit = self.search.as_ref().and_then(|search| search.hits.get(hit));
                let hit = hit.map(|(path, hit)| (path.clone(), Some(hit.at)));
                hit.is_some() && hit == chosen
            }
            SessionRow::Session(_) | SessionRow::Agent(_) => false,
        };
        if let Some(at) = self.rows.iter().position(is_chosen) {
            self.list.go(at, self.rows.len());
        }
    }

    /// Ends a search that is running; `false`: none is.
    pub fn stop_search(&mut self) -> bool {
        let running = self.search.as_mut().filter(|search| search.is_running);
        running.is_some_and(|search| {
            search.is_running = false;
            true
        })
    }

    /// Lists the sessions again instead of hits; `false`: they are listed.
    pub fn end_search(&mut self) -> bool {
        let had = self.search.take().is_some();
        if had {
            self.list = List::default();
            self.build();
        }
        had
    }
}

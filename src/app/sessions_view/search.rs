//! A search in all sessions that are listed, and the part of the list that it is.

use std::path::PathBuf;

use super::SessionsView;
use crate::app::list::List;
use crate::memory::search::Query;
use crate::transcript::search::Hit;

/// Hits that are listed at most.
pub const MOST_HITS: usize = 1_000;

/// A search in all that is listed.
#[derive(Debug, Clone)]
pub struct Search {
    pub id: u64,
    pub words: String,
    pub query: Query,
    pub hits: Vec<(PathBuf, Hit)>,
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
        let Some(search) = self.search.as_mut().filter(|search| search.id == id) else {
            return;
        };
        search.count += found.hits.len();
        let room = MOST_HITS.saturating_sub(search.hits.len());
        search.hits.extend(found.hits.into_iter().take(room));
        (search.read, search.of) = (found.read, found.of);
        search.is_running = !found.done;
        self.build();
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

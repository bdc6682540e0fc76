//! The list of sessions as a model: those of the current project or of all, sub-agents below their session,
//! and what a search in them found. Knows nothing of how they are read.

mod read;
mod search;

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::app::list::List;
use crate::memory::search::Query;
use crate::transcript::sessions::Kind;
pub use read::{Rescued, Session, SessionList, TouchAt, UnderWay};
pub use search::{MOST_HITS, MOST_OF_ONE, Search, SessionHits};

/// What sessions are sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SessionSort {
    #[default]
    Used,
    Left,
    Messages,
    Size,
    Title,
}

impl SessionSort {
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            Self::Used => Self::Left,
            Self::Left => Self::Messages,
            Self::Messages => Self::Size,
            Self::Size => Self::Title,
            Self::Title => Self::Used,
        }
    }

    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Used => "last used",
            Self::Left => "days left",
            Self::Messages => "messages",
            Self::Size => "size",
            Self::Title => "title",
        }
    }
}

/// A row of the list. Numbers are positions in what was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SessionRow {
    Session(usize),
    Agent(usize),
    /// A hit of the search, and its session.
    Hit {
        hit: usize,
        session: usize,
    },
}

/// The state of the list.
#[derive(Debug, Clone, Default)]
pub struct SessionsView {
    read: Option<SessionList>,
    rows: Vec<SessionRow>,
    sort: SessionSort,
    filter: String,
    /// How many sub-agents a session has, by its id.
    agents: HashMap<String, usize>,
    /// Sessions whose sub-agents are shown, by path.
    unfolded: BTreeSet<PathBuf>,
    /// All projects, not the current one alone.
    pub all: bool,
    /// The memory key of the current project.
    key: Option<String>,
    pub search: Option<Search>,
    stale: bool,
    awaited: Option<u64>,
    /// How far what is awaited is, once it takes a while.
    way: Option<UnderWay>,
    height: usize,
    pub list: List,
}

impl SessionsView {
    #[must_use]
    pub fn rows(&self) -> &[SessionRow] {
        &self.rows
    }

    #[must_use]
    pub fn read(&self) -> Option<&SessionList> {
        self.read.as_ref()
    }

    #[must_use]
    pub fn session(&self, at: usize) -> Option<&Session> {
        self.read.as_ref()?.sessions.get(at)
    }

    /// The session with this transcript.
    #[must_use]
    pub fn at_path(&self, path: &Path) -> Option<&Session> {
        let mut all = self.read.iter().flat_map(|read| &read.sessions);
        all.find(|one| one.path == path)
    }

    /// The session under the cursor, and the place of a hit in it.
    #[must_use]
    pub fn chosen(&self) -> Option<(&Session, Option<u64>)> {
        match *self.rows.get(self.list.cursor)? {
            SessionRow::Session(at) | SessionRow::Agent(at) => Some((self.session(at)?, None)),
            SessionRow::Hit { hit, session } => {
                let at = self.search.as_ref()?.hits.get(hit)?.1.at;
                Some((self.session(session)?, Some(at)))
            }
        }
    }

    #[must_use]
    pub fn sort(&self) -> SessionSort {
        self.sort
    }

    pub fn sort_by_next(&mut self) {
        self.sort = self.sort.next();
        self.build();
    }

    #[must_use]
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Lists only those whose title, id, model or project holds all words.
    pub fn narrow(&mut self, words: &str) {
        if self.filter != words {
            self.filter = words.to_string();
            self.build();
        }
    }

    pub fn toggle_all(&mut self) {
        self.all = !self.all;
        self.build();
    }

    /// How many sub-agents a session has.
    #[must_use]
    pub fn agents(&self, session: &Session) -> usize {
        let own = session.of.is_none().then(|| self.agents.get(&session.id));
        own.flatten().copied().unwrap_or(0)
    }

    /// Shows or hides the sub-agents of the session under the cursor; `false`: it has none.
    pub fn toggle_agents(&mut self) -> bool {
        let Some((one, _)) = self.chosen() else {
            return false;
        };
        let own = one.of.is_none().then(|| one.clone());
        let head = own.or_else(|| {
            let all = self.read.iter().flat_map(|read| &read.sessions);
            let mut heads = all.filter(|head| is_agent_of(one, head));
            heads.next().cloned()
        });
        let Some(head) = head.filter(|head| self.agents(head) > 0) else {
            return false;
        };
        if !self.unfolded.remove(&head.path) {
            self.unfolded.insert(head.path);
        }
        self.build();
        true
    }

    #[must_use]
    pub fn is_unfolded(&self, session: &Session) -> bool {
        self.unfolded.contains(&session.path)
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Has it read again when it is shown the next time.
    pub fn outdate(&mut self) {
        self.stale = true;
    }

    /// Has it read again since transcripts have changed, unless the reading was stopped.
    pub fn doubt(&mut self) {
        self.stale |= self.unread() == 0;
    }

    /// Transcripts that were not read to their end, since the reading was stopped.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.read.as_ref().map_or(0, |read| read.unread)
    }

    /// How far a reading is that takes a while.
    #[must_use]
    pub fn way(&self) -> Option<UnderWay> {
        self.way
    }

    pub fn take_way(&mut self, id: u64, way: UnderWay) {
        if self.awaited == Some(id) {
            self.way = Some(way);
        }
    }

    /// Whether there is a reading that takes a while and can be stopped.
    #[must_use]
    pub fn can_stop(&self) -> bool {
        self.awaited.is_some() && (self.way.is_some() || self.read.is_none())
    }

    /// Whether it must be read; notes that it will be, as `id`.
    pub fn wants(&mut self, id: u64) -> bool {
        let wants = self.awaited.is_none() && (self.read.is_none() || self.stale);
        if wants {
            self.stale = false;
            self.awaited = Some(id);
        }
        wants
    }

    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.awaited.is_some()
    }

    /// The id of the answer that is to come.
    #[cfg(test)]
    #[must_use]
    pub fn awaited(&self) -> Option<u64> {
        self.awaited
    }

    /// Takes what was read; an answer that is not awaited is dropped.
    pub fn take(&mut self, id: u64, read: SessionList) -> bool {
        let is_awaited = self.awaited.take_if(|awaited| *awaited == id).is_some();
        if is_awaited {
            let chosen = self.chosen().map(|(one, _)| one.path.clone());
            self.agents.clear();
            for id in read.sessions.iter().filter_map(|one| one.of.clone()) {
                *self.agents.entry(id).or_default() += 1;
            }
            self.way = None;
            // What has changed while it was stopped is read when it is read on.
            self.stale &= read.unread == 0;
            self.read = Some(read);
            self.build_at(chosen.as_deref());
        }
        is_awaited
    }

    /// Turns to the current project.
    pub fn turn_to(&mut self, memory_key: Option<&str>) {
        if self.key.as_deref() != memory_key {
            self.key = memory_key.map(str::to_string);
            if !self.all {
                self.list = List::default();
            }
            self.build();
        }
    }

    fn build(&mut self) {
        let chosen = self.chosen().map(|(one, _)| one.path.clone());
        let chosen = chosen.filter(|_| self.search.is_none());
        self.build_at(chosen.as_deref());
    }

    /// The sessions that are listed, with all their sub-agents.
    fn listed(&self) -> Vec<usize> {
        let all = self.read.iter().flat_map(|read| &read.sessions);
        let query = Query::new(&self.filter);
        let own = all
            .enumerate()
            .filter(|(_, one)| self.is_listed(one, &query));
        own.map(|(at, _)| at).collect()
    }

    fn is_here(&self, one: &Session) -> bool {
        self.all || self.key.as_ref().is_none_or(|key| one.memory_key == *key)
    }

    /// Whether a program had it, no person: listed only where words ask for it.
    fn is_a_programs(&self, one: &Session) -> bool {
        one.kind == Kind::Program && self.filter.is_empty()
    }

    /// Sessions that programs had and that are not listed.
    #[must_use]
    pub fn unlisted(&self) -> usize {
        let all = self.read.iter().flat_map(|read| &read.sessions);
        let own = all.filter(|one| self.is_here(one) && self.is_a_programs(one));
        own.count()
    }

    fn is_listed(&self, one: &Session, query: &Query) -> bool {
        let is_here = self.is_here(one) && !self.is_a_programs(one);
        let texts = [one.name(), &*one.id, &*one.key, one.kind.word()];
        let texts = texts.into_iter().chain(one.model.as_deref());
        is_here && (query.is_empty() || query.stands_in(texts))
    }

    /// Lists anew; the cursor goes to the session with this transcript, if it is listed.
    fn build_at(&mut self, path: Option<&Path>) {
        let Some(read) = &self.read else { return };
        let all = &read.sessions;
        if let Some(search) = &self.search {
            let chosen = match self.rows.get(self.list.cursor) {
                Some(SessionRow::Hit { hit, .. }) => Some(*hit),
                _ => None,
            };
            let at_path: HashMap<&Path, usize> = all
                .iter()
                .enumerate()
                .map(|(at, one)| (&*one.path, at))
                .collect();
            let hits = search.hits.iter().enumerate();
            let rows = hits.filter_map(|(hit, (path, _))| {
                let session = *at_path.get(&**path)?;
                Some(SessionRow::Hit { hit, session })
            });
            self.rows = rows.collect();
            let is_chosen = |row: &SessionRow| matches!(row, SessionRow::Hit { hit, .. } if Some(*hit) == chosen);
            let at = self.rows.iter().position(is_chosen);
            self.list
                .go(at.unwrap_or(self.list.cursor), self.rows.len());
            return;
        }
        let listed = self.listed();
        let (mut heads, agents): (Vec<usize>, Vec<usize>) =
            listed.iter().partition(|at| all[**at].of.is_none());
        match self.sort {
            SessionSort::Used => heads.sort_by_key(|at| Reverse(all[*at].last)),
            SessionSort::Left => {
                heads.sort_by_key(|at| all[*at].days_left.unwrap_or(i64::MAX));
            }
            SessionSort::Messages => heads.sort_by_key(|at| Reverse(all[*at].messages)),
            SessionSort::Size => heads.sort_by_key(|at| Reverse(all[*at].bytes)),
            SessionSort::Title => heads.sort_by_key(|at| all[*at].name().to_lowercase()),
        }
        let mut rows = Vec::new();
        for at in heads {
            rows.push(SessionRow::Session(at));
            // What the words find of its sub-agents is shown, folded or not.
            if self.unfolded.contains(&all[at].path) || !self.filter.is_empty() {
                let own = agents.iter().filter(|it| is_agent_of(&all[**it], &all[at]));
                rows.extend(own.map(|it| SessionRow::Agent(*it)));
            }
        }
        let at_of = |row: &SessionRow| match row {
            SessionRow::Session(at) | SessionRow::Agent(at) => Some(&*all[*at].path) == path,
            SessionRow::Hit { .. } => false,
        };
        let at = rows.iter().position(at_of).unwrap_or(self.list.cursor);
        self.rows = rows;
        self.list.go(at, self.rows.len());
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        // The head takes one.
        self.height = height.saturating_sub(1);
        self.list.settle(self.rows.len(), self.height);
    }
}

fn is_agent_of(one: &Session, head: &Session) -> bool {
    head.of.is_none() && one.of.as_ref() == Some(&head.id) && one.key == head.key
}

#[cfg(test)]
mod tests;

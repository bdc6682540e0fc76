//! The Ledger view as a model: the requests that loci itself sent, the newest first, of all projects or of the
//! current one; which is marked to be compared with another. What is opened is in `request_view`. Knows
//! nothing of how they are read.

use crate::app::list::List;
use crate::app::request_view::RequestView;
use crate::base::time::Moment;
use crate::context::ledger::{Difference, Entry, Listed, Opened};
use crate::memory::search::Query;
use crate::transcript::usage::Sum;

/// What is asked of the ledger. Answers bear the id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LedgerWish {
    List {
        id: u64,
    },
    /// Read a request with its texts, by what the ledger calls it.
    Open {
        id: u64,
        request: String,
    },
    /// Compare two.
    Compare {
        id: u64,
        before: String,
        after: String,
    },
}

/// What comes of it.
#[derive(Debug, Clone, PartialEq)]
pub enum LedgerTold {
    Listed {
        id: u64,
        listed: Listed,
    },
    /// A request, or the sentence that says why not.
    Opened {
        id: u64,
        opened: Result<Box<(Entry, Opened)>, String>,
    },
    Compared {
        id: u64,
        compared: Result<Box<Compared>, String>,
    },
    /// Requests came or went.
    Changed,
}

/// Two requests and what changed from the first to the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    pub before: Entry,
    pub after: Entry,
    pub difference: Difference,
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct LedgerView {
    read: Option<Listed>,
    /// Positions in what was read.
    rows: Vec<usize>,
    filter: String,
    /// Those of the current project alone.
    pub here_only: bool,
    /// The key of the current project.
    key: Option<String>,
    marked: Option<String>,
    stale: bool,
    awaited: Option<u64>,
    /// The comparison that is awaited.
    pub comparing: Option<u64>,
    /// The request that is open.
    pub open: Option<RequestView>,
    height: usize,
    pub list: List,
}

impl LedgerView {
    /// Positions in what was read.
    #[must_use]
    pub fn rows(&self) -> &[usize] {
        &self.rows
    }

    #[must_use]
    pub fn read(&self) -> Option<&Listed> {
        self.read.as_ref()
    }

    #[must_use]
    pub fn entry(&self, at: usize) -> Option<&Entry> {
        self.read.as_ref()?.entries.get(at)
    }

    /// The request under the cursor.
    #[must_use]
    pub fn chosen(&self) -> Option<&Entry> {
        self.entry(*self.rows.get(self.list.cursor)?)
    }

    /// The request that an action is for: the open one, else that under the cursor.
    #[must_use]
    pub fn here(&self) -> Option<&Entry> {
        match &self.open {
            Some(open) => {
                let entries = self.read.iter().flat_map(|read| &read.entries);
                let listed = entries.into_iter().find(|one| one.id == open.id);
                listed.or(open.entry())
            }
            None => self.chosen(),
        }
    }

    /// The sum of what is listed.
    #[must_use]
    pub fn sum(&self) -> Sum {
        let mut sum = Sum::default();
        let listed = self.rows.iter().filter_map(|at| self.entry(*at));
        for one in listed.filter_map(|one| one.sum.as_ref()) {
            sum.merge(one);
        }
        sum
    }

    /// The request that is marked, while it is there.
    #[must_use]
    pub fn marked(&self) -> Option<&Entry> {
        let marked = self.marked.as_ref()?;
        let mut entries = self.read.iter().flat_map(|read| &read.entries);
        entries.find(|one| one.id == *marked)
    }

    /// Marks the request that an action is for, or takes its mark off; `None`: there is none.
    pub fn toggle_mark(&mut self) -> Option<bool> {
        let id = self.here()?.id.clone();
        let was = self.marked.take_if(|marked| *marked == id).is_some();
        if !was {
            self.marked = Some(id);
        }
        Some(!was)
    }

    /// Which two are compared, the older first: the marked one and this; without a mark this and the one
    /// before it. Else a sentence that says why none.
    ///
    /// # Errors
    /// There is only one.
    pub fn pair(&self) -> Result<(String, String), &'static str> {
        let here = self.here().ok_or("no request is chosen")?;
        let Some(marked) = self.marked().filter(|marked| marked.id != here.id) else {
            let before = here.before.clone();
            let before =
                before.ok_or("it is the first of its session: mark another to compare it with")?;
            return Ok((before, here.id.clone()));
        };
        let entries = self.read.iter().flat_map(|read| &read.entries);
        let first = entries
            .into_iter()
            .find(|one| one.id == marked.id || one.id == here.id);
        // The newest comes first.
        Ok(match first.is_some_and(|first| first.id == here.id) {
            true => (marked.id.clone(), here.id.clone()),
            false => (here.id.clone(), marked.id.clone()),
        })
    }

    #[must_use]
    pub fn filter(&self) -> &str {
        &self.filter
    }

    /// Lists only those whose purpose, model, project, session, end or time holds all words.
    pub fn narrow(&mut self, words: &str) {
        if self.filter != words {
            self.filter = words.to_string();
            self.build();
        }
    }

    pub fn toggle_here(&mut self) {
        self.here_only = !self.here_only;
        self.build();
    }

    /// Turns to the current project.
    pub fn turn_to(&mut self, key: Option<&str>) {
        if self.key.as_deref() != key {
            self.key = key.map(str::to_string);
            self.build();
        }
    }

    /// Has it read again when it is shown the next time.
    pub fn outdate(&mut self) {
        self.stale = true;
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
            || self.comparing.is_some()
            || self.open.as_ref().is_some_and(RequestView::is_reading)
    }

    /// Takes what was read; an answer that is not awaited is dropped.
    pub fn take(&mut self, id: u64, listed: Listed) -> bool {
        let is_awaited = self.awaited.take_if(|awaited| *awaited == id).is_some();
        if is_awaited {
            let chosen = self.chosen().map(|one| one.id.clone());
            self.read = Some(listed);
            self.build_at(chosen.as_deref());
        }
        is_awaited
    }

    fn build(&mut self) {
        let chosen = self.chosen().map(|one| one.id.clone());
        self.build_at(chosen.as_deref());
    }

    /// Lists anew; the cursor goes along with its request. At the top it stays there: what is new is seen.
    fn build_at(&mut self, chosen: Option<&str>) {
        let Some(read) = &self.read else { return };
        let query = Query::new(&self.filter);
        let is_here = |one: &Entry| !self.here_only || one.project == self.key;
        let is_meant = |one: &Entry| {
            let time = one.time.map_or(String::new(), Moment::rfc3339);
            let texts = [
                one.purpose.word(),
                &*one.model,
                &*one.session,
                one.end(),
                &*time,
            ];
            let texts = texts.into_iter().chain(one.project.as_deref());
            query.is_empty() || query.stands_in(texts)
        };
        let all = read.entries.iter().enumerate();
        let rows = all.filter(|(_, one)| is_here(one) && is_meant(one));
        let rows: Vec<usize> = rows.map(|(at, _)| at).collect();
        let is_chosen = |at: &usize| Some(&*read.entries[*at].id) == chosen;
        let at = rows.iter().position(is_chosen);
        let at = at.filter(|_| self.list.cursor > 0);
        self.rows = rows;
        let at = at.unwrap_or(self.list.cursor.min(self.rows.len().saturating_sub(1)));
        self.list.go(at, self.rows.len());
    }

    /// Rows that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        // The head takes one.
        self.height = height.saturating_sub(1);
        self.list.settle(self.rows.len(), self.height);
        if let Some(open) = &mut self.open {
            open.settle(height);
        }
    }
}

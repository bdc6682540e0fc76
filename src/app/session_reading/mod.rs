//! A session that is read: the pages that are held, what is unfolded, where the cursor is. Pages come as
//! answers; more are asked for as the cursor comes near an end.

mod hits;
mod pages;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::app::list::List;
use crate::app::session_rows::{self, Fold, Key, Row, Shown};
use crate::base::display;
use crate::memory::search::Query;
use crate::transcript::conversation::{Item, Page, Said};
pub use hits::Step;
pub use pages::Ask;

/// A session that is open.
#[derive(Debug, Clone)]
pub struct SessionReading {
    pub path: PathBuf,
    pub title: String,
    /// The person's home.
    home: PathBuf,
    pages: Vec<Page>,
    rows: Vec<Row>,
    open: BTreeSet<Key>,
    whole: BTreeMap<(Key, usize), String>,
    /// What is awaited: the id of the answer.
    awaited: Option<(u64, Ask)>,
    /// Where texts are read whole: the id of the answer, and the item.
    texts: Option<(u64, Key)>,
    /// Whether its transcript may have grown since.
    is_doubted: bool,
    /// Why it can't be read.
    pub fault: Option<String>,
    /// The last words that were looked for.
    pub query: Option<(String, Query)>,
    /// A search for the next hit further on, and whether it goes forward.
    pub seeking: Option<(u64, bool)>,
    /// It is the last hit of an item that is gone to, not the first.
    from_below: bool,
    /// An item that holds a hit in what of its texts is not read yet.
    sought: Option<Key>,
    made_at: Option<usize>,
    height: usize,
    pub list: List,
}

impl SessionReading {
    #[must_use]
    pub fn new(path: PathBuf, title: String, home: PathBuf) -> Self {
        Self {
            path,
            title,
            home,
            pages: Vec::new(),
            rows: Vec::new(),
            open: BTreeSet::new(),
            whole: BTreeMap::new(),
            awaited: None,
            texts: None,
            is_doubted: false,
            fault: None,
            query: None,
            seeking: None,
            from_below: false,
            sought: None,
            made_at: None,
            height: 0,
            list: List::default(),
        }
    }

    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.awaited.is_some()
    }

    /// The item under the cursor and how far below its first row.
    fn stood(&self) -> Option<(Key, usize)> {
        let row = self.rows.get(self.list.cursor)?;
        let first = self.rows.iter().position(|it| it.key == row.key)?;
        Some((row.key, self.list.cursor - first))
    }

    fn stand(&mut self, stood: Option<(Key, usize)>) {
        let offset = self.list.cursor - self.list.offset.min(self.list.cursor);
        let at = stood.and_then(|(key, below)| {
            let first = self.rows.iter().position(|it| it.key == key)?;
            let own = self.rows[first..].iter().take_while(|it| it.key == key);
            Some(first + below.min(own.count().saturating_sub(1)))
        });
        if let Some(at) = at {
            self.list.go(at, self.rows.len());
            self.list.offset = at.saturating_sub(offset);
        }
    }

    /// The item under the cursor.
    #[must_use]
    pub fn item(&self) -> Option<&Item> {
        let key = self.rows.get(self.list.cursor)?.key;
        let mut items = self.pages.iter().flat_map(|page| &page.items);
        items.find(|item| session_rows::key(item) == key)
    }

    /// When the item under the cursor was said: `2027-01-14 08:00:11 UTC`.
    #[must_use]
    pub fn time(&self) -> Option<String> {
        let time = self.item()?.time.as_deref()?;
        let time = display::line(time.get(..19)?).replace('T', " ");
        Some(format!("{time} UTC"))
    }

    /// Where the line under the cursor begins.
    #[must_use]
    pub fn at(&self) -> Option<u64> {
        let row = self.rows.get(self.list.cursor)?;
        (row.key.0 != u64::MAX).then_some(row.key.0)
    }

    /// Folds or unfolds what is under the cursor: what there is to be read whole for it, and `false` where
    /// there is nothing to do.
    pub fn toggle(&mut self) -> (bool, Vec<Range<u64>>) {
        let Some(row) = self.rows.get(self.list.cursor).cloned() else {
            return (false, Vec::new());
        };
        let key = row.key;
        let head = self.rows.iter().position(|it| it.key == key);
        let fold = head.map_or(Fold::None, |head| self.rows[head].fold);
        let is_note = row.fold == Fold::None && row.text.starts_with('…');
        match fold {
            _ if is_note => {}
            Fold::Closed => {
                self.open.insert(key);
            }
            Fold::Open => {
                self.open.remove(&key);
            }
            Fold::None => return (false, Vec::new()),
        }
        self.make();
        if let Some(head) = head.filter(|_| !is_note) {
            self.list.go(head, self.rows.len());
        }
        let is_open = self.open.contains(&key) || is_note;
        let item = self.item().filter(|_| is_open);
        (true, item.map_or_else(Vec::new, |item| self.unread(item)))
    }

    /// Unfolds everything of tools, or folds all.
    pub fn toggle_all(&mut self) {
        let stood = self.stood();
        if self.open.is_empty() {
            let items = self.pages.iter().flat_map(|page| &page.items);
            let tools = items.filter(|item| matches!(item.said, Said::Tool(_)));
            self.open = tools.map(session_rows::key).collect();
        } else {
            self.open.clear();
        }
        self.make();
        self.stand(stood);
    }

    /// Where the texts of an item stand that are held in part only.
    fn unread(&self, item: &Item) -> Vec<Range<u64>> {
        let key = session_rows::key(item);
        let pieces = item.pieces().into_iter().enumerate();
        let cut = pieces.filter(|(number, _)| !self.whole.contains_key(&(key, *number)));
        cut.filter_map(|(_, piece)| piece.whole.clone()).collect()
    }

    /// Notes that texts of the item under the cursor are read whole, as `id`.
    pub fn await_texts(&mut self, id: u64) {
        self.texts = self.item().map(|item| (id, session_rows::key(item)));
    }

    /// Takes texts that were read whole, in the order in which they were asked for.
    ///
    /// # Errors
    /// The sentence that says why they could not be read.
    pub fn take_texts(
        &mut self,
        id: u64,
        texts: Result<Vec<String>, String>,
    ) -> Result<(), String> {
        let Some((_, key)) = self.texts.take_if(|(awaited, _)| *awaited == id) else {
            return Ok(());
        };
        let is_sought = self.sought.take_if(|sought| *sought == key).is_some();
        let mut texts = texts?.into_iter();
        let items = self.pages.iter().flat_map(|page| &page.items);
        let item = items
            .into_iter()
            .find(|item| session_rows::key(item) == key);
        let pieces = item.map_or_else(Vec::new, Item::pieces);
        let cut: Vec<usize> = pieces
            .iter()
            .enumerate()
            .filter(|(number, piece)| {
                piece.whole.is_some() && !self.whole.contains_key(&(key, *number))
            })
            .map(|(number, _)| number)
            .collect();
        for number in cut {
            if let Some(text) = texts.next() {
                self.whole.insert((key, number), text);
            }
        }
        let stood = self.stood();
        self.make();
        self.stand(stood);
        if is_sought {
            self.land(key, self.from_below);
        }
        Ok(())
    }

    /// Builds the rows for a width.
    pub fn turn_to(&mut self, cells: usize) {
        if self.made_at != Some(cells) {
            let stood = self.stood();
            self.made_at = Some(cells);
            self.make();
            self.stand(stood);
        }
    }

    fn make(&mut self) {
        self.rows = session_rows::build(&Shown {
            pages: &self.pages,
            open: &self.open,
            whole: &self.whole,
            cells: self.made_at.unwrap_or(80),
            home: &self.home,
        });
        self.list.go(self.list.cursor, self.rows.len());
    }

    /// Goes to the first or the last row, where the file's first or last page is held; `None`: it is not,
    /// `false`: it was there already.
    pub fn go_to_end(&mut self, last: bool) -> Option<bool> {
        let is_held = match last {
            true => self.pages.last().is_some_and(|page| !page.has_after()),
            false => self.pages.first().is_some_and(|page| !page.has_before()),
        };
        let rows = if last { isize::MAX } else { isize::MIN };
        is_held.then(|| self.list.step(rows, self.rows.len()))
    }

    /// Where what is held begins and ends, in bytes.
    #[must_use]
    pub fn held(&self) -> Option<Range<u64>> {
        Some(self.pages.first()?.range.start..self.pages.last()?.range.end)
    }

    /// How far down the cursor is, in hundredths; nothing where all is in view.
    #[must_use]
    pub fn percent(&self) -> Option<u64> {
        let (held, end) = (self.held()?, self.pages.last()?.end.max(1));
        let is_whole = held == (0..end) && self.rows.len() <= self.height;
        let is_last = held.end == end && self.list.cursor + 1 >= self.rows.len();
        match (is_whole, is_last) {
            (true, _) => None,
            (false, true) => Some(100),
            (false, false) => Some((self.at()? * 100 / end).min(99)),
        }
    }

    /// Takes how many rows are in view and stays within bounds.
    pub fn settle(&mut self, height: usize) {
        self.height = height.saturating_sub(1);
        self.list.settle(self.rows.len(), self.height);
    }

    #[must_use]
    pub fn is_of(&self, path: &Path) -> bool {
        self.path == path
    }
}

#[cfg(test)]
mod tests;

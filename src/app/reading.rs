//! The Memory view as a model: which file is shown, which is awaited, rendered or raw, and how far
//! each is scrolled. Lines are counted by drawing and come in as numbers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::agents::Entry;
use crate::app::hits::Hits;
use crate::app::painted::Painted;
use crate::app::tree::ShelfState;
use crate::memory::file::Page;

/// A file that has been read, or the sentence that says why it could not be.
#[derive(Debug, Clone)]
pub struct Shown {
    pub path: PathBuf,
    /// The memory that the scan knows at this path; a day log has none.
    pub entry: Option<Entry>,
    pub page: Result<Box<Page>, String>,
    /// Which reading it is.
    pub stamp: u64,
}

/// What the Memory view shows.
#[derive(Debug, Clone, Copy)]
pub enum Subject<'a> {
    /// A file: the one last read, until the next has come.
    Page(&'a Shown),
    /// No file is chosen: what is known of the shelf.
    Shelf(&'a ShelfState),
    /// The first file is being read.
    Waiting,
}

/// The state of the view.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    shown: Option<Shown>,
    /// The fenced code of what is shown, once it is painted.
    painted: Option<Painted>,
    wanted: Option<(u64, PathBuf)>,
    /// What is shown may be otherwise by now: it must be read again.
    outdated: bool,
    /// Files are shown as they are, not rendered.
    pub raw: bool,
    /// First line in view.
    pub scroll: usize,
    /// What the last search hit of it.
    pub hits: Hits,
    lines: usize,
    height: usize,
    /// What `scroll` belongs to, and where the others were left.
    scrolled: PathBuf,
    left_at: HashMap<PathBuf, usize>,
}

impl Reading {
    #[must_use]
    pub fn shown(&self) -> Option<&Shown> {
        self.shown.as_ref()
    }

    /// Whether this file is shown or awaited.
    #[must_use]
    pub fn has(&self, path: &Path) -> bool {
        match &self.wanted {
            Some((_, wanted)) => wanted == path,
            None => !self.outdated && self.shown.as_ref().is_some_and(|shown| shown.path == path),
        }
    }

    /// Whether what is shown may be otherwise by now.
    #[must_use]
    pub fn is_outdated(&self) -> bool {
        self.outdated
    }

    /// Has what is shown read again; an answer that is under way may be of what was there before.
    pub fn outdate(&mut self) {
        self.wanted = None;
        self.outdated = true;
    }

    /// Notes that a file is being read.
    pub fn want(&mut self, id: u64, path: PathBuf) {
        self.wanted = Some((id, path));
    }

    /// Whether an answer is the one awaited.
    #[must_use]
    pub fn awaits(&self, id: u64) -> bool {
        self.wanted
            .as_ref()
            .is_some_and(|(wanted, _)| *wanted == id)
    }

    /// The fenced code of what is shown, once it is painted.
    #[must_use]
    pub fn painted(&self) -> Option<&Painted> {
        self.painted.as_ref()
    }

    /// Takes the painted code of a reading, if that is still shown.
    pub fn take_painted(&mut self, stamp: u64, painted: Painted) {
        if self.shown.as_ref().is_some_and(|it| it.stamp == stamp) {
            self.painted = Some(painted);
        }
    }

    /// Takes the file that was awaited.
    pub fn show(&mut self, shown: Shown) {
        self.wanted = None;
        self.painted = None;
        self.outdated = false;
        self.shown = Some(shown);
    }

    /// Forgets file and wish, so that the next look reads again.
    pub fn forget_wish(&mut self) {
        self.wanted = None;
    }

    /// Goes over to what `key` stands for, back to where it was left.
    pub fn turn_to(&mut self, key: &Path) {
        if self.scrolled != key {
            let left = std::mem::replace(&mut self.scrolled, key.to_path_buf());
            self.left_at.insert(left, self.scroll);
            self.scroll = self.left_at.get(key).copied().unwrap_or(0);
        }
    }

    /// Takes where files were left in an earlier run.
    pub fn left_at(&mut self, places: impl IntoIterator<Item = (PathBuf, usize)>) {
        self.left_at.extend(places);
    }

    /// Files and the first line of each that was in view.
    pub fn places(&self) -> impl Iterator<Item = (&Path, usize)> {
        let now = (&*self.scrolled, self.scroll);
        let others = self.left_at.iter().map(|(path, line)| (&**path, *line));
        others.filter(move |(path, _)| *path != now.0).chain([now])
    }

    /// Scrolls by so many lines; `false` if it was at that end.
    pub fn step(&mut self, lines: isize) -> bool {
        let to = self.scroll.saturating_add_signed(lines).min(self.last());
        let moved = to != self.scroll;
        self.scroll = to;
        moved
    }

    /// To the next or the previous hit: its number, from 1, and how many there are.
    pub fn to_hit(&mut self, forward: bool) -> Option<(usize, usize)> {
        let (row, at, of) = self.hits.step(forward, self.scroll)?;
        self.bring_into_view(row);
        Some((at, of))
    }

    /// Scrolls so that a row is in view, in the upper part if it was not.
    fn bring_into_view(&mut self, row: usize) {
        if !(self.scroll..self.scroll + self.height).contains(&row) {
            self.scroll = row.saturating_sub(self.height / 3).min(self.last());
        }
    }

    /// Goes to the hit that is to be gone to, once its file is shown and its rows are known.
    pub fn arrive(&mut self) {
        let Some(shown) = &self.shown else {
            return;
        };
        let lines = shown
            .page
            .as_ref()
            .map_or(1, |page| page.text.lines().count());
        if let Some(row) = self.hits.arrive(&shown.path, lines, self.lines) {
            self.bring_into_view(row);
        }
    }

    /// Lines that are in view at once.
    #[must_use]
    pub fn height(&self) -> usize {
        self.height
    }

    /// Lines that there are.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Takes what was measured and stays within it.
    pub fn settle(&mut self, lines: usize, height: usize) {
        (self.lines, self.height) = (lines, height);
        self.scroll = self.scroll.min(self.last());
    }

    fn last(&self) -> usize {
        self.lines.saturating_sub(self.height)
    }
}

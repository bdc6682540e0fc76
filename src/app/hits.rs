//! Where the last search hit the page that is shown: rows of the page, which drawing finds and gives
//! in as numbers, the one that was gone to last, and one that is to be gone to.

use std::path::{Path, PathBuf};

use crate::memory::search::Query;

/// Hits on the page.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    query: Option<Query>,
    /// Which search it is: what was drawn for another is drawn anew.
    pub stamp: u64,
    /// Hits are drawn as such; until Esc they are.
    pub shown: bool,
    rows: Vec<usize>,
    /// The row that was gone to last.
    at: Option<usize>,
    /// The file whose hit is to be gone to, and the line of it.
    wanted: Option<(PathBuf, Option<usize>)>,
}

impl Hits {
    /// The last search.
    #[must_use]
    pub fn query(&self) -> Option<&Query> {
        self.query.as_ref()
    }

    /// Whether the page that is shown holds any.
    #[must_use]
    pub fn are_there(&self) -> bool {
        self.query.is_some() && !self.rows.is_empty()
    }

    /// Begins with a search whose hit in a file is to be gone to as soon as that is shown.
    pub fn seek(&mut self, query: Query, path: PathBuf, line: Option<usize>) {
        *self = Self {
            query: Some(query),
            stamp: self.stamp + 1,
            shown: true,
            rows: Vec::new(),
            at: None,
            wanted: Some((path, line)),
        };
    }

    /// Takes the rows that hold hits. A page that is laid out anew and is the same keeps its place.
    pub fn take(&mut self, rows: Vec<usize>) {
        if rows != self.rows {
            self.rows = rows;
            self.at = None;
        }
    }

    /// The row to go to of a file that is shown now, of so many lines on so many rows: the hit that
    /// is nearest to where the line should be.
    pub fn arrive(&mut self, path: &Path, lines: usize, rows: usize) -> Option<usize> {
        let (_, line) = self.wanted.take_if(|(wanted, _)| wanted == path)?;
        let aim = line.map_or(0, |line| line * rows / lines.max(1));
        let nearest = self.rows.iter().min_by_key(|row| row.abs_diff(aim));
        self.at = nearest.copied();
        self.at
    }

    /// The next row after, or before, the one gone to last or else the first in view; the last of
    /// all stays. With its number, from 1, and how many there are.
    pub fn step(&mut self, forward: bool, top: usize) -> Option<(usize, usize, usize)> {
        let last = self.rows.len().checked_sub(1)?;
        let at = match (forward, self.at) {
            (true, Some(row)) => self.rows.partition_point(|it| *it <= row).min(last),
            (true, None) => self.rows.partition_point(|it| *it < top).min(last),
            (false, row) => {
                let row = row.unwrap_or(top);
                self.rows.partition_point(|it| *it < row).saturating_sub(1)
            }
        };
        self.at = Some(self.rows[at]);
        Some((self.rows[at], at + 1, self.rows.len()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hits_are_gone_through_and_the_ends_stay() {
        let mut hits = Hits::default();
        assert_eq!(hits.step(true, 0), None);
        hits.take(vec![3, 8, 20]);
        hits.step(true, 5);
        hits.take(vec![3, 8, 20]);
        assert_eq!(hits.step(true, 5), Some((20, 3, 3)));
        hits.take(vec![]);
        hits.take(vec![3, 8, 20]);
        assert_eq!(hits.step(true, 5), Some((8, 2, 3)));
        assert_eq!(hits.step(true, 5), Some((20, 3, 3)));
        assert_eq!(hits.step(true, 5), Some((20, 3, 3)));
        assert_eq!(hits.step(false, 5), Some((8, 2, 3)));
        assert_eq!(hits.step(false, 5), Some((3, 1, 3)));
        assert_eq!(hits.step(false, 5), Some((3, 1, 3)));
    }

    #[test]
    fn the_hit_nearest_to_its_line_is_gone_to_once() {
        let mut hits = Hits::default();
        hits.seek(Query::new("a"), "/a.md".into(), Some(50));
        hits.take(vec![1, 9, 40]);
        assert_eq!(hits.arrive(Path::new("/b.md"), 100, 20), None);
        assert_eq!(hits.arrive(Path::new("/a.md"), 100, 20), Some(9));
        assert_eq!(hits.arrive(Path::new("/a.md"), 100, 20), None);
    }
}

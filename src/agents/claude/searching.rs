//! Searching the memories of one shelf or of all: shelves in parallel, a few at a time, so that first
//! hits come early; what fits is held for the next key.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use super::Claude;
use crate::agents::{Hits, Shelf, ShelfHit};
use crate::memory::search::{self, Found, Query, Ranked, Related, Stop, Texts, Wanted};

/// Shelves that are searched between two looks at what was found: few at first, so that the first
/// hits come early.
const SHELVES_AT_ONCE: [usize; 2] = [8, 64];

/// Where fewer hold all the words, what is related is looked for too, and so much of it is listed.
const FEW: usize = 10;
const RELATED: usize = 20;

/// What is searched: the shelves, and of their memories what is held.
#[derive(Debug)]
pub struct Corpus {
    shelves: Vec<Held>,
    /// Bytes of memories that may be held, and that are.
    room: usize,
    taken: usize,
    /// The last query that was answered whole.
    last: Option<Query>,
    /// The memories as the ranker knows them, as soon as it was asked.
    ranked: Ranked,
}

#[derive(Debug)]
struct Held {
    shelf: Arc<Shelf>,
    /// The path of the shelf is looked up, as far as there is one.
    known: bool,
    texts: Option<Texts>,
    /// Whether the last query had a hit here.
    hit: bool,
}

impl Corpus {
    /// Only the working directory's shelf; nothing is held.
    #[must_use]
    pub fn here(store: &Claude) -> Self {
        Self::of(vec![store.here()], 0)
    }

    /// All shelves, the working directory's first. So many bytes of memories are held.
    #[must_use]
    pub fn all(store: &Claude, room: usize) -> Self {
        let here = store.here();
        let others = store.shelves().into_iter();
        let others = others.filter(|shelf| shelf.folder != here.folder);
        Self::of(std::iter::once(here.clone()).chain(others).collect(), room)
    }

    fn of(shelves: Vec<Shelf>, room: usize) -> Self {
        let held = |shelf| Held {
            shelf: Arc::new(shelf),
            known: false,
            texts: None,
            hit: true,
        };
        Self {
            shelves: shelves.into_iter().map(held).collect(),
            room,
            taken: 0,
            last: None,
            ranked: Ranked::default(),
        }
    }

    /// Looks the words up in all shelves and keeps the `most` best hits; where few hold them all, what is related
    /// comes next. `each` sees what was found
    /// so far, time and again; the whole is given back, or `None` if it was stopped.
    pub fn search(
        &mut self,
        store: &Claude,
        query: &Query,
        most: usize,
        stop: Stop<'_>,
        mut each: impl FnMut(&Hits),
    ) -> Option<Hits> {
        let mut all = Hits::default();
        if query.is_empty() {
            return Some(all);
        }
        // What no shorter query was answered by, a longer one is not either.
        let narrows = self.last.as_ref().is_some_and(|last| query.narrows(last));
        self.last = None;
        let numbers: Vec<usize> = (0..self.shelves.len())
            .filter(|&at| self.shelves[at].hit || !narrows)
            .collect();
        if !narrows {
            self.shelves.iter_mut().for_each(|held| held.hit = true);
        }
        let (first, rest) = numbers.split_at(numbers.len().min(SHELVES_AT_ONCE[0]));
        for some in std::iter::once(first).chain(rest.chunks(SHELVES_AT_ONCE[1])) {
            let found = self.search_some(store, some, query, all.wanted(most), stop);
            if stop() {
                return None;
            }
            for (at, found) in found {
                self.shelves[at].hit = found.exact + found.fuzzy > 0;
                all.add(at, &self.shelves[at].shelf, found);
            }
            all.keep_best(most);
            self.name_shelves(store, &mut all);
            each(&all);
        }
        if all.exact < FEW.min(most) {
            self.add_related(store, query, &mut all, stop)?;
            all.keep_best(most);
            self.name_shelves(store, &mut all);
        }
        self.last = Some(query.clone());
        Some(all)
    }

    /// Adds what the ranker finds and no search by letters listed; `None` if it was stopped.
    fn add_related(
        &mut self,
        store: &Claude,
        query: &Query,
        all: &mut Hits,
        stop: Stop<'_>,
    ) -> Option<()> {
        let disk = &store.inner.disk;
        for (at, held) in self.shelves.iter().enumerate() {
            let (folder, texts) = (&held.shelf.folder, held.texts.as_ref());
            if !self.ranked.add(disk, folder, at, texts, stop) {
                return None;
            }
        }
        for related in self.ranked.rank(query, RELATED) {
            let Some((hit, is_counted)) = self.hit_of(store, query, &related) else {
                continue;
            };
            let order = related.folder;
            // By its letters alone it may be listed already.
            let is_it = |it: &ShelfHit| it.order == order && it.hit.path == hit.path;
            all.hits.retain(|it| !is_it(it));
            let found = Found {
                hits: vec![hit],
                fuzzy: usize::from(!is_counted),
                ..Found::default()
            };
            all.add(order, &self.shelves[order].shelf, found);
        }
        Some(())
    }

    fn hit_of(
        &self,
        store: &Claude,
        query: &Query,
        related: &Related,
    ) -> Option<(search::Hit, bool)> {
        let held = self.shelves.get(related.folder)?;
        match &held.texts {
            Some(texts) => related.hit(query, texts.one(&related.path)?),
            None => {
                let folder = &held.shelf.folder;
                let bytes = search::one(&store.inner.disk, folder, &related.path)?;
                related.hit(query, &bytes)
            }
        }
    }

    fn search_some(
        &mut self,
        store: &Claude,
        some: &[usize],
        query: &Query,
        wanted: Wanted,
        stop: Stop<'_>,
    ) -> Vec<(usize, Found)> {
        let disk = &store.inner.disk;
        let room = AtomicUsize::new(self.room.saturating_sub(self.taken));
        let look = |&at: &usize| {
            let held = &self.shelves[at];
            if let Some(texts) = &held.texts {
                return (at, search::in_texts(texts, query, wanted, stop), None);
            }
            let folder = &held.shelf.folder;
            if room.load(Ordering::Relaxed) == 0 {
                return (
                    at,
                    search::in_folder(disk, folder, query, wanted, stop),
                    None,
                );
            }
            let Some(texts) = search::hold(disk, folder, stop) else {
                return (at, Found::default(), None);
            };
            let found = search::in_texts(&texts, query, wanted, stop);
            let bytes = texts.bytes();
            let fits = room.try_update(Ordering::Relaxed, Ordering::Relaxed, |room| {
                Some(room.saturating_sub(bytes))
            });
            let keeps = fits.is_ok_and(|room| room >= bytes);
            (at, found, keeps.then_some(texts))
        };
        let looked: Vec<_> = some.par_iter().map(look).collect();
        looked
            .into_iter()
            .map(|(at, found, texts)| {
                if let Some(texts) = texts {
                    self.taken += texts.bytes();
                    self.shelves[at].texts = Some(texts);
                }
                (at, found)
            })
            .collect()
    }

    /// Looks up which folders the shelves that are shown are about.
    fn name_shelves(&mut self, store: &Claude, all: &mut Hits) {
        let mut named: HashMap<usize, Arc<Shelf>> = HashMap::new();
        for found_hit in &all.hits {
            let held = &mut self.shelves[found_hit.order];
            if !held.known {
                held.known = true;
                held.shelf = Arc::new(store.with_path((*held.shelf).clone()));
            }
            named.insert(found_hit.order, Arc::clone(&held.shelf));
        }
        for found_hit in &mut all.hits {
            if let Some(shelf) = named.get(&found_hit.order) {
                found_hit.shelf = Arc::clone(shelf);
            }
        }
    }
}

impl Hits {
    /// What a shelf must give to be listed: of equal hits that of an earlier shelf stays.
    fn wanted(&self, most: usize) -> Wanted {
        let lowest = self.hits.last().filter(|_| self.hits.len() >= most);
        let (exact_above, fuzzy_above) = match lowest.map(|it| (it.hit.exact, it.hit.score)) {
            None => (i64::MIN, i64::MIN),
            Some((true, score)) => (score, i64::MAX),
            Some((false, score)) => (i64::MIN, score),
        };
        Wanted {
            most,
            exact_above,
            fuzzy_above,
        }
    }

    fn add(&mut self, order: usize, shelf: &Arc<Shelf>, found: Found) {
        self.exact += found.exact;
        self.fuzzy += found.fuzzy;
        self.faults.extend(found.faults);
        self.hits.extend(found.hits.into_iter().map(|hit| ShelfHit {
            shelf: Arc::clone(shelf),
            order,
            hit,
        }));
    }

    fn keep_best(&mut self, most: usize) {
        let by_rank = |a: &ShelfHit, b: &ShelfHit| {
            let of_rank = a.hit.rank().cmp(&b.hit.rank());
            of_rank
                .then(a.order.cmp(&b.order))
                .then_with(|| a.hit.path.cmp(&b.hit.path))
        };
        self.hits.sort_by(by_rank);
        self.hits.truncate(most);
    }
}

#[cfg(test)]
#[path = "searching_tests.rs"]
mod tests;

//! What is related to the words of a query beyond what holds them all: the ranker over the memories of
//! all folders that are searched. The index is built once, folder by folder, and can be stopped between.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use super::exact::{cut, decoded, hit_of, place_of};
use super::fold::{Word, marks_of};
use super::reading::{self, Texts};
use super::{Hit, Place, Query, Search, Stop, Wanted};
use crate::base::disk::Disk;
use crate::base::front_matter;
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::ranker::{self, Builder, Document, Index, is_cjk, stem};

/// What a score of the ranker becomes: above all that is only like the letters of the words.
const ABOVE_LIKENESS: i64 = 1_000_000;

/// The memories of folders, ready to be ranked.
#[derive(Debug, Default)]
pub struct Ranked {
    builder: Builder,
    index: Option<Index>,
    /// By their number in the index: which folder, and the path in it.
    places: Vec<(usize, Box<str>)>,
    /// The folders that are in it whole.
    whole: HashSet<usize>,
}

/// A memory that is related.
#[derive(Debug, Clone, PartialEq)]
pub struct Related {
    /// Which folder it is in, as that was added.
    pub folder: usize,
    pub path: Box<str>,
    score: f32,
    /// The words of the query that it has, as they were typed.
    words: Vec<String>,
}

impl Ranked {
    /// Adds the memories of a folder, which has this number, unless they are in it; `false`: it was stopped, and
    /// goes on there the next time.
    pub fn add(
        &mut self,
        disk: &Disk,
        folder: &Path,
        number: usize,
        texts: Option<&Texts>,
        stop: Stop<'_>,
    ) -> bool {
        if self.whole.contains(&number) {
            return true;
        }
        let own = self.places.iter().filter(|(of, _)| *of == number);
        let known: HashSet<Box<str>> = own.map(|(_, path)| path.clone()).collect();
        let mut take = |path: &str, bytes: &[u8]| {
            if known.contains(path) {
                return;
            }
            let text = decoded(bytes);
            let front = front_matter::read(&text);
            let kind = MemoryType::read(&front);
            self.builder
                .add(&Document::of_text(path, &text, &front, &kind, None));
            self.places.push((number, path.into()));
        };
        let is_whole = match texts {
            Some(texts) => texts.each(stop, &mut take),
            None => reading::each_of(disk, folder, stop, &mut take),
        };
        if is_whole {
            self.whole.insert(number);
        }
        is_whole
    }

    /// What is related to a query, the best first. Nothing is added any more after the first.
    pub fn rank(&mut self, query: &Query, most: usize) -> Vec<Related> {
        let wanted = ranker::Wanted {
            most,
            sure: false,
            now: Moment::from_seconds(0),
        };
        let builder = &mut self.builder;
        let index = self
            .index
            .get_or_insert_with(|| std::mem::take(builder).finish());
        let hits = index.rank(&query.said, &wanted).into_iter();
        let related = hits.filter_map(|hit| {
            let (folder, path) = self.places.get(hit.at)?.clone();
            Some(Related {
                folder,
                path,
                score: hit.score,
                words: hit.words,
            })
        });
        related.collect()
    }
}

impl Related {
    /// The hit that it is, by the bytes of its file; `None` where all words of the query stand in it: it is among
    /// the exact ones. With it, whether it is like the letters of the words too, so that it was counted.
    #[must_use]
    pub fn hit(&self, query: &Query, bytes: &[u8]) -> Option<(Hit, bool)> {
        let mut search = Search::new(query, Wanted::most(1));
        search.look(&self.path, bytes);
        if search.found.exact > 0 {
            return None;
        }
        let is_counted = search.found.fuzzy > 0;
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a score is below a hundred"
        )]
        let score = ABOVE_LIKENESS + (self.score * 1_000.0) as i64;
        let text = decoded(bytes);
        let front = front_matter::read(&text);
        let words: Vec<Word> = self
            .words
            .iter()
            .map(|word| Word::new(&kernel(word)))
            .collect();
        let field = |key: &str| front.fields.iter().find(|field| field.key == key);
        let fields = [
            (Place::Name, field("name")),
            (Place::Description, field("description")),
        ];
        let fields = fields.into_iter().filter_map(|(place, field)| {
            let field = field?;
            Some((place, field.line, &*field.value))
        });
        let before = text[..front.body].lines().count();
        let body = text[front.body..].lines().enumerate();
        let mut fence = None;
        let body = body.map(|(at, line)| (place_of(line, &mut fence), before + at + 1, line));
        let mut best: Option<(usize, Place, usize, &str)> = None;
        for (place, line, said) in fields.chain(body) {
            let many = words
                .iter()
                .filter(|word| word.is_in(&said.to_lowercase()))
                .count();
            if many > best.as_ref().map_or(0, |best| best.0) {
                best = Some((many, place, line, said));
            }
        }
        let (place, line, (text, marks)) = match best {
            Some((_, place, line, said)) => {
                (place, Some(line), cut(said, &whole_words(&words, said)))
            }
            None => (Place::Path, None, (self.path.to_string(), Vec::new())),
        };
        let hit = Hit {
            place,
            line,
            text,
            marks,
            score,
            ..hit_of(&self.path, &front)
        };
        Some((hit, is_counted))
    }
}

/// Where the words stand, in whatever form.
fn whole_words(words: &[Word], text: &str) -> Vec<Range<usize>> {
    let mut marks = marks_of(words, text);
    for mark in &mut marks {
        let rest = text[mark.end..].find(|c: char| !c.is_alphanumeric() || is_cjk(c));
        mark.end = rest.map_or(text.len(), |rest| mark.end + rest);
    }
    marks.dedup_by(|later, mark| later.start < mark.end);
    marks
}

/// What of a word stands in its other forms too.
fn kernel(word: &str) -> String {
    match word.chars().any(is_cjk) {
        true => word.to_string(),
        false => stem(&word.to_lowercase()),
    }
}

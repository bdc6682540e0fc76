//! The local ranker: words looked up in the memories of a folder. Exact hits hold every word, ranked
//! by where they stand; fuzzy ones have the letters of each word in their name, path or description.
//! Knows one folder at a time; projects, screen and command line are its callers' business.

mod exact;
mod fold;
mod fuzzy;
mod reading;
mod related;

use std::cmp::Reverse;
use std::ops::Range;

use crate::memory::file::MemoryType;
use exact::Exact;
use fold::Word;
use fuzzy::Fuzzy;

pub use fold::marks;
pub use reading::{Texts, hold, in_folder, in_texts, one};
pub use related::{Ranked, Related};

/// Words that a query has at most: nobody types more, and each is looked for in every file.
const WORDS: usize = 16;
/// Characters of a word at most.
const WORD_CHARS: usize = 100;

/// Says whether an answer is no longer wanted; asked before each file.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// What is looked for: words, each of which must occur, in any case and order.
#[derive(Debug, Clone)]
pub struct Query {
    words: Vec<Word>,
    /// As it was typed.
    said: Box<str>,
}

/// Where in a memory a hit stands, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    Name,
    /// The path of its file.
    Path,
    Description,
    Heading,
    Body,
}

/// A memory that answers a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Relative to the memory folder, with `/`.
    pub path: Box<str>,
    pub name: Option<Box<str>>,
    pub description: Option<Box<str>>,
    pub kind: MemoryType,
    pub place: Place,
    /// The line of the file, from 1; `None` for a hit in its path.
    pub line: Option<usize>,
    /// The line's text, or the field's value, cut round the first match if it is long. Foreign text.
    pub text: String,
    /// The matches: ranges of bytes of `text`, sorted and apart.
    pub marks: Vec<Range<usize>>,
    /// Comparable among exact hits, and among fuzzy ones.
    pub score: i64,
    pub exact: bool,
}

/// The best hits and how many there are in all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// Exact ones first, then by score, then by path.
    pub hits: Vec<Hit>,
    pub exact: usize,
    pub fuzzy: usize,
    /// Parts of the folder that could not be entered: a sentence each.
    pub faults: Vec<String>,
}

impl Query {
    /// A query of the words in a text, parted by white space.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut words: Vec<Word> = Vec::new();
        for word in text.split_whitespace().take(WORDS) {
            let end = word.char_indices().nth(WORD_CHARS);
            let word = Word::new(end.map_or(word, |(at, _)| &word[..at]));
            if !words.iter().any(|known| known.text == word.text) {
                words.push(word);
            }
        }
        Self {
            words,
            said: text.into(),
        }
    }

    /// Whether there is nothing to look for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether each word stands in one of these texts.
    #[must_use]
    pub fn stands_in<'t>(&self, texts: impl Iterator<Item = &'t str>) -> bool {
        let mut lower = String::new();
        for text in texts {
            // A word holds no white space, so that none stands across two texts.
            lower.push('\n');
            lower.extend(text.chars().flat_map(char::to_lowercase));
        }
        self.words.iter().all(|word| word.is_in(&lower))
    }

    /// Whether each word can stand in text of which these are the bytes, escaped as JSON is, with their
    /// ASCII letters lowered.
    #[must_use]
    pub fn can_stand_in(&self, lower: &[u8]) -> bool {
        self.words.iter().all(|word| word.can_stand_in_json(lower))
    }

    /// Whether all that answers this query answers `other` too: its words only got longer or more.
    #[must_use]
    pub fn narrows(&self, other: &Self) -> bool {
        let within = |old: &Word| self.words.iter().any(|new| new.text.contains(&old.text));
        other.words.iter().all(within)
    }
}

impl Place {
    /// The word of the place on the command line.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Path => "path",
            Self::Description => "description",
            Self::Heading => "heading",
            Self::Body => "body",
        }
    }

    fn weight(self) -> i64 {
        match self {
            Self::Name => 1_000,
            Self::Path => 900,
            Self::Description => 700,
            Self::Heading => 500,
            Self::Body => 300,
        }
    }
}

impl Hit {
    /// What hits are sorted by, the best first.
    #[must_use]
    pub fn rank(&self) -> (bool, Reverse<i64>) {
        (!self.exact, Reverse(self.score))
    }
}

/// How many hits are listed, and the scores that one must be above to be among them. The others are
/// only counted: a word that stands everywhere would else cost a list of everything.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    pub most: usize,
    pub exact_above: i64,
    pub fuzzy_above: i64,
}

impl Wanted {
    /// So many of the best.
    #[must_use]
    pub fn most(most: usize) -> Self {
        Self {
            most,
            exact_above: i64::MIN,
            fuzzy_above: i64::MIN,
        }
    }
}

/// What came of a look at one file.
enum Looked {
    /// It is no hit.
    No,
    /// It is one, and too low to be listed.
    Counted,
    Hit(Box<Hit>),
}

/// Looks at one file after the other and keeps the best hits.
struct Search<'a> {
    exact: Exact<'a>,
    fuzzy: Fuzzy<'a>,
    wanted: Wanted,
    found: Found,
}

impl<'a> Search<'a> {
    fn new(query: &'a Query, wanted: Wanted) -> Self {
        Self {
            exact: Exact::new(&query.words),
            fuzzy: Fuzzy::new(&query.words),
            wanted,
            found: Found::default(),
        }
    }

    /// Looks at a file by its path and its bytes.
    fn look(&mut self, path: &str, bytes: &[u8]) {
        let exact = self.exact.look(path, bytes, self.wanted.exact_above);
        let looked = match exact {
            Looked::No => self.fuzzy.look(path, bytes, self.wanted.fuzzy_above),
            Looked::Counted | Looked::Hit(_) => {
                self.found.exact += 1;
                return self.keep(exact);
            }
        };
        if !matches!(looked, Looked::No) {
            self.found.fuzzy += 1;
        }
        self.keep(looked);
    }

    fn keep(&mut self, looked: Looked) {
        if let Looked::Hit(hit) = looked {
            self.found.hits.push(*hit);
            if self.found.hits.len() > self.wanted.most.saturating_mul(2).max(64) {
                self.keep_best();
            }
        }
    }

    fn keep_best(&mut self) {
        let by_rank = |a: &Hit, b: &Hit| a.rank().cmp(&b.rank()).then_with(|| a.path.cmp(&b.path));
        self.found.hits.sort_by(by_rank);
        self.found.hits.truncate(self.wanted.most);
    }

    fn finish(mut self) -> Found {
        self.keep_best();
        self.found
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

//! The index: for each term the memories that have it, with how much of each the term is (BM25F's
//! saturated frequency over name, description, type and body). Built once, asked many times.

use std::collections::HashMap;

use super::Document;
use super::alike::Vocabulary;
use super::replaced;
use super::terms::{self, Term};
use crate::base::time::Moment;

/// Where in a memory a term stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Name,
    Description,
    Type,
    Body,
}

const FIELDS: usize = 4;

impl Field {
    /// What a term is worth in it, and how far its length counts against it.
    fn tuning(self) -> (f32, f32) {
        match self {
            Self::Name => (3.0, 0.3),
            Self::Description => (3.0, 0.4),
            Self::Type => (0.5, 0.0),
            Self::Body => (1.5, 0.5),
        }
    }
}

/// How rare a term is that one memory alone has, however many there are.
const RAREST: f32 = 0.75;

/// From which frequency on more of it says little more.
const SATURATION: f32 = 1.2;

/// A memory that has a term.
#[derive(Debug, Clone, Copy)]
pub(super) struct Posting {
    pub at: u32,
    /// From 0 to 1.
    pub share: f32,
    /// The term stands in the name or the description.
    pub in_head: bool,
    /// It is turned down there.
    pub negated: bool,
}

/// What is known of a memory beside its terms.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub saved: Option<Moment>,
    /// Its terms, sorted.
    pub terms: Box<[u32]>,
    /// It says that something has taken the place of another.
    pub replaces: bool,
    /// The terms of its name and description, and those that it turns down there; sorted.
    pub head: Box<[u32]>,
    pub negated: Box<[u32]>,
}

/// Memories, ready to be ranked.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) postings: Vec<Vec<Posting>>,
    pub(super) known: Vec<Known>,
    pub(super) vocabulary: Vocabulary,
}

/// Builds an index memory by memory, so that no text must be held.
#[derive(Debug, Default)]
pub struct Builder {
    numbers: HashMap<String, u32>,
    found: Vec<Vec<Found>>,
    known: Vec<Known>,
    lengths: Vec<[u32; FIELDS]>,
}

/// A term in a memory, before it is known how long memories are.
#[derive(Debug, Clone, Copy)]
struct Found {
    at: u32,
    counts: [u16; FIELDS],
    negated: bool,
}

impl Builder {
    /// Adds a memory; its number is how many came before.
    pub fn add(&mut self, document: &Document<'_>) {
        let at = u32::try_from(self.known.len()).unwrap_or(u32::MAX);
        let stem = document.path.rsplit('/').next().unwrap_or(document.path);
        let stem = stem.strip_suffix(".md").unwrap_or(stem);
        let name = terms::terms(document.name.unwrap_or_default());
        let mut of_file = terms::terms(stem);
        of_file.retain(|term| !name.iter().any(|one| one.text == term.text));
        let description = terms::terms(document.description.unwrap_or_default());
        let kind = terms::terms(document.kind.unwrap_or_default());
        let body = terms::terms(&document.body);
        let replaces = replaced::is_said(document);
        let mut counts: HashMap<u32, ([u16; FIELDS], bool)> = HashMap::new();
        let mut lengths = [0; FIELDS];
        for (field, terms) in [
            (Field::Name, name),
            (Field::Name, of_file),
            (Field::Description, description),
            (Field::Type, kind),
            (Field::Body, body),
        ] {
            lengths[field as usize] += u32::try_from(terms.len()).unwrap_or(u32::MAX);
            for term in terms {
                let negated = term.negated && matches!(field, Field::Name | Field::Description);
                let number = self.number(term);
                let entry = counts.entry(number).or_default();
                entry.0[field as usize] = entry.0[field as usize].saturating_add(1);
                entry.1 |= negated;
            }
        }
        let mut numbers: Vec<u32> = counts.keys().copied().collect();
        numbers.sort_unstable();
        let sorted = |take: &dyn Fn(&[u16; FIELDS], bool) -> bool| -> Box<[u32]> {
            let taken = counts
                .iter()
                .filter(|(_, (counts, negated))| take(counts, *negated));
            let mut numbers: Vec<u32> = taken.map(|(number, _)| *number).collect();
            numbers.sort_unstable();
            numbers.into()
        };
        let head = sorted(&|counts, _| {
            counts[Field::Name as usize] + counts[Field::Description as usize] > 0
        });
        let turned_down = sorted(&|_, negated| negated);
        for (number, (counts, negated)) in counts {
            self.found[number as usize].push(Found {
                at,
                counts,
                negated,
            });
        }
        self.lengths.push(lengths);
        self.known.push(Known {
            saved: document.saved,
            terms: numbers.into(),
            replaces,
            head,
            negated: turned_down,
        });
    }

    fn number(&mut self, term: Term) -> u32 {
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(term.text).or_insert(next);
        if number == next {
            self.found.push(Vec::new());
        }
        number
    }

    #[must_use]
    pub fn finish(self) -> Index {
        let many = self.lengths.len().max(1) as f32;
        let average = |field: usize| {
            let sum: f32 = self.lengths.iter().map(|of| of[field] as f32).sum();
            (sum / many).max(1.0)
        };
        let averages: [f32; FIELDS] = std::array::from_fn(average);
        let posting = |found: &Found| {
            let lengths = &self.lengths[found.at as usize];
            let fields = [Field::Name, Field::Description, Field::Type, Field::Body];
            let weights = fields.into_iter().map(|field| {
                let (weight, by_length) = field.tuning();
                let at = field as usize;
                let relative = lengths[at] as f32 / averages[at];
                weight * f32::from(found.counts[at]) / (1.0 - by_length + by_length * relative)
            });
            let weight: f32 = weights.sum();
            Posting {
                at: found.at,
                share: weight / (SATURATION + weight),
                in_head: found.counts[Field::Name as usize] > 0
                    || found.counts[Field::Description as usize] > 0,
                negated: found.negated,
            }
        };
        let postings = self.found.iter();
        let postings = postings.map(|found| found.iter().map(posting).collect());
        Index {
            postings: postings.collect(),
            vocabulary: Vocabulary::new(self.numbers),
            known: self.known,
        }
    }
}

impl Index {
    /// How many memories it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.known.len()
    }

    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Bytes that it takes, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let postings = self
            .postings
            .iter()
            .map(|of| of.len() * size_of::<Posting>() + 24);
        let known = self
            .known
            .iter()
            .map(|one| one.terms.len() * 4 + size_of::<Known>());
        postings.sum::<usize>() + known.sum::<usize>() + self.vocabulary.bytes()
    }

    /// How rare a term is, from 0 on: one that every memory has tells nothing.
    pub(super) fn rarity(&self, number: u32) -> f32 {
        let all = self.known.len() as f32;
        let rarity = |with: f32| (1.0 + (all - with + 0.5) / (with + 0.5)).ln();
        let with = self.postings[number as usize].len() as f32;
        (RAREST * rarity(with) / rarity(1.0)).clamp(0.0, 1.0)
    }
}

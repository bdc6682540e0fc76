//! A question put to an index: scores, the threshold, near twins. The figures were chosen on the `tune`
//! half of the labelled questions (`tests/fixtures/recall`), in the middle of where they hold.

use std::collections::HashSet;

use super::index::Index;
use super::replaced;
use super::terms::{self, Kind, Term};
use crate::base::time::Moment;

/// What a term of a question is worth by its kind; a word is 1.
const COMMON: f32 = 0.28;
const IDENTIFIER: f32 = 1.45;
const SHORT_IDENTIFIER: f32 = 0.6;
const NUMBER: f32 = 0.9;
const PAIR: f32 = 0.82;

/// An identifier is not about how often it stands there: its share of a memory at least.
const IDENTIFIER_SHARE: f32 = 0.5;
/// What the parts of an identifier are worth where the whole is not there.
const PARTS: f32 = 0.55;
/// What a term is worth more that stands in the body only: name and description say it shorter.
const BODY_ONLY: f32 = 1.4;
/// What a word is worth more that the memory turns down: it is wanted when just that is asked for.
const TURNED_DOWN: f32 = 1.8;
/// What a memory is worth of which only one word fits, unless it turns that down.
const SINGLE: f32 = 0.85;
/// How much it counts how much of the question a memory has.
const COVERAGE: f32 = 0.1;
/// What a memory of today is worth more than an old one, and days after which a third of it is left.
const RECENT: f32 = 0.12;
const RECENT_DAYS: f32 = 90.0;
/// What a memory is worth that a newer one has replaced, and what share of its score that must have.
const REPLACED: f32 = 0.36;
const REPLACING: f32 = 0.2;

/// Below it nothing surely helps. Where many memories have about as much, it is the question that is
/// common: so much of the mean of the next five is taken off the best.
const THRESHOLD: f32 = 0.85;
const CROWD: f32 = 0.4;
const CROWDED: usize = 5;
/// What share of the best score another must have, or which score is enough in any case.
const BESIDE: f32 = 0.55;
const ENOUGH: f32 = 1.4;
/// Of memories that are more alike than this, one is picked.
const TWINS: f32 = 0.45;
/// What is related at all.
const RELATED: f32 = 0.4;

/// Terms of a question that are looked for, from its beginning and from its end: what is pasted between
/// has thousands.
const TERMS_AT_AN_END: usize = 60;
/// Memories that are compared with each other.
const COMPARED: usize = 24;
/// Words that a hit is explained with.
const WORDS: usize = 6;

/// A memory that fits.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Its number: how many memories were added before it.
    pub at: usize,
    /// Comparable among the hits of one question.
    pub score: f32,
    /// The words of the question that it has, the weightiest first, as they were typed.
    pub words: Vec<String>,
    /// It turns one of them down: *not*, *never*.
    pub warns: bool,
}

impl Hit {
    /// Why it was chosen: the end of a sentence on the memory.
    #[must_use]
    pub fn why(&self) -> String {
        let warns = match self.warns {
            true => " and turns some of that down",
            false => "",
        };
        format!("it has {}{warns}", self.words.join(", "))
    }
}

/// What is wanted of a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wanted {
    pub most: usize,
    /// Only what surely helps, and of near twins one. Else all that is related.
    pub sure: bool,
    pub now: Moment,
}

/// A term of the question, with what stands for it in the index and how much each is worth.
struct Asked {
    term: Term,
    weight: f32,
    is_whole: bool,
    stands: Vec<(u32, f32)>,
}

/// A word, or an identifier with its parts: counted once.
struct Run {
    terms: Vec<Asked>,
    weight: f32,
}

/// What each memory has of a question, by its number.
struct Sums {
    scores: Vec<f32>,
    /// Weights of the runs that it has, and how many.
    weights: Vec<f32>,
    runs: Vec<u32>,
    /// One of the words is turned down.
    turned: Vec<bool>,
}

impl Index {
    /// The memories that fit a question, the best first.
    #[must_use]
    pub fn rank(&self, question: &str, wanted: &Wanted) -> Vec<Hit> {
        let runs = self.runs(question);
        let mut hits = self.scored(&runs, wanted);
        self.put_back_replaced(&mut hits);
        let picked = match wanted.sure {
            true => self.pick(&hits, wanted.most),
            false => {
                hits.retain(|(_, score)| *score >= RELATED);
                hits.truncate(wanted.most);
                hits
            }
        };
        let hit = |(at, score)| self.explained(&runs, at, score);
        picked.into_iter().map(hit).collect()
    }

    fn runs(&self, question: &str) -> Vec<Run> {
        let mut known: HashSet<String> = HashSet::new();
        let mut terms: Vec<Term> = Vec::new();
        for term in terms::terms(question) {
            if known.insert(term.text.clone()) {
                terms.push(term);
            }
        }
        if terms.len() > 2 * TERMS_AT_AN_END {
            terms.drain(TERMS_AT_AN_END..terms.len() - TERMS_AT_AN_END);
        }
        let parted = terms.chunk_by(|a, b| a.run == b.run);
        parted.map(|terms| self.run(terms)).collect()
    }

    fn run(&self, terms: &[Term]) -> Run {
        let is_parted = terms.len() > 1;
        let longest = terms.iter().map(|term| term.written.len()).max();
        let asked = terms.iter().map(|term| {
            let is_plain = term.kind == Kind::Word && !is_parted;
            Asked {
                weight: weight(term),
                is_whole: is_parted
                    && term.kind == Kind::Identifier
                    && Some(term.written.len()) == longest,
                stands: self.vocabulary.stand_for(&term.text, !is_plain),
                term: term.clone(),
            }
        });
        let terms: Vec<Asked> = asked.collect();
        let weight = terms.iter().map(|one| one.weight).fold(0.0, f32::max);
        Run { terms, weight }
    }

    /// The best memories with their scores, the best first; more than are wanted, to be compared.
    fn scored(&self, runs: &[Run], wanted: &Wanted) -> Vec<(usize, f32)> {
        let many = self.known.len();
        let mut sums = Sums {
            scores: vec![0.0; many],
            weights: vec![0.0; many],
            runs: vec![0; many],
            turned: vec![false; many],
        };
        for run in runs {
            self.add(run, &mut sums);
        }
        let all: f32 = runs.iter().map(|run| run.weight).sum();
        let found = (0..many).filter(|at| sums.scores[*at] > 0.0);
        let score = |at: usize| {
            let days = self.known[at]
                .saved
                .map_or(365, |saved| saved.days_before(wanted.now));
            let is_single = sums.runs[at] == 1 && !sums.turned[at];
            let single = if is_single { SINGLE } else { 1.0 };
            let recent = 1.0 + RECENT * (-(days as f32) / RECENT_DAYS).exp();
            sums.scores[at] * single * recent * (sums.weights[at] / all).powf(COVERAGE)
        };
        let mut hits: Vec<(usize, f32)> = found.map(|at| (at, score(at))).collect();
        let most = wanted.most.max(COMPARED);
        if hits.len() > most {
            hits.select_nth_unstable_by(most, by_score);
            hits.truncate(most);
        }
        hits.sort_by(by_score);
        hits
    }

    /// Adds what each memory has of a run: of an identifier the whole, or its parts for less.
    fn add(&self, run: &Run, sums: &mut Sums) {
        let mut touched: Vec<(u32, f32, f32, f32)> = Vec::new();
        for asked in &run.terms {
            let mut best: Vec<(u32, f32)> = Vec::new();
            for (stands, worth) in &asked.stands {
                let rarity = self.rarity(*stands);
                for posting in &self.postings[*stands as usize] {
                    let mut share = posting.share;
                    if asked.term.kind == Kind::Identifier && asked.term.text.len() > 2 {
                        share = share.max(IDENTIFIER_SHARE);
                    }
                    let place = if posting.in_head { 1.0 } else { BODY_ONLY };
                    let turned = if posting.negated { TURNED_DOWN } else { 1.0 };
                    sums.turned[posting.at as usize] |= posting.negated;
                    best.push((
                        posting.at,
                        asked.weight * worth * rarity * share * place * turned,
                    ));
                }
            }
            if asked.stands.len() > 1 {
                best.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
                best.dedup_by_key(|one| one.0);
            }
            touched.extend(best.into_iter().map(|(at, score)| match asked.is_whole {
                true => (at, score, 0.0, asked.weight),
                false => (at, 0.0, score, asked.weight),
            }));
        }
        let is_parted = run.terms.len() > 1;
        if is_parted {
            touched.sort_by_key(|one| one.0);
        }
        for of_one in touched.chunk_by(|a, b| a.0 == b.0) {
            let whole = of_one.iter().map(|one| one.1).fold(0.0, f32::max);
            let parts: f32 = of_one.iter().map(|one| one.2).sum();
            let at = of_one[0].0 as usize;
            sums.scores[at] += match is_parted {
                true if whole > 0.0 => whole.max(parts),
                true => parts * PARTS,
                false => parts,
            };
            sums.weights[at] += of_one.iter().map(|one| one.3).fold(0.0, f32::max);
            sums.runs[at] += 1;
        }
    }

    fn put_back_replaced(&self, hits: &mut [(usize, f32)]) {
        let found = hits.to_vec();
        for (older, score) in hits.iter_mut() {
            let mut others = found.iter().take(COMPARED);
            let is_replaced = others.any(|(newer, other)| {
                *other > *score * REPLACING && replaced::is_replaced(self, *older, *newer)
            });
            if is_replaced {
                *score *= REPLACED;
            }
        }
        hits.sort_by(by_score);
    }

    /// What surely helps.
    fn pick(&self, hits: &[(usize, f32)], most: usize) -> Vec<(usize, f32)> {
        let best = hits.first().map_or(0.0, |(_, score)| *score);
        let next = hits.iter().skip(1).take(CROWDED).map(|(_, score)| score);
        let crowd = next.sum::<f32>() / CROWDED as f32;
        if best - CROWD * crowd < THRESHOLD {
            return Vec::new();
        }
        let enough = (best * BESIDE).clamp(THRESHOLD, ENOUGH);
        let mut picked: Vec<(usize, f32)> = Vec::new();
        for (at, score) in hits.iter().take_while(|(_, score)| *score >= enough) {
            let is_twin = |one: &(usize, f32)| replaced::likeness(self, one.0, *at) > TWINS;
            if picked.len() < most && !picked.iter().any(is_twin) {
                picked.push((*at, *score));
            }
        }
        picked
    }

    fn explained(&self, runs: &[Run], at: usize, score: f32) -> Hit {
        let mut warns = false;
        let mut words: Vec<(f32, &str)> = Vec::new();
        for asked in runs.iter().flat_map(|run| &run.terms) {
            let found = asked.stands.iter().filter_map(|(stands, worth)| {
                let postings = &self.postings[*stands as usize];
                let place = postings
                    .binary_search_by_key(&at, |one| one.at as usize)
                    .ok()?;
                warns |= postings[place].negated;
                Some(asked.weight * worth * self.rarity(*stands) * postings[place].share)
            });
            let best = found.fold(0.0, f32::max);
            if best > 0.0 {
                words.push((best, &asked.term.written));
            }
        }
        words.sort_by(|a, b| b.0.total_cmp(&a.0));
        words.truncate(WORDS);
        Hit {
            at,
            score,
            words: words
                .into_iter()
                .map(|(_, word)| word.to_string())
                .collect(),
            warns,
        }
    }
}

fn weight(term: &Term) -> f32 {
    match term.kind {
        Kind::Word => 1.0,
        Kind::Common => COMMON,
        Kind::Identifier if term.text.len() > 2 => IDENTIFIER,
        Kind::Identifier => SHORT_IDENTIFIER,
        Kind::Number => NUMBER,
        Kind::Pair => PAIR,
    }
}

fn by_score(a: &(usize, f32), b: &(usize, f32)) -> std::cmp::Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

//! Recall: which memories a question needs. A small model chooses from a list of one-line descriptions;
//! where none can be asked the local ranker does, and it is said. What was chosen, dropped and why is all
//! in the answer. Injects nothing by itself.

pub mod beside;
mod gate;
mod prefetch;
mod selector;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

pub use gate::Gate;
pub use prefetch::{Polled, Prefetch, Running};
pub use selector::SelectorPrompt;

use crate::base::disk::Disk;
use crate::base::time::{Moment, grouped};
use crate::config::limits::{RECALLED_BYTES, RECALLED_MEMORIES};
use crate::context::conversation::Entry;
use crate::context::memory_prompt::Recall;
use crate::context::part::{Kind, Piece};
use crate::context::recalled::{self, Held};
use crate::llm::answer::Usage;
use crate::llm::breaker::Breaker;
use crate::llm::{Model, model_or_newest, once};
use crate::memory::manifest::{self, Candidate, Manifest};
use crate::memory::ranker::Wanted;
use crate::safety::secret::Allowed;
use selector::Selection;

/// What is asked.
#[derive(Debug, Clone, Copy)]
pub struct Asked<'a> {
    pub disk: &'a Disk,
    /// The memory folder.
    pub folder: &'a Path,
    pub mode: Recall,
    /// The newest message of the person's own.
    pub question: &'a str,
    /// The conversation so far.
    pub entries: &'a [Entry],
    /// Tools that were used lately, with success.
    pub tools: &'a [String],
    pub now: Moment,
    pub prompt: &'a SelectorPrompt,
    /// Secrets that a person lets pass; all others are masked in what a model is sent.
    pub allowed: &'a Allowed,
}

/// The model that chooses.
pub struct Selector<'a> {
    pub model: &'a dyn Model,
    /// Its name; `None`: the newest that the provider lists.
    pub name: Option<&'a str>,
    pub breaker: &'a mut Breaker,
}

/// Who chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Model,
    Words,
}

impl By {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Words => "words",
        }
    }
}

/// A memory that was chosen.
#[derive(Debug, Clone, PartialEq)]
pub struct Picked {
    /// Relative to the memory folder.
    pub path: String,
    pub place: PathBuf,
    /// The ranker's; a model gives none.
    pub score: Option<f32>,
    pub why: String,
    /// What is put into the conversation.
    pub pieces: Vec<Piece>,
}

/// A memory that was chosen, or left out before, and is not put into the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dropped {
    /// As it was named: foreign text where a model named it.
    pub path: String,
    pub why: String,
}

/// What came of it, with its explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct Recalled {
    /// Memories that were chosen from.
    pub candidates: usize,
    /// Files that could not be read.
    pub unread: usize,
    pub picked: Vec<Picked>,
    pub dropped: Vec<Dropped>,
    pub by: By,
    /// Why words chose, or why nothing was taken of what a model said: a sentence.
    pub note: Option<String>,
    pub took: Duration,
    /// Tokens that the selector used; `None`: nobody was asked, or it was not counted.
    pub usage: Option<Usage>,
}

/// Chooses.
///
/// # Errors
/// The gate that is shut: nothing was looked at.
pub async fn recall(asked: &Asked<'_>, selector: Option<Selector<'_>>) -> Result<Recalled, Gate> {
    let begun = Instant::now();
    let held = recalled::held(asked.entries, asked.now);
    gate::pass(asked, &held)?;
    let mut scanned = Scanned::of(asked, &held);
    let (by, names, note, usage) = scanned.choose(asked, selector).await;
    let mut recalled = scanned.taken(asked, &held, by, names);
    recalled.note = note;
    recalled.usage = usage;
    recalled.took = begun.elapsed();
    Ok(recalled)
}

/// Chooses by words alone, at once. `why` says why no model does.
///
/// # Errors
/// The gate that is shut.
pub fn by_words(asked: &Asked<'_>, why: &str) -> Result<Recalled, Gate> {
    let begun = Instant::now();
    let held = recalled::held(asked.entries, asked.now);
    gate::pass(asked, &held)?;
    let scanned = Scanned::of(asked, &held);
    let names = scanned.ranked(asked);
    let mut recalled = scanned.taken(asked, &held, By::Words, names);
    recalled.note = Some(why.to_string());
    recalled.took = begun.elapsed();
    Ok(recalled)
}

/// A name that was chosen, with the score and the reason.
struct Named {
    path: String,
    score: Option<f32>,
    why: String,
}

type Chosen = (By, Vec<Named>, Option<String>, Option<Usage>);

/// A folder's candidates without what the conversation holds.
struct Scanned {
    manifest: Manifest,
    dropped: Vec<Dropped>,
}

impl Scanned {
    fn of(asked: &Asked<'_>, held: &Held) -> Self {
        let mut manifest = manifest::scan(asked.disk, asked.folder);
        let mut dropped = Vec::new();
        manifest.candidates.retain(|one| {
            let why = held.why(&asked.folder.join(&*one.memory.path));
            dropped.extend(why.map(|why| Dropped {
                path: one.memory.path.to_string(),
                why: why.to_string(),
            }));
            why.is_none()
        });
        Self { manifest, dropped }
    }

    async fn choose(&mut self, asked: &Asked<'_>, selector: Option<Selector<'_>>) -> Chosen {
        let words = |this: &Self, note: String| (By::Words, this.ranked(asked), Some(note), None);
        let Some(Selector {
            model,
            name,
            breaker,
        }) = selector
        else {
            return words(self, "no model is asked".to_string());
        };
        if breaker.is_open() {
            return words(self, breaker.said().unwrap_or_default());
        }
        if self.manifest.candidates.is_empty() {
            return (
                By::Model,
                Vec::new(),
                Some("there is no memory to choose from".to_string()),
                None,
            );
        }
        let answer = match model_or_newest(model, name).await {
            Err(failure) => Err(failure),
            Ok(name) => {
                let request = selector::request(asked, &self.manifest, &name);
                once(model, &request.ask())
                    .await
                    .map_err(|broken| *broken.failure)
            }
        };
        match answer {
            Err(failure) => {
                breaker.failed(&failure);
                words(self, format!("the model did not choose: {failure}"))
            }
            Ok((answer, structured)) => {
                breaker.worked();
                let (names, note) = match selector::read(&structured) {
                    Selection::Names(names) => (names, None),
                    Selection::Garbage(why) => (Vec::new(), Some(why)),
                };
                let named = names.into_iter().map(|path| Named {
                    path,
                    score: None,
                    why: "the model chose it".to_string(),
                });
                (By::Model, named.collect(), note, answer.usage)
            }
        }
    }

    fn ranked(&self, asked: &Asked<'_>) -> Vec<Named> {
        let wanted = Wanted {
            most: RECALLED_MEMORIES,
            sure: true,
            now: asked.now,
        };
        let hits = self.manifest.index().rank(asked.question, &wanted);
        let named = hits.into_iter().map(|hit| Named {
            path: self.manifest.candidates[hit.at].memory.path.to_string(),
            score: Some(hit.score),
            why: hit.why(),
        });
        named.collect()
    }

    /// Takes of what was named what there is and has room.
    fn taken(self, asked: &Asked<'_>, held: &Held, by: By, names: Vec<Named>) -> Recalled {
        let Self {
            manifest,
            mut dropped,
        } = self;
        let mut picked: Vec<Picked> = Vec::new();
        let mut left = RECALLED_BYTES.saturating_sub(held.bytes);
        for Named { path, score, why } in names {
            let mut drop = |why: &str| {
                dropped.push(Dropped {
                    path: path.clone(),
                    why: why.to_string(),
                });
            };
            if picked.iter().any(|one| one.path == path) {
                drop("it was named twice");
                continue;
            }
            let Some(candidate) = manifest.find(&path) else {
                drop("no memory in the list has this name");
                continue;
            };
            if picked.len() >= RECALLED_MEMORIES {
                drop(&format!("{RECALLED_MEMORIES} are recalled at most"));
                continue;
            }
            let pieces = pieces(asked, candidate);
            let bytes = recalled_bytes(&pieces);
            if bytes > left {
                drop(&format!(
                    "the session's {} bytes for memories are used up",
                    grouped(RECALLED_BYTES)
                ));
                continue;
            }
            left -= bytes;
            picked.push(Picked {
                place: asked.folder.join(&path),
                path,
                score,
                why,
                pieces,
            });
        }
        Recalled {
            candidates: manifest.candidates.len(),
            unread: manifest.unread,
            picked,
            dropped,
            by,
            note: None,
            took: Duration::ZERO,
            usage: None,
        }
    }
}

fn pieces(asked: &Asked<'_>, candidate: &Candidate) -> Vec<Piece> {
    let memory = &candidate.memory;
    let place = asked.folder.join(&*memory.path);
    recalled::pieces(&place, &candidate.bytes, memory.modified, asked.now)
}

fn recalled_bytes(pieces: &[Piece]) -> usize {
    let texts = pieces.iter().filter(|piece| piece.kind == Kind::Recalled);
    texts.map(|piece| piece.shown().len()).sum()
}

impl Recalled {
    /// Drops what has come into the conversation, or was read by a tool, since it was asked: called when it
    /// is put in.
    pub fn settle(&mut self, entries: &[Entry], now: Moment) {
        let held = recalled::held(entries, now);
        let mut left = RECALLED_BYTES.saturating_sub(held.bytes);
        let dropped = &mut self.dropped;
        self.picked.retain(|one| {
            let bytes = recalled_bytes(&one.pieces);
            let why = match held.why(&one.place) {
                Some(why) => Some(why),
                None if bytes > left => Some("the session's bytes for memories are used up"),
                None => None,
            };
            match why {
                None => left -= bytes,
                Some(why) => dropped.push(Dropped {
                    path: one.path.clone(),
                    why: why.to_string(),
                }),
            }
            why.is_none()
        });
    }

    /// The entries that put the memories into the conversation, one each.
    #[must_use]
    pub fn entries(&self, now: Moment) -> Vec<Entry> {
        let entry = |one: &Picked| Entry::Attached {
            pieces: one.pieces.clone(),
            time: now,
        };
        self.picked.iter().map(entry).collect()
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;

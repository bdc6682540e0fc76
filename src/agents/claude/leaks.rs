//! Secrets that a change would put into a file where they are not yet. What is the team's goes to others
//! and never gets one; an agent writes none; a person is asked.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::memory::index::decode;
use crate::safety::secret::{self, Hit};
use crate::store::change::{Age, Author, ChangeSet, Op};

/// Where the team's memories lie below a memory folder.
const TEAM: &str = "team";

/// A secret that a change would put into a file.
struct Leak {
    path: PathBuf,
    hit: Hit,
    /// Its first characters.
    lead: String,
    fingerprint: String,
    is_team: bool,
}

/// A text that a change leaves at a path.
struct Left {
    path: PathBuf,
    text: String,
    is_team: bool,
}

impl Claude {
    /// Why a change set may not be applied: it would put a secret where it goes to others, or an agent
    /// would write one, or write over one that it saw masked.
    #[must_use]
    pub fn leak_refused(&self, set: &ChangeSet) -> Option<String> {
        let is_agent = match set.author {
            Author::Agent | Author::Extract | Author::Dream => true,
            Author::You | Author::Fix | Author::Import => false,
        };
        if is_agent && let Some(path) = self.written_masked(set) {
            return Some(format!(
                "{}: a secret of this file is shown masked, and the change would put the mask in its place; leave that line as it is and change others",
                path.display()
            ));
        }
        let leaks = self.leaks(set);
        let refused: Vec<&Leak> = leaks.iter().filter(|one| one.is_team || is_agent).collect();
        let first = refused.first()?;
        let why = match first.is_team {
            true => "what is the team's goes to others",
            false => "a memory is no place for it",
        };
        Some(format!(
            "{}, and {why}: nothing was written; take it out, or let it pass with \"{}\" in `allow` under [secrets] of config.toml",
            told(&refused),
            first.fingerprint
        ))
    }

    /// What is to be asked before a change set is applied: it would put a secret into a file. A sentence.
    #[must_use]
    pub fn leak_asked(&self, set: &ChangeSet) -> Option<String> {
        let leaks = self.leaks(set);
        let all: Vec<&Leak> = leaks.iter().collect();
        (!all.is_empty()).then(|| {
            format!(
                "{}: each session that reads it sends it to the provider",
                told(&all)
            )
        })
    }

    fn leaks(&self, set: &ChangeSet) -> Vec<Leak> {
        let left = self.left(set);
        let hits = left.iter().flat_map(|one| {
            let hits = secret::scan(&one.text, &self.allowed);
            hits.into_iter().map(move |hit| (one, hit))
        });
        let hits: Vec<(&Left, Hit)> = hits.collect();
        if hits.is_empty() {
            return Vec::new();
        }
        let known = self.held(set);
        let leaks = hits.into_iter().filter_map(|(one, hit)| {
            let value = &one.text[hit.range.clone()];
            // What the team has is known to it; what is private is not.
            let is_new = !known.contains(&(value.to_string(), true))
                && (one.is_team || !known.contains(&(value.to_string(), false)));
            is_new.then(|| Leak {
                path: one.path.clone(),
                lead: hit.lead(&one.text).to_string(),
                fingerprint: hit.fingerprint(&one.text),
                is_team: one.is_team,
                hit,
            })
        });
        leaks.collect()
    }

    /// The texts that a change set leaves, but for what it only puts back.
    fn left(&self, set: &ChangeSet) -> Vec<Left> {
        let mut left: Vec<Left> = Vec::new();
        for change in &set.changes {
            match &change.op {
                Op::Write {
                    age: Age::At(_), ..
                }
                | Op::Trash { .. } => {}
                Op::Write { path, after, .. } if is_text(path) => left.push(Left {
                    path: path.clone(),
                    text: decode(after),
                    is_team: self.is_team(path),
                }),
                // A memory that is given to the team; as it is, or as it was written before in this set.
                Op::Move { from, to } if is_text(to) && self.is_team(to) && self.is_here(from) => {
                    let written = left.iter().rev().find(|one| one.path == *from);
                    let text = written.map(|one| one.text.clone());
                    let text = text.or_else(|| self.text(from)).unwrap_or_default();
                    left.push(Left {
                        path: to.clone(),
                        text,
                        is_team: true,
                    });
                }
                Op::Write { .. } | Op::Move { .. } => {}
            }
        }
        left
    }

    /// The secrets that the files of a change set hold already, and whether the team's do.
    fn held(&self, set: &ChangeSet) -> HashSet<(String, bool)> {
        let mut known = HashSet::new();
        let mut add = |path: &Path, text: &str| {
            let is_team = self.is_team(path);
            for hit in secret::scan(text, &self.allowed) {
                known.insert((text[hit.range].to_string(), is_team));
            }
        };
        for change in &set.changes {
            match &change.op {
                Op::Write { path, before, .. } => {
                    if let Some(before) = before.as_deref().filter(|_| is_text(path)) {
                        add(path, &decode(before));
                    }
                }
                Op::Move { from: path, .. } | Op::Trash { path } => {
                    if let Some(text) = self.text(path).filter(|_| is_text(path)) {
                        add(path, &text);
                    }
                }
            }
        }
        known
    }

    /// A file that held a secret and would hold a mask in its place.
    fn written_masked(&self, set: &ChangeSet) -> Option<PathBuf> {
        set.changes.iter().find_map(|change| {
            let Op::Write {
                path,
                before: Some(before),
                after,
                ..
            } = &change.op
            else {
                return None;
            };
            let (before, after) = (decode(before), decode(after));
            let masks = |text: &str| text.matches(secret::MASK).count();
            let hits = secret::scan(&before, &self.allowed);
            let is_lost = hits
                .iter()
                .any(|hit| !after.contains(&before[hit.range.clone()]));
            (is_lost && masks(&after) > masks(&before)).then(|| path.clone())
        })
    }

    /// Whether a file is shared with the team.
    fn is_team(&self, path: &Path) -> bool {
        let mut folders = path.ancestors().skip(1);
        folders.any(|folder| {
            let of = folder.parent().unwrap_or(folder);
            let is_memory = of.ends_with("memory") || of == self.here().folder;
            folder.ends_with(TEAM) && is_memory
        })
    }

    /// Whether a file lies in the store; what comes back from the trash was there before.
    fn is_here(&self, path: &Path) -> bool {
        path.starts_with(self.home()) || path.starts_with(&self.here().folder)
    }

    fn text(&self, path: &Path) -> Option<String> {
        let bytes = self.inner.disk.read(path).ok()?;
        Some(decode(&bytes))
    }
}

/// Memories, indexes and rules; transcripts hold what they hold.
fn is_text(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "md")
}

fn told(leaks: &[&Leak]) -> String {
    let Some(first) = leaks.first() else {
        return String::new();
    };
    let lead = match first.lead.as_str() {
        "" => String::new(),
        lead => format!(", {lead}…"),
    };
    let more = match leaks.len() {
        1 => String::new(),
        many => format!(" and {} more", many - 1),
    };
    format!(
        "{}:{} would hold what looks like a credential ({}{lead}){more}",
        first.path.display(),
        first.hit.line,
        first.hit.kind.name()
    )
}

#[cfg(test)]
#[path = "leaks_tests.rs"]
mod tests;

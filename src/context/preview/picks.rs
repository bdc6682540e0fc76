//! What prefetching brings along for a question: the list that is chosen from, what words alone choose of it,
//! and the text that is put in. A model would choose from the same list; none is asked for a preview.

use std::path::Path;

use super::notes;
use crate::base::disk::Disk;
use crate::base::time::{Moment, grouped};
use crate::config::limits::{RECALLED_BYTES, RECALLED_MEMORIES};
use crate::context::part::{Kind, Piece};
use crate::context::recalled;
use crate::memory::manifest::{self, Candidate};
use crate::memory::ranker::Wanted;

/// What is chosen for a question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Picks {
    /// The list: a line a memory.
    pub manifest: Vec<String>,
    /// What is attached, the pieces of each memory.
    pub attached: Vec<Vec<Piece>>,
    /// What is to be said of it: sentences.
    pub notes: Vec<String>,
}

impl Picks {
    /// Chooses by words.
    #[must_use]
    pub fn of(disk: &Disk, folder: &Path, question: Option<&str>, now: Moment) -> Self {
        let manifest = manifest::scan(disk, folder);
        let lines: Vec<String> = manifest.candidates.iter().map(Candidate::line).collect();
        let mut said = vec![notes::BY_WORDS.to_string()];
        let Some(question) = question.filter(|question| !question.trim().is_empty()) else {
            said.push(notes::NO_QUESTION.to_string());
            return Self {
                manifest: lines,
                attached: Vec::new(),
                notes: said,
            };
        };
        let wanted = Wanted {
            most: RECALLED_MEMORIES,
            sure: true,
            now,
        };
        let mut attached = Vec::new();
        let mut used = 0;
        for hit in manifest.index().rank(question, &wanted) {
            let one = &manifest.candidates[hit.at];
            let path = &one.memory.path;
            said.push(format!("picked {path} ({:.2}): {}", hit.score, hit.why()));
            let place = folder.join(&**path);
            let pieces = recalled::pieces(&place, &one.bytes, one.memory.modified, now);
            let texts = pieces.iter().filter(|piece| piece.kind == Kind::Recalled);
            used += texts.map(|piece| piece.shown().len()).sum::<usize>();
            attached.push(pieces);
        }
        said.push(match (attached.len(), lines.len()) {
            (_, 0) => "there is no memory to choose from".to_string(),
            (0, many) => format!("none of {many} has enough of the question's words"),
            (picked, many) => format!(
                "of {many} to choose from, {} more have not enough of the question's words",
                many - picked
            ),
        });
        said.push(format!(
            "{} of {} bytes for memories are left in the session then",
            grouped(RECALLED_BYTES - used),
            grouped(RECALLED_BYTES)
        ));
        Self {
            manifest: lines,
            attached,
            notes: said,
        }
    }
}

#[cfg(test)]
#[path = "picks_tests.rs"]
mod tests;

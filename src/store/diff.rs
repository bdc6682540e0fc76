//! A checked change set as a person reads it: a unified diff of each write, a line for each move.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use similar::TextDiff;

use crate::store::Store;
use crate::store::change::{ChangeSet, Op};
use crate::store::journal::{Entry, StepOp};
use crate::store::plan::Plan;

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// How long the shortest diff of one file is looked for; then a longer one is told.
const PATIENCE: Duration = Duration::from_millis(500);

/// The diff of a change set, plain text. Foreign text is in it as it is: make it safe before it is shown.
#[must_use]
pub fn unified(set: &ChangeSet, plan: &Plan) -> String {
    let mut out = String::new();
    for (path, before, after) in &plan.writes {
        out.push_str(&of_write(path, before.as_deref(), after));
    }
    for change in &set.changes {
        match &change.op {
            Op::Write { .. } => {}
            Op::Move { from, to } => {
                let _ = writeln!(out, "move {} to {}", from.display(), to.display());
            }
            Op::Trash { path } => {
                let _ = writeln!(out, "trash {}", path.display());
            }
        }
    }
    out
}

/// The diff of a change set as it was made, before it is checked against what is there.
#[must_use]
pub fn of_set(set: &ChangeSet) -> String {
    let writes = set.changes.iter().filter_map(|change| match &change.op {
        Op::Write {
            path,
            before,
            after,
            ..
        } => Some(of_write(path, before.as_deref(), after)),
        Op::Move { .. } | Op::Trash { .. } => None,
    });
    writes.collect()
}

/// What goes with a file: its path, and each line of its text taken out.
#[must_use]
pub fn of_trash(path: &Path, bytes: &[u8]) -> String {
    let mut out = format!("trash {}\n", path.display());
    for line in String::from_utf8_lossy(bytes).lines() {
        let _ = writeln!(out, "-{line}");
    }
    out
}

impl Store {
    /// The diff of a change of the history, from the bytes that were kept of it; where those have been
    /// purged it says so in their place.
    #[must_use]
    pub fn diff_of(&self, entry: &Entry) -> String {
        let mut out = String::new();
        for step in entry.steps.iter().filter(|step| step.op == StepOp::Write) {
            let kept = |sha: &Option<String>| sha.as_deref().map(|sha| self.blob(sha)).transpose();
            match (kept(&step.before), kept(&step.after)) {
                (Ok(before), Ok(after)) => {
                    let after = after.unwrap_or_default();
                    out.push_str(&of_write(&step.path, before.as_deref(), &after));
                }
                (Err(error), _) | (_, Err(error)) => {
                    let _ = writeln!(out, "write {}\n  {error}", step.path.display());
                }
            }
        }
        for step in &entry.steps {
            let (path, to) = (step.path.display(), step.destination().display());
            let _ = match step.op {
                StepOp::Write => Ok(()),
                StepOp::Move => writeln!(out, "move {path} to {to}"),
                StepOp::Trash => writeln!(out, "trash {path}"),
            };
        }
        out
    }
}

/// The diff of two texts that are in no file: its hunks, without a head.
#[must_use]
pub fn of_texts(before: &str, after: &str) -> String {
    TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(before, after)
        .unified_diff()
        .context_radius(CONTEXT)
        .to_string()
}

/// The diff of one write; `before` is none where the file is made.
#[must_use]
pub fn of_write(path: &Path, before: Option<&[u8]>, after: &[u8]) -> String {
    let name = path.display().to_string();
    let old = before.map(String::from_utf8_lossy).unwrap_or_default();
    let new = String::from_utf8_lossy(after);
    let from = if before.is_some() {
        name.as_str()
    } else {
        "/dev/null"
    };
    TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(old.as_ref(), new.as_ref())
        .unified_diff()
        .context_radius(CONTEXT)
        .header(from, &name)
        .to_string()
}

//! What a change between index and rules costs: tokens a turn, estimated, of what is really sent before
//! and after it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::Claude;
use crate::agents::rules::{RuleFile, RuleList};
use crate::base::front_matter;
use crate::base::time::grouped;
use crate::base::tokens::estimate;
use crate::instructions::{Edited, import};
use crate::memory::index::decode;
use crate::memory::load;
use crate::memory::scan::INDEX_FILE;
use crate::store::change::{ChangeSet, Op};

impl Claude {
    /// What a turn of a session in `cwd` costs once a memory of `folder` is a rule, or the other way
    /// round: sentences. The rules as they are read before and after, so that what a file imports is in
    /// it; the index as it is loaded, since below the cut a line costs nothing and the one that goes
    /// makes room for another.
    #[must_use]
    pub fn weigh(&self, cwd: &Path, folder: &Path, set: &ChangeSet) -> Vec<String> {
        let before = self.rules_of(cwd);
        let rule = set.changes.iter().find_map(|change| match &change.op {
            Op::Write { path, after, .. } if !path.starts_with(folder) => Some(Edited {
                path: path.clone(),
                bytes: after.clone(),
            }),
            // What has no text is not sent, as what is not there.
            Op::Trash { path } if !path.starts_with(folder) => Some(Edited {
                path: path.clone(),
                bytes: Vec::new(),
            }),
            Op::Write { .. } | Op::Trash { .. } | Op::Move { .. } => None,
        });
        let after = match &rule {
            Some(rule) => self.rules_with(cwd, Some(rule.clone())),
            None => before.clone(),
        };
        let rules = of_rules(&before, &after);
        let mut said = vec![format!(
            "tokens a turn: {}, {rules}",
            self.of_index(folder, set)
        )];
        let changed = rule.as_ref().map(|rule| rule.path.as_path());
        said.extend(dropped(&before, &after, changed));
        said.extend(idle_imports(folder, set));
        said
    }

    /// `≈ 27 → ≈ 12 of the index`, and why where that is not what one expects.
    fn of_index(&self, folder: &Path, set: &ChangeSet) -> String {
        let mut sums = (0, 0);
        let mut is_written = false;
        for change in &set.changes {
            if let Op::Write {
                path,
                before,
                after,
                ..
            } = &change.op
                && path.file_name().is_some_and(|name| name == INDEX_FILE)
            {
                is_written = true;
                sums.0 += before.as_deref().map_or(0, sent);
                sums.1 += sent(after);
            }
        }
        if !is_written {
            let index = self.inner.disk.read(&folder.join(INDEX_FILE));
            let tokens = index.map_or(0, |bytes| sent(&bytes));
            return format!(
                "≈ {} of the index, unchanged: it has no line there",
                grouped(tokens)
            );
        }
        let has_line_more = set.changes.iter().any(|change| {
            matches!(&change.op, Op::Write { path, before: None, .. }
                if path.starts_with(folder) && !path.ends_with(INDEX_FILE))
        });
        let why = match sums.0.cmp(&sums.1) {
            std::cmp::Ordering::Equal => " (a line below the cut is not sent)",
            std::cmp::Ordering::Less if !has_line_more => {
                " (dearer: an entry from below the cut moves up)"
            }
            std::cmp::Ordering::Less | std::cmp::Ordering::Greater => "",
        };
        let (before, after) = (grouped(sums.0), grouped(sums.1));
        format!("≈ {before} → ≈ {after} of the index{why}")
    }
}

/// Tokens of an index as it is loaded.
fn sent(bytes: &[u8]) -> usize {
    let loaded = load::load(&decode(bytes));
    let warning = loaded.warning.as_deref().map_or(0, estimate);
    estimate(&loaded.text) + warning
}

/// `≈ 60 more of rules`.
fn of_rules(before: &RuleList, after: &RuleList) -> String {
    let waiting = |rules: &RuleList| -> usize {
        let waits = rules.files.iter().filter(|rule| !rule.survives());
        waits.map(|rule| rule.tokens).sum()
    };
    let always = (before.tokens(), after.tokens());
    let waits = (waiting(before), waiting(after));
    let (from, to, once) = match always.0 == always.1 {
        true => (waits.0, waits.1, " once it is loaded"),
        false => (always.0, always.1, ""),
    };
    let (much, more) = match from > to {
        true => (from - to, "less"),
        false => (to - from, "more"),
    };
    let once = if from == to { "" } else { once };
    format!("≈ {} {more} of rules{once}", grouped(much))
}

/// The files that are sent no more though they are not what changes.
fn dropped(before: &RuleList, after: &RuleList, changed: Option<&Path>) -> Option<String> {
    let is_sent = |rule: &&RuleFile| rule.survives();
    let kept: BTreeSet<&PathBuf> = after
        .files
        .iter()
        .filter(is_sent)
        .map(|it| &it.path)
        .collect();
    let gone = before.files.iter().filter(is_sent).filter(|rule| {
        let is_it = changed.is_some_and(|path| rule.path == path || rule.real == path);
        !is_it && !kept.contains(&rule.path)
    });
    let names: Vec<String> = gone
        .map(|rule| format!("{} (≈ {})", rule.title, grouped(rule.tokens)))
        .collect();
    (!names.is_empty()).then(|| {
        format!(
            "with it go {}: nothing imports them any more, what they cost is in what is saved",
            names.join(", ")
        )
    })
}

/// The imports in a memory that is made: they do nothing there.
fn idle_imports(folder: &Path, set: &ChangeSet) -> Option<String> {
    let text = set.changes.iter().find_map(|change| match &change.op {
        Op::Write {
            path,
            before: None,
            after,
            ..
        } if path.starts_with(folder) && !path.ends_with(INDEX_FILE) => Some(decode(after)),
        Op::Write { .. } | Op::Trash { .. } | Op::Move { .. } => None,
    })?;
    let body = &text[front_matter::read(&text).body..];
    let imports = import::references(body).into_iter();
    let named: Vec<String> = imports
        .filter(|it| it.is_import && import::is_plainly_a_path(&it.path))
        .map(|it| format!("@{}", it.path))
        .collect();
    (!named.is_empty()).then(|| {
        format!(
            "{}: an import in a memory does nothing, it is text there",
            named.join(", ")
        )
    })
}

#[cfg(test)]
#[path = "weigh_tests.rs"]
mod tests;

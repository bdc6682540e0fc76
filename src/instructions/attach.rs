//! What the Read of a file brings along: rules whose patterns match it, and the instructions of the
//! folders between the working directory and the file.

use std::path::{Path, PathBuf};

use super::discover::{self, LOCAL, MAIN, RULES};
use super::glob::{Budget, Matcher};
use super::reader::Reader;
use super::{Attached, Conditional, Instruction, Layer, Listing, Manner, Place, Role};
use crate::base::disk::{Disk, normalize};
use crate::config::limits::{PATH_PATTERN_BYTES, PATH_PATTERNS};

/// In the order observed: the person's conditional rules, then for each folder below the working
/// directory its main files, its local one and its rules. The project's own conditional rules come last.
pub fn all(disk: &Disk, place: &Place, manner: &Manner, file: &Path) -> Vec<Attached> {
    if place.off.is_some() {
        return Vec::new();
    }
    let file = normalize(&place.cwd.join(file));
    let listing: &Listing<'_> = &|folder| place.list(disk, folder);
    let mut reader = Reader::new(disk, place, manner);
    discover::start(&mut reader, listing);
    let waiting = std::mem::take(&mut reader.out.conditional);
    let (own, of_project): (Vec<Conditional>, Vec<Conditional>) = waiting
        .into_iter()
        .partition(|rule| matches!(rule.layer, Layer::Managed | Layer::User));
    let mut attached = Vec::new();
    attach(&mut reader, own, &file, &mut attached);
    for folder in folders_below(&place.cwd, &file) {
        nested(&mut reader, listing, &folder, &file, &mut attached);
    }
    attach(&mut reader, of_project, &file, &mut attached);
    attached
}

/// The folders below `cwd` on the way to a file, the topmost first.
fn folders_below(cwd: &Path, file: &Path) -> Vec<PathBuf> {
    let Some(parent) = file.parent().filter(|parent| parent.starts_with(cwd)) else {
        return Vec::new();
    };
    let above = parent.ancestors().take_while(|folder| *folder != cwd);
    let mut folders: Vec<PathBuf> = above.map(Path::to_path_buf).collect();
    folders.reverse();
    folders
}

fn nested(
    reader: &mut Reader<'_>,
    listing: &Listing<'_>,
    folder: &Path,
    file: &Path,
    attached: &mut Vec<Attached>,
) {
    let begin = reader.out.entries.len();
    take(reader, listing, folder);
    attached.extend(reader.out.entries[begin..].iter().map(|one| of(one, None)));
    let waiting = std::mem::take(&mut reader.out.conditional);
    attach(reader, waiting, file, attached);
}

/// Takes the instructions of a folder below the working directory.
pub fn take(reader: &mut Reader<'_>, listing: &Listing<'_>, folder: &Path) {
    let sources = reader.place.sources;
    if sources.project {
        for name in MAIN {
            reader.take(&folder.join(name), Layer::Project, Role::Main);
        }
    }
    if sources.local {
        reader.take(&folder.join(LOCAL), Layer::Local, Role::Local);
    }
    if sources.project {
        let rules = folder.join(RULES);
        discover::take_rules(reader, listing, &rules, Layer::Project, folder);
    }
}

/// Attaches those of some rules that a file wakes, with what they import.
fn attach(
    reader: &mut Reader<'_>,
    rules: Vec<Conditional>,
    file: &Path,
    attached: &mut Vec<Attached>,
) {
    for rule in rules {
        let Some(pattern) = rule.matching(file) else {
            continue;
        };
        let begin = reader.out.entries.len();
        reader.wake(&rule);
        let woken = reader.out.entries[begin..].iter();
        attached.extend(woken.map(|one| of(one, Some(pattern.clone()))));
    }
}

fn of(one: &Instruction, pattern: Option<String>) -> Attached {
    Attached {
        path: one.path.clone(),
        layer: one.layer,
        role: one.role,
        text: one.text.clone(),
        pattern: pattern.filter(|_| one.role == Role::Rule),
    }
}

impl Conditional {
    /// The pattern that a file (absolute) matches. A file outside the folder of the rule matches none.
    #[must_use]
    pub fn matching(&self, file: &Path) -> Option<String> {
        let below = file.strip_prefix(&self.base).ok()?;
        // What is over the limit was left out when the rule was read.
        let mut budget = Budget {
            patterns: PATH_PATTERNS,
            bytes: PATH_PATTERN_BYTES,
        };
        let matcher = Matcher::new(&self.patterns, &mut budget)?;
        matcher.matching(below).map(str::to_string)
    }
}

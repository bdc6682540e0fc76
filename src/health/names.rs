//! Names: two memories of one, a name unlike its file, a name that is no slug; copies of a
//! synchroniser, which bear the name of what they are copies of.

use std::collections::{HashMap, HashSet};

use crate::health::code::Code;
use crate::health::facts::Facts;
use crate::health::fix::Fix;
use crate::health::gathered::{Gathered, Spot};
use crate::memory::proposal::slug;

/// The name of a file without its ending.
#[must_use]
pub fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".md").unwrap_or(file)
}

/// Whether the reference client leaves a name as it is: lower-case ASCII letters, digits, dashes.
#[must_use]
pub fn is_slug(name: &str) -> bool {
    slug(name).is_ok_and(|slug| slug == name)
}

/// The path that a memory has under another name.
#[must_use]
pub fn renamed(path: &str, name: &str) -> String {
    match path.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{name}.md"),
        None => format!("{name}.md"),
    }
}

/// What all memories of a folder are called.
struct Called<'a> {
    paths: HashSet<&'a str>,
    /// Each name, and the first memory that bears it.
    names: HashMap<&'a str, &'a str>,
    /// Names that a fix is to give: each to one memory.
    promised: HashSet<String>,
}

pub fn look(all: &[Facts], out: &mut Gathered<'_>) {
    let own = || {
        all.iter()
            .filter(|one| one.is_read && one.copy_of.is_none())
    };
    let mut called = Called {
        paths: all.iter().map(|one| &*one.memory.path).collect(),
        names: HashMap::new(),
        promised: HashSet::new(),
    };
    for one in own() {
        if let Some(name) = one.name.as_deref() {
            called.names.entry(name).or_insert(&one.memory.path);
        }
    }
    for one in own() {
        match one.name.as_deref() {
            Some(name) => named(one, name, &mut called, out),
            None if one.has_block => nameless(one, &mut called, out),
            None => {}
        }
    }
}

fn spot(one: &Facts) -> Spot<'_> {
    Spot {
        path: &one.memory.path,
        line: one.name_line,
    }
}

fn nameless(one: &Facts, called: &mut Called<'_>, out: &mut Gathered<'_>) {
    let name = stem(&one.memory.path);
    let can = one.name_line.is_none() && is_slug(name) && called.promise(name);
    let rest = if can {
        ""
    } else {
        "; give it one with `loci edit`"
    };
    let message = format!("it has no name: links and commands can't call it by one{rest}");
    let fix = can.then_some(Fix::NameFromFile);
    out.add(Code::FieldMissing, spot(one), message, fix);
}

fn named(one: &Facts, name: &str, called: &mut Called<'_>, out: &mut Gathered<'_>) {
    let path = &*one.memory.path;
    if let Some(other) = called.names.get(name).filter(|other| **other != path) {
        let message = format!(
            "\"{name}\" is the name of {other} too: a link or a command by that name finds only one of them; rename one with `loci mv`"
        );
        out.add(Code::NameDuplicate, spot(one), message, None);
    }
    let slug = slug(name).ok();
    if !is_slug(name) && one.origin.is_none() {
        let fix = slug
            .clone()
            .filter(|slug| can_be_renamed(one, slug, called));
        let rest = match fix {
            Some(_) => "",
            None => "; give it another with `loci mv`",
        };
        let message = format!(
            "the name \"{name}\" is no slug (a to z, digits, dashes) and no session is noted: the reference client's next write changes or blanks it, and links to it break{rest}"
        );
        let fix = fix.map(|name| Fix::Rename { name });
        out.add(Code::NameNotSlug, spot(one), message, fix);
    } else if name != stem(path) && slug.as_deref() != Some(stem(path)) {
        let message = format!(
            "it is named \"{name}\" but its file is {}: who looks for one does not find the other; `loci mv` gives both one name",
            path.rsplit('/').next().unwrap_or(path)
        );
        out.add(Code::NameFileMismatch, spot(one), message, None);
    }
}

/// Whether nothing else is called so, and the name stands where an edit can change it.
fn can_be_renamed(one: &Facts, slug: &str, called: &mut Called<'_>) -> bool {
    let path = &*one.memory.path;
    let place = renamed(path, slug);
    let is_free = place == path || !called.paths.contains(place.as_str());
    is_free && one.names == 1 && called.promise(slug)
}

impl Called<'_> {
    /// Whether a name is free; it is taken from then on.
    fn promise(&mut self, name: &str) -> bool {
        !self.names.contains_key(name) && self.promised.insert(name.to_string())
    }
}

/// The path of the file that a synchroniser made this one a copy of, by the name alone.
#[must_use]
pub fn original(path: &str) -> Option<String> {
    let stem = path.strip_suffix(".md")?;
    let base = stem.rfind('/').map_or(0, |at| at + 1);
    let name = &stem[base..];
    let lower = name.to_ascii_lowercase();
    let synced = lower.find(".sync-conflict-");
    let bracketed = lower.rfind(" (").filter(|at| {
        lower.ends_with(')')
            && ["conflicted copy", "case conflict", "conflict copy", "冲突"]
                .iter()
                .any(|word| lower[*at..].contains(word))
    });
    let end = synced.or(bracketed).filter(|end| *end > 0)?;
    Some(format!("{}.md", &stem[..base + end]))
}

/// A copy beside its original.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copied {
    /// The same to the byte.
    Same,
    Other,
    /// The original is not there, or not to be read.
    Alone,
}

/// Copies that a synchroniser left. `compared` tells a copy and its original apart.
pub fn copies(all: &[Facts], compared: impl Fn(&str, &str) -> Copied, out: &mut Gathered<'_>) {
    for one in all.iter().filter(|one| one.is_read) {
        let path = &*one.memory.path;
        let Some(of) = one.copy_of.as_deref() else {
            continue;
        };
        let cost = "the agent takes it for a memory of its own, and the two can contradict";
        let (message, fix) = match compared(path, of) {
            Copied::Same => (
                format!("a synchroniser's copy of {of}, the same to the byte: {cost}"),
                Some(Fix::TrashCopy { of: of.to_string() }),
            ),
            Copied::Other => (
                format!(
                    "a synchroniser's copy of {of}, with another text: {cost}; take over what is only in one of them, then `loci rm` the copy"
                ),
                None,
            ),
            Copied::Alone => (
                format!(
                    "a synchroniser's copy of {of}, which is not there: nothing links to it by this name; `loci mv` gives it its own"
                ),
                None,
            ),
        };
        out.add(Code::ConflictCopy, Spot::file(path), message, fix);
    }
}

#[cfg(test)]
#[path = "names_tests.rs"]
mod tests;

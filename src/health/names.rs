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

pub fn look(all: &[Facts], out: &mut Gathered<'_>) {
    let paths: HashSet<&str> = all.iter().map(|one| &*one.memory.path).collect();
    let mut first: HashMap<&str, &str> = HashMap::new();
    for one in all
        .iter()
        .filter(|one| one.is_read && one.copy_of.is_none())
    {
        let Some(name) = one.name.as_deref() else {
            continue;
        };
        let path = &*one.memory.path;
        let spot = Spot {
            path,
            line: one.name_line,
        };
        match first.get(name) {
            Some(other) => {
                let message = format!(
                    "\"{name}\" is the name of {other} too: a link or a command by that name finds only one of them; rename one with `loci mv`"
                );
                out.add(Code::NameDuplicate, spot, message, None);
            }
            None => {
                first.insert(name, path);
            }
        }
        let wanted = slug(name).ok();
        if !is_slug(name) && !one.has_origin {
            let fix = wanted.as_deref().filter(|slug| {
                let place = renamed(path, slug);
                place == path || !paths.contains(place.as_str())
            });
            let message = format!(
                "the name \"{name}\" is no slug (a to z, digits, dashes) and no session is noted: the reference client's next write changes or blanks it, and links to it break"
            );
            let fix = fix.map(|slug| Fix::Rename {
                name: slug.to_string(),
            });
            let rest = match fix {
                Some(_) => "",
                None => "; give it another with `loci mv`",
            };
            out.add(Code::NameNotSlug, spot, message + rest, fix);
        } else if name != stem(path) && wanted.as_deref() != Some(stem(path)) {
            let message = format!(
                "it is named \"{name}\" but its file is {}: who looks for one does not find the other; `loci mv` gives both one name",
                path.rsplit('/').next().unwrap_or(path)
            );
            out.add(Code::NameFileMismatch, spot, message, None);
        }
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

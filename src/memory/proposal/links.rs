//! Which links between memories would lead nowhere once a memory is in another folder: told before,
//! never mended by a guess.

use std::collections::BTreeSet;

use super::Folder;
use crate::base::markdown;
use crate::memory::file::{Memory, State};

/// Names that a sentence lists at most.
const LISTED: usize = 5;

/// The names that a text links to: `[[name]]` outside of code, without title and anchor.
fn linked(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    if !text.contains("[[") {
        return names;
    }
    let quoted = markdown::marks(text).quoted;
    for (open, _) in text.match_indices("[[") {
        let inner = &text[open + 2..];
        let close = inner.find("]]").unwrap_or(0);
        let name = inner[..close].split(['|', '#']).next().unwrap_or_default();
        let name = name.trim();
        let is_code = quoted.iter().any(|range| range.contains(&open));
        if !name.is_empty() && !name.contains(['[', '\n']) && !is_code {
            names.insert(name);
        }
    }
    names
}

/// What is to be known of the links of a text that goes into a rules file: a sentence.
pub(super) fn idle(text: &str, title: &str) -> Option<String> {
    let names = linked(text);
    let shown = names.iter().take(LISTED).map(|name| format!("[[{name}]]"));
    let shown: Vec<String> = shown.collect();
    let more = match names.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!names.is_empty()).then(|| {
        format!(
            "{}{more}: in {title} a link between memories means nothing, nobody follows it",
            shown.join(", ")
        )
    })
}

/// Whether a link's name means this memory.
fn means(name: &str, memory: &Memory) -> bool {
    let stem = |path: &str| {
        let file = path.rsplit('/').next().unwrap_or(path).to_string();
        file.strip_suffix(".md")
            .map_or(file.clone(), str::to_string)
    };
    memory.name.as_deref() == Some(name)
        || *memory.path == *name
        || stem(&memory.path) == stem(name)
}

/// Memories that link to one which none of the others could stand in for.
fn inbound(folder: &Folder<'_>, path: &str) -> Vec<String> {
    let Some(own) = folder.memories.iter().find(|it| *it.path == *path) else {
        return Vec::new();
    };
    let others = || folder.memories.iter().filter(|it| *it.path != *path);
    let lost = |name: &str| means(name, own) && !others().any(|other| means(name, other));
    let from = others().filter(|other| {
        let readable = !matches!(other.state, State::Unsafe | State::NotText);
        let text = readable.then(|| folder.read(folder.path.join(&*other.path)).ok());
        text.flatten()
            .is_some_and(|file| linked(&file.text).into_iter().any(lost))
    });
    from.map(|other| other.path.to_string()).collect()
}

/// Who links to memories that go: a sentence, if anybody does.
#[must_use]
pub fn left_dangling(folder: &Folder<'_>, paths: &[&str]) -> Option<String> {
    let from: BTreeSet<String> = paths
        .iter()
        .flat_map(|path| inbound(folder, path))
        .filter(|from| !paths.contains(&&**from))
        .collect();
    let from: Vec<String> = from.into_iter().collect();
    if from.is_empty() {
        return None;
    }
    let many = if from.len() == 1 { "links" } else { "link" };
    let what = if paths.len() == 1 { "it" } else { "what goes" };
    Some(format!(
        "{} {many} to {what}: that will lead nowhere",
        listed(&from)
    ))
}

/// Names that a memory links to, which are there where it is and not where it goes.
pub(super) fn outbound(from: &Folder<'_>, to: &Folder<'_>, path: &str) -> Vec<String> {
    let Ok(file) = from.read(from.path.join(path)) else {
        return Vec::new();
    };
    let known = |folder: &Folder<'_>, name: &str| folder.memories.iter().any(|it| means(name, it));
    let own = from.memories.iter().find(|it| *it.path == *path);
    let names = linked(&file.text).into_iter();
    names
        .filter(|name| !own.is_some_and(|own| means(name, own)))
        .filter(|name| known(from, name) && !known(to, name))
        .map(str::to_string)
        .collect()
}

/// `a.md, b.md and 3 more`.
pub(super) fn listed(names: &[String]) -> String {
    let shown = &names[..names.len().min(LISTED)];
    match names.len() - shown.len() {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

//! What a person has done to the memories without a model, by form and not by magic: one is made of a text, one
//! or a line of one is let go, those that have the words of a question are found. Proposes, writes nothing.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::base::front_matter;
use crate::base::text;
use crate::base::time::Moment;
use crate::memory::file::MemoryType;
use crate::memory::manifest;
use crate::memory::proposal::{NewMemory, new_text, slug};
use crate::memory::search::{self, Query, Wanted};
use crate::store::change::Author;
use crate::turn::memories::{Memories, without};
use crate::turn::overlay::{FileChange, Proposal};
use crate::turn::tools::Toolbox;

/// Memories that are found at most.
pub const MOST: usize = 10;
/// Words of a text that make the name of its memory, and cells of its description.
const NAME_WORDS: usize = 6;
const DESCRIPTION_CELLS: usize = 150;

/// A memory that has something of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Relative to the memory folder.
    pub path: String,
    pub description: Option<String>,
    /// The ranker's; `None`: the words only stand in it.
    pub score: Option<f32>,
    pub why: String,
}

/// What came of a wish to forget.
#[derive(Debug, Clone, PartialEq)]
pub enum Forgotten {
    Proposed(Proposal),
    /// Which one is meant is not clear: these have something of it.
    Several(Vec<Found>),
}

/// A new memory of a text, which may begin with its type and a colon; its first line is what it is found by.
///
/// # Errors
/// A sentence: there is nothing to remember, or no place for it.
pub fn remember(tools: &Toolbox, said: &str, now: Moment) -> Result<Proposal, String> {
    let (kind, said) = typed(said.trim());
    if said.is_empty() {
        return Err("say what is to be remembered: /remember TEXT".to_string());
    }
    let folder = memory_folder(tools)?;
    let memories = memories(tools, &folder);
    let (first, rest) = said.split_once('\n').unwrap_or((said, ""));
    let body = match rest.trim() {
        "" => first,
        rest => rest,
    };
    let taken: BTreeSet<String> = memories.paths().into_iter().collect();
    let name = free_name(first, now, &taken);
    let description = text::cut_end(first.trim(), DESCRIPTION_CELLS).into_owned();
    let new = NewMemory {
        name: &name,
        kind,
        description: &description,
        body,
        session: None,
        first: false,
    };
    let written = new_text(&name, &new, now).map_err(|error| error.to_string())?;
    let path = format!("{name}.md");
    if let Some(why) = memories.memory_fault(&path, &written, true) {
        return Err(why);
    }
    let line = memories.listed(&path, &written)?;
    let mut files = vec![memories.change(&path, None, Some(written), false)];
    files.extend(line);
    proposal(tools, format!("new {name}"), files, now)
}

/// The type that a text begins with, and the rest.
fn typed(said: &str) -> (MemoryType, &str) {
    let kinds = [
        ("user", MemoryType::User),
        ("feedback", MemoryType::Feedback),
        ("project", MemoryType::Project),
        ("reference", MemoryType::Reference),
    ];
    let named = kinds.into_iter().find_map(|(word, kind)| {
        let rest = said.strip_prefix(word)?.trim_start().strip_prefix(':')?;
        Some((kind, rest.trim()))
    });
    named.unwrap_or((MemoryType::Project, said))
}

/// A slug of the first words that no memory bears. What has no Latin letters is called after its day.
fn free_name(first: &str, now: Moment, taken: &BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { ' ' };
    let plain: String = first.chars().filter(|c| *c != '\'').map(plain).collect();
    let words: Vec<&str> = plain.split_whitespace().take(NAME_WORDS).collect();
    let name = slug(&words.join("-")).unwrap_or_else(|_| format!("note-{}", now.date()));
    let names = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.clone()).chain(names);
    let free = names.find(|name| !taken.contains(&format!("{name}.md")));
    free.unwrap_or(name)
}

/// The memory that is called so goes, or the line that reads so; else what has the words is found.
///
/// # Errors
/// A sentence: nothing has anything of it.
pub fn forget(tools: &Toolbox, said: &str, now: Moment) -> Result<Forgotten, String> {
    let said = said.trim();
    if said.is_empty() {
        return Err(
            "say what is to be forgotten: /forget and the name of a memory, a line of one as it stands there, or \
             words that it has"
                .to_string(),
        );
    }
    let folder = memory_folder(tools)?;
    let memories = memories(tools, &folder);
    let paths = memories.paths();
    let called = |path: &&String| {
        let stem = path.trim_end_matches(".md");
        let file = stem.rsplit('/').next().unwrap_or(stem);
        let said = said.trim_end_matches(".md");
        stem.eq_ignore_ascii_case(said) || file.eq_ignore_ascii_case(said)
    };
    let named: Vec<&String> = paths.iter().filter(called).collect();
    if let [path] = named.as_slice() {
        return whole(tools, &memories, path, now).map(Forgotten::Proposed);
    }
    let mut lines = Vec::new();
    for path in &paths {
        let Ok(Some(text)) = memories.text(path) else {
            continue;
        };
        let body = front_matter::read(&text).body;
        let hits = text[body..].lines().filter(|line| bare(line) == bare(said));
        lines.extend(hits.map(|line| (path, line.to_string())));
    }
    if let [(path, line)] = lines.as_slice() {
        return passage(tools, &memories, path, line, now).map(Forgotten::Proposed);
    }
    let found = found(tools.cage.disk(), &folder, said, now);
    match found.as_slice() {
        [] => Err(format!(
            "no memory of this project is called \"{said}\", has it as a line, or has words of it"
        )),
        [one] => whole(tools, &memories, &one.path, now).map(Forgotten::Proposed),
        _ => Ok(Forgotten::Several(found)),
    }
}

/// A line without the mark of a list.
fn bare(line: &str) -> &str {
    line.trim().trim_start_matches(['-', '*', '+']).trim()
}

fn whole(
    tools: &Toolbox,
    memories: &Memories<'_>,
    path: &str,
    now: Moment,
) -> Result<Proposal, String> {
    let before = memories.text(path)?;
    let before =
        before.ok_or_else(|| format!("{path} is to be forgotten already: see its card"))?;
    let files = memories.without(path, before)?;
    proposal(
        tools,
        format!("forget {}", path.trim_end_matches(".md")),
        files,
        now,
    )
}

/// The line goes; a memory that says nothing without it goes as a whole.
fn passage(
    tools: &Toolbox,
    memories: &Memories<'_>,
    path: &str,
    line: &str,
    now: Moment,
) -> Result<Proposal, String> {
    let before = memories.text(path)?.unwrap_or_default();
    let body = front_matter::read(&before).body;
    let after = format!("{}{}", &before[..body], without(&before[body..], line));
    if after[body..].trim().is_empty() {
        return whole(tools, memories, path, now);
    }
    let change = memories.change(path, Some(before), Some(after), false);
    let stem = path.trim_end_matches(".md");
    proposal(tools, format!("edit {stem}"), vec![change], now)
}

/// Memories that have something of a question, by words, the best first: those that are related, then those in
/// which all its words stand, however common they are.
#[must_use]
pub fn found(disk: &Disk, folder: &Path, question: &str, now: Moment) -> Vec<Found> {
    let related = manifest::scan_all(disk, folder).related(question, MOST, now);
    let mut found: Vec<Found> = related
        .into_iter()
        .map(|one| Found {
            why: format!("it has {}", one.words.join(", ")),
            path: one.path,
            description: one.description,
            score: Some(one.score),
        })
        .collect();
    let query = Query::new(question);
    let exact = search::in_folder(disk, folder, &query, Wanted::most(MOST), &|| false);
    for hit in exact.hits.into_iter().filter(|hit| hit.exact) {
        if found.len() < MOST && !found.iter().any(|one| *one.path == *hit.path) {
            found.push(Found {
                path: hit.path.to_string(),
                description: hit.description.map(String::from),
                score: None,
                why: format!("all words stand in it, in its {}", hit.place.word()),
            });
        }
    }
    found
}

fn memory_folder(tools: &Toolbox) -> Result<PathBuf, String> {
    let memory = tools.cage.memory();
    let memory = memory.ok_or(
        "there is no memory folder here that may be written: memory is switched off, or its folder is not approved",
    )?;
    Ok(tools.cage.disk().resolve_existing(memory))
}

fn memories<'a>(tools: &'a Toolbox, folder: &'a Path) -> Memories<'a> {
    Memories {
        disk: tools.cage.disk(),
        folder,
        overlay: &tools.overlay,
    }
}

fn proposal(
    tools: &Toolbox,
    title: String,
    files: Vec<FileChange>,
    now: Moment,
) -> Result<Proposal, String> {
    let chance = RandomState::new().hash_one(now.nanos);
    let proposal = Proposal {
        id: format!("own-{}-{chance:x}", now.seconds),
        title,
        files,
        by: Author::You,
    };
    match tools.store.refusal(&proposal.change_set("")) {
        Some(why) => Err(why),
        None => Ok(proposal),
    }
}

#[cfg(test)]
#[path = "by_form_tests.rs"]
mod tests;

//! Fixes of an index: each finds its line again by what it points at, since lines above may have come
//! and gone.

use crate::base::front_matter;
use crate::config::limits::INDEX_LINE_CHARS;
use crate::health::finding::Finding;
use crate::health::fix::{GONE, Result, inside, not_now, written};
use crate::health::index::{hook_for, joined, merged_hook};
use crate::health::names::stem;
use crate::memory::file::MemoryType;
use crate::memory::index_edit::{self, IndexEditError, NewEntry};
use crate::memory::load;
use crate::memory::pointer::{Pointer, PointerState};
use crate::memory::proposal::{Folder, ProposalError, Source};
use crate::memory::scan::INDEX_FILE;
use crate::store::change::ChangeSet;

/// An index, read to be changed.
struct Open {
    file: Source,
    pointers: Vec<Pointer>,
}

impl Open {
    /// The folder of an index, with a slash, from its path.
    fn at(folder: &Folder<'_>, finding: &Finding, prefix: &str) -> Result<Self> {
        let path = [prefix, INDEX_FILE].concat();
        inside(folder, finding, &path)?;
        let file = folder.read(folder.path.join(path))?;
        let pointers = folder.pointers(&file.text, prefix);
        Ok(Self { file, pointers })
    }

    fn of(folder: &Folder<'_>, finding: &Finding) -> Result<Self> {
        let prefix = finding.path.strip_suffix(INDEX_FILE).unwrap_or_default();
        Self::at(folder, finding, prefix)
    }

    /// The entry that a finding is about, nearest to where it was.
    fn find(&self, finding: &Finding, target: &str, state: PointerState) -> Option<&Pointer> {
        let line = finding.line.unwrap_or_default();
        let same = self.pointers.iter().filter(|pointer| {
            pointer.target == target && pointer.state == state && pointer.place.is_entry()
        });
        same.min_by_key(|pointer| pointer.line.abs_diff(line))
            .filter(|pointer| self.is_alone(pointer))
    }

    fn is_alone(&self, pointer: &Pointer) -> bool {
        let same = self.pointers.iter().filter(|one| one.line == pointer.line);
        same.count() == 1
    }

    fn line(&self, number: usize) -> &str {
        self.file.text.lines().nth(number - 1).unwrap_or_default()
    }

    fn refused(&self) -> impl Fn(IndexEditError) -> ProposalError {
        let path = self.file.path.clone();
        move |error| ProposalError::Index {
            path: path.clone(),
            error,
        }
    }
}

pub fn remove(folder: &Folder<'_>, finding: &Finding, target: &str) -> Result<ChangeSet> {
    let index = Open::of(folder, finding)?;
    let found = index.find(finding, target, PointerState::Dangling);
    let line = found.ok_or_else(|| not_now(folder, finding, GONE))?.line;
    let text = index_edit::remove(&index.file.text, line).map_err(index.refused())?;
    Ok(written(finding, index.file, &text))
}

pub fn merge(folder: &Folder<'_>, finding: &Finding, target: &str) -> Result<ChangeSet> {
    let gone = || not_now(folder, finding, GONE);
    let index = Open::of(folder, finding)?;
    let second = index
        .find(finding, target, PointerState::Duplicate)
        .or_else(|| index.find(finding, target, PointerState::Case))
        .ok_or_else(gone)?;
    let first = index
        .pointers
        .iter()
        .find(|one| one.resolved == second.resolved && one.place.is_entry())
        .filter(|first| first.line < second.line && index.is_alone(first))
        .ok_or_else(gone)?;
    let hook = merged_hook(index.line(first.line), first, second).ok_or_else(gone)?;
    let text = &index.file.text;
    // The second stands below the first, so the line of the first stays.
    let mut text = index_edit::remove(text, second.line).map_err(index.refused())?;
    if hook != first.hook.trim() {
        text = index_edit::set_hook(&text, first.line, &hook).map_err(index.refused())?;
    }
    Ok(written(finding, index.file, &text))
}

pub fn right_case(folder: &Folder<'_>, finding: &Finding, target: &str) -> Result<ChangeSet> {
    let gone = || not_now(folder, finding, GONE);
    let index = Open::of(folder, finding)?;
    let line = finding.line.unwrap_or_default();
    let cased = index
        .pointers
        .iter()
        .filter(|pointer| pointer.target == target && pointer.state == PointerState::Case);
    let found = cased
        .min_by_key(|pointer| pointer.line.abs_diff(line))
        .ok_or_else(gone)?;
    let file = found.resolved.as_deref().ok_or_else(gone)?;
    let anchor = target.find('#').map_or("", |at| &target[at..]);
    let is_it = |line: usize, written: &str| line == found.line && written == target;
    // The title stays whatever it is: none is empty and equal to this one.
    let titles = ("\0", stem(file));
    let new = [file, anchor].concat();
    let text = index_edit::retarget(&index.file.text, is_it, &new, titles);
    Ok(written(finding, index.file, &text))
}

pub fn join(folder: &Folder<'_>, finding: &Finding) -> Result<ChangeSet> {
    let gone = || not_now(folder, finding, GONE);
    let index = Open::of(folder, finding)?;
    let entry = finding.line.ok_or_else(gone)?;
    let text = &index.file.text;
    let is_entry = |line: usize| {
        let mut pointers = index.pointers.iter();
        pointers.any(|one| one.line == line && one.place.is_entry())
    };
    let page = crate::health::index::IndexPage::with(&index.file.bytes, index.pointers.clone());
    let rows = crate::health::index::rows(&page);
    let on = rows
        .iter()
        .skip(entry)
        .take_while(|row| row.kind == crate::health::index::RowKind::GoesOn(entry));
    let last = entry + on.count();
    if last == entry || !is_entry(entry) {
        return Err(gone());
    }
    let range = rows[entry - 1].range.start..rows[last - 1].range.end;
    let line = joined(&text[range.clone()]);
    if line.chars().count() > INDEX_LINE_CHARS {
        return Err(gone());
    }
    let text = format!("{}{line}{}", &text[..range.start], &text[range.end..]);
    Ok(written(finding, index.file, &text))
}

pub fn describe(folder: &Folder<'_>, finding: &Finding, target: &str) -> Result<ChangeSet> {
    let gone = || not_now(folder, finding, GONE);
    let index = Open::of(folder, finding)?;
    let found = index
        .find(finding, target, PointerState::Ok)
        .ok_or_else(gone)?;
    let prefix = finding.path.strip_suffix(INDEX_FILE).unwrap_or_default();
    let file = found.resolved.as_deref().ok_or_else(gone)?;
    let memory = folder.read(folder.path.join(prefix).join(file))?;
    let front = front_matter::read(&memory.text);
    let hook = front.get("description").ok_or_else(gone)?.trim();
    let text = &index.file.text;
    let text = index_edit::set_hook(text, found.line, hook).map_err(index.refused())?;
    let line = text.lines().nth(found.line - 1).unwrap_or_default();
    if hook.contains("](") || line.chars().count() > INDEX_LINE_CHARS {
        return Err(gone());
    }
    Ok(written(finding, index.file, &text))
}

pub fn add(folder: &Folder<'_>, finding: &Finding, memory: &str) -> Result<ChangeSet> {
    let file = folder.read(folder.path.join(memory))?;
    let front = front_matter::read(&file.text);
    let prefix = match folder.index("")? {
        Some(_) => "",
        None => "team/",
    };
    let index = Open::at(folder, finding, prefix)?;
    let target = memory.strip_prefix(prefix).unwrap_or(memory);
    let is_there = index
        .pointers
        .iter()
        .any(|one| one.resolved.as_deref() == Some(target) && one.place.is_entry());
    if is_there {
        return Err(not_now(folder, finding, GONE));
    }
    let field = |key: &str| {
        front
            .get(key)
            .map(str::trim)
            .filter(|text| !text.is_empty())
    };
    let is_line = |text: &&str| !text.contains(['\n', '\r']);
    let title = field("name").filter(is_line).unwrap_or(stem(memory));
    let description = field("description").filter(is_line);
    let hook = hook_for(title, target, field("name"), description);
    let entry = NewEntry {
        title,
        target,
        hook: &hook,
        kind: &MemoryType::read(&front),
    };
    let text = index_edit::add(&index.file.text, &entry).map_err(index.refused())?;
    // A name can hold what ends a link.
    let leads_there =
        |one: &Pointer| one.resolved.as_deref() == Some(target) && one.place.is_entry();
    if !folder.pointers(&text, prefix).iter().any(leads_there) {
        let why = "no link can be written to a file of this name: rename it with `loci mv`";
        return Err(not_now(folder, finding, why));
    }
    if load::load(&text).cut_at_line.is_some() {
        let full = "the index is full: the model would not see a line of it";
        return Err(not_now(folder, finding, full));
    }
    Ok(written(finding, index.file, &text))
}

//! Lossless edits of an index: an entry added, taken out, moved, its hook or target changed; each
//! touches its own lines only. Lines count from 1 in the text of the file, without its BOM.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::base::front_matter;
use crate::base::markdown::{self, Marks};
use crate::memory::file::MemoryType;
use crate::memory::link::{LinkKind, links_of_line};
use crate::memory::load;
use crate::memory::pointer::Place;

/// Why an index can't be edited so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IndexEditError {
    #[error("line {line} of the index is no entry")]
    NoEntry { line: usize },
    #[error("a row of a table has no hook of its own: edit the line by hand")]
    TableRow { line: usize },
    #[error("an entry is one line: take the line breaks out of it")]
    NotOneLine,
}

type Result<T> = std::result::Result<T, IndexEditError>;

/// An entry to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry<'a> {
    pub title: &'a str,
    /// Path relative to the folder of the index.
    pub target: &'a str,
    pub hook: &'a str,
    pub kind: &'a MemoryType,
}

/// One line of the text and where it stands.
struct Row<'a> {
    text: &'a str,
    /// Bytes, the line break included.
    range: Range<usize>,
}

/// Adds an entry to the end of the list it belongs to: under the heading that names its type, if the
/// index has such headings, else to the last list; to an index without a list, at its end.
///
/// # Errors
/// When title, target or hook hold a line break.
pub fn add(text: &str, entry: &NewEntry<'_>) -> Result<String> {
    insert(text, entry, place_for(text, entry.kind))
}

/// As [`add`], but to the head of that list; to the head of the first one, where its own begins only
/// below the cut; to the top of the index, where that is below the cut too.
///
/// # Errors
/// As [`add`].
pub fn add_first(text: &str, entry: &NewEntry<'_>) -> Result<String> {
    insert(text, entry, head_for(text, entry.kind))
}

/// As [`add`], for many at once: those of one list keep their order.
///
/// # Errors
/// As [`add`].
pub fn add_all(text: &str, entries: &[NewEntry<'_>]) -> Result<String> {
    let Some((first, rest)) = entries.split_first() else {
        return Ok(text.to_string());
    };
    // If there is no list yet, the first one makes it.
    let text = &*add(text, first)?;
    let mut places: HashMap<Option<&str>, usize> = HashMap::new();
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for entry in rest {
        let place = places.entry(entry.kind.word());
        let at = *place.or_insert_with(|| place_for(text, entry.kind));
        lines.entry(at).or_default().push(line_of(entry)?);
    }
    let line_break = markdown::line_break(text);
    let from_below = lines.into_iter().rev();
    Ok(from_below.fold(text.to_string(), |text, (at, lines)| {
        put_in(&text, &lines.join(line_break), at)
    }))
}

fn insert(text: &str, entry: &NewEntry<'_>, at: usize) -> Result<String> {
    Ok(put_in(text, &line_of(entry)?, at))
}

fn line_of(entry: &NewEntry<'_>) -> Result<String> {
    if [entry.title, entry.target, entry.hook]
        .iter()
        .any(|part| part.contains(['\n', '\r']))
    {
        return Err(IndexEditError::NotOneLine);
    }
    Ok(entry_line(entry))
}

/// Adds an entry as it is written, which may go on over further lines, to the end or the head of the
/// list that [`add`] and [`add_first`] would give it. Gives back the line that it stands on as well.
#[must_use]
pub fn add_entry(text: &str, raw: &str, kind: &MemoryType, first: bool) -> (String, usize) {
    let at = match first {
        true => head_for(text, kind),
        false => place_for(text, kind),
    };
    let lines: Vec<&str> = raw.lines().collect();
    let raw = lines.join(markdown::line_break(text));
    (put_in(text, &raw, at), line_at(text, at))
}

/// Text with a line more, whose place begins at a byte.
fn put_in(text: &str, line: &str, at: usize) -> String {
    let line_break = markdown::line_break(text);
    let glue = if at > 0 && !text[..at].ends_with('\n') {
        line_break
    } else {
        ""
    };
    // A line behind the last one of a file without a final line break leaves it without one.
    let end = if at == text.len() && !glue.is_empty() {
        ""
    } else {
        line_break
    };
    format!("{}{glue}{line}{end}{}", &text[..at], &text[at..])
}

/// The line that [`add`] would give the new entry.
#[must_use]
pub fn line_for(text: &str, kind: &MemoryType) -> usize {
    line_at(text, place_for(text, kind))
}

/// The line that [`add_first`] would give the new entry.
#[must_use]
pub fn first_line_for(text: &str, kind: &MemoryType) -> usize {
    line_at(text, head_for(text, kind))
}

fn line_at(text: &str, at: usize) -> usize {
    let before = text[..at].matches('\n').count() + 1;
    if at > 0 && !text[..at].ends_with('\n') {
        before + 1
    } else {
        before
    }
}

/// Takes an entry out: its line and the lines below that go on with it.
///
/// # Errors
/// When the line is no entry.
pub fn remove(text: &str, line: usize) -> Result<String> {
    let range = entry_range(text, line)?;
    Ok(format!("{}{}", &text[..range.start], &text[range.end..]))
}

/// The entry on a line as it is written, with the lines below that go on with it; without its indent
/// and its last line break.
///
/// # Errors
/// When the line is no entry.
pub fn entry(text: &str, line: usize) -> Result<&str> {
    let range = entry_range(text, line)?;
    Ok(text[range].trim_start().trim_end_matches(['\n', '\r']))
}

/// Moves an entry up or down to the place of another line.
///
/// # Errors
/// When either line is no entry.
pub fn move_to(text: &str, line: usize, to: usize) -> Result<String> {
    let from = entry_range(text, line)?;
    let target = entry_range(text, to)?;
    if from.start == target.start {
        return Ok(text.to_string());
    }
    let at = if to > line { target.end } else { target.start };
    let line_break = markdown::line_break(text);
    let whole = |part: &str| {
        if part.ends_with('\n') {
            part.to_string()
        } else {
            format!("{part}{line_break}")
        }
    };
    let moved = &text[from.clone()];
    let (first, last) = (from.start.min(at), from.end.max(at));
    let between = if to > line {
        &text[from.end..at]
    } else {
        &text[at..from.start]
    };
    let mut middle = if to > line {
        whole(between) + &whole(moved)
    } else {
        whole(moved) + &whole(between)
    };
    if !text[..last].ends_with('\n') {
        middle.truncate(middle.len() - line_break.len());
    }
    Ok(format!("{}{middle}{}", &text[..first], &text[last..]))
}

/// Changes what follows the link of an entry; the dash before it stays as it is.
///
/// # Errors
/// When the line is no entry, or a row of a table.
pub fn set_hook(text: &str, line: usize, hook: &str) -> Result<String> {
    if hook.contains(['\n', '\r']) {
        return Err(IndexEditError::NotOneLine);
    }
    let row = row(text, line).ok_or(IndexEditError::NoEntry { line })?;
    let links = links_of_line(row.text, &|_| false);
    // What the hook itself links to is part of it.
    let mut own = links.iter().rev().filter(|link| link.place != Place::Hook);
    let link = own.next().ok_or(IndexEditError::NoEntry { line })?;
    if link.place == Place::Cell {
        return Err(IndexEditError::TableRow { line });
    }
    if link.hook == hook {
        return Ok(text.to_string());
    }
    if link.hook.is_empty() {
        let kept = row.text.trim_end();
        let at = row.range.start + kept.len();
        let written = if hook.is_empty() {
            String::new()
        } else {
            format!(" — {hook}")
        };
        return Ok(format!(
            "{}{written}{}",
            &text[..at],
            &text[row.range.start + row.text.len()..]
        ));
    }
    let start = row.range.start + offset(row.text, &link.hook);
    Ok(format!(
        "{}{hook}{}",
        &text[..start],
        &text[start + link.hook.len()..]
    ))
}

/// Points every link to `old` at `new`, on each line where it stands as a pointer; the title follows
/// where it was the old name. `is_it` says whether a target, as written, leads to the old file.
#[must_use]
pub fn retarget(
    text: &str,
    is_it: impl Fn(usize, &str) -> bool,
    new: &str,
    titles: (&str, &str),
) -> String {
    let marks = markdown::marks(text);
    let mut out = String::with_capacity(text.len() + new.len());
    let mut kept = 0;
    for (at, row) in rows(text).enumerate() {
        for link in links_of_line(row.text, &masked(&marks, row.range.start)) {
            if matches!(link.kind, LinkKind::Malformed) || !is_it(at + 1, link.target) {
                continue;
            }
            let target = row.range.start + offset(row.text, link.target);
            let title = row.range.start + offset(row.text, link.title);
            let apart = title + link.title.len() <= target;
            if apart && link.title == titles.0 {
                out.push_str(&text[kept..title]);
                out.push_str(titles.1);
                kept = title + link.title.len();
            }
            out.push_str(&text[kept..target]);
            match link.kind {
                LinkKind::Wiki => out.push_str(titles.1),
                LinkKind::Path | LinkKind::Malformed => {
                    out.push_str(&written_target(new, &text[..target]));
                }
            }
            kept = target + link.target.len();
        }
    }
    out.push_str(&text[kept..]);
    out
}

/// The text of a new entry's line.
#[must_use]
pub fn entry_line(entry: &NewEntry<'_>) -> String {
    let title = entry.title.replace('[', "(").replace(']', ")");
    let target = written_target(entry.target, "(");
    match entry.hook.trim() {
        "" => format!("- [{title}]({target})"),
        hook => format!("- [{title}]({target}) — {hook}"),
    }
}

/// A target as it must be written: in angle brackets where spaces or parentheses would end it.
fn written_target(target: &str, before: &str) -> String {
    let bare = target
        .chars()
        .all(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '<' | '>'));
    if bare || before.ends_with('<') || !before.ends_with('(') {
        target.to_string()
    } else {
        format!("<{target}>")
    }
}

/// The byte where a new entry of this type goes.
fn place_for(text: &str, kind: &MemoryType) -> usize {
    let marks = markdown::marks(text);
    let mut last = None; // behind the last entry of all
    let mut under_own = None; // behind the last entry, or the heading, of the type's own list
    let mut in_own = false;
    for row in rows(text) {
        if masked(&marks, row.range.start)(0) {
            continue;
        }
        if let Some(heading) = heading(row.text) {
            in_own = kind.word().is_some_and(|word| names(heading, word));
            if in_own {
                under_own = Some(row.range.end);
            }
            continue;
        }
        let is_entry = links_of_line(row.text, &masked(&marks, row.range.start))
            .first()
            .is_some_and(|link| link.place == Place::Item);
        let goes_on = row.text.starts_with([' ', '\t'])
            && !row.text.trim().is_empty()
            && last == Some(row.range.start);
        if is_entry || goes_on {
            last = Some(row.range.end);
            if in_own {
                under_own = last;
            }
        }
    }
    under_own.or(last).unwrap_or(
        text.trim_end_matches(['\n', '\r'])
            .len()
            .max(after_blank(text)),
    )
}

/// The byte where the list of this type begins, or the first list of all.
fn head_for(text: &str, kind: &MemoryType) -> usize {
    let marks = markdown::marks(text);
    let mut in_own = false;
    let (mut first, mut own) = (None, None);
    for row in rows(text) {
        if masked(&marks, row.range.start)(0) {
            continue;
        }
        if let Some(heading) = heading(row.text) {
            in_own = kind.word().is_some_and(|word| names(heading, word));
            continue;
        }
        let is_entry = links_of_line(row.text, &masked(&marks, row.range.start))
            .first()
            .is_some_and(|link| link.place == Place::Item);
        if is_entry {
            first = first.or(Some(row.range.start));
            if in_own {
                own = own.or(Some(row.range.start));
            }
        }
    }
    let is_seen = |at: &usize| {
        let cut = load::load(&put_in(text, SHORT, *at)).cut_at_line;
        cut.is_none_or(|cut| line_at(text, *at) < cut)
    };
    let seen = own.filter(is_seen).or(first.filter(is_seen));
    seen.or_else(|| Some(place_for(text, kind)).filter(is_seen))
        .unwrap_or_else(|| top(text))
}

/// An entry that is as short as one can be.
const SHORT: &str = "- [x](x)";

/// The byte before the first line that an entry may stand before: behind front matter, and behind the heading that
/// the text begins with.
fn top(text: &str) -> usize {
    let begin = front_matter::read(text).body;
    let marks = markdown::marks(text);
    let mut at = begin;
    for row in rows(text).filter(|row| row.range.start >= begin) {
        let is_masked = masked(&marks, row.range.start)(0);
        if is_masked || heading(row.text).is_none() && !row.text.trim().is_empty() {
            // What is indented would be taken for a part of the entry.
            return match row.text.starts_with([' ', '\t']) {
                true => begin,
                false => at,
            };
        }
        at = row.range.end;
    }
    at
}

/// In an index without a list a new one begins at the end of the text.
fn after_blank(text: &str) -> usize {
    if text.is_empty() || text.ends_with('\n') {
        text.len()
    } else {
        0
    }
}

fn heading(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches('#');
    let level = line.len() - rest.len();
    ((1..=6).contains(&level) && rest.starts_with(' ')).then(|| rest.trim())
}

/// Whether a heading names a type: `user`, `## User memories`, `# projects`.
fn names(heading: &str, word: &str) -> bool {
    heading.split(|c: char| !c.is_alphanumeric()).any(|part| {
        part.eq_ignore_ascii_case(word)
            || part
                .strip_suffix('s')
                .is_some_and(|one| one.eq_ignore_ascii_case(word))
    })
}

/// The bytes of an entry: its line, and the lines below that are indented and begin no entry.
fn entry_range(text: &str, line: usize) -> Result<Range<usize>> {
    let no_entry = IndexEditError::NoEntry { line };
    let marks = markdown::marks(text);
    let mut rest = rows(text).skip(line.checked_sub(1).ok_or(no_entry.clone())?);
    let own = rest.next().ok_or(no_entry.clone())?;
    if links_of_line(own.text, &masked(&marks, own.range.start)).is_empty() {
        return Err(no_entry);
    }
    let mut end = own.range.end;
    for row in rest {
        let deeper = row.text.starts_with([' ', '\t']) && !row.text.trim().is_empty();
        let trimmed = row.text.trim_start();
        let begins = trimmed.starts_with(['-', '*', '+', '|'])
            || trimmed.starts_with(|c: char| c.is_ascii_digit());
        if !deeper || begins {
            break;
        }
        end = row.range.end;
    }
    Ok(own.range.start..end)
}

fn row(text: &str, line: usize) -> Option<Row<'_>> {
    rows(text).nth(line.checked_sub(1)?)
}

fn rows(text: &str) -> impl Iterator<Item = Row<'_>> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |whole| {
        let start = at;
        at += whole.len();
        Row {
            text: whole.trim_end_matches(['\n', '\r']),
            range: start..at,
        }
    })
}

fn masked(marks: &Marks, start: usize) -> impl Fn(usize) -> bool + '_ {
    move |at| marks.covers(start + at)
}

/// Where a part of a line begins in it.
fn offset(line: &str, part: &str) -> usize {
    part.as_ptr() as usize - line.as_ptr() as usize
}

#[cfg(test)]
#[path = "index_edit_tests.rs"]
mod tests;

//! A rules file, or some lines of it, that becomes a memory with its index line, all in one change.

use std::path::{Path, PathBuf};

use super::wish::{Proposal, below_the_cut, leads_out};
use super::{Folder, NewMemory, ProposalError, Result, create};
use crate::base::time::Moment;
use crate::base::{front_matter, markdown, text};
use crate::memory::file::MemoryType;
use crate::store::change::{Age, ChangeSet, Op};

/// Cells of a description that is made from the text.
const DESCRIPTION_CELLS: usize = 120;

/// What shall become a memory, and which.
#[derive(Debug, Clone)]
pub struct Demote<'a> {
    /// The rules file, as it is shown.
    pub rule: &'a Path,
    /// What a person calls it.
    pub title: &'a str,
    /// First and last line, from 1; `None`: the whole file.
    pub lines: Option<(usize, usize)>,
    /// What it was seen to say: if it says something else by now, nothing is done.
    pub seen: Option<&'a str>,
    /// Where it really lies, if a link takes it out of its folder.
    pub outside: Option<&'a Path>,
    /// Where it was seen to lie: if it lies elsewhere by now, nothing is done.
    pub seen_at: Option<&'a Path>,
    pub name: &'a str,
    pub kind: MemoryType,
    /// Else it is made from the text.
    pub description: Option<&'a str>,
    pub first: bool,
}

/// What demoting a rule comes to.
#[derive(Debug)]
pub struct Demoted {
    pub proposal: Proposal,
    /// The line of its entry in the index, if the model would not see it there.
    pub below_the_cut: Option<usize>,
}

/// The same as a value that can be handed on, as it was asked for on the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demotion {
    pub rule: PathBuf,
    /// What a person calls it.
    pub title: String,
    /// First and last line, from 1; `None`: the whole file.
    pub lines: Option<(usize, usize)>,
    /// What it was seen to say.
    pub seen: String,
    /// Where it really lies, if a link takes it out of its folder.
    pub outside: Option<PathBuf>,
    /// Where it was seen to lie.
    pub seen_at: Option<PathBuf>,
    pub name: String,
    pub kind: MemoryType,
    /// Its index line goes to the head of its list.
    /// `None`: nobody was asked.
    pub first: Option<bool>,
    /// The working directory for which it is told what it saves.
    pub cwd: PathBuf,
    /// What a person should know besides: a sentence each.
    pub notes: Vec<String>,
}

impl Demotion {
    /// What it comes to.
    ///
    /// # Errors
    /// As [`demote`].
    pub fn proposed(&self, folder: &Folder<'_>, now: Moment) -> Result<Proposal> {
        let wish = Demote {
            rule: &self.rule,
            title: &self.title,
            lines: self.lines,
            seen: Some(&self.seen),
            outside: self.outside.as_deref(),
            seen_at: self.seen_at.as_deref(),
            name: &self.name,
            kind: self.kind.clone(),
            description: None,
            first: self.first.unwrap_or(false),
        };
        let mut proposal = demote(folder, &wish, now)?.proposal;
        proposal.warnings.extend(self.notes.iter().cloned());
        Ok(proposal)
    }
}

/// A part of a rules file that a heading stands over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading's text.
    pub heading: String,
    /// First and last line, from 1: its sub-sections are in it.
    pub lines: (usize, usize),
}

/// The sections of a text, in its order.
#[must_use]
pub fn sections(text: &str) -> Vec<Section> {
    let code = markdown::marks(text);
    let mut found: Vec<(usize, usize, String)> = Vec::new();
    let (mut start, mut lines) = (0, 0);
    for (at, line) in text.split_inclusive('\n').enumerate() {
        lines = at + 1;
        let level = line.bytes().take_while(|byte| *byte == b'#').count();
        let rest = line[level..].trim();
        let is_heading = (1..=6).contains(&level) && line[level..].starts_with([' ', '\t']);
        if is_heading && !code.covers(start) && !rest.is_empty() {
            let heading = rest.trim_end_matches('#').trim().to_string();
            found.push((at + 1, level, heading));
        }
        start += line.len();
    }
    let end_of = |nth: usize| {
        let (_, level, _) = found[nth];
        let next = found[nth + 1..]
            .iter()
            .find(|(_, other, _)| *other <= level);
        next.map_or(lines, |(line, _, _)| line - 1)
    };
    let sections = found
        .iter()
        .enumerate()
        .map(|(nth, (line, _, heading))| Section {
            heading: heading.clone(),
            lines: (*line, end_of(nth)),
        });
    sections.collect()
}

/// The text of some lines, first and last from 1; `None` where it has not so many.
#[must_use]
pub fn lines_of(text: &str, (first, last): (usize, usize)) -> Option<&str> {
    let mut start = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if number + 1 == first {
            start = Some(at);
        }
        at += line.len();
        if number + 1 == last {
            return Some(&text[start?..at]);
        }
    }
    None
}

/// The change set that demotes a rule. The proposal's warnings tell what it means.
///
/// # Errors
/// A file that can't be read or is no text, lines that it has not, or that say something else; as
/// [`create`].
pub fn demote(folder: &Folder<'_>, wish: &Demote<'_>, now: Moment) -> Result<Demoted> {
    let real = folder.led(wish.rule, wish.seen_at)?;
    let source = folder.read(real.clone())?;
    let whole = source.text.clone();
    let front = front_matter::read(&whole);
    let waits = front.get("paths").is_some();
    let refused = |why| ProposalError::NoPart {
        path: wish.rule.to_path_buf(),
        why,
    };
    let part = match wish.lines {
        None => &whole[front.body..],
        Some(lines) => {
            let part =
                lines_of(&whole, lines).ok_or_else(|| refused("it has not so many lines"))?;
            let start = part.as_ptr() as usize - whole.as_ptr() as usize;
            if start < front.body {
                return Err(refused("these lines are of its front matter"));
            }
            part
        }
    };
    if wish.seen.is_some_and(|seen| seen != part) {
        return Err(refused("these lines say something else by now: look again"));
    }
    let body = as_memory(part);
    if body.is_empty() {
        return Err(ProposalError::NoText {
            path: wish.rule.to_path_buf(),
        });
    }
    let made = described(&body);
    let description = wish.description.unwrap_or(&made);
    let new = NewMemory {
        name: wish.name,
        kind: wish.kind.clone(),
        description,
        body: &body,
        session: None,
        first: wish.first,
    };
    let created = create(folder, &new, now)?;
    let stem = created.file.trim_end_matches(".md").to_string();
    let start = part.as_ptr() as usize - whole.as_ptr() as usize;
    let rest = without(&whole, start, start + part.len());
    let is_all = rest[front_matter::read(&rest).body..].trim().is_empty();
    let op = match is_all {
        true => Op::Trash {
            path: wish.rule.to_path_buf(),
        },
        false => Op::Write {
            path: real.clone(),
            after: source.bytes_of(&rest),
            before: Some(source.bytes),
            age: Age::Set,
        },
    };
    let reason = match is_all {
        true => "all of it is the memory now",
        false => "without what is the memory now",
    };
    let mut set = ChangeSet {
        title: format!("demote {stem} from {}", wish.title),
        ..created.set
    };
    set = set.with(op, reason).settled_at(real);
    let mut warnings = vec![
        "as a rule it comes back by itself after a compaction; as a memory the model sees its index line, and the text when it reads it"
            .to_string(),
        match commands(&body) {
            true => "it says must, never or always: leaving such a rule out may do harm".to_string(),
            false => "a memory is for what is only a comfort: what does harm when it is left out stays a rule"
                .to_string(),
        },
    ];
    if waits {
        warnings[0] =
            "its paths: have loaded it only when a matching file was read; as a memory the model sees its index line always"
                .to_string();
    }
    if let Some(outside) = wish.outside {
        warnings.insert(0, led_out(folder, wish, outside, is_all));
    }
    warnings.extend(below_the_cut(created.below_the_cut));
    Ok(Demoted {
        below_the_cut: created.below_the_cut,
        proposal: Proposal {
            set,
            file: Some(created.file),
            warnings,
            there: false,
            below_the_cut: created.below_the_cut,
        },
    })
}

/// What becomes of a rules file that a link takes out of its folder: a link alone can go.
fn led_out(folder: &Folder<'_>, wish: &Demote<'_>, real: &Path, is_all: bool) -> String {
    match is_all && folder.disk.link(wish.rule).is_ok() {
        true => format!(
            "{} is a link: the link goes, {} stays",
            wish.title,
            real.display()
        ),
        false => leads_out(wish.title, real),
    }
}

/// The text of a part as a memory has it: a lone item of a list is no list.
fn as_memory(part: &str) -> String {
    let body = part.trim();
    let is_one = !body.contains('\n');
    let item = ["- ", "* "].iter().find_map(|mark| body.strip_prefix(mark));
    match item.filter(|_| is_one) {
        Some(item) => item.trim().to_string(),
        None => body.to_string(),
    }
}

/// A description from a text: its first line that says something, without marks, and the next where
/// that is a heading alone.
fn described(body: &str) -> String {
    let plain = |line: &str| {
        let line = line.trim_start_matches(['#', '-', '*', '>', ' ', '\t']);
        line.replace(['`', '*'], "").trim().to_string()
    };
    let mut lines = body.lines().filter(|line| !plain(line).is_empty());
    let first = lines.next().unwrap_or_default();
    let said = match (first.starts_with('#'), lines.next()) {
        (true, Some(next)) => format!("{}: {}", plain(first), plain(next)),
        (true, None) | (false, _) => plain(first),
    };
    text::cut_end(&said, DESCRIPTION_CELLS).into_owned()
}

/// Whether it enforces something by its words.
fn commands(body: &str) -> bool {
    let lower = body.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| ["must", "never", "always"].contains(&word))
        || ["必须", "禁止"].iter().any(|word| body.contains(word))
}

/// A text without a part: what stood on both sides is as far apart as the part was from either, by one
/// blank line at most.
fn without(text: &str, start: usize, end: usize) -> String {
    let blank = ['\n', '\r', ' ', '\t'];
    let kept = text[..start].trim_end_matches(blank);
    let rest = text[end..].trim_start_matches(['\n', '\r']);
    let breaks = |text: &str| text.bytes().filter(|byte| *byte == b'\n').count();
    let part = text[start..end].trim_end_matches(blank);
    let above = breaks(&text[kept.len()..start]);
    let below = breaks(&text[start + part.len()..text.len() - rest.len()]);
    let line_break = markdown::line_break(text);
    match (kept.is_empty(), rest.is_empty()) {
        (true, _) => rest.to_string(),
        (false, true) => format!("{kept}{line_break}"),
        (false, false) => {
            let gap = line_break.repeat(above.max(below).clamp(1, 2));
            format!("{kept}{gap}{rest}")
        }
    }
}

#[cfg(test)]
#[path = "demote_tests.rs"]
mod tests;

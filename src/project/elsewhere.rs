//! Where else the client's files hold the path of a project: its transcripts, the input history, the
//! projects of `.claude.json`. Each place is found and rewritten by its own field, so that neither a
//! sibling that shares the beginning nor a text that mentions the path is touched.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;

use super::{Project, claude_json};
use crate::base::disk::Disk;
use crate::config::limits::REWRITE_BYTES;
use crate::transcript::cwd;

/// What kind of file holds the path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Transcripts,
    History,
    ClaudeJson,
}

/// One file that holds the path, and what it would be with the new one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    pub kind: Kind,
    pub file: PathBuf,
    /// Lines, or entries, that hold it.
    pub places: usize,
    pub before: Vec<u8>,
    pub after: Vec<u8>,
}

/// A file that can't be looked through or rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: Kind,
    /// Which file, and why: a sentence.
    pub said: String,
}

/// A path and the one that it becomes.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub old: &'a str,
    pub new: &'a str,
}

/// New bytes, and how many lines or entries are others in them.
type Rewritten = (Vec<u8>, usize);

/// The files of the client that hold the old path, and those that can't be rewritten.
#[must_use]
pub fn held(
    disk: &Disk,
    project: &Project,
    history: &Path,
    claude_json: &Path,
    change: Change<'_>,
) -> (Vec<Held>, Vec<Fault>) {
    let mut files: Vec<(Kind, &Path)> = Vec::new();
    for session in &project.census.sessions {
        files.push((Kind::Transcripts, &session.transcript));
        let agents = session.subagents.iter();
        files.extend(agents.map(|file| (Kind::Transcripts, &**file)));
    }
    files.push((Kind::History, history));
    files.push((Kind::ClaudeJson, claude_json));
    looked_through(disk, files, |kind, before| {
        let ranges = match kind {
            Kind::Transcripts => of_lines(before, b"\"cwd\""),
            Kind::History => of_lines(before, b"\"project\""),
            Kind::ClaudeJson => {
                is_json(before)?;
                of_projects(before)
            }
        };
        let is_new =
            |range: &Range<usize>| text(before, range).is_some_and(|path| path == change.new);
        if kind == Kind::ClaudeJson && ranges.iter().any(is_new) {
            return Err(format!("has an entry for {} already", change.new));
        }
        Ok(rewritten(before, &ranges, change))
    })
}

/// The files of the client that hold an entry of a path, and what they would be without: lines of the
/// input history, projects of `.claude.json`; and those that can't be rewritten.
#[must_use]
pub fn without(
    disk: &Disk,
    history: &Path,
    claude_json: &Path,
    is_it: impl Fn(&str) -> bool,
) -> (Vec<Held>, Vec<Fault>) {
    let files = vec![(Kind::History, history), (Kind::ClaudeJson, claude_json)];
    looked_through(disk, files, |kind, before| match kind {
        Kind::Transcripts | Kind::History => Ok(without_lines(before, &is_it)),
        Kind::ClaudeJson => {
            is_json(before)?;
            without_projects(before, &is_it)
        }
    })
}

/// Reads files and makes of each what it would be; where nothing of it changes it holds nothing.
fn looked_through(
    disk: &Disk,
    files: Vec<(Kind, &Path)>,
    make: impl Fn(Kind, &[u8]) -> Result<Rewritten, String>,
) -> (Vec<Held>, Vec<Fault>) {
    let mut found = Vec::new();
    let mut faults = Vec::new();
    for (kind, file) in files {
        let made = read(disk, file).and_then(|before| match before {
            None => Ok(None),
            Some(before) => make(kind, &before).map(|made| Some((before, made))),
        });
        match made {
            Ok(None | Some((_, (_, 0)))) => {}
            Ok(Some((before, (after, places)))) => found.push(Held {
                kind,
                file: file.to_path_buf(),
                places,
                before,
                after,
            }),
            Err(why) => {
                let said = format!("{} {why}: it is not rewritten", file.display());
                faults.push(Fault { kind, said });
            }
        }
    }
    (found, faults)
}

/// The bytes of a file, none where there is no such file; else why it is not read, the end of a
/// sentence.
fn read(disk: &Disk, file: &Path) -> Result<Option<Vec<u8>>, String> {
    match disk.metadata(file) {
        Ok(data) if data.len() > REWRITE_BYTES => {
            let size = data.len() / 1024 / 1024;
            Err(format!("is {size} MiB large"))
        }
        Ok(_) => match disk.read(file) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) => Err(format!("can't be read: {error}")),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => match disk.link(file) {
            Ok(to) => Err(format!("is a link to {}, which is not there", to.display())),
            Err(_) => Ok(None),
        },
        Err(error) => Err(format!("can't be read: {error}")),
    }
}

/// Refuses what is no JSON, in which no entry can be told; an empty file holds none.
fn is_json(bytes: &[u8]) -> Result<(), String> {
    let json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if json.trim_ascii().is_empty() {
        return Ok(());
    }
    match serde_json::from_slice::<IgnoredAny>(json) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("is no JSON ({error})")),
    }
}

fn without_lines(bytes: &[u8], is_it: impl Fn(&str) -> bool) -> Rewritten {
    let mut out = Vec::with_capacity(bytes.len());
    let mut places = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        match cwd::field(line, b"\"project\"") {
            Some(path) if is_it(&path) => places += 1,
            Some(_) | None => out.extend_from_slice(line),
        }
    }
    (out, places)
}

fn without_projects(bytes: &[u8], is_it: impl Fn(&str) -> bool) -> Result<Rewritten, String> {
    let Some(projects) = claude_json::projects(bytes) else {
        return Ok((Vec::new(), 0));
    };
    let entries = projects.members.iter().enumerate();
    let gone: Vec<usize> = entries
        .filter(|(_, entry)| text(bytes, &entry.key).is_some_and(|path| is_it(&path)))
        .map(|(at, _)| at)
        .collect();
    if gone.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let after = claude_json::without(&projects, bytes, &gone);
    is_json(&after)?;
    Ok((after, gone.len()))
}

fn text(bytes: &[u8], range: &Range<usize>) -> Option<String> {
    serde_json::from_slice(&bytes[range.clone()]).ok()
}

/// The path below the new one that a path below the old one becomes.
fn moved(path: &str, change: Change<'_>) -> Option<String> {
    let rest = path.strip_prefix(change.old)?;
    // The root of all folders ends in the separator itself.
    let new = change.new.trim_end_matches('/');
    (rest.is_empty() || rest.starts_with('/')).then(|| match rest {
        "" => change.new.to_string(),
        _ => format!("{new}{rest}"),
    })
}

fn rewritten(bytes: &[u8], ranges: &[Range<usize>], change: Change<'_>) -> Rewritten {
    let mut out = Vec::with_capacity(bytes.len());
    let (mut kept, mut places) = (0, 0);
    for range in ranges {
        if let Some(path) = text(bytes, range).and_then(|path| moved(&path, change)) {
            out.extend_from_slice(&bytes[kept..range.start]);
            out.extend_from_slice(serde_json::Value::from(path).to_string().as_bytes());
            (kept, places) = (range.end, places + 1);
        }
    }
    out.extend_from_slice(&bytes[kept..]);
    (out, places)
}

/// The values of a field of each line's own object.
fn of_lines(bytes: &[u8], key: &[u8]) -> Vec<Range<usize>> {
    let mut begin = 0;
    let mut found = Vec::new();
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        if let Some(range) = cwd::place(line, key) {
            found.push(begin + range.start..begin + range.end);
        }
        begin += line.len();
    }
    found
}

/// The keys of the object `projects` of a document.
fn of_projects(bytes: &[u8]) -> Vec<Range<usize>> {
    let found = claude_json::projects(bytes).into_iter();
    let entries = found.flat_map(|found| found.members);
    entries.map(|entry| entry.key).collect()
}

#[cfg(test)]
#[path = "elsewhere_tests.rs"]
mod tests;

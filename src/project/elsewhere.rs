//! Where else the client's files hold the path of a project: its transcripts, the input history, the
//! projects of `.claude.json`. Each place is found and rewritten by its own field, so that neither a
//! sibling that shares the beginning nor a text that mentions the path is touched.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::Project;
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

/// A path and the one that it becomes.
#[derive(Debug, Clone, Copy)]
pub struct Change<'a> {
    pub old: &'a str,
    pub new: &'a str,
}

/// The files of the client that hold the old path, and a sentence for each that can't be rewritten.
#[must_use]
pub fn held(
    disk: &Disk,
    project: &Project,
    history: &Path,
    claude_json: &Path,
    change: Change<'_>,
) -> (Vec<Held>, Vec<String>) {
    let mut files: Vec<(Kind, &Path)> = Vec::new();
    for session in &project.census.sessions {
        files.push((Kind::Transcripts, &session.transcript));
        let agents = session.subagents.iter();
        files.extend(agents.map(|file| (Kind::Transcripts, &**file)));
    }
    files.push((Kind::History, history));
    files.push((Kind::ClaudeJson, claude_json));
    let mut found = Vec::new();
    let mut faults = Vec::new();
    for (kind, file) in files {
        let Ok(data) = disk.metadata(file) else {
            continue;
        };
        let shown = file.display();
        if data.len() > REWRITE_BYTES {
            let size = data.len() / 1024 / 1024;
            faults.push(format!("{shown} is {size} MiB large: it is not rewritten"));
            continue;
        }
        let before = match disk.read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                faults.push(format!("{shown} can't be read: {error}"));
                continue;
            }
        };
        let ranges = match kind {
            Kind::Transcripts => of_lines(&before, b"\"cwd\""),
            Kind::History => of_lines(&before, b"\"project\""),
            Kind::ClaudeJson => of_projects(&before),
        };
        let text =
            |range: &Range<usize>| serde_json::from_slice::<String>(&before[range.clone()]).ok();
        if kind == Kind::ClaudeJson
            && ranges
                .iter()
                .any(|range| text(range).is_some_and(|path| path == change.new))
        {
            faults.push(format!(
                "{shown} has an entry for {} already: it is not rewritten",
                change.new
            ));
            continue;
        }
        let (after, places) = rewritten(&before, &ranges, change);
        if places > 0 {
            found.push(Held {
                kind,
                file: file.to_path_buf(),
                places,
                before,
                after,
            });
        }
    }
    (found, faults)
}

/// The path below the new one that a path below the old one becomes.
fn moved(path: &str, change: Change<'_>) -> Option<String> {
    let rest = path.strip_prefix(change.old)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!("{}{rest}", change.new))
}

fn rewritten(bytes: &[u8], ranges: &[Range<usize>], change: Change<'_>) -> (Vec<u8>, usize) {
    let mut out = Vec::with_capacity(bytes.len());
    let (mut kept, mut places) = (0, 0);
    for range in ranges {
        let text: Option<String> = serde_json::from_slice(&bytes[range.clone()]).ok();
        if let Some(path) = text.and_then(|path| moved(&path, change)) {
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
    let mut found = Vec::new();
    let (mut depth, mut at, mut inside) = (0_usize, 0, false);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                let Some(end) = cwd::end_of_string(bytes, at) else {
                    return found;
                };
                let follows = bytes[end..].iter().find(|byte| !byte.is_ascii_whitespace());
                let is_key = follows == Some(&b':');
                match depth {
                    1 if is_key => inside = &bytes[at..end] == b"\"projects\"",
                    2 if is_key && inside => found.push(at..end),
                    _ => {}
                }
                at = end;
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
    }
    found
}

#[cfg(test)]
#[path = "elsewhere_tests.rs"]
mod tests;

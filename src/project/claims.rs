//! What a project's own transcripts say of where they ran. The sub-agents' are asked only where the
//! others say nothing.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::census::{Census, Session};
use super::judge::lookup;
use super::{Claim, Source};
use crate::base::disk::Disk;
use crate::memory::key;
use crate::transcript::ends::{Ends, ends};

/// The claims of the transcripts, those with this key first, then those that most of them make; and
/// how many bytes were read for it.
#[must_use]
pub fn claims(disk: &Disk, key: &str, census: &Census) -> (Vec<Claim>, usize) {
    let mut claims = Claims {
        disk,
        key,
        found: Vec::new(),
        read: 0,
    };
    // From the held folder each is opened by its name, which spares the walk from the root.
    let beside = census
        .sessions
        .first()
        .and_then(|one| one.transcript.parent());
    let held = beside.and_then(|folder| disk.folder(folder).ok());
    for session in &census.sessions {
        let name = session.transcript.file_name().map(Path::new);
        if let (Some(folder), Some(name)) = (&held, name)
            && let Ok(file) = folder.open(name)
        {
            claims.add(session, &session.transcript, &file, Source::Transcript);
        }
    }
    if claims.found.is_empty() {
        for session in &census.sessions {
            for transcript in &session.subagents {
                if let Ok(file) = disk.open(transcript) {
                    claims.add(session, transcript, &file, Source::Subagent);
                }
            }
        }
    }
    claims
        .found
        .sort_by_key(|claim| (!claim.exact, std::cmp::Reverse(claim.sessions.len())));
    (claims.found, claims.read)
}

/// How a path is written in one way: a drive's letter in upper case, because it alternates within
/// one session.
#[must_use]
pub fn spelled(path: &str) -> String {
    match path.as_bytes() {
        [letter, b':', ..] if key::is_windows_path(path) => {
            format!("{}{}", char::from(letter.to_ascii_uppercase()), &path[1..])
        }
        _ => path.to_string(),
    }
}

struct Claims<'a> {
    disk: &'a Disk,
    key: &'a str,
    found: Vec<Claim>,
    read: usize,
}

impl Claims<'_> {
    fn add(&mut self, session: &Session, transcript: &Path, file: &File, source: Source) {
        let Ends { first, last, read } = ends(file);
        self.read += read;
        let is_own = |path: &String| key::is_of(self.key, path);
        // A session belongs where it began; it may have begun elsewhere and come here.
        let own = first.iter().chain(&last).find(|path| is_own(path));
        let Some(path) = own.or(first.as_ref()) else {
            return;
        };
        let exact = is_own(path);
        let path = PathBuf::from(spelled(path));
        let same = |claim: &&mut Claim| claim.path == path && claim.source == source;
        match self.found.iter_mut().find(same) {
            Some(claim) => {
                if claim.sessions.last() != Some(&session.id) {
                    claim.sessions.push(session.id.clone());
                }
            }
            None => self.found.push(Claim {
                standing: lookup(self.disk, &path),
                path,
                source,
                sessions: vec![session.id.clone()],
                file: Some(transcript.to_path_buf()),
                exact,
            }),
        }
    }
}

#[cfg(test)]
#[path = "claims_tests.rs"]
mod tests;

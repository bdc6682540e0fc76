//! What transcripts say: where a session ran, its lines, its graph, what a resume would send. Knows
//! nothing of the screen and of memories.

pub mod backwards;
pub mod bills;
mod condense;
pub mod conversation;
pub mod course;
pub mod cwd;
pub mod days;
pub mod details;
pub mod digest;
pub mod digests;
pub mod ends;
pub mod entry;
pub mod found;
pub mod graph;
pub mod kept;
pub mod last_used;
pub mod lines;
#[cfg(test)]
mod made_for_tests;
pub mod markdown;
pub mod message;
mod names;
pub mod recorded;
pub mod requests;
pub mod rescue;
pub mod resume;
pub mod search;
pub mod sessions;
pub mod source;
pub mod spoken;
pub mod swept;
pub mod swept_state;
pub mod touch;
pub mod usage;
pub mod uses;

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::base::disk::Disk;
use crate::config::limits::TRANSCRIPT_HEAD_BYTES;

/// The first `cwd` in the head of a transcript (16 KiB of it are read at most).
#[must_use]
pub fn first_cwd(disk: &Disk, transcript: &Path) -> Option<PathBuf> {
    let mut head = Vec::with_capacity(TRANSCRIPT_HEAD_BYTES);
    disk.open(transcript)
        .ok()?
        .take(TRANSCRIPT_HEAD_BYTES as u64)
        .read_to_end(&mut head)
        .ok()?;
    head.split(|byte| *byte == b'\n')
        .find_map(cwd::of_line)
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn cwd_of(text: &[u8]) -> Option<PathBuf> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("x.jsonl");
        fs::write(&file, text).expect("a file");
        first_cwd(&Disk::system(), &file)
    }

    #[test]
    fn the_first_cwd_counts() {
        let text =
            b"{\"type\":\"mode\"}\nno json\n{\"cwd\":\"/srv/a b\",\"x\":1}\n{\"cwd\":\"/srv/c\"}\n";
        assert_eq!(cwd_of(text), Some(PathBuf::from("/srv/a b")));
        assert_eq!(cwd_of(b"{\"type\":\"mode\"}\n"), None);
        assert_eq!(cwd_of(b""), None);
    }

    #[test]
    fn a_line_longer_than_the_head_still_tells() {
        let long = format!(
            "{{\"cwd\":\"/srv/\\u00e9\",\"message\":\"{}\"}}\n",
            "x".repeat(40_000)
        );
        assert_eq!(cwd_of(long.as_bytes()), Some(PathBuf::from("/srv/é")));
    }

    /// TR24: the first lines of a session need not say where it runs.
    #[test]
    fn tr24_the_cwd_is_found_behind_lines_without_one() {
        let text = include_bytes!("../../tests/fixtures/TR24/session.jsonl");
        assert_eq!(cwd_of(text), Some(PathBuf::from("/srv/demo/heron")));
    }
}

//! What the newest transcript of a folder holds. Which one is the newest goes by the rule of every list of
//! sessions; what was read of a file is read again only once it has changed.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::guessed;
use crate::agents::claude::Claude;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::context::observed::{Recorded, newest};
use crate::transcript::found::Found;
use crate::transcript::last_used;

/// Bytes of a transcript's head and of its end that are looked at.
const TRANSCRIPT_BYTES: u64 = 8 * 1024 * 1024;

/// What was read of transcripts.
#[derive(Debug, Default)]
pub struct Transcripts {
    /// When each of a folder was used last.
    used: HashMap<PathBuf, (Stamp, Option<Moment>)>,
    last: Option<(PathBuf, Stamp, Recorded)>,
}

/// Time and length of a file.
type Stamp = (Option<Moment>, u64);

impl Transcripts {
    /// What the newest transcript of a folder holds; nothing where there is none.
    pub fn newest(&mut self, store: &Claude, cwd: &Path) -> Recorded {
        let found = store.transcripts_here(cwd);
        let Some(Found {
            path,
            modified,
            bytes,
            ..
        }) = self.newest_of(store.disk(), found)
        else {
            return Recorded::default();
        };
        let stamp = (modified, bytes);
        if let Some((of, when, recorded)) = &self.last
            && (of, when) == (&path, &stamp)
        {
            return recorded.clone();
        }
        let recorded = recorded(store.disk(), &path);
        self.last = Some((path, stamp, recorded.clone()));
        recorded
    }

    fn newest_of(&mut self, disk: &Disk, found: Vec<Found>) -> Option<Found> {
        let mut before = std::mem::take(&mut self.used);
        let dated = found.into_iter().map(|one| {
            let stamp = (one.modified, one.bytes);
            let known = before.remove(&one.path).filter(|(of, _)| *of == stamp);
            let used = known.map_or_else(|| last_used::of_file(disk, &one), |(_, used)| used);
            self.used.insert(one.path.clone(), (stamp, used));
            (used, one)
        });
        let newest = dated.max_by(|(a, one), (b, other)| (a, &one.path).cmp(&(b, &other.path)));
        newest.map(|(_, one)| one)
    }
}

/// What a transcript holds, read with the wrapper of its own version.
fn recorded(disk: &Disk, path: &Path) -> Recorded {
    let bytes = ends(disk, path).unwrap_or_default();
    let lines = || bytes.split(|byte| *byte == b'\n');
    let recorded = Recorded::read(lines(), &newest().wrapper);
    let (own, _) = guessed(recorded.version.as_deref());
    match own.wrapper == newest().wrapper {
        true => recorded,
        false => Recorded::read(lines(), &own.wrapper),
    }
}

/// Head and end of a transcript; the whole where it is not larger than both.
fn ends(disk: &Disk, path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = disk.open(path)?;
    let length = file.metadata()?.len();
    let mut bytes = Vec::new();
    if length <= 2 * TRANSCRIPT_BYTES {
        file.read_to_end(&mut bytes)?;
        return Ok(bytes);
    }
    (&mut file).take(TRANSCRIPT_BYTES).read_to_end(&mut bytes)?;
    // The line that is cut is no JSON and is passed over, so is the rest of the one at the end.
    bytes.push(b'\n');
    file.seek(SeekFrom::Start(length - TRANSCRIPT_BYTES))?;
    file.take(TRANSCRIPT_BYTES).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
#[path = "transcripts_tests.rs"]
mod tests;

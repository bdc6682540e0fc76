//! What is kept of transcripts that are gone, in our state. It is the only copy: what is damaged is put
//! aside, what another version of loci wrote is left alone, and both are said.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::message::Usage;
use super::swept::{Gone, Look, Row, Swept, SweptFile, VERSION};
use super::touch::Touch;
use crate::base::disk::Disk;
use crate::base::time::Moment;
use crate::config::limits::{SWEPT_BYTES, SWEPT_READ_BYTES};
use crate::store::own::{DERIVED, Revision};
use crate::store::{self, Store};

/// The file, in our folder for the config home.
pub const FILE: &str = "swept.json";

/// What stands in our state.
#[derive(Debug)]
pub enum State {
    /// What is kept.
    Kept(Swept),
    /// Nothing is kept yet, of any transcript.
    First,
    /// It is not there, though what was read of transcripts is kept: it was written before that.
    Lost,
    /// It can't be read as what was kept.
    Damaged,
    /// A newer loci wrote it: its version.
    Newer(u64),
    /// The system does not let it be read.
    Unread(io::Error),
}

/// What became of what is gone.
#[derive(Debug)]
pub enum Outcome {
    /// It is kept. The place where what was damaged was put.
    Kept(Option<PathBuf>),
    /// What stands there is a newer loci's, and was left alone.
    Refused,
}

impl State {
    #[must_use]
    pub fn read(store: &Store) -> Self {
        let (disk, path) = (Disk::system(), store.own_file(FILE));
        // This is asked first: whoever keeps that has written this before.
        let is_begun = disk.is_folder(&store.own_file(DERIVED));
        match disk.metadata(&path) {
            Ok(data) if data.len() > SWEPT_READ_BYTES => return Self::Damaged,
            _ => {}
        }
        match disk.read(&path) {
            Ok(bytes) => Self::of(&bytes),
            Err(error) => match error.kind() {
                // A link that leads nowhere.
                io::ErrorKind::NotFound if disk.link(&path).is_ok() => Self::Damaged,
                io::ErrorKind::NotFound if is_begun => Self::Lost,
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::First,
                _ => Self::Unread(error),
            },
        }
    }

    pub(super) fn of(bytes: &[u8]) -> Self {
        if let Ok(swept) = serde_json::from_slice::<Swept>(bytes)
            && swept.v == VERSION
        {
            return Self::Kept(swept);
        }
        let version = serde_json::from_slice::<Version>(bytes).map(|read| read.v);
        match version {
            Ok(1) => {
                let read = serde_json::from_slice::<First>(bytes);
                read.map_or(Self::Damaged, |first| Self::Kept(first.swept()))
            }
            Ok(v) if v > u64::from(VERSION) => Self::Newer(v),
            Ok(_) | Err(_) => Self::Damaged,
        }
    }

    /// Why what is kept is not counted: a sentence.
    #[must_use]
    pub fn fault(&self, path: &Path) -> Option<String> {
        let path = path.display();
        let what = "the sums of transcripts that are gone";
        Some(match self {
            Self::Kept(_) | Self::First => return None,
            Self::Lost => format!("{path} is not there any more: {what} are lost"),
            Self::Damaged => format!("{path} is damaged: {what} can't be read from it"),
            Self::Newer(version) => format!(
                "{path} was written by a newer loci (version {version}): it is left as it is, and {what} are not \
                 counted; use that loci"
            ),
            Self::Unread(error) => format!("{path} can't be read, {what} are not counted: {error}"),
        })
    }

    /// What is known by it.
    #[must_use]
    pub fn swept(self, now: Moment) -> Swept {
        match self {
            Self::Kept(swept) => swept,
            Self::First => Swept::default(),
            Self::Lost | Self::Damaged | Self::Newer(_) | Self::Unread(_) => Swept::lost(now),
        }
    }
}

/// Takes in what is gone, and keeps it. What is damaged is put aside. `living`: the bills of the
/// living, asked for only where room has to be made.
///
/// # Errors
/// `Busy`, or what the system refuses: it has to be done another time.
pub fn keep(
    store: &Store,
    gone: &[Gone],
    look: &Look,
    living: impl FnOnce() -> HashMap<u64, Usage>,
) -> store::Result<Outcome> {
    let mut is_refused = false;
    let aside = store.revise_own_file(FILE, |_| {
        let state = State::read(store);
        let is_damaged = matches!(state, State::Damaged);
        let is_new = matches!(state, State::First | State::Lost | State::Damaged);
        if matches!(state, State::Newer(_) | State::Unread(_)) {
            is_refused = true;
            return Revision::None;
        }
        let mut swept = state.swept(look.now);
        if !swept.take(gone, look) && !is_new {
            return Revision::None;
        }
        let text = |swept: &Swept| {
            serde_json::to_vec(swept).expect("texts and numbers are all that JSON needs")
        };
        let mut after = text(&swept);
        // Whoever did not look at all does not know which bills live.
        if look.is_whole && after.len() as u64 > SWEPT_BYTES {
            swept.fit(
                usize::try_from(SWEPT_BYTES).unwrap_or(usize::MAX),
                &living(),
            );
            after = text(&swept);
        }
        match is_damaged {
            true => Revision::Anew(after),
            false => Revision::To(after),
        }
    })?;
    Ok(match is_refused {
        true => Outcome::Refused,
        false => Outcome::Kept(aside),
    })
}

#[derive(Deserialize)]
struct Version {
    v: u64,
}

/// The first form of the file: sums alone.
#[derive(Deserialize)]
struct First {
    seen: String,
    since: String,
    rows: Vec<FirstRow>,
    touches: Vec<FirstTouch>,
}

#[derive(Deserialize)]
struct FirstRow {
    project: String,
    file: String,
    session: String,
    day: String,
    model: String,
    messages: u64,
    #[serde(flatten)]
    usage: Usage,
}

#[derive(Deserialize)]
struct FirstTouch {
    project: String,
    file: String,
    #[serde(flatten)]
    touch: Touch,
}

impl First {
    fn swept(self) -> Swept {
        let mut files = std::collections::BTreeMap::new();
        for row in self.rows {
            let new = SweptFile::new(&row.project, &row.file);
            let file = files.entry((row.project, row.file)).or_insert(new);
            file.rows.push(Row {
                session: row.session,
                day: row.day,
                model: row.model,
                messages: row.messages,
                usage: row.usage,
            });
        }
        for one in self.touches {
            let new = SweptFile::new(&one.project, &one.file);
            let file = files.entry((one.project, one.file)).or_insert(new);
            file.touches.push(one.touch);
        }
        Swept {
            seen: self.seen,
            since: self.since,
            files: files.into_values().collect(),
            ..Swept::default()
        }
    }
}

#[cfg(test)]
#[path = "swept_state_tests.rs"]
mod tests;

//! Drafts: unsaved text of an editor, kept so that a crash loses nothing (spec 11.3). Saving is
//! explicit; a draft goes when its text is saved or discarded.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::base::fault::Point;
use crate::base::swap;
use crate::store::window::Window;
use crate::store::{Result, Store, disk, path_text, sha256};

/// The unsaved text of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    pub v: u8,
    /// The file that it is a draft of.
    #[serde(with = "path_text")]
    pub path: PathBuf,
    /// SHA-256 of the bytes that the editing began from.
    pub base: String,
    pub text: String,
    /// Line and character of the cursor, from 0.
    pub cursor: (usize, usize),
    /// RFC 3339.
    pub time: String,
}

/// What lies in a slot: a draft, and the window that typed it.
#[derive(Debug, Serialize, Deserialize)]
struct Slot {
    #[serde(flatten)]
    draft: Draft,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<String>,
}

/// Drafts of one file that are kept beside each other at most: one a window that it is edited in.
const MOST_SLOTS: usize = 64;

impl Store {
    /// Keeps a draft: in the place of `own`, the one that this window kept before or took up; beside
    /// those of other windows otherwise.
    ///
    /// # Errors
    /// As the system says; all older ones stay then.
    pub fn keep_draft(&self, draft: &Draft, own: Option<&Draft>) -> Result<()> {
        self.folder(Some("drafts"))?;
        let own = own.and_then(|own| self.slot_of(own));
        let first = own.clone().unwrap_or_else(|| self.slot(&draft.path, 0));
        let refused = |error| disk(&first, error);
        let slot = Slot {
            draft: draft.clone(),
            window: self.window().map(|window| window.name.clone()),
        };
        let text = serde_json::to_vec(&slot).expect("a draft holds nothing that JSON can't");
        // No two are ever the same: one that a crash left must not stand in the way.
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let nanos = now.unwrap_or_default().as_nanos();
        let tag = format!("draft-{}-{nanos}", std::process::id());
        let temporary = swap::temporary(&self.faults, &first, &tag, &text, 0o600, None);
        let temporary = temporary.map_err(refused)?;
        if let Some(own) = own {
            return swap::rename_over(&self.faults, &temporary, &own).map_err(refused);
        }
        for number in 0..MOST_SLOTS {
            let slot = self.slot(&draft.path, number);
            match swap::rename_new(&self.faults, &temporary, &slot) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                kept => return kept.map_err(refused),
            }
        }
        let full = io::Error::other(format!("{MOST_SLOTS} drafts of it are kept already"));
        // What could not be kept is not left behind either; the next start sweeps what stays.
        let _ = fs::remove_file(&temporary);
        Err(refused(full))
    }

    /// The drafts of a file that may be taken up, the newest first: those of other windows that are
    /// still open are theirs.
    #[must_use]
    pub fn drafts(&self, file: &Path) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = (0..MOST_SLOTS)
            .filter_map(|number| read(&self.slot(file, number)))
            .filter(|slot| slot.draft.path == file && !self.is_others(slot))
            .map(|slot| slot.draft)
            .collect();
        drafts.sort_by(|a, b| b.time.cmp(&a.time));
        drafts
    }

    /// The files that have a draft, each once.
    #[must_use]
    pub fn drafted(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.home.join("drafts"))
            .into_iter()
            .flatten()
            .flatten();
        let files: BTreeSet<PathBuf> = entries
            .map(|entry| entry.path())
            .filter(|path| path.extension().is_some_and(|end| end == "json"))
            .filter_map(|path| read(&path))
            .map(|slot| slot.draft.path)
            .collect();
        files.into_iter().collect()
    }

    /// Whether another window that is open now typed it.
    fn is_others(&self, slot: &Slot) -> bool {
        let own = self.window.get().and_then(Option::as_ref);
        let other = slot.window.as_ref();
        other
            .filter(|name| own.is_none_or(|own| own.name != **name))
            .is_some_and(|name| Window::is_open(&self.home.join("drafts"), name))
    }

    /// This window, made known; none where that can't be.
    fn window(&self) -> Option<&Window> {
        let open = || Window::open(&self.home.join("drafts")).ok();
        self.window.get_or_init(open).as_ref()
    }

    /// Lets a draft go: its text is saved or discarded. Others of the same file stay.
    ///
    /// # Errors
    /// As the system says.
    pub fn discard_draft(&self, draft: &Draft) -> Result<()> {
        let Some(slot) = self.slot_of(draft) else {
            return Ok(());
        };
        match self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&slot))
        {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(disk(&slot, error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Where a draft lies that says just this.
    fn slot_of(&self, draft: &Draft) -> Option<PathBuf> {
        let mut slots = (0..MOST_SLOTS).map(|number| self.slot(&draft.path, number));
        slots.find(|slot| read(slot).is_some_and(|slot| slot.draft == *draft))
    }

    /// The place of the n-th draft of a file.
    fn slot(&self, file: &Path, number: usize) -> PathBuf {
        let name = &sha256(file.as_os_str().as_encoded_bytes())[..16];
        let name = match number {
            0 => format!("{name}.json"),
            number => format!("{name}.{number}.json"),
        };
        self.home.join("drafts").join(name)
    }
}

fn read(slot: &Path) -> Option<Slot> {
    serde_json::from_slice(&fs::read(slot).ok()?).ok()
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;

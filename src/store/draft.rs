//! Drafts: unsaved text of an editor, kept so that a crash loses nothing (spec 11.3). Saving is
//! explicit; a draft goes when its text is saved or discarded.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::base::fault::Point;
use crate::base::swap;
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

impl Store {
    /// Keeps a draft in the place of an older one of the same file.
    ///
    /// # Errors
    /// As the system says; the older one stays then.
    pub fn keep_draft(&self, draft: &Draft) -> Result<()> {
        let path = self.draft_path(&draft.path);
        self.folder(Some("drafts"))?;
        let text = serde_json::to_vec(draft).expect("a draft holds nothing that JSON can't");
        let tag = format!("draft-{}", std::process::id());
        let temporary = swap::temporary(&self.faults, &path, &tag, &text, 0o600, None);
        let temporary = temporary.map_err(|error| disk(&path, error))?;
        swap::rename_over(&self.faults, &temporary, &path).map_err(|error| disk(&path, error))
    }

    /// The draft of a file, if there is one.
    #[must_use]
    pub fn draft(&self, file: &Path) -> Option<Draft> {
        let draft: Draft = serde_json::from_slice(&fs::read(self.draft_path(file)).ok()?).ok()?;
        (draft.path == file).then_some(draft)
    }

    /// The files that have a draft.
    #[must_use]
    pub fn drafted(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(self.home.join("drafts"))
            .into_iter()
            .flatten()
            .flatten();
        entries
            .filter(|entry| entry.path().extension().is_some_and(|end| end == "json"))
            .filter_map(|entry| serde_json::from_slice(&fs::read(entry.path()).ok()?).ok())
            .map(|draft: Draft| draft.path)
            .collect()
    }

    /// Lets a draft go: its text is saved or discarded.
    ///
    /// # Errors
    /// As the system says.
    pub fn discard_draft(&self, file: &Path) -> Result<()> {
        let path = self.draft_path(file);
        match self
            .faults
            .pass(Point::Remove)
            .and_then(|()| fs::remove_file(&path))
        {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(disk(&path, error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    fn draft_path(&self, file: &Path) -> PathBuf {
        let name = &sha256(file.as_os_str().as_encoded_bytes())[..16];
        self.home.join("drafts").join(format!("{name}.json"))
    }
}

#[cfg(test)]
#[path = "draft_tests.rs"]
mod tests;

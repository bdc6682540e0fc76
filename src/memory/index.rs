//! `MEMORY.md` as a person edits it and as the model gets it.

use std::path::PathBuf;

use crate::memory::load::Loaded;
use crate::memory::pointer::Pointer;

/// The index of a memory folder, read whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// The file, as seen.
    pub path: PathBuf,
    /// The text of the file, with U+FFFD for bad bytes, without a BOM.
    pub text: String,
    /// Pointers in the order of the file.
    pub pointers: Vec<Pointer>,
    /// What the reference client loads of it.
    pub loaded: Loaded,
    /// Why nothing of it is loaded though it could be: memory is switched off (the sentence says by what).
    pub off: Option<String>,
}

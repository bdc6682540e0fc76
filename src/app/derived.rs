//! What is made from one reading of a shelf: asked for when that reading is shown, kept until there
//! is a newer one.

use std::path::{Path, PathBuf};

use crate::app::tree::ShelfState;

/// The folder of a shelf and the reading of it.
type Source = (PathBuf, u64);

/// A value and the reading that it is of.
#[derive(Debug, Clone)]
pub struct Derived<T> {
    made: Option<(Source, T)>,
    /// The id of the answer that is to come, and its source.
    awaited: Option<(u64, Source)>,
    /// Which value it is: what was drawn from another is drawn anew.
    pub stamp: u64,
}

impl<T> Default for Derived<T> {
    fn default() -> Self {
        Self {
            made: None,
            awaited: None,
            stamp: 0,
        }
    }
}

impl<T> Derived<T> {
    /// Whether the value of this reading must be asked for; notes that it will be, as `id`.
    pub fn wants(&mut self, state: &ShelfState, id: u64) -> bool {
        let source = (state.shelf.folder.clone(), state.stamp);
        let made = self.made.as_ref().map(|(made, _)| made);
        let awaited = self.awaited.as_ref().map(|(_, awaited)| awaited);
        let lacks = made != Some(&source) && awaited != Some(&source);
        if lacks {
            self.awaited = Some((id, source));
        }
        lacks
    }

    /// Takes an answer; one that is not awaited is dropped.
    pub fn take(&mut self, id: u64, value: T) {
        if let Some((id, source)) = self.awaited.take_if(|(awaited, _)| *awaited == id) {
            self.stamp = id;
            self.made = Some((source, value));
        }
    }

    /// The last value that is known of a folder.
    #[must_use]
    pub fn of(&self, folder: &Path) -> Option<&T> {
        let ((of, _), value) = self.made.as_ref()?;
        (of == folder).then_some(value)
    }
}

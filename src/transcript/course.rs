//! How far a long reading is, and whether it is wanted still.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A reading that goes on: told of as it does, ended at its next line where it is no longer wanted.
pub struct Course<'a> {
    stop: &'a AtomicBool,
    /// Takes the bytes that are read, and all there are to read.
    told: &'a (dyn Fn(u64, u64) + Sync),
    read: AtomicU64,
    of: AtomicU64,
}

impl<'a> Course<'a> {
    #[must_use]
    pub fn new(stop: &'a AtomicBool, told: &'a (dyn Fn(u64, u64) + Sync)) -> Self {
        Self {
            stop,
            told,
            read: AtomicU64::new(0),
            of: AtomicU64::new(0),
        }
    }

    /// So many bytes are to be read.
    pub(super) fn begin(&self, of: u64) {
        self.of.store(of, Ordering::Relaxed);
    }

    /// So many more are read; `false`: no more is wanted.
    pub(super) fn goes_on(&self, more: u64) -> bool {
        let read = self.read.fetch_add(more, Ordering::Relaxed) + more;
        (self.told)(read, self.of.load(Ordering::Relaxed).max(read));
        !self.is_stopped()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

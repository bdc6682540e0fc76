//! When a folder is told of: a save is several events, and one that keeps changing is told of less and less
//! often. Knows nothing of what the folders are.

use std::time::{Duration, Instant};

/// Events that come so close together are one change: a save is several of them.
const QUIET: Duration = Duration::from_millis(30);
/// A change is told after so long even if more of them keep coming.
pub(super) const PATIENCE: Duration = Duration::from_millis(150);
/// A folder that keeps changing is told of less and less often, down to once in so long: each time all
/// of it is read.
const SLOWEST: Duration = Duration::from_millis(750);
/// One that was left alone for so long is told of at once again.
pub(super) const CALM: Duration = Duration::from_millis(1500);

/// Events that came close together and concern one folder.
#[derive(Debug)]
pub(super) struct Burst<F> {
    pub folder: F,
    first: Instant,
    last: Instant,
    /// Whether names came or went.
    pub is_of_names: bool,
}

impl<F> Burst<F> {
    pub(super) fn new(folder: F, now: Instant, is_of_names: bool) -> Self {
        Self {
            folder,
            first: now,
            last: now,
            is_of_names,
        }
    }

    /// Takes one more event.
    pub(super) fn add(&mut self, now: Instant, is_of_names: bool) {
        self.last = now;
        self.is_of_names |= is_of_names;
    }

    /// When it is over, as far as is known yet.
    pub(super) fn end(&self) -> Instant {
        (self.last + QUIET).min(self.first + PATIENCE)
    }
}

/// How often a folder is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    pub told: Instant,
    /// How long it is not told of again.
    pub rest: Duration,
}

impl Pace {
    /// After one more telling.
    pub(super) fn next(last: Option<Self>, now: Instant) -> Self {
        let rest = match last {
            Some(pace) if now.duration_since(pace.told) < CALM => (pace.rest * 2).min(SLOWEST),
            Some(_) | None => PATIENCE,
        };
        Self { told: now, rest }
    }

    pub(super) fn until(self) -> Instant {
        self.told + self.rest
    }
}

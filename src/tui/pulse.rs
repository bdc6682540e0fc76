//! When work that goes on is shown again: first after a moment, since most is done by then, and then as
//! often as the sign of it moves. Nothing is due while nothing goes on.

use std::time::Duration;

use tokio::time::Instant;

/// Shorter work is not shown.
const A_MOMENT: Duration = Duration::from_millis(150);
/// So often the sign moves.
const STEP: Duration = Duration::from_millis(100);
/// So often only the time that has passed changes.
const SECOND: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct Pulse {
    step: Duration,
    began: Option<Instant>,
    beats: u32,
}

impl Pulse {
    /// With `motion` the sign moves.
    pub(super) fn new(motion: bool) -> Self {
        Self {
            step: if motion { STEP } else { SECOND },
            began: None,
            beats: 0,
        }
    }

    /// Takes whether work goes on.
    pub(super) fn follow(&mut self, works: bool, now: Instant) {
        match (works, self.began) {
            (true, Some(_)) | (false, None) => {}
            (true, None) => (self.began, self.beats) = (Some(now), 0),
            (false, Some(_)) => self.began = None,
        }
    }

    /// When the next beat is due, if any is.
    pub(super) fn due(&self) -> Option<Instant> {
        self.began
            .map(|began| began + A_MOMENT + self.step * self.beats)
    }

    /// One beat; gives back the seconds that have passed. Beats that were missed are not made up for.
    pub(super) fn beat(&mut self, now: Instant) -> u64 {
        let passed = self.began.map_or(Duration::ZERO, |began| now - began);
        let missed = passed.saturating_sub(A_MOMENT).as_millis() / self.step.as_millis();
        self.beats = u32::try_from(missed).unwrap_or(u32::MAX - 1) + 1;
        passed.as_secs()
    }
}

#[cfg(test)]
#[path = "pulse_tests.rs"]
mod tests;

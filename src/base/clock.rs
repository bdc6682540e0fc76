//! What time it is for a program that runs on: a moment at its beginning, and what has passed since.

use std::time::SystemTime;

use crate::base::time::Moment;

/// The system's clock, set to a moment at the beginning.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    began: Moment,
    at: Moment,
}

impl Clock {
    /// It is `at` now.
    #[must_use]
    pub fn set(at: Moment) -> Self {
        Self::began(at, system())
    }

    fn began(at: Moment, began: Moment) -> Self {
        Self { began, at }
    }

    #[must_use]
    pub fn now(self) -> Moment {
        self.when(system())
    }

    /// The moment when the system's clock says `system`.
    fn when(self, system: Moment) -> Moment {
        Moment {
            seconds: self.at.seconds + (system.seconds - self.began.seconds),
            ..self.at
        }
    }
}

fn system() -> Moment {
    Moment::from(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_goes_on_from_the_moment_that_it_was_set_to() {
        let at = Moment::from_seconds;
        let clock = Clock::began(at(1_800_000_000), at(50));
        assert_eq!(clock.when(at(50)), at(1_800_000_000));
        assert_eq!(clock.when(at(170)), at(1_800_000_120));
    }
}

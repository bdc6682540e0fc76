//! Time as a value: moments in seconds since 1970, ages and how they are written. The clock is read
//! once at the edge; nothing here asks for it.

use std::time::{SystemTime, UNIX_EPOCH};

const MINUTE: i64 = 60;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;

/// A moment: seconds since 1970-01-01T00:00:00Z and the nanoseconds beyond them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Moment {
    pub seconds: i64,
    pub nanos: u32,
}

/// Hours that a place is ahead of UTC, or behind it, in RFC 3339: fewer.
const MOST_OFFSET: u8 = 24;

/// An RFC 3339 time.
fn stamp(text: &str) -> Option<jiff::Timestamp> {
    let stamp = text.parse().ok()?;
    let (_, clock) = text.split_once(['T', 't', ' '])?;
    let offset = clock.split_once(['+', '-']).map(|(_, offset)| offset);
    let hours = offset.and_then(|offset| offset.get(..2)?.parse::<u8>().ok());
    hours
        .is_none_or(|hours| hours < MOST_OFFSET)
        .then_some(stamp)
}

impl Moment {
    #[must_use]
    pub fn from_seconds(seconds: i64) -> Self {
        Self { seconds, nanos: 0 }
    }

    /// RFC 3339 in UTC, with a fraction only where there is one; seconds alone beyond its years.
    #[must_use]
    pub fn rfc3339(self) -> String {
        let nanos = i32::try_from(self.nanos).unwrap_or(0);
        jiff::Timestamp::new(self.seconds, nanos)
            .map_or_else(|_| self.seconds.to_string(), |stamp| stamp.to_string())
    }

    /// Reads what [`Moment::rfc3339`] wrote, or any RFC 3339 time.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let Some(stamp) = stamp(text) else {
            return text.parse().ok().map(Self::from_seconds);
        };
        // Before 1970 both count backwards there.
        let (seconds, nanos) = (stamp.as_second(), stamp.subsec_nanosecond());
        let (seconds, nanos) = match nanos {
            0.. => (seconds, nanos),
            _ => (seconds - 1, nanos + 1_000_000_000),
        };
        Some(Self {
            seconds,
            nanos: u32::try_from(nanos).ok()?,
        })
    }

    /// The first moment, in UTC, of the date that a text begins with: `2031-02-28`.
    #[must_use]
    pub fn of_date(text: &str) -> Option<Self> {
        Self::parse(&format!("{}T00:00:00Z", text.get(..10)?))
    }

    /// The date in UTC of an RFC 3339 time, or of the date that a text begins with; `None`: it is no date.
    #[must_use]
    pub fn date_of(text: &str) -> Option<String> {
        let moment = stamp(text).map(|stamp| Self::from_seconds(stamp.as_second()));
        let date = moment.or_else(|| Self::of_date(text))?.date();
        date.starts_with(|c: char| c.is_ascii_digit())
            .then_some(date)
    }

    /// The date in UTC: `2031-02-28`.
    #[must_use]
    pub fn date(self) -> String {
        self.rfc3339().chars().take(10).collect()
    }

    /// The time of day in UTC: `14:32`.
    #[must_use]
    pub fn time_of_day(self) -> String {
        let minutes = self.seconds.rem_euclid(DAY) / MINUTE;
        format!("{:02}:{:02}", minutes / 60, minutes % 60)
    }

    /// Days of the calendar, in UTC, since then; 0 for a day still to come.
    #[must_use]
    pub fn calendar_days_before(self, now: Moment) -> i64 {
        (now.seconds.div_euclid(DAY) - self.seconds.div_euclid(DAY)).max(0)
    }

    /// Whole days since then, 0 for a moment still to come.
    #[must_use]
    pub fn days_before(self, now: Moment) -> i64 {
        ((now.seconds - self.seconds) / DAY).max(0)
    }

    /// How long ago, in at most four cells: `now`, `12m`, `5h`, `34d`, `999d`, `11y`.
    #[must_use]
    pub fn age(self, now: Moment) -> String {
        let seconds = (now.seconds - self.seconds).max(0);
        match seconds {
            0..MINUTE => "now".to_string(),
            MINUTE..HOUR => format!("{}m", seconds / MINUTE),
            HOUR..DAY => format!("{}h", seconds / HOUR),
            _ if seconds / DAY <= 999 => format!("{}d", seconds / DAY),
            _ => format!("{}y", seconds / DAY / 365),
        }
    }
}

impl From<SystemTime> for Moment {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self {
                seconds: i64::try_from(after.as_secs()).unwrap_or(i64::MAX),
                nanos: after.subsec_nanos(),
            },
            Err(before) => {
                let before = before.duration();
                let seconds = -i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
                match before.subsec_nanos() {
                    0 => Self { seconds, nanos: 0 },
                    nanos => Self {
                        seconds: seconds - 1,
                        nanos: 1_000_000_000 - nanos,
                    },
                }
            }
        }
    }
}

/// A number with thousands separators: `25,000`.
#[must_use]
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
#[path = "time_tests.rs"]
mod tests;

//! A range of days, as sums by day have them: those of UTC.

use crate::base::time::Moment;

/// Days from one to another, both among them; none named: no end there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Days {
    /// `YYYY-MM-DD`.
    pub since: Option<String>,
    pub until: Option<String>,
}

impl Days {
    /// A day as it is typed, `YYYY-MM-DD`.
    ///
    /// # Errors
    /// What is wrong with it, and how one is written.
    pub fn day(text: &str) -> Result<String, String> {
        let is_one = Moment::of_date(text).is_some_and(|day| day.date() == text);
        match is_one {
            true => Ok(text.to_string()),
            false => Err("it is no day of the calendar: write it as 2031-02-28".to_string()),
        }
    }

    /// Whether no day is left out.
    #[must_use]
    pub fn is_all(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }

    /// Whether a day is among them. What has no day is only among all.
    #[must_use]
    pub fn hold(&self, day: &str) -> bool {
        self.meet(day, day)
    }

    /// Whether any of the days from `first` to `last` is among them.
    #[must_use]
    pub fn meet(&self, first: &str, last: &str) -> bool {
        let since = self.since.as_deref().is_none_or(|since| last >= since);
        let until = self.until.as_deref().is_none_or(|until| first <= until);
        self.is_all() || !first.is_empty() && since && until
    }

    /// Them in words; nothing where they are all.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        match (&self.since, &self.until) {
            (None, None) => None,
            (Some(since), None) => Some(format!("since {since} (UTC)")),
            (None, Some(until)) => Some(format!("until {until} (UTC)")),
            (Some(since), Some(until)) => Some(format!("from {since} to {until} (UTC)")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(since: Option<&str>, until: Option<&str>) -> Days {
        Days {
            since: since.map(str::to_string),
            until: until.map(str::to_string),
        }
    }

    #[test]
    fn both_ends_are_among_them_and_what_has_no_day_is_only_among_all() {
        let some = days(Some("2031-02-27"), Some("2031-03-01"));
        let held = ["2031-02-26", "2031-02-27", "2031-03-01", "2031-03-02", ""];
        assert_eq!(
            held.map(|day| some.hold(day)),
            [false, true, true, false, false]
        );
        assert!(Days::default().hold(""));
        assert!(some.meet("2031-01-01", "2031-12-31"));
        assert!(!some.meet("2031-01-01", "2031-02-26"));
        assert!(days(None, Some("2031-03-01")).hold("1999-01-01"));
        assert!(!days(Some("2031-03-01"), None).hold("2031-02-28"));
    }

    #[test]
    fn only_a_day_of_the_calendar_is_one() {
        assert_eq!(Days::day("2028-02-29").as_deref(), Ok("2028-02-29"));
        for text in [
            "2031-02-29",
            "2031-2-3",
            "2031-02-28T10:00:00Z",
            "yesterday",
            "",
            "2031-13-01",
        ] {
            assert!(Days::day(text).is_err(), "{text}");
        }
    }
}

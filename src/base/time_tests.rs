use std::time::Duration;

use super::*;

#[test]
fn ages_are_short_and_never_negative() {
    let now = Moment::from_seconds(1_790_000_000);
    let age = |ago: i64| Moment::from_seconds(now.seconds - ago).age(now);
    assert_eq!(
        [
            age(-9),
            age(59),
            age(3599),
            age(86_399),
            age(86_400),
            age(86_400 * 999),
            age(86_400 * 4000)
        ],
        ["now", "now", "59m", "23h", "1d", "999d", "10y"]
    );
    assert_eq!(Moment::from_seconds(now.seconds + 5).days_before(now), 0);
}

#[test]
fn moments_are_written_in_utc() {
    assert_eq!(Moment::from_seconds(0).rfc3339(), "1970-01-01T00:00:00Z");
    assert_eq!(
        Moment {
            seconds: 1_790_000_000,
            nanos: 250_000_000
        }
        .rfc3339(),
        "2026-09-21T14:13:20.25Z"
    );
}

#[test]
fn a_time_before_1970_keeps_its_fraction() {
    let time = UNIX_EPOCH - Duration::from_millis(1_250);
    assert_eq!(
        Moment::from(time),
        Moment {
            seconds: -2,
            nanos: 750_000_000
        }
    );
}

#[test]
fn thousands_are_set_apart() {
    assert_eq!(
        [
            grouped(0),
            grouped(999),
            grouped(25_000),
            grouped(1_234_567)
        ],
        ["0", "999", "25,000", "1,234,567"]
    );
}

#[test]
fn what_is_written_is_read_again_before_1970_and_beyond_all_years_too() {
    for (seconds, nanos) in [(-1, 1), (-1, 999_999_999), (-5, 0), (0, 1), (1, 0)] {
        let moment = Moment { seconds, nanos };
        assert_eq!(Moment::parse(&moment.rfc3339()), Some(moment));
    }
    let far = Moment::from_seconds(1 << 40);
    assert_eq!(Moment::parse(&far.rfc3339()), Some(far));
}

#[test]
fn a_time_is_at_most_a_day_from_utc() {
    let noon = Moment::parse("2026-11-29T12:00:00Z");
    assert!(noon.is_some());
    assert_eq!(Moment::parse("2026-11-29T14:30:00+02:30"), noon);
    assert_eq!(Moment::parse("2026-11-28T12:30:00-23:30"), noon);
    for text in ["2026-11-29T12:00:00+25:00", "2026-11-29T12:00:00-24:00"] {
        assert_eq!(Moment::parse(text), None, "{text}");
    }
    // The date is still that which stands there.
    let date = Moment::date_of("2026-11-29T12:00:00+25:00");
    assert_eq!(date.as_deref(), Some("2026-11-29"));
}

use super::*;

fn usage(cache_read: u64, cache_creation: u64, cache_creation_1h: u64) -> Usage {
    Usage {
        input: 10,
        cache_read,
        cache_creation,
        cache_creation_1h,
        ..Usage::default()
    }
}

fn until(warmth: &Warmth) -> Option<i64> {
    warmth.until().map(|moment| moment.seconds)
}

#[test]
fn it_is_warm_from_the_last_request_that_used_a_cache() {
    let mut warmth = Warmth::default();
    warmth.asking(Moment::from_seconds(1_000));
    assert_eq!(until(&warmth), None);
    warmth.counted(&usage(0, 0, 0));
    assert_eq!(until(&warmth), None);
    warmth.counted(&usage(0, 5_000, 0));
    assert_eq!(until(&warmth), Some(1_300));
    // Reading it keeps it.
    warmth.asking(Moment::from_seconds(1_200));
    warmth.counted(&usage(5_000, 0, 0));
    assert_eq!(until(&warmth), Some(1_500));
}

#[test]
fn what_is_kept_for_an_hour_stays_so_when_it_is_read() {
    let mut warmth = Warmth::default();
    warmth.asking(Moment::from_seconds(1_000));
    warmth.counted(&usage(0, 5_000, 5_000));
    assert_eq!(until(&warmth), Some(4_600));
    warmth.asking(Moment::from_seconds(2_000));
    warmth.counted(&usage(5_000, 0, 0));
    assert_eq!(until(&warmth), Some(5_600));
}

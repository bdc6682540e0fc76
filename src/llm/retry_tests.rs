use proptest::prelude::*;

use super::*;
use crate::llm::failure::What;

fn overloaded(retry_after: Option<u64>) -> Failure {
    let kind = "overloaded_error".to_string();
    let what = What::Status { status: 529, kind };
    let mut failure = Failure::new(what, "");
    failure.retry_after = retry_after.map(Duration::from_secs);
    failure
}

proptest! {
    /// LL20: waits grow, with jitter, and are never 0.
    #[test]
    fn ll20_waits_grow_with_jitter(chances in prop::array::uniform5(any::<u64>())) {
        let retry = Retry { tries: 6, ..Retry::default() };
        let waits: Vec<Duration> = (1..).zip(chances)
            .map(|(attempt, chance)| retry.wait(attempt, &overloaded(None), chance).unwrap())
            .collect();
        prop_assert!(waits[0] >= Duration::from_millis(750));
        prop_assert!(waits.windows(2).all(|pair| pair[0] < pair[1]), "{:?}", waits);
        prop_assert!(waits[4] <= Duration::from_secs(20));
    }

    #[test]
    fn no_wait_is_longer_than_the_longest(attempt in 1_u32..100, chance: u64) {
        let retry = Retry { tries: 1_000, ..Retry::default() };
        let wait = retry.wait(attempt, &overloaded(None), chance).unwrap();
        prop_assert!(wait <= retry.most && wait >= retry.first * 3 / 4);
    }
}

#[test]
fn waits_differ_from_client_to_client() {
    let retry = Retry::default();
    let wait = |chance| retry.wait(3, &overloaded(None), chance);
    assert_ne!(wait(0), wait(123_456));
}

#[test]
fn what_the_server_asks_for_is_kept() {
    let retry = Retry::default();
    let wait = |seconds| retry.wait(1, &overloaded(Some(seconds)), 7_777_777);
    assert!(wait(30).unwrap() >= Duration::from_secs(30));
    assert!(wait(60).is_some());
    assert_eq!(wait(61), None);
    // One that asks for nothing does not make it a hammer.
    assert!(wait(0).unwrap() >= Duration::from_millis(750));
}

#[test]
fn what_does_not_pass_and_what_was_tried_enough_is_not_tried_again() {
    let retry = Retry::default();
    assert_eq!(retry.wait(5, &overloaded(None), 0), None);
    assert!(retry.wait(4, &overloaded(None), 0).is_some());
    let what = What::Status {
        status: 400,
        kind: String::new(),
    };
    assert_eq!(retry.wait(1, &Failure::new(what, ""), 0), None);
}

#[test]
fn retry_after_is_seconds_or_a_date() {
    let seconds = |header| asked(header, 784_111_770).map(|wait| wait.as_millis());
    assert_eq!(seconds("3"), Some(3_000));
    assert_eq!(seconds(" 0.5 "), Some(500));
    assert_eq!(seconds("Sun, 06 Nov 1994 08:49:37 GMT"), Some(7_000));
    assert_eq!(seconds("Sun, 06 Nov 1994 08:49:00 GMT"), Some(0));
    for odd in ["soon", "-1", "NaN", "1e300", ""] {
        assert_eq!(seconds(odd), None, "{odd}");
    }
}

use super::*;

fn at(began: Instant, millis: u64) -> Instant {
    began + Duration::from_millis(millis)
}

#[test]
fn nothing_is_due_while_nothing_goes_on() {
    let now = Instant::now();
    let mut pulse = Pulse::new(true);
    assert_eq!(pulse.due(), None);
    pulse.follow(false, now);
    assert_eq!(pulse.due(), None);
    pulse.follow(true, now);
    pulse.follow(false, at(now, 50));
    assert_eq!(pulse.due(), None);
}

#[test]
fn work_shows_after_a_moment_and_then_moves() {
    let now = Instant::now();
    let mut pulse = Pulse::new(true);
    pulse.follow(true, now);
    assert_eq!(pulse.due(), Some(at(now, 150)));
    assert_eq!(pulse.beat(at(now, 151)), 0);
    pulse.follow(true, at(now, 200));
    assert_eq!(pulse.due(), Some(at(now, 250)));
    // A loop that came late beats once.
    assert_eq!(pulse.beat(at(now, 2_390)), 2);
    assert_eq!(pulse.due(), Some(at(now, 2_450)));
    pulse.follow(false, at(now, 2_400));
    pulse.follow(true, at(now, 9_000));
    assert_eq!(pulse.due(), Some(at(now, 9_150)));
}

#[test]
fn without_motion_only_the_seconds_change() {
    let now = Instant::now();
    let mut pulse = Pulse::new(false);
    pulse.follow(true, now);
    pulse.beat(at(now, 150));
    assert_eq!(pulse.due(), Some(at(now, 1_150)));
    assert_eq!(pulse.beat(at(now, 1_150)), 1);
    assert_eq!(pulse.due(), Some(at(now, 2_150)));
}

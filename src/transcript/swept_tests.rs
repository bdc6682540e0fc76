use super::*;

const DAY: i64 = 86_400;
const NOW: i64 = 1_930_000_000;

fn looked(swept: &mut Swept, keep_days: i64, day: i64) -> String {
    swept.look(keep_days, Moment::from_seconds(NOW + day * DAY));
    swept.since.clone()
}

fn date(day: i64) -> String {
    Moment::from_seconds(NOW + day * DAY).date()
}

#[test]
fn what_is_known_is_complete_as_long_as_somebody_looks_in_time() {
    let mut swept = Swept::default();
    assert_eq!(looked(&mut swept, 30, 0), date(-30));
    assert_eq!(looked(&mut swept, 30, 30), date(-30));
    assert_eq!(looked(&mut swept, 30, 59), date(-30));
    assert_eq!(looked(&mut swept, 30, 90), date(60));
    // A clock that was wrong.
    assert_eq!(looked(&mut swept, 30, 40), date(60));
    assert_eq!(looked(&mut swept, 30, 91), date(60));
    // Kept for ever, or not at all.
    assert_eq!(looked(&mut Swept::default(), i64::MAX, 0), date(-36_500));
    assert_eq!(looked(&mut Swept::default(), 0, 0), date(0));
    assert_eq!(looked(&mut Swept::default(), -1, 0), date(0));
}

#[test]
fn what_is_no_file_of_ours_is_empty() {
    assert_eq!(Swept::of(b""), Swept::default());
    assert_eq!(
        Swept::of(b"{\"v\":9,\"seen\":\"\",\"since\":\"\",\"rows\":[],\"touches\":[]}"),
        Swept::default()
    );
    let mut swept = Swept::default();
    looked(&mut swept, 30, 0);
    let bytes = serde_json::to_vec(&swept).expect("JSON");
    assert_eq!(Swept::of(&bytes), swept);
}

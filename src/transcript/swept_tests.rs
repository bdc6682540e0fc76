use super::*;
use crate::transcript::digest::Digest;

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
    // Kept for ever, or not at all.
    assert_eq!(looked(&mut Swept::default(), i64::MAX, 0), date(-36_500));
    assert_eq!(looked(&mut Swept::default(), 0, 0), date(0));
    assert_eq!(looked(&mut Swept::default(), -1, 0), date(0));
}

/// What a clock said that was wrong is not believed by the next look.
#[test]
fn a_look_after_today_is_not_believed() {
    for wrong in [4_102_444_800, 400_000_000_000, i64::MAX] {
        let mut swept = Swept::default();
        assert_eq!(looked(&mut swept, 30, 0), date(-30));
        swept.look(30, Moment::from_seconds(wrong));
        assert_eq!(looked(&mut swept, 30, 1), date(-29), "{wrong}");
        assert_eq!(looked(&mut swept, 30, 2), date(-29), "{wrong}");
    }
    for wrong in [0, -200_000_000_000, i64::MIN] {
        let mut swept = Swept::default();
        swept.look(30, Moment::from_seconds(wrong));
        assert_eq!(looked(&mut swept, 30, 1), date(-29), "{wrong}");
    }
    // What is no date.
    let mut swept = Swept {
        seen: "9223372036".to_string(),
        since: "x".to_string(),
        ..Swept::default()
    };
    assert_eq!(looked(&mut swept, 30, 1), date(-29));
    assert_eq!(
        Swept::lost(Moment::from_seconds(NOW)).since,
        date(0),
        "nothing before today is known"
    );
}

/// What was lost is not known again by a clock that went back meanwhile.
#[test]
fn what_began_anew_goes_back_no_further() {
    let mut swept = Swept::lost(Moment::from_seconds(NOW));
    assert_eq!(looked(&mut swept, 30, 1), date(0));
    assert_eq!(looked(&mut swept, 30, -2_000), date(-2_000));
    assert_eq!(looked(&mut swept, 30, 2), date(0));
    assert_eq!(looked(&mut swept, 30, 20), date(0));
    // Nobody looked for longer than transcripts are kept.
    assert_eq!(looked(&mut swept, 30, 90), date(60));
}

/// Nor is more known by a clock that goes back a little: what was looked at was there today.
#[test]
fn a_clock_that_goes_back_brings_nothing_back() {
    let mut swept = Swept::lost(Moment::from_seconds(NOW));
    assert_eq!(looked(&mut swept, 30, -20), date(-20));
    assert_eq!(looked(&mut swept, 30, 0), date(0));
    let mut swept = Swept::default();
    assert_eq!(looked(&mut swept, 30, 0), date(-30));
    assert_eq!(looked(&mut swept, 30, -20), date(-30));
    assert_eq!(looked(&mut swept, 30, 1), date(-30));
    // Before all that is known.
    assert_eq!(looked(&mut swept, 30, -40), date(-70));
    assert_eq!(looked(&mut swept, 30, 1), date(-29));
}

fn bills(messages: &[(&str, u64)]) -> Bills {
    let line = |(id, output): &(&str, u64)| {
        format!(
            "{{\"type\":\"assistant\",\"timestamp\":\"2031-02-01T10:00:00Z\",\"message\":{{\"id\":\"{id}\",\"usage\":{{\"output_tokens\":{output}}}}}}}\n"
        )
    };
    let text: String = messages.iter().map(line).collect();
    let (digest, _) = Digest::read(text.as_bytes(), text.len() as u64).expect("memory");
    digest.bills
}

fn file(name: &str, last: &str, bills: Bills) -> SweptFile {
    SweptFile {
        last: last.to_string(),
        bills,
        ..SweptFile::new("-a", name)
    }
}

fn sums(swept: &Swept) -> Vec<(String, u64, u64)> {
    let files = swept.files.iter();
    files
        .map(|file| {
            let rows = file.rows.iter().map(|row| (row.messages, row.usage.output));
            let (messages, output) = rows.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
            (file.file.clone(), messages, output)
        })
        .collect()
}

/// Where room has to be made the oldest become sums, and what others say too is not counted twice.
#[test]
fn what_does_not_fit_becomes_sums_the_oldest_first() {
    let many: Vec<(String, u64)> = (0..200).map(|at| (format!("m{at}"), 1)).collect();
    let many: Vec<(&str, u64)> = many.iter().map(|(id, sum)| (&**id, *sum)).collect();
    let old = [&many[..], &[("shared", 10), ("living", 20)]].concat();
    let mut swept = Swept {
        files: vec![
            file(
                "new.jsonl",
                "2031-02-03T10:00:00Z",
                bills(&[("shared", 10)]),
            ),
            file("old.jsonl", "2031-02-01T10:00:00Z", bills(&old)),
        ],
        ..Swept::default()
    };
    let whole = swept.clone();
    let living = best([bills(&[("living", 20)])].iter());
    swept.fit(usize::MAX, &living);
    assert_eq!(swept, whole);
    swept.fit(2_000, &living);
    assert_eq!(
        sums(&swept),
        [
            ("new.jsonl".to_string(), 0, 0),
            ("old.jsonl".to_string(), 200, 200)
        ]
    );
    assert_eq!(swept.files[0].bills.all().len(), 1);
    assert!(swept.files[1].bills.all().is_empty());
    // With no room at all each message stays in one of them.
    let mut swept = whole;
    swept.fit(1, &HashMap::new());
    let all = sums(&swept);
    assert_eq!(all.iter().map(|sum| sum.1).sum::<u64>(), 202);
    assert_eq!(all.iter().map(|sum| sum.2).sum::<u64>(), 230);
    // Sums are added to those that are there.
    let before = swept.files[0].rows[0].messages;
    swept.files[0].bills = bills(&[("more", 1)]);
    swept.fit(1, &HashMap::new());
    assert_eq!(swept.files[0].rows[0].messages, before + 1);
}

#[test]
fn touches_are_as_old_as_the_newest_of_them_tells() {
    let touch = |time: &str| Touch {
        path: format!("/m/{time}.md"),
        how: crate::transcript::touch::How::Read,
        turn: 1,
        uuid: String::new(),
        time: time.to_string(),
        at: 0,
        waits_for: String::new(),
    };
    let times = [
        "2029-01-01T10:00:00Z",
        "2030-02-01T10:00:00Z",
        "2031-02-01T10:00:00Z",
    ];
    let all = |more: &str| Swept {
        files: vec![SweptFile {
            touches: times
                .iter()
                .copied()
                .chain([more, "x"])
                .map(touch)
                .collect(),
            ..SweptFile::new("-a", "s.jsonl")
        }],
        ..Swept::default()
    };
    for (now, more, left) in [
        (NOW, "2031-02-01T11:00:00Z", 3),
        (4_102_444_800, "2031-02-01T11:00:00Z", 3),
        (NOW, "9000-01-01T10:00:00Z", 3),
        (NOW, "", 2),
    ] {
        let mut swept = all(more);
        swept.drop_old_touches(Moment::from_seconds(now));
        assert_eq!(swept.files[0].touches.len(), left, "{now} {more}");
    }
}

/// What says more than the living one is not thrown away for want of room.
#[test]
fn a_bill_that_says_more_than_that_of_the_living_stays() {
    let time = "2031-02-01T10:00:00Z";
    let mut swept = Swept {
        files: vec![
            file("a.jsonl", time, bills(&[("m", 3), ("n", 4)])),
            file("b.jsonl", time, bills(&[("m", 9), ("n", 4)])),
        ],
        ..Swept::default()
    };
    swept.fit(1, &best([bills(&[("m", 5), ("n", 4)])].iter()));
    let left: Vec<_> = swept
        .files
        .iter()
        .flat_map(|file| file.bills.all())
        .collect();
    assert_eq!((left.len(), left[0].usage.output), (1, 9));
    assert!(swept.files.iter().all(|file| file.rows.is_empty()));
}

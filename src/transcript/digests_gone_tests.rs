use super::*;

/// A name says nothing of what is in a file: only a message that is counted again is not counted there.
#[test]
fn another_transcript_of_the_same_name_takes_nothing_along() {
    for project in ["-a", "-b"] {
        let case = Case::new();
        case.write(
            "-a/s1.jsonl",
            &(bill("2031-02-01", "a", 10) + &bill("2031-02-01", "b", 20)),
        );
        assert_eq!(case.sums().0, days(&[("2031-02-01", 30)]));
        case.remove("-a/s1.jsonl");
        assert_eq!(case.sums().0, days(&[("2031-02-01", 30)]));
        let again = format!("{project}/s1.jsonl");
        case.write(&again, &bill("2031-02-02", "c", 1000));
        let wanted = days(&[("2031-02-01", 30), ("2031-02-02", 1000)]);
        assert_eq!(case.sums().0, wanted);
        assert_eq!(case.sums(), (wanted.clone(), 0));
        // That one goes too, and a part of the first comes back.
        case.remove(&again);
        assert_eq!(case.sums().0, wanted);
        case.write(&again, &bill("2031-02-01", "b", 20));
        assert_eq!(case.sums().0, wanted);
        case.remove(&again);
        assert_eq!(case.sums().0, wanted);
    }
}

/// As an archive does that was made before the last messages.
#[test]
fn an_older_copy_that_comes_back_leaves_the_rest_counted() {
    let case = Case::new();
    let old = bill("2031-02-01", "a", 30);
    case.write(
        "-a/s1.jsonl",
        &(old.clone() + &bill("2031-02-02", "b", 500)),
    );
    let wanted = days(&[("2031-02-01", 30), ("2031-02-02", 500)]);
    assert_eq!(case.sums().0, wanted);
    case.remove("-a/s1.jsonl");
    assert_eq!(case.sums().0, wanted);
    case.write("-a/s1.jsonl", &old);
    assert_eq!(case.sums().0, wanted);
}

/// A fork that is met only when its original is gone.
#[test]
fn a_fork_of_what_is_gone_is_counted_once() {
    let case = Case::new();
    let copied = bill("2031-02-01", "a", 30);
    case.write("-a/s1.jsonl", &copied);
    case.sums();
    case.remove("-a/s1.jsonl");
    case.sums();
    case.write("-a/s2.jsonl", &(copied + &bill("2031-02-02", "b", 5)));
    let wanted = days(&[("2031-02-01", 30), ("2031-02-02", 5)]);
    assert_eq!(case.sums().0, wanted);
    let digests = case.look(None);
    let totals = Totals::of(&digests, &Prices::default());
    assert_eq!(totals.gone, 0, "the living one says all of it");
    case.remove("-a/s2.jsonl");
    assert_eq!(case.sums().0, wanted);
}

/// What was counted of a file that is written anew with less in it stays, whoever looks.
#[test]
fn what_is_written_anew_takes_nothing_along() {
    let (a, b) = (bill("2031-02-01", "a", 60), bill("2031-02-02", "b", 40));
    let wanted = days(&[("2031-02-01", 60), ("2031-02-02", 40)]);
    for rest in ["", &a, &bill("2031-02-01", "a", 60)] {
        for keys in [None, Some(vec!["-a".to_string()])] {
            let case = Case::new();
            case.write("-a/s1.jsonl", &(a.clone() + &b));
            assert_eq!(case.sums().0, wanted);
            case.write("-a/s1.jsonl", rest);
            case.look(keys.as_deref());
            assert_eq!(case.sums().0, wanted, "{rest:?} {keys:?}");
            assert_eq!(case.sums(), (wanted.clone(), 0));
            case.remove("-a/s1.jsonl");
            assert_eq!(case.sums().0, wanted);
        }
    }
    // With all that was in it, and more: nothing is kept beside it.
    let case = Case::new();
    case.write("-a/s1.jsonl", &a);
    case.sums();
    let more = bill("2031-02-02", "b", 40) + &a;
    case.write("-a/s1.jsonl", &more);
    assert_eq!(case.sums().0, wanted);
    assert_eq!(case.look(None).swept.files.len(), 0);
}

/// What another loci keeps, or what is damaged, is said; what is gone waits, and is counted meanwhile.
#[test]
fn what_can_not_be_kept_is_said() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    let wanted = case.sums().0;
    case.remove("-a/s1.jsonl");
    let swept = case.store.own_file("swept.json");
    let newer = "{\"v\":99}";
    fs::write(&swept, newer).expect("room");
    for _ in 0..2 {
        let digests = case.look(None);
        let [notice] = &digests.notices[..] else {
            panic!("{:?}", digests.notices);
        };
        assert!(notice.contains("by a newer loci (version 99)"), "{notice}");
        assert_eq!(case.sums().0, wanted);
        assert_eq!(fs::read_to_string(&swept).expect("text"), newer);
    }
    fs::write(&swept, "half").expect("room");
    let digests = case.look(None);
    let [notice] = &digests.notices[..] else {
        panic!("{:?}", digests.notices);
    };
    assert!(notice.contains("swept-damaged-1.json"), "{notice}");
    assert_eq!(digests.swept.since, Moment::from_seconds(NOW).date());
    let digests = case.look(None);
    assert_eq!(digests.notices, [""; 0]);
    assert_eq!(digests.swept.since, Moment::from_seconds(NOW).date());
    assert_eq!(case.sums().0, wanted);
    // A disk that is full.
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    fs::write(case.top.path().join("state"), "no folder").expect("a file");
    let digests = case.look(None);
    assert_eq!(digests.notices.len(), 2, "{:?}", digests.notices);
    assert!(
        digests
            .notices
            .iter()
            .all(|notice| notice.contains("can't be kept"))
    );
}

#[test]
fn names_that_are_no_text_are_told_apart() {
    use std::ffi::OsStr;
    let case = Case::new();
    for (at, (folder, name)) in [
        (&b"-a"[..], &b"\xff.jsonl"[..]),
        (b"-a", b"\xfe.jsonl"),
        (b"-\xff", b"s.jsonl"),
        (b"-\xfe", b"s.jsonl"),
    ]
    .into_iter()
    .enumerate()
    {
        let folder = case.projects().join(OsStr::from_bytes(folder));
        fs::create_dir_all(&folder).expect("a folder");
        let text = bill("2031-02-01", &format!("m{at}"), 1 << at);
        fs::write(folder.join(OsStr::from_bytes(name)), text).expect("a file");
    }
    let wanted = days(&[("2031-02-01", 15)]);
    assert_eq!(case.sums().0, wanted);
    assert_eq!(case.sums(), (wanted.clone(), 0), "nothing is read again");
    fs::remove_dir_all(case.projects()).expect("the folder");
    fs::create_dir_all(case.projects()).expect("a folder");
    assert_eq!(case.sums().0, wanted);
}

/// What a killed loci left half written beside the digests goes when the next ones are put there.
#[test]
fn what_was_left_half_written_is_swept() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    case.sums();
    let folder = case.store.own_file(crate::store::own::DERIVED);
    let home = folder.parent().expect("a folder");
    let (old, young) = (
        folder.join(".loci-x.json-1-0.tmp"),
        folder.join(".loci-x.json-2-0.tmp"),
    );
    let ours = home.join(".loci-swept.json-1-0.tmp");
    let other = home.join(".loci-other.json-1-0.tmp");
    for path in [&old, &young, &ours, &other] {
        fs::write(path, "half").expect("room");
    }
    let file = fs::File::options().write(true).open(&old).expect("it");
    let hour_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(1);
    file.set_modified(hour_ago).expect("a time");
    case.remove("-a/s1.jsonl");
    case.sums();
    let left = [&old, &young, &ours, &other].map(|path| path.exists());
    assert_eq!(left, [false, true, false, true]);
}

/// What the version before gathered counts where the transcript is gone; what is there is read anew.
#[test]
fn what_an_older_version_kept_is_not_lost() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    case.write("-a/s2.jsonl", &bill("2031-02-02", "b", 2));
    let wanted = case.sums().0;
    let [shelf] = &case.shelves()[..] else {
        panic!("one file");
    };
    let text = fs::read_to_string(shelf).expect("text");
    fs::write(shelf, text.replace("{\"v\":4,", "{\"v\":2,")).expect("room");
    case.remove("-a/s1.jsonl");
    let (found, read) = case.sums();
    assert_eq!(found, wanted);
    assert!(read > 0);
    assert_eq!(case.sums(), (wanted, 0));
    assert_eq!(case.look(None).swept.files.len(), 1);
}

/// What a file that was written anew said before waits as well, until it can be kept.
#[test]
fn what_was_written_anew_waits_until_it_can_be_kept() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    case.sums();
    let swept = case.store.own_file("swept.json");
    let kept = fs::read(&swept).expect("it is there");
    fs::remove_file(&swept).expect("the file");
    fs::create_dir(&swept).expect("a folder");
    case.write("-a/s1.jsonl", &bill("2031-02-02", "b", 2));
    let wanted = days(&[("2031-02-01", 1), ("2031-02-02", 2)]);
    for _ in 0..3 {
        assert_eq!(case.sums().0, wanted);
    }
    fs::remove_dir(&swept).expect("the folder");
    fs::write(&swept, kept).expect("a file");
    assert_eq!(case.sums().0, wanted);
    assert_eq!(case.sums(), (wanted, 0));
    assert_eq!(case.look(None).notices, [""; 0]);
}

/// Sums that are not there where they were written, or are empty: nobody claims that they are complete.
#[test]
fn sums_that_are_lost_are_said_and_begin_anew() {
    type Harm = fn(&Path);
    let harms: [(Harm, &str); 4] = [
        (|path| fs::write(path, "").unwrap(), "is damaged"),
        (|path| fs::write(path, [0; 40]).unwrap(), "is damaged"),
        (
            |path| fs::remove_file(path).unwrap(),
            "is not there any more",
        ),
        (
            |path| {
                fs::remove_file(path).unwrap();
                std::os::unix::fs::symlink("/nowhere/at/all", path).unwrap();
            },
            "is damaged",
        ),
    ];
    for (harm, said) in harms {
        // As a look at one project begins it, or one at all.
        for keys in [Some(&["-a".to_string()][..]), None] {
            let mut case = Case::new();
            case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
            let first = case.look(keys);
            assert_eq!(first.notices, [""; 0]);
            let later = case.look(None);
            assert_eq!(later.notices, [""; 0]);
            let since = Moment::from_seconds(NOW - 30 * DAY).date();
            assert_eq!(later.complete_since(), Some(&*since));
            harm(&case.store.own_file("swept.json"));
            let digests = case.look(keys);
            let [notice] = &digests.notices[..] else {
                panic!("{said} {:?}", digests.notices);
            };
            let today = Moment::from_seconds(NOW).date();
            let begins = format!("what is kept begins anew on {today}");
            assert!(
                notice.contains(said) && notice.contains(&begins),
                "{notice}"
            );
            case.now += DAY;
            let digests = case.look(None);
            assert_eq!(digests.notices, [""; 0]);
            assert_eq!(digests.complete_since(), Some(&*today));
        }
    }
}

/// What is kept of a project can't be read: of what has gone since the last look nothing is known.
#[test]
fn what_was_kept_of_a_project_and_is_damaged_is_said_once() {
    let mut case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    case.write("-b/s2.jsonl", &bill("2031-02-01", "b", 2));
    case.now -= 20 * DAY;
    case.look(None);
    case.now += 20 * DAY;
    fs::remove_dir_all(case.projects().join("-a")).unwrap();
    let shelf = Shelf::file(&case.store, "-a");
    fs::write(&shelf, "{").unwrap();
    let digests = case.look(None);
    let [notice] = &digests.notices[..] else {
        panic!("{:?}", digests.notices);
    };
    assert!(notice.contains("is damaged"), "{notice}");
    let since = Moment::from_seconds(NOW - 30 * DAY).date();
    assert_eq!(digests.complete_since(), Some(&*since));
    let digests = case.look(None);
    assert_eq!(digests.notices, [""; 0]);
    assert_eq!(digests.complete_since(), Some(&*since));
}

/// The larger of two bills of a message counts also when its transcript has gone.
#[test]
fn the_larger_bill_outlives_its_transcript() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 3));
    case.write("-a/s2.jsonl", &bill("2031-02-01", "a", 50));
    let wanted = days(&[("2031-02-01", 50)]);
    assert_eq!(case.sums().0, wanted);
    case.remove("-a/s2.jsonl");
    assert_eq!(case.sums().0, wanted);
    // Written anew with less.
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 2));
    assert_eq!(case.sums().0, wanted);
    case.remove("-a/s1.jsonl");
    assert_eq!(case.sums().0, wanted);
}

#[test]
fn what_can_not_be_read_withdraws_that_all_is_known() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 3));
    assert!(case.look(None).complete_since().is_some());
    fs::write(case.projects().join("-a/s2"), "no folder").unwrap();
    fs::create_dir_all(case.projects().join("-a/s3")).unwrap();
    fs::write(case.projects().join("-a/s3/subagents"), "no folder").unwrap();
    let digests = case.look(None);
    assert_eq!((digests.faults.len(), digests.is_blind), (1, false));
    assert_eq!(digests.complete_since(), None);
    fs::remove_dir_all(case.projects()).unwrap();
    fs::write(case.projects(), "no folder").unwrap();
    let digests = case.look(None);
    assert!(digests.is_blind, "{:?}", digests.faults);
    assert_eq!(digests.complete_since(), None);
}

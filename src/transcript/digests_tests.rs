use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::base::fault::Faults;
use crate::config::prices::Prices;
use crate::transcript::usage::Totals;

const DAY: i64 = 86_400;
const NOW: i64 = 1_930_000_000;

struct Case {
    top: tempfile::TempDir,
    store: Store,
    now: i64,
}

impl Case {
    fn new() -> Self {
        let top = tempfile::tempdir().expect("a temporary folder");
        let store = Store::new(
            &top.path().join("state"),
            Path::new("/home/u/.claude"),
            None,
            Faults::none(),
        );
        let case = Self {
            top,
            store,
            now: NOW,
        };
        fs::create_dir_all(case.projects()).expect("a folder");
        case
    }

    fn projects(&self) -> PathBuf {
        self.top.path().join("projects")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.projects().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn remove(&self, path: &str) {
        fs::remove_file(self.projects().join(path)).expect("the file");
    }

    fn look(&self, keys: Option<&[String]>) -> Digests {
        digests(&Asked {
            disk: &Disk::system(),
            projects: &self.projects(),
            keep: Some(&self.store),
            is_dry: false,
            keys,
            keep_days: 30,
            now: Moment::from_seconds(self.now),
            course: None,
        })
    }

    /// Output tokens of all days, and bytes that were read for it.
    fn sums(&self) -> (Vec<(String, u64)>, u64) {
        let digests = self.look(None);
        assert_eq!(digests.faults, [""; 0]);
        let totals = Totals::of(&digests, &Prices::default());
        let days = totals
            .by_day
            .iter()
            .map(|(day, sum)| (day.clone(), sum.usage.output));
        (days.collect(), digests.read)
    }

    fn shelves(&self) -> Vec<PathBuf> {
        Shelf::files(&self.store)
    }
}

fn bill(day: &str, id: &str, output: u64) -> String {
    let content =
        r#"[{"type":"tool_use","id":"t","name":"Read","input":{"file_path":"/m/one.md"}}]"#;
    format!(
        "{{\"type\":\"assistant\",\"uuid\":\"{id}\",\"timestamp\":\"{day}T10:00:00.000Z\",\"message\":{{\"id\":\"{id}\",\
         \"content\":{content},\"usage\":{{\"input_tokens\":1,\"output_tokens\":{output}}}}}}}\n"
    )
}

fn days(all: &[(&str, u64)]) -> Vec<(String, u64)> {
    all.iter()
        .map(|(day, sum)| ((*day).to_string(), *sum))
        .collect()
}

#[test]
fn a_second_look_reads_nothing_and_says_the_same() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    case.write("-b/s2.jsonl", &bill("2031-02-02", "b", 2));
    case.write("-b/s2/subagents/agent-x.jsonl", &bill("2031-02-03", "c", 4));
    let wanted = days(&[("2031-02-01", 1), ("2031-02-02", 2), ("2031-02-03", 4)]);
    let (first, read) = case.sums();
    assert_eq!(first, wanted);
    assert!(read > 0);
    assert_eq!(case.sums(), (wanted.clone(), 0));
    assert_eq!(case.shelves().len(), 2);
    for path in case.shelves() {
        let mode = fs::metadata(&path)
            .expect("it is there")
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // One project alone stands on the same files, and leaves the others as they are.
    let one = case.look(Some(&["-b".to_string()]));
    assert_eq!((one.all.len(), one.read), (2, 0));
    assert_eq!(case.sums(), (wanted, 0));
}

#[test]
fn what_is_kept_and_damaged_is_made_anew() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    let wanted = case.sums().0;
    let [shelf] = &case.shelves()[..] else {
        panic!("one file");
    };
    let whole = fs::read_to_string(shelf).expect("text");
    let damaged = [
        String::new(),
        whole[..whole.len() / 2].to_string(),
        whole.replace("{\"v\":4,", "{\"v\":0,"),
        // A list of bills that names what is not there.
        whole.replace(" 0 0;", " 0 9;"),
        "[".repeat(100_000),
    ];
    for text in damaged {
        assert_ne!(text, whole);
        fs::write(shelf, text).expect("room");
        let (found, read) = case.sums();
        assert_eq!(found, wanted);
        assert!(read > 0);
        assert_eq!(case.sums(), (wanted.clone(), 0));
    }
}

#[test]
fn nothing_is_kept_where_nothing_can_be() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    let state = case.top.path().join("state");
    fs::write(&state, "no folder").expect("a file");
    let (found, first) = case.sums();
    assert_eq!(found, days(&[("2031-02-01", 1)]));
    assert_eq!(case.sums(), (found, first), "it is read each time");
}

/// The sums of what is swept stay, and say since when they are complete.
#[test]
fn sums_outlive_the_sweep() {
    let mut case = Case::new();
    case.write(
        "-a/s1.jsonl",
        &(bill("2031-02-01", "a", 1) + &bill("2031-02-02", "b", 2)),
    );
    case.write("-b/s2.jsonl", &bill("2031-02-02", "c", 4));
    let wanted = days(&[("2031-02-01", 1), ("2031-02-02", 6)]);
    assert_eq!(case.sums().0, wanted);
    let since = case.look(None).swept.since;
    assert_eq!(since, Moment::from_seconds(NOW - 30 * DAY).date());
    case.remove("-a/s1.jsonl");
    case.now += 29 * DAY;
    assert_eq!(case.sums(), (wanted.clone(), 0));
    let digests = case.look(None);
    assert_eq!(digests.all.len(), 1);
    assert_eq!(digests.swept.since, since, "somebody looked in time");
    let [gone] = &digests.swept.files[..] else {
        panic!("one file");
    };
    let touches: Vec<_> = gone.touches.iter().map(|touch| &*touch.path).collect();
    assert_eq!(
        (&*gone.session, &touches[..]),
        ("s1", &["/m/one.md"; 2][..])
    );
    // The folder goes with all that is in it.
    fs::remove_dir_all(case.projects().join("-b")).expect("the folder");
    assert_eq!(case.sums().0, wanted);
    // It comes back, as from an archive, under another key.
    case.write("-c/s2.jsonl", &bill("2031-02-02", "c", 4));
    assert_eq!(case.sums().0, wanted);
    // Nobody looked for longer than transcripts are kept.
    case.now += 31 * DAY;
    assert_eq!(case.sums().0, wanted);
    assert_eq!(
        case.look(None).swept.since,
        Moment::from_seconds(case.now - 30 * DAY).date()
    );
}

#[test]
fn what_a_fork_copied_is_counted_once_whichever_is_swept_first() {
    for order in [["s1", "s2"], ["s2", "s1"]] {
        let case = Case::new();
        let copied = bill("2031-02-01", "a", 1);
        case.write("-a/s1.jsonl", &copied);
        case.write(
            "-a/s2.jsonl",
            &(copied.clone() + &bill("2031-02-02", "b", 2)),
        );
        let wanted = days(&[("2031-02-01", 1), ("2031-02-02", 2)]);
        assert_eq!(case.sums().0, wanted);
        for name in order {
            case.remove(&format!("-a/{name}.jsonl"));
            assert_eq!(case.sums().0, wanted);
        }
        assert_eq!(case.sums(), (wanted, 0));
    }
}

/// What can't be listed is not gone.
#[test]
fn what_can_not_be_listed_is_not_taken_for_swept() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    case.sums();
    let (folder, aside) = (case.projects(), case.top.path().join("aside"));
    fs::rename(&folder, &aside).expect("a rename");
    fs::write(&folder, "no folder").expect("a file");
    let digests = case.look(None);
    assert_eq!(digests.faults.len(), 1);
    assert_eq!((digests.all.len(), digests.swept.files.len()), (0, 0));
    fs::remove_file(&folder).expect("the file");
    fs::rename(&aside, &folder).expect("a rename");
    assert_eq!(case.sums(), (days(&[("2031-02-01", 1)]), 0));
}

/// Another loci holds the lock: what is gone is kept another time, and counted meanwhile.
#[test]
fn what_can_not_be_kept_of_the_gone_is_counted_all_the_same() {
    let case = Case::new();
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    let wanted = case.sums().0;
    case.remove("-a/s1.jsonl");
    let swept = case.store.own_file("swept.json");
    let kept = fs::read(&swept).expect("it is there");
    fs::remove_file(&swept).expect("the file");
    fs::create_dir(&swept).expect("a folder");
    assert_eq!(case.sums().0, wanted);
    fs::remove_dir(&swept).expect("the folder");
    fs::write(&swept, kept).expect("a file");
    assert_eq!(case.sums().0, wanted);
    assert_eq!(case.look(None).swept.files.len(), 1);
}

#[test]
fn two_at_once_damage_nothing() {
    let case = Case::new();
    for name in 0..20 {
        case.write(
            &format!("-p{}/s{name}.jsonl", name % 3),
            &bill("2031-02-01", &format!("m{name}"), 1),
        );
    }
    let wanted = days(&[("2031-02-01", 20)]);
    (0..16)
        .into_par_iter()
        .for_each(|_| assert_eq!(case.sums().0, wanted));
    assert_eq!(case.sums(), (wanted, 0));
    let folder = case.store.own_file(crate::store::own::DERIVED);
    let left: Vec<_> = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|item| item.file_name())
        .collect();
    assert_eq!(left.len(), 3, "{left:?}");
}

#[test]
fn a_dry_look_counts_all_and_keeps_nothing() {
    let case = Case::new();
    let look = |is_dry: bool| {
        let digests = digests(&Asked {
            disk: &Disk::system(),
            projects: &case.projects(),
            keep: Some(&case.store),
            is_dry,
            keys: None,
            keep_days: 30,
            now: Moment::from_seconds(case.now),
            course: None,
        });
        Totals::of(&digests, &Prices::default()).all.usage.output
    };
    case.write("-a/s1.jsonl", &bill("2031-02-01", "a", 1));
    assert_eq!(look(true), 1);
    assert!(!case.top.path().join("state").exists());
    assert_eq!(look(false), 1);
    case.remove("-a/s1.jsonl");
    assert_eq!(
        (look(true), look(true), look(false), look(true)),
        (1, 1, 1, 1)
    );
}

#[path = "digests_gone_tests.rs"]
mod gone;

#[test]
fn what_was_read_until_it_was_stopped_is_kept_and_the_rest_is_read_the_next_time() {
    let case = Case::new();
    let line = |number: usize| {
        format!(
            "{{\"type\":\"user\",\"uuid\":\"u{number}\",\"message\":{{\"role\":\"user\",\"content\":\"{}\"}}}}\n",
            "x".repeat(1_000)
        )
    };
    let text: String = (0..8_000).map(line).collect();
    let all = text.len() as u64;
    case.write("-a/one.jsonl", &text);
    let look = |course: Option<&Course<'_>>| {
        digests(&Asked {
            disk: &Disk::system(),
            projects: &case.projects(),
            keep: Some(&case.store),
            is_dry: false,
            keys: None,
            keep_days: 30,
            now: Moment::from_seconds(case.now),
            course,
        })
    };
    let stop = AtomicBool::new(false);
    let told = |read: u64, of: u64| {
        assert_eq!(of, all);
        if read > all / 2 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let first = look(Some(&Course::new(&stop, &told)));
    assert_eq!((first.unread, first.faults.len()), (1, 0));
    assert_eq!(first.all[0].digest.prompts, 4_001);
    // Where nothing is wanted from the beginning what is kept is told.
    let again = look(Some(&Course::new(&stop, &told)));
    assert_eq!((again.unread, again.read), (1, 0));
    assert_eq!(again.all[0].digest.prompts, 4_001);
    let rest = look(None);
    assert_eq!((rest.unread, rest.all[0].digest.prompts), (0, 8_000));
    assert!(rest.read < all * 6 / 10, "{} of {all}", rest.read);
    let known = look(None);
    assert_eq!((known.read, known.all[0].digest.prompts), (0, 8_000));
}

#[test]
fn what_was_not_looked_at_is_not_gone() {
    let case = Case::new();
    case.write(
        "-a/one.jsonl",
        "{\"type\":\"user\",\"uuid\":\"u\",\"message\":{\"role\":\"user\",\"content\":\"x\"}}\n",
    );
    let stop = AtomicBool::new(true);
    let course = Course::new(&stop, &|_, _| {});
    let look = |course| {
        digests(&Asked {
            disk: &Disk::system(),
            projects: &case.projects(),
            keep: Some(&case.store),
            is_dry: false,
            keys: None,
            keep_days: 30,
            now: Moment::from_seconds(case.now),
            course,
        })
    };
    let none = look(Some(&course));
    assert_eq!((none.all.len(), none.unread, none.faults.len()), (0, 1, 0));
    assert_eq!(look(None).all.len(), 1);
    assert_eq!(look(Some(&course)).all.len(), 1, "it is known");
}

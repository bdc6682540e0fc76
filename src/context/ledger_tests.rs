use std::os::unix::fs::PermissionsExt;

use tempfile::TempDir;

use super::*;
use crate::context::part::{Kind, Origin, Piece, parts};
use crate::context::request::{Block, Request};

struct Home {
    folder: TempDir,
}

impl Home {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("ledger")
    }

    fn ledger(&self, keep: Keep) -> Ledger {
        Ledger::new(self.path(), keep, Faults::default())
    }

    fn blobs(&self) -> usize {
        fs::read_dir(self.path().join(BLOBS)).map_or(0, |listing| listing.flatten().count())
    }
}

fn day(day: i64) -> Moment {
    Moment::from_seconds(1_800_000_000 + day * 86_400)
}

fn append(ledger: &Ledger, id: &str, texts: &[&str], now: Moment) -> Result<Line> {
    let request = Request {
        system: texts
            .iter()
            .map(|text| {
                Block::text(Piece::new(Kind::Rule, Origin::File, *text).of(Path::new("/p")))
            })
            .collect(),
        ..Request::default()
    };
    let sent = Sent {
        id,
        session: "s",
        project: Some("-p"),
        purpose: Purpose::Chat,
        model: "m",
        key: &key_of(&request.params),
        parts: &parts(&request, None),
        ended: "end_turn",
        answer: &[],
        usage: Some(Usage {
            input: 1,
            ..Usage::default()
        }),
    };
    ledger.append(&sent, now)
}

#[test]
fn what_was_sent_is_read_back_and_each_text_is_kept_once() {
    let home = Home::new();
    let ledger = home.ledger(Keep::default());
    assert!(ledger.lines().is_empty());
    let first = append(&ledger, "1", &["rules", "one"], day(0)).expect("written");
    let second = append(&ledger, "2", &["rules", "two"], day(1)).expect("written");
    assert_eq!(
        home.ledger(Keep::default()).lines(),
        [first.clone(), second]
    );
    assert_eq!(home.blobs(), 3);
    assert_eq!(ledger.text(&first.parts[1]).expect("a text"), "one");
    assert_eq!(
        (first.parts[0].kind.as_str(), first.parts[0].path.as_deref()),
        ("rule", Some("/p"))
    );
    let json = fs::read_to_string(home.path().join("2027-01-15.jsonl")).expect("a day");
    assert!(json.starts_with(r#"{"v":1,"id":"1","time":"2027-01-15T08:00:00Z","session":"s","project":"-p","purpose":"chat","model":"m","key":""#), "{json}");
}

#[test]
fn it_is_closed_to_others() {
    let home = Home::new();
    append(&home.ledger(Keep::default()), "1", &["x"], day(0)).expect("written");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(&home.path()), 0o700);
    assert_eq!(mode(&home.path().join(BLOBS)), 0o700);
    for folder in [home.path(), home.path().join(BLOBS)] {
        let files = fs::read_dir(folder).expect("listed").flatten();
        for file in files.filter(|file| file.path().is_file()) {
            assert_eq!(mode(&file.path()), 0o600, "{file:?}");
        }
    }
}

#[test]
fn a_line_that_was_cut_off_is_passed_over_and_does_not_spoil_the_next() {
    let home = Home::new();
    let ledger = home.ledger(Keep::default());
    append(&ledger, "1", &["x"], day(0)).expect("written");
    let path = home.path().join("2027-01-15.jsonl");
    let mut text = fs::read(&path).expect("a day");
    text.extend_from_slice(b"not json\n{\"v\":9}\n{\"v\":1,\"id\":\"cut");
    fs::write(&path, text).expect("written");
    append(&ledger, "2", &["y"], day(0)).expect("written");
    let ids: Vec<String> = ledger.lines().into_iter().map(|line| line.id).collect();
    assert_eq!(ids, ["1", "2"]);
}

#[test]
fn a_text_that_is_gone_damaged_or_outside_is_said_to_be_lost() {
    let home = Home::new();
    let ledger = home.ledger(Keep::default());
    let line = append(&ledger, "1", &["x"], day(0)).expect("written");
    let path = home.path().join(BLOBS).join(&line.parts[0].sha256);
    fs::write(&path, "y").expect("written");
    assert!(matches!(
        ledger.text(&line.parts[0]),
        Err(LedgerError::Lost { .. })
    ));
    fs::remove_file(&path).expect("removed");
    assert!(matches!(
        ledger.text(&line.parts[0]),
        Err(LedgerError::Lost { .. })
    ));
    let outside = PartLine {
        sha256: "../2027-01-15.jsonl".to_string(),
        ..line.parts[0].clone()
    };
    assert!(matches!(
        ledger.text(&outside),
        Err(LedgerError::Lost { .. })
    ));
    // What is sent again is whole again.
    append(&ledger, "2", &["x"], day(0)).expect("written");
    assert_eq!(ledger.text(&line.parts[0]).expect("a text"), "x");
}

#[test]
fn old_days_go_with_the_texts_that_only_they_named() {
    let home = Home::new();
    let ledger = home.ledger(Keep {
        days: 30,
        ..Keep::default()
    });
    append(&ledger, "1", &["shared", "old"], day(0)).expect("written");
    let kept = append(&ledger, "2", &["shared", "new"], day(31)).expect("written");
    assert_eq!(ledger.prune(day(30)).expect("pruned"), 0);
    assert_eq!(ledger.prune(day(31)).expect("pruned"), 1);
    assert_eq!(ledger.lines(), std::slice::from_ref(&kept));
    assert_eq!(home.blobs(), 2);
    assert_eq!(ledger.text(&kept.parts[0]).expect("a text"), "shared");
    // The newest day stays, however old.
    assert_eq!(ledger.prune(day(900)).expect("pruned"), 0);
}

#[test]
fn what_is_too_much_goes_oldest_first() {
    let home = Home::new();
    let ledger = home.ledger(Keep {
        days: 30,
        bytes: 20_000,
    });
    for n in 0..5 {
        let text = n.to_string().repeat(8_000);
        append(&ledger, &n.to_string(), &[&text], day(n)).expect("written");
    }
    assert_eq!(ledger.prune(day(5)).expect("pruned"), 3);
    let ids: Vec<String> = ledger.lines().into_iter().map(|line| line.id).collect();
    assert_eq!(
        (ids, home.blobs()),
        (vec!["3".to_string(), "4".to_string()], 2)
    );
}

#[test]
fn what_a_crash_left_is_swept_and_strangers_are_not() {
    let home = Home::new();
    let ledger = home.ledger(Keep::default());
    append(&ledger, "1", &["x"], day(0)).expect("written");
    let blobs = home.path().join(BLOBS);
    let put = |name: &str| fs::write(blobs.join(name), "?").expect("written");
    put(".loci-abc-1.tmp");
    put(&"a".repeat(64));
    put("notes.txt");
    ledger.prune(day(0)).expect("pruned");
    let mut left: Vec<String> = fs::read_dir(&blobs)
        .expect("listed")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left.len(), 2);
    assert_eq!(left[1], "notes.txt");
}

/// At whatever step a write fails, the ledger reads as before or with the whole line.
#[test]
fn a_write_that_fails_anywhere_leaves_whole_lines_with_all_their_texts() {
    let home = Home::new();
    append(&home.ledger(Keep::default()), "0", &["x"], day(0)).expect("written");
    let mut written = 0;
    for at in 1..20 {
        let faults = ["create", "flush", "replace"]
            .map(|point| format!("{point}:28:{at}"))
            .join(",");
        let vars = std::collections::BTreeMap::from([("LOCI_TEST_FAIL".to_string(), faults)]);
        let faults = Faults::from_vars(&vars);
        let ledger = Ledger::new(home.path(), Keep::default(), faults);
        let before = ledger.lines().len();
        let text = format!("text {at}");
        let done = append(&ledger, &at.to_string(), &["x", &text], day(0));
        let lines = home.ledger(Keep::default()).lines();
        assert_eq!(lines.len(), before + usize::from(done.is_ok()), "{at}");
        written += usize::from(done.is_ok());
        for part in lines.iter().flat_map(|line| &line.parts) {
            home.ledger(Keep::default()).text(part).expect("a text");
        }
        if let Err(error) = done {
            assert!(
                error.to_string().contains("the ledger lacks this request"),
                "{error}"
            );
        }
    }
    assert!((1..19).contains(&written), "{written}");
}

#[test]
fn a_ledger_that_is_not_there_has_nothing_to_prune() {
    let home = Home::new();
    assert_eq!(
        home.ledger(Keep::default()).prune(day(0)).expect("pruned"),
        0
    );
    assert!(!home.path().exists());
}

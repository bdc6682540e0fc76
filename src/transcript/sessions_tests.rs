use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::*;
use crate::base::disk::Disk;
use crate::transcript::digests::{Asked, digests};

const NOW: i64 = 1_930_000_000;

/// The list of these fixtures, each as it was written so many days ago.
fn list(files: &[(&str, &str, i64)]) -> Vec<(String, Kind, Option<String>, Option<i64>)> {
    let top = tempfile::tempdir().expect("a temporary folder");
    for (name, fixture, days) in files {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let path = top.path().join("-srv-heron").join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, fs::read(folder.join(fixture)).expect(fixture)).expect("a file");
        let file = fs::File::options()
            .write(true)
            .open(&path)
            .expect("the file");
        let seconds = u64::try_from(NOW - days * 86_400).expect("after 1970");
        file.set_modified(UNIX_EPOCH + Duration::from_secs(seconds))
            .expect("a time");
    }
    let now = Moment::from_seconds(NOW);
    let digests = digests(&Asked {
        disk: &Disk::system(),
        projects: top.path(),
        keep: None,
        is_dry: false,
        keys: None,
        keep_days: 30,
        now,
        course: None,
    });
    let all = listed(&digests, 30, now).into_iter();
    all.map(|one| {
        (
            one.id(),
            one.kind,
            one.fork_of.map(str::to_string),
            one.days_left,
        )
    })
    .collect()
}

#[test]
fn tr20_a_fork_is_told_by_its_first_message() {
    let found = list(&[
        ("s1.jsonl", "TR20/session.jsonl", 3),
        ("s2.jsonl", "TR20/fork.jsonl", 2),
    ]);
    let wanted = [
        (
            "s2".to_string(),
            Kind::Fork,
            Some("s1".to_string()),
            Some(28),
        ),
        ("s1".to_string(), Kind::Session, None, Some(27)),
    ];
    assert_eq!(found, wanted);
}

#[test]
fn tr23_a_session_of_a_program_is_told_apart() {
    let found = list(&[
        ("s1.jsonl", "TR23/sdk.jsonl", 1),
        ("s2.jsonl", "TR23/interactive.jsonl", 40),
        ("s2/subagents/agent-a.jsonl", "TR23/interactive.jsonl", 1),
    ]);
    let wanted = [
        ("s2".to_string(), Kind::Session, None, Some(0)),
        ("agent-a".to_string(), Kind::Subagent, None, Some(29)),
        ("s1".to_string(), Kind::Program, None, Some(29)),
    ];
    assert_eq!(found, wanted);
}

/// TR25: small sessions whose first line bears no UUID are no forks of one another.
#[test]
fn what_is_no_uuid_makes_no_fork() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let folder = top.path().join("-a");
    fs::create_dir_all(&folder).expect("a folder");
    for name in ["s1.jsonl", "s2.jsonl"] {
        let line = "{\"type\":\"user\",\"uuid\":\"s\",\"message\":{\"content\":\"small\"}}\n";
        fs::write(folder.join(name), line).expect("a file");
    }
    let now = Moment::from_seconds(NOW);
    let digests = digests(&Asked {
        disk: &Disk::system(),
        projects: top.path(),
        keep: None,
        is_dry: false,
        keys: None,
        keep_days: 30,
        now,
        course: None,
    });
    let kinds: Vec<Kind> = listed(&digests, 30, now)
        .iter()
        .map(|one| one.kind)
        .collect();
    assert_eq!(kinds, [Kind::Session, Kind::Session]);
}

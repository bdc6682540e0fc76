use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;

use super::seek::find_from;
use super::*;
use crate::agents::claude::Setup;
use crate::base::time::Moment;

fn store(root: &Path) -> Claude {
    Claude::open(Setup {
        disk: Disk::system(),
        vars: std::collections::BTreeMap::new(),
        home: root.to_path_buf(),
        config_home: None,
        cwd: root.to_path_buf(),
        now: Moment::from_seconds(1_800_000_000),
    })
    .unwrap()
}

fn line(number: usize, text: &str) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{number}\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
    )
}

#[test]
fn the_next_hit_is_found_forwards_and_the_last_before_backwards() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("s.jsonl");
    let filler = "x".repeat(1_000_000);
    let mut text = String::new();
    let mut places = Vec::new();
    for number in 0..12 {
        let said = if number % 5 == 1 {
            "the needle"
        } else {
            &filler
        };
        if number % 5 == 1 {
            places.push(text.len() as u64);
        }
        text += &line(number, said);
    }
    fs::write(&path, &text).unwrap();
    let store = store(root.path());
    let query = Query::new("needle");
    let find = |from, forward| {
        find_from(
            &store,
            &path,
            &query,
            from,
            forward,
            &AtomicBool::new(false),
        )
        .unwrap()
    };
    assert_eq!(places.len(), 3);
    assert_eq!(find(0, true), Some(places[0]));
    assert_eq!(find(places[0] + 200, true), Some(places[1]));
    assert_eq!(find(places[2] + 200, true), None);
    assert_eq!(find(text.len() as u64, false), Some(places[2]));
    assert_eq!(find(places[2], false), Some(places[1]));
    assert_eq!(find(places[0], false), None);
    // At an end it goes on from the other.
    let round = |from, forward| {
        super::find(
            &store,
            &path,
            &query,
            from,
            forward,
            &AtomicBool::new(false),
        )
        .unwrap()
    };
    assert_eq!(round(places[2] + 200, true), Some(places[0]));
    assert_eq!(round(places[0], false), Some(places[2]));
    let none = super::find(
        &store,
        &path,
        &Query::new("nowhere"),
        5,
        true,
        &AtomicBool::new(false),
    );
    assert_eq!(none.unwrap(), None);
    // What is no longer wanted ends.
    let stopped = super::find(&store, &path, &query, 0, true, &AtomicBool::new(true));
    assert!(stopped.unwrap().is_none_or(|at| at == places[0]));
}

#[test]
fn all_hits_of_several_sessions_are_handed_on_and_the_end_is_told() {
    let root = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = (0..3)
        .map(|number| {
            let path = root.path().join(format!("{number}.jsonl"));
            fs::write(&path, line(1, "a needle") + &line(2, "hay")).unwrap();
            path
        })
        .collect();
    let held = Mutex::new(Vec::new());
    let store = store(root.path());
    let stop = AtomicBool::new(false);
    search_all(&store, &Query::new("needle"), &paths, &stop, &|found| {
        held.lock().unwrap().push(found);
    });
    let parts = held.into_inner().unwrap();
    let hits: usize = parts.iter().map(|part| part.hits.len()).sum();
    assert_eq!(hits, 3);
    let last = parts.last().unwrap();
    assert!(last.done && last.read == last.of && last.of > 0);
}

//! Undo and redo, from files to files.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use proptest::prelude::*;

use crate::base::fault::Faults;
use crate::base::swap::Stamp;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::tests::{Bench, NOW, everything, fill, one, text, write};
use crate::store::{Store, StoreError};

#[test]
fn do_and_undo_give_the_same_bytes_mode_and_time() {
    let bench = Bench::new();
    fill(&bench);
    let before = bench.picture();
    bench
        .store
        .apply(&everything(&bench), NOW)
        .expect("applied");
    let after = bench.picture();
    assert_eq!(
        after.iter().map(|row| row.0.as_str()).collect::<Vec<_>>(),
        ["MEMORY.md", "c.md", "new.md"]
    );
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.picture(), before);
    bench.store.redo(NOW).expect("redone");
    assert_eq!(bench.picture(), after);
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(bench.picture(), before);
    assert!(matches!(
        bench.store.undo(None, NOW),
        Err(StoreError::Unknown { .. })
    ));
}

#[test]
fn undo_outlives_the_process_and_goes_back_step_by_step() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    for (from, to) in [("1\n", "2\n"), ("2\n", "3\n")] {
        bench
            .store
            .apply(&one(write(&path, Some(from), to, Age::Set)), NOW)
            .expect("applied");
    }
    for expected in ["2\n", "1\n"] {
        bench.again(Faults::none()).undo(None, NOW).expect("undone");
        assert_eq!(text(&path), expected);
    }
    for expected in ["2\n", "3\n"] {
        bench.again(Faults::none()).redo(NOW).expect("redone");
        assert_eq!(text(&path), expected);
    }
    assert!(bench.store.redo(NOW).is_err());
}

#[test]
fn what_is_undone_is_not_undone_again() {
    let bench = Bench::new();
    let a = bench.put("a.md", "a\n");
    let edit = one(write(&a, Some("a\n"), "b\n", Age::Keep));
    let key = bench.store.apply(&edit, NOW).expect("applied").key;
    bench.store.undo(Some(&key), NOW).expect("undone");
    let again = bench.store.undo(Some(&key), NOW).expect_err("once");
    assert!(again.to_string().contains("undone already"), "{again}");
    assert_eq!(bench.store.history().len(), 2);
    bench.store.redo(NOW).expect("redone");
    bench.store.undo(Some(&key), NOW).expect("undone again");
    assert_eq!(text(&a), "a\n");
}

/// A file that a case begins with: which path, its bytes, mode and time.
type Start = (usize, Vec<u8>, u32, i64, u32);

/// What shall be done with which of the files that are there then, with which bytes.
type Deed = (u8, usize, usize, Vec<u8>, u8, (u32, i64, u32));

const PATHS: [&str; 6] = [
    "a.md",
    "b c.md",
    "MEMORY.md",
    "s/d.md",
    "s/\u{e9}\n.md",
    "t/u/-f.md",
];

fn stamp() -> impl Strategy<Value = (u32, i64, u32)> {
    let mode = proptest::sample::select(vec![0o644, 0o600, 0o400, 0o755, 0o640, 0o666, 0o200]);
    (
        mode,
        -3_000_000_000_i64..9_000_000_000,
        0_u32..1_000_000_000,
    )
}

fn start() -> impl Strategy<Value = Start> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..24);
    (0..PATHS.len(), bytes, stamp())
        .prop_map(|(at, bytes, (mode, seconds, nanos))| (at, bytes, mode, seconds, nanos))
}

fn deed() -> impl Strategy<Value = Deed> {
    let bytes = proptest::collection::vec(any::<u8>(), 0..24);
    (
        0_u8..4,
        any::<usize>(),
        any::<usize>(),
        bytes,
        0_u8..3,
        stamp(),
    )
}

/// The change set that the deeds make of the files, and what lies where then.
fn set_of(bench: &Bench, starts: &[Start], deeds: Vec<Deed>) -> ChangeSet {
    let mut there: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
    for (at, bytes, mode, seconds, nanos) in starts {
        if there.insert(*at, bytes.clone()).is_some() {
            fs::remove_file(bench.path(PATHS[*at])).expect("a file");
        }
        let path = bench.put(PATHS[*at], bytes);
        let file = fs::File::options().write(true).open(&path).expect("a file");
        let whole = UNIX_EPOCH - Duration::from_secs(4_000_000_000)
            + Duration::new((seconds + 4_000_000_000).unsigned_abs(), *nanos);
        file.set_modified(whole).expect("a time");
        fs::set_permissions(&path, fs::Permissions::from_mode(*mode)).expect("a mode");
    }
    let mut set = ChangeSet::new("deeds", Author::You);
    for (kind, which, to, after, age, (mode, seconds, nanos)) in deeds {
        let free: Vec<usize> = (0..PATHS.len())
            .filter(|at| !there.contains_key(at))
            .collect();
        let taken: Vec<usize> = there.keys().copied().collect();
        let pick = |from: &[usize], which: usize| from.get(which % from.len().max(1)).copied();
        let age = match age {
            0 => Age::Keep,
            1 => Age::Set,
            _ => Age::At(Stamp {
                mode,
                seconds,
                nanos,
            }),
        };
        let place = |at: usize| bench.path(PATHS[at]);
        let op = match (kind, pick(&taken, which), pick(&free, to)) {
            (0, _, Some(to)) => {
                there.insert(to, after.clone());
                Op::Write {
                    path: place(to),
                    before: None,
                    after,
                    age,
                }
            }
            (1, Some(at), _) => {
                let before = there.insert(at, after.clone());
                Op::Write {
                    path: place(at),
                    before,
                    after,
                    age,
                }
            }
            (2, Some(at), Some(to)) => {
                let bytes = there.remove(&at).expect("it is there");
                there.insert(to, bytes);
                Op::Move {
                    from: place(at),
                    to: place(to),
                }
            }
            (3, Some(at), _) => {
                there.remove(&at);
                Op::Trash { path: place(at) }
            }
            _ => continue,
        };
        set = set.with(op, "a deed");
    }
    set
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]
    /// Also of what was made, moved, written over and trashed within one change set.
    #[test]
    fn do_undo_and_redo_of_anything_give_the_same_bytes_modes_and_times(
        starts in proptest::collection::vec(start(), 0..4),
        deeds in proptest::collection::vec(deed(), 1..6),
    ) {
        let bench = Bench::quick();
        let set = set_of(&bench, &starts, deeds);
        let before = bench.files();
        let key = bench.store.apply(&set, NOW).expect("applied").key;
        if set.changes.is_empty() {
            return Ok(());
        }
        let after = bench.files();
        bench.store.undo(Some(&key), NOW).expect("undone");
        prop_assert_eq!(bench.files(), before);
        bench.store.redo(NOW).expect("redone");
        prop_assert_eq!(bench.files(), after);
    }
}

#[test]
fn an_undo_does_not_take_along_what_another_made_of_a_new_file() {
    let bench = Bench::new();
    let path = bench.path("new.md");
    bench
        .store
        .apply(&one(write(&path, None, "new\n", Age::Set)), NOW)
        .expect("applied");
    fs::write(&path, "new, and theirs\n").expect("another writer");
    let refused = bench.store.undo(None, NOW).expect_err("a conflict");
    assert!(
        refused.is_conflict() && refused.to_string().contains("new.md"),
        "{refused}"
    );
    assert_eq!(text(&path), "new, and theirs\n");
}

#[test]
fn an_undo_that_is_merged_keeps_the_time_of_the_younger_change() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\ntwo\nthree\n");
    let edit = write(
        &path,
        Some("one\ntwo\nthree\n"),
        "ONE\ntwo\nthree\n",
        Age::Set,
    );
    bench.store.apply(&one(edit), NOW).expect("applied");
    fs::write(&path, "ONE\ntwo\nTHREE\n").expect("another writer");
    let theirs = fs::metadata(&path).expect("a file").mtime();
    bench.store.undo(None, NOW).expect("merged");
    assert_eq!(text(&path), "one\ntwo\nTHREE\n");
    assert_eq!(fs::metadata(&path).expect("a file").mtime(), theirs);
}

#[test]
fn two_that_undo_the_same_at_once_undo_it_once() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    let key = bench
        .store
        .apply(&one(write(&path, Some("1\n"), "2\n", Age::Set)), NOW)
        .expect("applied")
        .key;
    let stores: Vec<Store> = (0..6).map(|_| bench.again(Faults::none())).collect();
    let undone = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for store in &stores {
            scope.spawn(|| {
                let done = store.undo(Some(&key), NOW).is_ok();
                undone.fetch_add(usize::from(done), Ordering::Relaxed);
            });
        }
    });
    assert_eq!(undone.into_inner(), 1);
    assert_eq!(bench.store.history().len(), 2);
    assert_eq!(text(&path), "1\n");
}

#[test]
fn undo_and_redo_are_named_by_the_change_however_often() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    let mut set = one(write(&path, Some("1\n"), "2\n", Age::Set));
    set.title = "undo the damage".to_string();
    bench.store.apply(&set, NOW).expect("applied");
    for _ in 0..2 {
        bench.store.undo(None, NOW).expect("undone");
        bench.store.redo(NOW).expect("redone");
    }
    let history = bench.store.history();
    let titles: Vec<&str> = history.iter().map(|entry| entry.title.as_str()).collect();
    let (undo, redo) = ("undo undo the damage", "redo undo the damage");
    assert_eq!(titles, ["undo the damage", undo, redo, undo, redo]);
}

#[test]
fn an_undo_that_can_not_be_is_told_before_it_is_tried() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    let key = bench
        .store
        .apply(&one(Op::Trash { path }), NOW)
        .expect("trashed")
        .key;
    let entry = bench.store.history().remove(0);
    bench.store.undo(Some(&key), NOW).expect("undone");
    let again = bench.store.reversed(&entry).expect_err("once");
    assert!(again.to_string().contains("undone already"), "{again}");
    bench.store.redo(NOW).expect("redone");
    bench.store.empty_trash(NOW).expect("emptied");
    let gone = bench.store.undo(None, NOW).expect_err("it is gone");
    assert!(matches!(gone, StoreError::Unknown { .. }), "{gone}");
    assert!(
        gone.to_string().contains("not in the trash any more"),
        "{gone}"
    );
}

#[test]
fn a_file_that_was_closed_since_stays_closed() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    let edit = one(write(&path, Some("1\n"), "2\n", Age::Set));
    bench.store.apply(&edit, NOW).expect("applied");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("a mode");
    bench.store.undo(None, NOW).expect("undone");
    let data = fs::metadata(&path).expect("a file");
    assert_eq!((text(&path).as_str(), data.mode() & 0o777), ("1\n", 0o600));
}

/// Applies changes of one file, one after the other; their keys.
fn edits(bench: &Bench, path: &std::path::Path, texts: &[&str]) -> Vec<String> {
    let pairs = texts.windows(2);
    let edits = pairs.map(|pair| {
        let op = write(path, Some(pair[0]), pair[1], Age::Set);
        let set = ChangeSet::new(format!("to {:?}", pair[1]), Author::You).with(op, "edit");
        bench.store.apply(&set, NOW).expect("applied").key
    });
    edits.collect()
}

#[test]
fn the_later_change_in_the_same_lines_is_named() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n-\n2\n");
    let texts = ["1\n-\n2\n", "one\n-\n2\n", "uno\n-\n2\n", "uno\n-\nzwei\n"];
    let keys = edits(&bench, &path, &texts);
    match bench.store.undo(Some(&keys[0]), NOW) {
        Err(error @ StoreError::Later { .. }) => {
            let said = error.to_string();
            let of = "a later change, \"to \"uno\\n-\\n2\\n\"\", is in the same lines";
            assert!(
                said.contains(of) && said.ends_with("take that back first"),
                "{said}"
            );
            let StoreError::Later { key, .. } = error else {
                unreachable!()
            };
            assert_eq!(key, keys[1], "not the last one, which is in other lines");
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(text(&path), texts[3], "nothing was written");
    bench.store.undo(Some(&keys[1]), NOW).expect("other lines");
    bench.store.undo(Some(&keys[0]), NOW).expect("now it goes");
    assert_eq!(text(&path), "1\n-\nzwei\n");
}

#[test]
fn somebody_else_in_the_same_lines_is_no_later_change() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    let keys = edits(&bench, &path, &["1\n", "2\n"]);
    fs::write(&path, "3\n").expect("somebody writes");
    let undone = bench.store.undo(Some(&keys[0]), NOW);
    assert!(
        matches!(undone, Err(StoreError::Overlap { .. })),
        "{undone:?}"
    );
}

#[test]
fn the_later_change_of_a_file_that_was_made_is_named() {
    let bench = Bench::new();
    let path = bench.path("new.md");
    let made = one(write(&path, None, "1\n", Age::Set));
    let made = bench.store.apply(&made, NOW).expect("applied").key;
    let keys = edits(&bench, &path, &["1\n", "2\n"]);
    match bench.store.undo(Some(&made), NOW) {
        Err(StoreError::Later { key, place, .. }) => {
            assert_eq!((key, place), (keys[0].clone(), "of the same file"));
        }
        other => panic!("{other:?}"),
    }
}

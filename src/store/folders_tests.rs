//! Folders that a change made go with it, at every death; those that were there before stay.

use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::base::fault::Faults;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::tests::{Bench, NOW, one, write};

/// Folders below the memory folder, sorted.
fn folders(bench: &Bench) -> Vec<String> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a listing").flatten() {
            if entry.path().is_dir() {
                found.push(entry.path());
                walk(&entry.path(), found);
            }
        }
    }
    let mut found = Vec::new();
    walk(&bench.path(""), &mut found);
    let inner = |path: PathBuf| {
        let inner = path.strip_prefix(bench.path("")).expect("below").to_owned();
        inner.to_string_lossy().into_owned()
    };
    let mut found: Vec<String> = found.into_iter().map(inner).collect();
    found.sort();
    found
}

fn history_of(bench: &Bench) -> PathBuf {
    let home = bench.store.folder(None).expect("ours");
    home.join("history.jsonl")
}

const BEFORE: [&str; 3] = ["from", "from/team", "was"];
const AFTER: [&str; 7] = [
    "from",
    "from/team",
    "new",
    "new/deep",
    "new/team",
    "was",
    "was/sub",
];

/// Two folders that are there, one of them empty; what goes into new ones.
fn fill(bench: &Bench) {
    bench.put("from/a.md", "a\n");
    bench.put("from/team/b.md", "b\n");
    fs::create_dir(bench.path("was")).expect("a folder");
}

fn spread(bench: &Bench) -> ChangeSet {
    let go = |from: &str, to: &str| Op::Move {
        from: bench.path(from),
        to: bench.path(to),
    };
    ChangeSet::new("spread", Author::You)
        .with(go("from/a.md", "new/deep/a.md"), "moved")
        .with(go("from/team/b.md", "new/team/b.md"), "moved")
        .with(
            write(&bench.path("was/sub/c.md"), None, "c\n", Age::Set),
            "made",
        )
}

#[test]
fn undo_takes_the_folders_away_that_the_change_made_and_redo_makes_them_again() {
    let bench = Bench::new();
    fill(&bench);
    assert_eq!(folders(&bench), BEFORE);
    let files = bench.files();
    bench.store.apply(&spread(&bench), NOW).expect("applied");
    assert_eq!(folders(&bench), AFTER);
    let done = bench.files();
    for _ in 0..2 {
        bench.store.undo(None, NOW).expect("undone");
        assert_eq!(
            (folders(&bench), bench.files()),
            (BEFORE.map(String::from).to_vec(), files.clone())
        );
        bench.store.redo(NOW).expect("redone");
        assert_eq!(
            (folders(&bench), bench.files()),
            (AFTER.map(String::from).to_vec(), done.clone())
        );
    }
    // What another has put there keeps its folder.
    bench.put("new/theirs.md", "theirs\n");
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(folders(&bench), ["from", "from/team", "new", "was"]);
    assert!(bench.path("new/theirs.md").exists());
}

#[test]
fn a_change_that_is_called_off_leaves_no_folder() {
    let bench = Bench::new();
    fill(&bench);
    let files = bench.files();
    // The history can't be written: all was done by then, and is taken back.
    let history = history_of(&bench);
    fs::create_dir(&history).expect("in the way");
    bench
        .store
        .apply(&spread(&bench), NOW)
        .expect_err("no history");
    assert_eq!(folders(&bench), BEFORE);
    assert_eq!(bench.files(), files);
}

/// Dies at each write point of `act` in turn, recovers, and looks.
fn die_everywhere(
    set_up: impl Fn(&Bench),
    act: impl Fn(&Bench, &Store),
    look: impl Fn(&Bench, usize),
) {
    for point in 1.. {
        let bench = Bench::quick();
        fill(&bench);
        set_up(&bench);
        let dying = bench.again(Faults::none().unwinding_at(point));
        let dies = std::panic::AssertUnwindSafe(|| act(&bench, &dying));
        let died = std::panic::catch_unwind(dies).is_err();
        let _ = fs::remove_dir(history_of(&bench));
        bench.store.recover().expect("recovered");
        look(&bench, point);
        if !died {
            assert!(point > 10, "there are more write points than {point}");
            return;
        }
    }
}

#[test]
fn a_death_at_any_write_point_leaves_the_folders_of_before_or_after() {
    let undo = |_: &Bench, store: &Store| {
        store.undo(None, NOW).expect("undone");
    };
    let set_up = |bench: &Bench| {
        bench.store.apply(&spread(bench), NOW).expect("applied");
    };
    die_everywhere(set_up, undo, |bench, point| {
        let now = folders(bench);
        let undone = bench.path("from/a.md").exists();
        let expected: &[&str] = if undone { &BEFORE } else { &AFTER };
        assert_eq!(now, expected, "point {point}");
        if !undone {
            bench.store.undo(None, NOW).expect("undone");
            assert_eq!(folders(bench), BEFORE, "point {point}");
        }
        bench.store.redo(NOW).expect("redone");
        assert_eq!(folders(bench), AFTER, "point {point}");
    });
}

/// The history can't be written: all was done by then, and the way back dies.
#[test]
fn a_death_on_the_way_back_leaves_no_folder() {
    let set_up = |bench: &Bench| {
        let history = history_of(bench);
        fs::create_dir_all(history).expect("in the way");
    };
    let act = |bench: &Bench, store: &Store| {
        let set = spread(bench);
        store.apply(&set, NOW).expect_err("no history");
    };
    let back = std::cell::Cell::new(0);
    die_everywhere(set_up, act, |bench, point| {
        let undone = bench.path("from/a.md").exists();
        back.set(back.get() + usize::from(undone));
        let expected: &[&str] = if undone { &BEFORE } else { &AFTER };
        assert_eq!(folders(bench), expected, "point {point}");
    });
    assert!(back.get() > 10, "{}", back.get());
}

#[test]
fn an_entry_of_before_has_no_folders() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    bench
        .store
        .apply(&one(write(&path, Some("a\n"), "b\n", Age::Keep)), NOW)
        .expect("applied");
    let history = history_of(&bench);
    let text = fs::read_to_string(history).expect("a history");
    assert!(!text.contains("makes"), "{text}");
    assert!(bench.store.history()[0].makes.is_empty());
}

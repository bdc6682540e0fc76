//! Deaths at every write point, and what the next start makes of them.

use std::fs;

use crate::base::fault::{Faults, Point};
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::journal::Entry;
use crate::store::tests::{Bench, NOW, everything, fill, one, text, write};
use crate::store::{StoreError, sha256};

/// Applies a change set in a store that dies at each write point in turn, recovers, and looks.
fn die_everywhere(
    faults: fn() -> Faults,
    set: impl Fn(&Bench) -> ChangeSet,
    mut look: impl FnMut(&Bench, usize),
) {
    for point in 1.. {
        let bench = Bench::new();
        fill(&bench);
        // Our own folders are there already.
        let other = bench.put("other.md", "x\n");
        bench
            .store
            .apply(&one(write(&other, Some("x\n"), "y\n", Age::Keep)), NOW)
            .expect("applied");
        bench.store.undo(None, NOW).expect("undone");
        fs::remove_file(other).expect("a file");
        let dying = bench.again(faults().unwinding_at(point));
        let dies = std::panic::AssertUnwindSafe(|| dying.apply(&set(&bench), NOW));
        let died = std::panic::catch_unwind(dies).is_err();
        bench.store.recover().expect("recovered");
        look(&bench, point);
        if !died {
            assert!(point > 10, "there are more write points than {point}");
            return;
        }
    }
}

#[test]
fn a_death_at_any_write_point_leaves_all_or_nothing() {
    let reference = Bench::new();
    fill(&reference);
    let names = |bench: &Bench| {
        bench
            .picture()
            .into_iter()
            .map(|row| (row.0, row.1))
            .collect::<Vec<_>>()
    };
    let before = names(&reference);
    let pictured = reference.picture();
    reference
        .store
        .apply(&everything(&reference), NOW)
        .expect("applied");
    let after = names(&reference);
    let no_swap = || Faults::failing(Point::Swap, rustix::io::Errno::NOSYS.raw_os_error());
    let mut seen = (0, 0);
    let mut look = |bench: &Bench, point: usize| {
        let now = names(bench);
        assert!(
            now == before || now == after,
            "after a death at point {point}: {now:?}"
        );
        assert!(bench.store.unfinished().is_empty());
        if now == after {
            seen.1 += 1;
            assert_eq!(bench.store.history().len(), 3, "point {point}");
            bench.store.undo(None, NOW).expect("undone");
        } else {
            seen.0 += 1;
            assert_eq!(bench.store.history().len(), 2, "point {point}");
        }
        assert_eq!(bench.picture(), pictured, "point {point}");
    };
    die_everywhere(Faults::none, everything, &mut look);
    // Where a file system can't swap two files.
    die_everywhere(no_swap, everything, &mut look);
    assert!(seen.0 > 5 && seen.1 > 5, "{seen:?}");
}

#[test]
fn a_death_in_a_write_of_the_time_alone_leaves_it_told_or_not_at_all() {
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000);
    let path = |bench: &Bench| bench.path("a.md");
    let is_young = |bench: &Bench| {
        let modified = fs::metadata(path(bench)).and_then(|data| data.modified());
        modified.expect("a time") != old
    };
    let mut seen = (0, 0);
    let set = |bench: &Bench| {
        let file = fs::File::options().write(true).open(path(bench));
        file.and_then(|file| file.set_modified(old))
            .expect("a time");
        let now = text(&path(bench));
        one(write(&path(bench), Some(&now), &now, Age::Set))
    };
    die_everywhere(Faults::none, set, |bench, point| {
        let told = bench.store.history().len() == 3;
        assert_eq!(is_young(bench), told, "point {point}");
        match told {
            true => seen.1 += 1,
            false => seen.0 += 1,
        }
        if told {
            bench.store.undo(None, NOW).expect("undone");
            assert!(!is_young(bench), "point {point}");
        }
    });
    assert!(seen.0 > 3 && seen.1 > 3, "{seen:?}");
}

#[test]
fn a_death_while_a_conflict_is_taken_back_leaves_nothing_done() {
    // The last step needs a folder that the system refuses to make.
    let refused = |bench: &Bench| {
        let mut set = everything(bench).with(
            write(&bench.path("new/x.md"), None, "x", Age::Set),
            "refused",
        );
        set.changes
            .retain(|change| !matches!(change.op, Op::Trash { .. }));
        set
    };
    let reference = Bench::new();
    fill(&reference);
    let before = reference.picture();
    let mut back = 0;
    die_everywhere(
        || Faults::failing(Point::MakeFolder, rustix::io::Errno::ACCESS.raw_os_error()),
        refused,
        |bench, point| {
            // Dead before it was known to be impossible, it is finished; else all is taken back.
            let finished = bench.path("new/x.md").exists();
            back += usize::from(!finished);
            assert!(
                finished || bench.picture() == before,
                "point {point}: {:?}",
                bench.picture()
            );
        },
    );
    assert!(back > 10, "{back}");
}

#[test]
fn what_another_wrote_over_a_half_done_swap_is_kept() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    // Die right after the swap, with another's file in our temporary one.
    for point in 1..60 {
        let dying = bench.again(Faults::none().unwinding_at(point));
        let set = one(write(&path, Some("one\n"), "two\n", Age::Set));
        let died =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| dying.apply(&set, NOW)))
                .is_err();
        if died && text(&path) == "two\n" {
            break;
        }
        bench.store.recover().expect("recovered");
        fs::write(&path, "one\n").expect("a file");
    }
    let temporary = fs::read_dir(bench.path(""))
        .expect("a listing")
        .flatten()
        .map(|entry| entry.path());
    let temporary = temporary
        .into_iter()
        .find(|path| path.to_string_lossy().contains(".loci-"))
        .expect("a temporary file");
    fs::write(&temporary, "theirs\n").expect("another's bytes");
    let told = bench.store.recover().expect("recovered");
    assert_eq!(text(&path), "theirs\n");
    assert!(told.notices[0].contains("changed meanwhile"), "{told:?}");
}

#[test]
fn unfinished_work_of_a_living_process_is_not_touched() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    let entry = Entry {
        v: 1,
        key: "k".into(),
        time: NOW.rfc3339(),
        author: Author::You,
        title: "t".into(),
        session: None,
        steps: vec![],
        undoes: None,
        makes: vec![],
        unmakes: vec![],
    };
    let held = bench.store.declare(&entry).expect("an intent");
    let other = bench.again(Faults::none());
    assert!(other.unfinished().is_empty());
    assert!(other.recover().expect("nothing to do").notices.is_empty());
    drop(held);
    assert_eq!(other.unfinished().len(), 1);
    other.recover().expect("recovered");
    assert!(other.unfinished().is_empty());
    assert_eq!(text(&path), "one\n");
}

#[test]
fn temporary_files_in_our_own_folders_are_swept_by_whoever_gets_the_lock() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    let edit = one(write(&path, Some("a\n"), "b\n", Age::Keep));
    bench.store.apply(&edit, NOW).expect("applied");
    let home = bench.store.folder(None).expect("a folder");
    let left = ["journal/.loci-x.tmp", "blobs/.loci-y-1.tmp", ".loci-z.tmp"];
    for name in left {
        fs::write(home.join(name), "half").expect("a file");
    }
    let working = bench.again(Faults::none());
    let lock = working.lock().expect("the lock");
    bench.store.recover().expect("nothing to recover");
    assert!(left.iter().all(|name| home.join(name).exists()));
    drop(lock);
    bench.store.recover().expect("swept");
    assert!(left.iter().all(|name| !home.join(name).exists()));
}

#[test]
fn intents_of_one_second_are_finished_in_their_order() {
    let bench = Bench::new();
    let entry = |key: &str| Entry {
        v: 1,
        key: key.into(),
        time: NOW.rfc3339(),
        author: Author::You,
        title: key.into(),
        session: None,
        steps: vec![],
        undoes: None,
        makes: vec![],
        unmakes: vec![],
    };
    let keys = [
        "20260921-141320-2",
        "20260921-141320-10",
        "20260921-141321-1",
    ];
    for key in [keys[2], keys[1], keys[0]] {
        bench.store.declare(&entry(key)).expect("an intent");
    }
    bench.store.recover().expect("recovered");
    let history = bench.store.history();
    let finished: Vec<&str> = history.iter().map(|entry| entry.key.as_str()).collect();
    assert_eq!(finished, keys);
}

/// Dies with the intent declared and nothing of it done.
fn abandon(bench: &Bench, set: &ChangeSet) {
    for point in 1.. {
        let dying = bench.again(Faults::none().unwinding_at(point));
        let dies = std::panic::AssertUnwindSafe(|| dying.apply(set, NOW));
        assert!(
            std::panic::catch_unwind(dies).is_err(),
            "an intent is declared"
        );
        if !bench.store.unfinished().is_empty() {
            return;
        }
        bench.store.recover().expect("recovered");
    }
}

#[test]
fn work_whose_bytes_are_lost_is_put_aside_and_keeps_nobody_from_working() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    abandon(&bench, &one(write(&path, Some("one\n"), "two\n", Age::Set)));
    let blobs = bench.store.folder(Some("blobs")).expect("a folder");
    fs::write(blobs.join(sha256(b"two\n")), "owt\n").expect("tampered with");
    let told = bench.store.recover().expect("recovered").notices;
    assert!(told[0].contains("a.md has lost the bytes"), "{told:?}");
    assert!(bench.store.unfinished().is_empty());
    assert_eq!(text(&path), "one\n");
}

#[test]
fn what_is_no_intent_is_put_aside_and_said() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    let edit = one(write(&path, Some("one\n"), "two\n", Age::Set));
    bench.store.apply(&edit, NOW).expect("applied");
    let journal = bench.store.folder(Some("journal")).expect("a folder");
    let newer = r#"{"v":2,"key":"k","time":"","author":"you","title":"t","steps":[]}"#;
    let others = r#"{"v":1,"key":"other","time":"","author":"you","title":"t","steps":[]}"#;
    for text in ["half {", newer, others] {
        fs::write(journal.join("k.json"), text).expect("a file");
        let told = bench.store.recover().expect("recovered").notices;
        assert!(
            told[0].contains("can't be read as an unfinished write"),
            "{told:?}"
        );
        assert!(!journal.join("k.json").exists() && journal.join("conflicts/k.json").exists());
    }
    // Neither a folder nor a pipe is waited for.
    fs::create_dir(journal.join("folder.json")).expect("a folder");
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(
        rustix::fs::CWD,
        journal.join("p.json"),
        kind,
        0o600.into(),
        0,
    )
    .expect("a pipe");
    assert_eq!(
        bench.store.recover().expect("recovered").notices,
        Vec::<String>::new()
    );
}

/// Only what touches the same files waits for what can't be finished yet.
#[test]
fn work_that_the_system_refuses_to_finish_stays_and_keeps_only_its_files() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    let other = bench.put("b.md", "b\n");
    abandon(&bench, &one(write(&path, Some("one\n"), "two\n", Age::Set)));
    let errno = rustix::io::Errno::ROFS.raw_os_error();
    let closed = bench.again(Faults::failing(Point::Swap, errno));
    let told = closed.recover().expect("recovered").notices;
    assert!(
        told[0].contains("can't be finished yet") && told[0].contains("writable"),
        "{told:?}"
    );
    let refused = closed.apply(&one(write(&path, Some("one\n"), "three\n", Age::Set)), NOW);
    assert!(
        matches!(refused, Err(StoreError::Disk { .. })),
        "{refused:?}"
    );
    closed
        .apply(&one(Op::Trash { path: other }), NOW)
        .expect("not touched by it");
    assert_eq!(bench.store.unfinished().len(), 1);
    bench.store.recover().expect("recovered");
    assert_eq!(text(&path), "two\n");
}

/// A process that has begun before another one died finishes its work first.
#[test]
fn a_change_is_made_on_finished_work_alone() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\ntwo\nthree\n");
    let edit = write(
        &path,
        Some("one\ntwo\nthree\n"),
        "ONE\ntwo\nthree\n",
        Age::Set,
    );
    abandon(&bench, &one(edit));
    let mine = write(
        &path,
        Some("one\ntwo\nthree\n"),
        "one\ntwo\nTHREE\n",
        Age::Set,
    );
    let applied = bench.store.apply(&one(mine), NOW).expect("applied");
    assert!(applied.notices[0].contains("was finished"), "{applied:?}");
    assert_eq!(text(&path), "ONE\ntwo\nTHREE\n");
    assert_eq!(bench.store.history().len(), 2);
}

/// What was done and recorded is not done again over what somebody made of it since.
#[test]
fn recorded_work_is_not_done_again() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    let errno = rustix::io::Errno::IO.raw_os_error();
    let store = bench.again(Faults::failing(Point::Remove, errno));
    let edit = one(write(&path, Some("one\n"), "two\n", Age::Set));
    store
        .apply(&edit, NOW)
        .expect("applied, though its intent stays");
    fs::write(&path, "one\n").expect("another writer");
    bench.store.recover().expect("recovered");
    assert_eq!(text(&path), "one\n");
    assert!(bench.store.unfinished().is_empty());
    assert_eq!(bench.store.history().len(), 1);
}

/// Death in the middle of writing the old bytes back: the half is ours, not another's newer version.
#[test]
fn half_of_what_was_being_put_back_is_not_taken_for_anothers() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one and more\n");
    let edit = one(write(&path, Some("one and more\n"), "two\n", Age::Set));
    bench.store.apply(&edit, NOW).expect("applied");
    let entry = Entry {
        key: "k-1".into(),
        ..bench.store.history().remove(0)
    };
    let mut intent = bench.store.declare(&entry).expect("an intent");
    bench.store.turn_back(&mut intent, &entry.key, 1);
    drop(intent);
    fs::write(bench.path(".loci-k-1-0-back.tmp"), "one an").expect("half a file");
    let told = bench.store.recover().expect("recovered").notices;
    assert!(told[0].contains("was taken back"), "{told:?}");
    assert_eq!(text(&path), "one and more\n");
    assert_eq!(bench.picture().len(), 1);
}

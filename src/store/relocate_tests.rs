//! Files that go from one file system to another.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use crate::base::fault::{Faults, Point};
use crate::store::Store;
use crate::store::change::{Author, Change, ChangeSet, Op};
use crate::store::relocate::keep_time;
use crate::store::tests::{Bench, NOW, fill, text};

#[test]
fn the_trash_on_another_file_system_takes_a_verified_copy() {
    // Cases DE03 and DE10: decided by the error of the rename.
    let bench = Bench::with(Faults::failing(
        Point::Rename,
        rustix::io::Errno::XDEV.raw_os_error(),
    ));
    let root = bench.path("");
    fs::create_dir(root.join("sub")).expect("a folder");
    let path = bench.put("sub/a.md", "a\n");
    let to = bench.root().join("elsewhere/0");
    bench
        .store
        .relocate(&root.join("sub"), &to, "k-0")
        .expect("copied");
    assert_eq!(text(&to.join("a.md")), "a\n");
    assert_eq!(
        fs::metadata(to.join("a.md")).expect("a file").mtime(),
        1_700_000_000
    );
    assert!(!path.exists() && !root.join("sub").exists());
}

/// Files and a folder to the trash and to another name, all by copies.
fn copies(bench: &Bench) -> ChangeSet {
    let moved = Op::Move {
        from: bench.path("MEMORY.md"),
        to: bench.path("sub/index.md"),
    };
    ChangeSet::new("copies", Author::You)
        .with(
            Op::Trash {
                path: bench.path("a.md"),
            },
            "a file",
        )
        .with(
            Op::Trash {
                path: bench.path("folder"),
            },
            "a folder",
        )
        .with(
            Op::Trash {
                path: bench.path("link.md"),
            },
            "a link",
        )
        .with(moved, "a move")
}

fn lay_out(bench: &Bench) {
    fill(bench);
    bench.put("folder/x.md", "x\n");
    bench.put("folder/deep/y.md", "y\n");
    let link = bench.path("link.md");
    symlink("a.md", &link).expect("a link");
    let old = fs::metadata(bench.path("a.md")).expect("a file");
    keep_time(&link, &old).expect("a time");
    let closed = fs::Permissions::from_mode(0o400);
    fs::set_permissions(bench.path("a.md"), closed).expect("a mode");
}

fn crossing() -> Faults {
    Faults::failing(Point::Rename, rustix::io::Errno::XDEV.raw_os_error())
}

/// Dies at each write point of `act` in turn, recovers, and looks.
fn die_at_each(prepare: fn(&Bench), act: fn(&Store, &Bench), mut look: impl FnMut(&Bench, &str)) {
    for point in 1.. {
        let bench = Bench::quick();
        lay_out(&bench);
        prepare(&bench);
        let dying = bench.again(crossing().unwinding_at(point));
        let dies = std::panic::AssertUnwindSafe(|| act(&dying, &bench));
        let died = std::panic::catch_unwind(dies).is_err();
        let told = bench.again(crossing()).recover().expect("recovered");
        let when = format!("death at {point}: {told:?}");
        assert!(bench.store.unfinished().is_empty(), "{when}");
        let left: Vec<_> = bench
            .files()
            .into_iter()
            .filter(|row| row.0.to_string_lossy().contains(".loci-"))
            .collect();
        assert!(left.is_empty(), "{when}: {left:?}");
        look(&bench, &when);
        if !died {
            assert!(point > 40, "there are more write points than {point}");
            return;
        }
    }
}

#[test]
fn a_death_at_any_point_of_a_copy_leaves_all_or_nothing() {
    let reference = Bench::quick();
    lay_out(&reference);
    let strip = |bench: &Bench| -> Vec<_> {
        let root = bench.path("");
        let files = bench.files().into_iter();
        files
            .map(|row| {
                (
                    row.0.strip_prefix(&root).expect("below").to_path_buf(),
                    row.1,
                    row.2,
                    row.3,
                )
            })
            .collect()
    };
    let before = strip(&reference);
    reference
        .store
        .apply(&copies(&reference), NOW)
        .expect("applied");
    let after = strip(&reference);
    die_at_each(
        |_| {},
        |store, bench| drop(store.apply(&copies(bench), NOW).expect("applied")),
        |bench, when| {
            let now = strip(bench);
            assert!(now == before || now == after, "{when}: {now:#?}");
            assert_eq!(
                bench.store.trashed().len(),
                usize::from(now == after),
                "{when}"
            );
            if now == after {
                bench.again(crossing()).undo(None, NOW).expect("undone");
            }
            assert_eq!(strip(bench), before, "{when}");
        },
    );
    die_at_each(
        |bench| {
            let store = bench.again(crossing());
            store.apply(&copies(bench), NOW).expect("applied");
        },
        |store, _| drop(store.undo(None, NOW).expect("undone")),
        |bench, when| {
            let now = strip(bench);
            assert!(now == before || now == after, "{when}: {now:#?}");
            if now == after {
                bench.again(crossing()).undo(None, NOW).expect("undone");
            }
            assert_eq!(strip(bench), before, "{when}");
            assert!(bench.store.trashed().is_empty(), "{when}");
        },
    );
}

/// Whatever is refused at whichever moment of a copy: nothing is lost, nothing is half.
#[test]
fn a_copy_that_is_refused_at_any_moment_leaves_all_as_it_was() {
    for (point, errno) in [
        (Point::Create, rustix::io::Errno::NOSPC),
        (Point::Flush, rustix::io::Errno::IO),
        (Point::Replace, rustix::io::Errno::ACCESS),
        (Point::Remove, rustix::io::Errno::ACCESS),
    ] {
        for from in 1..100 {
            let bench = Bench::quick();
            lay_out(&bench);
            let before = bench.files();
            let store = bench.again(crossing().failing_from(from, point, errno.raw_os_error()));
            let applied = store.apply(&copies(&bench), NOW);
            let told = bench.again(crossing()).recover().expect("recovered");
            let when = format!("{point:?} from {from} on: {applied:?} {told:?}");
            assert!(bench.store.unfinished().is_empty(), "{when}");
            // Refused a new name even in the journal, it can only be finished.
            let named = point == Point::Replace && !bench.store.trashed().is_empty();
            let done = applied.is_ok() || named;
            assert_eq!(bench.store.trashed().len(), usize::from(done), "{when}");
            if done {
                bench.again(crossing()).undo(None, NOW).expect("undone");
            }
            assert_eq!(bench.files(), before, "{when}");
        }
    }
}

/// What another writes between the copy and the removal of its source is not removed.
#[test]
fn a_source_that_changed_since_its_copy_stays() {
    let bench = Bench::new();
    let from = bench.put("a.md", "a\n");
    let copy = bench.put("copy.md", "a\n");
    fs::write(&from, "theirs\n").expect("another writer");
    let error = bench
        .store
        .drop_source(&from, &copy, "k-0")
        .expect_err("a conflict");
    assert!(error.is_conflict(), "{error}");
    assert_eq!(text(&from), "theirs\n");
    assert!(!copy.exists() && bench.picture().len() == 1);
}

/// Deaths in the middle of the recovery from a death, forwards and back, and a recovery after both.
#[test]
fn a_recovery_of_a_copy_may_die_too() {
    let closed = || {
        let refused = rustix::io::Errno::ACCESS.raw_os_error();
        crossing().failing_from(1, Point::MakeFolder, refused)
    };
    for (begin, doable) in [(crossing as fn() -> Faults, true), (closed, false)] {
        for first in (8..70).step_by(3) {
            for second in 1.. {
                let bench = Bench::quick();
                lay_out(&bench);
                let trash = Op::Trash {
                    path: bench.path("b.md"),
                };
                let set = ChangeSet::new("trash", Author::You).with(trash, "our folders are made");
                bench.again(crossing()).apply(&set, NOW).expect("trashed");
                let before = bench.files();
                let mut set = copies(&bench);
                if !doable {
                    // Moves alone, since the trash would need a folder first; the last one is refused.
                    set.changes
                        .retain(|change| matches!(change.op, Op::Move { .. }));
                    let (from, to) = (bench.path("a.md"), bench.path("folder/a.md"));
                    set.changes.insert(
                        0,
                        Change {
                            op: Op::Move { from, to },
                            reason: String::new(),
                        },
                    );
                }
                let dies = |store: Store, act: &dyn Fn(&Store)| {
                    let act = std::panic::AssertUnwindSafe(|| act(&store));
                    std::panic::catch_unwind(act).is_err()
                };
                let dying = bench.again(begin().unwinding_at(first));
                if !dies(dying, &|store| drop(store.apply(&set, NOW))) {
                    break;
                }
                let dying = bench.again(crossing().unwinding_at(second));
                let died = dies(dying, &|store| drop(store.recover()));
                let told = bench.again(crossing()).recover().expect("recovered");
                let when = format!("{doable}: deaths at {first} and {second}: {told:?}");
                assert!(bench.store.unfinished().is_empty(), "{when}");
                if bench.files() != before {
                    bench.again(crossing()).undo(None, NOW).expect(&when);
                }
                assert_eq!(bench.files(), before, "{when}");
                if !died {
                    break;
                }
            }
        }
    }
}

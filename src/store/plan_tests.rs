//! Change sets that write a file and take the folder round it elsewhere: done, undone, done again,
//! killed at each write point.

use std::fs;

use crate::base::fault::Faults;
use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::tests::{Bench, NOW, write};

fn fill(bench: &Bench) {
    bench.put("in/a.md", "a\n");
    bench.put("in/deep/b.md", "b\n");
    bench.put("out.md", "out\n");
}

fn set(ops: Vec<Op>) -> ChangeSet {
    let set = ChangeSet::new("a change", Author::You);
    ops.into_iter().fold(set, |set, op| set.with(op, "because"))
}

/// Writes, makes and moves in a folder, then takes it elsewhere; and the other way round.
fn sets(bench: &Bench) -> [ChangeSet; 4] {
    let path = |name: &str| bench.path(name);
    let go = |from: &str, to: &str| Op::Move {
        from: path(from),
        to: path(to),
    };
    let inside = || {
        vec![
            write(&path("in/a.md"), Some("a\n"), "A\n", Age::Keep),
            write(&path("in/deep/b.md"), Some("b\n"), "B\n", Age::Keep),
            write(&path("in/new.md"), None, "new\n", Age::Set),
            go("out.md", "in/out.md"),
        ]
    };
    let trash = Op::Trash { path: path("in") };
    [
        set([inside(), vec![go("in", "to")]].concat()),
        set([inside(), vec![trash]].concat()),
        set(vec![
            go("in", "to"),
            write(&path("to/a.md"), Some("a\n"), "A\n", Age::Keep),
            go("to/deep/b.md", "b.md"),
            write(&path("to/new.md"), None, "new\n", Age::Set),
        ]),
        set([
            inside(),
            vec![
                go("in", "mid"),
                write(&path("mid/a.md"), Some("A\n"), "AA\n", Age::Keep),
                go("mid/new.md", "mid/newer.md"),
                go("mid", "to"),
            ],
        ]
        .concat()),
    ]
}

#[test]
fn a_folder_round_what_was_written_goes_and_comes_back() {
    for number in 0..4 {
        let bench = Bench::quick();
        fill(&bench);
        let before = bench.files();
        bench
            .store
            .apply(&sets(&bench)[number], NOW)
            .unwrap_or_else(|error| panic!("set {number}: {error}"));
        let after = bench.files();
        assert_ne!(after, before);
        for _ in 0..2 {
            bench
                .store
                .undo(None, NOW)
                .unwrap_or_else(|error| panic!("undo of set {number}: {error}"));
            assert_eq!(bench.files(), before, "set {number}");
            bench
                .store
                .redo(NOW)
                .unwrap_or_else(|error| panic!("redo of set {number}: {error}"));
            let texts = |files: &[(std::path::PathBuf, Vec<u8>, u32, i64, i64)]| -> Vec<_> {
                files
                    .iter()
                    .map(|row| (row.0.clone(), row.1.clone()))
                    .collect()
            };
            assert_eq!(texts(&bench.files()), texts(&after), "set {number}");
        }
    }
}

#[test]
fn killed_at_any_write_point_all_of_it_is_done_or_nothing() {
    for number in 0..4 {
        for undoes in [false, true] {
            for point in 1..300 {
                let bench = Bench::quick();
                fill(&bench);
                let before = bench.files();
                if undoes {
                    bench
                        .store
                        .apply(&sets(&bench)[number], NOW)
                        .expect("applied");
                }
                let dying = bench.again(Faults::none().unwinding_at(point));
                let dies = std::panic::AssertUnwindSafe(|| match undoes {
                    true => dying.undo(None, NOW).map(|_| ()),
                    false => dying.apply(&sets(&bench)[number], NOW).map(|_| ()),
                });
                let died = std::panic::catch_unwind(dies).is_err();
                let recovered = bench.store.recover().expect("recovered");
                let history = bench.store.history();
                let stands = history.len() % 2 == 1;
                let when = format!("set {number}, undo {undoes}, point {point}: {recovered:?}");
                assert!(bench.store.unfinished().is_empty(), "{when}");
                if stands {
                    bench
                        .store
                        .undo(None, NOW)
                        .unwrap_or_else(|error| panic!("{when}: {error}"));
                }
                assert_eq!(bench.files(), before, "{when}");
                assert!(!bench.path("to").exists() || fs::read_dir(bench.path("to")).is_ok());
                if !died {
                    assert!(point > 10);
                    break;
                }
            }
        }
    }
}

#[test]
fn what_was_settled_is_not_written_once_a_link_takes_it_elsewhere() {
    let bench = Bench::new();
    fill(&bench);
    let path = bench.path("in/a.md");
    let set = set(vec![write(&path, Some("a\n"), "A\n", Age::Set)]);
    let out = bench.path("out.md");
    fs::remove_file(&path).unwrap();
    bench.put("out.md", "a\n");
    std::os::unix::fs::symlink(&out, &path).unwrap();
    let settled = set.clone().settled_at(path.clone());
    let refused = bench.store.apply(&settled, NOW).unwrap_err();
    assert!(
        refused.to_string().contains("has become a link"),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(&out).unwrap(), "a\n");
    // A folder on the way too.
    fs::remove_file(&path).unwrap();
    fs::rename(bench.path("in"), bench.path("moved")).unwrap();
    bench.put("moved/a.md", "a\n");
    std::os::unix::fs::symlink(bench.path("moved"), bench.path("in")).unwrap();
    assert!(bench.store.apply(&settled, NOW).is_err());
    assert_eq!(fs::read_to_string(bench.path("moved/a.md")).unwrap(), "a\n");
    // Others go where the link leads.
    bench.store.apply(&set, NOW).unwrap();
    assert_eq!(fs::read_to_string(bench.path("moved/a.md")).unwrap(), "A\n");
}

/// A write makes a new file under one name: whoever goes by another still reads the old one.
#[test]
fn a_file_with_several_names_is_told_and_keeps_the_old_text_under_the_others() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    let change = set(vec![
        write(&path, Some("a\n"), "A\n", Age::Set),
        write(&path, Some("A\n"), "AA\n", Age::Set),
    ]);
    let said = || bench.store.check(&change).unwrap().notices;
    assert_eq!(said(), [""; 0]);
    fs::hard_link(&path, bench.path("b.md")).unwrap();
    let two = format!(
        "{} is one of 2 names of a file (hard links): the other one keeps the old text, write it there too if it shall be the same",
        path.display()
    );
    assert_eq!(said(), [two]);
    fs::hard_link(&path, bench.path("c.md")).unwrap();
    let three = format!(
        "{} is one of 3 names of a file (hard links): the others keep the old text, write it there too if it shall be the same",
        path.display()
    );
    assert_eq!(said(), std::slice::from_ref(&three));
    let applied = bench.store.apply(&change, NOW).unwrap();
    assert_eq!(applied.notices, [three]);
    assert_eq!(fs::read_to_string(&path).unwrap(), "AA\n");
    assert_eq!(fs::read_to_string(bench.path("b.md")).unwrap(), "a\n");
}

//! Change sets from files to files: applied, refused, undone, recovered after a death at every point.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use super::*;
use crate::base::fault::Point;
use crate::base::time::Moment;
use crate::store::change::{Age, Author, ChangeSet, Op};

pub(super) const NOW: Moment = Moment {
    seconds: 1_790_000_000,
    nanos: 0,
};

/// A store and a memory folder below one temporary folder.
pub(super) struct Bench {
    root: tempfile::TempDir,
    pub store: Store,
}

impl Bench {
    pub fn new() -> Self {
        Self::with(Faults::none())
    }

    pub fn with(faults: Faults) -> Self {
        let root = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir_all(root.path().join("memory")).expect("a folder");
        let store = Store::new(
            &root.path().join("state"),
            Path::new("/home/u/.claude"),
            None,
            faults,
        );
        Self { root, store }
    }

    /// The same places, as another process would open them.
    pub fn again(&self, faults: Faults) -> Store {
        Store::new(
            &self.root.path().join("state"),
            Path::new("/home/u/.claude"),
            None,
            faults,
        )
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join("memory").join(name)
    }

    pub fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        let old = UNIX_EPOCH + Duration::new(1_700_000_000, 123_456_789);
        fs::File::options()
            .write(true)
            .open(&path)
            .expect("a file")
            .set_modified(old)
            .expect("a time");
        path
    }

    /// Every file of the memory folder: name, bytes, mode, modification.
    pub fn picture(&self) -> Vec<(String, Vec<u8>, u32, i64, i64)> {
        let mut rows: Vec<_> = fs::read_dir(self.root.path().join("memory"))
            .expect("a listing")
            .map(|entry| {
                let entry = entry.expect("an entry");
                let data = entry.metadata().expect("metadata");
                let bytes = match data.is_file() {
                    true => fs::read(entry.path()).expect("bytes"),
                    false => Vec::new(),
                };
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, bytes, data.mode(), data.mtime(), data.mtime_nsec())
            })
            .collect();
        rows.sort();
        rows
    }
}

pub(super) fn write(path: &Path, before: Option<&str>, after: &str, age: Age) -> Op {
    let before = before.map(|text| text.as_bytes().to_vec());
    Op::Write {
        path: path.to_path_buf(),
        before,
        after: after.as_bytes().to_vec(),
        age,
    }
}

fn one(op: Op) -> ChangeSet {
    ChangeSet::new("a change", Author::You).with(op, "because")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).expect("text")
}

/// Edit, create, move and trash in one change set, as a rename of a memory does.
fn everything(bench: &Bench) -> ChangeSet {
    let (a, b, index) = (
        bench.path("a.md"),
        bench.path("b.md"),
        bench.path("MEMORY.md"),
    );
    ChangeSet::new("everything", Author::You)
        .with(write(&a, Some("a\n"), "A\n", Age::Keep), "the name")
        .with(
            Op::Move {
                from: a.clone(),
                to: bench.path("c.md"),
            },
            "the file",
        )
        .with(
            write(&index, Some("- [A](a.md)\n"), "- [A](c.md)\n", Age::Keep),
            "its line",
        )
        .with(
            write(&bench.path("new.md"), None, "new\n", Age::Set),
            "a new one",
        )
        .with(Op::Trash { path: b }, "no longer true")
}

fn fill(bench: &Bench) {
    bench.put("a.md", "a\n");
    bench.put("b.md", "b\n");
    bench.put("MEMORY.md", "- [A](a.md)\n");
}

#[test]
fn an_edit_keeps_mode_and_keeps_or_sets_the_time() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("a mode");
    bench
        .store
        .apply(&one(write(&path, Some("one\n"), "two\n", Age::Keep)), NOW)
        .expect("applied");
    let data = fs::metadata(&path).expect("a file");
    assert_eq!(
        (text(&path).as_str(), data.mode() & 0o777, data.mtime()),
        ("two\n", 0o640, 1_700_000_000)
    );
    bench
        .store
        .apply(&one(write(&path, Some("two\n"), "three\n", Age::Set)), NOW)
        .expect("applied");
    assert!(fs::metadata(&path).expect("a file").mtime() > 1_700_000_000);
    assert_eq!(bench.picture().len(), 1, "no temporary file is left");
}

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
fn a_change_made_meanwhile_in_other_lines_is_merged() {
    // Case CO02: the body is changed by another while the type is edited.
    let bench = Bench::new();
    let path = bench.put("a.md", "---\ntype: user\n---\nbody\n");
    let edit = write(
        &path,
        Some("---\ntype: user\n---\nbody\n"),
        "---\ntype: project\n---\nbody\n",
        Age::Keep,
    );
    fs::write(&path, "---\ntype: user\n---\nbody and more\n").expect("another writer");
    let applied = bench.store.apply(&one(edit), NOW).expect("merged");
    assert_eq!(text(&path), "---\ntype: project\n---\nbody and more\n");
    assert!(applied.notices[0].contains("merged"));
}

#[test]
fn a_change_made_meanwhile_in_the_same_line_is_a_conflict() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    fs::write(&path, "theirs\n").expect("another writer");
    let error = bench
        .store
        .apply(&one(write(&path, Some("one\n"), "mine\n", Age::Set)), NOW)
        .expect_err("a conflict");
    assert!(matches!(error, StoreError::Overlap { .. }) && error.is_conflict());
    assert_eq!(text(&path), "theirs\n");
}

#[test]
fn a_conflict_in_one_step_leaves_all_as_it_was() {
    let bench = Bench::new();
    fill(&bench);
    bench.put("c.md", "in the way\n");
    let before = bench.picture();
    assert!(
        bench
            .store
            .apply(&everything(&bench), NOW)
            .expect_err("a conflict")
            .is_conflict()
    );
    assert_eq!(bench.picture(), before);
    assert!(bench.store.history().is_empty() && bench.store.trashed().is_empty());
}

#[test]
fn targets_that_became_something_else_are_refused() {
    let bench = Bench::new();
    let folder = bench.path("folder.md");
    fs::create_dir(&folder).expect("a folder");
    let dangling = bench.path("dangling.md");
    symlink("/nonexistent/dir/a.md", &dangling).expect("a link");
    let pipe = bench.path("pipe.md");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        &pipe,
        rustix::fs::FileType::Fifo,
        0o600.into(),
        0,
    )
    .expect("a pipe");
    for path in [&folder, &dangling, &pipe] {
        let error = bench
            .store
            .apply(&one(write(path, Some("x"), "y", Age::Set)), NOW)
            .expect_err("refused");
        assert!(
            error.to_string().contains(&path.display().to_string()),
            "{error}"
        );
        let error = bench
            .store
            .apply(&one(write(path, None, "y", Age::Set)), NOW)
            .expect_err("refused");
        assert!(error.is_conflict(), "{error}");
    }
    // Case DE12: neither the link nor its target was made anew.
    assert!(
        fs::symlink_metadata(&dangling)
            .expect("a link")
            .is_symlink()
            && !dangling.exists()
    );
}

#[test]
fn a_link_inside_is_written_through() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    let link = bench.path("link.md");
    symlink("a.md", &link).expect("a link");
    bench
        .store
        .apply(&one(write(&link, Some("one\n"), "two\n", Age::Set)), NOW)
        .expect("applied");
    assert_eq!(text(&path), "two\n");
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
}

#[test]
fn a_dangling_link_is_trashed_and_restored_as_it_is() {
    // Case DE02.
    let bench = Bench::new();
    let link = bench.path("dead.md");
    symlink("nowhere", &link).expect("a link");
    let applied = bench
        .store
        .apply(&one(Op::Trash { path: link.clone() }), NOW)
        .expect("trashed");
    assert!(fs::symlink_metadata(&link).is_err());
    bench.store.restore(&applied.key, NOW).expect("restored");
    assert_eq!(fs::read_link(&link).expect("a link"), Path::new("nowhere"));
    assert!(bench.store.trashed().is_empty());
}

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
    let to = bench.root.path().join("elsewhere/0");
    bench
        .store
        .relocate(&root.join("sub"), &to)
        .expect("copied");
    assert_eq!(text(&to.join("a.md")), "a\n");
    assert_eq!(
        fs::metadata(to.join("a.md")).expect("a file").mtime(),
        1_700_000_000
    );
    assert!(!path.exists() && !root.join("sub").exists());
}

#[test]
fn what_the_system_refuses_is_a_sentence_with_a_remedy() {
    for (point, errno, remedy) in [
        (Point::Create, rustix::io::Errno::NOSPC, "make room"),
        (Point::Create, rustix::io::Errno::ROFS, "writable"),
        (Point::Swap, rustix::io::Errno::ACCESS, "right to write"),
    ] {
        let bench = Bench::new();
        let path = bench.put("a.md", "one\n");
        let before = bench.picture();
        let store = bench.again(Faults::failing(point, errno.raw_os_error()));
        let error = store
            .apply(&one(write(&path, Some("one\n"), "two\n", Age::Set)), NOW)
            .expect_err("refused");
        assert!(error.to_string().contains(remedy), "{error}");
        assert_eq!(bench.picture(), before);
    }
}

#[test]
fn two_at_once_wait_for_each_other() {
    let bench = Bench::new();
    let path = bench.put("a.md", "");
    let others: Vec<Store> = (0..4).map(|_| bench.again(Faults::none())).collect();
    std::thread::scope(|scope| {
        for (number, store) in others.iter().enumerate() {
            let path = &path;
            scope.spawn(move || {
                let mut done = 0;
                while done < 10 {
                    let before = text(path);
                    let after = format!("{before}{number}-{done}\n");
                    match store.apply(&one(write(path, Some(&before), &after, Age::Set)), NOW) {
                        Ok(_) => done += 1,
                        Err(error) => assert!(error.is_conflict(), "{error}"),
                    }
                }
            });
        }
    });
    assert_eq!(text(&path).lines().count(), 40);
    assert_eq!(bench.store.history().len(), 40);
}

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
            assert!(point > 20, "there are more write points than {point}");
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
    let mut seen = (0, 0);
    die_everywhere(Faults::none, everything, |bench, point| {
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
    });
    assert!(seen.0 > 5 && seen.1 > 5, "{seen:?}");
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
    let entry = journal::Entry {
        v: 1,
        key: "k".into(),
        time: NOW.rfc3339(),
        author: Author::You,
        title: "t".into(),
        session: None,
        steps: vec![],
        undoes: None,
        back: false,
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
fn old_trash_and_history_are_purged_oldest_first() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    let then = Moment::from_seconds(NOW.seconds - 91 * 86_400);
    bench
        .store
        .apply(&one(Op::Trash { path }), then)
        .expect("trashed");
    assert_eq!(bench.store.trashed().len(), 1);
    let other = bench.put("b.md", "b\n");
    bench
        .store
        .apply(&one(write(&other, Some("b\n"), "c\n", Age::Set)), NOW)
        .expect("applied");
    assert!(bench.store.trashed().is_empty());
}

#[test]
fn a_draft_is_kept_replaced_and_let_go() {
    let bench = Bench::new();
    let path = bench.path("a.md");
    let draft = |text: &str| draft::Draft {
        v: 1,
        path: path.clone(),
        base: sha256(b"a"),
        text: text.into(),
        cursor: (3, 4),
        time: NOW.rfc3339(),
    };
    bench.store.keep_draft(&draft("one")).expect("kept");
    bench.store.keep_draft(&draft("two")).expect("kept");
    assert_eq!(bench.store.draft(&path), Some(draft("two")));
    bench.store.discard_draft(&path).expect("gone");
    assert_eq!(bench.store.draft(&path), None);
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

#[test]
fn the_trash_is_in_the_order_of_its_changes_within_a_second() {
    let bench = Bench::new();
    for number in 0..11 {
        let path = bench.put(&format!("{number}.md"), "x\n");
        let set = one(Op::Trash { path });
        bench.store.apply(&set, NOW).expect("trashed");
    }
    let trashed = bench.store.trashed();
    let last = trashed.last().expect("a manifest");
    assert_eq!(last.items[0].path, bench.path("10.md"));
}

#[test]
fn a_restore_is_known_before_it_is_done() {
    let bench = Bench::new();
    let a = bench.put("a.md", "a\n");
    let index = bench.put("MEMORY.md", "- [A](a.md)\n");
    let set = ChangeSet::new("trash a", Author::You)
        .with(write(&index, Some("- [A](a.md)\n"), "", Age::Keep), "line")
        .with(Op::Trash { path: a.clone() }, "file");
    let key = bench.store.apply(&set, NOW).expect("trashed").key;
    let restored = bench.store.restored(&key).expect("a change set");
    assert_eq!(restored.changes.len(), 2, "the line comes back too");
    fs::write(&index, "- [B](b.md)\n").expect("a file");
    let alone = bench.store.restored(&key).expect("a change set");
    assert_eq!(alone.changes.len(), 1, "the line has been written over");
    assert!(!a.exists(), "nothing was done");
    let missing = bench.store.restored("none").expect_err("no key");
    assert!(missing.to_string().contains("none"), "{missing}");
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

//! What becomes of files when a change set is applied, and when it is refused.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use crate::base::fault::{Faults, Point};
use crate::store::change::{Age, Op};
use crate::store::tests::{Bench, NOW, everything, fill, one, text, write};
use crate::store::{Store, StoreError, sha256};

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

/// What is no text is never rewritten, not even where the lines of the change are others.
#[test]
fn a_text_that_holds_no_utf8_meanwhile_is_a_conflict() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\ntwo\n");
    fs::write(&path, b"one\ntwo\n\xFF\xFE\n").expect("another writer");
    let edit = write(&path, Some("one\ntwo\n"), "One\ntwo\n", Age::Set);
    let error = bench.store.apply(&one(edit), NOW).expect_err("a conflict");
    assert!(matches!(error, StoreError::Conflict { .. }) && error.is_conflict());
    assert_eq!(
        error.to_string(),
        format!(
            "{}: was changed meanwhile and holds bytes that are no UTF-8 now; nothing was written: read it again and repeat the change",
            path.display()
        )
    );
    assert_eq!(fs::read(&path).expect("a file"), b"one\ntwo\n\xFF\xFE\n");
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

/// A disk that fills up, or refuses to flush or to rename, at any moment of a change set that can or
/// can't be done: what is said to be done is done, of what has failed nothing is done later.
#[test]
fn a_disk_that_refuses_from_any_moment_on_leaves_all_or_nothing() {
    let closed = |faults: Faults| {
        faults.failing_from(
            1,
            Point::MakeFolder,
            rustix::io::Errno::ACCESS.raw_os_error(),
        )
    };
    for (point, errno) in [
        (Point::Create, rustix::io::Errno::NOSPC),
        (Point::Flush, rustix::io::Errno::NOSPC),
        (Point::Replace, rustix::io::Errno::IO),
        (Point::Remove, rustix::io::Errno::IO),
        (Point::Swap, rustix::io::Errno::ROFS),
    ] {
        for doable in [true, false] {
            let mut failed = 0;
            for from in 1..90 {
                let bench = Bench::quick();
                fill(&bench);
                let other = bench.put("other.md", "x\n");
                let trash = one(Op::Trash { path: other });
                bench
                    .store
                    .apply(&trash, NOW)
                    .expect("our folders are made");
                let before = bench.picture();
                let refused = Faults::none().failing_from(from, point, errno.raw_os_error());
                let mut set = everything(&bench);
                let store = if doable {
                    bench.again(refused)
                } else {
                    // The last step needs a folder that the system refuses to make.
                    set.changes
                        .retain(|change| !matches!(change.op, Op::Trash { .. }));
                    let below = bench.path("new/x.md");
                    set = set.with(write(&below, None, "x", Age::Set), "refused");
                    bench.again(closed(refused))
                };
                let applied = store.apply(&set, NOW);
                let when = format!("{point:?} refused from {from} on: {applied:?}");
                bench.store.recover().expect("recovered");
                assert!(bench.store.unfinished().is_empty(), "{when}");
                let aside = bench
                    .store
                    .folder(None)
                    .expect("a folder")
                    .join("journal/conflicts");
                assert!(!aside.exists(), "{when}: nobody else has changed anything");
                if applied.is_ok() {
                    assert!(bench.path("c.md").exists(), "{when}");
                    assert_eq!(bench.store.history().len(), 2, "{when}");
                    bench.store.undo(None, NOW).expect("undone");
                } else {
                    failed += 1;
                    assert_eq!(bench.store.history().len(), 1, "{when}");
                    assert_eq!(bench.store.trashed().len(), 1, "{when}");
                }
                assert_eq!(bench.picture(), before, "{when}");
            }
            assert!(
                failed > 3 || (point == Point::Remove && doable),
                "{point:?} {doable}: {failed}"
            );
        }
    }
}

#[test]
fn a_blob_that_was_damaged_is_written_anew() {
    let bench = Bench::new();
    let path = bench.put("a.md", "one\n");
    let to_two = one(write(&path, Some("one\n"), "two\n", Age::Set));
    bench.store.apply(&to_two, NOW).expect("applied");
    bench.store.undo(None, NOW).expect("undone");
    let blobs = bench.store.folder(Some("blobs")).expect("a folder");
    fs::write(blobs.join(sha256(b"two\n")), "owt\n").expect("tampered with");
    bench.store.apply(&to_two, NOW).expect("applied");
    assert_eq!(text(&path), "two\n");
}

#[test]
fn a_name_that_is_no_text_goes_through_journal_history_and_trash() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let bench = Bench::new();
    let path = bench
        .root()
        .join("memory")
        .join(OsStr::from_bytes(b"\xff.md"));
    fs::write(&path, "x\n").expect("a file");
    let before = bench.files();
    bench
        .store
        .apply(&one(Op::Trash { path: path.clone() }), NOW)
        .expect("trashed");
    assert!(!path.exists());
    bench.again(Faults::none()).undo(None, NOW).expect("undone");
    assert_eq!(bench.files(), before);
}

/// What became a pipe in our own folders is an error, and nothing waits for it.
#[test]
fn a_pipe_in_the_place_of_a_file_of_ours_is_not_waited_for() {
    let bench = Bench::new();
    let path = bench.put("a.md", "1\n");
    bench
        .store
        .apply(&one(write(&path, Some("1\n"), "2\n", Age::Set)), NOW)
        .expect("applied");
    let home = bench.store.folder(None).expect("a folder");
    for name in ["history.jsonl", "lock"] {
        let place = home.join(name);
        fs::remove_file(&place).expect("a file");
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &place, kind, 0o600.into(), 0).expect("a pipe");
        let edit = one(write(&path, Some("2\n"), "3\n", Age::Set));
        let refused = bench
            .store
            .apply(&edit, NOW)
            .expect_err("refused")
            .to_string();
        assert!(refused.contains(name), "{refused}");
        assert_eq!(text(&path), "2\n");
        assert_eq!(bench.store.history().len(), 0);
    }
}

//! What lies in the trash and how it comes back.

use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;

use crate::store::change::{Age, Author, ChangeSet, Op};
use crate::store::tests::{Bench, NOW, one, text, write};

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

/// In the history it is called what it was asked for; done again it is the removal.
#[test]
fn a_restore_bears_its_own_word() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    let set = ChangeSet::new("trash a", Author::You).with(Op::Trash { path: path.clone() }, "file");
    let key = bench.store.apply(&set, NOW).expect("trashed").key;
    let title = |bench: &Bench| bench.store.history().pop().expect("a change").title;
    let restored = bench.store.restored(&key).expect("a change set");
    assert_eq!(restored.title, "restore trash a");
    bench.store.restore(&key, NOW).expect("restored");
    assert_eq!(title(&bench), "restore trash a");
    bench.store.redo(NOW).expect("done again");
    assert_eq!(title(&bench), "redo trash a");
    assert!(!path.exists());
    bench.store.undo(None, NOW).expect("undone");
    assert_eq!(title(&bench), "undo trash a");
}

/// A manifest that somebody wrote, or that was moved: nothing outside its own folder is touched.
#[test]
fn a_manifest_that_leads_elsewhere_is_none_of_ours() {
    let bench = Bench::new();
    let path = bench.put("a.md", "a\n");
    let key = bench
        .store
        .apply(&one(Op::Trash { path }), NOW)
        .expect("trashed")
        .key;
    let trash = bench.store.trash_folder().to_path_buf();
    let mine = bench.put("mine.md", "mine\n");
    let manifest = |key: &str, name: &str| {
        format!(
            r#"{{"v":1,"key":"{key}","time":"2020-01-01T00:00:00Z","title":"t","items":[{{"name":"{name}","path":"/x"}}]}}"#
        )
    };
    let outside = bench.path("").display().to_string();
    for (folder, key, name) in [
        ("one", "../../../../memory", "mine.md"),
        ("two", outside.trim_end_matches('/'), "mine.md"),
        ("three", "", "one"),
        ("four", "four", "../../../../memory/mine.md"),
        ("five", "five", ".."),
        ("six", "six", mine.to_str().expect("text")),
    ] {
        let folder = trash.join(folder);
        fs::create_dir(&folder).expect("a folder");
        fs::write(folder.join("manifest.json"), manifest(key, name)).expect("a file");
    }
    fs::create_dir(trash.join("seven")).expect("a folder");
    fs::write(trash.join("seven/manifest.json"), "half {").expect("a file");
    fs::write(trash.join("stray"), "x").expect("a file");
    symlink(bench.path(""), trash.join("link")).expect("a link");
    let pipe = trash.join("pipe");
    fs::create_dir(&pipe).expect("a folder");
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(
        rustix::fs::CWD,
        pipe.join("manifest.json"),
        kind,
        0o600.into(),
        0,
    )
    .expect("a pipe");
    fs::write(trash.join(&key).join("theirs"), "x").expect("a file");
    let keys: Vec<String> = bench
        .store
        .trashed()
        .into_iter()
        .map(|manifest| manifest.key)
        .collect();
    assert_eq!(keys, [key.as_str()]);
    assert_eq!(bench.store.empty_trash(NOW).expect("emptied"), 1);
    assert_eq!(text(&mine), "mine\n");
    assert!(trash.join("stray").exists() && trash.join("seven").exists());
    assert!(
        trash.join(&key).join("theirs").exists(),
        "what another put there stays"
    );
    assert!(!trash.join(&key).join("0").exists() && bench.store.trashed().is_empty());
}

/// It is given another path, never opened.
#[test]
fn a_pipe_goes_to_the_trash_and_comes_back() {
    let bench = Bench::new();
    let path = bench.path("pipe.md");
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &path, kind, 0o600.into(), 0).expect("a pipe");
    let trash = one(Op::Trash { path: path.clone() });
    let key = bench.store.apply(&trash, NOW).expect("trashed").key;
    assert!(fs::symlink_metadata(&path).is_err());
    bench.store.restore(&key, NOW).expect("restored");
    assert!(
        fs::symlink_metadata(&path)
            .expect("a pipe")
            .file_type()
            .is_fifo()
    );
}

#[test]
fn what_is_still_in_the_trash_comes_back_though_the_rest_is_lost() {
    let bench = Bench::new();
    let [a, b] = ["a.md", "b.md"].map(|name| bench.put(name, name));
    let index = bench.put("MEMORY.md", "- [A](a.md)\n");
    let set = ChangeSet::new("trash both", Author::You)
        .with(write(&index, Some("- [A](a.md)\n"), "", Age::Keep), "line")
        .with(Op::Trash { path: a.clone() }, "file")
        .with(Op::Trash { path: b.clone() }, "file");
    let key = bench.store.apply(&set, NOW).expect("trashed").key;
    fs::remove_file(bench.store.trash_folder().join(&key).join("2")).expect("purged by hand");
    let restored = bench.store.restored(&key).expect("a change set");
    assert_eq!(restored.changes.len(), 1);
    let applied = bench.store.restore(&key, NOW).expect("restored");
    assert!(applied.notices[0].contains("only the files"), "{applied:?}");
    assert!(a.exists() && !b.exists());
}

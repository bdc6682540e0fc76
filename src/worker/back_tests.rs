//! How what came back is named, and what is not taken back on the screen.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use super::{brought_back, takes_along};
use crate::agents::claude::{Claude, Setup};
use crate::base::disk::Disk;
use crate::base::fault::Faults;
use crate::base::time::Moment;
use crate::store::Store;
use crate::store::change::{Author, ChangeSet, Op};

#[test]
fn what_came_back_is_named_and_an_index_by_its_project() {
    let home = tempfile::tempdir().expect("a folder");
    let memory = home.path().join("projects/-work-shop/memory");
    fs::create_dir_all(&memory).expect("a folder");
    let store = Store::new(
        &home.path().join("state"),
        home.path(),
        None,
        Faults::none(),
    );
    let trash = |names: &[&str]| {
        let mut set = ChangeSet::new("trash", Author::You);
        for name in names {
            let path = memory.join(name);
            fs::write(&path, "x").expect("a file");
            set = set.with(Op::Trash { path }, "x");
        }
        let applied = store
            .apply(&set, Moment::from_seconds(1_000))
            .expect("trashed");
        brought_back(&store, &applied.key)
    };
    assert_eq!(trash(&["a.md"]), "a.md brought back from the trash");
    assert_eq!(
        trash(&["a.md", "b.md", "c.md"]),
        "a.md and 2 more brought back from the trash"
    );
    assert_eq!(
        trash(&["MEMORY.md"]),
        "MEMORY.md of -work-shop brought back from the trash"
    );
    assert_eq!(brought_back(&store, "none"), "brought back from the trash");
    assert!(Path::new(&memory).exists());
}

/// A relink is not taken back under a session that has written into the new folder since.
#[test]
fn what_a_session_has_written_into_is_not_taken_back_unasked() {
    let home = tempfile::tempdir().expect("a folder");
    let home = fs::canonicalize(home.path()).expect("a folder");
    let projects = home.join(".claude/projects");
    let (old, new) = (projects.join("-old"), projects.join("-new"));
    fs::create_dir_all(&old).expect("a folder");
    let at = |path: &Path, seconds: u64| {
        fs::write(path, "{}\n").expect("a file");
        let file = fs::File::options().write(true).open(path).expect("a file");
        let time = UNIX_EPOCH + Duration::from_secs(seconds);
        file.set_modified(time).expect("a time");
    };
    at(&old.join("a.jsonl"), 1_000);
    let then = Moment::from_seconds(90_000);
    let store = Store::new(
        &home.join("state"),
        &home.join(".claude"),
        None,
        Faults::none(),
    );
    let set = ChangeSet::new("relink", Author::You);
    let (from, to) = (old.clone(), new.clone());
    let key = store
        .apply(&set.with(Op::Move { from, to }, "x"), then)
        .expect("moved")
        .key;
    let claude = Claude::open(Setup {
        disk: Disk::system(),
        vars: std::collections::BTreeMap::new(),
        home: home.clone(),
        config_home: None,
        cwd: home.clone(),
        now: then,
    })
    .expect("a store");
    assert_eq!(takes_along(&claude, &store, None), None);
    at(&new.join("b.jsonl"), 90_100);
    let said = takes_along(&claude, &store, Some(&key)).expect("a reason");
    assert!(said.contains("may still be at work"), "{said}");
    assert!(
        said.ends_with(&format!("`loci undo {key} --yes` does it")),
        "{said}"
    );
    let later = claude.at(Moment::from_seconds(99_000));
    let said = takes_along(&later, &store, None).expect("a reason");
    assert!(
        said.contains("a session in -new was written since"),
        "{said}"
    );
}

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::base::fault::Faults;
use crate::store::change::{Author, ChangeSet, Op};

fn now() -> Moment {
    Moment::from(std::time::SystemTime::now())
}

#[test]
fn what_is_staged_is_moved_on_by_a_change_set_and_undone_with_it() {
    let root = tempfile::tempdir().unwrap();
    let store = Store::new(
        &root.path().join("state"),
        Path::new("/c"),
        None,
        Faults::default(),
    );
    let original = root.path().join("a.jsonl");
    fs::write(&original, "one\n").unwrap();
    let wanted = Original {
        path: original.clone(),
        to: "a.jsonl".into(),
        time: None,
    };
    let disk = Disk::system();
    let stage = |wanted: &Original| store.stage(&disk, "a", std::slice::from_ref(wanted), now());
    let staged = stage(&wanted).unwrap();
    let to = store.rescued_folder().join("-srv/a.jsonl");
    let set = ChangeSet::new("rescue a", Author::You).with(
        Op::Move {
            from: staged.join("a.jsonl"),
            to: to.clone(),
        },
        "out of reach of the sweep",
    );
    store.apply(&set, now()).unwrap();
    assert_eq!(fs::read_to_string(&to).unwrap(), "one\n");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&to), 0o600);
    assert_eq!(mode(to.parent().unwrap()), 0o700);
    assert!(original.is_file(), "it is copied, not moved");
    let times = [&to, &original].map(|path| fs::metadata(path).unwrap().modified().unwrap());
    assert_eq!(times[0], times[1]);
    store.undo(None, now()).unwrap();
    assert!(!to.exists());
    store.redo(now()).unwrap();
    assert!(to.is_file());
    // Undone once more it waits for a redo; when nothing can redo it, it goes.
    store.undo(None, now()).unwrap();
    let later = Moment::from_seconds(now().seconds + 2 * YOUNG_SECONDS);
    store.stage(&disk, "b", &[], later).unwrap();
    assert!(staged.join("a.jsonl").is_file());
    fs::remove_file(store.own_file("history.jsonl")).unwrap();
    store.stage(&disk, "b", &[], later).unwrap();
    assert!(!staged.exists());
    // So it does when the trash is emptied.
    let staged = stage(&wanted).unwrap();
    let set = ChangeSet::new("rescue a", Author::You).with(
        Op::Move {
            from: staged.join("a.jsonl"),
            to: to.clone(),
        },
        "again",
    );
    store.apply(&set, now()).unwrap();
    store.undo(None, now()).unwrap();
    assert!(staged.join("a.jsonl").is_file());
    let young = stage(&wanted).unwrap();
    store.empty_trash(now()).unwrap();
    assert!(!staged.exists());
    assert!(young.join("a.jsonl").is_file(), "it may be on its way");
    store.empty_trash(later).unwrap();
    assert!(!young.exists());
    // What fails leaves nothing.
    let gone = Original {
        path: root.path().join("gone"),
        ..wanted
    };
    stage(&gone).unwrap_err();
    let left = fs::read_dir(staged.parent().unwrap()).unwrap().count();
    assert_eq!(left, 0);
}

use super::*;
use crate::base::fault::Faults;

/// A store, and a folder outside of it.
fn place(faults: Faults) -> (tempfile::TempDir, Store, std::path::PathBuf) {
    let top = tempfile::tempdir().expect("a temporary folder");
    let out = top.path().join("out");
    fs::create_dir(&out).expect("a folder");
    let store = Store::new(
        &top.path().join("state"),
        &top.path().join("home"),
        None,
        faults,
    );
    (top, store, out)
}

fn names(folder: &Path) -> Vec<String> {
    let list = fs::read_dir(folder).expect("a folder");
    list.map(|entry| {
        entry
            .expect("an entry")
            .file_name()
            .to_string_lossy()
            .into_owned()
    })
    .collect()
}

#[test]
fn what_is_there_stays_unless_it_shall_be_replaced() {
    let (_keep, store, out) = place(Faults::none());
    let path = out.join("x.tar");
    store.put_outside(&path, b"one", false).expect("it is free");
    let refused = store
        .put_outside(&path, b"two", false)
        .expect_err("it is taken");
    assert!(refused.is_conflict(), "{refused}");
    assert_eq!(fs::read(&path).expect("it is there"), b"one");
    store.put_outside(&path, b"two", true).expect("asked for");
    assert_eq!(fs::read(&path).expect("it is there"), b"two");
    assert_eq!(names(&out), ["x.tar"]);
}

#[test]
fn a_folder_or_a_link_is_never_replaced() {
    let (_keep, store, out) = place(Faults::none());
    fs::create_dir(out.join("folder")).expect("a folder");
    fs::write(out.join("theirs"), "theirs").expect("a file");
    std::os::unix::fs::symlink("theirs", out.join("link")).expect("a link");
    for name in ["folder", "link"] {
        let refused = store
            .put_outside(&out.join(name), b"one", true)
            .expect_err(name);
        assert!(refused.is_conflict(), "{name}: {refused}");
    }
    assert_eq!(
        fs::read(out.join("theirs")).expect("it is there"),
        b"theirs"
    );
    assert_eq!(names(&out).len(), 3);
}

#[test]
fn a_refusal_at_any_point_leaves_the_old_file_and_no_rest() {
    for point in [Point::Create, Point::Flush, Point::Replace] {
        let (_keep, store, out) = place(Faults::failing(point, 28));
        let path = out.join("x.tar");
        fs::write(&path, "old").expect("a file");
        let refused = store.put_outside(&path, b"new", true).expect_err("no room");
        assert!(refused.to_string().contains("x.tar"), "{refused}");
        assert_eq!(fs::read(&path).expect("it is there"), b"old");
        assert_eq!(names(&out), ["x.tar"], "{point:?}");
    }
}

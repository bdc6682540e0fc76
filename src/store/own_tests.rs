use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::base::fault::{Faults, Point};

fn store(top: &std::path::Path, faults: Faults) -> Store {
    Store::new(top, std::path::Path::new("/home/u/.claude"), None, faults)
}

#[test]
fn a_file_of_ours_is_put_in_place_whole_and_closed_to_others() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let store = store(top.path(), Faults::none());
    store
        .revise_own("x.json", |before| {
            assert!(before.is_empty());
            Some(b"one".to_vec())
        })
        .expect("it is written");
    let path = store.own_file("x.json");
    let inode =
        |path| std::os::unix::fs::MetadataExt::ino(&fs::metadata(path).expect("it is there"));
    let first = inode(&path);
    store
        .revise_own("x.json", |before| {
            assert_eq!(before, b"one");
            None
        })
        .expect("nothing is new");
    assert_eq!(inode(&path), first, "it was not written again");
    store
        .revise_own("x.json", |_| Some(b"two".to_vec()))
        .expect("it is written");
    assert_eq!(fs::read(&path).expect("it is there"), b"two");
    let mode = fs::metadata(&path)
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn what_is_refused_leaves_the_older_one_and_nothing_beside_it() {
    let top = tempfile::tempdir().expect("a temporary folder");
    store(top.path(), Faults::none())
        .revise_own("x.json", |_| Some(b"one".to_vec()))
        .expect("it is written");
    for point in [Point::Create, Point::Flush] {
        let store = store(top.path(), Faults::failing(point, 28));
        assert!(
            store
                .revise_own("x.json", |_| Some(b"two".to_vec()))
                .is_err()
        );
        assert_eq!(
            fs::read(store.own_file("x.json")).expect("it is there"),
            b"one"
        );
        let names = fs::read_dir(store.own_file("x.json").parent().expect("a folder"));
        let left = names
            .expect("a list")
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with(".loci-"));
        assert_eq!(left.count(), 0, "{point:?}");
    }
}

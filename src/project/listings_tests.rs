use std::fs;

use super::*;

fn old(folder: &Path, seconds: u64) {
    let time = SystemTime::now() - Duration::from_secs(seconds);
    let file = fs::File::open(folder).expect("a folder");
    file.set_modified(time).expect("its time is set");
}

fn all(names: &Names) -> Vec<&str> {
    let mut all: Vec<&str> = names.values().flatten().map(String::as_str).collect();
    all.sort_unstable();
    all
}

#[test]
fn a_folder_is_listed_anew_once_it_has_changed() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let (disk, listings) = (Disk::system(), Listings::default());
    for name in ["sea-eagle", "sea_eagle"] {
        fs::create_dir(top.path().join(name)).expect("a folder");
    }
    old(top.path(), 60);
    let first = listings.names(&disk, top.path()).expect("it is listed");
    assert_eq!(first.keys().collect::<Vec<_>>(), ["sea-eagle"]);
    let again = listings.names(&disk, top.path()).expect("it is listed");
    assert!(Arc::ptr_eq(&first, &again), "it was not listed twice");
    fs::create_dir(top.path().join("owl")).expect("a folder");
    let then = listings.names(&disk, top.path()).expect("it is listed");
    assert_eq!(all(&then), ["owl", "sea-eagle", "sea_eagle"]);
    fs::remove_dir(top.path().join("owl")).expect("it goes");
    old(top.path(), 50);
    let then = listings.names(&disk, top.path()).expect("it is listed");
    assert_eq!(all(&then), ["sea-eagle", "sea_eagle"]);
}

#[test]
fn what_changed_just_now_is_not_kept() {
    let top = tempfile::tempdir().expect("a temporary folder");
    let (disk, listings) = (Disk::system(), Listings::default());
    let first = listings.names(&disk, top.path()).expect("it is listed");
    let again = listings.names(&disk, top.path()).expect("it is listed");
    assert!(!Arc::ptr_eq(&first, &again));
    assert!(listings.names(&disk, &top.path().join("gone")).is_err());
}

use std::fs;

use super::*;

fn disk(folders: &[&str]) -> (tempfile::TempDir, Disk) {
    let top = tempfile::tempdir().expect("a temporary folder");
    for folder in folders {
        fs::create_dir_all(top.path().join(folder.trim_start_matches('/'))).expect("a folder");
    }
    let disk = Disk::below(top.path()).expect("a sysroot");
    (top, disk)
}

fn found(folders: &[&str], key: &str) -> Vec<String> {
    let (_top, disk) = disk(folders);
    let (found, cut) = walk(&disk, &Listings::default(), key);
    assert!(!cut);
    found
        .iter()
        .map(|path| path.display().to_string())
        .collect()
}

#[test]
fn a_dash_may_be_a_slash_or_any_other_character() {
    let folders = [
        "/srv/demo/sea-eagle",
        "/srv/demo/sea/eagle",
        "/srv/demo/sea_eagle",
        "/srv/demo/seal",
    ];
    assert_eq!(
        found(&folders, "-srv-demo-sea-eagle"),
        [
            "/srv/demo/sea/eagle",
            "/srv/demo/sea-eagle",
            "/srv/demo/sea_eagle"
        ]
    );
    assert_eq!(found(&folders, "-srv-demo-seal"), ["/srv/demo/seal"]);
    assert!(found(&folders, "-srv-demo-seals").is_empty());
    assert!(found(&folders, "E--Nest-Box").is_empty());
}

#[test]
fn hidden_folders_emoji_and_long_paths_are_followed() {
    assert_eq!(found(&["/u/.x/y.z"], "-u--x-y-z"), ["/u/.x/y.z"]);
    assert_eq!(found(&["/u/🚀/y"], "-u----y"), ["/u/🚀/y"]);
    let long = format!("/srv/{}/{}/end", "a".repeat(150), "b".repeat(150));
    let other = format!("/srv/{}/{}/other", "a".repeat(150), "b".repeat(150));
    let key = key::encode(&long);
    assert_eq!(found(&[&long, &other], &key), [long]);
}

#[test]
fn it_enters_only_what_leads_on_and_no_link() {
    let (top, disk) = disk(&["/srv/a", "/etc/a"]);
    std::os::unix::fs::symlink("/srv", top.path().join("x")).expect("a link");
    assert!(walk(&disk, &Listings::default(), "-x-a").0.is_empty());
    for number in 0..50 {
        fs::create_dir(top.path().join(format!("srv/other-{number}"))).expect("a folder");
    }
    let listings = Listings::default();
    let mut watched = Walk {
        disk: &disk,
        listings: &listings,
        key: "-srv-a",
        found: Vec::new(),
        left: 3,
    };
    watched.enter(Path::new("/"), "-");
    assert_eq!(watched.found, [Path::new("/srv/a")]);
    assert_eq!(
        watched.left, 1,
        "the root and /srv were listed, nothing else"
    );
}

/// A long path's key says nothing of what lies deep: where there is too much of it the walk says that it
/// has not seen all.
#[test]
fn a_walk_that_is_too_long_is_cut_and_says_so() {
    let (top, disk) = disk(&[]);
    let deep = format!("srv/{}", "a".repeat(210));
    for number in 0..2_100 {
        fs::create_dir_all(top.path().join(format!("{deep}/{number}"))).expect("a folder");
    }
    let key = key::encode(&format!("/{deep}/gone"));
    let (found, cut) = walk(&disk, &Listings::default(), &key);
    assert!(found.is_empty() && cut);
}

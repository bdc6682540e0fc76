use std::os::unix::fs::symlink;

use super::*;

fn sysroot() -> (tempfile::TempDir, Disk) {
    let root = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(root.path().join("srv/real/deep")).expect("a folder");
    fs::write(root.path().join("srv/real/a.md"), "a").expect("a file");
    symlink("/srv/real", root.path().join("srv/link")).expect("a link");
    symlink(
        "../../../../../../srv/real/a.md",
        root.path().join("srv/up.md"),
    )
    .expect("a link");
    symlink("loop", root.path().join("srv/loop")).expect("a link");
    let disk = Disk::below(root.path()).expect("a sysroot");
    (root, disk)
}

#[test]
fn absolute_links_stay_below_the_sysroot() {
    let (_keep, disk) = sysroot();
    assert_eq!(
        disk.resolve(Path::new("/srv/link/deep")).expect("a folder"),
        Path::new("/srv/real/deep")
    );
    assert_eq!(
        disk.read(Path::new("/srv/link/a.md")).expect("a file"),
        b"a"
    );
}

#[test]
fn nothing_leads_out_of_the_sysroot() {
    let (_keep, disk) = sysroot();
    assert_eq!(disk.read(Path::new("/srv/up.md")).expect("a file"), b"a");
    assert_eq!(
        disk.resolve(Path::new("/../../srv/./real/.."))
            .expect("a folder"),
        Path::new("/srv")
    );
    assert!(disk.read(Path::new("/etc/hostname")).is_err());
}

#[test]
fn loops_and_missing_parts_are_errors() {
    let (_keep, disk) = sysroot();
    assert!(disk.resolve(Path::new("/srv/loop")).is_err());
    assert!(disk.resolve(Path::new("/srv/real/a.md/x")).is_err());
    assert_eq!(
        disk.resolve_existing(Path::new("/srv/link/new/er")),
        Path::new("/srv/real/new/er")
    );
}

#[test]
fn only_regular_files_are_read() {
    let (_keep, disk) = sysroot();
    assert!(disk.read(Path::new("/srv/real")).is_err());
    assert!(Disk::system().read(Path::new("/dev/zero")).is_err());
}

#[test]
fn a_listing_tells_links_from_files() {
    let (_keep, disk) = sysroot();
    let mut items: Vec<_> = disk
        .list(Path::new("/srv"))
        .expect("a listing")
        .into_iter()
        .map(|item| (item.name, item.kind))
        .collect();
    items.sort();
    assert_eq!(items[0], ("link".into(), Kind::Link));
    assert_eq!(items[2], ("real".into(), Kind::Folder));
}

#[test]
fn a_pipe_is_refused_not_waited_for() {
    let (keep, disk) = sysroot();
    let pipe = keep.path().join("srv/pipe.md");
    rustix::fs::mknodat(CWD, &pipe, rustix::fs::FileType::Fifo, 0o600.into(), 0).expect("a pipe");
    assert!(disk.read(Path::new("/srv/pipe.md")).is_err());
    assert!(Disk::system().read(&pipe).is_err());
}

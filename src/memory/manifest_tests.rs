use std::fs;
use std::time::{Duration, SystemTime};

use super::*;

fn write(folder: &Path, path: &str, text: &[u8], age_days: u64) {
    let place = folder.join(path);
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    fs::write(&place, text).unwrap();
    let then = SystemTime::UNIX_EPOCH + Duration::from_hours(24 * (20_000 - age_days));
    fs::File::open(&place).unwrap().set_modified(then).unwrap();
}

fn paths(manifest: &Manifest) -> Vec<&str> {
    manifest
        .candidates
        .iter()
        .map(|one| &*one.memory.path)
        .collect()
}

#[test]
fn a_line_says_type_file_day_and_description() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "MEMORY.md", b"- [a](a.md)", 0);
    write(folder, "logs/2024/10/2024-10-01.md", b"log", 0);
    write(
        folder,
        "a.md",
        b"---\nname: a\ndescription: |\n  Take a\n  snapshot\ntype: project\n---\nb",
        3,
    );
    write(folder, "team/b.md", b"text", 1);
    let manifest = scan(&Disk::system(), folder);
    assert_eq!(
        manifest.text(),
        "- [no type] team/b.md (saved 2024-10-03): no description\n- [project] a.md (saved 2024-10-01): Take a snapshot"
    );
    assert!(manifest.find("a.md").is_some() && manifest.find("MEMORY.md").is_none());
}

#[test]
fn the_tiny_layout_goes_by_created() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    write(folder, "old.md", b"---\ncreated: 2024-01-01\n---\nb", 0);
    write(folder, "new.md", b"---\ncreated: 2024-02-01\n---\nb", 9);
    let manifest = scan(&Disk::system(), folder);
    assert_eq!(paths(&manifest), ["new.md", "old.md"]);
    assert!(manifest.candidates[0].line().contains("(saved 2024-02-01)"));
    // With an index it is the classic one, and the file's time holds.
    write(folder, "MEMORY.md", b"", 0);
    assert_eq!(paths(&scan(&Disk::system(), folder)), ["old.md", "new.md"]);
}

#[test]
fn the_newest_two_hundred_are_told_of_and_the_rest_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for number in 0..203_u64 {
        write(folder, &format!("m{number:03}.md"), b"x", number);
    }
    std::os::unix::fs::symlink("nowhere.md", folder.join("gone.md")).unwrap();
    let manifest = scan(&Disk::system(), folder);
    assert_eq!(
        (manifest.candidates.len(), manifest.beyond, manifest.unread),
        (200, 3, 1)
    );
    assert_eq!(&*manifest.candidates[199].memory.path, "m199.md");
    assert_eq!(scan_all(&Disk::system(), folder).candidates.len(), 203);
    assert_eq!(
        scan(&Disk::system(), &folder.join("none")),
        Manifest::default()
    );
}

#[test]
fn a_search_by_words_says_all_that_a_list_needs() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "---\nname: db-backup\ndescription: Take a snapshot before migrating\ntype: project\n---\nb";
    write(folder, "db-backup.md", text.as_bytes(), 3);
    write(
        folder,
        "fonts.md",
        b"---\nname: fonts\n---\nThe licence of the font",
        2,
    );
    let now = Moment::from_seconds(20_000 * 24 * 60 * 60);
    let manifest = scan_all(&Disk::system(), folder);
    let found = manifest.related("snapshots for migrations", 5, now);
    assert_eq!(found.len(), 1);
    let one = &found[0];
    assert_eq!(
        (one.path.as_str(), one.kind.as_deref()),
        ("db-backup.md", Some("project"))
    );
    assert_eq!(one.name.as_deref(), Some("db-backup"));
    assert_eq!(
        one.description.as_deref(),
        Some("Take a snapshot before migrating")
    );
    assert_eq!(one.saved.map(Moment::date).as_deref(), Some("2024-10-01"));
    assert_eq!(one.words.len(), 2);
    assert!(one.score > 0.4);
    assert!(manifest.related("haiku", 5, now).is_empty());
    assert_eq!(manifest.related("snapshot font", 1, now).len(), 1);
}

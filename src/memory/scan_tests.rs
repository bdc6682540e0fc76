use std::fs;
use std::os::unix::fs::symlink;

use super::*;

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let root = tempfile::tempdir().expect("a temporary folder");
    for (path, bytes) in files {
        let file = root.path().join("memory").join(path);
        fs::create_dir_all(file.parent().expect("a parent")).expect("a folder");
        fs::write(file, bytes).expect("a file");
    }
    root
}

fn scan(root: &tempfile::TempDir) -> Vec<Memory> {
    let disk = Disk::system();
    let folder = root.path().join("memory");
    let listed = list(&disk, &folder).memories;
    heads(&disk, &folder, listed)
}

const GOOD: &[u8] = b"---\nname: a\ndescription: d\nmetadata:\n  type: user\n---\nbody\n";

#[test]
fn every_markdown_file_is_a_memory_but_indexes_logs_and_hidden_folders() {
    let root = folder(&[
        ("MEMORY.md", b"- [A](a.md)\n"),
        ("a.md", GOOD),
        ("sub/b.md", GOOD),
        ("team/c.md", GOOD),
        ("team/MEMORY.md", b""),
        ("learnings/d.md", GOOD),
        ("logs/2026/11/2026-11-30.md", b"x"),
        ("logs/2026/10/2026-10-01.md", b"x"),
        (".loci/e.md", GOOD),
        ("notes.txt", b"x"),
        ("UPPER.MD", GOOD),
    ]);
    let listing = list(&Disk::system(), &root.path().join("memory"));
    let paths: Vec<_> = listing
        .memories
        .iter()
        .map(|file| file.path.as_str())
        .collect();
    assert_eq!(paths, ["a.md", "learnings/d.md", "sub/b.md", "team/c.md"]);
    assert_eq!(
        listing.logs,
        ["logs/2026/11/2026-11-30.md", "logs/2026/10/2026-10-01.md"]
    );
    assert!(listing.index && listing.team_index && listing.faults.is_empty());
    let drawers: Vec<_> = scan(&root).iter().map(|memory| memory.drawer).collect();
    assert_eq!(
        drawers,
        [
            Drawer::Private,
            Drawer::Learnings,
            Drawer::Private,
            Drawer::Team
        ]
    );
}

#[test]
fn states_say_the_worst_first() {
    let root = folder(&[
        ("a.md", GOOD),
        ("b.md", b"no front matter\n"),
        ("c.md", b"---\nname: [x\n---\n"),
        ("d.md", b"---\ntype: user\n---\n\xff\xfe\n"),
        ("e.md", b"---\ntype: mood\n---\n"),
    ]);
    let states: Vec<_> = scan(&root).iter().map(|memory| memory.state).collect();
    assert_eq!(
        states,
        [
            State::Ok,
            State::NoType,
            State::Broken,
            State::NotText,
            State::NoType
        ]
    );
    assert_eq!(scan(&root)[4].kind, MemoryType::Unknown("mood".into()));
}

#[test]
fn links_are_followed_only_inside_the_folder() {
    let root = folder(&[("a.md", GOOD)]);
    let memory = root.path().join("memory");
    fs::write(root.path().join("outside.md"), GOOD).expect("a file");
    symlink("a.md", memory.join("in.md")).expect("a link");
    symlink("../outside.md", memory.join("out.md")).expect("a link");
    symlink("gone.md", memory.join("dangling.md")).expect("a link");
    symlink("loop.md", memory.join("loop.md")).expect("a link");
    symlink("/dev/zero", memory.join("zero.md")).expect("a link");
    let found: Vec<_> = scan(&root)
        .into_iter()
        .map(|memory| (memory.path.to_string(), memory.state))
        .collect();
    let of = |path: &str| {
        found
            .iter()
            .find(|(name, _)| name == path)
            .map(|(_, state)| *state)
    };
    assert_eq!(of("in.md"), Some(State::Ok));
    for path in ["out.md", "dangling.md", "loop.md", "zero.md"] {
        assert_eq!(of(path), Some(State::Unsafe), "{path}");
    }
}

#[test]
fn a_long_file_whose_head_parts_a_character_is_text() {
    let long = format!("---\ntype: user\n---\n{}", "é".repeat(HEAD_BYTES));
    assert_eq!(
        scan(&folder(&[("a.md", long.as_bytes())]))[0].state,
        State::Ok
    );
    let odd = format!("---\ntype: user\n---\nx{}", "é".repeat(HEAD_BYTES));
    assert_eq!(
        scan(&folder(&[("a.md", odd.as_bytes())]))[0].state,
        State::Ok
    );
    assert_eq!(
        scan(&folder(&[("a.md", b"---\ntype: user\n---\n\xc3")]))[0].state,
        State::NotText
    );
}

#[test]
fn what_no_pointer_leads_to_is_a_ghost() {
    let mut memories = scan(&folder(&[
        ("a.md", GOOD),
        ("b.md", GOOD),
        ("c.md", b"---\nname: [x\n---\n"),
    ]));
    mark_ghosts(&mut memories, &[true, false, false]);
    assert_eq!(
        memories
            .iter()
            .map(|memory| memory.state)
            .collect::<Vec<_>>(),
        [State::Ok, State::Ghost, State::Broken]
    );
}

#[test]
fn a_folder_that_is_not_there_is_empty() {
    let listing = list(&Disk::system(), Path::new("/nowhere/memory"));
    assert!(listing.memories.is_empty() && listing.faults.is_empty());
}

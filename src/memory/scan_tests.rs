use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
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
    let odd = OsStr::from_bytes(b"odd\xff.md");
    fs::write(memory.join(odd), GOOD).expect("a file");
    // What the lossy name would lead to is not taken for it.
    let literal = "---\nname: other\ntype: user\n---\n";
    fs::write(memory.join("odd\u{FFFD}.md"), literal).expect("a file");
    let found = scan(&root);
    let of = |path: &str| found.iter().find(|memory| &*memory.path == path).unwrap();
    assert_eq!((of("in.md").state, &of("in.md").unread), (State::Ok, &None));
    for (path, why) in [
        ("out.md", "outside.md, out of the memory folder"),
        ("dangling.md", "a link to gone.md, where nothing is"),
        ("loop.md", "can't be read"),
        ("zero.md", "a link to /dev/zero, out of the memory folder"),
    ] {
        let memory = of(path);
        assert_eq!(memory.state, State::Unsafe, "{path}");
        let said = memory.unread.as_ref().unwrap().to_string();
        assert!(said.contains(why), "{path}: {said}");
    }
    assert_eq!(of("dangling.md").modified, None);
    let odd: Vec<_> = found
        .iter()
        .filter(|memory| memory.path.starts_with("odd"))
        .map(|memory| (memory.name.as_deref(), &memory.unread))
        .collect();
    assert_eq!(odd.len(), 2);
    assert!(odd.contains(&(Some("other"), &None)));
    assert!(odd.contains(&(None, &Some(Unread::OddName))));
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

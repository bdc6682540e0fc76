use std::fs;

use crate::base::disk::Disk;
use crate::memory::backlinks::{Links, read};

fn links(files: &[(&str, &str)]) -> Links {
    let root = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("a file");
    }
    read(&Disk::default(), root.path())
}

fn of(links: &Links, path: &str) -> Vec<String> {
    links.of(path).map(str::to_string).collect()
}

fn to(links: &Links, path: &str) -> Vec<String> {
    links.to(path).map(str::to_string).collect()
}

#[test]
fn a_memory_links_by_name_by_file_and_by_the_name_of_its_front_matter() {
    let links = links(&[
        (
            "a.md",
            "---\nname: a\n---\nSee [[b]], [[b|again]], [[Two Words]] and [it](sub/d.md#part).\n",
        ),
        ("b.md", "---\nname: b\n---\nBack to [[a#head]].\n"),
        ("c.md", "---\nname: Two Words\n---\nNothing.\n"),
        ("sub/d.md", "---\nname: d\n---\n[here](e.md) and [[c]]\n"),
        ("sub/e.md", "---\nname: e\n---\n[[e]] itself\n"),
        ("MEMORY.md", "- [a](a.md)\n"),
    ]);
    assert_eq!(of(&links, "a.md"), ["b.md", "c.md", "sub/d.md"]);
    assert_eq!(of(&links, "b.md"), ["a.md"]);
    assert_eq!(of(&links, "sub/d.md"), ["c.md", "sub/e.md"]);
    assert_eq!(to(&links, "c.md"), ["a.md", "sub/d.md"]);
    assert_eq!(to(&links, "a.md"), ["b.md"], "the index is no memory");
    assert_eq!(of(&links, "sub/e.md"), [""; 0], "not to itself");
}

#[test]
fn code_comments_and_front_matter_hold_no_links() {
    let links = links(&[
        (
            "a.md",
            "---\nname: a\ndescription: see [[b]]\n---\n`[[b]]` <!-- [[b]] -->\n\n```\n[[b]]\n```\n",
        ),
        (
            "b.md",
            "---\nname: b\n---\n[gone](gone.md) [[nobody]] [web](https://b.md)\n",
        ),
    ]);
    assert_eq!(of(&links, "a.md"), [""; 0]);
    assert_eq!(of(&links, "b.md"), [""; 0]);
}

#[test]
fn of_two_memories_of_one_name_the_one_in_the_same_folder_is_meant() {
    let links = links(&[
        ("a.md", "---\nname: a\n---\n[[board]]\n"),
        ("board.md", "---\nname: board\n---\nPrivate.\n"),
        ("team/b.md", "---\nname: b\n---\n[[board]] and [[a]]\n"),
        ("team/board.md", "---\nname: board\n---\nShared.\n"),
    ]);
    assert_eq!(of(&links, "team/b.md"), ["a.md", "team/board.md"]);
    assert_eq!(of(&links, "a.md"), ["board.md"]);
}

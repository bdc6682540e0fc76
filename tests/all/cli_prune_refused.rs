//! `prune`, and removals of many, where the disk refuses half-way: nothing is lost, what was done is
//! said and can be restored.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli_home::ran;
use crate::cli_project_home::{last_change, memory, orphan, pictured, projects, set_age};
use crate::cli_write_home::{Apart, Desk};

/// The modes and times of a folder and all below it, links too.
fn tree(folder: &Path) -> Vec<(PathBuf, u32, i64, i64)> {
    fn walk(path: &Path, root: &Path, found: &mut Vec<(PathBuf, u32, i64, i64)>) {
        let data = fs::symlink_metadata(path).unwrap();
        let name = path.strip_prefix(root).unwrap().to_path_buf();
        found.push((name, data.mode(), data.mtime(), data.mtime_nsec()));
        if data.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                walk(&entry.unwrap().path(), root, found);
            }
        }
    }
    let mut found = Vec::new();
    walk(folder, folder, &mut found);
    found.sort();
    found
}

/// Sub-folders, a link, an empty folder and a closed file, over to another file system.
fn odd_tree(desk: &Desk) -> (String, PathBuf) {
    let key = orphan(desk, "gone");
    let folder = projects(desk).join(&key);
    fs::create_dir_all(folder.join("memory/team")).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    symlink("a.md", folder.join("memory/l.md")).unwrap();
    let secret = folder.join("secret");
    fs::write(&secret, "s").unwrap();
    set_age(&secret, 9);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    fs::set_permissions(folder.join("empty"), fs::Permissions::from_mode(0o555)).unwrap();
    (key, folder)
}

#[test]
fn de04_the_whole_tree_goes_over_to_another_file_system() {
    let Some(desk) = Desk::new().apart(Apart::Trash) else {
        return;
    };
    let (key, folder) = odd_tree(&desk);
    let before = tree(&folder);
    desk.done(&["prune", &key, "--yes", "--with-memories", &key]);
    assert!(!folder.exists());
    let trashed = desk.trash().join(last_change(&desk)).join("0");
    assert_eq!(tree(&trashed), before);
    desk.done(&["undo"]);
    assert_eq!(tree(&folder), before);
}

/// Whatever the copy is refused at, nothing has been removed and nothing lies in the trash.
#[test]
fn de04_a_refusal_half_way_removes_nothing() {
    for (refused, at) in (1..).enumerate() {
        let Some(desk) = Desk::new().apart(Apart::Trash) else {
            return;
        };
        let (key, folder) = odd_tree(&desk);
        let before = tree(&folder);
        let mut command = desk.command(&["prune", &key, "--yes", "--with-memories", &key]);
        // The copy of the tree begins where the rename has failed.
        let ran = ran(command.env("LOCI_TEST_FAIL", format!("create:13:{at}")));
        if ran.code == Some(0) {
            assert!(refused > 3, "only {refused} of them: {ran:?}");
            return;
        }
        assert_eq!(ran.code, Some(3), "{ran:?}");
        if !folder.exists() {
            // It had gone whole when the history could not be written, and the way back was refused as
            // well: the next command that writes takes it back.
            assert_eq!(desk.json(&["history"]), json!({"history": []}));
            desk.done(&["trash", "--empty"]);
        }
        assert_eq!(tree(&folder), before, "at {at}: {ran:?}");
        assert_eq!(desk.json(&["trash"]), json!({"trash": []}), "at {at}");
    }
}

/// Five folders, the fourth can't go: three are in the trash and come back by their keys, two stand.
#[test]
fn de06_what_was_done_before_a_refusal_can_be_restored() {
    for at in 1..200 {
        let desk = Desk::new();
        let keys: Vec<String> = (1..=5)
            .map(|number| orphan(&desk, &format!("gone{number}")))
            .collect();
        let before = pictured(&desk);
        let mut arguments = vec!["prune", "--yes"];
        for key in &keys {
            arguments.extend([key, "--with-memories", key]);
        }
        let mut command = desk.command(&arguments);
        let ran = ran(command.env("LOCI_TEST_FAIL", format!("rename:13:{at}")));
        let there: Vec<bool> = keys
            .iter()
            .map(|key| projects(&desk).join(key).exists())
            .collect();
        if there != [false, false, false, true, true] {
            continue;
        }
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert!(ran.err.contains(&keys[3]), "it says which: {ran:?}");
        for key in &keys[..3] {
            assert!(
                ran.out.contains(&format!("prune {key}  ")),
                "what is done is said: {ran:?}"
            );
        }
        let trash = desk.json(&["trash"]);
        let trashed = trash["trash"].as_array().unwrap();
        assert_eq!(trashed.len(), 3);
        for manifest in trashed {
            desk.done(&["restore", manifest["key"].as_str().unwrap()]);
        }
        assert_eq!(pictured(&desk), before);
        return;
    }
    panic!("no point stopped it at the fourth");
}

/// The same of memories: the index loses the lines of those that went.
#[test]
fn de06_of_five_memories_the_index_keeps_the_lines_of_those_that_stay() {
    for at in 1..400 {
        let desk = Desk::new();
        let names: Vec<String> = (1..=5).map(|number| format!("f{number}")).collect();
        let key = desk.memory();
        let key = key
            .parent()
            .unwrap()
            .file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .to_string();
        for name in &names {
            memory(&desk, &key, name, "x");
        }
        let before = desk.memories();
        let arguments: Vec<&str> = std::iter::once("rm")
            .chain(names.iter().map(String::as_str))
            .collect();
        let mut command = desk.command(&arguments);
        let ran = ran(command.env("LOCI_TEST_FAIL", format!("rename:13:{at}")));
        let there: Vec<bool> = names
            .iter()
            .map(|name| desk.has(&format!("{name}.md")))
            .collect();
        if there != [false, false, false, true, true] {
            continue;
        }
        assert_eq!(ran.code, Some(3), "{ran:?}");
        assert_eq!(
            desk.read("MEMORY.md"),
            "- [f4](f4.md) — x\n- [f5](f5.md) — x\n"
        );
        let trash = desk.json(&["trash"]);
        let keys = trash["trash"].as_array().unwrap().iter();
        let keys: Vec<&Value> = keys.map(|manifest| &manifest["key"]).collect();
        assert_eq!(keys.len(), 3);
        for key in keys {
            desk.done(&["restore", key.as_str().unwrap()]);
        }
        assert_eq!(
            desk.memories().keys().collect::<Vec<_>>(),
            before.keys().collect::<Vec<_>>()
        );
        assert_eq!(desk.memories()["f1.md"], before["f1.md"]);
        return;
    }
    panic!("no point stopped it at the fourth");
}

//! Project folders that can't be read or told whole: what is refused, what is left out, and that all of it
//! is said.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli_project_home::{
    folder, key, listed, memory, orphan, pictured, projects, transcript,
};
use crate::cli_write_home::Desk;

const ID: &str = "21111111-1111-4111-8111-111111111111";

/// A project whose path is gone, with a session and no memory.
fn bare(desk: &Desk, name: &str) -> String {
    let path = desk.root().join(name);
    let key = key(desk, &path);
    transcript(desk, &key, ID, &[&path], 5);
    key
}

/// A memory folder that can't be listed may hold memories: its project goes only when that is said twice.
#[test]
fn memories_that_can_t_be_told_are_taken_for_memories() {
    let desk = Desk::new();
    let gone = bare(&desk, "gone");
    symlink("memory", projects(&desk).join(&gone).join("memory")).unwrap();
    let before = pictured(&desk);
    for what in ["prune", "forget"] {
        let ran = desk.run(&[what, &gone, "--yes"]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(
            ran.out.contains("  memory   more that can't be told: "),
            "{ran:?}"
        );
        let with =
            format!("--with-memories {gone} does it (memories that can't be told may go too)");
        assert!(ran.err.contains(&with), "{ran:?}");
    }
    assert_eq!(pictured(&desk), before);
    let done = desk.json(&["prune", &gone, "--yes", "--with-memories", &gone]);
    assert_eq!(done["untold"].as_array().unwrap().len(), 1, "{done}");
    assert!(!projects(&desk).join(&gone).exists());
}

#[test]
fn a_linked_memory_folder_counts_everywhere_alike_and_is_asked_for() {
    let desk = Desk::new();
    let other = orphan(&desk, "other");
    let gone = bare(&desk, "gone");
    let real = desk.root().join("real");
    fs::rename(projects(&desk).join(&other).join("memory"), &real).unwrap();
    symlink(&real, projects(&desk).join(&gone).join("memory")).unwrap();
    assert_eq!(listed(&desk, &gone)["memories"], 2);
    let all = desk.json(&["ls", "--all"]);
    let of = |project: &&Value| project["key"] == json!(gone);
    let projects_there = all["projects"].as_array().unwrap();
    let project = projects_there.iter().find(of).unwrap();
    assert_eq!(
        project["memories"].as_array().unwrap().len(),
        2,
        "{project}"
    );
    let said = desk.refused(&["prune", &gone, "--yes"], 2, "confirm");
    assert!(said.contains("2 memories go too"), "{said}");
    let done = desk.json(&["prune", &gone, "--yes", "--with-memories", &gone]);
    let note = done["notes"].to_string();
    assert!(
        note.contains("the link goes, what it leads to stays"),
        "{note}"
    );
    assert!(real.join("alpha.md").is_file());
}

/// One that can't be read does not stop the others; alone it is refused.
#[test]
fn an_export_leaves_out_what_can_t_be_read_and_says_so() {
    let desk = Desk::new();
    let (good, bad) = (orphan(&desk, "good"), bare(&desk, "bad"));
    fs::write(projects(&desk).join(&bad).join("memory"), "no folder").unwrap();
    let at = |name: &str| desk.root().join(name).to_str().unwrap().to_string();
    let ran = desk.run(&["export", "--all", "--json", &at("x.tar")]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let done = ran.json();
    let packed: Vec<&Value> = done["projects"].as_array().unwrap().iter().collect();
    assert_eq!(packed.len(), 1, "{done}");
    assert_eq!(packed[0]["key"], json!(good));
    let left = &done["left_out"][0];
    assert_eq!((&left["key"], &left["path"]), (&json!(bad), &json!("")));
    assert!(
        ran.err.contains("left out: ") && ran.err.contains("can't be read: "),
        "{ran:?}"
    );
    assert!(Path::new(&at("x.tar")).is_file());
    desk.refused(&["export", &at("y.tar"), &bad], 3, "unreadable");
    assert!(!Path::new(&at("y.tar")).exists());
}

/// A folder whose name is no UTF-8 can't be reached by the key that is shown of it.
#[test]
fn a_key_that_is_no_utf_8_is_noted_and_refused() {
    let desk = Desk::new();
    let name = OsStr::from_bytes(b"-bad-\xff\xfe");
    let place = projects(&desk).join(name);
    fs::create_dir_all(place.join("memory")).unwrap();
    fs::write(place.join("memory/a.md"), "x").unwrap();
    let good = orphan(&desk, "good");
    let key = name.to_string_lossy().into_owned();
    let note = listed(&desk, &key)["notes"].to_string();
    assert!(note.contains("is no UTF-8"), "{note}");
    let new = folder(&desk, "new");
    let before = pictured(&desk);
    for arguments in [
        ["prune", &key, "--yes"].as_slice(),
        &["prune", &good, &key, "--yes", "--with-memories", &good],
        &["forget", &key, "--yes", "--with-memories", &key],
        &["relink", &key, new.to_str().unwrap(), "--dry-run"],
        &["merge", &key, &good],
        &["merge", &good, &key],
        &["split", &key],
    ] {
        let said = desk.refused(arguments, 2, "refused");
        assert!(said.contains("is no UTF-8: rename it"), "{said}");
    }
    let file = desk.root().join("x.tar");
    let ran = desk.run(&["export", "--all", "--json", file.to_str().unwrap()]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.json()["left_out"][0]["key"], json!(key));
    desk.refused(
        &["export", file.to_str().unwrap(), &key, "--yes"],
        2,
        "refused",
    );
    assert_eq!(pictured(&desk), before);
}

/// What was asked to be rewritten and can't be is said; the rest is done.
#[test]
fn what_can_t_be_rewritten_is_said() {
    let home = |desk: &Desk| desk.root().join("home");
    let broken = |desk: &Desk| {
        fs::write(home(desk).join(".claude.json"), "{\"projects\":{\"/a\":{},").unwrap();
        let history = projects(desk).with_file_name("history.jsonl");
        symlink("nowhere", history).unwrap();
    };
    for also in ["history", "claude-json", "history,claude-json", ""] {
        let desk = Desk::new();
        let old = orphan(&desk, "old");
        broken(&desk);
        let new = folder(&desk, "new");
        let mut arguments = vec!["relink", &old, new.to_str().unwrap(), "--json"];
        if !also.is_empty() {
            arguments.extend(["--also", also]);
        }
        let ran = desk.run(&arguments);
        let undone = also.split(',').filter(|kind| !kind.is_empty()).count();
        assert_eq!(ran.code, Some(i32::from(undone > 0)), "{ran:?}");
        assert_eq!(
            ran.err.matches("loci: not done: ").count(),
            undone,
            "{ran:?}"
        );
        let done = ran.json();
        let told = done["undone"].as_array().map_or(0, Vec::len);
        assert_eq!(told, undone, "{done}");
        assert_eq!(
            done["notes"].as_array().unwrap().len(),
            2 - undone,
            "{done}"
        );
        assert!(!projects(&desk).join(&old).exists());
    }
    let desk = Desk::new();
    let gone = bare(&desk, "gone");
    broken(&desk);
    let ran = desk.run(&["forget", &gone, "--yes"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for said in [
        "history.jsonl is a link to nowhere",
        ".claude.json is no JSON",
    ] {
        assert!(ran.err.contains(said), "{ran:?}");
    }
    assert!(!projects(&desk).join(&gone).exists());
}

/// A disk fault is told as such.
#[test]
fn an_index_that_can_t_be_read_is_a_disk_fault() {
    let desk = Desk::new();
    let (one, two) = (bare(&desk, "one"), orphan(&desk, "two"));
    memory(&desk, &one, "b", "It comes.");
    let index = projects(&desk).join(&two).join("memory/MEMORY.md");
    fs::remove_file(&index).unwrap();
    symlink("MEMORY.md", &index).unwrap();
    let before = pictured(&desk);
    desk.refused(&["merge", &one, &two], 3, "unreadable");
    assert_eq!(pictured(&desk), before);
}

/// A line that led nowhere is that of the memory that comes: there is no second one.
#[test]
fn a_line_that_waits_for_what_comes_stays_the_only_one() {
    let desk = Desk::new();
    let (one, two) = (bare(&desk, "one"), bare(&desk, "two"));
    for (from, id) in [(&one, "s1"), (&two, "s2")] {
        let folder = projects(&desk).join(from);
        fs::rename(
            folder.join(format!("{ID}.jsonl")),
            folder.join(format!("{id}.jsonl")),
        )
        .unwrap();
    }
    memory(&desk, &one, "b", "It comes.");
    memory(&desk, &one, "c", "It comes too.");
    memory(&desk, &two, "a", "It is there.");
    let index = projects(&desk).join(&two).join("memory/MEMORY.md");
    let text = fs::read_to_string(&index).unwrap() + "- [B](./b.md) — lost\n";
    fs::write(&index, &text).unwrap();
    desk.done(&["merge", &one, &two]);
    let after = fs::read_to_string(&index).unwrap();
    assert_eq!(after, text + "- [c](c.md) — x\n");
    assert!(index.with_file_name("b.md").exists());
}

/// On a disk that ignores case the two would be one.
#[test]
fn a_memory_that_differs_only_in_case_gets_another_name() {
    let desk = Desk::new();
    let (one, two) = (bare(&desk, "one"), bare(&desk, "two"));
    fs::remove_file(projects(&desk).join(&one).join(format!("{ID}.jsonl"))).unwrap();
    memory(&desk, &one, "A2", "In capitals.");
    memory(&desk, &two, "a2", "Small.");
    let ran = desk.done(&["merge", &one, &two]);
    assert!(
        ran.err.contains(
            "A2.md differs only in case from one that is there: this one becomes A2-2.md"
        ),
        "{ran:?}"
    );
    let folder = projects(&desk).join(&two).join("memory");
    let index = fs::read_to_string(folder.join("MEMORY.md")).unwrap();
    assert_eq!(index, "- [a2](a2.md) — x\n- [A2](A2-2.md) — x\n");
    assert!(folder.join("A2-2.md").exists() && !folder.join("A2.md").exists());
}

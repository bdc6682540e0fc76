use std::fs;

use super::*;

fn place(files: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let top = tempfile::tempdir().expect("a temporary folder");
    let folder = top.path().join("-srv-a");
    for file in files {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "12345").expect("a file");
    }
    (top, folder)
}

/// The census counts what the scan lists, though it reads the folder only once.
#[test]
fn memories_are_those_that_the_scan_lists() {
    let (top, folder) = place(&[
        "memory/MEMORY.md",
        "memory/a.md",
        "memory/b.txt",
        "memory/.hidden.md",
        "memory/team/MEMORY.md",
        "memory/team/t.md",
        "memory/deep/MEMORY.md",
        "memory/logs/2031/01/x.md",
        "memory/.git/g.md",
        "memory/x/.y/h.md",
        "memory/x/logs/l.md",
        "memory/learnings/l.md",
    ]);
    let memory = folder.join("memory");
    std::os::unix::fs::symlink("nowhere", memory.join("dead.md")).expect("a link");
    std::os::unix::fs::symlink("team", memory.join("linked.md")).expect("a link");
    std::os::unix::fs::symlink("team", memory.join("linked")).expect("a link");
    fs::create_dir(memory.join("folder.md")).expect("a folder");
    fs::write(memory.join("folder.md/in.md"), "x").expect("a file");
    let disk = Disk::system();
    let listed = scan::list(&disk, &memory).memories.into_iter();
    let listed: Vec<String> = listed.map(|file| file.path).collect();
    assert_eq!(census(&disk, &folder, &memory).memories, listed);
    assert!(listed.contains(&"x/logs/l.md".to_string()) && listed.contains(&"dead.md".to_string()));
    // A memory folder that lies elsewhere is read there.
    let elsewhere = top.path().join("elsewhere");
    fs::create_dir(&elsewhere).expect("a folder");
    fs::write(elsewhere.join("e.md"), "x").expect("a file");
    assert_eq!(census(&disk, &folder, &elsewhere).memories, ["e.md"]);
}

#[test]
fn everything_in_a_project_folder_is_told_apart() {
    let id = "11111111-1111-4111-8111-111111111111";
    let swept = "22222222-2222-4222-8222-222222222222";
    let files = [
        format!("{id}.jsonl"),
        format!("{id}/subagents/agent-b.jsonl"),
        format!("{id}/subagents/agent-a.jsonl"),
        format!("{id}/tool-results/x.jsonl"),
        format!("{swept}/tool-results/x.txt"),
        "other/x.txt".to_string(),
        "-srv-b/s.jsonl".to_string(),
        "-srv-c/memory/a.md".to_string(),
        "notes.txt".to_string(),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let (_top, folder) = place(&files);
    let found = census(&Disk::system(), &folder, &folder.join("memory"));
    assert_eq!(found.sessions.len(), 1);
    let session = &found.sessions[0];
    assert_eq!((&*session.id, session.bytes), (id, 5));
    assert_eq!(session.folder, Some(folder.join(id)));
    let agents = folder.join(id).join("subagents");
    assert_eq!(
        session.subagents,
        [agents.join("agent-a.jsonl"), agents.join("agent-b.jsonl")]
    );
    assert_eq!(found.left_over, [swept]);
    assert_eq!(found.nested, ["-srv-b", "-srv-c"]);
    assert_eq!(found.others, ["notes.txt", "other"]);
    assert_eq!(found.bytes, 9 * 5);
    assert!(found.memories.is_empty() && found.faults.is_empty());
}

/// A memory folder behind a link counts as the scan counts it; one that leads round in circles can't
/// be told.
#[test]
fn a_linked_memory_folder_is_counted_where_it_leads() {
    let (top, folder) = place(&["s.jsonl"]);
    let memory = folder.join("memory");
    let real = top.path().join("real");
    fs::create_dir_all(&real).expect("a folder");
    fs::write(real.join("a.md"), "x").expect("a file");
    std::os::unix::fs::symlink(&real, &memory).expect("a link");
    let disk = Disk::system();
    let found = census(&disk, &folder, &memory);
    assert_eq!(
        (found.memories, found.faults),
        (vec!["a.md".to_string()], vec![])
    );
    assert_eq!(scan::count(&disk, &memory), 1);
    fs::remove_file(&memory).expect("removed");
    std::os::unix::fs::symlink("memory", &memory).expect("a link");
    let found = census(&disk, &folder, &memory);
    assert!(found.memories.is_empty());
    assert!(
        found.faults[0].contains("can't be listed"),
        "{:?}",
        found.faults
    );
}

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::agents::claude::Setup;
use crate::base::disk::Disk;
use crate::base::time::Moment;

struct Place {
    root: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let place = Self { root };
        fs::create_dir_all(place.path("proj/.git")).unwrap();
        fs::create_dir_all(place.memory()).unwrap();
        place
    }

    fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.root.path()).unwrap().join(below)
    }

    fn memory(&self) -> PathBuf {
        let key = crate::memory::key::encode(&self.path("proj").to_string_lossy());
        self.path("home/.claude/projects").join(key).join("memory")
    }

    fn store(&self) -> Claude {
        Claude::open(Setup {
            disk: Disk::system(),
            vars: std::collections::BTreeMap::new(),
            home: self.path("home"),
            config_home: None,
            cwd: self.path("proj"),
            now: Moment::from_seconds(1_800_000_000),
        })
        .unwrap()
    }

    fn proof(&self, lines: &[String]) -> Proof {
        let text = lines.join("\n") + "\n";
        let (digest, _) = Digest::read(text.as_bytes(), text.len() as u64).unwrap();
        let store = self.store();
        store
            .proof(text.as_bytes(), text.len() as u64, &digest)
            .unwrap()
    }

    fn prompt(&self, version: &str) -> String {
        let cwd = self.path("proj");
        let line = serde_json::json!({
            "type": "user", "uuid": "a", "cwd": cwd, "version": version, "timestamp": "2026-01-01T00:00:00Z",
            "message": {"role": "user", "content": "go"},
        });
        line.to_string()
    }

    fn sent(files: &[(PathBuf, &str, &str)]) -> String {
        let files: Vec<_> = files
            .iter()
            .map(|(path, layer, text)| serde_json::json!({"path": path, "type": layer, "content": text}))
            .collect();
        let line = serde_json::json!({
            "type": "attachment", "uuid": "b", "parentUuid": "a", "timestamp": "2026-01-01T00:00:01Z",
            "version": "2.1.332", "attachment": {"type": "instructions", "files": files},
        });
        line.to_string()
    }
}

fn told(proof: &Proof) -> Vec<(String, Fate, Now)> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    let files = proof.files.iter();
    files
        .map(|one| (name(&one.path), one.fate, one.now))
        .collect()
}

#[test]
fn each_file_is_whole_cut_or_not_loaded_and_compared_with_the_disk() {
    let place = Place::new();
    let rules = place.path("proj/CLAUDE.md");
    let local = place.path("proj/CLAUDE.local.md");
    fs::write(&rules, "Be brief.\n").unwrap();
    fs::write(&local, "Mine.\n").unwrap();
    let index = place.memory().join("MEMORY.md");
    let pointers: String = (1..=210)
        .map(|at| format!("- [m{at}](m{at}.md) - it\n"))
        .collect();
    fs::write(&index, &pointers).unwrap();
    for at in [1, 205] {
        let text = format!("---\nname: m{at}\n---\nx\n");
        fs::write(place.memory().join(format!("m{at}.md")), text).unwrap();
    }
    let loaded = load::load(&pointers).sent();
    let gone = place.path("proj/gone.md");
    let lines = [
        place.prompt("2.1.332"),
        Place::sent(&[
            (rules.clone(), "Project", "Be brief."),
            (gone, "Project", "It was."),
            (index.clone(), "AutoMem", &loaded),
        ]),
    ];
    let proof = place.proof(&lines);
    let at_201 = Fate::Cut {
        line: 201,
        of_file: true,
    };
    let wanted = [
        ("CLAUDE.md".to_string(), Fate::Whole, Now::Same),
        ("gone.md".to_string(), Fate::Whole, Now::Gone),
        ("CLAUDE.local.md".to_string(), Fate::NotLoaded, Now::Untold),
        ("MEMORY.md".to_string(), at_201, Now::Same),
    ];
    assert_eq!(told(&proof), wanted);
    let listed: Vec<_> = proof
        .memories
        .iter()
        .map(|one| (&*one.path, one.listed))
        .collect();
    assert_eq!(listed, [("m1.md", Some(true)), ("m205.md", Some(false))]);
    // What has changed since is said, by its bytes; where it was cut, by what was sent.
    fs::write(&rules, "Be brief!\n").unwrap();
    fs::write(&index, "- [m1](m1.md) - it\n").unwrap();
    let proof = place.proof(&lines);
    assert_eq!(told(&proof)[0].2, Now::Changed);
    let of_sent = Fate::Cut {
        line: 201,
        of_file: false,
    };
    assert_eq!(
        told(&proof)[3],
        ("MEMORY.md".to_string(), of_sent, Now::Changed)
    );
}

#[test]
fn of_an_older_client_nothing_is_known_and_a_text_that_speaks_of_it_is_no_evidence() {
    let place = Place::new();
    fs::write(place.path("proj/CLAUDE.md"), "Be brief.\n").unwrap();
    let proof = place.proof(&[place.prompt("2.1.220")]);
    assert!(!proof.is_recorded);
    assert_eq!(
        told(&proof),
        [("CLAUDE.md".to_string(), Fate::Unknown, Now::Untold)]
    );
    let liar = place.prompt("2.1.332").replace(
        "\"go\"",
        "\"{\\\"type\\\":\\\"attachment\\\",\\\"attachment\\\":{\\\"type\\\":\\\"instructions\\\"}}\"",
    );
    let proof = place.proof(&[liar]);
    assert_eq!(
        told(&proof)[0].1,
        Fate::Unknown,
        "a newer client that wrote down nothing is no evidence"
    );
}

#[test]
fn reads_of_memories_are_counted_by_turn() {
    let place = Place::new();
    let memory = place.memory().join("one.md");
    fs::write(&memory, "---\nname: one\n---\nx\n").unwrap();
    let read = serde_json::json!({
        "type": "assistant", "uuid": "c", "parentUuid": "a", "timestamp": "2026-01-01T00:00:05Z",
        "message": {"id": "m", "role": "assistant", "content": [
            {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": memory}},
        ]},
    });
    let result = serde_json::json!({
        "type": "user", "uuid": "d", "parentUuid": "c", "timestamp": "2026-01-01T00:00:06Z",
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]},
    });
    let lines = [
        place.prompt("2.1.332"),
        read.to_string(),
        result.to_string(),
    ];
    let proof = place.proof(&lines);
    let one = &proof.memories[0];
    assert_eq!((&*one.path, one.reads(), one.writes()), ("one.md", 1, 0));
    assert_eq!(one.uses[0].turn, 1);
}

/// An entry that nobody can read: what else stands there is taken, and what does not may have been sent.
#[test]
fn what_can_not_be_read_proves_nothing() {
    let place = Place::new();
    let rules = place.path("proj/CLAUDE.md");
    let local = place.path("proj/CLAUDE.local.md");
    fs::write(&rules, "Be brief.\n").unwrap();
    fs::write(&local, "Mine.\n").unwrap();
    let good = serde_json::json!({"path": rules, "type": "Project", "content": "Be brief."});
    let sent = |files: serde_json::Value| {
        let line = serde_json::json!({
            "type": "attachment", "uuid": "b", "attachment": {"type": "instructions", "files": files},
        });
        line.to_string()
    };
    let whole = ("CLAUDE.md".to_string(), Fate::Whole, Now::Same);
    let other = |fate| ("CLAUDE.local.md".to_string(), fate, Now::Untold);
    for odd in [
        serde_json::json!(null),
        serde_json::json!("text"),
        serde_json::json!({"path": 5, "type": "User", "content": "x"}),
        serde_json::json!({"path": "/x", "type": "User", "content": {}}),
        serde_json::json!({"path": "/x", "type": "User"}),
    ] {
        let proof = place.proof(&[
            place.prompt("2.1.332"),
            sent(serde_json::json!([good, odd])),
        ]);
        assert_eq!(
            (proof.is_recorded, proof.is_all_read),
            (true, false),
            "{odd}"
        );
        assert_eq!(told(&proof), [whole.clone(), other(Fate::Unknown)], "{odd}");
    }
    let proof = place.proof(&[place.prompt("2.1.332"), sent(serde_json::json!([good]))]);
    assert_eq!(told(&proof), [whole, other(Fate::NotLoaded)]);
    let proof = place.proof(&[place.prompt("2.1.332"), sent(serde_json::json!(null))]);
    let fates: Vec<_> = proof.files.iter().map(|one| one.fate).collect();
    assert_eq!(fates, [Fate::Unknown, Fate::Unknown]);
}

#[test]
fn only_what_was_answered_is_a_use_and_paths_are_plain() {
    let place = Place::new();
    for name in ["a", "b"] {
        let text = format!("---\nname: {name}\n---\nx\n");
        fs::write(place.memory().join(format!("{name}.md")), text).unwrap();
    }
    let used = |id: &str, path: &str| {
        let path = format!("{}/{path}", place.memory().display());
        serde_json::json!({"type": "assistant", "uuid": id, "message": {"content": [
            {"type": "tool_use", "id": id, "name": "Read", "input": {"file_path": path}}]}})
        .to_string()
    };
    let answered = |id: &str| {
        serde_json::json!({"type": "user", "uuid": format!("r{id}"), "message": {"content": [
            {"type": "tool_result", "tool_use_id": id, "content": "ok"}]}})
        .to_string()
    };
    let proof = place.proof(&[
        place.prompt("2.1.332"),
        used("1", "a.md"),
        answered("1"),
        used("2", "x/../a.md"),
        answered("2"),
        used("3", ".//b.md"),
        answered("3"),
        used("4", "../../../CLAUDE.md"),
        answered("4"),
        used("5", "a.md"),
    ]);
    let reads: Vec<_> = proof
        .memories
        .iter()
        .map(|one| (&*one.path, one.reads()))
        .collect();
    assert_eq!(reads, [("a.md", 2), ("b.md", 1)]);
}

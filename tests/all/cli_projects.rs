//! `projects` on the real disk: each origin with its evidence, families, notes, sorting, filters.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli_home::{Home, text_of};
use crate::cli_project_home::{folder, key, listed, memory, projects, transcript};
use crate::cli_write_home::{Desk, picture};
use crate::repository::{git, repository};

fn notes(project: &Value) -> Vec<&str> {
    let notes = project["notes"].as_array().unwrap().iter();
    notes.map(|note| note.as_str().unwrap()).collect()
}

/// The lines of the table from that of a project on to the next.
fn rows(desk: &Desk, of: &str) -> String {
    let out = desk.done(&["projects"]).out;
    let mut lines = out.lines().skip_while(|line| !line.contains(of));
    let first = lines
        .next()
        .unwrap_or_else(|| panic!("no {of} in {out}"))
        .to_string();
    let below = lines.take_while(|line| line.starts_with("      "));
    std::iter::once(&*first)
        .chain(below)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_shape_of_a_project() {
    let desk = Desk::new();
    let path = folder(&desk, "shop");
    let key = key(&desk, &path);
    transcript(&desk, &key, "s1", &[&path], 3);
    transcript(&desk, &key, "s2", &[&path, &path.join("sub")], 1);
    memory(&desk, &key, "a", "x");
    let project = listed(&desk, &key);
    let keys = [
        "bytes",
        "candidates",
        "days_left",
        "evidence",
        "key",
        "last_used",
        "memories",
        "memory",
        "memory_key",
        "notes",
        "origin",
        "path",
        "repository",
        "session_live",
        "transcripts",
    ];
    assert_eq!(
        crate::cli_home::keys(&project)
            .into_iter()
            .collect::<Vec<_>>(),
        keys
    );
    let expected = json!({
        "path": path, "by": "transcript", "standing": "there", "exact": true, "sessions": ["s1", "s2"],
        "file": projects(&desk).join(&key).join("s1.jsonl"),
    });
    assert_eq!(project["evidence"], json!([expected]));
    assert_eq!(project["origin"], "live");
    assert_eq!(project["path"], json!(path));
    assert_eq!(
        (&project["memories"], &project["transcripts"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(project["days_left"], 29);
    assert_eq!(project["last_used"], "2026-09-20T14:13:20Z");
    assert_eq!(project["session_live"], false);
    let files = picture(&projects(&desk).join(&key)).into_values();
    let bytes: usize = files.map(|(bytes, ..)| bytes.len()).sum();
    assert_eq!(project["bytes"], bytes);
}

#[test]
fn reading_the_list_writes_nothing() {
    let desk = Desk::new();
    let path = folder(&desk, "shop");
    transcript(&desk, &key(&desk, &path), "s", &[&path], 1);
    let before = desk.whole();
    desk.done(&["projects"]);
    assert_eq!(desk.whole(), before);
}

#[test]
fn pa02_a_dash_is_never_taken_for_a_separator() {
    let desk = Desk::new();
    let (dash, slash) = (folder(&desk, "sea-eagle"), folder(&desk, "sea/eagle"));
    let key = key(&desk, &dash);
    let file = transcript(&desk, &key, "s", &[&dash], 1);
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["origin"], &project["path"]),
        (&json!("live"), &json!(dash))
    );
    fs::remove_file(file).unwrap();
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["origin"], &project["path"]),
        (&json!("unknown"), &Value::Null)
    );
    let rows = rows(&desk, "· unknown");
    for path in [&dash, &slash] {
        assert!(
            rows.contains(&format!("candidate {}", path.display())),
            "{rows}"
        );
    }
}

#[test]
fn pa03_a_folder_that_two_paths_share_says_both() {
    let desk = Desk::new();
    let (one, other) = (folder(&desk, "my_nest"), folder(&desk, "my-nest"));
    let key = key(&desk, &one);
    transcript(&desk, &key, "a", &[&one], 1);
    transcript(&desk, &key, "b", &[&other], 1);
    let project = listed(&desk, &key);
    assert_eq!(project["origin"], "ambiguous");
    assert_eq!(notes(&project), ["shared by 2 folders"]);
    let rows = rows(&desk, "ambiguous");
    for path in [one, other] {
        assert!(
            rows.contains(&format!(
                "{} · there · transcript, 1 session",
                path.display()
            )),
            "{rows}"
        );
    }
}

#[test]
fn pa08_keys_that_differ_only_in_case_are_told() {
    let desk = Desk::new();
    for key in ["c--work-tern", "C--work-tern"] {
        memory(&desk, key, "a", "x");
    }
    let hint = |key: &str, other: &str| {
        let project = listed(&desk, key);
        let expected =
            format!("differs only in case from {other}: they may be one folder's, to be merged");
        assert_eq!(notes(&project), [expected.as_str()]);
        assert_eq!(project["memories"], 1);
    };
    hint("c--work-tern", "C--work-tern");
    hint("C--work-tern", "c--work-tern");
}

#[test]
fn pa09_a_windows_project_is_one_and_not_called_gone() {
    let desk = Desk::new();
    let cwds = ["w:\\nest", "W:\\nest", "W:\\nest\\sub", "w:\\nest"].map(Path::new);
    transcript(&desk, "W--nest", "s", &cwds, 1);
    let project = listed(&desk, "W--nest");
    assert_eq!(
        (&project["origin"], &project["path"]),
        (&json!("unknown"), &json!("W:\\nest"))
    );
    assert_eq!(project["evidence"].as_array().unwrap().len(), 1);
    assert_eq!(
        notes(&project),
        ["a path of Windows: it can't be looked up here"]
    );
}

/// What was kept while the project was live tells where it is now; before that it is an orphan.
#[test]
fn pa11_a_renamed_project_is_found_by_its_git_remote() {
    let desk = Desk::new();
    let (old, new) = (
        folder(&desk, "demo/oldnest"),
        desk.root().join("demo/newnest"),
    );
    let git = old.join(".git");
    fs::create_dir_all(&git).unwrap();
    fs::write(
        git.join("config"),
        "[remote \"origin\"]\n\turl = git@example.org:t/nest.git\n",
    )
    .unwrap();
    let key = key(&desk, &old);
    transcript(&desk, &key, "s", &[&old], 1);
    memory(&desk, &key, "a", "x");
    // A command that writes keeps what the project that it works in is known by.
    let edit = ["edit", "a", "--set", "x=1", "--cwd", old.to_str().unwrap()];
    desk.done(&[&edit[..], &["--dry-run"]].concat());
    assert!(!desk.state().join("identity.json").exists());
    desk.done(&edit);
    fs::rename(&old, &new).unwrap();
    let before = desk.memories();
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["origin"], &project["path"]),
        (&json!("moved"), &json!(old))
    );
    assert_eq!(project["candidates"][0]["path"], json!(new));
    assert_eq!(project["candidates"][0]["why"], "the same git remote");
    assert_eq!(desk.memories(), before);
    // So does one that goes through all of them.
    fs::remove_file(desk.state().join("identity.json")).unwrap();
    fs::rename(&new, &old).unwrap();
    let gone = desk.root().join("demo/gone");
    transcript(&desk, &self::key(&desk, &gone), "s", &[&gone], 1);
    desk.done(&["prune", gone.to_str().unwrap(), "--yes"]);
    fs::rename(&old, &new).unwrap();
    assert_eq!(listed(&desk, &key)["origin"], "moved");
    // Without it nothing but its name is known, and that is another.
    fs::remove_file(desk.state().join("identity.json")).unwrap();
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["origin"], &project["candidates"]),
        (&json!("orphaned"), &json!([]))
    );
    assert_eq!(notes(&project), ["folder missing"]);
    assert!(rows(&desk, "orphaned").contains("folder missing"));
}

#[test]
fn a_moved_project_is_found_by_its_name_and_the_files_its_memories_cite() {
    let desk = Desk::new();
    let old = desk.root().join("work/shop");
    let new = folder(&desk, "code/shop");
    for file in ["pay.rs", "Cargo.toml"] {
        fs::write(new.join(file), "").unwrap();
    }
    let key = key(&desk, &old);
    transcript(&desk, &key, "s", &[&old], 1);
    memory(&desk, &key, "a", "See `pay.rs:41` and `Cargo.toml`.");
    let project = listed(&desk, &key);
    assert_eq!(project["origin"], "moved");
    let rows = rows(&desk, "→ moved");
    let line = format!(
        "now at {} · the same name, 2 of 2 files that its memories cite",
        new.display()
    );
    assert!(rows.contains(&line), "{rows}");
}

#[test]
fn pa12_a_nested_project_folder_is_reported() {
    let desk = Desk::new();
    let path = folder(&desk, "new");
    let key = key(&desk, &path);
    let nested = format!("{key}/{key}");
    transcript(&desk, &nested, "s", &[&path], 1);
    memory(&desk, &nested, "a", "x");
    let project = listed(&desk, &key);
    let note = format!(
        "a project folder lies in it, {key}, where the client does not look: `loci merge {key}/{key} {key}` lifts it"
    );
    assert_eq!(notes(&project), [note.as_str()]);
    assert_eq!(project["transcripts"], 0);
}

/// The sessions lie under the worktree's key, the memory under the repository's.
#[test]
fn pa14_a_worktree_shares_the_memory_of_its_repository() {
    let desk = Desk::new();
    let main = folder(&desk, "main");
    repository(&main);
    git(&main, &["worktree", "add", "-q", "../wt"]);
    let worktree = desk.root().join("wt");
    let (main_key, key) = (key(&desk, &main), self::key(&desk, &worktree));
    transcript(&desk, &main_key, "s", &[&main], 9);
    memory(&desk, &main_key, "a", "x");
    transcript(&desk, &key, "s", &[&worktree], 1);
    let project = listed(&desk, &key);
    assert_eq!(project["origin"], "worktree");
    assert_eq!(project["memory_key"], json!(main_key));
    assert_eq!(notes(&project), ["memory: shared from main"]);
    assert_eq!(
        notes(&listed(&desk, &main_key)),
        ["1 folder more shares its memory"]
    );
    // It stands below its repository though it was used later.
    let out = desk.done(&["projects"]).out;
    let lines: Vec<&str> = out
        .lines()
        .filter(|line| !line.starts_with("    "))
        .collect();
    assert!(lines[1].ends_with(main.to_str().unwrap()), "{out}");
    assert!(
        lines[2].ends_with(&format!("└ {}", worktree.display())),
        "{out}"
    );
    // It is not pruned: it is there.
    let said = desk.refused(&["prune", &key], 2, "refused");
    assert!(said.contains("which is there"), "{said}");
}

#[test]
fn pa17_unrelated_projects_of_one_key_are_told_apart_by_their_sessions() {
    let desk = Desk::new();
    let [bird, fish] = ["鳥", "魚"].map(|name| folder(&desk, name));
    let key = key(&desk, &bird);
    transcript(&desk, &key, "1", &[&bird], 1);
    transcript(&desk, &key, "2", &[&fish], 1);
    let project = listed(&desk, &key);
    let told: Vec<(&Value, &Value)> = project["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|claim| (&claim["path"], &claim["sessions"]))
        .collect();
    assert_eq!(
        told,
        [(&json!(bird), &json!(["1"])), (&json!(fish), &json!(["2"]))]
    );
}

/// A session that began elsewhere does not name the project in other lists either.
#[test]
fn other_lists_take_the_path_that_has_the_key() {
    let desk = Desk::new();
    let (own, other) = (folder(&desk, "own"), folder(&desk, "other"));
    let key = key(&desk, &own);
    transcript(&desk, &key, "1", &[&other], 1);
    memory(&desk, &key, "a", "x");
    let path = |desk: &Desk| desk.json(&["ls", "--all"])["projects"][0]["path"].clone();
    assert_eq!(path(&desk), json!(other));
    transcript(&desk, &key, "2", &[&own], 1);
    assert_eq!(path(&desk), json!(own));
}

#[test]
fn history_and_claude_json_tell_what_transcripts_no_longer_do() {
    let desk = Desk::new();
    let (one, other) = (folder(&desk, "a-b"), folder(&desk, "a/b"));
    let key = key(&desk, &one);
    memory(&desk, &key, "a", "x");
    let home = desk.root().join("home");
    let claude_json = json!({"projects": {(other.to_str().unwrap()): {"allowedTools": []}}});
    fs::write(home.join(".claude.json"), claude_json.to_string()).unwrap();
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["path"], &project["evidence"][0]["by"]),
        (&json!(other), &json!(".claude.json"))
    );
    let line = json!({"display": "\"project\":\"/no\"", "pastedContents": {"project": "/no"}, "project": one});
    fs::write(
        home.join(".claude/history.jsonl"),
        format!("no json\n{line}\n"),
    )
    .unwrap();
    fs::write(home.join(".claude.json"), "{").unwrap();
    let ran = desk.done(&["projects", "--json"]);
    assert!(ran.err.contains(".claude.json is no JSON"), "{ran:?}");
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["path"], &project["evidence"][0]["by"]),
        (&json!(one), &json!("history.jsonl"))
    );
}

#[test]
fn a_session_that_wrote_just_now_may_be_at_work() {
    let desk = Desk::new();
    let path = folder(&desk, "shop");
    let key = key(&desk, &path);
    transcript(&desk, &key, "s", &[&path], 0);
    assert_eq!(listed(&desk, &key)["session_live"], true);
    assert!(rows(&desk, "✓ live").contains("a session may be live here: it wrote 0 s ago"));
    fs::remove_dir(&path).unwrap();
    let said = desk.refused(&["prune", &key, "--yes"], 2, "refused");
    assert!(said.contains("may still be at work"), "{said}");
}

#[test]
fn lists_are_filtered_and_sorted() {
    let desk = Desk::new();
    let keys: Vec<String> = [("a", 1, 3), ("b", 9, 1), ("c", 40, 2)]
        .into_iter()
        .map(|(name, days, memories)| {
            let path = folder(&desk, name);
            let key = key(&desk, &path);
            transcript(&desk, &key, "s", &[&path], days);
            for number in 0..memories {
                memory(&desk, &key, &format!("m{number}"), "x");
            }
            key
        })
        .collect();
    fs::remove_dir(desk.root().join("b")).unwrap();
    let order = |arguments: &[&str]| {
        let list = desk.json(&[&["projects"], arguments].concat());
        let names = list["projects"].as_array().unwrap().iter();
        let at = |project: &Value| keys.iter().position(|key| project["key"] == **key).unwrap();
        names
            .map(|project| char::from(b'a' + u8::try_from(at(project)).unwrap()))
            .collect::<String>()
    };
    assert_eq!(order(&[]), "abc");
    assert_eq!(order(&["--reverse"]), "cba");
    assert_eq!(order(&["--sort", "memories"]), "acb");
    assert_eq!(order(&["--sort", "path"]), "abc");
    assert_eq!(order(&["--sort", "left"]), "cba");
    assert_eq!(order(&["--sort", "size"]), "acb");
    assert_eq!(order(&["--origin", "orphaned"]), "b");
    assert_eq!(
        order(&["--origin", "live,orphaned", "--sort", "origin"]),
        "acb"
    );
    let none = desk.done(&["projects", "--origin", "moved"]);
    assert!(
        none.out.is_empty() && none.err.contains("no projects of that origin"),
        "{none:?}"
    );
    assert_eq!(
        desk.json(&["projects", "--origin", "moved"]),
        json!({"projects": []})
    );
    assert!(
        desk.done(&["projects"])
            .out
            .ends_with("3 projects: 2 live, 1 orphaned\n")
    );
}

/// The client's own setting says how long transcripts stay.
#[test]
fn the_days_left_follow_the_client_s_settings() {
    let desk = Desk::new();
    let path = folder(&desk, "shop");
    let key = key(&desk, &path);
    transcript(&desk, &key, "s", &[&path], 10);
    assert_eq!(listed(&desk, &key)["days_left"], 20);
    fs::write(
        desk.root().join("home/.claude/settings.json"),
        "{\"cleanupPeriodDays\": 99}",
    )
    .unwrap();
    assert_eq!(listed(&desk, &key)["days_left"], 89);
    fs::write(
        desk.root().join("home/.claude/settings.json"),
        "{\"cleanupPeriodDays\": 3}",
    )
    .unwrap();
    assert_eq!(listed(&desk, &key)["days_left"], 0);
}

#[test]
fn a_project_without_a_session_is_named_by_the_one_folder_that_has_its_key() {
    let home = Home::new();
    home.write(
        "/home/u/.claude/projects/-srv-nest-box/memory/a.md",
        text_of("a", "a fact", "project"),
    );
    let path = |home: &Home| home.json(&["ls", "--all", "--json"])["projects"][0]["path"].clone();
    assert_eq!(path(&home), Value::Null);
    home.folder("/srv/nest-box");
    assert_eq!(path(&home), "/srv/nest-box");
    // Of two nobody knows which it is.
    home.folder("/srv/nest.box");
    assert_eq!(path(&home), Value::Null);
}

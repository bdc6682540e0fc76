//! `relink` and `merge` on the real disk: what moves, what is merged, what else holds the old path, and
//! that one undo brings all of it back.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli_project_home::{
    folder, key, listed, memory, orphan, pictured, projects, set_age, transcript,
};
use crate::cli_write_home::{Desk, Picture, picture};

/// All files below the home.
fn home(desk: &Desk) -> Picture {
    picture(&desk.root().join("home"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// The whole folder gets the key of the new place; no byte of a transcript changes.
#[test]
fn pa11_relink_moves_the_folder_and_touches_no_transcript() {
    let desk = Desk::new();
    let old = orphan(&desk, "oldnest");
    let new = folder(&desk, "newnest");
    let new_key = key(&desk, &new);
    let before = pictured(&desk);
    let undone = home(&desk);
    let done = desk.json(&["relink", &old, new.to_str().unwrap()]);
    let changes = done["change"]["changes"].as_array().unwrap();
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0]["op"], "move");
    let after: Picture = before
        .iter()
        .map(|(path, file)| (path.replacen(&old, &new_key, 1), file.clone()))
        .collect();
    assert_eq!(pictured(&desk), after);
    let project = listed(&desk, &new_key);
    assert_eq!(
        (&project["origin"], &project["path"]),
        (&json!("live"), &json!(new))
    );
    desk.done(&["undo"]);
    assert_eq!(home(&desk), undone);
}

/// Each place that holds the old path is named; a sibling that shares its beginning is none.
#[test]
fn the_other_places_are_listed_and_rewritten_where_asked() {
    let desk = Desk::new();
    let old = orphan(&desk, "nest");
    let gone = desk.root().join("nest");
    let sibling = desk.root().join("nest-2");
    let new = folder(&desk, "moved/nest");
    let history = desk.root().join("home/.claude/history.jsonl");
    let line = |path: &Path| json!({"display": gone, "project": path}).to_string() + "\n";
    fs::write(
        &history,
        [&*gone, &*sibling, &gone.join("sub")].map(line).concat(),
    )
    .unwrap();
    let claude_json = desk.root().join("home/.claude.json");
    let entries = json!({"a": gone, "projects": {(gone.to_str().unwrap()): {"n": 1}, (sibling.to_str().unwrap()): {"n": 2}}});
    fs::write(&claude_json, entries.to_string()).unwrap();
    set_age(&history, 20);
    let before = home(&desk);
    let at = new.to_str().unwrap();
    let shown = desk.done(&["relink", &old, at, "--dry-run"]).out;
    for also in ["--also transcripts", "--also history", "--also claude-json"] {
        assert!(shown.contains(also), "{shown}");
    }
    assert_eq!(home(&desk), before);
    let done = desk.json(&[
        "relink",
        &old,
        at,
        "--also",
        "transcripts,history,claude-json",
    ]);
    let held: Vec<(&Value, &Value)> = done["elsewhere"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["kind"], &one["places"]))
        .collect();
    let expected = [
        (json!("transcripts"), json!(1)),
        (json!("history"), json!(2)),
        (json!("claude-json"), json!(1)),
    ];
    assert_eq!(
        held,
        expected.each_ref().map(|(kind, places)| (kind, places))
    );
    let lines = text(&history);
    assert_eq!(
        lines,
        [
            (&gone, &*new),
            (&gone, &*sibling),
            (&gone, &*new.join("sub"))
        ]
        .map(|(_, path)| line(path))
        .concat()
    );
    let entries: Value = serde_json::from_str(&text(&claude_json)).unwrap();
    assert_eq!(
        entries["projects"],
        json!({(at): {"n": 1}, (sibling.to_str().unwrap()): {"n": 2}})
    );
    assert_eq!(entries["a"], json!(gone));
    let moved = projects(&desk).join(key(&desk, &new));
    let transcript = moved.join("11111111-1111-4111-8111-111111111111.jsonl");
    assert!(text(&transcript).contains(&format!("\"cwd\":\"{at}\"")));
    assert!(!projects(&desk).join(&old).exists());
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
}

/// The new place has a project folder already: memories and sessions are merged into it, nothing is
/// nested and nothing overwritten.
#[test]
fn pa12_relinking_to_a_place_in_use_merges_instead_of_nesting() {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let new = folder(&desk, "new");
    let new_key = key(&desk, &new);
    transcript(
        &desk,
        &new_key,
        "22222222-2222-4222-8222-222222222222",
        &[&new],
        2,
    );
    memory(&desk, &new_key, "beta", "Another.");
    memory(&desk, &new_key, "gamma", "Three.");
    memory(&desk, &old, "delta", "Four.");
    let same = memory(&desk, &new_key, "delta", "Four.");
    let before = home(&desk);
    let done = desk.json(&["relink", &old, new.to_str().unwrap(), "--yes"]);
    let note = "beta.md is there already and says something else: this one becomes beta-2.md, and both are called \"beta\": change the name and the index line of one";
    assert_eq!(done["notes"], json!([note]));
    let into = projects(&desk).join(&new_key);
    let index = text(&into.join("memory/MEMORY.md"));
    assert_eq!(
        index,
        "- [beta](beta.md) — x\n- [gamma](gamma.md) — x\n- [delta](delta.md) — x\n- [alpha](alpha.md) — x\n- [beta](beta-2.md) — x\n"
    );
    for (name, says) in [
        ("alpha", "One."),
        ("beta", "Another."),
        ("beta-2", "Two."),
        ("gamma", "Three."),
        ("delta", "Four."),
    ] {
        assert!(
            text(&into.join(format!("memory/{name}.md"))).contains(says),
            "{name}"
        );
    }
    let age = |path: PathBuf| fs::metadata(path).unwrap().modified().unwrap();
    assert_eq!(
        age(into.join("memory/alpha.md")),
        age(same),
        "it keeps its age"
    );
    for id in [
        "11111111-1111-4111-8111-111111111111",
        "22222222-2222-4222-8222-222222222222",
    ] {
        assert!(into.join(format!("{id}.jsonl")).exists(), "{id}");
    }
    assert!(
        into.join("11111111-1111-4111-8111-111111111111/subagents/agent-x.jsonl")
            .exists()
    );
    assert!(!projects(&desk).join(&old).exists());
    assert_eq!(listed(&desk, &new_key)["notes"], json!([]));
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
}

/// What a tool nested one level too deep is lifted.
#[test]
fn pa12_a_nested_project_is_lifted() {
    let desk = Desk::new();
    let path = folder(&desk, "new");
    let key = key(&desk, &path);
    let nested = format!("{key}/{key}");
    let deep = transcript(&desk, &nested, "s", &[&path], 2);
    memory(&desk, &nested, "a", "x");
    let before = home(&desk);
    desk.done(&["merge", &nested, &key]);
    assert!(!deep.exists());
    let project = listed(&desk, &key);
    assert_eq!(
        (&project["memories"], &project["transcripts"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        (&project["origin"], &project["notes"]),
        (&json!("live"), &json!([]))
    );
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
    desk.refused(&["merge", &format!("{key}/other"), &key], 2, "not-found");
}

#[test]
fn a_session_that_is_there_already_and_says_something_else_stops_it() {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let new = folder(&desk, "new");
    let new_key = key(&desk, &new);
    transcript(
        &desk,
        &new_key,
        "11111111-1111-4111-8111-111111111111",
        &[&new],
        2,
    );
    let before = home(&desk);
    let said = desk.refused(&["relink", &old, new.to_str().unwrap()], 2, "taken");
    assert!(
        said.contains("11111111-1111-4111-8111-111111111111.jsonl"),
        "{said}"
    );
    assert_eq!(home(&desk), before);
}

#[test]
fn what_has_not_moved_is_not_relinked() {
    let desk = Desk::new();
    let live = folder(&desk, "live");
    let live_key = key(&desk, &live);
    transcript(&desk, &live_key, "s", &[&live], 3);
    transcript(&desk, "W--nest", "s", &[Path::new("W:\\nest")], 3);
    let new = folder(&desk, "new");
    let at = new.to_str().unwrap();
    let before = home(&desk);
    let said = desk.refused(&["relink", &live_key, at], 2, "refused");
    assert!(said.contains("which is there: nothing has moved"), "{said}");
    let said = desk.refused(&["relink", "W--nest", at], 2, "refused");
    assert!(said.contains("can't be told here"), "{said}");
    let gone = orphan(&desk, "gone");
    let said = desk.refused(&["relink", &gone, "/no/such/place"], 2, "not-found");
    assert!(said.contains("/no/such/place is no folder"), "{said}");
    desk.refused(&["relink", "-none", at], 2, "not-found");
    assert_eq!(home(&desk).len(), before.len() + 5);
}

/// A folder that two paths share moves only when that is said.
#[test]
fn pa03_moving_a_shared_folder_asks() {
    let desk = Desk::new();
    let paths = ["my_nest", "my-nest"].map(|name| desk.root().join(name));
    let key = key(&desk, &paths[0]);
    for (path, id) in paths.iter().zip(["a", "b"]) {
        transcript(&desk, &key, id, &[path], 3);
    }
    let new = folder(&desk, "new");
    let at = new.to_str().unwrap();
    let said = desk.refused(&["relink", &key, at], 2, "confirm");
    for path in &paths {
        assert!(said.contains(path.to_str().unwrap()), "{said}");
    }
    desk.done(&["relink", &key, at, "--yes"]);
    assert!(!projects(&desk).join(&key).exists());
}

/// Two folders of one, by the case of a drive.
#[test]
fn pa08_two_folders_that_differ_in_case_are_merged() {
    let desk = Desk::new();
    memory(&desk, "c--work-tern", "a", "One.");
    memory(&desk, "C--work-tern", "b", "Two.");
    fs::write(projects(&desk).join("c--work-tern/memory/notes.txt"), "x").unwrap();
    let before = home(&desk);
    desk.done(&["merge", "c--work-tern", "C--work-tern"]);
    let into = projects(&desk).join("C--work-tern/memory");
    assert_eq!(
        text(&into.join("MEMORY.md")),
        "- [b](b.md) — x\n- [a](a.md) — x\n"
    );
    assert!(into.join("a.md").exists() && into.join("notes.txt").exists());
    assert!(!projects(&desk).join("c--work-tern").exists());
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
    let said = desk.refused(&["merge", "c--work-tern", "c--work-tern"], 2, "refused");
    assert!(said.contains("where it lies already"), "{said}");
}

/// A project whose path is there would lose its memories: that is asked about.
#[test]
fn merging_a_project_in_use_asks() {
    let desk = Desk::new();
    let (live, other) = (folder(&desk, "live"), folder(&desk, "other"));
    let keys = [&live, &other].map(|path| key(&desk, path));
    for (path, key) in [&live, &other].into_iter().zip(&keys) {
        transcript(&desk, key, key, &[path], 3);
        memory(&desk, key, key.trim_start_matches('-'), "x");
    }
    let before = home(&desk);
    let said = desk.refused(&["merge", &keys[0], &keys[1]], 2, "confirm");
    assert!(said.contains("would find no memories any more"), "{said}");
    desk.done(&["merge", &keys[0], &keys[1], "--dry-run"]);
    assert_eq!(home(&desk), before);
    desk.done(&["merge", &keys[0], &keys[1], "--yes"]);
    assert_eq!(listed(&desk, &keys[1])["memories"], 2);
}

/// The type headings of the other index, the team's index and links out are kept as they must be.
#[test]
fn lines_go_to_the_list_of_their_type() {
    let desk = Desk::new();
    memory(&desk, "-x-one", "a", "One.");
    let team = projects(&desk).join("-x-one/memory/team");
    fs::create_dir_all(&team).unwrap();
    fs::write(team.join("MEMORY.md"), "- [t](t.md)\n").unwrap();
    fs::write(team.join("t.md"), "---\nname: t\ntype: user\n---\nx\n").unwrap();
    memory(&desk, "-x-two", "b", "Two.");
    let index = projects(&desk).join("-x-two/memory/MEMORY.md");
    fs::write(
        &index,
        "# Project\n- [b](b.md) — x\n\n# User\n- [u](u.md)\n",
    )
    .unwrap();
    let dangling = projects(&desk).join("-x-one/memory/MEMORY.md");
    fs::write(&dangling, "Prose.\n- [a](a.md) — x\n- [gone](gone.md)\n").unwrap();
    desk.done(&["merge", "-x-one", "-x-two"]);
    assert_eq!(
        text(&index),
        "# Project\n- [b](b.md) — x\n- [a](a.md) — x\n\n# User\n- [u](u.md)\n"
    );
    let two = projects(&desk).join("-x-two/memory/team");
    assert_eq!(text(&two.join("MEMORY.md")), "- [t](t.md)\n");
    assert!(two.join("t.md").exists());
}

/// The transcript of a sub-agent is rewritten, and then the session's folder round it is moved.
#[test]
fn what_is_rewritten_in_a_folder_that_moves_comes_back() {
    let desk = Desk::new();
    let old = orphan(&desk, "old");
    let new = folder(&desk, "new");
    let id = "11111111-1111-4111-8111-111111111111";
    let agent = format!("{id}/subagents/agent-x.jsonl");
    let line = |path: &Path| json!({"cwd": path}).to_string() + "\n";
    let before = line(&desk.root().join("old"));
    fs::write(projects(&desk).join(&old).join(&agent), before).unwrap();
    let before = home(&desk);
    let at = new.to_str().unwrap();
    desk.done(&["relink", &old, at, "--also", "transcripts"]);
    let moved = projects(&desk).join(key(&desk, &new)).join(&agent);
    assert_eq!(text(&moved), line(&new));
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
    desk.done(&["redo"]);
    assert_eq!(text(&moved), line(&new));
}

/// What a link makes one folder has one copy: moving it out of itself would trash that.
#[test]
fn a_target_that_is_a_link_to_the_source_is_refused() {
    let link = |desk: &Desk, old: &str, new: &str, inner: &str| {
        let at = projects(desk).join(new).join(inner);
        fs::create_dir_all(at.parent().unwrap()).unwrap();
        let to = projects(desk).join(old).join(inner);
        std::os::unix::fs::symlink(to, &at).unwrap();
        at
    };
    for inner in ["", "memory", "memory/alpha.md", "memory/team"] {
        let desk = Desk::new();
        let old = orphan(&desk, "oldnest");
        let team = projects(&desk).join(&old).join("memory/team");
        fs::create_dir(&team).unwrap();
        fs::write(team.join("shared.md"), "x\n").unwrap();
        let new = folder(&desk, "newnest");
        let new_key = key(&desk, &new);
        if inner.is_empty() {
            let at = projects(&desk).join(&new_key);
            std::os::unix::fs::symlink(&old, at).unwrap();
        } else {
            transcript(
                &desk,
                &new_key,
                "22222222-2222-4222-8222-222222222222",
                &[&new],
                5,
            );
            link(&desk, &old, &new_key, inner);
        }
        let named = match inner {
            "" => projects(&desk).join(&new_key),
            inner => projects(&desk).join(&new_key).join(inner),
        };
        let before = home(&desk);
        for arguments in [
            ["relink", &old, new.to_str().unwrap()],
            ["merge", &old, &new_key],
        ] {
            let said = desk.refused(&arguments, 2, "refused");
            let remedy = format!("remove the link {} first, then ask again", named.display());
            assert!(said.ends_with(&remedy), "{arguments:?} {inner}: {said}");
            assert_eq!(home(&desk), before, "{arguments:?} {inner}");
        }
        fs::remove_file(&named).unwrap();
        desk.done(&["relink", &old, new.to_str().unwrap()]);
        let memory = projects(&desk).join(&new_key).join("memory");
        assert!(memory.join("alpha.md").is_file() && memory.join("team/shared.md").is_file());
    }
}

//! `split` and `fold-in` on the real disk: what goes where, what stays, what is refused, and that one
//! undo brings all of it back.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::cli_project_home::{folder, key, listed, memory, projects, set_age, transcript};
use crate::cli_write_home::{Desk, Picture, picture};

const SESSIONS: [&str; 3] = [
    "11111111-1111-4111-8111-111111111111",
    "22222222-2222-4222-8222-222222222222",
    "33333333-3333-4333-8333-333333333333",
];

fn home(desk: &Desk) -> Picture {
    picture(&desk.root().join("home"))
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

/// A memory that a session made.
fn made(desk: &Desk, key: &str, name: &str, session: &str) {
    let path = memory(desk, key, name, "x");
    let whole = text(&path).replace(
        "type: project",
        &format!("type: project\noriginSessionId: {session}"),
    );
    fs::write(&path, whole).unwrap();
    set_age(&path, 40);
}

/// A folder with sessions of two paths and of one that is gone; gives its key and the two paths.
pub fn mixed(desk: &Desk) -> (String, PathBuf, PathBuf) {
    let (one, two) = (folder(desk, "one"), folder(desk, "two"));
    let key = key(desk, &one);
    let gone = desk.root().join("gone");
    for (id, path) in SESSIONS.iter().zip([&one, &two, &gone]) {
        transcript(desk, &key, id, &[path], 3);
    }
    let results = projects(desk)
        .join(&key)
        .join(SESSIONS[1])
        .join("tool-results");
    fs::create_dir_all(&results).unwrap();
    fs::write(results.join("a.txt"), "x").unwrap();
    made(desk, &key, "of-one", SESSIONS[0]);
    made(desk, &key, "of-two", SESSIONS[1]);
    made(desk, &key, "same", SESSIONS[1]);
    memory(desk, &key, "of-none", "x");
    (key, one, two)
}

#[test]
fn pa17_each_session_goes_to_the_folder_of_its_path() {
    let desk = Desk::new();
    let (from, _, two) = mixed(&desk);
    let to = key(&desk, &two);
    made(&desk, &to, "same", SESSIONS[1]);
    memory(&desk, &to, "of-two", "Another.");
    let before = home(&desk);
    desk.done(&["split", &from, "--dry-run"]);
    assert_eq!(home(&desk), before);
    let done = desk.json(&["split", &from]);
    let notes = done["notes"].to_string();
    assert!(notes.contains("this one becomes of-two-2.md"), "{notes}");
    assert!(
        notes.contains("stays, because no session that moves made it: of-none.md, of-one.md"),
        "{notes}"
    );
    let (old, new) = (projects(&desk).join(&from), projects(&desk).join(&to));
    assert!(new.join(format!("{}.jsonl", SESSIONS[1])).exists());
    assert!(new.join(SESSIONS[1]).join("tool-results/a.txt").exists());
    for id in [SESSIONS[0], SESSIONS[2]] {
        assert!(old.join(format!("{id}.jsonl")).exists(), "{id}");
    }
    assert_eq!(
        text(&old.join("memory/MEMORY.md")),
        "- [of-one](of-one.md) — x\n- [of-none](of-none.md) — x\n"
    );
    assert_eq!(
        text(&new.join("memory/MEMORY.md")),
        "- [same](same.md) — x\n- [of-two](of-two.md) — x\n- [of-two](of-two-2.md) — x\n"
    );
    assert!(!old.join("memory/of-two.md").exists() && !old.join("memory/same.md").exists());
    assert_eq!(listed(&desk, &to)["memories"], 3);
    desk.refused(&["split", &from], 2, "refused");
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
}

/// A folder whose key none of its paths has: it is ambiguous, and empties.
#[test]
fn an_ambiguous_folder_is_split_to_its_end() {
    let desk = Desk::new();
    let paths = ["one", "two"].map(|name| folder(&desk, name));
    for (path, id) in paths.iter().zip(SESSIONS) {
        transcript(&desk, "-x-mixed", id, &[path], 3);
    }
    assert_eq!(listed(&desk, "-x-mixed")["origin"], "ambiguous");
    let before = home(&desk);
    desk.done(&["split", "-x-mixed"]);
    for path in &paths {
        let project = listed(&desk, &key(&desk, path));
        assert_eq!(
            (&project["origin"], &project["transcripts"]),
            (&json!("live"), &json!(1))
        );
    }
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
}

#[test]
fn paths_of_the_very_same_key_can_t_be_told_apart() {
    let desk = Desk::new();
    let paths = ["a-b", "a_b"].map(|name| folder(&desk, name));
    let from = key(&desk, &paths[0]);
    for (path, id) in paths.iter().zip(SESSIONS) {
        transcript(&desk, &from, id, &[path], 3);
    }
    let before = home(&desk);
    let said = desk.refused(&["split", &from], 2, "refused");
    assert!(said.contains("can't be told apart"), "{said}");
    for path in &paths {
        assert!(said.contains(path.to_str().unwrap()), "{said}");
    }
    assert_eq!(home(&desk), before);
}

#[test]
fn a_session_at_work_and_one_that_is_taken_stop_a_split() {
    let desk = Desk::new();
    let (from, one, two) = mixed(&desk);
    let to = key(&desk, &two);
    transcript(&desk, &to, SESSIONS[1], &[&two, &one], 3);
    let before = home(&desk);
    desk.refused(&["split", &from], 2, "taken");
    assert_eq!(home(&desk), before);
    transcript(&desk, &to, SESSIONS[1], &[&two], 0);
    let said = desk.refused(&["split", &from], 2, "refused");
    assert!(said.contains("may still be at work"), "{said}");
}

/// A repository with a worktree that is there, one that is gone and is still listed, and one that the
/// client made, is gone and forgotten by git; gives the keys of all four.
pub fn family(desk: &Desk) -> [String; 4] {
    let main = folder(desk, "main");
    fs::create_dir_all(main.join(".git/worktrees/w")).unwrap();
    fs::create_dir_all(main.join(".git/worktrees/v")).unwrap();
    let (tree, gone) = (folder(desk, "tree"), desk.root().join("gone"));
    let made = main.join(".claude/worktrees/made");
    let git = |path: &Path, text: String| fs::write(path, text).unwrap();
    git(
        &tree.join(".git"),
        format!("gitdir: {}/.git/worktrees/w\n", main.display()),
    );
    for (name, path) in [("w", &tree), ("v", &gone)] {
        let own = main.join(".git/worktrees").join(name);
        git(&own.join("gitdir"), format!("{}/.git\n", path.display()));
        git(&own.join("commondir"), "../..\n".to_string());
    }
    let keys = [&main, &tree, &gone, &made].map(|path| key(desk, path));
    for (path, (key, id)) in [&main, &tree, &gone, &made]
        .into_iter()
        .zip(keys.iter().zip([
            "00000000-0000-4000-8000-000000000000",
            SESSIONS[0],
            SESSIONS[1],
            SESSIONS[2],
        ]))
    {
        transcript(desk, key, id, &[path], 3);
    }
    memory(desk, &keys[0], "a", "One.");
    memory(desk, &keys[1], "b", "Two.");
    memory(desk, &keys[2], "b", "Three.");
    memory(desk, &keys[2], "c", "Four.");
    memory(desk, &keys[3], "c", "Four.");
    memory(desk, &keys[3], "d", "Five.");
    keys
}

#[test]
fn the_stores_of_worktrees_are_folded_into_their_repository_s() {
    let desk = Desk::new();
    let [main, tree, gone, made] = family(&desk);
    let other = folder(&desk, "other");
    transcript(&desk, &key(&desk, &other), "s", &[&other], 3);
    let before = home(&desk);
    desk.done(&["fold-in", &main, "--dry-run"]);
    assert_eq!(home(&desk), before);
    desk.done(&["fold-in", &main]);
    let into = projects(&desk).join(&main);
    let says = |name: &str, says: &str| {
        let text = text(&into.join(format!("memory/{name}.md")));
        assert!(text.contains(says), "{name}: {text}");
    };
    for (name, words) in [("a", "One."), ("c", "Four."), ("d", "Five.")] {
        says(name, words);
    }
    let both = ["b", "b-2"]
        .map(|name| text(&into.join(format!("memory/{name}.md"))))
        .concat();
    assert!(both.contains("Two.") && both.contains("Three."));
    let mut lines: Vec<String> = text(&into.join("memory/MEMORY.md"))
        .lines()
        .map(str::to_string)
        .collect();
    assert_eq!(lines[0], "- [a](a.md) — x");
    lines.sort();
    assert_eq!(
        lines,
        [
            "- [a](a.md) — x",
            "- [b](b-2.md) — x",
            "- [b](b.md) — x",
            "- [c](c.md) — x",
            "- [d](d.md) — x"
        ]
    );
    for id in [SESSIONS[1], SESSIONS[2]] {
        assert!(into.join(format!("{id}.jsonl")).exists(), "{id}");
    }
    // The worktree that is there keeps its sessions, where the client looks for them.
    let kept = projects(&desk).join(&tree);
    assert!(kept.join(format!("{}.jsonl", SESSIONS[0])).exists());
    assert!(!kept.join("memory").exists());
    for key in [&gone, &made] {
        assert!(!projects(&desk).join(key).exists());
    }
    assert_eq!(listed(&desk, &main)["origin"], "live");
    let said = desk.refused(&["fold-in", &main], 2, "refused");
    assert!(said.contains("nothing to fold in"), "{said}");
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
}

/// Of a worktree only its own store; into a repository without any memories its index goes as it is.
#[test]
fn one_worktree_is_folded_in_by_its_key() {
    let desk = Desk::new();
    let [main, tree, gone, _] = family(&desk);
    fs::remove_dir_all(projects(&desk).join(&main)).unwrap();
    let before = home(&desk);
    desk.done(&["fold-in", &gone]);
    let into = projects(&desk).join(&main);
    assert_eq!(
        text(&into.join("memory/MEMORY.md")),
        "- [b](b.md) — x\n- [c](c.md) — x\n"
    );
    assert!(projects(&desk).join(&tree).join("memory/b.md").exists());
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
    let lone = folder(&desk, "lone");
    let key = key(&desk, &lone);
    transcript(&desk, &key, "s", &[&lone], 3);
    desk.refused(&["fold-in", &key], 2, "refused");
}

/// Where a split works it is offered; where the key is the very same it is not.
#[test]
fn a_session_of_another_path_is_told_in_the_list_and_by_doctor() {
    let desk = Desk::new();
    let (from, one, two) = mixed(&desk);
    let cure = format!("`loci split {from}`");
    let notes = listed(&desk, &from)["notes"].to_string();
    assert!(
        notes.contains(&format!("1 session in it ran in {}", two.display())),
        "{notes}"
    );
    assert!(notes.contains(&cure) && !notes.contains(&one.display().to_string()));
    let found = desk.run(&["doctor", "--all"]).out;
    assert!(
        found.contains("guest-sessions") && found.contains(&cure),
        "{found}"
    );
    desk.done(&["split", &from]);
    assert_eq!(listed(&desk, &from)["notes"], json!([]));
    let paths = ["a-b", "a_b"].map(|name| folder(&desk, name));
    let shared = key(&desk, &paths[0]);
    for (path, id) in paths.iter().zip(SESSIONS) {
        transcript(&desk, &shared, id, &[path], 3);
    }
    let found = desk.run(&["doctor", "--all"]).out;
    assert!(!found.contains("loci split"), "{found}");
    let cure = format!("`loci prune {shared}` takes its sessions");
    assert!(found.contains(&cure), "{found}");
    let said = desk.refused(&["split", &shared], 2, "refused");
    assert!(
        said.contains(&cure) && said.contains("loci export"),
        "{said}"
    );
}

/// What is folded in or split moves: "go" is the word of the trash.
#[test]
fn what_moves_is_called_so() {
    let desk = Desk::new();
    let [main, ..] = family(&desk);
    let notes = desk.json(&["fold-in", &main, "--dry-run"])["notes"].to_string();
    let gone = desk.root().join("gone").display().to_string();
    for words in [
        format!("{gone} is gone: its memories and sessions move into main"),
        format!(
            "{}: its memories move into main",
            desk.root().join("tree").display()
        ),
    ] {
        assert!(notes.contains(&words), "{notes}");
    }
    let (from, _, two) = mixed(&desk);
    let notes = desk.json(&["split", &from, "--dry-run"])["notes"].to_string();
    let words = format!("the sessions of {} move to", two.display());
    assert!(notes.contains(&words), "{notes}");
}

/// A worktree that is gone names its repository and what takes its memories there.
#[test]
fn a_worktree_that_is_gone_says_what_it_can_be_folded_into() {
    let desk = Desk::new();
    let [main, _, gone, _] = family(&desk);
    let root = desk.root().join("main").display().to_string();
    let cure = format!("`loci fold-in {gone}` takes what it holds into that");
    let project = listed(&desk, &gone);
    assert_eq!(project["repository"], json!(root));
    let notes = project["notes"].to_string();
    assert!(
        notes.contains(&format!("a worktree of {root} that is gone: {cure}")),
        "{notes}"
    );
    assert_eq!(listed(&desk, &main)["repository"], json!(null));
    let shown = desk.done(&["projects"]).out;
    assert!(shown.contains(&cure), "{shown}");
    let found = desk.run(&["doctor", "--all"]).out;
    assert!(
        found.contains(&format!("a worktree of {root}, so no session")) && found.contains(&cure),
        "{found}"
    );
    let ran = desk.run(&["prune", &gone]);
    assert!(ran.out.contains(&format!("{cure} instead")), "{ran:?}");
}

//! What `doctor` finds of project folders themselves.

use std::fs;

use serde_json::Value;

use crate::cli_project_home::{folder, key, memory, orphan, projects, transcript};
use crate::cli_write_home::Desk;

const CODES: [&str; 5] = ["orphan", "moved", "ambiguous", "nested-project", "key-case"];

/// The findings about project folders: code, severity, key, path.
fn found(desk: &Desk, arguments: &[&str]) -> Vec<[String; 4]> {
    let ran = desk.run(&[&["doctor", "--json"], arguments].concat());
    let json: Value = serde_json::from_str(&ran.out).unwrap();
    let words = |finding: &Value| {
        ["code", "severity", "project", "path"]
            .map(|name| finding[name].as_str().unwrap().to_string())
    };
    let mut found: Vec<[String; 4]> = json["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(words)
        .filter(|words| CODES.contains(&&*words[0]))
        .collect();
    found.sort();
    found
}

fn expected(code: &str, severity: &str, key: &str) -> [String; 4] {
    let path = format!("projects/{key}");
    [
        code.to_string(),
        severity.to_string(),
        key.to_string(),
        path,
    ]
}

#[test]
fn each_origin_that_costs_is_found_with_its_severity() {
    let desk = Desk::new();
    let gone = orphan(&desk, "gone");
    // Its files are known, and are elsewhere now.
    let old = folder(&desk, "work/shop");
    fs::create_dir_all(old.join(".git/logs")).unwrap();
    fs::write(
        old.join(".git/config"),
        "[remote \"origin\"]\n\turl = https://example.org/team/shop.git\n",
    )
    .unwrap();
    let commit = "1".repeat(40);
    fs::write(
        old.join(".git/logs/HEAD"),
        format!("{} {commit} A <a@b> 1 +0000\tx\n", "0".repeat(40)),
    )
    .unwrap();
    let moved = key(&desk, &old);
    transcript(&desk, &moved, "s", &[&old], 3);
    memory(&desk, &moved, "a", "x");
    let paths = ["a-b", "a_b"].map(|name| folder(&desk, name));
    let shared = key(&desk, &paths[0]);
    for (path, id) in paths.iter().zip(["s", "t"]) {
        transcript(&desk, &shared, id, &[path], 3);
    }
    let live = folder(&desk, "live");
    let outer = key(&desk, &live);
    transcript(&desk, &outer, "s", &[&live], 3);
    transcript(&desk, &format!("{outer}/-x-inner"), "s", &[&live], 3);
    memory(&desk, "c--work", "a", "x");
    memory(&desk, "C--work", "b", "x");
    // What is kept while it is live is how it is known later.
    let other = orphan(&desk, "other");
    desk.done(&["prune", &other, "--yes", "--with-memories", &other]);
    fs::rename(&old, desk.root().join("work/shop-now")).unwrap();
    let mut all = vec![
        expected("ambiguous", "warning", &shared),
        expected("key-case", "note", "C--work"),
        expected("key-case", "note", "c--work"),
        expected("moved", "warning", &moved),
        expected("nested-project", "note", &outer),
        expected("orphan", "warning", &gone),
    ];
    all.sort();
    assert_eq!(found(&desk, &["--all"]), all);
    let shown = desk.run(&["doctor", "--all"]);
    assert_eq!(shown.code, Some(1));
    let there = desk.root().join("work/shop-now").display().to_string();
    for words in [
        "orphan  the project folder",
        &format!("`loci relink {moved} {there}` takes it there"),
        &format!("`loci prune {shared}` takes its sessions"),
        &format!("`loci merge {outer}/-x-inner {outer}` lifts it"),
        "`loci merge c--work C--work` makes them one, or the other way round",
    ] {
        assert!(shown.out.contains(words), "{words}: {}", shown.out);
    }
}

/// Without `--all` what is found of the one project; a level of ours holds.
#[test]
fn of_one_project_only_its_own_are_found() {
    let desk = Desk::new();
    orphan(&desk, "gone");
    let paths = ["a-b", "a_b"].map(|name| folder(&desk, name));
    let shared = key(&desk, &paths[0]);
    for (path, id) in paths.iter().zip(["s", "t"]) {
        transcript(&desk, &shared, id, &[path], 3);
    }
    memory(&desk, &shared, "a", "x");
    let here = ["--cwd", paths[0].to_str().unwrap()];
    let of_it = vec![expected("ambiguous", "warning", &shared)];
    assert_eq!(found(&desk, &here), of_it);
    let fixed = desk.run(&[&["doctor", "--fix"], &here[..]].concat());
    assert!(
        fixed.out.contains("ambiguous  the project folder"),
        "{fixed:?}"
    );
    assert!(projects(&desk).join(&shared).exists());
    let lone = folder(&desk, "lone");
    transcript(&desk, &key(&desk, &lone), "s", &[&lone], 3);
    assert!(found(&desk, &["--cwd", lone.to_str().unwrap()]).is_empty());
}

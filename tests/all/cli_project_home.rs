//! Project folders on the real disk, for the tests of what lists and changes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::cli_home::NOW;
use crate::cli_write_home::{Desk, Picture, picture};

/// A transcript of a project folder that names working directories, as old as `days`.
pub fn transcript(desk: &Desk, key: &str, id: &str, cwds: &[&Path], days: u64) -> PathBuf {
    let lines: String = cwds
        .iter()
        .map(|cwd| {
            format!(
                "{}\n",
                json!({"type": "user", "cwd": cwd, "message": {"role": "user", "content": "x"}})
            )
        })
        .collect();
    let path = projects(desk).join(key).join(format!("{id}.jsonl"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, lines).unwrap();
    set_age(&path, days);
    path
}

pub fn set_age(path: &Path, days: u64) {
    let then = UNIX_EPOCH + Duration::from_secs(NOW.unsigned_abs() - days * 24 * 60 * 60);
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(then).unwrap();
}

/// A memory with its index line.
pub fn memory(desk: &Desk, key: &str, name: &str, text: &str) -> PathBuf {
    let folder = projects(desk).join(key).join("memory");
    fs::create_dir_all(&folder).unwrap();
    let index = folder.join("MEMORY.md");
    let line = format!("- [{name}]({name}.md) — x\n");
    let before = fs::read_to_string(&index).unwrap_or_default();
    fs::write(&index, before + &line).unwrap();
    let path = folder.join(format!("{name}.md"));
    let text = format!("---\nname: {name}\ndescription: d\ntype: project\n---\n{text}\n");
    fs::write(&path, text).unwrap();
    set_age(&path, 40);
    path
}

pub fn projects(desk: &Desk) -> PathBuf {
    desk.root().join("home/.claude/projects")
}

/// The key of a path, as the binary says.
pub fn key(desk: &Desk, path: &Path) -> String {
    let shown = desk.json(&["key", path.to_str().unwrap()]);
    shown["key"].as_str().unwrap().to_string()
}

pub fn folder(desk: &Desk, name: &str) -> PathBuf {
    let path = desk.root().join(name);
    fs::create_dir_all(&path).unwrap();
    path
}

/// One project of the list.
#[track_caller]
pub fn listed(desk: &Desk, key: &str) -> Value {
    let list = desk.json(&["projects"]);
    let projects = list["projects"].as_array().unwrap();
    let found = projects.iter().find(|project| project["key"] == key);
    found
        .unwrap_or_else(|| panic!("no {key} in {list}"))
        .clone()
}

/// A project folder whose path is gone, with memories and all that a session leaves.
pub fn orphan(desk: &Desk, name: &str) -> String {
    let path = desk.root().join(name);
    let key = key(desk, &path);
    let id = "11111111-1111-4111-8111-111111111111";
    transcript(desk, &key, id, &[&path], 5);
    let agents = projects(desk).join(&key).join(id).join("subagents");
    fs::create_dir_all(&agents).unwrap();
    fs::write(agents.join("agent-x.jsonl"), "{}\n").unwrap();
    memory(desk, &key, "alpha", "One.");
    memory(desk, &key, "beta", "Two.");
    key
}

/// All files of all project folders.
pub fn pictured(desk: &Desk) -> Picture {
    picture(&projects(desk))
}

/// The key of the last change.
pub fn last_change(desk: &Desk) -> String {
    let history = desk.json(&["history"]);
    history["history"][0]["key"].as_str().unwrap().to_string()
}

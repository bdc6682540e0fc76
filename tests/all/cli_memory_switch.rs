//! `memory`: which layer decides whether the client keeps memory in a project, and the switch that
//! writes the person's own settings of it, losslessly and with an undo.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::cli_home::{Home, ran};
use crate::cli_project_home::{listed, transcript};
use crate::cli_write_home::{Desk, picture, small};

fn local(desk: &Desk) -> PathBuf {
    desk.root().join("proj/.claude/settings.local.json")
}

fn put(desk: &Desk, text: &str) -> PathBuf {
    let path = local(desk);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    crate::cli_project_home::set_age(&path, 9);
    path
}

#[test]
fn status_names_the_layer_that_decides_and_the_weaker_ones() {
    let home = Home::new();
    assert_eq!(
        home.json(&["memory", "--json"]),
        json!({"path": "/srv/proj", "on": true, "by": null, "said": []})
    );
    home.write(
        "/home/u/.claude/settings.json",
        "{\"autoMemoryEnabled\": false}",
    );
    home.write(
        "/srv/proj/.claude/settings.json",
        "{\"autoMemoryEnabled\": true}",
    );
    let status = home.json(&["memory", "status", "--json"]);
    assert_eq!(status["on"], true);
    assert_eq!(
        status["by"],
        "autoMemoryEnabled in /srv/proj/.claude/settings.json"
    );
    let files: Vec<&Value> = status["said"]
        .as_array()
        .unwrap()
        .iter()
        .map(|said| &said["file"])
        .collect();
    assert_eq!(
        files,
        [
            "/srv/proj/.claude/settings.json",
            "/home/u/.claude/settings.json"
        ]
    );
    let mut command = home.command(&["memory"]);
    command.env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    let out = ran(&mut command).out;
    assert!(out.starts_with("○ off  /srv/proj\n"), "{out}");
    assert!(
        out.contains("decides  off  CLAUDE_CODE_DISABLE_AUTO_MEMORY=1"),
        "{out}"
    );
    assert!(out.contains("weaker   on "), "{out}");
}

/// Other keys, their order, indentation and the end of the file stay; undo gives back bytes and time.
#[test]
fn off_and_on_edit_one_value_and_undo_takes_it_back() {
    for (text, off) in [
        (
            "{\n    \"permissions\": {\"allow\": [\"x\"]},\n    \"env\": {}\n}",
            "{\n    \"permissions\": {\"allow\": [\"x\"]},\n    \"env\": {},\n    \"autoMemoryEnabled\": false\n}",
        ),
        (
            "{\"autoMemoryEnabled\":true,\"a\":1}\n\n",
            "{\"autoMemoryEnabled\":false,\"a\":1}\n\n",
        ),
        ("{}", "{\n  \"autoMemoryEnabled\": false\n}"),
    ] {
        let desk = small();
        let path = put(&desk, text);
        let before = picture(&desk.root().join("proj"));
        let shown = desk.done(&["memory", "off", "--dry-run"]).out;
        assert!(shown.contains("autoMemoryEnabled"), "{shown}");
        assert_eq!(picture(&desk.root().join("proj")), before);
        let done = desk.json(&["memory", "off"]);
        assert_eq!(
            (&done["on"], &done["change"]["title"]),
            (&json!(false), &json!("memory off"))
        );
        assert_eq!(fs::read_to_string(&path).unwrap(), off);
        desk.done(&["memory", "on"]);
        let on = off.replace("false", "true");
        assert_eq!(fs::read_to_string(&path).unwrap(), on);
        desk.done(&["undo"]);
        desk.done(&["undo"]);
        assert_eq!(picture(&desk.root().join("proj")), before);
    }
}

#[test]
fn the_file_is_made_where_there_is_none_and_nothing_is_written_twice() {
    let desk = small();
    desk.done(&["memory", "off"]);
    assert_eq!(
        fs::read_to_string(local(&desk)).unwrap(),
        "{\n  \"autoMemoryEnabled\": false\n}\n"
    );
    let again = desk.json(&["memory", "off"]);
    assert_eq!(again["change"]["key"], Value::Null);
    desk.done(&["undo"]);
    assert!(!local(&desk).exists());
    fs::create_dir(desk.root().join("proj/.git")).unwrap();
    let said = desk.done(&["memory", "off"]).err;
    assert!(!said.contains("switched off"), "{said}");
    assert!(said.contains("keep it out of version control"), "{said}");
    let said = desk.done(&["memory", "on"]).err;
    assert!(!said.contains("version control"), "{said}");
    assert!(!said.contains("switched off"), "{said}");
    // Elsewhere it is still said.
    desk.done(&["memory", "off"]);
    assert_eq!(desk.done(&["memory"]).err, "");
    let said = desk.done(&["ls"]).err;
    assert!(said.contains("memory is switched off by"), "{said}");
}

#[test]
fn a_stronger_layer_is_named_and_nothing_written() {
    let desk = small();
    for (switch, value) in [("off", "0"), ("on", "1")] {
        let mut command = desk.command(&["memory", switch, "--json"]);
        command.env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", value);
        let ran = ran(&mut command);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let message = ran.json()["error"]["message"].to_string();
        assert!(
            message.contains(&format!("CLAUDE_CODE_DISABLE_AUTO_MEMORY={value}")),
            "{message}"
        );
        assert!(!local(&desk).exists());
    }
}

#[test]
fn what_can_not_be_edited_is_left_with_a_sentence() {
    for text in ["{\"a\": 1,}", "// mine\n{}", "[]"] {
        let desk = small();
        let path = put(&desk, text);
        let said = desk.refused(&["memory", "off"], 2, "refused");
        assert!(said.contains("settings.local.json"), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_link_out_of_the_project_is_not_written_through() {
    for whole in [true, false] {
        let desk = small();
        let outside = desk.root().join("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("settings.local.json"), "{}").unwrap();
        let inside = desk.root().join("proj/.claude");
        if whole {
            symlink(&outside, &inside).unwrap();
        } else {
            fs::create_dir(&inside).unwrap();
            symlink(outside.join("settings.local.json"), local(&desk)).unwrap();
        }
        let said = desk.refused(&["memory", "off"], 2, "refused");
        assert!(said.contains("leads out"), "{said}");
        let text = fs::read_to_string(outside.join("settings.local.json")).unwrap();
        assert_eq!(text, "{}");
    }
}

#[test]
fn the_list_of_projects_says_where_memory_is_off() {
    let desk = small();
    let proj = desk.root().join("proj");
    let own = crate::cli_project_home::key(&desk, &proj);
    transcript(
        &desk,
        &own,
        "11111111-1111-4111-8111-111111111111",
        &[&proj],
        5,
    );
    assert_eq!(
        listed(&desk, &own)["memory"],
        json!({"on": true, "by": null})
    );
    desk.done(&["memory", "off"]);
    let memory = &listed(&desk, &own)["memory"];
    assert_eq!(memory["on"], false);
    assert!(
        memory["by"]
            .as_str()
            .unwrap()
            .ends_with("settings.local.json")
    );
    let shown = desk.done(&["projects"]).out;
    assert!(shown.contains("memory is switched off by"), "{shown}");
}

//! `forget` on the real disk: what of the client's files goes, that no byte of another project does,
//! and that one undo brings all of it back.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::cli_project_home::{folder, key, listed, memory, orphan, projects, set_age, transcript};
use crate::cli_write_home::{Desk, Picture, picture};

const SESSION: &str = "11111111-1111-4111-8111-111111111111";

fn home(desk: &Desk) -> Picture {
    picture(&desk.root().join("home"))
}

/// The client's own files with a project and its neighbours in them; gives the project's key.
pub fn known(desk: &Desk) -> String {
    let gone = desk.root().join("nest");
    let sibling = desk.root().join("nest-2");
    let sub = gone.join("sub");
    let claude = desk.root().join("home/.claude");
    let key = orphan(desk, "nest");
    let line = |path: &Path, text: &str| {
        format!("{{\"display\": {text:?},  \"project\":{}}}\n", json!(path))
    };
    let lines = [
        line(&gone, "one"),
        line(&sibling, gone.to_str().unwrap()),
        "no json\n".to_string(),
        line(&sub, "three"),
        line(&gone, "four"),
    ];
    fs::write(claude.join("history.jsonl"), lines.concat()).unwrap();
    set_age(&claude.join("history.jsonl"), 20);
    let text = format!(
        "{{\n  \"n\": 1,\n  \"projects\": {{\n    {}: {{\"a\": [1, 2]}},\n    {}: {{\n      \"b\": \"}}\"\n    }},\n    {}: {{}}\n  }}\n}}",
        json!(sibling),
        json!(gone),
        json!(sub)
    );
    fs::write(desk.root().join("home/.claude.json"), text).unwrap();
    for file in [
        format!("file-history/{SESSION}/a@v1"),
        format!("todos/{SESSION}-agent-{SESSION}.json"),
        "todos/22222222-2222-4222-8222-222222222222-agent-x.json".to_string(),
        format!("debug/{SESSION}.txt"),
    ] {
        let path = claude.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, "x").unwrap();
    }
    key
}

#[test]
fn all_that_the_client_holds_of_it_goes_and_nothing_else() {
    let desk = Desk::new();
    let key = known(&desk);
    let before = home(&desk);
    let claude_json = desk.root().join("home/.claude.json");
    let history = desk.root().join("home/.claude/history.jsonl");
    let texts = [&claude_json, &history].map(|path| fs::read_to_string(path).unwrap());
    let ran = desk.run(&["forget", &key]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    // What stays is named with its place.
    let said = format!("{}{}", ran.out, ran.err);
    assert!(
        said.contains("stays in loci's own state (swept.json)"),
        "{said}"
    );
    for line in [
        "  memory   alpha.md\n".to_string(),
        format!("  session  {SESSION}\n"),
        format!("  other    file-history/{SESSION}\n"),
        format!("  other    debug/{SESSION}.txt\n"),
        format!("  other    todos/{SESSION}-agent-{SESSION}.json\n"),
        "  in       ~/.claude/history.jsonl (2 entries)\n".to_string(),
        "  in       ~/.claude.json (1 entry)\n".to_string(),
    ] {
        assert!(ran.out.contains(&line), "{line}: {ran:?}");
    }
    let said = desk.refused(&["forget", &key, "--yes"], 2, "confirm");
    assert!(
        said.contains(&format!("--with-memories {key} does it")),
        "{said}"
    );
    desk.done(&["forget", &key, "--dry-run"]);
    assert_eq!(home(&desk), before);
    let done = desk.json(&["forget", &key, "--yes", "--with-memories", &key]);
    assert_eq!(done["memories"], json!(["alpha.md", "beta.md"]));
    let kinds: Vec<&Value> = done["elsewhere"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["kind"])
        .collect();
    assert_eq!(kinds, ["history", "claude-json"]);
    let left: Vec<String> = texts[1]
        .split_inclusive('\n')
        .filter(|line| !line.contains("\"one\"") && !line.contains("\"four\""))
        .map(str::to_string)
        .collect();
    assert_eq!(left.len(), 3);
    assert_eq!(fs::read_to_string(&history).unwrap(), left.concat());
    let gone = json!(desk.root().join("nest")).to_string();
    let entry = format!("{gone}: {{\n      \"b\": \"}}\"\n    }},\n    ");
    assert!(texts[0].contains(&entry));
    assert_eq!(
        fs::read_to_string(&claude_json).unwrap(),
        texts[0].replace(&entry, "")
    );
    let after = home(&desk);
    let mut names: Vec<&str> = after
        .keys()
        .map(String::as_str)
        .filter(|name| name.starts_with(".claude/"))
        .collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            ".claude/history.jsonl",
            ".claude/todos/22222222-2222-4222-8222-222222222222-agent-x.json"
        ]
    );
    desk.done(&["undo"]);
    assert_eq!(home(&desk), before);
}

/// A project that is there, and whose memories others share, is told as such before.
#[test]
fn a_project_in_use_is_told_as_such() {
    let desk = Desk::new();
    let path = folder(&desk, "live");
    let key = key(&desk, &path);
    transcript(&desk, &key, "s", &[&path], 3);
    memory(&desk, &key, "a", "x");
    let ran = desk.run(&["forget", path.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.out
            .contains("which is there and would find no memories any more"),
        "{ran:?}"
    );
    let project = listed(&desk, &key);
    assert_eq!(project["memories"], 1);
    transcript(&desk, &key, "t", &[&path], 0);
    let said = desk.refused(
        &["forget", &key, "--yes", "--with-memories", &key],
        2,
        "refused",
    );
    assert!(said.contains("may still be at work"), "{said}");
    desk.refused(&["forget", "-no-such"], 2, "not-found");
    assert!(projects(&desk).join(&key).exists());
}

/// Of two long paths with the same beginning only the one whose entries go is touched.
#[test]
fn a_long_path_with_the_same_beginning_is_another_s() {
    let desk = Desk::new();
    let deep = "d".repeat(200);
    let (one, two) = (
        desk.root().join(&deep).join("a"),
        desk.root().join(&deep).join("b"),
    );
    let key = key(&desk, &one);
    transcript(&desk, &key, "s", &[&one], 3);
    let history = desk.root().join("home/.claude/history.jsonl");
    let line = |path: &Path| json!({"project": path}).to_string() + "\n";
    fs::write(&history, line(&one) + &line(&two)).unwrap();
    desk.done(&["forget", &key, "--yes"]);
    assert_eq!(fs::read_to_string(&history).unwrap(), line(&two));
}

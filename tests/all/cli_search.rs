//! `search`, for people and for scripts.

use serde_json::{Value, json};

use crate::cli_home::{Home, keys, project, text_of};

const OTHER: &str = "/home/u/.claude/projects/-srv-other/memory";

/// Two projects, with the word in every place it can have.
fn home() -> Home {
    let home = project();
    let body = |text: &str| format!("{}{text}\n", text_of("plain", "Nothing", "user"));
    home.memory("snapshot.md", text_of("snapshot-first", "Why", "feedback"));
    home.memory("deep.md", body("\n## By night\n\nA Snapshot, by hand."));
    home.write(
        &format!("{OTHER}/db.md"),
        text_of("db", "Take a SNAPSHOT before 数据库迁移", "project"),
    );
    home.write(
        "/home/u/.claude/projects/-srv-other/1.jsonl",
        "{\"cwd\":\"/srv/other\"}\n",
    );
    home
}

fn paths(found: &Value) -> Vec<&str> {
    let hits = found["hits"].as_array().unwrap();
    hits.iter()
        .map(|hit| hit["path"].as_str().unwrap())
        .collect()
}

#[test]
fn search_json_has_the_shape_that_is_promised() {
    let found = home().json(&["search", "--all", "snapshot", "--json"]);
    assert_eq!(keys(&found), ["hits", "total"].into());
    assert_eq!(paths(&found), ["snapshot.md", "db.md", "deep.md"]);
    assert_eq!(found["total"], 3);
    assert_eq!(
        keys(&found["hits"][0]),
        [
            "description",
            "exact",
            "field",
            "line",
            "name",
            "path",
            "project",
            "score",
            "text",
            "type"
        ]
        .into()
    );
    let mut deep = found["hits"][2].clone();
    assert!(deep["score"].as_i64() < found["hits"][1]["score"].as_i64());
    deep["score"] = json!(null);
    assert_eq!(
        deep,
        json!({
            "project": "-srv-proj", "path": "deep.md", "name": "plain", "description": "Nothing",
            "type": "user", "field": "body", "line": 10, "text": "A Snapshot, by hand.",
            "score": null, "exact": true,
        })
    );
}

#[test]
fn without_all_only_this_project_is_searched() {
    let home = home();
    let found = home.json(&["search", "snapshot", "--json"]);
    assert_eq!(paths(&found), ["snapshot.md", "deep.md"]);
    let found = home.json(&["search", "--all", "数据库", "--json"]);
    assert_eq!(
        (paths(&found), &found["hits"][0]["field"]),
        (vec!["db.md"], &json!("description"))
    );
}

#[test]
fn all_words_are_wanted_and_likeness_comes_after() {
    let home = home();
    let found = home.json(&["search", "NIGHT", "snapshot", "--json"]);
    assert_eq!(paths(&found), ["deep.md"]);
    let found = home.json(&["search", "snapfirst", "--json"]);
    assert_eq!(
        (paths(&found), &found["hits"][0]["exact"]),
        (vec!["snapshot.md"], &json!(false))
    );
    let people = home.run(&["search", "snapfirst"]).out;
    assert!(
        people.starts_with("similar, without all of the words:\nproj\n"),
        "{people}"
    );
}

/// Where few hold all the words, what has another form of them, or most of them, is found by the ranker.
#[test]
fn what_is_related_comes_after_what_is_exact() {
    let home = home();
    let found = home.json(&["search", "--all", "nights", "by", "hands", "--json"]);
    let hits = found["hits"].as_array().unwrap();
    assert_eq!(hits[0]["exact"], json!(false));
    assert_eq!(
        (
            &hits[0]["path"],
            &hits[0]["field"],
            &hits[0]["line"],
            &hits[0]["text"]
        ),
        (
            &json!("deep.md"),
            &json!("heading"),
            &json!(8),
            &json!("## By night")
        )
    );
    assert_eq!(found["total"], hits.len());
    let keys: Vec<&String> = found.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["hits", "total"]);
    let people = home.run(&["search", "--all", "nights", "by", "hands"]).out;
    assert!(
        people.starts_with("similar, without all of the words:\n"),
        "{people}"
    );
}

#[test]
fn nothing_found_is_an_empty_list_and_exit_code_1() {
    let ran = home().run(&["search", "absent", "--json"]);
    assert_eq!(ran.code, Some(1));
    assert_eq!(ran.json(), json!({"hits": [], "total": 0}));
    assert_eq!(
        ran.err,
        "no memory holds absent in this project (--all looks in every one)\n"
    );
    assert_eq!(Home::new().run(&["search", "--all", "x"]).code, Some(1));
    let wrong = home().run(&["search", " "]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert_eq!(home().run(&["search"]).code, Some(2));
}

#[test]
fn a_limit_cuts_the_list_and_says_so() {
    let home = home();
    let ran = home.run(&["search", "--all", "snapshot", "--json", "-n", "1"]);
    let found = ran.json();
    assert_eq!(
        (paths(&found), &found["total"]),
        (vec!["snapshot.md"], &json!(3))
    );
    assert_eq!(ran.err, "2 hits more: -n 0 prints all\n");
    let found = home.json(&["search", "--all", "snapshot", "--json", "--limit", "0"]);
    assert_eq!(paths(&found).len(), 3);
}

#[test]
fn people_see_projects_places_and_marks_and_nothing_that_a_terminal_obeys() {
    let home = home();
    home.memory(
        "evil.md",
        text_of("e", "x\u{1b}[2Jsnapshot\u{202E}", "user"),
    );
    let ran = home.run(&["search", "--all", "snapshot"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(
        lines,
        [
            "proj",
            "  snapshot.md:2  snapshot-first",
            "  evil.md:3  x␛[2Jsnapshot<U+202E>",
            "  deep.md:10  A Snapshot, by hand.",
            "",
            "other",
            "  db.md:3  Take a SNAPSHOT before 数据库迁移",
        ]
    );
    let ran = home.run(&["search", "night", "--color", "always"]);
    assert!(
        ran.out.contains("## By \u{1b}[1;4mnight\u{1b}[0m"),
        "{ran:?}"
    );
}

#[test]
fn nothing_outside_of_the_folder_is_found() {
    let home = home();
    home.write("/srv/secret.md", "the hidden word");
    std::os::unix::fs::symlink("/srv/secret.md", home.at(&format!("{OTHER}/out.md"))).unwrap();
    assert_eq!(home.run(&["search", "--all", "hidden"]).code, Some(1));
}

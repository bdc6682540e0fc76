//! `recall`: who chooses, what is chosen and dropped, and each fault in a sentence.

use serde_json::json;

use crate::cli_home::Home;
use crate::model_server::{ModelServer, Reply};

const CONFIG: &str = "/home/u/.config/loci/config.toml";
const QUESTION: &[&str] = &["recall", "how do I migrate the production database?"];

fn memory(home: &Home, file: &str, description: &str) {
    home.write(
        &format!("/home/u/.claude/projects/-srv-proj/memory/{file}"),
        format!("---\nname: {file}\ndescription: {description}\ntype: project\n---\nbody\n"),
    );
}

fn world() -> Home {
    let home = Home::new();
    memory(
        &home,
        "backup.md",
        "Take a snapshot before you migrate the production database",
    );
    memory(&home, "fonts.md", "The licence forbids embedding the font");
    memory(&home, "tone.md", "Answer in short sentences");
    home
}

fn set_up(home: &Home, server: &ModelServer) {
    let url = server.url();
    home.write(
        CONFIG,
        format!("[model]\nprovider = \"anthropic\"\nsmall = \"small-1\"\nbase_url = \"{url}\"\n"),
    );
}

fn with_json<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    [arguments, &["--json"]].concat()
}

#[test]
fn without_a_model_words_choose_and_it_is_said() {
    let home = world();
    let ran = home.run(QUESTION);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.out.starts_with("backup.md  "), "{ran:?}");
    assert!(ran.out.ends_with("by words, of 3 memories\n"), "{ran:?}");
    assert_eq!(ran.err, "loci: chosen by words: no model is set up\n");
    let json = home.json(&with_json(QUESTION));
    assert_eq!(
        (&json["by"], &json["candidates"]),
        (&json!("words"), &json!(3))
    );
    assert_eq!(json["picked"][0]["path"], "backup.md");
    assert!(json["picked"][0]["score"].as_f64().unwrap() > 0.8);
    assert!(
        json["picked"][0]["why"]
            .as_str()
            .unwrap()
            .starts_with("it has ")
    );
    assert_eq!(json["dropped"], json!([]));
}

#[test]
fn nothing_found_ends_with_one() {
    let home = world();
    let ran = home.run(&["recall", "thanks, that looks good"]);
    assert_eq!(
        (ran.code, ran.out.as_str()),
        (Some(1), "by words, of 3 memories\n"),
        "{ran:?}"
    );
    assert!(
        ran.err
            .ends_with("no memory is recalled for this question, of 3 memories\n"),
        "{ran:?}"
    );
    let none = Home::new().run(QUESTION);
    assert_eq!(none.code, Some(1), "{none:?}");
}

#[test]
fn the_small_model_chooses_and_what_it_makes_up_is_dropped() {
    let home = world();
    let server = ModelServer::start();
    set_up(&home, &server);
    server.reply(Reply::text(
        "```json\n{\"selected_memories\": [\"tone.md\", \"../../x.md\"]}\n```",
    ));
    let ran = home.run(&with_json(QUESTION));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(server.refusals(), Vec::<String>::new());
    assert_eq!(
        ran.json(),
        json!({
            "candidates": 3,
            "picked": [{"path": "tone.md", "score": null, "why": "the model chose it"}],
            "dropped": [{"path": "../../x.md", "why": "no memory in the list has this name"}],
            "by": "model", "note": null,
        })
    );
    let body = server.seen()[0].json();
    assert_eq!(body["model"], "small-1");
    assert!(body.to_string().contains("- [project] backup.md (saved "));
}

#[test]
fn words_can_be_asked_for_and_stand_in_for_a_model_that_fails() {
    let home = world();
    let server = ModelServer::start();
    set_up(&home, &server);
    let words = home.json(&with_json(&[QUESTION, &["--words"]].concat()));
    assert_eq!(
        (&words["by"], &words["note"]),
        (&json!("words"), &json!("--words asks for it"))
    );
    assert!(server.seen().is_empty());
    server.reply(Reply::status(401, "authentication_error", "no"));
    let failed = home.json(&with_json(QUESTION));
    assert_eq!(
        (&failed["by"], &failed["picked"][0]["path"]),
        (&json!("words"), &json!("backup.md"))
    );
    assert!(
        failed["note"]
            .as_str()
            .unwrap()
            .starts_with("the model did not choose: ")
    );
}

#[test]
fn each_fault_has_its_sentence() {
    let home = world();
    let short = home.run(&["recall", "migrate"]);
    assert_eq!(short.code, Some(2), "{short:?}");
    assert_eq!(
        short.err,
        "loci: the question is too short to choose by: it takes 2 words, or 4 characters of Chinese, Japanese or Korean\n"
    );
    let empty = home.run(&["recall", " "]);
    assert_eq!(
        (empty.code, empty.err.as_str()),
        (Some(2), "loci: there is no question\n")
    );
    home.write(
        "/home/u/.claude/settings.json",
        "{\"autoMemoryEnabled\": false}",
    );
    let off = home.run(QUESTION);
    assert_eq!(off.code, Some(2), "{off:?}");
    assert!(
        off.err.contains("memory is off: nothing is recalled"),
        "{off:?}"
    );
}

#[test]
fn the_preview_shows_what_prefetching_brings_along() {
    let home = world();
    let asked = [
        "preview",
        "--ours",
        "--recall",
        "prefetch",
        "--prompt",
        QUESTION[1],
    ];
    let json = home.json(&with_json(&asked));
    assert_eq!(json["manifest"].as_array().unwrap().len(), 3);
    let parts = json["parts"].as_array().unwrap();
    let recalled: Vec<_> = parts
        .iter()
        .filter(|part| part["kind"] == "recalled")
        .collect();
    assert_eq!(recalled.len(), 1, "{json}");
    let ran = home.run(&asked);
    assert!(ran.out.contains("chosen from"), "{ran:?}");
    assert!(ran.err.contains("picked backup.md ("), "{ran:?}");
    assert!(
        ran.err
            .contains("bytes for memories are left in the session then"),
        "{ran:?}"
    );
    home.write(CONFIG, "recall = \"prefetch\"\n");
    let by_config = home.json(&["preview", "--ours", "--prompt", QUESTION[1], "--json"]);
    assert_eq!(by_config["parts"], json["parts"]);
}

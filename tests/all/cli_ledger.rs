//! `ledger`: what was really sent, by the program itself to a model server; listed, shown, compared.

use std::fs;

use serde_json::Value;

use crate::cli_write_home::Desk;
use crate::model_server::{ModelServer, Reply};

/// A token of a shape that the rules know, put together so that no file of ours holds one.
fn secret() -> String {
    let tail = "0123456789abcdefghijABCDEFGHIJ456789";
    ["sk-", "ant-api03-", tail, tail, "-", tail, "AA"].concat()
}

fn set_up(server: &ModelServer) -> Desk {
    let desk = Desk::new();
    let config = desk.root().join("home/.config/loci");
    fs::create_dir_all(&config).unwrap();
    let url = server.url();
    let text = format!(
        "[model]\nprovider = \"anthropic\"\nmain = \"demo-1\"\nbase_url = \"{url}\"\nkey_command = \"echo key\"\n"
    );
    fs::write(config.join("config.toml"), text).unwrap();
    let rules = format!("Use tabs.\nANTHROPIC_API_KEY={}\n", secret());
    fs::write(desk.root().join("proj/CLAUDE.md"), rules).unwrap();
    desk
}

fn requests(desk: &Desk) -> Vec<Value> {
    let listed = desk.run(&["ledger", "--json"]);
    assert_eq!(listed.code, Some(0), "{listed:?}");
    let listed: Value = serde_json::from_str(&listed.out).unwrap();
    listed["requests"].as_array().unwrap().clone()
}

#[test]
fn an_empty_one_says_what_fills_it() {
    let desk = Desk::new();
    let ran = desk.run(&["ledger"]);
    assert_eq!(ran.code, Some(0));
    assert!(
        ran.out.starts_with("nothing was sent to a model yet"),
        "{ran:?}"
    );
    assert_eq!(requests(&desk), Vec::<Value>::new());
    let ran = desk.run(&["ledger", "show", "x"]);
    assert_eq!(ran.code, Some(2));
    assert!(
        ran.err.contains("no request of the ledger is called x"),
        "{ran:?}"
    );
}

#[test]
fn what_was_sent_is_listed_shown_and_compared_with_secrets_masked() {
    let server = ModelServer::start();
    let desk = set_up(&server);
    server.reply(Reply::text("It is."));
    assert_eq!(desk.run(&["chat", "-p", "Is it so?"]).code, Some(0));
    let first = requests(&desk);
    let session = first[0]["session"].as_str().unwrap().to_string();
    server.reply(Reply::text("Still."));
    let ran = desk.run(&["chat", "--resume", &session, "-p", "And now?"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");

    let all = requests(&desk);
    assert_eq!(all.len(), 2);
    let (newer, older) = (&all[0], &all[1]);
    assert_eq!(newer["before"], older["id"]);
    assert_eq!(
        (&newer["purpose"], &newer["ended"]),
        (&"chat".into(), &"end_turn".into())
    );
    assert_eq!(older["cache_miss"]["why"], "first");
    assert!(
        newer["project"].as_str().unwrap().ends_with("-proj"),
        "{newer}"
    );

    let id = newer["id"].as_str().unwrap();
    let shown = desk.run(&["ledger", "show", id, "--json"]);
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let texts = |of: &str| -> Vec<String> {
        let parts = shown[of].as_array().unwrap().iter();
        parts
            .map(|part| part["text"].as_str().unwrap().to_string())
            .collect()
    };
    assert_eq!(texts("answer"), ["Still."]);
    assert!(texts("request").iter().any(|text| text == "And now?"));
    assert!(
        texts("request")
            .iter()
            .any(|text| text.contains("Use tabs.") && text.contains("[masked:"))
    );
    let plain = desk.run(&["ledger", "show", id]);
    assert!(
        plain.out.contains("And now?") && plain.out.contains("what came back"),
        "{plain:?}"
    );

    let compared = desk.run(&["ledger", "diff", id, "--json"]);
    let compared: Value = serde_json::from_str(&compared.out).unwrap();
    let parts = older["parts"].as_u64().unwrap();
    assert_eq!(compared["shared_parts"].as_u64(), Some(parts), "{compared}");
    assert!(
        compared["diff"].as_str().unwrap().contains("+And now?"),
        "{compared}"
    );
    let first = desk.run(&["ledger", "diff", older["id"].as_str().unwrap()]);
    assert_eq!(first.code, Some(2));
    assert!(first.err.contains("the first of its session"), "{first:?}");

    // Nothing of the ledger holds what was masked.
    let mut folders = vec![desk.state().join("ledger")];
    let mut files = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => {
                    files += 1;
                    let text = fs::read_to_string(&path).unwrap();
                    assert!(!text.contains(&secret()[..30]), "{}", path.display());
                }
            }
        }
    }
    assert!(files > 4);
}

#[test]
fn a_line_that_cannot_be_read_is_told_and_the_rest_is_listed() {
    let server = ModelServer::start();
    let desk = set_up(&server);
    server.reply(Reply::text("It is."));
    assert_eq!(desk.run(&["chat", "-p", "Is it so?"]).code, Some(0));
    let folder = desk.state().join("ledger");
    let days = fs::read_dir(&folder).unwrap().flatten().map(|it| it.path());
    let day = days
        .into_iter()
        .find(|it| it.extension().is_some_and(|it| it == "jsonl"));
    let day = day.unwrap();
    let text = fs::read_to_string(&day).unwrap();
    fs::write(&day, format!("{text}{{\"v\":1,\"id\":\"ha")).unwrap();
    let ran = desk.run(&["ledger"]);
    assert!(ran.err.contains(":2 can't be read"), "{ran:?}");
    assert_eq!(requests(&desk).len(), 1);
}

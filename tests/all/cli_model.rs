//! `model` and `model test`: what is set up, whether it answers, and what is wrong if it does not. The key
//! stands in nothing that is printed, written or logged.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli_home::{Home, Ran, demo, keys, ran};
use crate::model_server::{ModelServer, Reply};

const KEY: &str = "geheim-0000";
const CONFIG: &str = "/home/u/.config/loci/config.toml";

fn command(home: &Home, arguments: &[&str]) -> Command {
    let mut command = home.command(arguments);
    command.env("ANTHROPIC_API_KEY", KEY);
    command
}

fn run(home: &Home, arguments: &[&str]) -> Ran {
    ran(&mut command(home, arguments))
}

fn set_up(server: &ModelServer, provider: &str) -> Home {
    let home = Home::new();
    let url = server.url();
    home.write(
        CONFIG,
        format!("[model]\nprovider = \"{provider}\"\nbase_url = \"{url}\"\nkey_command = \"echo {KEY}\"\n"),
    );
    home
}

#[test]
fn without_a_model_it_says_what_to_set() {
    let home = Home::new();
    for arguments in [&["model"][..], &["model", "test"]] {
        let ran = home.run(arguments);
        assert_eq!(ran.code, Some(4), "{ran:?}");
        assert_eq!(
            ran.err,
            "loci: no model is set up; set ANTHROPIC_API_KEY, or provider and base_url below [model] in config.toml\n"
        );
    }
    let ran = home.run(&["model", "--json"]);
    assert_eq!(ran.code, Some(4));
    assert_eq!(ran.json()["error"]["code"], "not-set-up");
}

#[test]
fn model_says_what_is_set_and_never_the_key() {
    let home = Home::new();
    let ran = run(&home, &["model"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(
        ran.out,
        "provider  anthropic\n\
         model     the newest that the provider lists\n\
         small     the same\n\
         dream     the same\n\
         base URL  https://api.anthropic.com (default)\n\
         asked at  https://api.anthropic.com/v1/messages\n\
         key from  ANTHROPIC_API_KEY\n\
         window    the provider is asked\n"
    );
    home.write(
        CONFIG,
        "[model]\nprovider = \"openai\"\nmain = \"qwen\"\nbase_url = \"http://gate.example/v1/?key=geheim-0000\"\nwindow = 32768\n",
    );
    let ran = run(&home, &["model", "--json"]);
    assert_eq!(
        ran.json(),
        json!({
            "provider": "openai", "main": "qwen", "small": null, "dream": null,
            "base_url": "http://gate.example/?key=…", "base_url_from": "config.toml",
            "url": "http://gate.example/v1/chat/completions?key=…", "key_from": null, "window": 32768,
        })
    );
    assert!(ran.err.contains("can be read on its way"), "{ran:?}");
    assert!(!format!("{ran:?}").contains(KEY));
}

#[test]
fn test_asks_and_says_what_came_back() {
    for (provider, path) in [
        ("anthropic", "/v1/messages"),
        ("openai", "/v1/chat/completions"),
    ] {
        let server = ModelServer::start();
        server.require_key(KEY);
        let home = set_up(&server, provider);
        server.reply(Reply::text("ready"));
        let ran = home.run(&["model", "test"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let first = format!("✓ demo-1 answers at POST {}{path}", server.url());
        assert_eq!(ran.out.lines().next(), Some(first.as_str()));
        assert!(ran.out.contains("said      \"ready\"\n"), "{}", ran.out);
        assert!(ran.out.contains(" in, "), "{}", ran.out);
        let json = home.json(&["model", "test", "--json"]);
        let wanted = [
            "first_milliseconds",
            "key_from",
            "milliseconds",
            "model",
            "provider",
            "stop",
            "text",
            "url",
            "usage",
        ];
        assert!(keys(&json).into_iter().eq(wanted), "{json}");
        assert_eq!(
            (&json["text"], &json["stop"]),
            (&json!("ok"), &json!("end_turn"))
        );
        assert_eq!(server.refusals(), Vec::<String>::new());
        // The list that names the newest, then the request.
        let paths: Vec<String> = server
            .seen()
            .into_iter()
            .map(|seen| seen.path)
            .take(2)
            .collect();
        assert!(
            paths[0].starts_with("/v1/models") && paths[1] == path,
            "{paths:?}"
        );
    }
}

/// LL08: it sends the very request that others are sent with; a server that answers elsewhere fails it.
#[test]
fn ll08_a_server_without_the_api_fails_the_test_and_the_address_is_shown() {
    let server = ModelServer::start();
    let home = Home::new();
    let base = format!("{}/elsewhere", server.url());
    home.write(
        CONFIG,
        format!("[model]\nmain = \"m\"\nbase_url = \"{base}\"\n"),
    );
    let ran = home.run(&["model", "test", "--json"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let error = &ran.json()["error"];
    assert_eq!(error["code"], "not-found");
    let said = error["message"].as_str().unwrap();
    assert!(said.contains(&format!("POST {base}/v1/messages")), "{said}");
    assert_eq!(server.seen()[0].method, "POST");
    let body: Value = server.seen()[0].json();
    assert_eq!(
        (&body["model"], &body["stream"]),
        (&json!("m"), &json!(true))
    );
}

#[test]
fn each_failure_ends_with_4_and_says_what_to_do() {
    let server = ModelServer::start();
    let home = set_up(&server, "anthropic");
    let mut config = fs::read_to_string(home.at(CONFIG)).unwrap();
    config.push_str("main = \"demo-1\"\n");
    home.write(CONFIG, &config);
    for (reply, code, part) in [
        (
            Reply::status(529, "overloaded_error", "Overloaded"),
            "overloaded",
            "try again in a while",
        ),
        (
            Reply::status(401, "authentication_error", KEY),
            "key-refused",
            "see with `loci model` where the key comes from",
        ),
        (
            Reply::status(429, "rate_limit_error", "Slow").header("retry-after", "7"),
            "rate-limited",
            "asks to wait 7 s",
        ),
        (
            Reply::text("half").cut_after(600),
            "cut",
            "broke off before its end",
        ),
        (
            Reply::raw("text/html", "<html>"),
            "not-an-answer",
            "a web page",
        ),
        (
            Reply::redirect("https://other.example/x"),
            "redirect",
            "to other.example",
        ),
    ] {
        server.reply(reply);
        let before = server.seen().len();
        let ran = home.run(&["model", "test", "--json"]);
        assert_eq!(ran.code, Some(4), "{ran:?}");
        let error = &ran.json()["error"];
        assert_eq!(error["code"], code);
        let said = error["message"].as_str().unwrap();
        assert!(
            said.contains(part) && said.contains(&server.url()),
            "{said}"
        );
        assert_eq!(ran.err, format!("loci: {said}\n"));
        assert_eq!(server.seen().len(), before + 1, "{code}: once");
        assert!(!format!("{ran:?}").contains(KEY), "{ran:?}");
    }
    home.write(
        CONFIG,
        "[model]\nbase_url = \"http://127.0.0.1:1\"\nmain = \"m\"\n",
    );
    let ran = home.run(&["model", "test"]);
    assert!(
        ran.err.starts_with(
            "loci: no connection, POST http://127.0.0.1:1/v1/messages: Connection refused"
        ),
        "{ran:?}"
    );
}

/// LL18: what is wrong with a key is said before anything is sent, and without it.
#[test]
fn ll18_a_key_that_can_t_be_had_is_told() {
    let server = ModelServer::start();
    let home = Home::new();
    for (key, part) in [
        (
            "key_command = \"echo geheim-0000 >&2; echo geheim-0000; exit 1\"",
            "key_command failed with exit code 1: [key]",
        ),
        ("key_command = \"true\"", "key_command printed nothing"),
        ("key_command = \"echo geheim-0000 x\"", "holds a blank"),
        ("key_file = \"~/nowhere\"", "can't be read"),
    ] {
        home.write(
            CONFIG,
            format!(
                "[model]\nmain = \"m\"\nbase_url = \"{}\"\n{key}\n",
                server.url()
            ),
        );
        let ran = home.run(&["model", "test", "--json"]);
        assert_eq!(
            (ran.code, &ran.json()["error"]["code"]),
            (Some(4), &json!("key"))
        );
        assert!(ran.err.contains(part), "{ran:?}");
        assert!(!format!("{ran:?}").contains(KEY), "{ran:?}");
    }
    assert_eq!(server.seen().len(), 0);
}

#[test]
fn a_key_file_below_a_sysroot_is_read_there() {
    use std::os::unix::fs::PermissionsExt;
    let server = ModelServer::start();
    server.require_key(KEY);
    let home = Home::new();
    home.write("/home/u/key", format!("{KEY}\n"));
    fs::set_permissions(home.at("/home/u/key"), fs::Permissions::from_mode(0o600)).unwrap();
    home.write(
        CONFIG,
        format!(
            "[model]\nkey_file = \"~/key\"\nbase_url = \"{}\"\n",
            server.url()
        ),
    );
    assert_eq!(home.json(&["model", "test", "--json"])["text"], "ok");
}

/// Neither the log nor anything else that is written holds it.
#[test]
fn the_key_is_in_no_log() {
    let server = ModelServer::start();
    server.require_key("another");
    let home = Home::new();
    home.write(
        CONFIG,
        format!("[model]\nmain = \"m\"\nbase_url = \"{}\"\n", server.url()),
    );
    let ran = ran(command(&home, &["model", "test"]).env("LOCI_LOG", "trace"));
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.err.contains("invalid key: [key]"), "{ran:?}");
    let mut files = vec![home.root().to_path_buf()];
    let mut logs = 0;
    while let Some(path) = files.pop() {
        if path.is_dir() {
            files.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
            continue;
        }
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        assert!(!text.contains(KEY), "{}", path.display());
        logs += usize::from(text.contains("the model's server answers"));
    }
    assert_eq!(logs, 1);
}

#[test]
fn the_demo_has_no_model_of_its_own() {
    let ran = demo(&["model", "--json"]);
    assert_eq!(
        (ran.code, &ran.json()["error"]["code"]),
        (Some(4), &json!("not-set-up"))
    );
}

/// Proxies are those of the environment; a server on this machine is asked without one.
#[test]
fn proxies_are_asked_but_for_what_is_here() {
    let server = ModelServer::start();
    let home = Home::new();
    let proxied = |base: &str, proxy: &str| {
        home.write(
            CONFIG,
            format!("[model]\nmain = \"m\"\nbase_url = \"{base}\"\n"),
        );
        ran(home.command(&["model", "test"]).env("HTTP_PROXY", proxy))
    };
    let far = proxied("http://model.example", &server.url());
    assert_eq!(far.code, Some(4), "{far:?}");
    assert_eq!(server.seen()[0].path, "http://model.example/v1/messages");
    let here = proxied(&server.url(), "http://127.0.0.1:1");
    assert_eq!(here.code, Some(0), "{here:?}");
}

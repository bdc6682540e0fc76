use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::Mutex as SyncMutex;

use serde_json::json;

use super::*;
use crate::config::model::Model as Settings;
use crate::llm::answer::{Block, Input, StopReason};
use crate::llm::model_server::{ModelServer, Reply};
use crate::llm::{model_or_newest, once, structured::Structured};

const KEY: &str = "geheim-0000";

fn settings(protocol: Protocol, base_url: &str) -> Settings {
    Settings {
        provider: Some(protocol),
        base_url: Some(base_url.to_string()),
        key_command: Some(format!("echo {KEY}")),
        ..Settings::default()
    }
}

/// A client that waits milliseconds where a real one waits seconds.
fn client(settings: &Settings) -> Client {
    let vars = std::collections::BTreeMap::new();
    let provider = Provider::from(settings, &vars, std::path::Path::new("/")).unwrap();
    let mut client = Client::new(provider);
    client.retry.first = Duration::from_millis(4);
    client
}

fn both(server: &ModelServer) -> [Client; 2] {
    [Protocol::Anthropic, Protocol::OpenAi]
        .map(|protocol| client(&settings(protocol, &server.url())))
}

fn ask(prompt: &str) -> Ask {
    let body = json!({"model": "demo-1", "max_tokens": 100, "stream": true,
                      "messages": [{"role": "user", "content": [{"type": "text", "text": prompt}]}]});
    Ask {
        body: body.to_string(),
        betas: vec!["some-beta".to_string()],
    }
}

fn run<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// What a request gives, and all that happened meanwhile.
fn asked(client: &Client, ask: &Ask) -> (Result<Answer, Broken>, Vec<Event>) {
    let mut events = Vec::new();
    let result = run(client.stream(ask, &mut |event: &Event| events.push(event.clone())));
    (result, events)
}

fn failure(client: &Client) -> Failure {
    *asked(client, &ask("hi")).0.unwrap_err().failure
}

/// LL01 over the network: whatever the pieces, no character is lost.
#[test]
fn ll01_text_comes_whole_in_pieces_of_any_size() {
    let server = ModelServer::start();
    for client in both(&server) {
        for size in [1, 2, 3, 7, 64, 4_096] {
            server.reply(Reply::text("鳥🪶é done").in_pieces(size));
            let (answer, events) = asked(&client, &ask("hi"));
            let answer = answer.unwrap();
            assert_eq!(answer.text(), "鳥🪶é done");
            assert_eq!(answer.stop, Some(StopReason::EndTurn));
            let texts: String = events
                .iter()
                .filter_map(|event| match event {
                    Event::Text { text, .. } => Some(text.as_str()),
                    _ => None,
                })
                .collect();
            assert_eq!(texts, answer.text());
            assert!(answer.usage.is_some());
        }
    }
    assert_eq!(server.refusals(), Vec::<String>::new());
}

#[test]
fn a_request_goes_out_as_it_was_built_with_its_headers() {
    let server = ModelServer::start();
    server.require_key(KEY);
    let client = client(&settings(Protocol::Anthropic, &server.url()));
    asked(&client, &ask("hi")).0.unwrap();
    let seen = &server.seen()[0];
    assert_eq!(seen.body, ask("hi").body);
    assert_eq!(
        (seen.method.as_str(), seen.path.as_str()),
        ("POST", "/v1/messages")
    );
    assert_eq!(seen.header("anthropic-beta"), Some("some-beta"));
    assert_eq!(seen.header("anthropic-version"), Some("2023-06-01"));
    assert!(seen.header("user-agent").unwrap().starts_with("loci/"));
}

#[test]
fn calls_and_thought_come_in_both_protocols() {
    let server = ModelServer::start();
    let [anthropic, openai] = both(&server);
    let thinking = json!({"type": "thinking", "thinking": "let me think", "signature": "s"});
    let call = json!({"type": "tool_use", "id": "t1", "name": "Read", "input": {"path": "a.md"}});
    for client in [&anthropic, &openai] {
        server.reply(Reply::blocks(
            vec![thinking.clone(), call.clone()],
            "tool_use",
        ));
        let answer = asked(client, &ask("hi")).0.unwrap();
        let call = Block::Call {
            id: "t1".to_string(),
            name: "Read".to_string(),
            input: Input::Whole(json!({"path": "a.md"})),
        };
        assert_eq!(answer.blocks().last(), Some(&call));
        assert_eq!(answer.stop, Some(StopReason::ToolUse));
        assert!(!answer.is_cut());
    }
}

#[test]
fn a_server_that_sends_its_answer_whole_is_understood() {
    let server = ModelServer::start();
    let whole = Ask {
        body: ask("hi")
            .body
            .replace("\"stream\":true", "\"stream\":false"),
        ..Ask::default()
    };
    for client in both(&server) {
        server.reply(Reply::text("Salut"));
        let answer = asked(&client, &whole).0.unwrap();
        assert_eq!(answer.text(), "Salut");
        assert!(!answer.is_cut());
    }
}

/// LL05: an overload within the stream is tried again, what came is void; after the last try it is said.
#[test]
fn ll05_an_overload_within_the_stream_is_tried_again() {
    let server = ModelServer::start();
    for client in both(&server) {
        server.reply(Reply::text("half of it").error_after(3, "overloaded_error"));
        server.reply(Reply::text("all of it"));
        let (answer, events) = asked(&client, &ask("hi"));
        assert_eq!(answer.unwrap().text(), "all of it");
        let again = events
            .iter()
            .filter(|event| matches!(event, Event::Again { .. }));
        assert_eq!(again.count(), 1);
        for _ in 0..client.retry.tries {
            server.reply(Reply::text("half of it").error_after(3, "overloaded_error"));
        }
        let broken = asked(&client, &ask("hi")).0.unwrap_err();
        let said = broken.failure.to_string();
        assert!(
            said.contains("overloaded") && said.contains("tried 5 times"),
            "{said}"
        );
        assert!(!broken.came.is_empty() && broken.came.is_cut());
    }
}

/// LL20: an overloaded server is asked again after waits that grow, and leaving ends it at once.
#[test]
fn ll20_waiting_can_be_left_and_nothing_is_asked_after_that() {
    let server = ModelServer::start();
    for _ in 0..9 {
        server.reply(Reply::status(529, "overloaded_error", "Overloaded"));
    }
    let mut client = client(&settings(Protocol::Anthropic, &server.url()));
    client.retry.tries = 9;
    let waits = Arc::new(SyncMutex::new(Vec::new()));
    run(async {
        let (third, mut came) = tokio::sync::mpsc::unbounded_channel();
        let of_sink = Arc::clone(&waits);
        let mut sink = move |event: &Event| {
            if let Event::Again { wait, attempt, .. } = event {
                of_sink.lock().unwrap().push(*wait);
                if *attempt == 4 {
                    third.send(()).unwrap();
                }
            }
        };
        let ask = ask("hi");
        tokio::select! {
            biased;
            _ = came.recv() => {}
            _ = client.stream(&ask, &mut sink) => panic!("it was left"),
        }
    });
    let waits = waits.lock().unwrap();
    assert_eq!(waits.len(), 3);
    assert!(
        waits[0] > Duration::ZERO && waits.is_sorted_by(|a, b| a < b),
        "{waits:?}"
    );
    assert_eq!(server.seen().len(), 3);
}

#[test]
fn leaving_an_answer_ends_the_connection() {
    let server = ModelServer::start();
    for client in both(&server) {
        server.reply(Reply::text("and so on").silent_after(400));
        run(async {
            let (began, mut begun) = tokio::sync::mpsc::unbounded_channel();
            let mut sink = move |_: &Event| began.send(()).unwrap();
            let ask = ask("hi");
            tokio::select! {
                _ = begun.recv() => {}
                _ = client.stream(&ask, &mut sink) => panic!("it was left"),
            }
        });
    }
    server.wait_for_leavers(2);
}

#[test]
fn passing_faults_are_tried_again_and_others_not() {
    let server = ModelServer::start();
    for client in both(&server) {
        let before = server.seen().len();
        server.reply(Reply::status(429, "rate_limit_error", "Slow").header("retry-after", "0"));
        server.reply(Reply::status(503, "", "Loading model"));
        server.reply(Reply::text("cut within").cut_after(150));
        assert_eq!(asked(&client, &ask("hi")).0.unwrap().text(), "ok");
        assert_eq!(server.seen().len() - before, 4);
        server.reply(Reply::status(400, "invalid_request_error", "No such thing"));
        let failure = failure(&client);
        assert_eq!((failure.word(), failure.tries), ("refused", 1));
        assert!(failure.to_string().contains("No such thing"));
        assert_eq!(server.seen().len() - before, 5);
    }
}

#[test]
fn a_server_that_asks_for_a_long_wait_is_not_waited_for() {
    let server = ModelServer::start();
    let client = client(&settings(Protocol::Anthropic, &server.url()));
    server.reply(Reply::status(429, "rate_limit_error", "Slow").header("retry-after", "3600"));
    let failure = failure(&client);
    assert_eq!((failure.word(), failure.tries), ("rate-limited", 1));
    assert!(failure.to_string().contains("asks to wait 3600 s"));
}

#[test]
fn a_cut_stream_is_told_with_what_came() {
    let server = ModelServer::start();
    for mut client in both(&server) {
        client.retry.tries = 2;
        for _ in 0..2 {
            server.reply(Reply::text("Once upon a time there was").cut_after(900));
        }
        let broken = asked(&client, &ask("hi")).0.unwrap_err();
        assert_eq!(broken.failure.word(), "cut");
        assert!(
            broken
                .failure
                .to_string()
                .starts_with("the answer broke off before its end, POST http://127.0.0.1:")
        );
        assert!(broken.came.text().starts_with("Once"), "{:?}", broken.came);
        assert!(broken.came.is_cut());
    }
}

#[test]
fn each_deadline_is_told_by_its_name() {
    let server = ModelServer::start();
    for mut client in both(&server) {
        client.retry.tries = 1;
        let short = Duration::from_millis(60);
        client.deadlines.first_byte = short;
        server.reply(Reply::text("").silent());
        assert!(
            failure(&client)
                .to_string()
                .starts_with("no answer within the deadline")
        );
        client.deadlines = Deadlines::of(Protocol::OpenAi);
        client.deadlines.between = short;
        server.reply(Reply::text("and so on").silent_after(400));
        let broken = asked(&client, &ask("hi")).0.unwrap_err();
        assert_eq!(broken.failure.what, What::Late(Deadline::Between));
        client.deadlines = Deadlines::of(Protocol::OpenAi);
        client.deadlines.total = short;
        server.reply(Reply::text("and so on").silent_after(400));
        assert_eq!(failure(&client).what, What::Late(Deadline::Total));
    }
}

#[test]
fn what_is_no_model_is_told() {
    let server = ModelServer::start();
    for client in both(&server) {
        for (kind, body, part) in [
            ("text/html", "<!doctype html><p>Welcome", "a web page"),
            ("text/plain", "It works!", ": It works!; "),
            (
                "application/json",
                "{\"ok\":true}",
                "JSON without an answer in it",
            ),
            ("application/json", "{\"ok\":", "no JSON"),
            ("text/event-stream", "data: garbage\n\n", ": garbage; "),
        ] {
            server.reply(Reply::raw(kind, body));
            let said = failure(&client).to_string();
            assert!(said.contains("what answers is no model: "), "{said}");
            assert!(said.contains(part), "{said}");
            assert!(
                said.contains("see that base_url leads to a model's API"),
                "{said}"
            );
        }
        let nobody = failure(&self::client(&settings(
            client.provider.protocol,
            "http://127.0.0.1:1",
        )));
        assert_eq!((nobody.word(), nobody.tries), ("unreachable", 5));
        assert!(nobody.to_string().contains("refused"), "{nobody}");
    }
}

#[test]
fn an_error_in_place_of_an_answer_is_told() {
    let server = ModelServer::start();
    for client in both(&server) {
        let body = json!({"error": {"type": "invalid_request_error", "message": "no such model"}, "type": "error"});
        server.reply(Reply::raw("application/json", &body.to_string()));
        assert!(failure(&client).to_string().contains("no such model"));
    }
}

/// Neither a failure, nor what is shown for debugging, nor another host sees the key.
#[test]
fn the_key_is_never_shown_and_never_sent_elsewhere() {
    let server = ModelServer::start();
    let elsewhere = ModelServer::start();
    server.require_key("another");
    let mut shown = String::new();
    for client in both(&server) {
        // This server repeats the key that it is given.
        let failure = failure(&client);
        assert_eq!(failure.word(), "key-refused");
        assert!(
            failure.to_string().contains("invalid key: [key]"),
            "{failure}"
        );
        write!(shown, "{failure} {failure:?} {client:?}").unwrap();
    }
    server.require_key(KEY);
    for client in both(&server) {
        server.reply(Reply::redirect(&format!(
            "{}/v1/messages?key={KEY}",
            elsewhere.url()
        )));
        let failure = failure(&client);
        assert_eq!(failure.word(), "redirect");
        let to = elsewhere.url();
        assert!(
            failure
                .to_string()
                .contains(to.trim_start_matches("http://")),
            "{failure}"
        );
        for body in [
            format!("garbage {KEY}"),
            format!("data: {{\"error\":\"{KEY}\"}}\n\n"),
        ] {
            server.reply(Reply::raw("text/event-stream", &body));
            let failure = self::failure(&client);
            write!(shown, "{failure} {failure:?}").unwrap();
        }
        let reply = Reply::raw(
            "application/json",
            &format!("{{\"error\":{{\"message\":\"{KEY}\"}}}}"),
        );
        server.reply(reply);
        write!(shown, "{failure} {:?} {client:?}", self::failure(&client)).unwrap();
        let in_query = self::client(&settings(
            client.provider.protocol,
            &format!("http://127.0.0.1:1/?key={KEY}"),
        ));
        let failure = self::failure(&in_query);
        write!(shown, "{failure} {failure:?} {in_query:?}").unwrap();
    }
    assert!(shown.contains("[key]"));
    let without_setting = shown.replace(&format!("echo {KEY}"), "");
    assert!(!without_setting.contains(KEY), "{without_setting}");
    assert_eq!(elsewhere.seen().len(), 0);
}

#[test]
fn a_refused_key_is_asked_for_anew_the_next_time() {
    let server = ModelServer::start();
    server.require_key("two");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    std::fs::write(&file, "one").unwrap();
    let settings = Settings {
        key_command: Some(format!("cat {}", file.display())),
        ..settings(Protocol::Anthropic, &server.url())
    };
    let client = client(&settings);
    assert_eq!(failure(&client).word(), "key-refused");
    std::fs::write(&file, "two").unwrap();
    asked(&client, &ask("hi")).0.unwrap();
}

#[test]
fn models_are_listed_and_counted_and_the_window_asked() {
    let server = ModelServer::start();
    let [anthropic, openai] = both(&server);
    for client in [&anthropic, &openai] {
        let newest = run(model_or_newest(client, None)).unwrap();
        assert_eq!(newest, "demo-1");
        assert_eq!(run(model_or_newest(client, Some("own"))).unwrap(), "own");
        assert_eq!(run(client.window("demo-1")).unwrap(), None);
    }
    assert_eq!(server.seen()[0].path, "/v1/models?limit=1000");
    let counted = run(anthropic.count(&ask("hi"))).unwrap();
    assert!(counted.is_some_and(|tokens| tokens > 0), "{counted:?}");
    assert_eq!(run(openai.count(&ask("hi"))).unwrap(), None);
    server.props(json!({"default_generation_settings": {"n_ctx": 2048}}));
    assert_eq!(run(openai.window("demo-1")).unwrap(), Some(2048));
    server.list(json!({"data": [{"id": "demo-1", "max_model_len": 4096}]}));
    assert_eq!(run(openai.window("demo-1")).unwrap(), Some(4096));
    let mut set = settings(Protocol::OpenAi, &server.url());
    set.window = Some(777);
    assert_eq!(run(client(&set).window("demo-1")).unwrap(), Some(777));
    server.list(json!({"data": []}));
    let failure = run(model_or_newest(&openai, None)).unwrap_err();
    assert_eq!(failure.what, What::NoModel);
    assert_eq!(server.refusals(), Vec::<String>::new());
}

#[test]
fn json_by_a_schema_is_asked_for_and_read() {
    let server = ModelServer::start();
    for client in both(&server) {
        let mut body: Value = serde_json::from_str(&ask("which?").body).unwrap();
        let schema = json!({"type": "object", "properties": {"picked": {"type": "array"}}});
        body["output_config"] = json!({"format": {"type": "json_schema", "schema": schema}});
        let ask = Ask {
            body: body.to_string(),
            ..Ask::default()
        };
        server.reply(Reply::text("{\"picked\":[\"a.md\"]}"));
        let (_, structured) = run(once(&client, &ask)).unwrap();
        assert_eq!(structured, Structured::Whole(json!({"picked": ["a.md"]})));
        let sent = server.seen().last().unwrap().json();
        let schemas = [
            &sent["output_config"]["format"]["schema"],
            &sent["response_format"]["json_schema"]["schema"],
        ];
        assert!(schemas.contains(&&schema), "{sent}");
    }
}

/// Some servers say neither a last word nor close the connection; some break it once all is said.
#[test]
fn an_answer_without_a_last_word_is_whole_once_its_reason_to_stop_came() {
    let server = ModelServer::start();
    for mut client in both(&server) {
        client.retry.tries = 1;
        client.deadlines.between = Duration::from_millis(80);
        server.reply(Reply::text("all of it").without_end());
        let answer = asked(&client, &ask("hi")).0.unwrap();
        assert_eq!(answer.text(), "all of it");
        assert!(!answer.is_cut());
    }
}

#[test]
fn a_server_without_tls_is_told() {
    use std::io::{Read, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let server = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.read(&mut [0; 2_048]);
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n");
    });
    let failure = failure(&client(&settings(Protocol::Anthropic, &base)));
    // Where the system has no certificates nothing is asked over TLS at all.
    match failure.word() {
        "tls" => {
            server.join().unwrap();
            let said = failure.to_string();
            assert!(
                said.starts_with("no secure connection, POST https://127.0.0.1:"),
                "{said}"
            );
            assert!(said.contains("begin base_url with http://"), "{said}");
        }
        word => assert_eq!(word, "network", "{failure}"),
    }
}

//! The server of the tests refuses what the real ones refuse, and counts as they do: what it lets pass
//! would pass there.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use super::answer::{Event, Usage};
use super::ask::Ask;
use super::client::Client;
use super::model_server::{ModelServer, Reply};
use super::provider::Provider;
use super::{Broken, Model, answer::Answer};
use crate::config::model::{Model as Settings, Protocol};

fn client(server: &ModelServer, protocol: Protocol) -> Client {
    let settings = Settings {
        provider: Some(protocol),
        base_url: Some(server.url()),
        ..Settings::default()
    };
    Client::new(Provider::from(&settings, &BTreeMap::new(), Path::new("/")).unwrap())
}

fn send(client: &Client, body: &Value) -> Result<Answer, Broken> {
    send_with(client, body, &[])
}

fn send_with(client: &Client, body: &Value, betas: &[&str]) -> Result<Answer, Broken> {
    let ask = Ask {
        body: body.to_string(),
        betas: betas.iter().map(ToString::to_string).collect(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(client.stream(&ask, &mut |_: &Event| {}))
}

fn text(text: &str) -> Value {
    json!({"type": "text", "text": text})
}

fn marked(text: &str) -> Value {
    json!({"type": "text", "text": text, "cache_control": {"type": "ephemeral"}})
}

fn user(blocks: &Value) -> Value {
    json!({"role": "user", "content": blocks})
}

fn assistant(blocks: &Value) -> Value {
    json!({"role": "assistant", "content": blocks})
}

fn request(messages: &[Value]) -> Value {
    json!({"model": "demo-1", "max_tokens": 100, "stream": true, "messages": messages})
}

fn call(id: &str) -> Value {
    json!({"type": "tool_use", "id": id, "name": "Read", "input": {}})
}

fn result(id: &str) -> Value {
    json!({"type": "tool_result", "tool_use_id": id, "content": "x"})
}

#[test]
fn what_breaks_the_order_of_a_conversation_is_refused() {
    let server = ModelServer::start();
    let client = client(&server, Protocol::Anthropic);
    let hi = || user(&json!([text("hi")]));
    for (messages, why) in [
        (vec![], "at least one message"),
        (
            vec![assistant(&json!([text("hi")]))],
            "first message must use the user role",
        ),
        (vec![hi(), hi()], "roles must alternate"),
        (
            vec![hi(), assistant(&json!([text("a")]))],
            "must end with a user message",
        ),
        (
            vec![user(&json!([text(" \n")]))],
            "text content blocks must be non-empty",
        ),
        (vec![user(&json!([]))], "content is empty"),
        (
            vec![hi(), assistant(&json!([call("a")])), hi()],
            "tool_use ids without tool_result: a",
        ),
        (
            vec![
                hi(),
                assistant(&json!([call("a")])),
                user(&json!([text("x"), result("a")])),
            ],
            "tool_result after other content",
        ),
        (
            vec![
                hi(),
                assistant(&json!([call("a"), call("b")])),
                user(&json!([result("a")])),
            ],
            "without tool_result: b",
        ),
        (
            vec![
                hi(),
                assistant(&json!([call("a")])),
                user(&json!([result("b")])),
            ],
            "unexpected tool_use_id",
        ),
        (vec![user(&json!([result("a")]))], "unexpected tool_use_id"),
        (
            vec![
                hi(),
                assistant(&json!([{"type": "thinking", "thinking": "x"}])),
                hi(),
            ],
            "thinking without a signature",
        ),
        (
            vec![user(
                &json!([{"type": "thinking", "thinking": "x", "signature": "s"}]),
            )],
            "thinking of user",
        ),
        (
            vec![user(&json!([
                marked("a"),
                marked("b"),
                marked("c"),
                marked("d"),
                marked("e")
            ]))],
            "a maximum of 4",
        ),
    ] {
        let said = send(&client, &request(&messages))
            .unwrap_err()
            .failure
            .to_string();
        assert!(said.contains(why), "{why}: {said}");
    }
    let mut odd = request(&[hi()]);
    odd["temperatur"] = json!(1);
    assert!(
        send(&client, &odd)
            .unwrap_err()
            .failure
            .to_string()
            .contains("temperatur: extra inputs")
    );
    assert_eq!(server.refusals().len(), 15);
    let good = [
        hi(),
        assistant(
            &json!([{"type": "thinking", "thinking": "x", "signature": "s"}, call("a"), call("b")]),
        ),
        user(&json!([result("b"), result("a"), text("and")])),
    ];
    send(&client, &request(&good)).unwrap();
}

#[test]
fn what_chat_completions_refuse_is_refused() {
    let server = ModelServer::start();
    let client = client(&server, Protocol::OpenAi);
    let hi = || user(&json!([text("hi")]));
    for (messages, why) in [
        (vec![], "messages is empty"),
        (
            vec![hi(), assistant(&json!([call("a")])), hi()],
            "tool calls without a result",
        ),
        (vec![user(&json!([result("a")]))], "unexpected tool_call_id"),
        (vec![hi(), assistant(&json!([text("a")]))], "must end with"),
    ] {
        let said = send(&client, &request(&messages))
            .unwrap_err()
            .failure
            .to_string();
        assert!(said.contains(why), "{why}: {said}");
    }
    let good = [
        hi(),
        assistant(&json!([call("a")])),
        user(&json!([result("a"), text("and")])),
    ];
    send(&client, &request(&good)).unwrap();
}

#[test]
fn what_is_latched_must_not_change_within_a_session() {
    let server = ModelServer::start();
    let client = client(&server, Protocol::Anthropic);
    let first = request(&[user(&json!([marked("hi")]))]);
    send(&client, &first).unwrap();
    // Marks move; the conversation grows.
    let grown = [
        user(&json!([text("hi")])),
        assistant(&json!([text("a")])),
        user(&json!([marked("b")])),
    ];
    send(&client, &request(&grown)).unwrap();
    for (key, value) in [
        ("model", json!("demo-2")),
        ("thinking", json!({"type": "adaptive"})),
        ("system", json!([text("who")])),
        ("tools", json!([{"name": "Read", "input_schema": {}}])),
    ] {
        let mut other = first.clone();
        other[key] = value;
        let said = send(&client, &other).unwrap_err().failure.to_string();
        assert!(
            said.contains(&format!("{key} changed within the session")),
            "{said}"
        );
    }
    let said = send_with(&client, &first, &["beta"])
        .unwrap_err()
        .failure
        .to_string();
    assert!(said.contains("beta headers changed"), "{said}");
    server.new_session();
    send_with(&client, &first, &["beta"]).unwrap();
}

#[test]
fn the_cache_is_read_as_far_as_a_mark_has_kept_it() {
    let server = ModelServer::start();
    let client = client(&server, Protocol::Anthropic);
    let usage = |body: &Value| -> Usage { send(&client, body).unwrap().usage.unwrap() };
    let mut body = request(&[user(&json!([text("hi"), marked("there")]))]);
    body["system"] = json!([text("rules"), marked("more rules")]);
    let first = usage(&body);
    assert_eq!(first.cache_read, 0);
    assert!(first.cache_creation > 0);
    assert_eq!(first.input, 0);
    let again = usage(&body);
    assert_eq!(
        (again.cache_read, again.cache_creation),
        (first.cache_creation, 0)
    );
    // What is behind the last mark is not kept; what is before a change is read.
    body["messages"] = json!([
        user(&json!([text("hi"), text("there")])),
        assistant(&json!([text("a")])),
        user(&json!([text("b")]))
    ]);
    let bare = usage(&body);
    assert!(
        bare.cache_read > 0 && bare.cache_read < first.cache_creation,
        "{bare:?}"
    );
    assert!(bare.input > 0 && bare.cache_creation == 0);
    // A mark looks back 20 blocks, not more.
    for (added, found) in [(10, true), (40, false)] {
        let mut blocks = vec![text("hi"), text("there")];
        blocks.extend((0..added).map(|at| text(&format!("{added} block {at}"))));
        blocks.push(marked("end"));
        let mut body = request(&[user(&json!(blocks))]);
        body["system"] = json!([text("rules"), text("more rules")]);
        assert_eq!(usage(&body).cache_read > 0, found, "{added}");
    }
    assert_eq!(server.refusals(), Vec::<String>::new());
}

#[test]
fn the_other_protocol_keeps_beginnings_by_itself() {
    let server = ModelServer::start();
    let client = client(&server, Protocol::OpenAi);
    let usage = |body: &Value| -> Usage { send(&client, body).unwrap().usage.unwrap() };
    let body = request(&[user(&json!([text("hi")]))]);
    assert_eq!(usage(&body).cache_read, 0);
    assert_eq!(usage(&body).input, 0);
    server.reply(Reply::text("x"));
    let grown = [
        user(&json!([text("hi")])),
        assistant(&json!([text("a")])),
        user(&json!([text("b")])),
    ];
    let usage = usage(&request(&grown));
    assert!(usage.cache_read > 0 && usage.input > 0);
}
